//! Finds, fast, the lines of a log that may have a frame or JSON with a stack in it.
//!
//! Nearly every line of a log is of no trace. A frame has a parenthesis behind a dotted name; an event has one of a few
//! keys. Everything else is skipped at the speed of `memchr`. A hit is only a reason to look: it may be nothing, but
//! no frame that [`super::frame`] reads without help of a decoder for HTML tags is missed.

use memchr::{memchr, memchr_iter, memmem, memrchr};

/// Keys of JSON objects with a list of frames, and a head that is worth a look without any.
const KEYS: [&str; 4] = ["\"frames\"", "tackTrace\"", "tacktrace\"", "Exception in thread \""];

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    /// A line that may have a frame.
    Frame,
    /// A line with a key of an event.
    Json,
    /// A line that names an uncaught exception.
    Head,
}

#[derive(Debug)]
pub(crate) struct Anchors {
    keys: [memmem::Finder<'static>; KEYS.len()],
    /// For each key the offset in the input of its next occurrence, known up to `known_to`.
    next: [Option<u64>; KEYS.len()],
    known_to: [u64; KEYS.len()],
}

impl Anchors {
    pub(crate) fn new() -> Anchors {
        Anchors { keys: KEYS.map(memmem::Finder::new), next: [None; KEYS.len()], known_to: [0; KEYS.len()] }
    }

    /// The first hit in `text`, whose first byte is at `offset` of the input. The text ends with whole lines.
    pub(crate) fn find(&mut self, text: &[u8], offset: u64) -> Option<(usize, Hit)> {
        let key = (0..KEYS.len()).filter_map(|k| Some((self.next_key(k, text, offset)?, k))).min();
        let end = key.map_or(text.len(), |(at, _)| at);
        match frame(text, end) {
            Some(at) => Some((at, Hit::Frame)),
            None => key.map(|(at, k)| (at, if k == KEYS.len() - 1 { Hit::Head } else { Hit::Json })),
        }
    }

    /// Where the key is next; what was searched already is not searched again.
    fn next_key(&mut self, key: usize, text: &[u8], offset: u64) -> Option<usize> {
        let end = offset + text.len() as u64;
        if let Some(at) = self.next[key].filter(|&at| at >= offset) {
            return (at < end).then(|| (at - offset) as usize);
        }
        // A key may lie across the border of what was known before; lines do not, and keys are inside of lines.
        let from = self.known_to[key].clamp(offset, end);
        let found = self.keys[key].find(&text[(from - offset) as usize..]).map(|i| from + i as u64);
        self.next[key] = found;
        self.known_to[key] = found.map_or(end, |at| at + 1);
        found.map(|at| (at - offset) as usize)
    }
}

/// The first parenthesis, before `end`, that may be one of a frame.
fn frame(text: &[u8], end: usize) -> Option<usize> {
    memchr_iter(b'(', &text[..end]).find(|&open| may_be_frame(text, open))
}

fn may_be_frame(text: &[u8], open: usize) -> bool {
    // A name is at most 64 KiB long, but none that a person wrote is longer than this.
    const LONGEST: usize = 1024;
    let floor = open.saturating_sub(LONGEST);
    let before = &text[floor..open];
    let name = before
        .iter()
        .rposition(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'(' | b',' | b'='))
        .map_or(0, |i| i + 1);
    let token = &before[name..];
    if memchr(b'.', token).is_some() {
        let gap = before[..name].trim_ascii_end();
        if gap.ends_with(b"at") || token.starts_with(b"at&") || memmem::find(token, b";at&").is_some() {
            return true;
        }
    }
    let line = floor + memrchr(b'\n', before).map_or(0, |i| i + 1);
    let start = &text[line..open];
    let start = &start
        [start.iter().position(|b| !b.is_ascii_whitespace() && !b">|*-`\"'#".contains(b)).unwrap_or(start.len())..];
    // `at` with a method that has blanks; a frame without `at`; a location that was wrapped into its own line.
    start.starts_with(b"at ")
        || (start.is_empty() || (memchr(b'.', start).is_some() && !start.iter().any(u8::is_ascii_whitespace)))
            && ends_like_location(&text[open..])
}

/// `:12)`, `Method)`, `Source)` within the line.
fn ends_like_location(text: &[u8]) -> bool {
    let line = &text[..memchr(b'\n', text).unwrap_or(text.len()).min(512)];
    memchr(b')', line).is_some_and(|close| {
        let inner = &line[..close];
        inner.ends_with(b"Method") || inner.ends_with(b"Source") || inner.last().is_some_and(u8::is_ascii_digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_and_misses() {
        for line in [
            "\tat a.B.c(B.java:1)",
            "at a.B.does a thing(B.kt:1)",
            "x: \\n\\tat a.B.c(B.java:1)",
            "#012#011at a.B.c(B.java:1)",
            "&nbsp;at&nbsp;a.B.c(B.java:1)",
            "   java.base/a.B.c(Native Method)",
            "> (Foo.java:12)",
            "at a.B.c(B.",
            "at a.B.&lt;init&gt;(B.java:1)",
        ] {
            let text = format!("nothing here (really)\n{line}\n");
            assert_eq!(Anchors::new().find(text.as_bytes(), 0).map(|(_, hit)| hit), Some(Hit::Frame), "{line}");
        }
        for line in ["GET /a.b (200)", "foo.bar(baz) called", "took 5 ms (avg 3.2)", "it is at (3, 4)"] {
            assert_eq!(Anchors::new().find(format!("{line}\n").as_bytes(), 0), None, "{line}");
        }
    }

    #[test]
    fn keys_are_found_again_after_skipping() {
        let text = b"a\n{\"frames\":1}\nb\n{\"frames\":2}\n";
        let mut anchors = Anchors::new();
        assert_eq!(anchors.find(text, 100), Some((3, Hit::Json)));
        assert_eq!(anchors.find(&text[15..], 115), Some((3, Hit::Json)));
        assert_eq!(anchors.find(&text[20..], 120), None);
    }
}
