//! Zip archives for point reads: the central directory in one pass over mapped bytes, then single entries. Understands stored and
//! deflated entries, zip64, and archives behind a prefix (executable jars). Everything else about an entry is an error that
//! names what is wrong, and costs only that entry.

use crate::bytes::Bytes;
use std::ops::Range;

/// An open archive: where its central directory is.
#[derive(Clone, Debug)]
pub(crate) struct Zip {
    bytes: Bytes,
    directory: Range<usize>,
    /// What to add to the offsets of the directory: the length of a prefix such as a start script.
    shift: u64,
}

/// Where an entry's data is and how it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryLocation {
    pub(crate) header: u64,
    pub(crate) compressed: u64,
    pub(crate) size: u64,
    pub(crate) method: u16,
    pub(crate) encrypted: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ZipEntry<'a> {
    /// Raw bytes of the name.
    pub(crate) name: &'a [u8],
    pub(crate) location: EntryLocation,
}

/// What is wrong with an archive or an entry of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ZipError {
    #[error("it is not a zip archive")]
    NotAZip,
    #[error("its list of entries is cut off or damaged")]
    DirectoryDamaged,
    #[error("it is encrypted")]
    Encrypted,
    #[error("it uses compression method {method}, only stored and deflated entries can be read")]
    UnknownMethod { method: u16 },
    #[error("its data lies outside of the archive, which may be cut off")]
    Truncated,
    #[error("its compressed data is damaged")]
    BadData,
    #[error("it unpacks to {size} bytes, the limit is {limit}")]
    TooLarge { size: u64, limit: u64 },
}

const END_SIGNATURE: [u8; 4] = *b"PK\x05\x06";
const END_SIZE: usize = 22;
const END64_SIGNATURE: [u8; 4] = *b"PK\x06\x06";
const END64_LOCATOR_SIGNATURE: [u8; 4] = *b"PK\x06\x07";
const END64_LOCATOR_SIZE: usize = 20;
const ENTRY_SIGNATURE: [u8; 4] = *b"PK\x01\x02";
const ENTRY_SIZE: usize = 46;
const LOCAL_SIGNATURE: [u8; 4] = *b"PK\x03\x04";
const LOCAL_SIZE: usize = 30;

impl Zip {
    pub(crate) fn open(bytes: Bytes) -> Result<Zip, ZipError> {
        let end = find_end(&bytes).ok_or(ZipError::NotAZip)?;
        let (size, offset, directory_end) = directory_place(&bytes, end).ok_or(ZipError::DirectoryDamaged)?;
        let directory_end = directory_end as u64;
        // The directory lies directly before its end record; its recorded offset is wrong by the length of any prefix.
        let start = directory_end.checked_sub(size).ok_or(ZipError::DirectoryDamaged)?;
        let shift = start.checked_sub(offset).ok_or(ZipError::DirectoryDamaged)?;
        Ok(Zip { bytes, directory: start as usize..directory_end as usize, shift })
    }

    /// The raw central directory: names, sizes and checksums of all entries.
    pub(crate) fn directory(&self) -> &[u8] {
        &self.bytes[self.directory.clone()]
    }

    /// All entries in order. After a damaged one, none follow.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Result<ZipEntry<'_>, ZipError>> + '_ {
        let mut rest = self.directory();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let Some((entry, length)) = read_entry(rest, self.shift) else {
                rest = &[];
                return Some(Err(ZipError::DirectoryDamaged));
            };
            rest = &rest[length..];
            Some(Ok(entry))
        })
    }

    /// The unpacked data of an entry, at most `limit` bytes. Stored entries are not copied.
    pub(crate) fn read(&self, location: EntryLocation, limit: u64) -> Result<Bytes, ZipError> {
        let data = self.data(location)?;
        if location.size > limit {
            return Err(ZipError::TooLarge { size: location.size, limit });
        }
        match location.method {
            0 => Ok(data),
            8 => inflate(&data, location.size as usize).map(Bytes::from),
            method => Err(ZipError::UnknownMethod { method }),
        }
    }

    fn data(&self, location: EntryLocation) -> Result<Bytes, ZipError> {
        if location.encrypted {
            return Err(ZipError::Encrypted);
        }
        let header = usize::try_from(location.header).map_err(|_| ZipError::Truncated)?;
        let local = self.bytes.get(header..).and_then(|rest| rest.get(..LOCAL_SIZE)).ok_or(ZipError::Truncated)?;
        if local[..4] != LOCAL_SIGNATURE {
            return Err(ZipError::Truncated);
        }
        let start = header + LOCAL_SIZE + usize::from(u16_at(local, 26)) + usize::from(u16_at(local, 28));
        let length = usize::try_from(location.compressed).map_err(|_| ZipError::Truncated)?;
        let end = start.checked_add(length).ok_or(ZipError::Truncated)?;
        self.bytes.slice(start..end).ok_or(ZipError::Truncated)
    }
}

/// Inflates to exactly `size` bytes, which the caller has checked against a limit.
fn inflate(data: &[u8], size: usize) -> Result<Vec<u8>, ZipError> {
    let mut output = vec![0; size];
    let mut inflate = flate2::Decompress::new(false);
    match inflate.decompress(data, &mut output, flate2::FlushDecompress::Finish) {
        Ok(_) if inflate.total_out() == size as u64 => Ok(output),
        _ => Err(ZipError::BadData),
    }
}

/// The end record is behind everything, followed only by a comment of up to 65535 bytes.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let first = bytes.len().saturating_sub(END_SIZE + usize::from(u16::MAX));
    let tail = &bytes[first..];
    memchr::memmem::rfind_iter(tail, &END_SIGNATURE).map(|at| first + at).find(|at| {
        bytes.get(*at..*at + END_SIZE).is_some_and(|end| at + END_SIZE + usize::from(u16_at(end, 20)) <= bytes.len())
    })
}

/// Size and recorded offset of the central directory, and where it ends.
fn directory_place(bytes: &[u8], end: usize) -> Option<(u64, u64, usize)> {
    let record = bytes.get(end..end + END_SIZE)?;
    let (size, offset) = (u32_at(record, 12), u32_at(record, 16));
    let entries = u16_at(record, 10);
    if size != u32::MAX && offset != u32::MAX && entries != u16::MAX {
        return Some((size.into(), offset.into(), end));
    }
    directory_place64(bytes, end).or(Some((size.into(), offset.into(), end)))
}

fn directory_place64(bytes: &[u8], end: usize) -> Option<(u64, u64, usize)> {
    let locator_at = end.checked_sub(END64_LOCATOR_SIZE)?;
    let locator = bytes.get(locator_at..end)?;
    if locator[..4] != END64_LOCATOR_SIGNATURE {
        return None;
    }
    // With a prefix the recorded place is wrong; the record is then directly before its locator.
    let recorded = usize::try_from(u64_at(locator, 8)).ok()?;
    let before = locator_at.checked_sub(56)?;
    let at =
        [recorded, before].into_iter().find(|at| bytes.get(*at..).is_some_and(|r| r.starts_with(&END64_SIGNATURE)))?;
    let record = bytes.get(at..at.checked_add(56)?)?;
    Some((u64_at(record, 40), u64_at(record, 48), at))
}

/// The first entry of the rest of a central directory, and its length there.
fn read_entry(rest: &[u8], shift: u64) -> Option<(ZipEntry<'_>, usize)> {
    let fixed = rest.get(..ENTRY_SIZE)?;
    if fixed[..4] != ENTRY_SIGNATURE {
        return None;
    }
    let name_end = ENTRY_SIZE + usize::from(u16_at(fixed, 28));
    let extra_end = name_end + usize::from(u16_at(fixed, 30));
    let length = extra_end + usize::from(u16_at(fixed, 32));
    let name = rest.get(ENTRY_SIZE..name_end)?;
    let extra = rest.get(name_end..extra_end)?;
    rest.get(..length)?;
    let mut location = EntryLocation {
        header: u32_at(fixed, 42).into(),
        compressed: u32_at(fixed, 20).into(),
        size: u32_at(fixed, 24).into(),
        method: u16_at(fixed, 10),
        encrypted: u16_at(fixed, 8) & 1 != 0,
    };
    apply_zip64(&mut location, extra);
    location.header = location.header.saturating_add(shift);
    Some((ZipEntry { name, location }, length))
}

/// Fields that do not fit 32 bits are all ones, and follow in this order in the extra field 1.
fn apply_zip64(location: &mut EntryLocation, extra: &[u8]) {
    const OVERFLOWN: u64 = u32::MAX as u64;
    let mut rest = extra;
    while let Some(head) = rest.get(..4) {
        let (id, length) = (u16_at(head, 0), usize::from(u16_at(head, 2)));
        let Some(mut body) = rest.get(4..4 + length) else { return };
        rest = &rest[4 + length..];
        if id != 1 {
            continue;
        }
        for field in [&mut location.size, &mut location.compressed, &mut location.header] {
            if *field == OVERFLOWN && body.len() >= 8 {
                *field = u64_at(body, 0);
                body = &body[8..];
            }
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
