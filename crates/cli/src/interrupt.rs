//! Ctrl-C and SIGTERM. The first asks the job to end with what it has; the second ends the process at once. A job that has
//! nothing before it has everything ends at the first.
//!
//! All children are killed, so that nothing goes on after the process. Its temporary files are all in one directory, which is
//! removed in both cases.

use crate::failure::Failure;
use crate::scratch::{self, Scratch};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// From now on signals are requests. Temporary files of the whole process go below a directory that lives as long as this.
#[derive(Debug)]
pub(crate) struct Interruptible {
    pub(crate) scratch: Scratch,
    /// Set by the first signal.
    pub(crate) stop: Arc<AtomicBool>,
    /// There is something to stop with; before that the first signal ends the process.
    has_begun: Arc<AtomicBool>,
}

const PATIENCE: Duration = Duration::from_secs(2);

/// A signal is ending the process.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Does not return where a signal is ending the process: what its children come to when they are killed is no result.
pub(crate) fn wait_if_leaving() {
    while LEAVING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

impl Interruptible {
    /// `note` is said at the first signal.
    pub(crate) fn at_work(note: &'static str) -> Result<Interruptible, Failure> {
        let session = Self::listen(Some(note))?;
        session.begin();
        Ok(session)
    }

    /// The same from [`begin`](Self::begin) on; until then the first signal ends the process.
    pub(crate) fn later(note: &'static str) -> Result<Interruptible, Failure> {
        Self::listen(Some(note))
    }

    pub(crate) fn begin(&self) {
        self.has_begun.store(true, Ordering::SeqCst);
    }

    /// The first signal ends the process.
    pub(crate) fn at_once() -> Result<Interruptible, Failure> {
        Self::listen(None)
    }

    fn listen(note: Option<&'static str>) -> Result<Interruptible, Failure> {
        let scratch = Scratch::new()?;
        let stop = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
            .map_err(|error| Failure::new(format!("cannot listen to signals: {error}")))?;
        let has_begun = Arc::new(AtomicBool::new(false));
        let (directory, flag, begun) = (scratch.path().to_owned(), stop.clone(), has_begun.clone());
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let is_first = !flag.swap(true, Ordering::Relaxed);
                match note.filter(|_| is_first && begun.load(Ordering::SeqCst)) {
                    Some(note) => crate::terminal::say(&format!("\n{note}")),
                    None => {
                        LEAVING.store(true, Ordering::SeqCst);
                        crate::terminal::close();
                        sandbox::child::kill_all();
                        scratch::remove(&directory, PATIENCE);
                        std::process::exit(128 + signal);
                    }
                }
            }
        });
        Ok(Interruptible { scratch, stop, has_begun })
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
