//! What tests can read: what they need, and nothing of the user's. And the compiler, in which foreign code must not run at all.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use confirm::{ConfirmOptions, Confirmation, Confirmer, Launch, Run, RunEnd, Setting, TestFile};
use program::{Cache, ClassPath, Program, RuntimeClassPath};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::time::Duration;
use testing::reading::{Scene, methods};
use testing::{Jdk, jdks};

const SERVICE_SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reading/services");

/// All methods as one test class.
fn test_of(names: &[String]) -> TestFile {
    let mut text = String::from("public class ReadingTest {\n");
    for name in names {
        writeln!(text, "    @org.junit.Test public void {name}() throws Throwable {{ Reading.{name}(); }}").unwrap();
    }
    TestFile { path: "ReadingTest.java".into(), text: text + "}\n" }
}

fn options(allow_read: &[PathBuf]) -> ConfirmOptions {
    ConfirmOptions {
        runs: 1,
        time_limit: Duration::from_secs(120),
        maven_repository: None,
        allow_read: allow_read.to_vec(),
        ..ConfirmOptions::default()
    }
}

struct Confirming {
    class_path: RuntimeClassPath,
    program: Program,
    confirmer: Confirmer,
}

impl Confirming {
    fn new(jdk: &Jdk, (class_path, program): (ClassPath, Program)) -> Confirming {
        let launch = Launch { program: vec![env!("CARGO_BIN_EXE_confirm").into()], sandboxed: true };
        let jdk = program::Jdk::at(&jdk.home).unwrap();
        let confirmer = Confirmer::start(&jdk, launch, class_path.entries()).unwrap();
        Confirming { class_path: program.runtime_class_path().unwrap(), program, confirmer }
    }

    fn run(&self, test: TestFile, options: &ConfirmOptions) -> Run {
        let setting = Setting { class_path: &self.class_path, program: &self.program };
        match self.confirmer.confirm(&[test], &setting, options).unwrap() {
            Confirmation::Ran { mut runs, .. } => runs.remove(0),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn tests_read_what_they_need_and_nothing_else() {
    if !testing::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    let (denied, needed) = methods();
    let names: Vec<String> = denied.into_iter().chain(needed).collect();
    for jdk in jdks() {
        let confirming = Confirming::new(&jdk, scene.program(&jdk));
        let run = confirming.run(test_of(&names), &options(&[scene.at("allowed")]));
        assert_eq!(run.end, RunEnd::Completed, "{run:#?}");
        assert_eq!(run.tests.len(), names.len(), "{run:#?}");
        for test in &run.tests {
            assert_eq!(test.escaped, None, "{} on {}: {}", test.name, jdk.major, run.output);
        }
    }
}

/// Who cannot go on without a file learns which, and what to do.
#[test]
fn a_denied_file_is_named() {
    if !testing::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    let secret = scene.at("secret");
    let jdk = &jdks()[0];
    for name in ["wants", "wantsInStream"] {
        let names = [name.to_owned()];
        let confirming = Confirming::new(jdk, scene.program(jdk));
        let run = confirming.run(test_of(&names), &options(&[]));
        assert_eq!(run.denied, from_ref(&secret), "{run:#?}");
        let run = confirming.run(test_of(&names), &options(from_ref(&secret)));
        assert!(run.denied.is_empty() && run.tests[0].escaped.is_none(), "{run:#?}");
    }
}

/// Also where the kernel does not count them, as for the administrator.
#[test]
fn threads_are_limited() {
    if !testing::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    for jdk in jdks() {
        let names = ["manyThreads".to_owned()];
        let run = Confirming::new(&jdk, scene.program(&jdk)).run(test_of(&names), &options(&[]));
        let is_refused = run.tests.iter().any(|test| test.escaped.is_some());
        assert!(is_refused || matches!(run.end, RunEnd::Killed { .. } | RunEnd::Exited { .. }), "{run:#?}");
    }
}

/// Names of service files, and classes that they name: whoever is loaded ends the compiler.
const SERVICES: [(&str, &str); 5] = [
    ("com.sun.source.util.Plugin", "EndsCompiler"),
    ("com.sun.source.util.Plugin", "no.such.Plugin"),
    ("javax.annotation.processing.Processor", "EndsProcessing"),
    ("javax.annotation.processing.Processor", "no.such.Processor"),
    ("com.sun.tools.javac.platform.PlatformProvider", "no.such.Platform"),
];

#[test]
fn services_of_the_class_path_do_not_run_in_the_compiler() {
    let sources =
        ["EndsCompiler", "EndsProcessing"].map(|name| Path::new(SERVICE_SOURCES).join(format!("{name}.java")));
    for (service, class) in SERVICES {
        let classes = tempfile::tempdir().unwrap();
        testing::compile(&sources, classes.path(), &["-nowarn", "-proc:none"]);
        let services = classes.path().join("META-INF/services");
        std::fs::create_dir_all(&services).unwrap();
        std::fs::write(services.join(service), class).unwrap();
        for jdk in jdks() {
            let class_path = ClassPath::parse([classes.path()]).unwrap();
            let found = program::Jdk::at(&jdk.home).unwrap();
            let (program, _) = Program::open(&class_path, found, &Cache::none()).unwrap();
            let text = "public class PassingTest {\n    @org.junit.Test public void passes() { }\n}\n";
            let test = TestFile { path: "PassingTest.java".into(), text: text.into() };
            let run = Confirming::new(&jdk, (class_path, program)).run(test, &options(&[]));
            assert_eq!(
                (run.end, run.tests.len()),
                (RunEnd::Completed, 1),
                "{service} {class} on {}: {run:#?}",
                jdk.major
            );
            assert_eq!(run.tests[0].escaped, None, "{service} {class}");
        }
    }
}
