//! Files that candidates leave behind. Each must find the scratch directory empty, and most never touch it, so that
//! finding out whether there is anything to do has to be cheap: the kernel tells.
#![expect(unsafe_code, reason = "inotify")]

use std::ffi::CString;
use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct ScratchKeeper {
    directory: PathBuf,
    /// Without it the directory is looked at each time.
    changes: Option<File>,
}

impl ScratchKeeper {
    /// Watches over a directory, which is empty now.
    pub(super) fn new(directory: &Path) -> Self {
        ScratchKeeper { directory: directory.to_path_buf(), changes: watch(directory) }
    }

    /// What can be read from exactly when something has appeared in the directory.
    pub(super) fn events(&self) -> Option<&File> {
        self.changes.as_ref()
    }

    /// Empties the directory. What lies deeper than its first level cannot have come without a change there. Whether
    /// something is left, because a candidate has taken our own rights to it away.
    pub(super) fn clean(&self) -> bool {
        if let Some(mut changes) = self.changes.as_ref() {
            // What is left unread makes for another look the next time.
            let _ = changes.read(&mut [0; 4096]);
        }
        let mut is_left = false;
        for entry in std::fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let removed = match entry.file_type() {
                Ok(kind) if kind.is_dir() => std::fs::remove_dir_all(path),
                _ => std::fs::remove_file(path),
            };
            is_left |= removed.is_err();
        }
        is_left
    }
}

/// A file that can be read from exactly when something has appeared in the directory.
fn watch(directory: &Path) -> Option<File> {
    let path = CString::new(directory.as_os_str().as_bytes()).ok()?;
    // SAFETY: returns a new descriptor or -1.
    let fd = unsafe { libc::inotify_init1(libc::IN_CLOEXEC | libc::IN_NONBLOCK) };
    if fd == -1 {
        return None;
    }
    // SAFETY: the descriptor is new and nobody else's.
    let file = File::from(unsafe { OwnedFd::from_raw_fd(fd) });
    // SAFETY: the descriptor is open and the path lives through the call.
    let watched = unsafe { libc::inotify_add_watch(fd, path.as_ptr(), libc::IN_CREATE | libc::IN_MOVED_TO) };
    (watched != -1).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::super::descriptors::{State, state};
    use super::*;

    #[test]
    fn what_appears_is_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let keeper = ScratchKeeper::new(directory.path());
        for _ in 0..3 {
            std::fs::create_dir_all(directory.path().join("a/b")).expect("created");
            std::fs::write(directory.path().join("a/b/c"), "text").expect("written");
            std::fs::write(directory.path().join("d"), "text").expect("written");
            assert_eq!(state(keeper.events()), State { many: false, closed: false, touched: true });
            assert!(!keeper.clean());
            assert_eq!(state(keeper.events()), State { many: false, closed: false, touched: false });
            assert_eq!(std::fs::read_dir(directory.path()).expect("readable").count(), 0);
            assert!(!keeper.clean());
        }
    }
}
