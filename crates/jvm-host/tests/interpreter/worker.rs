//! A worker for tests: the interpreter in an ordinary `java` process that speaks over its standard streams.

use super::support::{Jdk, class_path, compile, host_classes};
use jvm_host::wire::{Decoder, Encoder};
use program::{Cache, ClassPath, Program};
use recipe::{End, Recipe};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The program of a test: a JDK and jars.
pub(crate) fn program(jdk: &Jdk, jars: &[PathBuf]) -> Program {
    let class_path = ClassPath::parse(jars).unwrap();
    Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap().0
}

pub(crate) struct Worker {
    child: Child,
    pub(crate) program: Program,
    encoder: Encoder,
    decoder: Decoder,
    _scratch: tempfile::TempDir,
}

/// What is kept of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    pub(crate) leaked_threads: u32,
}

impl Worker {
    pub(crate) fn start(jdk: &Jdk, jars: &[PathBuf]) -> Worker {
        let scratch = tempfile::tempdir().unwrap();
        let child = host_java(jdk)
            .args(["reenact.host.BatchMain"])
            .arg(class_path(&jars.iter().map(PathBuf::as_path).collect::<Vec<_>>()))
            .arg(scratch.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let program = program(jdk, jars);
        Worker { child, program, encoder: Encoder::default(), decoder: Decoder::default(), _scratch: scratch }
    }

    pub(crate) fn run(&mut self, recipes: &[Recipe]) -> Vec<Outcome> {
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

/// `java` with the options of a worker, and the classes of the host and of the tests.
pub(crate) fn host_java(jdk: &Jdk) -> Command {
    let mut java = jdk.java();
    java.args(["-XX:-OmitStackTraceInFastThrow", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp"]);
    java.arg(class_path(&[&host_classes(), tools()]));
    java
}

/// The classes of the test's side.
fn tools() -> &'static Path {
    static COMPILED: OnceLock<tempfile::TempDir> = OnceLock::new();
    COMPILED.get_or_init(|| compiled("java")).path()
}

/// The program that tests run recipes on.
pub(crate) fn fixture() -> PathBuf {
    static COMPILED: OnceLock<tempfile::TempDir> = OnceLock::new();
    COMPILED.get_or_init(|| compiled("program/fixture")).path().to_path_buf()
}

fn compiled(directory: &str) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interpreter").join(directory);
    let sources: Vec<PathBuf> = std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path()).collect();
    compile(&sources, to.path(), &["--release", "8", "-g", "-nowarn", "-Xlint:-options"]);
    to
}
