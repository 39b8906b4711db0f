//! Loops. What turns carry on is a variable that is assigned; lambdas and classes cannot use such a one, so where they do,
//! they get a copy that is not.

use super::{Lower, Scope, Value, ValueKind};
use crate::options::{Framework, Style};
use crate::syntax::{Expr, Statement};
use program::Type;
use recipe::{Arg, Block, Carried, Def};

impl Lower<'_> {
    pub(super) fn repeat(
        &mut self,
        def: Option<Def>,
        times: u32,
        carried: Option<&Carried>,
        body: &Block,
        scope: &mut Scope,
    ) {
        match carried {
            Some(carried) => self.carry(def, times, carried, body, scope),
            None => self.turns(times, scope, |lower, inner| lower.block(body, inner)),
        }
    }

    fn carry(&mut self, def: Option<Def>, times: u32, carried: &Carried, body: &Block, scope: &mut Scope) {
        let result = def.filter(|def| self.uses.contains_key(&def.var));
        // The variable of the loop is that of the result, unless somebody wants a copy.
        let shared = result.filter(|def| !self.is_used_by_lambda(*def));
        if let Some(def) = shared {
            let name = self.name_of(def.var, def.ty);
            self.named.insert(carried.var.var, name);
        }
        let first = self.arg(&carried.from, scope);
        let first = self.typed_lambda(first, carried.var.ty);
        self.declare(carried.var, first, scope);
        let Some(variable) = self.values.get(&carried.var.var).cloned() else { return };

        self.turns(times, scope, |lower, inner| {
            if lower.captured.contains(&carried.var.var) {
                let copy = lower.names.give("current");
                lower.copy(&copy, &variable, carried.var, inner);
            }
            lower.block(body, inner);
            if carried.next != Arg::Var(carried.var.var) {
                let next = lower.arg(&carried.next, inner);
                let next = lower.typed_lambda(next, carried.var.ty);
                let next = lower.assigned(next, variable.ty.erased);
                inner.push(Statement::Expr(variable.expr.clone().assign(next)));
            }
        });

        match (shared, result) {
            (Some(def), _) => {
                self.values.insert(def.var, variable);
            }
            (None, Some(def)) => {
                let copy = self.name_of(def.var, def.ty);
                self.copy(&copy, &variable, def, scope);
            }
            (None, None) => {}
        }
    }

    /// Declares a variable of this name that stays what the other one is now, and takes it for the recipe's.
    fn copy(&mut self, name: &str, of: &Value, def: Def, scope: &mut Scope) {
        let ty = self.type_use(of.ty.erased);
        scope.push(Statement::declare(ty, name, of.expr.clone()));
        self.values.insert(def.var, Value { expr: Expr::atom(name), ..of.clone() });
    }

    /// Names of one turn may be used again behind the loop.
    fn turns(&mut self, times: u32, scope: &mut Scope, body: impl FnOnce(&mut Self, &mut Scope)) {
        let names = self.names.begin_scope();
        let index = self.names.give("i");
        let mut inner = scope.inner();
        body(self, &mut inner);
        self.names.end_scope(names);
        scope.thrown.append(&mut inner.thrown);
        if !inner.statements.is_empty() {
            scope.push(Statement::Repeat { index, times, body: inner.statements });
        }
    }

    /// A test that expects its crash runs its last statement in a lambda.
    fn is_used_by_lambda(&self, def: Def) -> bool {
        let expects = matches!(self.options.style, Style::AssertThrows(_)) && self.options.framework != Framework::Main;
        expects || self.captured.contains(&def.var)
    }

    /// A lambda gets its type from the variable; where that is wider, it needs a cast.
    fn typed_lambda(&mut self, value: Value, variable: Type) -> Value {
        if matches!(value.kind, ValueKind::Lambda { .. }) && value.ty.erased != variable {
            self.note_raw(value.ty.erased);
            return Value::plain(value.expr.cast(value.ty.erased), value.ty.erased);
        }
        value
    }
}
