//! Members that source cannot name from the test: made accessible and called through method handles, which let the
//! member's exceptions through as they are. Each comes with a comment that says why.

use super::{Lower, Scope, Value, ValueKind};
use crate::missing;
use crate::syntax::{Expr, Statement, TypeUse};
use crate::world::Found;
use program::{ClassName, FieldRef, MethodRef, Type};
use std::rc::Rc;

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
        let handle = self.handle(constructor, reason, scope);
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
        let handle = self.handle(method, reason, scope);
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
                let ty = self.access.nameable(value.ty.erased);
                self.note_raw(ty);
                value.expr.cast(ty)
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

    /// A handle for the method or constructor.
    fn handle(&mut self, method: MethodRef, reason: &str, scope: &mut Scope) -> Expr {
        scope.throws("java/lang/Throwable");
        let found = self.world.find_method(method);
        let class = found.as_ref().map(|found| Rc::clone(&found.class)).or_else(|| self.world.class(method.class));
        if class.is_some_and(|class| missing::hides_members(self.world, &class, method.is_constructor())) {
            return Expr::atom(self.found_handle(method, found.as_ref(), reason, scope));
        }
        let declaring = found.map_or(method.class, |found| found.class.name);
        let unreflect = if method.is_constructor() { "unreflectConstructor" } else { "unreflect" };
        lookup().then(unreflect, vec![Expr::atom(self.accessible_method(method, declaring, reason, scope))])
    }

    /// The variable that holds a handle which was looked up without reflection: that fails on the class, since another of its
    /// methods names a class that is missing.
    fn found_handle(&mut self, method: MethodRef, found: Option<&Found>, reason: &str, scope: &mut Scope) -> String {
        if let Some(name) = scope.reflected.get(&Member::Method(method)) {
            return name.clone();
        }
        let signature = method.signature();
        let class = self.class_literal(Type::Class(method.class), scope).expr;
        let result = match signature.ret {
            Some(ret) => self.class_literal(ret, scope).expr,
            None => Expr::atom("void.class"),
        };
        let params: Vec<Expr> =
            signature.params.into_iter().map(|param| self.class_literal(param, scope).expr).collect();
        let ty = Expr::static_call("java/lang/invoke/MethodType", "methodType", [vec![result], params].concat());
        let may_call = found.is_some_and(|found| self.access.may_call(found));
        let rights = if may_call || !self.options.release.has_private_lookup() {
            lookup()
        } else {
            Expr::static_call(LOOKUP, "privateLookupIn", vec![class.clone(), lookup()])
        };
        let name = Expr::atom(format!("\"{}\"", method.name));
        let (wish, what, handle) = if method.is_constructor() {
            ("constructor", "the constructor".into(), rights.then("findConstructor", vec![class, ty]))
        } else {
            let is_static = found.is_some_and(|found| found.method.is_static);
            let find = if is_static { "findStatic" } else { "findVirtual" };
            (method.name.as_str(), format!("{}()", method.name), rights.then(find, vec![class, name, ty]))
        };
        let handle_type = TypeUse::class("java/lang/invoke/MethodHandle");
        let variable = self.reflected_variable(handle_type, wish, handle, &what, reason, scope);
        scope.reflected.insert(Member::Method(method), variable.clone());
        variable
    }

    /// The variable that holds the accessible method or constructor.
    fn accessible_method(
        &mut self,
        method: MethodRef,
        declaring: ClassName,
        reason: &str,
        scope: &mut Scope,
    ) -> String {
        if let Some(name) = scope.reflected.get(&Member::Method(method)) {
            return name.clone();
        }
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
        let variable = self.reflected_variable(ty, wish, found, what, reason, scope);
        scope.push(Statement::Expr(Expr::atom(&*variable).then("setAccessible", vec![Expr::atom("true")])));
        variable
    }

    fn reflected_variable(
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
