//! The solver that the symbolic engines ask: Z3 of the `PATH`, else one in the tool's cache, installed once.

use anyhow::{Context, Result};
use std::path::PathBuf;

/// Where Z3 is; installs it if there is none.
pub(crate) fn solver() -> Result<PathBuf> {
    let cache = smt::solver::cache_directory().context("none of REENACT_CACHE, XDG_CACHE_HOME and HOME is set")?;
    if let Ok(found) = smt::solver::find_z3(&cache) {
        return Ok(found.program.path);
    }
    Ok(smt::solver::install(&cache, &mut |text| eprintln!("{text}"))?)
}
