//! One jar, WAR or other archive of a class path, and the archives inside of it: which classes they have by the names of their
//! entries. Nothing is unpacked for this but manifests; of a compressed inner jar, the cache keeps the list of entries.

use crate::bytes::Bytes;
use crate::cache::{Cache, CacheKey, CacheKind, Cached};
use crate::error::Problem;
use crate::manifest::Manifest;
use crate::names::name_hash;
use crate::sources::Origin;
use crate::zip::{Directory, EntryLocation, MAX_NESTED, Zip, ZipEntry, ZipError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// An open archive.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) path: PathBuf,
    /// The entries that lead from the file at `path` to this archive, joined by `!/`; `None` for the file itself.
    pub(crate) nested: Option<String>,
    pub(crate) manifest: Manifest,
    pub(crate) zip: Arc<Zip>,
    key: OnceLock<CacheKey>,
}

/// A class entry of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassEntry {
    /// Of the class's internal name.
    pub(crate) hash: u64,
    pub(crate) at: u32,
    /// The Java version it is for, in a multi-release jar; 0 for all.
    pub(crate) version: u16,
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
const MAX_NESTED_SUM: u64 = 8 << 30;

/// Where archives keep classes other than at the top.
const CLASS_ROOTS: [&[u8]; 3] = [b"WEB-INF/classes/", b"BOOT-INF/classes/", b"APP-INF/classes/"];
/// Where archives keep jars that their class path is made of.
const LIBRARY_ROOTS: [&str; 4] = ["WEB-INF/lib/", "BOOT-INF/lib/", "APP-INF/lib/", "lib/"];

impl Archive {
    /// What identifies the archive for the cache: its central directory, which has the checksums of all entries. A directory that was put
    /// together from a damaged archive has none, and identifies nothing.
    pub(crate) fn key(&self) -> Option<CacheKey> {
        let key = || *self.key.get_or_init(|| CacheKey::of(&self.zip.directory().bytes));
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
    opening.add(Arc::new(zip), None, 0, true);
    Ok(opening.opened)
}

/// The class that an entry holds by its name, and the Java version it is for (0: all).
pub(crate) fn class_of_entry(entry: &[u8]) -> Option<(&[u8], u16)> {
    let name = entry.strip_suffix(b".class")?;
    let (class, version) = match name.strip_prefix(b"META-INF/versions/") {
        Some(versioned) => {
            let slash = versioned.iter().position(|byte| *byte == b'/')?;
            let version = std::str::from_utf8(&versioned[..slash]).ok()?.parse().ok()?;
            (&versioned[slash + 1..], version)
        }
        None => (CLASS_ROOTS.iter().find_map(|root| name.strip_prefix(*root)).unwrap_or(name), 0),
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
    at: u32,
    location: EntryLocation,
    on_class_path: bool,
}

impl Opening<'_> {
    fn add(&mut self, zip: Arc<Zip>, nested: Option<String>, depth: usize, on_class_path: bool) {
        let scan = self.scan(&zip, nested.as_deref());
        let archive =
            Archive { path: self.path.to_owned(), nested, manifest: scan.manifest, zip, key: OnceLock::new() };
        let (zip, nested) = (Arc::clone(&archive.zip), archive.nested.clone());
        let key = if scan.inner.is_empty() { None } else { archive.key() };
        let list = if on_class_path { &mut self.opened.archives } else { &mut self.opened.aside };
        list.push((archive, scan.classes));
        for (inner, opened) in self.open_inner(&zip, key, scan.inner, depth + 1) {
            let name = nested.as_ref().map_or_else(|| inner.entry.clone(), |outer| format!("{outer}!/{}", inner.entry));
            match opened {
                Ok(zip) => self.add(Arc::new(zip), Some(name), depth + 1, on_class_path && inner.on_class_path),
                Err(reason) => self.opened.problems.push(Problem::Entry {
                    archive: self.path.to_owned(),
                    entry: name,
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

    /// Opens the archives inside of `outer`, compressed ones with the help of the cache.
    fn open_inner(
        &mut self,
        outer: &Arc<Zip>,
        key: Option<CacheKey>,
        list: Vec<Inner>,
        depth: usize,
    ) -> Vec<(Inner, Result<Zip, ZipError>)> {
        let known = match key.map_or(Cached::Miss, |key| self.cache.load(key, CacheKind::Nested)) {
            Cached::Hit(body) => NestedDirectories::decode(&body),
            Cached::Miss => NestedDirectories::default(),
            Cached::Damaged(path) => {
                self.opened.problems.push(Problem::cache_damaged(&path));
                NestedDirectories::default()
            }
        };
        let mut learnt = NestedDirectories::default();
        let mut opened = Vec::new();
        for inner in list {
            let zip = self.open_one(outer, &inner, depth, &known, &mut learnt);
            opened.push((inner, zip));
        }
        if let Some(key) = key.filter(|_| !learnt.list.is_empty()) {
            learnt.list.extend(known.list);
            if let Err(error) = self.cache.store(key, CacheKind::Nested, &learnt.encode()) {
                self.opened.problems.push(Problem::cache_not_written(&error));
            }
        }
        opened
    }

    fn open_one(
        &mut self,
        outer: &Arc<Zip>,
        inner: &Inner,
        depth: usize,
        known: &NestedDirectories,
        learnt: &mut NestedDirectories,
    ) -> Result<Zip, ZipError> {
        if depth > MAX_DEPTH {
            return Err(ZipError::TooDeep { limit: MAX_DEPTH });
        }
        inner.location.check(MAX_NESTED)?;
        if inner.location.is_stored() {
            return Zip::open(outer.read(inner.location, MAX_NESTED)?);
        }
        let limit = self.budget;
        self.budget =
            limit.checked_sub(inner.location.size).ok_or(ZipError::TooLarge { size: inner.location.size, limit })?;
        if let Some(directory) = known.get(inner.at) {
            return Ok(Zip::nested(outer, inner.location, directory.clone()));
        }
        let zip = Zip::open(outer.read(inner.location, MAX_NESTED)?)?;
        // The part of the inner archive that is kept must not keep all of it in memory.
        let directory = Directory { bytes: zip.directory().bytes.to_vec().into(), ..zip.directory() };
        learnt.list.push((inner.at, directory.clone()));
        Ok(Zip::nested(outer, inner.location, directory))
    }
}

/// What the entries of one archive are.
#[derive(Default)]
struct Scan {
    classes: Vec<ClassEntry>,
    inner: Vec<Inner>,
    manifest: Manifest,
    /// Each reason with the first entry it concerns and how many more there are: a jar may be encrypted as a whole.
    unreadable: Vec<(ZipError, String, usize)>,
}

impl Scan {
    fn entry(&mut self, entry: &ZipEntry<'_>, zip: &Zip) {
        if let Some((class, version)) = class_of_entry(entry.name) {
            self.classes.push(ClassEntry { hash: name_hash(class), at: entry.at, version });
            if let Err(reason) = entry.location.check(MAX_CLASS) {
                self.unreadable(reason, entry);
            }
        } else if entry.name.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF") {
            match zip.read(entry.location, MAX_MANIFEST) {
                Ok(manifest) => self.manifest = Manifest::parse(&manifest),
                Err(reason) => self.unreadable(reason, entry),
            }
        } else if let Ok(name) = std::str::from_utf8(entry.name)
            && (name.ends_with(".jar") || name.ends_with(".war"))
        {
            let on_class_path = name.ends_with(".war") || LIBRARY_ROOTS.iter().any(|root| name.starts_with(root));
            let (entry, at, location) = (name.to_owned(), entry.at, entry.location);
            self.inner.push(Inner { entry, at, location, on_class_path });
        }
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

/// The central directories of the compressed archives inside of an archive, by the place of their entries. On disk: for each its
/// place, its length, the length of a prefix, whether it was recovered, its bytes.
#[derive(Debug, Default)]
struct NestedDirectories {
    list: Vec<(u32, Directory)>,
}

impl NestedDirectories {
    fn get(&self, at: u32) -> Option<&Directory> {
        self.list.iter().find(|(place, _)| *place == at).map(|(_, directory)| directory)
    }

    fn encode(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for (at, directory) in &self.list {
            body.extend_from_slice(&at.to_le_bytes());
            body.extend_from_slice(&(directory.bytes.len() as u64).to_le_bytes());
            body.extend_from_slice(&directory.shift.to_le_bytes());
            body.push(directory.recovered.into());
            body.extend_from_slice(&directory.bytes);
        }
        body
    }

    fn decode(body: &Bytes) -> NestedDirectories {
        let mut list = Vec::new();
        let mut rest = body.clone();
        while let Some((entry, after)) = decode_directory(&rest) {
            list.push(entry);
            rest = after;
        }
        NestedDirectories { list }
    }
}

fn decode_directory(rest: &Bytes) -> Option<((u32, Directory), Bytes)> {
    const FIXED: usize = 21;
    let at = u32::from_le_bytes(rest.first_chunk().copied()?);
    let length = u64::from_le_bytes(rest.get(4..)?.first_chunk().copied()?);
    let shift = u64::from_le_bytes(rest.get(12..)?.first_chunk().copied()?);
    let recovered = *rest.get(20)? != 0;
    let end = usize::try_from(length).ok()?.checked_add(FIXED)?;
    let bytes = rest.slice(FIXED..end)?;
    Some(((at, Directory { bytes, shift, recovered }), rest.slice(end..rest.len())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_entries() {
        let cases: [(&str, Option<(&str, u16)>); 9] = [
            ("a/B.class", Some(("a/B", 0))),
            ("B.class", Some(("B", 0))),
            ("WEB-INF/classes/a/B$C.class", Some(("a/B$C", 0))),
            ("BOOT-INF/classes/a/B.class", Some(("a/B", 0))),
            ("META-INF/versions/11/a/B.class", Some(("a/B", 11))),
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
}
