//! Memory shared between the coordinator and one worker: the batch, the answers, and which candidate is running. It
//! outlives the worker, so the answers of a batch are not lost with it.
#![expect(unsafe_code, reason = "shared memory")]

use memmap2::MmapRaw;
use std::cell::UnsafeCell;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes before the batch; Java's `Worker` knows the offsets in it.
const HEADER: usize = 4096;
const BATCH: usize = 4;
const CASE: usize = 8;
const OUTPUT: usize = 12;
const STOPS: usize = 16;

/// The longest batch and the most answers at a time. Pages that are not used cost nothing.
pub(super) const INPUT: usize = 8 << 20;
pub(super) const OUTPUT_SIZE: usize = 32 << 20;
const SIZE: usize = HEADER + INPUT + OUTPUT_SIZE;

/// What Java writes while no candidate runs.
const NO_CASE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Shared {
    map: MmapRaw,
}

/// What a worker is doing, as of now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) batch: u32,
    pub(super) case: Option<u32>,
    /// Bytes of complete answers.
    pub(super) output: usize,
}

impl Shared {
    /// New memory without a name, as a file to pass on, and a view of it.
    pub(super) fn create() -> io::Result<(File, Shared)> {
        let file = sandbox::shared::create(SIZE)?;
        let shared = Shared::open(&file)?;
        shared.field(CASE).store(NO_CASE, Ordering::Release);
        Ok((file, shared))
    }

    /// A view of the memory behind this file.
    pub(super) fn open(file: &File) -> io::Result<Shared> {
        if file.metadata()?.len() != SIZE as u64 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not the memory of a worker"));
        }
        Ok(Shared { map: memmap2::MmapOptions::new().len(SIZE).map_raw(file)? })
    }

    pub(super) fn progress(&self) -> Progress {
        let case = self.field(CASE).load(Ordering::Acquire);
        Progress {
            batch: self.field(BATCH).load(Ordering::Acquire),
            case: (case != NO_CASE).then_some(case),
            output: (self.field(OUTPUT).load(Ordering::Acquire) as usize).min(OUTPUT_SIZE),
        }
    }

    /// How often the watchdog has thrown into a candidate.
    pub(super) fn stops(&self) -> u32 {
        self.field(STOPS).load(Ordering::Acquire)
    }

    /// Worker: the watchdog is about to throw.
    pub(super) fn count_stop(&self) {
        self.field(STOPS).fetch_add(1, Ordering::AcqRel);
    }

    /// Coordinator: writes a batch; `false` if it is too long.
    pub(super) fn write_batch(&self, number: u32, batch: &[u8]) -> bool {
        if batch.len() > INPUT {
            return false;
        }
        self.field(BATCH).store(number, Ordering::Release);
        self.field(CASE).store(NO_CASE, Ordering::Release);
        self.field(OUTPUT).store(0, Ordering::Release);
        // SAFETY: the range lies within the mapping; the worker does not touch it before it is told to.
        unsafe { std::ptr::copy_nonoverlapping(batch.as_ptr(), self.map.as_mut_ptr().add(HEADER), batch.len()) };
        true
    }

    /// Coordinator: a copy of the complete answers. The worker may still scribble over them; readers must bear with
    /// anything.
    pub(super) fn answers(&self) -> Vec<u8> {
        let len = self.progress().output;
        let mut copy = vec![0; len];
        // SAFETY: the range lies within the mapping and does not overlap with the copy.
        unsafe {
            let from = self.map.as_ptr().add(HEADER + INPUT);
            std::ptr::copy_nonoverlapping(from, copy.as_mut_ptr(), len);
        }
        copy
    }

    /// Worker: header, batch and answers, for Java. The mapping stays for the rest of the process.
    pub(super) fn into_parts(self) -> (&'static Shared, [&'static [UnsafeCell<u8>]; 3]) {
        let shared: &'static Shared = Box::leak(Box::new(self));
        let start = shared.map.as_mut_ptr();
        let part = |offset: usize, len: usize| {
            // SAFETY: the range lies within the mapping, which is never unmapped; the cells say that others change it.
            unsafe { std::slice::from_raw_parts(start.add(offset).cast::<UnsafeCell<u8>>(), len) }
        };
        (shared, [part(0, HEADER), part(HEADER, INPUT), part(HEADER + INPUT, OUTPUT_SIZE)])
    }

    fn field(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: within the header, aligned, and everybody who writes it writes whole words.
        unsafe { AtomicU32::from_ptr(self.map.as_mut_ptr().add(offset).cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same() {
        let (file, here) = Shared::create().expect("memory");
        let there = Shared::open(&file).expect("a second view");
        assert_eq!(there.progress(), Progress { batch: 0, case: None, output: 0 });
        assert!(here.write_batch(7, b"batch"));
        let (there, [_, input, _]) = there.into_parts();
        assert_eq!(there.progress().batch, 7);
        // SAFETY: nobody writes at the same time.
        assert_eq!(input[..5].iter().map(|cell| unsafe { *cell.get() }).collect::<Vec<_>>(), b"batch");
        assert!(!here.write_batch(8, &vec![0; INPUT + 1]));
        assert_eq!(here.answers(), b"");
    }

    #[test]
    fn other_files_are_refused() {
        assert!(Shared::open(&File::open("/dev/null").expect("it exists")).is_err());
    }
}
