//! Gathers every way to a class that the class files show. Bounded in number: the nearest come first.

use super::creators::{Keeper, constructor_access};
use super::members::Usable;
use super::way::{How, Way};
use super::{Catalogue, jdk};
use crate::access::AccessContext;
use crate::callable::{CallKind, Callable};
use crate::producers::Producer;
use crate::subtypes::nearest_subtypes;
use policy::Ways;
use program::{Class, ClassName, FieldRef, MethodRef, Type};
use recipe::Access;
use rustc_hash::FxHashSet;
use std::sync::Arc;

const REPLACEABLE: [&str; 4] =
    ["java/lang/Object", "java/lang/Throwable", "java/lang/Exception", "java/lang/RuntimeException"];

pub(super) fn collect(catalogue: &Catalogue, class: ClassName, from: AccessContext) -> Vec<Way> {
    let weights = &catalogue.policy.ways;
    let mut collector =
        Collector { catalogue, weights, from, wanted: class, ways: Vec::new(), seen: FxHashSet::default() };
    collector.collect();
    collector.ways
}

struct Collector<'a> {
    catalogue: &'a Catalogue,
    weights: &'static Ways,
    from: AccessContext,
    wanted: ClassName,
    ways: Vec<Way>,
    seen: FxHashSet<Member>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Member {
    Method(MethodRef),
    Field(FieldRef),
}

impl Collector<'_> {
    fn collect(&mut self) {
        self.ways.extend(jdk::literals(self.wanted).into_iter().map(|ty| super::way::literal(ty, self.weights)));
        if jdk::is_literal(self.wanted) {
            return;
        }
        self.ways.extend(jdk::built_in(self.wanted, self.weights));
        for way in jdk::listed(&self.catalogue.program, self.wanted, self.weights) {
            self.note(&way);
            self.ways.push(way);
        }
        self.ways.extend(self.catalogue.connecting(self.wanted));
        self.ways.extend(self.catalogue.tokens(self.wanted, self.from));
        self.own_members(self.wanted, 1.0);
        self.creations(self.wanted);
        if self.wanted == ClassName::object() {
            self.stubs();
            return;
        }
        self.inside_others();
        // What other classes have for the class itself is not to be crowded out by its subtypes, nor the other way round.
        self.producers(self.wanted, self.weights.most_given);
        self.of_the_crash();
        let subtypes = nearest_subtypes(self.catalogue, self.wanted, self.weights.most_subtypes);
        // The more subtypes there are, the less each of them counts against the class itself.
        let share = self.weights.subtypes / (1.0 + subtypes.len() as f64).sqrt().max(1.0) + self.weights.each_subtype;
        for subtype in subtypes.iter().filter(|subtype| !jdk::is_literal(**subtype)) {
            self.own_members(*subtype, share * self.nearness(*subtype));
        }
        for class in std::iter::once(self.wanted).chain(subtypes) {
            self.producers(class, self.weights.most);
        }
        self.stubs();
    }

    fn stubs(&mut self) {
        let Some(class) = self.catalogue.program.class(self.wanted) else { return };
        // Of the JDK's concrete classes, only objects and exceptions are worth replacing.
        let is_jdk = self.catalogue.program.is_jdk(self.wanted);
        if is_jdk && !class.access.is_abstract() && !REPLACEABLE.contains(&self.wanted.as_internal()) {
            return;
        }
        let weight = match self.ways.len() {
            _ if !class.access.is_abstract() => self.weights.overriding,
            0 => self.weights.only_stub,
            // What a function of the program does matters less than that there is one.
            _ if self.catalogue.program.is_jdk(self.wanted) => self.weights.jdk_stub,
            _ => self.weights.stub,
        };
        for (stub, access) in self.catalogue.stubs(&class, self.from) {
            let (how, yields) = (How::Stub(Arc::new(stub)), Type::Class(self.wanted));
            self.ways.push(Way { how, access, yields, creates: None, weight: weight * self.factor(access) });
        }
    }

    /// Constructors, and the static members of the class that give an instance of it.
    fn own_members(&mut self, name: ClassName, factor: f64) {
        let Some(class) = self.catalogue.program.class(name) else { return };
        if !class.access.is_abstract() && !class.access.is_enum() {
            let constructors = class.methods.iter().filter(|method| method.is_constructor());
            for constructor in constructors {
                self.method(&class, constructor.reference(), self.weights.constructor * factor);
            }
        }
        for field in class.fields.iter().filter(|field| field.access.is_static()) {
            self.field(&class, field.reference(), self.weights.static_field * factor);
        }
        for method in class.methods.iter().filter(|method| method.access.is_static()) {
            self.method(&class, method.reference(), self.weights.factory * factor);
        }
    }

    /// Classes of the crash that are of the wanted kind: objects of them were there.
    fn of_the_crash(&mut self) {
        let catalogue = self.catalogue;
        let is_of_kind = |class: &&ClassName| **class != self.wanted && catalogue.is_subclass(**class, self.wanted);
        let near: Vec<ClassName> = catalogue.near.iter().filter(is_of_kind).copied().collect();
        for class in near {
            self.own_members(class, self.weights.of_the_crash);
            self.creations(class);
        }
    }

    /// Members that are declared to give a supertype, and in fact give the class.
    fn creations(&mut self, of: ClassName) {
        let program = &self.catalogue.program;
        let Some(class) = program.class(of) else { return };
        if program.is_jdk(of) || class.access.is_abstract() {
            return;
        }
        let constructor = constructor_access(self.catalogue, &class, self.from);
        // Whoever may construct one need not ask.
        if constructor == Some(Access::Public) {
            return;
        }
        for creation in self.catalogue.creations(of).iter() {
            let weight = match constructor {
                // Made for others to make: what they give is set up as it should be.
                Some(Access::Package) if creation.certain => self.weights.created_for_others,
                _ if creation.certain && self.ways.is_empty() => self.weights.only_creation,
                _ => self.weights.creation,
            };
            match creation.keeper {
                Keeper::Returned(method) => self.creator(method, of, weight),
                Keeper::StaticField(field) => self.creating_field(field, of, weight),
                Keeper::Used(_) => {}
            }
        }
    }

    fn creator(&mut self, method: MethodRef, of: ClassName, weight: f64) {
        let Some(class) = self.catalogue.program.class(method.class) else { return };
        let Some(callable) = self.usable(&class, method) else { return };
        let Some(yields) = callable.yields().filter(|yields| yields.is_reference()) else { return };
        // A method of a hidden class may still be called under a supertype's name: the maker looks for it.
        let access = match callable.kind {
            CallKind::Virtual => Some(Access::Public),
            CallKind::Static | CallKind::Constructor => {
                self.from.member(&self.catalogue.program, &class, callable.visibility)
            }
        };
        let Some(access) = access else { return };
        let (weight, creates) = (weight * self.factor(access), Some(of));
        self.push(Way { how: How::Call(callable), access, yields, creates, weight }, Member::Method(method));
    }

    fn creating_field(&mut self, field: FieldRef, of: ClassName, weight: f64) {
        let Some(class) = self.catalogue.program.class(field.class) else { return };
        let Some(declared) = class.field(field.name, field.descriptor) else { return };
        let access = self.from.member(&self.catalogue.program, &class, declared.access.visibility());
        let is_usable = !declared.access.is_synthetic() && !is_standard_input(field);
        let Some(access) = access.filter(|_| is_usable) else { return };
        let (weight, creates) = (weight * self.factor(access), Some(of));
        let yields = field.field_type();
        self.push(Way { how: How::StaticField(field), access, yields, creates, weight }, Member::Field(field));
    }

    /// What stands in documents and other objects. It has to be cast or asked for by its class, and so to be named.
    fn inside_others(&mut self) {
        let program = &self.catalogue.program;
        let Some(class) = program.class(self.wanted).filter(|class| !program.is_jdk(class.name)) else { return };
        if self.from.class(program, &class).is_none_or(|access| access == Access::Reflective) {
            return;
        }
        for found in self.catalogue.found_in(self.wanted) {
            let method = found.callable.method;
            let Some(owner) = program.class(method.class) else { continue };
            let access = self.from.member(program, &owner, found.callable.visibility);
            let Some(access) = access.filter(|access| *access != Access::Reflective) else { continue };
            let weight = match found.class_at {
                // What it finds is set up as the program does it.
                Some(_) => self.weights.looked_for,
                None => self.weights.element * self.nearness(method.class),
            };
            let (how, yields) = (How::Found(Arc::new(found)), Type::Class(self.wanted));
            let weight = weight * self.factor(access);
            self.push(Way { how, access, yields, creates: None, weight }, Member::Method(method));
        }
    }

    /// Members of other classes that are declared to give the class.
    fn producers(&mut self, class: ClassName, most: usize) {
        let producers = self.catalogue.producers().of(class).to_vec();
        for producer in producers {
            if self.ways.len() >= most {
                return;
            }
            let (Producer::Method(MethodRef { class: owner, .. }) | Producer::Field(FieldRef { class: owner, .. })) =
                producer;
            let Some(owner) = self.catalogue.program.class(owner) else { continue };
            let nearness = self.nearness(owner.name);
            match producer {
                Producer::Method(method) => self.method(&owner, method, self.weights.producer * nearness),
                Producer::Field(field) => self.field(&owner, field, self.weights.producer * nearness),
            }
        }
    }

    fn method(&mut self, class: &Class, method: MethodRef, weight: f64) {
        let Some(callable) = self.usable(class, method) else { return };
        let Some(access) = self.from.member(&self.catalogue.program, class, callable.visibility) else { return };
        let Some(yields) = callable.yields().filter(|yields| self.fits(*yields)) else { return };
        // A method that needs what it gives (`with..`, copies) comes later than one that does not.
        let circular = callable.params.iter().any(|param| param.ty == yields)
            || (callable.kind == CallKind::Virtual && self.catalogue.is_subclass(class.name, self.wanted));
        let reads = if is_reader(&callable) { self.weights.reader } else { 1.0 };
        let weight = weight * self.factor(access) * reads * if circular { self.weights.circular } else { 1.0 };
        let setters = if circular { None } else { self.setters(&callable) };
        if let Some(setters) = setters {
            let how = How::Build { build: callable, setters };
            self.push(
                Way { how, access, yields, creates: None, weight: self.weights.builder * weight },
                Member::Method(method),
            );
            return;
        }
        self.push(Way { how: How::Call(callable), access, yields, creates: None, weight }, Member::Method(method));
    }

    /// The fluent setters of the method's class, if it is a builder: it gives itself back to be called on.
    fn setters(&self, build: &Callable) -> Option<Arc<[Usable]>> {
        let builder = Type::Class(build.method.class);
        if build.kind != CallKind::Virtual || !build.params.is_empty() {
            return None;
        }
        let members = self.catalogue.members(build.method.class, self.from);
        let fluent = members.iter().filter(|member| {
            let callable = &member.callable;
            callable.kind == CallKind::Virtual && callable.ret == Some(builder) && !callable.params.is_empty()
        });
        let setters: Vec<Usable> = fluent.cloned().collect();
        // A builder is there to be set; other classes have a method or two that give another of their kind.
        let taking = members.iter().filter(|member| !member.callable.params.is_empty()).count();
        (!setters.is_empty() && 2 * setters.len() >= taking).then(|| setters.into())
    }

    fn usable(&self, class: &Class, method: MethodRef) -> Option<Arc<Callable>> {
        let declared = class.method(method.name, method.descriptor)?;
        let made_by_compiler = declared.access.is_synthetic() || declared.access.is_bridge();
        // Constructors of enums cannot be called at all; the others of their kind are `valueOf` and `values`.
        let hidden = made_by_compiler || (method.is_constructor() && class.access.is_abstract());
        if hidden { None } else { self.catalogue.callable(method) }
    }

    fn field(&mut self, class: &Class, field: FieldRef, weight: f64) {
        let Some(declared) = class.field(field.name, field.descriptor) else { return };
        if declared.access.is_synthetic() || !declared.access.is_static() || is_standard_input(field) {
            return;
        }
        let access = self.from.member(&self.catalogue.program, class, declared.access.visibility());
        let (Some(access), yields) = (access, field.field_type()) else { return };
        if !self.fits(yields) {
            return;
        }
        let (how, weight) = match declared.access.is_enum_constant() {
            true if access == Access::Reflective => return,
            true => (How::Enum(field), self.weights.enum_constant),
            false => (How::StaticField(field), weight),
        };
        let weight = weight * self.factor(access);
        self.push(Way { how, access, yields, creates: None, weight }, Member::Field(field));
    }

    fn fits(&self, yields: Type) -> bool {
        self.catalogue.is_assignable(yields, Type::Class(self.wanted))
    }

    fn push(&mut self, way: Way, member: Member) {
        if self.ways.len() < self.weights.most && self.seen.insert(member) {
            self.ways.push(way);
        }
    }

    fn note(&mut self, way: &Way) {
        match &way.how {
            How::Call(callable) => drop(self.seen.insert(Member::Method(callable.method))),
            How::StaticField(field) | How::Enum(field) => drop(self.seen.insert(Member::Field(*field))),
            _ => {}
        }
    }

    /// Classes of the same package are made for each other.
    fn nearness(&self, other: ClassName) -> f64 {
        if other.package() == self.wanted.package() { 1.0 } else { self.weights.other_package }
    }

    fn factor(&self, access: Access) -> f64 {
        self.catalogue.access_factor(access)
    }
}

/// A test that reads what is typed waits for ever where nobody types.
fn is_standard_input(field: FieldRef) -> bool {
    matches!(field.class.as_internal(), "java/io/FileDescriptor" | "java/lang/System") && field.name.as_str() == "in"
}

/// Whether it makes the object from a text: what people write reaches more states than what is put together by hand.
pub(super) fn is_reader(callable: &Callable) -> bool {
    const NAMES: [&str; 9] =
        ["parse", "compile", "valueOf", "forPattern", "ofPattern", "read", "load", "decode", "from"];
    let name = callable.method.name.as_str();
    NAMES.iter().any(|start| name.starts_with(start)) && callable.params.iter().any(|param| param.takes_text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{jdk_only, program_of};

    #[test]
    fn classes_of_the_crash_are_made_more_often_than_others_of_their_kind() {
        let program = program_of(&["log4j/log4j/1.2.15"]);
        let simple = ClassName::internal("org/apache/log4j/SimpleLayout");
        let share = |near: &[ClassName]| {
            let catalogue = Catalogue::new(program.clone(), near);
            let ways = catalogue.ways(Type::class("org/apache/log4j/Layout"), AccessContext::public());
            let of = |way: &&Way| way.yields == Type::Class(simple);
            let sum: f64 = ways.iter().map(|way| way.weight).sum();
            ways.iter().filter(of).map(|way| way.weight).sum::<f64>() / sum
        };
        let (near, far) = (share(&[simple]), share(&[]));
        assert!(near > 1.5 * far && far > 0.0, "{near} {far}");
    }

    #[test]
    fn nothing_reads_what_is_typed() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let fields = |class: &str| {
            let ways = catalogue.ways(Type::class(class), AccessContext::public());
            let names = ways.iter().filter_map(|way| match &way.how {
                How::StaticField(field) => Some(field.name.as_str()),
                _ => None,
            });
            names.collect::<Vec<_>>()
        };
        assert!(!fields("java/io/FileDescriptor").contains(&"in") && fields("java/io/FileDescriptor").contains(&"out"));
        assert!(!fields("java/io/InputStream").contains(&"in"));
    }
}
