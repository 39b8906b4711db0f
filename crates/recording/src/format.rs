//! The layout of the file, for those who write it in place. Numbers are little-endian.
//!
//! A page of header; the dictionary, to which records are only added; the crash and the notes, as text; then one ring per
//! thread. Of each part the header says how much there is room for and how much is used; what is used is written before it is
//! counted.
//!
//! A ring begins with its own header: how many words were ever written, which thread it belongs to. Words that begin an event
//! have their highest bit set, words that belong to the event before have not: whoever finds a ring that was written around begins
//! at the first that does.
//!
//! A writer that is killed between any two instructions leaves nothing that reads as something else: an event's words are stored
//! before they are counted, and counted all at once. Between the two is a fence of the writer's compiler; there is none between a count
//! and the words of the next event, so that up to two events may be stored and not counted. In a ring that was written around these
//! lie over the oldest words, of which a reader therefore leaves out [`UNCOUNTED`]. Only texts are longer than that allows for: how
//! many characters one has is stored before it and taken back when it is counted, with a fence after the one and before the other.

use crate::{Level, Method, MethodId, Place, PlaceId, Redaction};

pub const MAGIC: [u8; 8] = *b"reenact\x1a";
pub const VERSION: u32 = 1;
pub const HEADER: usize = 4096;
pub const RING_HEADER: usize = 64;

pub const LEVEL_AT: usize = 12;
pub(crate) const REDACTION_AT: usize = 13;
pub(crate) const STARTED_AT: usize = 16;
pub(crate) const PROCESS_AT: usize = 24;
pub(crate) const DICTIONARY_SIZE_AT: usize = 28;
pub const DICTIONARY_USED_AT: usize = 32;
pub(crate) const CRASH_SIZE_AT: usize = 36;
pub const CRASH_USED_AT: usize = 40;
pub(crate) const NOTES_SIZE_AT: usize = 44;
pub const NOTES_USED_AT: usize = 48;
pub(crate) const RINGS_AT: usize = 52;
pub(crate) const RING_SIZE_AT: usize = 56;
/// The number of the thread that the crash is of; 0 if it is not known.
pub const CRASHED_AT: usize = 60;
pub(crate) const JDK_AT: usize = 64;
pub(crate) const JDK_LIMIT: usize = 190;
pub(crate) const APPLICATION_AT: usize = 256;
pub(crate) const APPLICATION_LIMIT: usize = HEADER - APPLICATION_AT - 2;

/// Words of an event at most, a text's characters apart.
pub const LONGEST: usize = 4;
/// Words that are written before they are counted, at most: so many of the oldest may be gone already, in part.
pub const UNCOUNTED: usize = 2 * LONGEST;

/// In the header of a ring.
pub const WRITTEN_AT: usize = 0;
pub const THREAD_AT: usize = 8;
/// Characters of the text that is being written.
pub const PENDING_AT: usize = 12;
pub(crate) const NAME_AT: usize = 16;
pub(crate) const NAME_LIMIT: usize = RING_HEADER - NAME_AT - 2;

pub const EVENT: u32 = 1 << 31;
pub const ID_BITS: u32 = 27;
pub const MAX_ID: u32 = (1 << ID_BITS) - 1;

/// Kinds of events, as the four bits above the number of a word that begins one.
pub const ENTER: u32 = 1;
pub const LEAVE: u32 = 2;
pub const CALL: u32 = 3;
pub const TAKEN: u32 = 4;
pub const NOT_TAKEN: u32 = 5;
pub const HARD: u32 = 6;
pub const GAP: u32 = 7;
pub const CRASH: u32 = 8;

/// The word that begins an event.
pub fn word(kind: u32, id: u32) -> u32 {
    EVENT | kind << ID_BITS | id & MAX_ID
}

pub(crate) const METHOD_RECORD: u8 = 1;
pub(crate) const PLACE_RECORD: u8 = 2;
pub(crate) const QUIET_RECORD: u8 = 3;
pub(crate) const NO_METHOD: u32 = u32::MAX;

/// Where things are in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub dictionary: usize,
    pub crash: usize,
    pub notes: usize,
    pub rings: usize,
    /// Header and words of one ring.
    pub ring: usize,
}

impl Layout {
    /// Divides a file of at most this size: a quarter for the dictionary, the most for rings. `None` if nothing useful fits.
    pub fn within(size: u64) -> Option<Layout> {
        const CRASH_SIZE: usize = 128 << 10;
        const NOTES_SIZE: usize = 16 << 10;
        let size = usize::try_from(size.min(1 << 30)).ok()?;
        let dictionary = size / 4 / 4096 * 4096;
        let rest = size.checked_sub(HEADER + dictionary + CRASH_SIZE + NOTES_SIZE)?;
        // 32 threads find room in a small file, large files have longer rings.
        let words = (rest / 32 / 4).clamp(1024, 32 << 10);
        let words = 1 << words.ilog2();
        let ring = RING_HEADER + 4 * words;
        let rings = rest / ring;
        (rings > 0).then_some(Layout { dictionary, crash: CRASH_SIZE, notes: NOTES_SIZE, rings, ring })
    }

    pub fn size(&self) -> usize {
        self.rings_at() + self.rings * self.ring
    }

    pub fn dictionary_at(&self) -> usize {
        HEADER
    }

    pub fn crash_at(&self) -> usize {
        HEADER + self.dictionary
    }

    pub fn notes_at(&self) -> usize {
        self.crash_at() + self.crash
    }

    pub fn rings_at(&self) -> usize {
        self.notes_at() + self.notes
    }

    pub fn ring_at(&self, index: usize) -> usize {
        self.rings_at() + index * self.ring
    }

    /// The words of a ring; a power of two.
    pub fn ring_words(&self) -> usize {
        (self.ring - RING_HEADER) / 4
    }
}

/// What a file begins with.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    pub level: Level,
    pub redaction: Redaction,
    pub started: u64,
    pub process: u32,
    pub jdk: &'a str,
    pub application: &'a str,
}

impl Header<'_> {
    pub fn encode(&self, layout: &Layout) -> Vec<u8> {
        let mut out = vec![0; HEADER];
        out[..8].copy_from_slice(&MAGIC);
        put_u32(&mut out, 8, VERSION);
        out[LEVEL_AT] = self.level as u8;
        out[REDACTION_AT] = self.redaction as u8;
        out[STARTED_AT..STARTED_AT + 8].copy_from_slice(&self.started.to_le_bytes());
        put_u32(&mut out, PROCESS_AT, self.process);
        for (at, size) in [
            (DICTIONARY_SIZE_AT, layout.dictionary),
            (CRASH_SIZE_AT, layout.crash),
            (NOTES_SIZE_AT, layout.notes),
            (RINGS_AT, layout.rings),
            (RING_SIZE_AT, layout.ring),
        ] {
            put_u32(&mut out, at, u32::try_from(size).unwrap_or(u32::MAX));
        }
        put_text(&mut out, JDK_AT, JDK_LIMIT, self.jdk);
        put_text(&mut out, APPLICATION_AT, APPLICATION_LIMIT, self.application);
        out
    }
}

pub fn put_u32(out: &mut [u8], at: usize, value: u32) {
    out[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// The header of a ring, with the name that the thread may show.
pub fn ring_header(thread: u32, written: u64, name: Option<&str>) -> [u8; RING_HEADER] {
    let mut out = [0; RING_HEADER];
    out[WRITTEN_AT..WRITTEN_AT + 8].copy_from_slice(&written.to_le_bytes());
    put_u32(&mut out, THREAD_AT, thread);
    put_text(&mut out, NAME_AT, NAME_LIMIT, name.unwrap_or_default());
    out
}

/// Length and bytes of as much of the text as fits.
fn put_text(out: &mut [u8], at: usize, limit: usize, text: &str) {
    let text = &text[..text.floor_char_boundary(limit)];
    out[at..at + 2].copy_from_slice(&(text.len() as u16).to_le_bytes());
    out[at + 2..at + 2 + text.len()].copy_from_slice(text.as_bytes());
}

/// A record of the dictionary: a tag, the length of the rest, the rest.
pub fn method_record(id: MethodId, method: &Method) -> Vec<u8> {
    let mut body = id.0.to_le_bytes().to_vec();
    for text in [&method.class, &method.name, &method.descriptor] {
        let text = &text[..text.floor_char_boundary(usize::from(u16::MAX))];
        body.extend((text.len() as u16).to_le_bytes());
        body.extend(text.as_bytes());
    }
    record(METHOD_RECORD, &body)
}

pub fn place_record(id: PlaceId, place: &Place) -> Vec<u8> {
    let mut body = id.0.to_le_bytes().to_vec();
    body.extend(place.method.0.to_le_bytes());
    body.extend(place.callee.map_or(NO_METHOD, |callee| callee.0).to_le_bytes());
    body.extend(place.bci.to_le_bytes());
    record(PLACE_RECORD, &body)
}

/// From here on, the method's entries or the place are not told any more, because they happened too often.
pub fn quiet_record(id: u32) -> Vec<u8> {
    record(QUIET_RECORD, &id.to_le_bytes())
}

fn record(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    out.extend((body.len() as u32).to_le_bytes());
    out.extend(body);
    out
}
