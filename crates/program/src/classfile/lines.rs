//! Line tables (JVMS 4.7.12): which source line a bytecode index is on, and which indices a line has. Agrees with HotSpot, because the
//! lines in stack traces are HotSpot's: an entry that starts exactly at the index counts, the first one of several; else the nearest
//! before, the last one of several. The entries of a table need not be in order, and tables of one method add up.

use std::ops::Range;

/// From `bci` on, the code belongs to source line `line`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEntry {
    pub bci: u16,
    pub line: u16,
}

/// The entries prepared for looking up, sorted by `bci`, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineMap {
    spans: Box<[Span]>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    bci: u16,
    /// The line of `bci` itself.
    at: u16,
    /// The line of what follows, up to the next span.
    after: u16,
}

impl LineMap {
    pub(crate) fn new(entries: &[LineEntry]) -> LineMap {
        let mut sorted = entries.to_vec();
        // Stable: entries for one index stay in the order of the file.
        sorted.sort_by_key(|entry| entry.bci);
        let mut spans: Vec<Span> = Vec::new();
        for LineEntry { bci, line } in sorted {
            match spans.last_mut() {
                Some(span) if span.bci == bci => span.after = line,
                _ => spans.push(Span { bci, at: line, after: line }),
            }
        }
        LineMap { spans: spans.into() }
    }

    pub(crate) fn line_of(&self, bci: u16) -> Option<u16> {
        let behind = self.spans.partition_point(|span| span.bci <= bci);
        let span = self.spans.get(behind.checked_sub(1)?)?;
        Some(if span.bci == bci { span.at } else { span.after })
    }

    /// The parts of code of length `end` that are on `line`, ascending, none touching the next.
    pub(crate) fn ranges_of_line(&self, line: u16, end: u16) -> Vec<Range<u16>> {
        let mut ranges: Vec<Range<u16>> = Vec::new();
        for (index, span) in self.spans.iter().enumerate().take_while(|(_, span)| span.bci < end) {
            let next = self.spans.get(index + 1).map_or(end, |next| next.bci.min(end));
            for (part, part_line) in [(span.bci..span.bci + 1, span.at), (span.bci + 1..next, span.after)] {
                if part.is_empty() || part_line != line {
                    continue;
                }
                match ranges.last_mut() {
                    Some(last) if last.end == part.start => last.end = part.end,
                    _ => ranges.push(part),
                }
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As in HotSpot's `Method::line_number_from_bci`.
    fn slow_line_of(entries: &[LineEntry], bci: u16) -> Option<u16> {
        let exact = entries.iter().find(|entry| entry.bci == bci);
        let before = || entries.iter().filter(|entry| entry.bci < bci).max_by_key(|entry| entry.bci);
        exact.or_else(before).map(|entry| entry.line)
    }

    proptest! {
        #[test]
        fn fast_is_slow(table in prop::collection::vec((0u16..30, 1u16..6), 0..12), end in 1u16..40) {
            let entries: Vec<LineEntry> = table.into_iter().map(|(bci, line)| LineEntry { bci, line }).collect();
            let map = LineMap::new(&entries);
            for bci in 0..end {
                prop_assert_eq!(map.line_of(bci), slow_line_of(&entries, bci));
            }
            for line in 1..6 {
                let ranges = map.ranges_of_line(line, end);
                let covered: Vec<u16> = ranges.iter().cloned().flatten().collect();
                let expected: Vec<u16> = (0..end).filter(|bci| map.line_of(*bci) == Some(line)).collect();
                prop_assert_eq!(covered, expected);
                prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
            }
        }
    }
}
