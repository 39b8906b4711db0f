//! A temporary directory: sources, classes, working directories. It goes when the value does.

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

    /// A temporary directory inside of this one.
    pub(super) fn inner(&self) -> Result<Scratch, ConfirmError> {
        let directory = tempfile::Builder::new().prefix("test-").tempdir_in(self.path());
        Ok(Scratch { directory: directory.map_err(failed("make a temporary directory"))? })
    }

    pub(super) fn write_bytes(&self, directory: &str, name: &Path, bytes: &[u8]) -> Result<PathBuf, ConfirmError> {
        let path = self.directory(directory)?.join(name);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(failed("write a temporary file"))?;
        Ok(path)
    }

    /// Writes files into a directory and returns their paths.
    pub(super) fn write(&self, directory: &str, files: &[(PathBuf, String)]) -> Result<Vec<PathBuf>, ConfirmError> {
        files.iter().map(|(name, text)| self.write_bytes(directory, name, text.as_bytes())).collect()
    }
}

fn failed(what: &'static str) -> impl Fn(io::Error) -> ConfirmError {
    move |source| ConfirmError::System { what, source }
}
