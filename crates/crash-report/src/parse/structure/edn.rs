//! Exceptions as Clojure prints them: `#error {:cause .. :via [{:type .. :message .. :at [..]} ..] :trace [[class method "file" 12] ..]}`.
//!
//! `:via` has the outermost exception first, each with the place that made it; `:trace` is the whole stack of the root cause.
//! The stack of an exception around it goes on where the root's is in the same method, if that is in it once.

use crate::parse::event::Exception;
use crate::report::Frame;

pub(super) fn has_trace(line: &str) -> bool {
    keyword(line, TRACE).is_some()
}

/// Does the list of exceptions begin in this line?
pub(super) fn opens(line: &str) -> bool {
    keyword(line, VIA).is_some()
}

/// Tells where the stack ends, line by line, so that no line is looked at twice.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    begun: bool,
    depth: usize,
    quoted: bool,
    escaped: bool,
}

impl Brackets {
    /// Takes the next line; true if the stack ends in it.
    pub(super) fn closes(&mut self, line: &str) -> bool {
        let from = match keyword(line, TRACE) {
            Some(at) if !self.begun => at + TRACE.len(),
            None if !self.begun => return false,
            _ => 0,
        };
        self.begun = true;
        line[from..].bytes().any(|b| self.byte(b))
    }

    fn byte(&mut self, b: u8) -> bool {
        match b {
            _ if std::mem::take(&mut self.escaped) => {}
            b'\\' => self.escaped = true,
            b'"' => self.quoted = !self.quoted,
            _ if self.quoted => {}
            b'[' | b'(' | b'{' => self.depth += 1,
            b']' | b')' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

pub(super) fn read(text: &str) -> Option<Exception> {
    let via = value_of(text, VIA)?;
    let trace = value_of(text, TRACE)?;
    let stack: Vec<Frame> = trace.items().iter().filter_map(frame).collect();
    let mut exceptions: Vec<Exception> = via.items().iter().filter_map(exception).collect();
    let root = exceptions.pop()?;
    for around in &mut exceptions {
        complete(around, &stack);
    }
    exceptions.push(Exception { frames: if stack.is_empty() { root.frames } else { stack }, ..root });
    Exception::chain(exceptions.into_iter())
}

const VIA: &str = ":via";
const TRACE: &str = ":trace";

/// Where the keyword stands in the text, as a word of its own.
fn keyword(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let begins = before.is_empty() || before.ends_with([' ', '\t', '\n', '{', ',']);
        begins && (after.is_empty() || after.starts_with([' ', '\t', '\n', '[']))
    })
}

fn value_of<'a>(text: &'a str, word: &str) -> Option<Value<'a>> {
    let at = keyword(text, word)?;
    Reader { text: &text[at + word.len()..], depth: 0 }.value()
}

/// Adds the frames that the exception shares with the stack of the root cause.
fn complete(exception: &mut Exception, stack: &[Frame]) {
    let Some(made) = exception.frames.first() else { return };
    let mut same = (0..stack.len()).filter(|&i| (&stack[i].class, &stack[i].method) == (&made.class, &made.method));
    if let (Some(only), None) = (same.next(), same.next()) {
        exception.frames.extend_from_slice(&stack[only + 1..]);
    }
}

fn exception(value: &Value<'_>) -> Option<Exception> {
    let class = value.get(":type")?.word()?.to_owned();
    let message = value.get(":message").and_then(Value::string);
    Some(Exception {
        class,
        message,
        frames: value.get(":at").and_then(frame).into_iter().collect(),
        ..Exception::default()
    })
}

/// `[class method "file" 12]`.
fn frame(value: &Value<'_>) -> Option<Frame> {
    let items = value.items();
    let line: Option<i64> = items.get(3).and_then(Value::word).and_then(|n| n.parse().ok());
    Some(Frame {
        class: items.first()?.word()?.to_owned(),
        method: items.get(1)?.word()?.to_owned(),
        file: items.get(2).and_then(Value::string),
        line: line.and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0),
        native: line == Some(-2),
        ..Frame::default()
    })
}

/// As much of a value as is asked about.
#[derive(Debug)]
enum Value<'a> {
    /// A symbol, a keyword, a number, ..
    Word(&'a str),
    /// As it is written, without its quotes.
    String(&'a str),
    /// A vector, a list, a set, or a map with keys and values one after the other.
    Items(Vec<Value<'a>>),
}

impl<'a> Value<'a> {
    fn items(&self) -> &[Value<'a>] {
        if let Value::Items(items) = self { items } else { &[] }
    }

    fn word(&self) -> Option<&'a str> {
        if let Value::Word(word) = self { Some(word) } else { None }
    }

    fn string(&self) -> Option<String> {
        let Value::String(text) = self else { return None };
        let mut out = String::with_capacity(text.len());
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            out.push(match c {
                '\\' => match chars.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some(other) => other,
                    None => '\\',
                },
                c => c,
            });
        }
        Some(out)
    }

    /// The value of this key of a map.
    fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.items().chunks_exact(2).find(|pair| pair[0].word() == Some(key)).map(|pair| &pair[1])
    }
}

/// Reads values; at the end of a text that is cut off, what is open is closed.
struct Reader<'a> {
    text: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    const DEEPEST: usize = 64;

    fn value(&mut self) -> Option<Value<'a>> {
        loop {
            self.text = self.text.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            match self.text.chars().next()? {
                '[' | '(' | '{' => return self.items(1),
                '"' => return Some(self.quoted(1)),
                '#' if self.text.starts_with("#{") => return self.items(2),
                '#' if self.text.starts_with("#\"") => return Some(self.quoted(2)),
                // A tag: its value is what counts.
                '#' => drop(self.take_word(1)),
                ']' | ')' | '}' => return None,
                '\\' => return Some(self.take_word(1 + self.text[1..].chars().next().map_or(0, char::len_utf8))),
                c => return Some(self.take_word(c.len_utf8())),
            }
        }
    }

    fn items(&mut self, bracket: usize) -> Option<Value<'a>> {
        if self.depth >= Reader::DEEPEST {
            self.text = "";
            return None;
        }
        self.depth += 1;
        self.text = &self.text[bracket..];
        let items = std::iter::from_fn(|| self.value()).collect();
        self.depth -= 1;
        if let Some(closing) = self.text.chars().next() {
            self.text = &self.text[closing.len_utf8()..];
        }
        Some(Value::Items(items))
    }

    fn quoted(&mut self, quote: usize) -> Value<'a> {
        let text = &self.text[quote..];
        let mut escaped = false;
        let end = text.bytes().position(|b| {
            let ends = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            ends
        });
        self.text = end.map_or("", |end| &text[end + 1..]);
        Value::String(&text[..end.unwrap_or(text.len())])
    }

    /// A word of at least this many bytes.
    fn take_word(&mut self, least: usize) -> Value<'a> {
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '(' | ')' | '{' | '}' | '"');
        let end = self.text[least..].find(ends).map_or(self.text.len(), |end| least + end);
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        Value::Word(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = r#"#error {:cause "no \"b\""
 :via [{:type a.OuterException :message "x" :data {:k #{1 2} :c \] :o #object[a.B 0x1 "a.B@1"]} :at [a.b$f invoke "b.clj" 9]}
       {:type a.InnerError, :message "no \"b\"" :at [a.c$g invoke "c.clj" 3]}]
 :trace [[a.c$g invoke "c.clj" 3] [a.b$f invoke "b.clj" 7] [java.lang.Thread run nil -2]]}"#;

    #[test]
    fn maps_with_causes() {
        assert!(opens(MAP) && Brackets::default().closes(MAP));
        let outer = read(MAP).expect("an exception");
        let shown: Vec<String> = outer.frames.iter().map(Frame::to_string).collect();
        assert_eq!(shown, ["a.b$f.invoke(b.clj:9)", "java.lang.Thread.run(Native Method)"]);
        let inner = outer.cause.expect("a cause");
        assert_eq!((inner.class.as_str(), inner.message.as_deref()), ("a.InnerError", Some("no \"b\"")));
        assert_eq!(inner.frames.len(), 3);
    }

    #[test]
    fn what_is_cut_off_gives_what_is_there() {
        for end in 0..MAP.len() {
            let text = &MAP[..end];
            assert!(!Brackets::default().closes(text) || end == MAP.len() - 1, "{text}");
            drop(read(text));
        }
    }

    #[test]
    fn words_that_only_contain_the_keys() {
        for line in ["level:trace", "{:tracer 1}", "a:trace []", ":traced"] {
            assert!(!has_trace(line), "{line}");
        }
    }
}
