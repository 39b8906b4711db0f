//! What a line is, taken alone: a frame, a head, `... n more`, a note of a thread dump, or nothing of a trace.
//!
//! Input is one line whose prefix is stripped already (see [`super::prefix`]). The answer is about the line only;
//! [`super::assemble`] decides from the lines around whether it belongs to a trace.

use std::borrow::Cow;
use std::rc::Rc;

use xxhash_rust::xxh3::xxh3_128;

use super::frame;
use super::head::{self, Head};
use super::prefix;
use crate::report::{Frame, Place};

/// A line of the decoded text with the place it came from.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    /// Borrowed as long as it is what the file has.
    pub(crate) text: Cow<'a, str>,
    pub(crate) place: Place,
    /// Some bytes were not UTF-8.
    pub(crate) lossy: bool,
    /// The text is not as the file has it, so columns mean nothing.
    pub(crate) decoded: bool,
}

impl Line<'_> {
    /// A copy to keep. What is longer than anyone reads is cut off.
    pub(crate) fn kept(&self) -> Line<'static> {
        let Line { place, lossy, decoded, .. } = *self;
        Line { text: Cow::Owned(clipped(&self.text).to_owned()), place, lossy, decoded }
    }
}

/// The beginning of a text, as much as a message or a head may have.
pub(crate) fn clipped(text: &str) -> &str {
    const LONGEST: usize = 16 << 10;
    &text[..text.floor_char_boundary(LONGEST)]
}

/// A frame as a line has it.
#[derive(Debug, Clone)]
pub(crate) struct Spotted {
    /// Shared, since a log has the same line many times.
    pub(crate) frame: Rc<Frame>,
    /// The length of what stands before it.
    pub(crate) prefix: usize,
    pub(crate) bare: bool,
    pub(crate) skipped: usize,
    /// The hash of the line.
    pub(crate) hash: u128,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Frame(Spotted),
    /// A frame or a label that goes on in the next line.
    Cut,
    Head(Head),
    /// `... n more`: these frames are those of the enclosing trace.
    Common(usize),
    /// `... n frames excluded`: these frames are lost.
    Elided(usize),
    /// The exception that follows is the cause of the one above (`--- Nested Exception ---`).
    Nested,
    /// Lines of a thread dump and marks in a trace that say nothing about the stack.
    Note,
    /// The border of a code block: no trace goes across it.
    Fence,
    Blank,
    Other,
}

/// What the line is, and the width of its indentation.
pub(crate) fn classify(text: &str) -> (Kind, usize) {
    let trimmed = text.trim();
    let indent = width(&text[..text.len() - text.trim_start().len()]);
    if trimmed.is_empty() {
        return (Kind::Blank, 0);
    }
    if let Some(found) = frame::find(text)
        && prefix::may_precede_frame(found.prefix)
    {
        let indent = width(&found.prefix[found.prefix.trim_end().len()..]);
        let spotted = Spotted {
            frame: Rc::new(found.frame),
            prefix: found.prefix.len(),
            bare: found.bare,
            skipped: found.skipped,
            hash: xxh3_128(text.as_bytes()),
        };
        return (Kind::Frame(spotted), indent);
    }
    (of_rest(text, trimmed), indent)
}

/// Is this line a head, or another line that ties exceptions together?
fn of_rest(text: &str, trimmed: &str) -> Kind {
    // Nothing below begins so, but nearly every record of a log does.
    if trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        return Kind::Other;
    }
    if is_fence(trimmed) {
        return Kind::Fence;
    }
    if let Some(kind) = omitted(trimmed.trim_start_matches(['>', '|', '*', '`', ' ', '\t'])) {
        return kind;
    }
    if thread_of_dump(trimmed).is_some() {
        return Kind::Other;
    }
    if is_note(trimmed) {
        return Kind::Note;
    }
    if frame::is_cut(text) || head::is_label_alone(text) {
        return Kind::Cut;
    }
    if is_nested_mark(trimmed) {
        return Kind::Nested;
    }
    head::read(text).map_or(Kind::Other, Kind::Head)
}

/// `... 12 more`, `... 12 common frames omitted`, `... 5 frames excluded`, `... suppressed 3 lines`.
fn omitted(text: &str) -> Option<Kind> {
    let rest = text.strip_prefix("...").or_else(|| text.strip_prefix('…'))?.trim();
    let mut words = rest.split_whitespace();
    let count = words.find_map(|w| w.parse::<usize>().ok());
    match (count, rest) {
        (None, "" | "more") => Some(Kind::Note),
        (None, _) => None,
        (Some(n), _) if rest.contains("more") || rest.contains("common") => Some(Kind::Common(n)),
        (Some(n), _) if ["frame", "line", "skipped", "omitted"].iter().any(|w| rest.contains(w)) => {
            Some(Kind::Elided(n))
        }
        (Some(_), _) => (words.next().is_none() && rest.len() < 8).then_some(Kind::Cut),
    }
}

pub(crate) fn is_fence(trimmed: &str) -> bool {
    let trimmed = trimmed.trim_start_matches(['>', ' ']);
    ["```", "~~~", "{code", "{noformat", "{quote"].iter().any(|mark| trimmed.starts_with(mark))
}

/// `"main" #1 prio=5 os_prio=0 tid=0x.. nid=0x.. runnable`, `"main" Id=1 RUNNABLE`, `"Thread-1":`, `#22 "worker" virtual`.
pub(crate) fn thread_of_dump(text: &str) -> Option<&str> {
    let numbered = text.strip_prefix('#').and_then(|t| t.split_once(' ')).filter(|(n, _)| is_number(n));
    let quoted = numbered.map_or(text, |(_, rest)| rest).strip_prefix('"')?;
    let (name, rest) = quoted.rsplit_once('"')?;
    let rest = rest.trim_end();
    let described = [" #", " prio=", " daemon", " Id=", " tid=", " virtual", " os_prio=", " J9VMThread"]
        .iter()
        .any(|word| rest.starts_with(word));
    (described || rest == ":" || (numbered.is_some() && rest.is_empty())).then_some(name)
}

/// Lines between the frames of a thread dump.
fn is_note(text: &str) -> bool {
    let lock = text.strip_prefix("- ").is_some_and(|rest| {
        ["locked ", "waiting ", "parking ", "eliminated ", "blocked ", "None", "<0x"]
            .iter()
            .any(|w| rest.starts_with(w))
    });
    lock || text.starts_with("java.lang.Thread.State:")
        || text == "Locked ownable synchronizers:"
        || matches!(text, "[snip]" | "<snip>" | "[...]" | "(...)" | "(Coroutine boundary)")
        || frame::folded(text).is_some()
}

/// Lines that older libraries print between an exception and its cause. Those that end a message
/// (`nested exception is:`) count only where they stand alone.
fn is_nested_mark(text: &str) -> bool {
    if text.len() > 64 {
        return false;
    }
    let bare = text.trim_matches(['-', '=', '*', ' ', ':', '[', ']']).to_ascii_lowercase();
    matches!(
        bare.as_str(),
        "nested exception"
            | "wrapped exception"
            | "root cause"
            | "with linked exception"
            | "linked exception"
            | "nested exception is"
            | "embedded exception"
    )
}

/// `Driver stacktrace:`: the stack that follows is the exception's own, what stands above is quoted.
pub(crate) fn is_stack_caption(text: &str) -> bool {
    let text = text.trim();
    text.len() <= 40 && ends_with_stack_caption(text)
}

/// The same at the end of a text.
pub(crate) fn ends_with_stack_caption(text: &str) -> bool {
    let text = text.trim_end();
    let ends_with = |caption: &str| {
        let tail = text.len().checked_sub(caption.len()).and_then(|at| text.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(caption))
    };
    ends_with("stacktrace:") || ends_with("stack trace:")
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn width(space: &str) -> usize {
    space.chars().map(width_of).sum()
}

/// A tab counts as four: only whether one line is deeper than another matters.
pub(crate) fn width_of(space: char) -> usize {
    if space == '\t' { 4 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn omitted_frames() {
        assert!(matches!(omitted("... 12 more"), Some(Kind::Common(12))));
        assert!(matches!(omitted("... 7 common frames omitted"), Some(Kind::Common(7))));
        assert!(matches!(omitted("... 5 frames excluded"), Some(Kind::Elided(5))));
        assert!(matches!(omitted("... suppressed 3 lines"), Some(Kind::Elided(3))));
        assert!(matches!(omitted("..."), Some(Kind::Note)));
        assert!(matches!(omitted("... 12"), Some(Kind::Cut)));
        assert!(omitted("... and so on").is_none());
    }

    #[test]
    fn threads_of_dumps() {
        for (line, name) in [
            ("\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable [0x3]", "main"),
            ("\"main\" Id=1 RUNNABLE", "main"),
            ("\"Thread-1\":", "Thread-1"),
            ("#22 \"worker\" virtual", "worker"),
        ] {
            assert_eq!(thread_of_dump(line), Some(name));
        }
        assert_eq!(thread_of_dump("\"quoted\" text"), None);
    }
}
