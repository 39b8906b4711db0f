//! Which objects make a call run exactly this method, and under which name can the test call it?

use super::Catalogue;
use crate::access::AccessContext;
use crate::subtypes::nearest_subtypes;
use program::{ClassName, Method, MethodRef, Type};
use recipe::Access;
use std::sync::Arc;

impl Catalogue {
    /// Concrete classes on whose objects a call of the method runs this very body: the declaring class, then subclasses that
    /// do not override it, the nearest first. Empty for static methods and constructors.
    pub fn owners(&self, method: MethodRef) -> Arc<[ClassName]> {
        self.owners.get_or(method, || self.find_owners(method).into())
    }

    /// Whether a call of the method on an object of the class runs this very body.
    pub fn dispatches(&self, class: ClassName, method: MethodRef) -> bool {
        self.dispatch.get_or((class, method), || {
            let selected = self.program.select_virtual(class, method).found();
            selected.is_some_and(|selected| selected.reference() == method)
        })
    }

    /// How a test calls the method on a value of static type `on`: the method itself, or one that it overrides, under a class
    /// that the test can name. Direct access is preferred; reflection comes last.
    pub fn name_for(&self, method: MethodRef, on: Type, from: AccessContext) -> Option<(MethodRef, Access)> {
        let on = match on {
            Type::Class(class) => class,
            _ => ClassName::object(),
        };
        self.names.get_or((method, on, from), || self.find_name(method, on, from))
    }

    fn find_owners(&self, method: MethodRef) -> Vec<ClassName> {
        let Some(declared) = self.program.declared_method(method) else { return Vec::new() };
        if declared.access.is_static() || declared.is_constructor() || declared.access.is_abstract() {
            return Vec::new();
        }
        // More are not needed: they run the same code.
        let most = self.policy.ways.owners;
        let below = nearest_subtypes(self, method.class, 4 * most);
        let candidates = std::iter::once(method.class).chain(below);
        let concrete = candidates.filter(|name| {
            let class = self.program.class(*name);
            class.is_some_and(|class| !class.access.is_abstract()) && self.dispatches(*name, method)
        });
        concrete.take(most).collect()
    }

    fn find_name(&self, method: MethodRef, on: ClassName, from: AccessContext) -> Option<(MethodRef, Access)> {
        let mut names: Vec<(MethodRef, Access)> = Vec::new();
        for form in self.forms(method) {
            let above = std::iter::once(on).chain(self.program.supertypes(on).0);
            let declaring = above.filter_map(|class| self.program.declared_method(MethodRef { class, ..form }));
            for found in declaring.filter(|found| !found.access.is_static()) {
                let by_method = from.member(&self.program, &found.class, found.access.visibility());
                names.extend(by_method.map(|access| (found.reference(), access)));
                // A public method of a class that cannot be named is called under a subclass that can.
                if found.access.is_public()
                    && by_method != Some(Access::Public)
                    && self.is_subclass(on, found.class.name)
                {
                    let class = self.program.class(on);
                    let by_receiver = class.and_then(|class| from.class(&self.program, &class));
                    names.extend(by_receiver.map(|access| (MethodRef { class: on, ..form }, access)));
                }
            }
        }
        names.into_iter().min_by_key(|(_, access)| *access)
    }

    /// The method, and its bridges: the descriptors under which callers know it when it refines a generic one.
    fn forms(&self, method: MethodRef) -> Vec<MethodRef> {
        let mut forms = vec![method];
        let Some(class) = self.program.class(method.class) else { return forms };
        let arity = method.signature().params.len();
        let is_form = |other: &&Method| {
            other.access.is_bridge() && other.name == method.name && other.reference().signature().params.len() == arity
        };
        forms.extend(class.methods.iter().filter(is_form).map(Method::reference));
        forms
    }
}
