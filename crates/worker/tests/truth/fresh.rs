//! Printed tests, compiled together, each run in a plain VM of its own, locked up as `confirm` does it.

use super::ending::{Ending, Exception, is_of_test};
use junit::TestSource;
use sandbox::{Readable, SandboxPolicy};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use testing::{Jdk, class_path};

pub(crate) struct Fresh {
    jdk: Jdk,
    jars: Vec<PathBuf>,
    classes: tempfile::TempDir,
    /// Those that the compiler refuses, and those that there is no source of.
    refused: BTreeSet<usize>,
    /// What the compiler says of the former.
    errors: String,
}

/// For machines that do something else.
const PATIENCE: Duration = Duration::from_secs(120);

impl Fresh {
    pub(crate) fn new(jdk: &Jdk, jars: &[PathBuf], sources: &[Option<TestSource>]) -> Fresh {
        let (directory, classes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for source in sources.iter().flatten() {
            std::fs::write(directory.path().join(&source.path), &source.text).unwrap();
        }
        std::fs::copy(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/truth/Fresh.java"),
            directory.path().join("Fresh.java"),
        )
        .unwrap();
        let mut fresh =
            Fresh { jdk: jdk.clone(), jars: jars.to_vec(), classes, refused: BTreeSet::new(), errors: String::new() };
        fresh.refused.extend((0..sources.len()).filter(|index| sources[*index].is_none()));
        // What the compiler refuses is taken out, until it has nothing to say: it names the errors of one phase at a time.
        for _ in 0..30 {
            let new = fresh.compile(directory.path(), sources);
            if new.is_empty() {
                return fresh;
            }
            fresh.refused.extend(new);
        }
        panic!("the compiler is never content: {}", fresh.errors);
    }

    /// What the compiler has to say, empty if nothing.
    pub(crate) fn errors(&self) -> &str {
        &self.errors
    }

    pub(crate) fn is_compiled(&self, index: usize) -> bool {
        !self.refused.contains(&index)
    }

    /// Compiles what is not refused yet; which are refused now.
    #[expect(clippy::disallowed_methods, reason = "the tests run Java's compiler")]
    fn compile(&mut self, directory: &Path, sources: &[Option<TestSource>]) -> BTreeSet<usize> {
        let mut javac = Command::new(self.jdk.home.join("bin/javac"));
        javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-proc:none", "-Xmaxerrs", "10000"]);
        javac.args(["-encoding", "US-ASCII"]).arg("-d").arg(self.classes.path()).arg("-cp").arg(self.class_path());
        javac.arg(directory.join("Fresh.java"));
        let wanted = sources.iter().enumerate().filter(|(index, _)| self.is_compiled(*index));
        javac.args(wanted.filter_map(|(_, source)| Some(directory.join(&source.as_ref()?.path))));
        let output = javac.output().unwrap();
        if output.status.success() {
            return BTreeSet::new();
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let refused: BTreeSet<usize> = said
            .lines()
            .filter_map(|line| {
                let (_, name) = line.split_once("/Random")?;
                name.split_once(".java:")?.0.parse().ok()
            })
            .collect();
        assert!(!refused.is_empty(), "{said}");
        self.errors.push_str(&said);
        refused
    }

    fn class_path(&self) -> std::ffi::OsString {
        let jars = self.jars.iter().map(PathBuf::as_path);
        class_path(&[self.classes.path()].into_iter().chain(jars).collect::<Vec<_>>())
    }

    /// Each in a VM of its own, as many at a time as there are processors.
    pub(crate) fn run(&self, indices: &[usize]) -> Vec<Ending> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let endings = Mutex::new(vec![None; indices.len()]);
        let work = || {
            while let Some((place, index)) = {
                let place = next.fetch_add(1, Ordering::Relaxed);
                indices.get(place).map(|index| (place, *index))
            } {
                let ending = self.run_one(index);
                endings.lock().unwrap()[place] = Some(ending);
            }
        };
        std::thread::scope(|scope| {
            (0..threads).for_each(|_| drop(scope.spawn(work)));
        });
        endings.into_inner().unwrap().into_iter().map(Option::unwrap).collect()
    }

    #[expect(clippy::disallowed_methods, reason = "the tests run Java")]
    fn run_one(&self, index: usize) -> Ending {
        let scratch = tempfile::tempdir().unwrap();
        let class_path: Vec<_> = std::env::split_paths(&self.class_path()).collect();
        let readable = Readable { java_home: Some(&self.jdk.home), class_path: &class_path, ..Readable::default() };
        let policy = SandboxPolicy::for_jdk(scratch.path(), &readable);
        let result = scratch.path().join("result");
        let mut java = Command::new(env!("CARGO_BIN_EXE_worker"));
        java.arg("sandboxed-exec").args(policy.to_args()).arg(self.jdk.home.join("bin/java"));
        java.args(["-XX:-UsePerfData", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx256m"]);
        java.args(["-XX:-OmitStackTraceInFastThrow", "-XX:ErrorFile=/dev/null", "-Djava.awt.headless=true"]);
        java.arg(format!("-Djava.io.tmpdir={}", scratch.path().display())).arg("-cp").arg(self.class_path());
        java.arg("Fresh").arg(format!("Random{index}")).arg(&result).current_dir(scratch.path());
        java.env_clear().env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = java.spawn().unwrap();
        let started = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if started.elapsed() > PATIENCE => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    return Ending::Lost("it does not end".into());
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        match (std::fs::read(&result), status.code()) {
            (Ok(bytes), Some(0)) => read(&bytes).unwrap_or_else(|| Ending::Lost("its result is cut off".into())),
            (_, Some(code)) => Ending::Exited(code),
            (_, None) => Ending::Lost(status.to_string()),
        }
    }
}

/// What `Fresh.java` writes.
fn read(mut bytes: &[u8]) -> Option<Ending> {
    let mut chain = Vec::new();
    while octet(&mut bytes)? == 1 {
        let class = text(&mut bytes)?;
        let has_message = octet(&mut bytes)? == 1;
        let message = text(&mut bytes)?;
        let count = int(&mut bytes)?;
        let mut frames = Vec::new();
        let mut is_by_test = false;
        for index in 0..count {
            let frame = (text(&mut bytes)?, text(&mut bytes)?, int(&mut bytes)?);
            is_by_test |= index == 0 && is_of_test(&frame.0);
            if !is_of_test(&frame.0) {
                frames.push((frame.0, frame.1, frame.2.max(-1)));
            }
        }
        chain.push(Exception { class, message: has_message.then_some(message), is_by_test, frames });
    }
    Some(if chain.is_empty() { Ending::Completed } else { Ending::Threw(chain) })
}

fn octet(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

fn int(bytes: &mut &[u8]) -> Option<i32> {
    let (first, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(i32::from_be_bytes(*first))
}

fn text(bytes: &mut &[u8]) -> Option<String> {
    let len = usize::try_from(int(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(String::from_utf8_lossy(text).into_owned())
}
