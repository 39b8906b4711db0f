//! One exception of a trace while its lines are taken: its message over several lines, and what its frames look like.

use std::rc::Rc;

use super::classify::{ends_with_stack_caption, is_stack_caption, width_of};
use super::head::Label;
use super::tree::Block;
use crate::report::{Frame, Problem, ProblemKind};

/// A block that more lines may come to.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) block: Block,
    /// Lines after the head: the message goes on, if frames follow.
    pub(crate) more_message: Vec<String>,
    pub(crate) bare: bool,
    /// What the line of the first frame begins with.
    pub(crate) lead: Option<Lead>,
    /// Of the lines of the frames.
    pub(crate) hashes: Vec<u128>,
}

impl Open {
    pub(crate) fn new(block: Block) -> Open {
        Open { block, more_message: Vec::new(), bare: true, lead: None, hashes: Vec::new() }
    }

    /// The frame with its method. Clojure's `pst` leaves it out; of two lines with the same function the second one is the call of
    /// the first.
    pub(crate) fn called(&self, frame: Rc<Frame>) -> Rc<Frame> {
        let guessed = frame.method == "invokeStatic" && frame.file.as_deref().is_some_and(|file| file.contains(".clj"));
        let above = self.block.frames.last().filter(|above| guessed && self.bare && above.class == frame.class);
        match above {
            Some(above) if above.method == "invokeStatic" => {
                Rc::new(Frame { method: "invoke".to_owned(), ..(*frame).clone() })
            }
            _ => frame,
        }
    }

    /// Takes the indentation of the head from the other lines of the message, if all have it: the text is indented as a whole.
    /// What is suppressed is indented by itself, its message is not.
    fn indent_like_head(&mut self) {
        let width = self.block.indent;
        let indented = |line: &String| line.trim().is_empty() || leading(line, width).1 >= width;
        if self.block.label == Label::Suppressed || width == 0 || !self.more_message.iter().all(indented) {
            return;
        }
        for line in &mut self.more_message {
            line.drain(..leading(line, width).0);
        }
    }

    /// Joins the lines of the message. In a trace that has `wrapped` lines, the message has some too.
    pub(crate) fn close_message(&mut self, wrapped: bool, problems: &mut Vec<Problem>) {
        self.forget_command();
        while self.more_message.last().is_some_and(|line| line.trim().is_empty()) {
            self.more_message.pop();
        }
        self.indent_like_head();
        let more = std::mem::take(&mut self.more_message);
        if more.is_empty() || (self.block.class.is_empty() && self.block.message.is_none()) {
            return;
        }
        match &mut self.block.message {
            Some(message) => {
                let label = if self.block.label == Label::CausedBy { "Caused by: ".len() } else { 0 };
                let mut width = label + self.block.class.len() + ": ".len() + message.chars().count();
                for line in more {
                    message.push(if wrapped && was_wrapped(width, &line) { ' ' } else { '\n' });
                    message.push_str(&line);
                    width = line.chars().count();
                }
            }
            // `toString` prints nothing after the class if there is no message: these lines are somebody else's.
            None => {
                let lines = more.iter().filter(|l| !l.trim().is_empty()).count();
                problems.push(Problem { place: self.block.place, kind: ProblemKind::Interleaved { lines } });
            }
        }
    }
}

impl Open {
    /// PowerShell writes where a program was called below the first line of its errors.
    fn forget_command(&mut self) {
        let last = self.more_message.iter().position(|line| line.contains("+ FullyQualifiedErrorId :"));
        if let Some(last) = last.filter(|_| self.more_message.iter().any(|line| line.contains("+ CategoryInfo"))) {
            self.more_message.drain(..=last);
        }
    }
}

/// Reactor cuts an exception's stack to its first frame and prints the whole below an exception of its own that it suppresses.
pub(crate) fn restore_cut_stacks(blocks: &mut [Open]) {
    for index in 1..blocks.len() {
        let (before, rest) = blocks.split_at_mut(index);
        let whole = &rest[0];
        let is_caption = |line: &String| is_stack_caption(line);
        let caption = whole.more_message.iter().rev().find(|line| !line.trim().is_empty()).is_some_and(is_caption)
            // All line breaks are lost.
            || whole.block.message.as_deref().is_some_and(ends_with_stack_caption);
        if whole.block.label != Label::Suppressed || !caption {
            continue;
        }
        let indent = whole.block.indent;
        let is_around = |block: &Block| block.indent < indent || (indent == 0 && block.label != Label::Suppressed);
        let around = before.iter_mut().rev().find(|open| is_around(&open.block));
        if let Some(Open { block, .. }) = around
            && block.common == 0
            && begins_with(&whole.block.frames, &block.frames)
        {
            block.frames = whole.block.frames.clone();
        }
    }
}

/// How many bytes of blanks the line begins with, and their width, up to this width.
fn leading(line: &str, enough: usize) -> (usize, usize) {
    let mut found = (0, 0);
    for c in line.chars().take_while(|c| c.is_whitespace()) {
        if found.1 >= enough {
            break;
        }
        found = (found.0 + c.len_utf8(), found.1 + width_of(c));
    }
    found
}

/// Did a mail program break a line of this width before the next one? It does where the next word would not have fitted.
fn was_wrapped(width: usize, next: &str) -> bool {
    const SHORTEST: usize = 64;
    let word = next.split(' ').next().unwrap_or_default();
    !word.is_empty() && width + " ".len() + word.chars().count() > SHORTEST
}

/// Are these the first frames? What a logger says of their jars may differ.
fn begins_with(whole: &[Rc<Frame>], first: &[Rc<Frame>]) -> bool {
    let same = |a: &Frame, b: &Frame| (&a.class, &a.method, &a.file, a.line) == (&b.class, &b.method, &b.file, b.line);
    first.len() <= whole.len() && whole.iter().zip(first).all(|(a, b)| same(a, b))
}

/// What a line is indented with, as far as it is the same byte: a blank or a tab.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lead {
    pub(crate) byte: u8,
    count: u8,
}

impl Lead {
    /// Is this `more` columns deeper than another?
    pub(crate) fn is_deeper(self, other: Lead, more: usize) -> bool {
        self.byte == other.byte && usize::from(self.count) == usize::from(other.count) + more
    }

    pub(crate) fn text(self) -> String {
        char::from(self.byte).to_string().repeat(self.count.into())
    }
}

pub(crate) fn lead_of(text: &str) -> Option<Lead> {
    let byte = text.bytes().next().filter(u8::is_ascii_whitespace)?;
    let count = text.bytes().take(u8::MAX.into()).take_while(|&b| b == byte).count();
    Some(Lead { byte, count: count as u8 })
}
