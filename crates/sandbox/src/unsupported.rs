//! The sandbox where there is none: it says so.

use super::{Applied, SandboxError, SandboxPolicy, Support};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(super) fn probe() -> Support {
    Support { landlock: None, seccomp: false, network_namespace: false, mount_namespace: false }
}

pub(super) fn forbids_execution(_: &Path) -> bool {
    false
}

pub fn apply(_: &SandboxPolicy) -> Result<Applied, SandboxError> {
    Err(SandboxError::UnsupportedSystem)
}

pub(super) fn replace_process(_: PathBuf, _: &[OsString]) -> SandboxError {
    SandboxError::UnsupportedSystem
}
