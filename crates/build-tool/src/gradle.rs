//! Gradle: its modules by its settings, its class path by a task that an init script adds to the build.

use crate::maven::closure;
use crate::pom::Dependency;
use crate::run::{self, complaint};
use crate::{BuildError, BuildPath, Module, Project, Tool, astray};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Adds the task. It works with everything between Gradle 4 and 8.
const INIT_SCRIPT: &str = include_str!("init.gradle");
/// Dependencies that are read off build files.
const MOST: usize = 5000;
const TASK: &str = "reenactClassPath";
/// Languages whose compilers have directories of their own.
const LANGUAGES: [&str; 4] = ["java", "kotlin", "groovy", "scala"];

/// The modules that `settings.gradle` names by plain words, and the root itself.
pub(crate) fn modules(root: &Path) -> Vec<Module> {
    let mut paths = vec![":".to_owned()];
    paths.extend(included(&first_text(root, "settings")).into_iter().take(astray::MOST_MODULES));
    let directories: Vec<PathBuf> = paths.iter().map(|path| directory_of(root, path)).collect();
    let positions: BTreeMap<&str, usize> = paths.iter().rev().map(String::as_str).zip((0..paths.len()).rev()).collect();
    let needs: Vec<Vec<usize>> = directories
        .iter()
        .map(|directory| {
            let named = projects_in(&first_text(directory, "build"));
            named.iter().filter_map(|name| positions.get(name.as_str()).copied()).collect()
        })
        .collect();
    let all = (0..).zip(&paths).zip(&directories);
    all.map(|((at, path), directory)| module(path, directory, closure(&needs, at))).collect()
}

fn module(path: &str, directory: &Path, siblings: Vec<usize>) -> Module {
    let output = |set: &str| {
        let mut output: Vec<PathBuf> =
            LANGUAGES.iter().map(|language| directory.join(format!("build/classes/{language}/{set}"))).collect();
        output.push(directory.join(format!("build/resources/{set}")));
        output
    };
    Module {
        directory: directory.to_owned(),
        name: path.to_owned(),
        output: output("main"),
        test_output: output("test"),
        sources: directory.join("src/main/java"),
        test_sources: directory.join("src/test/java"),
        siblings,
    }
}

/// `a`, `:b:c` of `include 'a', ':b:c'` and `include("a")`, as Gradle calls them.
fn included(settings: &str) -> Vec<String> {
    let statement = pattern(r#"(?m)^\s*include\b\s*\(?((?:\s*["'][^"']+["']\s*,?)+)"#);
    let quoted = pattern(r#"["']([^"']+)["']"#);
    let text = without_comments(settings);
    let lists = statement.captures_iter(&text).filter_map(|found| found.get(1));
    let names =
        lists.flat_map(|list| quoted.captures_iter(list.as_str()).map(|it| it[1].to_owned()).collect::<Vec<_>>());
    names.map(|name| format!(":{}", name.trim_start_matches(':'))).collect()
}

/// What `project(':x')` and `project(path: ":x")` name.
fn projects_in(build: &str) -> Vec<String> {
    let call = pattern(r#"\bproject\s*\(\s*(?:path\s*[:=]\s*)?["'](:[^"']*)["']"#);
    call.captures_iter(&without_comments(build)).map(|found| found[1].to_owned()).collect()
}

/// What is written as `group:name:version` in the build files that concern a module.
pub(crate) fn declared(project: &Project, module: usize) -> Vec<Dependency> {
    let line = pattern(
        r#"(?m)^[^\n"']*?\b(\w+)[ \t]*\(?[ \t]*["']([\w.-]+):([\w.-]+):([\w.+-]+)(?::([\w.-]+))?(?:@\w+)?["']"#,
    );
    let own = &project.modules[module];
    let siblings = own.siblings.iter().map(|position| &project.modules[*position].directory);
    let directories = [&own.directory, &project.root].into_iter().chain(siblings);
    let texts: Vec<String> = directories.map(|directory| without_comments(&first_text(directory, "build"))).collect();
    let mut found: Vec<Dependency> = Vec::new();
    let mut known = BTreeSet::new();
    for (at, text) in texts.iter().enumerate() {
        for it in line.captures_iter(text) {
            let is_test = it[1].starts_with("test");
            // Tests of other modules are not run here; plug-ins and processors are not part of the program.
            if (is_test && at > 1) || ["classpath", "annotationProcessor", "kapt"].contains(&&it[1]) {
                continue;
            }
            let dependency = Dependency {
                group: it[2].to_owned(),
                artifact: it[3].to_owned(),
                version: Some(it[4].to_owned()),
                classifier: it.get(5).map(|it| it.as_str().to_owned()),
                scope: is_test.then(|| "test".into()),
                ..Dependency::default()
            };
            if found.len() < MOST && known.insert(dependency.key()) {
                found.push(dependency);
            }
        }
    }
    found
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("written here and tested")
}

fn without_comments(text: &str) -> String {
    // An address in a string has slashes, too.
    pattern(r"(?s)/\*.*?\*/|(?m)(?:^|\s)//[^\n]*").replace_all(text, "").into_owned()
}

fn directory_of(root: &Path, path: &str) -> PathBuf {
    path.split(':')
        .filter(|part| !part.is_empty() && *part != "..")
        .fold(root.to_owned(), |place, part| place.join(part))
}

/// `build.gradle` or `build.gradle.kts`; empty if there is neither.
fn first_text(directory: &Path, name: &str) -> String {
    let read = |end: &str| astray::text(&directory.join(format!("{name}.{end}"))).ok();
    read("gradle").or_else(|| read("gradle.kts")).unwrap_or_default()
}

/// The project's own wrapper, if it has one.
pub(crate) fn program(root: &Path) -> &'static str {
    if root.join("gradlew").is_file() { "./gradlew" } else { "gradle" }
}

/// Asks for the class path, first without the network.
pub(crate) fn ask(project: &Project, module: usize, say: &mut dyn FnMut(&str)) -> Result<BuildPath, BuildError> {
    let program = program(&project.root);
    let not_run = |error| BuildError::NotRun { command: program.into(), error };
    let place = tempfile::tempdir().map_err(not_run)?;
    let script = place.path().join("reenact.init.gradle");
    fs::write(&script, INIT_SCRIPT).map_err(not_run)?;
    let mut refused = None;
    for is_offline in [true, false] {
        let mut args: Vec<String> = vec!["-q".into()];
        args.extend(is_offline.then(|| "--offline".to_owned()));
        args.extend(["-I".into(), script.display().to_string(), task(project, module, TASK)]);
        let command = run::shown(program, &args);
        say(&format!("asking Gradle for the class path: {command}"));
        // The task looks at the project while it runs, which this cache forbids.
        args.extend(["configuration-cache", "unsafe.configuration-cache"].map(|it| format!("-Dorg.gradle.{it}=false")));
        let ran = run::run(program, &args, &project.root)?;
        match answer(&ran.stdout).filter(|_| ran.succeeded) {
            Some(path) => return Ok(path),
            None => refused = Some(BuildError::Refused { tool: Tool::Gradle, command, said: complaint(&ran) }),
        }
    }
    Err(refused.unwrap_or(BuildError::Unreadable { file: script, reason: "Gradle was not asked".into() }))
}

fn task(project: &Project, module: usize, name: &str) -> String {
    let module = project.modules[module].name.trim_end_matches(':');
    format!("{module}:{name}")
}

/// None if the task has said nothing: a project of another kind.
fn answer(said: &str) -> Option<BuildPath> {
    let mut path = BuildPath::default();
    for line in said.lines().filter_map(|line| line.strip_prefix("reenact ")) {
        let (kind, file) = line.split_once(' ')?;
        let list = match kind {
            "output" => &mut path.own,
            "library" => &mut path.libraries,
            "test-output" => &mut path.tests,
            "test-library" => &mut path.test_libraries,
            _ => continue,
        };
        list.push(file.trim_end().into());
    }
    (path != BuildPath::default()).then_some(path)
}

pub(crate) fn test_command(project: &Project, module: usize, test: &str) -> Vec<String> {
    vec![program(&project.root).into(), task(project, module, "test"), "--tests".into(), test.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_those_that_are_included() {
        let settings = "rootProject.name = 'shop'\n// include 'old'\ninclude 'core',\n  ':web:api'\ninclude(\"app\")\nincludeBuild '../x'\n";
        assert_eq!(included(settings), [":core", ":web:api", ":app"]);
        assert_eq!(included("include(\n  \"a\",\n  \"b\"\n)"), [":a", ":b"]);
        assert_eq!(directory_of(Path::new("/r"), ":web:api"), Path::new("/r/web/api"));
        assert_eq!(directory_of(Path::new("/r"), ":..:..:web"), Path::new("/r/web"), "Gradle knows no such names");
    }

    #[test]
    fn a_module_needs_the_projects_that_it_names() {
        let build = "dependencies { implementation project(':core')\n api(project(\"path\")) \n x project(path: ':a:b') // project(':no')\n}";
        assert_eq!(projects_in(build), [":core", ":a:b"]);
    }

    #[test]
    fn dependencies_that_are_written_out() {
        let place = tempfile::tempdir().unwrap();
        let text = "buildscript { dependencies { classpath 'p:plugin:1' } }\ndependencies {\n  implementation 'org.x:y-z:1.2.RELEASE'\n  \
                    testImplementation(\"junit:junit:4.13.2\")\n  url 'http://repo:80'\n  /* api 'a:b:1' */\n}\n";
        fs::write(place.path().join("build.gradle"), text).unwrap();
        let project = crate::layout::of_file(&place.path().join("build.gradle")).unwrap();
        let found = declared(&project, 0);
        let shown: Vec<_> = found.iter().map(|it| (it.artifact.as_str(), it.scope.as_deref())).collect();
        assert_eq!(shown, [("y-z", None), ("junit", Some("test"))]);
    }

    #[test]
    fn the_answer_is_what_the_task_prints() {
        let said = "Welcome\nreenact output /p/build/classes/java/main\nreenact library /r/a b.jar\nreenact test-output /p/t\nreenact new x\n";
        let path = answer(said).unwrap();
        assert_eq!((path.own.len(), &path.libraries), (1, &vec![PathBuf::from("/r/a b.jar")]));
        assert_eq!(answer("nothing\n"), None);
    }
}
