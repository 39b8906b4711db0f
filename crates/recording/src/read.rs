//! The reader. Its input is foreign, cut off or half written: it takes what it can and says what it could not.

use crate::format::*;
use crate::{Crash, Event, Level, Method, MethodId, Place, PlaceId, Recording, Redaction, Shape, Thread};

/// Why a file is no recording at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotARecording {
    /// The user's fault: another kind of file.
    #[error("it is no recording")]
    Magic,
    /// Written by a newer recorder, or damaged.
    #[error("it has version {found} of the format, and this tool reads version {VERSION}")]
    Version { found: u32 },
    /// Cut off, or damaged.
    #[error("its header is damaged: {what}")]
    Header { what: &'static str },
}

/// Something that could not be read, and where it is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub offset: usize,
    pub what: &'static str,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at offset {}", self.what, self.offset)
    }
}

/// Whether the file begins as recordings do.
pub fn is_recording(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

pub fn read(bytes: &[u8]) -> Result<(Recording, Vec<Problem>), NotARecording> {
    if !is_recording(bytes) {
        return Err(NotARecording::Magic);
    }
    let short = NotARecording::Header { what: "it ends early" };
    if bytes.len() < HEADER {
        return Err(short);
    }
    let found = u32_at(bytes, 8);
    if found != VERSION {
        return Err(NotARecording::Version { found });
    }
    let layout = layout(bytes)?;
    let level = *Level::ALL
        .get(usize::from(bytes[LEVEL_AT]))
        .ok_or(NotARecording::Header { what: "there is no such level" })?;
    let redaction = *Redaction::ALL
        .get(usize::from(bytes[REDACTION_AT]))
        .ok_or(NotARecording::Header { what: "there is no such redaction" })?;
    let mut reader = Reader { bytes, layout, problems: Vec::new() };
    let mut recording = Recording {
        level,
        redaction,
        started: u64_at(bytes, STARTED_AT),
        process: u32_at(bytes, PROCESS_AT),
        jdk: reader.header_text(JDK_AT, JDK_LIMIT),
        application: reader.header_text(APPLICATION_AT, APPLICATION_LIMIT),
        ..Recording::default()
    };
    reader.dictionary(&mut recording);
    recording.crash = reader.crash();
    recording.crashed = Some(u32_at(bytes, CRASHED_AT)).filter(|number| *number != 0);
    recording.notes = reader.notes();
    recording.threads = reader.threads();
    Ok((recording, reader.problems))
}

fn layout(bytes: &[u8]) -> Result<Layout, NotARecording> {
    let size = |at| u32_at(bytes, at) as usize;
    let layout = Layout {
        dictionary: size(DICTIONARY_SIZE_AT),
        crash: size(CRASH_SIZE_AT),
        notes: size(NOTES_SIZE_AT),
        rings: size(RINGS_AT),
        ring: size(RING_SIZE_AT),
    };
    let words_fit = layout.ring > RING_HEADER && layout.ring_words().is_power_of_two();
    if layout.rings > 0 && !(words_fit && (layout.ring - RING_HEADER).is_multiple_of(4)) {
        return Err(NotARecording::Header { what: "its rings have no possible size" });
    }
    Ok(layout)
}

struct Reader<'b> {
    bytes: &'b [u8],
    layout: Layout,
    problems: Vec<Problem>,
}

/// Of the problems of a file that is nothing but problems, enough are told.
const PROBLEM_LIMIT: usize = 100;

impl<'b> Reader<'b> {
    fn problem(&mut self, offset: usize, what: &'static str) {
        if self.problems.len() < PROBLEM_LIMIT {
            self.problems.push(Problem { offset, what });
        }
    }

    /// As much of a part as there is.
    fn part(&mut self, at: usize, used: usize, room: usize) -> &'b [u8] {
        if used > room {
            self.problem(at, "a part is fuller than it has room");
        }
        let end = at.saturating_add(used.min(room));
        if end > self.bytes.len() {
            self.problem(self.bytes.len(), "the file ends early");
        }
        &self.bytes[at.min(self.bytes.len())..end.min(self.bytes.len())]
    }

    fn header_text(&mut self, at: usize, limit: usize) -> String {
        match text_at(self.bytes, at, limit) {
            Some(text) => text,
            None => {
                self.problem(at, "a text of the header is none");
                String::new()
            }
        }
    }

    fn used(&self, at: usize) -> usize {
        u32_at(self.bytes, at) as usize
    }

    fn dictionary(&mut self, recording: &mut Recording) {
        let at = self.layout.dictionary_at();
        let mut rest = self.part(at, self.used(DICTIONARY_USED_AT), self.layout.dictionary);
        let all = rest.len();
        while !rest.is_empty() {
            let offset = at + all - rest.len();
            let Some((tag, body, after)) = record(rest) else {
                self.problem(offset, "the dictionary ends within a record");
                return;
            };
            let known = match tag {
                METHOD_RECORD => method(body).map(|(id, method)| recording.methods.insert(id, method)).is_some(),
                PLACE_RECORD => place(body).map(|(id, place)| recording.places.insert(id, place)).is_some(),
                QUIET_RECORD => quiet(body).map(|id| recording.quiet.insert(id)).is_some(),
                _ => false,
            };
            if !known {
                self.problem(offset, "a record of the dictionary cannot be read");
            }
            rest = after;
        }
    }

    fn crash(&mut self) -> Option<Crash> {
        let at = self.layout.crash_at();
        let part = self.part(at, self.used(CRASH_USED_AT), self.layout.crash);
        let (crash, odd) = Crash::decode(&String::from_utf8_lossy(part));
        if odd > 0 {
            self.problem(at, "lines of the crash cannot be read");
        }
        (!crash.exceptions.is_empty()).then_some(crash)
    }

    fn notes(&mut self) -> Vec<String> {
        let part = self.part(self.layout.notes_at(), self.used(NOTES_USED_AT), self.layout.notes);
        String::from_utf8_lossy(part).lines().map(str::to_owned).collect()
    }

    fn threads(&mut self) -> Vec<Thread> {
        let mut threads = Vec::new();
        for index in 0..self.layout.rings {
            let at = self.layout.rings_at().saturating_add(index.saturating_mul(self.layout.ring));
            if at >= self.bytes.len() {
                self.problem(self.bytes.len(), "the file ends before its rings do");
                break;
            }
            let ring = self.part(at, self.layout.ring, self.layout.ring);
            if ring.len() >= RING_HEADER && u32_at(ring, THREAD_AT) != 0 {
                threads.push(self.thread(ring, at));
            }
        }
        threads.sort_by_key(|thread| thread.number);
        threads
    }

    fn thread(&mut self, ring: &[u8], at: usize) -> Thread {
        let name = text_at(ring, NAME_AT, NAME_LIMIT);
        if name.is_none() {
            self.problem(at, "the name of a thread is none");
        }
        let words = self.words(ring);
        let mut thread =
            Thread { number: u32_at(ring, THREAD_AT), name: name.filter(|name| !name.is_empty()), events: Vec::new() };
        if words.is_overwritten {
            thread.events.push(Event::Gap { lost: None });
        }
        let is_start = |word: &u32| word & EVENT != 0;
        let first = words.list.iter().position(is_start).unwrap_or(words.list.len());
        if first > 0 && !words.is_overwritten {
            self.problem(at, "a ring begins within an event");
        }
        let mut rest = &words.list[first..];
        while let Some((head, after)) = rest.split_first() {
            let len = after.iter().position(is_start).unwrap_or(after.len());
            let (payload, after) = after.split_at(len);
            match event(*head, payload) {
                // A run of gaps is one.
                Some(gap @ Event::Gap { lost: None }) if thread.events.last() == Some(&gap) => {}
                Some(event) => thread.events.push(event),
                // The thread was in the middle of writing its last event.
                None if after.is_empty() => {}
                None => {
                    self.problem(at, "an event cannot be read");
                    thread.events.push(Event::Gap { lost: Some(1) });
                }
            }
            rest = after;
        }
        thread
    }

    /// The words of a ring, the oldest first.
    fn words(&mut self, ring: &[u8]) -> Words {
        let mut list: Vec<u32> = ring[RING_HEADER..].chunks_exact(4).map(|word| u32_at(word, 0)).collect();
        let capacity = self.layout.ring_words();
        let written = u64_at(ring, WRITTEN_AT);
        // What the thread was about to write when it was killed.
        let uncounted = UNCOUNTED + u32_at(ring, PENDING_AT) as usize;
        let is_whole = list.len() == capacity;
        if written.saturating_add(uncounted as u64) > capacity as u64 && is_whole {
            // The capacity is a power of two within memory.
            list.rotate_left((written & (capacity as u64 - 1)) as usize);
            // It may lie over the oldest words.
            list.drain(..uncounted.min(list.len()));
            return Words { list, is_overwritten: true };
        }
        list.truncate(usize::try_from(written).unwrap_or(usize::MAX));
        Words { list, is_overwritten: !is_whole && written > capacity as u64 }
    }
}

struct Words {
    list: Vec<u32>,
    is_overwritten: bool,
}

fn event(head: u32, payload: &[u32]) -> Option<Event> {
    let id = head & MAX_ID;
    let kind = (head & !EVENT) >> ID_BITS;
    if kind == HARD {
        return Some(Event::Hard { place: PlaceId(id), result: Shape::read(payload)? });
    }
    if !payload.is_empty() {
        return None;
    }
    Some(match kind {
        ENTER => Event::Enter { method: MethodId(id) },
        LEAVE => Event::Leave { method: MethodId(id) },
        CALL => Event::Call { place: PlaceId(id) },
        TAKEN | NOT_TAKEN => Event::Branch { place: PlaceId(id), taken: kind == TAKEN },
        GAP => Event::Gap { lost: (id != 0).then_some(id) },
        CRASH => Event::Crash,
        _ => return None,
    })
}

/// Tag, body and what follows.
fn record(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (len, rest) = rest.split_first_chunk::<4>()?;
    let (body, after) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    Some((*tag, body, after))
}

fn method(body: &[u8]) -> Option<(MethodId, Method)> {
    let (id, mut rest) = body.split_first_chunk::<4>()?;
    let mut text = || {
        let (len, after) = rest.split_first_chunk::<2>()?;
        let (text, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*len)))?;
        rest = after;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    };
    let (class, name, descriptor) = (text()?, text()?, text()?);
    Some((MethodId(u32::from_le_bytes(*id)), Method { class, name, descriptor }))
}

fn quiet(body: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(body.try_into().ok()?))
}

fn place(body: &[u8]) -> Option<(PlaceId, Place)> {
    if body.len() != 14 {
        return None;
    }
    let callee = u32_at(body, 8);
    let place = Place {
        method: MethodId(u32_at(body, 4)),
        callee: (callee != NO_METHOD).then_some(MethodId(callee)),
        bci: u16::from_le_bytes([body[12], body[13]]),
    };
    Some((PlaceId(u32_at(body, 0)), place))
}

/// A text with its length before it; `None` if it is longer than it can be, or no text.
fn text_at(bytes: &[u8], at: usize, limit: usize) -> Option<String> {
    let len = usize::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let text = bytes.get(at + 2..at + 2 + len).filter(|_| len <= limit)?;
    std::str::from_utf8(text).ok().map(str::to_owned)
}

/// Callers have made sure that it is there.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
