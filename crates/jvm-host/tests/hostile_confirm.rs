//! The corpus of hostile code as tests of `confirm`: each run is an outcome, and nothing outside of its scratch directory
//! changes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

mod support;
#[path = "hostile/victims.rs"]
mod victims;

use jvm_host::confirm::{ConfirmOptions, Confirmation, Confirmer, Run, RunEnd, Setting, TestFile};
use program::{Cache, ClassPath, Jdk, Program};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use victims::Victims;

/// The corpus is the program, as it would be in a crash: the test only calls it.
struct Target {
    _classes: tempfile::TempDir,
    class_path: ClassPath,
    program: Program,
    confirmer: Confirmer,
}

impl Target {
    fn new(home: &Path) -> Target {
        let classes = victims::classes();
        let class_path = ClassPath::parse([classes.path()]).unwrap();
        let jdk = Jdk::at(home).unwrap();
        let confirmer =
            Confirmer::start(&jdk, Some(vec![env!("CARGO_BIN_EXE_jvm-host").into()]), class_path.entries()).unwrap();
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
        let (target, properties, names) = (Target::new(&jdk.home), victims.properties(), victims::corpus());
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
