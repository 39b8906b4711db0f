//! Running Java.

use program::Jdk;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles classes of `java/` into a directory that stays, since classes are read on demand.
pub(crate) fn compile(jdk: &Jdk, options: &[&str], classes: &[&str]) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directory = tempfile::tempdir_in(place).expect("a directory for classes").keep();
    let files = classes.iter().map(|class| sources().join(format!("{class}.java")));
    let options =
        options.iter().map(PathBuf::from).chain(["-encoding".into(), "UTF-8".into(), "-d".into(), directory.clone()]);
    execute(&jdk.home.join("bin/javac"), options.chain(files));
    directory
}

pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java")
}

#[expect(clippy::disallowed_methods, reason = "the tests compare us with real JVMs")]
pub(crate) fn execute(program: &Path, arguments: impl Iterator<Item = PathBuf>) -> String {
    // Libraries write files with names of their arguments, relative ones too.
    let directory = tempfile::tempdir().expect("a directory to run in");
    let output = Command::new(program).args(arguments).current_dir(directory.path()).output();
    let output = output.expect("the JDK's tools can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{text}\n{}", program.display(), String::from_utf8_lossy(&output.stderr));
    text
}
