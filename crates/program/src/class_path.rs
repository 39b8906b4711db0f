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
    /// Directories that were named and do not exist.
    ignored: Vec<PathBuf>,
}

impl ClassPath {
    /// Parses the values of `--class-path`, in order. As for `java`, empty parts and directories that do not exist are skipped; other
    /// than for `java`, a jar that does not exist is an error, because a forgotten jar would show as a crash that does not fit. A file
    /// whose name has the separator in it is found if it exists.
    pub fn parse<S: AsRef<OsStr>>(specifications: impl IntoIterator<Item = S>) -> Result<ClassPath, ProgramError> {
        let mut class_path = ClassPath::default();
        for specification in specifications {
            for part in parts(specification.as_ref()) {
                class_path.add(&part)?;
            }
        }
        match (class_path.entries.is_empty(), class_path.ignored.first()) {
            (true, Some(missing)) => Err(ProgramError::NotFound { path: missing.clone() }),
            (true, None) => Err(ProgramError::EmptyClassPath),
            (false, _) => Ok(class_path),
        }
    }

    pub fn entries(&self) -> &[PathBuf] {
        &self.entries
    }

    /// Directories that were named and do not exist, which is no error for `java` either: a module without classes has none.
    pub fn ignored(&self) -> &[PathBuf] {
        &self.ignored
    }

    /// Directories that were named for their classes and have jars, which `java` and this tool do not look into.
    pub fn directories_with_jars(&self) -> impl Iterator<Item = &Path> {
        self.entries.iter().map(PathBuf::as_path).filter(|entry| entry.is_dir() && jars_of(entry).is_ok())
    }

    fn add(&mut self, part: &Path) -> Result<(), ProgramError> {
        if part.as_os_str().is_empty() {
            return Ok(());
        }
        if is_pattern(part) {
            let directory = part.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            self.entries.extend(jars_of(directory)?);
            return Ok(());
        }
        match fs::metadata(part) {
            Ok(_) => self.entries.push(part.to_owned()),
            Err(error) => match unreadable(part, error) {
                ProgramError::NotFound { path } if !has_archive_extension(part) => self.ignored.push(path),
                error => return Err(error),
            },
        }
        Ok(())
    }
}

/// Between the separators, but for those that belong to the name of a file. A part that exists is never put together with others.
fn parts(specification: &OsStr) -> Vec<PathBuf> {
    /// No name has more separators.
    const LONGEST: usize = 16;
    if Path::new(specification).exists() {
        return vec![specification.into()];
    }
    let pieces: Vec<PathBuf> = env::split_paths(specification).collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let joined = |end: usize| put_together(&pieces[at..end]);
        let is_whole = pieces[at].as_os_str().is_empty() || is_pattern(&pieces[at]) || pieces[at].exists();
        let mut longer = at + 2..=pieces.len().min(at + LONGEST);
        let end = if is_whole { None } else { longer.find(|end| joined(*end).exists()) }.unwrap_or(at + 1);
        parts.push(joined(end));
        at = end;
    }
    parts
}

fn put_together(pieces: &[PathBuf]) -> PathBuf {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let names: Vec<&OsStr> = pieces.iter().map(|piece| piece.as_os_str()).collect();
    PathBuf::from(names.join(OsStr::new(separator)))
}

/// `*.jar` is not for `java` but for people, who write it in quotes and mean the same.
fn is_pattern(part: &Path) -> bool {
    part.file_name().is_some_and(|name| name == "*" || name == "*.jar")
}

fn has_archive_extension(path: &Path) -> bool {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    ["jar", "war", "ear", "zip"].iter().any(|known| extension == Some(OsString::from(known)))
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

pub(crate) fn has_jar_name(path: &Path) -> bool {
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

    #[test]
    fn directories_that_do_not_exist_are_skipped_if_others_do() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("target/classes");
        let both = env::join_paths([missing.clone(), directory.path().to_owned()]).unwrap();
        let class_path = ClassPath::parse([both]).unwrap();
        assert_eq!(
            (class_path.entries(), class_path.ignored()),
            (&[directory.path().to_owned()][..], &[missing.clone()][..])
        );
        assert!(matches!(ClassPath::parse([&missing]), Err(ProgramError::NotFound { path }) if path == missing));
        for name in ["x.jar", "x.WAR", "x.ear", "x.zip"] {
            let jar = missing.join(name);
            let both = env::join_paths([jar.clone(), directory.path().to_owned()]).unwrap();
            assert!(matches!(ClassPath::parse([both]), Err(ProgramError::NotFound { path }) if path == jar));
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_with_a_separator() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        for name in ["a:b.jar", "c.jar", "c", "x:y:z.jar"] {
            fs::write(at(name), "").unwrap();
        }
        let parse = |names: &[&str]| {
            let parts: Vec<String> = names.iter().map(|name| at(name).display().to_string()).collect();
            let entries = ClassPath::parse([parts.join(":")]).unwrap().entries().to_vec();
            entries.iter().map(|entry| entry.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(parse(&["a:b.jar"]), ["a:b.jar"]);
        assert_eq!(parse(&["c.jar", "a:b.jar", "c"]), ["c.jar", "a:b.jar", "c"]);
        assert_eq!(parse(&["x:y:z.jar", "c"]), ["x:y:z.jar", "c"]);
        assert_eq!(parse(&["c", "c.jar"]), ["c", "c.jar"]);
    }
}
