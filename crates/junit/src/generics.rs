//! Members as a caller sees them through type arguments (JLS 4.5.2, 4.8). Recipes are typed by erasure, as bytecode is;
//! the compiler is not: `class Names extends ArrayList<String>` has `add(String)` for it, though `add(Object)` can be
//! called. Answers which generic type a parameter or result has when a method is called on a receiver of a certain type.

use crate::facts::{ClassFact, MethodFact};
use crate::world::{Found, World};
use program::classfile::Visibility;
pub(crate) use program::classfile::signature::GenericType;
use program::classfile::signature::{ClassType, MethodSignature, TypeArgument, TypeParameter};
use program::{ClassName, Symbol, Type};
use std::collections::BTreeMap;
use std::rc::Rc;

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

/// The parameter types for which a caller must have arguments: erased, but after type arguments are known.
pub(crate) fn seen_params(world: &World<'_>, found: &Found, receiver: Option<StaticType>) -> Vec<Type> {
    let erased = found.method.method.signature().params;
    match seen(world, found, receiver) {
        Seen::Generic(signature) if receiver.is_some_and(|receiver| receiver.args != TypeArgs::Inferred) => {
            let params = signature.params.iter().zip(&erased);
            params.map(|(param, erased)| erased_as_seen(&signature, param, *erased)).collect()
        }
        _ => erased,
    }
}

/// A method's own variables erase as the descriptor says.
fn erased_as_seen(signature: &MethodSignature, param: &GenericType, erased: Type) -> Type {
    let own = |name: &Symbol| signature.type_parameters.iter().any(|parameter| parameter.name == *name);
    if variables(param).iter().any(own) { erased } else { param.erasure(&|_| None) }
}

/// Parameter and result types of a method as a subclass must declare them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OverrideTypes {
    pub(crate) params: Vec<Type>,
    pub(crate) ret: Option<Type>,
}

/// The types of an override in a subclass of `parent`, which stands there with [`plain_arguments`] if it has them, else raw.
pub(crate) fn override_types(world: &World<'_>, found: &Found, parent: ClassName) -> OverrideTypes {
    inherited(world, found, parent).unwrap_or_else(|| erased_types(found))
}

fn erased_types(found: &Found) -> OverrideTypes {
    let erased = found.method.method.signature();
    OverrideTypes { params: erased.params, ret: erased.ret }
}

fn inherited(world: &World<'_>, found: &Found, parent: ClassName) -> Option<OverrideTypes> {
    let signature = found.method.signature.as_ref()?;
    if found.class.name == parent && !found.class.is_generic() {
        return None;
    }
    let class = world.class(parent)?;
    let bindings = match plain_arguments(world, parent) {
        Some(arguments) => class_parameters(&class).zip(arguments.into_iter().map(plain)).collect(),
        None if class.is_generic() => return None,
        None => Bindings::new(),
    };
    let bindings = as_super(world, &class, &bindings, found.class.name, 0)?;
    let seen = substitute_method(signature, &bindings);
    let erased = found.method.method.signature();
    let params = seen.params.iter().zip(&erased.params).map(|(param, erased)| erased_as_seen(&seen, param, *erased));
    let params = params.collect();
    let ret = seen.ret.zip(erased.ret).map(|(ret, erased)| erased_as_seen(signature, &ret, erased));
    Some(OverrideTypes { params, ret })
}

/// The override of a method in a subclass of `parent` with its type arguments; `None` where it has none, where `parent`
/// stands there raw, or where another method that it would have to override as well has other ones.
pub(crate) fn generic_override(world: &World<'_>, found: &Found, parent: ClassName) -> Option<MethodSignature> {
    let class = world.class(parent)?;
    let bindings: Bindings = match plain_arguments(world, parent) {
        Some(arguments) => class_parameters(&class).zip(arguments.into_iter().map(plain)).collect(),
        None if class.is_generic() => return None,
        None => Bindings::new(),
    };
    let seen = |class_of: &ClassFact, method: &MethodFact| {
        let bindings = as_super(world, &class, &bindings, class_of.name, 0)?;
        Some(substitute_method(method.signature.as_ref()?, &bindings))
    };
    let wanted = seen(&found.class, &found.method)?;
    let erased = override_types(world, found, parent).params;
    let lineage = world.lineage(parent);
    let mut named = lineage.iter().flat_map(|class| inherited_from(class).map(move |(_, method)| (class, method)));
    let agrees = named.all(|(class, method)| {
        let other = Found { class: Rc::clone(class), method: method.clone() };
        let is_same = method.method.name == found.method.method.name
            && method.method.signature().params.len() == erased.len()
            && override_types(world, &other, parent).params == erased;
        let has_types_of = |other: &MethodSignature| {
            (&other.type_parameters, &other.params, &other.ret)
                == (&wanted.type_parameters, &wanted.params, &wanted.ret)
        };
        !is_same || seen(class, method).is_some_and(|other| has_types_of(&other))
    });
    (agrees && is_closed(&wanted)).then_some(wanted)
}

/// The method as a declared class has to implement it, with the class's own type variables; `None` where it is inherited
/// through a raw type, or has no type arguments.
pub(crate) fn inherited_signature(world: &World<'_>, found: &Found, class: ClassName) -> Option<MethodSignature> {
    let signature = found.method.signature.as_ref()?;
    let class = world.class(class)?;
    let own = class_parameters(&class).map(|name| (name, GenericType::Variable(name))).collect();
    let bindings = as_super(world, &class, &own, found.class.name, 0)?;
    Some(substitute_method(signature, &bindings))
}

/// A type variable or an array of one, as source has it.
pub(crate) fn bare_variable(ty: &GenericType) -> Option<&'static str> {
    match ty {
        GenericType::Variable(name) => Some(name.as_str()),
        GenericType::Array(component) => {
            bare_variable(component).map(|name| Symbol::new(&format!("{name}[]")).as_str())
        }
        GenericType::Primitive(_) | GenericType::Class(_) => None,
    }
}

/// Whether the method mentions no variables but its own.
fn is_closed(signature: &MethodSignature) -> bool {
    let bounds = signature.type_parameters.iter().flat_map(|p| p.class_bound.iter().chain(&p.interface_bounds));
    let mut all = bounds.chain(&signature.params).chain(&signature.ret).flat_map(variables);
    all.all(|name| declares(signature, name))
}

/// Whether the method has a type parameter of this name.
pub(crate) fn declares(signature: &MethodSignature, name: Symbol) -> bool {
    signature.type_parameters.iter().any(|parameter| parameter.name == name)
}

/// Every class that the types of a method mention.
pub(crate) fn for_each_class(signature: &MethodSignature, f: &mut dyn FnMut(&ClassType)) {
    let bounds = signature.type_parameters.iter().flat_map(|p| p.class_bound.iter().chain(&p.interface_bounds));
    bounds.chain(&signature.params).chain(&signature.ret).for_each(|ty| classes_in(ty, f));
}

/// Every class that a type mentions.
pub(crate) fn classes_in(ty: &GenericType, f: &mut dyn FnMut(&ClassType)) {
    match ty {
        GenericType::Primitive(_) | GenericType::Variable(_) => {}
        GenericType::Array(component) => classes_in(component, f),
        GenericType::Class(class) => {
            f(class);
            for argument in &class.arguments {
                match argument {
                    TypeArgument::Any => {}
                    TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => {
                        classes_in(ty, f);
                    }
                }
            }
        }
    }
}

/// Type arguments that mean the same as erasure: each parameter's bound. `None` if the class has no parameters, or a bound
/// has arguments of its own, which no such argument would keep.
pub(crate) fn plain_arguments(world: &World<'_>, class: ClassName) -> Option<Vec<Type>> {
    let class = world.class(class)?;
    let parameters = &class.signature.as_ref()?.type_parameters;
    let bound = |parameter: &TypeParameter| match (&parameter.class_bound, parameter.interface_bounds.as_slice()) {
        (None, []) => Some(Type::Class(ClassName::object())),
        (Some(GenericType::Class(bound)), []) if bound.arguments.is_empty() => Some(Type::Class(bound.class)),
        (None, [GenericType::Class(bound)]) if bound.arguments.is_empty() => Some(Type::Class(bound.class)),
        _ => None,
    };
    let arguments: Option<Vec<Type>> = parameters.iter().map(bound).collect();
    arguments.filter(|arguments| !arguments.is_empty())
}

/// The methods that a concrete subclass must implement in source, in the order of declaration. `raw`: as erasure has them,
/// which is what a raw type shows.
pub(crate) fn to_implement(world: &World<'_>, class: ClassName, raw: bool) -> Vec<Found> {
    let lineage = world.lineage(class);
    let types = |found: &Found| if raw { erased_types(found) } else { override_types(world, found, class) };
    let methods: Vec<(Found, OverrideTypes)> = lineage
        .iter()
        .flat_map(|class| class.methods.iter().map(move |method| (class, method)))
        .filter(|(_, method)| !method.is_synthetic && !method.is_static && !method.method.is_constructor())
        .map(|(class, method)| Found { class: Rc::clone(class), method: method.clone() })
        .map(|found| (types(&found), found))
        .map(|(types, found)| (found, types))
        .collect();
    let same = |(a, a_types): &(Found, OverrideTypes), (b, b_types): &(Found, OverrideTypes)| {
        a.method.method.name == b.method.method.name && a_types.params == b_types.params
    };
    let implements = |by: &(Found, OverrideTypes), wanted: &(Found, OverrideTypes)| {
        let is_hidden = by.0.class.name == ClassName::object() && by.0.method.visibility != Visibility::Public;
        let nearer = || world.is_subtype(Type::Class(by.0.class.name), Type::Class(wanted.0.class.name));
        // A class wins over interfaces; among interfaces the nearer one does.
        !by.0.method.is_abstract && same(by, wanted) && !is_hidden && (!by.0.class.is_interface || nearer())
    };
    let mut missing: Vec<&(Found, OverrideTypes)> = Vec::new();
    for wanted in methods.iter().filter(|(found, _)| found.method.is_abstract) {
        let is_done =
            methods.iter().any(|by| implements(by, wanted)) || missing.iter().any(|other| same(other, wanted));
        if !is_done {
            missing.push(wanted);
        }
    }
    missing.into_iter().map(|(found, _)| found.clone()).collect()
}

/// Whether Java's compiler accepts classes below this one: see [`is_ambiguous`] and [`inherits_twice`].
pub(crate) fn is_consistent(world: &World<'_>, class: ClassName) -> bool {
    if inherits_twice(world, class) {
        return false;
    }
    let mut by_erasure: BTreeMap<(&str, Vec<Type>), Vec<Inherited<'_>>> = BTreeMap::new();
    let lineage = world.lineage(class);
    for method in lineage.iter().flat_map(|class| inherited_from(class)) {
        let key = (method.1.method.name.as_str(), method.1.method.signature().params);
        by_erasure.entry(key).or_default().push(method);
    }
    by_erasure.values().all(|same| !has_clash(world, same))
}

/// Whether Java's compiler finds two methods where the JVM finds this one in `class`. Other languages let a method stand for
/// another one of the same erasure that it does not override by Java's rules (JLS 8.4.2, 8.4.5): with another number of type
/// parameters, with type arguments where the other has none, or with a primitive result instead of an object.
pub(crate) fn is_ambiguous(world: &World<'_>, class: ClassName, name: Symbol, params: &[Type]) -> bool {
    let lineage = world.lineage(class);
    let same = lineage.iter().flat_map(|class| inherited_from(class));
    let same = same.filter(|(_, method)| method.method.name == name && method.method.signature().params == params);
    has_clash(world, &same.collect::<Vec<_>>())
}

/// Whether a generic interface is above the class with different type arguments, which Java forbids (JLS 8.1.5) and Scala does
/// not: the compiler takes the first it finds and then misses methods whose results do not fit those.
fn inherits_twice(world: &World<'_>, class: ClassName) -> bool {
    let Some(class) = world.class(class) else { return false };
    let own = class_parameters(&class).map(|name| (name, GenericType::Variable(name))).collect();
    let mut seen: BTreeMap<ClassName, Vec<GenericType>> = BTreeMap::new();
    let mut open: Vec<(Rc<ClassFact>, Bindings)> = vec![(class, own)];
    while let Some((class, bindings)) = open.pop() {
        let Some(signature) = &class.signature else { continue };
        for parent in std::iter::once(&signature.super_class).chain(&signature.interfaces) {
            let Some(fact) = world.class(parent.class) else { continue };
            let arguments: Vec<GenericType> =
                parent.arguments.iter().map(|argument| bound_to(argument, &bindings)).collect();
            match seen.get(&parent.class) {
                Some(known) if *known != arguments => return true,
                Some(_) => continue,
                None => {}
            }
            let bound = class_parameters(&fact).zip(arguments.iter().cloned()).collect();
            seen.insert(parent.class, arguments);
            open.push((fact, bound));
        }
    }
    false
}

type Inherited<'a> = (ClassName, &'a MethodFact);

fn inherited_from(class: &ClassFact) -> impl Iterator<Item = Inherited<'_>> {
    let is_inherited = |method: &&MethodFact| {
        !method.is_static
            && !method.is_synthetic
            && method.visibility != Visibility::Private
            && !method.method.is_constructor()
    };
    class.methods.iter().filter(is_inherited).map(|method| (class.name, method))
}

/// Whether some of these methods, which are the same by erasure, are not the same for the compiler.
fn has_clash(world: &World<'_>, same: &[Inherited<'_>]) -> bool {
    let clash = |(a_class, a): &Inherited<'_>, (b_class, b): &Inherited<'_>| {
        let parameters =
            |method: &MethodFact| method.signature.as_ref().map_or(0, |signature| signature.type_parameters.len());
        let is_below = world.is_subtype(Type::Class(*b_class), Type::Class(*a_class));
        let (near, far) = if is_below { (b, a) } else { (a, b) };
        let narrows = far.signature.is_none()
            && near.signature.as_ref().is_some_and(|signature| signature.params.iter().any(is_parametrised));
        let (near, far) = (parameters(near), parameters(far));
        let results = [a, b].map(|method| method.method.signature().ret);
        let are_objects = results.iter().all(|ret| ret.is_some_and(Type::is_reference));
        a_class == b_class || narrows || near > 0 && near != far || results[0] != results[1] && !are_objects
    };
    same.iter().enumerate().any(|(index, a)| same[..index].iter().any(|b| clash(b, a)))
}

/// The narrowest result type among the methods that an override of these types overrides.
pub(crate) fn narrowest_result(
    world: &World<'_>,
    class: ClassName,
    name: Symbol,
    types: &OverrideTypes,
) -> Option<Type> {
    let mut narrowest = types.ret?;
    for parent in world.lineage(class).iter() {
        let named = parent.methods.iter().filter(|method| method.method.name == name && !method.is_synthetic);
        for method in named {
            // Looking through type arguments is dear, and most overloads differ in number already.
            let erased = method.method.signature();
            if erased.params.len() != types.params.len() || erased.ret.is_none_or(|ret| ret == narrowest) {
                continue;
            }
            let found = Found { class: Rc::clone(parent), method: method.clone() };
            let other = override_types(world, &found, class);
            if let Some(ret) = other.ret.filter(|_| other.params == types.params)
                && world.is_subtype(ret, narrowest)
            {
                narrowest = ret;
            }
        }
    }
    Some(narrowest)
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
        let bound = parameters.into_iter().zip(parent.arguments.iter().map(|argument| bound_to(argument, arguments)));
        as_super(world, &fact, &bound.collect(), wanted, depth + 1)
    })
}

fn bound_to(argument: &TypeArgument, bindings: &Bindings) -> GenericType {
    match argument {
        TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => substitute(ty, bindings),
        TypeArgument::Any => object(),
    }
}

/// Deeper hierarchies are cycles in damaged class files.
const MAX_DEPTH: usize = 200;

fn class_parameters(class: &ClassFact) -> impl Iterator<Item = Symbol> + '_ {
    class.signature.iter().flat_map(|signature| signature.type_parameters.iter().map(|parameter| parameter.name))
}

fn object() -> GenericType {
    plain(Type::Class(ClassName::object()))
}

fn plain(ty: Type) -> GenericType {
    match ty {
        Type::Class(class) => GenericType::Class(ClassType { class, arguments: Vec::new(), outer: None }),
        Type::Array(array) => GenericType::Array(Box::new(plain(array.component()))),
        primitive => GenericType::Primitive(primitive),
    }
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

/// Whether each value of one parameter type can stand for another one of a narrower or the same erasure, type arguments
/// included. Variables are inferred, so they fit whatever they meet.
pub(crate) fn is_narrower(world: &World<'_>, narrow: &GenericType, wide: &GenericType) -> bool {
    let (GenericType::Class(narrow), GenericType::Class(wide)) = (narrow, wide) else { return true };
    let Some(class) = world.class(narrow.class) else { return true };
    if wide.arguments.is_empty() || narrow.arguments.len() != class.type_params() {
        return true;
    }
    let own =
        class_parameters(&class).zip(narrow.arguments.iter().map(|argument| bound_to(argument, &Bindings::new())));
    let Some(bindings) = as_super(world, &class, &own.collect(), wide.class, 0) else { return true };
    let Some(wide_class) = world.class(wide.class) else { return true };
    let has = class_parameters(&wide_class).map(|name| bindings.get(&name).cloned());
    has.zip(&wide.arguments).all(|(has, wanted)| {
        let (Some(has), Some(wanted_type)) = (has, argument_type(wanted)) else { return true };
        let is_inferred = !variables(wanted_type).is_empty();
        let (has, wanted_erased) = (has.erasure(&|_| None), wanted_type.erasure(&|_| None));
        is_inferred
            || match wanted {
                TypeArgument::Super(_) => world.is_subtype(wanted_erased, has),
                TypeArgument::Extends(_) => world.is_subtype(has, wanted_erased),
                TypeArgument::Exactly(_) | TypeArgument::Any => has == wanted_erased,
            }
    })
}

fn argument_type(argument: &TypeArgument) -> Option<&GenericType> {
    match argument {
        TypeArgument::Any => None,
        TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => Some(ty),
    }
}

/// The parameters whose whole type is a variable of the method that another parameter mentions as well.
pub(crate) fn tied_params(signature: &MethodSignature) -> Vec<usize> {
    let elsewhere = |name: Symbol, index: usize| {
        signature.params.iter().enumerate().any(|(other, ty)| other != index && mentions(ty, name))
    };
    let is_tied = |(index, param): (usize, &GenericType)| match param {
        GenericType::Variable(name) if declares(signature, *name) && elsewhere(*name, index) => Some(index),
        _ => None,
    };
    signature.params.iter().enumerate().filter_map(is_tied).collect()
}

/// Whether a value of the type has, or may have, type arguments.
pub(crate) fn has_arguments(ty: &GenericType) -> bool {
    match ty {
        GenericType::Primitive(_) => false,
        GenericType::Variable(_) => true,
        GenericType::Array(component) => has_arguments(component),
        // Those of the class around it count as well.
        GenericType::Class(class) => {
            let mut around = std::iter::successors(Some(class), |class| class.outer.as_deref());
            around.any(|class| !class.arguments.is_empty())
        }
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
