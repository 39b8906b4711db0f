//! Members as a caller sees them through type arguments (JLS 4.5.2, 4.8). Recipes are typed by erasure, as bytecode is;
//! the compiler is not: `class Names extends ArrayList<String>` has `add(String)` for it, though `add(Object)` can be
//! called. Answers which generic type a parameter or result has when a method is called on a receiver of a certain type.

use crate::facts::ClassFact;
use crate::world::{Found, World};
pub(crate) use program::classfile::signature::GenericType;
use program::classfile::signature::{ClassType, MethodSignature, TypeArgument, TypeParameter};
use program::{ClassName, Symbol, Type};
use std::collections::BTreeMap;

/// What the compiler knows about the type arguments of a value, beyond its erased type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeArgs {
    /// The class has no type parameters, or is used raw.
    None,
    /// All of them are `Object`.
    Objects,
    /// Inferred by the compiler; the type itself may be narrower than the erased one, too.
    Inferred,
}

/// The static type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StaticType {
    pub(crate) erased: Type,
    pub(crate) args: TypeArgs,
}

impl StaticType {
    pub(crate) fn plain(erased: Type) -> Self {
        StaticType { erased, args: TypeArgs::None }
    }
}

/// A method's types as a caller sees them.
#[derive(Debug)]
pub(crate) enum Seen {
    /// Only the descriptor counts.
    Erased,
    /// With what is known substituted; variables that are left are the method's own.
    Generic(MethodSignature),
}

type Bindings = BTreeMap<Symbol, GenericType>;

/// How the types of a method look when it is called on `receiver`, or statically.
pub(crate) fn seen(world: &World<'_>, found: &Found, receiver: Option<StaticType>) -> Seen {
    let Some(signature) = &found.method.signature else { return Seen::Erased };
    if found.method.is_static || found.method.method.is_constructor() {
        return Seen::Generic(signature.clone());
    }
    let Some(StaticType { erased: Type::Class(viewer), args }) = receiver else { return Seen::Erased };
    let Some(class) = world.class(viewer) else { return Seen::Erased };
    let arguments = match args {
        _ if !class.is_generic() => Bindings::new(),
        TypeArgs::Objects => class_parameters(&class).map(|name| (name, object())).collect(),
        TypeArgs::None => return Seen::Erased,
        // Whatever it is; the caller must not rely on parameters that mention it.
        TypeArgs::Inferred => class_parameters(&class).map(|name| (name, GenericType::Variable(name))).collect(),
    };
    match as_super(world, &class, &arguments, found.class.name, 0) {
        Some(bindings) => Seen::Generic(substitute_method(signature, &bindings)),
        None => Seen::Erased,
    }
}

/// The type of an inherited method in a class that is declared without type arguments: what an override must look like.
pub(crate) fn inherited(world: &World<'_>, found: &Found, heir: ClassName) -> Option<(Vec<Type>, Option<Type>)> {
    let signature = found.method.signature.as_ref()?;
    let class = world.class(heir)?;
    if class.is_generic() {
        return None;
    }
    let bindings = as_super(world, &class, &Bindings::new(), found.class.name, 0)?;
    let seen = substitute_method(signature, &bindings);
    let bounds = |name: Symbol| bound_of(signature, name);
    let params = seen.params.iter().map(|param| param.erasure(&bounds)).collect();
    Some((params, seen.ret.map(|ret| ret.erasure(&bounds))))
}

/// The erasure of a method's type variable.
fn bound_of(signature: &MethodSignature, name: Symbol) -> Option<Type> {
    let parameter = signature.type_parameters.iter().find(|parameter| parameter.name == name)?;
    let bound = parameter.class_bound.as_ref().or(parameter.interface_bounds.first())?;
    // A bound that is a variable itself: one step is enough for what libraries write.
    Some(bound.erasure(&|_| None))
}

/// What the type parameters of `wanted` are in `class`, whose own are bound as given. `None` if a raw supertype is on the
/// way, or `wanted` is not above.
fn as_super(
    world: &World<'_>,
    class: &ClassFact,
    arguments: &Bindings,
    wanted: ClassName,
    depth: usize,
) -> Option<Bindings> {
    if class.name == wanted {
        return Some(arguments.clone());
    }
    if depth > MAX_DEPTH {
        return None;
    }
    let Some(signature) = &class.signature else {
        // Its supertypes have no type arguments: either they have no parameters, or they are raw.
        return class.super_class.iter().chain(&class.interfaces).find_map(|parent| {
            let parent = world.class(*parent).filter(|parent| !parent.is_generic())?;
            as_super(world, &parent, &Bindings::new(), wanted, depth + 1)
        });
    };
    std::iter::once(&signature.super_class).chain(&signature.interfaces).find_map(|parent| {
        let fact = world.class(parent.class)?;
        let parameters: Vec<Symbol> = class_parameters(&fact).collect();
        if parameters.len() != parent.arguments.len() {
            return None;
        }
        let bound = parameters.into_iter().zip(&parent.arguments).map(|(name, argument)| {
            let bound = match argument {
                TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => {
                    substitute(ty, arguments)
                }
                TypeArgument::Any => object(),
            };
            (name, bound)
        });
        as_super(world, &fact, &bound.collect(), wanted, depth + 1)
    })
}

/// Deeper hierarchies are cycles in damaged class files.
const MAX_DEPTH: usize = 200;

fn class_parameters(class: &ClassFact) -> impl Iterator<Item = Symbol> + '_ {
    class.signature.iter().flat_map(|signature| signature.type_parameters.iter().map(|parameter| parameter.name))
}

fn object() -> GenericType {
    GenericType::Class(ClassType { class: ClassName::object(), arguments: Vec::new(), outer: None })
}

fn substitute_method(signature: &MethodSignature, bindings: &Bindings) -> MethodSignature {
    // A method's own variable hides the class's of the same name.
    let mut bindings = bindings.clone();
    bindings.retain(|name, _| !signature.type_parameters.iter().any(|parameter| parameter.name == *name));
    MethodSignature {
        type_parameters: signature.type_parameters.clone(),
        params: signature.params.iter().map(|param| substitute(param, &bindings)).collect(),
        ret: signature.ret.as_ref().map(|ret| substitute(ret, &bindings)),
        throws: signature.throws.clone(),
    }
}

fn substitute(ty: &GenericType, bindings: &Bindings) -> GenericType {
    match ty {
        GenericType::Primitive(_) => ty.clone(),
        GenericType::Variable(name) => bindings.get(name).cloned().unwrap_or_else(|| ty.clone()),
        GenericType::Array(component) => GenericType::Array(Box::new(substitute(component, bindings))),
        GenericType::Class(class) => {
            let argument = |argument: &TypeArgument| match argument {
                TypeArgument::Any => TypeArgument::Any,
                TypeArgument::Exactly(ty) => TypeArgument::Exactly(substitute(ty, bindings)),
                TypeArgument::Extends(ty) => TypeArgument::Extends(substitute(ty, bindings)),
                TypeArgument::Super(ty) => TypeArgument::Super(substitute(ty, bindings)),
            };
            let arguments = class.arguments.iter().map(argument).collect();
            GenericType::Class(ClassType { class: class.class, arguments, outer: class.outer.clone() })
        }
    }
}

/// The type variables in a type.
pub(crate) fn variables(ty: &GenericType) -> Vec<Symbol> {
    match ty {
        GenericType::Primitive(_) => Vec::new(),
        GenericType::Variable(name) => vec![*name],
        GenericType::Array(component) => variables(component),
        GenericType::Class(class) => class
            .arguments
            .iter()
            .flat_map(|argument| match argument {
                TypeArgument::Any => Vec::new(),
                TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => variables(ty),
            })
            .collect(),
    }
}

/// Whether a type names this variable anywhere.
pub(crate) fn mentions(ty: &GenericType, variable: Symbol) -> bool {
    variables(ty).contains(&variable)
}

/// Whether a value of the type has, or may have, type arguments.
pub(crate) fn has_arguments(ty: &GenericType) -> bool {
    match ty {
        GenericType::Primitive(_) => false,
        GenericType::Variable(_) => true,
        GenericType::Array(component) => has_arguments(component),
        GenericType::Class(class) => !class.arguments.is_empty(),
    }
}

/// Whether a type has type arguments or variables, so that the compiler may refuse what the descriptor allows.
pub(crate) fn is_parametrised(ty: &GenericType) -> bool {
    match ty {
        GenericType::Primitive(_) => false,
        GenericType::Variable(_) => true,
        GenericType::Array(component) => is_parametrised(component),
        GenericType::Class(class) => class.arguments.iter().any(|argument| *argument != TypeArgument::Any),
    }
}

/// Whether not every class can stand for the type parameter.
pub(crate) fn is_bounded(parameter: &TypeParameter) -> bool {
    let is_object =
        |bound: &GenericType| matches!(bound, GenericType::Class(class) if class.class == ClassName::object());
    !parameter.interface_bounds.is_empty() || parameter.class_bound.as_ref().is_some_and(|bound| !is_object(bound))
}
