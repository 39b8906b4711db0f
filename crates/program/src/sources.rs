//! The places that classes come from, in the order of search: archives, inner archives and class directories. Answers where a class
//! is and what its bytes are, and which classes there are. Class directories are looked at when a class is wanted; the JVM does the
//! same, and a directory may be large.

use crate::archive::{self, Archive, ClassEntry, MAX_CLASS, class_of_entry};
use crate::bytes::Bytes;
use crate::cache::Cache;
use crate::class_path::{has_jar_name, unreadable};
use crate::error::{Problem, ProgramError};
use crate::names::name_hash;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where a class was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An entry of a jar. `nested` leads to a jar inside of the archive, `WEB-INF/lib/x.jar`.
    Archive {
        archive: PathBuf,
        nested: Option<String>,
        entry: String,
    },
    File(PathBuf),
    /// A module of the JDK.
    Module(String),
}

/// The archive or directory, without the entry.
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

/// Everything a class path leads to.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) list: Vec<Source>,
    /// The first class of each name in an archive, by the hash of its internal name.
    table: FxHashMap<u64, Place>,
    /// Positions of the directories in `list`.
    directories: Vec<u32>,
}

#[derive(Debug)]
pub(crate) enum Source {
    Archive(Archive),
    Directory(ClassDirectory),
}

impl Source {
    /// The file or directory.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Source::Archive(archive) => &archive.path,
            Source::Directory(directory) => &directory.root,
        }
    }
}

/// A directory of class files.
#[derive(Debug)]
pub(crate) struct ClassDirectory {
    pub(crate) root: PathBuf,
    listing: OnceLock<Listing>,
}

/// The classes of a directory, by their file names; sorted.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) classes: Vec<String>,
    problems: Vec<Problem>,
}

/// Where a class is: the position of its source, and the place of its entry there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) source: u32,
    /// In an archive the place in its central directory; in a class directory the position in its listing, or anything where the
    /// name is known.
    pub(crate) at: u32,
}

impl Sources {
    /// Opens everything that `paths` name, and what the manifests of those name in turn.
    pub(crate) fn open(
        paths: &[PathBuf],
        feature: u16,
        cache: &Cache,
    ) -> Result<(Sources, Vec<Problem>), ProgramError> {
        let opened: Vec<_> = paths.par_iter().map(|path| OpenedPath::open(path, feature, cache)).collect();
        let mut assembly = Assembly {
            feature,
            cache,
            seen: FxHashSet::default(),
            named: FxHashMap::default(),
            parts: Parts::default(),
        };
        let mut order = Vec::new();
        for path in opened {
            let path = path?;
            order.push(path.identity.clone());
            assembly.named.entry(path.identity.clone()).or_insert(path);
        }
        for identity in order {
            if let Some(path) = assembly.named.remove(&identity) {
                assembly.add(path);
            }
        }
        Ok(assembly.finish())
    }

    /// The positions of all sources, in the order of search.
    pub(crate) fn positions(&self) -> Vec<u32> {
        (0..).zip(&self.list).map(|(position, _)| position).collect()
    }

    /// How many classes each source has that are found by their names.
    pub(crate) fn class_counts(&self) -> Vec<usize> {
        let mut counts: Vec<usize> = self
            .list
            .iter()
            .map(|source| match source {
                Source::Archive(_) => 0,
                Source::Directory(directory) => directory.listing().classes.len(),
            })
            .collect();
        self.table.values().for_each(|place| counts[place.source as usize] += 1);
        counts
    }

    /// The names of all classes that are found in these sources, in no order.
    pub(crate) fn names_in(&self, sources: &[u32]) -> Vec<String> {
        let mut is_wanted = vec![false; self.list.len()];
        sources.iter().for_each(|source| is_wanted[*source as usize] = true);
        let archives = self.table.values().filter(|place| is_wanted[place.source as usize]);
        let archives = archives.filter_map(|place| self.name_at(*place)).map(str::to_owned);
        let directories = sources.iter().filter_map(|source| self.directory(*source));
        let listed = directories.flat_map(|directory| directory.listing().classes.iter().cloned());
        archives.chain(listed).collect()
    }

    /// Where the class with this internal name is.
    pub(crate) fn find(&self, name: &str) -> Option<Place> {
        let in_archive = self.table.get(&name_hash(name.as_bytes())).copied();
        let in_archive = in_archive.filter(|place| self.is_at(*place, name)).or_else(|| {
            // Two names with the same hash: never seen, but cheap to get right.
            in_archive.and_then(|_| self.search(name))
        });
        let before = in_archive.map_or(u32::MAX, |place| place.source);
        let earlier = self.directories.iter().take_while(|source| **source < before);
        let in_directory = earlier.copied().find(|source| self.directory(*source).is_some_and(|d| d.has(name)));
        in_directory.map(|source| Place { source, at: 0 }).or(in_archive)
    }

    /// Whether the class at `place`, whose name has this hash, is the one that is found by its name.
    pub(crate) fn is_live(&self, place: Place, hash: u64, name: &str) -> bool {
        if self.directories.is_empty() {
            return self.table.get(&hash) == Some(&place);
        }
        let is_directory = self.directory(place.source).is_some();
        self.find(name).is_some_and(|found| found.source == place.source && (is_directory || found.at == place.at))
    }

    pub(crate) fn origin(&self, place: Place, name: &str) -> Option<Origin> {
        match self.list.get(place.source as usize)? {
            Source::Archive(archive) => Some(archive.origin(archive.zip.entry(place.at)?.name)),
            Source::Directory(directory) => Some(Origin::File(directory.file(name))),
        }
    }

    pub(crate) fn read(&self, place: Place, name: &str) -> Option<Result<Bytes, Problem>> {
        Some(match self.list.get(place.source as usize)? {
            Source::Archive(archive) => {
                let entry = archive.zip.entry(place.at)?;
                let read = archive.zip.read(entry.location, MAX_CLASS);
                read.map_err(|reason| archive.entry_problem(&String::from_utf8_lossy(entry.name), reason.to_string()))
            }
            Source::Directory(directory) => directory.read(name),
        })
    }

    /// How many names [`names`](Self::names) has.
    pub(crate) fn class_count(&self) -> usize {
        if self.directories.is_empty() { self.table.len() } else { self.names().len() }
    }

    /// The names of all classes, each once, in no order.
    pub(crate) fn names(&self) -> Vec<String> {
        let archives = self.table.values().filter_map(|place| self.name_at(*place)).map(str::to_owned);
        let directories = self.list.iter().filter_map(|source| match source {
            Source::Directory(directory) => Some(directory.listing().classes.iter().cloned()),
            Source::Archive(_) => None,
        });
        let mut names: Vec<String> = archives.chain(directories.flatten()).collect();
        if !self.directories.is_empty() {
            names.sort_unstable();
            names.dedup();
        }
        names
    }

    /// Problems found when class directories were listed.
    pub(crate) fn listing_problems(&self) -> Vec<Problem> {
        let listings = self.list.iter().filter_map(|source| match source {
            Source::Directory(directory) => directory.listing.get(),
            Source::Archive(_) => None,
        });
        listings.flat_map(|listing| listing.problems.iter().cloned()).collect()
    }

    fn directory(&self, source: u32) -> Option<&ClassDirectory> {
        match self.list.get(source as usize) {
            Some(Source::Directory(directory)) => Some(directory),
            _ => None,
        }
    }

    fn name_at(&self, place: Place) -> Option<&str> {
        match self.list.get(place.source as usize)? {
            Source::Archive(archive) => {
                let (class, _) = class_of_entry(archive.zip.entry(place.at)?.name)?;
                std::str::from_utf8(class).ok()
            }
            Source::Directory(directory) => directory.listing().classes.get(place.at as usize).map(String::as_str),
        }
    }

    fn is_at(&self, place: Place, name: &str) -> bool {
        self.name_at(place) == Some(name)
    }

    fn search(&self, name: &str) -> Option<Place> {
        let archives = (0..).zip(&self.list).filter_map(|(position, source)| match source {
            Source::Archive(archive) => Some((position, archive)),
            Source::Directory(_) => None,
        });
        archives
            .flat_map(|(source, archive)| {
                archive.zip.entries().filter_map(Result::ok).map(move |entry| Place { source, at: entry.at })
            })
            .find(|place| self.is_at(*place, name))
    }
}

impl ClassDirectory {
    pub(crate) fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| list_directory(&self.root))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.root.join(format!("{name}.class"))
    }

    pub(crate) fn read(&self, name: &str) -> Result<Bytes, Problem> {
        let path = self.file(name);
        let problem = |message: String| Problem::File { path: path.clone(), message };
        let size = fs::metadata(&path).map_err(|error| problem(error.to_string()))?.len();
        if size > MAX_CLASS {
            return Err(problem(format!("it has {size} bytes, the limit for a class file is {MAX_CLASS}")));
        }
        // Read, not mapped: compilers write class files in place.
        fs::read(&path).map(Bytes::from).map_err(|error| problem(error.to_string()))
    }

    fn has(&self, name: &str) -> bool {
        // A name from a log must not lead out of the directory.
        let leads_astray = name.split('/').any(|part| part.is_empty() || part == "." || part == "..");
        !leads_astray && self.file(name).is_file()
    }
}

/// All class files below `root`. Links are followed once each.
fn list_directory(root: &Path) -> Listing {
    let mut listing = Listing::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        if !seen.insert(fs::canonicalize(&directory).unwrap_or_else(|_| directory.clone())) {
            continue;
        }
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                listing.problems.push(Problem::File { path: directory, message: error.to_string() });
                continue;
            }
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "class") {
                let relative =
                    path.strip_prefix(root).ok().and_then(|path| path.with_extension("").to_str().map(class_of_file));
                listing.classes.extend(relative.filter(|name| name != "module-info"));
            } else if path.is_dir() {
                pending.push(path);
            }
        }
    }
    listing.classes.sort_unstable();
    listing
}

fn class_of_file(relative: &str) -> String {
    relative.replace(std::path::MAIN_SEPARATOR, "/")
}

/// A path of the class path, opened on its own.
#[derive(Debug)]
struct OpenedPath {
    path: PathBuf,
    /// Tells whether two paths are the same file.
    identity: PathBuf,
    content: PathContent,
    /// A manifest led to it.
    is_followed: bool,
}

#[derive(Debug)]
enum PathContent {
    Archive(archive::Opened),
    Directory,
}

impl OpenedPath {
    fn open(path: &Path, feature: u16, cache: &Cache) -> Result<OpenedPath, ProgramError> {
        let identity = fs::canonicalize(path).map_err(|error| unreadable(path, error))?;
        let content = if identity.is_dir() {
            fs::read_dir(path).map_err(|error| unreadable(path, error))?;
            PathContent::Directory
        } else {
            let bytes = Bytes::map(path).map_err(|error| unreadable(path, error))?;
            let opened = archive::open(path, bytes, feature, cache);
            PathContent::Archive(opened.map_err(|reason| ProgramError::NotAJar { path: path.to_owned(), reason })?)
        };
        Ok(OpenedPath { path: path.to_owned(), identity, content, is_followed: false })
    }
}

/// Puts opened paths in order.
struct Assembly<'a> {
    feature: u16,
    cache: &'a Cache,
    seen: FxHashSet<PathBuf>,
    /// Opened, and not in the list yet.
    named: FxHashMap<PathBuf, OpenedPath>,
    parts: Parts,
}

#[derive(Default)]
struct Parts {
    list: Vec<(Source, Vec<ClassEntry>)>,
    aside: Vec<(Source, Vec<ClassEntry>)>,
    problems: Vec<Problem>,
}

impl Assembly<'_> {
    /// Adds the path, then what its manifest names, as the JVM does. A path takes its earliest position.
    fn add(&mut self, first: OpenedPath) {
        let mut stack = vec![first];
        while let Some(path) = stack.pop() {
            if !self.seen.insert(path.identity.clone()) {
                continue;
            }
            let further = self.append(path);
            let opened: Vec<OpenedPath> = further.iter().rev().filter_map(|path| self.open_further(path)).collect();
            stack.extend(opened);
        }
    }

    /// What a manifest names need not exist, and counts only if it is a jar: a manifest is not the user, and must not make us look
    /// through the file system.
    fn open_further(&mut self, path: &Path) -> Option<OpenedPath> {
        let identity = fs::canonicalize(path).ok()?;
        if self.seen.contains(&identity) {
            return None;
        }
        let opened = self.named.remove(&identity).map(Ok).unwrap_or_else(|| {
            if !has_jar_name(&identity) {
                let message =
                    "a manifest names it, which counts for jars only; add it to the class path if it is needed";
                return Err(Problem::File { path: path.to_owned(), message: message.to_owned() });
            }
            OpenedPath::open(path, self.feature, self.cache)
                .map_err(|error| Problem::File { path: path.to_owned(), message: error.to_string() })
        });
        match opened {
            Ok(opened) => Some(OpenedPath { is_followed: true, ..opened }),
            Err(problem) => {
                self.parts.problems.push(problem);
                None
            }
        }
    }

    fn append(&mut self, path: OpenedPath) -> Vec<PathBuf> {
        let PathContent::Archive(opened) = path.content else {
            let directory = ClassDirectory { root: path.path, listing: OnceLock::new() };
            self.parts.list.push((Source::Directory(directory), Vec::new()));
            return Vec::new();
        };
        let further = opened.archives.first().map(|(archive, _)| archive.manifest.class_path(&path.path));
        let as_source = |(mut archive, classes): (Archive, Vec<ClassEntry>)| {
            archive.is_followed = path.is_followed;
            (Source::Archive(archive), classes)
        };
        self.parts.list.extend(opened.archives.into_iter().map(as_source));
        self.parts.aside.extend(opened.aside.into_iter().map(as_source));
        self.parts.problems.extend(opened.problems);
        further.unwrap_or_default()
    }

    fn finish(self) -> (Sources, Vec<Problem>) {
        let Parts { mut list, aside, problems } = self.parts;
        list.extend(aside);
        let mut sources = Sources::default();
        sources.table.reserve(list.iter().map(|(_, classes)| classes.len()).sum());
        for (position, (source, classes)) in (0..).zip(list) {
            if matches!(source, Source::Directory(_)) {
                sources.directories.push(position);
            }
            sources.list.push(source);
            sources.fill_table(position, classes);
        }
        (sources, problems)
    }
}

impl Sources {
    fn fill_table(&mut self, source: u32, mut classes: Vec<ClassEntry>) {
        // Within an archive what is at its top hides what is in its directory of classes, the newest version wins, and of entries with
        // the same name the JVM takes the last.
        if classes.iter().any(|class| class.version > 0 || !class.is_at_top) {
            classes.sort_by_key(|class| (class.is_at_top, class.version));
        }
        for class in classes {
            let place = Place { source, at: class.at };
            let known = self.table.entry(class.hash).or_insert(place);
            if known.source == source {
                *known = place;
            }
        }
    }
}
