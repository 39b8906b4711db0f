//! What a locked-up JVM may read: one list for workers, confirming JVMs and the compiler. Everything else of the machine,
//! the user's files first of all, is out of its reach, because what foreign code reads it can give away: as a literal of a
//! test, in a message, in the name of a class.
//!
//! Entries that are not there are skipped. A rule holds for what a path leads to, so that links need no further thought,
//! except for those inside of a directory: [`JDK`] and [`CERTIFICATES`] keep some that lead elsewhere.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Shared libraries, by the beginning of the name: `/lib64`, `/usr/libexec`.
const LIBRARIES: [(&str, &str); 3] = [("/", "lib"), ("/usr", "lib"), ("/etc", "ld.so.")];

const FIXED: [&str; 37] = [
    // More libraries.
    "/usr/local/lib",
    "/nix/store",
    // Data that the JDK and native libraries look up.
    "/usr/share/zoneinfo",
    "/usr/share/locale",
    "/usr/share/fonts",
    "/usr/share/fontconfig",
    "/usr/share/mime",
    "/var/cache/fontconfig",
    // Configuration of the machine without secrets.
    "/etc/localtime",
    "/etc/timezone",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/nsswitch.conf",
    "/etc/resolv.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/passwd",
    "/etc/group",
    "/etc/mime.types",
    "/etc/mtab",
    "/etc/os-release",
    "/etc/fonts",
    CERTIFICATES,
    // What the kernel tells about the machine. The process itself is added by whoever locks itself up.
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/loadavg",
    "/proc/version",
    "/proc/cgroups",
    "/proc/filesystems",
    "/proc/sys",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm",
    "/dev/zero",
];

/// A directory of links to where each distribution keeps them.
const CERTIFICATES: &str = "/etc/ssl/certs";

/// What one JVM may read, as the caller knows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Readable<'a> {
    pub java_home: Option<&'a Path>,
    /// Files and directories exactly as the JVM gets them; never what is beside them.
    pub class_path: &'a [PathBuf],
    /// What the user allows beyond that.
    pub allowed: &'a [PathBuf],
    /// Options of the VM: what they name, it must read.
    pub vm_args: &'a [String],
}

impl Readable<'_> {
    /// All paths, each once.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths: BTreeSet<PathBuf> = system().clone();
        paths.extend(self.java_home.map(jdk).into_iter().flatten());
        paths.extend(self.class_path.iter().filter(|path| !opens_too_much(path)).map(|path| absolute(path)));
        paths.extend(self.allowed.iter().map(|path| absolute(path)));
        paths.extend(self.vm_args.iter().flat_map(|arg| named_by(arg)));
        paths.into_iter().collect()
    }
}

/// Whether a directory of the class path is a link to one that it is itself in, or the user's home: who checked it in wants to
/// read what nobody named.
fn opens_too_much(path: &Path) -> bool {
    let (Ok(target), own) = (path.canonicalize(), absolute(path)) else { return false };
    let Some(parent) = own.parent().and_then(|parent| parent.canonicalize().ok()) else { return target == own };
    let is_link = own.file_name().is_none_or(|name| parent.join(name) != target);
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    is_link && target.is_dir() && (parent.starts_with(&target) || home.is_some_and(|home| home.starts_with(&target)))
}

/// Whether one of the paths is this file, or a directory that it is in.
pub fn covers(readable: &[PathBuf], file: &Path) -> bool {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    readable.iter().any(|path| path.canonicalize().is_ok_and(|path| file.starts_with(path)))
}

/// The path as seen from the root, links left alone; as it is if there is no working directory any more.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn system() -> &'static BTreeSet<PathBuf> {
    static PATHS: OnceLock<BTreeSet<PathBuf>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let mut paths: BTreeSet<PathBuf> = FIXED.iter().map(PathBuf::from).collect();
        paths.extend(LIBRARIES.iter().flat_map(|(directory, start)| beginning_with(Path::new(directory), start)));
        paths.extend(
            std::env::var_os("LD_LIBRARY_PATH").iter().flat_map(std::env::split_paths).filter(|path| is_named(path)),
        );
        paths.extend(targets_of_links(Path::new(CERTIFICATES)).into_iter().filter(|target| target.is_file()));
        paths.retain(|path| path.exists());
        paths
    })
}

fn beginning_with(directory: &Path, start: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let is_one = |name: &OsStr| name.as_encoded_bytes().starts_with(start.as_bytes());
    entries.filter(|entry| is_one(&entry.file_name())).map(|entry| entry.path()).collect()
}

/// The installation, and what its links lead to: distributions keep its configuration and certificates below `/etc`. Looked up
/// once, because every worker asks.
fn jdk(home: &Path) -> Vec<PathBuf> {
    static KNOWN: Mutex<Vec<(PathBuf, Vec<PathBuf>)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, paths)) = known.iter().find(|(other, _)| other == home) {
        return paths.clone();
    }
    // JDK 8 keeps a whole JRE inside, with the compiler around it.
    let around = home.parent().filter(|around| home.ends_with("jre") && around.join("bin/java").exists());
    let home_or_around = around.unwrap_or(home);
    let mut paths = vec![home_or_around.to_path_buf()];
    let mut at = 0;
    while let Some(path) = paths.get(at) {
        let new = targets_of_links(path).into_iter().filter(|target| !home_or_around.starts_with(target));
        let new: Vec<PathBuf> = new.filter(|target| !paths.iter().any(|known| target.starts_with(known))).collect();
        paths.extend(new);
        at += 1;
    }
    known.push((home.to_path_buf(), paths.clone()));
    paths
}

/// Where the links inside of a directory lead, as far as that is outside of it.
fn targets_of_links(directory: &Path) -> BTreeSet<PathBuf> {
    let Ok(directory) = directory.canonicalize() else { return BTreeSet::new() };
    let mut targets = BTreeSet::new();
    let mut open = vec![directory.clone()];
    while let Some(inner) = open.pop() {
        for entry in std::fs::read_dir(&inner).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_symlink() && leads_out(&entry.path(), &inner, &directory) => {
                    targets.extend(entry.path().canonicalize().ok().filter(|target| !target.starts_with(&directory)));
                }
                _ => {}
            }
        }
    }
    targets
}

/// Looks at the link's text alone: most links of a JDK stay inside, and asking the system where each ends takes its time.
fn leads_out(link: &Path, inner: &Path, directory: &Path) -> bool {
    let Ok(text) = std::fs::read_link(link) else { return false };
    let mut target = inner.to_path_buf();
    for part in text.components() {
        match part {
            Component::ParentDir => {
                target.pop();
            }
            Component::CurDir => {}
            part => target.push(part),
        }
    }
    !target.starts_with(directory) || target.is_symlink()
}

/// Absolute paths in an option of the VM: `-javaagent:/a.jar=x`, `-Xbootclasspath/a:/a.jar:/b.jar`, `-Dfile=/etc/app.conf`.
fn named_by(arg: &str) -> Vec<PathBuf> {
    arg.split(['=', ':', ',']).map(PathBuf::from).filter(|path| is_named(path) && path.exists()).collect()
}

/// The root names everything, which nobody means.
fn is_named(path: &Path) -> bool {
    path.is_absolute() && path.components().count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn made(root: &Path, name: &str) -> PathBuf {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("made");
        std::fs::write(&path, "").expect("written");
        path
    }

    #[test]
    fn a_directory_that_leads_to_what_it_is_in_opens_nothing() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path().canonicalize().expect("it is there");
        let classes = root.join("project/target/classes");
        made(&root, "project/elsewhere/A.class");
        std::fs::create_dir_all(classes.parent().expect("it has one")).expect("made");
        for (target, opens) in [("/", false), ("../..", false), ("..", false), ("../elsewhere", true)] {
            symlink(target, &classes).expect("linked");
            let class_path = [classes.clone()];
            let paths = Readable { class_path: &class_path, ..Readable::default() }.paths();
            assert_eq!(paths.contains(&classes), opens, "{target}");
            let allowed = Readable { allowed: &class_path, ..Readable::default() }.paths();
            assert!(allowed.contains(&classes), "who says so may: {target}");
            std::fs::remove_file(&classes).expect("removed");
        }
    }

    /// As Debian has it: files and directories of the JDK lie below `/etc`, some of them behind two links.
    #[test]
    fn links_of_a_jdk_are_followed() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path().canonicalize().expect("it is there");
        let home = root.join("jvm/jdk");
        made(&home, "bin/java");
        made(&home, "legal/a/LICENSE");
        symlink("../a/LICENSE", made(&home, "legal/b/x").with_file_name("LICENSE")).expect("linked");
        made(&root, "etc/java/security/policy");
        let certificates = made(&root, "etc/ssl/cacerts");
        symlink(root.join("etc/java"), home.join("conf")).expect("linked");
        symlink(&certificates, root.join("etc/java/security/cacerts")).expect("linked");
        symlink("..", home.join("up")).expect("linked");
        symlink("gone", home.join("broken")).expect("linked");
        let paths = jdk(&home);
        assert_eq!(paths, [home, root.join("etc/java"), certificates]);
    }

    #[test]
    fn options_name_what_they_need() {
        let root = tempfile::tempdir().expect("a directory");
        let (a, b) = (made(root.path(), "a.jar"), made(root.path(), "b.jar"));
        let named = |text: String| named_by(&text);
        assert_eq!(named(format!("-Xbootclasspath/a:{}:{}", a.display(), b.display())), [a.clone(), b]);
        assert_eq!(named(format!("-javaagent:{}=x=/no/such", a.display())), std::slice::from_ref(&a));
        assert_eq!(named(format!("-Dconfiguration={}", a.display())), [a]);
        for other in ["-Dseparator=/", "-Xmx1g", "-Dname=relative", "-ea:com.acme/..."] {
            assert!(named(other.into()).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_class_path_is_taken_as_it_is_given() {
        let root = tempfile::tempdir().expect("a directory");
        let jar = made(root.path(), "lib/a.jar");
        let secret = made(root.path(), "lib/secret");
        let class_path = [jar.clone()];
        let paths = Readable { class_path: &class_path, ..Readable::default() }.paths();
        assert!(covers(&paths, &jar));
        assert!(!covers(&paths, &secret) && !covers(&paths, root.path()) && !covers(&paths, Path::new("/etc/shadow")));
    }
}
