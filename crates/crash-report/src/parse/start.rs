//! Where a trace begins: given the lines above a frame, which of them names the exception?
//!
//! Input is the lines since the last trace, none of which is a frame. A logger's record (a line with a time or a level)
//! bounds the search: what is above it belongs to something else. Within a record the head is the line that begins
//! with an exception; of several such lines close together the first, since messages quote exceptions more often
//! than lone exceptions stand right above a trace.

use super::cell;
use super::classify::{self, Line};
use super::head::{self, Head, Label};
use super::prefix::{self, Shape};

/// Lines of a message that may stand between two heads that are taken for one message.
const CLOSE: usize = 3;

#[derive(Debug)]
pub(crate) enum Start {
    /// The line with this index names the exception. `inline`: the exception stands somewhere inside of it.
    Exception { index: usize, head: Head, inline: bool },
    /// The line with this index begins the stack of a thread.
    Thread { index: usize, name: String },
}

impl Start {
    pub(crate) fn index(&self) -> usize {
        match self {
            Start::Exception { index, .. } | Start::Thread { index, .. } => *index,
        }
    }
}

/// Records of other threads that may stand between a head and its first frame.
pub(crate) const RECORDS_BETWEEN: usize = 3;

/// The line that the trace below `lines` begins with.
pub(crate) fn find(lines: &[Line<'_>], shape: Option<&Shape>) -> Option<Start> {
    let mut lines = lines;
    for _ in 0..=RECORDS_BETWEEN {
        let (found, record) = find_in_record(lines, shape);
        match (found, record) {
            (Some(start), _) => return Some(start),
            // A record that names no exception was written in between, unless it is a paragraph of its own.
            (None, Some(record)) if lines.len() - record <= 2 => lines = &lines[..record],
            (None, _) => return None,
        }
    }
    None
}

/// Looks for the head in the last record of `lines`; gives the index of the line that begins the record.
fn find_in_record(lines: &[Line<'_>], shape: Option<&Shape>) -> (Option<Start>, Option<usize>) {
    let text = |i: usize| strip(&lines[i].text, shape);
    let border = (0..lines.len()).rev().find(|&i| is_border(text(i)));
    let record = border.filter(|&i| !classify::is_fence(text(i).trim()));
    let first = border.map_or(0, |i| i + 1);
    let of_line = |i: usize| head::read(text(i)).or_else(|| cell::head(text(i)));
    let heads: Vec<(usize, Head)> = (first..lines.len()).filter_map(|i| Some((i, of_line(i)?))).collect();
    let thread = (first..lines.len()).rev().find_map(|i| Some((i, classify::thread_of_dump(text(i).trim())?)));
    if let Some((index, name)) = thread
        && heads.iter().all(|(i, head)| *i < index || !head.sure)
    {
        return (Some(Start::Thread { index, name: name.to_owned() }), record);
    }
    let of_record = || {
        let index = record?;
        let head = head::read(text(index)).filter(|h| h.sure).or_else(|| anywhere(text(index)))?;
        Some(Start::Exception { index, head, inline: true })
    };
    let start = match among(&heads, |i| text(i).trim().is_empty()) {
        // A label needs something to be tied to, if there is anything.
        Some((index, head)) if head.label != Label::Top => {
            let above = index.checked_sub(1).filter(|&i| i >= first).and_then(|i| named(&heads, i));
            let above = above.map(|head| Start::Exception { index: index - 1, head, inline: false });
            above.or_else(of_record).or(Some(Start::Exception { index, head, inline: false }))
        }
        Some((index, head)) => Some(Start::Exception { index, head, inline: false }),
        None => of_record().or_else(|| weak(first, lines.len(), &heads, text)),
    };
    (start, record)
}

/// The line without the prefix of this shape.
pub(crate) fn strip<'a>(line: &'a str, shape: Option<&Shape>) -> &'a str {
    shape.and_then(|s| s.strip(line)).unwrap_or(line)
}

fn is_border(text: &str) -> bool {
    prefix::begins_record(text) || classify::is_fence(text.trim())
}

/// The sure head that the trace begins with: the last one, or an earlier one that it is tied to.
fn among(heads: &[(usize, Head)], blank: impl Fn(usize) -> bool) -> Option<(usize, Head)> {
    let mut sure = heads.iter().filter(|(_, h)| h.sure).rev();
    let last = sure.next()?;
    let (mut index, mut head) = (last.0, &last.1);
    for (above, candidate) in sure {
        let tied = head.label != Label::Top;
        let close = index - above <= CLOSE && !(*above..index).any(&blank);
        if head.first || !(tied || close) {
            break;
        }
        (index, head) = (*above, candidate);
    }
    Some((index, head.clone()))
}

/// No line is sure: a qualified name close above the frames or at the top, then an exception inside the last line.
fn weak<'a>(first: usize, end: usize, heads: &[(usize, Head)], text: impl Fn(usize) -> &'a str) -> Option<Start> {
    let last = (first..end).rev().find(|&i| !text(i).trim().is_empty())?;
    let near = first.max((last + 1).saturating_sub(CLOSE));
    for index in (near..=last).rev().chain([first]) {
        if let Some(head) = named(heads, index) {
            return Some(Start::Exception { index, head, inline: false });
        }
    }
    if let Some(head) = anywhere(text(last)) {
        return Some(Start::Exception { index: last, head, inline: true });
    }
    let traceback = || (first..=last).rev().find_map(|index| Some((index, head::traceback(text(index))?)));
    let (index, head) = head::worded(text(last)).map(|head| (last, head)).or_else(traceback)?;
    Some(Start::Exception { index, head, inline: false })
}

/// An exception anywhere in the line, rather one with its package.
fn anywhere(line: &str) -> Option<Head> {
    head::embedded(line).or_else(|| head::embedded_simple(line))
}

/// The head of this line, if it names a class.
fn named(heads: &[(usize, Head)], index: usize) -> Option<Head> {
    heads.iter().find(|(i, head)| *i == index && !head.class.is_empty()).map(|(_, head)| head.clone())
}
