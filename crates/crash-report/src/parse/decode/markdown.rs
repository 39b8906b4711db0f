//! Undoes Markdown inside a frame: links, escaped brackets, code marks.
//!
//! Quotation marks and bullets at the beginning of lines are prefixes like any other and left to
//! [`crate::parse::prefix`]. Lines without a frame are left alone: a backslash in a message is a backslash.

use std::borrow::Cow;

use memchr::memchr2;

use crate::parse::{frame, head};

pub(crate) fn decode(line: &str) -> Cow<'_, str> {
    let marked = memchr2(b'\\', b']', line.as_bytes()).is_some();
    let frame_like = || line.contains("at ") && line.contains('(');
    // Nashorn has names like `Script$\^eval\_`.
    let escaped_name = || memchr::memmem::find(line.as_bytes(), b"$\\^").is_some();
    if !marked || !frame_like() || escaped_name() || !["](", "\\<", "\\_", "\\$"].iter().any(|mark| line.contains(mark))
    {
        return Cow::Borrowed(line);
    }
    Cow::Owned(without_links(&unescape(line)))
}

/// `[text](address)` becomes `text`.
fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(middle) = rest.find("](") {
        let close = rest[middle..].find(')').map(|i| middle + i);
        let (Some(open), Some(close)) = (rest[..middle].rfind('['), close) else { break };
        out.push_str(&rest[..open]);
        out.push_str(&rest[open + 1..middle]);
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    out
}

fn unescape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(|n| matches!(n, '<' | '>' | '_' | '$' | '*' | '[' | ']' | '(' | ')'))
        {
            out.push(c);
        }
    }
    out
}

/// A fence and the text that stands behind it in the same line, if that is of a trace: "```a.BException: x", `{code}a.BException`.
pub(crate) fn after_fence(line: &str) -> Option<Vec<String>> {
    let text = line.trim_start_matches(['>', ' ', '\t']);
    let rest = match text.strip_prefix("```").or_else(|| text.strip_prefix("~~~")) {
        Some(rest) => rest.trim_start_matches('`'),
        None if ["{code", "{noformat", "{quote"].iter().any(|mark| text.starts_with(mark)) => text.split_once('}')?.1,
        None => return None,
    };
    let of_trace =
        head::read(rest).is_some_and(|head| head.sure) || head::embedded(rest).is_some() || frame::find(rest).is_some();
    of_trace.then(|| vec![line[..line.len() - rest.len()].to_owned(), rest.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::{after_fence, decode};

    #[test]
    fn text_behind_a_fence() {
        assert_eq!(after_fence("> ```a.BException: x"), Some(vec!["> ```".into(), "a.BException: x".into()]));
        assert_eq!(after_fence("{code:java}at a.B.c(B.java:1)").map(|lines| lines.len()), Some(2));
        for line in ["```java", "```", "{code:title=a.BException}", "a.BException"] {
            assert_eq!(after_fence(line), None, "{line}");
        }
    }

    #[test]
    fn links_and_escapes_in_frames() {
        assert_eq!(decode("at a.B.\\<init\\>(B.java:1)"), "at a.B.<init>(B.java:1)");
        assert_eq!(decode("at [a.B](http://x/y).c([B.java:1](http://z))"), "at a.B.c(B.java:1)");
        let nashorn = "at a.Script$\\^eval\\_.f(<eval>:1)";
        assert_eq!(decode(nashorn), nashorn);
        assert_eq!(decode("C:\\_tmp is a path"), "C:\\_tmp is a path");
    }
}
