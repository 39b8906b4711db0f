//! Differential test: the cases run as three-address code in a small interpreter and as bytecode in a real JVM, on random inputs.
//! Compared are results, types of exceptions, and the method and line that an exception comes from.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod interpreter;

use interpreter::inputs::{Input, Random};
use interpreter::{Machine, Stop, Value};
use program::{Cache, ClassPath, Jdk, Method, Program};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const RUNS: usize = 150;

#[test]
fn with_variable_tables() {
    check("debug", &["Arithmetic", "Arrays", "Control", "Exceptions", "Objects"]);
}

#[test]
fn without_variable_tables() {
    check("lines", &["Arithmetic", "Arrays", "Control", "Exceptions", "Objects", "Odd"]);
}

fn check(directory: &str, classes: &[&str]) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let cases = tests.join("cases").join(directory);
    let jdk = Jdk::find(None).unwrap();
    let (program, _) = Program::open(&ClassPath::parse([&cases]).unwrap(), jdk, &Cache::none()).unwrap();
    let mut random = Random(0x5EED);
    let mut calls = Vec::new();
    let mut ours = Vec::new();
    let mut machine = Machine::new(&program);
    for class in classes {
        let class = program.class(program::ClassName::internal(class)).unwrap();
        for method in class.methods.iter().filter(|method| method.access.is_static() && !method.is_static_initialiser())
        {
            for _ in 0..RUNS {
                let params = method.reference().signature().params;
                let inputs: Vec<Input> = params.iter().map(|ty| random.input(*ty)).collect();
                let words: Vec<String> = inputs.iter().map(Input::word).collect();
                calls.push(format!("{} {} {}", method.class, method.name, words.join(" ")));
                ours.push(run(&mut machine, method, &inputs));
            }
        }
    }
    let theirs = run_jvm(&program.jdk().home, &[tests.join("driver"), cases], &calls);
    assert_eq!(theirs.len(), ours.len());
    let mut incomparable = 0;
    for ((call, ours), theirs) in calls.iter().zip(&ours).zip(&theirs) {
        match ours {
            Ok(ours) => assert_eq!(ours, theirs, "{call}"),
            Err(reason) => {
                println!("{call}: {reason}");
                incomparable += 1;
            }
        }
    }
    let threw = theirs.iter().filter(|outcome| outcome.starts_with("threw")).count();
    println!("{directory}: {} runs, {threw} threw, {incomparable} not comparable", calls.len());
    assert_eq!(incomparable, 0);
    assert!(threw > calls.len() / 20, "only {threw} runs threw");
}

/// What the driver prints for the same call, or why that cannot be known.
fn run(machine: &mut Machine<'_>, method: &Method, inputs: &[Input]) -> Result<String, String> {
    machine.fuel = 100_000;
    match machine.call(method.reference(), inputs.iter().map(Input::value).collect()) {
        Ok(None) => Ok("null".into()),
        Ok(Some(Value::Int(value))) => Ok(format!("int {value}")),
        Ok(Some(Value::Long(value))) => Ok(format!("long {value}")),
        // As `floatToIntBits` does, with one NaN.
        Ok(Some(Value::Float(value))) if value.is_nan() => Ok(format!("float {}", 0x7fc0_0000)),
        Ok(Some(Value::Double(value))) if value.is_nan() => Ok(format!("double {}", 0x7ff8_0000_0000_0000_i64)),
        Ok(Some(Value::Float(value))) => Ok(format!("float {}", value.to_bits().cast_signed())),
        Ok(Some(Value::Double(value))) => Ok(format!("double {}", value.to_bits().cast_signed())),
        Ok(Some(other)) => Err(format!("returned {other:?}")),
        Err(Stop::NotComparable(reason)) => Err(reason),
        Err(Stop::Threw(thrown)) => {
            let (name, line) = thrown.created().unwrap();
            Ok(format!("threw {} {name} {}", thrown.class().unwrap(), line.unwrap()))
        }
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
