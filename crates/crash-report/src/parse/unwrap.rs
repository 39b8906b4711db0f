//! From a line of the file to the lines that were meant.
//!
//! A physical line can be a JSON record, HTML, an escaped string with a whole trace in it, or a trace whose line breaks
//! are lost. This is the order in which the decoders are asked; a line that none of them knows is passed on as it is.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3};
use serde_json::Value;

use super::classify::Line;
use super::decode::{html, json_string, markdown, one_line, terminal};
use super::event;
use crate::report::Place;

/// JSON longer than this is not read as JSON: its tree takes many times the memory of its text.
pub(crate) const MAX_JSON: usize = 2 << 20;

#[derive(Debug)]
pub(crate) enum Piece {
    Line(Line<'static>),
    /// A text of its own, from a string of a JSON record.
    Text(String),
    Events(event::Found),
}

/// What a line of the file was meant to be.
#[derive(Debug)]
pub(crate) enum Meant<'a> {
    /// Itself: nothing had to be undone but invisible characters.
    Line(Line<'a>),
    Pieces(Vec<Piece>),
}

/// The meaning of one line of the file, without its line end.
pub(crate) fn unwrap(raw: &[u8], place: Place) -> Meant<'_> {
    let raw = without_length(raw);
    let (text, lossy) = match std::str::from_utf8(raw) {
        Ok(text) => (Cow::Borrowed(text), false),
        Err(_) => (String::from_utf8_lossy(raw), true),
    };
    let text = without_returns(terminal::clean(text));
    if let Some(pieces) = json(&text, place) {
        return Meant::Pieces(pieces);
    }
    let mut lines = Vec::new();
    if decode(&text, &mut lines, 0) {
        let decoded = |text| Piece::Line(Line { text: Cow::Owned(text), place, lossy, decoded: true });
        return Meant::Pieces(lines.into_iter().map(decoded).collect());
    }
    Meant::Line(Line { text, place, lossy, decoded: false })
}

/// journald exports a message of several lines behind its length, a number of eight bytes.
fn without_length(raw: &[u8]) -> &[u8] {
    match raw {
        [_, _, _, _, 0, 0, 0, 0, rest @ ..] => rest,
        _ => raw,
    }
}

fn without_returns(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end_matches('\r')),
        Cow::Owned(mut text) => {
            text.truncate(text.trim_end_matches('\r').len());
            Cow::Owned(text)
        }
    }
}

/// A line with a JSON object in it that has an exception, or the text of a line.
fn json(text: &str, place: Place) -> Option<Vec<Piece>> {
    let end = text.trim_end_matches([' ', '\t', ',', ';', ']']);
    if !end.ends_with('}') || text.len() > MAX_JSON {
        return None;
    }
    let start = text.find("{\"").or_else(|| text.find("{ \""))?;
    let value: Value = serde_json::Deserializer::from_str(&text[start..]).into_iter().next()?.ok()?;
    Some(of_json(&value, place))
}

/// The pieces of a JSON value that is a line of a log.
fn of_json(value: &Value, place: Place) -> Vec<Piece> {
    let mut found = event::search(value, place);
    let mut pieces: Vec<Piece> = std::mem::take(&mut found.texts).into_iter().map(Piece::Text).collect();
    if pieces.is_empty() && found.traces.is_empty() {
        let text = event::wrapped_line(value).unwrap_or_default();
        let lines = text.split('\n').map(|l| terminal::clean(Cow::Borrowed(l.trim_end_matches('\r'))).into_owned());
        let decoded = |text| Piece::Line(Line { text: Cow::Owned(text), place, lossy: false, decoded: true });
        return lines.map(decoded).collect();
    }
    pieces.push(Piece::Events(found));
    pieces
}

/// Undoes one layer after the other; a layer may hide another one, but not for ever. False, and nothing in `out`, if there
/// is nothing to undo.
fn decode(text: &str, out: &mut Vec<String>, depth: usize) -> bool {
    const MAX_DEPTH: usize = 3;
    if let Some(lines) = layer(text).filter(|lines| depth < MAX_DEPTH && lines != &[text]) {
        for line in lines {
            if !decode(&line, out, depth + 1) {
                out.push(line);
            }
        }
        return true;
    }
    // A message may tell of a frame: what is in one line now was meant to be.
    let may_be_trace = memchr(b'(', text.as_bytes()).is_some() || text.trim_end().ends_with(" at");
    if let Some(lines) = may_be_trace.then(|| one_line::decode(text)).flatten() {
        out.extend(lines.iter().map(|line| markdown::decode(line).into_owned()));
        return true;
    }
    match markdown::decode(text) {
        Cow::Borrowed(_) => false,
        Cow::Owned(plain) => {
            out.push(plain);
            true
        }
    }
}

/// The lines that were meant. The decoders are asked only if the line has a character that they look for: most lines
/// of a log have none.
fn layer(text: &str) -> Option<Vec<String>> {
    let bytes = text.as_bytes();
    let escapes = || memchr3(b'\\', b'#', b'%', bytes).and_then(|_| json_string::decode(text));
    let fences = || memchr2(b'`', b'{', bytes).and_then(|_| markdown::after_fence(text));
    let tags = || memchr2(b'<', b'&', bytes).and_then(|_| html::decode(text));
    let returns = || memchr(b'\r', bytes).map(|_| text.split('\r').map(str::to_owned).collect());
    escapes().or_else(fences).or_else(tags).or_else(returns)
}
