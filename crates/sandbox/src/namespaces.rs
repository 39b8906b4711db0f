//! Namespaces: a network with nothing but loopback, and a view of the file systems in which only the scratch directory
//! can be changed. An extra layer where the kernel grants it to this user; [`Entered`] says what was had.

use super::{SandboxError, sys};
use std::path::Path;

/// What the process is in. Each may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entered {
    pub(super) user: bool,
    pub(super) network: bool,
    pub(super) mounts: bool,
    pub(super) scratch_in_memory: bool,
}

/// Tries in a child process what [`enter`] would do, with a directory that is always there.
pub(super) fn probe() -> Entered {
    const NETWORK: u8 = 1;
    const MOUNTS: u8 = 2;
    let outcome = sys::in_child(|| {
        let entered = enter(Path::new("/"), None).unwrap_or_default();
        u8::from(entered.network) * NETWORK + u8::from(entered.mounts) * MOUNTS
    });
    let bits = outcome.unwrap_or(0);
    Entered { network: bits & NETWORK != 0, mounts: bits & MOUNTS != 0, ..Entered::default() }
}

/// Enters new namespaces, as many as the kernel grants. Fails only in states that must not be run in: read-only
/// everywhere.
pub(super) fn enter(scratch: &Path, in_memory: Option<u64>) -> Result<Entered, SandboxError> {
    let mut entered = Entered::default();
    // The administrator needs no user namespace, and would lose access to other users' files in one.
    if sys::unshare(sys::Spaces::without_user()).is_err() {
        let (user, group) = sys::ids();
        if sys::unshare(sys::Spaces::with_user()).is_err() {
            return Ok(entered);
        }
        entered.user = true;
        // Without the maps the process would be nobody; it can still go on, but nothing more is granted to it.
        if map_ids(user, group).is_err() {
            return Ok(entered);
        }
    }
    entered.network = sys::bring_up_loopback().is_ok();
    if sys::make_mounts_private().is_err() {
        return Ok(entered);
    }
    entered.scratch_in_memory = in_memory.is_some_and(|bytes| sys::mount_memory(scratch, bytes).is_ok());
    if !entered.scratch_in_memory && sys::bind_to_itself(scratch).is_err() {
        return Ok(entered);
    }
    if sys::set_read_only(Path::new("/"), true).is_err() {
        return Ok(entered);
    }
    sys::set_read_only(scratch, false)
        .map_err(|source| SandboxError::System { step: "keeping the scratch directory writable", source })?;
    entered.mounts = true;
    Ok(entered)
}

/// The same user and group inside as outside.
fn map_ids(user: u32, group: u32) -> std::io::Result<()> {
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}
