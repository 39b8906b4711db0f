//! How is a process started in which foreign code will run, and what can it do? Locks the current process up before that code runs
//! in it: workers before their VM exists, and `confirm`'s compiler and test runs before they are executed. One [`SandboxPolicy`] for
//! all. Children are started, bounded, counted and ended by [`child`], [`inherited`], [`output`] and
//! [`usage`], spoken to by [`messages`] and [`shared`] memory. Knows of JVMs where their files are
//! and how much memory their options ask for; what they are started for is the affair of whoever starts them.
//!
//! Layers, each doing what the others cannot: namespaces (all but the scratch directory read-only, a network of
//! one's own with nothing but loopback), landlock (no reading, no writing, no running of programs outside what the policy
//! names), seccomp (no sockets to the outside, no signals to other processes, no new processes, nothing of what the kernel
//! offers to administrators), and resource limits. [`probe`] says which of them this system has; [`apply`] refuses
//! when what it has is not enough.
//!
//! Time is not limited here: the coordinator kills what takes too long. What is promised to users, and what is not, is in
//! `docs/security.md`.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod known_calls;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "unsupported.rs"]
mod linux;
#[cfg(target_os = "linux")]
mod loader;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod sys;

mod arguments;
pub mod child;
mod denied;
mod environment;
pub mod inherited;
mod memory;
pub mod messages;
pub mod output;
mod place;
mod promises;
mod readable;
pub mod shared;
pub mod usage;

pub use denied::{denied_file, may_be_denied};

pub use environment::set_environment;
pub use linux::apply;
pub use memory::{thread_stack, usual_heap};
pub use place::place_for_scratch;
pub use promises::Promise;
pub use readable::{Readable, absolute, covers};

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use usage::Bounds;

/// What a locked-up process may do.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SandboxPolicy {
    /// The only place it may write to, besides `/dev/null` and its like. Must exist.
    pub scratch: PathBuf,
    /// Keep the scratch directory in memory, of at most this many bytes, where namespaces allow it: it is then empty at
    /// the start, gone with the process, and cannot fill the disk.
    pub scratch_in_memory: Option<u64>,
    /// Where it may read, besides the scratch directory and what the kernel tells of the process itself; see [`Readable`].
    pub read_only: Vec<PathBuf>,
    pub exec: ExecPolicy,
    pub limits: ResourceLimits,
    /// Whether to enter namespaces where the kernel grants them; without them there is no network at all.
    pub namespaces: bool,
    /// Whether it may make files in memory, which count for no limit.
    pub memory_files: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ExecPolicy {
    Denied,
    /// Only programs below these directories, in place of the process: new processes are never allowed.
    Only(Vec<PathBuf>),
}

/// Upper bounds; `None` leaves what the process has inherited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ResourceLimits {
    /// Bytes of a single file.
    pub file_size: Option<u64>,
    /// Bytes of private writable memory: heap, stacks, native allocations, not what a JVM merely reserves.
    pub memory: Option<u64>,
    /// Threads, where they can be counted for this process alone.
    pub threads: Option<u64>,
    pub open_files: Option<u64>,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        ResourceLimits { file_size: Some(64 << 20), memory: Some(3 << 30), threads: Some(512), open_files: Some(4096) }
    }
}

impl ResourceLimits {
    /// For who watches the process from outside: beyond what the kernel grants it, where the kernel counts at all.
    pub fn bounds(&self) -> Bounds {
        let margin = |limit: Option<u64>| limit.map_or(u64::MAX, |limit| limit.saturating_mul(2));
        Bounds { memory: self.memory.unwrap_or(u64::MAX), threads: margin(self.threads) }
    }
}

impl SandboxPolicy {
    /// For workers: reads what it is given, writes to `scratch`, runs nothing.
    pub fn for_worker(scratch: impl Into<PathBuf>, readable: &Readable<'_>) -> Self {
        SandboxPolicy {
            scratch: scratch.into(),
            scratch_in_memory: None,
            read_only: readable.paths(),
            exec: ExecPolicy::Denied,
            limits: ResourceLimits::default(),
            namespaces: true,
            memory_files: false,
        }
    }

    /// For a program of the JDK that is run in place of the process.
    pub fn for_jdk(scratch: impl Into<PathBuf>, readable: &Readable<'_>) -> Self {
        let mut policy = SandboxPolicy::for_worker(scratch, readable);
        policy.exec = ExecPolicy::Only(readable.java_home.map(Path::to_path_buf).into_iter().collect());
        policy
    }

    /// With room for a VM that has such options.
    pub fn for_vm<'a>(mut self, options: impl IntoIterator<Item = &'a str>) -> Self {
        let needs = memory::needs(options);
        self.limits.memory = self.limits.memory.max(needs.limit);
        self.memory_files = needs.memory_files;
        self
    }
}

/// What this system offers to this user; found out once.
pub fn probe() -> Support {
    static SUPPORT: OnceLock<Support> = OnceLock::new();
    *SUPPORT.get_or_init(linux::probe)
}

/// What this system offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// Version of the landlock interface; `None` without landlock.
    pub landlock: Option<u32>,
    pub seccomp: bool,
    /// A network of one's own, so that socket code behaves.
    pub network_namespace: bool,
    /// A read-only view of all file systems.
    pub mount_namespace: bool,
}

impl Support {
    /// Landlock cannot keep a process from truncating files before version 3.
    const COMPLETE_LANDLOCK: u32 = 3;

    /// Whether candidates can be locked up well enough to run them without asking.
    pub fn is_sufficient(&self) -> bool {
        self.missing().is_none()
    }

    fn protects_files(&self) -> bool {
        self.mount_namespace || self.landlock.is_some_and(|abi| abi >= Self::COMPLETE_LANDLOCK)
    }

    /// What would have to be there.
    pub fn missing(&self) -> Option<&'static str> {
        if !self.seccomp {
            return Some("the kernel has no seccomp filters");
        }
        (!self.protects_files())
            .then_some("the kernel has neither landlock (version 3, Linux 6.2) nor user namespaces for everyone")
    }
}

/// As `reenact doctor` shows it.
impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let yes = |there: bool| if there { "yes" } else { "no" };
        match self.landlock {
            Some(abi) => write!(f, "landlock version {abi}")?,
            None => f.write_str("no landlock")?,
        }
        write!(
            f,
            ", seccomp {}, own network {}, read-only mounts {}",
            yes(self.seccomp),
            yes(self.network_namespace),
            yes(self.mount_namespace)
        )
    }
}

/// Why a process could not be locked up. Nothing foreign must run in it then.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The system's fault.
    #[error(
        "candidates cannot be locked up: {missing}; `--no-sandbox` runs them all the same, with the rights of the user"
    )]
    Insufficient { missing: &'static str },
    /// The system's fault.
    #[error(
        "candidates can be locked up on Linux only; `--no-sandbox` runs them all the same, with the rights of the user"
    )]
    UnsupportedSystem,
    /// The caller's fault, or that of a race with someone who removes directories.
    #[error("cannot use `{}` in the sandbox", path.display())]
    Path {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// A system call failed that should not.
    #[error("locking up the process failed at {step}")]
    System {
        step: &'static str,
        #[source]
        source: std::io::Error,
    },
    /// The kernel's landlock interface behaved in a way the library does not expect.
    #[error("landlock refused the rules")]
    Landlock(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The filter could not be built or installed.
    #[error("seccomp refused the filter")]
    Seccomp(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Our own command line: only another version of this executable can have written it.
    #[error("malformed sandbox argument `{}`", .0.display())]
    Argument(OsString),
    /// The program to run is missing or not allowed.
    #[error("cannot run `{}`", program.display())]
    Exec {
        program: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

/// Entry point of the hidden subcommand `sandboxed-exec`: locks this process up as the arguments say and becomes the
/// program behind `--`. Returns only if that fails. Must be called before any thread is started.
pub fn sandboxed_exec(args: impl IntoIterator<Item = OsString>) -> SandboxError {
    inherited::close();
    match arguments::parse(args).and_then(|(policy, command)| apply(&policy).map(|_| command)) {
        Ok((program, args)) => linux::replace_process(program.into(), &args),
        Err(error) => error,
    }
}

impl SandboxPolicy {
    /// The arguments for `sandboxed-exec`, to be followed by the program and its arguments.
    pub fn to_args(&self) -> Vec<OsString> {
        arguments::print(self)
    }
}

/// Which layers the process is now under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    pub landlock: bool,
    /// Sockets work, but lead nowhere else.
    pub own_network: bool,
    /// Everything but the scratch directory is mounted read-only.
    pub read_only_mounts: bool,
    /// The scratch directory is in memory.
    pub scratch_in_memory: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_enough_is_refused_with_a_way_out() {
        let all = Support { landlock: Some(7), seccomp: true, network_namespace: true, mount_namespace: true };
        let cases = [
            (all, None),
            (Support { landlock: None, ..all }, None),
            (Support { network_namespace: false, mount_namespace: false, ..all }, None),
            (Support { seccomp: false, ..all }, Some("no seccomp")),
            (Support { landlock: Some(2), mount_namespace: false, ..all }, Some("neither landlock")),
            (Support { landlock: None, mount_namespace: false, ..all }, Some("neither landlock")),
        ];
        for (support, expected) in cases {
            let missing = support.missing();
            assert_eq!(support.is_sufficient(), expected.is_none(), "{support}");
            assert!(missing.unwrap_or_default().contains(expected.unwrap_or_default()), "{support}: {missing:?}");
            let refusal = missing.map(|missing| SandboxError::Insufficient { missing }.to_string());
            assert!(refusal.is_none_or(|refusal| refusal.contains("`--no-sandbox`")), "{support}");
        }
        let refusal = SandboxError::UnsupportedSystem.to_string();
        assert!(refusal.contains("on Linux only") && refusal.contains("`--no-sandbox`"), "{refusal}");
    }
}
