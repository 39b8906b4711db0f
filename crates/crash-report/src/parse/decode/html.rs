//! Undoes HTML in a line: tags that break lines do so, other known tags go, entities become characters.
//!
//! Only tags that HTML has are touched: `<init>` and `<generated>` stay. A tag that spans lines is not seen as one.

/// The lines that a browser would show, if the line has a known tag or an entity.
pub(crate) fn decode(line: &str) -> Option<Vec<String>> {
    let tagged = line.contains('<') && next_tag(line).is_some();
    let entities = line.contains('&') && line.match_indices('&').any(|(i, _)| entity(&line[i..]).is_some());
    if !tagged && !entities {
        return None;
    }
    let text = if tagged { without_tags(line) } else { line.to_owned() };
    Some(text.split('\n').map(unescape).collect())
}

/// Does the beginning of a document look like HTML?
pub(crate) fn is_document(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&head[..head.len().min(2048)]).to_ascii_lowercase();
    ["<!doctype html", "<html", "<body", "<pre", "<div", "<p>", "<table"].iter().any(|tag| head.contains(tag))
}

const BREAKING: [&str; 12] = ["br", "p", "div", "li", "tr", "pre", "h1", "h2", "h3", "hr", "ul", "blockquote"];

const KNOWN: [&str; 30] = [
    "a", "b", "i", "u", "em", "tt", "td", "th", "ol", "dl", "dt", "dd", "h4", "h5", "h6", "code", "span", "font",
    "strong", "table", "tbody", "thead", "html", "head", "body", "title", "samp", "kbd", "small", "img",
];

/// A tag that does not end within this many bytes is none.
const LONGEST_TAG: usize = 1024;
/// Nor is a quoted text looked for further than this: each tag of a long line may begin one.
const LONGEST_QUOTED: usize = 2048;

fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((start, end, breaks)) = next_tag(rest) {
        out.push_str(&rest[..start]);
        if breaks {
            out.push('\n');
        } else if opens_cell(&rest[start..]) && !out.is_empty() && !out.ends_with('\n') {
            out.push('\t');
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Does a cell of a table begin with this tag? A number in the cell before it is no part of its text.
fn opens_cell(tag: &str) -> bool {
    ["<td", "<th", "<TD", "<TH"]
        .iter()
        .any(|cell| tag.strip_prefix(cell).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric())))
}

/// Where the next known tag begins and ends, and whether it breaks the line.
fn next_tag(text: &str) -> Option<(usize, usize, bool)> {
    let mut quoted = 0;
    text.match_indices('<').find_map(|(start, _)| {
        let inner = &text[start + 1..];
        if start >= quoted {
            quoted = end_of_quoted(text, start).unwrap_or(0);
        }
        if start < quoted {
            return None;
        }
        let name_at = usize::from(inner.starts_with('/'));
        let name_len = inner[name_at..].find(|c: char| !c.is_ascii_alphanumeric())?;
        let name = inner[name_at..name_at + name_len].to_ascii_lowercase();
        if let Some(end) = end_of_result(&name, &inner[name_at + name_len..]) {
            return Some((start, start + 1 + name_at + name_len + end, true));
        }
        let breaks = BREAKING.contains(&name.as_str());
        if !breaks && !KNOWN.contains(&name.as_str()) {
            return None;
        }
        let after = &inner[name_at + name_len..];
        let close = memchr::memchr(b'>', &after.as_bytes()[..after.len().min(LONGEST_TAG)])?;
        let proper = close == 0 || after.starts_with([' ', '/', '\t']);
        proper.then_some((start, start + 1 + name_at + name_len + close + 1, breaks))
    })
}

/// Where the tag ends that opens the result of a test in a report of JUnit. Its attributes tell the head of the trace, which is inside,
/// once more.
fn end_of_result(name: &str, after: &str) -> Option<usize> {
    const RESULTS: [&str; 6] = ["failure", "error", "rerunfailure", "rerunerror", "flakyfailure", "flakyerror"];
    const LONGEST: usize = 4096;
    if !RESULTS.contains(&name) || !(after.starts_with(" message=\"") || after.starts_with(" type=\"")) {
        return None;
    }
    let mut quoted = false;
    let end = after.bytes().take(LONGEST).position(|b| {
        quoted ^= b == b'"';
        b == b'>' && !quoted
    });
    let (tag, inside) = after.split_at(end? + 1);
    let class = tag.split_once(" type=\"")?.1.split('"').next().filter(|class| !class.is_empty())?;
    (tag.matches(class).count() >= 2 && inside.contains(class)).then_some(tag.len())
}

/// Where the quoted text ends that begins with this tag: a message that speaks of a tag or shows a document, `the matching end-tag
/// "</b>"`, `(template: "<p a="b">x</p>")`.
fn end_of_quoted(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = bytes[..start].last().copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let near = &bytes[start..bytes.len().min(start + LONGEST_QUOTED)];
    let end = near.windows(2).rposition(|pair| pair == [b'>', quote])?;
    // A trace that was sent as a page may be in quotes as a whole.
    (!text[start..start + end].contains("<br")).then_some(start + end)
}

/// The text with its entities replaced, also those that were escaped twice (`&amp;lt;`).
fn unescape(text: &str) -> String {
    let once = unescape_once(text);
    if once.contains("&lt;init&gt;") || once.contains("&nbsp;") { unescape_once(&once) } else { once }
}

fn unescape_once(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(i) = rest.find('&') {
        out.push_str(&rest[..i]);
        rest = &rest[i..];
        match entity(rest) {
            Some((c, len)) => {
                out.push(c);
                rest = &rest[len..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The entity that the text begins with, and its length.
fn entity(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 10] = [
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&amp;", '&'),
        ("&quot;", '"'),
        ("&apos;", '\''),
        ("&nbsp;", ' '),
        ("&Tab;", '\t'),
        ("&dollar;", '$'),
        ("&period;", '.'),
        ("&lpar;", '('),
    ];
    if let Some((name, c)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*c, name.len()));
    }
    let digits = text.strip_prefix("&#")?;
    let end = digits.bytes().take(8).position(|b| b == b';').filter(|&end| end > 0)?;
    let number = match digits[..end].strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => digits[..end].parse(),
    };
    let c = char::from_u32(number.ok()?)?;
    Some((if c == '\u{a0}' { ' ' } else { c }, end + 3))
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_of_tests() {
        let lines =
            super::decode("<failure message=\"a.BError: 1 > 2\" type=\"a.BError\">a.BError: 1 > 2").expect("a tag");
        assert_eq!(lines, ["", "a.BError: 1 > 2"]);
        for line in [
            "expected <error> but was <failure>",
            "<error type=\"a.BError\">x",
            "<error message=\"x\" type=\"a.BError\">a.BError",
        ] {
            assert_eq!(super::decode(line), None, "{line}");
        }
    }

    use super::*;

    #[test]
    fn pages_become_lines() {
        let lines = decode("<p class=\"x\">a.BException<br/>&nbsp;at <b>a.B</b>.&lt;init&gt;(B&#36;1.java:1)</p>");
        assert_eq!(lines.expect("HTML"), ["", "a.BException", " at a.B.<init>(B$1.java:1)", ""]);
        assert_eq!(decode("no matching end-tag \"</p>\" for '<b>'"), None);
        assert_eq!(decode("cannot parse (template: \"<p a=\"${b.c}\">x</p>\" - line 1)"), None);
        let page = decode("'<pre>a.BException<br>at a.B.c(B.java:1)</pre>'");
        assert_eq!(page.expect("HTML"), ["'", "a.BException", "at a.B.c(B.java:1)", "'"]);
        let rows =
            decode("<tr><td>1</td><td>a.BException</td></tr><tr><td>2</td><td class='x'>at a.B.c(B.java:1)</td></tr>");
        assert_eq!(rows.expect("HTML"), ["", "1\ta.BException", "", "2\tat a.B.c(B.java:1)", ""]);
        assert_eq!(decode("at a.B.<init>(B.java:1) R&D a < b"), None);
        assert_eq!(unescape("&amp;lt;init&amp;gt; &#x24;&bogus;"), "<init> $&bogus;");
    }
}
