//! Undoes the escapes of JSON and of `printf` in a line that is not JSON as a whole: a cut log line, a string literal,
//! text that was escaped twice; and those of syslog (`#012` for a line break, `#011` for a tab), of TeamCity (`|n`), of GitHub's
//! workflow commands and of addresses (`%0A`).

/// The lines that are meant, if the line has an escaped line break with a frame, a label or a head behind it.
pub(crate) fn decode(line: &str) -> Option<Vec<String>> {
    let text = if line.contains("#012") || line.contains("#011") {
        line.replace("#011", "\t").replace("#012", "\n")
    } else if line.contains("##teamcity[") && line.contains("|n") {
        line.replace("|n", "\n").replace("|r", "").replace("|'", "'").replace("|[", "[").replace("|]", "]")
    } else if line.contains("%0A") || line.contains("%0a") {
        let text = code_decoded(line, b'%');
        // In a form, `+` is a blank.
        let text = if ["+at+", "%09at+", "%0Aat+", "%0aat+"].iter().any(|at| line.contains(at)) {
            text.replace('+', " ")
        } else {
            text
        };
        if !text.lines().skip(1).any(is_of_trace) {
            return None;
        }
        text
    } else if let Some(literal) = literal(line) {
        return Some(vec![unescape(literal).replace(QUOTE, "\"")]);
    } else if has_escaped_frame(line, "\\\\n") {
        inside_quotes(&unescape(&unescape(line)))
    } else if has_escaped_frame(line, "\\n") {
        inside_quotes(&unescape(line))
    } else {
        return None;
    };
    Some(text.split('\n').map(|l| l.trim_end_matches('\r').to_owned()).collect())
}

/// The line in a string literal of a program that has one for each line of the trace: `"\tat a.B.c(B.java:1)\n" +`.
fn literal(line: &str) -> Option<&str> {
    let inner = line.trim().trim_end_matches([' ', '+', ';', ',', ')']).strip_suffix("\\n\"")?.strip_prefix('"')?;
    (!inner.contains("\\n")).then_some(inner)
}

/// Is there, behind an escaped line break, what begins a line of a trace?
fn has_escaped_frame(line: &str, mark: &str) -> bool {
    line.match_indices(mark).any(|(i, _)| {
        let mut rest = &line[i + mark.len()..];
        while let Some(next) = [" ", "\\\\t", "\\t", "\\\\r", "\\r"].iter().find_map(|s| rest.strip_prefix(s)) {
            rest = next;
        }
        is_of_trace(rest)
    })
}

/// Does the text begin like a line of a trace?
fn is_of_trace(text: &str) -> bool {
    // YAML folds a long string: the line may end with the word.
    ["at ", "Caused by:", "..."].iter().any(|s| text.trim_start().starts_with(s)) || text.trim() == "at"
}

/// Undoes `%0A` and its like, or, with another mark, `=0A` of quoted-printable mail.
pub(crate) fn code_decoded(line: &str, mark: u8) -> String {
    let mut bytes = Vec::with_capacity(line.len());
    let mut rest = line.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        rest = after;
        match (first, code) {
            (first, Some(code)) if first == mark => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => bytes.push(first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The JSON string that an escaped text was in: up to the quote that opened it, and from the one that closes it, the
/// line is something else. Quotes of the text itself were escaped; they are marked while this is decided.
fn inside_quotes(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (middle, last) = match rest.rfind('\n') {
        Some(i) => rest.split_at(i + 1),
        None => ("", rest),
    };
    let first = first.rsplit('"').next().unwrap_or(first);
    let last = last.split('"').next().unwrap_or(last);
    format!("{first}\n{middle}{last}").replace(QUOTE, "\"")
}

/// Stands for an escaped quote between [`unescape`] and [`inside_quotes`]. A private-use character: no log has it.
const QUOTE: char = '\u{f8ff}';

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let ahead = chars.as_str();
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('"') => out.push(QUOTE),
            // Files of properties have the last two.
            Some(c @ ('\\' | '/' | '\'' | ':' | '=')) => out.push(c),
            Some('u') => match unicode(&ahead[1..]) {
                Some(c) => {
                    out.push(c);
                    chars = ahead[5..].chars();
                }
                None => out.push_str("\\u"),
            },
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out
}

fn unicode(text: &str) -> Option<char> {
    u32::from_str_radix(text.get(..4)?, 16).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_traces() {
        let lines = decode(r#"{"stack":"a.BException: \"x\"\n\tat a.B.c(B.java:1)\n","cut"#).expect("escapes");
        assert_eq!(lines, ["a.BException: \"x\"", "\tat a.B.c(B.java:1)", ""]);
        let lines = decode(r"a.BException\\n\\tat a.B.&lt;init&gt;(B.java:1)").expect("escapes");
        assert_eq!(lines[1], "\tat a.B.&lt;init&gt;(B.java:1)");
        let lines = decode("host app: a.BException#012#011at a.B.c(B.java:1)").expect("escapes");
        assert_eq!(lines[1], "\tat a.B.c(B.java:1)");
        let lines = decode("::error file=a::a.BException: 5%25%0A%09at a.B.c(B.java:1)").expect("escapes");
        assert_eq!(lines, ["::error file=a::a.BException: 5%", "\tat a.B.c(B.java:1)"]);
        assert_eq!(decode("100%0A of it"), None);
        let lines = decode("s=a.BException%3A+x%0A%09at+a.B.c%28B.java%3A1%29").expect("escapes");
        assert_eq!(lines, ["s=a.BException: x", "\tat a.B.c(B.java:1)"]);
        assert_eq!(decode(r#"  "\tat a.B.c(B.java:1)\n" +"#).expect("a literal"), ["\tat a.B.c(B.java:1)"]);
        assert_eq!(decode(r#"stack: "a.BException\n\tat"#).expect("escapes"), ["a.BException", "\tat"]);
        assert_eq!(decode(r"C:\new\table at noon"), None);
        assert_eq!(unescape(r"\u003cinit\u003e \u00"), r"<init> \u00");
    }
}
