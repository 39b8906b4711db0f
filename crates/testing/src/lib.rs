//! What the tests with a JVM share: JDKs, compiled Java fixtures, jars, the corpora of hostile and of reading code. A
//! dev-dependency only: nothing of the product knows it, and it knows of the product what locks processes up and reads class paths.
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

#[cfg(target_os = "linux")]
pub mod hostile;
pub mod java_classes;
#[cfg(target_os = "linux")]
pub mod reading;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A JDK to test with.
#[derive(Clone, Debug)]
pub struct Jdk {
    pub home: PathBuf,
    pub major: u32,
}

impl Jdk {
    #[expect(clippy::disallowed_methods, reason = "the tests run Java")]
    pub fn java(&self) -> Command {
        Command::new(self.home.join("bin/java"))
    }

    #[expect(clippy::disallowed_methods, reason = "the tests run Java")]
    fn javac(&self) -> Command {
        let mut javac = Command::new(self.home.join("bin/javac"));
        javac.args(["-encoding", "UTF-8"]);
        javac
    }
}

/// `JAVA_HOME` alone if it is set; otherwise every JDK in the usual directories, one per version.
pub fn jdks() -> Vec<Jdk> {
    let homes: Vec<PathBuf> = match std::env::var_os("JAVA_HOME") {
        Some(home) => vec![home.into()],
        None => ["/usr/lib/jvm", "/usr/java", "/Library/Java/JavaVirtualMachines"]
            .iter()
            .flat_map(|dir| std::fs::read_dir(dir).into_iter().flatten())
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .collect(),
    };
    let mut found: Vec<Jdk> = homes.into_iter().filter_map(|home| jdk(&home)).collect();
    found.sort_by_key(|jdk| (jdk.major, jdk.home.clone()));
    found.dedup_by_key(|jdk| jdk.major);
    assert!(!found.is_empty(), "no JDK found; set JAVA_HOME or run `cargo xtask test`");
    found
}

fn jdk(home: &Path) -> Option<Jdk> {
    if !home.join("bin/javac").exists() {
        return None;
    }
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?.trim_matches('"');
    let version = version.strip_prefix("1.").unwrap_or(version);
    let major = version.split(['.', '-', '+']).next()?.parse().ok()?;
    Some(Jdk { home: home.canonicalize().ok()?, major })
}

/// Whether this system can lock candidates up. Where it cannot, as in some containers, what is not about the sandbox runs
/// without it, and tests of the sandbox check that it refuses; the notice is not captured.
pub fn can_lock_up() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        let support = sandbox::probe();
        if let Some(missing) = support.missing() {
            let notice = format!("\nNO SANDBOX HERE: {missing} ({support}); what it denies is not tested\n");
            let _ = std::io::Write::write_all(&mut std::io::stderr(), notice.as_bytes());
        }
        support.is_sufficient()
    })
}

/// The directory with the crash packs' jars.
pub fn jars() -> PathBuf {
    let dir = std::env::var_os("REENACT_JARS").expect("REENACT_JARS is not set; run the tests by `cargo xtask test`");
    PathBuf::from(dir)
}

pub fn jar(coordinates: &str) -> PathBuf {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, artifact, version] = parts[..] else { panic!("{coordinates}") };
    let path = jars().join(group).join(artifact).join(version).join(format!("{artifact}-{version}.jar"));
    assert!(path.exists(), "{} is missing; run `cargo xtask fetch`", path.display());
    path
}

/// The classes of `java`, compiled once per test process for Java 8.
pub fn fixtures() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let dir = tempfile::tempdir().unwrap();
            let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
            let files = std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path());
            let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "java")).collect();
            compile(&files, dir.path(), &["--release", "8", "-Xlint:-options", "-nowarn", "-g"]);
            dir
        })
        .path()
}

/// Compiles with the oldest JDK found.
pub fn compile(sources: &[PathBuf], to: &Path, options: &[&str]) {
    let oldest = &jdks()[0];
    let mut javac = oldest.javac();
    // That of JDK 8 compiles for no other release, and does not know the option.
    let options =
        if oldest.major == 8 { options.strip_prefix(&["--release", "8"]).unwrap_or(options) } else { options };
    javac.args(options).arg("-cp").arg(host_classes()).arg("-d").arg(to).args(sources);
    run(&mut javac);
}

/// The committed classes that spliced code calls.
pub fn host_classes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../worker/java/classes")
}

/// Runs to a successful end and returns standard output.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} ended with {}\n{out}\n{err}", output.status);
    out.into_owned()
}

pub fn class_path(entries: &[&Path]) -> std::ffi::OsString {
    let mut joined = std::ffi::OsString::new();
    for entry in entries {
        if !joined.is_empty() {
            joined.push(":");
        }
        joined.push::<&OsStr>(entry.as_ref());
    }
    joined
}
