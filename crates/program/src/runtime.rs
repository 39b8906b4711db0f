//! The class path as a JVM can use it. A JVM looks into jars and directories, not into jars inside of jars, nor into `WEB-INF/classes`:
//! those become jars of their own, in the order in which [`Program`] finds classes, so that whoever runs the program runs what was
//! looked at.

use crate::archive::{Archive, Standing, file_name, within_class_root};
use crate::cache::{Cache, CacheKey, can_be_named};
use crate::error::ProgramError;
use crate::program::Program;
use crate::sources::Source;
use crate::zip::{JarCopy, ZipError};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Jars and class directories for `java -cp`: absolute, and without the character that separates them.
#[derive(Clone, Debug)]
pub struct RuntimeClassPath {
    entries: Vec<PathBuf>,
    /// Without those that the JVM finds itself.
    needed: Vec<PathBuf>,
    unpacked: Vec<Unpacked>,
    /// Temporary files are there as long as this.
    _cache: Cache,
}

/// A file of the class path that had to be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// What the user named.
    pub archive: PathBuf,
    /// Where its parts are.
    pub directory: PathBuf,
    /// They are gone when the tool ends.
    pub is_temporary: bool,
}

impl RuntimeClassPath {
    /// Everything that the JVM reads classes from, in order.
    pub fn entries(&self) -> &[PathBuf] {
        &self.entries
    }

    /// The same for a command that people read: without what the manifests of the others name, which the JVM follows itself.
    pub fn needed_entries(&self) -> &[PathBuf] {
        &self.needed
    }

    /// The archives that had to be unpacked.
    pub fn unpacked(&self) -> &[Unpacked] {
        &self.unpacked
    }
}

impl Program {
    /// What a JVM is given to see the classes of this program. Unpacks what has to be.
    pub fn runtime_class_path(&self) -> Result<RuntimeClassPath, ProgramError> {
        let mut builder = Builder { cache: self.cache(), entries: Vec::new(), unpacked: BTreeSet::new() };
        for source in &self.sources().list {
            match source {
                Source::Directory(directory) => builder.push(&directory.root, false),
                Source::Archive(archive) => builder.archive(archive),
            }
            .map_err(|reason| ProgramError::NotUnpacked { path: source.path().to_owned(), reason })?;
        }
        if !builder.unpacked.is_empty() {
            // Nothing is lost if old files stay.
            let _ = self.cache().trim();
        }
        Ok(builder.finish())
    }
}

struct Builder<'a> {
    cache: &'a Cache,
    /// And whether a manifest leads there.
    entries: Vec<(PathBuf, bool)>,
    /// The file that was named, and what it was unpacked to.
    unpacked: BTreeSet<(PathBuf, PathBuf)>,
}

impl Builder<'_> {
    fn archive(&mut self, archive: &Archive) -> Result<(), ZipError> {
        if archive.has_own_classes || !archive.is_only_wrapping() {
            match &archive.standing {
                Standing::File => self.push(&archive.path, archive.is_followed)?,
                Standing::Unpacked(file) => self.push_unpacked(archive, file.clone()),
                Standing::Within => {
                    let bytes = archive.zip.bytes();
                    let name = file_name(archive.nested.as_deref().unwrap_or_default());
                    let write = |file: &mut std::fs::File| file.write_all(bytes).map_err(ZipError::from);
                    let file = self.cache.unpacked(archive.place, &name, bytes.len() as u64, &write)?;
                    self.push_unpacked(archive, file);
                }
            }
        }
        if archive.has_class_root {
            let copy = archive.class_root();
            if !copy.is_empty() {
                let key = archive.place.map(|place| place.part(b"classes of"));
                let write = |file: &mut std::fs::File| {
                    let mut file = std::io::BufWriter::new(file);
                    copy.write(&mut file).and_then(|()| file.flush().map_err(ZipError::from))
                };
                let file = self.cache.unpacked(key, &archive.name_of_classes(), copy.size(), &write)?;
                self.push_unpacked(archive, file);
            }
        }
        Ok(())
    }

    fn push_unpacked(&mut self, archive: &Archive, file: PathBuf) {
        self.unpacked.insert((archive.path.clone(), file.clone()));
        self.entries.push((file, false));
    }

    fn push(&mut self, path: &Path, is_followed: bool) -> Result<(), ZipError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if !can_be_named(&path) {
            let link = self.cache.link(CacheKey::of(path.as_os_str().as_encoded_bytes()), &link_name(&path), &path)?;
            self.push_link(path, link);
        } else {
            self.entries.push((path, is_followed));
        }
        Ok(())
    }

    /// A class path cannot name a file with the separator in its path, but one that leads there.
    fn push_link(&mut self, path: PathBuf, link: PathBuf) {
        self.unpacked.insert((path, link.clone()));
        self.entries.push((link, false));
    }

    fn finish(self) -> RuntimeClassPath {
        // Manifests name files beside the jar, which are not beside a copy of it.
        let is_plain = self.unpacked.is_empty();
        let needed = self.entries.iter().filter(|(_, is_followed)| !(is_plain && *is_followed));
        let needed = needed.map(|(path, _)| path.clone()).collect();
        let mut unpacked: Vec<Unpacked> = Vec::new();
        for (archive, file) in &self.unpacked {
            if unpacked.last().is_none_or(|last| last.archive != *archive) {
                // Each file has a directory of its own.
                let directory = file.ancestors().nth(2).unwrap_or(file).to_owned();
                let is_temporary = self.cache.is_temporary(file);
                unpacked.push(Unpacked { archive: archive.clone(), directory, is_temporary });
            }
        }
        let entries = self.entries.into_iter().map(|(path, _)| path).collect();
        RuntimeClassPath { entries, needed, unpacked, _cache: self.cache.clone() }
    }
}

impl Archive {
    /// Whether nothing in it is for a class path but what it wraps.
    fn is_only_wrapping(&self) -> bool {
        let name = self.nested.as_deref().map_or(self.path.as_os_str(), OsStr::new);
        let extension = Path::new(name).extension().map(OsStr::to_ascii_lowercase);
        self.has_class_root || extension.is_some_and(|extension| extension == "war" || extension == "ear")
    }

    /// The directory of classes as a jar, with the archive's own manifest: it has the version that programs ask for, and says whether
    /// there are several releases.
    fn class_root(&self) -> JarCopy<'_> {
        const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";
        let entries = || self.zip.entries().flatten();
        let mut copy = JarCopy::new(&self.zip);
        if let Some(manifest) = entries().find(|entry| entry.name.eq_ignore_ascii_case(MANIFEST)) {
            copy.add(manifest, MANIFEST);
        }
        for entry in entries() {
            if let Some(name) = within_class_root(entry.name).filter(|name| !name.is_empty() && !is_signature(name)) {
                copy.add(entry, name);
            }
        }
        copy
    }

    fn name_of_classes(&self) -> String {
        let name = self.nested.as_deref().map_or_else(|| self.path.to_string_lossy(), Into::into);
        format!("classes-of-{}", file_name(&name))
    }
}

/// The manifest of a directory of classes, and signatures, which are of another manifest.
fn is_signature(name: &[u8]) -> bool {
    let upper = name.to_ascii_uppercase();
    let endings: [&[u8]; 4] = [b".SF", b".RSA", b".DSA", b".EC"];
    upper == b"META-INF/MANIFEST.MF"
        || upper.starts_with(b"META-INF/") && endings.iter().any(|ending| upper.ends_with(ending))
}

fn link_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    if path.is_dir() { file_name(&name).replace(".jar", "") } else { file_name(&name) }
}
