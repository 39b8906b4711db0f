//! Which variables of generic types can be declared with type arguments? Recipes are typed by erasure; a `Map` whose
//! arguments are all `Object` behaves for the compiler exactly as erasure says, as long as nobody wants a `Map` of something
//! else from it. Variables for which that is certain are declared so; the others stay raw.

use crate::generics;
use crate::visit;
use crate::world::World;
use program::classfile::signature::{GenericType, TypeArgument, TypeParameter};
use program::{ClassName, MethodRef, Symbol, Type};
use recipe::types::callback_class;
use recipe::{Action, Arg, CallbackForm, Collection, Def, Recipe, VarId};
use std::collections::BTreeSet;

/// The variables that can have `Object` for all type arguments.
pub(crate) fn of_objects(world: &World<'_>, recipe: &Recipe) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    recipe.for_each_stmt(&mut |stmt| {
        if let Some(Def { var, ty: Type::Class(class) }) = stmt.def
            && is_open(world, class)
            && makes_any(world, &stmt.action)
        {
            found.insert(var);
        }
    });
    recipe.for_each_stmt(&mut |stmt| {
        for var in refused_by(world, &stmt.action) {
            found.remove(&var);
        }
    });
    // What a callback returns may have to be of a certain type.
    for var in visit::bodies(recipe).into_iter().filter_map(|body| body.result?.var()) {
        found.remove(&var);
    }
    found
}

/// A generic class whose parameters can be anything.
pub(crate) fn is_open(world: &World<'_>, class: ClassName) -> bool {
    world.class(class).and_then(|class| class.signature.clone()).is_some_and(|signature| {
        let free = signature.type_parameters.iter().all(|parameter| !generics::is_bounded(parameter));
        free && !signature.type_parameters.is_empty()
    })
}

/// Whether the value can be made for any type arguments.
fn makes_any(world: &World<'_>, action: &Action) -> bool {
    match action {
        Action::New { constructor, .. } => is_open(world, constructor.class) && infers(world, *constructor),
        Action::Collection(kind, _) => *kind != Collection::Properties,
        Action::Callback(callback) => is_open(world, callback_class(&callback.form)),
        _ => false,
    }
}

/// Whether a value all of whose type arguments are `Object` can be passed for a parameter. Variables of the class are
/// taken to be `Object` or unknown to the compiler, as they are for receivers of such types and raw ones.
pub(crate) fn takes_objects(param: &GenericType, own: &[TypeParameter]) -> bool {
    let is_free =
        |name: Symbol| own.iter().find(|parameter| parameter.name == name).is_none_or(|p| !generics::is_bounded(p));
    let is_object = |ty: &GenericType| match ty {
        GenericType::Variable(name) => is_free(*name),
        GenericType::Class(class) => class.class == ClassName::object(),
        GenericType::Primitive(_) | GenericType::Array(_) => false,
    };
    match param {
        GenericType::Class(class) => class.arguments.iter().all(|argument| match argument {
            TypeArgument::Any | TypeArgument::Super(_) => true,
            TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) => is_object(ty),
        }),
        GenericType::Variable(name) => is_free(*name),
        GenericType::Primitive(_) | GenericType::Array(_) => true,
    }
}

/// Whether the compiler can infer the arguments of a new object whatever the constructor gets: no parameter depends on
/// them, or only by being a collection of some of them.
pub(crate) fn infers(world: &World<'_>, constructor: MethodRef) -> bool {
    let Some(found) = world.find_method(constructor) else { return false };
    found.method.signature.as_ref().is_none_or(|signature| !signature.params.iter().any(generics::is_parametrised))
}

/// The variables that an action wants with certain type arguments.
fn refused_by(world: &World<'_>, action: &Action) -> Vec<VarId> {
    let of_args = |method: MethodRef, args: &[Arg]| -> Vec<VarId> {
        let signature = world.find_method(method).map(|found| found.method.signature);
        let is_refused = |index: usize| match &signature {
            Some(Some(signature)) => {
                signature.params.get(index).is_none_or(|param| !takes_objects(param, &signature.type_parameters))
            }
            // No signature: nothing is generic. No method: nothing is known.
            Some(None) => false,
            None => true,
        };
        let refused = args.iter().enumerate().filter(|(index, _)| is_refused(*index));
        refused.filter_map(|(_, arg)| arg.var()).collect()
    };
    match action {
        Action::New { constructor, args, .. } => of_args(*constructor, args),
        Action::Call { method, args, .. } => of_args(*method, args),
        Action::Callback(callback) => match &callback.form {
            CallbackForm::Subclass { constructor, args } => of_args(*constructor, args),
            CallbackForm::Lambda { .. } | CallbackForm::Interface { .. } => Vec::new(),
        },
        Action::PutField { value, .. } => value.var().into_iter().collect(),
        _ => Vec::new(),
    }
}
