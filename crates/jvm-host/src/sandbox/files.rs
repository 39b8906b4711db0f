//! Landlock: what may be read, written and executed, enforced by the kernel at every access.

use super::{SandboxError, SandboxPolicy};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, PathFdError, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use std::path::{Path, PathBuf};

/// The newest interface we know; older kernels enforce the part they know.
const NEWEST: ABI = ABI::V6;

/// Writing to these is writing nowhere.
const HARMLESS_DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

pub(super) fn landlock_version() -> Option<u32> {
    super::sys::landlock_version()
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
    for root in &policy.read_only {
        rules = allow(rules, root, read)?;
    }
    for program in programs {
        rules = allow(rules, program, read | AccessFs::Execute)?;
    }
    for device in HARMLESS_DEVICES.iter().map(Path::new).filter(|device| device.exists()) {
        rules = allow(rules, device, AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate)?;
    }
    rules = allow(rules, scratch, scratch_access)?;
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

fn allow(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<RulesetCreated, SandboxError> {
    let fd = PathFd::new(path).map_err(|error| unusable(path, error))?;
    // Rights on directories mean nothing for a file, and the kernel refuses them.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(fd, access)).map_err(refused)
}

fn unusable(path: &Path, error: PathFdError) -> SandboxError {
    match error {
        PathFdError::OpenCall { source, path, .. } => SandboxError::Path { path, source },
        other => SandboxError::Path { path: path.to_path_buf(), source: std::io::Error::other(other) },
    }
}

fn refused(error: landlock::RulesetError) -> SandboxError {
    SandboxError::Landlock(Box::new(error))
}
