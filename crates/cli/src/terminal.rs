//! Writing for people: width, colour, and quiet endings when the reader goes away.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::OnceLock;

/// Why something that was printed did not arrive.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints to standard output. A closed pipe is a quiet end, not an error; any other, such as a full disk, is kept for
/// [`lost`], since what was done is to be finished all the same.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first one tells what is wrong.
        let _ = LOST.set(error);
    }
}

/// The same whatever other threads do: one may be about to print, and wait for somebody who does not read. To be followed by the
/// end of the process.
pub(crate) fn print_at_once(text: &str) {
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
