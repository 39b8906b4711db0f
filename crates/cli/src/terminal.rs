//! Writing for people: width, colour, and quiet endings when the reader goes away.
//!
//! All that the tool prints goes through here, and much of it was written by others: names in class files and archives, messages,
//! lines of logs. A terminal would obey what is in them, so characters that do more than to be seen are shown as escapes.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
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

/// How much is said on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Talk {
    /// Warnings and errors.
    Quiet,
    Usual,
    Verbose,
}

impl Talk {
    /// Says what happens, on standard error.
    pub(crate) fn note(self, text: &str) {
        if self != Talk::Quiet {
            say(text);
        }
    }

    /// Says what few people want to know.
    pub(crate) fn detail(self, text: &str) {
        if self == Talk::Verbose {
            say(text);
        }
    }
}

/// The present state of things on one line of standard error: a bar, and a text that is cut to the width of the terminal.
#[derive(Debug)]
pub(crate) struct StateLine(ProgressBar);

impl StateLine {
    pub(crate) fn new() -> StateLine {
        StateLine::on(ProgressDrawTarget::stderr())
    }

    /// Nothing is ever shown.
    pub(crate) fn hidden() -> StateLine {
        StateLine::on(ProgressDrawTarget::hidden())
    }

    fn on(target: ProgressDrawTarget) -> StateLine {
        let bar = ProgressBar::with_draw_target(Some(WHOLE), target);
        let style =
            ProgressStyle::with_template("{bar:20} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        StateLine(bar)
    }

    /// `done` is a part of 1.
    pub(crate) fn show(&self, done: f64, text: &str) {
        self.0.set_message(harmless(&text.replace('\n', " ")).into_owned());
        self.0.set_position((done.clamp(0.0, 1.0) * WHOLE as f64) as u64);
    }

    /// Says something above it.
    pub(crate) fn say(&self, text: &str) {
        self.0.suspend(|| say(text));
    }

    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// What a full bar stands for.
const WHOLE: u64 = 1000;

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

    /// Forty columns, and what was written to them.
    #[derive(Clone, Debug, Default)]
    struct Screen(std::sync::Arc<Mutex<String>>);

    impl indicatif::TermLike for Screen {
        fn width(&self) -> u16 {
            40
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(&format!("{text}\n"))
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.write_str("\n")
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_state_is_one_line_that_fits_and_is_not_obeyed() {
        let screen = Screen::default();
        let state = StateLine::on(ProgressDrawTarget::term_like(Box::new(screen.clone())));
        state.show(0.5, &format!("frames\n2/3 \x1b[2J{}", "x".repeat(200)));
        let shown = screen.0.lock().unwrap().clone();
        assert!(shown.contains("=========>") && shown.contains("frames 2/3 \\x1b"), "{shown:?}");
        assert!(!shown.contains('\x1b') && shown.lines().all(|line| line.chars().count() <= 40), "{shown:?}");
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
