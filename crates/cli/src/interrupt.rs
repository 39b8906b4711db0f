//! Ctrl-C and SIGTERM. The first asks the job to end with what it has; the second ends the process at once. A job that has
//! nothing before it has everything ends at the first.
//!
//! Workers see that their socket is closed and the children of confirmation die with their parent, so that nothing goes on
//! after the process. Its temporary files are all in one directory, which is removed in both cases.

use crate::failure::Failure;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// From now on signals are requests. Temporary files of the whole process go below a directory that lives as long as this.
#[derive(Debug)]
pub(crate) struct Interruptible {
    _scratch: TempDir,
    /// Set by the first signal.
    pub(crate) stop: Arc<AtomicBool>,
}

/// Others of this process and its children may still be writing there: what comes while it is emptied is emptied again.
fn remove(directory: &std::path::Path) {
    const TRIES: u32 = 200;
    for _ in 0..TRIES {
        if std::fs::remove_dir_all(directory).is_ok() || !directory.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

impl Interruptible {
    /// `note` is said at the first signal.
    pub(crate) fn begin(note: &'static str) -> Result<Interruptible, Failure> {
        Self::listen(Some(note))
    }

    /// The first signal ends the process.
    pub(crate) fn at_once() -> Result<Interruptible, Failure> {
        Self::listen(None)
    }

    fn listen(note: Option<&'static str>) -> Result<Interruptible, Failure> {
        let place = jvm_host::sandbox::place_for_scratch();
        let scratch = tempfile::Builder::new().prefix("reenact-").tempdir_in(&place).map_err(|error| {
            Failure::new(format!("cannot make a temporary directory in `{}`: {error}", place.display()))
                .hint("free some space there, or set TMPDIR to a directory that can be written")
        })?;
        // Fails only where it was done before, which is as good.
        let _ = tempfile::env::override_temp_dir(scratch.path());
        let stop = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
            .map_err(|error| Failure::new(format!("cannot listen to signals: {error}")))?;
        let (directory, flag) = (scratch.path().to_owned(), stop.clone());
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let is_first = !flag.swap(true, Ordering::Relaxed);
                match note.filter(|_| is_first) {
                    Some(note) => eprintln!("\n{note}"),
                    None => {
                        remove(&directory);
                        std::process::exit(128 + signal);
                    }
                }
            }
        });
        Ok(Interruptible { _scratch: scratch, stop })
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
