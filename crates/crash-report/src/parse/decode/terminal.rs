//! Removes what terminals and editors leave in a text: colour sequences, hard spaces, invisible characters.

use std::borrow::Cow;

/// The line as it looks on the screen.
pub(crate) fn clean(line: Cow<'_, str>) -> Cow<'_, str> {
    let line = without_border(without_shown_colours(line));
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

/// The right border of a window or a table; the left one is a prefix like any other.
fn without_border(line: Cow<'_, str>) -> Cow<'_, str> {
    let first = line.trim_start().chars().next();
    let border = match first.filter(|c| matches!(c, '|' | '│' | '┃' | '║')) {
        Some(border) => border,
        // `psql` sets this behind a line of a cell that goes on.
        None if line.ends_with(" +") && line.contains(" | ") => '+',
        None => return line,
    };
    let Some(inner) = line.trim_end().strip_suffix([border, '+']).filter(|inner| inner.ends_with(' ')) else {
        return line;
    };
    let len = inner.trim_end().len();
    match line {
        Cow::Borrowed(line) => Cow::Borrowed(&line[..len]),
        Cow::Owned(mut line) => {
            line.truncate(len);
            Cow::Owned(line)
        }
    }
}

/// Colour sequences whose escape character is lost (`[31m`), or was made visible by a pager (`^[[31m`) or by syslog (`#033[31m`).
fn without_shown_colours(line: Cow<'_, str>) -> Cow<'_, str> {
    // `[5m]` alone may be a time.
    let ended = || line.contains("[0m") || line.contains("[0;39m") || line.contains("[39m");
    let marked = || line.contains("^[[") || line.contains("#033[");
    if next_colour(&line, 0).is_none() || !(marked() || ended()) {
        return line;
    }
    let mut out = String::with_capacity(line.len());
    let mut at = 0;
    while let Some((open, end)) = next_colour(&line, at) {
        let before = line[at..open].trim_end_matches('\u{1b}');
        let before = ["^[", "#033"].iter().find_map(|shown| before.strip_suffix(shown)).unwrap_or(before);
        out.push_str(before);
        at = end;
    }
    out.push_str(&line[at..]);
    Cow::Owned(out)
}

/// Where the next `[31;1m` begins and ends.
fn next_colour(line: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    memchr::memchr_iter(b'[', &bytes[from..]).find_map(|open| {
        let open = from + open;
        let codes = bytes[open + 1..].iter().take_while(|b| b.is_ascii_digit() || **b == b';').count();
        let end = open + 1 + codes;
        (codes > 0 && bytes.get(end) == Some(&b'm')).then_some((open, end + 1))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn colours_without_their_escape_character() {
        for line in ["^[[31mat a^[[0m", "#033[31mat a#033[0m", "[31;1mat a[0m", "\u{1b}[31mat a\u{1b}[0m"] {
            assert_eq!(super::clean(line.into()), "at a", "{line}");
        }
        let plain = "[3 skipped] a[1] [m] [12min] [5m]";
        assert_eq!(super::clean(plain.into()), plain);
    }

    #[test]
    fn right_borders_go() {
        assert_eq!(super::clean("│ a.BException: x   │".into()), "│ a.BException: x");
        assert_eq!(super::clean("| at a.B.c(B.java:1) |".into()), "| at a.B.c(B.java:1)");
        assert_eq!(super::clean(" 1 | a.BException: x   +".into()), " 1 | a.BException: x");
        for line in ["a.BException: 1 +", "a.BException: x |", "| a.BException: x", "|", "│", "", "| |x|"] {
            assert_eq!(super::clean(line.into()), line);
        }
    }

    #[test]
    fn colours_and_hard_spaces_go() {
        assert_eq!(super::clean("\u{1b}[31;1mat\u{1b}[0m\u{a0}x".into()), "at x");
        assert_eq!(super::clean("\u{1b}[".into()), "");
    }
}
