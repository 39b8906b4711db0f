//! Are two messages the same, or of the same template?
//!
//! The template at the throw site is not known here; a caller that has the bytecode can tell (see
//! [`super::Comparing::same_template`]). Without it, two messages are of one template if they differ only in numbers and
//! in what they quote: values, nearly always.

use super::Comparing;
use crate::report::Throwable;

/// How the message of an exception compares with the reported one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageMatch {
    Equal,
    /// They differ only where the template has a hole.
    SameTemplate,
    Different,
    /// The report cannot tell: it has no exception, or none of the messages that newer JDKs make up.
    Unknown,
}

impl MessageMatch {
    /// Does the message count as the same?
    pub fn is_same(&self) -> bool {
        matches!(self, MessageMatch::Equal | MessageMatch::SameTemplate)
    }
}

pub(super) fn compare(expected: &Throwable, actual: &Throwable, how: &Comparing<'_>) -> MessageMatch {
    let text = |t: &Throwable| t.message.as_deref().unwrap_or("").trim().to_owned();
    let (want, got) = (text(expected), text(actual));
    if expected.name().is_none() {
        return MessageMatch::Unknown;
    }
    // Logback prints `null` where there is no message.
    if want == got || (want == "null" && actual.message.is_none()) {
        return MessageMatch::Equal;
    }
    // Since JDK 14 the JVM says which expression was null; a report without a message is from an older one.
    if want.is_empty() && expected.class == "java.lang.NullPointerException" {
        return MessageMatch::Unknown;
    }
    let same = template(&want) == template(&got) || how.same_template.is_some_and(|same| same(&want, &got));
    if same { MessageMatch::SameTemplate } else { MessageMatch::Different }
}

/// The message with its numbers, identity hashes and quoted parts taken out.
pub fn template(message: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::template;

    #[test]
    fn values_are_holes() {
        for (a, b) in [
            ("Index 5 out of bounds for length 3", "Index -1 out of bounds for length 0"),
            ("For input string: \"x\"", "For input string: \"80000000\""),
            ("bad object Foo@1b6d3586", "bad object Foo@77"),
            ("no 'a b' here", "no '' here"),
        ] {
            assert_eq!(template(a), template(b));
        }
        for (a, b) in [("foo1", "bar1"), ("can't do", "won't do"), ("class A", "class B")] {
            assert_ne!(template(a), template(b));
        }
    }
}
