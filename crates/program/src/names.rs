//! Names of program elements: classes, types, methods, fields. All are interned and `Copy`, so every engine can key maps
//! with them and compare them by pointer; ordering is by text, so that sorted output does not depend on what was interned first.
//!
//! Class names are kept in the class file's internal form (`java/util/Map$Entry`); people see [`ClassName::dotted`].

use std::fmt;
use std::sync::LazyLock;
use ustr::Ustr;

/// An interned string: member names, descriptors, signatures.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(Ustr);

impl Symbol {
    pub fn new(text: &str) -> Self {
        Symbol(Ustr::from(text))
    }

    pub fn as_str(self) -> &'static str {
        self.0.as_str()
    }
}

/// A class or interface (never an array) in internal form: `java/lang/String`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClassName(Ustr);

impl ClassName {
    /// From the internal form, `java/util/Map$Entry`.
    pub fn internal(name: &str) -> Self {
        ClassName(Ustr::from(name))
    }

    /// From the form of stack traces, `java.util.Map$Entry`.
    pub fn from_dotted(name: &str) -> Self {
        ClassName(Ustr::from(&name.replace('.', "/")))
    }

    pub fn as_internal(self) -> &'static str {
        self.0.as_str()
    }

    pub fn dotted(self) -> String {
        self.0.as_str().replace('/', ".")
    }

    /// `java/util` for `java/util/Map$Entry`; empty for the unnamed package.
    pub fn package(self) -> &'static str {
        self.as_internal().rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// `Map$Entry` for `java/util/Map$Entry`.
    pub fn simple(self) -> &'static str {
        self.as_internal().rsplit_once('/').map_or(self.as_internal(), |(_, simple)| simple)
    }

    /// May the dotted name stand for this class? Loggers shorten packages: `o.s.beans.BeanUtils` for `org.springframework.beans.BeanUtils`.
    pub fn is_abbreviated_by(self, dotted: &str) -> bool {
        let mut full = self.as_internal().split('/');
        let mut short = dotted.split('.').peekable();
        while let Some(part) = short.next() {
            let is_last = short.peek().is_none();
            let fits = |whole: &str| if is_last { whole == part } else { !part.is_empty() && whole.starts_with(part) };
            if !full.next().is_some_and(fits) {
                return false;
            }
        }
        full.next().is_none()
    }

    pub fn object() -> Self {
        // Asked for all the time: not even looked up.
        static OBJECT: LazyLock<ClassName> = LazyLock::new(|| ClassName::internal("java/lang/Object"));
        *OBJECT
    }

    pub fn string() -> Self {
        static STRING: LazyLock<ClassName> = LazyLock::new(|| ClassName::internal("java/lang/String"));
        *STRING
    }
}

/// A Java type other than `void`. Array types hold their component's descriptor, interned, so that the whole type is `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Class(ClassName),
    Array(ArrayType),
}

/// The component type of an array, as an interned descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArrayType(Ustr);

impl ArrayType {
    pub fn of(component: Type) -> Self {
        ArrayType(Ustr::from(&component.descriptor()))
    }

    pub fn component(self) -> Type {
        // Only `of` makes these, from a well-formed type.
        Type::parse(self.0.as_str()).unwrap_or(Type::Class(ClassName::object()))
    }
}

impl Type {
    /// One field descriptor, the whole text: `I`, `Ljava/lang/String;`, `[[J`.
    pub fn parse(descriptor: &str) -> Option<Type> {
        let (parsed, rest) = Type::parse_prefix(descriptor)?;
        rest.is_empty().then_some(parsed)
    }

    /// The operand of `checkcast`, `instanceof`, `anewarray` and `ldc`: a class name, or an array descriptor.
    pub fn from_class_entry(entry: &str) -> Option<Type> {
        if entry.starts_with('[') { Type::parse(entry) } else { Some(Type::Class(ClassName::internal(entry))) }
    }

    pub fn class(internal: &str) -> Type {
        Type::Class(ClassName::internal(internal))
    }

    pub fn array_of(component: Type) -> Type {
        Type::Array(ArrayType::of(component))
    }

    fn parse_prefix(text: &str) -> Option<(Type, &str)> {
        let dimensions = text.bytes().take_while(|b| *b == b'[').count();
        let element = &text[dimensions..];
        let (mut parsed, rest) = match element.as_bytes().first()? {
            b'L' => {
                let end = element.find(';')?;
                (Type::class(&element[1..end]), &element[end + 1..])
            }
            first => (Type::primitive(*first)?, &element[1..]),
        };
        if dimensions > 0 {
            let component = &text[1..text.len() - rest.len()];
            parsed = Type::Array(ArrayType(Ustr::from(component)));
        }
        Some((parsed, rest))
    }

    fn primitive(letter: u8) -> Option<Type> {
        Some(match letter {
            b'Z' => Type::Boolean,
            b'B' => Type::Byte,
            b'C' => Type::Char,
            b'S' => Type::Short,
            b'I' => Type::Int,
            b'J' => Type::Long,
            b'F' => Type::Float,
            b'D' => Type::Double,
            _ => return None,
        })
    }

    pub fn descriptor(self) -> String {
        match self {
            Type::Boolean => "Z".into(),
            Type::Byte => "B".into(),
            Type::Char => "C".into(),
            Type::Short => "S".into(),
            Type::Int => "I".into(),
            Type::Long => "J".into(),
            Type::Float => "F".into(),
            Type::Double => "D".into(),
            Type::Class(name) => format!("L{};", name.as_internal()),
            Type::Array(array) => format!("[{}", array.0),
        }
    }

    pub fn is_reference(self) -> bool {
        matches!(self, Type::Class(_) | Type::Array(_))
    }

    /// `long` and `double` take two local variable slots.
    pub fn slots(self) -> u16 {
        if matches!(self, Type::Long | Type::Double) { 2 } else { 1 }
    }

    /// The class of a class type.
    pub fn as_class(self) -> Option<ClassName> {
        if let Type::Class(name) = self { Some(name) } else { None }
    }
}

/// Parameter and return types of a method; `ret` is `None` for `void`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MethodType {
    pub params: Vec<Type>,
    pub ret: Option<Type>,
}

impl MethodType {
    pub fn parse(descriptor: &str) -> Option<MethodType> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut params = Vec::new();
        while !rest.starts_with(')') {
            let (parsed, tail) = Type::parse_prefix(rest)?;
            params.push(parsed);
            rest = tail;
        }
        let ret = match &rest[1..] {
            "V" => None,
            other => Some(Type::parse(other)?),
        };
        Some(MethodType { params, ret })
    }

    pub fn descriptor(&self) -> String {
        let params: String = self.params.iter().map(|p| p.descriptor()).collect();
        format!("({params}){}", self.ret.map_or("V".into(), Type::descriptor))
    }
}

/// A method by declaring (or symbolically referenced) class, name and descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodRef {
    pub class: ClassName,
    pub name: Symbol,
    pub descriptor: Symbol,
}

impl MethodRef {
    pub fn new(class: &str, name: &str, descriptor: &str) -> Self {
        MethodRef { class: ClassName::internal(class), name: Symbol::new(name), descriptor: Symbol::new(descriptor) }
    }

    /// Parsed on each call; a malformed descriptor reads as `()V`, which matches no real method.
    pub fn signature(self) -> MethodType {
        MethodType::parse(self.descriptor.as_str()).unwrap_or(MethodType { params: Vec::new(), ret: None })
    }

    pub fn is_constructor(self) -> bool {
        self.name.as_str() == "<init>"
    }

    pub fn is_static_initialiser(self) -> bool {
        self.name.as_str() == "<clinit>"
    }
}

/// A field by declaring (or symbolically referenced) class, name and descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldRef {
    pub class: ClassName,
    pub name: Symbol,
    pub descriptor: Symbol,
}

impl FieldRef {
    pub fn new(class: &str, name: &str, descriptor: &str) -> Self {
        FieldRef { class: ClassName::internal(class), name: Symbol::new(name), descriptor: Symbol::new(descriptor) }
    }

    pub fn field_type(self) -> Type {
        Type::parse(self.descriptor.as_str()).unwrap_or(Type::Class(ClassName::object()))
    }
}

/// One bytecode instruction of one method, and which of the operations it is lowered to: the name of a place in the
/// program that every crate uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CodePoint {
    pub method: MethodRef,
    pub at: InstrId,
}

/// Bytecode index within a method's code, and the sub-index of the operation it is lowered to (guards come first).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstrId {
    pub bci: u16,
    pub sub: u8,
}

impl InstrId {
    pub fn at(bci: u16) -> Self {
        InstrId { bci, sub: 0 }
    }
}

/// What tables and caches on disk know a class by: a hash of its internal name that never changes.
pub(crate) fn name_hash(internal_name: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(internal_name)
}

macro_rules! ordered_by_text {
    ($($name:ident),*) => {$(
        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.0.as_str().cmp(other.0.as_str())
            }
        }
    )*};
}
ordered_by_text!(Symbol, ClassName, ArrayType);

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.dotted())
    }
}

/// As in Java source: `int`, `java.lang.String[]`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Boolean => f.write_str("boolean"),
            Type::Byte => f.write_str("byte"),
            Type::Char => f.write_str("char"),
            Type::Short => f.write_str("short"),
            Type::Int => f.write_str("int"),
            Type::Long => f.write_str("long"),
            Type::Float => f.write_str("float"),
            Type::Double => f.write_str("double"),
            Type::Class(name) => name.fmt(f),
            Type::Array(array) => write!(f, "{}[]", array.component()),
        }
    }
}

/// `java.util.List.get(int)`
impl fmt::Display for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<String> = self.signature().params.iter().map(Type::to_string).collect();
        write!(f, "{}.{}({})", self.class, self.name, params.join(", "))
    }
}

impl fmt::Display for FieldRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class, self.name)
    }
}

impl fmt::Display for InstrId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sub == 0 { write!(f, "@{}", self.bci) } else { write!(f, "@{}.{}", self.bci, self.sub) }
    }
}

macro_rules! debug_as_display {
    ($($name:ident),*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }
    )*};
}
debug_as_display!(Symbol, ClassName, Type, MethodRef, FieldRef, InstrId);

impl fmt::Debug for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[]", self.component())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_may_be_abbreviated() {
        let class = ClassName::internal("org/acme/shop/Store$Item");
        for name in ["o.a.s.Store$Item", "o.a.shop.Store$Item", "org.acme.shop.Store$Item", "o.ac.s.Store$Item"] {
            assert!(class.is_abbreviated_by(name), "{name}");
        }
        for name in ["o.a.Store$Item", "o.a.s.t.Store$Item", "o.a.s.Store", "o.a.x.Store$Item", "o..s.Store$Item", ""] {
            assert!(!class.is_abbreviated_by(name), "{name}");
        }
    }

    #[test]
    fn descriptors_round_trip() {
        for text in ["I", "Z", "Ljava/lang/String;", "[[J", "[Ljava/util/Map$Entry;"] {
            assert_eq!(Type::parse(text).map(Type::descriptor).as_deref(), Some(text));
        }
        for text in ["()V", "(IJ[Ljava/lang/String;D)Ljava/lang/Object;", "([[I)[B"] {
            assert_eq!(MethodType::parse(text).map(|m| m.descriptor()).as_deref(), Some(text));
        }
    }

    #[test]
    fn malformed_descriptors_are_refused() {
        for text in ["", "L", "Ljava/lang/String", "[", "V", "II", "Q"] {
            assert_eq!(Type::parse(text), None, "{text:?}");
        }
        for text in ["", "(", "()", "(I", "(V)V", "()VV"] {
            assert!(MethodType::parse(text).is_none(), "{text:?}");
        }
    }
}
