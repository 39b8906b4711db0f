//! The interpreter in a real JVM: what recipes do there and how it is told. Every test runs on every JDK that is found.
#![cfg(test)]

mod actions;
mod differential;
mod endings;
mod mix;
mod process;
mod random;
mod stubs;

use process::{Outcome, Worker, fixture};
use recipe::{End, Recipe, StackFrame, Thrown, check, parse};
use testing::{Jdk, jdks};

/// Runs the recipes in one batch on every JDK and checks how each is told to end.
fn expect(cases: &[(&str, &str)]) {
    jdks().iter().for_each(|jdk| expect_on(jdk, cases));
}

/// The same on one JDK, for what JDKs do not agree on.
fn expect_on(jdk: &Jdk, cases: &[(&str, &str)]) {
    let recipes: Vec<Recipe> =
        cases.iter().map(|(text, _)| parse(text).unwrap_or_else(|e| panic!("{e}: {text}"))).collect();
    let mut worker = Worker::start(jdk, &[fixture()]);
    for (recipe, (text, _)) in recipes.iter().zip(cases) {
        assert_eq!(check(recipe, &worker.program), Ok(()), "{text}");
    }
    let outcomes = worker.run(&recipes);
    for ((text, expected), outcome) in cases.iter().zip(outcomes) {
        assert_eq!(summary(&outcome.end), *expected, "on {}: {text}", jdk.major);
    }
}

fn run_on(jdk: &Jdk, texts: &[&str]) -> Vec<Outcome> {
    let recipes: Vec<Recipe> = texts.iter().map(|text| parse(text).unwrap_or_else(|e| panic!("{e}: {text}"))).collect();
    Worker::start(jdk, &[fixture()]).run(&recipes)
}

/// In one line. What the fixture shows is the text alone; frames of the JDK are left out, they differ between JDKs.
fn summary(end: &End) -> String {
    match end {
        End::Threw { thrown, .. } if thrown.class.as_internal() == "fixture/Show$Shown" => {
            thrown.message.clone().unwrap_or_default()
        }
        End::Threw { stmt, thrown } => format!("{stmt}: {}", exception(thrown)),
        End::Unlinkable { what } => format!("unlinkable: {what}"),
        other => format!("{other:?}"),
    }
}

fn exception(thrown: &Thrown) -> String {
    let message = thrown.message.as_ref().map(|message| format!(" {message:?}")).unwrap_or_default();
    let frames: Vec<String> = thrown.stack.iter().filter(|frame| !is_jdk(frame)).map(frame).collect();
    let cause = thrown.cause.as_ref().map(|cause| format!(" caused by {}", exception(cause))).unwrap_or_default();
    format!("{}{message} [{}]{cause}", thrown.class.simple(), frames.join(" "))
}

fn is_jdk(frame: &StackFrame) -> bool {
    ["java/", "jdk/", "sun/"].iter().any(|prefix| frame.class.as_internal().starts_with(prefix))
}

fn frame(frame: &StackFrame) -> String {
    if frame.is_test {
        return "test".to_owned();
    }
    format!("{}.{}", frame.class.simple(), frame.method)
}
