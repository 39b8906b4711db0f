//! Members that source cannot name from the test: made accessible and called through method handles, which let the
//! member's exceptions through as they are. Each comes with a comment that says why.

use super::{Helper, Lower, Scope, Value, ValueKind};
use crate::missing;
use crate::spelling;
use crate::syntax::{Expr, Statement, TypeUse};
use crate::world::Found;
use program::{ClassName, FieldRef, MethodRef, Type};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A member that was made accessible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Member {
    Method(MethodRef),
    Field(FieldRef),
}

/// Methods and constructors that a test makes accessible.
#[derive(Clone, Debug, Default)]
pub(crate) struct MadeAccessible {
    /// How many variables hold one.
    count: usize,
    uses: BTreeMap<MethodRef, usize>,
}

impl MadeAccessible {
    /// Whether helpers of two statements, one for methods and one for constructors, make the test shorter: without them each
    /// is looked up, made accessible, and called.
    pub(crate) fn is_worth_a_helper(&self) -> bool {
        let constructors = self.uses.keys().filter(|method| method.is_constructor()).count();
        let kinds = usize::from(constructors > 0) + usize::from(constructors < self.uses.len());
        self.count > kinds
    }

    fn is_used_once(&self, method: MethodRef) -> bool {
        self.uses.get(&method) == Some(&1)
    }
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
        handled(self.fixed_arity(handle, constructor).then("invoke", args), ty)
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
            Some(ret) => handled(called, self.access.nameable(ret)),
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
        *self.made_accessible.uses.entry(method).or_default() += 1;
        if self.shared_access.is_some() {
            return self.shared_handle(method, declaring, reason, scope);
        }
        let unreflect = if method.is_constructor() { "unreflectConstructor" } else { "unreflect" };
        lookup().then(unreflect, vec![Expr::atom(self.accessible_method(method, declaring, reason, scope))])
    }

    /// The handle as the helper gives it; one that is used again has a variable.
    fn shared_handle(&mut self, method: MethodRef, declaring: ClassName, reason: &str, scope: &mut Scope) -> Expr {
        if let Some(name) = scope.reflected.get(&Member::Method(method)) {
            return Expr::atom(&**name);
        }
        let found = self.declared(method, declaring, scope);
        let helper = if method.is_constructor() { Helper::AccessibleConstructor } else { Helper::AccessibleMethod };
        let handle = self.helper(helper, vec![found]);
        if self.shared_access.as_ref().is_some_and(|known| known.is_used_once(method)) {
            self.flags.reflection = true;
            scope.push(why(&what(method), reason));
            return handle;
        }
        let wish = if method.is_constructor() { "constructor" } else { method.name.as_str() };
        let handle_type = TypeUse::class("java/lang/invoke/MethodHandle");
        let variable = self.reflected_variable(handle_type, wish, handle, &what(method), reason, scope);
        scope.reflected.insert(Member::Method(method), variable.clone());
        Expr::atom(variable)
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
        let name = spelling::text(method.name.as_str());
        let (wish, handle) = if method.is_constructor() {
            ("constructor", rights.then("findConstructor", vec![class, ty]))
        } else {
            let is_static = found.is_some_and(|found| found.method.is_static);
            let find = if is_static { "findStatic" } else { "findVirtual" };
            (method.name.as_str(), rights.then(find, vec![class, name, ty]))
        };
        let handle_type = TypeUse::class("java/lang/invoke/MethodHandle");
        let variable = self.reflected_variable(handle_type, wish, handle, &what(method), reason, scope);
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
        let found = self.declared(method, declaring, scope);
        let (ty, wish) = if method.is_constructor() {
            (constructor_type(), "constructor")
        } else {
            (TypeUse::class("java/lang/reflect/Method"), method.name.as_str())
        };
        let variable = self.make_accessible(ty, wish, found, &what(method), reason, scope);
        self.made_accessible.count += 1;
        scope.reflected.insert(Member::Method(method), variable.clone());
        variable
    }

    /// `Shop.class.getDeclaredMethod("price", int.class)`
    fn declared(&mut self, method: MethodRef, declaring: ClassName, scope: &mut Scope) -> Expr {
        let class = self.class_literal(Type::Class(declaring), scope).expr;
        let types: Vec<Expr> =
            method.signature().params.into_iter().map(|param| self.class_literal(param, scope).expr).collect();
        if method.is_constructor() {
            return class.then("getDeclaredConstructor", types);
        }
        let name = spelling::text(method.name.as_str());
        class.then("getDeclaredMethod", [vec![name], types].concat())
    }

    fn accessible_field(&mut self, field: FieldRef, reason: &str, scope: &mut Scope) -> String {
        scope.throws("java/lang/ReflectiveOperationException");
        if let Some(name) = scope.reflected.get(&Member::Field(field)) {
            return name.clone();
        }
        let declaring = self.world.find_field(field).map_or(field.class, |(class, _)| class.name);
        let class = self.class_literal(Type::Class(declaring), scope).expr;
        let found = class.then("getDeclaredField", vec![spelling::text(field.name.as_str())]);
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
        scope.push(why(what, reason));
        scope.push(Statement::declare(ty, &variable, found));
        variable
    }
}

/// What a handle gives: the compiler takes it for an object, and gives it back as what it is cast to.
fn handled(called: Expr, ty: Type) -> Value {
    if ty == Type::Class(ClassName::object()) {
        return Value::plain(called, ty);
    }
    Value { kind: ValueKind::Handled, ..Value::plain(called.cast(ty), ty) }
}

/// The comment above what is reached by reflection.
fn why(what: &str, reason: &str) -> Statement {
    Statement::Comment(format!("{what} {reason}, hence the reflection"))
}

fn what(method: MethodRef) -> String {
    if method.is_constructor() { "the constructor".into() } else { format!("{}()", method.name) }
}

fn lookup() -> Expr {
    Expr::static_call(LOOKUP, "lookup", Vec::new())
}

/// `Constructor<?>`
pub(super) fn constructor_type() -> TypeUse {
    TypeUse::Applied(ClassName::internal("java/lang/reflect/Constructor"), vec![TypeUse::Text("?")])
}
