//! Rollbar items: `body.trace` or `body.trace_chain`; the chain has the outermost exception first, frames have the
//! oldest call first.

use serde_json::{Map, Value};

use super::{Exception, Found, line, number, string};
use crate::report::{Frame, Place, TraceSource};

/// Reads the body of an item; false if the object is none.
pub(super) fn read(body: &Map<String, Value>, place: Place, found: &mut Found) -> bool {
    let traces: Vec<&Value> = match (body.get("trace_chain").and_then(Value::as_array), body.get("trace")) {
        (Some(chain), _) => chain.iter().collect(),
        (None, Some(trace)) => vec![trace],
        (None, None) => return false,
    };
    if !traces.iter().any(|trace| is_trace(trace)) {
        return false;
    }
    match Exception::chain(traces.into_iter().map(exception)).filter(Exception::has_frames) {
        Some(exception) => {
            exception.into_trace(TraceSource::Rollbar, None, place, found);
            true
        }
        None => false,
    }
}

fn is_trace(value: &Value) -> bool {
    value.get("exception").is_some_and(Value::is_object) && value.get("frames").is_some_and(Value::is_array)
}

fn exception(trace: &Value) -> Exception {
    let named = trace.get("exception").and_then(Value::as_object);
    let text = |keys: &[&str]| named.and_then(|e| string(e, keys)).map(str::to_owned);
    let frames = trace.get("frames").and_then(Value::as_array);
    Exception {
        class: text(&["class"]).unwrap_or_default(),
        message: text(&["message", "description"]),
        frames: frames.into_iter().flatten().rev().filter_map(|f| frame(f.as_object()?)).collect(),
        ..Exception::default()
    }
}

fn frame(object: &Map<String, Value>) -> Option<Frame> {
    let number = number(object, &["lineno"]);
    Some(Frame {
        class: string(object, &["class_name"])?.to_owned(),
        method: string(object, &["method"])?.to_owned(),
        file: string(object, &["filename"]).map(str::to_owned),
        line: line(number),
        native: number == Some(-2),
        ..Frame::default()
    })
}
