//! A recipe under construction: statements are added at one place, and what they may refer to is known with its type. Can be
//! taken back to an earlier point when a way turns out not to work.

use program::{ClassName, Type};
use recipe::{Action, Arg, Def, Recipe, Stmt, VarId};

#[derive(Clone, Debug)]
pub struct Draft {
    recipe: Recipe,
    /// Where the next statement goes in the recipe's body.
    at: usize,
    /// What statements before `at` define, in their order.
    variables: Vec<Variable>,
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    pub id: VarId,
    pub ty: Type,
    /// The class of the object, where it is known and more special than `ty`.
    pub class: Option<ClassName>,
}

/// A state to which a draft can be taken back.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    at: usize,
    variables: usize,
    classes: usize,
    next: u32,
}

impl Default for Draft {
    fn default() -> Self {
        Draft::new()
    }
}

impl Draft {
    pub fn new() -> Draft {
        Draft { recipe: Recipe::default(), at: 0, variables: Vec::new(), next: 0 }
    }

    /// Continues a recipe: new statements go before the top-level statement `at`.
    pub fn before(recipe: Recipe, at: usize) -> Draft {
        let at = at.min(recipe.body.stmts.len());
        let defs = recipe.body.stmts[..at].iter().filter_map(|stmt| stmt.def);
        let variables = defs.map(|def| Variable { id: def.var, ty: def.ty, class: None }).collect();
        let next = recipe.fresh_var().0;
        Draft { recipe, at, variables, next }
    }

    pub fn after(recipe: Recipe) -> Draft {
        let end = recipe.body.stmts.len();
        Draft::before(recipe, end)
    }

    pub fn finish(self) -> Recipe {
        self.recipe
    }

    /// How many statements are before the place of insertion.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What can be used at the place of insertion, the oldest first.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    pub fn type_of(&self, arg: &Arg) -> Option<Type> {
        match arg {
            Arg::Var(id) => self.variables.iter().rev().find(|variable| variable.id == *id).map(|variable| variable.ty),
            Arg::Literal(literal) => Some(literal.ty()),
        }
    }

    /// Adds a statement whose result is kept.
    pub fn define(&mut self, action: Action, ty: Type) -> Arg {
        self.define_exactly(action, ty, None)
    }

    /// The same, for an object whose class is known better than its static type tells.
    pub fn define_exactly(&mut self, action: Action, ty: Type, class: Option<ClassName>) -> Arg {
        let id = self.fresh();
        self.insert(Stmt { def: Some(Def { var: id, ty }), action });
        self.variables.push(Variable { id, ty, class });
        Arg::Var(id)
    }

    /// Adds a statement without a result.
    pub fn perform(&mut self, action: Action) {
        self.insert(Stmt { def: None, action });
    }

    /// A variable that no statement defines yet: for parameters of callbacks.
    pub fn fresh(&mut self) -> VarId {
        let id = VarId(self.next);
        self.next += 1;
        id
    }

    /// Whether the class is one of the test's own.
    pub fn declares(&self, class: ClassName) -> bool {
        self.recipe().classes.iter().any(|declared| declared.name == class)
    }

    pub fn declare_class(&mut self, class: recipe::ClassDecl) {
        self.recipe.classes.push(class);
    }

    /// One of the test's own classes, to be filled.
    pub fn declared_mut(&mut self, class: ClassName) -> Option<&mut recipe::ClassDecl> {
        self.recipe.classes.iter_mut().find(|declared| declared.name == class)
    }

    /// A name for a class of the test that no other one has.
    pub fn unused_class_name(&self) -> ClassName {
        let mut number = self.recipe.classes.len() + 1;
        loop {
            let name = match number {
                1 => recipe::ClassDecl::class_name("User"),
                _ => recipe::ClassDecl::class_name(&format!("User{number}")),
            };
            if !self.declares(name) {
                return name;
            }
            number += 1;
        }
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { at: self.at, variables: self.variables.len(), classes: self.recipe.classes.len(), next: self.next }
    }

    /// Forgets everything that was added since.
    pub fn take_back(&mut self, to: Checkpoint) {
        self.recipe.body.stmts.drain(to.at..self.at);
        self.at = to.at;
        self.variables.truncate(to.variables);
        self.recipe.classes.truncate(to.classes);
        self.next = to.next;
    }

    fn insert(&mut self, stmt: Stmt) {
        self.recipe.body.stmts.insert(self.at, stmt);
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recipe::Literal;

    fn literal(value: i32) -> Action {
        Action::Literal(Literal::Int(value))
    }

    #[test]
    fn statements_go_before_the_place_and_see_what_is_before() {
        let mut draft = Draft::new();
        draft.define(literal(1), Type::Int);
        draft.define(literal(2), Type::Int);
        let mut draft = Draft::before(draft.finish(), 1);
        assert_eq!(draft.variables().len(), 1);
        assert_eq!(draft.define(literal(3), Type::Int), Arg::Var(VarId(2)));
        let actions: Vec<Action> = draft.finish().body.stmts.into_iter().map(|stmt| stmt.action).collect();
        assert_eq!(actions, [literal(1), literal(3), literal(2)]);
    }

    #[test]
    fn taking_back_leaves_no_trace() {
        let mut draft = Draft::new();
        draft.define(literal(1), Type::Int);
        let before = draft.clone();
        let checkpoint = draft.checkpoint();
        draft.define(literal(2), Type::Int);
        draft.perform(literal(3));
        draft.take_back(checkpoint);
        assert_eq!(draft.recipe(), before.recipe());
        assert_eq!(draft.variables(), before.variables());
        assert_eq!(draft.fresh(), VarId(1));
    }
}
