//! What was met before in the same text: how a line was classified, what became of a trace.
//!
//! A failing server writes the same frames thousands of times. A [`Table`] knows texts by a hash of 128 bits, which no two
//! texts of a log share by chance. It forgets everything when it is full: memory is bounded, and what was forgotten costs
//! time only.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

use super::classify::{Kind, classify};

/// From the hash of a text to what is known of it.
#[derive(Debug)]
pub(crate) struct Table<V>(FxHashMap<u128, V>);

impl<V> Default for Table<V> {
    fn default() -> Table<V> {
        Table(FxHashMap::default())
    }
}

impl<V> Table<V> {
    const FULL: usize = 4096;

    pub(crate) fn get(&mut self, hash: u128) -> Option<&mut V> {
        self.0.get_mut(&hash)
    }

    pub(crate) fn put(&mut self, hash: u128, value: V) {
        if self.0.len() >= Self::FULL {
            self.0.clear();
        }
        self.0.insert(hash, value);
    }
}

/// Lines of traces, by their text without the prefix of the stream.
#[derive(Debug, Default)]
pub(crate) struct Lines(Table<Known>);

#[derive(Debug)]
struct Known {
    kind: Kind,
    indent: usize,
    /// A line of the file with this text needs no decoding.
    plain: bool,
}

impl Lines {
    /// Longer lines are not kept: an entry is small.
    const LONGEST: usize = 512;

    /// The same as [`classify`]. `plain` if the text is a line of the file that no decoder changed.
    pub(crate) fn classify(&mut self, text: &str, plain: bool) -> (Kind, usize) {
        if text.len() > Lines::LONGEST {
            return classify(text);
        }
        let hash = xxh3_128(text.as_bytes());
        if let Some(known) = self.0.get(hash) {
            known.plain |= plain;
            return (known.kind.clone(), known.indent);
        }
        let (kind, indent) = classify(text);
        // Lines between traces have a time or a number in them and do not come again.
        if !matches!(kind, Kind::Other | Kind::Blank) {
            self.0.put(hash, Known { kind: kind.clone(), indent, plain });
        }
        (kind, indent)
    }

    /// What a line of the file is, if it is known and needs no decoding.
    pub(crate) fn plain(&mut self, raw: &[u8]) -> Option<(Kind, usize)> {
        if raw.len() > Lines::LONGEST {
            return None;
        }
        let known = self.0.get(xxh3_128(raw)).filter(|known| known.plain)?;
        Some((known.kind.clone(), known.indent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_line_is_what_it_was() {
        let mut lines = Lines::default();
        for text in ["\tat a.B.c(B.java:1)", "Caused by: a.BError: x", "  ... 3 more", "nothing", "", "```"] {
            let fresh = format!("{:?}", classify(text));
            for _ in 0..2 {
                assert_eq!(format!("{:?}", lines.classify(text, false)), fresh);
            }
            assert!(lines.plain(text.as_bytes()).is_none(), "nobody said that {text:?} needs no decoding");
        }
        lines.classify("\tat a.B.c(B.java:1)", true);
        assert!(matches!(lines.plain(b"\tat a.B.c(B.java:1)"), Some((Kind::Frame(_), 4))));
    }

    #[test]
    fn a_table_is_bounded() {
        let mut table = Table::default();
        for hash in 0..10_000 {
            table.put(hash, hash);
            assert_eq!(table.get(hash).copied(), Some(hash));
        }
        assert!(table.0.len() <= Table::<u128>::FULL);
    }
}
