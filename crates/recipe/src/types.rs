//! Types of recipes: what an action gives, what may be passed where. The rules are those of a method call in Java
//! (JLS 5.3): widening, boxing and unboxing, no narrowing.
//!
//! Which class is below which only the program knows; it answers through [`Subtyping`].

use crate::signature::raw;
use crate::{Action, CallbackForm, ClassDecl};
use program::classfile::Visibility;
use program::classfile::signature::{ClassSignature, ClassType, GenericType, TypeArgument};
use program::{ClassName, Program, Subtype, Symbol, Type};
use std::collections::BTreeMap;

/// What is known about the classes of the program.
pub trait Subtyping {
    /// Whether `sub` is `sup` or below it. Everything is below `java.lang.Object`. False where a class is missing.
    fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool;

    /// The type parameters of a class and its supertypes with their arguments, where they are known.
    fn signature(&self, _class: ClassName) -> Option<ClassSignature> {
        None
    }
}

impl Subtyping for Program {
    fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
        Program::is_subtype(self, sub, sup) == Subtype::Yes
    }

    fn signature(&self, class: ClassName) -> Option<ClassSignature> {
        let class = self.class(class)?;
        Some(class.signature().unwrap_or_else(|| ClassSignature {
            type_parameters: Vec::new(),
            super_class: raw(class.super_class.unwrap_or(ClassName::object())),
            interfaces: class.interfaces.iter().copied().map(raw).collect(),
        }))
    }
}

/// The program's classes and the declared ones of a recipe.
pub(crate) struct WithDeclared<'a> {
    pub(crate) program: &'a dyn Subtyping,
    pub(crate) classes: &'a [ClassDecl],
}

impl Subtyping for WithDeclared<'_> {
    fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
        if sub == sup || sup == ClassName::object() {
            return true;
        }
        // A declared class only has supers that were declared before it, so this ends.
        let Some(at) = self.classes.iter().position(|class| class.name == sub) else {
            return !ClassDecl::is_declared_name(sup) && self.program.is_subtype(sub, sup);
        };
        let before = WithDeclared { program: self.program, classes: &self.classes[..at] };
        let class = &self.classes[at];
        class.interfaces.iter().chain([&class.super_class]).any(|above| before.is_subtype(*above, sup))
    }
}

/// Whether a value of static type `from` may be passed where `to` is declared.
pub fn is_assignable(from: Type, to: Type, types: &dyn Subtyping) -> bool {
    match (from.is_reference(), to.is_reference()) {
        (true, true) => is_reference_subtype(from, to, types),
        (false, false) => widens(from, to),
        (false, true) => is_reference_subtype(Type::Class(boxed(from)), to, types),
        (true, false) => unboxed(from).is_some_and(|primitive| widens(primitive, to)),
    }
}

/// Whether a cast between the two can be written in Java; between unrelated classes it takes a detour through `Object`.
pub fn is_castable(from: Type, to: Type, types: &dyn Subtyping) -> bool {
    match (from.is_reference(), to.is_reference()) {
        (true, true) => true,
        (false, false) => from == to || (from != Type::Boolean && to != Type::Boolean),
        (false, true) => is_assignable(from, to, types),
        (true, false) => is_assignable(from, to, types) || is_reference_subtype(Type::Class(boxed(to)), from, types),
    }
}

fn is_reference_subtype(from: Type, to: Type, types: &dyn Subtyping) -> bool {
    match (from, to) {
        (Type::Class(from), Type::Class(to)) => from == to || to == ClassName::object() || types.is_subtype(from, to),
        (Type::Array(from), Type::Array(to)) => {
            let (from, to) = (from.component(), to.component());
            from == to || (from.is_reference() && to.is_reference() && is_reference_subtype(from, to, types))
        }
        (Type::Array(_), Type::Class(to)) => {
            ["java/lang/Object", "java/lang/Cloneable", "java/io/Serializable"].contains(&to.as_internal())
        }
        _ => false,
    }
}

/// Identity or widening between primitive types (JLS 5.1.2).
pub fn widens(from: Type, to: Type) -> bool {
    let wider: &[Type] = match from {
        Type::Byte => &[Type::Short, Type::Int, Type::Long, Type::Float, Type::Double],
        Type::Short | Type::Char => &[Type::Int, Type::Long, Type::Float, Type::Double],
        Type::Int => &[Type::Long, Type::Float, Type::Double],
        Type::Long => &[Type::Float, Type::Double],
        Type::Float => &[Type::Double],
        _ => &[],
    };
    from == to || wider.contains(&to)
}

/// The wrapper class of a primitive type; of a reference type, `java.lang.Object`.
pub fn boxed(primitive: Type) -> ClassName {
    ClassName::internal(match primitive {
        Type::Boolean => "java/lang/Boolean",
        Type::Byte => "java/lang/Byte",
        Type::Char => "java/lang/Character",
        Type::Short => "java/lang/Short",
        Type::Int => "java/lang/Integer",
        Type::Long => "java/lang/Long",
        Type::Float => "java/lang/Float",
        Type::Double => "java/lang/Double",
        Type::Class(_) | Type::Array(_) => "java/lang/Object",
    })
}

/// The primitive type of a wrapper class.
pub fn unboxed(wrapper: Type) -> Option<Type> {
    match wrapper.as_class()?.as_internal().strip_prefix("java/lang/")? {
        "Boolean" => Some(Type::Boolean),
        "Byte" => Some(Type::Byte),
        "Character" => Some(Type::Char),
        "Short" => Some(Type::Short),
        "Integer" => Some(Type::Int),
        "Long" => Some(Type::Long),
        "Float" => Some(Type::Float),
        "Double" => Some(Type::Double),
        _ => None,
    }
}

/// The type of an action's value; `None` for an action that gives none. An element's type depends on the array's, which
/// `array` is; a cast gives whatever it is defined as, so its type is not known here.
pub fn result_type(action: &Action, array: Option<Type>) -> Option<Type> {
    match action {
        Action::Literal(literal) => Some(literal.ty()),
        Action::New { constructor, .. } => Some(Type::Class(constructor.class)),
        Action::Call { method, .. } => method.signature().ret,
        Action::GetField { field, .. } => Some(field.field_type()),
        Action::NewArray { component, .. } | Action::ArrayOf { component, .. } => Some(Type::array_of(*component)),
        Action::GetElement { .. } => match array? {
            Type::Array(array) => Some(array.component()),
            _ => None,
        },
        Action::Collection(kind, _) => Some(Type::Class(kind.class())),
        Action::Callback(callback) => Some(Type::Class(callback_class(&callback.form))),
        Action::TempFile { .. } | Action::TempDir { .. } | Action::Link(_) => Some(Type::class("java/io/File")),
        Action::Stream(kind, _) => Some(Type::Class(kind.class())),
        Action::Repeat { carried, .. } => carried.as_ref().map(|carried| carried.var.ty),
        Action::Cast(_)
        | Action::Throw(_)
        | Action::Capture
        | Action::Keep(_)
        | Action::ChangeFile(..)
        | Action::PutField { .. }
        | Action::PutElement { .. }
        | Action::Try { .. }
        | Action::Thread(_)
        | Action::Together(_)
        | Action::SetProperty { .. }
        | Action::SetLocale(_)
        | Action::SetTimeZone(_) => None,
    }
}

/// The interface or superclass of a callback.
pub fn callback_class(form: &CallbackForm) -> ClassName {
    match form {
        CallbackForm::Lambda { interface } | CallbackForm::Interface { interface } => *interface,
        CallbackForm::Subclass { constructor, .. } => constructor.class,
    }
}

/// Whether a class can have all methods of this one and of those above it in Java: not if two of them differ in nothing but
/// the result, and one is no object. The JVM allows that, but neither Java's compiler nor `java.lang.reflect.Proxy` does.
/// Such classes come from other languages, and from programs older than the JDK's own methods. Nor can a class be extended
/// that has a generic interface above it with two sets of type arguments, as Scala allows; for an interface, a proxy does.
pub fn can_be_implemented(class: ClassName, program: &Program) -> bool {
    let is_class = program.class(class).is_some_and(|class| !class.is_interface());
    if is_class && inherits_twice(class, program) {
        return false;
    }
    let mut results: BTreeMap<(Symbol, String), Symbol> = BTreeMap::new();
    for name in std::iter::once(class).chain(program.supertypes(class).0) {
        let Some(declaring) = program.class(name) else { continue };
        let inherited = declaring.methods.iter().filter(|method| {
            let access = method.access;
            !access.is_static() && !access.is_synthetic() && access.visibility() != Visibility::Private
        });
        for method in inherited.filter(|method| !method.is_constructor()) {
            let Some((params, ret)) = method.descriptor.as_str().rsplit_once(')') else { continue };
            let known = results.entry((method.name, params.to_owned())).or_insert_with(|| Symbol::new(ret));
            let is_object = |ret: &str| ret.starts_with(['L', '[']);
            if known.as_str() != ret && !(is_object(known.as_str()) && is_object(ret)) {
                return false;
            }
        }
    }
    true
}

/// Whether a generic type is above the class with different type arguments (JLS 8.1.5).
fn inherits_twice(class: ClassName, program: &Program) -> bool {
    let mut seen: BTreeMap<ClassName, Vec<TypeArgument>> = BTreeMap::new();
    let mut open: Vec<(ClassName, Bindings)> = vec![(class, Bindings::new())];
    while let Some((class, bindings)) = open.pop() {
        let Some(signature) = program.class(class).and_then(|class| class.signature()) else { continue };
        for above in std::iter::once(&signature.super_class).chain(&signature.interfaces) {
            let arguments: Vec<TypeArgument> =
                above.arguments.iter().map(|argument| bound(argument, &bindings)).collect();
            match seen.get(&above.class) {
                // A raw type fits whatever arguments there are elsewhere.
                Some(known) if *known != arguments && !known.is_empty() && !arguments.is_empty() => return true,
                Some(_) => continue,
                None => {}
            }
            let above_signature = program.class(above.class).and_then(|class| class.signature());
            let parameters = above_signature.into_iter().flat_map(|signature| signature.type_parameters);
            let inner = parameters.map(|parameter| parameter.name).zip(arguments.iter().cloned()).collect();
            seen.insert(above.class, arguments);
            open.push((above.class, inner));
        }
    }
    false
}

/// What stands for the type parameters of a class.
type Bindings = BTreeMap<Symbol, TypeArgument>;

fn bound(argument: &TypeArgument, bindings: &Bindings) -> TypeArgument {
    match argument {
        TypeArgument::Exactly(GenericType::Variable(name)) => {
            bindings.get(name).cloned().unwrap_or_else(|| argument.clone())
        }
        TypeArgument::Exactly(ty) => TypeArgument::Exactly(bound_type(ty, bindings)),
        TypeArgument::Extends(ty) => TypeArgument::Extends(bound_type(ty, bindings)),
        TypeArgument::Super(ty) => TypeArgument::Super(bound_type(ty, bindings)),
        TypeArgument::Any => TypeArgument::Any,
    }
}

fn bound_type(ty: &GenericType, bindings: &Bindings) -> GenericType {
    match ty {
        GenericType::Primitive(_) => ty.clone(),
        GenericType::Variable(name) => match bindings.get(name) {
            Some(TypeArgument::Exactly(bound)) => bound.clone(),
            _ => ty.clone(),
        },
        GenericType::Array(component) => GenericType::Array(Box::new(bound_type(component, bindings))),
        GenericType::Class(class) => {
            let arguments = class.arguments.iter().map(|argument| bound(argument, bindings)).collect();
            GenericType::Class(ClassType { class: class.class, arguments, outer: class.outer.clone() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lists;

    impl Subtyping for Lists {
        fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
            sub == sup
                || matches!(
                    (sub.as_internal(), sup.as_internal()),
                    ("java/util/ArrayList", "java/util/List") | ("java/lang/Integer", "java/lang/Number")
                )
        }
    }

    fn ty(descriptor: &str) -> Type {
        Type::parse(descriptor).unwrap()
    }

    #[test]
    fn wrappers_wrap_what_they_are_unwrapped_to() {
        for primitive in ["Z", "B", "C", "S", "I", "J", "F", "D"].map(ty) {
            assert_eq!(unboxed(Type::Class(boxed(primitive))), Some(primitive));
        }
        for other in ["Ljava/lang/Number;", "Ljava/lang/Object;", "Lmy/Integer;", "[I"].map(ty) {
            assert_eq!(unboxed(other), None);
        }
    }

    #[test]
    fn what_may_be_passed_where() {
        let cases = [
            ("I", "J", true),
            ("J", "I", false),
            ("C", "I", true),
            ("C", "S", false),
            ("Z", "I", false),
            ("I", "Ljava/lang/Integer;", true),
            ("I", "Ljava/lang/Number;", true),
            ("I", "Ljava/lang/Object;", true),
            ("I", "Ljava/lang/Long;", false),
            ("Ljava/lang/Integer;", "I", true),
            ("Ljava/lang/Integer;", "J", true),
            ("Ljava/lang/Object;", "I", false),
            ("Ljava/util/ArrayList;", "Ljava/util/List;", true),
            ("Ljava/util/List;", "Ljava/util/ArrayList;", false),
            ("Ljava/util/List;", "Ljava/lang/Object;", true),
            ("[Ljava/util/ArrayList;", "[Ljava/util/List;", true),
            ("[[I", "[Ljava/lang/Object;", true),
            ("[I", "[Ljava/lang/Object;", false),
            ("[I", "[J", false),
            ("[I", "Ljava/lang/Cloneable;", true),
            ("[I", "Ljava/util/List;", false),
        ];
        for (from, to, expected) in cases {
            assert_eq!(is_assignable(ty(from), ty(to), &Lists), expected, "{from} to {to}");
        }
    }

    #[test]
    fn casts_narrow_and_unbox() {
        let cases = [
            ("J", "I", true),
            ("I", "Z", false),
            ("Ljava/lang/Object;", "I", true),
            ("Ljava/lang/Number;", "I", true),
            ("Ljava/util/List;", "I", false),
            ("Ljava/util/List;", "Ljava/lang/String;", true),
        ];
        for (from, to, expected) in cases {
            assert_eq!(is_castable(ty(from), ty(to), &Lists), expected, "{from} to {to}");
        }
    }
}
