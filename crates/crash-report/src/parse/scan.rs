//! Reads a stream: skips what is of no trace, and hands the lines around a hit to the [`Driver`].
//!
//! The window holds one chunk of the stream and the lines before it in which a head may stand, so memory does not
//! depend on the length of the input.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};
use serde_json::Value;

use super::anchor::{Anchors, Hit};
use super::collect::Collector;
use super::decode::html;
use super::driver::{self, Driver, is_anchor};
use super::event;
use super::head;
use super::input::Input;
use super::prefix;
use super::start;
use super::unwrap::{self, MAX_JSON, Piece};
use crate::report::{CrashReport, Place, Problem, ProblemKind};

const CHUNK: usize = 256 << 10;
/// How far above a frame its head may be, in bytes.
const LOOK_BACK: usize = 64 << 10;
/// A longer line is cut.
const MAX_LINE: usize = MAX_JSON;
/// Attempts to read JSON over several lines that may fail, before no more are made.
const MAX_FAILED_JSON: usize = 64;

pub(crate) fn scan(reader: impl Read) -> io::Result<CrashReport> {
    let mut scan = Scan {
        window: Window::new(Input::new(reader)),
        anchors: Anchors::new(),
        driver: Driver::default(),
        out: Collector::default(),
        fed_to: 0,
        failed_json: 0,
    };
    while scan.window.ahead().len() < CHUNK && scan.window.fill()? {}
    scan.document()?;
    if html::is_document(scan.window.ahead()) {
        while scan.line()? {}
    } else {
        while if scan.driver.is_idle() { scan.skip()? } else { scan.line()? } {}
    }
    scan.driver.finish(&mut scan.out);
    if scan.out.is_empty() {
        scan.head_without_frames();
    }
    Ok(scan.out.finish())
}

struct Scan<R> {
    window: Window<R>,
    anchors: Anchors,
    driver: Driver,
    out: Collector,
    /// The driver has seen all lines up to this offset.
    fed_to: u64,
    failed_json: usize,
}

impl<R: Read> Scan<R> {
    /// Hands the next line to the driver; false at the end.
    fn line(&mut self) -> io::Result<bool> {
        let Some(line) = self.window.next_line()? else { return Ok(false) };
        if line.cut {
            self.out.problem(Problem { place: line.place, kind: ProblemKind::LineTooLong { limit: MAX_LINE } });
        }
        self.driver.physical(self.window.text(line.start, line.end), line.place, &mut self.out);
        self.fed_to = self.window.offset();
        Ok(true)
    }

    /// Goes to the next line worth a look and hands it, with the lines above that its head may be in, to the driver; false
    /// at the end.
    fn skip(&mut self) -> io::Result<bool> {
        let Some(hit) = self.window.seek(&mut self.anchors)? else { return Ok(false) };
        if hit == Hit::Json && self.json()? {
            return Ok(true);
        }
        let place = self.window.place();
        let pieces = unwrap::unwrap(self.window.line_ahead(), place);
        let begins = |piece: &Piece| matches!(piece, Piece::Line(line) if is_anchor(&line.text));
        if pieces.iter().any(begins) {
            self.feed_above(place);
        }
        if hit == Hit::Frame && pieces.iter().all(|piece| matches!(piece, Piece::Line(_)) && !begins(piece)) {
            // A false alarm: the line is as good as any other that is skipped.
            self.window.next_line()?;
            return Ok(true);
        }
        if place.offset > self.fed_to {
            self.driver.forget();
        }
        self.line()
    }

    /// Nothing was found at all: a short text may still name an exception, and then it is said that its frames are missing.
    fn head_without_frames(&mut self) {
        if self.window.base > self.window.input.skipped {
            return;
        }
        let mut place = Place { line: 1, column: 1, offset: self.window.base };
        for line in self.window.buffer.split(|&b| b == b'\n') {
            let text = String::from_utf8_lossy(line);
            if let Some(head) = head::read(&text).filter(|h| h.sure).or_else(|| head::embedded(&text)) {
                self.out.problem(Problem { place, kind: ProblemKind::NoFrames { class: head.class } });
                return;
            }
            place.line += 1;
            place.offset += line.len() as u64 + 1;
        }
    }

    /// Hands the lines above the current one to the driver, as far as it has not seen them.
    fn feed_above(&mut self, place: Place) {
        let above = self.window.lines_above(self.fed_to);
        if above.first().map_or(place.offset, |(_, _, place)| place.offset) > self.fed_to {
            self.driver.forget();
        }
        for (start, end, place) in above {
            self.driver.physical(self.window.text(start, end), place, &mut self.out);
        }
        self.fed_to = place.offset;
    }

    /// A file that is one JSON document over several lines.
    fn document(&mut self) -> io::Result<()> {
        let ahead = self.window.ahead();
        let blank = ahead.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let first_line = &ahead[blank..][..memchr(b'\n', &ahead[blank..]).unwrap_or(ahead.len() - blank)];
        let complete = || serde_json::from_slice::<Value>(first_line).is_ok();
        if matches!(ahead.get(blank), Some(b'{' | b'[')) && !complete() {
            self.read_json(blank)?;
        }
        Ok(())
    }

    /// A key of an event was met: the event is this line, or began some lines above.
    fn json(&mut self) -> io::Result<bool> {
        let line = self.window.line_ahead();
        if line.ends_with(b"}") || self.failed_json >= MAX_FAILED_JSON {
            return Ok(false);
        }
        let mut starts: Vec<usize> = self.window.starts_of_json(self.fed_to);
        starts.truncate(8);
        for back in starts {
            if self.read_json_from(back)? {
                return Ok(true);
            }
        }
        self.failed_json += 1;
        let place = self.window.place();
        let reason = "it is not complete".to_owned();
        self.out.problem(Problem { place, kind: ProblemKind::BrokenJson { reason } });
        Ok(false)
    }

    fn read_json(&mut self, ahead: usize) -> io::Result<bool> {
        let at = self.window.at + ahead;
        self.read_json_from(at)
    }

    /// Reads a JSON value that begins at this index of the window, and goes behind it.
    fn read_json_from(&mut self, start: usize) -> io::Result<bool> {
        let start = self.window.fill_json(start)?;
        let text = &self.window.buffer[start..];
        let mut values = serde_json::Deserializer::from_slice(&text[..text.len().min(MAX_JSON)]).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { return Ok(false) };
        let end = start + values.byte_offset();
        if end <= self.window.at {
            return Ok(false);
        }
        let place = self.window.place_of(start);
        let found = event::search(&value, place);
        for text in &found.texts {
            self.driver.text(text, place, &mut self.out);
        }
        self.out.add_found(event::Found { texts: Vec::new(), ..found });
        self.window.go_to(end);
        self.fed_to = self.window.offset();
        self.driver.forget();
        Ok(true)
    }
}

/// A line of the window.
struct LineAt {
    start: usize,
    end: usize,
    place: Place,
    cut: bool,
}

struct Window<R> {
    input: Input<R>,
    buffer: Vec<u8>,
    /// The next byte to be looked at.
    at: usize,
    /// The line number of `at`, from 1.
    line: u32,
    /// The offset in the input of the first byte of `buffer`.
    base: u64,
    ended: bool,
}

impl<R: Read> Window<R> {
    fn new(input: Input<R>) -> Window<R> {
        Window { input, buffer: Vec::new(), at: 0, line: 1, base: 0, ended: false }
    }

    fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    fn place(&self) -> Place {
        Place { line: self.line, column: 1, offset: self.offset() }
    }

    fn text(&self, start: usize, end: usize) -> &[u8] {
        &self.buffer[start..end]
    }

    fn ahead(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    fn line_ahead(&self) -> &[u8] {
        let ahead = self.ahead();
        ahead[..memchr(b'\n', ahead).unwrap_or(ahead.len())].trim_ascii_end()
    }

    /// Reads more; what is too far behind to be looked at again is dropped. False at the end of the input.
    fn fill(&mut self) -> io::Result<bool> {
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

    /// Fills the window so that a JSON value of the largest size fits behind `start`; gives `start` in the new window.
    fn fill_json(&mut self, start: usize) -> io::Result<usize> {
        let offset = self.base + start as u64;
        loop {
            let start = (offset - self.base) as usize;
            if self.buffer.len() - start >= MAX_JSON || !self.fill()? {
                return Ok(start);
            }
        }
    }

    fn next_line(&mut self) -> io::Result<Option<LineAt>> {
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
    fn seek(&mut self, anchors: &mut Anchors) -> io::Result<Option<Hit>> {
        loop {
            let whole = match memrchr(b'\n', self.ahead()) {
                Some(i) => self.at + i + 1,
                None if self.ended || self.ahead().len() >= MAX_LINE => self.buffer.len(),
                None => self.at,
            };
            let whole = if self.ended { self.buffer.len() } else { whole };
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

    fn go_to(&mut self, index: usize) {
        self.line += count_lines(&self.buffer[self.at..index]);
        self.at = index;
    }

    /// The lines above the current one, as far as they are near enough and not seen yet: start, end and place.
    fn lines_above(&self, seen: u64) -> Vec<(usize, usize, Place)> {
        let floor = self.floor(seen);
        // Where not each line begins like a record, a few records reach back as far as a head may be.
        let mut records = if begins_record(self.line_ahead()) { usize::MAX } else { start::RECORDS_BETWEEN + 2 };
        let mut lines = Vec::new();
        let (mut end, mut number) = (self.at, self.line);
        while end > floor && lines.len() < driver::LINES_ABOVE && records > 0 {
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

    /// Where, above or in the current line, a JSON document over several lines may begin: lines that begin or end with a brace.
    fn starts_of_json(&self, seen: u64) -> Vec<usize> {
        let above = self.lines_above(seen).into_iter().map(|(start, end, _)| (start, end));
        let current = (self.at, self.at + self.line_ahead().len());
        above
            .chain([current])
            .filter_map(|(start, end)| {
                let line = &self.buffer[start..end];
                let text = line.trim_ascii();
                match (text.first(), text.last()) {
                    (Some(b'{' | b'['), _) => Some(start + line.iter().position(|b| !b.is_ascii_whitespace())?),
                    (_, Some(b'{')) if !text.starts_with(b"\"") => Some(start + memrchr(b'{', line)?),
                    _ => None,
                }
            })
            .collect()
    }

    fn place_of(&self, index: usize) -> Place {
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
