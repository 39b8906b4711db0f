//! What of a recipe does one of its statements need?
//!
//! The unit is a top-level statement with all its nested blocks. Definitions of used variables are always needed. What else
//! may matter is a choice, because effects hide in the program's code; only running the slice tells.

use crate::types::unboxed;
use crate::{Action, Block, Def, Recipe, Stmt, VarId};
use program::{ClassName, Type};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Only what defines the variables that are used.
    Definitions,
    /// Also every statement that may change an object in reach of those variables, or state that all share: properties,
    /// locale, time zone, static fields, and static methods, which may change any of these. Constructors are trusted
    /// to change nothing but the new object and their arguments.
    Effects,
}

impl Recipe {
    /// The statements up to the top-level statement `stmt` that it needs, itself included.
    pub fn slice(&self, stmt: usize, keep: Keep) -> Recipe {
        let mut stmts: Vec<&Stmt> = self.body.stmts.iter().take(stmt + 1).collect();
        // A statement that was dropped connects no objects, which may let others go.
        loop {
            let kept = needed(&stmts, keep);
            if kept.len() == stmts.len() {
                break;
            }
            stmts = kept;
        }
        let stmts = stmts.into_iter().cloned().collect();
        let mut slice = Recipe { classes: self.classes.clone(), body: Block { stmts } };
        slice.drop_unused_classes();
        slice
    }
}

/// Those that the last one needs.
fn needed<'a>(stmts: &[&'a Stmt], keep: Keep) -> Vec<&'a Stmt> {
    let objects = Objects::of(stmts);
    let mut used: FxHashSet<VarId> = FxHashSet::default();
    let mut kept: Vec<&Stmt> = Vec::new();
    for (i, candidate) in stmts.iter().enumerate().rev() {
        let is_criterion = i + 1 == stmts.len();
        let defines = candidate.def.is_some_and(|def| used.contains(&def.var));
        let affects = keep == Keep::Effects
            && (is_global(candidate) || (may_change(candidate) && objects.reaches(candidate, &used)));
        if is_criterion || defines || affects {
            used.extend(candidate.uses());
            kept.push(candidate);
        }
    }
    kept.reverse();
    kept
}

/// Whether the action may change an object that was there before.
fn may_change(stmt: &Stmt) -> bool {
    !matches!(
        stmt.action,
        Action::Literal(_)
            | Action::GetField { .. }
            | Action::NewArray { .. }
            | Action::ArrayOf { .. }
            | Action::GetElement { .. }
            | Action::Cast(_)
            | Action::Throw(_)
            | Action::Callback(_)
            | Action::TempFile { .. }
            | Action::TempDir { .. }
            | Action::Link(_)
            | Action::Stream(..)
    )
}

/// Whether the action, or one nested in it, may change state that all share. A callback's body runs when it is called.
fn is_global(stmt: &Stmt) -> bool {
    match &stmt.action {
        Action::SetProperty { .. } | Action::SetLocale(_) | Action::SetTimeZone(_) => true,
        Action::Capture | Action::ChangeFile(..) => true,
        Action::PutField { receiver, .. } | Action::Call { receiver, .. } => receiver.is_none(),
        Action::Try { .. } | Action::Thread(_) | Action::Repeat { .. } | Action::Together(_) => {
            stmt.action.bodies().iter().any(|body| body.block.stmts.iter().any(is_global))
        }
        _ => false,
    }
}

/// Variables whose objects may reach each other: those that meet in a statement, transitively. Values that cannot change
/// connect nothing.
struct Objects {
    parent: FxHashMap<VarId, VarId>,
}

impl Objects {
    fn of(stmts: &[&Stmt]) -> Self {
        let mut objects = Objects { parent: FxHashMap::default() };
        let mut defs: Vec<Def> = Vec::new();
        for stmt in stmts {
            collect_defs(stmt, &mut defs);
        }
        let constant: FxHashSet<VarId> = defs.iter().filter(|def| !is_mutable(def.ty)).map(|def| def.var).collect();
        for stmt in stmts {
            let defined = stmt.def.map(|def| def.var);
            let mut met = stmt.uses().into_iter().chain(defined).filter(|var| !constant.contains(var));
            if let Some(first) = met.next() {
                met.for_each(|var| objects.join(first, var));
            }
        }
        objects
    }

    fn root(&self, var: VarId) -> VarId {
        let mut at = var;
        while let Some(above) = self.parent.get(&at) {
            at = *above;
        }
        at
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(b, a);
        }
    }

    fn reaches(&self, stmt: &Stmt, needed: &FxHashSet<VarId>) -> bool {
        let wanted: FxHashSet<VarId> = needed.iter().map(|var| self.root(*var)).collect();
        stmt.uses().into_iter().any(|var| wanted.contains(&self.root(var)))
    }
}

fn collect_defs(stmt: &Stmt, defs: &mut Vec<Def>) {
    defs.extend(stmt.def);
    for body in stmt.action.bodies() {
        defs.extend_from_slice(body.params);
        body.block.stmts.iter().for_each(|stmt| collect_defs(stmt, defs));
    }
}

fn is_mutable(ty: Type) -> bool {
    let immutable = ty == Type::Class(ClassName::string()) || ty == Type::class("java/lang/Class");
    ty.is_reference() && !immutable && unboxed(ty).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = r#"
        v0: java.util.ArrayList = new java.util.ArrayList()
        v1: java.util.ArrayList = new java.util.ArrayList()
        v2: java.lang.String = "x"
        call v0->java.util.List.add(java.lang.Object v2): boolean
        call v1->java.util.List.add(java.lang.Object v2): boolean
        v3: java.util.Iterator = call v0->java.util.List.iterator(): java.util.Iterator
        call v3->java.util.Iterator.remove()
        property "a" = "b"
        v4: int = call v0->java.util.List.size(): int
        call v1->java.util.List.clear()
    "#;

    #[test]
    fn definitions_only() {
        let slice = crate::parse(RECIPE).unwrap().slice(8, Keep::Definitions);
        insta::assert_snapshot!(slice, @r"
        v0: java.util.ArrayList = new java.util.ArrayList()
        v4: int = call v0->java.util.List.size(): int
        ");
    }

    #[test]
    fn effects_on_the_same_objects_and_on_what_all_share() {
        let slice = crate::parse(RECIPE).unwrap().slice(8, Keep::Effects);
        insta::assert_snapshot!(slice, @r#"
        v0: java.util.ArrayList = new java.util.ArrayList()
        v2: java.lang.String = "x"
        call v0->java.util.List.add(java.lang.Object v2): boolean
        v3: java.util.Iterator = call v0->java.util.List.iterator(): java.util.Iterator
        call v3->java.util.Iterator.remove()
        property "a" = "b"
        v4: int = call v0->java.util.List.size(): int
        "#);
    }
}
