//! Known crashes: the methods of their frames are recorded in full. The file is a log as the tool reads it, and may come while the program
//! runs. Instead of a file there may be a fingerprint: then the frames are those of the first crash that has it.

use crate::recorder::Armed;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// More than that is no log of a few crashes.
const SIZE: u64 = 16 << 20;
/// Methods that are recorded in full.
const METHODS: usize = 256;

#[derive(Debug)]
pub(crate) struct ArmFile {
    path: PathBuf,
    read: Option<(SystemTime, u64)>,
}

impl ArmFile {
    pub(crate) fn new(path: PathBuf) -> ArmFile {
        ArmFile { path, read: None }
    }

    /// The fingerprint that stands in place of a file.
    pub(crate) fn fingerprint(path: &Path) -> Option<&str> {
        path.to_str().filter(|name| recording::is_fingerprint(name) && !path.exists())
    }

    /// The methods of all frames, if the file is new or has changed.
    pub(crate) fn look(&mut self) -> Option<Armed> {
        let about = std::fs::metadata(&self.path).ok().filter(|about| about.len() <= SIZE)?;
        let now = (about.modified().ok()?, about.len());
        if self.read.replace(now) == Some(now) {
            return None;
        }
        read(&self.path)
    }
}

fn read(path: &Path) -> Option<Armed> {
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().filter_map(frame).take(METHODS).collect())
}

/// Class in internal form and method of `at app//com.acme.Orders.take(Orders.java:7)`.
fn frame(line: &str) -> Option<(String, String)> {
    method(line.trim_start().strip_prefix("at ")?)
}

/// The methods of these frames.
pub(crate) fn methods<'a>(frames: impl Iterator<Item = &'a String>) -> Armed {
    frames.filter_map(|frame| method(frame)).take(METHODS).collect()
}

fn method(frame: &str) -> Option<(String, String)> {
    let (place, _) = frame.split_once('(')?;
    // Loaders and modules come before the class.
    let place = place.rsplit('/').next()?;
    let (class, method) = place.rsplit_once('.')?;
    let is_name = !class.is_empty() && !method.is_empty() && !class.contains(char::is_whitespace);
    is_name.then(|| (class.replace('.', "/"), method.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_logs() {
        for (line, expected) in [
            ("\tat com.acme.Orders.take(Orders.java:7)", Some(("com/acme/Orders", "take"))),
            ("  at app//com.acme.Orders$1.<init>(Unknown Source)", Some(("com/acme/Orders$1", "<init>"))),
            ("\tat java.base/java.util.List.get(List.java:1)", Some(("java/util/List", "get"))),
            ("at the end (of the day)", None),
            ("java.lang.IllegalStateException: at home.now(", None),
        ] {
            let expected = expected.map(|(class, method)| (class.to_owned(), method.to_owned()));
            assert_eq!(frame(line), expected, "{line}");
        }
    }
}
