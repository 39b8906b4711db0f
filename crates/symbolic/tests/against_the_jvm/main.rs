//! Differential test: the cases run without symbols on the transfer functions and as bytecode in a real JVM, on random inputs.
//! Compared are results, types of exceptions, and the method and line that an exception comes from.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod every_input;
mod generated;
mod hidden;
mod inputs;

use analysis::Methods;
use inputs::{Input, Random};
use program::{Cache, ClassPath, Jdk, Method, Program};
use smt::{Node, Value};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use symbolic::{Bounds, End, Paths, State, World};

/// Runs of each method; `REENACT_RUNS` asks for others.
const RUNS: usize = 100;

fn runs() -> usize {
    std::env::var("REENACT_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(RUNS)
}

#[test]
fn with_variable_tables() {
    instructions("debug", &["Arithmetic", "Arrays", "Control", "Exceptions", "Objects"]);
}

#[test]
fn without_variable_tables() {
    instructions("lines", &["Arithmetic", "Arrays", "Control", "Exceptions", "Objects", "Odd"]);
}

/// Instructions: all can be compared.
fn instructions(directory: &str, classes: &[&str]) {
    let cases = tests().join("../../ir/tests/cases").join(directory);
    let counts = check(Jdk::find(None).unwrap(), &cases, classes, runs());
    assert_eq!(counts.incomparable, 0);
}

const LIBRARY: [&str; 5] = ["Texts", "Boxes", "Lambdas", "Enums", "Lists"];

#[test]
fn compiled_for_8() {
    library("8", 8, &LIBRARY);
}

#[test]
fn compiled_for_17() {
    library("17", 17, &[&LIBRARY[..], &["Records"]].concat());
}

#[test]
fn compiled_for_21() {
    library("21", 21, &[&LIBRARY[..], &["Records", "Patterns"]].concat());
}

#[test]
fn every_input_falls_into_one_way() {
    for (directory, release) in [("8", 8), ("17", 17), ("21", 21)] {
        for jdk in testing::jdks().into_iter().filter(|jdk| jdk.major >= release) {
            let cases = tests().join("cases").join(directory);
            let inputs = every_input::check(Jdk::at(&jdk.home).unwrap(), &cases, "Small");
            assert!(inputs > 60_000, "{inputs} inputs");
        }
    }
}

#[test]
fn hidden_calls_may_do_what_they_do() {
    for (directory, release) in [("8", 8), ("17", 17)] {
        for jdk in testing::jdks().into_iter().filter(|jdk| jdk.major >= release) {
            let (possible, certain) =
                hidden::check(Jdk::at(&jdk.home).unwrap(), &tests().join("cases").join(directory));
            println!("JDK {}, {directory}: {possible} results were thought possible, {certain} for certain", jdk.major);
        }
    }
}

/// Generated bodies; `REENACT_BODIES` asks for another number, and `REENACT_SEED` for others.
const BODIES: usize = 1000;
/// Methods of one class, and of one run of the compiler.
const PER_CLASS: usize = 40;
const PER_BATCH: usize = 2000;
/// Runs of each body.
const RUNS_OF_BODY: usize = 4;

#[test]
fn generated_bodies() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let bodies = number("REENACT_BODIES").unwrap_or(BODIES);
    let seed = number("REENACT_SEED").unwrap_or(1) as u64;
    let mut total = Counts::default();
    for batch in 0..bodies.div_ceil(PER_BATCH) {
        let mut random = Random((seed << 32) + 0x5EED + batch as u64 * 7919);
        let directory = tempfile::tempdir().unwrap();
        let classes = (bodies - batch * PER_BATCH).min(PER_BATCH).div_ceil(PER_CLASS);
        let names: Vec<String> = (0..classes).map(|class| format!("G{class}")).collect();
        let mut sources = Vec::new();
        for name in &names {
            let source = directory.path().join(format!("{name}.java"));
            std::fs::write(&source, generated::class(name, PER_CLASS, &mut random)).unwrap();
            sources.push(source);
        }
        let release = if batch % 2 == 0 { "8" } else { "17" };
        let options = ["--release", release, "-Xlint:-options", "-nowarn", "-g:source,lines"];
        testing::compile(&sources, directory.path(), &options);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let jdk = Jdk::at(&testing::jdks()[0].home).unwrap();
        total.add(&check(jdk, directory.path(), &names, RUNS_OF_BODY));
    }
    println!("{bodies} bodies: {total:?}");
    assert!(total.incomparable < total.runs / 50, "{total:?}");
}

/// What compilers and the library add: nearly all can be compared.
fn library(directory: &str, release: u32, classes: &[&str]) {
    for jdk in testing::jdks().into_iter().filter(|jdk| jdk.major >= release) {
        let cases = tests().join("cases").join(directory);
        let counts = check(Jdk::at(&jdk.home).unwrap(), &cases, classes, runs());
        assert!(counts.incomparable < counts.runs / 50, "{counts:?}");
    }
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

#[derive(Debug, Default)]
struct Counts {
    runs: usize,
    threw: usize,
    incomparable: usize,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.runs += other.runs;
        self.threw += other.threw;
        self.incomparable += other.incomparable;
    }
}

/// Compares so many runs of all static methods of the classes.
fn check(jdk: Jdk, cases: &Path, classes: &[&str], runs: usize) -> Counts {
    let (program, _) = Program::open(&ClassPath::parse([cases]).unwrap(), jdk, &Cache::none()).unwrap();
    let mut random = Random(0x5EED);
    let mut calls = Vec::new();
    let mut ours = Vec::new();
    let program = Arc::new(program);
    let methods = Arc::new(Methods::new(program.clone()));
    for class in classes {
        let class = program.class(program::ClassName::internal(class)).unwrap();
        let is_case = |method: &&Method| {
            let is_simple = |ty: &program::Type| ty.as_class().is_none_or(|class| class.package() == "java/lang");
            method.access.is_static()
                && !method.is_static_initialiser()
                && !method.access.is_synthetic()
                && method.reference().signature().params.iter().all(is_simple)
                && method.reference().signature().ret.as_ref().is_none_or(is_simple)
        };
        for method in class.methods.iter().filter(is_case) {
            for _ in 0..runs {
                let params = method.reference().signature().params;
                let inputs: Vec<Input> = params.iter().map(|ty| random.input(*ty)).collect();
                let words: Vec<String> = inputs.iter().map(Input::word).collect();
                calls.push(format!("{} {} {}", method.class, method.name, words.join(" ")));
                ours.push(run(&methods, method, &inputs));
            }
        }
    }
    let theirs = run_jvm(&program.jdk().home, &[tests().join("driver"), cases.to_owned()], &calls);
    assert_eq!(theirs.len(), ours.len());
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for ((call, ours), theirs) in calls.iter().zip(&ours).zip(&theirs) {
        match ours {
            Ok(ours) if is_same(ours, theirs) => {}
            // Memory is limited there only.
            Ok(_) if theirs.starts_with("threw java.lang.OutOfMemoryError") => {
                *reasons.entry("no memory left".into()).or_default() += 1;
            }
            Ok(ours) => wrong.push(format!("{call}: ours {ours}, theirs {theirs}")),
            Err(reason) => {
                *reasons.entry(reason.clone()).or_default() += 1;
            }
        }
    }
    let threw = theirs.iter().filter(|outcome| outcome.starts_with("threw")).count();
    let incomparable = reasons.values().sum();
    println!(
        "JDK {}, {}: {} runs, {threw} threw, {incomparable} not comparable",
        program.jdk().feature,
        cases.display(),
        calls.len()
    );
    reasons.iter().for_each(|(reason, count)| println!("  {count} times {reason}"));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
    assert!(threw > calls.len() / 20, "only {threw} runs threw");
    Counts { runs: calls.len(), threw, incomparable }
}

/// An exception from inside the library has no place of ours.
fn is_same(ours: &str, theirs: &str) -> bool {
    match ours.strip_suffix(" inside") {
        Some(thrown) => theirs.rsplitn(3, ' ').nth(2) == Some(thrown),
        None => ours == theirs,
    }
}

/// What the driver prints for the same call, or why that cannot be known.
fn run(methods: &Arc<Methods>, method: &Method, inputs: &[Input]) -> Result<String, String> {
    let world = World::new(methods.clone());
    let lowered = methods.get(method.reference()).ok_or("it cannot be lowered")?;
    let mut state = State::identity(0);
    let class = methods.program().class(method.class).ok_or("its class is missing")?;
    for field in class.fields.iter().filter(|field| field.access.is_static() && !field.access.is_final()) {
        state.clear_static(&world, field.reference());
    }
    let args: Vec<smt::Term> = inputs.iter().map(|input| input.value(&world, &mut state)).collect();
    let start = Paths::start(&lowered.body, state, &args);
    let paths = Paths::of(&world, &lowered, start, Bounds::CONCRETE);
    let [way] = &paths.ways[..] else { return Err(format!("{} ways, cut: {}", paths.ways.len(), paths.is_cut)) };
    if !way.state.path.is_empty() {
        return Err(format!("not all was decided, marks {:?}", way.state.marks));
    }
    match &way.end {
        End::Arrived | End::Entered => Err("no destination was given".into()),
        End::Return(None) => Ok("null".into()),
        End::Return(Some(value)) => printed(&world, &way.state, *value),
        End::Throw { object, .. } => thrown(methods, &world, *object),
    }
}

/// An exception as the driver prints it.
fn thrown(methods: &Methods, world: &World, object: smt::Term) -> Result<String, String> {
    let made = world.created_at(object).ok_or("nobody made the exception")?;
    let class = world.allocated_type(object).and_then(program::Type::as_class).ok_or("an exception without a class")?;
    let line = methods.get(made.method).and_then(|lowered| lowered.body.line_of(made.at.bci));
    // Adapters have no lines.
    Ok(match line {
        Some(line) if !methods.program().is_jdk(made.method.class) => {
            format!("threw {class} {} {line}", made.method.name)
        }
        _ => format!("threw {class} inside"),
    })
}

/// Floats by their bits, with one NaN, as `floatToIntBits` does.
fn printed(world: &World, state: &State, value: smt::Term) -> Result<String, String> {
    if world.known_type(value) == Some(program::Type::class("java/lang/String")) {
        let text = world.terms.constant(state.text_of(world, value)).ok_or("returned a text that is not known")?;
        let hex: String = text.as_units().unwrap_or_default().iter().map(|unit| format!("{unit:04x}")).collect();
        return Ok(format!("text {hex}"));
    }
    match world.terms.constant(value) {
        Some(value @ Value::Bv { width: 32, .. }) => Ok(format!("int {}", value.as_signed().unwrap())),
        Some(value @ Value::Bv { .. }) => Ok(format!("long {}", value.as_signed().unwrap())),
        Some(Value::Ref(object)) if object.is_null() => Ok("null".into()),
        Some(Value::F32(bits)) => Ok(format!("float {}", bits.cast_signed())),
        Some(Value::F64(bits)) => Ok(format!("double {}", bits.cast_signed())),
        other => Err(format!("returned {other:?}, {:?}", matches!(world.terms.node(value), Node::Var(_)))),
    }
}

#[expect(clippy::disallowed_methods, reason = "the JVM is what the test compares with")]
fn run_jvm(home: &Path, class_path: &[PathBuf], calls: &[String]) -> Vec<String> {
    let mut child = std::process::Command::new(home.join("bin/java"))
        .args(["-Xshare:auto", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow", "-cp"])
        .arg(std::env::join_paths(class_path).unwrap())
        .arg("Driver")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = calls.join("\n") + "\n";
    // From another thread: the driver answers while we write.
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the driver failed");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}
