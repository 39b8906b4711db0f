//! Compiles a test, and the runner with it, by the JDK's own compiler.

use super::framework;
use super::jdk::Tools;
use super::process::{self, Finished, Launch, ProcessEnd};
use super::scratch::Scratch;
use super::{ConfirmError, ConfirmOptions, Setting, TestFile};
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) enum Compiled {
    Refused { errors: String },
    Classes(CompiledTest),
}

/// A test ready to run.
pub(super) struct CompiledTest {
    /// Everything that the JVM needs, in order; the test's own classes last, so that they replace none of the program's.
    pub(super) class_path: Vec<PathBuf>,
    /// Binary names, sorted; without the runner's.
    pub(super) test_classes: Vec<String>,
    /// The runner's main class.
    pub(super) runner: String,
}

const RUNNER: &str = include_str!("java/Runner.java");
const RUNNER_NAME: &str = "ReenactRunner";

/// javac runs for a second: starting fast counts, optimising does not.
const FAST: [&str; 4] =
    ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", "-J-Duser.language=en"];
const QUIET: [&str; 6] = ["-nowarn", "-Xlint:none", "-proc:none", "-implicit:none", "-encoding", "UTF-8"];
const TIME_LIMIT: Duration = Duration::from_secs(300);
const ERROR_LINES: usize = 40;

pub(super) fn compile(
    test: &[TestFile],
    setting: &Setting<'_>,
    tools: &Tools,
    options: &ConfirmOptions,
    scratch: &Scratch,
) -> Result<Compiled, ConfirmError> {
    let mut class_path = setting.class_path.entries().to_vec();
    let supply = framework::supply(test, setting.program, options.maven_repository.as_deref());
    class_path.extend(supply.jars);
    if !supply.stubs.is_empty() {
        let files = scratch.write("stub-sources", &supply.stubs)?;
        let classes = scratch.directory("stubs")?;
        let finished = javac(tools, &[], &classes, &files, options, scratch)?;
        if finished.end != ProcessEnd::Exited(0) {
            return Ok(Compiled::Refused { errors: errors_of(&finished, scratch) });
        }
        class_path.push(classes);
    }

    // A name of its own each time, so that a test can neither call the runner nor stand in for it.
    let runner = format!("{RUNNER_NAME}{}", random_key());
    let mut sources: Vec<(PathBuf, String)> =
        test.iter().enumerate().map(|(index, file)| (place_of(index, file), file.text.clone())).collect();
    sources.push((PathBuf::from(format!("{runner}.java")), RUNNER.replace(RUNNER_NAME, &runner)));
    let files = scratch.write("sources", &sources)?;
    let classes = scratch.directory("classes")?;
    let finished = javac(tools, &class_path, &classes, &files, options, scratch)?;
    if finished.end != ProcessEnd::Exited(0) {
        return Ok(Compiled::Refused { errors: errors_of(&finished, scratch) });
    }

    let mut test_classes = Vec::new();
    class_names(&classes, "", &mut test_classes)
        .map_err(|source| ConfirmError::System { what: "list the compiled classes", source })?;
    test_classes.retain(|name| !name.starts_with(&runner));
    test_classes.sort();
    class_path.push(classes);
    Ok(Compiled::Classes(CompiledTest { class_path, test_classes, runner }))
}

/// Something a test cannot guess.
pub(super) fn random_key() -> String {
    // The standard library's hash keys come from the system's random numbers; two of them are not to be guessed.
    let word = || RandomState::new().hash_one(0u8);
    format!("{:016x}{:016x}", word(), word())
}

/// Files of the same name may come from different directories.
fn place_of(index: usize, file: &TestFile) -> PathBuf {
    let name = file.path.file_name().map_or_else(|| PathBuf::from("Test.java"), PathBuf::from);
    Path::new(&index.to_string()).join(name)
}

fn javac(
    tools: &Tools,
    class_path: &[PathBuf],
    output: &Path,
    files: &[PathBuf],
    options: &ConfirmOptions,
    scratch: &Scratch,
) -> Result<Finished, ConfirmError> {
    let mut args: Vec<OsString> = FAST.iter().chain(&QUIET).map(OsString::from).collect();
    args.extend(["-g".into(), "-d".into(), output.into()]);
    // An empty source path: sources that happen to lie on the class path are none of the test's.
    args.extend(["-sourcepath".into(), output.into()]);
    args.extend(["-classpath".into(), process::joined(class_path)]);
    args.extend(files.iter().map(OsString::from));
    let launch = Launch {
        program: &tools.javac,
        args,
        directory: scratch.path(),
        stdin: b"",
        time_limit: TIME_LIMIT,
        lock_up: tools.lock_up(options, scratch.path()),
    };
    process::run(&launch).map_err(|source| ConfirmError::System { what: "start javac", source })
}

/// What the compiler said, without the temporary directory's name.
fn errors_of(finished: &Finished, scratch: &Scratch) -> String {
    if finished.end == ProcessEnd::TimedOut {
        return format!("javac did not end within {} seconds", TIME_LIMIT.as_secs());
    }
    let said = [finished.stdout.as_slice(), finished.stderr.as_slice()].concat();
    let said = String::from_utf8_lossy(&said);
    let sources = scratch.path().join("sources");
    let lines = said.lines().filter(|line| !line.starts_with("Note: ")).take(ERROR_LINES);
    lines.map(|line| without_place(line, &sources)).collect::<Vec<_>>().join("\n")
}

/// `/tmp/x/sources/0/FooTest.java:12: error` as `FooTest.java:12: error`.
fn without_place<'a>(line: &'a str, sources: &Path) -> &'a str {
    let inner = line.strip_prefix(&*sources.to_string_lossy()).and_then(|rest| rest.strip_prefix('/'));
    inner.and_then(|rest| rest.split_once('/')).map_or(line, |(_, file)| file)
}

fn class_names(directory: &Path, package: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            class_names(&entry.path(), &format!("{package}{name}."), names)?;
        } else if let Some(class) = name.strip_suffix(".class") {
            names.push(format!("{package}{class}"));
        }
    }
    Ok(())
}
