//! The messages that the JVM, the JDK and the runtime libraries of Kotlin and Scala write themselves, old and new, as a
//! table of patterns with named holes; read the other way round they say what the values were.
//!
//! A pattern is constant text with holes `{name:kind}`; `{name}` alone holds any text. Exceptions are given by simple
//! name. Several patterns may fit one message (`5` is an index or a size); all are returned, the most constant first.
//! Helpful null-pointer texts are not here: they have a grammar of their own (see [`super::helpful`]).

use super::template::{Hole, HoleKind, Part, Template};
use program::ClassName;

/// The templates among the known ones that `message` of an exception of this class is an instance of, the one with the
/// most constant text first.
pub fn templates(exception: ClassName, message: &str) -> Vec<Template> {
    let simple = exception.simple().rsplit('$').next().unwrap_or_default();
    let rows = TABLE.iter().filter(|row| row.exceptions.contains(&simple));
    let mut found: Vec<Template> = rows
        .flat_map(|row| row.patterns)
        .map(|pattern| parse(pattern))
        .filter(|template| template.matches(message).is_some())
        .collect();
    found.sort_by_key(|template| std::cmp::Reverse(template.constant_length()));
    found
}

/// Reads a pattern of the table.
fn parse(pattern: &str) -> Template {
    let mut template = Template::default();
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}') else { break };
        template.push(Part::Text(rest[..open].into()));
        let (name, kind) = rest[open + 1..open + close].split_once(':').unwrap_or((&rest[open + 1..open + close], ""));
        template.push(Part::Hole(Hole { kind: kind_named(kind), subject: name.into(), about: None }));
        rest = &rest[open + close + 1..];
    }
    template.push(Part::Text(rest.into()));
    template
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

struct Row {
    exceptions: &'static [&'static str],
    patterns: &'static [&'static str],
}

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
        patterns: &[
            "{index:int}",
            "Index {index:int} out of bounds for length {length:int}",
            "Index {index:int} out-of-bounds for length {length:int}",
            "Index: {index:int}, Size: {length:int}",
            "Index: {index:int}, Length: {length:int}",
            "Index: {index:int}",
            "Index out of range: {index:int}",
            "Array index out of range: {index:int}",
            "String index out of range: {index:int}",
            "index {index:int}, length {length:int}",
            "index {index:int},length {length:int}",
            "index: {index:int}, length: {length:int}",
            "index={index:int}, length={length:int}",
            "{index:int} >= {length:int}",
            "{index:int} is out of bounds (min {min:int}, max {max:int})",
            "begin {begin:int}, end {end:int}, length {length:int}",
            "start {begin:int}, end {end:int}, length {length:int}",
            "start {begin:int}, end {end:int}, s.length() {length:int}",
            "offset {offset:int}, count {count:int}, length {length:int}",
            "offset {offset:int}, length {length:int}",
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
            "bitIndex < 0: {index:int}",
            "start > length()",
            "No group {index:int}",
            "No group with name <{name:word}>",
        ],
    },
    Row {
        exceptions: &["ArrayIndexOutOfBoundsException"],
        patterns: &[
            "arraycopy: length {count:int} is negative",
            "arraycopy: source index {index:int} out of bounds for {type:word}[{length:int}]",
            "arraycopy: source index {index:int} out of bounds for object array[{length:int}]",
            "arraycopy: destination index {index:int} out of bounds for {type:word}[{length:int}]",
            "arraycopy: destination index {index:int} out of bounds for object array[{length:int}]",
            "arraycopy: last source index {end:int} out of bounds for {type:word}[{length:int}]",
            "arraycopy: last source index {end:int} out of bounds for object array[{length:int}]",
            "arraycopy: last destination index {end:int} out of bounds for {type:word}[{length:int}]",
            "arraycopy: last destination index {end:int} out of bounds for object array[{length:int}]",
        ],
    },
    Row { exceptions: &["NegativeArraySizeException"], patterns: &["{size:int}", "{size:int}: {text}"] },
    Row {
        exceptions: &["ArrayStoreException"],
        patterns: &[
            "{actual:class}",
            "arraycopy: type mismatch: can not copy {source:word}[] into {destination:word}[]",
            "arraycopy: type mismatch: can not copy object array[] into {destination:word}[]",
            "arraycopy: type mismatch: can not copy {source:word}[] into object array[]",
            "arraycopy: element type mismatch: can not cast one of the elements of {source:word} to the type of the \
             destination array, {destination:class}",
            "arraycopy: source type {source:class} is not an array",
            "arraycopy: destination type {destination:class} is not an array",
        ],
    },
    Row {
        exceptions: &["ArithmeticException"],
        patterns: &[
            "/ by zero",
            "divide by zero",
            "integer overflow",
            "long overflow",
            "BigInteger divide by zero",
            "Division by zero",
            "Division undefined",
            "Rounding necessary",
            "Non-terminating decimal expansion; no exact representable decimal result.",
            "BigInteger out of {type:word} range",
            "BigInteger would overflow supported range",
            "BigInteger not invertible.",
            "BigInteger: modulus not positive",
            "Overflow",
            "Underflow",
        ],
    },
    Row {
        exceptions: &["ClassCastException"],
        patterns: &[
            "class {actual:class} cannot be cast to class {target:class} ({where})",
            "class {actual:class} cannot be cast to class {target:class}",
            "{actual:class} cannot be cast to {target:class}",
            "{actual:class} incompatible with {target:class}",
            "Cannot cast {actual:class} to {target:class}",
            "{actual:class} cannot be cast to java.lang.Comparable",
        ],
    },
    Row {
        exceptions: &["NumberFormatException", "InputMismatchException"],
        patterns: &[
            "For input string: \"{argument}\"",
            "For input string: \"{argument}\" under radix {radix:int}",
            "For input string: \"{argument}\" (radix {radix:int})",
            "null",
            "Cannot parse null string",
            "Cannot parse null string: null",
            "s == null",
            "Zero length string",
            "empty String",
            "multiple points",
            "Zero length BigInteger",
            "Illegal digit",
            "Illegal embedded sign character",
            "Illegal leading minus sign on unsigned string {argument}.",
            "String value {argument} exceeds range of unsigned int.",
            "String value {argument} exceeds range of unsigned long.",
            "Value out of range. Value:\"{argument}\" Radix:{radix:int}",
            "Error at index {index:int} in: \"{argument}\"",
            "radix {radix:int} less than Character.MIN_RADIX",
            "radix {radix:int} greater than Character.MAX_RADIX",
            "Character {char:char} is neither a decimal digit number, decimal point, nor \"e\" notation exponential mark.",
            "Character {char:char} is not a valid digit",
            "No digits found.",
            "Too many nonzero exponent digits.",
        ],
    },
    Row {
        exceptions: &["NoSuchElementException"],
        patterns: &[
            "No value present",
            "No line found",
            "No more elements",
            "Vector Enumeration",
            "Hashtable Enumerator",
            "Key {key} is missing in the map.",
            "key not found: {key}",
            "List is empty.",
            "Collection is empty.",
            "Array is empty.",
            "Sequence is empty.",
            "Char sequence is empty.",
            "Collection contains no element matching the predicate.",
            "Sequence contains no element matching the predicate.",
            "next on empty iterator",
            "head of empty list",
            "last of empty list",
        ],
    },
    Row {
        exceptions: &["IllegalArgumentException"],
        patterns: &[
            "No enum constant {constant:word}",
            "No enum const class {constant:word}",
            "Illegal initial capacity: {size:int}",
            "Illegal Capacity: {size:int}",
            "Illegal load factor: {factor:float}",
            "Illegal Load: {factor:float}",
            "{begin:int} > {end:int}",
            "Comparison method violates its general contract!",
            "timeout value is negative",
            "bound must be positive",
            "Prefix string too short",
            "Prefix string \"{argument}\" too short: length must be at least 3",
            "Illegal pattern character '{char:char}'",
            "Unterminated quote",
            "Too many pattern letters: {letter}",
            "Unknown pattern letter: {letter}",
            "unmatched braces in the pattern.",
            "can't parse argument number: {argument}",
            "Illegal base64 character {char:hex}",
            "Input byte array has incorrect ending byte at {index:int}",
            "Input byte array has wrong 4-byte ending unit",
            "Last unit does not have enough valid bits",
            "Invalid UUID string: {argument}",
            "URI is not absolute",
            "URLDecoder: Illegal hex characters in escape (%) pattern - {why}",
            "URLDecoder: Incomplete trailing escape (%) pattern",
            "Illegal character in {part:word} at index {index:int}: {argument}",
            "object is not an instance of declaring class",
            "object of type {actual:class} is not an instance of {target:class}",
            "wrong number of arguments",
            "wrong number of arguments: {actual:int} expected: {expected:int}",
            "argument type mismatch",
            "element type mismatch",
            "array element type mismatch",
            "Can not set {field} to {actual:class}",
            "Can not set {field} to null value",
            "Argument is not an array",
            "Malformed \\uxxxx encoding.",
            "Malformed class name",
            "Duplicate element: {key}",
            "duplicate element: {key}",
            "duplicate key: {key}",
            "Illegal group reference",
            "Illegal group reference: group index is missing",
            "character to be escaped is missing",
            "named capturing group is missing trailing '}'",
            "Parameter specified as non-null is null: method {method:word}, parameter {parameter:word}",
            "requirement failed",
            "requirement failed: {why}",
            "Failed requirement.",
            "Required value was null.",
        ],
    },
    Row {
        exceptions: &["NullPointerException", "IllegalStateException"],
        patterns: &[
            "Parameter specified as non-null is null: method {method:word}, parameter {parameter:word}",
            "null cannot be cast to non-null type {target:class}",
            "{expression} must not be null",
            "{expression:word} is null",
        ],
    },
    Row {
        exceptions: &["IllegalStateException"],
        patterns: &[
            "Duplicate key {key} (attempted merging values {old} and {new})",
            "Duplicate key {key}",
            "Queue full",
            "Deque full",
            "No match found",
            "No match available",
            "No current match available",
            "Scanner closed",
            "stream has already been operated upon or closed",
            "Recursive update",
            "Failed to sort",
            "Check failed.",
        ],
    },
    Row {
        exceptions: &["DateTimeParseException"],
        patterns: &[
            "Text '{argument}' could not be parsed at index {index:int}",
            "Text '{argument}' could not be parsed, unparsed text found at index {index:int}",
            "Text '{argument}' could not be parsed: {why}",
            "Text cannot be parsed to a Duration",
            "Text cannot be parsed to a Period",
        ],
    },
    Row {
        exceptions: &["DateTimeException", "UnsupportedTemporalTypeException", "ZoneRulesException"],
        patterns: &[
            "Invalid value for {field} (valid values {range}): {value:int}",
            "Invalid date '{date}'",
            "Invalid date 'February 29' as '{year:int}' is not a leap year",
            "Unable to obtain {target:class} from TemporalAccessor: {value} of type {actual:class}",
            "Invalid ID for {what}, invalid format: {argument}",
            "Invalid ID for ZoneOffset, invalid format: {argument}",
            "Unknown time-zone ID: {argument}",
            "Unsupported field: {field:word}",
            "Unsupported unit: {unit:word}",
        ],
    },
    Row {
        exceptions: &["ParseException"],
        patterns: &[
            "Unparseable date: \"{argument}\"",
            "Unparseable number: \"{argument}\"",
            "MessageFormat parse error!",
            "Format.parseObject(String) failed",
        ],
    },
    Row {
        exceptions: &["URISyntaxException"],
        patterns: &[
            "Illegal character in {part} at index {index:int}: {argument}",
            "Expected {what} at index {index:int}: {argument}",
            "Malformed {what} at index {index:int}: {argument}",
            "Illegal {what} at index {index:int}: {argument}",
            "Relative path in absolute URI: {argument}",
            "{why} at index {index:int}: {argument}",
        ],
    },
    Row {
        exceptions: &["MalformedURLException"],
        patterns: &["no protocol: {argument}", "unknown protocol: {argument:word}"],
    },
    Row {
        exceptions: &["PatternSyntaxException"],
        patterns: &[
            "{why} near index {index:int}\n{argument}\n{caret}",
            "{why} near index {index:int}\n{argument}",
            "{why}\n{argument}",
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
        patterns: &[
            "Conversion = '{conversion}'",
            "Conversion = {conversion:word}, Flags = {flags}",
            "Format specifier '{specifier}'",
            "Flags = '{flags}'",
            "{conversion:char} != {actual:class}",
            "{number:int}",
            "{specifier}",
        ],
    },
    Row {
        exceptions: &["ClassNotFoundException"],
        patterns: &["{class:class}", "{class:class} not found by {bundle}"],
    },
    Row {
        exceptions: &["NoClassDefFoundError"],
        patterns: &[
            "Could not initialize class {class:class}",
            "{class:class}",
            "{class:class} (wrong name: {found:class})",
            "Could not initialize class {class:class} (initialization failure)",
        ],
    },
    Row {
        exceptions: &["NoSuchMethodError", "AbstractMethodError", "IncompatibleClassChangeError", "IllegalAccessError"],
        patterns: &[
            "'{type} {class:class}.{member:name}({parameters})'",
            "'{type} {class:class}.<init>({parameters})'",
            "{class:class}.{member:name}({parameters}){type:class}",
            "{class:class}: method '{type} {method}' not found",
            "Receiver class {actual:class} does not define or inherit an implementation of the resolved method '{method}' of {what} {class:class}.",
            "Class {actual:class} does not implement the requested interface {target:class}",
            "Found interface {class:class}, but class was expected",
            "Found class {class:class}, but interface was expected",
        ],
    },
    Row {
        exceptions: &["NoSuchFieldError"],
        patterns: &["{member:name}", "Class {class:class} does not have member field '{type} {member:name}'"],
    },
    Row {
        exceptions: &["NoSuchMethodException"],
        patterns: &["{class:class}.{member:name}({parameters})", "{class:class}.<init>({parameters})"],
    },
    Row { exceptions: &["NoSuchFieldException"], patterns: &["{member:name}"] },
    Row {
        exceptions: &["CloneNotSupportedException", "NotSerializableException", "InstantiationException"],
        patterns: &["{class:class}"],
    },
    Row { exceptions: &["InvalidClassException"], patterns: &["{class:class}; {why}"] },
    Row {
        exceptions: &["FileNotFoundException"],
        patterns: &[
            "{path} (No such file or directory)",
            "{path} (Is a directory)",
            "{path} (Not a directory)",
            "{path} (Permission denied)",
            "{path} (The system cannot find the file specified)",
            "{path} (The system cannot find the path specified)",
            "{path} (Access is denied)",
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
        patterns: &["{path}"],
    },
    Row {
        exceptions: &["UnsupportedEncodingException", "UnsupportedCharsetException", "IllegalCharsetNameException"],
        patterns: &["{argument}"],
    },
    Row {
        exceptions: &["MissingResourceException"],
        patterns: &[
            "Can't find bundle for base name {bundle:word}, locale {locale}",
            "Can't find resource for bundle {bundle:word}, key {key}",
        ],
    },
    Row {
        exceptions: &["InvalidPathException"],
        patterns: &[
            "Illegal char <{char:char}> at index {index:int}: {argument}",
            "Nul character not allowed: {argument}",
            "Trailing char <{char:char}> at index {index:int}: {argument}",
            "Malformed input or input contains unmappable characters: {argument}",
        ],
    },
    Row {
        exceptions: &["MalformedInputException", "UnmappableCharacterException"],
        patterns: &["Input length = {length:int}"],
    },
    Row {
        exceptions: &["ConnectException", "UnknownHostException"],
        patterns: &["Connection refused", "{argument:word}", "{argument:word}: {why}"],
    },
    Row {
        exceptions: &["OutOfMemoryError"],
        patterns: &[
            "Java heap space",
            "GC overhead limit exceeded",
            "Metaspace",
            "Requested array size exceeds VM limit",
            "Required array size too large",
            "Required length exceeds implementation limit",
            "unable to create native thread: possibly out of memory or process/resource limits reached",
        ],
    },
    Row {
        exceptions: &["IllegalMonitorStateException"],
        patterns: &["current thread is not owner", "current thread not owner"],
    },
    Row {
        exceptions: &["UninitializedPropertyAccessException"],
        patterns: &["lateinit property {property:word} has not been initialized"],
    },
    Row { exceptions: &["MatchError"], patterns: &["{value} (of class {actual:class})", "{value}"] },
    Row {
        exceptions: &["NoWhenBranchMatchedException", "NotImplementedError"],
        patterns: &[
            "an implementation is missing",
            "An operation is not implemented: {why}",
            "An operation is not implemented.",
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn first(exception: &str, message: &str) -> Option<String> {
        let template = templates(ClassName::internal(exception), message).into_iter().next()?;
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
        for pattern in TABLE.iter().flat_map(|row| row.patterns) {
            let template = parse(pattern);
            let shown = template.parts.iter().filter(|part| matches!(part, Part::Hole(_))).count();
            assert_eq!(shown, pattern.matches('{').count(), "{pattern}");
            assert!(template.holes().all(|hole| !hole.subject.is_empty()), "{pattern}");
        }
    }
}
