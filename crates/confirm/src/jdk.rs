//! The programs of a JDK that `confirm` needs.

use super::ConfirmError;
use super::process::LockUp;
use program::Jdk;
use sandbox::{Readable, SandboxPolicy};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(super) struct Tools {
    pub(super) home: PathBuf,
    /// Runs tests, inside a process of ours.
    pub(super) libjvm: PathBuf,
    /// Runs the compiler.
    pub(super) compiler_java: PathBuf,
}

impl Tools {
    pub(super) fn of(jdk: &Jdk) -> Result<Self, ConfirmError> {
        let home = &jdk.home;
        if !home.join("bin/java").is_file() {
            return Err(ConfirmError::NoJava { home: home.clone() });
        }
        let libjvm = jvm::find_libjvm(home).map_err(|_| ConfirmError::NoLibrary { home: home.clone() })?;
        match with_compiler(home) {
            Some(home) => Ok(Tools { home: home.to_owned(), libjvm, compiler_java: home.join("bin/java") }),
            None => Err(ConfirmError::NoCompiler { home: home.clone() }),
        }
    }

    /// How a program of it is locked up, if it is to be: it may write to one directory, and read what is named.
    pub(super) fn lock_up<'a>(
        &self,
        command: Option<&'a [OsString]>,
        writable: &Path,
        readable: Readable<'_>,
    ) -> Option<LockUp<'a>> {
        let readable = Readable { java_home: Some(&self.home), ..readable };
        command.map(|command| LockUp { command, policy: SandboxPolicy::for_jdk(writable, &readable) })
    }
}

/// The installation that has the compiler for this one. JDK 8 keeps a whole JRE inside; whoever points there means the JDK around it.
fn with_compiler(home: &Path) -> Option<&Path> {
    let around = home.parent().filter(|_| home.ends_with("jre"));
    std::iter::once(home).chain(around).find(|home| home.join("bin/javac").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_jre_belongs_to_what_is_around_it() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("bin")).unwrap();
        std::fs::write(root.path().join("bin/javac"), "").unwrap();
        let found = |name: &str| with_compiler(&root.path().join(name)).map(Path::to_path_buf);
        assert_eq!(found("jre").as_deref(), Some(root.path()));
        assert_eq!(found("other-runtime"), None);
        assert_eq!(with_compiler(root.path()), Some(root.path()));
    }
}
