//! The order in which the layers go on: namespaces need rights that the later layers take away.

use super::loader::loader_of;
use super::{Applied, ExecPolicy, SandboxError, SandboxPolicy, Support, calls, files, namespaces, sys};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Tries namespaces out in a child process.
pub(super) fn probe() -> Support {
    let spaces = namespaces::probe();
    Support {
        landlock: files::landlock_version(),
        seccomp: sys::has_seccomp(),
        network_namespace: spaces.network,
        mount_namespace: spaces.mounts,
    }
}

/// Locks the current process up for good. Must be called while it has a single thread: neither namespaces nor landlock
/// reach threads that are already there.
pub fn apply(policy: &SandboxPolicy) -> Result<Applied, SandboxError> {
    let scratch = existing(&policy.scratch)?;
    // Without a terminal, nothing can be typed into it.
    sys::leave_session();
    sys::ignore_file_size_signal();
    sys::go_first_without_memory();
    let spaces = if policy.namespaces {
        namespaces::enter(&scratch, policy.scratch_in_memory)?
    } else {
        namespaces::Entered::default()
    };
    enter_again(&scratch)?;
    let landlock = files::landlock_version();
    let support = Support {
        landlock,
        seccomp: sys::has_seccomp(),
        network_namespace: spaces.network,
        mount_namespace: spaces.mounts,
    };
    if let Some(missing) = support.missing() {
        return Err(SandboxError::Insufficient { missing });
    }
    limit_resources(policy, spaces)?;
    let programs = programs(policy)?;
    if landlock.is_some() {
        files::restrict(policy, &scratch, &programs, spaces.network)?;
    }
    sys::drop_capabilities().map_err(|source| SandboxError::System { step: "dropping capabilities", source })?;
    // Entering namespaces has reset it; the filter keeps foreign code from doing so.
    crate::child::die_with_parent();
    let filter = calls::Filter {
        may_exec: policy.exec != ExecPolicy::Denied,
        own_network: spaces.network,
        read_only_mounts: spaces.mounts,
        memory_files: policy.memory_files,
    };
    calls::restrict(filter)?;
    Ok(Applied {
        landlock: landlock.is_some(),
        own_network: spaces.network,
        read_only_mounts: spaces.mounts,
        scratch_in_memory: spaces.scratch_in_memory,
    })
}

/// Whether files of the file system that this directory is on can be neither executed nor mapped as code.
pub(super) fn forbids_execution(directory: &Path) -> bool {
    sys::mount_flags(directory).is_ok_and(|flags| flags & libc::ST_NOEXEC != 0)
}

/// The working directory was entered before the file systems were mounted anew, and would lead to the old ones.
fn enter_again(scratch: &Path) -> Result<(), SandboxError> {
    std::env::current_dir()
        .and_then(std::env::set_current_dir)
        .or_else(|_| std::env::set_current_dir(scratch))
        .map_err(|source| SandboxError::Path { path: scratch.to_path_buf(), source })
}

/// Becomes another program.
pub(super) fn replace_process(program: PathBuf, args: &[OsString]) -> SandboxError {
    use std::os::unix::process::CommandExt;
    #[expect(clippy::disallowed_methods, reason = "the sandbox runs programs of the JDK in place of itself")]
    let source = std::process::Command::new(&program).args(args).exec();
    SandboxError::Exec { program, source }
}

fn existing(path: &Path) -> Result<PathBuf, SandboxError> {
    path.canonicalize().map_err(|source| SandboxError::Path { path: path.to_path_buf(), source })
}

/// What may be executed: what the policy names, and the dynamic loader that the kernel starts along with it, the usual one and that
/// which the programs ask for.
fn programs(policy: &SandboxPolicy) -> Result<Vec<PathBuf>, SandboxError> {
    let ExecPolicy::Only(allowed) = &policy.exec else { return Ok(Vec::new()) };
    let mut programs = allowed.iter().map(|path| existing(path)).collect::<Result<Vec<_>, _>>()?;
    let loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1"];
    let named =
        programs.iter().flat_map(|path| [path.clone(), path.join("bin/java")]).filter_map(|file| loader_of(&file));
    let named: Vec<PathBuf> = named.collect();
    programs.extend(loaders.iter().map(PathBuf::from).chain(named).filter_map(|loader| loader.canonicalize().ok()));
    Ok(programs)
}

fn limit_resources(policy: &SandboxPolicy, spaces: namespaces::Entered) -> Result<(), SandboxError> {
    let limits = policy.limits;
    // Counted per user, hence across all their programs, unless the process is in a user namespace of its own.
    let threads = limits.threads.filter(|_| spaces.user);
    let all = [
        (sys::Limit::CoreSize, Some(0)),
        (sys::Limit::FileSize, limits.file_size),
        (sys::Limit::Memory, limits.memory),
        (sys::Limit::OpenFiles, limits.open_files),
        (sys::Limit::Threads, threads),
    ];
    for (limit, value) in all {
        if let Some(value) = value {
            sys::set_limit(limit, value).map_err(|source| SandboxError::System { step: "setting limits", source })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Readable;
    use super::*;

    /// As where a package manager keeps its own C library.
    #[test]
    fn the_loader_of_a_jdk_may_be_executed() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path().canonicalize().expect("it is there");
        let (home, loader) = (root.join("jdk"), root.join("glibc/ld.so"));
        std::fs::create_dir_all(home.join("bin")).expect("made");
        std::fs::create_dir_all(root.join("glibc")).expect("made");
        std::fs::write(&loader, "").expect("written");
        let program = super::super::loader::tests::program(&loader.to_string_lossy());
        std::fs::write(home.join("bin/java"), program).expect("written");
        let readable = Readable { java_home: Some(&home), ..Readable::default() };
        let found = programs(&SandboxPolicy::for_jdk(&root, &readable)).expect("they are there");
        assert!(found.contains(&home) && found.contains(&loader), "{found:?}");
    }
}
