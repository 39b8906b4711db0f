//! Restores the lines of a trace that stands in one line: `a.BException: x at a.B.c(B.java:1) at a.B.d(B.java:2)`.

use crate::parse::frame;
use crate::parse::head;

/// The lines, if there are several frames in the line, or one behind an exception.
pub(crate) fn decode(line: &str) -> Option<Vec<String>> {
    let mut ats = frame::at_words(line);
    let first = ats.next()?;
    // The common case: one frame that begins its line.
    if ats.next().is_none() && line[..first].trim_start().is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    let mut rest = line;
    let mut frames = 0;
    while let Some(found) = frame::find(rest).filter(|f| !f.bare) {
        frames += 1;
        split_labels(found.prefix, &mut lines);
        let shown = rest[found.prefix.len()..rest.len() - found.rest.len()].trim_end();
        lines.push(format!("\t{shown}"));
        rest = found.rest;
    }
    split_labels(rest, &mut lines);
    let named = || lines.first().is_some_and(|l| head::read(l).is_some_and(|h| h.sure) || head::embedded(l).is_some());
    (frames >= 2 || (frames == 1 && named())).then_some(lines)
}

/// Adds the text between two frames, with a new line before each label.
fn split_labels(text: &str, lines: &mut Vec<String>) {
    const LABELS: [&str; 4] = ["Caused by: ", "Suppressed: ", "Wrapped by: ", "... "];
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
            .min()
            .unwrap_or(rest.len());
        lines.push(rest[..next].trim_end().to_owned());
        rest = rest[next..].trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

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
        for line in ["\tat a.B.c(B.java:1)", "failed at a.B.c(B.java:1)", "look at this"] {
            assert_eq!(decode(line), None, "{line}");
        }
    }
}
