//! Words inside identifiers: `parseURLQuery` is about `parse`, `url` and `query`.

/// The words of an identifier or constant, in lower case. A text that is no identifier is one word.
pub fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_identifier = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-'));
    let parts = if is_identifier { split_identifier(text) } else { vec![text] };
    parts.into_iter().filter(|part| !part.is_empty()).map(str::to_lowercase)
}

fn split_identifier(text: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, (at, c)) in chars.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| chars[place].1);
        let after = chars.get(place + 1).map(|(_, c)| *c);
        if !c.is_alphanumeric() {
            parts.push(&text[start..*at]);
            start = at + c.len_utf8();
        } else if c.is_uppercase()
            && before.is_some_and(|b| b.is_lowercase() || b.is_numeric() || after.is_some_and(char::is_lowercase))
            && start < *at
        {
            parts.push(&text[start..*at]);
            start = *at;
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_split_at_case_and_marks() {
        let cases = [
            ("parseURLQuery", "parse url query"),
            ("DOMElementWriter", "dom element writer"),
            ("log4j.root-logger", "log4j root logger"),
            ("UTF_8", "utf 8"),
            ("x", "x"),
            ("", ""),
            ("<?xml", "<?xml"),
            ("HTML5Parser", "html5 parser"),
        ];
        for (text, words) in cases {
            assert_eq!(words_of(text).collect::<Vec<_>>().join(" "), words, "{text}");
        }
    }
}
