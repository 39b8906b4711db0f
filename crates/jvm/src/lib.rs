//! How is the user's JVM started in this process, and asked to do something? Finds and loads `libjvm`, wraps JNI and JVMTI.
//!
//! One VM per process and for good, as JNI has it. Knows nothing of why a VM is started: recipes, probes and tests are the affair
//! of whoever does. The types keep their promises: an [`Env`] exists only on an attached thread, references that leave it are
//! global, and a pending Java exception is always turned into an error. What the VM calls back, and what takes raw references, is
//! unsafe and says what it relies on.

mod broken;
mod chance;
mod env;
mod fields;
mod library;
mod link;
mod loaders;
mod objects;
mod thrown;
mod tools;

pub use broken::BrokenClasses;
pub use chance::{COUNTED_HASHES, fix_order_of_immutable_collections};
pub use env::{Class, Env, Global, StaticMethod, Vm};
pub use library::find_libjvm;
pub use objects::{Kinds, Local};
pub use thrown::{StackElement, Stacks, ThrowableParts};
pub use tools::{DeathHook, LoadHook, ThreadHook, Tools};

use std::path::PathBuf;

/// Options by which the JDK's archive of loaded classes stays at the address that it was made for. New JDKs put it somewhere
/// else each time, for attackers to have it harder, which takes a fifth of the processor time of starting up.
pub const ARCHIVE_STAYS: [&str; 2] = ["-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0"];

/// Why the JVM could not be started or did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// The user's fault, or ours when we chose the directory.
    #[error("`{}` has no JVM library; it is not the home of a JDK or JRE", home.display())]
    NoLibrary { home: PathBuf },
    /// The JDK's or the system's fault: another processor, a missing library, a file that is none.
    #[error("cannot load `{}`", path.display())]
    Load {
        path: PathBuf,
        #[source]
        source: libloading::Error,
    },
    /// Mostly an option the VM does not know, or too little memory.
    #[error("the JVM does not start (JNI error {code}); options: {}", options.join(" "))]
    Create { code: i32, options: Vec<String> },
    /// Our own Java classes do not fit this VM, or it is out of memory.
    #[error("the JVM refused {what}: {thrown}")]
    Java { what: String, thrown: String },
    /// The VM's tool interface lacks something it has in every version we know.
    #[error("the JVM's tool interface refused `{function}` (error {code})")]
    Tools { function: &'static str, code: i32 },
    /// An argument of ours has a NUL character.
    #[error("`{text}` cannot be passed to the JVM")]
    Text { text: String },
}
