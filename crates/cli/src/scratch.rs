//! The directory for all temporary files of the process. Nobody removes that of a process that was killed, so the next one
//! does.

use crate::failure::Failure;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Only of directories with this name is it known that their owner holds a lock on them.
const PREFIX: &str = "reenact-run-";
/// Between making a directory and locking it lies a moment.
const YOUTH: Duration = Duration::from_secs(60);

/// Temporary files of the whole process go below it as long as it lives.
#[derive(Debug)]
pub(crate) struct Scratch {
    directory: TempDir,
    /// The kernel gives it back when the process ends, however it does.
    _lock: Option<File>,
}

impl Scratch {
    pub(crate) fn new() -> Result<Scratch, Failure> {
        let place = sandbox::place_for_scratch();
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&place).map_err(|error| {
            Failure::new(format!("cannot make a temporary directory in `{}`: {error}", place.display()))
                .hint("free some space there, or set TMPDIR to a directory that can be written")
        })?;
        // On a file system without locks nobody can hold one, and nothing is ever swept.
        let lock = File::open(directory.path()).ok().filter(|file| file.try_lock().is_ok());
        // Nobody waits for it.
        std::thread::spawn(move || sweep(&place, YOUTH));
        // Fails only where it was done before, which is as good.
        let _ = tempfile::env::override_temp_dir(directory.path());
        Ok(Scratch { directory, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Others of this process and its children may still be writing there: what comes while it is emptied is emptied again.
pub(crate) fn remove(directory: &Path, patience: Duration) {
    const PAUSE: Duration = Duration::from_millis(10);
    for _ in 0..patience.as_millis() / PAUSE.as_millis() {
        if std::fs::remove_dir_all(directory).is_ok() || !directory.exists() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Removes what processes have left there that are no more.
fn sweep(place: &Path, youth: Duration) {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for path in ours.map(|entry| entry.path()).filter(|path| is_abandoned(path, youth)) {
        // Somebody may be at it already.
        let _ = std::fs::remove_dir_all(path);
    }
}

fn is_abandoned(directory: &PathBuf, youth: Duration) -> bool {
    let Ok(metadata) = directory.symlink_metadata() else { return false };
    let age = metadata.modified().ok().and_then(|modified| modified.elapsed().ok());
    let is_own = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == metadata.uid());
    let is_old = age.is_some_and(|age| age >= youth);
    metadata.is_dir() && is_own && is_old && File::open(directory).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for name in ["reenact-run-dead", "reenact-run-alive", "reenact-other", "elsewhere"] {
            std::fs::create_dir_all(path(name).join("inner")).unwrap();
        }
        std::os::unix::fs::symlink(path("elsewhere"), path("reenact-run-link")).unwrap();
        let alive = File::open(path("reenact-run-alive")).unwrap();
        alive.try_lock().unwrap();
        sweep(place.path(), Duration::from_secs(3600));
        assert!(path("reenact-run-dead").exists(), "its owner may be about to lock it");
        sweep(place.path(), Duration::ZERO);
        let left = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut left: Vec<String> = left.map(|name| name.to_string_lossy().into_owned()).collect();
        left.sort();
        assert_eq!(left, ["elsewhere", "reenact-other", "reenact-run-alive", "reenact-run-link"]);
        assert!(path("elsewhere/inner").exists());
    }
}
