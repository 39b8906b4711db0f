//! What the search starts from: constants of the code near the trace, what the message says, types that casts name.

use crate::config::Config;
use crate::{log_lines, reflected};
use analysis::Methods;
use objects::{Origin, Pool, Relevance};
use policy::Message;
use program::{ClassName, MethodRef, Program, Type};
use recipe::{JavaString, Text};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use target::{Binding, CrashTarget, FactValue, FrameRole, TargetFrame};

/// The pool for a crash; `before` is what the log says before its trace.
pub(crate) fn seeds(target: &CrashTarget, before: &str, methods: &Arc<Methods>, config: &Config) -> Pool {
    let program = methods.program();
    let trace = methods_of(target);
    let mut pool = Pool::general();
    if config.extras.relevance {
        pool.set_relevance(Arc::new(Relevance::of(Arc::clone(methods), &trace)));
    }
    pool.set_crash(target.exception);
    for (exception, message) in thrown_by_users(target, program) {
        pool.add_thrown(exception, message);
    }
    if config.extras.constants {
        objects::mine(methods, &trace, &mut pool);
    }
    if config.extras.message {
        let of_causes = target.causes.iter().flat_map(|cause| &cause.message_facts);
        target.message_facts.iter().chain(of_causes).for_each(|fact| add_fact(&mut pool, &fact.value));
        let of_causes = target.causes.iter().filter_map(|cause| cause.message.as_deref());
        let messages = target.message.as_deref().into_iter().chain(of_causes);
        // What the JVM itself says names the code, not its input.
        for message in messages.filter(|text| !text.starts_with("Cannot ")) {
            for text in quoted(message) {
                pool.add_stated(text);
                pool.add_string(&JavaString::new(text), Origin::Message);
                pool.add_document(&Text::plain(text), Origin::Message);
            }
            for word in telling_words(message) {
                pool.add_stated(word);
                pool.add_string(&JavaString::new(word), Origin::Trace);
            }
            let stated = numbers(message);
            for (at, number) in stated.iter().enumerate() {
                pool.add_count(*number);
                if !stated[..at].contains(number) {
                    pool.add_stated(&number.to_string());
                    pool.add_int(*number, Origin::Trace);
                }
            }
            if stated.len() > 1 {
                pool.add_numbers_in_order(stated);
            }
            let whole = whole_lines(message).chain(outermost(message));
            for text in whole.filter(|text| text.len() <= NUMBERS.longest) {
                (0..NUMBERS.whole).for_each(|_| pool.add_document(&Text::plain(text), Origin::Message));
            }
        }
        add_reflected(target, program, &mut pool);
        for key in log_lines::keys(before) {
            pool.add_string(&JavaString::new(key), Origin::Trace);
            if let Ok(number) = key.parse() {
                pool.add_int(number, Origin::Trace);
            }
        }
        for text in log_lines::inputs(before) {
            pool.add_string(&JavaString::new(text), Origin::Near);
            pool.add_document(&Text::plain(text), Origin::Near);
        }
    }
    pool
}

/// The causes that were thrown by code which is not on the class path, above frames that are: somebody's callback.
fn thrown_by_users<'a>(target: &'a CrashTarget, program: &Program) -> Vec<(ClassName, Option<&'a str>)> {
    let causes = target.causes.iter().map(|cause| (cause.exception, &cause.message, &cause.frames));
    let is_of_user = |frames: &[TargetFrame]| {
        let class = |frame: &TargetFrame| ClassName::from_dotted(&frame.frame.class);
        let mut written = frames.iter().filter(|frame| frame.role != FrameRole::Glue && !program.is_jdk(class(frame)));
        written.next().is_some_and(|frame| program.class(class(frame)).is_none())
            && written.any(|frame| matches!(frame.role, FrameRole::Application(_)))
    };
    let thrown = causes.filter(|(_, _, frames)| is_of_user(frames));
    thrown.map(|(exception, message, _)| (exception, message.as_deref())).collect()
}

/// What was called by reflection, as somebody may have written it.
fn add_reflected(target: &CrashTarget, program: &Program, pool: &mut Pool) {
    let of_causes = target.causes.iter().map(|cause| (&cause.frames, &cause.message));
    for (frames, message) in std::iter::once((&target.frames, &target.message)).chain(of_causes) {
        // What the JVM itself says has no arguments in it.
        let message = message.as_deref().filter(|text| !text.starts_with("Cannot ")).unwrap_or_default();
        for frame in reflected::called(frames) {
            pool.add_stated(&frame.method);
            pool.add_string(&JavaString::new(&frame.method), Origin::Trace);
            let class = ClassName::from_dotted(&frame.class);
            if program.class(class).is_none() {
                continue;
            }
            pool.add_type(Type::Class(class), Origin::Trace);
            for text in reflected::notations(&frame.method, &numbers(message)) {
                pool.add_string(&JavaString::new(&text), Origin::Message);
                pool.add_document(&Text::plain(&text), Origin::Message);
            }
        }
    }
}

fn add_fact(pool: &mut Pool, value: &FactValue) {
    match value {
        FactValue::Null => {}
        FactValue::Int(value) => pool.add_int(*value, Origin::Message),
        FactValue::Text(text) => pool.add_string(&JavaString::new(text), Origin::Message),
        FactValue::Class(class) => pool.add_type(Type::Class(*class), Origin::Message),
    }
}

/// Parts of a message that may be values or input of the program: what is in quotes, what is on a line of its own, what
/// follows a colon. A number in brackets behind a quoted statement is an error code.
fn quoted(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for quote in ['"', '\'', '`'] {
        found.extend(message.split(quote).skip(1).step_by(2));
    }
    found.extend(outermost(message));
    found.extend(whole_lines(message));
    found.extend(message.lines().next().and_then(|line| line.rsplit_once(": ")).map(|(_, end)| end.trim()));
    found.extend(bracketed(message));
    // Where the JVM says which modules two classes are in, it quotes no input.
    found.retain(|text| !text.is_empty() && text.len() <= NUMBERS.longest);
    found.retain(|text| !text.contains("Cannot invoke ") && !text.contains(" module "));
    found.dedup();
    found
}

/// What stands in brackets, which also quote: from the first bracket of a kind to the last, and without the number of a line
/// behind it (`{{ 5 / 0 }}:1`); and what is in the last ones.
fn bracketed(message: &str) -> impl Iterator<Item = &str> {
    let spans = [('(', ')'), ('[', ']'), ('<', '>')].into_iter().flat_map(|(open, close)| {
        let whole = message.split_once(open).and_then(|(_, rest)| rest.rsplit_once(close)).map(|(text, _)| text);
        let last = message.rsplit_once(open).and_then(|(_, rest)| rest.split_once(close)).map(|(text, _)| text);
        [whole, last.filter(|last| Some(*last) != whole)].into_iter().flatten().map(str::trim)
    });
    let without_line = |text: &'_ str| {
        let (before, line) = text.rsplit_once(':')?;
        (!line.is_empty() && line.chars().all(|c| c.is_ascii_digit())).then_some(before.len())
    };
    spans
        .flat_map(move |text| [Some(text), without_line(text).map(|end| &text[..end])])
        .flatten()
        .filter(|text| text.len() >= NUMBERS.shortest_in_brackets)
}

/// Words that look like values and not like prose: with a digit, a sign or a capital inside (`Asia/Tokyo`, `max-age`,
/// `userName`), or alone in brackets.
fn telling_words(message: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for piece in message.split_whitespace() {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '#' | '@' | '/' | '\\'));
        let is_bracketed = piece.starts_with(['(', '[', '<', '{']) && piece.ends_with([')', ']', '>', '}']);
        let inside = word.char_indices().skip(1);
        let has_sign = inside.clone().any(|(_, c)| c.is_ascii_digit() || c.is_uppercase() || is_joint(c));
        if word.chars().nth(1).is_some()
            && word.len() <= NUMBERS.longest_word
            && (is_bracketed || has_sign)
            && !found.contains(&word)
        {
            found.push(word);
            // The name of a file, and the line in it.
            found.extend(without_number(word).filter(|name| !found.contains(name)));
        }
    }
    found.truncate(NUMBERS.words);
    found
}

/// What is before a colon and a number.
fn without_number(word: &str) -> Option<&str> {
    let (name, number) = word.rsplit_once(':')?;
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    (is_number && name.ends_with(|c: char| c.is_alphabetic())).then_some(name)
}

fn is_joint(c: char) -> bool {
    matches!(c, '/' | '-' | '_' | '.' | ':' | '=' | '@' | '#' | '$' | '\\' | '*' | '+' | '%')
}

/// All whole numbers in their order, those of a date or a version one by one.
fn numbers(message: &str) -> Vec<i64> {
    let mut found: Vec<i64> = Vec::new();
    let mut at = 0;
    while let Some(start) = message[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
        let (before, digits) = message.split_at(start);
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        // A minus, unless it joins two words.
        let is_negative = before.strip_suffix('-').is_some_and(|before| !before.ends_with(char::is_alphanumeric));
        if let Ok(number) = digits[..length].parse::<i64>() {
            let number = if is_negative { -number } else { number };
            found.push(number);
        }
        at = start + length;
    }
    found.truncate(NUMBERS.numbers);
    found
}

const NUMBERS: Message = Message::STANDARD;

/// What is quoted may have quotes of its own: from the first one to the last.
fn outermost(message: &str) -> impl Iterator<Item = &str> {
    let spans = ['"', '\'', '`'].into_iter().filter_map(|quote| {
        let (before, rest) = message.split_once(quote)?;
        let (text, _) = rest.rsplit_once(quote)?;
        // An apostrophe, or the end of a first quoted text, opens nothing.
        let opens = |before: &str| !before.ends_with(char::is_alphanumeric);
        (opens(before) && text.find(quote).is_some_and(|at| opens(&text[..at]))).then_some(text)
    });
    spans.filter(|text| !text.contains("Cannot invoke "))
}

/// The lines after the first one, without the error code that may stand behind.
fn whole_lines(message: &str) -> impl Iterator<Item = &str> {
    let lines = message.lines().skip(1).map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| match line.rsplit_once(" [") {
        Some((statement, code)) if code.ends_with(']') => statement,
        _ => line,
    })
}

/// The methods that the frames are bound to, top first, and then those of the causes.
fn methods_of(target: &CrashTarget) -> Vec<MethodRef> {
    let frames = target.frames.iter().chain(target.causes.iter().flat_map(|cause| &cause.frames));
    let bound = frames.filter_map(|frame| match &frame.binding {
        Binding::Bound { candidates, .. } => Some(candidates),
        Binding::Unbound(_) | Binding::Unneeded => None,
    });
    let mut seen = FxHashSet::default();
    bound.flatten().map(|bound| bound.method).filter(|method| seen.insert(*method)).collect()
}

#[cfg(test)]
mod tests {
    use super::{numbers, quoted, telling_words};

    #[test]
    fn input_is_found_in_messages() {
        assert_eq!(quoted("For input string: \"80x\""), ["80x", "\"80x\""]);
        let nested = quoted("cannot parse (template: \"<p a=\"b\">x</p>\")");
        assert!(nested.contains(&"<p a=\"b\">x</p>"), "{nested:?}");
        assert!(!quoted("column \"A\" of table \"B\"").contains(&"A\" of table \"B"));
        assert!(!quoted("Can't find 'x'").contains(&"t find 'x"));
        let statement = "General error; SQL statement:\nSELECT 1 FROM T [50000-200]";
        assert!(quoted(statement).contains(&"SELECT 1 FROM T"));
        assert!(quoted("Unexpected end of file: a.xml").contains(&"a.xml"));
        assert!(quoted("Could not perform division ({{ 5 / 0 }}:1)").contains(&"{{ 5 / 0 }}"));
        assert!(quoted("in the 'gap' (or so): 02:30 (Europe/Berlin)").contains(&"Europe/Berlin"));
        assert!(quoted("Circular reference in [${a} --> ${b}]").contains(&"${a} --> ${b}"));
        assert!(quoted("").is_empty());
    }

    #[test]
    fn words_and_numbers_are_found_in_messages() {
        let late = "no rate for 2031-12-05T08:45 in zone Asia/Tokyo";
        assert_eq!(telling_words(late), ["2031-12-05T08:45", "Asia/Tokyo"]);
        assert_eq!(numbers(late), [2031, 12, 5, 8, 45]);
        assert_eq!(numbers("begin 0, end 3, length 0"), [0, 3, 0]);
        assert_eq!(telling_words("No property userName found in [x1] (alias)"), ["userName", "x1", "alias"]);
        assert_eq!(telling_words("may.csv:5 is bad"), ["may.csv:5", "may.csv"]);
        assert_eq!(telling_words("the key is missing"), Vec::<&str>::new());
        assert_eq!(numbers("offset -7, length 007, 99999999999999999999, a-1"), [-7, 7, 1]);
        assert_eq!(telling_words(""), Vec::<&str>::new());
    }
}
