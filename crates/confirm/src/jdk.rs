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
    /// Where the compiler is of another installation: its home, and the release that it has to compile for.
    pub(super) borrowed: Option<(PathBuf, u16)>,
}

/// An installation whose compiler can stand in for that of a runtime without: the oldest that is not older.
pub fn lender(jdk: &Jdk) -> Option<Jdk> {
    lender_among(jdk, Jdk::list())
}

fn lender_among(jdk: &Jdk, all: Vec<Jdk>) -> Option<Jdk> {
    if with_compiler(&jdk.home).is_some() {
        return None;
    }
    all.into_iter()
        .filter(|other| other.has_compiler() && other.feature >= jdk.feature)
        .min_by_key(|other| other.feature)
}

impl Tools {
    pub(super) fn of(jdk: &Jdk, lender: Option<&Jdk>) -> Result<Self, ConfirmError> {
        let home = &jdk.home;
        if !home.join("bin/java").is_file() {
            return Err(ConfirmError::NoJava { home: home.clone() });
        }
        let libjvm = jvm::find_libjvm(home).map_err(|_| ConfirmError::NoLibrary { home: home.clone() })?;
        let tools = |home: &Path, compiler: &Path, borrowed| Tools {
            home: home.to_owned(),
            libjvm,
            compiler_java: compiler.join("bin/java"),
            borrowed,
        };
        match (with_compiler(home), lender) {
            (Some(home), _) => Ok(tools(home, home, None)),
            (None, Some(lender)) => Ok(tools(home, &lender.home, Some((lender.home.clone(), jdk.feature)))),
            (None, None) => Err(ConfirmError::NoCompiler { home: home.clone() }),
        }
    }

    /// How the compiler is locked up, if it is to be: it may write to one directory, and read what is named.
    pub(super) fn lock_up<'a>(
        &self,
        command: Option<&'a [OsString]>,
        writable: &Path,
        readable: Readable<'_>,
    ) -> Option<LockUp<'a>> {
        let home = self.borrowed.as_ref().map_or(&self.home, |(home, _)| home);
        let readable = Readable { java_home: Some(home), ..readable };
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
    fn a_runtime_borrows_from_the_oldest_that_is_not_older() {
        let root = tempfile::tempdir().unwrap();
        let jdk = |version: &str, compiles: bool| {
            let home = root.path().join(version);
            std::fs::create_dir_all(home.join("bin")).unwrap();
            if compiles {
                std::fs::write(home.join("bin/javac"), "").unwrap();
            }
            let library = program::JdkLibrary::Jars(Vec::new());
            Jdk { feature: Jdk::feature_of(version).unwrap(), version: version.into(), home, library }
        };
        let all = || vec![jdk("11", true), jdk("17.0.1", false), jdk("21", true), jdk("25", true)];
        let lent = |to: &Jdk| lender_among(to, all()).map(|lender| lender.version);
        assert_eq!(lent(&jdk("17.0.1", false)).as_deref(), Some("21"));
        assert_eq!(lent(&jdk("8", false)).as_deref(), Some("11"));
        assert_eq!(lent(&jdk("26", false)), None);
        assert_eq!(lent(&jdk("11", true)), None, "it has one");
    }

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
