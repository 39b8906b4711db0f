//! What a written test says about itself: what it throws, and what of that is not as in the log.

use crate::judge::Judgement;
use crate::verdict::Unreachable;
use crash_report::Throwable;
use crash_report::compare::{Difference, MessageMatch};
use junit::ExpectedFrame;

/// Above a test that no JVM has tried yet.
pub(crate) fn untried(crash: &Throwable, frames: &[ExpectedFrame]) -> Vec<String> {
    let mut lines = vec![format!("Meant to reproduce {}", headline(crash))];
    lines.extend(place(frames));
    lines
}

/// Above a test that fresh JVMs ran.
pub(crate) fn tried(crash: &Throwable, frames: &[ExpectedFrame], judgement: &Judgement) -> Vec<String> {
    let differences = differences(crash, judgement);
    let Some(thrown) = judgement.compared().filter(|_| !differences.is_empty()) else {
        let mut lines = vec![format!("Reproduces {}", headline(crash))];
        lines.extend(place(frames));
        lines.extend(ignored(judgement));
        return lines;
    };
    let is_full = judgement.grade.is_full();
    let mut lines = vec![format!("Throws {}", headline(thrown))];
    lines.extend(place(frames));
    lines.push(if is_full {
        "The stack matches the log. What does not:".to_owned()
    } else {
        format!("It matches the log as far as {}. What differs:", judgement.grade)
    });
    lines.extend(differences.iter().map(|difference| format!("- {difference}")));
    lines.extend(ignored(judgement));
    lines
}

/// Why the stack of the log is longer.
pub(crate) fn out_of_reach(frames: &[Unreachable]) -> Vec<String> {
    let first = frames.first().map(|first| format!("The log goes on with {}, which {}.", first.frame, first.reason));
    first.into_iter().collect()
}

/// What the test throws that is not as in the log: frames, causes, messages.
pub(crate) fn differences(crash: &Throwable, judgement: &Judgement) -> Vec<String> {
    let (Some(comparison), Some(thrown)) = (&judgement.comparison, judgement.compared()) else { return Vec::new() };
    let of_cause =
        |depth: usize| matches!(comparison.difference, Some(Difference::Cause { depth: of, .. }) if of == depth);
    let stack = comparison.difference.iter().map(ToString::to_string);
    let messages = crash.chain().zip(thrown.chain()).zip(&comparison.messages.each).enumerate();
    let texts = messages.filter_map(|(depth, ((expected, actual), found))| {
        if depth > 0 && expected.class != actual.class {
            // It is not the message that differs.
            let other = || format!("cause {depth} is `{}` instead of `{}`", headline(actual), headline(expected));
            return (!of_cause(depth)).then(other);
        }
        let differs = matches!(found, MessageMatch::Template | MessageMatch::Other);
        differs.then(|| message_difference(depth, expected, actual))
    });
    stack.chain(texts).collect()
}

fn message_difference(depth: usize, expected: &Throwable, actual: &Throwable) -> String {
    let whose = match depth {
        0 => "the message".to_owned(),
        depth => format!("the message of cause {depth}, {},", actual.class),
    };
    match (text(expected), text(actual)) {
        (Some(expected), Some(actual)) => format!("{whose} is `{actual}` instead of `{expected}`"),
        (Some(expected), None) => format!("{whose} is missing; the log has `{expected}`"),
        (None, Some(actual)) => format!("{whose} is `{actual}`; the log has none"),
        (None, None) => format!("{whose} differs"),
    }
}

/// What was not looked at, in a sentence.
fn ignored(judgement: &Judgement) -> Option<String> {
    let all: Vec<String> =
        judgement.comparison.iter().flat_map(|c| &c.messages.ignored).map(ToString::to_string).collect();
    (!all.is_empty()).then(|| format!("Ignored when comparing messages: {}.", all.join(", ")))
}

fn headline(thrown: &Throwable) -> String {
    text(thrown).map_or_else(|| thrown.class.clone(), |message| format!("{}: {message}", thrown.class))
}

/// The first line, as far as anybody reads it.
fn text(thrown: &Throwable) -> Option<String> {
    const LONGEST: usize = 200;
    let line = thrown.message.as_deref()?.trim().lines().next()?;
    let end = line.char_indices().nth(LONGEST).map(|(end, _)| end);
    Some(end.map_or_else(|| line.to_owned(), |end| format!("{}..", &line[..end])))
}

fn place(frames: &[ExpectedFrame]) -> Option<String> {
    let top = frames.first()?;
    let line = top.line.map_or(String::new(), |line| format!(", line {line}"));
    Some(format!("in {}.{}{line}.", top.class, top.method))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Escaped, JudgedRun};
    use confirm::Conditions;
    use crash_report::compare::{Comparing, Graded, compare};
    use std::time::Duration;

    fn throwable(text: &str) -> Throwable {
        crash_report::parse(text.as_bytes()).traces.remove(0).throwable
    }

    fn comment(log: &str, test: &str) -> String {
        let (log, test) = (throwable(log), throwable(test));
        let how = Comparing {
            is_application: &|class| class.starts_with("a."),
            is_test: &|_| false,
            lines: true,
            reachable: None,
            same_statement: None,
            same_template: None,
        };
        let comparison = compare(&log, &test, &how);
        let run = JudgedRun {
            conditions: Conditions::Usual,
            graded: Graded::default(),
            happened: String::new(),
            escaped: Some(Escaped { outermost: test, depth: 0, has_replaced_stack: false, elsewhere: Vec::new() }),
            took: Duration::ZERO,
        };
        let grade = comparison.exact.grade;
        let judgement =
            Judgement { grade, comparison: Some(comparison), runs: vec![run], ..Judgement::none(String::new()) };
        tried(&log, &[], &judgement).join("\n")
    }

    const LOG: &str = "a.ServiceException: cannot load order\n\tat a.S.load(S.java:9)\n\tat a.S.main(S.java:3)\n\
        Caused by: java.lang.IllegalStateException: no rate for EUR\n\tat a.R.rate(R.java:5)\n";

    #[test]
    fn what_is_as_in_the_log_is_said_once() {
        assert_eq!(comment(LOG, LOG), "Reproduces a.ServiceException: cannot load order");
        let identity = |hash: &str| format!("a.AException: bad a.B@{hash}\n\tat a.S.load(S.java:9)\n");
        assert_eq!(
            comment(&identity("1b6d3586"), &identity("4554617c")),
            "Reproduces a.AException: bad a.B@1b6d3586\n\
             Ignored when comparing messages: identities of objects."
        );
    }

    #[test]
    fn what_differs_is_said_with_both_sides() {
        assert_eq!(
            comment(LOG, &LOG.replace("for EUR", "for 7")),
            "Throws a.ServiceException: cannot load order\n\
             The stack matches the log. What does not:\n\
             - the message of cause 1, java.lang.IllegalStateException, is `no rate for 7` instead of `no rate for EUR`"
        );
        assert_eq!(
            comment(LOG, "a.ServiceException: no\n\tat a.S.load(S.java:9)\n\tat a.S.main(S.java:3)\n"),
            "Throws a.ServiceException: no\n\
             It matches the log as far as crash-line. What differs:\n\
             - cause 1, `java.lang.IllegalStateException`, is missing\n\
             - the message is `no` instead of `cannot load order`"
        );
    }
}
