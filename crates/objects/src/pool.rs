//! Which constants are worth trying? Boundary values that break code everywhere, what the code near the crash compares
//! with ([`mine`](crate::mine())), what the message says. Each value has a weight by where it comes from.
//!
//! The pool only stores, and everything in it can be listed with its weight; which value is tried is not decided here.

use crate::access::AccessContext;
use crate::catalogue::Usable;
use crate::relevance::Relevance;
use crate::weighted::Weighted;
use documents::{GrammarBias, Kind};
use policy::Constants;
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use recipe::{JavaString, Text};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Where a constant was found. The nearer to the crash, the likelier it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A value that the exception's message states.
    Message,
    /// A value that somebody has derived from the code: as good as one that is stated.
    Derived,
    /// A method of the trace.
    Trace,
    /// Another method of a class of the trace, or one that a method of the trace calls.
    Near,
    /// Good for any program.
    General,
}

impl Origin {
    fn weight(self, weights: &Constants) -> u32 {
        match self {
            Origin::Message | Origin::Derived => weights.of_message,
            Origin::Trace => weights.of_trace,
            Origin::Near => weights.near,
            Origin::General => weights.general,
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
    keys: Vec<JavaString>,
    /// How much more than others a value counts by where it was found.
    weights: Constants,
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
    bias: GrammarBias,
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
    /// Numbers of messages that may be of lines, rows or elements.
    counts: Vec<usize>,
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
        let weights = pool.weights;
        let unasked = |kind: &Kind| if kind.is_rare() { weights.rare_kind } else { weights.kind };
        Kind::ALL.iter().for_each(|kind| pool.kinds.add(*kind, unasked(kind)));
        pool
    }

    pub fn add_int(&mut self, value: i64, origin: Origin) {
        self.ints.add(value, origin.weight(&self.weights));
    }

    pub fn add_float(&mut self, value: f64, origin: Origin) {
        self.floats.add(value.to_bits(), origin.weight(&self.weights));
    }

    pub fn add_char(&mut self, unit: u16, origin: Origin) {
        self.chars.add(unit, origin.weight(&self.weights));
    }

    pub fn add_string(&mut self, text: &JavaString, origin: Origin) {
        self.strings.add(text.clone(), origin.weight(&self.weights));
    }

    /// A type that the code casts to, tests for or names.
    pub fn add_type(&mut self, ty: Type, origin: Origin) {
        self.types.add(ty, origin.weight(&self.weights));
    }

    /// A whole text that the program may have read: the statement that a database error prints, a quoted line.
    pub fn add_document(&mut self, text: &Text, origin: Origin) {
        self.documents.add(text.clone(), origin.weight(&self.weights));
    }

    /// A part that a document may have to contain: an element which the program has a class of the trace for.
    pub fn add_fragment(&mut self, text: &Text, origin: Origin) {
        self.fragments.add(text.clone(), origin.weight(&self.weights));
    }

    pub fn add_property(&mut self, key: &JavaString, origin: Origin) {
        self.properties.add(key.clone(), origin.weight(&self.weights));
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

    /// Methods that write these fields are worth calling too.
    pub fn add_relevant(&mut self, fields: &[FieldRef]) {
        if let Some(relevance) = self.relevance.as_ref().and_then(|known| known.with(fields)) {
            self.set_relevance(Arc::new(relevance));
        }
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

    /// A number of a message, which may be that of a line or row.
    pub fn add_count(&mut self, number: i64) {
        /// Tests with more lines than that are read by nobody.
        const MOST: usize = 40;
        if let Some(count) = usize::try_from(number).ok().filter(|count| (2..=MOST).contains(count))
            && !self.counts.contains(&count)
        {
            self.counts.push(count);
        }
    }

    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    pub fn numbers_in_order(&self) -> &[Vec<i64>] {
        &self.numbers
    }

    pub fn thrown(&self) -> &[(ClassName, Option<JavaString>)] {
        &self.thrown
    }

    /// A word of the log that may be a key of what the program worked on.
    pub fn add_key(&mut self, key: &JavaString) {
        self.keys.push(key.clone());
    }

    pub fn keys(&self) -> &[JavaString] {
        &self.keys
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
    pub fn relevance_of_members(&self, class: ClassName, from: AccessContext, members: &[Usable]) -> Arc<[f64]> {
        match &self.relevance {
            Some(relevance) => relevance.weights_of_members(class, from, members),
            None => members.iter().map(|_| 1.0).collect(),
        }
    }

    pub fn set_reflects(&mut self, reflects: Reflects) {
        self.reflects = self.reflects.max(reflects);
    }

    pub fn set_dissects_types(&mut self, dissects: Reflects) {
        self.dissects_types = self.dissects_types.max(dissects);
    }

    pub fn is_called(&self, method: MethodRef) -> bool {
        self.called.contains(&(method.name, method.descriptor))
    }

    /// Words of names and constants near the crash, which tell what kinds of documents its code deals with.
    pub fn add_words<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let weights = self.weights;
        for (kind, words) in Kind::rank(words) {
            self.kinds.add(kind, words.min(weights.most_words_for_kind) * weights.kind_spoken_for);
        }
    }

    /// Words of the names of the trace's classes and methods: documents are biased towards what they speak of.
    pub fn bias_towards(&mut self, words: &FxHashSet<String>) {
        self.bias = GrammarBias::towards(words);
    }

    /// A word or number that the message states: documents name it now and then.
    pub fn add_stated(&mut self, text: &str) {
        self.bias.add_stated(text);
    }

    pub fn ints(&self) -> &Weighted<i64> {
        &self.ints
    }

    /// By their bits.
    pub fn floats(&self) -> &Weighted<u64> {
        &self.floats
    }

    pub fn chars(&self) -> &Weighted<u16> {
        &self.chars
    }

    pub fn strings(&self) -> &Weighted<JavaString> {
        &self.strings
    }

    /// Types for an `Object`, or for a class literal.
    pub fn types(&self) -> &Weighted<Type> {
        &self.types
    }

    /// Names of system properties that the code reads.
    pub fn properties(&self) -> &Weighted<JavaString> {
        &self.properties
    }

    /// Whole documents.
    pub fn documents(&self) -> &Weighted<Text> {
        &self.documents
    }

    /// Parts of documents that name what the crash is about.
    pub fn fragments(&self) -> &Weighted<Text> {
        &self.fragments
    }

    /// Kinds of documents that the program may read.
    pub fn kinds(&self) -> &Weighted<Kind> {
        &self.kinds
    }

    /// What in these kinds the names of the trace speak of.
    pub fn bias(&self) -> &GrammarBias {
        &self.bias
    }

    pub fn reflects(&self) -> Reflects {
        self.reflects
    }

    pub fn dissects_types(&self) -> Reflects {
        self.dissects_types
    }
}

/// Whether objects of the class are types with arguments, or parts of such.
pub fn is_generic_type(class: ClassName) -> bool {
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
        let weight =
            |text: &str| pool.strings().iter().find(|(known, _)| known.to_lossy() == text).map(|(_, weight)| weight);
        assert!(2 * weight("from message").unwrap() > pool.strings().total());
    }
}
