//! Members that source cannot name from the test: made accessible and called through method handles, which let the
//! member's exceptions through as they are. Each comes with a comment that says why.

use super::{Lower, Scope, Value, ValueKind};
use crate::syntax::{Expr, Statement, TypeUse};
use program::{ClassName, FieldRef, MethodRef, Type};

/// A member that was made accessible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Member {
    Method(MethodRef),
    Field(FieldRef),
}

const LOOKUP: &str = "java/lang/invoke/MethodHandles";

impl Lower<'_> {
    pub(super) fn construct_reflectively(
        &mut self,
        constructor: MethodRef,
        values: Vec<Value>,
        reason: &str,
        scope: &mut Scope,
    ) -> Value {
        let name = self.accessible_method(constructor, reason, scope);
        let handle = lookup().then("unreflectConstructor", vec![Expr::atom(name)]);
        let args = values.into_iter().map(|value| self.handed(value)).collect();
        let ty = self.access.nameable(Type::Class(constructor.class));
        let made = self.fixed_arity(handle, constructor).then("invoke", args);
        Value { kind: ValueKind::Handled, ..Value::plain(made.cast(ty), ty) }
    }

    pub(super) fn call_reflectively(
        &mut self,
        method: MethodRef,
        receiver: Option<Value>,
        values: Vec<Value>,
        reason: &str,
        scope: &mut Scope,
    ) -> Value {
        let name = self.accessible_method(method, reason, scope);
        let handle = lookup().then("unreflect", vec![Expr::atom(name)]);
        let args = receiver.into_iter().chain(values).map(|value| self.handed(value)).collect();
        let called = self.fixed_arity(handle, method).then("invoke", args);
        match method.signature().ret {
            Some(ret) => {
                let ty = self.access.nameable(ret);
                Value { kind: ValueKind::Handled, ..Value::plain(called.cast(ty), ty) }
            }
            None => Value::plain(called, Type::Class(ClassName::object())),
        }
    }

    /// Handles of variable-arity methods collect their arguments again.
    fn fixed_arity(&self, handle: Expr, method: MethodRef) -> Expr {
        let is_varargs = self.world.find_method(method).is_some_and(|found| found.method.is_varargs);
        if is_varargs { handle.then("asFixedArity", Vec::new()) } else { handle }
    }

    /// An argument for a handle, whose type is part of the call.
    fn handed(&mut self, value: Value) -> Expr {
        match value.kind {
            ValueKind::Null | ValueKind::Lambda { .. } => {
                self.note_raw(value.ty.erased);
                value.expr.cast(value.ty.erased)
            }
            _ => value.expr,
        }
    }

    pub(super) fn get_field_reflectively(
        &mut self,
        field: FieldRef,
        receiver: Option<Value>,
        reason: &str,
        scope: &mut Scope,
    ) -> Value {
        let name = self.accessible_field(field, reason, scope);
        let got = Expr::atom(name).then("get", vec![receiver.map_or_else(|| Expr::atom("null"), |value| value.expr)]);
        let ty = self.access.nameable(field.field_type());
        self.note_raw(ty);
        Value::plain(got.cast(ty), ty)
    }

    pub(super) fn put_field_reflectively(
        &mut self,
        field: FieldRef,
        receiver: Option<Value>,
        value: Value,
        reason: &str,
        scope: &mut Scope,
    ) {
        let name = self.accessible_field(field, reason, scope);
        let receiver = receiver.map_or_else(|| Expr::atom("null"), |value| value.expr);
        let value = match value.kind {
            ValueKind::Lambda { .. } => self.handed(value),
            _ => value.expr,
        };
        scope.push(Statement::Expr(Expr::atom(name).then("set", vec![receiver, value])));
    }

    /// The variable that holds the accessible method or constructor.
    fn accessible_method(&mut self, method: MethodRef, reason: &str, scope: &mut Scope) -> String {
        scope.throws("java/lang/Throwable");
        if let Some(name) = scope.reflected.get(&Member::Method(method)) {
            return name.clone();
        }
        let declaring = self.world.find_method(method).map_or(method.class, |found| found.class.name);
        let class = self.class_literal(Type::Class(declaring), scope).expr;
        let types: Vec<Expr> =
            method.signature().params.into_iter().map(|param| self.class_literal(param, scope).expr).collect();
        let (ty, wish, found) = if method.is_constructor() {
            (constructor_type(), "constructor", class.then("getDeclaredConstructor", types))
        } else {
            let name = Expr::atom(format!("\"{}\"", method.name));
            let args = [vec![name], types].concat();
            (TypeUse::class("java/lang/reflect/Method"), method.name.as_str(), class.then("getDeclaredMethod", args))
        };
        let what = if method.is_constructor() { "the constructor".into() } else { format!("{}()", method.name) };
        let variable = self.make_accessible(ty, wish, found, &what, reason, scope);
        scope.reflected.insert(Member::Method(method), variable.clone());
        variable
    }

    fn accessible_field(&mut self, field: FieldRef, reason: &str, scope: &mut Scope) -> String {
        scope.throws("java/lang/ReflectiveOperationException");
        if let Some(name) = scope.reflected.get(&Member::Field(field)) {
            return name.clone();
        }
        let declaring = self.world.find_field(field).map_or(field.class, |(class, _)| class.name);
        let class = self.class_literal(Type::Class(declaring), scope).expr;
        let found = class.then("getDeclaredField", vec![Expr::atom(format!("\"{}\"", field.name))]);
        let wish = format!("{}Field", field.name);
        let ty = TypeUse::class("java/lang/reflect/Field");
        let variable = self.make_accessible(ty, &wish, found, field.name.as_str(), reason, scope);
        scope.reflected.insert(Member::Field(field), variable.clone());
        variable
    }

    fn make_accessible(
        &mut self,
        ty: TypeUse,
        wish: &str,
        found: Expr,
        what: &str,
        reason: &str,
        scope: &mut Scope,
    ) -> String {
        self.flags.reflection = true;
        let variable = self.names.give(wish);
        scope.push(Statement::Comment(format!("{what} {reason}, hence the reflection")));
        scope.push(Statement::declare(ty, &variable, found));
        scope.push(Statement::Expr(Expr::atom(&*variable).then("setAccessible", vec![Expr::atom("true")])));
        variable
    }
}

fn lookup() -> Expr {
    Expr::static_call(LOOKUP, "lookup", Vec::new())
}

/// `Constructor<?>`
fn constructor_type() -> TypeUse {
    TypeUse::Applied(ClassName::internal("java/lang/reflect/Constructor"), vec![TypeUse::Text("?")])
}
