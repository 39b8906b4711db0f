//! What becomes of an exception in its handlers: what the analysis says of each method of `java/Escapes.java`, and what the JVMs of
//! this machine do with it. What is said to be kept must never leave; what is said to leave must do so.

#[path = "support/java.rs"]
mod java;
mod support;

use java::{compile, execute, sources};
use program::Jdk;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use target::{CrashTarget, Methods};

struct Case {
    method: String,
    line: usize,
    /// What the line says, without the way the exception comes there.
    expected: String,
    by_reflection: bool,
    at_the_top: bool,
}

fn cases(source: &str) -> Vec<Case> {
    let mut method = String::new();
    let mut cases = Vec::new();
    for (line, text) in (1..).zip(source.lines()) {
        if text.starts_with("    ") && !text.starts_with("     ") && text.contains('(') {
            let before = text.split('(').next().unwrap_or_default();
            before.split_whitespace().last().unwrap_or_default().clone_into(&mut method);
        }
        let Some((_, note)) = text.split_once("//= ") else { continue };
        cases.push(Case {
            method: method.clone(),
            line,
            expected: with_line(&note.replace(" by reflection", "").replace(" at the top", ""), line),
            by_reflection: note.contains("by reflection"),
            at_the_top: note.contains("at the top"),
        });
    }
    cases
}

/// Lines are told from the call on.
fn with_line(note: &str, from: usize) -> String {
    let Some((before, after)) = note.split_once('+') else { return note.to_owned() };
    let (distance, rest) = after.split_at(after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()));
    format!("{before}{}{rest}", from + distance.parse::<usize>().expect("a number of lines"))
}

impl Case {
    fn trace(&self, top: usize) -> String {
        let mut trace = String::from("java.lang.ArithmeticException: / by zero\n");
        if !self.at_the_top {
            let _ = writeln!(trace, "\tat Escapes.div(Escapes.java:{top})");
        }
        if self.by_reflection {
            trace.push_str("\tat java.lang.reflect.Method.invoke(Method.java:569)\n");
        }
        let _ = writeln!(trace, "\tat Escapes.{}(Escapes.java:{})", self.method, self.line);
        trace
    }

    fn said(&self, program: &Methods, top: usize) -> Option<String> {
        let throwable = crash_report::parse(self.trace(top).as_bytes()).traces.remove(0).throwable;
        let target = CrashTarget::derive(&throwable, program, &|class| class.starts_with("Escapes"));
        assert!(target.misfits.is_empty(), "{target}");
        target.kept.map(|kept| kept.to_string())
    }
}

/// Which of the cases leave their method. A case that ends the VM says nothing; those behind it are run in another.
fn leaving(jdk: &Jdk, classes: &Path, cases: &[Case]) -> BTreeSet<String> {
    let mut leaving = BTreeSet::new();
    let mut waiting = cases;
    while !waiting.is_empty() {
        let script = "\"$0\" -cp \"$@\" 2>/dev/null || true";
        let fixed = ["-c".into(), script.into(), jdk.home.join("bin/java"), classes.into(), "Escapes".into()];
        let names = waiting.iter().map(|case| PathBuf::from(&case.method));
        let told = execute(Path::new("/bin/sh"), fixed.into_iter().chain(names));
        leaving.extend(told.lines().filter_map(|line| line.strip_suffix(" leaves")).map(str::to_owned));
        waiting = waiting.get(told.lines().count() + 1..).unwrap_or_default();
    }
    leaving
}

#[test]
fn handlers_keep_what_they_are_said_to_keep() {
    let source = std::fs::read_to_string(sources().join("Escapes.java")).expect("the cases");
    let top = source.lines().position(|line| line.contains("//@ top")).expect("the top frame") + 1;
    let cases = cases(&source);
    assert!(cases.len() >= 40, "{} cases", cases.len());
    let jdks: Vec<Jdk> = Jdk::list().into_iter().filter(|jdk| jdk.home.join("bin/javac").is_file()).collect();
    assert!(!jdks.is_empty(), "no JDK with a compiler is installed");
    let mut failures = String::new();
    for jdk in jdks {
        for options in [&["-g", "-nowarn"][..], &["-g", "-nowarn", "--release", "8"]] {
            let classes = compile(&jdk, options, &["Escapes", "org/apache/logging/log4j/Logger"]);
            let program = support::open(std::slice::from_ref(&classes), jdk.clone());
            let leaving = leaving(&jdk, &classes, &cases);
            for case in &cases {
                let (said, name) = (case.said(&program, top), &case.method);
                if said.as_deref() != case.expected.strip_prefix("kept: ") {
                    let _ = writeln!(failures, "{} {name}: said {said:?}, wanted {}", jdk.version, case.expected);
                }
                if leaving.contains(name) != (case.expected == "leaves") {
                    let _ = writeln!(failures, "{} {name}: wanted {}, it does not", jdk.version, case.expected);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
