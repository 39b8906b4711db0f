//! Ways to common JDK types, from a table that names members; resolved against the JDK at hand.

use super::way::{How, Reflected, Way};
use crate::callable::Callable;
use policy::Ways;
use program::{Class, ClassName, Program, Type};
use recipe::types::unboxed;
use recipe::{Access, Collection, StreamKind};
use std::sync::Arc;

const TABLE: &str = include_str!("../../jdk-ways.txt");

/// The table's ways to a class, the best first.
pub(super) fn listed(program: &Program, class: ClassName, weights: &Ways) -> Vec<Way> {
    let lines = TABLE.lines().filter_map(|line| line.split_once(": "));
    let members = lines.filter(|(ty, _)| *ty == class.as_internal()).map(|(_, member)| member);
    members
        .enumerate()
        .filter_map(|(rank, member)| {
            resolve(program, member, weights.listed / (1.0 + weights.listed_fading * rank as f64))
        })
        .collect()
}

/// What recipes can make without calling a constructor: collections, streams, files. The best first.
pub(super) fn built_in(class: ClassName, weights: &Ways) -> Vec<Way> {
    let of = |collections: &[Collection]| collections.iter().map(|kind| How::Collection(*kind)).collect();
    let ways: Vec<How> = match class.as_internal() {
        "java/util/List" | "java/util/Collection" | "java/lang/Iterable" => {
            of(&[Collection::ArrayList, Collection::AsList, Collection::LinkedList])
        }
        "java/util/AbstractList" | "java/util/AbstractCollection" | "java/util/ArrayList" => {
            of(&[Collection::ArrayList])
        }
        "java/util/LinkedList" | "java/util/Queue" | "java/util/Deque" => of(&[Collection::LinkedList]),
        "java/util/Set" | "java/util/AbstractSet" => {
            of(&[Collection::HashSet, Collection::LinkedHashSet, Collection::TreeSet])
        }
        "java/util/HashSet" => of(&[Collection::HashSet, Collection::LinkedHashSet]),
        "java/util/LinkedHashSet" => of(&[Collection::LinkedHashSet]),
        "java/util/TreeSet" | "java/util/SortedSet" | "java/util/NavigableSet" => of(&[Collection::TreeSet]),
        "java/util/Map" | "java/util/AbstractMap" => {
            of(&[Collection::HashMap, Collection::LinkedHashMap, Collection::TreeMap])
        }
        "java/util/HashMap" => of(&[Collection::HashMap, Collection::LinkedHashMap]),
        "java/util/LinkedHashMap" => of(&[Collection::LinkedHashMap]),
        "java/util/TreeMap" | "java/util/SortedMap" | "java/util/NavigableMap" => of(&[Collection::TreeMap]),
        "java/util/Properties" | "java/util/Hashtable" | "java/util/Dictionary" => of(&[Collection::Properties]),
        "java/io/InputStream" | "java/io/ByteArrayInputStream" => vec![How::Stream(StreamKind::ByteArrayInputStream)],
        "java/io/Reader" | "java/lang/Readable" => {
            vec![How::Stream(StreamKind::StringReader), How::Stream(StreamKind::BufferedReader)]
        }
        "java/io/StringReader" => vec![How::Stream(StreamKind::StringReader)],
        "java/io/BufferedReader" => vec![How::Stream(StreamKind::BufferedReader)],
        "java/io/File" => vec![How::TempFile, How::TempDir],
        "java/lang/reflect/Method" | "java/lang/reflect/Executable" | "java/lang/reflect/Member" => {
            vec![How::Reflected(Reflected::Method)]
        }
        "java/lang/reflect/Field" | "java/lang/reflect/AccessibleObject" => vec![How::Reflected(Reflected::Field)],
        "java/lang/reflect/Constructor" => vec![How::Reflected(Reflected::Constructor)],
        "java/lang/reflect/Type"
        | "java/lang/reflect/ParameterizedType"
        | "java/lang/reflect/TypeVariable"
        | "java/lang/reflect/WildcardType"
        | "java/lang/reflect/GenericArrayType" => vec![How::GenericType(class)],
        _ => Vec::new(),
    };
    let way = |(rank, how): (usize, How)| {
        let yields = match &how {
            How::Collection(kind) => Type::Class(kind.class()),
            How::Stream(kind) => Type::Class(kind.class()),
            How::Reflected(Reflected::Method) => Type::class("java/lang/reflect/Method"),
            How::Reflected(Reflected::Field) => Type::class("java/lang/reflect/Field"),
            _ => Type::Class(class),
        };
        Way { how, access: Access::Public, yields, creates: None, weight: weights.built_in / (1 + rank) as f64 }
    };
    ways.into_iter().enumerate().map(way).collect()
}

/// The types of literals that stand for the class, by themselves or boxed; the best first.
pub(super) fn literals(class: ClassName) -> Vec<Type> {
    let string = Type::Class(ClassName::string());
    match class.as_internal() {
        "java/lang/String" | "java/lang/Class" => vec![Type::Class(class)],
        "java/lang/CharSequence" => vec![string],
        "java/lang/Number" => vec![Type::Int, Type::Double, Type::Long],
        "java/lang/Object" | "java/lang/Comparable" | "java/io/Serializable" => vec![string, Type::Int],
        "java/lang/reflect/Type" | "java/lang/reflect/AnnotatedElement" | "java/lang/reflect/GenericDeclaration" => {
            vec![Type::class("java/lang/Class")]
        }
        _ => unboxed(Type::Class(class)).into_iter().collect(),
    }
}

/// Classes whose values are best written as literals only.
pub(super) fn is_literal(class: ClassName) -> bool {
    matches!(class.as_internal(), "java/lang/String" | "java/lang/Class") || unboxed(Type::Class(class)).is_some()
}

fn resolve(program: &Program, member: &str, weight: f64) -> Option<Way> {
    let (how, yields) = match member.split_once('(') {
        Some((path, descriptor)) => {
            let (class, name) = path.rsplit_once('.').unwrap_or((path, "<init>"));
            let class = program.class(ClassName::internal(class))?;
            let callable = method(&class, name, descriptor)?;
            let yields = callable.yields()?;
            (How::Call(Arc::new(callable)), yields)
        }
        None => {
            let (class, name) = member.rsplit_once('.')?;
            let class = program.class(ClassName::internal(class))?;
            let field = class.fields.iter().find(|field| field.name.as_str() == name)?;
            let how = match field.access.is_enum_constant() {
                true => How::Enum(field.reference()),
                false => How::StaticField(field.reference()),
            };
            (how, field.reference().field_type())
        }
    };
    Some(Way { how, access: Access::Public, yields, creates: None, weight })
}

/// `descriptor` lacks its opening parenthesis and, for constructors, its result.
fn method(class: &Class, name: &str, descriptor: &str) -> Option<Callable> {
    let descriptor = if name == "<init>" { format!("({descriptor}V") } else { format!("({descriptor}") };
    let method = class.methods_named(name).find(|method| method.descriptor.as_str() == descriptor)?;
    Some(Callable::of(class, method))
}

/// The members that the table names; for its test.
#[cfg(test)]
pub(super) fn unresolved(program: &Program) -> Vec<&'static str> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter(|line| {
            let way = line.split_once(": ").and_then(|(ty, member)| Some((ty, resolve(program, member, 1.0)?)));
            !way.is_some_and(|(ty, way)| program.is_subtype_of(way.yields, Type::class(ty)) == program::Subtype::Yes)
        })
        .collect()
}
