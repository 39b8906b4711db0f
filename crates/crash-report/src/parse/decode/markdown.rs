//! Undoes Markdown inside a frame: links, escaped brackets, code marks.
//!
//! Quotation marks and bullets at the beginning of lines are prefixes like any other and left to
//! [`crate::parse::prefix`]. Lines without a frame are left alone: a backslash in a message is a backslash.

use std::borrow::Cow;

use memchr::memchr2;

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

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn links_and_escapes_in_frames() {
        assert_eq!(decode("at a.B.\\<init\\>(B.java:1)"), "at a.B.<init>(B.java:1)");
        assert_eq!(decode("at [a.B](http://x/y).c([B.java:1](http://z))"), "at a.B.c(B.java:1)");
        let nashorn = "at a.Script$\\^eval\\_.f(<eval>:1)";
        assert_eq!(decode(nashorn), nashorn);
        assert_eq!(decode("C:\\_tmp is a path"), "C:\\_tmp is a path");
    }
}
