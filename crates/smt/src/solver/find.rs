//! Where solvers are: on the `PATH`, or in the tool's cache, where [`install`](super::install()) puts Z3.

use super::{Dialect, SolverProgram, install};
use std::path::{Path, PathBuf};

/// A solver that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub program: SolverProgram,
    /// From the tool's cache, not from the `PATH`.
    pub is_installed_by_us: bool,
}

/// No Z3; the message says how to get one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no Z3 found: `z3` is not on the PATH and {} has none", .looked_in.display())]
pub struct Missing {
    pub looked_in: PathBuf,
}

/// Z3: the one on the `PATH`, else the one in the cache.
pub fn find_z3(cache: &Path) -> Result<Found, Missing> {
    if let Some(path) = on_path("z3") {
        return Ok(Found { program: SolverProgram::new(path, Dialect::Z3), is_installed_by_us: false });
    }
    let path = install::installed_path(cache);
    if is_program(&path) {
        return Ok(Found { program: SolverProgram::new(path, Dialect::Z3), is_installed_by_us: true });
    }
    Err(Missing { looked_in: path.parent().unwrap_or(cache).to_owned() })
}

/// cvc5, which joins for hard queries where the user has it.
pub fn find_cvc5() -> Option<SolverProgram> {
    on_path("cvc5").map(|path| SolverProgram::new(path, Dialect::Cvc5))
}

/// All solvers that there are, the one that is asked first in front.
pub fn find_all() -> Vec<SolverProgram> {
    let z3 = cache_directory().and_then(|cache| find_z3(&cache).ok()).map(|found| found.program);
    z3.into_iter().chain(find_cvc5()).collect()
}

/// The tool's cache directory: `REENACT_CACHE`, else `reenact` below the cache directory of the system. `program::Cache` has the
/// same rule; this crate stands below it.
pub fn cache_directory() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_system = || {
        if cfg!(target_os = "macos") {
            variable("HOME").map(|home| home.join("Library/Caches"))
        } else {
            variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")))
        }
    };
    variable("REENACT_CACHE").or_else(|| of_system().map(|base| base.join("reenact")))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    // Relative entries would mean another program in every directory.
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(&name))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    fn is_executable(metadata: &std::fs::Metadata) -> bool {
        std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
    }
    #[cfg(not(unix))]
    fn is_executable(_metadata: &std::fs::Metadata) -> bool {
        true
    }
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && is_executable(&metadata))
}
