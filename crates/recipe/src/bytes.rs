//! Numbers and strings as bytes, for the binary form of recipes and for the workers' wire format.

use crate::JavaString;

#[derive(Debug, Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn octet(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Seven bits per byte, lowest first.
    pub fn number(&mut self, mut value: u32) {
        while value > 0x7f {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub fn signed(&mut self, value: i32) {
        self.number((value << 1 ^ value >> 31) as u32);
    }

    /// Recipes are far smaller than 4 GB, so a length always fits.
    pub fn count(&mut self, value: usize) {
        self.number(value as u32);
    }

    pub fn utf8(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    pub fn blob(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// One byte per unit where all fit, else two.
    pub fn units(&mut self, text: &JavaString) {
        let wide = text.0.iter().any(|unit| *unit > 0xff);
        self.number((text.0.len() as u32) << 1 | u32::from(wide));
        if wide {
            text.0.iter().for_each(|unit| self.raw(&unit.to_le_bytes()));
        } else {
            text.0.iter().for_each(|unit| self.octet(*unit as u8));
        }
    }
}

/// Reads bytes that are not trusted: every read is checked and `None` at the end of the input.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// A count of things that take at least one byte each: more than the rest has is nonsense.
    pub fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.rest.len()).then_some(count)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }

    pub fn blob(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        self.take(length)
    }

    pub fn units(&mut self) -> Option<JavaString> {
        let head = self.number()?;
        let length = (head >> 1) as usize;
        Some(JavaString(if head & 1 == 0 {
            self.take(length)?.iter().map(|unit| u16::from(*unit)).collect()
        } else {
            let (pairs, _) = self.take(length.checked_mul(2)?)?.as_chunks::<2>();
            pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
        }))
    }

    pub fn octet(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub fn number(&mut self) -> Option<u32> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let octet = self.octet()?;
            value |= u32::from(octet & 0x7f) << shift;
            if octet < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub fn signed(&mut self) -> Option<i32> {
        let n = self.number()?;
        Some((n >> 1) as i32 ^ -((n & 1) as i32))
    }

    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    /// What is not UTF-8 is replaced.
    pub fn utf8(&mut self) -> Option<std::borrow::Cow<'a, str>> {
        self.blob().map(String::from_utf8_lossy)
    }
}

/// A hash that is the same in every run, on every machine and in every version (FNV-1a); std's hashers promise none of these.
pub fn stable_hash(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everything_round_trips(n: u32, s: i32, units: Vec<u16>) {
            let mut out = Writer::default();
            out.number(n);
            out.signed(s);
            out.units(&JavaString(units.clone()));
            let mut input = Reader::new(&out.bytes);
            prop_assert_eq!(input.number(), Some(n));
            prop_assert_eq!(input.signed(), Some(s));
            prop_assert_eq!(input.units(), Some(JavaString(units)));
            prop_assert!(input.rest().is_empty());
        }
    }

    #[test]
    fn the_hash_is_that_of_the_standard() {
        assert_eq!(stable_hash(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(stable_hash(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
