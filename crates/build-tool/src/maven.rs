//! Maven: its modules by their POMs, its class path by its own command.

use crate::effective::{Effective, Poms};
use crate::pom::Pom;
use crate::repository::{self, Repositories, Repository};
use crate::run::{self, complaint};
use crate::{BuildError, BuildPath, Module, Project, Tool, astray};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules of modules; more is a circle.
const DEEPEST: usize = 16;

/// The directories of the POM in this one and of all its modules, outermost first.
pub(crate) fn directories(root: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let mut found = vec![root.to_owned()];
    add_modules(root, &Pom::read(&root.join("pom.xml"))?, 0, &mut found);
    Ok(found)
}

/// A module that cannot be read is left out; Maven will say what is wrong with it.
fn add_modules(directory: &Path, pom: &Pom, depth: usize, found: &mut Vec<PathBuf>) {
    for name in pom.modules.iter().filter(|_| depth < DEEPEST) {
        let named = directory.join(name);
        let place = if named.is_file() { named.parent().map(Path::to_owned) } else { Some(named) };
        // A link to another project would open that.
        let straight = place.map(|place| astray::straightened(&place)).and_then(|place| {
            place.canonicalize().ok().filter(|target| *target == place && found.len() < astray::MOST_MODULES)
        });
        let Some(place) = straight.filter(|it| !found.contains(it)) else { continue };
        if let Ok(pom) = Pom::read(&place.join("pom.xml")) {
            found.push(place.clone());
            add_modules(&place, &pom, depth + 1, found);
        }
    }
}

/// Those that are compiled.
pub(crate) fn modules(root: &Path) -> Result<Vec<Module>, BuildError> {
    let poms = Poms::new(Repositories(vec![Repository::Maven(repository::of_maven(root))]));
    let all = directories(root)?.into_iter();
    let all = all.filter_map(|directory| Some((poms.effective(&directory.join("pom.xml"))?, directory)));
    let compiled: Vec<(Effective, PathBuf)> = all.filter(|(pom, _)| pom.packaging != "pom").collect();
    let key = |pom: &Effective| (pom.group.clone(), pom.artifact.clone());
    let positions: BTreeMap<(String, String), usize> =
        compiled.iter().enumerate().map(|(position, (pom, _))| (key(pom), position)).collect();
    let needs: Vec<Vec<usize>> = compiled
        .iter()
        .map(|(pom, _)| {
            let all = pom.dependencies.iter().map(|it| (it.group.clone(), it.artifact.clone()));
            all.filter_map(|key| positions.get(&key).copied()).collect()
        })
        .collect();
    Ok((0..).zip(&compiled).map(|(at, (pom, directory))| module(pom, directory, closure(&needs, at))).collect())
}

/// Everything that is needed, nearest first, without itself.
pub(crate) fn closure(needs: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut found = vec![from];
    let mut next = 0;
    while let Some(at) = found.get(next).copied() {
        for need in &needs[at] {
            if !found.contains(need) {
                found.push(*need);
            }
        }
        next += 1;
    }
    found.split_off(1)
}

fn module(pom: &Effective, directory: &Path, siblings: Vec<usize>) -> Module {
    let value = |name: &str, usual: &str| directory.join(pom.build.get(name).map_or(usual, String::as_str));
    let target = pom.build.get("directory").cloned().unwrap_or_else(|| "target".into());
    Module {
        directory: directory.to_owned(),
        name: format!("{}:{}", pom.group, pom.artifact),
        output: vec![value("outputDirectory", &format!("{target}/classes"))],
        test_output: vec![value("testOutputDirectory", &format!("{target}/test-classes"))],
        sources: value("sourceDirectory", "src/main/java"),
        test_sources: value("testSourceDirectory", "src/test/java"),
        siblings,
    }
}

/// The project's own wrapper, if it has one.
pub(crate) fn program(root: &Path) -> &'static str {
    if root.join("mvnw").is_file() { "./mvnw" } else { "mvn" }
}

/// Asks for the class path of all scopes, first without the network. With `dependency:list` comes which scope each jar has.
pub(crate) fn ask(project: &Project, module: usize, say: &mut dyn FnMut(&str)) -> Result<BuildPath, BuildError> {
    let program = program(&project.root);
    let place = tempfile::tempdir().map_err(|error| BuildError::NotRun { command: program.into(), error })?;
    let (path, list) = (place.path().join("class-path"), place.path().join("list"));
    let mut refused = None;
    for is_offline in [true, false] {
        let shown = arguments(project, module, is_offline);
        let mut args = shown.clone();
        args.extend(["-B".into(), "-Dstyle.color=never".into(), "-DoutputAbsoluteArtifactFilename=true".into()]);
        args.extend([format!("-Dmdep.outputFile={}", path.display()), format!("-DoutputFile={}", list.display())]);
        let command = run::shown(program, &shown);
        say(&format!("asking Maven for the class path: {command}"));
        let ran = run::run(program, &args, &project.root)?;
        match fs::read_to_string(&path).ok().filter(|_| ran.succeeded) {
            Some(text) => return Ok(answer(text.trim(), &fs::read_to_string(&list).unwrap_or_default())),
            None => refused = Some(BuildError::Refused { tool: Tool::Maven, command, said: complaint(&ran) }),
        }
    }
    Err(refused.unwrap_or(BuildError::Unreadable { file: path, reason: "Maven was not asked".into() }))
}

/// Where a module needs others, Maven 3 knows their output only in a build that has come to the phase in which it is made; compiling itself is
/// left out.
fn arguments(project: &Project, module: usize, is_offline: bool) -> Vec<String> {
    let mut args: Vec<&str> = vec!["-q"];
    args.extend(is_offline.then_some("-o"));
    if !project.modules[module].siblings.is_empty() {
        args.extend(["test-compile", "-Dmaven.main.skip=true", "-Dmaven.test.skip=true"]);
    }
    args.extend(["dependency:build-classpath", "dependency:list", "-DincludeScope=test"]);
    let mut args: Vec<String> = args.into_iter().map(str::to_owned).collect();
    args.extend(selection(project, module));
    args
}

/// The options that choose the module and what it needs; none for the only one.
fn selection(project: &Project, module: usize) -> Vec<String> {
    let directory = &project.modules[module].directory;
    if *directory == project.root && project.modules.len() == 1 {
        return Vec::new();
    }
    let name = directory.strip_prefix(&project.root).ok().filter(|name| !name.as_os_str().is_empty());
    let name = name.map_or_else(|| ".".to_owned(), |name| name.display().to_string());
    vec!["-pl".into(), name, "-am".into()]
}

fn answer(class_path: &str, list: &str) -> BuildPath {
    let mut path = BuildPath::default();
    for entry in class_path.split(':').filter(|entry| !entry.is_empty()) {
        let is_test = list.lines().find_map(|line| Some(scope(line, entry)? == "test")).unwrap_or(false);
        if is_test { &mut path.test_libraries } else { &mut path.libraries }.push(entry.into());
    }
    path
}

/// The scope of a jar by a line of `dependency:list`: `group:artifact:jar:1.0:test:/the/file.jar -- module x`.
fn scope<'a>(line: &'a str, file: &str) -> Option<&'a str> {
    let (before, after) = line.split_once(&format!(":{file}"))?;
    let is_whole = after.is_empty() || after.starts_with(char::is_whitespace);
    before.rsplit(':').next().filter(|_| is_whole)
}

pub(crate) fn test_command(project: &Project, module: usize, test: &str) -> Vec<String> {
    let mut args = vec![program(&project.root).to_owned(), "test".into()];
    let selection = selection(project, module);
    if !selection.is_empty() {
        args.extend(selection);
        // Modules that are built on the way do not have the test; older and newer versions of Surefire ask for different words.
        args.extend(["-DfailIfNoTests=false".into(), "-Dsurefire.failIfNoSpecifiedTests=false".into()]);
    }
    args.push(format!("-Dtest={test}"));
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_those_of_the_list() {
        let list = "\nThe following files have been resolved:\n   a:a:jar:1:compile:/r/a.jar -- module a (auto)\n   \
                    b:b:jar:tests:1:test:/r/b.jar\n   c:c:jar:1:test:/r/a.jar.jar\n";
        let path = answer("/r/a.jar:/r/b.jar:/r/unlisted.jar", list);
        assert_eq!(path.libraries, [PathBuf::from("/r/a.jar"), "/r/unlisted.jar".into()]);
        assert_eq!(path.test_libraries, [PathBuf::from("/r/b.jar")]);
        assert_eq!(answer("", ""), BuildPath::default());
    }

    #[test]
    fn what_is_needed_through_others_is_needed() {
        let needs = [vec![1], vec![2, 0], vec![], vec![]];
        assert_eq!(closure(&needs, 0), [1, 2]);
        assert_eq!(closure(&needs, 3), [0; 0]);
    }
}
