//! A local Maven repository: which releases of an artifact are there, and what each of them needs, as its POM says.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

/// A version of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Artifact {
    /// In the repository: `org/junit/jupiter/junit-jupiter-api`.
    pub(super) directory: String,
    pub(super) version: String,
}

impl Artifact {
    pub(super) fn new(directory: &str, version: &str) -> Artifact {
        Artifact { directory: directory.to_owned(), version: version.to_owned() }
    }

    /// `None` if it is not there.
    pub(super) fn jar(&self, repository: &Path) -> Option<PathBuf> {
        Some(self.file(repository, "jar")?).filter(|jar| jar.is_file())
    }

    fn file(&self, repository: &Path, extension: &str) -> Option<PathBuf> {
        let (_, name) = self.directory.rsplit_once('/')?;
        let file = format!("{name}-{}.{extension}", self.version);
        Some(repository.join(&self.directory).join(&self.version).join(file))
    }

    /// What it needs to run. Nothing is known of an artifact without POM.
    fn dependencies(&self, repository: &Path) -> Vec<Artifact> {
        let pom = self.file(repository, "pom").and_then(|pom| fs::read_to_string(pom).ok()).unwrap_or_default();
        let of = |(directory, version): (String, Option<String>)| {
            // Who leaves the version to a parent can do with any.
            let version = version.or_else(|| releases(repository, &directory).into_iter().next());
            Artifact { directory, version: version.unwrap_or_default() }
        };
        dependencies(&pom).into_iter().map(of).collect()
    }
}

/// The artifacts and all that they need, each once; `None` if the jar of one is missing. Of two versions the one that is nearer
/// counts, as with Maven.
pub(super) fn closure(repository: &Path, roots: &[Artifact]) -> Option<Vec<Artifact>> {
    let mut found: Vec<Artifact> = roots.to_vec();
    let mut next = 0;
    while let Some(artifact) = found.get(next) {
        artifact.jar(repository)?;
        for needed in artifact.dependencies(repository) {
            if found.iter().all(|known| known.directory != needed.directory) {
                found.push(needed);
            }
        }
        next += 1;
    }
    Some(found)
}

/// Versions of the artifact whose jar is there, the newest first.
pub(super) fn releases(repository: &Path, directory: &str) -> Vec<String> {
    let entries = fs::read_dir(repository.join(directory)).into_iter().flatten().flatten();
    let versions = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_there = |version: &String| Artifact::new(directory, version).jar(repository).is_some();
    let mut versions: Vec<String> = versions.filter(|version| is_release(version) && is_there(version)).collect();
    versions.sort_by(|a, b| compare_versions(b, a));
    versions
}

fn is_release(version: &str) -> bool {
    version.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) fn compare_versions(a: &str, b: &str) -> Ordering {
    let numbers = |version: &str| version.split('.').map(|part| part.parse::<u64>().unwrap_or(0)).collect::<Vec<_>>();
    numbers(a).cmp(&numbers(b))
}

/// Directories of what a POM says is needed to run, with the version if it says that plainly.
fn dependencies(pom: &str) -> Vec<(String, Option<String>)> {
    let mut text = pom.to_owned();
    for (start, end) in NOT_NEEDED {
        text = without(&text, start, end);
    }
    let mut needed = Vec::new();
    for dependency in text.split("<dependency>").skip(1) {
        let value = |name: &str| element(dependency, name);
        let is_run = matches!(value("scope"), None | Some("compile" | "runtime"));
        let (Some(group), Some(name)) = (value("groupId"), value("artifactId")) else { continue };
        if is_run && value("optional") != Some("true") && matches!(value("type"), None | Some("jar")) {
            let version = value("version").filter(|version| !version.contains(['$', '[', '(']));
            needed.push((format!("{}/{name}", group.replace('.', "/")), version.map(str::to_owned)));
        }
    }
    needed
}

/// Parts of a POM with dependencies that are none, or not now.
const NOT_NEEDED: [(&str, &str); 5] = [
    ("<!--", "-->"),
    ("<dependencyManagement>", "</dependencyManagement>"),
    ("<build>", "</build>"),
    ("<profiles>", "</profiles>"),
    ("<exclusions>", "</exclusions>"),
];

fn without(text: &str, start: &str, end: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(start) {
        kept.push_str(before);
        rest = inside.split_once(end).map_or("", |(_, after)| after);
    }
    kept + rest
}

fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (value, _) = rest.split_once(&format!("</{name}>"))?;
    Some(value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POM: &str = "<project><artifactId>engine</artifactId>
        <dependencyManagement><dependencies><dependency><groupId>org.junit</groupId><artifactId>bom</artifactId>
          <version>5.10.2</version></dependency></dependencies></dependencyManagement>
        <dependencies>
          <!-- <dependency><groupId>a</groupId><artifactId>commented</artifactId></dependency> -->
          <dependency><groupId>org.junit.platform</groupId><artifactId>junit-platform-engine</artifactId>
            <version> 1.10.2 </version><scope>compile</scope>
            <exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions></dependency>
          <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>${slf4j}</version></dependency>
          <dependency><groupId>a</groupId><artifactId>tested</artifactId><version>1</version><scope>test</scope></dependency>
          <dependency><groupId>a</groupId><artifactId>chosen</artifactId><optional>true</optional></dependency>
        </dependencies></project>";

    #[test]
    fn a_pom_says_what_is_needed_to_run() {
        let expected = [
            ("org/junit/platform/junit-platform-engine".to_owned(), Some("1.10.2".to_owned())),
            ("org/slf4j/slf4j-api".to_owned(), None),
        ];
        assert_eq!(dependencies(POM), expected);
        for broken in ["", "<dependency>", "<!--", "<dependency><groupId>a</groupId><artifactId>"] {
            assert_eq!(dependencies(broken), [], "{broken}");
        }
    }

    fn put(repository: &Path, artifact: &Artifact, pom: &str) {
        let jar = artifact.file(repository, "jar").unwrap();
        fs::create_dir_all(jar.parent().unwrap()).unwrap();
        fs::write(jar, "").unwrap();
        fs::write(artifact.file(repository, "pom").unwrap(), pom).unwrap();
    }

    #[test]
    fn what_is_needed_is_complete_or_nothing() {
        let repository = tempfile::tempdir().unwrap();
        let repository = repository.path();
        let engine = Artifact::new("org/junit/jupiter/engine", "5.10.2");
        put(repository, &engine, POM);
        assert_eq!(closure(repository, std::slice::from_ref(&engine)), None);
        let platform = Artifact::new("org/junit/platform/junit-platform-engine", "1.10.2");
        put(repository, &platform, POM);
        let (old, new) = (Artifact::new("org/slf4j/slf4j-api", "1.9"), Artifact::new("org/slf4j/slf4j-api", "1.10"));
        [&old, &new].into_iter().for_each(|slf4j| put(repository, slf4j, ""));
        assert_eq!(closure(repository, std::slice::from_ref(&engine)), Some(vec![engine, platform, new]));
    }

    #[test]
    fn releases_come_newest_first() {
        let repository = tempfile::tempdir().unwrap();
        for version in ["4.9", "4.13.2", "4.13-beta-1", "5-SNAPSHOT"] {
            put(repository.path(), &Artifact::new("junit/junit", version), "");
        }
        assert_eq!(releases(repository.path(), "junit/junit"), ["4.13.2", "4.9"]);
        assert_eq!(releases(repository.path(), "org/testng/testng"), [""; 0]);
    }
}
