//! The corpus of hostile code, which runs as candidates and as tests, and what it attacks.

use crate::compile;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// One method per kind of damage.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/hostile/Hostile.java");

/// What it does that Java cannot, as a library beside the classes.
const NATIVE_SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/hostile/hostile.c");
const LIBRARY: &str = "libhostile.so";

/// The corpus, compiled.
pub fn classes() -> tempfile::TempDir {
    let classes = tempfile::tempdir().unwrap();
    compile(&[SOURCE.into()], classes.path(), &["--release", "8", "-Xlint:-options", "-nowarn", "-g"]);
    #[expect(clippy::disallowed_methods, reason = "the compiler that links the tests themselves")]
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(classes.path().join(LIBRARY))
        .arg(NATIVE_SOURCE)
        .status();
    assert!(
        compiled.is_ok_and(|status| status.success()),
        "`cc`, which links Rust programs, is needed for {NATIVE_SOURCE}"
    );
    classes
}

/// What tells the corpus where its library is.
pub fn library(classes: &Path) -> String {
    format!("-Dhostile.library={}", classes.join(LIBRARY).display())
}

/// The methods of the corpus, in the order of the source.
pub fn corpus() -> Vec<String> {
    let source = std::fs::read_to_string(SOURCE).unwrap();
    let corpus = source.split_once("    public static void intact").unwrap().0;
    let names = corpus.lines().filter_map(|line| {
        let (_, rest) = line.split_once("public static void ")?;
        rest.split_once("()").map(|(name, _)| name.to_owned())
    });
    let names: Vec<String> = names.collect();
    assert!(names.len() > 100, "{names:?}");
    names
}

/// What hostile code is told to attack.
#[derive(Debug)]
pub struct Victims {
    canary: tempfile::TempDir,
    listener: std::net::TcpListener,
    process: Child,
}

impl Victims {
    #[expect(clippy::disallowed_methods, reason = "a process to be attacked")]
    #[allow(clippy::new_without_default, reason = "starts a process")]
    pub fn new() -> Self {
        let canary = tempfile::tempdir().unwrap();
        std::fs::write(canary.path().join("precious"), "precious").unwrap();
        std::fs::create_dir(canary.path().join("empty")).unwrap();
        let null = std::process::Stdio::null;
        let process = Command::new("sleep").arg("3600").stdin(null()).stdout(null()).stderr(null()).spawn().unwrap();
        Victims { canary, listener: std::net::TcpListener::bind("127.0.0.1:0").unwrap(), process }
    }

    /// Where they are, for the VM of the code.
    pub fn properties(&self) -> Vec<String> {
        vec![
            format!("-Dhostile.canary={}", self.canary.path().display()),
            format!("-Dhostile.port={}", self.listener.local_addr().unwrap().port()),
            format!("-Dhostile.pid={}", self.process.id()),
        ]
    }

    /// Everything that can be seen of the canary tree from outside.
    pub fn listing(&self) -> BTreeMap<PathBuf, (u32, i64, u64, Vec<u8>)> {
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

    pub fn assert_unharmed(&mut self, after: &str) {
        assert!(self.process.try_wait().unwrap().is_none(), "{after} killed a process");
        self.listener.set_nonblocking(true).unwrap();
        assert!(self.listener.accept().is_err(), "{after} reached a port");
    }
}

impl Drop for Victims {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
