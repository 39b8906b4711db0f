//! Reads bytes as UTF-8: drops a byte order mark, turns UTF-16 (with a mark, or told by its zero bytes) into UTF-8.
//!
//! UTF-8 itself is passed on unchecked: only lines of traces are ever decoded, so a log may be in any code page that
//! has ASCII.

use std::io::{self, Read};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 { big: bool },
}

#[derive(Debug)]
pub(crate) struct Input<R> {
    reader: R,
    /// `None` until the first bytes were seen.
    encoding: Option<Encoding>,
    /// Bytes read but not handed out: the first ones, or the half of a UTF-16 unit or pair.
    rest: Vec<u8>,
    /// Bytes of a byte order mark that are not part of the text.
    pub(crate) skipped: u64,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(reader: R) -> Input<R> {
        Input { reader, encoding: None, rest: Vec::new(), skipped: 0 }
    }

    /// Adds some text to `out`; false at the end of the input.
    pub(crate) fn read_into(&mut self, out: &mut Vec<u8>, amount: usize) -> io::Result<bool> {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => self.look()?,
        };
        match encoding {
            Encoding::Utf8 => {
                let rest = std::mem::take(&mut self.rest);
                let read = read_some(&mut self.reader, out, amount, &rest)?;
                Ok(read > 0)
            }
            Encoding::Utf16 { big } => self.read_utf16(out, amount, big),
        }
    }

    /// Decides the encoding from the first bytes.
    fn look(&mut self) -> io::Result<Encoding> {
        const ENOUGH: usize = 64;
        let mut first = Vec::new();
        read_some(&mut self.reader, &mut first, ENOUGH, &[])?;
        let (encoding, mark) = match first[..] {
            [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
            [0xff, 0xfe, ..] => (Encoding::Utf16 { big: false }, 2),
            [0xfe, 0xff, ..] => (Encoding::Utf16 { big: true }, 2),
            _ => (without_mark(&first), 0),
        };
        self.skipped = mark as u64;
        self.rest = first.split_off(mark);
        self.encoding = Some(encoding);
        Ok(encoding)
    }

    fn read_utf16(&mut self, out: &mut Vec<u8>, amount: usize, big: bool) -> io::Result<bool> {
        let mut bytes = Vec::with_capacity(amount);
        let rest = std::mem::take(&mut self.rest);
        let read = read_some(&mut self.reader, &mut bytes, amount, &rest)?;
        let last = read <= rest.len();
        if bytes.is_empty() {
            return Ok(false);
        }
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
        };
        let mut whole = bytes.len() & !1;
        let high = whole >= 2 && (0xd800..0xdc00).contains(&unit(&bytes[whole - 2..whole]));
        if high && !last {
            whole -= 2;
        }
        let units = bytes[..whole].chunks_exact(2).map(unit);
        let mut buffer = [0; 4];
        for c in char::decode_utf16(units) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        }
        if !last {
            self.rest = bytes.split_off(whole);
        }
        Ok(true)
    }
}

/// Text of Windows tools is often UTF-16 without a mark: then every other byte of its ASCII is zero.
fn without_mark(first: &[u8]) -> Encoding {
    let pairs = first.len() / 2;
    let zeros = |odd: usize| first.chunks_exact(2).filter(|pair| pair[odd] == 0 && pair[1 - odd] != 0).count();
    if pairs >= 4 && zeros(1) * 10 >= pairs * 9 {
        Encoding::Utf16 { big: false }
    } else if pairs >= 4 && zeros(0) * 10 >= pairs * 9 {
        Encoding::Utf16 { big: true }
    } else {
        Encoding::Utf8
    }
}

/// Adds `before` and up to `amount` further bytes, fewer only at the end of the input; gives how many there are together.
fn read_some(reader: &mut impl Read, out: &mut Vec<u8>, amount: usize, before: &[u8]) -> io::Result<usize> {
    out.extend_from_slice(before);
    let read = reader.by_ref().take(amount as u64).read_to_end(out)?;
    Ok(before.len() + read)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.0.len().min(1).min(out.len());
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn all(bytes: &[u8]) -> String {
        let mut input = Input::new(Slow(bytes));
        let mut out = Vec::new();
        while input.read_into(&mut out, 5).expect("slices do not fail") {}
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn utf16_with_and_without_a_mark() {
        let text = "a.BException: ünïcode 😀 and more, long enough to be told\n";
        let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(all(&le), text);
        assert_eq!(all(&be), text);
        assert_eq!(all(&[&[0xff, 0xfe][..], &le].concat()), text);
        assert_eq!(all(&[&[0xfe, 0xff][..], &be].concat()), text);
        assert_eq!(all(&[&[0xef, 0xbb, 0xbf][..], text.as_bytes()].concat()), text);
        assert_eq!(all(text.as_bytes()), text);
        assert_eq!(all(b""), "");
    }
}
