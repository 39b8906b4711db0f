//! Keeps the promise about time. A run ends by itself when its budget is spent; where it does not, because a thread of it is
//! stuck in a long computation or a child does not answer, this ends the process with what there is. It waits for nobody: it
//! takes no lock that anybody holds for long.

use crate::scratch;
use crate::terminal::{self, Words};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What the process is to end with.
#[derive(Debug)]
pub(crate) struct LastWords {
    pub(crate) words: Words,
    pub(crate) status: u8,
}

/// Watches over the rest of the process.
#[derive(Debug)]
pub(crate) struct Watchdog {
    /// The status to end with, once the run has one. Whoever ends the process keeps the lock.
    ended: Arc<Mutex<Option<u8>>>,
}

/// For files that children were writing when they were killed.
const PATIENCE: Duration = Duration::from_millis(200);
/// For somebody who does not read what is printed.
const PRINTING: Duration = Duration::from_millis(300);

impl Watchdog {
    /// At `end`, the process ends with the last words. Without a time there is nothing to watch over.
    pub(crate) fn start(
        end: Option<Instant>,
        scratch: PathBuf,
        last_words: impl FnOnce() -> LastWords + Send + 'static,
    ) -> Watchdog {
        let ended: Arc<Mutex<Option<u8>>> = Arc::new(Mutex::new(None));
        if let Some(end) = end {
            let ended = ended.clone();
            std::thread::spawn(move || {
                std::thread::sleep(end.saturating_duration_since(Instant::now()));
                let status = ended.lock().unwrap_or_else(PoisonError::into_inner);
                // Nothing is started from now on, and nobody writes any more.
                sandbox::child::kill_all();
                let status = match *status {
                    // It is printing just now.
                    Some(status) => {
                        std::thread::sleep(PRINTING);
                        status
                    }
                    None => print(last_words()),
                };
                scratch::remove(&scratch, PATIENCE);
                sandbox::child::leave(status.into());
            });
        }
        Watchdog { ended }
    }

    /// The run has come to its end by itself, and prints what it has to say. If it is too late for that, this does not return.
    pub(crate) fn call_off(&self, status: u8) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
    }
}

/// Prints on a thread of its own, past all locks: the thread that holds one may be waiting for a reader, too.
fn print(last_words: LastWords) -> u8 {
    let (done, is_done) = std::sync::mpsc::channel();
    let LastWords { words, status } = last_words;
    std::thread::spawn(move || {
        terminal::print_last(&words);
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(PRINTING);
    status
}
