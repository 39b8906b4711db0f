//! The programs of a JDK that `confirm` needs.

use super::process::LockUp;
use super::{ConfirmError, ConfirmOptions};
use program::Jdk;
use std::path::{Path, PathBuf};

pub(super) struct Tools {
    home: PathBuf,
    pub(super) java: PathBuf,
    pub(super) javac: PathBuf,
}

impl Tools {
    pub(super) fn of(jdk: &Jdk) -> Result<Self, ConfirmError> {
        let home = &jdk.home;
        let java = home.join("bin/java");
        if !java.is_file() {
            return Err(ConfirmError::NoJava { home: home.clone() });
        }
        // JDK 8 keeps a whole JRE inside; whoever points there means the JDK around it.
        let homes = std::iter::once(home.as_path()).chain(home.parent());
        let with_compiler = homes.map(|home| (home, home.join("bin/javac"))).find(|(_, javac)| javac.is_file());
        match with_compiler {
            Some((home, javac)) => Ok(Tools { home: home.to_owned(), java, javac }),
            None => Err(ConfirmError::NoCompiler { home: home.clone() }),
        }
    }

    /// How these programs are locked up, if they are to be.
    pub(super) fn lock_up<'a>(&'a self, options: &'a ConfirmOptions, writable: &'a Path) -> Option<LockUp<'a>> {
        options.lock_up.as_deref().map(|command| LockUp { command, writable, jdk_home: &self.home })
    }
}
