//! What is left of a recording when less of the program's data may be in it.

use crate::{Event, Recording, Redaction, Shape};

/// Redacts as much as asked for. What is missing already does not come back.
pub fn redact(recording: &Recording, to: Redaction) -> Recording {
    let mut out = recording.clone();
    if to <= recording.redaction {
        return out;
    }
    out.redaction = to;
    if let Some(crash) = &mut out.crash {
        crash.thread = None;
        crash.exceptions.iter_mut().for_each(|thrown| thrown.message = None);
    }
    for thread in &mut out.threads {
        thread.name = None;
        for event in &mut thread.events {
            if let Event::Hard { result, .. } = event {
                *result = match to {
                    Redaction::Strict => result.strictly(),
                    Redaction::Hashes => hashed(result),
                    Redaction::Off => continue,
                };
            }
        }
    }
    out
}

fn hashed(shape: &Shape) -> Shape {
    match shape {
        Shape::Exactly { length, text } => Shape::Hashed { length: *length, hash: java_hash(text) },
        other => other.strictly(),
    }
}

/// As `String.hashCode` has it.
fn java_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0, |hash: u32, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
}
