//! Which methods and static fields of the class path are declared to give a value of a class? Built once, in parallel; holds
//! names only.

use program::classfile::signature::{ClassType, GenericType, MethodSignature, TypeArgument};
use program::{Class, ClassName, FieldRef, Method, MethodRef, Nearness, Program, Symbol, Type};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(crate) struct Producers {
    /// Sorted; private and synthetic members are left out.
    by_class: FxHashMap<ClassName, Vec<Producer>>,
    /// Methods that give something with objects of the class in it. Sorted.
    holding: FxHashMap<ClassName, Vec<Held>>,
    /// Methods that look for an object of a class that they are given. Sorted.
    finders: Vec<Held>,
    /// Sorted.
    annotation_types: Vec<ClassName>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Producer {
    /// A method that returns the class, static or not.
    Method(MethodRef),
    /// A static field of the class.
    Field(FieldRef),
}

/// An object inside of what a method gives, or that a method looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Held {
    pub(crate) method: MethodRef,
    /// What the object is; for a finder, what it is at least.
    pub(crate) element: ClassName,
    /// Which type argument of the returned type stands for it; `None` for an array, and if the object itself is returned.
    pub(crate) argument: Option<usize>,
    /// The parameter that takes the class to look for.
    pub(crate) looks_for: Option<usize>,
}

impl Producers {
    /// Reads the classes of near archives only: a server product has sixty thousand classes, and those of other archives rarely give
    /// what is needed here.
    pub(crate) fn build(program: &Program, nearness: &Nearness) -> Producers {
        let names = program.near_classes(nearness);
        let read = |name: &ClassName| {
            // Read past the program's memory: thousands of classes that nobody asks for again would stay there.
            let class = Class::read(&program.class_bytes(*name)?).ok()?;
            Some((class.access.is_annotation().then_some(class.name), (producers(&class), held(&class))))
        };
        let (annotation_types, parts): (Vec<_>, Vec<_>) = names.par_iter().filter_map(read).unzip();
        let (parts, held): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let mut index =
            Producers { annotation_types: annotation_types.into_iter().flatten().collect(), ..Producers::default() };
        for (class, producer) in parts.into_iter().flatten() {
            index.by_class.entry(class).or_default().push(producer);
        }
        for held in held.into_iter().flatten() {
            match held.looks_for {
                Some(_) => index.finders.push(held),
                None => index.holding.entry(held.element).or_default().push(held),
            }
        }
        index.by_class.values_mut().for_each(|producers| producers.sort_unstable());
        index.holding.values_mut().for_each(|held| held.sort_unstable());
        index.finders.sort_unstable();
        index
    }

    pub(crate) fn annotation_types(&self) -> &[ClassName] {
        &self.annotation_types
    }

    pub(crate) fn holding(&self, class: ClassName) -> &[Held] {
        self.holding.get(&class).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn finders(&self) -> &[Held] {
        &self.finders
    }

    pub(crate) fn of(&self, class: ClassName) -> &[Producer] {
        self.by_class.get(&class).map_or(&[], Vec::as_slice)
    }
}

fn producers(class: &Class) -> Vec<(ClassName, Producer)> {
    let methods = class.methods.iter().filter_map(|method| {
        let hidden = method.access.is_private() || method.access.is_synthetic() || method.access.is_bridge();
        // Most methods return nothing, a primitive or a string: seen without parsing the descriptor.
        let returned = method.descriptor.as_str().rsplit_once(")L").filter(|_| !hidden)?.1.strip_suffix(';')?;
        is_particular(returned).then(|| (ClassName::internal(returned), Producer::Method(method.reference())))
    });
    let fields = class.fields.iter().filter_map(|field| {
        let fits = field.access.is_static() && !field.access.is_private() && !field.access.is_synthetic();
        let Some(Type::Class(ty)) = Type::parse(field.descriptor.as_str()).filter(|_| fits) else { return None };
        is_particular(ty.as_internal()).then_some((ty, Producer::Field(field.reference())))
    });
    methods.chain(fields).collect()
}

fn held(class: &Class) -> Vec<Held> {
    let is_values = |method: &Method| class.access.is_enum() && method.name.as_str() == "values";
    let visible = class.methods.iter().filter(|method| {
        let hidden = method.access.is_private() || method.access.is_synthetic() || method.access.is_bridge();
        !hidden && !is_values(method)
    });
    visible.flat_map(held_by).collect()
}

fn held_by(method: &Method) -> Vec<Held> {
    let Some((_, returned)) = method.descriptor.as_str().rsplit_once(')') else { return Vec::new() };
    let held = |element: ClassName, argument, looks_for| {
        let held = Held { method: method.reference(), element, argument, looks_for };
        is_particular(element.as_internal()).then_some(held)
    };
    if let Some(element) = returned.strip_prefix("[L").and_then(|rest| rest.strip_suffix(';')) {
        return held(ClassName::internal(element), None, None).into_iter().collect();
    }
    // Only a generic method gives something that holds what is known, or looks for what it is told.
    let Some(signature) = returned.starts_with('L').then(|| method.signature()).flatten() else { return Vec::new() };
    let variable = |name: Symbol, argument: Option<usize>| {
        let (bound, looks_for) = looked_for(name, &signature)?;
        held(bound, argument, Some(looks_for))
    };
    match &signature.ret {
        Some(GenericType::Class(class)) => {
            let arguments = class.arguments.iter().enumerate();
            let of_each = arguments.filter_map(|(at, argument)| match of_argument(argument)? {
                GenericType::Class(element) => held(element.class, Some(at), None),
                GenericType::Variable(name) => variable(*name, Some(at)),
                _ => None,
            });
            of_each.collect()
        }
        Some(GenericType::Variable(name)) => variable(*name, None).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn of_argument(argument: &TypeArgument) -> Option<&GenericType> {
    match argument {
        TypeArgument::Exactly(generic) | TypeArgument::Extends(generic) => Some(generic),
        TypeArgument::Super(_) | TypeArgument::Any => None,
    }
}

/// The bound of the method's type variable, and the parameter that takes its class.
fn looked_for(variable: Symbol, signature: &MethodSignature) -> Option<(ClassName, usize)> {
    let declared = signature.type_parameters.iter().find(|parameter| parameter.name == variable)?;
    let bound = declared.class_bound.as_ref().or(declared.interface_bounds.first())?;
    let GenericType::Class(ClassType { class: bound, .. }) = bound else { return None };
    let takes_class = |param: &GenericType| match param {
        GenericType::Class(ClassType { class, arguments, .. }) => {
            class.as_internal() == "java/lang/Class"
                && arguments.iter().filter_map(of_argument).any(|of| *of == GenericType::Variable(variable))
        }
        _ => false,
    };
    Some((*bound, signature.params.iter().position(takes_class)?))
}

/// Strings and plain objects come from everywhere and are had more cheaply.
fn is_particular(class: &str) -> bool {
    !matches!(class, "java/lang/String" | "java/lang/Object" | "java/lang/Class" | "java/lang/Integer")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;

    /// What methods of this name give or look for: the object's class, its type argument, the parameter with the class.
    fn held_in(class: &str, method: &str) -> Vec<(String, Option<usize>, Option<usize>)> {
        let class = jdk_only().class(ClassName::internal(class)).unwrap();
        let of_method = held(&class).into_iter().filter(|held| held.method.name.as_str() == method);
        of_method.map(|held| (held.element.to_string(), held.argument, held.looks_for)).collect()
    }

    #[test]
    fn keys_and_values_of_maps_are_told_apart() {
        let value = ("java.nio.charset.Charset".to_owned(), Some(1), None);
        assert_eq!(held_in("java/nio/charset/Charset", "availableCharsets"), [value]);
        // The values are arrays.
        let key = ("java.lang.Thread".to_owned(), Some(0), None);
        assert_eq!(held_in("java/lang/Thread", "getAllStackTraces"), [key]);
        assert_eq!(held_in("java/lang/System", "getenv"), []);
    }

    #[test]
    fn arrays_hold_and_classes_are_looked_for() {
        let element = ("java.lang.reflect.Method".to_owned(), None, None);
        assert_eq!(held_in("java/lang/Class", "getMethods"), [element]);
        let looked_for = ("java.lang.annotation.Annotation".to_owned(), None, Some(0));
        assert_eq!(held_in("java/lang/Class", "getAnnotation"), [looked_for]);
        assert_eq!(held_in("java/util/concurrent/TimeUnit", "values"), []);
    }
}
