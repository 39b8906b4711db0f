//! Do two messages say the same? Three answers: exactly that, another instance of the same template, something else.
//!
//! Texts of the JVM and the JDK are compared by the values in them, since wording differs between versions; in all others,
//! what no two runs have in common is left out. Whatever was ignored is told. The template at the throw site is not known
//! here; a caller that has the bytecode can tell (see [`SameTemplate`]). Without it, two messages are of one template if they
//! differ only in numbers and in what they quote: values, nearly always.

use super::helpful::NullText;
use super::known::{self, Relation};
use super::volatile::only_volatile;
use crate::report::Throwable;
use std::fmt;

/// May this message come from the template that the message of the reported exception comes from, which is so many causes
/// deep in the reported chain?
pub type SameTemplate<'a> = dyn Fn(usize, &str) -> bool + 'a;

/// How the message of an exception compares with the reported one, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MessageMatch {
    Other,
    /// It cannot be told: the report has no exception, or one of the two JVMs does not say what the other one does.
    Unknown,
    /// They differ only where the template has a hole.
    Template,
    Exact,
}

/// What was not looked at when messages were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ignored {
    Wording,
    Loaders,
    LocalNames,
    Identity,
    HashCode,
    Time,
    Address,
    TemporaryFile,
    MadeUpName,
    /// Only one of the two JVMs says anything.
    NotTold,
}

/// How the messages of an exception and its causes compare with the reported ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Messages {
    /// Of all together: the worst, as far as it can be told.
    pub verdict: MessageMatch,
    /// One by one, that of the exception itself first.
    pub each: Vec<MessageMatch>,
    /// What is different without counting, each once.
    pub ignored: Vec<Ignored>,
}

impl Messages {
    /// Those of another exception, which were not looked at.
    pub(crate) fn other() -> Messages {
        Messages { verdict: MessageMatch::Other, each: Vec::new(), ignored: Vec::new() }
    }

    /// How deep in the chain the first message is that is not exactly the reported one.
    pub fn differs_at(&self) -> Option<usize> {
        self.each.iter().position(|one| matches!(one, MessageMatch::Other | MessageMatch::Template))
    }
}

/// Compares the messages of two chains, exception by exception.
pub(crate) fn chain(expected: &Throwable, actual: &Throwable, same_template: Option<&SameTemplate<'_>>) -> Messages {
    let mut ignored = Vec::new();
    let mut each = Vec::new();
    let mut others = actual.chain();
    for (depth, expected) in expected.chain().enumerate() {
        let (one, more) = match others.next() {
            Some(actual) => compare(depth, expected, actual, same_template),
            None => (MessageMatch::Other, Vec::new()),
        };
        each.push(one);
        ignored.extend(more);
    }
    ignored.sort_unstable();
    ignored.dedup();
    let told = each.iter().copied().filter(|one| *one != MessageMatch::Unknown);
    Messages { verdict: told.min().unwrap_or(MessageMatch::Unknown), each, ignored }
}

type Compared = (MessageMatch, Vec<Ignored>);

fn compare(
    depth: usize,
    expected: &Throwable,
    actual: &Throwable,
    same_template: Option<&SameTemplate<'_>>,
) -> Compared {
    let (want, got) = (text(expected), text(actual));
    if expected.name().is_none() {
        return (MessageMatch::Unknown, Vec::new());
    }
    // Logback prints `null` where there is no message.
    if want == got || (want == "null" && actual.message.is_none()) {
        return (MessageMatch::Exact, Vec::new());
    }
    if want.is_empty() || got.is_empty() {
        return silent(&expected.class, if want.is_empty() { got } else { want });
    }
    let in_versions = in_two_versions_of_the_jdk(expected, actual);
    let volatile = only_volatile(want, got).map(|ignored| (MessageMatch::Exact, ignored));
    let same = volatile.or_else(|| by_values(&expected.class, want, got, in_versions)).or_else(|| {
        let without_cause = without_causes(expected, actual);
        let (want, got) = without_cause.as_ref().map_or((want, got), |(want, got)| (want.as_str(), got.as_str()));
        only_volatile(want, got).map(|ignored| (MessageMatch::Exact, ignored))
    });
    let is_instance = || same_pattern(want) == same_pattern(got) || same_template.is_some_and(|same| same(depth, got));
    match same {
        Some(same) if same.0 != MessageMatch::Other => same,
        Some(_) => (MessageMatch::Other, Vec::new()),
        None if is_instance() => (MessageMatch::Template, Vec::new()),
        None => (MessageMatch::Other, Vec::new()),
    }
}

fn text(thrown: &Throwable) -> &str {
    thrown.message.as_deref().unwrap_or_default().trim()
}

/// Only one of them has a message.
fn silent(class: &str, message: &str) -> Compared {
    if is_unknown_to(class, message) {
        (MessageMatch::Unknown, vec![Ignored::NotTold])
    } else {
        (MessageMatch::Other, Vec::new())
    }
}

/// Whether there are JVMs that throw the exception without a message where another one has this.
fn is_unknown_to(class: &str, message: &str) -> bool {
    (is_null_pointer(class) && NullText::parse(message).is_some()) || known::was_silent(class, message)
}

/// Whether the JVM that threw this one explains null pointers, so that a JVM which is to throw the same must do so, too.
pub fn explains_nulls(reported: &Throwable) -> bool {
    let is_null = |thrown: &&Throwable| is_null_pointer(&thrown.class);
    let explained = |thrown: &Throwable| thrown.message.as_deref().is_some_and(|text| NullText::parse(text).is_some());
    let nulls = || reported.chain().filter(is_null);
    nulls().any(explained) || (reported.message.is_some() && nulls().all(|thrown| thrown.message.is_some()))
}

fn is_null_pointer(class: &str) -> bool {
    class.rsplit('.').next() == Some("NullPointerException")
}

/// Whether they may be the same fault in two versions of one method of the JDK: from the same line of it they would be told alike.
fn in_two_versions_of_the_jdk(expected: &Throwable, actual: &Throwable) -> bool {
    let (Some(one), Some(other)) = (expected.frames.first(), actual.frames.first()) else { return false };
    let is_same_method = one.is_jdk() && one.class == other.class && one.method == other.method;
    is_same_method && (one.line.is_none() || one.line != other.line)
}

/// Two messages of the JVM or the JDK; none if they are not both. `in_versions`: see [`in_two_versions_of_the_jdk`].
fn by_values(class: &str, want: &str, got: &str, in_versions: bool) -> Option<Compared> {
    if is_null_pointer(class)
        && let (Some(want), Some(got)) = (NullText::parse(want), NullText::parse(got))
    {
        return Some(nulls(&want, &got, in_versions));
    }
    match known::relation(class, want, got)? {
        Relation::Same { loaders } => {
            let is_reworded = same_pattern(want) != same_pattern(got) && !loaders;
            let ignored = [(loaders, Ignored::Loaders), (is_reworded, Ignored::Wording)];
            let ignored = ignored.into_iter().filter(|(there, _)| *there).map(|(_, what)| what);
            Some((MessageMatch::Exact, ignored.collect()))
        }
        Relation::OtherValues { .. } => Some((MessageMatch::Template, Vec::new())),
    }
}

/// Of a null pointer the same text tells what was tried and what was null; the latter is the value in it. What the JDK tries
/// with a value that it was given differs between versions.
fn nulls(want: &NullText, got: &NullText, in_versions: bool) -> Compared {
    if !want.action.is_same(&got.action) && !in_versions {
        return (MessageMatch::Other, Vec::new());
    }
    let (Some(one), Some(other)) = (&want.cause, &got.cause) else {
        return (MessageMatch::Exact, vec![Ignored::Wording]);
    };
    match one.is_same(other) {
        false => (MessageMatch::Template, Vec::new()),
        true if one == other => (MessageMatch::Exact, vec![Ignored::Wording]),
        true => (MessageMatch::Exact, vec![Ignored::LocalNames]),
    }
}

/// The messages without what they repeat of their causes' (`java.lang.NumberFormatException: For input string: "x"`), which is
/// compared where it belongs.
fn without_causes(expected: &Throwable, actual: &Throwable) -> Option<(String, String)> {
    let cause =
        |thrown: &Throwable| thrown.cause.as_deref().map(text).filter(|text| !text.is_empty()).map(str::to_owned);
    let (want, got) = (cause(expected)?, cause(actual)?);
    let without = |thrown: &Throwable, repeated: &str| {
        text(thrown).contains(repeated).then(|| text(thrown).replacen(repeated, "\u{0}", 1))
    };
    Some((without(expected, &want)?, without(actual, &got)?))
}

/// The message with its numbers, identity hashes and quoted parts taken out.
pub fn same_pattern(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(c) = rest.chars().next() {
        let hole = quoted(rest).or_else(|| hash(rest)).or_else(|| digits(rest));
        match hole {
            Some(len) => {
                out.push('\u{0}');
                rest = &rest[len..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// The length of a quoted part at the beginning. An apostrophe inside a word does not quote.
fn quoted(text: &str) -> Option<usize> {
    let (open, close) = match text.chars().next()? {
        '"' => ('"', '"'),
        '`' => ('`', '`'),
        '\'' => ('\'', '\''),
        '“' => ('“', '”'),
        '‘' => ('‘', '’'),
        '«' => ('«', '»'),
        _ => return None,
    };
    let inner = &text[open.len_utf8()..];
    let end = inner.find(close)?;
    let after = inner[end + close.len_utf8()..].chars().next();
    let word = open == '\'' && after.is_some_and(char::is_alphanumeric);
    (!word).then_some(open.len_utf8() + end + close.len_utf8())
}

/// `@1b6d3586`
fn hash(text: &str) -> Option<usize> {
    let hex = text.strip_prefix('@')?.bytes().take_while(u8::is_ascii_hexdigit).count();
    (hex > 0).then_some(1 + hex)
}

fn digits(text: &str) -> Option<usize> {
    let sign = usize::from(text.starts_with('-'));
    let run = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    (run > 0).then_some(sign + run)
}

impl fmt::Display for MessageMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            MessageMatch::Other => "other",
            MessageMatch::Unknown => "unknown",
            MessageMatch::Template => "template",
            MessageMatch::Exact => "exact",
        })
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ignored::Wording => "the wording of the JDK",
            Ignored::Loaders => "class loaders and modules",
            Ignored::LocalNames => "names of local variables",
            Ignored::Identity => "identities of objects",
            Ignored::HashCode => "hash codes",
            Ignored::Time => "the time",
            Ignored::Address => "addresses",
            Ignored::TemporaryFile => "names of temporary files",
            Ignored::MadeUpName => "names of generated classes and threads",
            Ignored::NotTold => "what only one of the two JVMs says",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::same_pattern;

    #[test]
    fn values_are_holes() {
        for (a, b) in [
            ("Index 5 out of bounds for length 3", "Index -1 out of bounds for length 0"),
            ("For input string: \"x\"", "For input string: \"80000000\""),
            ("bad object Foo@1b6d3586", "bad object Foo@77"),
            ("no 'a b' here", "no '' here"),
        ] {
            assert_eq!(same_pattern(a), same_pattern(b));
        }
        for (a, b) in [("foo1", "bar1"), ("can't do", "won't do"), ("class A", "class B")] {
            assert_ne!(same_pattern(a), same_pattern(b));
        }
    }
}
