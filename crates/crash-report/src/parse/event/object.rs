//! Exceptions as objects of any other maker: log4j2's JSON layout, Elastic APM, Bugsnag, Application Insights, X-Ray, Airbrake,
//! Quarkus, a `Throwable` written by Jackson, ..
//!
//! They agree on the idea and differ in the names of keys, so an exception is any object with a list of frames, and a
//! frame is any object with a class and a method. Frames have the newest call first.

use serde_json::{Map, Value};

use super::{Exception, Found, line, number, string};
use crate::parse::frame;
use crate::report::{Frame, Jar, Module, Place, TraceSource};

const STACKS: [&str; 9] = [
    "stackTrace",
    "stacktrace",
    "extendedStackTrace",
    "frames",
    "stack_trace",
    "stack",
    "stackFrames",
    "backtrace",
    "parsedStack",
];

const CAUSES: [&str; 5] = ["cause", "causedBy", "caused_by", "innerError", "causes"];

/// Lists in which each exception is the cause of the one before.
const CHAINS: [&str; 2] = ["exceptions", "errors"];

/// Reads an exception and its causes; false if the object is none.
pub(super) fn read(object: &Map<String, Value>, place: Place, found: &mut Found) -> bool {
    let read = exception(object, 0).or_else(|| CHAINS.iter().find_map(|key| chain(object.get(*key)?)));
    let Some(exception) = read.filter(Exception::has_frames) else { return false };
    exception.into_trace(TraceSource::Json, None, place, found);
    true
}

/// The exceptions of a list, all of which have frames.
fn chain(value: &Value) -> Option<Exception> {
    let items = value.as_array()?.iter();
    let all: Option<Vec<Exception>> = items.map(|item| exception(item.as_object()?, 0)).collect();
    Exception::chain(all?.into_iter())
}

/// A stack as a list of strings, with its exception or its thread, as the text that would be printed.
pub(super) fn printed(object: &Map<String, Value>) -> Option<String> {
    let frames = STACKS.iter().find_map(|key| super::lines_of_trace(object.get(*key)?.as_array()?))?;
    // Elasticsearch lists all lines of the trace, the head too.
    if frame::find(frames[0]).is_none() {
        return Some(frames.join("\n"));
    }
    let head = match (class(object), string(object, &["message", "msg", "errorMessage", "error.message"])) {
        _ if object.contains_key("tid") || object.contains_key("threadId") => {
            format!("\"{}\" prio=0", string(object, &["name", "threadName"]).unwrap_or(""))
        }
        (Some(class), Some(message)) => format!("{class}: {message}"),
        (class, _) => class.unwrap_or("").to_owned(),
    };
    let mut text = std::iter::once(head.as_str()).chain(frames).collect::<Vec<_>>().join("\n");
    if let Some(cause) = CAUSES.iter().find_map(|key| printed(object.get(*key)?.as_object()?)) {
        text.push_str("\nCaused by: ");
        text.push_str(&cause);
    }
    Some(text)
}

fn class(object: &Map<String, Value>) -> Option<&str> {
    string(
        object,
        &[
            "type",
            "typeName",
            "exceptionType",
            "errorType",
            "errorClass",
            "exceptionClass",
            "class",
            "className",
            "name",
            "@class",
            "error.class",
            "error.type",
            "exception",
        ],
    )
}

fn exception(object: &Map<String, Value>, depth: usize) -> Option<Exception> {
    let frames = STACKS.iter().find_map(|key| stack(object.get(*key)?));
    let class = class(object);
    if depth > super::tree::MAX_DEPTH || (frames.is_none() && (depth == 0 || class.is_none())) {
        return None;
    }
    let nested = |value: &Value| inner(value, depth + 1);
    let suppressed = ["suppressed", "suppressedExceptions"].iter().find_map(|key| object.get(*key)?.as_array());
    Some(Exception {
        class: class.unwrap_or_default().to_owned(),
        message: string(object, &["message", "detailMessage", "localizedMessage", "value", "msg", "errorMessage"])
            .map(|message| without_class(message, class.unwrap_or_default()).to_owned()),
        frames: frames.unwrap_or_default(),
        common: number(object, &["commonElementCount", "framesInCommon"])
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(0),
        suppressed: suppressed.into_iter().flatten().filter_map(nested).collect(),
        cause: CAUSES.iter().find_map(|key| nested(object.get(*key)?)).map(Box::new),
    })
}

/// Raygun sets the name of the class before the message.
fn without_class<'a>(message: &'a str, class: &str) -> &'a str {
    let simple = class.rsplit('.').next().filter(|simple| !simple.is_empty());
    simple.and_then(|simple| message.strip_prefix(simple)?.strip_prefix(": ")).unwrap_or(message)
}

/// A cause as an object, as a list of it and its own causes, or one object deeper (`{"exception": {..}}`).
fn inner(value: &Value, depth: usize) -> Option<Exception> {
    match value {
        Value::Object(object) => {
            exception(object, depth).or_else(|| exception(object.get("exception")?.as_object()?, depth))
        }
        Value::Array(items) => Exception::chain(items.iter().map_while(|item| inner(item, depth))),
        _ => None,
    }
}

/// A list of frames, or an object with one. `None` if nothing in it is a frame.
fn stack(value: &Value) -> Option<Vec<Frame>> {
    let items = value.as_array().or_else(|| value.get("frames")?.as_array())?;
    let frames: Vec<Frame> = items.iter().filter_map(|item| element(item.as_object()?)).collect();
    (!frames.is_empty() && frames.len() * 2 >= items.len()).then_some(frames)
}

fn element(object: &Map<String, Value>) -> Option<Frame> {
    let method = string(object, &["method", "methodName", "function", "method_name", "label"])?;
    let class = string(object, &["class", "className", "classname", "class_name", "declaringClass", "module"]);
    let (class, method) = match class {
        Some(class) => (class, method),
        // Bugsnag and others have both in one.
        None => method.rsplit_once('.')?,
    };
    let number = number(object, &["line", "lineNumber", "lineno", "line_number", "number"]);
    let known = |key: &str| string(object, &[key]).filter(|s| *s != "?" && *s != "na").map(str::to_owned);
    let jar = object.contains_key("location").then(|| Jar {
        name: known("location"),
        version: known("version"),
        exact: object.get("exact").and_then(Value::as_bool).unwrap_or(false),
    });
    Some(Frame {
        class: class.to_owned(),
        method: method.to_owned(),
        file: string(object, &["file", "fileName", "filename", "file_name", "path"]).map(str::to_owned),
        line: line(number),
        native: number == Some(-2) || object.get("nativeMethod").and_then(Value::as_bool) == Some(true),
        module: known("moduleName").map(|name| Module { name, version: known("moduleVersion") }),
        loader: known("classLoaderName"),
        jar,
    })
}
