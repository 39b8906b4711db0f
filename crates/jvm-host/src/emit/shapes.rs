//! Shapes of the program's classes, from their class files.

use super::{Shape, Shapes};
use program::classfile::{Class, Method};
use program::{ClassName, Program, Symbol};
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
