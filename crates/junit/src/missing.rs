//! What does the class path lack, where a compiler or the VM looks at it? Optional libraries are often left out, and a class
//! that is missing takes others with it, by other rules for each of the two:
//!
//! - nobody can load a class, and the compiler finds no member of one, if something above it is missing;
//! - the compiler looks at the parameters of all methods of a name and number of parameters, and at result, bounds and
//!   exceptions of the one it chooses, but not at type arguments, nor at other members of the class;
//! - reflection looks at all methods, or all constructors, or all fields of a class at once, a method handle at one.

use crate::facts::{ClassFact, MethodFact};
use crate::world::{Found, World};
use program::classfile::signature::{GenericType, MethodSignature};
use program::{ClassName, MethodRef, Type};
use recipe::types::callback_class;
use recipe::{Action, CallbackForm};

/// Why the compiler does not get through a call of the method on `through`, if it does not: `has an overload that names ..`.
pub(crate) fn hinders_call(world: &World<'_>, through: ClassName, found: &Found) -> Option<String> {
    let method = &found.method;
    if let Some(missing) = in_descriptor(world, method.method) {
        return Some(naming("names", missing));
    }
    let bounds = method.signature.iter().flat_map(|signature| &signature.type_parameters);
    let bounds = bounds.flat_map(|parameter| parameter.class_bound.iter().chain(&parameter.interface_bounds));
    if let Some(missing) = bounds.into_iter().find_map(|bound| in_generic(world, bound)) {
        return Some(naming("has a type parameter that names", missing));
    }
    if let Some(missing) = method.exceptions.iter().find_map(|class| world.missing_above(*class)) {
        return Some(naming("declares an exception that needs", missing));
    }
    let params = method.method.signature().params.len();
    let overloads = world.methods_named(through, method.method.name);
    let is_looked_at = |other: &&Found| {
        other.method.is_varargs || method.is_varargs || other.method.method.signature().params.len() == params
    };
    let names_missing =
        |other: &Found| other.method.method.signature().params.into_iter().find_map(|param| named_by(world, param));
    let missing = overloads.iter().filter(is_looked_at).find_map(names_missing);
    missing.map(|missing| naming("has an overload that names", missing))
}

/// The same for what its types are as seen through the receiver's type arguments.
pub(crate) fn hinders_seen(world: &World<'_>, seen: &MethodSignature) -> Option<String> {
    let erased = seen.params.iter().chain(&seen.ret).map(|ty| ty.erasure(&|_| None));
    erased.into_iter().find_map(|ty| in_type(world, ty)).map(|missing| naming("names", missing))
}

/// Whether reflection fails on the methods, or the constructors, of the class for what one of them names.
pub(crate) fn hides_members(world: &World<'_>, class: &ClassFact, constructors: bool) -> bool {
    let of_kind = |method: &&MethodFact| method.method.is_constructor() == constructors;
    class.methods.iter().filter(of_kind).any(|method| {
        let is_missing = |class: &ClassName| world.missing_above(*class).is_some();
        in_descriptor(world, method.method).is_some() || method.exceptions.iter().any(is_missing)
    })
}

/// What an action needs that nobody can load: it ends the test where it stands, not before.
pub(crate) fn in_action(world: &World<'_>, action: &Action) -> Option<ClassName> {
    let of_class = |class: ClassName| world.missing_above(class);
    match action {
        Action::New { constructor: method, .. } | Action::Call { method, .. } => {
            of_class(method.class).or_else(|| in_descriptor(world, *method))
        }
        Action::GetField { field, .. } | Action::PutField { field, .. } => {
            of_class(field.class).or_else(|| in_type(world, field.field_type()))
        }
        Action::Callback(callback) => of_class(callback_class(&callback.form)).or_else(|| match &callback.form {
            CallbackForm::Subclass { constructor, .. } => in_descriptor(world, *constructor),
            CallbackForm::Lambda { .. } | CallbackForm::Interface { .. } => None,
        }),
        _ => None,
    }
}

/// The class of a type, if it is missing itself. One that is there can be written, even if nobody can load it.
pub(crate) fn named_by(world: &World<'_>, ty: Type) -> Option<ClassName> {
    element_class(ty).filter(|class| world.class(*class).is_none())
}

/// A missing class among those of a type; one that is there but cannot be loaded counts.
pub(crate) fn in_type(world: &World<'_>, ty: Type) -> Option<ClassName> {
    world.missing_above(element_class(ty)?)
}

fn element_class(ty: Type) -> Option<ClassName> {
    match ty {
        Type::Class(class) => Some(class),
        Type::Array(array) => element_class(array.component()),
        _ => None,
    }
}

/// A missing class among those of a type, type arguments included.
pub(crate) fn in_generic(world: &World<'_>, ty: &GenericType) -> Option<ClassName> {
    let mut missing = None;
    crate::generics::classes_in(ty, &mut |class| missing = missing.or_else(|| world.missing_above(class.class)));
    missing
}

pub(crate) fn in_descriptor(world: &World<'_>, method: MethodRef) -> Option<ClassName> {
    in_params(world, method).or_else(|| in_type(world, method.signature().ret?))
}

fn in_params(world: &World<'_>, method: MethodRef) -> Option<ClassName> {
    method.signature().params.into_iter().find_map(|param| in_type(world, param))
}

pub(crate) fn naming(what: &str, missing: ClassName) -> String {
    format!("{what} {}, which is missing", missing.dotted())
}
