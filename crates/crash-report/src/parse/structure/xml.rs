//! Exceptions in XML: `<frame><class>..</class><method>..` of java.util.logging, and frames with attributes, as log4j2 and the
//! faults of JAX-WS have them.
//!
//! Entities are undone before the text comes here, so the text of a leaf goes up to its closing tag, whatever stands in it.

use crate::parse::event::Exception;
use crate::parse::head;
use crate::report::{Frame, Jar};

/// The names of elements that are an exception, in small letters and without their name space.
const EXCEPTIONS: [&str; 4] = ["exception", "thrown", "cause", "throwable"];

pub(super) fn has_frame(line: &str) -> bool {
    line.contains("<frame>") || line.contains(":frame class=") || line.contains("TraceItem class=")
}

/// Does an exception begin in this line?
pub(super) fn opens(line: &str) -> bool {
    tags(line).any(|tag| !tag.closing && is_outermost(&tag.name))
}

/// Does this line close an exception?
pub(super) fn closes(line: &str) -> bool {
    line.contains("</") && tags(line).any(|tag| tag.closing && is_outermost(&tag.name))
}

fn is_outermost(name: &str) -> bool {
    name != "cause" && EXCEPTIONS.contains(&name)
}

/// The exceptions of the text, each with its causes.
pub(super) fn read(text: &str) -> Vec<Exception> {
    let mut reader = Reader::default();
    let mut rest = text;
    while let Some(tag) = tags(rest).next() {
        rest = &rest[tag.end..];
        if tag.closing {
            reader.close(&tag.name);
            continue;
        }
        if is_leaf(&tag.name)
            && let Some(inner) = rest[..rest.floor_char_boundary(LONGEST_LEAF)].find("</").map(|end| &rest[..end])
        {
            reader.leaf(&tag.name, inner.trim());
            rest = &rest[inner.len()..];
            continue;
        }
        reader.open(&tag);
    }
    while !reader.open.is_empty() {
        reader.end_exception();
    }
    reader.done
}

/// Messages that are longer are cut anyway.
const LONGEST_LEAF: usize = 16 << 10;

fn is_leaf(name: &str) -> bool {
    matches!(name, "message" | "class" | "method" | "line" | "file")
}

#[derive(Default)]
struct Reader {
    /// From the outermost on.
    open: Vec<Exception>,
    frame: Option<Frame>,
    done: Vec<Exception>,
}

impl Reader {
    /// Exceptions nested more deeply are left out.
    const DEEPEST: usize = 64;

    fn open(&mut self, tag: &Tag<'_>) {
        if EXCEPTIONS.contains(&tag.name.as_str()) && self.open.len() < Reader::DEEPEST {
            let number = tag.value("commonElementCount").and_then(|n| n.parse().ok());
            self.open.push(Exception {
                class: tag.value("name").or(tag.value("class")).unwrap_or_default().to_owned(),
                message: tag.value("message").map(str::to_owned),
                common: number.unwrap_or(0),
                ..Exception::default()
            });
        } else if tag.name == "frame" || tag.name.ends_with("item") {
            self.frame = Some(frame_of(tag));
            if tag.empty {
                self.end_frame();
            }
        }
    }

    fn leaf(&mut self, name: &str, text: &str) {
        match (&mut self.frame, name) {
            (Some(frame), "class") => text.clone_into(&mut frame.class),
            (Some(frame), "method") => text.clone_into(&mut frame.method),
            (Some(frame), "file") => frame.file = Some(text.to_owned()),
            (Some(frame), "line") => set_line(frame, text),
            (None, "message") => self.message(text),
            _ => {}
        }
    }

    /// java.util.logging writes what `toString` says; others have named the class already.
    fn message(&mut self, text: &str) {
        let Some(exception) = self.open.last_mut() else { return };
        match head::read(text).filter(|_| exception.class.is_empty()) {
            Some(head) => (exception.class, exception.message) = (head.class, head.message),
            None => exception.message = Some(text.to_owned()),
        }
    }

    fn close(&mut self, name: &str) {
        if name == "frame" {
            self.end_frame();
        } else if EXCEPTIONS.contains(&name) {
            self.end_exception();
        }
    }

    fn end_frame(&mut self) {
        if let (Some(frame), Some(exception)) = (self.frame.take(), self.open.last_mut())
            && !frame.class.is_empty()
            && !frame.method.is_empty()
        {
            exception.frames.push(frame);
        }
    }

    fn end_exception(&mut self) {
        let Some(exception) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(around) => around.cause = Some(Box::new(exception)),
            None => self.done.push(exception),
        }
    }
}

fn frame_of(tag: &Tag<'_>) -> Frame {
    let owned = |name: &str| tag.value(name).map(str::to_owned);
    let known = |name: &str| tag.value(name).filter(|v| !matches!(*v, "?" | "na" | "")).map(str::to_owned);
    let jar = tag.value("location").map(|_| Jar {
        name: known("location"),
        version: known("version"),
        exact: tag.value("exact") == Some("true"),
    });
    let mut frame = Frame {
        class: owned("class").unwrap_or_default(),
        method: owned("method").unwrap_or_default(),
        file: owned("file"),
        jar,
        ..Frame::default()
    };
    set_line(&mut frame, tag.value("line").unwrap_or_default());
    frame
}

fn set_line(frame: &mut Frame, text: &str) {
    let number: Option<i64> = text.parse().ok();
    frame.line = number.and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
    frame.native = number == Some(-2) || text == "native";
}

struct Tag<'a> {
    /// In small letters, without the name space.
    name: String,
    /// What stands behind the name.
    attributes: &'a str,
    closing: bool,
    /// It closes itself.
    empty: bool,
    /// Where the tag ends in the text.
    end: usize,
}

impl Tag<'_> {
    /// The value of an attribute.
    fn value(&self, name: &str) -> Option<&str> {
        let (at, _) = self.attributes.match_indices(name).find(|(at, _)| {
            self.attributes[..*at].ends_with(char::is_whitespace)
                && self.attributes[at + name.len()..].starts_with(['=', ' '])
        })?;
        let rest = self.attributes[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        rest[1..].split(quote).next()
    }
}

fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    memchr::memchr_iter(b'<', text.as_bytes()).filter_map(|start| {
        let inner = &text[start + 1..];
        let closing = inner.starts_with('/');
        let inner = &inner[usize::from(closing)..];
        let name_end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '-')))?;
        let name = &inner[..name_end];
        let close = end_of_tag(&inner[name_end..])?;
        let attributes = &inner[name_end..name_end + close];
        (!name.is_empty()).then(|| Tag {
            name: name.rsplit(':').next().unwrap_or(name).to_ascii_lowercase(),
            attributes: attributes.trim_end_matches('/'),
            closing,
            empty: attributes.ends_with('/'),
            end: start + 1 + usize::from(closing) + name_end + close + 1,
        })
    })
}

/// Where the `>` is that ends a tag, quoted ones apart.
fn end_of_tag(text: &str) -> Option<usize> {
    const LONGEST: usize = 2048;
    let mut quote = None;
    for (i, b) in text.bytes().enumerate().take(LONGEST) {
        match (quote, b) {
            (None, b'>') => return Some(i),
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(q), b) if q == b => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_as_elements_and_as_attributes() {
        let of_logging = "<exception><message>a.BException: <x> & y</message><frame><class>a.B</class>\
                          <method><init></method><line>3</line></frame></exception>";
        let of_fault = "<n:exception class='a.BException' note=\"1 > 0\"><message>no</message><n:frame class='a.B' \
                        line='native' method='c'/><n:cause class='a.DError'></n:cause></n:exception>";
        let read = |text: &str| {
            assert!(has_frame(text) && opens(text) && closes(text), "{text}");
            let exceptions = read(text);
            let shown = |e: &Exception| format!("{}|{:?}|{}", e.class, e.message, e.frames[0]);
            (exceptions.iter().map(shown).collect::<Vec<_>>(), exceptions[0].cause.is_some())
        };
        assert_eq!(
            read(of_logging),
            (vec!["a.BException|Some(\"<x> & y\")|a.B.<init>(Unknown Source:3)".into()], false)
        );
        assert_eq!(read(of_fault), (vec!["a.BException|Some(\"no\")|a.B.c(Native Method)".into()], true));
    }

    #[test]
    fn what_is_cut_off_gives_what_is_there() {
        let whole =
            "<exception><message>a.B: x</message><frame><class>a.B</class><method>c</method></frame></exception>";
        for end in 0..whole.len() {
            let frames: usize = read(&whole[..end]).iter().map(|e| e.frames.len()).sum();
            assert!(frames <= 1, "{}", &whole[..end]);
        }
    }
}
