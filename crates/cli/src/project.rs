//! The class path of the Maven or Gradle project that the user is in, where none is typed, or that `-c pom.xml` names.

use crate::args::Crash;
use crate::failure::Failure;
use crate::load::Log;
use crate::terminal;
use build_tool::{Asking, BuildError, BuildPath, Project};
use program::{Cache, ClassPath};
use reproduce::shell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the program is made of.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) class_path: ClassPath,
    pub(crate) project: Option<InProject>,
    /// How long the build tool took, which is not the search's time.
    pub(crate) waited: Duration,
}

/// The module that the crash belongs to.
#[derive(Clone, Debug)]
pub(crate) struct InProject {
    project: Project,
    module: usize,
    path: BuildPath,
}

/// Whether a project has to be looked at, and the log before it.
pub(crate) fn is_wanted(crash: &Crash) -> bool {
    crash.class_path.is_empty() || parts(crash).iter().any(|part| build_tool::is_build_file(part))
}

/// What was typed; taken apart only where a build file is among other entries.
fn parts(crash: &Crash) -> Vec<PathBuf> {
    let mut parts = Vec::new();
    for typed in &crash.class_path {
        let pieces: Vec<PathBuf> = std::env::split_paths(typed).collect();
        match pieces.iter().any(|piece| build_tool::is_build_file(piece)) {
            true => parts.extend(pieces),
            false => parts.push(typed.into()),
        }
    }
    parts
}

impl Given {
    /// The class path as it was typed; build files in it stand for their projects, and so does the working directory if there is none.
    pub(crate) fn new(crash: &Crash, log: Option<&Log>) -> Result<Given, Failure> {
        let Some(log) = log.filter(|_| is_wanted(crash)) else {
            return Ok(Given {
                class_path: ClassPath::parse(&crash.class_path)?,
                project: None,
                waited: Duration::ZERO,
            });
        };
        let started = Instant::now();
        let mut entries: Vec<OsString> = Vec::new();
        let mut found = None;
        if crash.class_path.is_empty() {
            let project = InProject::new(here()?, crash, log)?;
            entries.extend(project.class_path());
            found = Some(project);
        }
        for part in parts(crash) {
            if build_tool::is_build_file(&part) {
                let project = Project::of_file(&part).map_err(|error| failure(&error))?;
                let project = InProject::new(project, crash, log)?;
                entries.extend(project.class_path());
                found = found.or(Some(project));
            } else {
                entries.push(part.into());
            }
        }
        // Only build tools take their own time.
        let waited = if crash.no_build { Duration::ZERO } else { started.elapsed() };
        Ok(Given { class_path: ClassPath::parse(entries)?, project: found, waited })
    }
}

/// The project around the working directory.
fn here() -> Result<Project, Failure> {
    let here =
        std::env::current_dir().map_err(|error| Failure::new(format!("there is no working directory: {error}")))?;
    let around = Project::around(&here).map_err(|error| failure(&error))?;
    around.ok_or_else(|| {
        Failure::new("the class path is empty, and no Maven or Gradle project is here").hint(
            "name the program's jars and class directories: `--class-path 'app.jar:lib/*'`, or run it in a project",
        )
    })
}

fn failure(error: &BuildError) -> Failure {
    Failure::from_error(error).hint(error.hint())
}

impl InProject {
    fn new(project: Project, crash: &Crash, log: &Log) -> Result<InProject, Failure> {
        let module = module_of(&project, crash, log)?;
        let asking = if crash.no_build { Asking::Nobody } else { Asking::Tool };
        let say = &mut |text: &str| terminal::say(text);
        let path = project.class_path(module, asking, &Cache::of_user(), say).map_err(|error| failure(&error))?;
        for problem in &path.problems {
            terminal::say(&format!("warning: {problem}"));
        }
        Ok(InProject { project, module, path })
    }

    fn class_path(&self) -> impl Iterator<Item = OsString> {
        self.path.own.iter().chain(&self.path.libraries).map(|path| path.clone().into_os_string())
    }

    /// Compiled tests with what they need; empty if there are none.
    pub(crate) fn tests(&self) -> Vec<PathBuf> {
        if self.path.tests.is_empty() {
            return Vec::new();
        }
        self.path.tests.iter().chain(&self.path.test_libraries).cloned().collect()
    }

    /// How many directories of compiled tests it has.
    pub(crate) fn test_outputs(&self) -> usize {
        self.path.tests.len()
    }

    /// `Maven module com.acme:web in shop/web`.
    pub(crate) fn title(&self) -> String {
        let module = &self.project.modules[self.module];
        format!("{} module {} in {}", self.project.tool.name(), module.name, from_here(&module.directory).display())
    }

    /// The framework that its tests are written with, by the jars that they get.
    pub(crate) fn framework(&self) -> Option<junit::Framework> {
        let jars = self.path.test_libraries.iter().chain(&self.path.libraries);
        let names: Vec<String> = jars.filter_map(|jar| Some(jar.file_name()?.to_string_lossy().into_owned())).collect();
        let has = |start: &str| names.iter().any(|name| name.starts_with(start));
        let known = [
            ("junit-jupiter-api-", junit::Framework::JUnit5),
            ("junit-4", junit::Framework::JUnit4),
            ("testng-", junit::Framework::TestNg),
        ];
        known.into_iter().find(|(start, _)| has(start)).map(|(_, framework)| framework)
    }

    /// Where the sources of its tests are, for a test that goes there. A checkout may have made a link of that, or its build file may
    /// name any directory.
    pub(crate) fn own_test_sources(&self) -> Result<PathBuf, Failure> {
        let sources = &self.project.modules[self.module].test_sources;
        if self.project.has_own(self.module, sources) {
            return Ok(self.test_sources());
        }
        Err(Failure::new(format!("the test sources `{}` lead out of the project", sources.display()))
            .hint("leave `--into-tests` out, or name the directory with `--out`"))
    }

    /// Where the sources of its tests are.
    pub(crate) fn test_sources(&self) -> PathBuf {
        from_here(&self.project.modules[self.module].test_sources)
    }

    /// What runs one test of it, once it is among its sources. `file` is the test below its source directory; `java_home` is the JDK, where
    /// the build tool would take another one by itself.
    pub(crate) fn test_command(&self, file: &Path, java_home: Option<&Path>) -> String {
        let class = file.with_extension("").display().to_string().replace('/', ".");
        let args = self.project.test_command(self.module, &class);
        let command: Vec<String> = args.iter().map(|arg| shell::quoted(arg)).collect();
        let root = from_here(&self.project.root);
        let jdk = java_home.map(|home| format!("JAVA_HOME={} ", shell::path(&home.display().to_string())));
        let command = jdk.unwrap_or_default() + &command.join(" ");
        if root == Path::new(".") {
            return command;
        }
        format!("cd {} && {command}", shell::path(&root.display().to_string()))
    }
}

/// The first trace that a module has classes of decides.
fn module_of(project: &Project, crash: &Crash, log: &Log) -> Result<usize, Failure> {
    let mut why = None;
    for classes in log.classes_by_trace(crash.trace) {
        match project.module_of(&classes) {
            Ok(module) => return Ok(module),
            Err(error) => why = Some(why.unwrap_or_else(|| failure(&error))),
        }
    }
    Err(why.unwrap_or_else(|| Failure::new("the log has no trace")))
}

/// Relative to the working directory where it lies below.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    match path.strip_prefix(here) {
        Ok(below) if below.as_os_str().is_empty() => ".".into(),
        Ok(below) => below.to_owned(),
        Err(_) => path.to_owned(),
    }
}
