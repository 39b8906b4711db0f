//! Which annotations does a library near the crash read at run time, and how are they written? Frameworks that map classes of
//! their users (command lines, documents, services) crash on such classes only.

use super::Catalogue;
use program::classfile::signature::{GenericType, TypeArgument};
use program::classfile::{Annotation, ElementValue};
use program::{Class, ClassName, MethodRef, Symbol, Type};
use std::sync::Arc;

/// An annotation type that is kept at run time.
#[derive(Clone, Debug)]
pub struct AnnotationType {
    pub class: ClassName,
    pub targets: Targets,
    pub elements: Vec<Element>,
}

/// Where the annotation may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets {
    pub class: bool,
    pub field: bool,
    pub method: bool,
    pub parameter: bool,
}

#[derive(Clone, Debug)]
pub struct Element {
    pub name: Symbol,
    pub ty: Type,
    /// Which classes may be given: `? extends X` of `Class<? extends X>`.
    pub classes: TypeArgument,
    pub is_required: bool,
}

impl Catalogue {
    /// The annotation types in the packages of the classes near the crash, sorted by name.
    pub fn annotations(&self) -> &[AnnotationType] {
        self.annotations.get_or_init(|| {
            let packages: Vec<&str> = self.near.iter().map(|class| class.package()).collect();
            let near = self.producers().annotation_types().iter().filter(|class| packages.contains(&class.package()));
            near.filter_map(|class| self.annotation(*class)).collect()
        })
    }

    /// One annotation type, if it is kept at run time and public.
    pub fn annotation(&self, class: ClassName) -> Option<AnnotationType> {
        let class = self.program.class(class)?;
        let nameable = crate::AccessContext::public().class(&self.program, &class).is_some();
        let marks = class.annotations().ok()?;
        let retained = marks.iter().any(|mark| is(mark, "java/lang/annotation/Retention") && mentions(mark, "RUNTIME"));
        if !nameable || !retained || !class.access.is_annotation() {
            return None;
        }
        let target = marks.iter().find(|mark| is(mark, "java/lang/annotation/Target"));
        let allowed = |place: &str| target.is_none_or(|mark| mentions(mark, place));
        let targets = Targets {
            class: allowed("TYPE"),
            field: allowed("FIELD"),
            method: allowed("METHOD"),
            parameter: allowed("PARAMETER"),
        };
        Some(AnnotationType { class: class.name, targets, elements: elements(&class) })
    }

    /// The constants of an enum, in their order.
    pub fn enum_constants(&self, class: ClassName) -> Arc<[program::FieldRef]> {
        let Some(class) = self.program.class(class).filter(|class| class.access.is_enum()) else {
            return Arc::default();
        };
        let constants = class.fields.iter().filter(|field| field.access.is_enum_constant());
        constants.map(|field| field.reference()).collect()
    }
}

fn elements(class: &Class) -> Vec<Element> {
    let methods = class.methods.iter().filter(|method| method.access.is_abstract());
    let element = |method: &program::Method| {
        let reference: MethodRef = method.reference();
        let is_required = method.annotation_default().ok()?.is_none();
        let classes = method.signature().and_then(|signature| of_class(signature.ret.as_ref()?));
        let classes = classes.unwrap_or(TypeArgument::Any);
        Some(Element { name: method.name, ty: reference.signature().ret?, classes, is_required })
    };
    methods.filter_map(element).collect()
}

/// `? extends X` of `Class<? extends X>` and `Class<? extends X>[]`.
fn of_class(ty: &GenericType) -> Option<TypeArgument> {
    match ty {
        GenericType::Array(component) => of_class(component),
        GenericType::Class(class) => class.arguments.first().cloned(),
        GenericType::Primitive(_) | GenericType::Variable(_) => None,
    }
}

fn is(mark: &Annotation, class: &str) -> bool {
    mark.annotation_type == Type::class(class)
}

/// Whether an enum constant of this name is among the annotation's values.
fn mentions(mark: &Annotation, constant: &str) -> bool {
    fn holds(value: &ElementValue, name: &str) -> bool {
        match value {
            ElementValue::Enum { constant, .. } => constant.as_str() == name,
            ElementValue::Array(values) => values.iter().any(|value| holds(value, name)),
            _ => false,
        }
    }
    mark.elements.iter().any(|(_, value)| holds(value, constant))
}

#[cfg(test)]
mod tests {
    use crate::Catalogue;
    use crate::testing::program_of;
    use program::ClassName;
    use program::classfile::signature::{FieldSignature, TypeArgument};

    #[test]
    fn classes_in_annotations_have_bounds() {
        let catalogue = Catalogue::new(program_of(&["info.picocli/picocli/4.1.4"]), &[]);
        let option = catalogue.annotation(ClassName::internal("picocli/CommandLine$Option")).expect("it is kept");
        let classes =
            |name: &str| option.elements.iter().find(|element| element.name.as_str() == name).map(|one| &one.classes);
        let extends = |signature: &str| {
            let FieldSignature(ty) = FieldSignature::parse(signature).expect("a signature");
            TypeArgument::Extends(ty)
        };
        assert_eq!(classes("converter"), Some(&extends("Lpicocli/CommandLine$ITypeConverter<*>;")));
        assert_eq!(classes("completionCandidates"), Some(&extends("Ljava/lang/Iterable<Ljava/lang/String;>;")));
        assert_eq!(classes("type"), Some(&TypeArgument::Any));
        assert_eq!(classes("description"), Some(&TypeArgument::Any));
    }
}
