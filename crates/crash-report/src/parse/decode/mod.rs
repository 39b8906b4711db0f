//! Undoes what carries a trace: JSON strings, HTML, Markdown, terminal colours, lost line breaks.
//!
//! Each module turns one line into the line or lines that were meant, or says that there is nothing to undo. None of
//! them knows what a trace is beyond the look of a frame.

pub(crate) mod html;
pub(crate) mod json_string;
pub(crate) mod markdown;
pub(crate) mod one_line;
pub(crate) mod terminal;
