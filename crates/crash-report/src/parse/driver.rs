//! Finds traces in a sequence of lines.
//!
//! Keeps the last lines that are of no trace, since the head of a trace is above its first frame; from the first frame
//! on a [`Draft`] takes the lines. Works on any source of lines: the file, or a string inside a JSON record.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::assemble::{Draft, Step};
use super::classify::{Kind, Line, classify};
use super::collect::Collector;
use super::memo::Lines;
use super::prefix;
use super::spacing::Spacing;
use super::structure::Structure;
use super::unwrap::{self, Meant, Piece};
use super::{frame, head};
use crate::report::{Place, Problem, ProblemKind};

/// Lines that are kept for a head; longer messages exist, but none that a person reads.
pub(crate) const LINES_ABOVE: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Driver {
    above: VecDeque<Line<'static>>,
    draft: Option<Draft>,
    structure: Option<Structure>,
    /// An `Exception in thread` of which no frame was seen yet.
    uncaught: Option<(Place, String)>,
    /// How many texts inside of texts this one is.
    depth: usize,
    lines: Lines,
}

impl Driver {
    /// Is no trace open, so that lines without a frame may be skipped?
    pub(crate) fn is_idle(&self) -> bool {
        self.draft.is_none() && self.structure.is_none()
    }

    /// Lines were skipped: what is above the next line is not known.
    pub(crate) fn forget(&mut self) {
        self.above.clear();
    }

    /// Takes a line of the file, without its line end.
    pub(crate) fn physical(&mut self, raw: &[u8], place: Place, out: &mut Collector) {
        if self.known(raw, place, out) {
            return;
        }
        match unwrap::unwrap(raw, place) {
            Meant::Line(line) => self.line(&line, out),
            Meant::Pieces(pieces) => pieces.into_iter().for_each(|piece| self.piece(piece, place, out)),
        }
    }

    /// Takes a line of the open trace that was met before and needs no decoding; false if it is none.
    fn known(&mut self, raw: &[u8], place: Place, out: &mut Collector) -> bool {
        let Some(draft) = self.draft.as_mut().filter(|draft| draft.takes_known()) else { return false };
        let Some((kind, indent)) = self.lines.plain(raw) else { return false };
        let Ok(text) = std::str::from_utf8(raw) else { return false };
        let line = Line { text: Cow::Borrowed(text), place, lossy: false, decoded: false };
        let step = draft.take(&line, text, kind, indent);
        self.after(step, &line, out);
        true
    }

    fn piece(&mut self, piece: Piece, place: Place, out: &mut Collector) {
        match piece {
            Piece::Line(line) => self.line(&line, out),
            Piece::Text(text) => self.text(&text, place, out),
            Piece::Events(found) => out.add_found(found),
        }
    }

    /// Reads a text that stands in one place of the file.
    pub(crate) fn text(&mut self, text: &str, place: Place, out: &mut Collector) {
        const MAX_DEPTH: usize = 3;
        if self.depth >= MAX_DEPTH {
            return;
        }
        let lines = std::mem::take(&mut self.lines);
        let mut inner = Driver { depth: self.depth + 1, lines, ..Driver::default() };
        for line in text.lines() {
            inner.physical(line.as_bytes(), place, out);
        }
        inner.finish(out);
        self.lines = inner.lines;
    }

    pub(crate) fn finish(&mut self, out: &mut Collector) {
        if let Some(draft) = self.draft.take() {
            out.add(draft);
        }
        if let Some(structure) = self.structure.take() {
            out.add_found(structure.read());
        }
        self.report_uncaught(out);
        self.above.clear();
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Collector) {
        if self.structure.is_some() && prefix::begins_record(&line.text) {
            // It is cut off.
            out.add_found(self.structure.take().map(Structure::read).unwrap_or_default());
        }
        if let Some(mut structure) = self.structure.take() {
            structure.push(&line.text);
            self.go_on(structure, out);
        } else if let Some(draft) = &mut self.draft {
            let step = draft.push(line, &mut self.lines);
            self.after(step, line, out);
        } else {
            self.idle(line, out);
        }
    }

    /// Reads the structure, if it is complete.
    fn go_on(&mut self, structure: Structure, out: &mut Collector) {
        if structure.is_complete() {
            out.add_found(structure.read());
        } else {
            self.structure = Some(structure);
        }
    }

    /// Goes on after the open trace was shown a line.
    fn after(&mut self, step: Step, line: &Line<'_>, out: &mut Collector) {
        let over = match step {
            Step::Taken => return,
            Step::Begins(_) | Step::Over(_) => self.draft.take(),
        };
        let mut spacing = Spacing::default();
        if let Some(mut draft) = over {
            spacing = std::mem::take(&mut draft.spacing);
            out.add(draft);
        }
        match step {
            Step::Begins(above) => self.begin(above, line, spacing),
            Step::Over(lines) => lines.iter().for_each(|line| self.idle(line, out)),
            Step::Taken => {}
        }
    }

    fn idle(&mut self, line: &Line<'_>, out: &mut Collector) {
        if is_anchor(&line.text) {
            let above = std::mem::take(&mut self.above).into();
            self.begin(above, line, Spacing::default());
            return;
        }
        if let Some(structure) = Structure::begin(&self.above, line) {
            self.above.clear();
            self.go_on(structure, out);
            return;
        }
        if line.text.contains("Exception in thread ")
            && let Some(head) = head::read(&line.text).filter(|h| h.thread.is_some() && !h.class.is_empty())
        {
            self.report_uncaught(out);
            self.uncaught = Some((line.place, head.class));
        }
        self.above.push_back(line.kept());
        if self.above.len() > LINES_ABOVE {
            self.above.pop_front();
        }
    }

    fn begin(&mut self, above: Vec<Line<'static>>, anchor: &Line<'_>, spacing: Spacing) {
        self.uncaught = None;
        let mut draft = Draft::begin(above, anchor, &mut self.lines, spacing);
        draft.push(anchor, &mut self.lines);
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
        && (matches!(classify(text).0, Kind::Frame(_))
            || frame::is_location_alone(text)
            || (text.contains('.') && frame::is_cut(text)))
}
