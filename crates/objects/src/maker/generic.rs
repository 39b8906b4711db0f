//! Types with type arguments, as libraries read them from classes of the user: `Map<String, List<Integer>>`.

use super::Maker;
use super::generic_class::{call, element, typed};
use super::user_class::unused_name;
use crate::choose::Choose;
use crate::draft::Draft;
use program::classfile::signature::FieldSignature;
use program::{ClassName, MethodRef, Symbol, Type};
use recipe::{Access, Action, Arg, ClassDecl, ClassKind, FieldDecl, Literal};
use std::ops::Range;

/// Levels of type arguments inside type arguments.
pub(super) const LEVELS: u8 = 2;
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
    /// An object of a subclass that says what the type parameter of the class is.
    pub(super) fn token(&mut self, draft: &mut Draft, class: ClassName) -> Arg {
        let signature = Some(self.token_signature(draft, class));
        let name = declare(draft, class, signature, Vec::new());
        let constructor = MethodRef { class: name, name: Symbol::new("<init>"), descriptor: Symbol::new("()V") };
        let action = Action::New { constructor, args: Vec::new(), access: Access::Public };
        // Nobody needs to know its own class.
        draft.define(action, Type::Class(class))
    }

    /// What a subclass of a class with one type parameter extends.
    pub(super) fn token_signature(&mut self, draft: &mut Draft, class: ClassName) -> Symbol {
        const TRIES: usize = 8;
        let mut signature = String::new();
        for _ in 0..TRIES {
            let argument = self.generic_signature(draft, LEVELS);
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
        let new = match self.rng.u8(..8) {
            0..2 => format!("{}<{old}>;", self.first_ones(&OF_ONE)),
            2..5 => format!("{}<{}{old}>;", self.first_ones(&OF_TWO), self.first_ones(&PLAIN)),
            5 => {
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
                let all = call(draft, "ParameterizedType", "getActualTypeArguments", descriptor, with_arguments);
                let first = element(draft, all, 0, Type::class("java/lang/reflect/Type"));
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
        let signature = self.generic_signature(draft, LEVELS);
        self.field_of_type(draft, &signature)
    }

    /// The type of a field of the user's.
    pub(super) fn field_of_type(&mut self, draft: &mut Draft, signature: &str) -> Arg {
        let (ty, signature) = self.typed_or_plain(draft, signature);
        let field = FieldDecl {
            name: Symbol::new("value"),
            ty,
            signature,
            is_static: false,
            annotations: Vec::new(),
            init: None,
        };
        let name = declare(draft, ClassName::object(), None, vec![field]);
        get_generic_type(draft, name, "value")
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
        let signature = self.generic_signature(draft, LEVELS);
        self.typed_or_plain(draft, &signature)
    }

    /// The signature of a reference type, likely one with type arguments.
    pub(super) fn generic_signature(&mut self, draft: &mut Draft, levels: u8) -> String {
        let Some(below) = levels.checked_sub(1) else { return self.plain_signature(draft) };
        match self.rng.u8(..20) {
            0..6 => format!("{}<{}>;", self.first_ones(&OF_ONE), self.argument_signature(draft, below)),
            6..12 => {
                let (key, value) = (self.argument_signature(draft, 0), self.argument_signature(draft, below));
                format!("{}<{key}{value}>;", self.first_ones(&OF_TWO))
            }
            12..14 => format!("[{}", self.generic_signature(draft, below)),
            _ => self.plain_signature(draft),
        }
    }

    fn argument_signature(&mut self, draft: &mut Draft, levels: u8) -> String {
        let signature = self.generic_signature(draft, levels);
        match self.rng.u8(..20) {
            0 => format!("+{signature}"),
            1 => format!("-{signature}"),
            _ => signature,
        }
    }

    fn plain_signature(&mut self, draft: &mut Draft) -> String {
        match self.rng.u8(..10) {
            0..2 => {
                let class = self.user_class(draft);
                self.applied(draft, class)
            }
            2..4 => {
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

fn declare(draft: &mut Draft, above: ClassName, signature: Option<Symbol>, fields: Vec<FieldDecl>) -> ClassName {
    let name = unused_name(draft.recipe());
    draft.declare_class(ClassDecl {
        name,
        kind: ClassKind::Class,
        signature,
        super_class: above,
        interfaces: Vec::new(),
        annotations: Vec::new(),
        fields,
        methods: Vec::new(),
    });
    name
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

/// `C.class.getField("name").getGenericType()`
pub(super) fn get_generic_type(draft: &mut Draft, class: ClassName, field: &str) -> Arg {
    let descriptor = "(Ljava/lang/String;)Ljava/lang/reflect/Field;";
    let get_field = Action::Call {
        method: MethodRef::new("java/lang/Class", "getField", descriptor),
        receiver: Some(Arg::Literal(Literal::Class(Type::Class(class)))),
        args: vec![Arg::Literal(Literal::string(field))],
        access: Access::Public,
    };
    let field = draft.define(get_field, Type::class("java/lang/reflect/Field"));
    call(draft, "Field", "getGenericType", "()Ljava/lang/reflect/Type;", field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{jdk_only, program_of};
    use crate::{Catalogue, Habits, Hint, How, Ledger, Pool, Rng, Vantage};

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
        let (pool, ledger, mut rng, from) = (Pool::general(), Ledger::default(), Rng::with_seed(3), Vantage::public());
        let before = "Ljava/util/List<Ljava/lang/Integer;>;";
        let mut changed = Vec::new();
        for _ in 0..400 {
            let habits = Habits::default();
            let mut maker = Maker { catalogue: &catalogue, pool: &pool, ledger: &ledger, rng: &mut rng, from, habits };
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
        let (pool, ledger, mut rng, from) = (Pool::general(), Ledger::default(), Rng::with_seed(3), Vantage::public());
        let made = (0..200).filter_map(|_| {
            let habits = Habits::default();
            let mut maker = Maker { catalogue, pool: &pool, ledger: &ledger, rng: &mut rng, from, habits };
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
            let ways = catalogue.ways(Type::class(class), Vantage::public());
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
