//! What a test is worth, for people and as one JSON line: `"event": "result"`.

use crate::failure::Failure;
use crate::result::{ExceptionView, UnreachableView, fixed_name, unreachable_text};
use crate::terminal::{Ink, ink};
use confirm::Conditions;
use crash_report::Throwable;
use program::Jdk;
use reproduce::TestVerdict;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, Serialize)]
pub(crate) struct View {
    schema: u32,
    event: &'static str,
    grade: String,
    /// Runs disagree; the grade is the lowest.
    flaky: bool,
    frames: Frames,
    /// The frames of the log that no test can see.
    unreachable: Vec<UnreachableView>,
    /// `exact`, `template` or `other`.
    message: Option<String>,
    /// What was not looked at in messages.
    ignored: Vec<String>,
    /// As the log has it, and as the test throws it.
    exception: ExceptionView,
    thrown: Option<ExceptionView>,
    /// What of that is not as in the log.
    differences: Vec<String>,
    fixed: Option<&'static str>,
    /// As given.
    test: Vec<String>,
    crash: String,
    /// The test method that was compared.
    method: Option<String>,
    cheats: Vec<&'static str>,
    /// The grade it would have if it did not cheat.
    would_be: Option<String>,
    flags: Vec<&'static str>,
    statements: usize,
    /// Why it is not the full stack.
    reason: Option<String>,
    runs: Vec<RunView>,
    version: &'static str,
    jdk: String,
    #[serde(skip)]
    is_success: bool,
}

#[derive(Debug, Serialize)]
struct Frames {
    matched: usize,
    of: usize,
    reachable: usize,
}

#[derive(Debug, Serialize)]
struct RunView {
    conditions: &'static str,
    grade: String,
    happened: String,
    seconds: f64,
}

impl View {
    pub(crate) fn new(
        test: &[PathBuf],
        (crash, throwable): (&Path, &Throwable),
        jdk: &Jdk,
        verdict: &TestVerdict,
    ) -> View {
        let judgement = &verdict.judgement;
        let matched = judgement.comparison.as_ref().map_or(0, |comparison| comparison.exact.matched);
        View {
            schema: crate::SCHEMA,
            event: "result",
            grade: verdict.graded().to_string(),
            flaky: judgement.flaky,
            frames: Frames {
                matched,
                of: verdict.frames,
                reachable: verdict.frames.saturating_sub(verdict.unreachable.len()),
            },
            unreachable: verdict.unreachable.iter().map(UnreachableView::new).collect(),
            message: judgement.message().map(|message| message.to_string()),
            ignored: judgement.comparison.iter().flat_map(|c| &c.messages.ignored).map(ToString::to_string).collect(),
            exception: ExceptionView::new(throwable),
            thrown: judgement.compared().map(ExceptionView::new),
            differences: verdict.differences.clone(),
            fixed: verdict.fixed.and_then(fixed_name),
            test: test.iter().map(|path| path.display().to_string()).collect(),
            crash: crash.display().to_string(),
            method: judgement.test.clone(),
            cheats: verdict.facts.cheats.iter().map(|cheat| cheat.describe()).collect(),
            would_be: verdict.would_be.map(|graded| graded.to_string()),
            flags: flags(verdict),
            statements: verdict.facts.statements,
            reason: judgement.why.clone(),
            runs: judgement
                .runs
                .iter()
                .map(|run| RunView {
                    conditions: match run.conditions {
                        Conditions::Usual => "usual",
                        Conditions::Other => "other",
                    },
                    grade: run.graded.to_string(),
                    happened: run.happened.clone(),
                    seconds: run.took.as_secs_f64(),
                })
                .collect(),
            version: crate::VERSION,
            jdk: jdk.version.clone(),
            is_success: verdict.is_success(),
        }
    }

    pub(crate) fn json(&self) -> Result<String, Failure> {
        let json = serde_json::to_string(self).map_err(|error| Failure::from_error(&error))?;
        Ok(format!("{json}\n"))
    }

    /// The verdict first, then the runs it rests on.
    pub(crate) fn text(&self, colour: bool) -> String {
        let mut out = String::new();
        let shade = if self.is_success { Ink::Green } else { Ink::Yellow };
        let _ = write!(out, "{}", ink(&self.headline(), shade, colour));
        let _ = writeln!(out, ", {} of {} application frames", self.frames.matched, self.frames.of);
        if let Some(reason) = &self.reason {
            let _ = writeln!(out, "{}", reason.trim_end());
        }
        for difference in self.differences.iter().filter(|difference| Some(*difference) != self.reason.as_ref()) {
            let _ = writeln!(out, "{difference}");
        }
        if !self.ignored.is_empty() {
            let _ = writeln!(out, "ignored when comparing messages: {}", self.ignored.join(", "));
        }
        out.push_str(&unreachable_text(&self.unreachable));
        if let Some(would_be) = &self.would_be {
            let _ = writeln!(out, "without that it would be {would_be}");
        }
        self.write_runs(&mut out, colour);
        if !self.flags.is_empty() {
            let _ = writeln!(out, "\nremarks: {}", self.flags.join(", "));
        }
        out
    }

    fn headline(&self) -> String {
        if !self.flaky {
            return self.grade.clone();
        }
        let others = self.runs.iter().map(|run| run.grade.as_str()).find(|grade| *grade != self.grade);
        format!("flaky: {} in one run, {} in another", self.grade, others.unwrap_or_default())
    }

    fn write_runs(&self, out: &mut String, colour: bool) {
        if self.runs.is_empty() {
            return;
        }
        let wide = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::len).max().unwrap_or(0);
        let conditions: Vec<&str> = self.runs.iter().map(RunView::conditions_for_people).collect();
        let first = wide(&mut conditions.iter().copied().chain(self.fixed.map(|_| FIXED)));
        let second = wide(&mut self.runs.iter().map(|run| run.grade.as_str()).chain(self.fixed));
        out.push('\n');
        for (run, conditions) in self.runs.iter().zip(conditions) {
            let place = ink(&format!("{conditions:first$}"), Ink::Dim, colour);
            let time = ink(&format!("{:4.1} s", run.seconds), Ink::Dim, colour);
            let _ = writeln!(out, "{place}  {time}  {:second$}  {}", run.grade, run.happened);
        }
        if let Some(fixed) = self.fixed {
            let place = ink(&format!("{FIXED:first$}"), Ink::Dim, colour);
            let _ = writeln!(out, "{place}          {fixed}");
        }
    }
}

const FIXED: &str = "with the fixed jars";

impl RunView {
    fn conditions_for_people(&self) -> &'static str {
        if self.conditions == "usual" { "as it is here" } else { "Chatham Islands, German, 384 MB" }
    }
}

fn flags(verdict: &TestVerdict) -> Vec<&'static str> {
    let facts = &verdict.facts;
    let all = [
        (facts.reflection, "reflection"),
        (facts.unsafe_memory, "unsafe"),
        (facts.defines_classes, "defines-classes"),
        (verdict.entered.is_some(), "fragment"),
        (verdict.judgement.has_replaced_stack(), "replaced-stack"),
        (verdict.brings_classes, "other-loader"),
    ];
    all.into_iter().filter(|(there, _)| *there).map(|(_, name)| name).collect()
}
