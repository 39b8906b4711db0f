//! Modified UTF-8 (JVMS 4.4.7): NUL as two bytes, supplementary characters as surrogate pairs of three bytes each. Decoding is
//! tolerant: whatever is not valid becomes U+FFFD. String constants keep their exact UTF-16 units beside the text, because
//! generated lexers store tables in strings with lone surrogates.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A string constant of a class file.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct JavaString {
    text: Arc<str>,
    /// Only where `text` had to replace something.
    exact: Option<Arc<[u16]>>,
}

impl JavaString {
    pub fn new(text: &str) -> Self {
        JavaString { text: text.into(), exact: None }
    }

    pub fn from_utf16(units: &[u16]) -> Self {
        let text = String::from_utf16_lossy(units);
        let exact = String::from_utf16(units).is_err().then(|| units.into());
        JavaString { text: text.into(), exact }
    }

    pub(crate) fn decode(bytes: &[u8]) -> Self {
        let (text, exact) = decode_with_loss(bytes);
        let exact = (!exact).then(|| utf16_units(bytes).collect());
        JavaString { text: text.into(), exact }
    }

    /// The text; lone surrogates read as U+FFFD.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// False if the string holds lone surrogates, which `text` cannot show.
    pub fn is_exact(&self) -> bool {
        self.exact.is_none()
    }

    /// The `char`s of the Java string.
    pub fn utf16(&self) -> Vec<u16> {
        self.exact.as_ref().map_or_else(|| self.text.encode_utf16().collect(), |units| units.to_vec())
    }
}

impl fmt::Debug for JavaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

/// The text of a name, descriptor or signature.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    decode_with_loss(bytes).0
}

fn decode_with_loss(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    // Plain UTF-8 of up to three bytes per character is the same in both encodings, and is nearly every string.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), true);
    }
    let mut exact = true;
    let text = char::decode_utf16(utf16_units(bytes))
        .map(|unit| {
            unit.unwrap_or_else(|_| {
                exact = false;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    (Cow::Owned(text), exact)
}

fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (unit, length) = first_unit(rest)?;
        rest = &rest[length..];
        Some(unit)
    })
}

fn first_unit(bytes: &[u8]) -> Option<(u16, usize)> {
    const INVALID: u16 = 0xFFFD;
    let continuation = |at: usize| bytes.get(at).filter(|b| *b & 0xC0 == 0x80).map(|b| u16::from(b & 0x3F));
    let first = *bytes.first()?;
    let lead = u16::from(first);
    Some(match first {
        0x00..=0x7F => (lead, 1),
        0xC0..=0xDF => match continuation(1) {
            Some(low) => ((lead & 0x1F) << 6 | low, 2),
            None => (INVALID, 1),
        },
        0xE0..=0xEF => match (continuation(1), continuation(2)) {
            (Some(middle), Some(low)) => ((lead & 0x0F) << 12 | middle << 6 | low, 3),
            _ => (INVALID, 1),
        },
        _ => (INVALID, 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modified_utf8_is_decoded() {
        let cases: [(&[u8], &str); 5] = [
            (b"plain", "plain"),
            (b"a\xC0\x80b", "a\0b"),
            (b"\xED\xA0\xBD\xED\xB8\x80", "\u{1F600}"),
            (b"\xC3\xA9", "\u{e9}"),
            (b"\xFFx\xE2\x82", "\u{FFFD}x\u{FFFD}\u{FFFD}"),
        ];
        for (bytes, text) in cases {
            assert_eq!(decode(bytes), text, "{bytes:?}");
        }
    }

    #[test]
    fn lone_surrogates_stay_exact() {
        let string = JavaString::decode(b"a\xED\xA0\x80");
        assert_eq!(string.text(), "a\u{FFFD}");
        assert!(!string.is_exact());
        assert_eq!(string.utf16(), [0x61, 0xD800]);
        assert_eq!(JavaString::new("x").utf16(), [0x78]);
    }
}
