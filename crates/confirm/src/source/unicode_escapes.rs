//! Unicode escapes, which the compiler replaces before anything else (JLS 3.3): they can stand for quotes, line ends and letters of
//! keywords. And characters that it ignores in names (JLS 3.8), however they are written. Total: what is no escape stays as it is.

use std::borrow::Cow;

/// The text as the compiler's scanner sees it.
pub(super) fn without_unicode_escapes(source: &str) -> Cow<'_, str> {
    if !source.contains("\\u") && !source.contains(is_ignored_in_names) {
        return Cow::Borrowed(source);
    }
    let mut decoded: Vec<u16> = Vec::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        if let Some((unit, after)) = escape(rest) {
            decoded.push(unit);
            rest = after;
        } else if let Some(after) = rest.strip_prefix("\\\\") {
            // The second of two backslashes begins nothing.
            decoded.extend([u16::from(b'\\'); 2]);
            rest = after;
        } else {
            decoded.extend(first.encode_utf16(&mut [0; 2]).iter());
            rest = &rest[first.len_utf8()..];
        }
    }
    Cow::Owned(String::from_utf16_lossy(&decoded).replace(is_ignored_in_names, ""))
}

/// `Character.isIdentifierIgnorable`: control characters that are no white space, and format characters.
fn is_ignored_in_names(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{e}'..='\u{1b}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}'
        | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}')
}

/// The unit that the text begins with as an escape, and what follows it.
fn escape(text: &str) -> Option<(u16, &str)> {
    let digits = text.strip_prefix("\\u")?.trim_start_matches('u');
    let (four, after) = digits.split_at_checked(4)?;
    let is_hex = four.bytes().all(|digit| digit.is_ascii_hexdigit());
    Some((u16::from_str_radix(four, 16).ok().filter(|_| is_hex)?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_replaced_once() {
        for (source, decoded) in [
            ("plain", "plain"),
            ("\\u0041", "A"),
            ("\\uuu0041b", "Ab"),
            ("\\\\u0041", "\\\\u0041"),
            ("\\\\\\u0041", "\\\\A"),
            ("\\u005cu0041", "\\u0041"),
            ("\\u00", "\\u00"),
            ("set\\u200bStack\u{202e}Trace", "setStackTrace"),
            ("\\u+041", "\\u+041"),
            ("\\ud83d\\ude00", "\u{1f600}"),
            ("\\u00e\u{e9}", "\\u00e\u{e9}"),
        ] {
            assert_eq!(without_unicode_escapes(source), decoded, "{source}");
        }
    }
}
