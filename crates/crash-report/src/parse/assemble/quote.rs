//! Messages that quote frames: those of remote exceptions, of Spark's driver, of Guice, of Jython.
//!
//! What was taken for the stack of an exception turns out to be of its message when the exception's own stack follows. Here is told
//! when that is so, and the frames go to where they belong.

use super::{Draft, Lead, Line, Problem, ProblemKind, is_stack_caption, prefix};
use crate::parse::head::{self, Head, Label, TRACEBACK};
use crate::parse::open::Open;

impl Draft {
    /// A whole stack, a blank line or a caption, then the exception's own stack: the message of a remote exception quotes
    /// the stack of the other side.
    pub(super) fn quotes_what_is_above(&self) -> bool {
        !self.gap.is_empty() && ((self.only_blank_gap() && self.ends_at_bottom()) || self.has_caption_in_gap())
    }

    /// The message tells places (Guice does), and the stack comes after it: a paragraph, then frames with another indentation.
    /// Where all indentation is the same, the message goes over several lines before the first place, a text is tied to it, and a
    /// blank line sets the stack apart.
    pub(super) fn begins_anew(&self, lead: Option<Lead>) -> bool {
        let Some(open) = self.blocks.last() else { return false };
        if self.gap.is_empty() || self.only_blank_gap() {
            return false;
        }
        let is_blank = |line: &Line<'_>| self.view(&line.text).trim().is_empty();
        let other = open.lead.zip(lead).is_some_and(|(first, own)| first.byte != own.byte);
        let paragraph = |gap: &[Line<'_>]| {
            gap.last().is_some_and(is_blank)
                && !gap.first().is_some_and(is_blank)
                && !gap.iter().any(|line| prefix::begins_record(self.view(&line.text)))
        };
        if other { self.gap.iter().any(is_blank) } else { !open.more_message.is_empty() && paragraph(&self.gap) }
    }

    /// The frames so far, and the lines after them, are of the message.
    pub(super) fn quote_frames(&mut self) {
        let place = self.gap[0].place;
        let gap: Vec<String> = self.gap.iter().map(|line| self.view(&line.text).trim_end().to_owned()).collect();
        let guest = self.named_below.take().is_some();
        let open = self.last_open();
        if (open.block.class.is_empty() && !guest) || open.block.common > 0 {
            return;
        }
        let quoted = std::mem::take(&mut open.block.frames);
        open.hashes.clear();
        let count = quoted.len();
        let lead = open.lead.map_or_else(String::new, Lead::text);
        open.more_message.extend(quoted.iter().map(|frame| format!("{lead}at {frame}")));
        open.more_message.extend(gap);
        self.problems.push(Problem { place, kind: ProblemKind::FramesInMessage { count } });
        self.gap.clear();
    }

    /// A caption after several exceptions: all of them are quoted, and the stack that follows is of the last one before them whose
    /// message names an exception.
    pub(super) fn quotes_several(&self) -> Option<usize> {
        if self.blocks.len() < 2 || !self.has_caption_in_gap() {
            return None;
        }
        let names_another =
            |open: &Open| open.block.message.as_deref().is_some_and(|text| head::embedded(text).is_some());
        let tied = self.blocks.iter().rposition(|open| open.block.label != Label::CausedBy).unwrap_or(0);
        (tied..self.blocks.len() - 1).rev().find(|&at| names_another(&self.blocks[at]))
    }

    /// Puts the exceptions after the one with this index into its message.
    pub(super) fn quote_blocks(&mut self, owner: usize) {
        let mut count = 0;
        let mut text = Vec::new();
        for open in self.blocks.drain(owner + 1..) {
            let message = open.block.message.map_or(String::new(), |message| format!(": {message}"));
            text.push(format!("Caused by: {}{message}", open.block.class));
            text.extend(open.more_message);
            text.extend(open.block.frames.iter().map(|frame| format!("\tat {frame}")));
            text.extend((open.block.common > 0).then(|| format!("\t... {} more", open.block.common)));
            count += open.block.frames.len();
        }
        let own = self.last_open();
        let quoted = std::mem::take(&mut own.block.frames);
        own.hashes.clear();
        count += quoted.len();
        own.more_message.extend(quoted.iter().map(|frame| format!("\tat {frame}")));
        own.more_message.extend(text);
        let place = self.gap[0].place;
        let gap: Vec<String> = self.gap.drain(..).map(|line| line.text.trim_end().to_owned()).collect();
        self.last_open().more_message.extend(gap);
        self.problems.push(Problem { place, kind: ProblemKind::FramesInMessage { count } });
    }

    /// Nothing but blank lines and one caption?
    pub(super) fn has_caption_in_gap(&self) -> bool {
        let mut lines = self.texts_of_gap();
        lines.next().is_some_and(is_stack_caption) && lines.next().is_none()
    }

    /// Jython: frames of Java below Python's traceback, then the exception, its name twice. Takes note of the name.
    pub(super) fn note_name_below(&mut self, head: &Head) {
        let is_traceback = |open: &Open| {
            let block = &open.block;
            block.class.is_empty() && block.message.as_deref().is_some_and(|text| text.starts_with(TRACEBACK))
        };
        if self.blocks.len() != 1 || !self.only_blank_gap() || !self.has_frames() || !is_traceback(&self.blocks[0]) {
            return;
        }
        let again = head.message.as_deref().and_then(|text| text.strip_prefix(&head.class));
        if let Some(rest) = again.filter(|_| head.sure) {
            let message = rest.strip_prefix(": ").map(str::to_owned);
            self.named_below = Some((head.class.clone(), message));
        }
    }

    /// Frames after a traceback and the name below it: those of the exception whose message all of this is.
    pub(super) fn quotes_traceback(&self) -> bool {
        self.named_below.is_some() && self.blocks.len() == 1 && !self.gap.is_empty()
    }

    /// Gives a traceback the name that stands below it, if nothing followed.
    pub(super) fn take_name_below(&mut self) {
        if let (Some((class, message)), Some(open)) = (self.named_below.take(), self.blocks.first_mut()) {
            open.more_message.clear();
            (open.block.class, open.block.message) = (class, message);
        }
    }
}
