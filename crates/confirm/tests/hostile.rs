//! The corpus of hostile code as tests of `confirm`: each run is an outcome, and nothing outside of its scratch directory
//! changes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use confirm::{ConfirmOptions, Confirmation, Confirmer, Launch, Run, RunEnd, Setting, TestFile};
use program::{Cache, ClassPath, Jdk, Program};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testing::hostile::{self, Victims};

/// The corpus is the program, as it would be in a crash: the test only calls it.
struct Target {
    classes: tempfile::TempDir,
    program: Program,
    confirmer: Confirmer,
}

impl Target {
    fn new(home: &Path) -> Target {
        Target::started(home, true)
    }

    fn started(home: &Path, sandboxed: bool) -> Target {
        let launch = Launch { program: vec![env!("CARGO_BIN_EXE_confirm").into()], sandboxed };
        let classes = hostile::classes();
        let class_path = ClassPath::parse([classes.path()]).unwrap();
        let jdk = Jdk::at(home).unwrap();
        let confirmer = Confirmer::start(&jdk, launch, class_path.entries()).unwrap();
        let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
        Target { classes, program, confirmer }
    }

    fn run(&self, name: &str, jvm_args: &[String]) -> Run {
        self.run_within(name, jvm_args, Duration::from_secs(4))
    }

    fn run_within(&self, name: &str, jvm_args: &[String], time_limit: Duration) -> Run {
        let text = format!(
            "public class HostileTest {{\n    @org.junit.Test\n    public void attack() throws Throwable {{ \
             Hostile.{name}(); }}\n}}\n"
        );
        let options = ConfirmOptions {
            runs: 1,
            time_limit,
            jvm_args: jvm_args.iter().cloned().chain([hostile::library(self.classes.path())]).collect(),
            maven_repository: None,
            ..ConfirmOptions::default()
        };
        let class_path = self.program.runtime_class_path().unwrap();
        let setting = Setting { class_path: &class_path, program: &self.program };
        let test = TestFile { path: "HostileTest.java".into(), text };
        match self.confirmer.confirm(&[test], &setting, &options).unwrap() {
            Confirmation::Ran { mut runs, .. } => runs.remove(0),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn hostile_tests_are_contained() {
    for jdk in testing::jdks() {
        let mut victims = Victims::new();
        let before = victims.listing();
        let (target, properties, names) = (Target::new(&jdk.home), victims.properties(), hostile::corpus());
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
        victims.assert_unharmed("one of them");
        // All is as it was for those who come after.
        let run = target.run("throwNull", &properties);
        assert_eq!(run.end, RunEnd::Completed);
        let escaped = run.tests[0].escaped.as_ref().unwrap();
        assert_eq!(escaped.class, "java.lang.NullPointerException");
    }
}

/// Set in the process that has a descriptor of its caller.
const INSIDE: &str = "REENACT_HOSTILE_INSIDE";

#[test]
#[expect(clippy::disallowed_methods, reason = "a process with a descriptor of its caller")]
fn descriptors_of_the_caller_stay_with_it() {
    if std::env::var_os(INSIDE).is_some() {
        testing::jdks().iter().for_each(|jdk| drop(Target::new(&jdk.home).run("writeEverywhere", &[])));
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut inside = std::process::Command::new("sh");
    inside.args(["-c", "exec 9>>\"$0\"; exec \"$@\""]).arg(file.path()).arg(std::env::current_exe().unwrap());
    inside.args(["--exact", "descriptors_of_the_caller_stay_with_it", "--nocapture"]).env(INSIDE, "1");
    testing::run(&mut inside);
    assert_eq!(std::fs::read(file.path()).unwrap(), b"");
}

#[test]
fn what_a_test_throws_behind_a_flood_is_told() {
    for jdk in testing::jdks() {
        let run = Target::new(&jdk.home).run_within("floodAndThrow", &[], Duration::from_secs(120));
        assert_eq!(run.end, RunEnd::Completed);
        let escaped = run.tests[0].escaped.as_ref().unwrap();
        assert_eq!(escaped.message.as_deref(), Some("behind the flood"));
    }
}

/// Who has left its process group, as native code can, is ended all the same: with and without sandbox.
#[test]
fn a_run_that_leaves_its_group_is_ended() {
    for jdk in testing::jdks() {
        for sandboxed in [true, false] {
            let target = Target::started(&jdk.home, sandboxed);
            for name in ["leaveGroup", "leaveSession"] {
                assert_eq!(target.run(name, &[]).end, RunEnd::TimedOut, "{name}");
            }
        }
    }
}
