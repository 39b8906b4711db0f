//! The messages that the JVM, the JDK and the runtime libraries of Kotlin and Scala write themselves, old and new, as a
//! table of patterns with named holes; read the other way round they say what the values were.
//!
//! A pattern is constant text with holes `{name:kind}`; `{name}` alone holds any text. Exceptions are given by simple
//! name. Several patterns may fit one message (`5` is an index or a size); all are returned, the most constant first.
//! Helpful null-pointer texts are not here: they have a grammar of their own (see [`super::helpful`]).
//!
//! The wordings of one fault stand together: what versions of the JDK say of the same thing. Two messages of one fault are
//! the same if no value that both of them name differs. Where an old wording does not tell which of several values it
//! names, its hole has all their names (`{begin|end:int}`); the first one counts where only one can.

use super::template::{Hole, HoleKind, Part, Template};
use std::sync::OnceLock;

/// The templates among the known ones that `message` of an exception of this class (with or without its package) is an
/// instance of, the one with the most constant text first.
pub fn templates<A: Clone>(exception: &str, message: &str) -> Vec<Template<A>> {
    let wordings = rows(exception).flat_map(|row| &row.faults).flatten();
    let fitting = wordings.filter(|wording| wording.template.matches(message).is_some());
    let mut found: Vec<Template<A>> = fitting.map(|wording| parse(wording.pattern)).collect();
    found.sort_by_key(|template| std::cmp::Reverse(template.constant_length()));
    found
}

/// What two messages of the same exception have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Relation {
    /// They tell the same fault with the same values, in words of the JVM or the JDK.
    Same {
        /// Where classes were loaded differs, or only one of them says it.
        loaders: bool,
    },
    /// The same fault with other values; how far they are from each other, from 0 to 1.
    OtherValues { distance: f64 },
}

/// Compares by values; none if the two are not known to tell the same fault.
pub(super) fn relation(exception: &str, expected: &str, actual: &str) -> Option<Relation> {
    let faults = rows(exception).flat_map(|row| &row.faults);
    let both = faults.filter_map(|fault| Some((Telling::of(fault, expected)?, Telling::of(fault, actual)?)));
    let related = both.filter_map(|(expected, actual)| expected.relation(&actual));
    related.reduce(|best, next| match (best, next) {
        (Relation::Same { .. }, _) => best,
        (_, Relation::Same { .. }) => next,
        (Relation::OtherValues { distance: a }, Relation::OtherValues { distance: b }) => {
            if b < a {
                next
            } else {
                best
            }
        }
    })
}

/// Whether older versions throw the exception without a message where newer ones have this one.
pub(super) fn was_silent(exception: &str, message: &str) -> bool {
    let faults = rows(exception).filter(|row| row.was_silent).flat_map(|row| &row.faults);
    faults.into_iter().any(|fault| Telling::of(fault, message).is_some())
}

/// A row of the table, taken apart.
struct Read {
    exceptions: &'static [&'static str],
    was_silent: bool,
    faults: Vec<Vec<Wording>>,
}

struct Wording {
    pattern: &'static str,
    template: Template,
    /// Of each hole, all that it goes by.
    names: Vec<&'static str>,
}

fn rows(exception: &str) -> impl Iterator<Item = &'static Read> {
    static ROWS: OnceLock<Vec<Read>> = OnceLock::new();
    let simple = exception.rsplit(['.', '$', '/']).next().unwrap_or_default();
    let rows = ROWS.get_or_init(|| TABLE.iter().map(Read::new).collect());
    rows.iter().filter(move |row| row.exceptions.contains(&simple))
}

impl Read {
    fn new(row: &'static Row) -> Read {
        let faults = row.faults.iter().map(|fault| fault.iter().map(|pattern| Wording::new(pattern)).collect());
        Read { exceptions: row.exceptions, was_silent: row.was_silent, faults: faults.collect() }
    }
}

impl Wording {
    fn new(pattern: &'static str) -> Wording {
        let names = pieces(pattern).into_iter().filter_map(|piece| match piece {
            Piece::Hole { names, .. } => Some(names),
            Piece::Text(_) => None,
        });
        Wording { pattern, template: parse(pattern), names: names.collect() }
    }
}

/// Reads a pattern of the table.
fn parse<A: Clone>(pattern: &'static str) -> Template<A> {
    let mut template = Template::default();
    for piece in pieces(pattern) {
        template.push(match piece {
            Piece::Text(text) => Part::Text(text.into()),
            Piece::Hole { names, kind } => {
                let subject = names.split('|').next().unwrap_or_default().into();
                Part::Hole(Hole { kind, subject, about: None })
            }
        });
    }
    template
}

enum Piece {
    Text(&'static str),
    Hole { names: &'static str, kind: HoleKind },
}

fn pieces(pattern: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}') else { break };
        let inside = &rest[open + 1..open + close];
        let (names, kind) = inside.split_once(':').unwrap_or((inside, ""));
        pieces.push(Piece::Text(&rest[..open]));
        pieces.push(Piece::Hole { names, kind: kind_named(kind) });
        rest = &rest[open + close + 1..];
    }
    pieces.push(Piece::Text(rest));
    pieces
}

fn kind_named(name: &str) -> HoleKind {
    match name {
        "int" => HoleKind::Int,
        "hex" => HoleKind::Hex,
        "float" => HoleKind::Float,
        "char" => HoleKind::Char,
        "word" => HoleKind::Word,
        "class" => HoleKind::Class,
        "name" => HoleKind::Name,
        _ => HoleKind::Text,
    }
}

/// What a message tells of its fault: the values by name, in one form whatever the version. A value may be any of several.
struct Telling {
    values: Vec<Value>,
    loaders: Option<String>,
}

/// A value with the names that it goes by.
type Value = (&'static str, String);

impl Telling {
    /// By the wording that has the most constant text of those that fit.
    fn of(fault: &[Wording], message: &str) -> Option<Telling> {
        let fitting = fault.iter().filter_map(|wording| Some((wording, wording.template.matches(message)?)));
        let (wording, instance) = fitting.max_by_key(|(wording, _)| wording.template.constant_length())?;
        let mut telling = Telling { values: Vec::new(), loaders: None };
        let holes = wording.names.iter().zip(wording.template.holes()).zip(&instance.holes);
        for ((names, hole), filling) in holes {
            let text = &message[filling.range.clone()];
            match *names {
                "where" => telling.loaders = Some(text.to_owned()),
                names => telling.values.push((names, in_one_form(names, hole.kind, text))),
            }
        }
        telling.derive();
        Some(telling)
    }

    /// Values that another wording names and that follow from what this one does. Of a range, JDK 8 names the one number that
    /// is out of order: a negative one, then the end behind the last, then a length below zero.
    fn derive(&mut self) {
        let number = |name: &str| self.get(name).and_then(|text| text.parse::<i64>().ok());
        let (begin, count) = (number("begin").or_else(|| number("offset")), number("count"));
        let behind = begin.zip(count).and_then(|(begin, count)| begin.checked_add(count));
        let end = number("end").or(behind);
        let offending = begin.zip(end).zip(number("length")).map(|((begin, end), length)| match count {
            _ if begin < 0 => begin,
            Some(count) if count < 0 => count,
            _ if end > length => end,
            _ => end.saturating_sub(begin),
        });
        let derived = [("end", behind), ("offending", offending)];
        self.values.extend(derived.into_iter().filter_map(|(name, value)| Some((name, value?.to_string()))));
    }

    fn get(&self, name: &str) -> Option<&str> {
        let found = self.values.iter().find(|(names, _)| names.split('|').next() == Some(name));
        found.map(|(_, value)| value.as_str())
    }

    /// None if neither names a value of the other, so that nothing can be said.
    fn relation(&self, other: &Telling) -> Option<Relation> {
        let certain = self.certain().filter_map(|value| distance_to(value, other.certain()));
        let mine = self.uncertain().filter_map(|value| distance_to(value, other.values.iter()));
        let theirs = other.uncertain().filter_map(|value| distance_to(value, self.values.iter()));
        let distances: Vec<f64> = certain.chain(mine).chain(theirs).collect();
        let is_bare = self.values.is_empty() || other.values.is_empty();
        if distances.iter().any(|distance| *distance > 0.0) {
            return Some(Relation::OtherValues { distance: distances.iter().sum::<f64>() / distances.len() as f64 });
        }
        (!distances.is_empty() || is_bare).then(|| Relation::Same { loaders: self.loaders != other.loaders })
    }

    fn certain(&self) -> impl Iterator<Item = &Value> {
        self.values.iter().filter(|(names, _)| !names.contains('|'))
    }

    fn uncertain(&self) -> impl Iterator<Item = &Value> {
        self.values.iter().filter(|(names, _)| names.contains('|'))
    }
}

/// From the nearest of the values that go by one of the names; none if there is none.
fn distance_to<'a>((names, value): &Value, among: impl Iterator<Item = &'a Value>) -> Option<f64> {
    let is_meant = |other: &str| other.split('|').any(|other| names.split('|').any(|name| name == other));
    let meant = among.filter(|(other, _)| is_meant(other));
    meant.map(|(_, other)| super::distance_of_values(value, other)).reduce(f64::min)
}

/// Names of classes and members with dots, types as the source has them.
fn in_one_form(names: &str, kind: HoleKind, text: &str) -> String {
    let of_descriptor = matches!(names, "type" | "parameters").then(|| types_of_descriptor(text)).flatten();
    match (of_descriptor, kind, names) {
        (Some(types), ..) => types,
        (None, HoleKind::Class, _) => text.replace('/', "."),
        (None, _, "constant") => text.replace('$', "."),
        _ => text.to_owned(),
    }
}

/// `ILjava/lang/String;` as `int, java.lang.String`; none if the text is no sequence of descriptors.
fn types_of_descriptor(text: &str) -> Option<String> {
    let mut types = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, behind) = first_type(rest)?;
        types.push(name);
        rest = behind;
    }
    (!types.is_empty()).then(|| types.join(", "))
}

fn first_type(descriptor: &str) -> Option<(String, &str)> {
    let rest = descriptor.get(1..)?;
    let name = match descriptor.as_bytes()[0] {
        b'V' => "void",
        b'I' => "int",
        b'J' => "long",
        b'Z' => "boolean",
        b'B' => "byte",
        b'C' => "char",
        b'S' => "short",
        b'F' => "float",
        b'D' => "double",
        b'[' => return first_type(rest).map(|(element, behind)| (format!("{element}[]"), behind)),
        b'L' => return rest.split_once(';').map(|(name, behind)| (name.replace('/', "."), behind)),
        _ => return None,
    };
    Some((name.to_owned(), rest))
}

struct Row {
    exceptions: &'static [&'static str],
    /// Older versions throw without a message.
    was_silent: bool,
    faults: &'static [Fault],
}

/// All wordings of one fault.
type Fault = &'static [&'static str];

const INDEX: &[&str] = &[
    "IndexOutOfBoundsException",
    "ArrayIndexOutOfBoundsException",
    "StringIndexOutOfBoundsException",
    "IllegalArgumentException",
];

/// Hole names are part of the contract with the binding of facts to values: `index`, `length`, `size`, `actual`,
/// `target` and `class` are looked up there.
const TABLE: &[Row] = &[
    Row {
        exceptions: INDEX,
        was_silent: true,
        faults: &[&[
            "{index:int}",
            "Index {index:int} out of bounds for length {length:int}",
            "Index {index:int} out-of-bounds for length {length:int}",
            "Index: {index:int}, Size: {length:int}",
            "Index: {index:int} Size: {length:int}",
            "Index: {index:int}, Length: {length:int}",
            "Index: {index:int} Length: {length:int}",
            "Index: {index:int}",
            "Index out of range: {index:int}",
            "Array index out of range: {index:int}",
            "String index out of range: {index:int}",
            "index {index:int}, length {length:int}",
            "index {index:int},length {length:int}",
            "index: {index:int}, length: {length:int}",
            "index={index:int}, length={length:int}",
            "{index:int} >= {length:int}",
            "offset {offset|index:int}, length {length:int}",
        ]],
    },
    Row {
        exceptions: INDEX,
        was_silent: false,
        faults: &[
            &[
                "begin {begin:int}, end {end:int}, length {length:int}",
                "start {begin:int}, end {end:int}, length {length:int}",
                "start {begin:int}, end {end:int}, s.length() {length:int}",
                "offset {offset|begin:int}, count {count:int}, length {length:int}",
                "offset {offset|begin:int}, length {length:int}",
                "Range [{begin:int}, {end:int}) out of bounds for length {length:int}",
                "Range [{begin:int}, {begin:int} + {count:int}) out of bounds for length {length:int}",
                "Range [0, {end:int}) out of bounds for length {length:int}",
                "fromIndex = {begin:int}",
                "toIndex = {end:int}",
                "fromIndex({begin:int}) > toIndex({end:int})",
                "fromIndex: {begin:int} > toIndex: {end:int}",
                "fromIndex: {begin:int}, toIndex: {end:int}, size: {length:int}",
                "fromIndex < 0: {begin:int}",
                "toIndex < 0: {end:int}",
                "start > length()",
                "String index out of range: {offending:int}",
            ],
            &["{index:int} is out of bounds (min {min:int}, max {max:int})"],
            &["bitIndex < 0: {index:int}"],
            &["No group {index:int}"],
            &["No group with name <{name:word}>"],
        ],
    },
    Row {
        exceptions: &["ArrayIndexOutOfBoundsException"],
        was_silent: true,
        faults: &[
            &["arraycopy: length {count:int} is negative"],
            &[
                "arraycopy: source index {index:int} out of bounds for {type:word}[{length:int}]",
                "arraycopy: source index {index:int} out of bounds for object array[{length:int}]",
            ],
            &[
                "arraycopy: destination index {index:int} out of bounds for {type:word}[{length:int}]",
                "arraycopy: destination index {index:int} out of bounds for object array[{length:int}]",
            ],
            &[
                "arraycopy: last source index {end:int} out of bounds for {type:word}[{length:int}]",
                "arraycopy: last source index {end:int} out of bounds for object array[{length:int}]",
            ],
            &[
                "arraycopy: last destination index {end:int} out of bounds for {type:word}[{length:int}]",
                "arraycopy: last destination index {end:int} out of bounds for object array[{length:int}]",
            ],
        ],
    },
    Row {
        exceptions: &["NegativeArraySizeException"],
        was_silent: true,
        faults: &[&["{size:int}", "{size:int}: {text}"]],
    },
    Row { exceptions: &["ArrayStoreException"], was_silent: false, faults: &[&["{actual:class}"]] },
    Row {
        exceptions: &["ArrayStoreException"],
        was_silent: true,
        faults: &[
            &["arraycopy: type mismatch: can not copy {source:word}[] into {destination:word}[]"],
            &["arraycopy: type mismatch: can not copy object array[] into {destination:word}[]"],
            &["arraycopy: type mismatch: can not copy {source:word}[] into object array[]"],
            &[
                "arraycopy: element type mismatch: can not cast one of the elements of {source:word} to the type of the destination array, {destination:class}",
            ],
            &["arraycopy: source type {source:class} is not an array"],
            &["arraycopy: destination type {destination:class} is not an array"],
        ],
    },
    Row {
        exceptions: &["ArithmeticException"],
        was_silent: false,
        faults: &[
            &["/ by zero", "divide by zero"],
            &["integer overflow"],
            &["long overflow"],
            &["BigInteger divide by zero"],
            &["Division by zero"],
            &["Division undefined"],
            &["Rounding necessary"],
            &["Non-terminating decimal expansion; no exact representable decimal result."],
            &["BigInteger out of {type:word} range"],
            &["BigInteger would overflow supported range"],
            &["BigInteger not invertible."],
            &["BigInteger: modulus not positive"],
            &["Overflow"],
            &["Underflow"],
        ],
    },
    Row {
        exceptions: &["ClassCastException"],
        was_silent: false,
        faults: &[&[
            "class {actual:class} cannot be cast to class {target:class} ({where})",
            "class {actual:class} cannot be cast to class {target:class}",
            "{actual:class} cannot be cast to {target:class}",
            "{actual:class} incompatible with {target:class}",
            "Cannot cast {actual:class} to {target:class}",
            "{actual:class} cannot be cast to java.lang.Comparable",
        ]],
    },
    Row {
        exceptions: &["NumberFormatException", "InputMismatchException"],
        was_silent: false,
        faults: &[
            &[
                "For input string: \"{argument}\"",
                "For input string: \"{argument}\" under radix {radix:int}",
                "For input string: \"{argument}\" (radix {radix:int})",
                "Error at index {index:int} in: \"{argument}\"",
            ],
            &["null", "Cannot parse null string", "Cannot parse null string: null", "s == null"],
            &["Zero length string"],
            &["empty String"],
            &["multiple points"],
            &["Zero length BigInteger"],
            &["Illegal digit"],
            &["Illegal embedded sign character"],
            &["Illegal leading minus sign on unsigned string {argument}."],
            &["String value {argument} exceeds range of unsigned int."],
            &["String value {argument} exceeds range of unsigned long."],
            &["Value out of range. Value:\"{argument}\" Radix:{radix:int}"],
            &["radix {radix:int} less than Character.MIN_RADIX"],
            &["radix {radix:int} greater than Character.MAX_RADIX"],
        ],
    },
    Row {
        exceptions: &["NumberFormatException"],
        was_silent: true,
        faults: &[
            &[
                "Character {char:char} is neither a decimal digit number, decimal point, nor \"e\" notation exponential mark.",
            ],
            &["Character {char:char} is not a valid digit"],
            &["No digits found."],
            &["Too many nonzero exponent digits."],
        ],
    },
    Row {
        exceptions: &["NoSuchElementException"],
        was_silent: false,
        faults: &[
            &["No value present"],
            &["No line found"],
            &["No more elements"],
            &["Vector Enumeration"],
            &["Hashtable Enumerator"],
            &["Key {key} is missing in the map."],
            &["key not found: {key}"],
            &["List is empty."],
            &["Collection is empty."],
            &["Array is empty."],
            &["Sequence is empty."],
            &["Char sequence is empty."],
            &["Collection contains no element matching the predicate."],
            &["Sequence contains no element matching the predicate."],
            &["next on empty iterator"],
            &["head of empty list"],
            &["last of empty list"],
        ],
    },
    Row {
        exceptions: &["IllegalArgumentException"],
        was_silent: false,
        faults: &[
            &["No enum constant {constant:word}", "No enum const class {constant:word}"],
            &["Illegal initial capacity: {size:int}"],
            &["Illegal Capacity: {size:int}"],
            &["Illegal load factor: {factor:float}"],
            &["Illegal Load: {factor:float}"],
            &["{begin:int} > {end:int}"],
            &["Comparison method violates its general contract!"],
            &["timeout value is negative"],
            &["bound must be positive", "n must be positive"],
            &["Prefix string too short", "Prefix string \"{argument}\" too short: length must be at least 3"],
            &["Illegal pattern character '{char:char}'"],
            &["Unterminated quote"],
            &["Too many pattern letters: {letter}"],
            &["Unknown pattern letter: {letter}"],
            &["unmatched braces in the pattern."],
            &["can't parse argument number: {argument}"],
            &["Illegal base64 character {char:hex}"],
            &["Input byte array has incorrect ending byte at {index:int}"],
            &["Input byte array has wrong 4-byte ending unit"],
            &["Last unit does not have enough valid bits"],
            &["Invalid UUID string: {argument}"],
            &["URI is not absolute"],
            &["URLDecoder: Illegal hex characters in escape (%) pattern - {why}"],
            &["URLDecoder: Incomplete trailing escape (%) pattern"],
            &["Illegal character in {part:word} at index {index:int}: {argument}"],
            &[
                "object is not an instance of declaring class",
                "object of type {actual:class} is not an instance of {target:class}",
            ],
            &["wrong number of arguments", "wrong number of arguments: {actual:int} expected: {expected:int}"],
            &["argument type mismatch"],
            &["element type mismatch"],
            &["array element type mismatch"],
            &["Can not set {field} to {actual:class}"],
            &["Can not set {field} to null value"],
            &["Argument is not an array"],
            &["Malformed \\uxxxx encoding."],
            &["Malformed class name"],
            &["Duplicate element: {key}", "duplicate element: {key}"],
            &["duplicate key: {key}"],
            &["Illegal group reference", "Illegal group reference: group index is missing"],
            &["character to be escaped is missing"],
            &["named capturing group is missing trailing '}'"],
            &["Parameter specified as non-null is null: method {method:word}, parameter {parameter:word}"],
            &["requirement failed"],
            &["requirement failed: {why}"],
            &["Failed requirement."],
            &["Required value was null."],
        ],
    },
    Row {
        exceptions: &["NullPointerException", "IllegalStateException"],
        was_silent: false,
        faults: &[
            &["Parameter specified as non-null is null: method {method:word}, parameter {parameter:word}"],
            &["null cannot be cast to non-null type {target:class}"],
            &["{expression} must not be null"],
            &["{expression:word} is null"],
        ],
    },
    Row {
        exceptions: &["IllegalStateException"],
        was_silent: false,
        faults: &[
            &["Duplicate key {key} (attempted merging values {old} and {new})", "Duplicate key {key|old}"],
            &["Queue full"],
            &["Deque full"],
            &["No match found"],
            &["No match available"],
            &["No current match available"],
            &["Scanner closed"],
            &["stream has already been operated upon or closed"],
            &["Recursive update"],
            &["Failed to sort"],
            &["Check failed."],
        ],
    },
    Row {
        exceptions: &["DateTimeParseException"],
        was_silent: false,
        faults: &[
            &["Text '{argument}' could not be parsed at index {index:int}"],
            &["Text '{argument}' could not be parsed, unparsed text found at index {index:int}"],
            &["Text '{argument}' could not be parsed: {why}"],
            &["Text cannot be parsed to a Duration"],
            &["Text cannot be parsed to a Period"],
        ],
    },
    Row {
        exceptions: &["DateTimeException", "UnsupportedTemporalTypeException", "ZoneRulesException"],
        was_silent: false,
        faults: &[
            &["Invalid value for {field} (valid values {range}): {value:int}"],
            &["Invalid date '{date}'"],
            &["Invalid date 'February 29' as '{year:int}' is not a leap year"],
            &["Unable to obtain {target:class} from TemporalAccessor: {value} of type {actual:class}"],
            &["Invalid ID for {what}, invalid format: {argument}"],
            &["Invalid ID for ZoneOffset, invalid format: {argument}"],
            &["Unknown time-zone ID: {argument}"],
            &["Unsupported field: {field:word}"],
            &["Unsupported unit: {unit:word}"],
        ],
    },
    Row {
        exceptions: &["ParseException"],
        was_silent: false,
        faults: &[
            &["Unparseable date: \"{argument}\""],
            &["Unparseable number: \"{argument}\""],
            &["MessageFormat parse error!"],
            &["Format.parseObject(String) failed"],
        ],
    },
    Row {
        exceptions: &["URISyntaxException"],
        was_silent: false,
        faults: &[
            &["Illegal character in {part} at index {index:int}: {argument}"],
            &["Expected {what} at index {index:int}: {argument}"],
            &["Malformed {what} at index {index:int}: {argument}"],
            &["Illegal {what} at index {index:int}: {argument}"],
            &["Relative path in absolute URI: {argument}"],
            &["{why} at index {index:int}: {argument}"],
        ],
    },
    Row {
        exceptions: &["MalformedURLException"],
        was_silent: false,
        faults: &[&["no protocol: {argument}"], &["unknown protocol: {argument:word}"]],
    },
    Row {
        exceptions: &["PatternSyntaxException"],
        was_silent: false,
        faults: &[
            &["{why} near index {index:int}\n{argument}\n{caret}"],
            &["{why} near index {index:int}\n{argument}"],
            &["{why}\n{argument}"],
        ],
    },
    Row {
        exceptions: &[
            "UnknownFormatConversionException",
            "IllegalFormatConversionException",
            "MissingFormatArgumentException",
            "FormatFlagsConversionMismatchException",
            "IllegalFormatFlagsException",
            "IllegalFormatPrecisionException",
            "IllegalFormatWidthException",
            "MissingFormatWidthException",
            "DuplicateFormatFlagsException",
            "UnknownFormatFlagsException",
            "IllegalFormatArgumentIndexException",
        ],
        was_silent: false,
        faults: &[
            &["Conversion = '{conversion}'"],
            &["Conversion = {conversion:word}, Flags = {flags}"],
            &["Format specifier '{specifier}'"],
            &["Flags = '{flags}'"],
            &["{conversion:char} != {actual:class}"],
            &["{number:int}"],
            &["{specifier}"],
        ],
    },
    Row {
        exceptions: &["ClassNotFoundException"],
        was_silent: false,
        faults: &[&["{class:class}", "{class:class} not found by {bundle}"]],
    },
    Row {
        exceptions: &["NoClassDefFoundError"],
        was_silent: false,
        faults: &[
            &[
                "Could not initialize class {class:class}",
                "Could not initialize class {class:class} (initialization failure)",
            ],
            &["{class:class}"],
            &["{class:class} (wrong name: {found:class})"],
        ],
    },
    Row {
        exceptions: &["NoSuchMethodError", "AbstractMethodError", "IncompatibleClassChangeError", "IllegalAccessError"],
        was_silent: false,
        faults: &[
            &[
                "'{type} {class:class}.{member:name}({parameters})'",
                "'{type} {class:class}.<init>({parameters})'",
                "{class:class}.{member:name}({parameters}){type:class}",
            ],
            &["{class:class}: method '{type} {method}' not found"],
            &[
                "Receiver class {actual:class} does not define or inherit an implementation of the resolved method '{method}' of {what} {class:class}.",
            ],
            &["Class {actual:class} does not implement the requested interface {target:class}"],
            &["Found interface {class:class}, but class was expected"],
            &["Found class {class:class}, but interface was expected"],
        ],
    },
    Row {
        exceptions: &["NoSuchFieldError"],
        was_silent: false,
        faults: &[&["{member:name}", "Class {class:class} does not have member field '{type} {member:name}'"]],
    },
    Row {
        exceptions: &["NoSuchMethodException"],
        was_silent: false,
        faults: &[&["{class:class}.{member:name}({parameters})"], &["{class:class}.<init>({parameters})"]],
    },
    Row { exceptions: &["NoSuchFieldException"], was_silent: false, faults: &[&["{member:name}"]] },
    Row {
        exceptions: &["CloneNotSupportedException", "NotSerializableException", "InstantiationException"],
        was_silent: false,
        faults: &[&["{class:class}"]],
    },
    Row { exceptions: &["InvalidClassException"], was_silent: false, faults: &[&["{class:class}; {why}"]] },
    Row {
        exceptions: &["FileNotFoundException"],
        was_silent: false,
        faults: &[
            &[
                "{path} (No such file or directory)",
                "{path} (The system cannot find the file specified)",
                "{path} (The system cannot find the path specified)",
            ],
            &["{path} (Is a directory)"],
            &["{path} (Not a directory)"],
            &["{path} (Permission denied)", "{path} (Access is denied)"],
        ],
    },
    Row {
        exceptions: &[
            "NoSuchFileException",
            "FileAlreadyExistsException",
            "DirectoryNotEmptyException",
            "NotDirectoryException",
            "AccessDeniedException",
        ],
        was_silent: false,
        faults: &[&["{path}"]],
    },
    Row {
        exceptions: &["UnsupportedEncodingException", "UnsupportedCharsetException", "IllegalCharsetNameException"],
        was_silent: false,
        faults: &[&["{argument}"]],
    },
    Row {
        exceptions: &["MissingResourceException"],
        was_silent: false,
        faults: &[
            &["Can't find bundle for base name {bundle:word}, locale {locale}"],
            &["Can't find resource for bundle {bundle:word}, key {key}"],
        ],
    },
    Row {
        exceptions: &["InvalidPathException"],
        was_silent: false,
        faults: &[
            &["Illegal char <{char:char}> at index {index:int}: {argument}"],
            &["Nul character not allowed: {argument}"],
            &["Trailing char <{char:char}> at index {index:int}: {argument}"],
            &["Malformed input or input contains unmappable characters: {argument}"],
        ],
    },
    Row {
        exceptions: &["MalformedInputException", "UnmappableCharacterException"],
        was_silent: false,
        faults: &[&["Input length = {length:int}"]],
    },
    Row {
        exceptions: &["ConnectException", "UnknownHostException"],
        was_silent: false,
        faults: &[&["Connection refused"], &["{argument:word}"], &["{argument:word}: {why}"]],
    },
    Row {
        exceptions: &["OutOfMemoryError"],
        was_silent: false,
        faults: &[
            &["Java heap space"],
            &["GC overhead limit exceeded"],
            &["Metaspace"],
            &["Requested array size exceeds VM limit"],
            &["Required array size too large", "Required length exceeds implementation limit"],
            &["unable to create native thread: possibly out of memory or process/resource limits reached"],
        ],
    },
    Row {
        exceptions: &["IllegalMonitorStateException"],
        was_silent: true,
        faults: &[&["current thread is not owner", "current thread not owner"]],
    },
    Row {
        exceptions: &["UninitializedPropertyAccessException"],
        was_silent: false,
        faults: &[&["lateinit property {property:word} has not been initialized"]],
    },
    Row {
        exceptions: &["MatchError"],
        was_silent: false,
        faults: &[&["{value} (of class {actual:class})"], &["{value}"]],
    },
    Row {
        exceptions: &["NoWhenBranchMatchedException", "NotImplementedError"],
        was_silent: false,
        faults: &[
            &["an implementation is missing"],
            &["An operation is not implemented: {why}"],
            &["An operation is not implemented."],
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn first(exception: &str, message: &str) -> Option<String> {
        let template: Template = templates(exception, message).into_iter().next()?;
        let instance = template.matches(message)?;
        let holes = template.holes().zip(&instance.holes);
        Some(
            holes
                .map(|(hole, found)| format!("{}={}", hole.subject, &message[found.range.clone()]))
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    #[test]
    fn messages_are_read_backwards() {
        for (exception, message, expected) in [
            ("java/lang/ArrayIndexOutOfBoundsException", "5", "index=5"),
            ("java/lang/ArrayIndexOutOfBoundsException", "Index -1 out of bounds for length 2", "index=-1 length=2"),
            ("java/lang/ArrayIndexOutOfBoundsException", "Array index out of range: 7", "index=7"),
            (
                "java/lang/ArrayIndexOutOfBoundsException",
                "arraycopy: last source index 12 out of bounds for byte[10]",
                "end=12 type=byte length=10",
            ),
            (
                "java/lang/ArrayIndexOutOfBoundsException",
                "arraycopy: last destination index 3 out of bounds for object array[2]",
                "end=3 length=2",
            ),
            ("java/lang/IndexOutOfBoundsException", "Index: 5, Size: 3", "index=5 length=3"),
            ("java/lang/IndexOutOfBoundsException", "toIndex = 4", "end=4"),
            ("java/lang/IndexOutOfBoundsException", "start 3, end 2, length 2", "begin=3 end=2 length=2"),
            ("java/lang/IndexOutOfBoundsException", "Range [0, -1) out of bounds for length 3", "end=-1 length=3"),
            (
                "java/lang/IndexOutOfBoundsException",
                "Range [2, 2 + 5) out of bounds for length 3",
                "begin=2 begin=2 count=5 length=3",
            ),
            ("java/lang/StringIndexOutOfBoundsException", "String index out of range: -1", "index=-1"),
            ("java/lang/StringIndexOutOfBoundsException", "begin 0, end -1, length 3", "begin=0 end=-1 length=3"),
            ("java/lang/StringIndexOutOfBoundsException", "index 5, length 5", "index=5 length=5"),
            ("java/lang/IllegalArgumentException", "fromIndex(3) > toIndex(2)", "begin=3 end=2"),
            ("java/lang/IllegalArgumentException", "No enum constant a.B.X", "constant=a.B.X"),
            (
                "java/lang/IllegalStateException",
                "Duplicate key k (attempted merging values 1 and 2)",
                "key=k old=1 new=2",
            ),
            ("java/lang/IllegalStateException", "Duplicate key k", "key=k"),
            ("java/lang/NumberFormatException", "For input string: \"80000000\"", "argument=80000000"),
            ("java/lang/NumberFormatException", "For input string: \"zz\" under radix 16", "argument=zz radix=16"),
            ("java/lang/NumberFormatException", "null", ""),
            ("java/lang/ClassCastException", "a.B cannot be cast to c.D", "actual=a.B target=c.D"),
            ("java/lang/ClassCastException", "a.B incompatible with c.D", "actual=a.B target=c.D"),
            (
                "java/lang/ClassCastException",
                "class a.B cannot be cast to class c.D (a.B and c.D are in unnamed module of loader 'app')",
                "actual=a.B target=c.D where=a.B and c.D are in unnamed module of loader 'app'",
            ),
            ("java/lang/ArrayStoreException", "java.lang.Integer", "actual=java.lang.Integer"),
            ("java/lang/NegativeArraySizeException", "-15", "size=-15"),
            (
                "java/time/format/DateTimeParseException",
                "Text 'x' could not be parsed at index 0",
                "argument=x index=0",
            ),
            ("java/text/ParseException", "Unparseable date: \"x\"", "argument=x"),
            (
                "java/net/URISyntaxException",
                "Illegal character in path at index 3: /a b",
                "part=path index=3 argument=/a b",
            ),
            ("java/lang/NoClassDefFoundError", "Could not initialize class a.B", "class=a.B"),
            ("java/lang/NoClassDefFoundError", "a/B", "class=a/B"),
            (
                "java/util/IllegalFormatConversionException",
                "d != java.lang.String",
                "conversion=d actual=java.lang.String",
            ),
            ("scala/MatchError", "3 (of class java.lang.Integer)", "value=3 actual=java.lang.Integer"),
            (
                "java/lang/NoSuchMethodError",
                "'void a.B.c(int, java.lang.String)'",
                "type=void class=a.B member=c parameters=int, java.lang.String",
            ),
        ] {
            assert_eq!(first(exception, message).as_deref(), Some(expected), "{message}");
        }
        assert_eq!(first("java/lang/ArithmeticException", "something of our own"), None);
    }

    #[test]
    fn the_table_is_well_formed() {
        for pattern in TABLE.iter().flat_map(|row| row.faults).flat_map(|fault| fault.iter()) {
            let template: Template = parse(pattern);
            let shown = template.parts.iter().filter(|part| matches!(part, Part::Hole(_))).count();
            assert_eq!(shown, pattern.matches('{').count(), "{pattern}");
            assert!(template.holes().all(|hole| !hole.subject.is_empty()), "{pattern}");
        }
    }
}
