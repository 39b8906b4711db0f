//! Which variables of generic types can be declared with type arguments? Recipes are typed by erasure; a `Map` whose
//! arguments are all `Object` behaves for the compiler exactly as erasure says, as long as nobody wants a `Map` of something
//! else from it. Variables for which that is certain are declared so; the others stay raw.

use crate::generics;
use crate::visit;
use crate::world::World;
use program::{ClassName, MethodRef, Type};
use recipe::{Action, Arg, CallbackForm, Collection, Recipe, VarId};
use std::collections::BTreeSet;

/// The variables that can have `Object` for all type arguments.
pub(crate) fn of_objects(world: &World<'_>, recipe: &Recipe) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    visit::blocks(recipe, &mut |block, _| {
        for stmt in &block.stmts {
            let Some(def) = stmt.def else { continue };
            if let Type::Class(class) = def.ty
                && is_open(world, class)
                && makes_any(world, &stmt.action)
            {
                found.insert(def.var);
            }
        }
    });
    visit::actions(recipe, &mut |action| {
        for var in refused_by(world, action) {
            found.remove(&var);
        }
    });
    // What a callback returns may have to be of a certain type.
    visit::blocks(recipe, &mut |_, result| {
        if let Some(Arg::Var(var)) = result {
            found.remove(var);
        }
    });
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
        _ => false,
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
            Some(Some(signature)) => signature.params.get(index).is_none_or(generics::is_parametrised),
            // No signature: nothing is generic. No method: nothing is known.
            Some(None) => false,
            None => true,
        };
        let refused = args.iter().enumerate().filter(|(index, _)| is_refused(*index));
        refused.filter_map(|(_, arg)| visit::variable(arg)).collect()
    };
    match action {
        Action::New { constructor, args, .. } => of_args(*constructor, args),
        Action::Call { method, args, .. } => of_args(*method, args),
        Action::Callback(callback) => match &callback.form {
            CallbackForm::Subclass { constructor, args } => of_args(*constructor, args),
            CallbackForm::Lambda { .. } | CallbackForm::Interface { .. } => Vec::new(),
        },
        Action::PutField { value, .. } => visit::variable(value).into_iter().collect(),
        _ => Vec::new(),
    }
}
