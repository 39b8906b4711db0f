//! Programs that really throw on the JVMs of this machine. The instruction that throws is known by construction: the line in
//! `java/*.java` says it (`//> Kind instruction: condition; fact; ..`; with `//>?` it only has to be among the candidates).
//! Null-pointer texts are the JVM's own, so they also check that we single out the instruction that it means.

mod support;

use program::{CodePoint, Instruction, Jdk, Program};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::open;
use target::message::NullText;
use target::{Binding, Certainty, CrashTarget, FactValue, FrameRole, ThrowSite, null_text};

#[test]
fn null_dereferences() {
    for compiler in [&["-g"][..], &["-g:source,lines"], &["-g", "--release", "8"]] {
        let has_names = compiler.contains(&"-g");
        for run in runs("Nulls", compiler) {
            run.check_sites(has_names);
            run.check_null_texts(has_names);
        }
    }
}

#[test]
fn other_checks_and_explicit_exceptions() {
    for compiler in [&["-g"][..], &["-g", "--release", "8"]] {
        runs("Checks", compiler).iter().for_each(|run| run.check_sites(true));
    }
}

#[test]
fn exceptions_from_inside_the_jdk() {
    runs("Library", &["-g"]).iter().for_each(|run| run.check_sites(true));
}

#[test]
fn frames_bind_by_their_calls() {
    for compiler in [&["-g"][..], &["-g", "--release", "8"]] {
        for run in runs("Binding", compiler) {
            for case in &run.cases {
                let frames = case.target.frames.iter().filter(|frame| is_application(&frame.frame.class));
                for frame in frames {
                    let Binding::Bound { candidates, certainty } = &frame.binding else {
                        panic!("{}: {:?} is not bound\n{}", case.name, frame.frame, case.target);
                    };
                    assert!(*certainty >= Certainty::ByPossibleCall, "{}\n{}", case.name, case.target);
                    assert_eq!(candidates.len(), 1, "{}\n{}", case.name, case.target);
                }
                assert_eq!(case.target.misfits, [], "{}\n{}", case.name, case.target);
            }
        }
    }
}

#[test]
fn classes_without_lines_bind_by_method() {
    for run in runs("Binding", &["-g:none"]) {
        for case in &run.cases {
            for frame in &case.target.frames {
                let is_bound = matches!(frame.binding, Binding::Bound { .. });
                assert!(is_bound || !is_application(&frame.frame.class), "{}\n{}", case.name, case.target);
            }
        }
    }
}

/// What one JVM did with all cases of a class.
struct Run {
    program: Program,
    source: Vec<String>,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    target: CrashTarget,
}

struct Expectation {
    must_be_first: bool,
    kind: String,
    instruction: String,
    condition: Option<String>,
    facts: Vec<String>,
}

impl Run {
    /// The best candidate of each case, or any, is the one that its line announces.
    fn check_sites(&self, has_names: bool) {
        let mut failures = Vec::new();
        for case in &self.cases {
            if let Some(expected) = self.expectation(case) {
                failures.extend(expected.unmet(&self.program, case, has_names));
            }
        }
        assert!(failures.is_empty(), "JDK {}\n{}", self.program.jdk().version, failures.join("\n"));
    }

    /// For every null dereference, the text that we derive from the bytecode is the JVM's own.
    fn check_null_texts(&self, has_names: bool) {
        for case in &self.cases {
            let told = case.target.message.as_deref().and_then(NullText::parse);
            assert!(told.is_some(), "{}", case.target);
            let derived = null_text(&self.program, case.target.throw_sites[0].at, has_names);
            assert_eq!(derived, told, "JDK {} {}\n{}", self.program.jdk().version, case.name, case.target);
        }
    }

    /// What the line of frame 1 announces.
    fn expectation(&self, case: &Case) -> Option<Expectation> {
        let first = case.target.frames.iter().find(|frame| matches!(frame.role, FrameRole::Application(_)))?;
        let line = self.source.get(first.frame.line? as usize - 1)?;
        let (_, note) = line.split_once("//>")?;
        let (must_be_first, note) = match note.strip_prefix('?') {
            Some(rest) => (false, rest),
            None => (true, note),
        };
        let mut parts = note.trim().split("; ");
        let (what, condition) = match parts.next()?.split_once(": ") {
            Some((what, condition)) => (what, Some(condition.to_owned())),
            None => (note.trim(), None),
        };
        let (kind, instruction) = what.split_once(' ').unwrap_or((what, ""));
        Some(Expectation {
            must_be_first,
            kind: kind.into(),
            instruction: instruction.into(),
            condition,
            facts: parts.map(str::to_owned).collect(),
        })
    }
}

impl Expectation {
    fn unmet(&self, program: &Program, case: &Case, has_names: bool) -> Vec<String> {
        let mut failures = Vec::new();
        let fits = |site: &ThrowSite| {
            format!("{:?}", site.kind) == self.kind
                && (self.instruction.is_empty() || instruction(program, site.at) == self.instruction)
                && (!has_names || self.condition.as_ref().is_none_or(|condition| site.text == *condition))
        };
        let sites = &case.target.throw_sites;
        let is_met = if self.must_be_first { sites.first().is_some_and(fits) } else { sites.iter().any(fits) };
        if !is_met {
            let wanted = format!("{} {} {:?}", self.kind, self.instruction, self.condition);
            failures.push(format!("{}: wanted {wanted}\n{}", case.name, case.target));
        }
        let facts: Vec<String> = case.target.message_facts.iter().map(fact_text).collect();
        for fact in self.facts.iter().filter(|fact| has_names && !facts.contains(fact)) {
            failures.push(format!("{}: wanted fact {fact}\n{}", case.name, case.target));
        }
        failures
    }
}

fn fact_text(fact: &target::MessageFact) -> String {
    let value = match &fact.value {
        FactValue::Null => "null".into(),
        FactValue::Int(value) => value.to_string(),
        FactValue::Text(text) => format!("{text:?}"),
        FactValue::Class(class) => class.dotted(),
    };
    format!("{} = {value}", fact.subject)
}

/// The instruction in the words of the cases.
fn instruction(program: &Program, at: CodePoint) -> String {
    use program::classfile::{BinaryOp, FieldOp};
    let method = program.declared_method(at.method).expect("the site is in a method");
    let found = method.readable_code().expect("with code").instruction_at(at.at.bci).expect("that can be read");
    match found {
        Instruction::Invoke { callee, .. } => format!("invoke {}", callee.method.name),
        Instruction::InvokeDynamic { .. } => "invokedynamic".into(),
        Instruction::Field { op: FieldOp::GetField, field } => format!("getfield {}", field.name),
        Instruction::Field { op: FieldOp::PutField, field } => format!("putfield {}", field.name),
        Instruction::Field { op: FieldOp::GetStatic, field } => format!("getstatic {}", field.name),
        Instruction::Field { field, .. } => format!("putstatic {}", field.name),
        Instruction::ArrayLoad(kind) => format!("load {kind:?}"),
        Instruction::ArrayStore(kind) => format!("store {kind:?}"),
        Instruction::ArrayLength => "length".into(),
        Instruction::Throw => "athrow".into(),
        Instruction::MonitorEnter => "monitorenter".into(),
        Instruction::CheckCast(_) => "checkcast".into(),
        Instruction::New(_) => "new".into(),
        Instruction::NewArray { .. } | Instruction::NewMultiArray { .. } => "newarray".into(),
        Instruction::Binary(BinaryOp::Divide, _) => "div".into(),
        Instruction::Binary(BinaryOp::Remainder, _) => "rem".into(),
        other => format!("{other:?}"),
    }
}

fn is_application(class: &str) -> bool {
    ["Nulls", "Checks", "Library", "Binding"]
        .iter()
        .any(|name| class == *name || class.starts_with(&format!("{name}$")))
}

/// Compiles a class of `java/` with each JDK, runs its cases and derives their targets.
fn runs(class: &str, compiler: &[&str]) -> Vec<Run> {
    let jdks: Vec<Jdk> = Jdk::list().into_iter().filter(|jdk| jdk.home.join("bin/javac").is_file()).collect();
    assert!(!jdks.is_empty(), "no JDK with a compiler is installed");
    jdks.into_iter().map(|jdk| run(class, compiler, jdk)).collect()
}

fn run(class: &str, compiler: &[&str], jdk: Jdk) -> Run {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let directory = tempfile::tempdir().expect("a directory for classes");
    let files = [format!("{class}.java"), "Run.java".into()].map(|file| sources.join(file));
    let javac = jdk.home.join("bin/javac");
    execute(&javac, compiler.iter().map(PathBuf::from).chain(["-d".into(), directory.path().into()]).chain(files));
    let options = ["-Xss512k", "-cp"].map(PathBuf::from);
    let text = execute(
        &jdk.home.join("bin/java"),
        options.into_iter().chain([directory.path().into(), "Run".into(), class.into()]),
    );
    let program = open(&[directory.path().into()], jdk);
    let cases: Vec<Case> = text.split("=== ").skip(1).map(|case| read_case(&program, case)).collect();
    assert!(cases.len() > 20, "{text}");
    let source = std::fs::read_to_string(sources.join(format!("{class}.java"))).expect("the source is there");
    // Classes are read on demand, so the directory has to last.
    let _ = directory.keep();
    Run { program, source: source.lines().map(str::to_owned).collect(), cases }
}

fn read_case(program: &Program, text: &str) -> Case {
    let (name, trace) = text.split_once('\n').expect("a name");
    let report = crash_report::parse(trace.as_bytes());
    let throwable = &report.traces.first().unwrap_or_else(|| panic!("{name}: {trace}")).throwable;
    Case { name: name.into(), target: CrashTarget::derive(throwable, program, &is_application) }
}

#[expect(clippy::disallowed_methods, reason = "the tests compare us with real JVMs")]
fn execute(program: &Path, arguments: impl Iterator<Item = PathBuf>) -> String {
    let output = Command::new(program).args(arguments).output().expect("the JDK's tools can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{text}\n{}", program.display(), String::from_utf8_lossy(&output.stderr));
    text
}
