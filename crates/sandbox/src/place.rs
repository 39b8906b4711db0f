//! Where scratch directories are made. A class path cannot name what has its separator in its path. And libraries unpack native code into them and load it, which a file system that is mounted without the
//! right to execute does not allow. Where namespaces put scratch directories into memory this does not matter.

use super::linux::forbids_execution;
use std::path::{Path, PathBuf};

/// The directory for temporary files, or, if nothing in it can be executed or named by a class path, another in which that is possible. If there is none, the
/// first all the same: few programs need it. Whether the first is there at all is for whoever uses it to say.
pub fn place_for_scratch() -> PathBuf {
    let variables = ["XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "HOME"];
    let of_user = variables.iter().filter_map(std::env::var_os).map(PathBuf::from).filter(|path| path.is_absolute());
    let others = ["/var/tmp", "/dev/shm"].map(PathBuf::from).into_iter().chain(of_user);
    choose(std::env::temp_dir(), others.filter(|path| is_writable(path)), is_bad)
}

fn choose(usual: PathBuf, mut others: impl Iterator<Item = PathBuf>, is_bad: impl Fn(&Path) -> bool) -> PathBuf {
    if !is_bad(&usual) {
        return usual;
    }
    others.find(|path| !is_bad(path)).unwrap_or(usual)
}

fn is_bad(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().contains(&b':') || forbids_execution(path)
}

fn is_writable(path: &Path) -> bool {
    tempfile::Builder::new().prefix("reenact-").tempfile_in(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_place_is_left_only_for_a_better_one() {
        let chosen = |bad: &[&str]| {
            let others = ["/var/tmp", "/dev/shm"].map(PathBuf::from);
            choose("/tmp".into(), others.into_iter(), |path| bad.iter().any(|bad| path == Path::new(bad)))
        };
        assert_eq!(chosen(&["/var/tmp"]), Path::new("/tmp"));
        assert_eq!(chosen(&["/tmp", "/var/tmp"]), Path::new("/dev/shm"));
        assert_eq!(chosen(&["/tmp", "/var/tmp", "/dev/shm"]), Path::new("/tmp"));
    }

    #[test]
    fn what_a_class_path_cannot_name_is_left() {
        let root = tempfile::tempdir().expect("a directory");
        let usual = root.path().join("a:b");
        std::fs::create_dir(&usual).expect("made");
        assert_eq!(choose(usual.clone(), [root.path().to_path_buf()].into_iter(), is_bad), root.path());
        assert_eq!(choose(usual.clone(), std::iter::empty(), is_bad), usual);
    }

    #[test]
    fn what_is_not_there_forbids_nothing() {
        assert!(!forbids_execution(Path::new("/no/such")));
    }
}
