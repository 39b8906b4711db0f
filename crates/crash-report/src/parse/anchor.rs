//! Finds, fast, the lines of a log that may have a frame or JSON with a stack in it.
//!
//! Nearly every line of a log is of no trace. A frame has a parenthesis behind a dotted name; an event has one of a few
//! keys. Everything else is skipped at the speed of `memchr`. A hit is only a reason to look: it may be nothing, but
//! no frame that [`super::frame`] reads without help of a decoder for HTML tags is missed.

use aho_corasick::AhoCorasick;
use memchr::{memchr, memchr_iter, memmem, memrchr};

/// Keys of objects with a list of frames, marks of other structures, and a head that is worth a look without any frame.
const KEYS: [(&str, Hit); 13] = [
    ("\"frames\"", Hit::Json),
    ("kTrace\"", Hit::Json),
    ("ktrace\"", Hit::Json),
    ("k_trace\"", Hit::Json),
    ("tack\"", Hit::Json),
    ("\"MESSAGE\":[", Hit::Json),
    ("<frame>", Hit::Structure),
    (":frame class=", Hit::Structure),
    ("TraceItem class=", Hit::Structure),
    (":trace", Hit::Structure),
    // A line break of an address, whose parentheses may be codes too.
    ("%0A", Hit::Frame),
    ("%0a", Hit::Frame),
    ("Exception in thread \"", Hit::Head),
];

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hit {
    /// A line that may have a frame.
    Frame,
    /// A line with a key of an event.
    Json,
    /// A line that may have the first frame of a structure that is not JSON.
    Structure,
    /// A line that names an uncaught exception.
    Head,
}

#[derive(Debug)]
pub(crate) struct Anchors {
    keys: AhoCorasick,
    /// The offset in the input of the next key, known up to `known_to`.
    next: Option<(u64, Hit)>,
    known_to: u64,
}

impl Anchors {
    pub(crate) fn new() -> Anchors {
        let keys = AhoCorasick::new(KEYS.map(|(key, _)| key)).expect("a few short keys make a small automaton");
        Anchors { keys, next: None, known_to: 0 }
    }

    /// The first hit in `text`, whose first byte is at `offset` of the input. The text ends with whole lines.
    pub(crate) fn find(&mut self, text: &[u8], offset: u64) -> Option<(usize, Hit)> {
        let key = self.next_key(text, offset);
        let end = key.map_or(text.len(), |(at, _)| at);
        frame(text, end).map(|at| (at, Hit::Frame)).or(key)
    }

    /// Where a key is next; what was searched already is not searched again.
    fn next_key(&mut self, text: &[u8], offset: u64) -> Option<(usize, Hit)> {
        let end = offset + text.len() as u64;
        if let Some((at, hit)) = self.next.filter(|(at, _)| *at >= offset) {
            return (at < end).then(|| ((at - offset) as usize, hit));
        }
        // A key may lie across the border of what was known before; lines do not, and keys are inside of lines.
        let from = self.known_to.clamp(offset, end);
        let found = self.keys.find(&text[(from - offset) as usize..]);
        self.next = found.map(|found| (from + found.start() as u64, KEYS[found.pattern().as_usize()].1));
        self.known_to = self.next.map_or(end, |(at, _)| at + 1);
        self.next.map(|(at, hit)| ((at - offset) as usize, hit))
    }
}

/// The first parenthesis, before `end`, that may be one of a frame.
fn frame(text: &[u8], end: usize) -> Option<usize> {
    memchr_iter(b'(', &text[..end]).find(|&open| may_be_frame(text, open))
}

/// `at` and a blank in HTML and in addresses.
const ESCAPED: [&[u8]; 3] = [b"at&", b"at%20", b"+at+"];

fn may_be_frame(text: &[u8], open: usize) -> bool {
    // A name is at most 64 KiB long, but none that a person wrote is longer than this.
    const LONGEST: usize = 1024;
    let floor = open.saturating_sub(LONGEST);
    let before = &text[floor..open];
    let name = before
        .iter()
        .rposition(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'(' | b',' | b'='))
        .map_or(0, |i| i + 1);
    let mut token = &before[name..];
    let mut name = name;
    // Maven and others set a blank before the location.
    if token.is_empty() && before.ends_with(b" ") {
        let end = before.len() - 1;
        name = before[..end].iter().rposition(u8::is_ascii_whitespace).map_or(0, |i| i + 1);
        token = &before[name..end];
    }
    if memchr(b'.', token).is_some() {
        let gap = before[..name].trim_ascii_end();
        if gap.ends_with(b"at") || ESCAPED.iter().any(|at| memmem::find(token, at).is_some()) {
            return true;
        }
        // `Arrays.toString` of a stack.
        if (token.starts_with(b"[") || gap.ends_with(b",")) && ends_like_location(&text[open..]) {
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
            "[ERROR]     at a.B.c (B.java:1)",
            "stack=a.BException%0A%09at%20a.B.c(B.java:1)",
            "stack=a.BException%0a%09at%20a.B.c%28B.java%3A1%29",
            "failed: [a.B.c(B.java:1), a.B.d(B.java:2)]",
            "  - a.B.c(B.java:1)",
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
