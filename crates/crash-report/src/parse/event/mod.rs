//! Exceptions in JSON: as objects of an error tracker or a logger, and as printed traces inside strings.
//!
//! Input is one JSON value; it is searched through, so envelopes and wrappers around an event do not matter. Objects
//! become traces at once; strings that hold a trace are handed back, to be read like any text. What is JSON and what
//! is not is decided by [`super::unwrap`] and [`super::scan`].

mod object;
mod rollbar;
mod sentry;

use std::borrow::Cow;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::frame;
use super::head::Label;
use super::tree::{self, Block};
use crate::report::{Frame, Place, Problem, Trace, TraceSource};

/// What a JSON value has of exceptions.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) traces: Vec<Trace>,
    pub(crate) problems: Vec<Problem>,
    /// Strings of several lines with a frame in them.
    pub(crate) texts: Vec<String>,
}

/// Searches a value; all that is found has the place of the value.
pub(crate) fn search(value: &Value, place: Place) -> Found {
    let mut found = Found::default();
    walk(value, place, &mut found);
    found
}

/// The line of text that a record of a container runtime or a logger wraps: `{"log":"\tat a.B.c(B.java:1)\n",..}`.
pub(crate) fn wrapped_line(value: &Value) -> Option<Cow<'_, str>> {
    const KEYS: [&str; 9] =
        ["log", "message", "msg", "MESSAGE", "@message", "textPayload", "line", "short_message", "event"];
    let object = value.as_object()?;
    KEYS.iter().find_map(|key| match object.get(*key)? {
        Value::String(text) => Some(Cow::Borrowed(text.trim_end_matches(['\n', '\r']))),
        // journald writes a text with colours as a list of its bytes.
        Value::Array(items) => {
            let bytes: Vec<u8> = items.iter().map(|item| u8::try_from(item.as_u64()?).ok()).collect::<Option<_>>()?;
            Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
        }
        _ => None,
    })
}

fn walk(value: &Value, place: Place, found: &mut Found) {
    match value {
        Value::String(text) if holds_trace(text) => found.texts.push(text.clone()),
        Value::String(text) if holds_event(text) => {
            if let Ok(value) = serde_json::from_str(text) {
                walk(&value, place, found);
            }
        }
        Value::Array(items) => {
            match lines_of_trace(items).map(|lines| lines.join("\n")).or_else(|| records_of_trace(items)) {
                Some(text) => found.texts.push(text),
                None => items.iter().for_each(|item| walk(item, place, found)),
            }
        }
        Value::Object(object) => walk_object(object, place, found),
        _ => {}
    }
}

fn walk_object(object: &Map<String, Value>, place: Place, found: &mut Found) {
    if sentry::read(object, place, found) || rollbar::read(object, place, found) || object::read(object, place, found) {
        return;
    }
    if let Some(text) = object::printed(object) {
        found.texts.push(text);
        return;
    }
    for value in object.values() {
        walk(value, place, found);
    }
}

fn holds_trace(text: &str) -> bool {
    text.trim_end().contains('\n') && text.lines().any(|line| frame::find(line).is_some())
}

/// JSON as text inside of JSON.
fn holds_event(text: &str) -> bool {
    let text = text.trim();
    let tells = || ["tack", "xception", "at "].iter().any(|word| text.contains(word));
    text.starts_with(['{', '[']) && text.ends_with(['}', ']']) && tells()
}

/// A trace as a list of records, one for each of its lines, as consoles of clouds export them: often with the last line first.
fn records_of_trace(items: &[Value]) -> Option<String> {
    let mut lines: Vec<Cow<'_, str>> = items.iter().map(wrapped_line).collect::<Option<_>>()?;
    let of_trace = |line: &Cow<'_, str>| !line.contains('\n') && frame::find(line).is_some();
    if lines.iter().filter(|line| of_trace(line)).count() < 2 {
        return None;
    }
    let time = |item: &Value| string(item.as_object()?, &["timestamp", "@timestamp", "time"]).map(str::to_owned);
    if items.first().and_then(time) > items.last().and_then(time) {
        lines.reverse();
    }
    Some(lines.join("\n"))
}

/// A trace as a list of its lines, as in the thread dumps of `jcmd` and in logs of Elasticsearch.
fn lines_of_trace(items: &[Value]) -> Option<Vec<&str>> {
    let lines: Vec<&str> = items.iter().map(Value::as_str).collect::<Option<_>>()?;
    lines.iter().any(|line| frame::find(line).is_some()).then_some(lines)
}

/// An exception of an event, before the tree is built.
#[derive(Default)]
pub(crate) struct Exception {
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) common: usize,
    pub(crate) suppressed: Vec<Exception>,
    pub(crate) cause: Option<Box<Exception>>,
}

impl Exception {
    pub(crate) fn into_trace(self, source: TraceSource, thread: Option<String>, place: Place, found: &mut Found) {
        let mut blocks = Vec::new();
        self.flatten(Label::Top, 0, place, &mut blocks);
        let throwable = tree::build(blocks, &mut found.problems);
        found.traces.extend(throwable.map(|throwable| Trace { thread, throwable, place, source, count: 1 }));
    }

    /// The blocks that `printStackTrace` would print.
    fn flatten(self, label: Label, indent: usize, place: Place, blocks: &mut Vec<Block>) {
        blocks.push(Block {
            label,
            indent,
            class: self.class,
            message: self.message,
            frames: self.frames.into_iter().map(Rc::new).collect(),
            common: self.common,
            circular: false,
            place,
        });
        for suppressed in self.suppressed {
            suppressed.flatten(Label::Suppressed, indent + 1, place, blocks);
        }
        if let Some(cause) = self.cause {
            cause.flatten(Label::CausedBy, indent, place, blocks);
        }
    }

    /// Makes each exception the cause of the one before it.
    pub(crate) fn chain(exceptions: impl Iterator<Item = Exception>) -> Option<Exception> {
        let mut exceptions: Vec<Exception> = exceptions.take(tree::MAX_DEPTH).collect();
        exceptions.reverse();
        exceptions.into_iter().reduce(|cause, outer| Exception { cause: Some(Box::new(cause)), ..outer })
    }

    pub(crate) fn has_frames(&self) -> bool {
        !self.frames.is_empty()
            || self.suppressed.iter().any(Exception::has_frames)
            || self.cause.as_ref().is_some_and(|c| c.has_frames())
    }
}

fn string<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| object.get(*key)?.as_str()).filter(|text| !text.is_empty())
}

/// A line number as a number or as digits in a string; what is not positive says that there is none.
fn number(object: &Map<String, Value>, keys: &[&str]) -> Option<i64> {
    keys.iter().find_map(|key| match object.get(*key)? {
        Value::Number(n) => n.as_i64(),
        Value::String(s) => s.parse().ok(),
        _ => None,
    })
}

fn line(number: Option<i64>) -> Option<u32> {
    number.and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0)
}
