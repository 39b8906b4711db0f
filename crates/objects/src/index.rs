//! Over all classes of the class path: who extends whom, and which methods and static fields give a value of which class.
//! Built once, in parallel; holds names only.

use program::{Class, ClassName, FieldRef, MethodRef, Program, Type};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Direct subclasses and implementors, sorted.
    subtypes: FxHashMap<ClassName, Vec<ClassName>>,
    /// Sorted; private and synthetic members are left out.
    producers: FxHashMap<ClassName, Vec<Producer>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Producer {
    /// A method that returns the class, static or not.
    Method(MethodRef),
    /// A static field of the class.
    Field(FieldRef),
}

impl Index {
    pub(crate) fn build(program: &Program, names: &[ClassName]) -> Index {
        let parts: Vec<Part> =
            names.par_iter().filter_map(|name| program.class(*name)).map(|class| Part::of(&class)).collect();
        let mut index = Index::default();
        for part in parts {
            part.parents.iter().for_each(|parent| index.subtypes.entry(*parent).or_default().push(part.class));
            for (class, producer) in part.producers {
                index.producers.entry(class).or_default().push(producer);
            }
        }
        index.subtypes.values_mut().for_each(|subtypes| subtypes.sort_unstable());
        index.producers.values_mut().for_each(|producers| producers.sort_unstable());
        index
    }

    pub(crate) fn direct_subtypes(&self, class: ClassName) -> &[ClassName] {
        self.subtypes.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Subtypes of all levels on the class path, nearest first, the class itself not among them; at most `limit`.
    pub(crate) fn subtypes(&self, class: ClassName, limit: usize) -> Vec<ClassName> {
        let mut found: Vec<ClassName> = Vec::new();
        let mut level = vec![class];
        while !level.is_empty() && found.len() < limit {
            let mut next: Vec<ClassName> = level.iter().flat_map(|name| self.direct_subtypes(*name)).copied().collect();
            next.sort_unstable();
            next.dedup();
            next.retain(|name| *name != class && !found.contains(name));
            found.extend(&next);
            level = next;
        }
        found.truncate(limit);
        found
    }

    pub(crate) fn producers(&self, class: ClassName) -> &[Producer] {
        self.producers.get(&class).map_or(&[], Vec::as_slice)
    }
}

struct Part {
    class: ClassName,
    parents: Vec<ClassName>,
    producers: Vec<(ClassName, Producer)>,
}

impl Part {
    fn of(class: &Class) -> Part {
        let mut parents: Vec<ClassName> = class.interfaces.clone();
        // Everything is an `Object`; listing that would help nobody.
        parents.extend(class.super_class.filter(|name| *name != ClassName::object()));
        let methods = class.methods.iter().filter_map(|method| {
            let hidden = method.access.is_private() || method.access.is_synthetic() || method.access.is_bridge();
            let Some(Type::Class(ret)) = method.reference().signature().ret.filter(|_| !hidden) else { return None };
            is_particular(ret).then_some((ret, Producer::Method(method.reference())))
        });
        let fields = class.fields.iter().filter_map(|field| {
            let fits = field.access.is_static() && !field.access.is_private() && !field.access.is_synthetic();
            let Some(Type::Class(ty)) = Type::parse(field.descriptor.as_str()).filter(|_| fits) else { return None };
            is_particular(ty).then_some((ty, Producer::Field(field.reference())))
        });
        Part { class: class.name, parents, producers: methods.chain(fields).collect() }
    }
}

/// Strings and plain objects come from everywhere and are had more cheaply.
fn is_particular(class: ClassName) -> bool {
    !matches!(class.as_internal(), "java/lang/String" | "java/lang/Object" | "java/lang/Class" | "java/lang/Integer")
}
