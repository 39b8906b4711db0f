//! What a log says right before a trace: it may quote what the program was working on.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// So much of the text before the trace is looked at.
const BEFORE: u64 = 4096;
/// Of an input that cannot be read again, so much of the beginning is kept.
const KEPT: usize = 1 << 20;

/// A reader that counts, and keeps the beginning of what can be read only once.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    inner: R,
    pub(crate) bytes: u64,
    keeps: bool,
    kept: Vec<u8>,
}

/// Whether the path stands for something else than a file.
pub(crate) fn is_read_once(path: &Path) -> bool {
    path == Path::new("-") || path.metadata().is_ok_and(|metadata| !metadata.is_file())
}

impl<R: Read> Counted<R> {
    /// `path` is where the reader reads from; `-`, pipes and other devices are read only once, and who opens a pipe again waits
    /// for somebody to write to it.
    pub(crate) fn new(inner: R, path: &Path) -> Self {
        Counted { inner, bytes: 0, keeps: is_read_once(path), kept: Vec::new() }
    }

    /// The beginning of what was read, if it cannot be read again.
    pub(crate) fn into_kept(self) -> Option<Vec<u8>> {
        self.keeps.then_some(self.kept)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.bytes += n as u64;
        if self.keeps {
            let room = KEPT.saturating_sub(self.kept.len());
            self.kept.extend_from_slice(&buffer[..n.min(room)]);
        }
        Ok(n)
    }
}

/// The text before the offset, from the beginning of a line; empty where it cannot be had. It only helps the search, so
/// nothing about it is an error.
pub(crate) fn before(path: &Path, kept: Option<&[u8]>, offset: u64) -> String {
    let start = offset.saturating_sub(BEFORE);
    let bytes = match kept {
        Some(kept) => kept.get(start as usize..offset as usize).map(<[u8]>::to_vec),
        None => part(path, start, offset - start).ok(),
    };
    let bytes = bytes.unwrap_or_default();
    // Text of two bytes a character is elsewhere than the offset says.
    if bytes.contains(&0) {
        return String::new();
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if start == 0 { text } else { text.split_once('\n').map_or_else(String::new, |(_, rest)| rest.to_owned()) }
}

fn part(path: &Path, start: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_before_a_trace_begins_with_a_line() {
        let log = format!("{}\nlast: {{a}}\njava.lang.Error", "x".repeat(5000));
        let offset = log.find("java").unwrap() as u64;
        assert_eq!(before(Path::new("-"), Some(log.as_bytes()), offset), "last: {a}\n");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &log).unwrap();
        assert_eq!(before(file.path(), None, offset), "last: {a}\n");
        assert_eq!(before(file.path(), None, 0), "");
    }

    #[test]
    fn what_cannot_be_had_is_empty() {
        assert_eq!(before(Path::new("-"), Some(b"short"), 9000), "");
        assert_eq!(before(Path::new("no such file"), None, 100), "");
        assert_eq!(before(Path::new("-"), Some(b"a\0b\0c\0"), 6), "");
    }

    #[test]
    fn only_what_is_read_once_is_kept() {
        let read = |path: &str| {
            let mut counted = Counted::new(&b"abc"[..], Path::new(path));
            let mut text = String::new();
            counted.read_to_string(&mut text).unwrap();
            (counted.bytes, counted.into_kept())
        };
        assert_eq!(read("-"), (3, Some(b"abc".to_vec())));
        assert_eq!(read("/dev/zero"), (3, Some(b"abc".to_vec())));
        assert_eq!(read("crash.log"), (3, None));
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(read(&file.path().display().to_string()), (3, None));
    }
}
