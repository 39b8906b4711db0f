//! Shared bytes: a range of a mapped file or of a heap buffer, cheap to clone and to cut. Everything that reads classes and
//! archives works on these, so that a class of an uncompressed archive is never copied.

use memmap2::Mmap;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// An immutable slice with a shared owner.
#[derive(Clone)]
pub struct Bytes {
    owner: Owner,
    range: Range<usize>,
}

#[derive(Clone)]
enum Owner {
    Mapped(Arc<Mmap>),
    Heap(Arc<[u8]>),
}

impl Bytes {
    /// The contents of a file, mapped. An empty file maps to no bytes.
    pub fn map(path: &Path) -> io::Result<Bytes> {
        // Asked before opening: a pipe would block there.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let file = File::open(path)?;
        if metadata.len() == 0 {
            return Ok(Bytes::from(Vec::new()));
        }
        let mapping = map_file(&file)?;
        let range = 0..mapping.len();
        Ok(Bytes { owner: Owner::Mapped(Arc::new(mapping)), range })
    }

    /// The part `range` of these bytes, sharing the owner; `None` if it is not inside.
    pub fn slice(&self, range: Range<usize>) -> Option<Bytes> {
        if range.start > range.end || range.end > self.range.len() {
            return None;
        }
        let start = self.range.start + range.start;
        Some(Bytes { owner: self.owner.clone(), range: start..start + range.len() })
    }
}

/// A file cut short by another process while it is mapped would end ours with SIGBUS. Jars and JDK images are replaced by
/// renaming, not rewritten in place, by every build tool we know of; reading 150 MB per start instead is no alternative.
#[expect(unsafe_code, reason = "mapping a file is the only way to look up one class without reading the whole archive")]
fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is private and read-only, and only plain bytes are read from it, so any content is valid; see
    // above for files that shrink.
    unsafe { Mmap::map(file) }
}

impl From<Vec<u8>> for Bytes {
    fn from(buffer: Vec<u8>) -> Self {
        let range = 0..buffer.len();
        Bytes { owner: Owner::Heap(buffer.into()), range }
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes::from(Vec::new())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.owner {
            Owner::Mapped(mapping) => &mapping[self.range.clone()],
            Owner::Heap(buffer) => &buffer[self.range.clone()],
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({} bytes)", self.range.len())
    }
}
