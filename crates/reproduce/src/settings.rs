//! What the user decided, validated.

use crate::so_far::SoFar;
use engine::Factory;
use junit::Framework;
use program::{ClassPath, Program, RuntimeClassPath};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Settings {
    pub class_path: RuntimeClassPath,
    pub fixed: Option<Build>,
    /// The program with existing tests behind it, to learn object building from.
    pub examples: Option<ClassPath>,
    pub clock: Clock,
    pub seed: u64,
    pub jobs: usize,
    /// Where the test is written, in its package directory.
    pub out: PathBuf,
    /// The test goes into the package of the class that crashed, where the tests of a project are; else into none, unless it must.
    pub in_package: bool,
    /// `None`: what the class path has, else JUnit 5.
    pub framework: Option<Framework>,
    pub assert_throws: bool,
    pub jvm_args: Vec<String>,
    /// What the program may read beyond its class path and the JDK.
    pub allow_read: Vec<PathBuf>,
    /// How the compiler and confirming runs are started.
    pub launch: confirm::Launch,
    /// Whose candidates are tried.
    pub engines: Vec<Arc<dyn Factory>>,
    /// Set from outside (Ctrl-C) to end with the best test so far.
    pub stop: Arc<AtomicBool>,
    /// Holds at every moment what the run would end with.
    pub so_far: SoFar,
}

/// Another version of the program.
#[derive(Clone, Debug)]
pub struct Build {
    pub class_path: RuntimeClassPath,
    /// The same class path, opened.
    pub program: Arc<Program>,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Time(Duration),
    /// The same seed then gives the same test.
    Candidates(u64),
}

/// When the run began and when it has to be over. A budget of time counts from the start of the process: that is what people
/// wait for.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub started: Instant,
    pub budget: Budget,
}

/// For confirming what was found last; then for writing down what is there.
const OVERTIME: Duration = Duration::from_millis(1200);
/// When whoever watches over the run ends it: half a second before it would have to be over, which is for a busy machine.
const PATIENCE: Duration = Duration::from_millis(1500);

impl Clock {
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// When the budget is spent; none if it is counted in candidates.
    pub fn deadline(&self) -> Option<Instant> {
        match self.budget {
            Budget::Time(limit) => self.started.checked_add(limit),
            Budget::Candidates(_) => None,
        }
    }

    /// When nothing is tried any more.
    pub(crate) fn last_call(&self) -> Option<Instant> {
        self.deadline()?.checked_add(OVERTIME)
    }

    /// When a run that still goes on is stuck, and is to be ended with what [`Settings::so_far`] has.
    pub fn end(&self) -> Option<Instant> {
        self.deadline()?.checked_add(PATIENCE)
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.deadline().is_some_and(|deadline| Instant::now() >= deadline)
    }
}
