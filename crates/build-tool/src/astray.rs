//! Where a checkout that nobody has looked at must not lead: out of itself. Its build files and links say where compiled classes and
//! sources of tests are, and what is named as compiled classes can be read by the code that runs, as a whole.

use crate::{BuildPath, Project};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Bytes of a build file; no project writes more by hand.
const LONGEST: u64 = 8 << 20;

/// The text of a build file. Pipes, devices and what is longer than anybody writes are not read.
pub(crate) fn text(file: &Path) -> io::Result<String> {
    let refused = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    if !std::fs::metadata(file)?.is_file() {
        return Err(refused("it is no file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(refused("it is too long for a build file"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Project {
    /// Whether a file or directory, which need not be there, is within the module or the project, and no link leads away on the way to
    /// it.
    pub fn has_own(&self, module: usize, path: &Path) -> bool {
        let (path, root) = (straightened(path), straightened(&self.root));
        let home = straightened(&self.modules[module].directory);
        let there = path.ancestors().find(|place| place.symlink_metadata().is_ok());
        let is_straight = there.is_some_and(|place| place.canonicalize().is_ok_and(|target| target == place));
        is_straight && [home, root].iter().any(|around| path.starts_with(around) && path != *around)
    }
}

impl BuildPath {
    /// Leaves out what the build files name and nobody has meant.
    pub(crate) fn stay_within(&mut self, project: &Project) {
        let modules = 0..project.modules.len();
        let is_own = |path: &PathBuf| modules.clone().any(|module| project.has_own(module, path));
        for list in [&mut self.own, &mut self.tests] {
            let (own, other): (Vec<PathBuf>, Vec<PathBuf>) = std::mem::take(list).into_iter().partition(is_own);
            *list = own;
            self.problems.extend(other.iter().map(|path| {
                format!(
                    "`{}` leads out of the project, and was left out: name it with `-c` if you mean it",
                    path.display()
                )
            }));
        }
        // A directory would be open as a whole.
        self.libraries.retain(|jar| jar.is_file());
        self.test_libraries.retain(|jar| jar.is_file());
    }
}

/// Without `.` and `..`, as the names read.
pub(crate) fn straightened(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                straight.pop();
            }
            part => straight.push(part),
        }
    }
    straight
}

/// What is read of a project; whatever is beyond that is made to keep readers busy.
pub(crate) const MOST_MODULES: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asking, Project};
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A project beside what it must not open, and the class path that is read off its build file.
    fn read(build: impl Fn(&Path, &Path)) -> (tempfile::TempDir, Project, BuildPath) {
        let place = tempfile::tempdir().unwrap();
        let (root, secret) = (place.path().join("checkout"), place.path().join("secret"));
        for directory in [&root.join("target"), &secret] {
            fs::create_dir_all(directory).unwrap();
        }
        fs::write(secret.join("key"), "").unwrap();
        build(&root, &secret);
        let project = Project::around(&root).unwrap().unwrap();
        let cache = program::Cache::none();
        let path = project.class_path(0, Asking::Nobody, &cache, &mut |_| ()).unwrap();
        (place, project, path)
    }

    fn pom(root: &Path, rest: &str) {
        let text = format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>{rest}</project>"
        );
        fs::write(root.join("pom.xml"), text).unwrap();
    }

    #[test]
    fn classes_of_a_checkout_are_within_it() {
        let (_place, project, path) = read(|root, _| {
            pom(root, "");
            fs::create_dir(root.join("target/classes")).unwrap();
        });
        assert_eq!((path.own, path.problems), (vec![project.root.join("target/classes")], Vec::<String>::new()));
        assert!(project.has_own(0, &project.modules[0].test_sources), "it need not be there");
    }

    #[test]
    fn build_files_and_links_lead_nowhere_else() {
        let output = |name: &str, path: &Path| format!("<build><{name}>{}</{name}></build>", path.display());
        type Build<'a> = &'a dyn Fn(&Path, &Path);
        let builds: [Build<'_>; 7] = [
            &|root, secret| pom(root, &output("outputDirectory", secret)),
            &|root, secret| pom(root, &output("testOutputDirectory", secret)),
            &|root, _| pom(root, &output("outputDirectory", Path::new("../secret"))),
            &|root, _| pom(root, &output("outputDirectory", Path::new("."))),
            &|root, secret| {
                pom(root, "");
                symlink(secret, root.join("target/classes")).unwrap();
            },
            &|root, secret| {
                pom(root, "");
                fs::create_dir(secret.join("classes")).unwrap();
                fs::remove_dir(root.join("target")).unwrap();
                symlink(secret, root.join("target")).unwrap();
            },
            &|root, secret| {
                let system = format!("<scope>system</scope><systemPath>{}</systemPath>", secret.display());
                pom(
                    root,
                    &format!(
                        "<dependencies><dependency><groupId>x</groupId><artifactId>y</artifactId><version>1</version>{system}</dependency></dependencies>"
                    ),
                );
            },
        ];
        for (number, build) in builds.iter().enumerate() {
            let (_place, _, path) = read(build);
            let all = [&path.own, &path.tests, &path.libraries, &path.test_libraries];
            assert!(all.iter().all(|list| list.is_empty()), "{number}: {path:?}");
        }
    }

    #[test]
    fn sources_of_tests_are_within_the_project() {
        let (_place, project, _) = read(|root, secret| {
            fs::create_dir(root.join("src")).unwrap();
            symlink(secret, root.join("src/test")).unwrap();
            pom(root, "");
        });
        assert!(!project.has_own(0, &project.modules[0].test_sources));
        let (_place, project, _) = read(|root, secret| {
            pom(root, &format!("<build><testSourceDirectory>{}</testSourceDirectory></build>", secret.display()));
        });
        assert!(!project.has_own(0, &project.modules[0].test_sources));
    }

    #[test]
    fn links_to_other_projects_are_no_modules() {
        let (_place, project, _) = read(|root, secret| {
            pom(root, "<modules><module>own</module><module>link</module></modules>");
            for module in [&root.join("own"), secret] {
                fs::create_dir_all(module).unwrap();
                pom(module, "");
            }
            symlink(secret, root.join("link")).unwrap();
        });
        let directories: Vec<_> = project.modules.iter().map(|module| module.directory.clone()).collect();
        assert_eq!(directories, [project.root.clone(), project.root.join("own")]);
    }

    #[test]
    fn what_is_no_build_file_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("build.gradle");
        fs::write(&file, "x").unwrap();
        assert_eq!(text(&file).unwrap(), "x");
        fs::File::options().write(true).open(&file).unwrap().set_len(LONGEST + 1).unwrap();
        assert!(text(&file).is_err() && text(Path::new("/dev/zero")).is_err() && text(place.path()).is_err());
    }

    /// As many as fit into a build file: each was compared with all before it.
    #[test]
    fn a_long_list_of_dependencies_is_read_at_once() {
        let (_place, _, path) = read(|root, _| {
            let lines: String = (0..200_000).map(|n| format!("  api 'org.x:y{n}:1'\n")).collect();
            fs::write(root.join("build.gradle"), format!("dependencies {{\n{lines}}}\n")).unwrap();
            let include: String = (0..20_000).map(|n| format!("include 'm{n}'\n")).collect();
            fs::write(root.join("settings.gradle"), include).unwrap();
        });
        assert!(path.problems.len() <= 5001, "{}", path.problems.len());
    }
}
