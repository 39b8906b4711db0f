//! One jar, WAR or other archive of a class path, and the archives inside of it: which classes they have by the names of their
//! entries. Compressed archives inside of it are unpacked once, into the cache; what is only stored is read where it lies.

use crate::bytes::Bytes;
use crate::cache::{Cache, CacheKey};
use crate::error::Problem;
use crate::manifest::Manifest;
use crate::names::name_hash;
use crate::sources::Origin;
use crate::zip::{EntryLocation, MAX_NESTED, Zip, ZipEntry, ZipError};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// An open archive.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) path: PathBuf,
    /// The entries that lead from the file at `path` to this archive, joined by `!/`; `None` for the file itself.
    pub(crate) nested: Option<String>,
    pub(crate) manifest: Manifest,
    pub(crate) zip: Zip,
    pub(crate) standing: Standing,
    /// What identifies its place: that of the file, and the way from there.
    pub(crate) place: Option<CacheKey>,
    /// Whether it has classes at the top, and at [`CLASS_ROOTS`].
    pub(crate) has_own_classes: bool,
    pub(crate) has_class_root: bool,
    /// A manifest led to it.
    pub(crate) is_followed: bool,
    key: OnceLock<CacheKey>,
}

/// How a JVM could get at an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is the file at its path.
    File,
    /// It was unpacked.
    Unpacked(PathBuf),
    /// It lies uncompressed inside of another.
    Within,
}

/// A class entry of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassEntry {
    /// Of the class's internal name.
    pub(crate) hash: u64,
    pub(crate) at: u32,
    /// The Java version it is for, in a multi-release jar; 0 for all.
    pub(crate) version: u16,
    /// It is not below one of [`CLASS_ROOTS`].
    pub(crate) is_at_top: bool,
}

/// What opening an archive gives: itself and the archives inside of it.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    /// The archive, followed by those inside of it that belong to its class path.
    pub(crate) archives: Vec<(Archive, Vec<ClassEntry>)>,
    /// Archives inside of it that nobody is known to put on a class path; searched last.
    pub(crate) aside: Vec<(Archive, Vec<ClassEntry>)>,
    pub(crate) problems: Vec<Problem>,
}

/// No tool writes a class file near this size; a zip bomb does.
pub(crate) const MAX_CLASS: u64 = 64 << 20;
const MAX_MANIFEST: u64 = 4 << 20;
/// An enterprise archive has WARs, which have jars, which may carry jars.
const MAX_DEPTH: usize = 4;
/// For all archives inside of one file together.
const MAX_NESTED_SUM: u64 = 4 << 30;
const MAX_INDEX: u64 = 4 << 20;

/// Where archives keep classes other than at the top.
const CLASS_ROOTS: [&[u8]; 3] = [b"WEB-INF/classes/", b"BOOT-INF/classes/", b"APP-INF/classes/"];
/// Where archives keep jars that their class path is made of.
const LIBRARY_ROOTS: [&str; 5] = ["WEB-INF/lib/", "WEB-INF/lib-provided/", "BOOT-INF/lib/", "APP-INF/lib/", "lib/"];
/// Where Spring Boot keeps the order of those jars.
const CLASS_PATH_INDEXES: [&[u8]; 2] = [b"BOOT-INF/classpath.idx", b"WEB-INF/classpath.idx"];

impl Archive {
    /// What identifies the archive for the cache: its central directory, which has the checksums of all entries. A directory that was put
    /// together from a damaged archive has none, and identifies nothing.
    pub(crate) fn key(&self) -> Option<CacheKey> {
        let key = || *self.key.get_or_init(|| CacheKey::of(self.zip.directory()));
        (!self.zip.is_recovered()).then(key)
    }

    pub(crate) fn origin(&self, entry: &[u8]) -> Origin {
        let entry = String::from_utf8_lossy(entry).into_owned();
        Origin::Archive { archive: self.path.clone(), nested: self.nested.clone(), entry }
    }

    pub(crate) fn entry_problem(&self, entry: &str, reason: String) -> Problem {
        let entry = match &self.nested {
            Some(nested) => format!("{nested}!/{entry}"),
            None => entry.to_owned(),
        };
        Problem::Entry { archive: self.path.clone(), entry, others: 0, reason }
    }
}

/// Opens the file at `path`. `feature` is the Java version that multi-release jars are read for.
pub(crate) fn open(path: &Path, bytes: Bytes, feature: u16, cache: &Cache) -> Result<Opened, ZipError> {
    let zip = Zip::open(bytes)?;
    let mut opening = Opening { path, feature, cache, budget: MAX_NESTED_SUM, opened: Opened::default() };
    if zip.is_recovered() {
        let entries = zip.entries().count();
        if entries == 0 {
            return Err(ZipError::NotAZip);
        }
        opening.archive_problem(&ZipError::CutOff { entries });
    }
    opening.add(zip, Standing::File, &Level::default());
    Ok(opening.opened)
}

/// The name of an entry without the directory of classes that it is in.
pub(crate) fn within_class_root(entry: &[u8]) -> Option<&[u8]> {
    CLASS_ROOTS.iter().find_map(|root| entry.strip_prefix(*root))
}

/// The class that an entry holds by its name, and the Java version it is for (0: all).
pub(crate) fn class_of_entry(entry: &[u8]) -> Option<(&[u8], u16)> {
    let name = entry.strip_suffix(b".class")?;
    let name = within_class_root(name).unwrap_or(name);
    let (class, version) = match name.strip_prefix(b"META-INF/versions/") {
        Some(versioned) => {
            let slash = versioned.iter().position(|byte| *byte == b'/')?;
            let version = std::str::from_utf8(&versioned[..slash]).ok()?.parse().ok()?;
            (&versioned[slash + 1..], version)
        }
        None => (name, 0),
    };
    // The description of a module is no class.
    (class != b"module-info").then_some((class, version))
}

struct Opening<'a> {
    path: &'a Path,
    feature: u16,
    cache: &'a Cache,
    /// How many bytes of inner archives may still be unpacked.
    budget: u64,
    opened: Opened,
}

/// An archive found inside of another one.
struct Inner {
    entry: String,
    location: EntryLocation,
    on_class_path: bool,
}

/// Where an archive is inside of others.
#[derive(Clone, Default)]
struct Level {
    nested: Option<String>,
    /// See [`Archive::place`]; for the file itself it follows from its content.
    place: Option<CacheKey>,
    depth: usize,
    is_aside: bool,
}

impl Level {
    fn below(&self, inner: &Inner, place: Option<CacheKey>) -> Level {
        let nested = match &self.nested {
            Some(outer) => format!("{outer}!/{}", inner.entry),
            None => inner.entry.clone(),
        };
        Level {
            nested: Some(nested),
            place: place.map(|place| place.part(inner.entry.as_bytes())),
            depth: self.depth + 1,
            is_aside: self.is_aside || !inner.on_class_path,
        }
    }
}

impl Opening<'_> {
    fn add(&mut self, zip: Zip, standing: Standing, level: &Level) {
        let scan = self.scan(&zip, level.nested.as_deref());
        let mut archive = Archive {
            path: self.path.to_owned(),
            nested: level.nested.clone(),
            manifest: scan.manifest,
            standing,
            place: level.place,
            has_own_classes: scan.classes.iter().any(|class| class.is_at_top),
            has_class_root: scan.has_class_root,
            is_followed: false,
            zip,
            key: OnceLock::new(),
        };
        if level.depth == 0 && (scan.has_class_root || !scan.inner.is_empty()) {
            archive.place = archive.key();
        }
        let inner: Vec<_> = scan.inner.iter().map(|inner| self.open_inner(&archive, inner, level)).collect();
        let list = if level.is_aside { &mut self.opened.aside } else { &mut self.opened.archives };
        list.push((archive, scan.classes));
        for (level, opened) in inner {
            match opened {
                Ok((zip, standing)) => self.add(zip, standing, &level),
                Err(reason) => self.opened.problems.push(Problem::Entry {
                    archive: self.path.to_owned(),
                    entry: level.nested.unwrap_or_default(),
                    others: 0,
                    reason: reason.to_string(),
                }),
            }
        }
    }

    fn scan(&mut self, zip: &Zip, nested: Option<&str>) -> Scan {
        let mut scan = Scan::default();
        for entry in zip.entries() {
            match entry {
                Ok(entry) => scan.entry(&entry, zip),
                Err(reason) => self.archive_problem(&reason),
            }
        }
        let usable = |class: &ClassEntry| {
            class.version == 0 || (scan.manifest.is_multi_release() && class.version <= self.feature)
        };
        scan.classes.retain(usable);
        scan.put_in_order();
        for (reason, first, others) in std::mem::take(&mut scan.unreadable) {
            let entry = nested.map_or_else(|| first.clone(), |outer| format!("{outer}!/{first}"));
            let archive = self.path.to_owned();
            self.opened.problems.push(Problem::Entry { archive, entry, others, reason: reason.to_string() });
        }
        scan
    }

    fn archive_problem(&mut self, reason: &ZipError) {
        self.opened.problems.push(Problem::Archive { archive: self.path.to_owned(), reason: reason.clone() });
    }

    fn open_inner(
        &mut self,
        outer: &Archive,
        inner: &Inner,
        level: &Level,
    ) -> (Level, Result<(Zip, Standing), ZipError>) {
        let below = level.below(inner, outer.place);
        let opened = self.unpack_inner(&outer.zip, inner, &below);
        (below, opened)
    }

    fn unpack_inner(&mut self, outer: &Zip, inner: &Inner, level: &Level) -> Result<(Zip, Standing), ZipError> {
        if level.depth > MAX_DEPTH {
            return Err(ZipError::TooDeep { limit: MAX_DEPTH });
        }
        let location = inner.location;
        location.check(MAX_NESTED)?;
        if location.is_stored() {
            return Ok((Zip::open(outer.read(location, MAX_NESTED)?)?, Standing::Within));
        }
        let limit = self.budget;
        self.budget = limit.checked_sub(location.size).ok_or(ZipError::TooLarge { size: location.size, limit })?;
        let write = |file: &mut std::fs::File| outer.unpack(location, MAX_NESTED, file);
        let file = self.cache.unpacked(level.place, &file_name(&inner.entry), location.size, &write)?;
        // Mapped, so that archives of any size take no memory.
        let zip = Zip::open(Bytes::map(&file).map_err(ZipError::from)?)?;
        Ok((zip, Standing::Unpacked(file)))
    }
}

/// How an unpacked archive is called: as its entry is, as far as that is harmless, and as a jar, which compilers insist on.
pub(crate) fn file_name(entry: &str) -> String {
    const LONGEST: usize = 120;
    let last = entry.rsplit('/').next().unwrap_or_default();
    let is_harmless = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let name: String = last.chars().map(|c| if is_harmless(c) { c } else { '_' }).collect();
    // Its end is the more telling part. All of it is ASCII.
    let name = name[name.len().saturating_sub(LONGEST)..].trim_start_matches(['.', '-']);
    if name.ends_with(".jar") { name.to_owned() } else { format!("{name}.jar") }
}

/// What the entries of one archive are.
#[derive(Default)]
struct Scan {
    classes: Vec<ClassEntry>,
    has_class_root: bool,
    inner: Vec<Inner>,
    /// The entries of jars in the order in which they are searched.
    order: Vec<String>,
    manifest: Manifest,
    /// Each reason with the first entry it concerns and how many more there are: a jar may be encrypted as a whole.
    unreadable: Vec<(ZipError, String, usize)>,
}

impl Scan {
    fn entry(&mut self, entry: &ZipEntry<'_>, zip: &Zip) {
        self.has_class_root |= within_class_root(entry.name).is_some();
        if let Some((class, version)) = class_of_entry(entry.name) {
            let is_at_top = within_class_root(entry.name).is_none();
            self.classes.push(ClassEntry { hash: name_hash(class), at: entry.at, version, is_at_top });
            if let Err(reason) = entry.location.check(MAX_CLASS) {
                self.unreadable(reason, entry);
            }
        } else if entry.name.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF") {
            match zip.read(entry.location, MAX_MANIFEST) {
                Ok(manifest) => self.manifest = Manifest::parse(&manifest),
                Err(reason) => self.unreadable(reason, entry),
            }
        } else if CLASS_PATH_INDEXES.contains(&entry.name) {
            match zip.read(entry.location, MAX_INDEX) {
                Ok(index) => self.order = class_path_index(&index),
                Err(reason) => self.unreadable(reason, entry),
            }
        } else if let Ok(name) = std::str::from_utf8(entry.name)
            && (name.ends_with(".jar") || name.ends_with(".war"))
        {
            let on_class_path = name.ends_with(".war") || LIBRARY_ROOTS.iter().any(|root| name.starts_with(root));
            self.inner.push(Inner { entry: name.to_owned(), location: entry.location, on_class_path });
        }
    }

    /// Jars that the index names are searched in its order, before all others.
    fn put_in_order(&mut self) {
        if self.order.is_empty() {
            return;
        }
        let place = |inner: &Inner| self.order.iter().position(|name| *name == inner.entry).unwrap_or(usize::MAX);
        self.inner.sort_by_cached_key(place);
    }

    fn unreadable(&mut self, reason: ZipError, entry: &ZipEntry<'_>) {
        // Sizes differ from entry to entry; only the first is told.
        let same = |known: &ZipError| std::mem::discriminant(known) == std::mem::discriminant(&reason);
        match self.unreadable.iter_mut().find(|(known, ..)| same(known)) {
            Some((.., others)) => *others += 1,
            None => self.unreadable.push((reason, String::from_utf8_lossy(entry.name).into_owned(), 0)),
        }
    }
}

/// Lines such as `- "BOOT-INF/lib/a.jar"`.
fn class_path_index(content: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(content);
    let items = text.lines().filter_map(|line| line.trim().strip_prefix('-'));
    items.map(|item| item.trim().trim_matches(['"', '\'']).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_entries() {
        let cases: [(&str, Option<(&str, u16)>); 10] = [
            ("a/B.class", Some(("a/B", 0))),
            ("B.class", Some(("B", 0))),
            ("WEB-INF/classes/a/B$C.class", Some(("a/B$C", 0))),
            ("BOOT-INF/classes/a/B.class", Some(("a/B", 0))),
            ("META-INF/versions/11/a/B.class", Some(("a/B", 11))),
            ("BOOT-INF/classes/META-INF/versions/11/a/B.class", Some(("a/B", 11))),
            ("META-INF/versions/x/a/B.class", None),
            ("META-INF/versions/9/module-info.class", None),
            ("a/b.properties", None),
            ("module-info.class", None),
        ];
        for (entry, expected) in cases {
            let found = class_of_entry(entry.as_bytes());
            assert_eq!(found, expected.map(|(class, version)| (class.as_bytes(), version)), "{entry}");
        }
    }

    #[test]
    fn names_of_unpacked_files_lead_nowhere_else() {
        let cases = [
            ("BOOT-INF/lib/spring-core-6.1.4.jar", "spring-core-6.1.4.jar"),
            ("web.war", "web.war.jar"),
            ("lib/../../../etc/passwd.jar", "passwd.jar"),
            ("lib/..jar", "jar.jar"),
            ("lib/.jar", "jar.jar"),
            ("lib/a:b c\n\u{202e}d$(x).jar", "a_b_c__d__x_.jar"),
            ("lib/-cp.jar", "cp.jar"),
        ];
        for (entry, expected) in cases {
            assert_eq!(file_name(entry), expected, "{entry}");
        }
        assert_eq!(file_name(&"x".repeat(4000)).len(), 124);
    }

    #[test]
    fn class_path_indexes() {
        let index = b"- \"BOOT-INF/lib/b.jar\"\r\n- 'BOOT-INF/lib/a.jar'\n\n- BOOT-INF/lib/c.jar\nx";
        assert_eq!(class_path_index(index), ["BOOT-INF/lib/b.jar", "BOOT-INF/lib/a.jar", "BOOT-INF/lib/c.jar"]);
    }
}
