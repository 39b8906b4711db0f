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
        return (None, text.find('\n').unwrap_or(text.len()));
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
        } else if c == '\n' && one_line {
            return (&inside[..at], at + quote.len());
        }
    }
    (inside, text.len())
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
    fn unfinished_literals_end_somewhere() {
        assert_eq!(tokens("\"a\nb"), [Text("a"), Word("b")]);
        assert_eq!(tokens("\"a\\"), [Text("a\\")]);
        assert_eq!(tokens("/* a"), []);
        assert_eq!(tokens("\"\"\"a"), [Text("a")]);
    }
}
