//! The constant pool of a class file: read in place, extended only at its end, so that every index in the class stays
//! valid.

use super::SpliceError;
use super::bytes::{Put, Reader};
use rustc_hash::FxHashMap;

const UTF8: u8 = 1;
const INTEGER: u8 = 3;
const LONG: u8 = 5;
const CLASS: u8 = 7;
const STRING: u8 = 8;
const METHOD: u8 = 10;
const NAME_AND_TYPE: u8 = 12;

/// The file's `constant_pool_count` is a `u2`, one more than the largest index.
const MAX_COUNT: usize = 65_535;

#[derive(Debug)]
pub(super) struct Pool<'a> {
    file: &'a [u8],
    /// Offset of each entry in `file`; 0 for index 0 and the second half of long and double.
    offsets: Vec<usize>,
    end: usize,
    added: Vec<u8>,
    count: usize,
    /// What was added, so that it is added once.
    known: FxHashMap<Vec<u8>, u16>,
}

/// A field or method that an instruction refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member<'a> {
    pub(super) owner: &'a [u8],
    pub(super) name: &'a [u8],
    pub(super) descriptor: &'a [u8],
}

/// A state of the pool to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    bytes: usize,
    count: usize,
}

impl<'a> Pool<'a> {
    /// Reads the pool of the class file; [`Self::end`] is where the rest of the file starts.
    pub(super) fn read(file: &'a [u8]) -> Result<Self, SpliceError> {
        let mut reader = Reader::new(file);
        if reader.u4()? != 0xCAFE_BABE {
            return Err(SpliceError::Malformed { what: "no class file magic", offset: 0 });
        }
        reader.take(4)?;
        let count = usize::from(reader.u2()?);
        let mut offsets = vec![0; count];
        let mut index = 1;
        while index < count {
            offsets[index] = reader.position();
            index += skip_entry(&mut reader)?;
        }
        let end = reader.position();
        Ok(Pool { file, offsets, end, added: Vec::new(), count, known: FxHashMap::default() })
    }

    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Everything up to the end of the pool, with the additions.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend(&self.file[..8]);
        // `push` keeps the count within a u2.
        out.u2(self.count as u16);
        out.extend(&self.file[10..self.end]);
        out.extend(&self.added);
    }

    pub(super) fn size(&self) -> usize {
        self.end + self.added.len()
    }

    pub(super) fn utf8(&self, index: u16) -> Result<&'a [u8], SpliceError> {
        let mut entry = self.entry(index, &[UTF8])?;
        let len = entry.u2()?;
        entry.take(usize::from(len))
    }

    pub(super) fn class(&self, index: u16) -> Result<&'a [u8], SpliceError> {
        let name = self.entry(index, &[CLASS])?.u2()?;
        self.utf8(name)
    }

    /// The target of a field or invoke instruction other than `invokedynamic`.
    pub(super) fn member(&self, index: u16) -> Result<Member<'a>, SpliceError> {
        let mut entry = self.entry(index, &[9, METHOD, 11])?;
        let owner = self.class(entry.u2()?)?;
        let (name, descriptor) = self.name_and_type(entry.u2()?)?;
        Ok(Member { owner, name, descriptor })
    }

    /// The descriptor of an `invokedynamic` call site.
    pub(super) fn call_site_descriptor(&self, index: u16) -> Result<&'a [u8], SpliceError> {
        let mut entry = self.entry(index, &[18])?;
        entry.u2()?;
        Ok(self.name_and_type(entry.u2()?)?.1)
    }

    /// The integer or long that an instruction loads; `None` if it loads something else.
    pub(super) fn integer(&self, index: u16) -> Option<i64> {
        if let Ok(mut entry) = self.entry(index, &[INTEGER]) {
            return entry.u4().ok().map(|value| i64::from(value.cast_signed()));
        }
        let mut entry = self.entry(index, &[LONG]).ok()?;
        let (high, low) = (entry.u4().ok()?, entry.u4().ok()?);
        Some((u64::from(high) << 32 | u64::from(low)).cast_signed())
    }

    fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), SpliceError> {
        let mut entry = self.entry(index, &[NAME_AND_TYPE])?;
        Ok((self.utf8(entry.u2()?)?, self.utf8(entry.u2()?)?))
    }

    /// A reader behind the tag of an original entry.
    fn entry(&self, index: u16, tags: &[u8]) -> Result<Reader<'a>, SpliceError> {
        let offset = self.offsets.get(usize::from(index)).copied().unwrap_or(0);
        let mut reader = Reader::new(self.file);
        reader.take(offset)?;
        if offset == 0 || !tags.contains(&reader.u1()?) {
            return Err(SpliceError::Malformed { what: "constant of another kind expected", offset });
        }
        Ok(reader)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { bytes: self.added.len(), count: self.count }
    }

    pub(super) fn rollback(&mut self, mark: Mark) {
        self.added.truncate(mark.bytes);
        self.count = mark.count;
        self.known.retain(|_, index| usize::from(*index) < mark.count);
    }

    pub(super) fn add_utf8(&mut self, text: &[u8]) -> Result<u16, SpliceError> {
        let len = u16::try_from(text.len()).map_err(|_| SpliceError::PoolFull)?;
        let mut entry = vec![UTF8];
        entry.u2(len);
        entry.extend(text);
        self.push(entry)
    }

    pub(super) fn add_class(&mut self, name: &str) -> Result<u16, SpliceError> {
        let name = self.add_utf8(name.as_bytes())?;
        self.push_refs(CLASS, &[name])
    }

    /// A string constant; `text` is in the class file's modified UTF-8.
    pub(super) fn add_string(&mut self, text: &[u8]) -> Result<u16, SpliceError> {
        let text = self.add_utf8(text)?;
        self.push_refs(STRING, &[text])
    }

    pub(super) fn add_integer(&mut self, value: i32) -> Result<u16, SpliceError> {
        let mut entry = vec![INTEGER];
        entry.i4(value);
        self.push(entry)
    }

    pub(super) fn add_method(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, SpliceError> {
        let owner = self.add_class(owner)?;
        let (name, descriptor) = (self.add_utf8(name.as_bytes())?, self.add_utf8(descriptor.as_bytes())?);
        let name_and_type = self.push_refs(NAME_AND_TYPE, &[name, descriptor])?;
        self.push_refs(METHOD, &[owner, name_and_type])
    }

    /// A reference to a field of the class that `this_class` (an original index) names.
    pub(super) fn add_own_field(&mut self, this_class: u16, name: u16, descriptor: u16) -> Result<u16, SpliceError> {
        let name_and_type = self.push_refs(NAME_AND_TYPE, &[name, descriptor])?;
        self.push_refs(9, &[this_class, name_and_type])
    }

    fn push_refs(&mut self, tag: u8, refs: &[u16]) -> Result<u16, SpliceError> {
        let mut entry = vec![tag];
        refs.iter().for_each(|index| entry.u2(*index));
        self.push(entry)
    }

    fn push(&mut self, entry: Vec<u8>) -> Result<u16, SpliceError> {
        if let Some(index) = self.known.get(&entry) {
            return Ok(*index);
        }
        if self.count >= MAX_COUNT {
            return Err(SpliceError::PoolFull);
        }
        let index = self.count as u16;
        self.added.extend(&entry);
        self.known.insert(entry, index);
        self.count += 1;
        Ok(index)
    }
}

/// Skips one entry and says how many indices it takes.
fn skip_entry(reader: &mut Reader<'_>) -> Result<usize, SpliceError> {
    let (len, indices) = match reader.u1()? {
        UTF8 => (usize::from(reader.u2()?), 1),
        3 | 4 | 9..=12 | 17 | 18 => (4, 1),
        5 | 6 => (8, 2),
        CLASS | STRING | 16 | 19 | 20 => (2, 1),
        15 => (3, 1),
        _ => return Err(reader.malformed("unknown constant pool tag")),
    };
    reader.take(len)?;
    Ok(indices)
}
