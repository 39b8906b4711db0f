//! Zip archives for point reads: the central directory in one pass over mapped bytes, then single entries. Understands stored and
//! deflated entries, zip64, archives behind a prefix (executable jars), archives inside of archives, and archives that lost their
//! end. Everything else about an entry is an error that says what is wrong, and costs only that entry.
//!
//! Checksums are not compared: the JVM does not do so either when it loads a class from a jar.

mod copy;
mod recover;

pub(crate) use copy::JarCopy;

use crate::bytes::Bytes;
use flate2::{Decompress, FlushDecompress, Status};
use std::io::Write;
use std::ops::Range;

/// An open archive: its central directory, and how to get at the rest.
#[derive(Debug)]
pub(crate) struct Zip {
    body: Bytes,
    directory: Bytes,
    /// What to add to the offsets of the directory: the length of a prefix such as a start script.
    shift: u64,
    /// The directory was put together from the entries themselves, since the file's own is missing or damaged.
    recovered: bool,
    /// Places in the directory of the entries that are too much, ascending; see [`too_much`].
    too_much: Vec<u32>,
}

/// Where an entry's data is and how it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryLocation {
    pub(crate) header: u64,
    pub(crate) compressed: u64,
    pub(crate) size: u64,
    pub(crate) method: u16,
    pub(crate) encrypted: bool,
    /// It overlaps with other entries, or there is no end of them.
    pub(crate) too_much: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ZipEntry<'a> {
    /// Where the entry is in the central directory; names it within the archive.
    pub(crate) at: u32,
    /// Raw bytes of the name.
    pub(crate) name: &'a [u8],
    pub(crate) location: EntryLocation,
}

/// What is wrong with an archive or an entry of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ZipError {
    #[error("it is not a zip archive")]
    NotAZip,
    #[error("its list of entries is damaged, entries may be missing")]
    DirectoryDamaged,
    #[error("its end is missing, the archive was cut off; {entries} entries could be read")]
    CutOff { entries: usize },
    #[error("it is encrypted")]
    Encrypted,
    #[error("it uses compression method {method}, only stored and deflated entries can be read")]
    UnknownMethod { method: u16 },
    #[error("its data lies outside of the archive")]
    Truncated,
    #[error("its compressed data is damaged")]
    BadData,
    #[error("it unpacks to {size} bytes, the limit is {limit}")]
    TooLarge { size: u64, limit: u64 },
    #[error("it is nested more than {limit} archives deep")]
    TooDeep { limit: usize },
    #[error("it overlaps with other entries, or the classes unpack to more than {limit} bytes together")]
    TooMuch { limit: u64 },
    #[error("it cannot be written: {reason}")]
    NotWritten { reason: String },
}

const END_SIGNATURE: [u8; 4] = *b"PK\x05\x06";
const END_SIZE: usize = 22;
const END64_SIGNATURE: [u8; 4] = *b"PK\x06\x06";
const END64_SIZE: usize = 56;
const END64_LOCATOR_SIGNATURE: [u8; 4] = *b"PK\x06\x07";
const END64_LOCATOR_SIZE: usize = 20;
const ENTRY_SIGNATURE: [u8; 4] = *b"PK\x01\x02";
const ENTRY_SIZE: usize = 46;
const LOCAL_SIGNATURE: [u8; 4] = *b"PK\x03\x04";
const LOCAL_SIZE: usize = 30;
/// Deflate cannot do better, so a larger claim is damage, and is not worth allocating for.
const MAX_RATIO: u64 = 1032;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Unpacked size of an archive within an archive.
pub(crate) const MAX_NESTED: u64 = 1 << 30;
/// Unpacked size of all classes of an archive. The largest jars known have a quarter of it.
const MAX_CLASSES: u64 = 2 << 30;
/// Unpacked at a time, on the way to a file.
const BLOCK: usize = 256 << 10;

impl Zip {
    /// Opens the archive by its central directory; without one, by walking over the entries from the start.
    pub(crate) fn open(bytes: Bytes) -> Result<Zip, ZipError> {
        let Some(place) = find_end(&bytes).and_then(|end| directory_place(&bytes, end)) else {
            return Zip::recover(bytes);
        };
        // The directory lies directly before its end record; its recorded offset is wrong by the length of any prefix.
        let start = place.end.checked_sub(place.size);
        let directory = start.and_then(|start| bytes.slice(start as usize..place.end as usize));
        let shift = start.and_then(|start| start.checked_sub(place.offset));
        match (directory, shift) {
            (Some(directory), Some(shift)) if is_plausible(&bytes, &directory, shift) => {
                let too_much = too_much(&directory, bytes.len() as u64);
                Ok(Zip { body: bytes, directory, shift, recovered: false, too_much })
            }
            _ => Zip::recover(bytes),
        }
    }

    fn recover(bytes: Bytes) -> Result<Zip, ZipError> {
        let directory = recover::directory_from_entries(&bytes).ok_or(ZipError::NotAZip)?;
        Ok(Zip { body: bytes, directory: directory.into(), shift: 0, recovered: true, too_much: Vec::new() })
    }

    /// The raw central directory: names, sizes and checksums of all entries.
    pub(crate) fn directory(&self) -> &Bytes {
        &self.directory
    }

    /// The whole archive.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.body
    }

    pub(crate) fn is_recovered(&self) -> bool {
        self.recovered
    }

    /// All entries in order. After a damaged one, none follow.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Result<ZipEntry<'_>, ZipError>> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            if at >= self.directory.len() {
                return None;
            }
            let Some((entry, length)) = read_entry(&self.directory, at, self.shift) else {
                at = usize::MAX;
                return Some(Err(ZipError::DirectoryDamaged));
            };
            at += length;
            Some(Ok(self.judged(entry)))
        })
    }

    /// The entry that [`entries`](Self::entries) gave with this place.
    pub(crate) fn entry(&self, at: u32) -> Option<ZipEntry<'_>> {
        read_entry(&self.directory, at as usize, self.shift).map(|(entry, _)| self.judged(entry))
    }

    fn judged<'a>(&self, mut entry: ZipEntry<'a>) -> ZipEntry<'a> {
        entry.location.too_much = self.too_much.binary_search(&entry.at).is_ok();
        entry
    }

    /// The unpacked data of an entry, at most `limit` bytes. Stored entries are not copied.
    pub(crate) fn read(&self, location: EntryLocation, limit: u64) -> Result<Bytes, ZipError> {
        let data = entry_data(&self.body, location, limit)?;
        if location.method == STORED {
            return Ok(data);
        }
        let mut scratch = Scratch::default();
        scratch.inflate(&data, location.size as usize)?;
        Ok(scratch.buffer.into())
    }

    /// Writes the unpacked data of an entry, at most `limit` bytes, without having all of it in memory.
    pub(crate) fn unpack(&self, location: EntryLocation, limit: u64, to: &mut dyn Write) -> Result<(), ZipError> {
        let data = entry_data(&self.body, location, limit)?;
        if location.method == STORED {
            return to.write_all(&data).map_err(ZipError::from);
        }
        let (mut decompress, mut block) = (Decompress::new(false), vec![0; BLOCK]);
        loop {
            let (read, written) = (decompress.total_in(), decompress.total_out());
            let rest = &data[read as usize..];
            let status =
                decompress.decompress(rest, &mut block, FlushDecompress::None).map_err(|_| ZipError::BadData)?;
            let new = decompress.total_out() - written;
            to.write_all(&block[..new as usize]).map_err(ZipError::from)?;
            let stuck = new == 0 && decompress.total_in() == read;
            match status {
                Status::StreamEnd if decompress.total_out() == location.size => return Ok(()),
                Status::Ok | Status::BufError if !stuck && decompress.total_out() <= location.size => {}
                _ => return Err(ZipError::BadData),
            }
        }
    }

    /// For reading many entries.
    pub(crate) fn contents(&self) -> Result<Contents, ZipError> {
        Ok(Contents { body: self.body.clone() })
    }
}

impl From<std::io::Error> for ZipError {
    fn from(error: std::io::Error) -> Self {
        ZipError::NotWritten { reason: error.to_string() }
    }
}

/// The data of an archive's entries.
#[derive(Debug)]
pub(crate) struct Contents {
    body: Bytes,
}

impl Contents {
    /// Like [`Zip::read`], into the buffer of `scratch`.
    pub(crate) fn read<'a>(
        &'a self,
        location: EntryLocation,
        limit: u64,
        scratch: &'a mut Scratch,
    ) -> Result<&'a [u8], ZipError> {
        let range = entry_range(&self.body, location, limit)?;
        let data = &self.body[range];
        if location.method == STORED {
            return Ok(data);
        }
        scratch.inflate(data, location.size as usize)?;
        Ok(&scratch.buffer)
    }
}

/// A decompressor and its output, to be used for one entry after the other.
#[derive(Debug)]
pub(crate) struct Scratch {
    decompress: Decompress,
    buffer: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch { decompress: Decompress::new(false), buffer: Vec::new() }
    }
}

impl Scratch {
    /// Inflates to exactly `size` bytes, which the caller has checked against a limit.
    fn inflate(&mut self, data: &[u8], size: usize) -> Result<(), ZipError> {
        self.decompress.reset(false);
        self.buffer.clear();
        self.buffer.resize(size, 0);
        match self.decompress.decompress(data, &mut self.buffer, FlushDecompress::Finish) {
            Ok(_) if self.decompress.total_out() == size as u64 => Ok(()),
            _ => Err(ZipError::BadData),
        }
    }
}

/// A prefix is a script or a program. If it is the start of an archive, the directory is that of an archive inside of it, and its own is
/// missing.
fn is_plausible(bytes: &[u8], directory: &[u8], shift: u64) -> bool {
    let is_directory = directory.is_empty() || directory.starts_with(&ENTRY_SIGNATURE);
    is_directory && (shift == 0 || !bytes.starts_with(&LOCAL_SIGNATURE))
}

/// The entries that an honest archive cannot have: those whose packed data does not fit into it beside that of the entries before,
/// and classes beyond [`MAX_CLASSES`]. Thousands of entries can share the same few bytes, each of which unpacks to a thousand times
/// as many.
fn too_much(directory: &[u8], room: u64) -> Vec<u32> {
    let (mut packed, mut classes) = (0_u64, 0_u64);
    let mut refused = Vec::new();
    let mut at = 0;
    while let Some((entry, length)) = read_entry(directory, at, 0) {
        at += length;
        let location = entry.location;
        // What cannot be read anyway takes nothing from the others.
        if location.compressed > room || location.check(u64::MAX).is_err() {
            continue;
        }
        let unpacked = if entry.name.ends_with(b".class") { location.size } else { 0 };
        if packed + location.compressed > room || classes.saturating_add(unpacked) > MAX_CLASSES {
            refused.push(entry.at);
        } else {
            packed += location.compressed;
            classes += unpacked;
        }
    }
    refused
}

fn entry_data(body: &Bytes, location: EntryLocation, limit: u64) -> Result<Bytes, ZipError> {
    let range = entry_range(body, location, limit)?;
    body.slice(range).ok_or(ZipError::Truncated)
}

/// Where the entry's packed data is, if it can be unpacked to at most `limit` bytes.
fn entry_range(body: &[u8], location: EntryLocation, limit: u64) -> Result<Range<usize>, ZipError> {
    location.check(limit)?;
    let header = usize::try_from(location.header).map_err(|_| ZipError::Truncated)?;
    let local = body.get(header..).and_then(|rest| rest.get(..LOCAL_SIZE)).ok_or(ZipError::Truncated)?;
    if local[..4] != LOCAL_SIGNATURE {
        return Err(ZipError::Truncated);
    }
    let start = header + LOCAL_SIZE + usize::from(u16_at(local, 26)) + usize::from(u16_at(local, 28));
    let length = usize::try_from(location.compressed).map_err(|_| ZipError::Truncated)?;
    let end = start.checked_add(length).filter(|end| *end <= body.len()).ok_or(ZipError::Truncated)?;
    Ok(start..end)
}

impl EntryLocation {
    pub(crate) fn is_stored(&self) -> bool {
        self.method == STORED
    }

    /// Whether the entry can be read, as far as the directory tells.
    pub(crate) fn check(&self, limit: u64) -> Result<(), ZipError> {
        if self.encrypted {
            return Err(ZipError::Encrypted);
        }
        if self.too_much {
            return Err(ZipError::TooMuch { limit: MAX_CLASSES });
        }
        if self.size > limit {
            return Err(ZipError::TooLarge { size: self.size, limit });
        }
        match self.method {
            STORED if self.size == self.compressed => Ok(()),
            DEFLATED if self.size <= self.compressed.saturating_mul(MAX_RATIO) => Ok(()),
            STORED | DEFLATED => Err(ZipError::BadData),
            method => Err(ZipError::UnknownMethod { method }),
        }
    }
}

struct DirectoryPlace {
    size: u64,
    /// As recorded, before any prefix is taken into account.
    offset: u64,
    end: u64,
}

/// The end record is behind everything, followed only by a comment of up to 65535 bytes.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let first = bytes.len().saturating_sub(END_SIZE + usize::from(u16::MAX));
    let fits = |at: &usize| {
        let record = bytes.get(*at..*at + END_SIZE);
        record.is_some_and(|record| at + END_SIZE + usize::from(u16_at(record, 20)) <= bytes.len())
    };
    memchr::memmem::rfind_iter(&bytes[first..], &END_SIGNATURE).map(|at| first + at).find(fits)
}

fn directory_place(bytes: &[u8], end: usize) -> Option<DirectoryPlace> {
    let record = bytes.get(end..end + END_SIZE)?;
    let (size, offset, entries) = (u32_at(record, 12), u32_at(record, 16), u16_at(record, 10));
    let overflown = size == u32::MAX || offset == u32::MAX || entries == u16::MAX;
    let large = if overflown { directory_place64(bytes, end) } else { None };
    Some(large.unwrap_or(DirectoryPlace { size: size.into(), offset: offset.into(), end: end as u64 }))
}

fn directory_place64(bytes: &[u8], end: usize) -> Option<DirectoryPlace> {
    let locator_at = end.checked_sub(END64_LOCATOR_SIZE)?;
    let locator = bytes.get(locator_at..end)?;
    if locator[..4] != END64_LOCATOR_SIGNATURE {
        return None;
    }
    // With a prefix the recorded place is wrong; the record is then directly before its locator.
    let recorded = usize::try_from(u64_at(locator, 8)).ok()?;
    let before = locator_at.checked_sub(END64_SIZE)?;
    let is_record = |at: &usize| bytes.get(*at..).is_some_and(|rest| rest.starts_with(&END64_SIGNATURE));
    let at = [recorded, before].into_iter().find(is_record)?;
    let record = bytes.get(at..)?.get(..END64_SIZE)?;
    Some(DirectoryPlace { size: u64_at(record, 40), offset: u64_at(record, 48), end: at as u64 })
}

/// The entry at `at` of a central directory, and its length there.
fn read_entry(directory: &[u8], at: usize, shift: u64) -> Option<(ZipEntry<'_>, usize)> {
    let rest = directory.get(at..)?;
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
        too_much: false,
    };
    apply_zip64(&mut location, extra);
    location.header = location.header.saturating_add(shift);
    Some((ZipEntry { at: u32::try_from(at).ok()?, name, location }, length))
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

/// Little-endian numbers at places that the caller has checked.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
