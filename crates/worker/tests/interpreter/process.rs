//! A worker for tests: the interpreter in an ordinary `java` process that speaks over its standard streams.
#![allow(dead_code, reason = "tests and benchmarks use their part")]

use program::{Cache, ClassPath, Program};
use recipe::{End, Recipe};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use testing::{Jdk, class_path, compile, host_classes};
use worker::wire::{Decoder, Encoder};

/// The program of a test: a JDK and jars.
pub(crate) fn program(jdk: &Jdk, jars: &[PathBuf]) -> Program {
    let class_path = ClassPath::parse(jars).unwrap();
    Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap().0
}

pub(crate) struct Worker {
    child: Child,
    /// What the worker writes, read by a thread of its own, so that we can stop waiting.
    chunks: Receiver<Vec<u8>>,
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
        let mut child = host_java(jdk)
            .args(["reenact.host.BatchMain"])
            .arg(class_path(&jars.iter().map(PathBuf::as_path).collect::<Vec<_>>()))
            .arg(scratch.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, chunks) = mpsc::channel();
        std::thread::spawn(move || read_chunks(stdout, &sender));
        let program = program(jdk, jars);
        Worker { child, chunks, program, encoder: Encoder::default(), decoder: Decoder::default(), _scratch: scratch }
    }

    pub(crate) fn run(&mut self, recipes: &[Recipe]) -> Vec<Outcome> {
        self.run_within(recipes, Duration::from_secs(300)).unwrap_or_else(|| panic!("the worker does not answer"))
    }

    /// `None` if the answers are late; the worker is of no use then.
    pub(crate) fn run_within(&mut self, recipes: &[Recipe], limit: Duration) -> Option<Vec<Outcome>> {
        let batch = self.encoder.batch(recipes, &self.program);
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(&(batch.len() as u32).to_be_bytes()).unwrap();
        stdin.write_all(&batch).unwrap();
        stdin.flush().unwrap();
        let mut outcomes = Vec::new();
        loop {
            let bytes = self.chunks.recv_timeout(limit).ok()?;
            if bytes.is_empty() {
                break;
            }
            for answer in self.decoder.answers(&bytes).unwrap() {
                outcomes.push(Outcome { end: answer.end, leaked_threads: answer.leaked_threads });
            }
        }
        assert_eq!(outcomes.len(), recipes.len());
        Some(outcomes)
    }

    /// What the thread that candidates run on has used up, and all threads together, the compiler's and collector's included.
    pub(crate) fn cpu_times(&self) -> (Duration, Duration) {
        let process = PathBuf::from(format!("/proc/{}", self.child.id()));
        let mut tasks = std::fs::read_dir(process.join("task")).unwrap().map(|task| task.unwrap().path());
        let is_candidates =
            |task: &PathBuf| std::fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "candidates");
        (cpu_time(&tasks.find(is_candidates).unwrap()), cpu_time(&process))
    }
}

fn cpu_time(process: &Path) -> Duration {
    let stat = std::fs::read_to_string(process.join("stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // User and system time, in hundredths of a second.
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    Duration::from_millis(10 * ticks)
}

/// Until the worker ends; an empty chunk ends a batch.
fn read_chunks(mut stdout: ChildStdout, to: &Sender<Vec<u8>>) {
    let mut length = [0; 4];
    while stdout.read_exact(&mut length).is_ok() {
        let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
        if stdout.read_exact(&mut bytes).is_err() || to.send(bytes).is_err() {
            return;
        }
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
    java.args(["-XX:-OmitStackTraceInFastThrow", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"]);
    // All objects have the same identity hash: one thing less that differs between two runs.
    java.args(["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", "-cp"]);
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
