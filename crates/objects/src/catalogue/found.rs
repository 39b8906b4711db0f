//! Objects that are inside others: elements of the lists, arrays and optionals that methods give, and what a method looks for by its
//! class, as in `<N extends Node> Optional<N> findFirst(Class<N> type)`. A node that stands in a parsed document is what the
//! program works with; one put together by hand stands in none.

use super::Catalogue;
use crate::access::AccessContext;
use crate::callable::{CallKind, Callable};
use crate::producers::{Held, Producer};
use crate::subtypes::nearest_subtypes;
use program::{ClassName, MethodRef, Type};
use recipe::Access;
use std::sync::Arc;

/// A method that gives the object in something else, or only if it is asked for its class.
#[derive(Clone, Debug)]
pub struct Found {
    pub callable: Arc<Callable>,
    /// The parameter that takes the class to look for.
    pub class_at: Option<usize>,
    pub holder: Holder,
}

/// A static method that makes an object of a text.
#[derive(Clone, Debug)]
pub struct Reader {
    pub callable: Arc<Callable>,
    pub access: Access,
}

/// What holds the object, by how it is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nothing: the method gives the object itself, under a supertype.
    Bare,
    Array,
    /// The calls, each on what the one before gave.
    Calls(&'static [Step]),
}

/// A call that takes something out of a JDK object; a list is asked for its first element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
}

impl Step {
    const fn new(class: &'static str, name: &'static str, descriptor: &'static str) -> Step {
        Step { class, name, descriptor }
    }

    pub fn method(self) -> MethodRef {
        MethodRef::new(self.class, self.name, self.descriptor)
    }
}

const NEXT: Step = Step::new("java/util/Iterator", "next", "()Ljava/lang/Object;");
/// What things are kept in, the more particular first, how they are got out of it, and which type argument they are.
const HOLDERS: [(&str, &[Step], usize); 8] = [
    ("java/util/Optional", &[Step::new("java/util/Optional", "get", "()Ljava/lang/Object;")], 0),
    ("java/util/List", &[Step::new("java/util/List", "get", "(I)Ljava/lang/Object;")], 0),
    ("java/util/Iterator", &[NEXT], 0),
    ("java/lang/Iterable", &[Step::new("java/lang/Iterable", "iterator", "()Ljava/util/Iterator;"), NEXT], 0),
    (
        "java/util/stream/Stream",
        &[Step::new("java/util/stream/BaseStream", "iterator", "()Ljava/util/Iterator;"), NEXT],
        0,
    ),
    (
        "java/util/Map",
        &[
            Step::new("java/util/Map", "values", "()Ljava/util/Collection;"),
            Step::new("java/lang/Iterable", "iterator", "()Ljava/util/Iterator;"),
            NEXT,
        ],
        1,
    ),
    ("java/util/function/Supplier", &[Step::new("java/util/function/Supplier", "get", "()Ljava/lang/Object;")], 0),
    ("java/util/concurrent/Callable", &[Step::new("java/util/concurrent/Callable", "call", "()Ljava/lang/Object;")], 0),
];

impl Catalogue {
    /// Methods that have an object of the class in what they give; those of the same package first.
    pub(super) fn found_in(&self, class: ClassName) -> Vec<Found> {
        let mut held: Vec<Held> = self.producers().holding(class).to_vec();
        let above = self.supertypes_of(class);
        let looks_for = |held: &&Held| held.element == class || above.contains(&held.element);
        let mut finders: Vec<Held> = self.producers().finders().iter().filter(looks_for).copied().collect();
        let is_far = |held: &Held| held.method.class.package() != class.package();
        held.sort_by_cached_key(|held| (is_far(held), *held));
        finders.sort_by_cached_key(|held| (is_far(held), *held));
        let most = self.policy.ways.most_found;
        let all = finders.into_iter().take(most / 2).chain(held);
        all.filter_map(|held| self.found_by(held)).take(most).collect()
    }

    fn found_by(&self, held: Held) -> Option<Found> {
        let holder = match held.method.signature().ret? {
            Type::Array(_) => Holder::Array,
            Type::Class(class) => match held.argument {
                Some(argument) => self.holder(class, argument)?,
                None => Holder::Bare,
            },
            _ => return None,
        };
        Some(Found { callable: self.callable(held.method)?, class_at: held.looks_for, holder })
    }

    fn holder(&self, class: ClassName, argument: usize) -> Option<Holder> {
        // Only the JDK's own classes say which argument is which; of others, the only one is meant.
        let parameters = |class: ClassName| Some(self.program.class(class)?.signature()?.type_parameters.len());
        if !self.program.is_jdk(class) && parameters(class) != Some(1) {
            return None;
        }
        let is_it = |(name, _, at): &&(&str, &[Step], usize)| {
            *at == argument && self.is_subclass(class, ClassName::internal(name))
        };
        HOLDERS.iter().find(is_it).map(|(_, steps, _)| Holder::Calls(steps))
    }

    /// Static methods that make an object of the class, or of a subclass, of a text.
    pub fn readers(&self, class: ClassName, from: AccessContext) -> Arc<[Reader]> {
        self.readers.get_or((class, from), || self.find_readers(class, from).into())
    }

    fn find_readers(&self, class: ClassName, from: AccessContext) -> Vec<Reader> {
        // A parser gives the root of what it reads, which is one of many kinds of node.
        let subtypes = nearest_subtypes(self, class, self.policy.ways.subtypes_of_readers);
        let kinds = std::iter::once(class).chain(subtypes);
        let methods = kinds.flat_map(|kind| self.producers().of(kind).to_vec()).filter_map(|producer| match producer {
            Producer::Method(method) => Some(method),
            Producer::Field(_) => None,
        });
        let reader = |method: MethodRef| {
            let callable = self.callable(method)?;
            let owner = self.program.class(method.class)?;
            let access = from.member(&self.program, &owner, callable.visibility)?;
            let is_fitting = super::collect::is_reader(&callable) && callable.kind == CallKind::Static;
            (is_fitting && access != Access::Reflective).then_some(Reader { callable, access })
        };
        methods.filter_map(reader).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program_of;

    fn shown(catalogue: &Catalogue, class: &str) -> Vec<String> {
        let found = catalogue.found_in(ClassName::internal(class));
        found.iter().map(|found| format!("{} {:?} {:?}", found.callable.method, found.class_at, found.holder)).collect()
    }

    #[test]
    fn elements_are_found_in_what_methods_give() {
        let catalogue = Catalogue::new(program_of(&["commons-cli/commons-cli/1.5.0"]), &[]);
        let found = shown(&catalogue, "org/apache/commons/cli/Option");
        let has = |method: &str, holder: &str| found.iter().any(|one| one.contains(method) && one.contains(holder));
        assert!(has("CommandLine.getOptions()", "Array"), "{found:?}");
        assert!(has("Options.getOptions()", "\"iterator\""), "{found:?}");
        assert!(has("CommandLine.iterator()", "\"next\""), "{found:?}");
        assert_eq!(shown(&catalogue, "java/lang/String"), Vec::<String>::new());
    }

    #[test]
    fn values_of_maps_are_taken_out() {
        let catalogue = Catalogue::new(program_of(&["info.picocli/picocli/4.7.0"]), &[]);
        let found = shown(&catalogue, "picocli/CommandLine");
        let of_map = found.iter().find(|one| one.contains("getSubcommands()")).expect("a map of them");
        assert!(of_map.contains("\"values\"") && of_map.contains("\"next\""), "{of_map}");
        // Keys are left where they are.
        let holder = |class, argument| catalogue.holder(ClassName::internal(class), argument);
        assert!(holder("java/util/TreeMap", 1).is_some());
        assert_eq!(holder("java/util/TreeMap", 0), None);
    }
}
