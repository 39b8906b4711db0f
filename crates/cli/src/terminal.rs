//! Writing for people: width, colour, and quiet endings when the reader goes away.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Why something that was printed did not arrive.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Whether the last words have been said; held while something is printed.
static CLOSED: Mutex<bool> = Mutex::new(false);

/// Prints to standard output. A closed pipe is a quiet end, not an error; any other, such as a full disk, is kept for
/// [`lost`], since what was done is to be finished all the same.
pub(crate) fn print(text: &str) {
    let is_closed = CLOSED.lock().unwrap_or_else(PoisonError::into_inner);
    if *is_closed {
        return;
    }
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first one tells what is wrong.
        let _ = LOST.set(error);
    }
}

/// The last words of the process, whatever other threads do: nothing is printed behind them, and one that is about to print and
/// waits for somebody who does not read is not waited for.
pub(crate) fn print_last(text: &str) {
    const PATIENCE: u32 = 100;
    let is_closed = (0..PATIENCE).find_map(|_| {
        std::thread::sleep(Duration::from_millis(1));
        CLOSED.try_lock().ok()
    });
    if let Some(mut is_closed) = is_closed {
        *is_closed = true;
    }
    if let Ok(out) = io::stdout().as_fd().try_clone_to_owned() {
        // There is nobody left to be told.
        let _ = std::fs::File::from(out).write_all(text.as_bytes());
    }
}

/// Why a part of the output is missing, if one is.
pub(crate) fn lost() -> Option<&'static io::Error> {
    LOST.get()
}

/// Colour on standard output: only on a terminal, and not when NO_COLOR or TERM=dumb forbid it.
pub(crate) fn has_colour() -> bool {
    io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Ink {
    Bold,
    Dim,
    Green,
    Red,
    Yellow,
}

/// The text in this ink, if there is colour at all; meaning never hangs on it.
pub(crate) fn ink(text: &str, ink: Ink, colour: bool) -> String {
    if !colour {
        return text.to_owned();
    }
    let code = match ink {
        Ink::Bold => "1",
        Ink::Dim => "2",
        Ink::Green => "32",
        Ink::Red => "31",
        Ink::Yellow => "33",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}
