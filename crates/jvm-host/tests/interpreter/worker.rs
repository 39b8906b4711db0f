//! A worker for tests: the interpreter in an ordinary `java` process that speaks over its standard streams.

use jvm_host::wire::{Decoder, Encoder};
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

pub struct Worker {
    child: Child,
    encoder: Encoder,
    decoder: Decoder,
}

impl Worker {
    pub fn start(jdk: &Path, class_path: &[PathBuf]) -> Worker {
        let class_path: Vec<&str> = class_path.iter().map(|jar| jar.to_str().unwrap()).collect();
        let ours = format!("{}:{}", classes().display(), test_classes().display());
        let child = java(jdk, "java")
            .args(["-XX:-OmitStackTraceInFastThrow", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp"])
            .arg(ours)
            .args(["reenact.host.BatchMain", &class_path.join(":")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Worker { child, encoder: Encoder::default(), decoder: Decoder::default() }
    }

    pub fn run(&mut self, recipes: &[Recipe]) -> Vec<End> {
        let batch = self.encoder.batch(recipes);
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(&(batch.len() as u32).to_be_bytes()).unwrap();
        stdin.write_all(&batch).unwrap();
        stdin.flush().unwrap();
        let mut ends = Vec::new();
        loop {
            let bytes = self.chunk();
            if bytes.is_empty() {
                break;
            }
            ends.extend(self.decoder.answers(&bytes).unwrap().into_iter().map(|answer| answer.end));
        }
        assert_eq!(ends.len(), recipes.len());
        ends
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

/// The tests' own Java classes, compiled once with the oldest JDK found, for all.
fn test_classes() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-classes");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/reenact/host");
        let status = java(&jdks()[0], "javac")
            .args(["--release", "8", "-Xlint:-options", "-cp"])
            .arg(classes())
            .arg("-d")
            .arg(&to)
            .args(std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path()))
            .status()
            .unwrap();
        assert!(status.success());
        to
    })
}

#[expect(clippy::disallowed_methods, reason = "the tests compare with a plain JVM")]
fn java(jdk: &Path, program: &str) -> Command {
    Command::new(jdk.join("bin").join(program))
}
