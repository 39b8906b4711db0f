//! What may a test assert about the crash, so that it passes as long as the bug exists? Answered from what escaped in all
//! runs of the test that lets the crash escape: the exceptions, the frames that are those of the crash, and the message
//! if it is the same in every run and looks as if it always will be.
//!
//! Whether the test that asserts it does pass is for fresh JVMs to say; [`Assertions`] has what to try next if it does not.

use crate::judge::{Escaped, Judgement};
use crash_report::Throwable;
use junit::{Expected, ExpectedFrame};
use program::ClassName;

/// What to assert, most telling first.
pub(crate) struct Assertions(Vec<Expected>);

impl Assertions {
    /// Everything that is known; then without the message, which may be another in a plain VM; then the type alone. Empty if
    /// runs do not agree about the type.
    pub(crate) fn of(judgement: &Judgement, frames: &[ExpectedFrame]) -> Assertions {
        let Some(all) = all_of(judgement, frames) else { return Assertions(Vec::new()) };
        let without_message = Expected { message: None, ..all.clone() };
        let type_alone = Expected { frames: Vec::new(), ..without_message.clone() };
        let mut assertions = vec![all, without_message, type_alone];
        assertions.dedup();
        Assertions(assertions)
    }
}

impl IntoIterator for Assertions {
    type Item = Expected;
    type IntoIter = std::vec::IntoIter<Expected>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// What a test asserts that nobody could run.
pub(crate) fn unconfirmed(crash: &Throwable, frames: &[ExpectedFrame]) -> Expected {
    let exception = ClassName::from_dotted(&crash.class);
    let repeating = is_overflow(&crash.class);
    Expected { exception, wrappers: Vec::new(), message: None, frames: frames.to_vec(), repeating }
}

fn all_of(judgement: &Judgement, frames: &[ExpectedFrame]) -> Option<Expected> {
    let runs: Vec<&Escaped> = judgement.runs.iter().map(|run| run.escaped.as_ref()).collect::<Option<_>>()?;
    let first = chain(runs.first()?);
    let classes = |chain: &[&Throwable]| chain.iter().map(|thrown| thrown.class.clone()).collect::<Vec<_>>();
    if runs.iter().any(|run| classes(&chain(run)) != classes(&first)) {
        return None;
    }
    let (crash, wrappers) = first.split_last()?;
    let matched = judgement.comparison.as_ref().map_or(0, |comparison| comparison.exact.matched);
    let is_same = |run: &&Escaped| chain(run).last().is_some_and(|other| other.message == crash.message);
    let is_kept = runs.iter().all(is_same) && crash.message.as_deref().is_none_or(is_lasting);
    Some(Expected {
        exception: ClassName::from_dotted(&crash.class),
        wrappers: wrappers.iter().map(|wrapper| ClassName::from_dotted(&wrapper.class)).collect(),
        message: is_kept.then(|| crash.message.clone()),
        frames: frames.iter().take(matched).cloned().collect(),
        repeating: is_overflow(&crash.class),
    })
}

fn is_overflow(class: &str) -> bool {
    class == "java.lang.StackOverflowError"
}

/// From what escaped to the crash.
fn chain(escaped: &Escaped) -> Vec<&Throwable> {
    escaped.outermost.chain().take(escaped.depth + 1).collect()
}

/// Whether a message has nothing in it that the next run may draw anew, although several runs in a row agreed on it:
/// identity hashes (the first ones of a JVM are often the same), addresses, names of temporary files, of hidden classes and
/// of threads.
fn is_lasting(message: &str) -> bool {
    let directory = std::env::temp_dir();
    let directory = directory.to_string_lossy();
    let has = |part: &str| message.contains(part);
    let is_temporary = has("/tmp/") || (directory.len() > 1 && has(directory.trim_end_matches('/')));
    let is_numbered = |name: &str| {
        message.match_indices(name).any(|(at, _)| message[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()))
    };
    !is_temporary
        && !has("$$Lambda")
        && !has_number_behind(message, '@')
        && !has("0x")
        && !is_numbered("$Proxy")
        && !is_numbered("Thread-")
}

/// `Object@1b2c3d`: hexadecimal digits and nothing but these up to the end of the word.
fn has_number_behind(message: &str, sign: char) -> bool {
    message.match_indices(sign).any(|(at, sign)| {
        let word = message[at + sign.len()..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        !word.is_empty() && word.chars().all(|c| c.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::JudgedRun;
    use confirm::Conditions;
    use crash_report::compare::Graded;
    use std::time::Duration;

    fn thrown(class: &str, message: Option<&str>, cause: Option<Throwable>) -> Throwable {
        let message = message.map(str::to_owned);
        Throwable { class: class.into(), message, cause: cause.map(Box::new), ..Throwable::default() }
    }

    fn judgement(escaped: Vec<Option<(Throwable, usize)>>) -> Judgement {
        let run = |escaped: Option<(Throwable, usize)>| JudgedRun {
            conditions: Conditions::Usual,
            graded: Graded::default(),
            happened: String::new(),
            escaped: escaped.map(|(outermost, depth)| Escaped {
                outermost,
                depth,
                has_replaced_stack: false,
                elsewhere: Vec::new(),
            }),
            took: Duration::ZERO,
        };
        Judgement { runs: escaped.into_iter().map(run).collect(), ..Judgement::none("") }
    }

    fn messages(told: &[Option<&str>]) -> Option<Option<String>> {
        let runs = told.iter().map(|message| Some((thrown("a.B", *message, None), 0))).collect();
        Assertions::of(&judgement(runs), &[]).into_iter().next().and_then(|expected| expected.message)
    }

    #[test]
    fn a_message_counts_if_it_is_the_same_in_all_runs() {
        assert_eq!(messages(&[Some("x"), Some("x"), Some("x")]), Some(Some("x".into())));
        assert_eq!(messages(&[None, None]), Some(None));
        assert_eq!(messages(&[Some("1.5"), Some("1,5"), Some("1.5")]), None);
        assert_eq!(messages(&[Some("x"), None]), None);
    }

    #[test]
    fn a_message_that_may_be_another_tomorrow_does_not_count() {
        for message in [
            "no a.B@1b6d3586 here",
            "a.B@77",
            "at address 0x7f00",
            "cannot read /tmp/junit123/x.txt",
            "a.B$$Lambda/12 failed",
            "bad jdk.proxy1.$Proxy12",
            "in Thread-3",
        ] {
            assert_eq!(messages(&[Some(message), Some(message)]), None, "{message}");
        }
        for message in ["user@example.org", "@Inject is missing", "a @ 1", "Thread-safe", "$Proxy", "Index 5"] {
            assert_eq!(messages(&[Some(message), Some(message)]), Some(Some(message.into())), "{message}");
        }
    }

    #[test]
    fn wrappers_are_expected_around_it() {
        let wrapped = || thrown("a.Wrapper", Some("outer"), Some(thrown("a.B", Some("inner"), None)));
        let all: Vec<Expected> =
            Assertions::of(&judgement(vec![Some((wrapped(), 1)), Some((wrapped(), 1))]), &[]).into_iter().collect();
        assert_eq!(all[0].exception, ClassName::from_dotted("a.B"));
        assert_eq!(all[0].wrappers, [ClassName::from_dotted("a.Wrapper")]);
        assert_eq!(all[0].message, Some(Some("inner".into())));
        // Without frames, nothing is left to leave out but the message.
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].message, None);
    }

    #[test]
    fn runs_that_disagree_about_the_type_assert_nothing() {
        let (one, other) = (thrown("a.B", None, None), thrown("a.C", None, None));
        for second in [Some((other, 0)), None] {
            let judgement = judgement(vec![Some((one.clone(), 0)), second]);
            assert_eq!(Assertions::of(&judgement, &[]).into_iter().count(), 0);
        }
        assert_eq!(Assertions::of(&Judgement::none("not run"), &[]).into_iter().count(), 0);
    }
}
