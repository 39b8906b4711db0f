//! Reads the line that names an exception: `Caused by: org.acme.FooException: message`.
//!
//! [`read`] takes a line that begins with the exception, behind nothing but a label or quotation marks. [`embedded`]
//! finds an exception anywhere in a line of a log. Neither decides whether the line belongs to a trace: `sure` says
//! how much the line alone is worth as evidence.

use super::frame;

/// How a printed exception is tied to the ones above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    Top,
    CausedBy,
    /// Root cause first: this exception is caused by the one printed above it.
    WrappedBy,
    Suppressed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) label: Label,
    pub(crate) thread: Option<String>,
    /// Empty if a label is followed by something that is no class name.
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    pub(crate) circular: bool,
    /// The name is that of an exception, or a label says so.
    pub(crate) sure: bool,
    /// Nothing that stands above belongs to it.
    pub(crate) first: bool,
    /// The label is a word that messages have too: it counts only below frames.
    pub(crate) soft: bool,
    /// Where in the line the exception (with its label) begins, in bytes.
    pub(crate) at: usize,
}

const SUFFIXES: [&str; 3] = ["Exception", "Error", "Throwable"];

/// Markdown, mail and log decoration that may stand before a head.
const DECORATION: [char; 9] = [' ', '\t', '`', '*', '_', '>', '|', '"', '\''];

pub(crate) fn read(line: &str) -> Option<Head> {
    let text = line.trim_start_matches(DECORATION);
    let text = after_command(text).unwrap_or(text);
    let at = line.len() - text.len();
    if let Some(head) = announced(text) {
        return Some(Head { at: at + head.at, ..head });
    }
    let (label, text) = label(text);
    if label == Label::Top
        && let Some((thread, text)) = in_thread(text)
    {
        let head = named(Label::Top, text).unwrap_or_else(|| unnamed(Label::Top, text));
        return Some(Head { thread: Some(thread.to_owned()), sure: true, first: true, at, ..head });
    }
    let text = text.trim_start();
    if let Some(inner) = text.strip_prefix("[CIRCULAR REFERENCE:") {
        let inner = inner.trim_end().strip_suffix(']').unwrap_or(inner);
        let label = if label == Label::Top { Label::CausedBy } else { label };
        return Some(Head { circular: true, sure: true, at, ..named(label, inner.trim_start())? });
    }
    if let Some(head) = named(label, text) {
        return Some(Head { at, ..head });
    }
    // A label alone is a cut line; with a text it is an exception whose `toString` hides the class.
    (label != Label::Top && !text.is_empty()).then(|| Head { at, ..unnamed(label, text) })
}

/// Words that tools put before an exception: Hadoop before that of a task, Crashlytics and WebSphere, Py4J before that of the JVM, Jenkins between a cause and
/// what it has caused, ScalaTest and New Relic before a cause.
fn announced(text: &str) -> Option<Head> {
    const WORDS: [(&str, Label); 8] = [
        ("Error: ", Label::Top),
        ("Stack trace: ", Label::Top),
        ("Fatal Exception: ", Label::Top),
        ("Stack Dump = ", Label::Top),
        (": ", Label::Top),
        ("Caused: ", Label::WrappedBy),
        ("Cause: ", Label::CausedBy),
        ("caused by ", Label::CausedBy),
    ];
    let (word, label) = WORDS.iter().find(|(word, _)| text.starts_with(word))?;
    let is_head = |head: &Head| head.sure && (is_qualified(&head.class) || *word == "Stack trace: ");
    let head = named(*label, &text[word.len()..]).filter(is_head)?;
    let (first, soft) = (*word == ": ", *label == Label::CausedBy);
    Some(Head { at: if *label == Label::Top { word.len() } else { 0 }, first, soft, ..head })
}

/// The text behind the name of a program, as PowerShell has it before the first line of a program's errors: `java.exe : a.BException`.
fn after_command(text: &str) -> Option<&str> {
    const LONGEST: usize = 64;
    let near = &text[..text.floor_char_boundary(LONGEST)];
    let (command, _) = near.split_once(" : ")?;
    let is_command =
        command.starts_with(char::is_alphabetic) && !command.contains(|c: char| c.is_whitespace() || c == '"');
    let rest = &text[command.len() + " : ".len()..];
    let names = in_thread(rest).is_some() || named(Label::Top, rest).is_some_and(|h| h.sure && is_qualified(&h.class));
    (is_command && names).then_some(rest)
}

/// Clojure's `pst` writes the name without package and colon: `ExceptionInfo cannot place`. Nothing but the frames below tells that
/// an exception is meant.
pub(crate) fn worded(line: &str) -> Option<Head> {
    let text = line.trim_start();
    let end = text.find(' ').unwrap_or(text.len());
    let class = &text[..end];
    let is_class = class.starts_with(char::is_uppercase) && class.chars().all(|c| c.is_alphanumeric() || c == '_');
    let typical = SUFFIXES.iter().any(|end| class.ends_with(end) && class.len() > end.len());
    let inside = class.split_once("Exception").is_some_and(|(_, rest)| rest.starts_with(char::is_uppercase));
    (is_class && (typical || inside)).then(|| Head {
        class: class.to_owned(),
        message: message(&text[end..]),
        sure: true,
        at: line.len() - text.len(),
        ..unnamed(Label::Top, "")
    })
}

/// Python's words above a stack. Jython shows the frames of Java below them, and names the exception at the end.
pub(crate) const TRACEBACK: &str = "Traceback (most recent call last):";

pub(crate) fn traceback(line: &str) -> Option<Head> {
    (line.trim() == TRACEBACK).then(|| unnamed(Label::Top, line.trim()))
}

/// An exception whose `toString` hides the class.
fn unnamed(label: Label, text: &str) -> Head {
    let message = Some(text.trim_end().to_owned());
    Head {
        label,
        thread: None,
        class: String::new(),
        message,
        circular: false,
        sure: false,
        first: false,
        soft: false,
        at: 0,
    }
}

/// Does the line consist of a label only, the rest being cut off by line wrapping?
pub(crate) fn is_label_alone(line: &str) -> bool {
    let (label, rest) = label(line.trim_start_matches(DECORATION));
    label != Label::Top && rest.trim().is_empty()
}

/// The first qualified name of an exception anywhere in the line; rather one that a message may follow than, say, an
/// attribute of XML.
pub(crate) fn embedded(line: &str) -> Option<Head> {
    // An exception far inside a line is no head of a trace; and this looks back from each name.
    const LONGEST: usize = 16 << 10;
    let line = &line[..line.floor_char_boundary(LONGEST)];
    let mut names: Vec<(usize, usize)> = SUFFIXES.iter().flat_map(|suffix| names(line, suffix)).collect();
    names.sort_unstable();
    let proper = |&&(_, end): &&(usize, usize)| {
        let rest = line[end..].trim_end();
        rest.is_empty() || rest.starts_with(": ") || rest.starts_with("; ")
    };
    let &(start, end) = names.iter().find(proper).or(names.first())?;
    let bracketed = line[..start].ends_with('[');
    let message = line[end..].strip_prefix([':', ';']).map(|m| {
        let m = m.trim();
        let m = if bracketed { m.strip_suffix(']').unwrap_or(m) } else { m };
        m.to_owned()
    });
    Some(Head {
        label: Label::Top,
        thread: None,
        class: line[start..end].to_owned(),
        message,
        circular: false,
        sure: true,
        first: false,
        soft: false,
        at: start,
    })
}

/// An exception without its package inside a line, followed by its message: `failed with ZeroDivisionError: x`.
pub(crate) fn embedded_simple(line: &str) -> Option<Head> {
    const LONGEST: usize = 16 << 10;
    let line = &line[..line.floor_char_boundary(LONGEST)];
    let ends = SUFFIXES.iter().flat_map(|suffix| line.match_indices(suffix).map(|(at, _)| at + suffix.len()));
    let end = ends.filter(|&end| line[end..].starts_with(": ")).min()?;
    let start = line[..end].rfind(char::is_whitespace).map_or(0, |at| at + char_len(line, at));
    let head = named(Label::Top, &line[start..]).filter(|head| head.sure)?;
    Some(Head { at: start, ..head })
}

/// Where qualified names with this suffix begin and end.
fn names(line: &str, suffix: &str) -> Vec<(usize, usize)> {
    let bounds = |(i, _): (usize, &str)| {
        let mut end = i + suffix.len();
        // A class nested in one of an exception is one: `ConfigException$Missing`.
        if line[end..].starts_with('$') {
            end += line[end..].find(|c| !is_class_char(c) || c == '.').unwrap_or(line.len() - end);
        }
        let start = line[..i].rfind(|c: char| !is_class_char(c)).map_or(0, |p| p + char_len(line, p));
        // `Loading...a.BException`: the line before was not ended.
        let start = line[start..i].rfind("..").map_or(start, |dots| start + dots + "..".len());
        let clean_start = !line[..start].ends_with(['/', '@', '-', '\\']);
        let clean_end = !line[end..].starts_with(|c: char| is_class_char(c) || c == '(');
        (clean_start && clean_end && is_qualified(&line[start..end])).then_some((start, end))
    };
    line.match_indices(suffix).filter_map(bounds).collect()
}

fn label(text: &str) -> (Label, &str) {
    for (word, label) in
        [("Caused by", Label::CausedBy), ("Wrapped by", Label::WrappedBy), ("Suppressed", Label::Suppressed)]
    {
        if let Some(rest) = text.strip_prefix(word) {
            let bare = rest.trim_start_matches(['*', '_', '`', ' ']);
            // Truffle: what a guest language called has failed.
            let bare = bare.strip_prefix("host exception").unwrap_or(bare);
            if let Some(rest) = bare.strip_prefix(':') {
                return (label, rest.trim_start_matches(['*', '_', '`', ' ', '\t']));
            }
            // `Caused by org.acme.FooException: ..`, as people write it.
            if rest.starts_with(' ') && named(label, bare).is_some_and(|h| h.sure) {
                return (label, bare);
            }
        }
    }
    (Label::Top, text)
}

/// `Exception in thread "main" java.lang.Error`: the thread and what follows. A thread may have quotes in its name, and the
/// exception a `toString` of its own.
fn in_thread(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("Exception in thread ")?;
    let Some(quoted) = text.strip_prefix('"') else {
        let (thread, rest) = text.split_once(' ')?;
        return named(Label::Top, rest).filter(|h| h.sure).map(|_| (thread, rest));
    };
    let parts = |(i, _): (usize, &'_ str)| (&quoted[..i], quoted[i + 1..].trim_start());
    let mut ends = quoted.match_indices('"').map(parts);
    ends.clone().find(|(_, rest)| named(Label::Top, rest).is_some()).or_else(|| ends.find(|(_, rest)| !rest.is_empty()))
}

/// Reads `class: message` at the beginning of the text.
fn named(label: Label, text: &str) -> Option<Head> {
    let end = text.find(|c: char| !is_class_char(c)).unwrap_or(text.len());
    let class = text[..end].trim_end_matches('.');
    let rest = &text[class.len()..];
    if class.is_empty() || class == "java.lang.Thread.State" || !class.split('.').all(starts_identifier) {
        return None;
    }
    let qualified = is_qualified(class);
    let typical = ends_like_exception(class);
    let standard = rest.trim_end().is_empty() || rest.starts_with(':');
    let sure = match label {
        Label::Top => typical && (qualified || class.len() > "Exception".len()),
        _ => (typical && (qualified || class.len() > "Exception".len())) || (qualified && standard),
    };
    let possible = sure || (label == Label::Top && standard && (typical || looks_like_class(class)));
    let separated = standard
        || !frame::is_location_alone(rest)
            && rest.starts_with([';', '(', '[', ' ', '\t', ',', '`', '*', '"', '\'', '<']);
    (possible && separated).then(|| Head {
        label,
        thread: None,
        class: class.to_owned(),
        message: message(rest),
        circular: false,
        sure,
        first: false,
        soft: false,
        at: 0,
    })
}

/// What follows the class: `: text`, or, where `toString` is overridden, `; lineNumber: 1`, `(java.io.IOException): text`.
fn message(rest: &str) -> Option<String> {
    if let Some(message) = rest.strip_prefix(':') {
        return Some(message.strip_prefix(' ').unwrap_or(message).trim_end().to_owned());
    }
    let message = rest.trim_start_matches([';', ',', ' ', '\t']).trim_end().trim_end_matches(['`', '*', '"', '\'']);
    (!message.is_empty()).then(|| message.to_owned())
}

/// The class, or one that it is nested in, has the name of an exception.
fn ends_like_exception(class: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    simple.split('$').any(|part| SUFFIXES.iter().any(|s| part.ends_with(s)))
}

/// A package and a capital letter, as classes have, or only short parts, as an obfuscator makes them. Without a package,
/// a nested class: a word with a capital letter alone is a word.
fn looks_like_class(class: &str) -> bool {
    let last = class.rsplit('.').next().unwrap_or(class);
    let capital = last.starts_with(char::is_uppercase);
    match is_qualified(class) {
        true => capital || class.split('.').all(|part| part.len() <= 3),
        false => capital && class.contains('$'),
    }
}

fn is_qualified(class: &str) -> bool {
    class.contains('.') && class.split('.').all(starts_identifier)
}

fn starts_identifier(part: &str) -> bool {
    part.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
}

fn is_class_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, label: Label, class: &str, message: Option<&str>) {
        let head = read(line).unwrap_or_else(|| panic!("no head in {line}"));
        assert_eq!((head.label, head.class.as_str(), head.message.as_deref()), (label, class, message), "{line}");
    }

    #[test]
    fn heads_in_many_dresses() {
        check("java.lang.NullPointerException", Label::Top, "java.lang.NullPointerException", None);
        check("a.BException: x: y", Label::Top, "a.BException", Some("x: y"));
        check("a.BException: ", Label::Top, "a.BException", Some(""));
        check("Caused by: a.B: text", Label::CausedBy, "a.B", Some("text"));
        check("**Caused by:** a.BError", Label::CausedBy, "a.BError", None);
        check("Caused by host exception: a.BError: x", Label::CausedBy, "a.BError", Some("x"));
        check("Caused by a.BError: x", Label::CausedBy, "a.BError", Some("x"));
        check("\tSuppressed: a.BException: x", Label::Suppressed, "a.BException", Some("x"));
        check("Wrapped by: a.BException", Label::WrappedBy, "a.BException", None);
        check("Exception in thread \"main\" a.B: x", Label::Top, "a.B", Some("x"));
        check("Exception in thread \"a \"b\" c\" a.B: x", Label::Top, "a.B", Some("x"));
        check("Exception in thread \"main\" while parsing", Label::Top, "", Some("while parsing"));
        check("Error: a.BException: x", Label::Top, "a.BException", Some("x"));
        check("Caused: a.BException: x", Label::WrappedBy, "a.BException", Some("x"));
        check("Cause: a.BException: x", Label::CausedBy, "a.BException", Some("x"));
        check("java.exe : Exception in thread \"main\" a.BError: x", Label::Top, "a.BError", Some("x"));
        check("Stack trace: BException code=1: ", Label::Top, "BException", Some("code=1:"));
        check("NullPointerException: x", Label::Top, "NullPointerException", Some("x"));
        check(
            "org.xml.sax.SAXParseException; lineNumber: 1; columnNumber: 2; text",
            Label::Top,
            "org.xml.sax.SAXParseException",
            Some("lineNumber: 1; columnNumber: 2; text"),
        );
        check(
            "a.RemoteException(java.io.IOException): gone",
            Label::Top,
            "a.RemoteException",
            Some("(java.io.IOException): gone"),
        );
        check("Caused by: /home/build.xml:12: failed", Label::CausedBy, "", Some("/home/build.xml:12: failed"));
    }

    #[test]
    fn circular_references_of_old_and_new_jdks() {
        for line in ["\t[CIRCULAR REFERENCE:a.BException: x]", "Caused by: [CIRCULAR REFERENCE: a.BException: x]"] {
            let head = read(line).expect("a head");
            assert!(head.circular);
            assert_eq!((head.class.as_str(), head.message.as_deref()), ("a.BException", Some("x")));
        }
    }

    #[test]
    fn what_names_no_exception() {
        for line in [
            "a.B.wrapException(B.java:12)",
            "a.B.syntaxError(Native Method)",
            "hello world",
            "java.lang.Thread.State: RUNNABLE",
            "Error",
            "a sentence: text",
            "12:30: x",
            "",
        ] {
            assert!(read(line).is_none_or(|h| !h.sure), "{line}");
        }
    }

    #[test]
    fn heads_inside_a_line_of_a_log() {
        let head = embedded("2024 ERROR Foo - it failed: java.lang.IllegalStateException: no").expect("a head");
        assert_eq!((head.class.as_str(), head.message.as_deref()), ("java.lang.IllegalStateException", Some("no")));
        let head = embedded("threw exception [org.acme.FooException: bad] with root cause").expect("a head");
        assert_eq!(head.class, "org.acme.FooException");
        let head = embedded("<error message=\"x\" type=\"a.BException\">a.BException: x").expect("a head");
        assert_eq!(head.message.as_deref(), Some("x"));
        let head = embedded("12:00 ERROR a.B - a.ConfigException$Missing: no port").expect("a head");
        assert_eq!((head.class.as_str(), head.message.as_deref()), ("a.ConfigException$Missing", Some("no port")));
        let head = embedded("12:00 ERROR a.B - a.ParseException; line: 1; text").expect("a head");
        assert_eq!((head.class.as_str(), head.message.as_deref()), ("a.ParseException", Some("line: 1; text")));
        let head = embedded_simple("File 1, in f ZeroDivisionError: by zero").expect("a head");
        assert_eq!((head.class.as_str(), head.message.as_deref()), ("ZeroDivisionError", Some("by zero")));
        assert_eq!(embedded_simple("an Error: x, SomeErrors: y"), None);
        for line in ["org.acme.FooException.create(x)", "/var/log/a.Error", "ERROR something", "a.ErrorHandler: x"] {
            assert_eq!(embedded(line), None, "{line}");
        }
    }
}
