//! Frames that are no method of a class file: those of a guest language, and those that a library adds to a stack to tell where
//! a step was asked for. Asked only about lines that are no frame of the usual form (see [`super::frame`]).

use super::frame;
use crate::report::Frame;

/// Reads such a frame at the beginning of the text; gives the rest of the text back.
pub(crate) fn read(text: &str) -> Option<(Frame, &str)> {
    of_language(text)
        .or_else(|| of_step(text))
        .or_else(|| of_script(text))
        .or_else(|| of_snippet(text))
        .or_else(|| of_function(text))
}

/// Truffle: `<js> place(order.js:3:10-24)`. The class and the line are those of the `StackTraceElement` that it makes of it.
fn of_language(text: &str) -> Option<(Frame, &str)> {
    let end = near(text, LONGEST_STEP).strip_prefix('<')?.find("> ")?;
    let (language, after) = (&text[1..end + 1], &text[end + 3..]);
    let (function, location, rest) = call(after)?;
    let is_id =
        |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !is_id(language) {
        return None;
    }
    let (file, line) = section(location);
    let file = (file != "Unknown").then(|| file.to_owned());
    let (class, method) = (format!("<{language}>"), function.to_owned());
    Some((Frame { class, method, file, line, ..Frame::default() }, rest))
}

/// Cats Effect: `map @ com.acme.Jobs.run(Jobs.scala:12)`, where an asynchronous step was made.
fn of_step(text: &str) -> Option<(Frame, &str)> {
    let end = near(text, LONGEST_STEP).find(" @ ")?;
    let (step, after) = (&text[..end], &text[end + 3..]);
    if step.is_empty() || step.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"')) {
        return None;
    }
    let (frame, rest) = frame::of_class(after)?;
    Some((Frame { class: format!("{step} @ {}", frame.class), ..frame }, rest))
}

/// Rhino's interpreter: `script(order.js:3)` is what stands outside of functions.
fn of_script(text: &str) -> Option<(Frame, &str)> {
    let (name, location, rest) = call(text)?;
    let (file, line) = section(location);
    let is_word = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let frame = Frame { class: name.into(), method: name.into(), file: Some(file.into()), line, ..Frame::default() };
    (is_word && line.is_some() && !file.contains(' ') && frame.script().is_some()).then_some((frame, rest))
}

/// JShell: `place (#3:1)`, and `(#3:1)` for what stands outside of methods, in the third snippet.
fn of_snippet(text: &str) -> Option<(Frame, &str)> {
    let open = near(text, LONGEST_STEP).find("(#")?;
    let close = open + near(&text[open..], LONGEST_STEP).find(')')?;
    let (snippet, line) = text[open + 1..close].split_once(':')?;
    let name = text[..open].trim_end();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    if !is_name || !is_number(&snippet[1..]) || !is_number(line) {
        return None;
    }
    let (class, method) = (snippet.to_owned(), if name.is_empty() { "<snippet>" } else { name }.to_owned());
    let frame = Frame { class, method, file: Some(snippet.to_owned()), line: line.parse().ok(), ..Frame::default() };
    Some((frame, &text[close + 1..]))
}

/// Clojure's `pst`: `acme.shop/place-order (shop.clj:12)`, a function as its source names it. The method is a guess: a function that
/// stands in another one is called by `invoke`, others by `invokeStatic`.
fn of_function(text: &str) -> Option<(Frame, &str)> {
    const LONGEST: usize = 512;
    let near = near(text, LONGEST);
    let open = near.find(" (")?;
    let close = open + near[open..].find(')')?;
    let (name, location, rest) = (&text[..open], &text[open + 2..close], &text[close + 1..]);
    let (file, line) = section(location);
    let (space, function) = name.split_once('/')?;
    let is_source = [".clj", ".cljc"].iter().any(|end| file.ends_with(end)) || file == "NO_SOURCE_FILE";
    // A sentence may name a function.
    if !rest.trim().is_empty()
        || !is_source
        || line.is_none()
        || function.is_empty()
        || name.contains(|c: char| c.is_whitespace() || c == '"')
    {
        return None;
    }
    let inner = function.contains('/');
    let class = format!("{}${}", munged(space), munged(function));
    let method = if inner { "invoke" } else { "invokeStatic" }.to_owned();
    Some((Frame { class, method, file: Some(file.to_owned()), line, ..Frame::default() }, rest))
}

/// The name that Clojure's compiler makes of one of the source.
fn munged(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' => out.push('_'),
            '/' => out.push('$'),
            '?' => out.push_str("_QMARK_"),
            '!' => out.push_str("_BANG_"),
            '*' => out.push_str("_STAR_"),
            '+' => out.push_str("_PLUS_"),
            '>' => out.push_str("_GT_"),
            '<' => out.push_str("_LT_"),
            '=' => out.push_str("_EQ_"),
            '&' => out.push_str("_AMPERSAND_"),
            '\'' => out.push_str("_SINGLEQUOTE_"),
            '%' => out.push_str("_PERCENT_"),
            '#' => out.push_str("_SHARP_"),
            c => out.push(c),
        }
    }
    out
}

/// The names of languages and of steps are short. This and the other bound keep the reading of a hostile line linear.
const LONGEST_STEP: usize = 64;

fn near(text: &str, longest: usize) -> &str {
    &text[..text.floor_char_boundary(longest)]
}

/// Splits `function(location)rest`.
fn call(text: &str) -> Option<(&str, &str, &str)> {
    const LONGEST: usize = 512;
    let near = near(text, LONGEST);
    let open = near.find('(')?;
    let close = open + near[open..].find(')')?;
    let function = &text[..open];
    (!function.is_empty() && !function.ends_with(' ')).then(|| (function, &text[open + 1..close], &text[close + 1..]))
}

/// The file and the line of `order.js:3:10-24`: columns are left out.
fn section(location: &str) -> (&str, Option<u32>) {
    let mut file = location;
    let mut line = None;
    for _ in 0..2 {
        let Some((before, numbers)) = file.rsplit_once(':') else { break };
        let first = numbers.split('-').next().unwrap_or(numbers);
        let Some(number) = first.parse().ok().filter(|_| numbers.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
        else {
            break;
        };
        (file, line) = (before, Some(number));
    }
    (file, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_no_methods() {
        for (text, shown) in [
            ("<js> place(order.js:3:10-24)", "<js>.place(order.js:3)"),
            ("<js> :program(Unnamed:2:39-49)", "<js>.:program(Unnamed:2)"),
            ("<python> run(Unknown)", "<python>.run(Unknown Source)"),
            ("<ruby> Object#run(a.rb:7)", "<ruby>.Object#run(a.rb:7)"),
            ("map @ com.acme.Jobs.run(Jobs.scala:12)", "map @ com.acme.Jobs.run(Jobs.scala:12)"),
            (">>= @ com.acme.Jobs$.run(Jobs.scala:12)", ">>= @ com.acme.Jobs$.run(Jobs.scala:12)"),
            ("script(order.js:3)", "script.script(order.js:3)"),
            ("place (#3:1)", "#3.place(#3:1)"),
            ("(#3:1)", "#3.<snippet>(#3:1)"),
            ("acme.shop/place-order! (shop.clj:12)", "acme.shop$place_order_BANG_.invokeStatic(shop.clj:12)"),
            ("acme.shop/place/fn--85 (shop.clj:12)", "acme.shop$place$fn__85.invoke(shop.clj:12)"),
        ] {
            let (frame, rest) = read(text).unwrap_or_else(|| panic!("no frame in {text}"));
            assert_eq!((frame.to_string().as_str(), rest), (shown, ""));
        }
        for text in ["<init> x", "<B> a(b)c", "we met @ noon (a.b:3)", "call(Foo.java:3)", "f (a.js:1)", "f(x:1)"] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
