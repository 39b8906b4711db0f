//! Java source as tokens, without comments. Total: any text gives tokens. Knows just enough to tell names, strings and
//! punctuation apart; numbers and operators come character by character.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name or keyword.
    Word(&'a str),
    /// The inside of a string literal or text block, escapes as written.
    Text(&'a str),
    Character,
    Mark(char),
}

pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (token, length) = next(rest, first);
        tokens.extend(token);
        rest = &rest[length..];
    }
    tokens
}

/// The token at the start of the text, if it is not white space or a comment, and the length of what was read.
fn next(text: &str, first: char) -> (Option<Token<'_>>, usize) {
    if text.starts_with("//") {
        return (None, text.find(LINE_ENDS).unwrap_or(text.len()));
    }
    if let Some(comment) = text.strip_prefix("/*") {
        return (None, comment.find("*/").map_or(text.len(), |end| end + 4));
    }
    if text.starts_with("\"\"\"") {
        let (inside, length) = quoted(text, "\"\"\"", false);
        return (Some(Token::Text(inside)), length);
    }
    match first {
        '"' => {
            let (inside, length) = quoted(text, "\"", true);
            (Some(Token::Text(inside)), length)
        }
        '\'' => (Some(Token::Character), quoted(text, "'", true).1),
        _ if first.is_whitespace() => (None, first.len_utf8()),
        _ if is_name_char(first) && !first.is_ascii_digit() => {
            let length = text.find(|c| !is_name_char(c)).unwrap_or(text.len());
            (Some(Token::Word(&text[..length])), length)
        }
        _ => (Some(Token::Mark(first)), first.len_utf8()),
    }
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The inside of a literal and the length of the whole; one that does not end on its line ends there.
fn quoted<'a>(text: &'a str, quote: &str, one_line: bool) -> (&'a str, usize) {
    let inside = &text[quote.len()..];
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if inside[at..].starts_with(quote) {
            return (&inside[..at], at + 2 * quote.len());
        } else if LINE_ENDS.contains(&c) && one_line {
            return (&inside[..at], at + quote.len());
        }
    }
    (inside, text.len())
}

/// What the inside of a literal stands for.
pub(super) fn unescaped(inside: &str) -> String {
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        let Some(next) = rest.chars().next().filter(|_| first == '\\') else {
            text.push(first);
            continue;
        };
        // Three octal digits at most, and only a small first one begins three.
        let octal =
            rest.bytes().take(if next <= '3' { 3 } else { 2 }).take_while(|digit| (b'0'..b'8').contains(digit)).count();
        let length = if octal > 0 { octal } else { next.len_utf8() };
        match next {
            _ if octal > 0 => text.extend(u8::from_str_radix(&rest[..octal], 8).map(char::from)),
            'b' => text.push('\u{8}'),
            't' => text.push('\t'),
            'n' => text.push('\n'),
            'f' => text.push('\u{c}'),
            'r' => text.push('\r'),
            's' => text.push(' '),
            '\n' | '\r' => {}
            other => text.push(other),
        }
        rest = &rest[length..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Token::{Character, Mark, Text, Word};
    use super::*;

    #[test]
    fn literals_and_comments_hide_what_is_in_them() {
        let source = "a // throw\n /* \"x */ \"b\\\"; // c\" '\"' 'x' \"\"\"\n new \"Y\" ;\n\"\"\" $d9;";
        let expected =
            [Word("a"), Text("b\\\"; // c"), Character, Character, Text("\n new \"Y\" ;\n"), Word("$d9"), Mark(';')];
        assert_eq!(tokens(source), expected);
    }

    #[test]
    fn escapes_of_literals() {
        for (inside, text) in
            [("a\\123b", "aSb"), ("\\1234", "S4"), ("\\477", "'7"), ("\\\"\\\\n", "\"\\n"), ("a\\", "a\\")]
        {
            assert_eq!(unescaped(inside), text, "{inside}");
        }
    }

    #[test]
    fn unfinished_literals_end_somewhere() {
        assert_eq!(tokens("\"a\nb"), [Text("a"), Word("b")]);
        assert_eq!(tokens("\"a\\"), [Text("a\\")]);
        assert_eq!(tokens("/* a"), []);
        assert_eq!(tokens("\"\"\"a"), [Text("a")]);
    }
}
