//! Reads the summary of every class of an archive, a directory or a JDK image, on all cores, and keeps what is learnt in the cache.
//! A class that cannot be read is a problem and left out.

use crate::archive::{Archive, MAX_CLASS, class_of_entry};
use crate::bytes::Bytes;
use crate::cache::{Cache, CacheKey, CacheKind, Cached};
use crate::classfile::{Summariser, Summary, decode_text};
use crate::error::Problem;
use crate::jimage::JImage;
use crate::sources::{ClassDirectory, Source};
use crate::zip::{Scratch, ZipEntry};
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

/// A class of a unit that could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    /// The entry of an archive, or the name of the class.
    name: String,
    reason: String,
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
    /// Loads what was learnt before, if `is_valid`, or learns it by `learn` and stores it, with the classes that could not be read.
    /// Directories are never stored: nothing cheap tells whether one has changed.
    pub(crate) fn learn(
        self,
        cache: &Cache,
        kind: CacheKind,
        is_valid: impl FnOnce(&Bytes) -> bool,
        learn: impl FnOnce() -> (Vec<u8>, Vec<Unread>),
    ) -> Learnt {
        let mut problems = Vec::new();
        let key = self.key();
        if let Some(key) = key {
            match cache.load(key, kind) {
                Cached::Hit(file) => {
                    if let Some((unread, body)) = decode_unread(&file).filter(|(_, body)| is_valid(body)) {
                        let problems = unread.into_iter().map(|unread| self.problem(unread)).collect();
                        return Learnt { body, problems, stored: false };
                    }
                }
                Cached::Miss => {}
                Cached::Damaged(path) => problems.push(Problem::cache_damaged(&path)),
            }
        }
        let (body, unread) = learn();
        let mut stored = false;
        if let Some(key) = key {
            match cache.store(key, kind, &[encode_unread(&unread), body.clone()].concat()) {
                Ok(()) => stored = true,
                Err(error) => problems.push(Problem::cache_not_written(&error)),
            }
        }
        problems.extend(unread.into_iter().map(|unread| self.problem(unread)));
        Learnt { body: body.into(), problems, stored }
    }

    /// Visits all classes; the order of the results is that of the unit.
    pub(crate) fn scan<T: Send>(self, visit: impl Fn(Scanned<'_>) -> T + Sync) -> (Vec<T>, Vec<Unread>) {
        let results = match self {
            Unit::Archive(archive) => scan_archive(archive, visit),
            Unit::Directory(directory) => scan_directory(directory, visit),
            Unit::Image(image) => scan_image(image, visit),
        };
        let mut found = Vec::with_capacity(results.len());
        let mut all_unread = Vec::new();
        for result in results {
            match result {
                Ok(result) => found.push(result),
                Err(unread) => all_unread.push(unread),
            }
        }
        (found, all_unread)
    }

    fn problem(self, Unread { name, reason }: Unread) -> Problem {
        match self {
            Unit::Archive(archive) => archive.entry_problem(&name, reason),
            Unit::Directory(directory) => Problem::File { path: directory.file(&name), message: reason },
            Unit::Image(_) => Problem::Jdk { message: format!("class `{name}` cannot be read: {reason}") },
        }
    }

    fn key(self) -> Option<CacheKey> {
        match self {
            Unit::Archive(archive) => archive.key(),
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

fn scan_archive<T: Send>(archive: &Archive, visit: impl Fn(Scanned<'_>) -> T + Sync) -> Vec<Result<T, Unread>> {
    let entries: Vec<ZipEntry<'_>> =
        archive.zip.entries().flatten().filter(|entry| class_of_entry(entry.name).is_some()).collect();
    let contents = match archive.zip.contents() {
        Ok(contents) => contents,
        Err(reason) => return entries.iter().map(|entry| Err(Unread::entry(entry, &reason))).collect(),
    };
    let scan_chunk = |(scratch, summariser): &mut (Scratch, Summariser), chunk: &[ZipEntry<'_>]| {
        let results = chunk.iter().map(|entry| {
            let bytes =
                contents.read(entry.location, MAX_CLASS, scratch).map_err(|reason| Unread::entry(entry, &reason))?;
            let expected = class_of_entry(entry.name).map_or(entry.name, |(class, _)| class);
            summarise(summariser, bytes, expected, entry.at, &visit).map_err(|reason| Unread::entry(entry, &reason))
        });
        results.collect::<Vec<_>>()
    };
    let chunks = entries.par_chunks(CHUNK).map_init(Default::default, scan_chunk);
    chunks.flatten_iter().collect()
}

fn scan_directory<T: Send>(
    directory: &ClassDirectory,
    visit: impl Fn(Scanned<'_>) -> T + Sync,
) -> Vec<Result<T, Unread>> {
    let classes = directory.listing().classes.par_iter().enumerate();
    let scan_class = |summariser: &mut Summariser, (position, name): (usize, &String)| {
        let bytes = directory.read(name).map_err(|problem| Unread::class(name, problem.to_string()))?;
        let scanned = summarise(summariser, &bytes, name.as_bytes(), position as u32, &visit);
        scanned.map_err(|reason| Unread::class(name, reason))
    };
    classes.map_init(Summariser::default, scan_class).collect()
}

fn scan_image<T: Send>(image: &JImage, visit: impl Fn(Scanned<'_>) -> T + Sync) -> Vec<Result<T, Unread>> {
    let scan_slot = |summariser: &mut Summariser, slot: u32| {
        let location = image.location(slot)?;
        let name = image.class_name(&location)?.1;
        let read = image.read(location).map_err(|error| error.to_string());
        let scanned = read.and_then(|bytes| summarise(summariser, &bytes, name.as_bytes(), slot, &visit));
        Some(scanned.map_err(|reason| Unread::class(&name, reason)))
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
        return Err(format!("it holds class `{}`", decode_text(summary.name).replace('/', ".")));
    }
    Ok(visit(Scanned { at, summary }))
}

impl Unread {
    fn entry(entry: &ZipEntry<'_>, reason: &dyn ToString) -> Unread {
        Unread::class(&String::from_utf8_lossy(entry.name), reason.to_string())
    }

    fn class(name: &str, reason: String) -> Unread {
        Unread { name: name.to_owned(), reason }
    }
}

/// In front of what was learnt: the number of classes, and two texts for each, all with their lengths.
fn encode_unread(list: &[Unread]) -> Vec<u8> {
    let mut bytes = (list.len() as u32).to_le_bytes().to_vec();
    for text in list.iter().flat_map(|unread| [&unread.name, &unread.reason]) {
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

fn decode_unread(file: &Bytes) -> Option<(Vec<Unread>, Bytes)> {
    let mut rest: &[u8] = file;
    let count = take_u32(&mut rest)?;
    let mut list = Vec::new();
    for _ in 0..count {
        list.push(Unread { name: take_text(&mut rest)?, reason: take_text(&mut rest)? });
    }
    let start = file.len() - rest.len();
    Some((list, file.slice(start..file.len())?))
}

fn take_u32(rest: &mut &[u8]) -> Option<u32> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_le_bytes(*number))
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let length = take_u32(rest)? as usize;
    let text = std::str::from_utf8(rest.get(..length)?).ok()?.to_owned();
    *rest = &rest[length..];
    Some(text)
}
