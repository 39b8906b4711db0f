//! Reads the summary of every class of an archive, a directory or a JDK image, on all cores, and keeps what is learnt in the cache.
//! A class that cannot be read is a problem and left out.

use crate::archive::{Archive, MAX_CLASS, class_of_entry};
use crate::bytes::Bytes;
use crate::cache::{Cache, CacheKey, CacheKind, Cached};
use crate::classfile::{Summariser, Summary};
use crate::error::Problem;
use crate::jimage::JImage;
use crate::sources::{ClassDirectory, Source};
use crate::zip::Scratch;
use rayon::prelude::*;

/// What is scanned as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit<'a> {
    Archive(&'a Archive),
    Directory(&'a ClassDirectory),
    Image(&'a JImage),
}

/// A class found by a scan.
#[derive(Debug)]
pub(crate) struct Scanned<'a> {
    /// Its place in the unit, as in [`Place`](crate::sources::Place).
    pub(crate) at: u32,
    pub(crate) summary: Summary<'a>,
}

/// Something learnt about a unit, from the cache or anew.
#[derive(Debug)]
pub(crate) struct Learnt {
    pub(crate) body: Bytes,
    pub(crate) problems: Vec<Problem>,
    /// A file was added to the cache.
    pub(crate) stored: bool,
}

impl<'a> From<&'a Source> for Unit<'a> {
    fn from(source: &'a Source) -> Self {
        match source {
            Source::Archive(archive) => Unit::Archive(archive),
            Source::Directory(directory) => Unit::Directory(directory),
        }
    }
}

impl Unit<'_> {
    /// Loads what was learnt before, if `is_valid`, or learns it by `learn` and stores it. What had problems is not stored, so that
    /// they are told each time. Directories are never stored: nothing cheap tells whether one has changed.
    pub(crate) fn learn(
        self,
        cache: &Cache,
        kind: CacheKind,
        is_valid: impl FnOnce(&Bytes) -> bool,
        learn: impl FnOnce() -> (Vec<u8>, Vec<Problem>),
    ) -> Learnt {
        let mut cache_problems = Vec::new();
        let key = self.key();
        if let Some(key) = key {
            match cache.load(key, kind) {
                Cached::Hit(body) if is_valid(&body) => return Learnt { body, problems: Vec::new(), stored: false },
                Cached::Hit(_) | Cached::Miss => {}
                Cached::Damaged(path) => cache_problems.push(Problem::cache_damaged(&path)),
            }
        }
        let (body, mut problems) = learn();
        let mut stored = false;
        if let Some(key) = key.filter(|_| problems.is_empty()) {
            match cache.store(key, kind, &body) {
                Ok(()) => stored = true,
                Err(error) => cache_problems.push(Problem::cache_not_written(&error)),
            }
        }
        problems.extend(cache_problems);
        Learnt { body: body.into(), problems, stored }
    }

    /// Visits all classes; the order of the results is that of the unit.
    pub(crate) fn scan<T: Send>(self, visit: impl Fn(Scanned<'_>) -> T + Sync) -> (Vec<T>, Vec<Problem>) {
        let results = match self {
            Unit::Archive(archive) => scan_archive(archive, visit),
            Unit::Directory(directory) => scan_directory(directory, visit),
            Unit::Image(image) => scan_image(image, visit),
        };
        let mut found = Vec::with_capacity(results.len());
        let mut problems = Vec::new();
        for result in results {
            match result {
                Ok(result) => found.push(result),
                Err(problem) => problems.push(problem),
            }
        }
        (found, problems)
    }

    fn key(self) -> Option<CacheKey> {
        match self {
            Unit::Archive(archive) => Some(archive.key()),
            Unit::Directory(_) => None,
            Unit::Image(image) => Some(image.key()),
        }
    }
}

/// Runs `work` with a thread pool of its own while the calling thread only waits. An index is built inside of a lock that others wait
/// for: on the common pool, a waiting worker could pick up a task that asks for the same index, and wait for itself.
pub(crate) fn on_own_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let run = || match rayon::ThreadPoolBuilder::new().thread_name(|_| "index".into()).build() {
        Ok(pool) => pool.install(work),
        // No more threads to be had: the common pool is the best that is left.
        Err(_) => work(),
    };
    std::thread::scope(|scope| match scope.spawn(run).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Small enough to keep all cores busy to the end, large enough to be worth handing over.
const CHUNK: usize = 64;

fn scan_archive<T: Send>(archive: &Archive, visit: impl Fn(Scanned<'_>) -> T + Sync) -> Vec<Result<T, Problem>> {
    let contents = match archive.zip.contents() {
        Ok(contents) => contents,
        Err(reason) => return vec![Err(Problem::Archive { archive: archive.path.clone(), reason })],
    };
    let entries: Vec<_> =
        archive.zip.entries().flatten().filter(|entry| class_of_entry(entry.name).is_some()).collect();
    let scan_chunk = |(scratch, summariser): &mut (Scratch, Summariser), chunk: &[crate::zip::ZipEntry<'_>]| {
        let results = chunk.iter().map(|entry| {
            let entry_name = String::from_utf8_lossy(entry.name);
            let problem = |reason: &dyn ToString| archive.entry_problem(&entry_name, reason);
            let bytes = contents.read(entry.location, MAX_CLASS, scratch).map_err(|reason| problem(&reason))?;
            let expected = class_of_entry(entry.name).map_or(entry.name, |(class, _)| class);
            summarise(summariser, bytes, expected, entry.at, &visit).map_err(|reason| problem(&reason))
        });
        results.collect::<Vec<_>>()
    };
    let chunks = entries.par_chunks(CHUNK).map_init(Default::default, scan_chunk);
    chunks.flatten_iter().collect()
}

fn scan_directory<T: Send>(
    directory: &ClassDirectory,
    visit: impl Fn(Scanned<'_>) -> T + Sync,
) -> Vec<Result<T, Problem>> {
    let classes = directory.listing().classes.par_iter().enumerate();
    let scan_class = |summariser: &mut Summariser, (position, name): (usize, &String)| {
        let bytes = directory.read(name)?;
        summarise(summariser, &bytes, name.as_bytes(), position as u32, &visit)
            .map_err(|message| Problem::File { path: directory.file(name), message })
    };
    classes.map_init(Summariser::default, scan_class).collect()
}

fn scan_image<T: Send>(image: &JImage, visit: impl Fn(Scanned<'_>) -> T + Sync) -> Vec<Result<T, Problem>> {
    let scan_slot = |summariser: &mut Summariser, slot: u32| {
        let location = image.location(slot)?;
        let name = image.class_name(&location)?.1;
        let read = image.read(location).map_err(|error| error.to_string());
        let scanned = read.and_then(|bytes| summarise(summariser, &bytes, name.as_bytes(), slot, &visit));
        Some(scanned.map_err(|message| Problem::Jdk { message: format!("class `{name}`: {message}") }))
    };
    (0..image.slots()).into_par_iter().map_init(Summariser::default, scan_slot).flatten_iter().collect()
}

fn summarise<T>(
    summariser: &mut Summariser,
    bytes: &[u8],
    expected: &[u8],
    at: u32,
    visit: &impl Fn(Scanned<'_>) -> T,
) -> Result<T, String> {
    let summary = summariser.read(bytes).map_err(|flaw| flaw.within(None, "header").to_string())?;
    if summary.name != expected {
        return Err(format!("it holds class `{}`", String::from_utf8_lossy(summary.name)));
    }
    Ok(visit(Scanned { at, summary }))
}
