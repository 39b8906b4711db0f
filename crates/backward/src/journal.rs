//! For whoever works on the engine: what it derived, tried and saw, line by line, in the file that `REENACT_BACKWARD_JOURNAL` names.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

static JOURNAL: OnceLock<Option<(Mutex<File>, Instant)>> = OnceLock::new();

/// Notes the line, if anybody reads it.
pub(crate) fn note(line: impl FnOnce() -> String) {
    let open = || {
        let path = std::env::var_os("REENACT_BACKWARD_JOURNAL")?;
        OpenOptions::new().create(true).append(true).open(path).ok().map(|file| (Mutex::new(file), Instant::now()))
    };
    if let Some((file, start)) = JOURNAL.get_or_init(open)
        && let Ok(mut file) = file.lock()
    {
        // A journal that cannot be written is not worth a run.
        let _ = writeln!(file, "{:.1} {}", start.elapsed().as_secs_f32(), line());
    }
}
