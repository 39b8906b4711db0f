//! Local repositories: where the jars and POMs are that Maven and Gradle have fetched.

use crate::astray;
use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

/// A version of an artifact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Coordinates {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: String,
}

#[derive(Clone, Debug)]
pub(crate) enum Repository {
    /// `group/with/slashes/artifact/version/file`
    Maven(PathBuf),
    /// `group.with.dots/artifact/version/sha1/file`, below `caches/modules-2/files-2.1`
    Gradle(PathBuf),
}

impl Repository {
    fn home(&self, group: &str, artifact: &str) -> PathBuf {
        match self {
            Repository::Maven(root) => root.join(group.replace('.', "/")).join(artifact),
            Repository::Gradle(root) => root.join(group).join(artifact),
        }
    }

    fn file(&self, of: &Coordinates, name: &str) -> Option<PathBuf> {
        let home = self.home(&of.group, &of.artifact).join(&of.version);
        match self {
            Repository::Maven(_) => Some(home.join(name)).filter(|file| file.is_file()),
            Repository::Gradle(_) => {
                let hashes = fs::read_dir(home).into_iter().flatten().flatten();
                let mut files: Vec<PathBuf> = hashes.map(|hash| hash.path().join(name)).collect();
                files.sort();
                files.into_iter().find(|file| file.is_file())
            }
        }
    }
}

/// Several, the first that has something counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repositories(pub(crate) Vec<Repository>);

impl Repositories {
    /// `extension` with what stands before it: `jar`, `pom`, `tests.jar` for a classifier.
    pub(crate) fn file(&self, of: &Coordinates, classifier: Option<&str>, extension: &str) -> Option<PathBuf> {
        let classifier = classifier.map_or_else(String::new, |classifier| format!("-{classifier}"));
        let name = format!("{}-{}{classifier}.{extension}", of.artifact, of.version);
        // Names come from build files: none leads out of the repository.
        let is_plain = |part: &str| !part.is_empty() && !part.contains(['/', '\\', '\0']) && !part.contains("..");
        if ![&of.group, &of.artifact, &of.version, &name].into_iter().all(|part| is_plain(part)) {
            return None;
        }
        self.0.iter().find_map(|repository| repository.file(of, &name))
    }

    /// The newest version that is there, releases before others.
    pub(crate) fn newest(&self, group: &str, artifact: &str) -> Option<String> {
        let homes = self.0.iter().map(|repository| repository.home(group, artifact));
        let entries = homes.flat_map(|home| fs::read_dir(home).into_iter().flatten().flatten());
        let versions = entries.filter(|entry| entry.path().is_dir());
        let versions = versions.filter_map(|entry| entry.file_name().into_string().ok());
        versions.max_by(|a, b| is_release(a).cmp(&is_release(b)).then_with(|| compare(a, b)))
    }
}

fn is_release(version: &str) -> bool {
    version.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn compare(a: &str, b: &str) -> Ordering {
    let numbers = |version: &str| {
        let parts = version.split(['.', '-']).map(|part| part.parse::<u64>().unwrap_or(0));
        parts.collect::<Vec<_>>()
    };
    numbers(a).cmp(&numbers(b)).then_with(|| a.cmp(b))
}

/// Maven's, as far as files tell: `.mvn/maven.config` of the project, the user's settings, else the usual place.
pub(crate) fn of_maven(root: &Path) -> PathBuf {
    let home = home();
    let config = astray::text(&root.join(".mvn/maven.config")).unwrap_or_default();
    let in_config = config.split_whitespace().find_map(|word| word.strip_prefix("-Dmaven.repo.local="));
    let settings = fs::read_to_string(home.join(".m2/settings.xml")).unwrap_or_default();
    let in_settings = in_settings(&settings).map(|path| path.replace("${user.home}", &home.to_string_lossy()));
    match in_config.map(str::to_owned).or(in_settings) {
        Some(path) => root.join(path),
        None => home.join(".m2/repository"),
    }
}

fn in_settings(settings: &str) -> Option<String> {
    let document = roxmltree::Document::parse(settings).ok()?;
    let local = document.root_element().children().find(|it| it.tag_name().name() == "localRepository")?;
    local.text().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Gradle's cache of what it has fetched.
pub(crate) fn of_gradle() -> PathBuf {
    let set = std::env::var_os("GRADLE_USER_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    set.unwrap_or_else(|| home().join(".gradle")).join("caches/modules-2/files-2.1")
}

fn home() -> PathBuf {
    std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_repositories() {
        let place = tempfile::tempdir().unwrap();
        let (maven, gradle) = (place.path().join("m2"), place.path().join("gradle"));
        for file in [
            maven.join("org/acme/lib/1.9/lib-1.9.jar"),
            maven.join("org/acme/lib/1.10/lib-1.10-tests.jar"),
            maven.join("org/acme/lib/2.0-beta/lib-2.0-beta.jar"),
            gradle.join("org.acme/other/3/0a1b/other-3.jar"),
        ] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let all = Repositories(vec![Repository::Maven(maven), Repository::Gradle(gradle)]);
        let of = |artifact: &str, version: &str| Coordinates {
            group: "org.acme".into(),
            artifact: artifact.into(),
            version: version.into(),
        };
        assert!(all.file(&of("lib", "1.9"), None, "jar").is_some());
        assert!(all.file(&of("lib", "1.10"), Some("tests"), "jar").is_some());
        assert!(all.file(&of("lib", "1.10"), None, "jar").is_none());
        assert!(all.file(&of("other", "3"), None, "jar").is_some());
        assert!(all.file(&of("../lib", "1.9"), None, "jar").is_none());
        assert_eq!(all.newest("org.acme", "lib").as_deref(), Some("1.10"));
        assert_eq!(all.newest("org.acme", "none"), None);
    }

    #[test]
    fn settings_name_the_repository() {
        let settings = "<settings xmlns=\"x\"><localRepository>${user.home}/r</localRepository></settings>";
        assert_eq!(in_settings(settings).as_deref(), Some("${user.home}/r"));
        assert_eq!(in_settings("<settings/>"), None);
        assert_eq!(in_settings("no xml"), None);
    }
}
