//! The place for what a confirming JVM answers: memory that its process shares with this one, written by native code. There is no
//! descriptor that leads there by the time Java code runs, so none can be opened again.
#![expect(unsafe_code, reason = "shared memory")]

use memmap2::MmapRaw;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Enough for sixty causes with four thousand frames each. Pages that are not used cost nothing.
const MOST: usize = 64 << 20;
/// The length comes first.
const HEADER: usize = 8;

#[derive(Debug)]
pub(super) struct Answer {
    map: MmapRaw,
}

impl Answer {
    /// A new place, as a file to pass on, and a view of it.
    pub(super) fn create() -> io::Result<(File, Answer)> {
        let file = sandbox::shared::create(HEADER + MOST)?;
        let answer = Answer::open(&file)?;
        Ok((file, answer))
    }

    /// A view of the place behind this file.
    pub(super) fn open(file: &File) -> io::Result<Answer> {
        if file.metadata()?.len() != (HEADER + MOST) as u64 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not the place for an answer"));
        }
        Ok(Answer { map: memmap2::MmapOptions::new().len(HEADER + MOST).map_raw(file)? })
    }

    /// Takes the place of what was written before; false if it is too long.
    pub(super) fn write(&self, bytes: &[u8]) -> bool {
        if bytes.len() > MOST {
            return false;
        }
        self.length().store(0, Ordering::Release);
        // SAFETY: the range lies within the mapping; nobody reads it while the length is zero.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.map.as_mut_ptr().add(HEADER), bytes.len()) };
        self.length().store(bytes.len() as u64, Ordering::Release);
        true
    }

    /// A copy of what was written. Whoever wrote it may scribble over it; readers must bear with anything.
    pub(super) fn read(&self) -> Vec<u8> {
        let len = usize::try_from(self.length().load(Ordering::Acquire)).map_or(MOST, |len| len.min(MOST));
        let mut copy = vec![0; len];
        // SAFETY: the range lies within the mapping and does not overlap with the copy.
        unsafe { std::ptr::copy_nonoverlapping(self.map.as_ptr().add(HEADER), copy.as_mut_ptr(), len) };
        copy
    }

    fn length(&self) -> &AtomicU64 {
        // SAFETY: at the start of a mapping, hence aligned, and everybody who writes it writes whole words.
        unsafe { AtomicU64::from_ptr(self.map.as_mut_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_writes_the_other_reads() {
        let (file, here) = Answer::create().unwrap();
        let there = Answer::open(&file).unwrap();
        assert_eq!(here.read(), b"");
        assert!(there.write(b"more than that"));
        assert!(there.write(b"this"));
        assert_eq!(here.read(), b"this");
        assert!(!there.write(&vec![0; MOST + 1]));
        there.length().store(u64::MAX, Ordering::Release);
        assert_eq!(here.read().len(), MOST);
        assert!(Answer::open(&File::open("/dev/null").unwrap()).is_err());
    }
}
