//! What else a class path has beside classes that are found: its archives with their manifests, packages, services and other resources,
//! and classes that others hide. Answered by going over all lists of entries; nothing is kept.

use crate::archive::{class_of_entry, within_class_root};
use crate::bytes::Bytes;
use crate::names::ClassName;
use crate::program::Program;
use crate::sources::{Origin, Source};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// An archive or class directory of the class path, in the order of search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    pub path: PathBuf,
    /// The way to an archive inside of the file, `WEB-INF/lib/x.jar`.
    pub nested: Option<String>,
    /// The main attributes of the manifest, in order; none for a directory.
    pub manifest: Vec<(String, String)>,
    /// The packages of its classes in internal form, sorted.
    pub packages: Vec<String>,
}

/// A class that is on the class path more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    pub class: ClassName,
    /// In the order of search: the first is used, the others are hidden.
    pub origins: Vec<Origin>,
}

/// No configuration file is near this size.
const MAX_RESOURCE: u64 = 64 << 20;

impl Program {
    /// All archives and class directories.
    pub fn containers(&self) -> Vec<Container> {
        self.sources().list.iter().map(container).collect()
    }

    /// The files of all archives, those included that only manifests name.
    pub fn archives(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.sources().list.iter().filter_map(archive_file).collect();
        files.dedup();
        files
    }

    /// The main attributes of the manifest of the archive that a class or resource comes from; none if it is from elsewhere.
    pub fn manifest_at(&self, origin: &Origin) -> &[(String, String)] {
        let Origin::Archive { archive: path, nested, .. } = origin else { return &[] };
        let archives = self.sources().list.iter().filter_map(|source| match source {
            Source::Archive(archive) => Some(archive),
            Source::Directory(_) => None,
        });
        let mut there = archives.filter(|archive| archive.path == *path && archive.nested == *nested);
        there.next().map_or(&[], |archive| archive.manifest.attributes())
    }

    /// Classes that are in more than one archive or directory, sorted. Versions of one class in a multi-release jar are none.
    pub fn duplicates(&self) -> Vec<Duplicate> {
        let mut origins: FxHashMap<ClassName, Vec<Origin>> = FxHashMap::default();
        for source in &self.sources().list {
            for (class, origin) in classes_of(source) {
                origins.entry(class).or_default().push(origin);
            }
        }
        let mut duplicates: Vec<Duplicate> = origins
            .into_iter()
            .filter(|(_, origins)| origins.len() > 1)
            .map(|(class, origins)| Duplicate { class, origins })
            .collect();
        duplicates.sort_unstable_by_key(|duplicate| duplicate.class);
        duplicates
    }

    /// All resources with this name (`META-INF/services/x.Y`), in the order of search. Those that cannot be read are left out.
    pub fn resources(&self, name: &str) -> Vec<(Origin, Bytes)> {
        self.sources().list.iter().filter_map(|source| resource(source, name)).collect()
    }

    /// The resources whose names end so in the archives and directories that the classes are in, but for those larger than `most`
    /// and those that cannot be read. Of a directory, those of the classes' own packages.
    pub fn resources_beside(&self, classes: &[ClassName], ending: &str, most: u64) -> Vec<(Origin, Bytes)> {
        let sources = self.sources();
        let places =
            classes.iter().filter_map(|class| Some((sources.find(class.as_internal())?.source, class.package())));
        let mut searched: BTreeSet<(u32, &str)> = BTreeSet::new();
        let mut found = Vec::new();
        for (source, package) in places {
            match &sources.list[source as usize] {
                Source::Archive(archive) if searched.insert((source, "")) => {
                    let entries = archive.zip.entries().flatten();
                    let fitting = entries.filter(|entry| entry.name.ends_with(ending.as_bytes()));
                    found.extend(fitting.filter_map(|entry| {
                        Some((archive.origin(entry.name), archive.zip.read(entry.location, most).ok()?))
                    }));
                }
                Source::Directory(directory) if searched.insert((source, package)) => {
                    found.extend(files_in(&directory.root.join(package), ending, most));
                }
                Source::Archive(_) | Source::Directory(_) => {}
            }
        }
        found
    }

    /// The classes that the class path names as providers of a service (`META-INF/services`), in the order of search, each once.
    pub fn service_providers(&self, service: ClassName) -> Vec<ClassName> {
        let mut providers = Vec::new();
        for (_, content) in self.resources(&format!("META-INF/services/{service}")) {
            for line in String::from_utf8_lossy(&content).lines() {
                let name = line.split('#').next().unwrap_or_default().trim();
                let provider = ClassName::from_dotted(name);
                if !name.is_empty() && !providers.contains(&provider) {
                    providers.push(provider);
                }
            }
        }
        providers
    }
}

/// Sorted by name, which is the order in no file system.
fn files_in(directory: &Path, ending: &str, most: u64) -> Vec<(Origin, Bytes)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(directory).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.sort_unstable();
    let fits = |path: &PathBuf| {
        path.to_string_lossy().ends_with(ending) && path.metadata().is_ok_and(|about| about.len() <= most)
    };
    let fitting = paths.into_iter().filter(fits);
    fitting.filter_map(|path| Some((Origin::File(path.clone()), fs::read(&path).ok()?.into()))).collect()
}

fn archive_file(source: &Source) -> Option<PathBuf> {
    match source {
        Source::Archive(archive) => Some(archive.path.clone()),
        Source::Directory(_) => None,
    }
}

fn container(source: &Source) -> Container {
    let packages: BTreeSet<&str> = classes_of(source).map(|(class, _)| class.package()).collect();
    let packages = packages.into_iter().map(str::to_owned).collect();
    match source {
        Source::Archive(archive) => Container {
            path: archive.path.clone(),
            nested: archive.nested.clone(),
            manifest: archive.manifest.attributes().to_vec(),
            packages,
        },
        Source::Directory(directory) => {
            Container { path: directory.root.clone(), nested: None, manifest: Vec::new(), packages }
        }
    }
}

/// The classes for all Java versions of an archive, or those of a directory.
fn classes_of(source: &Source) -> Box<dyn Iterator<Item = (ClassName, Origin)> + '_> {
    match source {
        Source::Archive(archive) => Box::new(archive.zip.entries().flatten().filter_map(|entry| {
            let (class, version) = class_of_entry(entry.name)?;
            let class = ClassName::internal(std::str::from_utf8(class).ok()?);
            (version == 0).then(|| (class, archive.origin(entry.name)))
        })),
        Source::Directory(directory) => Box::new(
            directory
                .listing()
                .classes
                .iter()
                .map(|name| (ClassName::internal(name), Origin::File(directory.file(name)))),
        ),
    }
}

fn resource(source: &Source, name: &str) -> Option<(Origin, Bytes)> {
    match source {
        Source::Archive(archive) => {
            let is_it = |entry: &[u8]| within_class_root(entry).unwrap_or(entry) == name.as_bytes();
            let entry = archive.zip.entries().flatten().find(|entry| is_it(entry.name))?;
            Some((archive.origin(entry.name), archive.zip.read(entry.location, MAX_RESOURCE).ok()?))
        }
        Source::Directory(directory) => {
            let path = directory.root.join(name);
            let content = fs::read(&path).ok()?;
            Some((Origin::File(path), content.into()))
        }
    }
}
