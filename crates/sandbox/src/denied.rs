//! Which file was it that a program could not read? The JDK's exceptions name it; whether the sandbox kept it away, or the file's own
//! permissions, is asked here, outside of the sandbox.

use super::readable::covers;
use std::path::{Path, PathBuf};

/// The file that an exception of this class and message tells of, if the user could read it and locked-up code cannot.
pub fn denied_file(class: &str, message: &str, readable: &[PathBuf]) -> Option<PathBuf> {
    let path = named(class, message)?;
    (path.is_absolute() && can_be_read(path) && !covers(readable, path)).then(|| path.to_path_buf())
}

/// Whether such an exception tells of a file that could not be read, as far as its text goes.
pub fn may_be_denied(class: &str, message: &str) -> bool {
    named(class, message).is_some_and(Path::is_absolute)
}

fn named<'a>(class: &str, message: &'a str) -> Option<&'a Path> {
    let path = match class {
        "java.nio.file.AccessDeniedException" => message,
        // Of streams and readers, of archives, and of libraries that are loaded.
        _ => DENIED.iter().find_map(|suffix| message.strip_suffix(suffix))?,
    };
    Some(Path::new(path))
}

/// How messages end that begin with the file's name.
const DENIED: [&str; 2] = [" (Permission denied)", ": cannot open shared object file: Permission denied"];

/// Asks without waiting for whoever would write into a pipe.
fn can_be_read(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => std::fs::read_dir(path).is_ok(),
        Ok(found) if found.is_file() => std::fs::File::open(path).is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_sandbox_keeps_away_is_named() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("settings.xml");
        std::fs::write(&file, "").expect("written");
        let shown = file.display();
        let denied = |class: &str, message: String, readable: &[PathBuf]| denied_file(class, &message, readable);
        let found = Some(file.clone());
        assert_eq!(denied("java.io.FileNotFoundException", format!("{shown} (Permission denied)"), &[]), found);
        assert_eq!(denied("java.nio.file.AccessDeniedException", shown.to_string(), &[]), found);
        let may = [directory.path().to_path_buf()];
        assert_eq!(denied("java.nio.file.AccessDeniedException", shown.to_string(), &may), None, "it was written to");
        assert_eq!(denied("java.io.FileNotFoundException", "/no/such (Permission denied)".into(), &[]), None);
        assert_eq!(denied("java.io.FileNotFoundException", format!("{shown} (Is a directory)"), &[]), None);
        assert_eq!(denied("java.nio.file.AccessDeniedException", "relative".into(), &[]), None);
    }
}
