//! Big-endian reading with bounds checks, and writing. Class files come from anywhere, so no read here can panic.

use super::SpliceError;

/// A reader over part of a class file that remembers where in the file that part starts, for error messages.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    base: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0, base: 0 }
    }

    /// A reader for a part of the file that starts at `base`.
    pub(super) fn within(bytes: &'a [u8], base: usize) -> Self {
        Reader { bytes, at: 0, base }
    }

    /// Offset within the part being read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Offset within the file.
    pub(super) fn offset(&self) -> usize {
        self.base + self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(super) fn malformed(&self, what: &'static str) -> SpliceError {
        SpliceError::Malformed { what, offset: self.offset() }
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], SpliceError> {
        let end = self.at.checked_add(len).ok_or_else(|| self.malformed("length overflows"))?;
        let taken = self.bytes.get(self.at..end).ok_or_else(|| self.malformed("cut short"))?;
        self.at = end;
        Ok(taken)
    }

    pub(super) fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.bytes.len();
        rest
    }

    pub(super) fn u1(&mut self) -> Result<u8, SpliceError> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn u2(&mut self) -> Result<u16, SpliceError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(super) fn u4(&mut self) -> Result<u32, SpliceError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// The bytes from `start` (an earlier [`Self::position`]) up to here.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SpliceError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }
}

/// Appending big-endian values.
pub(super) trait Put {
    fn u1(&mut self, value: u8);
    fn u2(&mut self, value: u16);
    fn u4(&mut self, value: u32);
    fn i4(&mut self, value: i32) {
        self.u4(value.cast_unsigned());
    }
    /// Overwrites two bytes written earlier.
    fn patch_u2(&mut self, at: usize, value: u16);
}

impl Put for Vec<u8> {
    fn u1(&mut self, value: u8) {
        self.push(value);
    }
    fn u2(&mut self, value: u16) {
        self.extend(value.to_be_bytes());
    }
    fn u4(&mut self, value: u32) {
        self.extend(value.to_be_bytes());
    }
    fn patch_u2(&mut self, at: usize, value: u16) {
        self[at..at + 2].copy_from_slice(&value.to_be_bytes());
    }
}

/// A table of `u2` count and fixed-size rows, as most code attributes are.
pub(super) fn rows(table: &[u8], size: usize) -> Result<impl Iterator<Item = &[u8]>, SpliceError> {
    let mut reader = Reader::new(table);
    let count = usize::from(reader.u2()?);
    let rows = reader.take(count * size)?;
    if !reader.is_at_end() {
        return Err(reader.malformed("table longer than its count"));
    }
    Ok(rows.chunks_exact(size))
}

/// The `u2` at `at` of a row whose size is known to be large enough.
pub(super) fn u2_at(row: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([row[at], row[at + 1]])
}
