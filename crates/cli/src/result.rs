//! What a run came to, for people and as the last JSON line: `"event": "result"`.

use crate::failure::Failure;
use crate::meter::Cost;
use crate::terminal::{Ink, ink};
use crash_report::Throwable;
use engine::FrameCondition;
use junit::Framework;
use reproduce::{Fixed, Unreachable, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Serialize)]
pub(crate) struct ResultView {
    schema: u32,
    event: &'static str,
    grade: String,
    frames: Frames,
    /// The frames of the log that no test can see.
    unreachable: Vec<UnreachableView>,
    /// `exact`, `template` or `other`.
    message: Option<String>,
    /// What was not looked at in messages.
    ignored: Vec<String>,
    fixed: Option<&'static str>,
    /// As the log has it.
    exception: Option<ExceptionView>,
    /// As the test throws it.
    thrown: Option<ExceptionView>,
    /// What of that is not as in the log.
    differences: Vec<String>,
    /// Of the test.
    source: Option<String>,
    test: Option<String>,
    /// A test that there was no time to confirm.
    unconfirmed: Option<String>,
    command: Option<String>,
    /// What runs it in the project, once it is among the sources of its tests.
    project_command: Option<String>,
    /// Those, where it is still to be put there.
    #[serde(skip)]
    test_sources: Option<String>,
    /// What `$JUNIT` stands for in the command.
    #[serde(skip)]
    missing_framework: Option<Framework>,
    statements: Option<u32>,
    engine: Option<&'static str>,
    /// Those that failed.
    engines_left_out: Vec<&'static str>,
    /// The same with the reasons.
    #[serde(skip)]
    left_out: Vec<(&'static str, String)>,
    /// Facts of engines that candidates contradicted: faults of the tool.
    contradicted_facts: u32,
    seconds: f64,
    seconds_first: Option<f64>,
    seconds_best: Option<f64>,
    candidates: u64,
    claims: u32,
    refuted: u32,
    #[serde(flatten)]
    cost: Cost,
    /// Ended early, by Ctrl-C.
    interrupted: bool,
    flags: Vec<String>,
    /// Why it crashes, frame by frame.
    conditions: Vec<ConditionView>,
    reason: Option<Reason>,
    /// What engines say of where they stand, with `reason`.
    explanations: Vec<Explanation>,
    /// What engines count of their work, by engine and name.
    counts: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    seed: u64,
    version: &'static str,
    jdk: Option<String>,
    #[serde(skip)]
    is_success: bool,
}

#[derive(Debug, Serialize)]
struct Explanation {
    engine: &'static str,
    text: String,
}

#[derive(Debug, Serialize)]
struct Frames {
    matched: u32,
    of: u32,
    reachable: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct UnreachableView {
    /// Counted from 1 at the top.
    number: u32,
    frame: String,
    reason: String,
}

impl UnreachableView {
    pub(crate) fn new(of: &Unreachable) -> UnreachableView {
        UnreachableView { number: of.number, frame: of.frame.clone(), reason: of.reason.clone() }
    }
}

/// One line a frame.
pub(crate) fn unreachable_text(frames: &[UnreachableView]) -> String {
    let line = |of: &UnreachableView| format!("out of reach: frame {}, {}, {}\n", of.number, of.frame, of.reason);
    frames.iter().map(line).collect()
}

/// An exception with its causes.
#[derive(Debug, Serialize)]
pub(crate) struct ExceptionView {
    class: String,
    message: Option<String>,
    causes: Vec<CauseView>,
}

#[derive(Debug, Serialize)]
struct CauseView {
    class: String,
    message: Option<String>,
}

impl ExceptionView {
    pub(crate) fn new(thrown: &Throwable) -> ExceptionView {
        let cause = |cause: &Throwable| CauseView { class: cause.class.clone(), message: cause.message.clone() };
        ExceptionView {
            class: thrown.class.clone(),
            message: thrown.message.clone(),
            causes: thrown.chain().skip(1).map(cause).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Reason {
    code: &'static str,
    text: String,
}

impl ResultView {
    pub(crate) fn new(verdict: &Verdict, cost: Cost, interrupted: bool) -> ResultView {
        let effort = &verdict.effort;
        let shown = verdict.test.as_ref().or(verdict.unconfirmed.as_ref());
        ResultView {
            schema: crate::SCHEMA,
            event: "result",
            grade: verdict.graded().to_string(),
            frames: Frames {
                matched: verdict.frames.matched,
                of: verdict.frames.of,
                reachable: verdict.frames.reachable,
            },
            unreachable: verdict.unreachable.iter().map(UnreachableView::new).collect(),
            message: verdict.message.map(|message| message.to_string()),
            ignored: verdict.ignored.iter().map(ToString::to_string).collect(),
            fixed: verdict.fixed.and_then(fixed_name),
            exception: verdict.exception.as_ref().map(ExceptionView::new),
            thrown: verdict.thrown.as_ref().map(ExceptionView::new),
            differences: verdict.differences.clone(),
            source: shown.map(|test| test.source.clone()),
            test: verdict.test.as_ref().map(|test| test.path.display().to_string()),
            unconfirmed: verdict.unconfirmed.as_ref().map(|test| test.path.display().to_string()),
            command: shown.map(|test| test.command.line.clone()),
            project_command: None,
            test_sources: None,
            missing_framework: shown.and_then(|test| test.command.missing_framework),
            statements: shown.map(|test| test.statements),
            engine: verdict.engine,
            left_out: verdict.left_out.clone(),
            engines_left_out: verdict.left_out.iter().map(|(engine, _)| *engine).collect(),
            contradicted_facts: verdict.contradicted,
            seconds: effort.elapsed.as_secs_f64(),
            seconds_first: effort.to_first.map(|time| time.as_secs_f64()),
            seconds_best: effort.to_best.map(|time| time.as_secs_f64()),
            candidates: effort.candidates,
            claims: effort.claims,
            refuted: effort.refuted,
            cost,
            interrupted,
            flags: verdict.flags.iter().map(ToString::to_string).collect(),
            conditions: verdict.conditions.iter().map(ConditionView::new).collect(),
            reason: verdict.reason.as_ref().map(|reason| Reason { code: reason.code(), text: reason.to_string() }),
            explanations: verdict
                .explanations
                .iter()
                .map(|(engine, text)| Explanation { engine, text: text.clone() })
                .collect(),
            counts: verdict.counts.iter().map(|(engine, counts)| (*engine, counts.iter().copied().collect())).collect(),
            seed: verdict.seed,
            version: crate::VERSION,
            jdk: verdict.jdk.clone(),
            is_success: verdict.is_success(),
        }
    }

    /// Whether a cause is of another type than that of the log.
    fn has_other_causes(&self) -> bool {
        let (Some(expected), Some(thrown)) = (&self.exception, &self.thrown) else { return false };
        expected.causes.iter().zip(&thrown.causes).any(|(one, other)| one.class != other.class)
    }

    /// The command that runs the test in its project; `among` is where it has to be for that, and is not.
    pub(crate) fn tell_project(&mut self, command: String, among: Option<&Path>) {
        self.test_sources = among.map(|path| path.display().to_string());
        if self.test_sources.is_none() {
            // It is where the build tool finds it, which brings what it needs.
            self.command = Some(command.clone());
            self.missing_framework = None;
        }
        self.project_command = Some(command);
    }

    pub(crate) fn json(&self) -> Result<String, Failure> {
        let json = serde_json::to_string(self).map_err(|error| Failure::from_error(&error))?;
        Ok(format!("{json}\n"))
    }

    pub(crate) fn text(&self, colour: bool) -> String {
        let mut out = String::new();
        if let Some(source) = &self.source {
            let _ = writeln!(out, "{source}");
        }
        let shade = if self.is_success { Ink::Green } else { Ink::Yellow };
        let _ = writeln!(
            out,
            "{}, {} of {} application frames, {} candidates in {:.1} s",
            ink(&self.grade, shade, colour),
            self.frames.matched,
            self.frames.of,
            self.candidates,
            self.seconds
        );
        out.push_str(&unreachable_text(&self.unreachable));
        for difference in &self.differences {
            let _ = writeln!(out, "differs from the log: {difference}");
        }
        if self.has_other_causes() {
            out.push_str("another bug, most likely: `--cause N` aims at one exception of the chain by itself; 1 is the outermost\n");
        }
        if !self.ignored.is_empty() {
            let _ = writeln!(out, "ignored when comparing messages: {}", self.ignored.join(", "));
        }
        if let Some(fixed) = self.fixed {
            let _ = writeln!(out, "with the fixed jars: {fixed}");
        }
        for (engine, why) in &self.left_out {
            let _ = writeln!(out, "the engine `{engine}` failed and was left out: {why}");
        }
        out.push_str(&conditions_text(&self.conditions));
        if !self.flags.is_empty() {
            let _ = writeln!(out, "remarks: {}", self.flags.join(", "));
        }
        match &self.reason {
            Some(_) if self.interrupted => out.push_str("stopped: interrupted\n"),
            Some(reason) => {
                let _ = writeln!(out, "stopped: {}", reason.text);
            }
            None => {}
        }
        for Explanation { engine, text } in &self.explanations {
            let _ = writeln!(out, "the engine `{engine}`: {text}");
        }
        if let Some(test) = &self.test {
            let _ = writeln!(out, "written to {test}");
        }
        match self.unconfirmed.as_deref() {
            Some("") => out.push_str("not confirmed, and not written: the output directory is not writable\n"),
            Some(test) => {
                let _ = writeln!(out, "written to {test} (not confirmed)");
            }
            None => {}
        }
        if let Some(command) = &self.command {
            let _ = writeln!(out, "run it with:\n  {command}");
        }
        if let Some(framework) = self.missing_framework {
            out.push_str(
                "where JUNIT is the class path of the test framework, which is not among the program's jars:\n",
            );
            out.push_str(framework_hint(framework));
        }
        if let (Some(command), Some(sources)) = (&self.project_command, &self.test_sources) {
            let _ = writeln!(out, "or, with the test in {sources}, where `--into-tests` puts it:\n  {command}");
        }
        out
    }
}

/// Under which condition a frame crashes.
#[derive(Debug, Serialize)]
pub(crate) struct ConditionView {
    pub(crate) frame: u32,
    method: String,
    pub(crate) when: String,
    /// A limit left other cases out.
    cut: bool,
    /// More may be needed.
    loose: bool,
    /// It is about the insides of the JDK.
    #[serde(skip)]
    is_internal: bool,
}

impl ConditionView {
    pub(crate) fn new(condition: &FrameCondition) -> ConditionView {
        ConditionView {
            frame: condition.frame,
            method: format!("{}.{}", condition.method.class, condition.method.name),
            when: condition.when.clone(),
            cut: condition.cut,
            loose: condition.loose,
            is_internal: condition.is_internal,
        }
    }

    fn is_telling(&self) -> bool {
        let is_vague = self.is_internal || (self.cut && self.loose);
        !is_vague && self.when.chars().count() <= LONGEST_CONDITION
    }

    /// What is uncertain about it.
    pub(crate) fn doubt(&self) -> Option<&'static str> {
        match (self.cut, self.loose) {
            (false, false) => None,
            (true, false) => Some("there may be other cases"),
            (false, true) => Some("more may be needed"),
            (true, true) => Some("more may be needed, and there may be other cases"),
        }
    }
}

/// In characters; two lines of a wide terminal.
const LONGEST_CONDITION: usize = 250;

/// The simplest condition of each frame that says something to people. One that is neither needed nor enough says nothing; `--json` and
/// `check --explain` have all.
pub(crate) fn conditions_text(conditions: &[ConditionView]) -> String {
    let mut out = String::new();
    let mut last = 0;
    for condition in conditions.iter().filter(|condition| condition.is_telling()) {
        if condition.frame == last {
            continue;
        }
        last = condition.frame;
        let doubt = condition.doubt().map_or_else(String::new, |doubt| format!(" ({doubt})"));
        let _ = writeln!(out, "frame {} crashes when {}{doubt}", condition.frame, condition.when);
    }
    out
}

/// None where it is not known.
pub(crate) fn fixed_name(fixed: Fixed) -> Option<&'static str> {
    match fixed {
        Fixed::Passes => Some("passes"),
        Fixed::SameCrash => Some("same-crash"),
        Fixed::Changed => Some("changed"),
        Fixed::DoesNotCompile => Some("does-not-compile"),
        Fixed::Unknown => None,
    }
}

/// How to get a test framework.
fn framework_hint(framework: Framework) -> &'static str {
    match framework {
        Framework::JUnit5 => {
            "  mvn dependency:copy -Dartifact=org.junit.platform:junit-platform-console-standalone:1.11.4 -DoutputDirectory=/tmp\n  \
         export JUNIT=/tmp/junit-platform-console-standalone-1.11.4.jar\n"
        }
        Framework::TestNg => "  TestNG with its dependencies: slf4j-api, jcommander, jquery\n",
        Framework::JUnit4 => "  junit-4.13.2.jar:hamcrest-core-1.3.jar\n",
        Framework::Main => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reproduce::{RunCommand, WrittenTest};

    fn text(line: &str, missing_framework: Option<Framework>) -> String {
        let command = RunCommand { line: line.into(), missing_framework };
        let test = WrittenTest { path: "T.java".into(), source: String::new(), command, statements: 1 };
        let verdict = Verdict { test: Some(test), ..Verdict::default() };
        ResultView::new(&verdict, crate::meter::Tally::default().cost(), false).text(false)
    }

    #[test]
    fn which_framework_is_missing_is_not_read_from_the_command() {
        let line = "cd 'a$JUNIT' && java -cp org.junit.platform.console.jar T";
        assert!(!text(line, None).contains("where JUNIT is"));
        assert!(text(line, Some(Framework::TestNg)).contains("TestNG with its dependencies"));
        assert!(text(line, Some(Framework::JUnit4)).contains("junit-4.13.2.jar"));
    }
}
