//! Where the test framework comes from: the class path, else the user's local Maven repository, else stubs of its
//! annotations and the commonest assertions, made on the spot. For plain tests the runner needs none of them; the
//! compiler does. What runs all other tests is found by [`engine`].

use super::TestFile;
use super::engine::{self, Engine};
use super::maven::{Artifact, releases};
use program::{ClassName, Jdk, Program};
use std::env;
use std::path::{Path, PathBuf};

/// What a test needs beyond its class path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Supply {
    pub(super) jars: Vec<PathBuf>,
    /// Whether it needs [`all_stubs`], compiled.
    pub(super) stubs: bool,
    /// For whom that is not enough.
    pub(super) next_steps: Vec<String>,
}

struct Framework {
    /// The package that a test imports from; of two that fit, the first counts.
    package: &'static str,
    /// The annotation of a test method, and the element of it that names expected exceptions.
    test: &'static str,
    test_elements: &'static str,
    /// A class that tests of before the annotations extend. There is no stub of it.
    old_class: Option<&'static str>,
    /// The other annotations, in the package of `test`.
    annotations: &'static [&'static str],
    /// The class of the assertions.
    assertions: &'static str,
    /// Directories of artifacts in a Maven repository; all but the first may be missing.
    artifacts: &'static [&'static str],
}

const FRAMEWORKS: [Framework; 3] = [
    Framework {
        package: "org.junit.jupiter",
        test: "org.junit.jupiter.api.Test",
        test_elements: "",
        old_class: None,
        annotations: &["BeforeAll", "BeforeEach", "AfterEach", "AfterAll", "Disabled", "DisplayName", "Nested"],
        assertions: "org.junit.jupiter.api.Assertions",
        artifacts: &[
            "org/junit/jupiter/junit-jupiter-api",
            "org/junit/platform/junit-platform-commons",
            "org/opentest4j/opentest4j",
            "org/apiguardian/apiguardian-api",
        ],
    },
    Framework {
        package: "org.junit",
        test: "org.junit.Test",
        test_elements: "Class<? extends Throwable>[] expected() default {}; long timeout() default 0;",
        old_class: Some("junit.framework.TestCase"),
        annotations: &["BeforeClass", "Before", "After", "AfterClass", "Ignore"],
        assertions: "org.junit.Assert",
        artifacts: &["junit/junit", "org/hamcrest/hamcrest-core"],
    },
    Framework {
        package: "org.testng",
        test: "org.testng.annotations.Test",
        test_elements: "Class<?>[] expectedExceptions() default {}; boolean enabled() default true;",
        old_class: None,
        annotations: &["BeforeClass", "BeforeMethod", "AfterMethod", "AfterClass", "Ignore"],
        assertions: "org.testng.Assert",
        artifacts: &["org/testng/testng"],
    },
];

const ASSERTIONS: &str = include_str!("java/Assertions.java");

/// Finds what is missing for the frameworks that the test mentions.
pub(super) fn supply(test: &[TestFile], program: &Program, repository: Option<&Path>) -> Supply {
    let mut supply = Supply::default();
    for framework in &FRAMEWORKS {
        let wanted = [framework.is_used_by(test).then_some(framework.test), framework.old_class_used_by(test)];
        if !wanted.into_iter().flatten().all(|class| has(program, class)) {
            match repository.map(|repository| framework.jars_in(repository, program.jdk())) {
                Some(jars) if !jars.is_empty() => supply.jars.extend(jars),
                _ => {
                    supply.stubs = true;
                    supply.next_steps.push(framework.next_step(program.jdk()));
                }
            }
        }
    }
    supply
}

/// The jar of Jupiter's parameters, if the test mentions them and the class path so far lacks them; or the step that gets it.
pub(super) fn missing_params(
    test: &[TestFile],
    class_path: &[PathBuf],
    program: &Program,
    repository: Option<&Path>,
) -> Option<Result<PathBuf, String>> {
    let is_used = test.iter().any(|file| file.text.contains(PARAMS));
    let is_there = || {
        let mut names = class_path.iter().filter_map(|jar| jar.file_name()?.to_str());
        has(program, PARAMETERIZED) || names.any(|name| HAVE_PARAMS.iter().any(|has| name.starts_with(has)))
    };
    if !is_used || is_there() {
        return None;
    }
    let version = Engine::Jupiter.version_in(class_path);
    let jar = repository.and_then(|repository| engine::jupiter_params(repository, version.as_deref()));
    Some(jar.ok_or_else(|| Engine::Jupiter.next_step(version.as_deref(), program.jdk())))
}

const PARAMS: &str = "org.junit.jupiter.params.";
const PARAMETERIZED: &str = "org.junit.jupiter.params.ParameterizedTest";
const HAVE_PARAMS: [&str; 2] = ["junit-jupiter-params-", "junit-platform-console-standalone-"];

fn has(program: &Program, class: &str) -> bool {
    program.origin(ClassName::from_dotted(class)).is_some()
}

/// The jars that a test with this annotation is confirmed with beyond its class path. A program may behave otherwise where
/// they are, so workers have them as well.
pub fn framework_jars(annotation: &str, program: &Program) -> Vec<PathBuf> {
    let import = TestFile { path: PathBuf::new(), text: format!("import {annotation};") };
    supply(&[import], program, local_maven_repository().as_deref()).jars
}

/// The jars of the local Maven repository that a test may be compiled against, by what it mentions; whether the class path has them is
/// not asked.
pub fn mentioned_jars(test: &[TestFile], jdk: &Jdk) -> Vec<PathBuf> {
    let Some(repository) = local_maven_repository() else { return Vec::new() };
    let used = |framework: &&Framework| framework.is_used_by(test) || framework.old_class_used_by(test).is_some();
    FRAMEWORKS.iter().filter(used).flat_map(|framework| framework.jars_in(&repository, jdk)).collect()
}

/// Sources of the stubs of all frameworks: path and text. Behind a framework's own classes they are never found.
pub(super) fn all_stubs() -> Vec<(PathBuf, String)> {
    FRAMEWORKS.iter().flat_map(Framework::stubs).collect()
}

/// `~/.m2/repository`, if it is there. Settings that move it are not read: the class path is the way to say more.
pub(super) fn local_maven_repository() -> Option<PathBuf> {
    let home = env::var_os("HOME").filter(|home| !home.is_empty())?;
    Some(PathBuf::from(home).join(".m2/repository")).filter(|repository| repository.is_dir())
}

impl Framework {
    /// `import org.junit.Test` is of JUnit 4, `import org.junit.jupiter.api.Test` is not.
    fn is_used_by(&self, test: &[TestFile]) -> bool {
        let first_fit = |mention: &str| FRAMEWORKS.iter().find(|framework| mention.starts_with(framework.package));
        let is_in = |source: &str| {
            source.match_indices(self.package).any(|(at, _)| {
                let followed = source[at + self.package.len()..].starts_with('.');
                followed && first_fit(&source[at..]).is_some_and(|fit| fit.package == self.package)
            })
        };
        test.iter().any(|file| is_in(&file.text))
    }

    /// The class of old tests, if its package is mentioned.
    fn old_class_used_by(&self, test: &[TestFile]) -> Option<&'static str> {
        let (package, _) = split(self.old_class?);
        let mention = format!("{package}.");
        self.old_class.filter(|_| test.iter().any(|file| file.text.contains(&mention)))
    }

    /// Those of a version that can run all its tests, or else the newest; empty if the first artifact is not there.
    fn jars_in(&self, repository: &Path, jdk: &Jdk) -> Vec<PathBuf> {
        if let Some(set) = Engine::of(self.package).and_then(|engine| engine.find(repository, None, jdk)) {
            return set.compile;
        }
        let newest = |artifact: &str, fits: &dyn Fn(&PathBuf) -> bool| {
            let jars = releases(repository, artifact);
            jars.iter().filter_map(|version| Artifact::new(artifact, version).jar(repository)).find(fits)
        };
        let [first, others @ ..] = self.artifacts else { return Vec::new() };
        let loads = |jar: &PathBuf| engine::runs_on(std::slice::from_ref(jar), self.test, jdk);
        let Some(first) = newest(first, &loads) else { return Vec::new() };
        std::iter::once(first).chain(others.iter().filter_map(|artifact| newest(artifact, &|_| true))).collect()
    }

    fn next_step(&self, jdk: &Jdk) -> String {
        Engine::of(self.package).map_or_else(
            || engine::next_step("JUnit 4", "junit:junit", engine::NEWEST),
            |engine| engine.next_step(None, jdk),
        )
    }

    fn stubs(&self) -> Vec<(PathBuf, String)> {
        let (package, test) = split(self.test);
        let mut stubs = vec![annotation_stub(package, test, self.test_elements)];
        stubs
            .extend(self.annotations.iter().map(|name| annotation_stub(package, name, "String value() default \"\";")));
        let (package, name) = split(self.assertions);
        stubs.push((place(package, name), ASSERTIONS.replace("PACKAGE", package).replace("NAME", name)));
        stubs
    }
}

fn annotation_stub(package: &str, name: &str, elements: &str) -> (PathBuf, String) {
    let text = format!(
        "package {package};\n\n@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\n\
         public @interface {name} {{ {elements} }}\n"
    );
    (place(package, name), text)
}

fn place(package: &str, name: &str) -> PathBuf {
    Path::new(&package.replace('.', "/")).join(format!("{name}.java"))
}

fn split(class: &str) -> (&str, &str) {
    class.rsplit_once('.').unwrap_or(("", class))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used_by(source: &str) -> Vec<&'static str> {
        let test = [TestFile { path: PathBuf::new(), text: source.into() }];
        FRAMEWORKS.iter().filter(|framework| framework.is_used_by(&test)).map(|framework| framework.package).collect()
    }

    #[test]
    fn old_tests_need_junit_as_well() {
        let old = |source: &str| {
            let test = [TestFile { path: PathBuf::new(), text: source.into() }];
            FRAMEWORKS.iter().find_map(|framework| framework.old_class_used_by(&test))
        };
        assert_eq!(old("import junit.framework.TestCase;"), Some("junit.framework.TestCase"));
        assert_eq!(old("import static junit.framework.Assert.*;"), Some("junit.framework.TestCase"));
        assert_eq!(old("import org.junit.Test;"), None);
    }

    #[test]
    fn frameworks_are_told_apart_by_their_imports() {
        assert_eq!(used_by("import org.junit.Test;"), ["org.junit"]);
        assert_eq!(used_by("import static org.junit.Assert.*;"), ["org.junit"]);
        assert_eq!(used_by("import org.junit.jupiter.api.Test;"), ["org.junit.jupiter"]);
        assert_eq!(used_by("@org.testng.annotations.Test"), ["org.testng"]);
        assert_eq!(used_by("import org.junitx.Test;"), [""; 0]);
    }
}
