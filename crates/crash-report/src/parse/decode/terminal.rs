//! Removes what terminals and editors leave in a text: colour sequences, hard spaces, invisible characters.

use std::borrow::Cow;

/// The line as it looks on the screen.
pub(crate) fn clean(line: Cow<'_, str>) -> Cow<'_, str> {
    if line.is_ascii() && !line.contains('\u{1b}') {
        return line;
    }
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                if chars.next_if_eq(&'[').is_some() {
                    // A sequence ends with its first letter.
                    while chars.next_if(|c| !c.is_ascii_alphabetic()).is_some() {}
                    chars.next();
                }
            }
            '\u{a0}' | '\u{2007}' | '\u{202f}' => out.push(' '),
            '\u{feff}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{ad}' => {}
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn colours_and_hard_spaces_go() {
        assert_eq!(super::clean("\u{1b}[31;1mat\u{1b}[0m\u{a0}x".into()), "at x");
        assert_eq!(super::clean("\u{1b}[".into()), "");
    }
}
