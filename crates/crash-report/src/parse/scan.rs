//! Reads a stream: skips what is of no trace, and hands the lines around a hit to the [`Driver`]. JSON over several lines
//! is read as a whole.

use std::io::{self, Read};

use memchr::memchr;
use serde_json::Value;

use super::anchor::{Anchors, Hit};
use super::collect::Collector;
use super::decode::html;
use super::driver::{Driver, is_anchor};
use super::event;
use super::head;
use super::input::Input;
use super::structure;
use super::unwrap::{self, MAX_JSON, Meant, Piece};
use super::window::{CHUNK, MAX_LINE, Window};
use crate::report::{CrashReport, Place, Problem, ProblemKind};

/// Attempts to read JSON over several lines that may fail, before no more are made.
const MAX_FAILED_JSON: usize = 32;

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
    // Tags may hide a frame from the search for hits; pages are short enough to be read line by line.
    let page = html::is_document(scan.window.ahead());
    loop {
        let more = if scan.driver.is_idle() && !page { scan.skip()? } else { scan.line()? };
        if !more {
            break;
        }
    }
    scan.driver.finish(&mut scan.out);
    if scan.out.is_empty() {
        scan.head_without_frames();
    }
    Ok(scan.out.finish())
}

/// What a line with a hit is, seen from near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// A trace may begin here.
    Begins,
    /// A text or an event of its own.
    Nested,
    FalseAlarm,
}

fn look(meant: &Meant<'_>) -> Look {
    let pieces = match meant {
        Meant::Line(line) if is_anchor(&line.text) => return Look::Begins,
        Meant::Line(_) => return Look::FalseAlarm,
        Meant::Pieces(pieces) => pieces,
    };
    if pieces.iter().any(|piece| matches!(piece, Piece::Line(line) if is_anchor(&line.text))) {
        Look::Begins
    } else if pieces.iter().all(|piece| matches!(piece, Piece::Line(_))) {
        Look::FalseAlarm
    } else {
        Look::Nested
    }
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
        if hit == Hit::Structure && structure::may_begin(&String::from_utf8_lossy(self.window.line_ahead())) {
            self.feed_above(place);
            return self.line();
        }
        let look = look(&unwrap::unwrap(self.window.line_ahead(), place));
        if look == Look::Begins {
            self.feed_above(place);
        }
        if matches!(hit, Hit::Frame | Hit::Structure) && look == Look::FalseAlarm {
            // The line is as good as any other that is skipped.
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

    /// A file that is one JSON document, over several lines or alone in one.
    fn document(&mut self) -> io::Result<()> {
        let ahead = self.window.ahead();
        let blank = ahead.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let first_line = &ahead[blank..][..memchr(b'\n', &ahead[blank..]).unwrap_or(ahead.len() - blank)];
        let alone = blank + first_line.len() + 1 >= ahead.len();
        let complete = || serde_json::from_slice::<Value>(first_line).is_ok();
        if matches!(ahead.get(blank), Some(b'{' | b'[')) && (alone || !complete()) {
            self.read_json(self.window.offset() + blank as u64)?;
        }
        Ok(())
    }

    /// A key of an event was met: the event is this line, or began some lines above.
    fn json(&mut self) -> io::Result<bool> {
        let line = self.window.line_ahead();
        if line.ends_with(b"}") || self.failed_json >= MAX_FAILED_JSON {
            return Ok(false);
        }
        let starts = self.window.starts_of_json(self.fed_to);
        if starts.is_empty() {
            return Ok(false);
        }
        for start in starts {
            if self.read_json(start)? {
                return Ok(true);
            }
        }
        self.failed_json += 1;
        let place = self.window.place();
        let reason = "it is not complete".to_owned();
        self.out.problem(Problem { place, kind: ProblemKind::BrokenJson { reason } });
        Ok(false)
    }

    /// Reads a JSON value that begins at this offset, and goes behind it. The window may move.
    fn read_json(&mut self, offset: u64) -> io::Result<bool> {
        let start = self.window.fill_json(offset)?;
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
