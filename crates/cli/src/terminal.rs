//! Writing for people: width, colour, and quiet endings when the reader goes away.
//!
//! All that the tool prints goes through here, and much of it was written by others: names in class files and archives, messages,
//! lines of logs. A terminal would obey what is in them, so characters that do more than to be seen are shown as escapes.

use std::borrow::Cow;
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
    print_words(&Words::text(text));
}

/// The same for a line of JSON, in which escapes are its own.
pub(crate) fn print_json(json: &str) {
    print_words(&Words::json(json));
}

/// What can be printed as it is.
#[derive(Debug)]
pub(crate) struct Words(String);

impl Words {
    pub(crate) fn text(text: &str) -> Words {
        Words(harmless(text).into_owned())
    }

    /// A line of JSON.
    pub(crate) fn json(json: &str) -> Words {
        let escape = |c: char| format!("\\u{:04x}", u32::from(c));
        Words(escaped(json.trim_end(), escape).into_owned() + "\n")
    }
}

/// Says something on standard error, on a line of its own.
pub(crate) fn say(text: &str) {
    write_error(&format!("{}\n", harmless(text)));
}

/// Shows the state of things on the present line of standard error, in place of what was there.
pub(crate) fn show_state(text: &str) {
    write_error(&format!("{CLEAR_LINE}{}", harmless(&text.replace('\n', " "))));
}

/// Takes the state away again.
pub(crate) fn clear_state() {
    write_error(CLEAR_LINE);
}

const CLEAR_LINE: &str = "\r\x1b[K";

/// Nobody can be told that nobody listens.
fn write_error(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Text that a terminal shows and does not obey, but for the inks of this module.
fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split("\x1b[");
    let mut safe = shown(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let is_ink = INKS.iter().any(|code| part.strip_prefix(code).is_some_and(|rest| rest.starts_with('m')));
        safe.push_str(if is_ink { "\x1b[" } else { "\\x1b[" });
        safe.push_str(&shown(part));
    }
    Cow::Owned(safe)
}

fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |c| {
        if u32::from(c) < 256 { format!("\\x{:02x}", u32::from(c)) } else { format!("\\u{:04x}", u32::from(c)) }
    })
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_harmful(c) { escape(c) } else { c.to_string() }).collect())
}

/// Control characters of both sets, and those that reorder, hide or break what stands around them.
fn is_harmful(c: char) -> bool {
    let is_format = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}');
    is_format || c.is_control() && c != '\n' && c != '\t'
}

pub(crate) fn print_words(words: &Words) {
    let is_closed = CLOSED.lock().unwrap_or_else(PoisonError::into_inner);
    if *is_closed {
        return;
    }
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(words.0.as_bytes()).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first one tells what is wrong.
        let _ = LOST.set(error);
    }
}

/// Nothing is printed from now on, but by somebody who is at it and waits for a reader.
pub(crate) fn close() {
    if let Ok(mut is_closed) = CLOSED.try_lock() {
        *is_closed = true;
    }
}

/// The last words of the process, whatever other threads do: nothing is printed behind them, and one that is about to print and
/// waits for somebody who does not read is not waited for.
pub(crate) fn print_last(words: &Words) {
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
        let _ = std::fs::File::from(out).write_all(words.0.as_bytes());
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
    format!("\x1b[{}m{text}\x1b[{PLAIN}m", INKS[ink as usize])
}

/// The codes of the inks in their order, and that of none.
const INKS: [&str; 6] = ["1", "2", "32", "31", "33", PLAIN];
const PLAIN: &str = "0";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_not_obeyed() {
        for (text, expected) in [
            ("plain \u{f6}\u{4e2d}\n\ttext", "plain \u{f6}\u{4e2d}\n\ttext"),
            ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
            ("\x1b[2J\x1b[31mred\x1b[0m", "\\x1b[2J\x1b[31mred\x1b[0m"),
            ("\u{9b}31m", "\\x9b31m"),
            ("a\x08b\rc\x7f", "a\\x08b\\x0dc\\x7f"),
            ("\u{202e}live\u{2066}\u{200b}", "\\u202elive\\u2066\\u200b"),
        ] {
            assert_eq!(harmless(text), expected, "{text:?}");
        }
    }

    #[test]
    fn our_own_inks_are_kept() {
        for colour in [Ink::Bold, Ink::Dim, Ink::Green, Ink::Red, Ink::Yellow] {
            let text = ink("text", colour, true);
            assert_eq!(harmless(&text), text);
        }
        assert_eq!(ink("text", Ink::Red, true), "\x1b[31mtext\x1b[0m");
    }
}
