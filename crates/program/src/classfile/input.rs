//! A position in the bytes of a class file; all reads are checked and big-endian. Offsets are from the start of the file,
//! also inside attributes, so that every error can name its place.

use super::error::{Damage, Flaw};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Input { bytes, at: 0 }
    }

    /// Reads only inside `range`; a range that reaches past the end is cut.
    pub(crate) fn within(bytes: &'a [u8], range: Range<usize>) -> Self {
        let bytes = bytes.get(..range.end).unwrap_or(bytes);
        Input { bytes, at: range.start }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn flaw(&self, damage: Damage) -> Flaw {
        Flaw::new(self.at, damage)
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Flaw> {
        let taken = self.at.checked_add(count).and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| self.flaw(Damage::Truncated))?;
        self.at += count;
        Ok(taken)
    }

    /// Skips `count` bytes and returns where they were.
    pub(crate) fn skip(&mut self, count: usize) -> Result<Range<usize>, Flaw> {
        let start = self.at;
        self.take(count)?;
        Ok(start..self.at)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Flaw> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    pub(crate) fn i8(&mut self) -> Result<i8, Flaw> {
        Ok(i8::from_be_bytes(self.array()?))
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Flaw> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn i16(&mut self) -> Result<i16, Flaw> {
        Ok(i16::from_be_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Flaw> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Flaw> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Flaw> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// A `u16` count followed by that many items.
    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, Flaw>) -> Result<Vec<T>, Flaw> {
        let count = self.u16()?;
        (0..count).map(|_| item(self)).collect()
    }
}
