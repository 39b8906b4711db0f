//! Shapes of the program's classes, from their class files.

use super::{Manner, Shape, Shapes};
use program::classfile::{Class, Method};
use program::{ClassName, MethodRef, Program, Symbol, Type};
use std::sync::Arc;

impl Shapes for Program {
    fn shape(&self, class: ClassName) -> Option<Shape> {
        let found = self.class(class)?;
        Some(Shape { is_interface: found.access.is_interface(), is_platform: self.is_jdk(class) })
    }

    fn abstract_methods(&self, super_class: ClassName, interfaces: &[ClassName]) -> Vec<(Symbol, Symbol)> {
        let chain: Vec<Arc<Class>> =
            [super_class].into_iter().chain(self.superclasses(super_class)).filter_map(|c| self.class(c)).collect();
        let mut above: Vec<Arc<Class>> = Vec::new();
        for start in chain.iter().map(|class| class.name).chain(interfaces.iter().copied()) {
            let all = [start].into_iter().chain(self.supertypes(start).0);
            above.extend(all.filter_map(|c| self.class(c)).filter(|class| class.access.is_interface()));
        }
        above.sort_by_key(|class| class.name);
        above.dedup_by_key(|class| class.name);
        let declared = chain.iter().chain(&above).flat_map(|class| &class.methods);
        let mut found: Vec<(Symbol, Symbol)> = declared
            .filter(|method| method.access.is_abstract() && is_missing(self, method, &chain, &above))
            .map(|method| (method.name, method.descriptor))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn can_call(&self, method: MethodRef, manner: Manner, package: &str) -> bool {
        let params = method.signature().params;
        has_member(self, method, manner, package)
            && can_name(self, Type::Class(method.class), package)
            && params.into_iter().all(|param| can_name(self, param, package))
    }
}

fn has_member(program: &Program, method: MethodRef, manner: Manner, package: &str) -> bool {
    let Some(class) = program.class(method.class) else { return manner == Manner::Constructor };
    let Some(found) = program.resolve_method(method).found() else { return false };
    let is_right = match manner {
        Manner::Static { .. } => found.access.is_static(),
        Manner::Virtual { .. } => !found.access.is_static(),
        Manner::Constructor => found.class.name == method.class && !class.access.is_abstract(),
    };
    let is_near = found.class.name.package() == package && !found.access.is_private();
    // Methods of method handles have any descriptor.
    is_right && found.descriptor == method.descriptor && (found.access.is_public() || is_near)
}

/// Packages of the JDK that are no API: most of them nobody else may use.
const INTERNAL: [&str; 4] = ["jdk/", "sun/", "com/sun/", "org/jcp/"];

fn can_name(program: &Program, ty: Type, package: &str) -> bool {
    let mut element = ty;
    while let Type::Array(array) = element {
        element = array.component();
    }
    let Type::Class(name) = element else { return true };
    let Some(class) = program.class(name) else { return name.as_internal().starts_with(OURS) || is_stub(name) };
    let is_api = !INTERNAL.iter().any(|prefix| name.as_internal().starts_with(prefix));
    class.access.is_public() && is_api || name.package() == package
}

/// Where our own classes are that stubs and declared classes know.
const OURS: &str = "reenact/";

fn is_stub(name: ClassName) -> bool {
    name.simple().starts_with(super::STUB_MARK)
}

/// Whether an abstract method stays without a body: the nearest superclass that declares it decides; where none does, an
/// interface below the method's own may have a default.
fn is_missing(program: &Program, method: &Method, chain: &[Arc<Class>], above: &[Arc<Class>]) -> bool {
    let same = |other: &&Method| {
        (other.name, other.descriptor) == (method.name, method.descriptor) && !other.access.is_static()
    };
    let nearest = chain.iter().find_map(|class| class.methods.iter().find(same));
    if let Some(nearest) = nearest.filter(|nearest| !nearest.access.is_private()) {
        return nearest.access.is_abstract();
    }
    let mut defaults = above.iter().flat_map(|class| &class.methods).filter(same).filter(|m| !m.access.is_abstract());
    !defaults.any(|default| program.is_subtype(default.class, method.class) == program::Subtype::Yes)
}
