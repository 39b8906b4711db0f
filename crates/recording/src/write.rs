//! A recording as a file, no larger than it has to be: what is left of one that was read, and of one that is redacted.

use crate::format::*;
use crate::{Event, Recording};

pub fn write(recording: &Recording) -> Vec<u8> {
    let mut dictionary = Vec::new();
    recording.methods.iter().for_each(|(id, method)| dictionary.extend(method_record(*id, method)));
    recording.places.iter().for_each(|(id, place)| dictionary.extend(place_record(*id, place)));
    recording.quiet.iter().for_each(|id| dictionary.extend(quiet_record(*id)));
    let crash = recording.crash.as_ref().map(|crash| crash.encode()).unwrap_or_default();
    let notes: String = recording.notes.iter().map(|note| format!("{}\n", note.replace(['\n', '\r'], " "))).collect();
    let rings: Vec<Vec<u32>> = recording.threads.iter().map(|thread| words(&thread.events)).collect();
    // With room to spare: of a ring that is as good as full the oldest words are not believed.
    let longest = (rings.iter().map(Vec::len).max().unwrap_or(0) + UNCOUNTED).next_power_of_two();
    let layout = Layout {
        dictionary: dictionary.len(),
        crash: crash.len(),
        notes: notes.len(),
        rings: rings.len(),
        ring: RING_HEADER + 4 * longest,
    };
    let header = Header {
        level: recording.level,
        redaction: recording.redaction,
        started: recording.started,
        process: recording.process,
        jdk: &recording.jdk,
        application: &recording.application,
    };
    let mut out = header.encode(&layout);
    for (at, used) in
        [(DICTIONARY_USED_AT, dictionary.len()), (CRASH_USED_AT, crash.len()), (NOTES_USED_AT, notes.len())]
    {
        put_u32(&mut out, at, u32::try_from(used).unwrap_or(u32::MAX));
    }
    put_u32(&mut out, CRASHED_AT, recording.crashed.unwrap_or(0));
    out.extend(dictionary);
    out.extend(crash.bytes());
    out.extend(notes.bytes());
    for (thread, words) in recording.threads.iter().zip(rings) {
        out.extend(ring_header(thread.number, words.len() as u64, thread.name.as_deref()));
        words.iter().for_each(|word| out.extend(word.to_le_bytes()));
        out.resize(out.len() + 4 * (longest - words.len()), 0);
    }
    out
}

fn words(events: &[Event]) -> Vec<u32> {
    let mut out = Vec::new();
    for event in events {
        out.push(match event {
            Event::Enter { method } => word(ENTER, method.0),
            Event::Leave { method } => word(LEAVE, method.0),
            Event::Call { place } => word(CALL, place.0),
            Event::Branch { place, taken } => word(if *taken { TAKEN } else { NOT_TAKEN }, place.0),
            Event::Hard { place, .. } => word(HARD, place.0),
            Event::Gap { lost } => word(GAP, lost.unwrap_or(0)),
            Event::Crash => word(CRASH, 0),
        });
        if let Event::Hard { result, .. } = event {
            result.write(&mut out);
        }
    }
    out
}
