//! Objects of the test itself: a lambda, an anonymous class of an interface, an anonymous subclass. Says what can be made that
//! way and which methods are then open to a body.

use super::Catalogue;
use crate::access::AccessContext;
use crate::callable::Callable;
use program::classfile::Visibility;
use program::{Class, ClassName, MethodRef, Symbol};
use recipe::Access;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Stub {
    pub form: StubForm,
    /// The abstract methods, sorted by name; exactly one for a lambda. Of a class that has none missing, those that can be
    /// overridden.
    pub methods: Box<[Arc<Callable>]>,
    /// Nothing is missing: the object differs from a real one only in what it overrides.
    pub overrides: bool,
}

#[derive(Clone, Debug)]
pub enum StubForm {
    Lambda(ClassName),
    Interface(ClassName),
    /// By this constructor.
    Subclass(Arc<Callable>),
}

impl Stub {
    /// The class that it stands for; none for a lambda, which is what its interface is there for.
    pub fn class(&self) -> Option<ClassName> {
        match &self.form {
            StubForm::Lambda(_) => None,
            StubForm::Interface(interface) => Some(*interface),
            StubForm::Subclass(constructor) => Some(constructor.method.class),
        }
    }
}

impl Catalogue {
    /// Whether a supertype is nested in the class itself, as Scala allows. Java's compiler calls that cyclic inheritance
    /// and refuses every subclass.
    fn depends_on_itself(&self, class: ClassName) -> bool {
        let inside = format!("{}$", class.as_internal());
        self.program.supertypes(class).0.iter().any(|above| above.as_internal().starts_with(&inside))
    }

    /// The ways to stand for the class by an object of the test, with how the class is reached.
    pub(super) fn stubs(&self, class: &Class, from: AccessContext) -> Vec<(Stub, Access)> {
        if self.depends_on_itself(class.name) || !recipe::types::can_be_implemented(class.name, &self.program) {
            return Vec::new();
        }
        let Some(access) = from.class(&self.program, class).filter(|access| *access != Access::Reflective) else {
            return Vec::new();
        };
        let closed = class.access.is_final() || class.access.is_annotation() || class.access.is_enum();
        if closed || !class.permitted_subclasses.is_empty() {
            return Vec::new();
        }
        let overrides = !class.access.is_abstract();
        let methods = if overrides { Some(self.overridable(class, from)) } else { self.abstract_methods(class, from) };
        let Some(methods) = methods else { return Vec::new() };
        if class.is_interface() {
            let form = if methods.len() == 1 { StubForm::Lambda(class.name) } else { StubForm::Interface(class.name) };
            return vec![(Stub { form, methods, overrides }, access)];
        }
        let constructors =
            class.methods.iter().filter(|method| method.is_constructor() && !method.access.is_synthetic());
        let open = constructors.filter(|constructor| is_open(class.name, constructor.access.visibility(), from));
        // More of them only differ in what is passed on.
        let most = self.policy.ways.stub_constructors;
        let callables = open.filter_map(|constructor| self.callable(constructor.reference())).take(most);
        let stub = |constructor| Stub { form: StubForm::Subclass(constructor), methods: methods.clone(), overrides };
        callables.map(|constructor| (stub(constructor), access)).collect()
    }

    /// The methods of a concrete class that an anonymous subclass can replace, `toString` and its like included.
    fn overridable(&self, class: &Class, from: AccessContext) -> Box<[Arc<Callable>]> {
        let mut seen: Vec<(Symbol, Symbol)> = Vec::new();
        let mut found: Vec<MethodRef> = Vec::new();
        for name in std::iter::once(class.name).chain(self.program.superclasses(class.name)) {
            let Some(declaring) = self.program.class(name) else { continue };
            for method in
                declaring.methods.iter().filter(|method| !method.is_constructor() && !method.access.is_static())
            {
                let of_object = name == ClassName::object() && !is_of_object(method.reference());
                let known = seen.contains(&(method.name, method.descriptor));
                if known || of_object || method.access.is_synthetic() {
                    continue;
                }
                seen.push((method.name, method.descriptor));
                if !method.access.is_final() && is_open(name, method.access.visibility(), from) {
                    found.push(method.reference());
                }
            }
        }
        found.sort_unstable();
        found.into_iter().filter_map(|method| self.callable(method)).collect()
    }

    /// The methods that an object must still have; `None` if one of them cannot be written from the test's package.
    pub(super) fn abstract_methods(&self, class: &Class, from: AccessContext) -> Option<Box<[Arc<Callable>]>> {
        let mut found: Vec<MethodRef> = Vec::new();
        let mut seen: Vec<(Symbol, Symbol)> = Vec::new();
        for name in std::iter::once(class.name).chain(self.program.supertypes(class.name).0) {
            let Some(declaring) = self.program.class(name) else { continue };
            for method in declaring.methods.iter().filter(|method| method.access.is_abstract()) {
                if seen.contains(&(method.name, method.descriptor))
                    || (class.is_interface() && is_of_object(method.reference()))
                {
                    continue;
                }
                seen.push((method.name, method.descriptor));
                let selected = self.program.select_virtual(class.name, method.reference()).found();
                if selected.is_some_and(|selected| !selected.access.is_abstract()) {
                    continue;
                }
                if !is_open(name, method.access.visibility(), from) {
                    return None;
                }
                found.push(method.reference());
            }
        }
        found.sort_unstable();
        found.into_iter().map(|method| self.callable(method)).collect()
    }
}

/// Whether a subclass in the test can call or override the member.
fn is_open(class: ClassName, visibility: Visibility, from: AccessContext) -> bool {
    match visibility {
        Visibility::Public | Visibility::Protected => true,
        Visibility::Package => from.package == Some(class.package()),
        Visibility::Private => false,
    }
}

/// Interfaces may repeat public methods of `Object`, which every object has.
pub fn is_of_object(method: MethodRef) -> bool {
    matches!(
        (method.name.as_str(), method.descriptor.as_str()),
        ("equals", "(Ljava/lang/Object;)Z") | ("hashCode", "()I") | ("toString", "()Ljava/lang/String;")
    )
}
