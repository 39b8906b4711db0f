//! The places that classes come from: archives (also nested ones) and directories, opened in class path order.

use crate::bytes::Bytes;
use crate::error::{Problem, ProgramError};
use crate::names::ClassName;
use crate::zip::{EntryLocation, Zip, ZipEntry};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Where a class was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An entry of a jar; `nested` is the inner jar for a jar inside of an archive.
    Archive {
        archive: PathBuf,
        nested: Option<String>,
        entry: String,
    },
    File(PathBuf),
    /// A module of the JDK's image.
    Module(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Archive { archive, nested: None, .. } => write!(f, "{}", archive.display()),
            Origin::Archive { archive, nested: Some(nested), .. } => write!(f, "{}!/{nested}", archive.display()),
            Origin::File(path) => write!(f, "{}", path.display()),
            Origin::Module(module) => write!(f, "JDK module {module}"),
        }
    }
}

/// One archive or directory, with its classes.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) nested: Option<String>,
    zip: Option<Zip>,
    pub(crate) classes: FxHashMap<ClassName, Entry>,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    name: String,
    location: Option<EntryLocation>,
    version: u16,
}

/// Class files are limited to 4 GB by nothing, but no tool writes one near this size; a zip bomb does.
const MAX_CLASS: u64 = 64 << 20;
const MAX_NESTED_JAR: u64 = 1 << 30;
const MAX_MANIFEST: u64 = 4 << 20;

impl Source {
    pub(crate) fn origin(&self, entry: &Entry) -> Origin {
        if self.zip.is_none() {
            return Origin::File(self.path.join(&entry.name));
        }
        Origin::Archive { archive: self.path.clone(), nested: self.nested.clone(), entry: entry.name.clone() }
    }

    pub(crate) fn read(&self, entry: &Entry) -> Result<Bytes, Problem> {
        match (&self.zip, entry.location) {
            (Some(zip), Some(location)) => {
                zip.read(location, MAX_CLASS).map_err(|reason| self.entry_problem(&entry.name, reason))
            }
            _ => {
                let path = self.path.join(&entry.name);
                let bytes = fs::read(&path).map(Bytes::from);
                bytes.map_err(|error| Problem::File { path, message: error.to_string() })
            }
        }
    }

    fn entry_problem(&self, entry: &str, reason: crate::zip::ZipError) -> Problem {
        let entry = match &self.nested {
            Some(nested) => format!("{nested}!/{entry}"),
            None => entry.to_owned(),
        };
        Problem::Entry { archive: self.path.clone(), entry, reason }
    }
}

/// Opens everything the class path names, followed by what the archives name in turn.
pub(crate) fn open_all(
    paths: &[PathBuf],
    feature: u16,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Source>, ProgramError> {
    let mut sources = Vec::new();
    let mut seen = Vec::new();
    let mut queue: VecDeque<(PathBuf, bool)> = paths.iter().map(|path| (path.clone(), true)).collect();
    while let Some((path, named_by_user)) = queue.pop_front() {
        let identity = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if seen.contains(&identity) {
            continue;
        }
        seen.push(identity);
        if path.is_dir() {
            sources.push(open_directory(&path, problems)?);
            continue;
        }
        let zip = Bytes::map(&path)
            .map_err(|error| crate::class_path::unreadable(&path, error))
            .and_then(|bytes| Zip::open(bytes).map_err(|reason| ProgramError::NotAJar { path: path.clone(), reason }));
        match zip {
            Ok(zip) => {
                let further = open_archive(&path, None, &zip, feature, problems, &mut sources);
                further.into_iter().rev().for_each(|path| queue.push_front((path, false)));
            }
            Err(error) if named_by_user => return Err(error),
            // The JVM ignores manifest entries that lead nowhere.
            Err(_) => {}
        }
    }
    Ok(sources)
}

fn open_directory(root: &Path, problems: &mut Vec<Problem>) -> Result<Source, ProgramError> {
    fs::read_dir(root).map_err(|source| ProgramError::Unreadable { path: root.to_owned(), source })?;
    let mut classes = FxHashMap::default();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(Problem::File { path: directory, message: error.to_string() });
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if let Some(relative) = path.strip_prefix(root).ok().and_then(Path::to_str)
                && let Some(name) = relative.strip_suffix(".class")
            {
                let name = ClassName::internal(&name.replace('\\', "/"));
                classes.insert(name, Entry { name: relative.to_owned(), location: None, version: 0 });
            }
        }
    }
    Ok(Source { path: root.to_owned(), nested: None, zip: None, classes })
}

/// Adds the archive and the jars inside of it; returns what its manifest names.
fn open_archive(
    path: &Path,
    nested: Option<&str>,
    zip: &Zip,
    feature: u16,
    problems: &mut Vec<Problem>,
    sources: &mut Vec<Source>,
) -> Vec<PathBuf> {
    let entries: Vec<ZipEntry<'_>> = zip
        .entries()
        .filter_map(|entry| {
            entry.map_err(|reason| problems.push(Problem::Archive { archive: path.to_owned(), reason })).ok()
        })
        .collect();
    let manifest = entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF"));
    let manifest = manifest.and_then(|entry| zip.read(entry.location, MAX_MANIFEST).ok());
    let manifest = crate::manifest::Manifest::parse(manifest.as_deref().unwrap_or_default());
    let multi_release = manifest.is_multi_release();
    let mut classes: FxHashMap<ClassName, Entry> = FxHashMap::default();
    let mut inner = Vec::new();
    for entry in &entries {
        let Ok(name) = std::str::from_utf8(entry.name) else { continue };
        if nested.is_none() && is_library_entry(name) {
            inner.push((name.to_owned(), entry.location));
        }
        let Some((class, version)) = class_of_entry(name) else { continue };
        if version > 0 && (!multi_release || version > feature) {
            continue;
        }
        let found = Entry { name: name.to_owned(), location: Some(entry.location), version };
        let known = classes.entry(ClassName::internal(class)).or_insert_with(|| found.clone());
        if known.version < version {
            *known = found;
        }
    }
    let here = sources.len();
    sources.push(Source { path: path.to_owned(), nested: nested.map(str::to_owned), zip: Some(zip.clone()), classes });
    for (name, location) in inner {
        let opened = zip.read(location, MAX_NESTED_JAR).and_then(Zip::open);
        match opened {
            Ok(jar) => {
                open_archive(path, Some(&name), &jar, feature, problems, sources);
            }
            Err(reason) => problems.push(sources[here].entry_problem(&name, reason)),
        }
    }
    if nested.is_some() { Vec::new() } else { manifest.class_path(path) }
}

/// Jars inside of WARs, Spring Boot and other fat archives.
fn is_library_entry(name: &str) -> bool {
    name.ends_with(".jar")
}

/// The class that an entry holds by its name, and the Java version it is for (0: all).
fn class_of_entry(name: &str) -> Option<(&str, u16)> {
    let name = name.strip_suffix(".class")?;
    if let Some(versioned) = name.strip_prefix("META-INF/versions/") {
        let (version, class) = versioned.split_once('/')?;
        return Some((class, version.parse().ok().filter(|version| *version > 0)?));
    }
    let root = ["WEB-INF/classes/", "BOOT-INF/classes/"].into_iter().find_map(|root| name.strip_prefix(root));
    Some((root.unwrap_or(name), 0)).filter(|(class, _)| *class != "module-info")
}
