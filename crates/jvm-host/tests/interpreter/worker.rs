//! A worker for tests: the interpreter in an ordinary `java` process that speaks over its standard streams.

use jvm_host::wire::{Decoder, Encoder};
use program::{Cache, ClassPath, Jdk, Program};
use recipe::{End, Recipe};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The JDKs to test with: the one of JAVA_HOME, else every one in the usual directories.
pub fn jdks() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let found = match std::env::var_os("JAVA_HOME") {
            Some(home) => vec![PathBuf::from(home)],
            None => usual_jdks(),
        };
        assert!(!found.is_empty(), "no JDK found; set JAVA_HOME or install one, see `cargo xtask test`");
        found
    })
}

fn usual_jdks() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = ["/usr/lib/jvm", "/Library/Java/JavaVirtualMachines", "/opt/java"]
        .into_iter()
        .filter_map(|dir| std::fs::read_dir(dir).ok())
        .flatten()
        .filter_map(|entry| std::fs::canonicalize(entry.ok()?.path()).ok())
        .filter(|home| home.join("bin/javac").exists())
        .collect();
    homes.sort();
    homes.dedup();
    homes
}

/// A jar of the crash packs by Maven coordinates.
pub fn jar(group: &str, artifact: &str, version: &str) -> PathBuf {
    let Some(jars) = std::env::var_os("REENACT_JARS") else {
        panic!("REENACT_JARS is not set; run the tests by `cargo xtask test`, which fetches the jars");
    };
    let jar = Path::new(&jars).join(group).join(artifact).join(version).join(format!("{artifact}-{version}.jar"));
    assert!(jar.exists(), "{} is missing; `cargo xtask test` fetches it", jar.display());
    jar
}

/// The program of a test: a JDK and jars.
pub fn program(jdk: &Path, class_path: &[PathBuf]) -> Program {
    let class_path = ClassPath::parse(class_path).unwrap();
    Program::open(&class_path, Jdk::at(jdk).unwrap(), &Cache::none()).unwrap().0
}

pub struct Worker {
    child: Child,
    pub program: Program,
    encoder: Encoder,
    decoder: Decoder,
    _scratch: tempfile::TempDir,
}

/// What is kept of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub end: End,
    pub leaked_threads: u32,
}

impl Worker {
    pub fn start(jdk: &Path, class_path: &[PathBuf]) -> Worker {
        Worker::start_with(jdk, class_path, &[])
    }

    pub fn start_with(jdk: &Path, class_path: &[PathBuf], options: &[&str]) -> Worker {
        let scratch = tempfile::tempdir().unwrap();
        let jars: Vec<&str> = class_path.iter().map(|jar| jar.to_str().unwrap()).collect();
        let ours = format!("{}:{}", classes().display(), worker_classes().display());
        let child = java(jdk, "java")
            .args(["-XX:-OmitStackTraceInFastThrow", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"])
            .args(options)
            .args(["-cp", &ours, "reenact.host.BatchMain", &jars.join(":")])
            .arg(scratch.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let program = program(jdk, class_path);
        Worker { child, program, encoder: Encoder::default(), decoder: Decoder::default(), _scratch: scratch }
    }

    pub fn run(&mut self, recipes: &[Recipe]) -> Vec<Outcome> {
        let batch = self.encoder.batch(recipes, &self.program);
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(&(batch.len() as u32).to_be_bytes()).unwrap();
        stdin.write_all(&batch).unwrap();
        stdin.flush().unwrap();
        let mut outcomes = Vec::new();
        loop {
            let bytes = self.chunk();
            if bytes.is_empty() {
                break;
            }
            for answer in self.decoder.answers(&bytes).unwrap() {
                outcomes.push(Outcome { end: answer.end, leaked_threads: answer.leaked_threads });
            }
        }
        assert_eq!(outcomes.len(), recipes.len());
        outcomes
    }

    fn chunk(&mut self) -> Vec<u8> {
        let stdout = self.child.stdout.as_mut().unwrap();
        let mut length = [0; 4];
        stdout.read_exact(&mut length).unwrap();
        let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
        stdout.read_exact(&mut bytes).unwrap();
        bytes
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The committed classes that run in workers.
fn classes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("java/classes")
}

/// The worker's own classes.
fn worker_classes() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| compile("java"))
}

/// The program that tests run recipes on.
pub fn fixture() -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| compile("program/fixture")).clone()
}

/// Compiles the Java sources of a directory beside this file, once, with the first JDK, for all.
fn compile(directory: &str) -> PathBuf {
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interpreter").join(directory);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interpreter").join(directory);
    let status = java(&jdks()[0], "javac")
        .args(["--release", "8", "-g", "-nowarn", "-Xlint:-options", "-cp"])
        .arg(classes())
        .arg("-d")
        .arg(&to)
        .args(std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path()))
        .status()
        .unwrap();
    assert!(status.success());
    to
}

#[expect(clippy::disallowed_methods, reason = "the tests compare with a plain JVM")]
fn java(jdk: &Path, program: &str) -> Command {
    Command::new(jdk.join("bin").join(program))
}
