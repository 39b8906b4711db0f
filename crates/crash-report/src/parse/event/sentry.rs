//! Sentry events: `exception.values` has the root cause first and the outermost exception last; frames have the
//! oldest call first. An event without an exception may still have the stacks of threads.

use serde_json::{Map, Value};

use super::{Exception, Found, line, number, string};
use crate::report::{Frame, Place, TraceSource};

/// Reads an event; false if the object is none.
pub(super) fn read(event: &Map<String, Value>, place: Place, found: &mut Found) -> bool {
    let exceptions = event.get("exception").and_then(values).filter(|v| v.iter().any(has_frames));
    let threads = event.get("threads").and_then(values).filter(|v| v.iter().any(has_frames));
    match (exceptions, threads) {
        (Some(values), _) => {
            let thread = values.last().and_then(|outermost| thread_name(event, outermost));
            if let Some(exception) = by_parents(values).or_else(|| Exception::chain(values.iter().rev().map(exception)))
            {
                exception.into_trace(TraceSource::Sentry, thread, place, found);
            }
            true
        }
        (None, Some(threads)) => {
            for thread in threads.iter().filter(|t| has_frames(t)) {
                let name = thread.get("name").and_then(Value::as_str).map(str::to_owned);
                let stack = Exception { frames: frames(thread), ..Exception::default() };
                stack.into_trace(TraceSource::ThreadDump, name, place, found);
            }
            true
        }
        (None, None) => false,
    }
}

/// `{"values": [..]}` or, in old events, the list itself.
fn values(value: &Value) -> Option<&Vec<Value>> {
    value.get("values").unwrap_or(value).as_array()
}

fn has_frames(value: &Value) -> bool {
    let frames = value.pointer("/stacktrace/frames").and_then(Value::as_array);
    frames.is_some_and(|frames| frames.iter().any(|f| f.get("module").is_some_and(Value::is_string)))
}

fn exception(value: &Value) -> Exception {
    let Some(object) = value.as_object() else { return Exception::default() };
    let class = match (string(object, &["module"]), string(object, &["type"])) {
        (Some(package), Some(name)) if !name.contains('.') => format!("{package}.{name}"),
        (_, name) => name.unwrap_or_default().to_owned(),
    };
    let message = object.get("value").and_then(Value::as_str).map(str::to_owned);
    Exception { class, message, frames: frames(value), ..Exception::default() }
}

fn frames(value: &Value) -> Vec<Frame> {
    let frames = value.pointer("/stacktrace/frames").and_then(Value::as_array);
    frames.into_iter().flatten().rev().filter_map(|f| frame(f.as_object()?)).collect()
}

fn frame(object: &Map<String, Value>) -> Option<Frame> {
    let native = object.get("native").and_then(Value::as_bool).unwrap_or(false);
    Some(Frame {
        class: string(object, &["module"])?.to_owned(),
        method: string(object, &["function"])?.to_owned(),
        file: string(object, &["filename"]).filter(|_| !native).map(str::to_owned),
        line: line(number(object, &["lineno"])).filter(|_| !native),
        native,
        ..Frame::default()
    })
}

/// Newer events say which exception belongs to which; this is the only way to tell suppressed ones from causes.
fn by_parents(values: &[Value]) -> Option<Exception> {
    if values.len() > super::tree::MAX_DEPTH {
        return None;
    }
    let id = |v: &Value| v.pointer("/mechanism/exception_id").and_then(Value::as_i64);
    let parent = |v: &Value| v.pointer("/mechanism/parent_id").and_then(Value::as_i64);
    let ids: Vec<i64> = values.iter().map(id).collect::<Option<_>>()?;
    let root = values.iter().position(|v| parent(v).is_none())?;
    // A parent always has the smaller number; anything else could be a loop.
    let ordered = values.iter().zip(&ids).all(|(v, id)| parent(v).is_none_or(|p| p < *id));
    ordered.then(|| with_children(values, &ids, root, 0))
}

fn with_children(values: &[Value], ids: &[i64], at: usize, depth: usize) -> Exception {
    let mut out = exception(&values[at]);
    if depth >= super::tree::MAX_DEPTH {
        return out;
    }
    for (child, value) in values.iter().enumerate() {
        if value.pointer("/mechanism/parent_id").and_then(Value::as_i64) != Some(ids[at]) || child == at {
            continue;
        }
        let suppressed = ["type", "source"].iter().any(|key| {
            let text = value["mechanism"][*key].as_str();
            text.is_some_and(|t| t.starts_with("suppressed"))
        });
        let exception = with_children(values, ids, child, depth + 1);
        if suppressed || out.cause.is_some() {
            out.suppressed.push(exception);
        } else {
            out.cause = Some(Box::new(exception));
        }
    }
    out
}

fn thread_name(event: &Map<String, Value>, exception: &Value) -> Option<String> {
    let id = exception.get("thread_id").filter(|id| !id.is_null())?;
    let threads = values(event.get("threads")?)?;
    let thread = threads.iter().find(|t| t.get("id") == Some(id))?;
    thread.get("name").and_then(Value::as_str).map(str::to_owned)
}
