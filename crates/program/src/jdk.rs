//! Which JDKs are on this machine, and what version each has. Looks at files only; no JVM is started.

use crate::error::ProgramError;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// A JDK (or JRE) found on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// 8, 11, 17, ..: selects the versions of multi-release jars.
    pub feature: u16,
    /// As its `release` file says, `17.0.15`.
    pub version: String,
    pub library: JdkLibrary,
}

/// Where the JDK has its classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JdkLibrary {
    /// `lib/modules`, Java 9 and later.
    Image(PathBuf),
    /// `rt.jar` and the jars beside it, Java 8 and before.
    Jars(Vec<PathBuf>),
}

impl Jdk {
    /// The JDK at `explicit`; without it the one of JAVA_HOME, of `java` on the PATH, or the newest in the usual directories.
    pub fn find(explicit: Option<&Path>) -> Result<Jdk, ProgramError> {
        if let Some(home) = explicit {
            return Jdk::at(home);
        }
        let candidates = candidate_homes();
        let mut searched = Vec::new();
        for home in candidates.preferred {
            match Jdk::at(&home) {
                Ok(jdk) => return Ok(jdk),
                Err(_) => searched.push(home),
            }
        }
        let newest = jdks_at(&candidates.installed).into_iter().max_by_key(|jdk| jdk.feature);
        searched.extend(usual_directories());
        newest.ok_or(ProgramError::NoJdk { searched })
    }

    /// All JDKs that [`find`](Self::find) looks at, each once, oldest first.
    pub fn list() -> Vec<Jdk> {
        let candidates = candidate_homes();
        let mut homes = candidates.preferred;
        homes.extend(candidates.installed);
        jdks_at(&homes)
    }

    /// Whether whoever types `java` gets this one.
    pub fn is_on_path(&self) -> bool {
        home_of_java_on_path().is_some_and(|home| home == self.home)
    }

    /// Whether it can compile: a mere runtime cannot.
    pub fn has_compiler(&self) -> bool {
        self.home.join("bin").join(if cfg!(windows) { "javac.exe" } else { "javac" }).is_file()
    }

    /// The JDK with this home directory.
    pub fn at(home: &Path) -> Result<Jdk, ProgramError> {
        let not_a_jdk = |reason: &str| ProgramError::NotAJdk { home: home.to_owned(), reason: reason.to_owned() };
        if !home.is_dir() {
            return Err(not_a_jdk("there is no such directory"));
        }
        let home = fs::canonicalize(home).unwrap_or_else(|_| home.to_owned());
        let library = library_of(&home).ok_or_else(|| not_a_jdk("it has neither `lib/modules` nor `rt.jar`"))?;
        let version = release_version(&home).unwrap_or_else(|| match library {
            JdkLibrary::Image(_) => "9".into(),
            JdkLibrary::Jars(_) => "1.8".into(),
        });
        let feature =
            Jdk::feature_of(&version).ok_or_else(|| not_a_jdk("its `release` file has no usable JAVA_VERSION"))?;
        Ok(Jdk { home, feature, version, library })
    }
}

impl Jdk {
    /// 17 of `17.0.15`, 8 of `1.8.0_392`.
    pub fn feature_of(version: &str) -> Option<u16> {
        let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse::<u16>().ok());
        match numbers.next()?? {
            1 => numbers.next()?,
            feature => Some(feature),
        }
    }
}

struct Candidates {
    preferred: Vec<PathBuf>,
    installed: Vec<PathBuf>,
}

fn candidate_homes() -> Candidates {
    let mut preferred: Vec<PathBuf> =
        env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from).into_iter().collect();
    preferred.extend(home_of_java_on_path());
    let mut installed: Vec<PathBuf> = usual_directories()
        .iter()
        .filter_map(|directory| fs::read_dir(directory).ok())
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    // On macOS the home is inside the bundle.
    installed.extend(installed.clone().into_iter().map(|home| home.join("Contents/Home")));
    installed.sort();
    Candidates { preferred, installed }
}

fn home_of_java_on_path() -> Option<PathBuf> {
    let name = if cfg!(windows) { "java.exe" } else { "java" };
    let java =
        env::split_paths(&env::var_os("PATH")?).map(|directory| directory.join(name)).find(|java| java.is_file())?;
    let java = fs::canonicalize(java).ok()?;
    Some(java.parent()?.parent()?.to_owned())
}

fn usual_directories() -> Vec<PathBuf> {
    let mut directories: Vec<PathBuf> = [
        "/usr/lib/jvm",
        "/usr/java",
        "/opt/java",
        "/opt/jdk",
        "/Library/Java/JavaVirtualMachines",
        "C:\\Program Files\\Java",
    ]
    .map(PathBuf::from)
    .into();
    if let Some(user) = env::var_os("HOME").map(PathBuf::from) {
        directories.extend(
            [
                ".sdkman/candidates/java",
                ".jdks",
                ".asdf/installs/java",
                ".local/share/mise/installs/java",
                ".gradle/jdks",
                ".jabba/jdk",
                "Library/Java/JavaVirtualMachines",
            ]
            .map(|part| user.join(part)),
        );
    }
    directories
}

/// Homes that are JDKs, symbolic links resolved, each once, by version and then path.
fn jdks_at(homes: &[PathBuf]) -> Vec<Jdk> {
    let mut jdks: Vec<Jdk> = homes.iter().filter_map(|home| Jdk::at(home).ok()).collect();
    jdks.sort_by(|a, b| (a.feature, &a.home).cmp(&(b.feature, &b.home)));
    jdks.dedup_by(|a, b| a.home == b.home);
    jdks
}

fn library_of(home: &Path) -> Option<JdkLibrary> {
    let image = home.join("lib/modules");
    if image.is_file() {
        return Some(JdkLibrary::Image(image));
    }
    let library = [home.join("jre/lib"), home.join("lib")].into_iter().find(|lib| lib.join("rt.jar").is_file())?;
    let mut jars: Vec<PathBuf> =
        ["rt.jar", "jsse.jar", "jce.jar", "charsets.jar", "resources.jar"].map(|jar| library.join(jar)).into();
    let extensions = fs::read_dir(library.join("ext")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut extensions: Vec<PathBuf> = extensions.filter(|path| path.extension().is_some_and(|e| e == "jar")).collect();
    extensions.sort();
    jars.extend(extensions);
    jars.retain(|jar| jar.is_file());
    Some(JdkLibrary::Jars(jars))
}

/// `JAVA_VERSION="17.0.15"` of the `release` file.
fn release_version(home: &Path) -> Option<String> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let version = release.lines().find_map(|line| line.trim().strip_prefix("JAVA_VERSION="))?;
    Some(version.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_versions() {
        for (text, feature) in [("17.0.15", 17), ("1.8.0_392", 8), ("25", 25), ("9-ea", 9), ("1.5.0", 5)] {
            assert_eq!(Jdk::feature_of(text), Some(feature), "{text}");
        }
        assert_eq!(Jdk::feature_of(""), None);
        assert_eq!(Jdk::feature_of("x"), None);
    }

    #[test]
    fn a_directory_without_classes_is_not_a_jdk() {
        let directory = tempfile::tempdir().unwrap();
        let error = Jdk::at(directory.path()).unwrap_err();
        assert!(error.to_string().contains("neither `lib/modules` nor `rt.jar`"), "{error}");
    }
}
