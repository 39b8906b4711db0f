//! What keeps a program from being opened at all ([`ProgramError`]), and what is wrong with parts of it while the rest is read
//! ([`Problem`]).

use crate::classfile::ClassFileError;
use crate::zip::ZipError;
use std::io;
use std::path::{Path, PathBuf};

/// The class path or JDK cannot be used. The fault is in what the user gave, or in the machine's set-up.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    #[error("the class path is empty")]
    EmptyClassPath,
    #[error("class path entry `{}` does not exist", path.display())]
    NotFound { path: PathBuf },
    #[error("class path entry `{}` cannot be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("class path entry `{}` is not a jar: {reason}", path.display())]
    NotAJar { path: PathBuf, reason: ZipError },
    #[error("class path entry `{}` cannot be unpacked for the JVM: {reason}", path.display())]
    NotUnpacked { path: PathBuf, reason: ZipError },
    #[error("there is no jar in `{}`, which the class path names as `{0}/*`", path.display())]
    NoJarsInDirectory { path: PathBuf },
    #[error("no JDK was found; searched {}", listed(.searched))]
    NoJdk { searched: Vec<PathBuf> },
    #[error("`{}` is not a JDK: {reason}", home.display())]
    NotAJdk { home: PathBuf, reason: String },
}

impl ProgramError {
    /// What the user can do next.
    pub fn hint(&self) -> String {
        match self {
            ProgramError::EmptyClassPath => {
                "name the program's jars and class directories: `--class-path 'app.jar:lib/*'`".into()
            }
            ProgramError::NotFound { .. } => {
                "check the path; entries are separated by `:`, and relative ones start at the current directory".into()
            }
            ProgramError::Unreadable { .. } => "check the permissions of the file and its directories".into(),
            ProgramError::NotAJar { .. } => {
                "a class path holds jars, WARs, class directories and `dir/*`; an interrupted download leaves such a file".into()
            }
            ProgramError::NotUnpacked { .. } => {
                "check the space where the cache is (`reenact doctor` names it), or set REENACT_CACHE to another directory".into()
            }
            ProgramError::NoJarsInDirectory { .. } => {
                "`dir/*` stands for the jars directly in that directory; name a directory of classes without `/*`".into()
            }
            ProgramError::NoJdk { .. } => {
                "install a JDK (Debian, Ubuntu: `apt install openjdk-17-jdk-headless`; Fedora: `dnf install java-17-openjdk-devel`; \
                 macOS: `brew install openjdk`), set JAVA_HOME, or pass `--jdk HOME`"
                    .into()
            }
            ProgramError::NotAJdk { .. } => {
                "the home of a JDK has the file `lib/modules`, or `jre/lib/rt.jar` before Java 9".into()
            }
        }
    }
}

/// Something that could not be read while the rest of the program could.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// `entry` may lead through archives inside of archives; `others` more entries have the same problem.
    #[error("`{}`: entry `{entry}`{} cannot be read: {reason}", archive.display(), and_more(*.others))]
    Entry { archive: PathBuf, entry: String, others: usize, reason: String },
    #[error("`{}`: {reason}", archive.display())]
    Archive { archive: PathBuf, reason: ZipError },
    /// A damaged class file; only a part of it, if the class could be read otherwise.
    #[error("`{place}`: {error}")]
    Class { place: String, error: ClassFileError },
    #[error("`{}`: {message}", path.display())]
    File { path: PathBuf, message: String },
    /// The JVM refuses a class file that is not where its name says.
    #[error("`{place}` holds class `{found}`")]
    WrongName { place: String, found: String },
    #[error("the JDK image: {message}")]
    Jdk { message: String },
    /// Costs only time.
    #[error("cache: {message}")]
    Cache { message: String },
}

impl Problem {
    pub(crate) fn no_directory(path: &Path) -> Problem {
        Problem::File {
            path: path.to_owned(),
            message: "there is no such directory; it is left out, as `java` does".into(),
        }
    }

    pub(crate) fn cache_damaged(file: &Path) -> Problem {
        Problem::Cache { message: format!("`{}` is damaged and is made anew", file.display()) }
    }

    pub(crate) fn cache_not_written(error: &io::Error) -> Problem {
        Problem::Cache { message: format!("nothing can be kept for the next run: {error}") }
    }
}

fn listed(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    paths.join(", ")
}

fn and_more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more)") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_one_sentence_with_a_next_step() {
        let path = || PathBuf::from("lib/x.jar");
        let errors = [
            (ProgramError::EmptyClassPath, "the class path is empty"),
            (ProgramError::NotFound { path: path() }, "class path entry `lib/x.jar` does not exist"),
            (
                ProgramError::Unreadable { path: path(), error: io::Error::other("disk on fire") },
                "class path entry `lib/x.jar` cannot be read: disk on fire",
            ),
            (
                ProgramError::NotAJar { path: path(), reason: ZipError::NotAZip },
                "class path entry `lib/x.jar` is not a jar: it is not a zip archive",
            ),
            (
                ProgramError::NotUnpacked { path: path(), reason: ZipError::NotWritten { reason: "disk full".into() } },
                "class path entry `lib/x.jar` cannot be unpacked for the JVM: it cannot be written: disk full",
            ),
            (
                ProgramError::NoJarsInDirectory { path: "lib".into() },
                "there is no jar in `lib`, which the class path names as `lib/*`",
            ),
            (
                ProgramError::NoJdk { searched: vec!["/usr/lib/jvm".into()] },
                "no JDK was found; searched `/usr/lib/jvm`",
            ),
            (
                ProgramError::NotAJdk { home: "/opt/jdk".into(), reason: "there is no such directory".into() },
                "`/opt/jdk` is not a JDK: there is no such directory",
            ),
        ];
        for (error, text) in errors {
            assert_eq!(error.to_string(), text);
            let hint = error.hint();
            assert!(!hint.is_empty() && !hint.ends_with('.'), "{hint}");
        }
    }
}
