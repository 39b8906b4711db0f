//! Constructors, methods and fields.

use super::{Lower, Scope, Value, ValueKind};
use crate::access::Reach;
use crate::facts::Nesting;
use crate::generics::{self, GenericType, Seen, StaticType, TypeArgs};
use crate::missing;
use crate::options::Use;
use crate::syntax::{Expr, Statement, TypeUse};
use crate::typed;
use crate::world::Found;
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::types::unboxed;
use recipe::{Access, Arg};

impl Lower<'_> {
    pub(super) fn construct(
        &mut self,
        constructor: MethodRef,
        args: &[Arg],
        access: Access,
        scope: &mut Scope,
    ) -> Value {
        let class = constructor.class;
        let mut values: Vec<Value> = args.iter().map(|arg| self.arg(arg, scope)).collect();
        let inner = self.inner_class(class);
        // Java checks the outer object of `outer.new Inner()`; the constructor itself would not.
        let no_outer = inner.is_some() && values.first().is_none_or(Value::is_null);
        let reach = match self.access.method(constructor, class, access) {
            Reach::Direct if self.is_refused_use(Use::Method(constructor)) => refused_before(),
            Reach::Direct if self.is_out_of_words(constructor, &values) => out_of_words(),
            Reach::Direct if no_outer => Reach::Reflection("is called without an outer object".into()),
            Reach::Direct if self.is_inner_to_interface(class) => Reach::Reflection(
                "needs an outer object, which classes inside of interfaces do not have in Java".into(),
            ),
            reach => reach,
        };
        if let Reach::Reflection(reason) = reach {
            return self.construct_reflectively(constructor, values, &reason, scope);
        }
        let found = self.world.find_method(constructor);
        self.note_exceptions(found.as_ref(), scope);
        let erased = Type::Class(class);
        let outer = inner.as_ref().map(|_| self.receiver(values.remove(0), None));
        let args = self.arguments(constructor, found.as_ref(), None, values, usize::from(outer.is_some()));
        match (inner, outer) {
            (Some(simple), Some(outer)) => {
                let class = TypeUse::Name(simple);
                Value::plain(Expr::New { outer: Some(Box::new(outer)), class, args, body: None }, erased)
            }
            _ if typed::infers(self.world, constructor) => self.new_generic(class, args, true),
            _ => {
                let class = self.type_use(erased);
                Value::plain(Expr::New { outer: None, class, args, body: None }, erased)
            }
        }
    }

    /// The simple name of an inner (not static) member class.
    pub(super) fn inner_class(&self, class: ClassName) -> Option<String> {
        match self.world.class(class)?.nesting {
            Nesting::Member { simple, is_static: false, .. } => Some(simple.to_string()),
            _ => None,
        }
    }

    fn is_inner_to_interface(&self, class: ClassName) -> bool {
        let outer = match self.world.class(class).map(|class| class.nesting) {
            Some(Nesting::Member { outer, is_static: false, .. }) => self.world.class(outer),
            _ => None,
        };
        outer.is_some_and(|outer| outer.is_interface)
    }

    pub(super) fn call(
        &mut self,
        method: MethodRef,
        receiver: Option<&Arg>,
        args: &[Arg],
        access: Access,
        scope: &mut Scope,
    ) -> Value {
        let receiver = receiver.map(|receiver| self.arg(receiver, scope));
        let values: Vec<Value> = args.iter().map(|arg| self.arg(arg, scope)).collect();
        if let Some(sum) = sum(method, &values) {
            return sum;
        }
        let is_refused = self.is_refused_use(Use::Method(method));
        let way = receiver.as_ref().and_then(|_| self.world.way_to_bridge(method));
        let way = way
            .filter(|class| self.access.method(MethodRef { class: *class, ..method }, *class, access) == Reach::Direct);
        let method = MethodRef { class: way.unwrap_or(method.class), ..method };
        let through = way.unwrap_or_else(|| self.through(method, receiver.as_ref()));
        let found = self.world.find_method(method);
        let mut seen_through = receiver.as_ref().map(|receiver| self.seen_through(receiver, through));
        if let (Some(found), Some(seen)) = (&found, &mut seen_through)
            && self.must_be_raw(found, *seen, &values)
        {
            // Seen through its type arguments the method would refuse what it takes.
            *seen = StaticType::plain(Type::Class(found.class.name));
        }
        let hindrance = || match generics::seen(self.world, found.as_ref()?, seen_through) {
            Seen::Generic(signature) => missing::hinders_seen(self.world, &signature),
            Seen::Erased => None,
        };
        let reach = match self.access.method(method, through, access) {
            Reach::Direct if is_refused => refused_before(),
            Reach::Direct if self.is_out_of_words(method, &values) => out_of_words(),
            Reach::Direct if let Some(reason) = hindrance() => Reach::Reflection(reason),
            Reach::Direct if found.as_ref().is_some_and(|found| self.is_out_of_bounds(found, &values)) => {
                Reach::Reflection("would not be called so by the compiler".into())
            }
            Reach::Direct if generics::is_ambiguous(self.world, through, method.name, &method.signature().params) => {
                Reach::Reflection("is ambiguous for the compiler".into())
            }
            Reach::Direct if found.as_ref().is_some_and(|found| !self.can_be_meant(through, found, seen_through)) => {
                Reach::Reflection("is ambiguous for the compiler".into())
            }
            reach => reach,
        };
        if let Reach::Reflection(reason) = reach {
            return self.call_reflectively(method, receiver, values, &reason, scope);
        }
        self.note_exceptions(found.as_ref(), scope);
        if let (Some(found), Some(seen)) = (&found, seen_through) {
            self.note_unchecked_call(found, seen);
        }
        let target = match (receiver, seen_through) {
            (Some(receiver), Some(seen)) => self.receiver(receiver, Some(seen)),
            _ => Expr::Class(through),
        };
        let boxing = boxing(method, &values);
        let args = self.arguments(method, found.as_ref(), seen_through, values, 0);
        let expr = Expr::call(Some(target), method.name.as_str(), args);
        let result = self.result(method, found.as_ref(), seen_through, expr);
        boxing.map_or(result.clone(), |kind| Value { kind, ..result })
    }

    /// The class through which a member is reached: the receiver's, if it has the member, else the one named. A class that the
    /// test cannot name the JVM does not let it call either, whatever the compiler says.
    fn through(&self, method: MethodRef, receiver: Option<&Value>) -> ClassName {
        match receiver.map(|receiver| receiver.ty.erased) {
            Some(Type::Class(class))
                if self.world.is_subtype(Type::Class(class), Type::Class(method.class))
                    && self.access.can_name_type(Type::Class(class)) =>
            {
                let declares = |found: Found| found.method.visibility != program::classfile::Visibility::Private;
                let on = |class: ClassName| self.world.find_method(MethodRef { class, ..method }).is_some_and(declares);
                // In a stack of the program, a bridge has a frame of its own, which the compiler's choice would pass by.
                let is_bridge = class != method.class
                    && self.world.class(class).is_some_and(|class| !class.is_jdk)
                    && self.world.way_to_bridge(MethodRef { class, ..method }).is_some();
                if !is_bridge && on(class) || !on(method.class) { class } else { method.class }
            }
            _ => method.class,
        }
    }

    /// The receiver's type for the compiler, after the cast that it may need.
    fn seen_through(&self, receiver: &Value, through: ClassName) -> StaticType {
        if receiver.ty.erased == Type::Class(through) && !receiver.is_null() {
            let args = match &receiver.kind {
                // What is not known from arguments is `Object`.
                ValueKind::Diamond { expr, .. } if matches!(&**expr, Expr::New { args, .. } if args.is_empty()) => {
                    TypeArgs::Objects
                }
                ValueKind::Diamond { .. } => TypeArgs::Inferred,
                _ => receiver.ty.args,
            };
            StaticType { args, ..receiver.ty }
        } else {
            StaticType::plain(Type::Class(through))
        }
    }

    /// The receiver, cast where its type needs it.
    pub(super) fn receiver(&mut self, receiver: Value, wanted: Option<StaticType>) -> Expr {
        let untyped = receiver.is_null() || matches!(receiver.kind, ValueKind::Lambda { .. });
        match wanted {
            Some(wanted)
                if matches!(receiver.kind, ValueKind::Diamond { .. }) && wanted.erased == receiver.ty.erased =>
            {
                if wanted.args != TypeArgs::None {
                    self.with_diamond(receiver)
                } else {
                    self.note_raw(wanted.erased);
                    receiver.expr
                }
            }
            Some(wanted) if untyped || wanted != receiver.ty => self.cast_to(receiver.expr, wanted.erased),
            None if untyped => self.cast_to(receiver.expr, receiver.ty.erased),
            _ => receiver.expr,
        }
    }

    fn cast_to(&mut self, expr: Expr, ty: Type) -> Expr {
        self.note_raw(ty);
        expr.cast(ty)
    }

    /// Whether the arguments fit the method only if the receiver's type arguments are forgotten.
    fn must_be_raw(&self, found: &Found, receiver: StaticType, values: &[Value]) -> bool {
        let Seen::Generic(signature) = generics::seen(self.world, found, Some(receiver)) else { return false };
        let is_own = |name| signature.type_parameters.iter().any(|parameter| parameter.name == name);
        let erased = found.method.method.signature().params;
        signature.params.iter().zip(&erased).zip(values).any(|((param, erased), value)| {
            if value.is_null() {
                return false;
            }
            let unknown = |ty: &GenericType| generics::variables(ty).into_iter().any(|name| !is_own(name));
            let seen = param.erasure(&|name| if is_own(name) { Some(*erased) } else { None });
            unknown(param) || seen != *erased && !self.assignable(value.ty.erased, seen)
        })
    }

    /// Remembers a call through a raw type whose parameters have other types without the type arguments (JLS 4.8): such
    /// a type need not be written anywhere in the test.
    fn note_unchecked_call(&mut self, found: &Found, receiver: StaticType) {
        let Some(declared) = found.method.signature.as_ref().filter(|_| !found.method.is_static) else { return };
        let is_unchecked = match generics::seen(self.world, found, Some(receiver)) {
            Seen::Erased => self.is_raw(receiver.erased) && declared.params.iter().any(generics::is_parametrised),
            // A variable that nothing is known about is that of a class around the receiver's.
            Seen::Generic(seen) => {
                let mut variables = seen.params.iter().flat_map(generics::variables);
                variables.any(|name| !generics::declares(&seen, name))
            }
        };
        self.unchecked |= is_unchecked && receiver.args == TypeArgs::None;
    }

    /// Whether a value is not what a further bound of a type variable asks for, which bytecode does not.
    fn is_out_of_bounds(&self, found: &Found, values: &[Value]) -> bool {
        let Some(signature) = &found.method.signature else { return false };
        signature.params.iter().zip(values).any(|(param, value)| {
            let GenericType::Variable(name) = param else { return false };
            let parameter = signature.type_parameters.iter().find(|parameter| parameter.name == *name);
            let further = parameter.into_iter().flat_map(|parameter| {
                let skipped = usize::from(parameter.class_bound.is_none());
                parameter.interface_bounds.iter().skip(skipped)
            });
            let misses = |bound: &GenericType| !self.world.is_subtype(value.ty.erased, bound.erasure(&|_| None));
            !value.is_null() && further.into_iter().any(misses)
        })
    }

    fn result(&self, method: MethodRef, found: Option<&Found>, receiver: Option<StaticType>, expr: Expr) -> Value {
        let declared = found.map_or(method, |found| found.method.method);
        let Some(erased) = declared.signature().ret else {
            return Value::plain(expr, Type::Class(ClassName::object()));
        };
        let generic = match found.map(|found| generics::seen(self.world, found, receiver)) {
            Some(Seen::Generic(signature)) => signature.ret.is_some_and(|ret| generics::has_arguments(&ret)),
            _ => false,
        };
        // The result of `getClass` is special for the compiler; that of a method of an array, too.
        let args = if generic || method.name.as_str() == "getClass" { TypeArgs::Inferred } else { TypeArgs::None };
        Value { expr, ty: StaticType { erased, args }, kind: ValueKind::Plain }
    }

    pub(super) fn note_exceptions(&self, found: Option<&Found>, scope: &mut Scope) {
        match found {
            Some(found) => {
                let checked = found.method.exceptions.iter().filter(|class| !self.world.is_unchecked(**class));
                scope.thrown.extend(checked.map(|class| self.nameable_exception(*class)));
            }
            // Not known, so anything; declaring too much is allowed.
            None => scope.throws("java/lang/Exception"),
        }
    }

    fn nameable_exception(&self, class: ClassName) -> ClassName {
        self.access.nameable(Type::Class(class)).as_class().unwrap_or(class)
    }

    pub(super) fn get_field(
        &mut self,
        field: FieldRef,
        receiver: Option<&Arg>,
        access: Access,
        scope: &mut Scope,
    ) -> Value {
        let receiver = receiver.map(|receiver| self.arg(receiver, scope));
        if let Reach::Reflection(reason) = self.reach_field(field, false, access) {
            return self.get_field_reflectively(field, receiver, &reason, scope);
        }
        let ty = self.access.nameable(field.field_type());
        let raw = receiver.as_ref().is_none_or(|receiver| receiver.ty.args == TypeArgs::None && !is_this(receiver));
        let has_arguments = self
            .world
            .find_field(field)
            .and_then(|(_, fact)| fact.signature)
            .is_some_and(|signature| generics::has_arguments(&signature.0));
        let generic = has_arguments && !(raw && self.world.is_generic(field.class));
        let place = self.field_place(field, receiver);
        let args = if generic { TypeArgs::Inferred } else { TypeArgs::None };
        Value { expr: place, ty: StaticType { erased: ty, args }, kind: ValueKind::Plain }
    }

    fn reach_field(&self, field: FieldRef, write: bool, access: Access) -> Reach {
        match self.access.field(field, field.class, write, access) {
            Reach::Direct if self.is_refused_use(Use::Field(field)) => refused_before(),
            reach => reach,
        }
    }

    pub(super) fn is_refused_use(&self, wanted: Use) -> bool {
        self.options.refused.contains(&wanted)
    }

    /// Whether a value would have to be cast to a type that source cannot name.
    fn is_out_of_words(&self, method: MethodRef, values: &[Value]) -> bool {
        method.signature().params.into_iter().zip(values).any(|(param, value)| {
            let is_typed = !value.is_null() && !matches!(value.kind, ValueKind::Lambda { .. });
            is_typed && !self.access.can_name_type(param) && !self.assignable(value.ty.erased, param)
        })
    }

    pub(super) fn put_field(
        &mut self,
        field: FieldRef,
        receiver: Option<&Arg>,
        value: &Arg,
        access: Access,
        scope: &mut Scope,
    ) {
        let receiver = receiver.map(|receiver| self.arg(receiver, scope));
        let given = value.var().and_then(|var| self.generic_params.get(&var).cloned());
        let value = self.arg(value, scope);
        if let Reach::Reflection(reason) = self.reach_field(field, true, access) {
            return self.put_field_reflectively(field, receiver, value, &reason, scope);
        }
        let generic = self.world.find_field(field).and_then(|(_, fact)| fact.signature).map(|signature| signature.0);
        let parametrised = generic.as_ref().is_some_and(generics::is_parametrised);
        let ty = field.field_type();
        let inferred = value.ty.args != TypeArgs::None
            || value.ty.erased.as_class().is_some_and(|class| !self.world.is_generic(class));
        let variable = generic.as_ref().and_then(generics::bare_variable);
        let is_own = receiver.as_ref().is_some_and(is_this);
        // What a variable stands for is its bound in a raw type, and `Object` where all type arguments are.
        let is_plain = receiver.as_ref().is_some_and(|receiver| {
            receiver.ty.erased == Type::Class(field.class) && receiver.ty.args != TypeArgs::Inferred
        });
        let right = match variable {
            _ if given.is_some() && given == generic || value.is_null() => self.assigned(value, ty),
            Some(name) if is_own => self.cast_to_variable(value, ty, name),
            Some(_) if is_plain => self.assigned(value, ty),
            _ if parametrised && inferred => self.cast_to(value.expr, ty),
            _ => self.assigned(value, ty),
        };
        let is_below =
            receiver.as_ref().is_some_and(|receiver| receiver.ty.erased != Type::Class(field.class) && !is_own);
        let mut receiver = receiver;
        if let Some(receiver) =
            receiver.as_mut().filter(|_| is_below && parametrised && self.world.is_generic(field.class))
        {
            // Seen from a subclass the field would have the type that it was extended for.
            let raw = Type::Class(field.class);
            *receiver = Value::plain(self.cast_to(receiver.expr.clone(), raw), raw);
        }
        let place = self.field_place(field, receiver);
        scope.push(Statement::Expr(Expr::Assign(Box::new(place), Box::new(right))));
    }

    /// `receiver.name`, through the class that declares it if another field hides it.
    fn field_place(&mut self, field: FieldRef, receiver: Option<Value>) -> Expr {
        let declaring = self.world.find_field(field).map(|(class, _)| class.name);
        let target = match receiver {
            None => Expr::Class(field.class),
            Some(receiver) => {
                let seen = receiver.ty.erased.as_class().and_then(|class| self.world.field_meant(class, field.name));
                let fits = seen.is_some() && seen == declaring && !receiver.is_null();
                if fits { receiver.expr } else { self.cast_to(receiver.expr, Type::Class(field.class)) }
            }
        };
        Expr::select(target, field.name.as_str())
    }
}

/// Whether it is the object whose method is written.
fn is_this(value: &Value) -> bool {
    matches!(&value.expr, Expr::Atom(text) if text == "this")
}

fn refused_before() -> Reach {
    Reach::Reflection("is refused by the compiler".into())
}

fn out_of_words() -> Reach {
    Reach::Reflection("takes what source cannot name".into())
}

/// `Integer.valueOf(5)`: what the compiler does with a `5` where an object is wanted.
fn boxing(method: MethodRef, values: &[Value]) -> Option<ValueKind> {
    let primitive = unboxed(Type::Class(method.class))?;
    let signature = method.signature();
    let boxes = method.name.as_str() == "valueOf" && signature.params == [primitive];
    let [only] = values else { return None };
    let exact = boxes && only.ty.erased == primitive;
    exact.then(|| ValueKind::Boxed { inner: Box::new(only.expr.clone()), primitive })
}

/// `Integer.sum(a, b)` as `a + b`, which is what it gives.
fn sum(method: MethodRef, values: &[Value]) -> Option<Value> {
    let ty = match method.class.as_internal() {
        "java/lang/Integer" => Type::Int,
        "java/lang/Long" => Type::Long,
        _ => return None,
    };
    let is_sum = method.name.as_str() == "sum" && values.len() == 2;
    let terms = || values.iter().map(|value| value.expr.clone()).collect();
    (is_sum && values.iter().all(|value| value.ty.erased == ty)).then(|| Value::plain(Expr::Concat(terms()), ty))
}
