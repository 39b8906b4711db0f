//! Classes that are asked which type they were extended for: `new TypeToken<List<String>>() {}`. Readers of JSON, containers
//! and mappers take them where a class would say too little.

use super::Catalogue;
use super::way::{How, Way};
use crate::access::AccessContext;
use program::classfile::Visibility;
use program::{Class, ClassName, MethodRef, Type};
use recipe::Access;

impl Catalogue {
    /// A subclass of the test's own that says what the type parameter is, where the class or one above it looks for that.
    pub(super) fn tokens(&self, wanted: ClassName, from: AccessContext) -> Option<Way> {
        let class = self.program.class(wanted)?;
        if !self.is_token(&class) {
            return None;
        }
        let access = from.class(&self.program, &class).filter(|access| *access != Access::Reflective)?;
        let weight = self.policy.ways.token;
        Some(Way { how: How::Token(wanted), access, yields: Type::Class(wanted), creates: None, weight })
    }

    fn is_token(&self, class: &Class) -> bool {
        let closed = class.access.is_final() || class.is_interface() || !class.permitted_subclasses.is_empty();
        let has_parameter = || class.signature().is_some_and(|signature| signature.type_parameters.len() == 1);
        let above = || std::iter::once(class.name).chain(self.program.superclasses(class.name));
        !closed
            && is_extensible(class)
            && has_parameter()
            && above().any(|name| self.asks_for_type_arguments(name))
            && recipe::types::can_be_implemented(class.name, &self.program)
            && self.abstract_methods(class, AccessContext::public()).is_some_and(|methods| methods.is_empty())
    }

    /// Whether the class has code that looks at the type arguments of a superclass.
    fn asks_for_type_arguments(&self, class: ClassName) -> bool {
        let descriptor = "()Ljava/lang/reflect/Type;";
        self.program.names_method(class, MethodRef::new("java/lang/Class", "getGenericSuperclass", descriptor))
    }
}

/// Whether a class in any package can be made of it without arguments.
fn is_extensible(class: &Class) -> bool {
    let constructors = class.methods.iter().filter(|method| method.is_constructor());
    let is_open = |visibility| matches!(visibility, Visibility::Public | Visibility::Protected);
    constructors
        .filter(|constructor| constructor.descriptor.as_str() == "()V")
        .any(|constructor| is_open(constructor.access.visibility()))
}
