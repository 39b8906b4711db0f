//! Which methods can a test call on an object, or on a class?

use super::Catalogue;
use crate::callable::{CallKind, Callable};
use crate::vantage::Vantage;
use program::{ClassName, Symbol};
use recipe::Access;
use std::sync::Arc;

/// A method that the test can call, with how it is reached.
#[derive(Clone, Debug)]
pub struct Usable {
    pub callable: Arc<Callable>,
    pub access: Access,
}

impl Catalogue {
    /// The methods that can be called on a value of the class, inherited ones included, under the class that declares them;
    /// those of `Object`, static ones and reflection left out. Sorted by class and name.
    pub fn members(&self, class: ClassName, from: Vantage) -> Arc<[Usable]> {
        self.members.get_or((class, from), || self.find_members(class, from).into())
    }

    /// The static methods and constructors that a test can call on the class without reflection, sorted.
    pub fn static_members(&self, class: ClassName, from: Vantage) -> Vec<Usable> {
        let Some(declaring) = self.program.class(class) else { return Vec::new() };
        let methods = declaring.methods.iter().filter(|method| {
            let is_candidate =
                method.access.is_static() || (method.is_constructor() && !declaring.access.is_abstract());
            is_candidate
                && !method.access.is_synthetic()
                && !method.is_static_initialiser()
                && !declaring.access.is_enum()
        });
        let usable = methods.filter_map(|method| {
            let access = from.member(&self.program, &declaring, method.access.visibility())?;
            Some(Usable { callable: self.callable(method.reference())?, access })
        });
        usable.filter(|usable| usable.access != Access::Reflective).collect()
    }

    fn find_members(&self, class: ClassName, from: Vantage) -> Vec<Usable> {
        let mut found: Vec<Usable> = Vec::new();
        let mut seen: Vec<(Symbol, Symbol)> = Vec::new();
        for name in std::iter::once(class).chain(self.program.supertypes(class).0) {
            let Some(declaring) = self.program.class(name).filter(|_| name != ClassName::object()) else { continue };
            for method in &declaring.methods {
                if method.access.is_synthetic() || seen.contains(&(method.name, method.descriptor)) {
                    continue;
                }
                let Some(callable) =
                    self.callable(method.reference()).filter(|callable| callable.kind == CallKind::Virtual)
                else {
                    continue;
                };
                let access = from.member(&self.program, &declaring, callable.visibility);
                let Some(access) = access.filter(|access| *access != Access::Reflective) else { continue };
                seen.push((method.name, method.descriptor));
                found.push(Usable { callable, access });
            }
        }
        found.sort_by_key(|usable| usable.callable.method);
        found
    }
}
