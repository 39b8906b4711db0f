//! Putting one recipe into another.

use crate::{Block, ClassDecl, Place, Recipe, VarId};
use program::ClassName;

/// What the variables of a recipe that was spliced in are called now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renaming {
    offset: u32,
}

impl Renaming {
    pub fn var(self, var: VarId) -> VarId {
        VarId(var.0 + self.offset)
    }
}

impl Recipe {
    /// Puts the statements of `other` before the one at `at`, with variables of new names; a declared class that both have
    /// is shared, and one that only has the same name gets a new one. `None`, and no change, when there is no such place.
    ///
    /// A well-typed recipe uses no variables of others, so the result is well typed if both are.
    pub fn splice(&mut self, at: &Place, other: &Recipe) -> Option<Renaming> {
        self.block(&at.block).filter(|block| at.index <= block.stmts.len())?;
        let renaming = Renaming { offset: self.fresh_var().0 };
        let mut other = other.clone();
        other.for_each_var_mut(&mut |var| *var = renaming.var(*var));
        self.merge_classes(&mut other);
        let Block { stmts } = self.block_mut(&at.block)?;
        stmts.splice(at.index..at.index, other.body.stmts);
        Some(renaming)
    }

    /// Puts the statements of `other` behind the last one.
    pub fn append(&mut self, other: &Recipe) -> Renaming {
        let end = Place::top(self.body.stmts.len());
        // The end of the body is a place of every recipe.
        self.splice(&end, other).unwrap_or(Renaming { offset: 0 })
    }

    /// Classes mention each other, so if one clashes, all that both recipes have are kept apart.
    fn merge_classes(&mut self, other: &mut Recipe) {
        let ours = |name: ClassName| self.classes.iter().find(|known| known.name == name);
        let clashes = other.classes.iter().any(|class| ours(class.name).is_some_and(|known| !is_same(known, class)));
        if clashes {
            let mut taken: Vec<ClassName> = self.classes.iter().chain(&other.classes).map(|class| class.name).collect();
            let mut renamed: Vec<(ClassName, ClassName)> = Vec::new();
            for class in other.classes.iter().filter(|class| ours(class.name).is_some()) {
                let new = free_name(class.name, &taken);
                taken.push(new);
                renamed.push((class.name, new));
            }
            other.rename_classes(|class| renamed.iter().find(|(old, _)| *old == class).map_or(class, |(_, new)| *new));
        }
        let added = std::mem::take(&mut other.classes);
        let known: Vec<ClassName> = self.classes.iter().map(|class| class.name).collect();
        self.classes.extend(added.into_iter().filter(|class| !known.contains(&class.name)));
    }
}

/// Equal up to the names of variables.
fn is_same(a: &ClassDecl, b: &ClassDecl) -> bool {
    let alone = |class: &ClassDecl| Recipe { classes: vec![class.clone()], body: Block::default() }.canonical();
    a.name == b.name && alone(a) == alone(b)
}

fn free_name(like: ClassName, taken: &[ClassName]) -> ClassName {
    let mut n = 2;
    loop {
        let name = ClassDecl::class_name(&format!("{}{n}", like.simple()));
        if !taken.contains(&name) {
            return name;
        }
        n += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn variables_and_classes_are_kept_apart() {
        let mut recipe = parse(
            "declare class A { field x: int }
             v0: reenact.user.A = new reenact.user.A()
             v1: int = get v0->reenact.user.A.x: int",
        )
        .unwrap();
        let other = parse(
            "declare class A { field y: long }
             v0: reenact.user.A = new reenact.user.A()
             v3: long = get v0->reenact.user.A.y: long",
        )
        .unwrap();
        let renaming = recipe.splice(&Place::top(1), &other).unwrap();
        assert_eq!(renaming.var(VarId(3)), VarId(5));
        insta::assert_snapshot!(recipe, @r"
        declare class A {
          field x: int
        }
        declare class A2 {
          field y: long
        }
        v0: reenact.user.A = new reenact.user.A()
        v2: reenact.user.A2 = new reenact.user.A2()
        v5: long = get v2->reenact.user.A2.y: long
        v1: int = get v0->reenact.user.A.x: int
        ");
    }

    #[test]
    fn a_class_that_both_have_is_shared() {
        let text = "declare class A { method f(): int this v1 { v2: int = 3 return v2 } }
             v0: reenact.user.A = new reenact.user.A()";
        let mut recipe = parse(text).unwrap();
        let other = parse(&text.replace("v1", "v11").replace("v2", "v12")).unwrap();
        recipe.append(&other);
        assert_eq!(recipe.classes.len(), 1);
        assert_eq!(recipe.body.stmts.len(), 2);
    }

    #[test]
    fn no_change_without_a_place() {
        let mut recipe = parse("v0: int = 1").unwrap();
        let before = recipe.clone();
        assert_eq!(recipe.splice(&Place::top(2), &before.clone()), None);
        assert_eq!(recipe, before);
    }
}
