//! Where scratch directories are made: libraries unpack native code into them and load it, which a file system that is mounted without the
//! right to execute does not allow. Where namespaces put scratch directories into memory this does not matter.

use std::path::{Path, PathBuf};

/// The directory for temporary files, or, if nothing in it can be executed, another in which that is possible. If there is none, the
/// first all the same: few programs need it.
pub fn place_for_scratch() -> PathBuf {
    let usual = std::env::temp_dir();
    let variables = ["XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "HOME"];
    let of_user = variables.iter().filter_map(std::env::var_os).map(PathBuf::from).filter(|path| path.is_absolute());
    let others = ["/var/tmp", "/dev/shm"].map(PathBuf::from).into_iter().chain(of_user);
    choose(usual, others, |path| super::linux::allows_execution(path) && is_writable(path))
}

fn choose(usual: PathBuf, others: impl Iterator<Item = PathBuf>, is_good: impl Fn(&Path) -> bool) -> PathBuf {
    if is_good(&usual) {
        return usual;
    }
    let mut others = others;
    others.find(|path| is_good(path)).unwrap_or(usual)
}

fn is_writable(path: &Path) -> bool {
    tempfile::Builder::new().prefix("reenact-").tempfile_in(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_place_is_left_only_for_a_better_one() {
        let chosen = |good: &[&str]| {
            let others = ["/var/tmp", "/dev/shm"].map(PathBuf::from);
            choose("/tmp".into(), others.into_iter(), |path| good.iter().any(|good| path == Path::new(good)))
        };
        assert_eq!(chosen(&["/tmp", "/var/tmp"]), Path::new("/tmp"));
        assert_eq!(chosen(&["/dev/shm"]), Path::new("/dev/shm"));
        assert_eq!(chosen(&[]), Path::new("/tmp"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn whether_a_file_system_allows_execution_is_asked() {
        assert!(super::super::linux::allows_execution(Path::new("/usr/bin")));
        assert!(!super::super::linux::allows_execution(Path::new("/no/such")));
    }
}
