//! The directory where indexes of jars are kept between runs.

use std::path::{Path, PathBuf};

/// Where indexes are kept, if anywhere.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: Option<PathBuf>,
}

impl Cache {
    /// The user's cache: `REENACT_CACHE`, else `reenact` in the XDG cache directory. Without a home directory nothing is kept.
    pub fn of_user() -> Cache {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let directory = variable("REENACT_CACHE")
            .or_else(|| variable("XDG_CACHE_HOME").map(|base| base.join("reenact")))
            .or_else(|| variable("HOME").map(|home| home.join(".cache/reenact")));
        Cache { directory }
    }

    pub fn at(directory: impl Into<PathBuf>) -> Cache {
        Cache { directory: Some(directory.into()) }
    }

    /// Keeps nothing.
    pub fn none() -> Cache {
        Cache { directory: None }
    }

    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }
}
