//! The user's JVM in this process: started through JNI, watched through JVMTI, instrumented while it loads classes.
//!
//! One VM per process and for good, as JNI has it. This is the only part of the project that talks to a VM; everything
//! unsafe is in [`env`] (JNI), `tools` (JVMTI), `hook` (what the VM calls), `broken`, `chance`, `link` and `thrown`, behind types that keep their promises:
//! an [`Env`] exists only on an attached thread, references that leave it are global, and a pending Java exception is
//! always turned into an error.

mod broken;
mod chance;
mod env;
mod hook;
mod library;
mod link;
mod thrown;
mod tools;

pub use chance::{COUNTED_HASHES, fix_order_of_immutable_collections};
pub use env::{Class, Env, Global, StaticMethod};
pub use hook::{ClassOrigin, Instrumentation, Services, SpliceFailure};
pub use library::find_libjvm;

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

pub use env::Vm;
