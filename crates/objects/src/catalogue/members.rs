//! Which methods can a test call on an object, or on a class?

use super::Catalogue;
use crate::callable::{CallKind, Callable};
use crate::vantage::Vantage;
use program::classfile::Visibility;
use program::{Class, ClassName, MethodRef, Symbol};
use recipe::Access;
use std::sync::Arc;

/// A method that the test can call, with how it is reached.
#[derive(Clone, Debug)]
pub struct Usable {
    pub callable: Arc<Callable>,
    /// The name under which it is called: of the class that was asked for, where the declaring one cannot be named.
    pub name: MethodRef,
    pub access: Access,
}

impl Catalogue {
    /// The methods that can be called on a value of the class, inherited ones included; those of `Object`, static ones and
    /// reflection left out. Sorted by class and name.
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
            Some(Usable { callable: self.callable(method.reference())?, name: method.reference(), access })
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
                let Some((name, access)) = self.name_of_inherited(class, &declaring, &callable, from) else { continue };
                seen.push((method.name, method.descriptor));
                found.push(Usable { callable, name, access });
            }
        }
        found.sort_by_key(|usable| usable.callable.method);
        found
    }

    /// A public method of a class that the test cannot name is called under the class that inherits it, as compilers do.
    fn name_of_inherited(
        &self,
        class: ClassName,
        declaring: &Class,
        callable: &Callable,
        from: Vantage,
    ) -> Option<(MethodRef, Access)> {
        let direct = |access: &Access| *access != Access::Reflective;
        if let Some(access) = from.member(&self.program, declaring, callable.visibility).filter(direct) {
            return Some((callable.method, access));
        }
        let inheriting = self.program.class(class).filter(|_| callable.visibility == Visibility::Public)?;
        let access = from.class(&self.program, &inheriting).filter(direct)?;
        Some((MethodRef { class, ..callable.method }, access))
    }
}
