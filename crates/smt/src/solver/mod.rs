//! Solvers: child processes that speak SMT-LIB 2. What they say is a claim; [`crate::Queries`] evaluates models before it
//! passes them on.

mod backend;
mod conversation;
mod decode;
mod find;
mod install;
mod process;
mod script;

pub(crate) use backend::{Backend, Reply};
pub use find::{Found, Missing, cache_directory, find_all, find_cvc5, find_z3};
pub use install::{InstallError, Release, install, release};

use std::path::PathBuf;
use std::time::Duration;

/// Which options a solver takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Dialect {
    Z3,
    Cvc5,
}

/// A program to start as a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverProgram {
    pub path: PathBuf,
    /// In place of the usual arguments of the dialect.
    pub arguments: Option<Vec<String>>,
    pub dialect: Dialect,
}

impl SolverProgram {
    pub fn new(path: impl Into<PathBuf>, dialect: Dialect) -> SolverProgram {
        SolverProgram { path: path.into(), arguments: None, dialect }
    }

    fn arguments(&self, limits: &Limits) -> Vec<String> {
        if let Some(arguments) = &self.arguments {
            return arguments.clone();
        }
        match self.dialect {
            Dialect::Z3 => vec!["-in".into(), "-smt2".into(), format!("memory_max_size={}", limits.memory_mb)],
            Dialect::Cvc5 => {
                let mut arguments: Vec<String> =
                    ["--lang=smt2", "--incremental", "--strings-exp", "--fp-exp"].map(String::from).to_vec();
                arguments.push(format!("--tlimit-per={}", limits.time.as_millis()));
                arguments
            }
        }
    }
}

/// What one question to a solver may cost. A query asks twice at most, and with strings twice more for each length that is
/// tried.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// After this time a solver is told to stop, and killed a little later. With a resource count only the killing is
    /// left, after ten seconds at the earliest, for solvers that loop without counting.
    pub time: Duration,
    pub memory_mb: u64,
    /// A limit that solvers count in steps of their own (Z3's `rlimit`), so that runs repeat. Then no clock is looked at,
    /// and no second solver asked.
    pub resources: Option<u64>,
}

impl Default for Limits {
    /// One second: symbolic engines ask hundreds of queries, nearly all of which take milliseconds.
    fn default() -> Limits {
        Limits { time: Duration::from_secs(1), memory_mb: 1024, resources: None }
    }
}

impl Limits {
    /// For a first try, which is followed by one with all that is allowed.
    fn of_first_try(self) -> Limits {
        /// What the incremental process knows, it knows soon.
        const SHARE: u32 = 4;
        Limits { time: self.time / SHARE, resources: self.resources.map(|count| count / u64::from(SHARE)), ..self }
    }

    /// How long an answer may take before the process is killed.
    fn patience(&self) -> Duration {
        /// What a solver takes to notice its own limit on a busy machine.
        const GRACE: Duration = Duration::from_millis(300);
        /// Some loops of solvers count no steps and never come back; all others have reached their count by then, unless the
        /// caller allows so many that he must allow more time as well.
        const COUNTED: Duration = Duration::from_secs(10);
        if self.resources.is_some() { COUNTED.max(self.time) } else { self.time + GRACE }
    }
}
