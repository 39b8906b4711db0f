//! Which constants are worth trying? Boundary values that break code everywhere, what the code near the crash compares
//! with ([`mine`](crate::mine())), what the message says. Each value has a weight by where it comes from.
//!
//! The pool only stores and draws; making literals of a type from it is in [`literals`](crate::literals).

use crate::catalogue::Usable;
use crate::choose::{Choose, Rng, Weighted};
use crate::documents::mutate::{self, Material};
use crate::documents::{Kind, Leaning};
use crate::relevance::Relevance;
use crate::vantage::Vantage;
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use recipe::{JavaString, Text};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Where a constant was found. The nearer to the crash, the likelier it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A value that the exception's message states.
    Message,
    /// A method of the trace.
    Trace,
    /// Another method of a class of the trace, or one that a method of the trace calls.
    Near,
    /// Good for any program.
    General,
}

impl Origin {
    fn weight(self) -> u32 {
        match self {
            Origin::Message => 60,
            Origin::Trace => 20,
            Origin::Near => 4,
            Origin::General => 2,
        }
    }
}

/// What is known about a text by the place where it is needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextHint<'a> {
    /// Kinds of documents that fit (a parameter called `url`).
    pub topic: &'a [(Kind, u32)],
    /// Words that the code which gets it compares with.
    pub words: &'a [JavaString],
    /// Words that name a part of a notation: a parser of expressions gets no statements.
    pub about: &'a [String],
    /// Whether only a whole document will do, one with much in it.
    pub is_rich: bool,
}

/// Where code looks into the classes of what it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reflects {
    #[default]
    No,
    /// In other parts of the library that crashed.
    Elsewhere,
    /// In the methods of the trace and those that they call.
    AtTheCrash,
}

/// Constants by type.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    ints: Weighted<i64>,
    /// By their bits, so that NaN and negative zero are values like others.
    floats: Weighted<u64>,
    strings: Weighted<JavaString>,
    chars: Weighted<u16>,
    types: Weighted<Type>,
    /// Whole documents: what a message quotes, content found beside the program.
    documents: Weighted<Text>,
    /// Parts of documents that name what the crash is about.
    fragments: Weighted<Text>,
    kinds: Weighted<Kind>,
    /// What in these kinds the names of the trace speak of.
    leaning: Leaning,
    /// Names of system properties that the code reads.
    properties: Weighted<JavaString>,
    /// Methods that the code near the crash calls, by name and descriptor.
    called: FxHashSet<(Symbol, Symbol)>,
    reflects: Reflects,
    /// Where code takes types apart: their arguments, variables and bounds.
    dissects_types: Reflects,
    relevance: Option<Arc<Relevance>>,
    /// Fields that the code of the crash reads.
    fields: Vec<FieldRef>,
    /// What messages state, each in its order.
    numbers: Vec<Vec<i64>>,
    /// Exceptions of the crash that code of the user threw, with their messages.
    thrown: Vec<(ClassName, Option<JavaString>)>,
    /// The exception of the crash, which a test is to provoke and not to make.
    crash: Option<ClassName>,
}

impl Pool {
    /// Only what is good for any program.
    pub fn general() -> Pool {
        let mut pool = Pool::default();
        BOUNDARY_INTS.iter().for_each(|value| pool.add_int(*value, Origin::General));
        BOUNDARY_FLOATS.iter().for_each(|value| pool.add_float(*value, Origin::General));
        ["", "a", " ", "A", "0", "-1", "1", "abc", "x y", "null", "\n"]
            .iter()
            .for_each(|text| pool.add_string(&JavaString::new(text), Origin::General));
        "a\0 \n\t0Z_-./\\\"'<>[](){}$\u{e9}\u{ffff}"
            .chars()
            .for_each(|c| pool.add_char(u16::try_from(u32::from(c)).unwrap_or(u16::MAX), Origin::General));
        ["java/lang/Object", "java/lang/String", "java/lang/Integer", "java/util/List", "java/util/Map"]
            .iter()
            .for_each(|name| pool.add_type(Type::class(name), Origin::General));
        Kind::ALL.iter().for_each(|kind| pool.kinds.add(*kind, kind.unasked()));
        pool
    }

    pub fn add_int(&mut self, value: i64, origin: Origin) {
        self.ints.add(value, origin.weight());
    }

    pub fn add_float(&mut self, value: f64, origin: Origin) {
        self.floats.add(value.to_bits(), origin.weight());
    }

    pub fn add_char(&mut self, unit: u16, origin: Origin) {
        self.chars.add(unit, origin.weight());
    }

    pub fn add_string(&mut self, text: &JavaString, origin: Origin) {
        self.strings.add(text.clone(), origin.weight());
    }

    /// A type that the code casts to, tests for or names.
    pub fn add_type(&mut self, ty: Type, origin: Origin) {
        self.types.add(ty, origin.weight());
    }

    /// A whole text that the program may have read: the statement that a database error prints, a quoted line.
    pub fn add_document(&mut self, text: &Text, origin: Origin) {
        self.documents.add(text.clone(), origin.weight());
    }

    /// A part that a document may have to contain: an element which the program has a class of the trace for.
    pub fn add_fragment(&mut self, text: &Text, origin: Origin) {
        self.fragments.add(text.clone(), origin.weight());
    }

    pub fn add_property(&mut self, key: &JavaString, origin: Origin) {
        self.properties.add(key.clone(), origin.weight());
    }

    /// A method that the code near the crash calls: one that an object of the test had better answer.
    pub fn add_called(&mut self, method: MethodRef) {
        self.called.insert((method.name, method.descriptor));
        if is_reflection(method) {
            self.reflects = Reflects::AtTheCrash;
        }
        if is_generic_type(method.class) {
            self.dissects_types = Reflects::AtTheCrash;
        }
    }

    /// What decides which methods are called before the crash.
    pub fn set_relevance(&mut self, relevance: Arc<Relevance>) {
        self.fields = relevance.fields();
        self.relevance = Some(relevance);
    }

    /// The exception of the crash, which a test is to provoke and not to make.
    pub fn set_crash(&mut self, exception: ClassName) {
        self.crash = Some(exception);
    }

    /// Whether a test that makes such an exception could be taken for one that makes the crash itself.
    pub fn is_like_crash(&self, exception: ClassName) -> bool {
        self.crash.is_some_and(|crash| crash.simple() == exception.simple())
    }

    /// An exception that code of the user threw at the crash: a callback has to.
    pub fn add_thrown(&mut self, class: ClassName, message: Option<&str>) {
        self.thrown.push((class, message.map(JavaString::new)));
    }

    /// The numbers of a message, in its order.
    pub fn add_numbers_in_order(&mut self, numbers: Vec<i64>) {
        self.numbers.push(numbers);
    }

    pub fn numbers_in_order(&self) -> &[Vec<i64>] {
        &self.numbers
    }

    pub fn thrown(&self) -> &[(ClassName, Option<JavaString>)] {
        &self.thrown
    }

    /// Fields that the code of the crash reads.
    pub fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// How often the method should be called, compared with one of which nothing is known.
    pub fn relevance(&self, method: MethodRef) -> f64 {
        self.relevance.as_ref().map_or(1.0, |relevance| relevance.weight(method))
    }

    /// The same for all members of a class that a test can call from there.
    pub fn relevance_of_members(&self, class: ClassName, from: Vantage, members: &[Usable]) -> Arc<[f64]> {
        match &self.relevance {
            Some(relevance) => relevance.weights_of_members(class, from, members),
            None => members.iter().map(|_| 1.0).collect(),
        }
    }

    pub fn set_reflects(&mut self, reflects: Reflects) {
        self.reflects = self.reflects.max(reflects);
    }

    /// How likely it is that what the code is given matters for the members of its class, from 0 to 1.
    pub fn reflection(&self) -> f64 {
        match self.reflects {
            Reflects::No => 0.0,
            Reflects::Elsewhere => 0.3,
            Reflects::AtTheCrash => 1.0,
        }
    }

    pub fn set_dissects_types(&mut self, dissects: Reflects) {
        self.dissects_types = self.dissects_types.max(dissects);
    }

    /// How often a class of the user has type parameters, or says what those of another one are. Never where nobody looks.
    pub fn generics(&self) -> f64 {
        match self.dissects_types {
            Reflects::No => 0.0,
            Reflects::Elsewhere => 0.1,
            Reflects::AtTheCrash => 0.5,
        }
    }

    pub fn is_called(&self, method: MethodRef) -> bool {
        self.called.contains(&(method.name, method.descriptor))
    }

    /// Words of names and constants near the crash, which tell what kinds of documents its code deals with.
    pub fn add_words<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        for (kind, weight) in Kind::rank(words) {
            self.kinds.add(kind, weight);
        }
    }

    /// Words of the names of the trace's classes and methods: documents lean towards what they speak of.
    pub fn lean_towards(&mut self, words: &FxHashSet<String>) {
        self.leaning = Leaning::towards(words);
    }

    /// A word or number that the message states: documents name it now and then.
    pub fn add_stated(&mut self, text: &str) {
        self.leaning.add_stated(text);
    }

    /// A whole number; callers cut it down to the type that they need.
    pub fn int(&self, rng: &mut Rng) -> i64 {
        self.ints.choose(rng).copied().unwrap_or(0)
    }

    pub fn float(&self, rng: &mut Rng) -> f64 {
        self.floats.choose(rng).map_or(0.0, |bits| f64::from_bits(*bits))
    }

    pub fn char(&self, rng: &mut Rng) -> u16 {
        self.chars.choose(rng).copied().unwrap_or(b'a'.into())
    }

    pub fn string(&self, rng: &mut Rng) -> JavaString {
        self.strings.choose(rng).cloned().unwrap_or_default()
    }

    pub fn property(&self, rng: &mut Rng) -> Option<JavaString> {
        self.properties.choose(rng).cloned()
    }

    /// A type for an `Object`, or for a class literal.
    pub fn type_for_object(&self, rng: &mut Rng) -> Option<Type> {
        self.types.choose(rng).copied()
    }

    pub fn types(&self) -> &[Type] {
        self.types.items()
    }

    /// A whole document. Kinds that fit the place where it is needed (a parameter called `url`) win over what fits the program
    /// as a whole.
    pub fn document(&self, hint: TextHint<'_>, rng: &mut Rng) -> Text {
        if !self.documents.is_empty() && rng.chance(0.4) {
            return self.documents.choose(rng).cloned().unwrap_or_default();
        }
        let kind = self.kind(hint.topic, rng);
        self.sample(kind, hint, rng)
    }

    /// A document of this kind; one with markup often has an element that names what the crash is about.
    pub fn sample(&self, kind: Kind, hint: TextHint<'_>, rng: &mut Rng) -> Text {
        let text = kind.document(hint.about, hint.is_rich, &self.leaning, rng);
        let fragment = self.fragments.choose(rng).filter(|_| rng.chance(GRAFTED));
        fragment.and_then(|fragment| mutate::graft(&text, fragment, rng)).unwrap_or(text)
    }

    pub fn kind(&self, topic: &[(Kind, u32)], rng: &mut Rng) -> Kind {
        let by_topic =
            rng.index_by_weight(topic.iter().map(|(_, weight)| f64::from(*weight))).map(|index| topic[index].0);
        match by_topic {
            Some(kind) if rng.chance(0.6) => kind,
            _ => self.kinds.choose(rng).copied().unwrap_or(Kind::Name),
        }
    }

    /// A word for a text: one that its reader knows, or one of the pool.
    pub fn word(&self, hint: TextHint<'_>, rng: &mut Rng) -> JavaString {
        match rng.one(hint.words).filter(|_| rng.bool()) {
            Some(word) => word.clone(),
            None => self.string(rng),
        }
    }

    /// A changed document, with words that its reader may know to put in.
    pub fn mutated(&self, text: &Text, hint: TextHint<'_>, rng: &mut Rng) -> Text {
        let words: Vec<JavaString> = (0..4).map(|_| self.word(hint, rng)).collect();
        let fragment = self.fragments.choose(rng).filter(|_| rng.bool());
        let donors = [fragment.cloned().unwrap_or_else(|| self.document(hint, rng))];
        let phrase = self.kind(hint.topic, rng).phrase(&self.leaning, rng).map(|phrase| JavaString::new(&phrase));
        mutate::mutate(text, Material { words: &words, donors: &donors, phrases: phrase.as_slice() }, rng)
    }
}

/// How often a document with markup gets an element that names what the crash is about, where there is one.
const GRAFTED: f64 = 0.4;

/// Whether objects of the class are types with arguments, or parts of such.
pub(crate) fn is_generic_type(class: ClassName) -> bool {
    const PARTS: [&str; 4] = ["ParameterizedType", "TypeVariable", "WildcardType", "GenericArrayType"];
    class.package() == "java/lang/reflect" && PARTS.contains(&class.simple())
}

/// The calls by which a library reads the members and annotations of its users' classes.
fn is_reflection(method: MethodRef) -> bool {
    const OF_CLASSES: [&str; 5] =
        ["getDeclaredFields", "getDeclaredMethods", "getMethods", "getFields", "getDeclaredConstructors"];
    const OF_MARKS: [&str; 5] =
        ["getAnnotation", "isAnnotationPresent", "getAnnotations", "getDeclaredAnnotations", "getAnnotationsByType"];
    let name = method.name.as_str();
    match (method.class.package(), method.class.simple()) {
        ("java/lang", "Class") => OF_CLASSES.contains(&name) || OF_MARKS.contains(&name),
        ("java/lang/reflect", "Method") => name == "invoke" || OF_MARKS.contains(&name),
        ("java/lang/reflect", "Field") => name == "get" || name == "set" || OF_MARKS.contains(&name),
        ("java/lang/reflect", _) => OF_MARKS.contains(&name),
        ("java/beans", "Introspector" | "PropertyDescriptor" | "BeanInfo") => true,
        _ => false,
    }
}

const BOUNDARY_INTS: &[i64] = &[
    0,
    0,
    0,
    1,
    1,
    -1,
    -1,
    2,
    3,
    4,
    5,
    7,
    8,
    10,
    16,
    31,
    32,
    33,
    63,
    64,
    100,
    127,
    128,
    -128,
    -129,
    255,
    256,
    1000,
    1023,
    1024,
    32767,
    32768,
    -32768,
    65535,
    65536,
    i32::MAX as i64,
    i32::MIN as i64,
    i32::MAX as i64 - 1,
    i32::MIN as i64 + 1,
    i32::MAX as i64 + 1,
    u32::MAX as i64,
    i64::MAX,
    i64::MIN,
    i64::MAX - 1,
];

const BOUNDARY_FLOATS: &[f64] = &[
    0.0,
    0.0,
    1.0,
    -1.0,
    0.5,
    -0.0,
    2.0,
    10.0,
    1e-10,
    1e10,
    1e300,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    4.9e-324,
    2147483648.0,
    9.007199254740993e15,
    0.1,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_message_says_is_drawn_most() {
        let mut pool = Pool::general();
        pool.add_string(&JavaString::new("from message"), Origin::Message);
        let mut rng = Rng::with_seed(5);
        let drawn = (0..1000).filter(|_| pool.string(&mut rng).to_lossy() == "from message").count();
        assert!(drawn > 500, "{drawn}");
    }

    #[test]
    fn topics_win_over_the_program_s_kinds() {
        let mut pool = Pool::general();
        pool.add_words(["json", "object", "array"].into_iter());
        let mut rng = Rng::with_seed(5);
        let count =
            |topic: &[(Kind, u32)], kind, rng: &mut Rng| (0..1000).filter(|_| pool.kind(topic, rng) == kind).count();
        assert!(count(&[], Kind::Json, &mut rng) > 200);
        assert!(count(&[(Kind::Url, 4)], Kind::Url, &mut rng) > 500);
    }
}
