//! Restores the lines of a trace that stands in one line: `a.BException: x at a.B.c(B.java:1) at a.B.d(B.java:2)`, also if that was
//! folded again into lines of another length.

use crate::parse::frame;
use crate::parse::head;
use crate::parse::prefix;

/// The lines, if there are several frames in the line, or one behind an exception.
pub(crate) fn decode(line: &str) -> Option<Vec<String>> {
    folded(line).or_else(|| listed(line)).or_else(|| printed(line))
}

/// A trace in one line that was folded again, behind the `at` of the next frame.
fn folded(line: &str) -> Option<Vec<String>> {
    let before = line.trim_end().strip_suffix(" at")?;
    let of_trace = frame::find(before).is_some() || head::read(before).is_some_and(|head| head.sure);
    of_trace.then(|| {
        let mut lines = printed(before).unwrap_or_else(|| vec![before.to_owned()]);
        lines.push("at".to_owned());
        lines
    })
}

/// What `Arrays.toString` makes of a stack, behind its exception: `a.BException: x [a.B.c(B.java:1), a.B.d(B.java:2)]`.
fn listed(line: &str) -> Option<Vec<String>> {
    const MOST_BRACKETS: usize = 8;
    let opened = line.match_indices('[').take(MOST_BRACKETS);
    let mut lists = opened.map(|(at, _)| (&line[..at], frames_of_list(&line[at + 1..])));
    let (before, frames) = lists.find(|(_, frames)| frames.len() >= 2)?;
    let named = head::read(before).is_some_and(|head| head.sure) || head::embedded(before).is_some();
    named.then(|| [vec![before.trim_end().to_owned()], frames].concat())
}

/// The frames of a list, as lines of a trace, up to what is no frame.
fn frames_of_list(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some((frame, after)) = frame::of_class(rest) {
        if frame.line.is_none() && !frame.native {
            break;
        }
        lines.push(format!("\tat {}", &rest[..rest.len() - after.len()]));
        let Some(next) = after.strip_prefix(", ") else { break };
        rest = next;
    }
    lines
}

/// A printed trace whose line breaks are lost.
fn printed(line: &str) -> Option<Vec<String>> {
    let mut ats = frame::at_words(line);
    let first = ats.next()?;
    // The common case: one frame that begins its line.
    if ats.next().is_none() && line[..first].trim_start().is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    let mut rest = line;
    let mut frames = 0;
    let mut separator = "";
    while let Some(found) = frame::find(rest).filter(|f| !f.bare) {
        let end = line.len() - rest.len() + found.prefix.len();
        let told = frames > 0 && frames + 1 == lines.len() && end < LONGEST_MESSAGE && is_of_message(found.prefix);
        frames += 1;
        if frames == 2 {
            separator = found.prefix.trim();
        }
        if told {
            // The frames so far are places that the message tells of.
            lines = vec![line[..end].trim_end().to_owned()];
            frames = 1;
        } else if frames == 1 || !is_separator(found.prefix.trim()) {
            split_labels(found.prefix, &mut lines);
        }
        let shown = rest[found.prefix.len()..rest.len() - found.rest.len()].trim_end();
        lines.push(format!("\t{shown}"));
        rest = found.rest;
    }
    split_labels(rest, &mut lines);
    for head in lines.iter_mut().filter(|_| is_separator(separator)) {
        head.truncate(head.strip_suffix(separator).unwrap_or(head).trim_end().len());
    }
    let named = || lines.first().is_some_and(|l| head::read(l).is_some_and(|h| h.sure) || head::embedded(l).is_some());
    // The line of a folded trace may begin with a frame whose `at` stands above.
    let folded = || lines.first().is_some_and(|line| frame::find(line).is_some_and(|found| found.bare));
    (frames >= 2 || (frames == 1 && (named() || folded()))).then_some(lines)
}

/// Was this put between lines in place of their ends? It stands behind the message, too, and is no part of it.
fn is_separator(text: &str) -> bool {
    (1..=3).contains(&text.len()) && !text.contains(|c: char| c.is_alphanumeric() || c == '.')
}

/// Is the text between two frames a part of the message? It is a sentence, and begins nothing.
fn is_of_message(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.bytes().all(|b| b.is_ascii_alphabetic())).count();
    let begins = LABELS.iter().any(|label| text.contains(label))
        || prefix::begins_record(text.trim_start())
        || head::embedded(text).is_some()
        || head::embedded_simple(text).is_some();
    words >= 2 && !begins
}

/// Longer messages are cut anyway.
const LONGEST_MESSAGE: usize = 16 << 10;

const LABELS: [&str; 4] = ["Caused by: ", "Suppressed: ", "Wrapped by: ", "... "];

/// Adds the text between two frames, with a new line before each label.
fn split_labels(text: &str, lines: &mut Vec<String>) {
    let mut rest = text.trim_end();
    // The prefix of the line stays as it is; further pieces lose the blanks between them.
    if !lines.is_empty() {
        rest = rest.trim_start();
    }
    while !rest.is_empty() {
        let next = LABELS
            .iter()
            .flat_map(|label| rest.match_indices(label).map(|(i, _)| i))
            .filter(|&i| i > 0 && rest[..i].ends_with([' ', '\t']))
            .chain(end_of_common(rest))
            .min()
            .unwrap_or(rest.len());
        lines.push(rest[..next].trim_end().to_owned());
        rest = rest[next..].trim_start();
    }
}

/// Where `... 12 more` or `... 12 common frames omitted` ends that the text begins with.
fn end_of_common(text: &str) -> Option<usize> {
    let count = text.strip_prefix("... ")?;
    let rest = count.trim_start_matches(|c: char| c.is_ascii_digit());
    let words = [" more ", " common frames omitted "].into_iter().find(|words| rest.starts_with(words))?;
    (rest.len() < count.len()).then(|| text.len() - rest.len() + words.len())
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn messages_that_tell_places_and_traces_behind_a_trace() {
        let lines =
            decode("a.BException: 1) no b at a.M.b(M.java:1) while locating a.B at a.C.d(C.java:2) at a.C.e(C.java:3)");
        let head = "a.BException: 1) no b at a.M.b(M.java:1) while locating a.B";
        assert_eq!(lines.expect("a trace"), [head, "\tat a.C.d(C.java:2)", "\tat a.C.e(C.java:3)"]);
        let lines = decode("a.B: x at a.C.d(C.java:2) ... 1 more --- a.EException: y at a.F.g(F.java:3)");
        let expected = ["a.B: x", "\tat a.C.d(C.java:2)", "... 1 more", "--- a.EException: y", "\tat a.F.g(F.java:3)"];
        assert_eq!(lines.expect("a trace"), expected);
    }

    #[test]
    fn folded_traces_and_lists_of_frames() {
        let decoded = |line: &str| decode(line).unwrap_or_default();
        assert_eq!(decoded("a.BException: x at"), ["a.BException: x", "at"]);
        assert_eq!(decoded("  a.B.c(B.java:1) at"), ["  a.B.c(B.java:1)", "at"]);
        assert_eq!(decoded("a.B.c(B.java:1) at a.B.d(B.java:2)"), ["a.B.c(B.java:1)", "\tat a.B.d(B.java:2)"]);
        assert_eq!(decoded("look at"), [""; 0]);
        let lines = decoded("[main] failed: a.BException: x [a.B.c(B.java:1), a.B.d(Native Method)]");
        assert_eq!(lines, ["[main] failed: a.BException: x", "\tat a.B.c(B.java:1)", "\tat a.B.d(Native Method)"]);
        for line in
            ["held by [a.B.c(B.java:1), a.B.d(B.java:2)]", "a.BException: x [a.B.c(B.java:1)]", "a.BException: [1]"]
        {
            assert_eq!(decoded(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn traces_in_one_line() {
        let lines = decode(
            "a.BException: x at a.B.c(B.java:1) ~[b:1] at a.B.d(B.java:2) Caused by: a.D at a.E.f(E.java:3) ... 1 more",
        );
        let expected = [
            "a.BException: x",
            "\tat a.B.c(B.java:1) ~[b:1]",
            "\tat a.B.d(B.java:2)",
            "Caused by: a.D",
            "\tat a.E.f(E.java:3)",
            "... 1 more",
        ];
        assert_eq!(lines.expect("a trace"), expected);
        let lines = decode("a.BException: x | at a.B.c(B.java:1) | at a.B.d(B.java:2)").expect("a trace");
        assert_eq!(lines[0], "a.BException: x");
        for line in ["\tat a.B.c(B.java:1)", "failed at a.B.c(B.java:1)", "look at this"] {
            assert_eq!(decode(line), None, "{line}");
        }
    }
}
