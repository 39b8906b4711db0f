//! What the tests of the printer share: JDKs, crash jars, compiling.

#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod random;

use junit::TestSource;
use program::{Cache, ClassPath, Jdk, Program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The JDK with this feature version.
pub(crate) fn jdk(feature: u16) -> Jdk {
    let found = Jdk::list().into_iter().find(|jdk| jdk.feature == feature);
    found.unwrap_or_else(|| panic!("these tests need JDK {feature}; see `cargo xtask test`"))
}

/// The program of some jars of the crash packs, by Maven coordinates.
pub(crate) fn program_of(coordinates: &[&str], jdk: Jdk) -> (Program, ClassPath) {
    let class_path = if coordinates.is_empty() {
        ClassPath::parse([Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")]).expect("the directory of this file")
    } else {
        let jars = coordinates.iter().map(|coordinates| jar(coordinates));
        ClassPath::parse(jars).expect("the jars are there")
    };
    let (program, _) = Program::open(&class_path, jdk, &Cache::none()).expect("the jars can be read");
    (program, class_path)
}

/// A jar of the crash packs: `group:artifact:version`.
pub(crate) fn jar(coordinates: &str) -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS").map(PathBuf::from);
    let directory =
        directory.expect("REENACT_JARS names the directory of the crash jars; `cargo xtask test` fetches them");
    let [group, artifact, version] = coordinates.split(':').collect::<Vec<_>>()[..] else { panic!("{coordinates}") };
    directory.join(group).join(artifact).join(version).join(format!("{artifact}-{version}.jar"))
}

/// Compiles the sources together; panics with what the compiler says.
pub(crate) fn compile(
    sources: &[TestSource],
    class_path: &[PathBuf],
    jdk: &Jdk,
    options: &[&str],
) -> tempfile::TempDir {
    try_compile(sources, class_path, jdk, options)
        .unwrap_or_else(|errors| panic!("javac of JDK {}: {errors}", jdk.feature))
}

pub(crate) fn try_compile(
    sources: &[TestSource],
    class_path: &[PathBuf],
    jdk: &Jdk,
    options: &[&str],
) -> Result<tempfile::TempDir, String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut command = javac(jdk);
    command.args(options).args(["-proc:none", "-Xmaxerrs", "10000", "-d"]).arg(directory.path().join("classes"));
    command.arg("-cp").arg(std::env::join_paths(class_path).expect("paths without colons"));
    for source in sources {
        let file = directory.path().join("src").join(&source.path);
        fs::create_dir_all(file.parent().expect("it is in a directory")).expect("can be made");
        fs::write(&file, &source.text).expect("can be written");
        command.arg(file);
    }
    let output = command.output().expect("javac starts");
    let prefix = format!("{}/", directory.path().join("src").display());
    let said = String::from_utf8_lossy(&output.stderr).replace(&prefix, "");
    if output.status.success() { Ok(directory) } else { Err(said) }
}

/// Compiles source files of the tests into a new directory.
pub(crate) fn classes_of(files: &[PathBuf], jdk: &Jdk, options: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = javac(jdk).args(options).arg("-d").arg(directory.path()).args(files).output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory
}

/// Runs a main class and returns what it prints.
#[expect(clippy::disallowed_methods, reason = "the tests compare with the real machine")]
pub(crate) fn java(jdk: &Jdk, class_path: &[PathBuf], main: &str, args: impl Iterator<Item = String>) -> String {
    let class_path = std::env::join_paths(class_path).expect("paths without colons");
    let mut command = Command::new(jdk.home.join("bin/java"));
    let output = command.arg("-cp").arg(class_path).arg(main).args(args).output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[expect(clippy::disallowed_methods, reason = "the tests compare with the real compiler")]
fn javac(jdk: &Jdk) -> Command {
    let mut command = Command::new(jdk.home.join("bin/javac"));
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-encoding", "US-ASCII"]);
    command
}
