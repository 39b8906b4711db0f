//! How long is a test? Semicolons outside of parentheses, `import` and `package` left out; a body inside of parentheses
//! counts again. The judge of the crash packs counts like this, so that our figures and its figures can be compared.

/// Statements of a Java source file.
pub fn statements(source: &str) -> u32 {
    let code = without_texts(source);
    let mut depths = Vec::new();
    let (mut depth, mut count, mut statement) = (0u32, 0, String::new());
    for c in code.chars() {
        match c {
            '(' => {
                depths.push(depth);
                depth += 1;
            }
            '{' => {
                depths.push(depth);
                depth = 0;
                statement.clear();
            }
            ')' => depth = depths.pop().unwrap_or(0),
            '}' => {
                depth = depths.pop().unwrap_or(0);
                statement.clear();
            }
            ';' if depth == 0 => {
                let first = statement.split_whitespace().next();
                count += u32::from(!matches!(first, Some("import" | "package")));
                statement.clear();
            }
            _ => statement.push(c),
        }
    }
    count
}

/// The source with comments, strings and characters blanked out.
fn without_texts(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '"' if rest.starts_with("\"\"\"") => quoted(rest, "\"\"\""),
            '"' => quoted(rest, "\""),
            '\'' => quoted(rest, "'"),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => 0,
        };
        code.push(if skipped == 0 { c } else { ' ' });
        rest = &rest[skipped.max(c.len_utf8())..];
    }
    code
}

/// The length of the literal that the text starts with.
fn quoted(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while let Some(c) = text[at..].chars().next() {
        if text[at..].starts_with(quote) {
            return at + quote.len();
        }
        at += c.len_utf8();
        if c == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn counted_as_the_judge_counts() {
        let cases = [
            ("package p; import a.B; import static c.D.*; class T { void t() { x(); y(\";\"); } }", 2),
            ("class T { void t() { for (int i = 0; i < 3; i++) x(); } }", 1),
            ("class T { void t() { x(() -> { a(); b(); }); } }", 3),
            ("// a; b;\n/* c; */ class T { int f; char c = ';'; String s = \"\"\"\n a; \"b\"; \\\"\"\"; c\"\"\"; }", 3),
            ("", 0),
            ("class T { void t() { x(\"a\\\\\"); }", 1),
        ];
        for (source, expected) in cases {
            assert_eq!(statements(source), expected, "{source}");
        }
    }

    #[test]
    fn cut_off_sources_are_no_trouble() {
        let source = "class T { String s = \"\"\"a\"\"\"; char c = '\\''; /* ü; */ void t() { x(\"\\u0041\"); } }";
        for end in (0..=source.len()).filter(|end| source.is_char_boundary(*end)) {
            statements(&source[..end]);
        }
    }
}
