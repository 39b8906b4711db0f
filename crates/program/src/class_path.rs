//! What a class path names: `:`-separated jars, WARs, class directories and `dir/*`, expanded to existing files in order. Looks at
//! the file system, not into archives.

use crate::error::ProgramError;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Archives and class directories in the order of search; all exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassPath {
    entries: Vec<PathBuf>,
}

impl ClassPath {
    /// Parses the values of `--class-path`, in order. As for `java`, empty parts are skipped; other than for `java`, a part that does
    /// not exist is an error, because a forgotten jar would show as a crash that does not fit.
    pub fn parse<S: AsRef<OsStr>>(specifications: impl IntoIterator<Item = S>) -> Result<ClassPath, ProgramError> {
        let mut class_path = ClassPath::default();
        for specification in specifications {
            for part in env::split_paths(specification.as_ref()) {
                class_path.add(&part)?;
            }
        }
        if class_path.entries.is_empty() { Err(ProgramError::EmptyClassPath) } else { Ok(class_path) }
    }

    pub fn entries(&self) -> &[PathBuf] {
        &self.entries
    }

    /// Directories that were named for their classes and have jars, which `java` and this tool do not look into.
    pub fn directories_with_jars(&self) -> impl Iterator<Item = &Path> {
        self.entries.iter().map(PathBuf::as_path).filter(|entry| entry.is_dir() && jars_of(entry).is_ok())
    }

    fn add(&mut self, part: &Path) -> Result<(), ProgramError> {
        if part.as_os_str().is_empty() {
            return Ok(());
        }
        // `*.jar` is not for `java` but for people, who write it in quotes and mean the same.
        if part.file_name().is_some_and(|name| name == "*" || name == "*.jar") {
            let directory = part.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            self.entries.extend(jars_of(directory)?);
            return Ok(());
        }
        match fs::metadata(part) {
            Ok(_) => self.entries.push(part.to_owned()),
            Err(error) => return Err(unreadable(part, error)),
        }
        Ok(())
    }
}

pub(crate) fn unreadable(path: &Path, error: std::io::Error) -> ProgramError {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            ProgramError::NotFound { path: path.to_owned() }
        }
        _ => ProgramError::Unreadable { path: path.to_owned(), error },
    }
}

/// The jars directly in a directory, by name: the order that `java` takes is unspecified.
fn jars_of(directory: &Path) -> Result<Vec<PathBuf>, ProgramError> {
    let entries = fs::read_dir(directory).map_err(|error| unreadable(directory, error))?;
    let mut jars: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| has_jar_name(path)).collect();
    if jars.is_empty() {
        return Err(ProgramError::NoJarsInDirectory { path: directory.to_owned() });
    }
    jars.sort();
    Ok(jars)
}

fn has_jar_name(path: &Path) -> bool {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    extension == Some(OsString::from("jar")) && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_expanded_in_order() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("lib")).unwrap();
        for name in ["app.jar", "lib/b.jar", "lib/a.JAR", "lib/readme.txt"] {
            fs::write(at(name), "").unwrap();
        }
        let specification = env::join_paths([at("app.jar"), PathBuf::new(), at("lib/*.jar")]).unwrap();
        let class_path = ClassPath::parse([specification, at("lib").into_os_string()]).unwrap();
        assert_eq!(class_path.entries(), [at("app.jar"), at("lib/a.JAR"), at("lib/b.jar"), at("lib")]);
        assert_eq!(class_path.directories_with_jars().collect::<Vec<_>>(), [at("lib")]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("gone.jar");
        let error = ClassPath::parse([&missing]).unwrap_err();
        assert_eq!(error.to_string(), format!("class path entry `{}` does not exist", missing.display()));
        assert!(matches!(ClassPath::parse([""]), Err(ProgramError::EmptyClassPath)));
        let star = directory.path().join("*");
        assert!(matches!(ClassPath::parse([star]), Err(ProgramError::NoJarsInDirectory { .. })));
    }
}
