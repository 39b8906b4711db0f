//! The temporary directory of one confirmation: sources, classes, working directories. It goes when the value does.

use super::ConfirmError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(super) struct Scratch {
    directory: TempDir,
}

impl Scratch {
    pub(super) fn new() -> Result<Self, ConfirmError> {
        let prefix = format!("reenact-confirm-{}-", std::process::id());
        let directory = tempfile::Builder::new().prefix(&prefix).tempdir();
        Ok(Scratch { directory: directory.map_err(failed("make a temporary directory"))? })
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// A directory, made if it is not there.
    pub(super) fn directory(&self, name: &str) -> Result<PathBuf, ConfirmError> {
        let path = self.path().join(name);
        fs::create_dir_all(&path).map_err(failed("make a temporary directory"))?;
        Ok(path)
    }

    /// An empty directory; what an earlier run left in it is removed.
    pub(super) fn emptied(&self, name: &str) -> Result<PathBuf, ConfirmError> {
        match fs::remove_dir_all(self.path().join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("empty a temporary directory")(error)),
            _ => self.directory(name),
        }
    }

    /// Writes files into a directory and returns their paths.
    pub(super) fn write(&self, directory: &str, files: &[(PathBuf, String)]) -> Result<Vec<PathBuf>, ConfirmError> {
        let directory = self.directory(directory)?;
        let write = |(name, text): &(PathBuf, String)| -> io::Result<PathBuf> {
            let path = directory.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, text)?;
            Ok(path)
        };
        files.iter().map(write).collect::<io::Result<_>>().map_err(failed("write the test's sources"))
    }
}

fn failed(what: &'static str) -> impl Fn(io::Error) -> ConfirmError {
    move |source| ConfirmError::System { what, source }
}
