//! A window on a stream: the chunk that is being read and the lines before it in which a head may stand. Memory does not
//! depend on the length of the stream.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::anchor::{Anchors, Hit};
use super::driver::LINES_ABOVE;
use super::input::Input;
use super::prefix;
use super::start::RECORDS_BETWEEN;
use super::unwrap::MAX_JSON;
use crate::report::Place;

pub(crate) const CHUNK: usize = 256 << 10;
/// A longer line is cut.
pub(crate) const MAX_LINE: usize = MAX_JSON;
/// How far above a frame its head may be, in bytes.
const LOOK_BACK: usize = 64 << 10;

/// A line of the window, without its line end.
pub(crate) struct LineAt {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) place: Place,
    /// It is longer than a line may be; the rest comes as the next one.
    pub(crate) cut: bool,
}

pub(crate) struct Window<R> {
    pub(crate) input: Input<R>,
    pub(crate) buffer: Vec<u8>,
    /// The index of the next byte to be looked at.
    pub(crate) at: usize,
    /// The line number of `at`, from 1.
    line: u32,
    /// The offset in the input of the first byte of `buffer`.
    pub(crate) base: u64,
    ended: bool,
}

impl<R: Read> Window<R> {
    pub(crate) fn new(input: Input<R>) -> Window<R> {
        Window { input, buffer: Vec::new(), at: 0, line: 1, base: 0, ended: false }
    }

    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    pub(crate) fn place(&self) -> Place {
        Place { line: self.line, column: 1, offset: self.offset() }
    }

    pub(crate) fn text(&self, start: usize, end: usize) -> &[u8] {
        &self.buffer[start..end]
    }

    pub(crate) fn ahead(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    pub(crate) fn line_ahead(&self) -> &[u8] {
        let ahead = self.ahead();
        ahead[..memchr(b'\n', ahead).unwrap_or(ahead.len())].trim_ascii_end()
    }

    /// Reads more; what is too far behind to be looked at again is dropped. False at the end of the input.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.at > LOOK_BACK + CHUNK {
            let drop = self.at - LOOK_BACK;
            self.buffer.drain(..drop);
            self.at -= drop;
            self.base += drop as u64;
        }
        let first = self.base == 0 && self.buffer.is_empty();
        let more = self.input.read_into(&mut self.buffer, CHUNK)?;
        if first {
            self.base = self.input.skipped;
        }
        self.ended = !more;
        Ok(more)
    }

    /// Fills the window so that a JSON value of the largest size fits behind `offset`; gives its index in the new window.
    pub(crate) fn fill_json(&mut self, offset: u64) -> io::Result<usize> {
        let index = |window: &Window<R>| (offset - window.base) as usize;
        while self.buffer.len() - index(self) < MAX_JSON && self.fill()? {}
        // The window has moved, also when there was nothing more to read.
        Ok(index(self))
    }

    pub(crate) fn next_line(&mut self) -> io::Result<Option<LineAt>> {
        let mut searched = 0;
        loop {
            let ahead = &self.buffer[self.at..];
            if let Some(i) = memchr(b'\n', &ahead[searched..]) {
                return Ok(Some(self.take_line(searched + i, 1, false)));
            }
            searched = ahead.len();
            if searched >= MAX_LINE {
                return Ok(Some(self.take_line(MAX_LINE, 0, true)));
            }
            if !self.fill()? {
                return Ok((searched > 0).then(|| self.take_line(searched, 0, false)));
            }
        }
    }

    fn take_line(&mut self, len: usize, line_end: usize, cut: bool) -> LineAt {
        let line = LineAt { start: self.at, end: self.at + len, place: self.place(), cut };
        self.at += len + line_end;
        self.line += line_end as u32;
        line
    }

    /// Goes to the beginning of the next line with a hit; `None` at the end of the input.
    pub(crate) fn seek(&mut self, anchors: &mut Anchors) -> io::Result<Option<Hit>> {
        loop {
            // Hits are looked for in whole lines only.
            let whole = match memrchr(b'\n', self.ahead()) {
                _ if self.ended => self.buffer.len(),
                Some(i) => self.at + i + 1,
                None if self.ahead().len() >= MAX_LINE => self.buffer.len(),
                None => self.at,
            };
            if let Some((i, hit)) = anchors.find(&self.buffer[self.at..whole], self.offset()) {
                let line = memrchr(b'\n', &self.buffer[self.at..self.at + i]).map_or(self.at, |n| self.at + n + 1);
                self.go_to(line);
                return Ok(Some(hit));
            }
            self.go_to(whole);
            if !self.fill()? && self.at >= self.buffer.len() {
                return Ok(None);
            }
        }
    }

    pub(crate) fn go_to(&mut self, index: usize) {
        self.line += count_lines(&self.buffer[self.at..index]);
        self.at = index;
    }

    /// The lines above the current one, as far as they are near enough and not seen yet: start, end and place.
    pub(crate) fn lines_above(&self, seen: u64) -> Vec<(usize, usize, Place)> {
        let floor = self.floor(seen);
        // Where not each line begins like a record, a few records reach back as far as a head may be.
        let mut records = if begins_record(self.line_ahead()) { usize::MAX } else { RECORDS_BETWEEN + 2 };
        let mut lines = Vec::new();
        let (mut end, mut number) = (self.at, self.line);
        while end > floor && lines.len() < LINES_ABOVE && records > 0 {
            let start = memrchr(b'\n', &self.buffer[floor..end - 1]).map_or(floor, |i| floor + i + 1);
            number = number.saturating_sub(1);
            let place = Place { line: number, column: 1, offset: self.base + start as u64 };
            records -= usize::from(begins_record(&self.buffer[start..end - 1]));
            lines.push((start, end - 1, place));
            end = start;
        }
        lines.reverse();
        lines
    }

    /// The first index that may be looked at again: the beginning of a line, if it can be told.
    fn floor(&self, seen: u64) -> usize {
        let seen = seen.saturating_sub(self.base) as usize;
        let near = self.at.saturating_sub(LOOK_BACK);
        if near <= seen {
            return seen.min(self.at);
        }
        memchr(b'\n', &self.buffer[near..self.at]).map_or(self.at, |i| near + i + 1)
    }

    /// Where, above or in the current line, JSON over several lines may begin: in lines that begin or end with a brace,
    /// those that are indented least first. Offsets, since the window moves while the first of them is tried.
    pub(crate) fn starts_of_json(&self, seen: u64) -> Vec<u64> {
        const MOST: usize = 8;
        let above = self.lines_above(seen).into_iter().map(|(start, end, _)| (start, end));
        let current = (self.at, self.at + self.line_ahead().len());
        let mut starts: Vec<(usize, usize)> = above
            .chain([current])
            .filter_map(|(start, end)| {
                let line = &self.buffer[start..end];
                let indent = line.iter().position(|b| !b.is_ascii_whitespace())?;
                let brace = match (line[indent], line.trim_ascii_end().last()) {
                    (b'{' | b'[', _) => Some(indent),
                    (b'"', _) => None,
                    (_, Some(b'{')) => memrchr(b'{', line),
                    _ => memmem::find(line, b"{\""),
                };
                Some((indent, start + brace?))
            })
            .collect();
        starts.sort_unstable();
        starts.into_iter().map(|(_, start)| self.base + start as u64).take(MOST).collect()
    }

    pub(crate) fn place_of(&self, index: usize) -> Place {
        let line = match index <= self.at {
            true => self.line - count_lines(&self.buffer[index..self.at]),
            false => self.line + count_lines(&self.buffer[self.at..index]),
        };
        let start = memrchr(b'\n', &self.buffer[..index]).map_or(0, |i| i + 1);
        Place { line, column: (index - start) as u32 + 1, offset: self.base + index as u64 }
    }
}

/// Does a record of a log begin with these bytes? A line of JSON is a record too.
fn begins_record(line: &[u8]) -> bool {
    let start = &line[..line.len().min(64)];
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or(""),
    };
    prefix::begins_record(text) || text.trim_start().starts_with("{\"")
}

fn count_lines(text: &[u8]) -> u32 {
    u32::try_from(memchr_iter(b'\n', text).count()).unwrap_or(u32::MAX)
}
