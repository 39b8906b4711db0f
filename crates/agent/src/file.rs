//! The mapped file. Java code writes rings, this library the rest, both whenever they like; nobody takes a reference to its contents.
//! The process may be killed between any two instructions: a file has its name when it can be read, and what is counted is there.
#![expect(unsafe_code, reason = "memory that Java code writes, too")]

use memmap2::{MmapOptions, MmapRaw};
use recording::format::{self, Header, Layout};
use rustix::fs::FallocateFlags;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{Ordering, fence};

#[derive(Debug)]
pub(crate) struct RecordingFile {
    path: PathBuf,
    map: MmapRaw,
    layout: Layout,
}

impl RecordingFile {
    pub(crate) fn create(path: PathBuf, layout: Layout, header: &Header<'_>) -> io::Result<RecordingFile> {
        let map = complete(&path, |file| {
            reserve(file, layout.size())?;
            let map = MmapOptions::new().len(layout.size()).map_raw(file)?;
            file.write_all_at(&header.encode(&layout), 0)?;
            Ok(map)
        })?;
        Ok(RecordingFile { path, map, layout })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Writes where there is room; says whether there was.
    pub(crate) fn put(&self, at: usize, bytes: &[u8]) -> bool {
        if at.checked_add(bytes.len()).is_none_or(|end| end > self.map.len()) {
            return false;
        }
        // SAFETY: within the mapping, which lives as long as `self`; the bytes are not of it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.map.as_mut_ptr().add(at), bytes.len()) };
        true
    }

    /// Counts what was put before.
    pub(crate) fn count(&self, at: usize, used: usize) -> bool {
        fence(Ordering::SeqCst);
        let is_there = self.put(at, &u32::try_from(used).unwrap_or(u32::MAX).to_le_bytes());
        fence(Ordering::SeqCst);
        is_there
    }

    /// Puts what is counted in place of what is there: it is not counted meanwhile.
    pub(crate) fn replace(&self, at: usize, bytes: &[u8], used_at: usize) {
        self.count(used_at, 0);
        if self.put(at, bytes) {
            self.count(used_at, bytes.len());
        }
    }

    /// A copy of a part, cut off at the end of the file.
    pub(crate) fn copy(&self, at: usize, len: usize) -> Vec<u8> {
        let at = at.min(self.map.len());
        let len = len.min(self.map.len() - at);
        let mut out = vec![0; len];
        // SAFETY: as above. What another thread writes meanwhile is old or new, which the reader of recordings expects.
        unsafe { std::ptr::copy_nonoverlapping(self.map.as_ptr().add(at), out.as_mut_ptr(), len) };
        out
    }

    /// The memory of a ring: where it is and how long. `None` if there is no such ring.
    pub(crate) fn ring(&self, index: usize) -> Option<(*mut u8, usize)> {
        // SAFETY: the layout is within the mapping.
        (index < self.layout.rings)
            .then(|| (unsafe { self.map.as_mut_ptr().add(self.layout.ring_at(index)) }, self.layout.ring))
    }

    /// The recording as it is now, without what nobody has used, and with this crash.
    pub(crate) fn snapshot(&self, header: &Header<'_>, crash: &str, thread: u32) -> Vec<u8> {
        let used = |at| {
            let word = self.copy(at, 4);
            word.try_into().map_or(0, |word| u32::from_le_bytes(word) as usize)
        };
        let dictionary = self.copy(self.layout.dictionary_at(), used(format::DICTIONARY_USED_AT));
        let notes = self.copy(self.layout.notes_at(), used(format::NOTES_USED_AT));
        let is_used = |index: &usize| self.copy(self.layout.ring_at(*index) + format::THREAD_AT, 4) != [0; 4];
        let rings: Vec<usize> = (0..self.layout.rings).filter(is_used).collect();
        let layout = Layout {
            dictionary: dictionary.len(),
            crash: crash.len(),
            notes: notes.len(),
            rings: rings.len(),
            ring: self.layout.ring,
        };
        let mut out = header.encode(&layout);
        for (at, part) in [
            (format::DICTIONARY_USED_AT, dictionary.len()),
            (format::CRASH_USED_AT, crash.len()),
            (format::NOTES_USED_AT, notes.len()),
        ] {
            format::put_u32(&mut out, at, u32::try_from(part).unwrap_or(u32::MAX));
        }
        format::put_u32(&mut out, format::CRASHED_AT, thread);
        out.extend(dictionary);
        out.extend(crash.bytes());
        out.extend(notes);
        rings.iter().for_each(|index| out.extend(self.ring_copy(*index)));
        out
    }

    /// A copy of a ring that its thread may go on writing: what it wrote meanwhile is a gap, since it may be old or new, or half of both.
    fn ring_copy(&self, index: usize) -> Vec<u8> {
        let at = self.layout.ring_at(index);
        let written = || self.copy(at + format::WRITTEN_AT, 8).try_into().map_or(0, u64::from_le_bytes);
        let before = written();
        let mut ring = self.copy(at, self.layout.ring);
        // What is being written now is said to be before it is counted: both are read again after the words, in this order.
        fence(Ordering::SeqCst);
        let pending = self.copy(at + format::PENDING_AT, 4).try_into().map_or(0, u32::from_le_bytes);
        fence(Ordering::SeqCst);
        let after = written();
        let words = self.layout.ring_words() as u64;
        ring[format::WRITTEN_AT..][..8].copy_from_slice(&after.to_le_bytes());
        format::put_u32(&mut ring, format::PENDING_AT, pending);
        let doubtful = after.saturating_sub(before).min(words);
        for word in after - doubtful..after {
            let at = format::RING_HEADER + 4 * (word & (words - 1)) as usize;
            format::put_u32(&mut ring, at, format::word(format::GAP, 0));
        }
        ring
    }
}

/// A new file that only the user reads, and that has its name once there is everything in it: whoever is killed before leaves one with
/// another name.
pub(crate) fn complete<T>(path: &Path, fill: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
    let part = path.with_extension("part");
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&part)?;
    let filled = fill(&file).and_then(|filled| std::fs::rename(&part, path).map(|()| filled));
    if filled.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    filled
}

/// Room on the disk for all of it: what is written into a mapping where there is none kills the program.
fn reserve(file: &File, size: usize) -> io::Result<()> {
    match rustix::fs::fallocate(file, FallocateFlags::empty(), 0, size as u64) {
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => {
            let zeros = [0; 64 << 10];
            let mut left = size;
            let mut file = file;
            while left > 0 {
                let part = left.min(zeros.len());
                file.write_all(&zeros[..part])?;
                left -= part;
            }
            Ok(())
        }
        other => Ok(other?),
    }
}
