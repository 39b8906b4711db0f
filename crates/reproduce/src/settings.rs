//! What the user decided, validated.

use evolve::Config;
use junit::Framework;
use program::ClassPath;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Settings {
    pub class_path: ClassPath,
    pub fixed: Option<ClassPath>,
    /// The program with existing tests behind it, to learn object building from.
    pub examples: Option<ClassPath>,
    pub budget: Budget,
    pub seed: u64,
    pub jobs: usize,
    /// Where the test is written, in its package directory.
    pub out: PathBuf,
    /// `None`: what the class path has, else JUnit 5.
    pub framework: Option<Framework>,
    pub assert_throws: bool,
    pub jvm_args: Vec<String>,
    /// What the program may read beyond its class path and the JDK.
    pub allow_read: Vec<PathBuf>,
    /// What re-executes this program, so that the compiler and confirming runs can be locked up; `None` without sandbox.
    pub lock_up: Option<Vec<OsString>>,
    pub evolve: Config,
    /// Set from outside (Ctrl-C) to end with the best test so far.
    pub stop: Arc<AtomicBool>,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Time(Duration),
    /// The same seed then gives the same test.
    Candidates(u64),
}
