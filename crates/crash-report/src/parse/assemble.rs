//! Puts the lines of one trace together.
//!
//! A [`Draft`] begins with the lines above a frame (see [`super::start`]) and takes lines until one shows that the
//! trace is over. It knows which lines are the message, which are interleaved from elsewhere, and which were cut by
//! line wrapping. It sees text only: decoding is done before, the tree is built afterwards.

mod quote;

use std::borrow::Cow;
use std::hash::Hash;
use std::rc::Rc;

use xxhash_rust::xxh3::Xxh3;

use super::cell;
use super::classify::{Kind, Line, Spotted, classify, clipped, is_stack_caption};
use super::decode::json_string;
use super::frame;
use super::head::{Head, Label};
use super::memo::Lines;
use super::open::{Lead, Open, lead_of, restore_cut_stacks};
use super::prefix::{self, Shape};
use super::spacing::{self, Spacing};
use super::start::{self, Start, strip};
use super::tree::{self, Block};
use crate::names;
use crate::report::{Place, Problem, ProblemKind, Trace, TraceSource};

/// Lines of something else that a trace may have in one place, and those with the blank ones among them.
const MAX_GAP: usize = 16;
const MAX_GAP_WITH_BLANKS: usize = 48;
/// Lines of a message.
const MAX_MESSAGE_LINES: usize = 400;
/// Exceptions of one trace.
const MAX_BLOCKS: usize = 1_000;
/// Lines that one frame may be wrapped into.
const MAX_PIECES: usize = 4;

/// What became of a line.
#[derive(Debug)]
pub(crate) enum Step {
    /// It belongs to the trace, or may still turn out to.
    Taken,
    /// It does not, and begins another trace together with these lines above it.
    Begins(Vec<Line<'static>>),
    /// The trace is over; these lines and the last one are not of it.
    Over(Vec<Line<'static>>),
}

/// A trace of which more lines may come.
#[derive(Debug)]
pub(crate) struct Draft {
    thread: Option<String>,
    dump: bool,
    /// The prefix of the lines of this trace. Shared, so that a line can be looked at while the draft changes.
    shape: Option<Rc<Shape>>,
    blocks: Vec<Open>,
    /// Lines after the last frame that are of no trace, unless another frame follows.
    gap: Vec<Line<'static>>,
    cut: Option<Cut>,
    /// The next head is the cause of the exception above, whatever its label.
    nested: bool,
    wrapped: usize,
    /// Lines were joined that quoted-printable mail has cut.
    quoted_printable: bool,
    pub(crate) spacing: Spacing,
    /// The trace stands in a quoted cell of a table.
    cell: bool,
    /// The class and the message of an exception that is named below its frames.
    named_below: Option<(String, Option<String>)>,
    /// Of all blocks together.
    frames: usize,
    problems: Vec<Problem>,
    pub(crate) place: Place,
}

#[derive(Debug)]
struct Cut {
    line: Line<'static>,
    text: String,
    pieces: usize,
}

impl Draft {
    /// Begins with the lines above `anchor`, which is a frame or a piece of one. The lines from the head on are taken
    /// in; `anchor` is not.
    pub(crate) fn begin(above: Vec<Line<'static>>, anchor: &Line<'_>, lines: &mut Lines, spacing: Spacing) -> Draft {
        let shape = shape_of(anchor, above.last(), lines).map(Rc::new);
        let start = start::find(&above, shape.as_deref());
        let mut draft = Draft {
            thread: None,
            dump: false,
            shape,
            blocks: Vec::new(),
            gap: Vec::new(),
            cut: None,
            nested: false,
            wrapped: 0,
            quoted_printable: false,
            spacing,
            cell: false,
            named_below: None,
            frames: 0,
            problems: Vec::new(),
            place: anchor.place,
        };
        let skip = match &start {
            Some(start) => start.index() + 1,
            // The first piece of a wrapped frame is the only line worth keeping.
            None => above.len() - usize::from(above.last().is_some_and(|l| frame::is_cut(draft.view(&l.text)))),
        };
        if let Some(start) = start {
            draft.open(start, &above);
        }
        for line in above.into_iter().skip(skip) {
            draft.push(&line, lines);
        }
        draft
    }

    fn open(&mut self, start: Start, above: &[Line<'_>]) {
        let line = &above[start.index()];
        self.note_lossy(line);
        match start {
            Start::Thread { name, .. } => {
                self.thread = Some(name);
                self.dump = true;
                self.place = line.place;
                self.blocks.push(Open::new(nameless(line.place)));
            }
            Start::Exception { index, head, inline } => {
                let stripped = self.view(&line.text);
                let before = line.text.len() - stripped.len() + head.at;
                let place = column(line, before);
                // A logger's line may stand first in the cell.
                let above_opens = || index.checked_sub(1).is_some_and(|i| cell::opens(&above[i].text));
                self.cell = cell::opens(&line.text[..before]) || above_opens();
                let indent = if inline { 0 } else { indent_of(stripped) };
                self.thread = head.thread.clone().or_else(|| android_thread(&above[..index]));
                self.place = place;
                if head.label != Label::Top {
                    self.problems.push(Problem { place, kind: ProblemKind::NoOutermost });
                }
                self.blocks.push(Open::new(block(head, indent, place)));
            }
        }
    }

    /// Takes the next line, if it belongs here.
    pub(crate) fn push(&mut self, line: &Line<'_>, lines: &mut Lines) -> Step {
        let shape = self.shape.clone();
        let text = strip(&line.text, shape.as_deref());
        if let Some(cut) = self.cut.take()
            && let Some(step) = self.join(cut, text)
        {
            return step;
        }
        let plain = shape.is_none() && matches!(line.text, Cow::Borrowed(_));
        let (kind, indent) = lines.classify(text, plain);
        self.take(line, text, kind, indent)
    }

    /// May a line be taken without a look at its prefix and at the line before?
    pub(crate) fn takes_known(&self) -> bool {
        self.shape.is_none() && self.cut.is_none()
    }

    /// Takes the next line, of which is known what it is; `text` is the line without its prefix.
    pub(crate) fn take(&mut self, line: &Line<'_>, text: &str, kind: Kind, indent: usize) -> Step {
        if self.spacing.swallows(matches!(kind, Kind::Blank)) {
            return Step::Taken;
        }
        match kind {
            Kind::Frame(frame) => self.on_frame(line, frame),
            Kind::Cut if self.has_frames() || frame::is_cut(text) || self.blocks.is_empty() => {
                self.cut = Some(Cut { text: clipped(text.trim_end()).to_owned(), line: line.kept(), pieces: 1 });
                Step::Taken
            }
            Kind::Head(head) => self.on_head(line, head, indent),
            Kind::Common(n) if self.has_frames_or_label() => {
                self.close_gap();
                self.last_block().common = n;
                Step::Taken
            }
            Kind::Elided(n) if self.has_frames_or_label() => {
                self.close_gap();
                self.problems.push(Problem { place: line.place, kind: ProblemKind::FramesElided { count: n } });
                Step::Taken
            }
            Kind::Note if self.has_frames() || self.dump => Step::Taken,
            Kind::Nested if self.has_frames() => {
                self.nested = true;
                Step::Taken
            }
            Kind::Fence => Step::Over(vec![line.kept()]),
            _ => self.on_other(line),
        }
    }

    /// Drafts with the same fingerprint make the same trace, but for its place.
    pub(crate) fn fingerprint(&self) -> u128 {
        let mut hasher = Xxh3::new();
        (&self.thread, self.dump, self.blocks.len(), self.cell, self.wrapped > 0).hash(&mut hasher);
        (&self.named_below, self.quoted_printable).hash(&mut hasher);
        for Open { block, more_message, bare, hashes, .. } in &self.blocks {
            (block.label, block.indent, &block.class, &block.message, block.common, block.circular).hash(&mut hasher);
            (more_message, bare, hashes).hash(&mut hasher);
        }
        hasher.digest128()
    }

    /// The trace, if the lines make one.
    pub(crate) fn finish(mut self) -> (Option<Trace>, Vec<Problem>) {
        if let Some(cut) = self.cut.take() {
            self.unreadable(&cut);
        }
        self.take_name_below();
        // The message of a head that no frame follows is its first line: what comes then may be anything.
        if let Some(open) = self.blocks.last_mut().filter(|open| open.block.frames.is_empty()) {
            open.more_message.clear();
        }
        restore_cut_stacks(&mut self.blocks);
        for open in &mut self.blocks {
            open.close_message(self.wrapped > 0, &mut self.problems);
            if let Some(message) = open.block.message.as_mut().filter(|_| self.cell) {
                *message = cell::unquoted(message);
            }
            if let Some(message) = open.block.message.as_mut().filter(|_| self.quoted_printable) {
                *message = json_string::code_decoded(message, b'=');
            }
        }
        let frames: usize = self.blocks.iter().map(|open| open.block.frames.len()).sum();
        let unsure = self.blocks.iter().all(|open| open.block.class.is_empty() && open.bare);
        if frames == 0 || (frames == 1 && unsure && !self.dump) {
            return (None, Vec::new());
        }
        if self.wrapped > 0 {
            let kind = ProblemKind::WrappedLines { count: self.wrapped };
            self.problems.push(Problem { place: self.place, kind });
        }
        if !self.dump {
            for open in self.blocks.iter().filter(|open| open.block.class.is_empty()) {
                self.problems.push(Problem { place: open.block.place, kind: ProblemKind::NoExceptionName });
            }
        }
        let mut blocks: Vec<Block> = self.blocks.into_iter().map(|open| open.block).collect();
        forget_null_messages(&mut blocks);
        let throwable = tree::build(blocks, &mut self.problems);
        let source = if self.dump { TraceSource::ThreadDump } else { TraceSource::PrintedTrace };
        let (thread, place) = (self.thread, self.place);
        (throwable.map(|throwable| Trace { thread, throwable, place, source, count: 1 }), self.problems)
    }

    fn on_frame(&mut self, line: &Line<'_>, spotted: Spotted) -> Step {
        let Spotted { frame, bare, skipped, hash, .. } = spotted;
        if self.blocks.is_empty() {
            self.place = line.place;
            self.blocks.push(Open::new(nameless(line.place)));
        }
        if self.frames == 1 && !self.gap.is_empty() {
            self.look_at_spacing();
        }
        let owner = self.quotes_several();
        if owner.is_none()
            && !self.quotes_traceback()
            && let Some(above) = self.leaves_for_another(Some(bare))
        {
            return Step::Begins(above);
        }
        let lead = lead_of(self.view(&line.text));
        // Where frames have `at`, a line that looks like a frame without one is something else.
        if bare && self.has_frames() && !self.last_open().bare && !self.is_below_first(lead) {
            return self.on_other(line);
        }
        self.note_lossy(line);
        if let Some(owner) = owner {
            self.quote_blocks(owner);
        }
        if !bare {
            self.forget_rest_of_frame();
        }
        if self.quotes_traceback() || self.quotes_what_is_above() || self.begins_anew(lead) {
            self.quote_frames();
        }
        self.close_gap();
        if skipped > 0 {
            self.problems.push(Problem { place: line.place, kind: ProblemKind::FramesElided { count: skipped } });
        }
        if self.frames >= tree::MAX_FRAMES {
            self.too_large("frames", tree::MAX_FRAMES, line.place);
            return Step::Taken;
        }
        self.frames += 1;
        let open = self.last_open();
        if open.block.frames.is_empty() {
            open.bare = bare;
            open.lead = lead;
        }
        let frame = if bare { open.called(frame) } else { frame };
        open.block.frames.push(frame);
        open.hashes.push(hash);
        Step::Taken
    }

    fn on_head(&mut self, line: &Line<'_>, head: Head, indent: usize) -> Step {
        let nested = self.nested && head.sure;
        let named = !head.class.is_empty() || (self.has_frames() && self.gap.is_empty());
        let tied = head.label != Label::Top && named && (!head.soft || self.has_frames_or_common());
        if self.is_over_at(&head) {
            return Step::Over(vec![line.kept()]);
        }
        if self.blocks.is_empty() || (!tied && !nested) {
            self.note_name_below(&head);
            return self.on_other(line);
        }
        if let Some(above) = self.leaves_for_another(None) {
            return Step::Begins(above);
        }
        self.note_lossy(line);
        self.close_gap();
        self.nested = false;
        let place = column(line, line.text.len() - self.view(&line.text).len() + head.at);
        // A circular reference of JDK 7 has no label and is indented like a frame.
        let unlabelled = head.circular && self.view(&line.text).trim_start().starts_with('[');
        let indent = if unlabelled { self.last_block().indent } else { indent };
        if self.blocks.len() < MAX_BLOCKS {
            self.blocks.push(Open::new(block(head, indent, place)));
        } else {
            self.too_large("exceptions", MAX_BLOCKS, place);
        }
        Step::Taken
    }

    /// A paragraph after a cause without frames that begins with an exception: another trace.
    fn is_over_at(&self, head: &Head) -> bool {
        let cause = self.blocks.last().filter(|open| open.block.label != Label::Top && self.frames > 0);
        let after_blank = |open: &Open| open.more_message.last().is_some_and(|line| line.trim().is_empty());
        head.sure && head.label == Label::Top && !self.has_frames_or_common() && cause.is_some_and(after_blank)
    }

    fn on_other(&mut self, line: &Line<'_>) -> Step {
        if self.blocks.is_empty() || (self.cell && !self.has_frames() && self.is_cell_closed()) {
            return Step::Over(vec![line.kept()]);
        }
        if self.shape.as_ref().is_some_and(|s| s.is_other_field(&line.text)) {
            return Step::Taken;
        }
        let foreign = self.shape.as_ref().is_some_and(|s| s.strip(&line.text).is_none());
        let text = self.view(&line.text);
        if !self.has_frames_or_common() && !foreign && !prefix::begins_record(text) {
            let text = clipped(text.trim_end()).to_owned();
            let open = self.last_open();
            open.more_message.push(text);
            if open.more_message.len() <= MAX_MESSAGE_LINES {
                return Step::Taken;
            }
            return Step::Over(vec![]);
        }
        self.gap.push(line.kept());
        let over =
            self.gap.len() > MAX_GAP && (self.gap.len() > MAX_GAP_WITH_BLANKS || self.texts_of_gap().count() > MAX_GAP);
        if over { Step::Over(std::mem::take(&mut self.gap)) } else { Step::Taken }
    }

    /// clojure.stacktrace writes `at` only before the first frame and sets the others below its name.
    fn is_below_first(&self, lead: Option<Lead>) -> bool {
        let first = self.blocks.last().and_then(|open| open.lead);
        self.gap.is_empty() && first.zip(lead).is_some_and(|(first, lead)| lead.is_deeper(first, "at ".len()))
    }

    /// A text that begins in the middle of a frame: what is left of it looks like a frame without `at`.
    fn forget_rest_of_frame(&mut self) {
        let Some(open) = self.blocks.first_mut().filter(|open| open.block.class.is_empty() && open.bare) else {
            return;
        };
        if open.block.frames.len() == 1 && self.frames == 1 && !self.dump {
            let text = open.block.frames.remove(0).to_string();
            open.hashes.clear();
            self.frames = 0;
            self.problems.push(Problem { place: self.place, kind: ProblemKind::UnreadableFrame { text } });
        }
    }

    fn is_cell_closed(&self) -> bool {
        self.blocks.last().and_then(|open| open.block.message.as_deref()).is_some_and(cell::closes)
    }

    /// The second frame was met: if the line ends are doubled, what was taken so far is taken again without the blank lines.
    fn look_at_spacing(&mut self) {
        let of_gap = spacing::alternates(self.gap.iter().map(|line| self.view(&line.text)));
        let first = self.last_open();
        let of_message = spacing::alternates(first.more_message.iter().map(String::as_str));
        if !of_gap || !(of_message || first.block.class.is_empty()) {
            return;
        }
        if of_message {
            first.more_message = spacing::halved(std::mem::take(&mut first.more_message));
        }
        self.spacing.double();
        for line in spacing::halved(std::mem::take(&mut self.gap)) {
            let text = self.view(&line.text);
            let (kind, indent) = classify(text);
            match kind {
                Kind::Head(head) => drop(self.on_head(&line, head, indent)),
                _ => drop(self.on_other(&line)),
            }
        }
    }

    /// Do the lines since the last frame show that what follows, a label or a frame (which may be a bare one), is another trace? Then
    /// they are handed out.
    fn leaves_for_another(&mut self, frame: Option<bool>) -> Option<Vec<Line<'static>>> {
        // Nothing follows `... n more` but another exception.
        if frame.is_some() && self.blocks.last().is_some_and(|open| open.block.common > 0) {
            return Some(std::mem::take(&mut self.gap));
        }
        if self.gap.is_empty() || !self.has_frames_or_common() {
            return None;
        }
        let found = start::find(&self.gap, self.shape.as_deref());
        let another = match found {
            // A message may be a list of exceptions.
            Some(Start::Exception { index, inline: true, .. }) if is_list_item(self.view(&self.gap[index].text)) => {
                false
            }
            Some(Start::Exception { head, .. }) => head.label == Label::Top && !self.nested,
            Some(Start::Thread { .. }) => true,
            None => {
                let ends = self.ends_at_bottom() || (frame == Some(false) && self.last_open().bare);
                frame.is_some() && ends && !self.only_blank_gap() && !self.has_caption_in_gap()
            }
        };
        another.then(|| std::mem::take(&mut self.gap))
    }

    /// The lines since the last frame are no part of the trace: forgets them, and says so.
    fn close_gap(&mut self) {
        if self.gap.is_empty() {
            return;
        }
        if !self.only_blank_gap() {
            let lines = self.gap.iter().filter(|l| !l.text.trim().is_empty()).count();
            let place = self.gap[0].place;
            self.problems.push(Problem { place, kind: ProblemKind::Interleaved { lines } });
        }
        self.gap.clear();
    }

    /// Tries to put a line that was cut together with the next one.
    fn join(&mut self, cut: Cut, next: &str) -> Option<Step> {
        let next = next.trim();
        // Quoted-printable mail ends a line that goes on so.
        let mut cut = cut;
        if let Some(text) = cut.text.strip_suffix('=') {
            cut.text.truncate(text.len());
            self.quoted_printable = true;
        }
        for joint in ["", " "] {
            let whole = format!("{}{joint}{next}", cut.text);
            match classify(&whole) {
                (Kind::Frame(frame), _) if !frame.bare => {
                    let step = self.on_frame(&cut.line, frame);
                    return Some(self.joined(step, cut.line));
                }
                (Kind::Head(head), indent) if !head.class.is_empty() && joint == " " => {
                    let step = self.on_head(&cut.line, head, indent);
                    return Some(self.joined(step, cut.line));
                }
                (Kind::Common(n), _) if !self.blocks.is_empty() => {
                    self.wrapped += 1;
                    self.last_block().common = n;
                    return Some(Step::Taken);
                }
                _ => {}
            }
        }
        let whole =
            if cut.text.trim() == "at" { format!("{} {next}", cut.text) } else { format!("{}{next}", cut.text) };
        if cut.pieces < MAX_PIECES && frame::is_cut(&whole) && !next.is_empty() && !frame::is_cut(next) {
            self.cut = Some(Cut { text: whole, line: cut.line, pieces: cut.pieces + 1 });
            return Some(Step::Taken);
        }
        if !self.gap.is_empty() {
            // Among lines of something else it is one of them.
            self.gap.push(cut.line);
        } else if self.blocks.is_empty() || self.has_frames_or_common() {
            self.unreadable(&cut);
        } else {
            // `at com.acme.Foo` of a message that tells where in a model something is wrong.
            self.last_open().more_message.push(cut.text);
        }
        None
    }

    /// What became of a line that was put together. If it begins another trace, its first piece goes there too.
    fn joined(&mut self, step: Step, first: Line<'static>) -> Step {
        match step {
            Step::Begins(mut above) => {
                above.push(first);
                Step::Begins(above)
            }
            step => {
                self.wrapped += 1;
                step
            }
        }
    }

    fn unreadable(&mut self, cut: &Cut) {
        if self.has_frames() && !cut.text.trim().starts_with("...") {
            let text = shorten(cut.text.trim());
            self.problems.push(Problem { place: cut.line.place, kind: ProblemKind::UnreadableFrame { text } });
        }
    }

    fn too_large(&mut self, what: &'static str, limit: usize, place: Place) {
        let kind = ProblemKind::TraceTooLarge { what, limit };
        if !self.problems.iter().any(|p| p.kind == kind) {
            self.problems.push(Problem { place, kind });
        }
    }

    fn note_lossy(&mut self, line: &Line<'_>) {
        if line.lossy && !self.problems.iter().any(|p| p.kind == ProblemKind::InvalidUtf8) {
            self.problems.push(Problem { place: line.place, kind: ProblemKind::InvalidUtf8 });
        }
    }

    fn view<'a>(&self, text: &'a str) -> &'a str {
        strip(text, self.shape.as_deref())
    }

    /// The lines of the gap that are not blank.
    fn texts_of_gap(&self) -> impl Iterator<Item = &str> {
        self.gap.iter().map(|line| self.view(&line.text)).filter(|text| !text.trim().is_empty())
    }

    fn only_blank_gap(&self) -> bool {
        self.texts_of_gap().next().is_none()
    }

    fn ends_at_bottom(&self) -> bool {
        let last = self.blocks.last();
        last.is_some_and(|open| {
            open.block.common == 0 && open.block.frames.last().is_some_and(|last| names::is_bottom(last))
        })
    }

    fn has_frames(&self) -> bool {
        self.blocks.last().is_some_and(|open| !open.block.frames.is_empty())
    }

    fn has_frames_or_common(&self) -> bool {
        self.blocks.last().is_some_and(|open| !open.block.frames.is_empty() || open.block.common > 0)
    }

    /// `... n more` may stand right below a head that has a label: all frames are common.
    fn has_frames_or_label(&self) -> bool {
        self.has_frames() || self.blocks.last().is_some_and(|open| open.block.label != Label::Top)
    }

    fn last_block(&mut self) -> &mut Block {
        &mut self.last_open().block
    }

    fn last_open(&mut self) -> &mut Open {
        self.blocks.last_mut().expect("lines are taken only after a block was opened")
    }
}

/// The prefix of the stream, as the first frame shows it. For the second piece of a wrapped frame the line above counts.
fn shape_of(anchor: &Line<'_>, above: Option<&Line<'_>>, lines: &mut Lines) -> Option<Shape> {
    if let (Kind::Frame(spotted), _) = lines.classify(&anchor.text, false) {
        return Shape::of(&anchor.text[..spotted.prefix]);
    }
    if let Some(found) = frame::find(&anchor.text) {
        return Shape::of(found.prefix);
    }
    let cut = |line: &Line<'_>| {
        frame::at_words(&line.text).next().or_else(|| frame::at_end(&line.text)).map(|at| line.text[..at].to_owned())
    };
    cut(anchor).or_else(|| above.and_then(cut)).and_then(|prefix| Shape::of(&prefix))
}

fn block(head: Head, indent: usize, place: Place) -> Block {
    Block {
        label: head.label,
        indent,
        class: head.class,
        message: head.message.map(|message| clipped(&message).to_owned()),
        frames: Vec::new(),
        common: 0,
        circular: head.circular,
        place,
    }
}

fn nameless(place: Place) -> Block {
    Block {
        label: Label::Top,
        indent: 0,
        class: String::new(),
        message: None,
        frames: Vec::new(),
        common: 0,
        circular: false,
        place,
    }
}

fn indent_of(text: &str) -> usize {
    classify(text).1
}

/// `2) Error in ..`.
fn is_list_item(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(") ")
}

/// The place of a byte of the line, if the line is one of the file.
fn column(line: &Line<'_>, byte: usize) -> Place {
    if line.decoded {
        return line.place;
    }
    let before = line.text.get(..byte).unwrap_or("");
    Place {
        line: line.place.line,
        column: line.place.column + u32::try_from(before.chars().count()).unwrap_or(u32::MAX / 2),
        offset: line.place.offset + before.len() as u64,
    }
}

/// Android writes the thread a line or two above the exception.
fn android_thread(above: &[Line<'_>]) -> Option<String> {
    above.iter().rev().take(3).find_map(|line| {
        let (_, name) = line.text.split_once("FATAL EXCEPTION: ")?;
        Some(name.trim().to_owned())
    })
}

/// Logback prints `: null` where there is no message; it is told by the jars that it notes.
fn forget_null_messages(blocks: &mut [Block]) {
    if blocks.iter().any(|block| block.frames.iter().any(|f| f.jar.is_some())) {
        for block in blocks.iter_mut().filter(|block| block.message.as_deref() == Some("null")) {
            block.message = None;
        }
    }
}

fn shorten(text: &str) -> String {
    const MAX: usize = 120;
    if text.chars().count() <= MAX {
        return text.to_owned();
    }
    text.chars().take(MAX).chain("..".chars()).collect()
}
