//! The grade of a test, from what fresh JVMs showed.

use crash_report::Throwable;
use crash_report::compare::{Comparing, Comparison, Grade, compare_chain};
use jvm_host::confirm::{Confirmation, Run, RunEnd};

#[derive(Clone, Debug)]
pub struct Judgement {
    /// The lowest grade of all runs: what can be relied on.
    pub grade: Grade,
    /// Runs disagree.
    pub flaky: bool,
    /// Of the run with the lowest grade, where an exception of the right type escaped.
    pub comparison: Option<Comparison>,
    /// Why there is no grade: does not compile, nothing escaped, ..
    pub why: Option<String>,
}

impl Judgement {
    fn none(why: impl Into<String>) -> Judgement {
        Judgement { grade: Grade::None, flaky: false, comparison: None, why: Some(why.into()) }
    }
}

/// Compares what escaped from the test with the crash.
pub fn judge(
    confirmation: &Confirmation,
    expected: &Throwable,
    lines: bool,
    is_application: &dyn Fn(&str) -> bool,
    same_template: &dyn Fn(&str, &str) -> bool,
) -> Judgement {
    let (classes, runs) = match confirmation {
        Confirmation::NotCompiled { errors } => return Judgement::none(format!("does not compile: {errors}")),
        Confirmation::Ran { replaced, .. } if !replaced.is_empty() => {
            return Judgement::none(format!("brings classes that the program has: {}", replaced.join(", ")));
        }
        Confirmation::Ran { classes, runs, .. } => (classes, runs),
    };
    let is_test = |class: &str| classes.iter().any(|ours| ours == class);
    let how = Comparing {
        is_application,
        is_test: &is_test,
        lines,
        same_statement: None,
        same_template: Some(same_template),
    };
    let mut judged: Vec<Judgement> = runs.iter().map(|run| of_run(run, expected, &how)).collect();
    judged.sort_by_key(|judged| judged.grade);
    let flaky = judged.first().map(|j| j.grade) != judged.last().map(|j| j.grade);
    let worst = judged.into_iter().next();
    worst.map_or_else(|| Judgement::none("the test was not run"), |worst| Judgement { flaky, ..worst })
}

/// The best of the tests in one run.
fn of_run(run: &Run, expected: &Throwable, how: &Comparing<'_>) -> Judgement {
    let escaped = run.tests.iter().filter_map(|test| test.escaped.as_ref());
    let compared = escaped.map(|escaped| compare_chain(expected, escaped, how).1);
    match compared.max_by(|a, b| a.exact.grade.cmp(&b.exact.grade)) {
        Some(comparison) => {
            let grade = comparison.exact.grade;
            let why = (grade == Grade::None).then(|| "another exception, or from another place".to_owned());
            Judgement { grade, flaky: false, comparison: Some(comparison), why }
        }
        None => Judgement::none(match run.end {
            RunEnd::Completed if run.tests.is_empty() => "there is no test in it".to_owned(),
            RunEnd::Completed => "the test passes: nothing is thrown".to_owned(),
            RunEnd::TimedOut => "the test does not end".to_owned(),
            RunEnd::Exited { status } => format!("the JVM ended inside the test, with status {status}"),
            RunEnd::Killed { signal } => format!("the JVM was killed by signal {signal}"),
        }),
    }
}
