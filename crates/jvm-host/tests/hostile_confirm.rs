//! The corpus of hostile code as tests of `confirm`: each run is an outcome, and nothing outside of its scratch directory
//! changes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

mod support;

use jvm_host::confirm::{ConfirmOptions, Confirmation, Confirmer, Run, RunEnd, Setting, TestFile};
use program::{Cache, ClassPath, Jdk, Program};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/Hostile.java");

/// The methods of the corpus, in the order of the source.
fn corpus() -> Vec<String> {
    let source = std::fs::read_to_string(SOURCE).unwrap();
    let corpus = source.split_once("    public static void intact").unwrap().0;
    let names = corpus.lines().filter_map(|line| {
        let (_, rest) = line.split_once("public static void ")?;
        rest.split_once("()").map(|(name, _)| name.to_owned())
    });
    names.collect()
}

/// Whom hostile tests are told to attack.
struct Victims {
    canary: tempfile::TempDir,
    listener: std::net::TcpListener,
    process: Child,
}

impl Victims {
    #[expect(clippy::disallowed_methods, reason = "a process to be attacked")]
    fn new() -> Self {
        let canary = tempfile::tempdir().unwrap();
        std::fs::write(canary.path().join("precious"), "precious").unwrap();
        std::fs::create_dir(canary.path().join("empty")).unwrap();
        let process = Command::new("sleep").arg("3600").spawn().unwrap();
        Victims { canary, listener: std::net::TcpListener::bind("127.0.0.1:0").unwrap(), process }
    }

    fn properties(&self) -> Vec<String> {
        vec![
            format!("-Dhostile.canary={}", self.canary.path().display()),
            format!("-Dhostile.port={}", self.listener.local_addr().unwrap().port()),
            format!("-Dhostile.pid={}", self.process.id()),
        ]
    }

    /// Everything that can be seen of the canary tree from outside.
    fn listing(&self) -> BTreeMap<PathBuf, (u32, i64, u64, Vec<u8>)> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.canary.path().to_path_buf()];
        while let Some(path) = open.pop() {
            let metadata = path.symlink_metadata().unwrap();
            let content = if metadata.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
            if metadata.is_dir() {
                open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            found.insert(path, (metadata.mode(), metadata.mtime_nsec(), metadata.nlink(), content));
        }
        found
    }
}

impl Drop for Victims {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The corpus is the program, as it would be in a crash: the test only calls it.
struct Target {
    _classes: tempfile::TempDir,
    class_path: ClassPath,
    program: Program,
    confirmer: Confirmer,
}

impl Target {
    fn new(home: &Path) -> Target {
        let classes = tempfile::tempdir().unwrap();
        support::compile(&[SOURCE.into()], classes.path(), &["--release", "8", "-Xlint:-options", "-nowarn", "-g"]);
        let class_path = ClassPath::parse([classes.path()]).unwrap();
        let jdk = Jdk::at(home).unwrap();
        let confirmer = Confirmer::start(&jdk, Some(vec![env!("CARGO_BIN_EXE_jvm-host").into()])).unwrap();
        let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
        Target { _classes: classes, class_path, program, confirmer }
    }

    fn run(&self, name: &str, jvm_args: &[String]) -> Run {
        let text = format!(
            "public class HostileTest {{\n    @org.junit.Test\n    public void attack() throws Throwable {{ \
             Hostile.{name}(); }}\n}}\n"
        );
        let options = ConfirmOptions {
            runs: 1,
            time_limit: Duration::from_secs(4),
            jvm_args: jvm_args.to_vec(),
            maven_repository: None,
            ..ConfirmOptions::default()
        };
        let setting = Setting { class_path: &self.class_path, program: &self.program };
        let test = TestFile { path: "HostileTest.java".into(), text };
        match self.confirmer.confirm(&[test], &setting, &options).unwrap() {
            Confirmation::Ran { mut runs, .. } => runs.remove(0),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn hostile_tests_are_contained() {
    for jdk in support::jdks() {
        let mut victims = Victims::new();
        let before = victims.listing();
        let (target, properties, names) = (Target::new(&jdk.home), victims.properties(), corpus());
        assert!(names.len() > 100, "{names:?}");
        let next = AtomicUsize::new(0);
        // Most of them wait for the end of their time: side by side.
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let run = target.run(name, &properties);
                        println!("{name}: {:?} after {:?}", run.end, run.took);
                        // Output that was closed or flooded may hide what happened, but nothing can be made up.
                        assert!(run.tests.len() <= 1, "{name}: {run:#?}");
                        assert_eq!(victims.listing(), before, "{name} or one beside it");
                    }
                });
            }
        });
        assert!(victims.process.try_wait().unwrap().is_none(), "a process was killed");
        victims.listener.set_nonblocking(true).unwrap();
        assert!(victims.listener.accept().is_err(), "a port was reached");
        // All is as it was for those who come after.
        let run = target.run("throwNull", &properties);
        assert_eq!(run.end, RunEnd::Completed);
        let escaped = run.tests[0].escaped.as_ref().unwrap();
        assert_eq!(escaped.class, "java.lang.NullPointerException");
    }
}
