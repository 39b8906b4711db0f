//! The directory that tests are written to. It may lie in a checkout that somebody else has prepared: below it no symbolic
//! link is followed, and files appear complete, under names that nobody could foresee until they get their own.
//!
//! A file that is there already is replaced only if it is what an earlier run wrote for the same crash and nobody has changed
//! it since. Files carry a mark by which that is known (an extended attribute, so that nothing of it is to be read in the
//! test); without one, as after a checkout or where the file system has none, a file counts as somebody else's.

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, XattrFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Where one run writes its tests.
#[derive(Debug)]
pub(crate) struct Output {
    root: PathBuf,
    /// Stands for the crash.
    crash: u64,
    /// What this run has written.
    written: Mutex<Vec<(PathBuf, String)>>,
}

const MARK: &str = "user.reenact";
/// Longer files are none of ours.
const LONGEST: u64 = 16 << 20;

impl Output {
    /// `crash` is any text that is the same for the same crash.
    pub(crate) fn new(root: &Path, crash: &str) -> Output {
        Output { root: root.to_owned(), crash: xxh3_64(crash.as_bytes()), written: Mutex::default() }
    }

    /// Whether this text may be written there without anything being lost. Where that cannot be known, writing will tell.
    pub(crate) fn is_free(&self, path: &Path, text: &str) -> bool {
        let there = self.parent(path, false).and_then(|directory| read(&directory, name_of(path)?));
        there.map_or(true, |there| self.may_replace(path, &there, text))
    }

    /// Writes a file below the directory and gives its whole path.
    pub(crate) fn write(&self, path: &Path, text: &str) -> io::Result<PathBuf> {
        let (directory, name) = (self.parent(path, true)?, name_of(path)?);
        let there = read(&directory, name)?;
        if there.text() != Some(text) {
            if !self.may_replace(path, &there, text) {
                let message = format!(
                    "`{}` is there already, and was not written by this tool or was changed since",
                    path.display()
                );
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            self.place(&directory, name, text, matches!(there, There::Nothing))?;
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.retain(|(other, _)| other != path);
        written.push((path.to_owned(), text.to_owned()));
        Ok(self.root.join(path))
    }

    /// Removes what this run has written, unless somebody has changed it.
    pub(crate) fn remove(&self, whole_path: &Path) {
        let Ok(path) = whole_path.strip_prefix(&self.root) else { return };
        let (Ok(directory), Ok(name)) = (self.parent(path, false), name_of(path)) else { return };
        if read(&directory, name).is_ok_and(|there| self.is_of_this_run(path, &there)) {
            // It only lies about.
            let _ = rustix::fs::unlinkat(&directory, name, AtFlags::empty());
        }
    }

    fn may_replace(&self, path: &Path, there: &There, text: &str) -> bool {
        let is_unchanged = |found: &str, mark: &str| *mark == self.mark(found);
        match there {
            There::Nothing => true,
            There::File { text: found, mark } => {
                found == text || is_unchanged(found, mark) || self.is_of_this_run(path, there)
            }
            There::Other => false,
        }
    }

    fn is_of_this_run(&self, path: &Path, there: &There) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.iter().any(|(other, text)| other == path && there.text() == Some(text))
    }

    fn mark(&self, text: &str) -> String {
        format!("{:016x} {:016x}", self.crash, xxh3_64(text.as_bytes()))
    }

    /// The directory of a file, opened without following links below the root.
    fn parent(&self, path: &Path, create: bool) -> io::Result<OwnedFd> {
        if create {
            std::fs::create_dir_all(&self.root)?;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut directory = rustix::fs::open(&self.root, flags, Mode::empty())?;
        for component in path.parent().into_iter().flat_map(Path::components) {
            let Component::Normal(name) = component else { return Err(io::ErrorKind::InvalidInput.into()) };
            if create && let Err(error) = rustix::fs::mkdirat(&directory, name, Mode::from_raw_mode(0o777)) {
                Some(error).filter(|error| *error == Errno::EXIST).ok_or(error)?;
            }
            directory = rustix::fs::openat(&directory, name, flags | OFlags::NOFOLLOW, Mode::empty())
                .map_err(|error| not_a_directory(error, name))?;
        }
        Ok(directory)
    }

    /// A complete file or none, in place of nothing or of what was there.
    fn place(&self, directory: &OwnedFd, name: &OsStr, text: &str, is_new: bool) -> io::Result<()> {
        let unfinished = format!(".reenact-{:016x}.tmp", RandomState::new().hash_one(0u8));
        let written = self.create(directory, OsStr::new(&unfinished), text).and_then(|()| {
            let flags = if is_new { RenameFlags::NOREPLACE } else { RenameFlags::empty() };
            match rustix::fs::renameat_with(directory, &*unfinished, directory, name, flags) {
                // Some file systems cannot.
                Err(Errno::INVAL | Errno::NOSYS) if is_new => {
                    self.create(directory, name, text)?;
                    rustix::fs::unlinkat(directory, &*unfinished, AtFlags::empty())
                }
                renamed => renamed,
            }?;
            Ok(())
        });
        if written.is_err() {
            // What is left of it is of no use to anybody; that it could not be written is what people should read.
            let _ = rustix::fs::unlinkat(directory, &*unfinished, AtFlags::empty());
        }
        written
    }

    fn create(&self, directory: &OwnedFd, name: &OsStr, text: &str) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::openat(directory, name, flags, Mode::from_raw_mode(0o666))?);
        file.write_all(text.as_bytes())?;
        // Without it the next run writes beside it.
        let _ = rustix::fs::fsetxattr(&file, MARK, self.mark(text).as_bytes(), XattrFlags::empty());
        Ok(())
    }
}

/// What a name stands for.
#[derive(Debug, PartialEq, Eq)]
enum There {
    Nothing,
    File {
        text: String,
        mark: String,
    },
    /// A link, a directory, a file that is no text.
    Other,
}

impl There {
    fn text(&self) -> Option<&str> {
        match self {
            There::File { text, .. } => Some(text),
            _ => None,
        }
    }
}

fn read(directory: &OwnedFd, name: &OsStr) -> io::Result<There> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(directory, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(There::Nothing),
        Err(_) => return Ok(There::Other),
    };
    if !file.metadata()?.is_file() {
        return Ok(There::Other);
    }
    let mut mark = [0; 64];
    let length = rustix::fs::fgetxattr(&file, MARK, &mut mark).unwrap_or(0);
    let mut text = String::new();
    match file.take(LONGEST).read_to_string(&mut text) {
        Ok(_) => Ok(There::File { text, mark: String::from_utf8_lossy(&mark[..length]).into_owned() }),
        Err(_) => Ok(There::Other),
    }
}

fn name_of(path: &Path) -> io::Result<&OsStr> {
    path.file_name().ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

fn not_a_directory(error: Errno, name: &OsStr) -> io::Error {
    match error {
        Errno::NOTDIR | Errno::LOOP => {
            io::Error::other(format!("`{}` in it is a link or a file, not a directory", name.display()))
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    struct Place {
        directory: tempfile::TempDir,
    }

    impl Place {
        /// With a file and a directory that are none of a test's business.
        fn new() -> Place {
            let directory = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(directory.path().join("out")).unwrap();
            std::fs::create_dir_all(directory.path().join("elsewhere")).unwrap();
            std::fs::write(directory.path().join("victim"), "precious").unwrap();
            Place { directory }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.directory.path().join(name)
        }

        fn output(&self, crash: &str) -> Output {
            Output::new(&self.path("out"), crash)
        }

        fn read(&self, name: &str) -> String {
            std::fs::read_to_string(self.path(name)).unwrap()
        }

        fn listing(&self, name: &str) -> Vec<String> {
            let entries = std::fs::read_dir(self.path(name)).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }

        fn has_marks(&self) -> bool {
            let file = File::create(self.path("probe")).unwrap();
            rustix::fs::fsetxattr(&file, MARK, b"x", XattrFlags::empty()).is_ok()
        }
    }

    #[test]
    fn a_test_appears_in_its_package() {
        let place = Place::new();
        let written = place.output("c").write(Path::new("a/b/T.java"), "text").unwrap();
        assert_eq!(written, place.path("out/a/b/T.java"));
        assert_eq!((place.read("out/a/b/T.java"), place.listing("out/a/b")), ("text".into(), vec!["T.java".into()]));
    }

    #[test]
    fn links_are_not_followed() {
        let place = Place::new();
        symlink(place.path("victim"), place.path("out/T.java")).unwrap();
        symlink(place.path("victim"), place.path("out/T.java.tmp")).unwrap();
        symlink(place.path("elsewhere"), place.path("out/a")).unwrap();
        symlink(place.path("nowhere"), place.path("out/Dangling.java")).unwrap();
        let output = place.output("c");
        for path in ["T.java", "a/T.java", "a/b/T.java", "Dangling.java"] {
            assert!(output.write(Path::new(path), "text").is_err(), "{path}");
        }
        assert!(!output.is_free(Path::new("T.java"), "text") && !output.is_free(Path::new("Dangling.java"), "text"));
        output.write(Path::new("U.java"), "text").unwrap();
        assert_eq!((place.read("victim"), place.listing("elsewhere")), ("precious".into(), vec![]));
        assert!(!place.path("nowhere").exists());
    }

    #[test]
    fn paths_do_not_lead_out() {
        let output = Place::new().output("c");
        for path in ["../T.java", "a/../../T.java", "/T.java", ".."] {
            assert!(output.write(Path::new(path), "text").is_err(), "{path}");
        }
    }

    #[test]
    fn nothing_of_others_is_replaced() {
        let (place, path) = (Place::new(), Path::new("T.java"));
        std::fs::write(place.path("out/T.java"), "by hand").unwrap();
        assert!(!place.output("c").is_free(path, "text"));
        assert!(place.output("c").write(path, "text").is_err());
        assert_eq!(place.read("out/T.java"), "by hand");
        assert!(place.output("c").is_free(path, "by hand"), "nothing would change");
        assert_eq!(place.listing("out"), ["T.java"]);
    }

    #[test]
    fn a_run_replaces_and_removes_what_it_wrote_itself() {
        let (place, path) = (Place::new(), Path::new("T.java"));
        let output = place.output("c");
        output.write(path, "first").unwrap();
        assert!(output.is_free(path, "second"));
        let written = output.write(path, "second").unwrap();
        assert_eq!(place.read("out/T.java"), "second");
        output.remove(&written);
        assert_eq!(place.listing("out"), Vec::<String>::new());
        let written = output.write(path, "third").unwrap();
        std::fs::write(&written, "edited").unwrap();
        output.remove(&written);
        assert_eq!(place.read("out/T.java"), "edited");
    }

    #[test]
    fn the_next_run_replaces_what_the_last_one_wrote_for_the_same_crash() {
        let (place, path) = (Place::new(), Path::new("T.java"));
        if !place.has_marks() {
            return;
        }
        place.output("c").write(path, "first").unwrap();
        assert!(!place.output("d").is_free(path, "of another crash"));
        place.output("c").write(path, "second").unwrap();
        assert_eq!(place.read("out/T.java"), "second");
        std::fs::write(place.path("out/T.java"), "edited").unwrap();
        assert!(!place.output("c").is_free(path, "third"));
    }
}
