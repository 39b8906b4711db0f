//! What foreign code can read, as a candidate and as a test of `confirm`: what it needs, and nothing of the user's. And the compiler,
//! in which it must not run at all.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

mod support;

use jvm_host::confirm::{ConfirmOptions, Confirmation, Confirmer, Run, RunEnd, Setting, TestFile};
use jvm_host::worker::{WorkerConfig, WorkerPool};
use jvm_host::{Host, HostConfig};
use program::{Cache, ClassPath, MethodRef, Program, RuntimeClassPath};
use recipe::{Access, Action, Block, End, ProbePlan, Recipe, Runner, Stmt};
use std::fmt::Write;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::slice::from_ref;
use std::sync::Arc;
use std::time::Duration;
use support::{Jdk, jar, jdks};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reading");

/// Native code that unpacks itself, each in its own way.
const NATIVE: [&str; 4] = [
    "org.xerial.snappy:snappy-java:1.1.10.5",
    "org.xerial:sqlite-jdbc:3.36.0.3",
    "io.netty:netty-common:4.1.94.Final",
    "io.netty:netty-tcnative-boringssl-static:2.0.25.Final",
];

/// The methods that try to read what is none of theirs, and those that need what they read.
fn methods() -> (Vec<String>, Vec<String>) {
    let source = std::fs::read_to_string(Path::new(SOURCES).join("Reading.java")).unwrap();
    let source = source.split_once("// ---- A program that cannot go on").unwrap().0;
    let (denied, needed) = source.split_once("// ---- What must be read").unwrap();
    let names = |part: &str| -> Vec<String> {
        let names = part.lines().filter_map(|line| line.split_once("public static void ")?.1.split_once("()"));
        names.map(|(name, _)| name.to_owned()).collect()
    };
    (names(denied), names(needed))
}

/// A program with its surroundings: what is beside it, in the user's home, of another user.
struct Scene {
    root: tempfile::TempDir,
    process: Child,
    class_path: Vec<PathBuf>,
}

impl Scene {
    #[expect(clippy::disallowed_methods, reason = "a process to be looked at")]
    fn new() -> Scene {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        std::fs::create_dir_all(at("app/classes")).unwrap();
        for name in ["secret", "others", "app/beside", "allowed"] {
            std::fs::write(at(name), "nobody's business").unwrap();
        }
        std::fs::set_permissions(at("others"), PermissionsExt::from_mode(0o600)).unwrap();
        // Only an administrator can; for others it is their own file then.
        let _ = chown(at("others"), Some(65534), Some(65534));
        symlink(at("secret"), at("app/classes/link")).unwrap();
        let source = Path::new(SOURCES).join("Reading.java");
        support::compile(&[source], &at("app/classes"), &["--release", "8", "-Xlint:-options", "-nowarn", "-g"]);
        let process = Command::new("sleep").arg("3600").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let mut class_path = vec![at("app/classes"), with_manifest(&at("app"))];
        class_path.extend(NATIVE.map(jar));
        let scene = Scene { root, process, class_path };
        scene.write_paths();
        scene
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write_paths(&self) {
        let mut text = String::new();
        let mut add = |name: &str, value: String| writeln!(text, "{name}={value}").unwrap();
        for name in ["secret", "others", "allowed"] {
            add(name, self.at(name).display().to_string());
        }
        add("beside", self.at("app/beside").display().to_string());
        add("directory", self.root.path().display().to_string());
        add("link", self.at("app/classes/link").display().to_string());
        add("process", self.process.id().to_string());
        add("tool", std::process::id().to_string());
        std::fs::write(self.at("app/classes/reading.properties"), text).unwrap();
    }

    fn program(&self, jdk: &Jdk) -> (ClassPath, Program) {
        let class_path = ClassPath::parse(&self.class_path).unwrap();
        let jdk = program::Jdk::at(&jdk.home).unwrap();
        let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
        (class_path, program)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A jar whose manifest names another, which has a class.
fn with_manifest(directory: &Path) -> PathBuf {
    let classes = directory.join("only-in-manifest");
    std::fs::create_dir(&classes).unwrap();
    let source = directory.join("OnlyInManifest.java");
    std::fs::write(&source, "public class OnlyInManifest {}").unwrap();
    support::compile(&[source], &classes, &["--release", "8", "-Xlint:-options"]);
    let class = std::fs::read(classes.join("OnlyInManifest.class")).unwrap();
    archive(&directory.join("second.jar"), "OnlyInManifest.class", &class);
    let manifest = b"Manifest-Version: 1.0\nClass-Path: second.jar\n\n";
    archive(&directory.join("first.jar"), "META-INF/MANIFEST.MF", manifest);
    std::fs::remove_dir_all(classes).unwrap();
    directory.join("first.jar")
}

fn archive(at: &Path, name: &str, content: &[u8]) {
    let mut archive = zip::ZipWriter::new(std::fs::File::create(at).unwrap());
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut archive, content).unwrap();
    archive.finish().unwrap();
}

fn call(name: &str) -> Recipe {
    let method = MethodRef::new("Reading", name, "()V");
    let action = Action::Call { method, receiver: None, args: Vec::new(), access: Access::Public };
    Recipe { classes: Vec::new(), body: Block { stmts: vec![Stmt { def: None, action }] } }
}

fn worker() -> Vec<std::ffi::OsString> {
    vec![env!("CARGO_BIN_EXE_jvm-host").into(), "worker".into()]
}

#[test]
fn candidates_read_what_they_need_and_nothing_else() {
    if !support::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    let (denied, needed) = methods();
    for jdk in jdks() {
        let (_, program) = scene.program(&jdk);
        let mut config = WorkerConfig::new(worker(), &jdk.home, scene.class_path.clone());
        config.readable = program.archives();
        config.readable.push(scene.at("allowed"));
        // On a busy machine unpacking a library takes its time.
        config.limits.milliseconds = 60_000;
        config.limits.steps = 2_000_000_000;
        let mut pool = WorkerPool::new(config).unwrap();
        for name in denied.iter().chain(&needed) {
            let case = pool.run(&[call(name)]).unwrap().remove(0);
            assert_eq!(case.end, End::Completed, "{name} on {}", jdk.major);
        }
    }
}

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
        let lock_up = Some(vec![env!("CARGO_BIN_EXE_jvm-host").into()]);
        let jdk = program::Jdk::at(&jdk.home).unwrap();
        let confirmer = Confirmer::start(&jdk, lock_up, class_path.entries()).unwrap();
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
    if !support::can_lock_up() {
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
    if !support::can_lock_up() {
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

        let (_, program) = scene.program(jdk);
        let config = HostConfig {
            command: worker(),
            class_path: scene.class_path.clone(),
            link: Vec::new(),
            allow_read: Vec::new(),
            vm_args: Vec::new(),
            sandboxed: true,
            jobs: 1,
            repeatable: false,
        };
        let mut host = Host::new(config.clone(), Arc::new(program));
        host.run(&[call(name), call("zones")], &ProbePlan::default()).unwrap();
        assert_eq!(host.denied(), from_ref(&secret));
        // One in many is chance.
        host.run(&vec![call("zones"); 20], &ProbePlan::default()).unwrap();
        assert!(host.denied().is_empty());
    }
}

/// Also where the kernel does not count them, as for the administrator.
#[test]
fn threads_are_limited() {
    if !support::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    for jdk in jdks() {
        let names = ["manyThreads".to_owned()];
        let run = Confirming::new(&jdk, scene.program(&jdk)).run(test_of(&names), &options(&[]));
        let is_refused = run.tests.iter().any(|test| test.escaped.is_some());
        assert!(is_refused || matches!(run.end, RunEnd::Killed { .. } | RunEnd::Exited { .. }), "{run:#?}");
        let mut config = WorkerConfig::new(worker(), &jdk.home, scene.class_path.clone());
        config.limits.milliseconds = 60_000;
        config.limits.steps = 2_000_000_000;
        config.limits.threads = 1_000_000;
        let case = WorkerPool::new(config).unwrap().run(&[call("manyThreads")]).unwrap().remove(0);
        assert_ne!(case.end, End::Completed);
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
        ["EndsCompiler", "EndsProcessing"].map(|name| Path::new(SOURCES).join(format!("services/{name}.java")));
    for (service, class) in SERVICES {
        let classes = tempfile::tempdir().unwrap();
        support::compile(&sources, classes.path(), &["-nowarn", "-proc:none"]);
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
