//! Which project is this, and which class path does it have? Finds the Maven or Gradle project around a directory, the module that the
//! classes of a trace belong to, what is compiled, and what that needs. Knows neither traces nor programs, and compiles nothing.
//!
//! What a module needs is asked of the build tool itself, by its own command, since only that knows its plug-ins, profiles and repositories;
//! the answer is kept until a build file changes. Whoever does not want a build tool to run gets what can be read from
//! the build files and the local repositories ([`Asking::Nobody`]): less, and said where something is missing.
//!
//! A build tool runs whatever the project's build files tell it to, with all rights of the user: it is the user's own command.

mod answers;
mod astray;
mod effective;
mod gradle;
mod layout;
mod local;
mod maven;
mod pom;
mod repository;
mod run;

pub use layout::is_build_file;

use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Maven,
    Gradle,
}

impl Tool {
    pub fn name(self) -> &'static str {
        match self {
            Tool::Maven => "Maven",
            Tool::Gradle => "Gradle",
        }
    }
}

/// A project with its modules.
#[derive(Clone, Debug)]
pub struct Project {
    pub tool: Tool,
    /// Where the build tool is started.
    pub root: PathBuf,
    /// Those that can have classes.
    pub modules: Vec<Module>,
    /// The directory that the project was looked for from.
    asked_in: PathBuf,
}

/// A part of a project that is compiled by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub directory: PathBuf,
    /// As the build tool calls it: `group:artifact`, `:path`.
    pub name: String,
    /// Directories of compiled classes and resources, whether they are there or not.
    pub output: Vec<PathBuf>,
    pub test_output: Vec<PathBuf>,
    /// Where its Java sources and those of its tests are.
    pub sources: PathBuf,
    pub test_sources: PathBuf,
    /// Modules that it needs, by their positions, those that these need included.
    pub siblings: Vec<usize>,
}

/// Whether the build tool may be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    Tool,
    Nobody,
}

/// The class path of a module; all of it exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildPath {
    /// Compiled output of the module, then of those it needs.
    pub own: Vec<PathBuf>,
    /// What these need.
    pub libraries: Vec<PathBuf>,
    /// Compiled tests of the same modules.
    pub tests: Vec<PathBuf>,
    /// What tests need beyond `libraries`.
    pub test_libraries: Vec<PathBuf>,
    /// What could not be found, one sentence each.
    pub problems: Vec<String>,
}

/// Why there is no class path. The fault is in the project or in how the machine is set up.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("`{}` cannot be read as a build file: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: String },
    #[error("{} is not compiled: there are no classes in {}", what(.module), listed(.expected))]
    NotCompiled { module: Option<PathBuf>, expected: Vec<PathBuf>, command: String },
    #[error("no module of the project in `{}` has a class of the trace; it has {}", root.display(), .modules.join(", "))]
    NoModule { root: PathBuf, modules: Vec<String> },
    #[error("{} did not give the class path: `{command}` says: {said}", tool.name())]
    Refused { tool: Tool, command: String, said: String },
    #[error("cannot run `{command}`: {error}")]
    NotRun { command: String, error: std::io::Error },
}

impl BuildError {
    /// What the user can do next.
    pub fn hint(&self) -> String {
        match self {
            BuildError::Unreadable { .. } => "name the program's jars and class directories with `-c` instead".into(),
            BuildError::NotCompiled { command, .. } => format!("compile the project first: `{command}`"),
            BuildError::NoModule { .. } => {
                "run it in the project that the trace is from, or name the program's jars with `-c`".into()
            }
            BuildError::Refused { .. } | BuildError::NotRun { .. } => {
                "mend the build, or name the program's jars with `-c`; `--no-build` does without the build tool".into()
            }
        }
    }
}

fn what(module: &Option<PathBuf>) -> String {
    module.as_ref().map_or_else(|| "the project".into(), |module| format!("`{}`", module.display()))
}

fn listed(paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    shown.join(", ")
}

impl Project {
    /// The project around a directory; none if there is no build file in it or above it.
    pub fn around(directory: &Path) -> Result<Option<Project>, BuildError> {
        layout::around(directory)
    }

    /// The project of this build file.
    pub fn of_file(file: &Path) -> Result<Project, BuildError> {
        layout::of_file(file)
    }

    /// The module that classes with these names belong to: the one that sees most of them, by itself and through the modules that it needs.
    /// Names are those of the JVM, with dots.
    pub fn module_of(&self, classes: &[&str]) -> Result<usize, BuildError> {
        let is_compiled = |module: &Module| module.output.iter().any(|directory| directory.is_dir());
        if !self.modules.iter().any(is_compiled) {
            return Err(self.not_compiled(None));
        }
        let score = |position: usize| {
            let module = &self.modules[position];
            let has = |position: usize, class: &&&str| self.modules[position].has_class(class);
            let seen = |class: &&&str| has(position, class) || module.siblings.iter().any(|other| has(*other, class));
            let own = classes.iter().filter(|class| has(position, class)).count();
            (classes.iter().filter(seen).count(), own, module.directory == self.asked_in)
        };
        let best = (0..self.modules.len()).rev().max_by_key(|position| score(*position));
        match best.filter(|best| score(*best).0 > 0) {
            Some(best) => Ok(best),
            None => self.module_without_classes(classes),
        }
    }

    /// No module has a class: is there a source of one, or is there nothing to choose from?
    fn module_without_classes(&self, classes: &[&str]) -> Result<usize, BuildError> {
        let has_source = |module: &&Module| classes.iter().any(|class| module.has_source(class));
        if let Some(module) = self.modules.iter().find(has_source) {
            return Err(self.not_compiled(Some(module)));
        }
        match self.modules.len() {
            1 => Ok(0),
            _ => Err(BuildError::NoModule { root: self.root.clone(), modules: self.names() }),
        }
    }

    fn names(&self) -> Vec<String> {
        self.modules.iter().map(|module| format!("`{}`", module.name)).collect()
    }

    fn not_compiled(&self, module: Option<&Module>) -> BuildError {
        let expected = module.or(self.modules.first()).map(|module| module.output.clone()).unwrap_or_default();
        let command = match self.tool {
            Tool::Maven => format!("{} test-compile", maven::program(&self.root)),
            Tool::Gradle => format!("{} testClasses", gradle::program(&self.root)),
        };
        BuildError::NotCompiled { module: module.map(|module| module.directory.clone()), expected, command }
    }

    /// The class path of a module. `say` is told each command before it is run.
    pub fn class_path(
        &self,
        module: usize,
        asking: Asking,
        cache: &program::Cache,
        say: &mut dyn FnMut(&str),
    ) -> Result<BuildPath, BuildError> {
        let mut path = match asking {
            Asking::Nobody => self.read(module),
            Asking::Tool => match answers::kept(self, module, cache) {
                Some(kept) => kept,
                None => self.asked(module, cache, say)?,
            },
        };
        path.settle(self, module);
        if asking == Asking::Nobody {
            path.stay_within(self);
        }
        Ok(path)
    }

    fn read(&self, module: usize) -> BuildPath {
        match self.tool {
            Tool::Maven => local::of_maven(self, module),
            Tool::Gradle => local::of_gradle(self, module),
        }
    }

    /// A build tool that is not there, or that fails, is done without if nothing is missing then.
    fn asked(&self, module: usize, cache: &program::Cache, say: &mut dyn FnMut(&str)) -> Result<BuildPath, BuildError> {
        let answer = match self.tool {
            Tool::Maven => maven::ask(self, module, say),
            Tool::Gradle => gradle::ask(self, module, say),
        };
        match answer {
            Ok(path) => {
                answers::keep(self, module, cache, &path);
                Ok(path)
            }
            Err(error) => {
                let mut path = self.read(module);
                if !path.problems.is_empty() {
                    return Err(error);
                }
                path.problems.push(format!("{error}; what follows is read from the build files"));
                Ok(path)
            }
        }
    }

    /// The arguments of the command that runs one test of a module, to be started in [`Project::root`].
    pub fn test_command(&self, module: usize, test: &str) -> Vec<String> {
        match self.tool {
            Tool::Maven => maven::test_command(self, module, test),
            Tool::Gradle => gradle::test_command(self, module, test),
        }
    }
}

impl Module {
    /// Whether a class is in its compiled output.
    pub fn has_class(&self, class: &str) -> bool {
        let file = format!("{}.class", host(class).replace('.', "/"));
        self.output.iter().any(|directory| directory.join(&file).is_file())
    }

    /// Whether there is a source file that is called as the class is.
    fn has_source(&self, class: &str) -> bool {
        let outer = host(class).split('$').next().unwrap_or_default().replace('.', "/");
        let is_there = |extension| self.sources.join(format!("{outer}.{extension}")).is_file();
        is_there("java") || self.sources.with_file_name("kotlin").join(format!("{outer}.kt")).is_file()
    }
}

/// Without what was added when the class was made at run time, `Shop$$Lambda/0x1`.
fn host(class: &str) -> &str {
    class.split("$$").next().unwrap_or(class)
}

impl BuildPath {
    /// Own output is that of the modules as it is now; everything exists, and is there once.
    fn settle(&mut self, project: &Project, module: usize) {
        let modules = || std::iter::once(module).chain(project.modules[module].siblings.iter().copied());
        self.own.extend(modules().flat_map(|position| project.modules[position].output.iter().cloned()));
        self.tests.extend(modules().flat_map(|position| project.modules[position].test_output.iter().cloned()));
        // Archives that siblings would be packed into: their classes are there already.
        let is_of_project = |path: &PathBuf| project.modules.iter().any(|module| module.has_built(path));
        self.libraries.retain(|path| !is_of_project(path));
        self.test_libraries.retain(|path| !is_of_project(path));
        let mut seen = std::collections::BTreeSet::new();
        for list in [&mut self.own, &mut self.libraries, &mut self.tests, &mut self.test_libraries] {
            list.retain(|path| path.exists() && seen.insert(path.clone()));
        }
    }
}

impl Module {
    /// Whether a file or directory is made by building this module.
    fn has_built(&self, path: &Path) -> bool {
        let is_output = self.output.iter().chain(&self.test_output).any(|output| path == output);
        let in_build = ["build", "target"].iter().any(|name| path.starts_with(self.directory.join(name)));
        is_output || in_build
    }
}
