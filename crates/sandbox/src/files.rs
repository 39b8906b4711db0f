//! Landlock: what may be read, written and executed, enforced by the kernel at every access.

use super::{SandboxError, SandboxPolicy, sys};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, PathFdError, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// The newest interface we know; older kernels enforce the part they know.
const NEWEST: ABI = ABI::V6;

/// Writing to these is writing nowhere. `/dev/zero` is none of them: memory that is shared through it counts for no limit.
const HARMLESS_DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

pub(super) fn landlock_version() -> Option<u32> {
    sys::landlock_version()
}

pub(super) fn restrict(
    policy: &SandboxPolicy,
    scratch: &Path,
    programs: &[PathBuf],
    own_network: bool,
) -> Result<(), SandboxError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let scratch_access = AccessFs::from_all(NEWEST) & !(AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock);
    let mut rules = handled(own_network).map_err(refused)?;
    for path in &policy.read_only {
        // Whoever cannot open a path by its name cannot read it either, and needs no rule.
        if let Ok(fd) = PathFd::new(path) {
            rules = allow(rules, fd, path.is_dir(), read)?;
        }
    }
    // Of all processes only this one. It may be locked up before it becomes another program, and stays the same process then.
    if let Some(own) = sys::own_process() {
        rules = allow(rules, own, true, read)?;
    }
    for program in programs {
        rules = allow(rules, opened(program)?, program.is_dir(), read | AccessFs::Execute)?;
    }
    for device in HARMLESS_DEVICES.iter().map(Path::new).filter(|device| device.exists()) {
        let access = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
        rules = allow(rules, opened(device)?, false, access)?;
    }
    rules = allow(rules, opened(scratch)?, true, scratch_access)?;
    let status = rules.restrict_self().map_err(refused)?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(SandboxError::Landlock("not enforced".into()));
    }
    Ok(())
}

/// Rules that deny everything so far. In a network of one's own every port is one's own.
fn handled(own_network: bool) -> Result<RulesetCreated, landlock::RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?;
    if !own_network {
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
    }
    rules.create()
}

fn allow(
    rules: RulesetCreated,
    fd: impl AsFd,
    is_directory: bool,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, SandboxError> {
    // Rights on directories mean nothing for a file, and the kernel refuses them.
    let access = if is_directory { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(fd, access)).map_err(refused)
}

fn opened(path: &Path) -> Result<PathFd, SandboxError> {
    PathFd::new(path).map_err(|error| match error {
        PathFdError::OpenCall { source, path, .. } => SandboxError::Path { path, source },
        other => SandboxError::Path { path: path.to_path_buf(), source: std::io::Error::other(other) },
    })
}

fn refused(error: landlock::RulesetError) -> SandboxError {
    SandboxError::Landlock(Box::new(error))
}
