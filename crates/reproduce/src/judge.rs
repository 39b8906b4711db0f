//! The grade of a test, from what fresh JVMs showed.

use crate::reason::could_not_read;
use crate::verdict::Fixed;
use confirm::{Conditions, Confirmation, Run, RunEnd, TestRun};
use crash_report::Throwable;
use crash_report::compare::{
    Comparing, Comparison, Difference, Grade, Graded, MessageGrade, MessageMatch, SameTemplate, compare_chain,
};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Judgement {
    /// The lowest grade of all runs: what can be relied on.
    pub grade: Grade,
    /// Runs disagree.
    pub flaky: bool,
    /// Of the run with the lowest grade, where an exception escaped.
    pub comparison: Option<Comparison>,
    /// Why it is not the full stack: does not compile, nothing escaped, another frame, ..
    pub why: Option<String>,
    /// The test whose exception was compared, as `method(class)`.
    pub test: Option<String>,
    /// One by one, in their order.
    pub runs: Vec<JudgedRun>,
}

/// One run of the test.
#[derive(Clone, Debug)]
pub struct JudgedRun {
    pub conditions: Conditions,
    pub graded: Graded,
    /// The exception that escaped, or what happened instead.
    pub happened: String,
    pub escaped: Option<Escaped>,
    pub took: Duration,
}

/// What left the test.
#[derive(Clone, Debug)]
pub struct Escaped {
    pub outermost: Throwable,
    /// How deep in its chain of causes the exception is that was compared with the crash.
    pub depth: usize,
    /// See [`confirm::TestRun`].
    pub has_replaced_stack: bool,
    /// See there.
    pub elsewhere: Vec<String>,
}

impl Judgement {
    pub(crate) fn none(why: impl Into<String>) -> Judgement {
        let why = Some(why.into());
        Judgement { grade: Grade::None, flaky: false, comparison: None, why, test: None, runs: Vec::new() }
    }

    /// How the messages compare in the run with the lowest grade; none if nothing was thrown or it cannot be told.
    pub fn message(&self) -> Option<MessageMatch> {
        let verdict = self.comparison.as_ref().map(|comparison| comparison.messages.verdict);
        verdict.filter(|verdict| *verdict != MessageMatch::Unknown)
    }

    /// The grade with what the messages show.
    pub fn graded(&self) -> Graded {
        let message = self.message().map_or(MessageGrade::None, MessageGrade::from);
        Graded { grade: self.grade, message, fixed: false }
    }

    /// Whether an exception that escaped tells another stack than the one that the VM noted.
    pub fn has_replaced_stack(&self) -> bool {
        self.runs.iter().filter_map(|run| run.escaped.as_ref()).any(|escaped| escaped.has_replaced_stack)
    }

    /// Classes in stacks of what escaped that are not, or not only, from the class path.
    pub fn elsewhere(&self) -> impl Iterator<Item = &str> {
        let escaped = self.runs.iter().filter_map(|run| run.escaped.as_ref());
        escaped.flat_map(|escaped| &escaped.elsewhere).map(String::as_str)
    }

    /// The exception that was compared, of the run with the lowest grade.
    pub fn compared(&self) -> Option<&Throwable> {
        let worst = self.runs.iter().min_by_key(|run| reliability(run.graded, &run.conditions))?;
        let escaped = worst.escaped.as_ref()?;
        escaped.outermost.chain().nth(escaped.depth)
    }
}

/// What can be relied on comes first: the lowest grade of all runs. Messages may be in another language in another locale, so
/// that they are taken from a run that is as usual.
fn reliability(graded: Graded, conditions: &Conditions) -> (Grade, bool, Graded) {
    (graded.grade, *conditions != Conditions::Usual, graded)
}

/// Compares what escaped from the test with the crash.
pub(crate) fn judge(
    confirmation: &Confirmation,
    expected: &Throwable,
    (lines, reachable): (bool, Option<usize>),
    is_application: &dyn Fn(&str) -> bool,
    same_template: &SameTemplate<'_>,
) -> Judgement {
    let (classes, runs) = match confirmation {
        Confirmation::NotCompiled { errors } => return Judgement::none(format!("it does not compile: {errors}")),
        Confirmation::Ran { replaced, .. } if !replaced.is_empty() => {
            return Judgement::none(format!("it brings classes that the program has: {}", replaced.join(", ")));
        }
        Confirmation::Ran { classes, runs, .. } => (classes, runs),
    };
    let is_test = |class: &str| classes.iter().any(|ours| ours == class);
    let how = Comparing {
        is_application,
        is_test: &is_test,
        lines,
        reachable,
        same_statement: None,
        same_template: Some(same_template),
    };
    let seen: Vec<Seen<'_>> = runs.iter().map(|run| Seen::of(run, expected, &how)).collect();
    let judged = runs.iter().zip(&seen).map(|(run, seen)| seen.as_run(run)).collect();
    let order = |(seen, run): &(&Seen<'_>, &Run)| reliability(seen.graded(), &run.conditions);
    let Some((worst, _)) = seen.iter().zip(runs).min_by_key(order) else {
        return Judgement::none("the test was not run");
    };
    Judgement {
        grade: worst.graded().grade,
        flaky: seen.iter().any(|other| other.graded().grade != worst.graded().grade),
        why: worst.why(),
        test: worst.best.as_ref().map(|best| best.test.name.clone()),
        runs: judged,
        comparison: worst.best.as_ref().map(|best| best.comparison.clone()),
    }
}

/// What the test that crashed does with the fixed program. Lines move between versions, so methods are compared, and the
/// top frame is enough to be the same crash.
pub(crate) fn judge_fixed(
    confirmation: &Confirmation,
    test: Option<&str>,
    expected: &Throwable,
    is_application: &dyn Fn(&str) -> bool,
) -> Fixed {
    let runs = match confirmation {
        Confirmation::NotCompiled { .. } => return Fixed::DoesNotCompile,
        Confirmation::Ran { runs, .. } => runs,
    };
    if runs.iter().all(|run| is_passed(run, test)) {
        return Fixed::Passes;
    }
    match judge(confirmation, expected, (false, None), is_application, &|_, _| false).grade {
        Grade::None if runs.iter().all(|run| is_failed(run, test)) => Fixed::Changed,
        Grade::None => Fixed::Unknown,
        _ => Fixed::SameCrash,
    }
}

/// Whether something escaped from the test of this name, or from any.
fn is_failed(run: &Run, test: Option<&str>) -> bool {
    let is_meant = |name: &str| test.is_none_or(|test| test == name);
    run.end == RunEnd::Completed && run.tests.iter().any(|test| is_meant(&test.name) && test.escaped.is_some())
}

/// Whether all tests pass in all runs.
pub(crate) fn passes(confirmation: &Confirmation) -> bool {
    match confirmation {
        Confirmation::NotCompiled { .. } => false,
        Confirmation::Ran { runs, .. } => runs.iter().all(|run| is_passed(run, None)),
    }
}

/// Whether the test of this name passes, or all of them.
fn is_passed(run: &Run, test: Option<&str>) -> bool {
    let is_meant = |name: &str| test.is_none_or(|test| test == name);
    let mut meant = run.tests.iter().filter(|test| is_meant(&test.name)).peekable();
    run.end == RunEnd::Completed && meant.peek().is_some() && meant.all(|test| test.escaped.is_none())
}

/// What happened where nothing escaped.
fn quiet_end(run: &Run) -> String {
    let gave_up = |name: &str| run.not_run.iter().any(|(other, _)| other == name);
    if run.tests.iter().any(|test| !gave_up(&test.name)) {
        let rest = run.not_run.first().map(|(part, reason)| format!(", but `{part}` is not run: {reason}"));
        return format!("nothing is thrown: the test passes{}", rest.unwrap_or_default());
    }
    match (&run.unloadable[..], &run.not_run[..]) {
        ([(class, reason), ..], _) => format!("class `{class}` cannot be loaded: {reason}"),
        ([], [(test, reason), ..]) => format!("`{test}` is not run: {reason}"),
        ([], []) => "there is no test in it".to_owned(),
    }
}

/// The best of the tests in one run.
struct Seen<'a> {
    best: Option<Best<'a>>,
    run: &'a Run,
}

struct Best<'a> {
    test: &'a TestRun,
    outermost: &'a Throwable,
    depth: usize,
    comparison: Comparison,
}

impl Best<'_> {
    /// The exception that was compared.
    fn compared(&self) -> &Throwable {
        self.outermost.chain().nth(self.depth).unwrap_or(self.outermost)
    }
}

impl<'a> Seen<'a> {
    fn of(run: &'a Run, expected: &Throwable, how: &Comparing<'_>) -> Seen<'a> {
        let escaped = run.tests.iter().filter_map(|test| Some((test, test.escaped.as_ref()?)));
        let compared = escaped.map(|(test, escaped)| {
            let (depth, comparison) = compare_chain(expected, escaped, how);
            Best { test, outermost: escaped, depth, comparison }
        });
        // Of equals the first: that is the one a reader would look at.
        let best =
            compared.reduce(|best, next| if next.comparison.graded() > best.comparison.graded() { next } else { best });
        Seen { best, run }
    }

    fn graded(&self) -> Graded {
        self.best.as_ref().map_or_else(Graded::default, |best| best.comparison.graded())
    }

    fn why(&self) -> Option<String> {
        let why = match &self.best {
            Some(best) => best.comparison.difference.as_ref().map(Difference::to_string),
            None => Some(self.happened()),
        }?;
        let denied = self.run.denied.first().map(|file| format!("; {}", could_not_read(file)));
        Some(why + &denied.unwrap_or_default())
    }

    fn happened(&self) -> String {
        match (&self.best, self.run.end) {
            (Some(best), _) => format!("{} from {}", best.compared().class, best.test.name),
            (None, RunEnd::Completed) => quiet_end(self.run),
            (None, RunEnd::TimedOut) => format!("the test did not end within {:.0} s", self.run.took.as_secs_f64()),
            (None, RunEnd::Exited { status }) => format!("the JVM ended inside the test, with status {status}"),
            (None, RunEnd::Killed { signal }) => format!("the JVM was killed by signal {signal}"),
        }
    }

    fn as_run(&self, run: &Run) -> JudgedRun {
        let escaped = |best: &Best<'_>| Escaped {
            outermost: best.outermost.clone(),
            depth: best.depth,
            has_replaced_stack: best.test.has_replaced_stack,
            elsewhere: best.test.elsewhere.clone(),
        };
        JudgedRun {
            conditions: run.conditions,
            graded: self.graded(),
            happened: self.happened(),
            escaped: self.best.as_ref().map(escaped),
            took: run.took,
        }
    }
}
