//! The programs of a JDK that `confirm` needs.

use super::ConfirmError;
use program::Jdk;
use std::path::PathBuf;

pub(super) struct Tools {
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
        let compilers = [home.join("bin/javac"), home.join("../bin/javac")];
        match compilers.into_iter().find(|path| path.is_file()) {
            Some(javac) => Ok(Tools { java, javac }),
            None => Err(ConfirmError::NoCompiler { home: home.clone() }),
        }
    }
}
