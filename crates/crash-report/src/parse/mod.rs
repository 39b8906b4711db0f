//! Finds every trace in any text. No input makes this fail: what cannot be read is a problem with its place.
//!
//! The way of a text: [`input`] makes it UTF-8; [`scan`] skips what is of no trace, on a [`window`]; [`unwrap`] undoes JSON, HTML and other
//! wrapping of a line; [`driver`] and [`assemble`] put the lines of a trace together, told by [`classify`] what each line
//! is; [`tree`] builds the exceptions; [`collect`] keeps them within a bound of memory. What repeats itself is known again by
//! [`memo`]. JSON events go through [`event`], XML and Clojure's maps through [`structure`].

mod anchor;
mod assemble;
mod cell;
mod classify;
mod collect;
mod decode;
mod driver;
mod event;
mod frame;
mod guest;
mod head;
mod input;
mod memo;
mod open;
mod prefix;
mod scan;
mod spacing;
mod start;
mod structure;
mod tree;
mod unwrap;
mod window;

use std::io::{self, Read};

use crate::report::CrashReport;

/// Reads a text that is in memory.
pub fn parse(text: &[u8]) -> CrashReport {
    parse_reader(text).expect("reading from memory cannot fail")
}

/// Reads a stream. The only errors are those of the reader.
///
/// Memory does not grow with the stream: traces that differ are kept up to 16 MiB, the rest is counted, so that about 30
/// MB are used at most. JSON events are apart: while one is read, its tree takes some ten times its text. Text of more than
/// 2 MiB is not read as JSON, and a line of more than that is cut.
pub fn parse_reader(reader: impl Read) -> io::Result<CrashReport> {
    scan::scan(reader)
}
