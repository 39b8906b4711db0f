//! Types with type arguments, as libraries read them from classes of the user: `Map<String, List<Integer>>`.

use super::Maker;
use super::generic_class::typed;
use crate::dice::Choose;
use crate::draw::Draw;
use objects::Draft;
use objects::build;
use policy::Generics;
use program::classfile::signature::FieldSignature;
use program::{ClassName, Symbol, Type};
use recipe::{Action, Arg};
use std::ops::Range;

/// Types without arguments, the likelier first.
pub(super) const PLAIN: [&str; 10] = [
    "Ljava/lang/String;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Object;",
    "Ljava/lang/Long;",
    "Ljava/lang/Boolean;",
    "Ljava/lang/Double;",
    "Ljava/util/Date;",
    "Ljava/math/BigDecimal;",
    "Ljava/lang/Character;",
    "Ljava/lang/Number;",
];
/// Types of one argument, the likelier first.
pub(super) const OF_ONE: [&str; 8] = [
    "Ljava/util/List",
    "Ljava/util/Set",
    "Ljava/util/Collection",
    "Ljava/util/Optional",
    "Ljava/util/ArrayList",
    "Ljava/lang/Iterable",
    "Ljava/util/Queue",
    "Ljava/lang/Comparable",
];
/// Types of two arguments, the likelier first.
pub(super) const OF_TWO: [&str; 5] = [
    "Ljava/util/Map",
    "Ljava/util/TreeMap",
    "Ljava/util/Map$Entry",
    "Ljava/util/concurrent/ConcurrentMap",
    "Ljava/util/LinkedHashMap",
];

impl Maker<'_> {
    pub(super) fn numbers(&self) -> &'static Generics {
        &self.rng.policy().generics
    }

    /// An object of a subclass that says what the type parameter of the class is.
    pub(super) fn token(&mut self, draft: &mut Draft, class: ClassName) -> Arg {
        let signature = self.token_signature(draft, class);
        build::token(draft, class, signature)
    }

    /// What a subclass of a class with one type parameter extends.
    pub(super) fn token_signature(&mut self, draft: &mut Draft, class: ClassName) -> Symbol {
        let mut signature = String::new();
        for _ in 0..self.numbers().tries_of_token {
            let argument = self.generic_signature(draft, self.numbers().levels);
            signature = format!("L{}<{argument}>;", class.as_internal());
            if typed(&self.generics(draft), &signature, &[]).is_some() {
                break;
            }
        }
        Symbol::new(&signature)
    }

    /// A signature with one of its types changed: held by a list or a map, another one, or one of its own arguments.
    pub(super) fn changed_signature(&mut self, draft: &mut Draft, signature: &str) -> String {
        let spans = types_in(signature);
        let Some(span) = self.rng.one(&spans).cloned() else { return signature.to_owned() };
        let old = &signature[span.clone()];
        let new = match self.rng.pick(&self.numbers().change) {
            0 => format!("{}<{old}>;", self.first_ones(&OF_ONE)),
            1 => format!("{}<{}{old}>;", self.first_ones(&OF_TWO), self.first_ones(&PLAIN)),
            2 => {
                let inside = spans.iter().filter(|other| span.start < other.start && other.end < span.end);
                let inside: Vec<&str> = inside.map(|other| &signature[other.clone()]).collect();
                self.rng.one(&inside).copied().unwrap_or(old).to_owned()
            }
            _ => self.generic_signature(draft, 1),
        };
        format!("{}{new}{}", &signature[..span.start], &signature[span.end..])
    }

    /// A type with arguments, or a part of one, as the wanted interface of `java.lang.reflect`.
    pub(super) fn generic_type(&mut self, draft: &mut Draft, wanted: ClassName) -> Arg {
        match wanted.simple() {
            "TypeVariable" => self.type_variable(draft),
            "ParameterizedType" => {
                let signature = format!("{}<{}>;", self.first_ones(&OF_ONE), self.argument_signature(draft, 1));
                let found = self.field_of_type(draft, &signature);
                draft.define(Action::Cast(found), Type::Class(wanted))
            }
            "WildcardType" => {
                let mark = if self.rng.bool() { '+' } else { '-' };
                let bound = self.generic_signature(draft, 1);
                let signature = format!("{}<{mark}{bound}>;", self.first_ones(&OF_ONE));
                let found = self.field_of_type(draft, &signature);
                let with_arguments =
                    draft.define(Action::Cast(found), Type::class("java/lang/reflect/ParameterizedType"));
                let descriptor = "()[Ljava/lang/reflect/Type;";
                let all = build::read(draft, "ParameterizedType", "getActualTypeArguments", descriptor, with_arguments);
                let first = build::element(draft, all, 0, Type::class("java/lang/reflect/Type"));
                draft.define(Action::Cast(first), Type::Class(wanted))
            }
            "GenericArrayType" => {
                let signature = format!("[{}<{}>;", self.first_ones(&OF_ONE), self.argument_signature(draft, 1));
                let found = self.field_of_type(draft, &signature);
                draft.define(Action::Cast(found), Type::Class(wanted))
            }
            _ if self.wants_generics() => self.type_of_class(draft),
            _ => self.field_of_any_type(draft),
        }
    }

    pub(super) fn field_of_any_type(&mut self, draft: &mut Draft) -> Arg {
        let signature = self.generic_signature(draft, self.numbers().levels);
        self.field_of_type(draft, &signature)
    }

    /// The type of a field of the user's.
    pub(super) fn field_of_type(&mut self, draft: &mut Draft, signature: &str) -> Arg {
        let (ty, signature) = self.typed_or_plain(draft, signature);
        build::typed_field(draft, ty, signature)
    }

    /// The type without its arguments, and those if the compiler would take them.
    fn typed_or_plain(&mut self, draft: &Draft, signature: &str) -> (Type, Option<Symbol>) {
        let plain = || match FieldSignature::parse(signature) {
            Some(FieldSignature(ty)) => ty.erasure(&|_| None),
            None => Type::Class(ClassName::object()),
        };
        typed(&self.generics(draft), signature, &[]).unwrap_or_else(|| (plain(), None))
    }

    /// A type of a field, with its signature if it has type arguments.
    pub(super) fn generic_field_type(&mut self, draft: &mut Draft) -> (Type, Option<Symbol>) {
        let signature = self.generic_signature(draft, self.numbers().levels);
        self.typed_or_plain(draft, &signature)
    }

    /// The signature of a reference type, likely one with type arguments.
    pub(super) fn generic_signature(&mut self, draft: &mut Draft, levels: u8) -> String {
        let Some(below) = levels.checked_sub(1) else { return self.plain_signature(draft) };
        match self.rng.pick(&self.numbers().signature) {
            0 => format!("{}<{}>;", self.first_ones(&OF_ONE), self.argument_signature(draft, below)),
            1 => {
                let (key, value) = (self.argument_signature(draft, 0), self.argument_signature(draft, below));
                format!("{}<{key}{value}>;", self.first_ones(&OF_TWO))
            }
            2 => format!("[{}", self.generic_signature(draft, below)),
            _ => self.plain_signature(draft),
        }
    }

    fn argument_signature(&mut self, draft: &mut Draft, levels: u8) -> String {
        let signature = self.generic_signature(draft, levels);
        match self.rng.pick(&self.numbers().argument) {
            0 => format!("+{signature}"),
            1 => format!("-{signature}"),
            _ => signature,
        }
    }

    fn plain_signature(&mut self, draft: &mut Draft) -> String {
        match self.rng.pick(&self.numbers().plain) {
            0 => {
                let class = self.user_class(draft);
                self.applied(draft, class)
            }
            1 => {
                let near = self.pool.type_for_object(self.rng).filter(|ty| ty.is_reference() && self.is_nameable(*ty));
                near.unwrap_or(Type::Class(ClassName::object())).descriptor()
            }
            _ => self.first_ones(&PLAIN).to_owned(),
        }
    }

    pub(super) fn first_ones(&mut self, all: &[&'static str]) -> &'static str {
        let index = self.rng.small(all.len() - 1);
        all[index]
    }
}

/// The places of the reference types in a signature, the whole one first.
fn types_in(signature: &str) -> Vec<Range<usize>> {
    let bytes = signature.as_bytes();
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let mut at = 0;
    // Behind an opening bracket, another type, a wildcard or an array's mark, a type begins.
    let mut begins = true;
    while at < bytes.len() {
        match bytes[at] {
            b'L' | b'T' | b'[' if begins => {
                open.push(at);
                begins = bytes[at] == b'[';
            }
            b'<' => begins = true,
            b';' => {
                let start = open.pop();
                found.extend(start.map(|start| start..at + 1));
                // What an array is of ends with it.
                while let Some(array) = open.pop_if(|start| bytes[*start] == b'[') {
                    found.push(array..at + 1);
                }
                begins = true;
            }
            b'>' => begins = false,
            b'+' | b'-' if begins => {}
            _ if begins => {
                while let Some(array) = open.pop_if(|start| bytes[*start] == b'[') {
                    found.push(array..at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{jdk_only, program_of};
    use crate::{Hint, MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, How, Pool};

    #[test]
    fn types_are_found_inside_types() {
        let of =
            |signature: &'static str| types_in(signature).into_iter().map(|span| &signature[span]).collect::<Vec<_>>();
        assert_eq!(of("La/Map<LKey;+La/List<[I>;>;"), ["La/Map<LKey;+La/List<[I>;>;", "LKey;", "La/List<[I>;", "[I"]);
        assert_eq!(of("La/B<TT;[TU;>;"), ["La/B<TT;[TU;>;", "TT;", "[TU;", "TU;"]);
        assert_eq!(of("[[La/B;"), ["[[La/B;", "[La/B;", "La/B;"]);
        assert_eq!(of(""), Vec::<&str>::new());
    }

    #[test]
    fn a_type_gets_deeper_or_flatter() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (pool, statistics, mut rng, from) =
            (Pool::general(), MemberStatistics::default(), Rng::with_seed(3), AccessContext::public());
        let before = "Ljava/util/List<Ljava/lang/Integer;>;";
        let mut changed = Vec::new();
        for _ in 0..400 {
            let config = MakerConfig::default();
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            changed.push(maker.changed_signature(&mut Draft::new(), before));
        }
        let has = |signature: &str| changed.iter().any(|one| one == signature);
        assert!(has("Ljava/util/Map<Ljava/lang/String;Ljava/util/List<Ljava/lang/Integer;>;>;"), "{changed:?}");
        assert!(
            has("Ljava/util/List<Ljava/util/Set<Ljava/lang/Integer;>;>;") && has("Ljava/lang/Integer;"),
            "{changed:?}"
        );
    }

    /// Many values of the type, as text; all of them are well typed.
    fn made(catalogue: &Catalogue, ty: &str) -> Vec<String> {
        let (pool, statistics, mut rng, from) =
            (Pool::general(), MemberStatistics::default(), Rng::with_seed(3), AccessContext::public());
        let made = (0..200).filter_map(|_| {
            let config = MakerConfig::default();
            let mut maker = Maker { catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            let mut draft = Draft::new();
            maker.value(&mut draft, Type::class(ty), Hint::not_null())?;
            Some(draft.finish().to_string())
        });
        made.collect()
    }

    #[test]
    fn classes_that_ask_for_their_type_arguments_are_extended() {
        let guava = program_of(&["com.google.guava/guava/33.1.0-jre", "com.google.guava/failureaccess/1.0.2"]);
        let catalogue = Catalogue::new(guava, &[]);
        let is_token = |class: &str| {
            let ways = catalogue.ways(Type::class(class), AccessContext::public());
            ways.iter().any(|way| matches!(way.how, How::Token(_)))
        };
        assert!(is_token("com/google/common/reflect/TypeToken"));
        // One that has a type parameter and does not ask, and one that asks nothing and has none.
        assert!(!is_token("com/google/common/collect/ForwardingList"));
        assert!(!is_token("com/google/common/base/Splitter"));
        let tokens = made(&catalogue, "com/google/common/reflect/TypeToken");
        let says = |part: &str| tokens.iter().any(|token| token.contains(part));
        assert!(says("TypeToken<java.util.List<") || says("TypeToken<Ljava/util/List<"), "{tokens:?}");
    }

    #[test]
    fn types_have_arguments_now_and_then() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let types = made(&catalogue, "java/lang/reflect/Type");
        let with_arguments = types.iter().filter(|made| made.contains("getGenericType")).count();
        assert!((20..180).contains(&with_arguments), "{with_arguments}");
    }
}
