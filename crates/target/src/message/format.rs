//! Format strings taken apart: `String.format`, `MessageFormat`, and the brace form that logging libraries use.
//!
//! What is known of the arguments is not looked at here: a format is a list of constant text and references to arguments,
//! with what each reference can print.

use super::HoleKind;

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// Argument number, from 0, and what it is printed as; `None` leaves that to the argument.
    Argument(usize, Option<HoleKind>),
}

/// `java.util.Formatter`: `%s`, `%d`, `%1$s`, `%-5d`, `%n`, `%%`. `None` if a specifier makes no sense.
pub(crate) fn percent(format: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut next = 0;
    let mut last = None;
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        push_text(&mut pieces, &rest[..at]);
        let specifier = Specifier::read(&rest[at + 1..])?;
        rest = &rest[at + 1 + specifier.length..];
        match specifier.conversion {
            '%' => push_text(&mut pieces, "%"),
            'n' => push_text(&mut pieces, "\n"),
            conversion => {
                let index = match specifier.index {
                    Index::Explicit(number) => number.checked_sub(1)?,
                    Index::Previous => last?,
                    Index::Ordinary => {
                        next += 1;
                        next - 1
                    }
                };
                last = Some(index);
                pieces.push(Piece::Argument(index, conversion_kind(conversion, specifier.plain)));
            }
        }
    }
    push_text(&mut pieces, rest);
    Some(pieces)
}

struct Specifier {
    index: Index,
    /// No flags, width or precision, which would pad or cut the text.
    plain: bool,
    conversion: char,
    /// Bytes behind the percent sign.
    length: usize,
}

enum Index {
    Explicit(usize),
    /// `%<s`
    Previous,
    Ordinary,
}

impl Specifier {
    fn read(text: &str) -> Option<Specifier> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (index, skipped) = match text.as_bytes().get(digits) {
            Some(b'$') if digits > 0 => (Index::Explicit(text[..digits].parse().ok()?), digits + 1),
            Some(b'<') if digits == 0 => (Index::Previous, 1),
            _ => (Index::Ordinary, 0),
        };
        let options = text[skipped..].bytes().take_while(|b| b"-#+ 0,(.".contains(b) || b.is_ascii_digit()).count();
        let conversion = text[skipped + options..].chars().next()?;
        let is_date = matches!(conversion, 't' | 'T');
        let known = "bBhHsScCdoxXeEfgGaA%n".contains(conversion) || is_date;
        let length = skipped + options + conversion.len_utf8() + usize::from(is_date);
        (known && length <= text.len()).then_some(Specifier { index, plain: options == 0, conversion, length })
    }
}

fn conversion_kind(conversion: char, plain: bool) -> Option<HoleKind> {
    if !plain {
        return Some(HoleKind::Text);
    }
    match conversion {
        'd' => Some(HoleKind::Int),
        'x' | 'X' => Some(HoleKind::Hex),
        'c' => Some(HoleKind::Char),
        'b' => Some(HoleKind::Bool),
        's' => None,
        _ => Some(HoleKind::Text),
    }
}

/// `java.text.MessageFormat`: `{0}`, `{1,number,integer}`, with `'` for quoting.
pub(crate) fn message(format: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '\'' if chars.peek() == Some(&'\'') => {
                chars.next();
                text.push('\'');
            }
            '\'' => quoted = !quoted,
            '{' if !quoted => {
                let element: String = chars.by_ref().take_while(|c| *c != '}').collect();
                let (number, style) = element.split_once(',').map_or((element.as_str(), None), |(n, s)| (n, Some(s)));
                push_text(&mut pieces, &std::mem::take(&mut text));
                // Styles print by locale.
                pieces.push(Piece::Argument(number.trim().parse().ok()?, style.map(|_| HoleKind::Text)));
            }
            other => text.push(other),
        }
    }
    push_text(&mut pieces, &text);
    Some(pieces)
}

/// `{}` for each argument in turn.
pub(crate) fn braces(format: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (index, text) in format.split("{}").enumerate() {
        if let Some(argument) = index.checked_sub(1) {
            pieces.push(Piece::Argument(argument, None));
        }
        push_text(&mut pieces, text);
    }
    pieces
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(last)) => last.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let show = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Argument(index, Some(kind)) => format!("<{index}:{kind:?}>"),
            Piece::Argument(index, None) => format!("<{index}>"),
        };
        pieces.iter().map(show).collect()
    }

    #[test]
    fn percent_formats() {
        for (format, expected) in [
            ("a %s of %d%%", "a <0> of <1:Int>%"),
            ("%2$s, %1$s, %s", "<1>, <0>, <0>"),
            ("%5d|%-3s|%.2f|%,d", "<0:Text>|<1:Text>|<2:Text>|<3:Text>"),
            ("%s %<s%n", "<0> <0>\n"),
            ("%x %c %b %tY", "<0:Hex> <1:Char> <2:Bool> <3:Text>"),
            ("plain", "plain"),
        ] {
            assert_eq!(percent(format).as_deref().map(shown).as_deref(), Some(expected), "{format}");
        }
        for broken in ["%", "%y", "100% yes", "%0$s"] {
            assert_eq!(percent(broken), None, "{broken}");
        }
    }

    #[test]
    fn message_formats() {
        for (format, expected) in
            [("{0} of {1,number,integer}", "<0> of <1:Text>"), ("it''s '{0}' {1}", "it's {0} <1>"), ("plain", "plain")]
        {
            assert_eq!(message(format).as_deref().map(shown).as_deref(), Some(expected), "{format}");
        }
        assert_eq!(message("{x}"), None);
        assert_eq!(shown(&braces("a {} b {}")), "a <0> b <1>");
    }
}
