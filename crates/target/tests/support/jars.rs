//! The jars of the crash packs.

use std::path::PathBuf;

/// A jar of the crash packs, by its path below the directory that has them all.
pub(crate) fn crash_jar(path: &str) -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS")
        .expect("REENACT_JARS names the directory with the crash jars; `cargo xtask test` fetches them and sets it");
    PathBuf::from(directory).join(path)
}
