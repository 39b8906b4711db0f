//! The directory where what was learnt about jars is kept between runs, and where archives inside of archives are unpacked for the JVM.
//! A file holds one index of one archive; its name is the archive's key, so that moved or copied jars are known, and changed ones are
//! not. An unpacked archive has a directory of its own, named in the same way. Files are written beside and renamed, so that runs side
//! by side never see half of one. Losing any file costs time only.

use crate::bytes::Bytes;
use crate::zip::ZipError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Where indexes are kept, if anywhere.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: Option<PathBuf>,
    limit: u64,
    /// Where unpacked archives go that cannot be kept; it goes with the last copy of this value.
    scratch: Arc<Mutex<Option<TempDir>>>,
}

/// What the cache holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheSize {
    pub files: u64,
    pub bytes: u64,
}

/// What identifies an archive, wherever it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CacheKey(u128);

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CacheKind {
    /// See [`crate::index`].
    Headers,
    /// See [`crate::call_index`].
    Calls,
    /// See [`Cache::answer`].
    Answer,
}

#[derive(Debug)]
pub(crate) enum Cached {
    Hit(Bytes),
    Miss,
    /// There is a file, and it is damaged.
    Damaged(PathBuf),
}

/// Change this whenever the body of any kind changes. Files of other versions are never read, and go when space is needed.
const FORMAT_VERSION: u32 = 2;
const MAGIC: [u8; 4] = *b"rnct";
/// Magic, checksum of the body, length of the body.
const HEADER_SIZE: usize = 20;
/// Indexes of the 150 000 classes of our crash packs and two JDKs take 25 MB; an unpacked server product takes several hundred.
const DEFAULT_LIMIT: u64 = 2 << 30;
/// What was used since stays, whatever the limit: another run may be at it.
const IN_USE: Duration = Duration::from_secs(60 * 60);
const UNPACKED: &str = "unpacked";
/// Below this size reading is faster than mapping.
const MAP_FROM: u64 = 64 << 10;
/// The last use is written down at most this often.
const TOUCH_AFTER: Duration = Duration::from_secs(24 * 60 * 60);
static TEMPORARIES: AtomicU64 = AtomicU64::new(0);

impl Cache {
    /// The user's cache: `REENACT_CACHE`, else `reenact` in the cache directory of the system. Without a home directory, nothing is
    /// kept.
    pub fn of_user() -> Cache {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let of_system = || {
            if cfg!(windows) {
                variable("LOCALAPPDATA")
            } else if cfg!(target_os = "macos") {
                variable("HOME").map(|home| home.join("Library/Caches"))
            } else {
                variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")))
            }
        };
        let directory = variable("REENACT_CACHE").or_else(|| of_system().map(|base| base.join("reenact")));
        Cache { directory, limit: DEFAULT_LIMIT, scratch: Arc::default() }
    }

    pub fn at(directory: impl Into<PathBuf>) -> Cache {
        Cache { directory: Some(directory.into()), limit: DEFAULT_LIMIT, scratch: Arc::default() }
    }

    /// Keeps nothing.
    pub fn none() -> Cache {
        Cache { directory: None, limit: 0, scratch: Arc::default() }
    }

    /// Keeps at most this many bytes; what was not used for longest goes first.
    pub fn with_limit(self, limit: u64) -> Cache {
        Cache { limit, ..self }
    }

    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// How much the cache holds; nothing if it was never written.
    pub fn size(&self) -> io::Result<CacheSize> {
        let files = self.files()?;
        Ok(CacheSize { files: files.len() as u64, bytes: files.iter().map(|file| file.bytes).sum() })
    }

    /// Removes all files of the cache, and says how much that was. Other files in the directory stay.
    pub fn clear(&self) -> io::Result<CacheSize> {
        let mut removed = CacheSize::default();
        for file in self.files()? {
            remove(&file.path)?;
            removed.files += 1;
            removed.bytes += file.bytes;
        }
        Ok(removed)
    }

    /// What somebody else has kept by [`keep_answer`](Self::keep_answer) under the same question.
    pub fn answer(&self, question: &[u8]) -> Option<Vec<u8>> {
        match self.load(CacheKey::of(question), CacheKind::Answer) {
            Cached::Hit(body) => Some(body.to_vec()),
            Cached::Miss | Cached::Damaged(_) => None,
        }
    }

    /// Keeps an answer that takes long to get. The question is everything that it depends on.
    pub fn keep_answer(&self, question: &[u8], answer: &[u8]) {
        // It only costs time to ask again.
        let _ = self.store(CacheKey::of(question), CacheKind::Answer, answer);
    }

    pub(crate) fn load(&self, key: CacheKey, kind: CacheKind) -> Cached {
        let Some(path) = self.path(key, kind) else { return Cached::Miss };
        match read(&path) {
            Ok(file) => match checked_body(&file) {
                Some(body) => Cached::Hit(body),
                None => Cached::Damaged(path),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Cached::Miss,
            Err(_) => Cached::Damaged(path),
        }
    }

    pub(crate) fn store(&self, key: CacheKey, kind: CacheKind, body: &[u8]) -> io::Result<()> {
        let Some(path) = self.path(key, kind) else { return Ok(()) };
        let Some(directory) = &self.directory else { return Ok(()) };
        fs::create_dir_all(directory)?;
        let temporary = path.with_extension(unique());
        let written = write(&temporary, body).and_then(|()| fs::rename(&temporary, &path));
        if written.is_err() {
            remove(&temporary)?;
        }
        written
    }

    /// The path of a file with `size` bytes that `write` writes, unless it was kept from before. `key` says what is in it, and `name` is
    /// what people see. Without a key, or where the cache cannot be written, the file is temporary.
    pub(crate) fn unpacked(
        &self,
        key: Option<CacheKey>,
        name: &str,
        size: u64,
        write: &dyn Fn(&mut File) -> Result<(), ZipError>,
    ) -> Result<PathBuf, ZipError> {
        if let Some(home) = self.home(key) {
            if is_whole(&home.join(name), size) {
                touch(&home);
                return Ok(home.join(name));
            }
            if fs::create_dir_all(&home).is_ok() && is_writable(&home) {
                return write_unpacked(&home, name, write);
            }
        }
        write_unpacked(&self.temporary_home()?, name, write)
    }

    /// A link to `target`, in the same place as an unpacked file with this key.
    pub(crate) fn link(&self, key: CacheKey, name: &str, target: &Path) -> Result<PathBuf, ZipError> {
        if let Some(home) = self.home(Some(key)) {
            let link = home.join(name);
            if fs::read_link(&link).is_ok_and(|leads_to| leads_to == target) {
                touch(&home);
                return Ok(link);
            }
            if fs::create_dir_all(&home).is_ok() && is_writable(&home) {
                return make_link(&home, name, target).map_err(ZipError::from);
            }
        }
        make_link(&self.temporary_home()?, name, target).map_err(ZipError::from)
    }

    fn home(&self, key: Option<CacheKey>) -> Option<PathBuf> {
        let directory = std::path::absolute(self.directory.as_ref()?).ok().filter(|path| can_be_named(path))?;
        Some(directory.join(format!("{:032x}.{UNPACKED}{FORMAT_VERSION}", key?.0)))
    }

    fn temporary_home(&self) -> Result<PathBuf, ZipError> {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        if scratch.is_none() {
            *scratch = Some(temporary_directory().map_err(ZipError::from)?);
        }
        let root = scratch.as_ref().map_or_else(PathBuf::new, |scratch| scratch.path().to_owned());
        drop(scratch);
        let home = root.join(TEMPORARIES.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&home).map_err(ZipError::from)?;
        Ok(home)
    }

    /// Whether the file is there only as long as this value.
    pub(crate) fn is_temporary(&self, file: &Path) -> bool {
        let scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        scratch.as_ref().is_some_and(|scratch| file.starts_with(scratch.path()))
    }

    /// Brings the cache below its limit. Called once after storing, not for every file.
    pub(crate) fn trim(&self) -> io::Result<()> {
        let mut files = self.files()?;
        let mut bytes: u64 = files.iter().map(|file| file.bytes).sum();
        files.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        for file in files {
            if bytes <= self.limit {
                break;
            }
            let is_in_use = file.is_unpacked && file.used.elapsed().map_or(true, |unused_for| unused_for < IN_USE);
            if !is_in_use {
                remove(&file.path)?;
                bytes -= file.bytes;
            }
        }
        Ok(())
    }

    fn path(&self, key: CacheKey, kind: CacheKind) -> Option<PathBuf> {
        let directory = self.directory.as_ref()?;
        Some(directory.join(format!("{:032x}.{}{FORMAT_VERSION}", key.0, kind.extension())))
    }

    fn files(&self) -> io::Result<Vec<CacheFile>> {
        let Some(directory) = &self.directory else { return Ok(Vec::new()) };
        let entries = match fs::read_dir(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let files = entries.flatten().filter_map(|entry| {
            let path = entry.path();
            let metadata = entry.metadata().ok().filter(|_| is_ours(&path))?;
            let is_unpacked = metadata.is_dir();
            let bytes = if is_unpacked { unpacked_size(&path) } else { metadata.len() };
            Some(CacheFile { path, bytes, used: metadata.modified().ok()?, is_unpacked })
        });
        Ok(files.collect())
    }
}

impl CacheKey {
    pub(crate) fn of(content: &[u8]) -> CacheKey {
        CacheKey(xxh3_128(content))
    }

    /// The key of a part of what this key stands for.
    pub(crate) fn part(self, part: &[u8]) -> CacheKey {
        CacheKey::of(&[&self.0.to_le_bytes(), part].concat())
    }
}

impl CacheKind {
    fn extension(self) -> &'static str {
        match self {
            CacheKind::Headers => "headers",
            CacheKind::Calls => "calls",
            CacheKind::Answer => "answer",
        }
    }
}

/// A file, or the directory of an unpacked archive.
struct CacheFile {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
    is_unpacked: bool,
}

/// Runs side by side, and copies of one jar on one class path, may store the same file at the same time.
fn unique() -> String {
    format!("{}-{}.tmp", std::process::id(), TEMPORARIES.fetch_add(1, Ordering::Relaxed))
}

/// Whether a class path can have the path in it, and not be misread.
pub(crate) fn can_be_named(path: &Path) -> bool {
    let separator = if cfg!(windows) { b';' } else { b':' };
    !path.as_os_str().as_encoded_bytes().contains(&separator)
}

/// In the usual place, or, where a class path cannot name that, in another.
fn temporary_directory() -> io::Result<TempDir> {
    let others = if cfg!(unix) { &["/var/tmp", "/tmp", "/dev/shm"][..] } else { &[] };
    make_temporary(&std::env::temp_dir(), others.iter().map(Path::new))
}

fn make_temporary<'a>(usual: &'a Path, others: impl Iterator<Item = &'a Path>) -> io::Result<TempDir> {
    let make = |place: &Path| tempfile::Builder::new().prefix("reenact-jars-").tempdir_in(place);
    let mut better = others.filter(|_| !can_be_named(usual)).filter_map(|place| make(place).ok());
    better.next().map_or_else(|| make(usual), Ok)
}

/// A link in the place of a file is not ours.
fn is_whole(file: &Path, size: u64) -> bool {
    fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() == size)
}

/// The superuser may write anywhere, and a file system may be read-only: only trying tells.
fn is_writable(directory: &Path) -> bool {
    let probe = directory.join(unique());
    File::create_new(&probe).is_ok() && fs::remove_file(&probe).is_ok()
}

fn write_unpacked(
    home: &Path,
    name: &str,
    write: &dyn Fn(&mut File) -> Result<(), ZipError>,
) -> Result<PathBuf, ZipError> {
    let (path, temporary) = (home.join(name), home.join(unique()));
    let mut file = File::create_new(&temporary).map_err(ZipError::from)?;
    let written = write(&mut file).and_then(|()| fs::rename(&temporary, &path).map_err(ZipError::from));
    if written.is_err() {
        // What is wrong has been found; that half a file stays behind as well is no news.
        let _ = fs::remove_file(&temporary);
    }
    written.map(|()| path)
}

fn make_link(home: &Path, name: &str, target: &Path) -> io::Result<PathBuf> {
    let (link, temporary) = (home.join(name), home.join(unique()));
    #[cfg(unix)]
    std::os::unix::fs::symlink(target, &temporary)?;
    #[cfg(not(unix))]
    fs::copy(target, &temporary)?;
    fs::rename(&temporary, &link)?;
    Ok(link)
}

fn unpacked_size(home: &Path) -> u64 {
    let files = fs::read_dir(home).into_iter().flatten().flatten();
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
}

/// Writes down when it was used last.
fn touch(path: &Path) {
    let Ok(file) = File::open(path) else { return };
    let unused_for = file.metadata().and_then(|metadata| metadata.modified()).map(|used| used.elapsed());
    if unused_for.is_ok_and(|unused_for| unused_for.is_ok_and(|unused_for| unused_for > IN_USE / 2)) {
        // A read-only cache is still good for reading.
        let _ = file.set_modified(SystemTime::now());
    }
}

/// A key of 32 hexadecimal digits, a dot, and a kind or the name of a temporary file.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let key = name.split('.').next().unwrap_or_default();
    name.len() > key.len() && key.len() == 32 && key.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn read(path: &Path) -> io::Result<Bytes> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let unused_for = metadata.modified().ok().and_then(|used| used.elapsed().ok());
    if unused_for.is_some_and(|unused_for| unused_for > TOUCH_AFTER) {
        // A read-only cache is still good for reading.
        let _ = file.set_modified(SystemTime::now());
    }
    if metadata.len() < MAP_FROM { fs::read(path).map(Bytes::from) } else { Bytes::map(path) }
}

fn checked_body(file: &Bytes) -> Option<Bytes> {
    let header = file.get(..HEADER_SIZE)?;
    let body = file.slice(HEADER_SIZE..file.len())?;
    let intact = header[..4] == MAGIC
        && header[4..12] == xxh3_64(&body).to_le_bytes()
        && header[12..] == (body.len() as u64).to_le_bytes();
    intact.then_some(body)
}

fn write(path: &Path, body: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(&MAGIC)?;
    file.write_all(&xxh3_64(body).to_le_bytes())?;
    file.write_all(&(body.len() as u64).to_le_bytes())?;
    file.write_all(body)
}

/// Another run may have removed it already.
fn remove(path: &Path) -> io::Result<()> {
    let is_directory = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    match if is_directory { fs::remove_dir_all(path) } else { fs::remove_file(path) } {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_loaded_until_it_is_damaged() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path().join("deep/down"));
        let key = CacheKey::of(b"a jar");
        assert!(matches!(cache.load(key, CacheKind::Headers), Cached::Miss));
        cache.store(key, CacheKind::Headers, b"an index").unwrap();
        assert!(matches!(cache.load(key, CacheKind::Headers), Cached::Hit(body) if *body == *b"an index"));
        assert!(matches!(cache.load(key, CacheKind::Calls), Cached::Miss));
        let file = fs::read_dir(cache.directory().unwrap()).unwrap().next().unwrap().unwrap().path();
        for damage in [&b""[..], b"rnct", b"rnct0123456789abcdefan index"] {
            fs::write(&file, damage).unwrap();
            assert!(matches!(cache.load(key, CacheKind::Headers), Cached::Damaged(_)), "{damage:?}");
        }
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path()).with_limit(2 * (HEADER_SIZE as u64 + 100));
        for name in ["old", "new", "used"] {
            cache.store(CacheKey::of(name.as_bytes()), CacheKind::Headers, &[0; 100]).unwrap();
        }
        let age = |name: &str, days: u64| {
            let path = cache.path(CacheKey::of(name.as_bytes()), CacheKind::Headers).unwrap();
            let when = SystemTime::now() - Duration::from_secs(days * 86_400);
            File::open(path).unwrap().set_modified(when).unwrap();
        };
        age("old", 9);
        age("used", 10);
        assert!(matches!(cache.load(CacheKey::of(b"used"), CacheKind::Headers), Cached::Hit(_)));
        cache.trim().unwrap();
        assert!(matches!(cache.load(CacheKey::of(b"old"), CacheKind::Headers), Cached::Miss));
        assert!(matches!(cache.load(CacheKey::of(b"used"), CacheKind::Headers), Cached::Hit(_)));
    }

    fn write_bytes(content: &'static [u8]) -> impl Fn(&mut File) -> Result<(), ZipError> {
        move |file| file.write_all(content).map_err(ZipError::from)
    }

    #[test]
    fn what_is_unpacked_stays_until_it_is_damaged_or_cleared() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path());
        let key = CacheKey::of(b"a jar");
        let unpacked = |size: u64, content| cache.unpacked(Some(key), "x.jar", size, &write_bytes(content)).unwrap();
        let path = unpacked(5, b"first");
        assert!(path.starts_with(directory.path()) && path.ends_with("x.jar"));
        assert_eq!((unpacked(5, b"again"), fs::read(&path).unwrap()), (path.clone(), b"first".to_vec()));
        fs::write(&path, "cut").unwrap();
        assert_eq!((unpacked(5, b"fresh"), fs::read(&path).unwrap()), (path.clone(), b"fresh".to_vec()));
        let elsewhere = directory.path().join("victim");
        fs::write(&elsewhere, "other").unwrap();
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert_eq!((unpacked(5, b"third"), fs::read(&path).unwrap()), (path.clone(), b"third".to_vec()));
        assert_eq!(fs::read(&elsewhere).unwrap(), b"other");
        assert_eq!(cache.size().unwrap(), CacheSize { files: 1, bytes: 5 });
        cache.clear().unwrap();
        assert!(!path.exists() && elsewhere.exists());
    }

    #[test]
    fn what_cannot_be_kept_is_unpacked_for_the_time_being() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a-file");
        fs::write(&file, "").unwrap();
        for cache in [Cache::none(), Cache::at(file)] {
            let path = cache.unpacked(Some(CacheKey::of(b"x")), "x.jar", 5, &write_bytes(b"bytes")).unwrap();
            assert!(cache.is_temporary(&path) && fs::read(&path).unwrap() == b"bytes");
            drop(cache);
            assert!(!path.exists());
        }
    }

    #[test]
    fn what_a_class_path_cannot_name_is_no_place_to_unpack_to() {
        let directory = tempfile::tempdir().unwrap();
        let odd = directory.path().join("a:b");
        fs::create_dir(&odd).unwrap();
        let cache = Cache::at(&odd);
        let key = CacheKey::of(b"x");
        let file = cache.unpacked(Some(key), "x.jar", 5, &write_bytes(b"bytes")).unwrap();
        let link = cache.link(key, "x.jar", &odd.join("x.jar")).unwrap();
        for path in [&file, &link] {
            assert!(can_be_named(path) && cache.is_temporary(path), "{path:?}");
        }
        // Nothing but the JVM minds.
        cache.store(key, CacheKind::Headers, b"an index").unwrap();
        assert!(matches!(cache.load(key, CacheKind::Headers), Cached::Hit(_)));
        let made = make_temporary(&odd, [directory.path()].into_iter()).unwrap();
        assert_eq!(made.path().parent(), Some(directory.path()));
        let made = make_temporary(directory.path(), [&*odd].into_iter()).unwrap();
        assert_eq!(made.path().parent(), Some(directory.path()));
    }

    #[test]
    fn what_was_unpacked_long_ago_makes_room() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path()).with_limit(5);
        let unpacked = |name: &str| {
            let key = CacheKey::of(name.as_bytes());
            cache.unpacked(Some(key), "x.jar", 5, &write_bytes(b"bytes")).unwrap()
        };
        let (old, new, used) = (unpacked("old"), unpacked("new"), unpacked("used"));
        for path in [&old, &used] {
            let when = SystemTime::now() - 2 * IN_USE;
            File::open(path.parent().unwrap()).unwrap().set_modified(when).unwrap();
        }
        unpacked("used");
        cache.trim().unwrap();
        assert_eq!([old.exists(), new.exists(), used.exists()], [false, true, true]);
    }

    #[test]
    fn clearing_leaves_what_is_not_ours() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path());
        assert_eq!(Cache::at(directory.path().join("none")).size().unwrap(), CacheSize::default());
        fs::write(directory.path().join("notes.txt"), "mine").unwrap();
        cache.store(CacheKey::of(b"x"), CacheKind::Calls, b"body").unwrap();
        let size = CacheSize { files: 1, bytes: HEADER_SIZE as u64 + 4 };
        assert_eq!(cache.size().unwrap(), size);
        assert_eq!(cache.clear().unwrap(), size);
        assert_eq!(cache.size().unwrap(), CacheSize::default());
        assert!(directory.path().join("notes.txt").exists());
    }
}
