//! Objects that stand for many: where code asks a list, a set, an iterator or a stream that came in from outside, an object of one simple
//! class of the JDK does as well as any other. Its code is short, and a test can write down every state that such an object may be
//! in.

use crate::leaves::{Leaf, Region};
use crate::world::World;
use program::{ClassName, FieldRef};
use smt::{Node, Term};

const LIST: &str = "java/util/ArrayList";
const SET: &str = "java/util/concurrent/CopyOnWriteArraySet";
const LIST_OF_SET: &str = "java/util/concurrent/CopyOnWriteArrayList";
const ITERATOR: &str = "java/util/concurrent/CopyOnWriteArrayList$COWIterator";
const BYTES: &str = "java/io/ByteArrayInputStream";
const TEXT: &str = "java/io/StringReader";

/// The class of the JDK whose objects stand for all that are of the type.
pub(crate) fn stand_in(wanted: ClassName) -> Option<ClassName> {
    let class = match wanted.as_internal() {
        "java/lang/Iterable" | "java/util/Collection" | "java/util/List" => LIST,
        "java/util/Set" => SET,
        "java/util/Iterator" | "java/util/ListIterator" => ITERATOR,
        "java/io/InputStream" => BYTES,
        "java/io/Reader" => TEXT,
        _ => return None,
    };
    Some(ClassName::internal(class))
}

/// Whether the field is part of how a stand-in holds what is in it, and not the program's business.
pub fn is_of_stand_in(field: FieldRef) -> bool {
    let own = [LIST, SET, LIST_OF_SET, ITERATOR, BYTES, TEXT];
    own.contains(&field.class.as_internal())
        || matches!(field.class.as_internal(), "java/util/AbstractList" | "java/io/Reader")
}

/// What an object that came in and stands for others holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    List(Part),
    Set(Part),
    /// What is still to come.
    Iterator(Part),
    /// Bytes that were not read yet.
    Bytes(Part),
    /// The string, and the place of the first character that was not read yet.
    Text {
        string: Term,
        from: Term,
    },
}

/// Elements of an array, the last one excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub array: Term,
    pub from: Term,
    pub to: Term,
}

/// What an object of the class holds; none if it is no stand-in.
pub fn held(world: &World, object: Term, class: ClassName) -> Option<Held> {
    let read = |class: &str, name: &str, descriptor: &str, of: Term| {
        world.terms.select(world.region(Region::Field(FieldRef::new(class, name, descriptor))), of)
    };
    let length = |array: Term| world.terms.select(world.region(Region::Lengths), array);
    Some(match class.as_internal() {
        LIST => {
            let array = read(LIST, "elementData", "[Ljava/lang/Object;", object);
            Held::List(Part { array, from: world.terms.i32(0), to: read(LIST, "size", "I", object) })
        }
        SET => {
            let list = read(SET, "al", "Ljava/util/concurrent/CopyOnWriteArrayList;", object);
            let array = read(LIST_OF_SET, "array", "[Ljava/lang/Object;", list);
            Held::Set(Part { array, from: world.terms.i32(0), to: length(array) })
        }
        ITERATOR => {
            let array = read(ITERATOR, "snapshot", "[Ljava/lang/Object;", object);
            Held::Iterator(Part { array, from: read(ITERATOR, "cursor", "I", object), to: length(array) })
        }
        BYTES => {
            let array = read(BYTES, "buf", "[B", object);
            let (from, to) = (read(BYTES, "pos", "I", object), read(BYTES, "count", "I", object));
            Held::Bytes(Part { array, from, to })
        }
        TEXT => {
            let string = read(TEXT, "str", "Ljava/lang/String;", object);
            Held::Text { string, from: read(TEXT, "next", "I", object) }
        }
        _ => return None,
    })
}

/// What always holds of a stand-in, where the term reads one of its fields: its parts are there, and what is said to be in an array has a place
/// in it.
pub(crate) fn invariants(world: &World, read: Term) -> Vec<Term> {
    let Node::Select(region, index) = world.terms.node(read) else { return Vec::new() };
    let Some(Leaf::Region(Region::Field(field))) = world.leaf_of(region) else { return Vec::new() };
    let terms = &world.terms;
    let is_there = |object: Term| terms.not(terms.is_null(object));
    match (field.class.as_internal(), held(world, index.0, field.class)) {
        (LIST, _) if field.name.as_str() == "modCount" => Vec::new(),
        (LIST_OF_SET | "java/io/Reader" | SET, _) if field.field_type().is_reference() => vec![is_there(read)],
        (_, Some(Held::Text { string, from })) => {
            let length = terms.length(terms.select(world.region(Region::Texts), string));
            let known = world.region(Region::Field(FieldRef::new(TEXT, "length", "I")));
            let known = terms.eq(terms.select(known, index.0), length);
            vec![is_there(string), terms.sle(terms.i32(0), from), terms.sle(from, length), known]
        }
        (_, Some(Held::List(part) | Held::Set(part) | Held::Iterator(part) | Held::Bytes(part))) => {
            let places = terms.select(world.region(Region::Lengths), part.array);
            let is_part =
                [terms.sle(terms.i32(0), part.from), terms.sle(part.from, part.to), terms.sle(part.to, places)];
            is_part.into_iter().chain([is_there(part.array)]).collect()
        }
        (_, None) => Vec::new(),
    }
}
