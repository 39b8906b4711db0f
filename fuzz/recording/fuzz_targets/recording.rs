//! Any bytes as a recording, behind the header's first words: it is read, asked for everything, redacted, written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recording::format::{HEADER, LEVEL_AT, MAGIC, VERSION};
use recording::{Redaction, read, redact, write};

/// Where header, dictionary, crash and notes are; what is behind that is rings.
const SHORTEST: usize = 1 << 16;

fuzz_target!(|data: &[u8]| {
    let _ = read(data);
    let (header, rest) = data.split_at(data.len().min(52));
    let mut file = [&MAGIC[..], &VERSION.to_le_bytes(), header].concat();
    if let Some(level) = file.get_mut(LEVEL_AT..LEVEL_AT + 2) {
        level.iter_mut().for_each(|number| *number %= 3);
    }
    file.resize(HEADER, 0);
    file.extend(rest);
    let Ok((recording, problems)) = read(&file) else { return };
    for problem in problems {
        let _ = problem.to_string();
    }
    for thread in &recording.threads {
        for waypoint in recording.waypoints(thread) {
            let _ = format!("{waypoint:?}");
        }
    }
    if let Some(crash) = &recording.crash {
        assert!(crash.text().len() < file.len() * 300 + SHORTEST);
    }
    for level in Redaction::ALL {
        let less = redact(&recording, level);
        let (again, problems) = read(&write(&less)).expect("what is written is a recording");
        assert!(problems.is_empty() && again.threads.len() == less.threads.len());
    }
});
