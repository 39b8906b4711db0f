//! A jar made of entries of another archive under other names: `WEB-INF/classes` as a jar of its own. Packed data is copied as it is,
//! so that nothing is unpacked, and names stay names within an archive, whatever they say.

use super::{
    END_SIGNATURE, END_SIZE, END64_LOCATOR_SIGNATURE, END64_LOCATOR_SIZE, END64_SIGNATURE, END64_SIZE, ENTRY_SIGNATURE,
    ENTRY_SIZE, LOCAL_SIGNATURE, LOCAL_SIZE, Zip, ZipEntry, ZipError, entry_data,
};
use std::io::Write;

/// Which entries, and what they are called in the copy.
#[derive(Debug)]
pub(crate) struct JarCopy<'a> {
    zip: &'a Zip,
    entries: Vec<Copied<'a>>,
}

#[derive(Debug)]
struct Copied<'a> {
    name: &'a [u8],
    entry: ZipEntry<'a>,
}

/// More does not fit into the fields of a plain archive.
const MAX_SIZE: u64 = u32::MAX as u64;
const MAX_COUNT: usize = u16::MAX as usize - 1;

impl<'a> JarCopy<'a> {
    pub(crate) fn new(zip: &'a Zip) -> JarCopy<'a> {
        JarCopy { zip, entries: Vec::new() }
    }

    /// Adds an entry; those that cannot be read are left out.
    pub(crate) fn add(&mut self, entry: ZipEntry<'a>, name: &'a [u8]) {
        if entry.location.check(MAX_SIZE).is_ok() {
            self.entries.push(Copied { name, entry });
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How large the jar is that [`write`](Self::write) writes.
    pub(crate) fn size(&self) -> u64 {
        let entries = self
            .entries
            .iter()
            .map(|copied| copied.entry.location.compressed + (LOCAL_SIZE + ENTRY_SIZE + 2 * copied.name.len()) as u64);
        let end = if self.is_large() { END64_SIZE + END64_LOCATOR_SIZE + END_SIZE } else { END_SIZE };
        entries.fold(end as u64, u64::saturating_add)
    }

    pub(crate) fn write(&self, to: &mut dyn Write) -> Result<(), ZipError> {
        let size = self.size();
        if size > MAX_SIZE {
            return Err(ZipError::TooLarge { size, limit: MAX_SIZE });
        }
        let mut directory = Vec::new();
        let mut offset = 0;
        for copied in &self.entries {
            let data = entry_data(&self.zip.body, copied.entry.location, MAX_SIZE)?;
            let fields = copied.fields(self.zip);
            to.write_all(&local_header(&fields)).map_err(ZipError::from)?;
            to.write_all(copied.name).map_err(ZipError::from)?;
            to.write_all(&data).map_err(ZipError::from)?;
            directory.extend_from_slice(&directory_header(&fields, offset));
            directory.extend_from_slice(copied.name);
            offset += (LOCAL_SIZE + copied.name.len() + data.len()) as u32;
        }
        let end = self.end(directory.len() as u32, offset);
        to.write_all(&directory).and_then(|()| to.write_all(&end)).map_err(ZipError::from)
    }

    fn is_large(&self) -> bool {
        self.entries.len() > MAX_COUNT
    }

    fn end(&self, size: u32, offset: u32) -> Vec<u8> {
        let count = self.entries.len() as u64;
        let mut end = Vec::new();
        if self.is_large() {
            let place = u64::from(offset) + u64::from(size);
            end.extend_from_slice(&END64_SIGNATURE);
            end.extend_from_slice(&(END64_SIZE as u64 - 12).to_le_bytes());
            end.extend_from_slice(&[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for field in [count, count, size.into(), offset.into()] {
                end.extend_from_slice(&field.to_le_bytes());
            }
            end.extend_from_slice(&END64_LOCATOR_SIGNATURE);
            end.extend_from_slice(&[0; 4]);
            end.extend_from_slice(&place.to_le_bytes());
            end.extend_from_slice(&[1, 0, 0, 0]);
        }
        let short = u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes();
        end.extend_from_slice(&END_SIGNATURE);
        end.extend_from_slice(&[0; 4]);
        end.extend_from_slice(&short);
        end.extend_from_slice(&short);
        end.extend_from_slice(&size.to_le_bytes());
        end.extend_from_slice(&offset.to_le_bytes());
        end.extend_from_slice(&[0; 2]);
        end
    }
}

/// What both headers of an entry have, in this order: version, flags, method, time, date, checksum, sizes, length of the name, and
/// no extra field.
type Fields = [u8; LOCAL_SIZE - 4];

impl Copied<'_> {
    fn fields(&self, zip: &Zip) -> Fields {
        /// The sizes follow the data.
        const DESCRIPTOR: u8 = 8;
        let start = self.entry.at as usize + 6;
        let mut fields = [0; LOCAL_SIZE - 4];
        fields[..14].copy_from_slice(&zip.directory[start..start + 14]);
        fields[2] &= !DESCRIPTOR;
        fields[14..18].copy_from_slice(&(self.entry.location.compressed as u32).to_le_bytes());
        fields[18..22].copy_from_slice(&(self.entry.location.size as u32).to_le_bytes());
        fields[22..24].copy_from_slice(&(self.name.len() as u16).to_le_bytes());
        fields
    }
}

fn local_header(fields: &Fields) -> [u8; LOCAL_SIZE] {
    let mut header = [0; LOCAL_SIZE];
    header[..4].copy_from_slice(&LOCAL_SIGNATURE);
    header[4..].copy_from_slice(fields);
    header
}

fn directory_header(fields: &Fields, offset: u32) -> [u8; ENTRY_SIZE] {
    let mut header = [0; ENTRY_SIZE];
    header[..4].copy_from_slice(&ENTRY_SIGNATURE);
    // Made by version 2.0.
    header[4] = 20;
    header[6..32].copy_from_slice(fields);
    header[42..46].copy_from_slice(&offset.to_le_bytes());
    header
}
