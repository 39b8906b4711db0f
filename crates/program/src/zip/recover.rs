//! The central directory of an archive that has none: an interrupted download, a full disk. Walks over the entries from the start
//! and writes down a directory for those that are whole, in the usual format, so that nothing else needs to know.

use super::{DEFLATED, ENTRY_SIGNATURE, ENTRY_SIZE, LOCAL_SIGNATURE, LOCAL_SIZE, MAX_NESTED, u16_at, u32_at};
use flate2::{Decompress, FlushDecompress, Status};

/// `None` if the bytes do not even start like an archive.
pub(super) fn directory_from_entries(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(&LOCAL_SIGNATURE) {
        return None;
    }
    let mut directory = Vec::new();
    let mut at = 0;
    while let Some(next) = add_entry(bytes, at, &mut directory) {
        at = next;
    }
    Some(directory)
}

/// Adds the entry whose local header is at `at`; returns where the next header should be.
fn add_entry(bytes: &[u8], at: usize, directory: &mut Vec<u8>) -> Option<usize> {
    let header = bytes.get(at..)?.get(..LOCAL_SIZE)?;
    if header[..4] != LOCAL_SIGNATURE {
        return None;
    }
    let name_start = at + LOCAL_SIZE;
    let name = bytes.get(name_start..)?.get(..usize::from(u16_at(header, 26)))?;
    let data_start = name_start + name.len() + usize::from(u16_at(header, 28));
    let flags = u16_at(header, 6);
    let data = bytes.get(data_start..)?;
    let sizes_follow = flags & 8 != 0;
    let (compressed, size, after) = if sizes_follow {
        if u16_at(header, 8) != DEFLATED {
            return None;
        }
        let (compressed, size) = measure_deflated(data)?;
        (compressed, size, data_start + compressed as usize + descriptor_size(data.get(compressed as usize..)?))
    } else {
        let (compressed, size) = (u32_at(header, 18), u32_at(header, 22));
        (compressed, size, data_start + compressed as usize)
    };
    data.get(..compressed as usize)?;
    let record = directory.len();
    directory.resize(record + ENTRY_SIZE, 0);
    let fields = &mut directory[record..];
    fields[..4].copy_from_slice(&ENTRY_SIGNATURE);
    // Version needed, flags, method, time, date and checksum are the same in both places, two bytes further on.
    fields[6..20].copy_from_slice(&header[4..18]);
    fields[20..24].copy_from_slice(&compressed.to_le_bytes());
    fields[24..28].copy_from_slice(&size.to_le_bytes());
    fields[28..30].copy_from_slice(&header[26..28]);
    fields[42..46].copy_from_slice(&u32::try_from(at).ok()?.to_le_bytes());
    directory.extend_from_slice(name);
    Some(after)
}

/// Packed and unpacked size of deflated data that says itself where it ends.
fn measure_deflated(data: &[u8]) -> Option<(u32, u32)> {
    let mut decompress = Decompress::new(false);
    let mut output = vec![0; 64 << 10];
    loop {
        let consumed = usize::try_from(decompress.total_in()).ok()?;
        let before = (decompress.total_in(), decompress.total_out());
        let status = decompress.decompress(&data[consumed..], &mut output, FlushDecompress::None).ok()?;
        if status == Status::StreamEnd {
            return Some((decompress.total_in().try_into().ok()?, decompress.total_out().try_into().ok()?));
        }
        let stuck = before == (decompress.total_in(), decompress.total_out());
        if stuck || decompress.total_out() > MAX_NESTED {
            return None;
        }
    }
}

/// Checksum and two sizes behind the data, usually with a signature before.
fn descriptor_size(behind: &[u8]) -> usize {
    if behind.starts_with(b"PK\x07\x08") { 16 } else { 12 }
}
