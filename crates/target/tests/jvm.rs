//! Programs that really throw on the JVMs of this machine. The instruction that throws is known twice: by construction, the
//! line in `java/*.java` says it (`//> Kind instruction: condition; fact; ..`, `*` for any condition; with `//>?` it only has
//! to be among the candidates), and from the JVM's own record of the stack, which has the bytecode index of every frame. Null-pointer
//! texts are the JVM's own, so they also check that we single out the instruction that it means.

#[path = "support/jars.rs"]
mod jars;
#[path = "support/java.rs"]
mod java;
mod support;

use java::{compile, execute, sources};
use program::{CodePoint, Instruction, Jdk, Program};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use support::open;
use target::message::NullText;
use target::{Binding, Certainty, CrashTarget, FactValue, FrameRole, Methods, ThrowSite, null_text};

#[test]
fn null_dereferences() {
    for compiler in [&["-g"][..], &["-g:source,lines"], &["-g", "--release", "8"]] {
        let has_names = compiler.contains(&"-g");
        for run in runs("Nulls", compiler) {
            run.check_sites(has_names);
            run.check_null_texts(has_names);
            run.check_indices();
        }
    }
}

#[test]
fn other_checks_and_explicit_exceptions() {
    for compiler in [&["-g"][..], &["-g", "--release", "8"]] {
        for run in runs("Checks", compiler) {
            run.check_sites(true);
            run.check_indices();
        }
    }
}

/// Whatever an exception does to build its message, the facts are about the values at the throw site.
#[test]
fn messages_that_exceptions_build() {
    for compiler in [&["-g"][..], &["-g", "--release", "8"]] {
        for run in runs("Messages", compiler) {
            run.check_sites(true);
            run.check_indices();
        }
    }
}

/// What a variable without a name holds is told only while it is so.
#[test]
fn variables_without_names() {
    runs("Unnamed", &["-g:source,lines"]).iter().for_each(|run| run.check_sites(true));
}

#[test]
fn exceptions_from_inside_the_jdk() {
    for run in runs("Library", &["-g"]) {
        run.check_sites(true);
        run.check_indices();
    }
}

#[test]
fn frames_bind_by_their_calls() {
    for compiler in [&["-g"][..], &["-g", "--release", "8"]] {
        for run in runs("Binding", compiler) {
            run.check_indices();
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

/// Random calls into whole libraries: for whatever comes out, every frame has the call that was made, and the instruction
/// that threw is among the candidates.
#[test]
fn crashes_of_whole_libraries() {
    for jar in [
        "commons-collections/commons-collections/3.1/commons-collections-3.1.jar",
        "org.apache.commons/commons-lang3/3.12.0/commons-lang3-3.12.0.jar",
    ] {
        let jar = jars::crash_jar(jar);
        for jdk in jdks() {
            let helpers = helper_classes(&jdk);
            let class_path = std::env::join_paths([helpers.as_path(), &jar]).expect("paths without colons");
            let options = ["-Xmx256m".into(), "-XX:TieredStopAtLevel=1".into(), "-cp".into(), class_path.into()];
            let arguments = options.into_iter().chain(["Fuzz".into(), jar.clone(), "8000".into()]);
            let text = execute(&jdk.home.join("bin/java"), arguments);
            let methods = open(std::slice::from_ref(&jar), jdk);
            let is_ours =
                |class: &str| methods.program().is_application_default(program::ClassName::from_dotted(class));
            let cases: Vec<Case> = text.split("=== ").skip(1).map(|case| read_case(&methods, case, &is_ours)).collect();
            assert!(cases.len() > 150, "{} crashes", cases.len());
            let failures: Vec<String> = cases.iter().flat_map(Case::differences).collect();
            assert!(failures.is_empty(), "{}\n{}", jar.display(), failures.join("\n"));
        }
    }
}

/// What compilers make of newer Java: every frame of the program is bound to the call that was made, the instruction that
/// threw is a candidate, and nothing is said not to fit.
#[test]
fn shapes_of_newer_java() {
    for compiler in [&["-g"][..], &["-g:source,lines"]] {
        for run in runs("Shapes", compiler) {
            run.check_indices();
            run.check_sites(compiler == ["-g"]);
            for case in &run.cases {
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
    methods: Methods,
    source: Vec<String>,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    target: CrashTarget,
    /// The bytecode index of each frame.
    indices: Vec<u16>,
}

impl Case {
    /// Where the JVM was somewhere else than we say.
    fn differences(&self) -> Vec<String> {
        let mut failures = Vec::new();
        // Some exceptions cut helpers of their own off the top of the trace.
        let hidden = self.indices.len() - self.target.frames.len();
        let mut is_first = true;
        for (position, (frame, at)) in self.target.frames.iter().zip(&self.indices[hidden..]).enumerate() {
            if !matches!(frame.role, FrameRole::Application(_)) {
                continue;
            }
            let Binding::Bound { candidates, .. } = &frame.binding else {
                failures.push(format!("frame {position} is not bound"));
                continue;
            };
            let has_line = candidates.iter().any(|one| one.ranges.iter().any(|range| range.contains(at)));
            let has_call = candidates.iter().any(|one| one.calls.contains(at));
            let is_called = self.target.frames[..position].iter().any(|above| above.role != FrameRole::Glue);
            if !has_line || (is_called && !has_call) {
                failures.push(format!("frame {position} was at {at}"));
            }
            let sites = || self.target.throw_sites.iter().flat_map(ThrowSite::places);
            // HotSpot's interpreter runs a load (of one or two bytes) and what follows as one, and names it after the load.
            let is_it = |place: CodePoint| (*at..=*at + 2).contains(&place.at.bci);
            if std::mem::take(&mut is_first) && !sites().any(is_it) {
                failures.push(format!("frame 1 threw at {at}"));
            }
        }
        failures.into_iter().map(|failure| format!("{}: {failure}\n{}", self.name, self.target)).collect()
    }
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
        let mut checked = 0;
        for case in &self.cases {
            if let Some(expected) = self.expectation(case) {
                failures.extend(expected.unmet(self.methods.program(), case, has_names));
                checked += 1;
            }
        }
        assert!(checked * 2 > self.cases.len(), "only {checked} of {} cases have an expectation", self.cases.len());
        assert!(failures.is_empty(), "JDK {}\n{}", self.methods.program().jdk().version, failures.join("\n"));
    }

    /// The JVM was where we say in every frame.
    fn check_indices(&self) {
        let failures: Vec<String> = self.cases.iter().flat_map(Case::differences).collect();
        assert!(failures.is_empty(), "JDK {}\n{}", self.methods.program().jdk().version, failures.join("\n"));
    }

    /// For every null dereference, the text that we derive from the bytecode is the JVM's own.
    fn check_null_texts(&self, has_names: bool) {
        for case in &self.cases {
            let told = case.target.message.as_deref().and_then(NullText::parse);
            assert!(told.is_some(), "{}", case.target);
            let derived = null_text(&self.methods, case.target.throw_sites[0].at, has_names);
            assert_eq!(derived, told, "JDK {} {}\n{}", self.methods.program().jdk().version, case.name, case.target);
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
                && (!has_names
                    || self.condition.as_ref().is_none_or(|condition| site.text == *condition || condition == "*"))
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
    use program::BinaryOp;
    use program::classfile::FieldOp;
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
        Instruction::Binary(BinaryOp::Div, _) => "div".into(),
        Instruction::Binary(BinaryOp::Rem, _) => "rem".into(),
        other => format!("{other:?}"),
    }
}

fn is_application(class: &str) -> bool {
    ["Nulls", "Checks", "Library", "Binding", "Unnamed", "Shapes", "Messages"]
        .iter()
        .any(|name| class == *name || class.starts_with(&format!("{name}$")))
}

/// Compiles a class of `java/` with each JDK, runs its cases and derives their targets.
fn runs(class: &str, compiler: &[&str]) -> Vec<Run> {
    jdks().into_iter().map(|jdk| run(class, compiler, jdk)).collect()
}

fn jdks() -> Vec<Jdk> {
    let jdks: Vec<Jdk> = Jdk::list().into_iter().filter(|jdk| jdk.home.join("bin/javac").is_file()).collect();
    assert!(!jdks.is_empty(), "no JDK with a compiler is installed");
    jdks
}

fn run(class: &str, compiler: &[&str], jdk: Jdk) -> Run {
    let classes = compile(&jdk, compiler, &[class]);
    let class_path = std::env::join_paths([&classes, &helper_classes(&jdk)]).expect("paths without colons");
    let arguments = ["-Xss512k".into(), "-cp".into(), class_path.into(), "Run".into(), class.into()];
    let text = execute(&jdk.home.join("bin/java"), arguments.into_iter());
    let methods = open(std::slice::from_ref(&classes), jdk);
    let cases: Vec<Case> = text.split("=== ").skip(1).map(|case| read_case(&methods, case, &is_application)).collect();
    assert!(!cases.is_empty(), "{text}");
    let source = std::fs::read_to_string(sources().join(format!("{class}.java"))).expect("the source is there");
    Run { methods, source: source.lines().map(str::to_owned).collect(), cases }
}

/// The programs that run the cases, compiled once for each JDK.
fn helper_classes(jdk: &Jdk) -> PathBuf {
    static COMPILED: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().expect("no test has failed while compiling");
    let compile = || compile(jdk, &["-nowarn"], &["Run", "Fuzz", "Bytecodes"]);
    compiled.entry(jdk.home.clone()).or_insert_with(compile).clone()
}

fn read_case(methods: &Methods, text: &str, is_application: &dyn Fn(&str) -> bool) -> Case {
    let (name, rest) = text.split_once('\n').expect("a name");
    let (trace, indices) = rest.split_once("\n---").unwrap_or_else(|| panic!("{name}: {rest}"));
    let report = crash_report::parse(trace.as_bytes());
    let throwable = &report.traces.first().unwrap_or_else(|| panic!("{name}: {trace}")).throwable;
    let target = CrashTarget::derive(throwable, methods, is_application);
    let indices = indices.split_whitespace().map(|index| index.parse().expect("a number")).collect();
    Case { name: name.into(), target, indices }
}
