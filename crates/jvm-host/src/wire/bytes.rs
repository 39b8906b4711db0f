//! Numbers and strings as bytes: the counterpart of `Input.java` and of the writers in `Answer.java`.

use recipe::JavaString;

#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn octet(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Seven bits per byte, lowest first.
    pub(super) fn number(&mut self, mut value: u32) {
        while value > 0x7f {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(super) fn signed(&mut self, value: i32) {
        self.number((value << 1 ^ value >> 31) as u32);
    }

    /// Recipes are far smaller than 4 GB, so a length always fits.
    pub(super) fn count(&mut self, value: usize) {
        self.number(value as u32);
    }

    pub(super) fn utf8(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    pub(super) fn blob(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// One byte per unit where all fit, else two.
    pub(super) fn units(&mut self, text: &JavaString) {
        let wide = text.0.iter().any(|unit| *unit > 0xff);
        self.number((text.0.len() as u32) << 1 | u32::from(wide));
        if wide {
            text.0.iter().for_each(|unit| self.raw(&unit.to_le_bytes()));
        } else {
            text.0.iter().for_each(|unit| self.octet(*unit as u8));
        }
    }
}

/// Reads what a worker wrote. A worker is not trusted: every read is checked.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn octet(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<u32> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let octet = self.octet()?;
            value |= u32::from(octet & 0x7f).checked_shl(shift)?;
            if octet < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i32> {
        let n = self.number()?;
        Some((n >> 1) as i32 ^ -((n & 1) as i32))
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn utf8(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_round_trip(n: u32, s: i32) {
            let mut out = Writer::default();
            out.number(n);
            out.signed(s);
            let mut input = Reader::new(&out.bytes);
            prop_assert_eq!(input.number(), Some(n));
            prop_assert_eq!(input.signed(), Some(s));
            prop_assert!(input.rest().is_empty());
        }
    }
}
