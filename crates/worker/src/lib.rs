//! What does this recipe do on the user's JVM? Worker processes: disposable JVMs that run batches of recipes, and the
//! coordinator's hold on them. [`Host`] is the [`recipe::Runner`] that engines and minimiser are given. Knows neither crashes nor
//! targets, and judges nothing: what a run has shown is a [`recipe::Observation`].
//!
//! A worker is this executable, re-executed with the hidden subcommand `worker` ([`main`]), with the user's JVM
//! embedded. A candidate is stopped in four layers: its budget of steps runs out; the watchdog inside the worker
//! throws into it; the coordinator kills the process; a spare worker takes over. A worker whose VM may carry traces of
//! a candidate is replaced.
//!
//! - `messages`, `shared`: what the two sides say to each other, and the memory they share
//! - `inside`: the worker process
//! - `handle`: one worker, as the coordinator sees it
//! - `pool`: a worker and its spare: runs recipes, replaces workers, blames the right candidate
//! - `host`: several pools as one runner; `reads`: which values a condition needs; `conditions`: how far they were from it
//! - `shown`: snapshots, ordered outcomes and receivers, made into what a plan asks for
//! - [`wire`]: recipes and answers as bytes; [`emit`]: class files that recipes ask for
//! - `hook`, `natives`: the native side of the Java classes in `java/reenact/host`, and splicing while classes are loaded

mod allowance;
mod classes;
mod clock;
mod conditions;
mod descriptors;
pub mod emit;
mod handle;
mod hook;
mod host;
mod inside;
mod messages;
mod natives;
mod pool;
mod reads;
mod scratch;
mod shared;
mod shown;
pub mod wire;

pub use conditions::unreadable;
pub use handle::{Death, WorkerConfig};
pub use host::{Host, HostConfig};
pub use inside::main;
pub use messages::{CaseLimits, Probes, Ready, ShowProbes, ValueSpot};
pub use pool::{Case, Taint, WorkerPool, WorkerStatistics};
pub use reads::Unreadable;
pub use shown::RawShown;

use jvm::JvmError;
use sandbox::SandboxError;

/// Why a worker could not do its work, as opposed to what a candidate did to it.
#[derive(Debug, thiserror::Error)]
pub enum WorkerFailure {
    /// The system's fault.
    #[error("cannot {what}")]
    Io {
        what: &'static str,
        #[source]
        source: std::io::Error,
    },
    /// Two versions of the tool, or a bug of ours.
    #[error("coordinator and worker do not understand each other: {what}")]
    Protocol { what: String },
    /// The system's fault; see there.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The JDK's fault, or that of the user's VM options.
    #[error(transparent)]
    Jvm(#[from] JvmError),
    /// A bug of ours.
    #[error("the thread of the candidates has ended")]
    CandidateThread,
    /// The worker said why it cannot start or go on.
    #[error("a worker gave up: {error}")]
    GaveUp { error: String },
    /// The worker died before it was ready.
    #[error("a worker died at start ({death}){}", tail(stderr))]
    DiedAtStart { death: Death, stderr: String },
    /// The worker does not get ready.
    #[error("a worker is not ready after {seconds} s{}", tail(stderr))]
    NotReady { seconds: u64, stderr: String },
    /// What a worker has written cannot be read, time and again.
    #[error("the answers of the workers cannot be read")]
    Garbled,
}

/// The last that a worker printed, on lines of its own.
fn tail(stderr: &str) -> String {
    if stderr.trim().is_empty() { String::new() } else { format!("; it printed:\n{}", stderr.trim_end()) }
}
