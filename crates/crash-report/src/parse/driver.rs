//! Finds traces in a sequence of lines.
//!
//! Keeps the last lines that are of no trace, since the head of a trace is above its first frame; from the first frame
//! on a [`Draft`] takes the lines. Works on any source of lines: the file, or a string inside a JSON record.

use std::collections::VecDeque;

use super::assemble::{Draft, Step};
use super::classify::{Kind, Line, classify};
use super::collect::Collector;
use super::unwrap::{self, Piece};
use super::{frame, head};
use crate::report::{Place, Problem, ProblemKind};

/// Lines that are kept for a head; longer messages exist, but none that a person reads.
pub(crate) const LINES_ABOVE: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Driver {
    above: VecDeque<Line>,
    draft: Option<Draft>,
    /// An `Exception in thread` of which no frame was seen yet.
    uncaught: Option<(Place, String)>,
    /// How many texts inside of texts this one is.
    depth: usize,
}

impl Driver {
    /// Is no trace open, so that lines without a frame may be skipped?
    pub(crate) fn is_idle(&self) -> bool {
        self.draft.is_none()
    }

    /// Lines were skipped: what is above the next line is not known.
    pub(crate) fn forget(&mut self) {
        self.above.clear();
    }

    /// Takes a line of the file, without its line end.
    pub(crate) fn physical(&mut self, raw: &[u8], place: Place, out: &mut Collector) {
        self.pieces(unwrap::unwrap(raw, place), place, out);
    }

    /// Takes what a line of the file was meant to be.
    pub(crate) fn pieces(&mut self, pieces: Vec<Piece>, place: Place, out: &mut Collector) {
        for piece in pieces {
            match piece {
                Piece::Line(line) => self.line(&line, out),
                Piece::Text(text) => self.text(&text, place, out),
                Piece::Events(found) => out.add_found(found),
            }
        }
    }

    /// Reads a text that stands in one place of the file.
    pub(crate) fn text(&self, text: &str, place: Place, out: &mut Collector) {
        const MAX_DEPTH: usize = 3;
        if self.depth >= MAX_DEPTH {
            return;
        }
        let mut inner = Driver { depth: self.depth + 1, ..Driver::default() };
        for line in text.lines() {
            inner.physical(line.as_bytes(), place, out);
        }
        inner.finish(out);
    }

    pub(crate) fn finish(&mut self, out: &mut Collector) {
        if let Some(draft) = self.draft.take() {
            out.add(draft.finish());
        }
        self.report_uncaught(out);
        self.above.clear();
    }

    fn line(&mut self, line: &Line, out: &mut Collector) {
        let Some(mut draft) = self.draft.take() else {
            self.idle(line, out);
            return;
        };
        match draft.push(line) {
            Step::Taken => self.draft = Some(draft),
            Step::Begins(above) => {
                out.add(draft.finish());
                self.begin(above, line);
            }
            Step::Over(lines) => {
                out.add(draft.finish());
                lines.iter().for_each(|line| self.idle(line, out));
            }
        }
    }

    fn idle(&mut self, line: &Line, out: &mut Collector) {
        if is_anchor(&line.text) {
            let above = std::mem::take(&mut self.above).into();
            self.begin(above, line);
            return;
        }
        if line.text.contains("Exception in thread ")
            && let Some(head) = head::read(&line.text).filter(|h| h.thread.is_some())
        {
            self.report_uncaught(out);
            self.uncaught = Some((line.place, head.class));
        }
        self.above.push_back(line.kept());
        if self.above.len() > LINES_ABOVE {
            self.above.pop_front();
        }
    }

    fn begin(&mut self, above: Vec<Line>, anchor: &Line) {
        self.uncaught = None;
        let mut draft = Draft::begin(above, anchor);
        draft.push(anchor);
        self.draft = Some(draft);
    }

    fn report_uncaught(&mut self, out: &mut Collector) {
        if let Some((place, class)) = self.uncaught.take() {
            out.problem(Problem { place, kind: ProblemKind::NoFrames { class } });
        }
    }
}

/// May a trace begin here? A frame, or a piece of one with its parenthesis.
pub(crate) fn is_anchor(text: &str) -> bool {
    text.contains('(')
        && (matches!(classify(text).0, Kind::Frame { .. })
            || frame::is_location_alone(text)
            || (text.contains('.') && frame::is_cut(text)))
}
