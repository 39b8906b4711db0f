//! What runs the tests that only their framework can run: the jars of JUnit 5 and TestNG that are more than annotations and
//! assertions. Tests name none of them, so they are rarely on the class path; a local Maven repository often has them.

use super::maven::{Artifact, closure, compare_versions, releases};
use program::{Cache, ClassName, ClassPath, Jdk, Program};
use std::path::{Path, PathBuf};

/// A framework with such jars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Jupiter,
    TestNg,
}

/// Jars of a framework that belong together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Set {
    version: String,
    /// What tests are compiled against.
    pub(super) compile: Vec<PathBuf>,
    /// What runs them, those included.
    pub(super) run: Vec<PathBuf>,
}

const JUPITER_API: &str = "org/junit/jupiter/junit-jupiter-api";
const JUPITER_PARAMS: &str = "org/junit/jupiter/junit-jupiter-params";
const JUPITER_ENGINE: &str = "org/junit/jupiter/junit-jupiter-engine";
const PLATFORM_ENGINE: &str = "org/junit/platform/junit-platform-engine";
const PLATFORM_LAUNCHER: &str = "org/junit/platform/junit-platform-launcher";
/// All of the above in one jar.
const STANDALONE: &str = "org/junit/platform/junit-platform-console-standalone";
const TESTNG: &str = "org/testng/testng";
/// TestNG from 7.6 on is compiled for Java 11.
const TESTNG_BEFORE_JAVA_11: &str = "[7,7.6)";
/// Runs on every JDK that we do; later ones do not.
const ANY_JUNIT_5: &str = "[1,2)";
pub(super) const NEWEST: &str = "RELEASE";
/// Java 1 would be class file version 45.
const FIRST_VERSION: u32 = 44;

impl Engine {
    /// By the package of its annotations.
    pub(super) fn of(package: &str) -> Option<Engine> {
        match package {
            "org.junit.jupiter" => Some(Engine::Jupiter),
            "org.testng" => Some(Engine::TestNg),
            _ => None,
        }
    }

    /// The newest set of the repository that is complete and runs on the JDK; of this version, if one is given.
    pub(super) fn find(self, repository: &Path, version: Option<&str>, jdk: &Jdk) -> Option<Set> {
        let mut sets = match self {
            Engine::Jupiter => jupiter_sets(repository),
            Engine::TestNg => testng_sets(repository),
        };
        // The sort is stable: of equals the first kind is taken.
        sets.sort_by(|a, b| compare_versions(&b.version, &a.version));
        let fits = |set: &Set| version.is_none_or(|version| set.version == version);
        sets.into_iter().filter(fits).find(|set| runs_on(&set.run, self.class(), jdk))
    }

    /// The version of the framework that is on a class path already, by the name of its jar.
    pub(super) fn version_in(self, class_path: &[PathBuf]) -> Option<String> {
        let artifact = match self {
            Engine::Jupiter => JUPITER_API,
            Engine::TestNg => TESTNG,
        };
        let (_, name) = artifact.rsplit_once('/')?;
        let version = |jar: &PathBuf| {
            let file = jar.file_name()?.to_str()?;
            let version = file.strip_prefix(name)?.strip_prefix('-')?.strip_suffix(".jar")?;
            Some(version.to_owned())
        };
        class_path.iter().find_map(version)
    }

    /// How its user gets it. `version` is that of the part that is there.
    pub(super) fn next_step(self, version: Option<&str>, jdk: &Jdk) -> String {
        match (self, version) {
            (Engine::Jupiter, version) => {
                let version = version.map_or_else(|| ANY_JUNIT_5.to_owned(), platform_version);
                next_step("JUnit 5", "org.junit.platform:junit-platform-console-standalone", &version)
            }
            (Engine::TestNg, version) => {
                let newest = if jdk.feature < 11 { TESTNG_BEFORE_JAVA_11 } else { NEWEST };
                next_step("TestNG with what it needs", "org.testng:testng", version.unwrap_or(newest))
            }
        }
    }

    /// One of those that run tests.
    fn class(self) -> &'static str {
        match self {
            Engine::Jupiter => "org.junit.jupiter.engine.JupiterTestEngine",
            Engine::TestNg => "org.testng.TestNG",
        }
    }
}

/// What to do about a framework that is not there.
pub(super) fn next_step(name: &str, artifact: &str, version: &str) -> String {
    format!(
        "put {name} (`{artifact}`) on the class path, or into the local Maven repository: \
         `mvn dependency:get '-Dartifact={artifact}:{version}'`"
    )
}

/// A jar with the classes that tests with parameters are compiled against: they are no part of the API.
pub(super) fn jupiter_params(repository: &Path, version: Option<&str>) -> Option<PathBuf> {
    let newest = || releases(repository, JUPITER_PARAMS).into_iter().next();
    let version = version.map(str::to_owned).or_else(newest)?;
    let whole = || Artifact::new(STANDALONE, &platform_version(&version)).jar(repository);
    Artifact::new(JUPITER_PARAMS, &version).jar(repository).or_else(whole)
}

fn jupiter_sets(repository: &Path) -> Vec<Set> {
    let engines = releases(repository, JUPITER_ENGINE);
    let mut sets: Vec<Set> = engines.iter().filter_map(|version| jupiter_set(repository, version)).collect();
    sets.extend(releases(repository, STANDALONE).iter().filter_map(|version| {
        let jar = vec![Artifact::new(STANDALONE, version).jar(repository)?];
        Some(Set { version: jupiter_version(version), compile: jar.clone(), run: jar })
    }));
    sets
}

fn jupiter_set(repository: &Path, version: &str) -> Option<Set> {
    let engine = Artifact::new(JUPITER_ENGINE, version);
    let needed = closure(repository, std::slice::from_ref(&engine))?;
    let platform = needed.iter().find(|artifact| artifact.directory == PLATFORM_ENGINE)?;
    let launcher = Artifact::new(PLATFORM_LAUNCHER, &platform.version);
    let params = Artifact::new(JUPITER_PARAMS, version);
    let params = params.jar(repository).map(|_| params);
    let compile: Vec<Artifact> = std::iter::once(Artifact::new(JUPITER_API, version)).chain(params).collect();
    let run: Vec<Artifact> = compile.iter().cloned().chain([engine, launcher]).collect();
    let jars = |roots: &[Artifact]| jars(repository, &closure(repository, roots)?);
    Some(Set { version: version.to_owned(), compile: jars(&compile)?, run: jars(&run)? })
}

fn testng_sets(repository: &Path) -> Vec<Set> {
    let set = |version: &String| {
        let testng = Artifact::new(TESTNG, version);
        let run = jars(repository, &closure(repository, std::slice::from_ref(&testng))?)?;
        Some(Set { version: version.clone(), compile: vec![testng.jar(repository)?], run })
    };
    releases(repository, TESTNG).iter().filter_map(set).collect()
}

fn jars(repository: &Path, artifacts: &[Artifact]) -> Option<Vec<PathBuf>> {
    artifacts.iter().map(|artifact| artifact.jar(repository)).collect()
}

/// JUnit 5 is Jupiter 5 on platform 1; from 6 on both have the same number.
fn jupiter_version(platform: &str) -> String {
    platform.strip_prefix("1.").map_or_else(|| platform.to_owned(), |rest| format!("5.{rest}"))
}

fn platform_version(jupiter: &str) -> String {
    jupiter.strip_prefix("5.").map_or_else(|| jupiter.to_owned(), |rest| format!("1.{rest}"))
}

/// Whether the JDK can load the class. What cannot be read is left for the JVM to complain about.
pub(super) fn runs_on(jars: &[PathBuf], class: &str, jdk: &Jdk) -> bool {
    let opened = ClassPath::parse(jars).and_then(|jars| Program::open(&jars, jdk.clone(), &Cache::none()));
    let class = opened.ok().and_then(|(program, _)| program.class(ClassName::from_dotted(class)));
    class.is_none_or(|class| u32::from(class.major) <= FIRST_VERSION + u32::from(jdk.feature))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_part_is_in_its_name() {
        let class_path =
            ["/lib/junit-jupiter-api-extras.jar.d", "/lib/junit-jupiter-api-5.10.2.jar", "/lib/testng-7.5.1.jar"];
        let class_path = class_path.map(PathBuf::from);
        assert_eq!(Engine::Jupiter.version_in(&class_path).as_deref(), Some("5.10.2"));
        assert_eq!(Engine::TestNg.version_in(&class_path).as_deref(), Some("7.5.1"));
        assert_eq!(Engine::TestNg.version_in(&class_path[..2]), None);
    }

    #[test]
    fn jupiter_and_its_platform_count_together() {
        for (jupiter, platform) in [("5.10.2", "1.10.2"), ("6.0.1", "6.0.1")] {
            assert_eq!(platform_version(jupiter), platform);
            assert_eq!(jupiter_version(platform), jupiter);
        }
    }

    /// One jar is all that the next step gets.
    #[test]
    fn the_jar_of_everything_has_the_parameters() {
        let repository = tempfile::tempdir().unwrap();
        let directory = repository.path().join(STANDALONE).join("1.10.2");
        let jar = directory.join("junit-platform-console-standalone-1.10.2.jar");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(&jar, "").unwrap();
        assert_eq!(jupiter_params(repository.path(), Some("5.10.2")), Some(jar));
        assert_eq!(jupiter_params(repository.path(), Some("5.11.0")), None);
    }
}
