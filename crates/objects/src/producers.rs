//! Which methods and static fields of the class path are declared to give a value of a class? Built once, in parallel; holds
//! names only.

use program::{Class, ClassName, FieldRef, MethodRef, Origin, Program, Type};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::path::PathBuf;

#[derive(Debug, Default)]
pub(crate) struct Producers {
    /// Sorted; private and synthetic members are left out.
    by_class: FxHashMap<ClassName, Vec<Producer>>,
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

/// On larger class paths only the archives of the classes near the crash are read: a server product has sixty thousand
/// classes, and those of other archives rarely give what is needed here.
const MAX_CLASSES: usize = 15_000;

impl Producers {
    pub(crate) fn build(program: &Program, near: &[ClassName]) -> Producers {
        let names = names(program, near);
        let read = |name: &ClassName| {
            // Read past the program's memory: thousands of classes that nobody asks for again would stay there.
            let class = Class::read(&program.class_bytes(*name)?).ok()?;
            Some((class.access.is_annotation().then_some(class.name), producers(&class)))
        };
        let (annotation_types, parts): (Vec<_>, Vec<_>) = names.par_iter().filter_map(read).unzip();
        let mut index =
            Producers { annotation_types: annotation_types.into_iter().flatten().collect(), ..Producers::default() };
        for (class, producer) in parts.into_iter().flatten() {
            index.by_class.entry(class).or_default().push(producer);
        }
        index.by_class.values_mut().for_each(|producers| producers.sort_unstable());
        index
    }

    pub(crate) fn annotation_types(&self) -> &[ClassName] {
        &self.annotation_types
    }

    pub(crate) fn of(&self, class: ClassName) -> &[Producer] {
        self.by_class.get(&class).map_or(&[], Vec::as_slice)
    }
}

fn names(program: &Program, near: &[ClassName]) -> Vec<ClassName> {
    let all = program.classes();
    if all.len() <= MAX_CLASSES {
        return all;
    }
    let archives: Vec<PathBuf> = near.iter().filter_map(|class| archive_of(program, *class)).collect();
    all.into_iter()
        .filter(|class| archive_of(program, *class).is_some_and(|archive| archives.contains(&archive)))
        .collect()
}

fn archive_of(program: &Program, class: ClassName) -> Option<PathBuf> {
    match program.origin(class)? {
        Origin::Archive { archive, nested, .. } => Some(nested.map_or(archive.clone(), |nested| archive.join(nested))),
        Origin::File(_) | Origin::Module(_) => None,
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

/// Strings and plain objects come from everywhere and are had more cheaply.
fn is_particular(class: &str) -> bool {
    !matches!(class, "java/lang/String" | "java/lang/Object" | "java/lang/Class" | "java/lang/Integer")
}
