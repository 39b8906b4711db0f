//! What does this test do in a fresh JVM? Compiles Java tests, ours or anybody's, against a class path and runs them
//! several times without instrumentation, once under another time zone, locale and heap size. Knows neither recipes nor
//! targets nor how candidates are run.
//!
//! The answer is what escaped from each test method, with complete stacks, as the JVM told it; comparing that with a crash
//! and giving grades is the caller's job. Whether the source cheats is a question of its own, see [`source`].
//!
//! Nothing is left behind: sources, classes and the working directories are in one temporary directory, which goes with
//! the [`Confirmer`]. Only "could not even try" is an error; a test that does not compile, hangs or ends the JVM is an
//! outcome.

mod answer;
mod compile;
mod compiler;
mod engine;
mod framework;
mod inside;
mod jdk;
mod maven;
mod process;
mod run;
mod runner;
mod scratch;
pub mod source;
mod told;

pub use framework::{framework_jars, mentioned_jars};
pub use inside::{COMMAND, main};
pub use jdk::lender;
pub use run::{Conditions, Run, RunEnd, TestRun};

use compile::{Compiled, CompiledTest};
use compiler::Compiler;
use engine::Engine;
use jdk::Tools;
use program::{ClassName, Jdk, Program, RuntimeClassPath};
use run::{Help, Place};
use scratch::Scratch;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How processes of this program are started, in which the compiler and tests run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What re-executes this program: its path. Its subcommands [`COMMAND`] and `sandboxed-exec` are asked for.
    pub program: Vec<OsString>,
    /// Whether compiler and tests are locked up; otherwise they have the rights of the user.
    pub sandboxed: bool,
}

impl Launch {
    /// What the JDK's programs are locked up by, if they are to be.
    fn lock_up(&self) -> Option<&[OsString]> {
        self.sandboxed.then_some(&self.program)
    }
}

/// One source file of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFile {
    /// Only the file name counts for javac; the whole path is shown in messages.
    pub path: PathBuf,
    pub text: String,
}

impl TestFile {
    pub fn read(path: &Path) -> Result<Self, ConfirmError> {
        let bytes =
            std::fs::read(path).map_err(|source| ConfirmError::UnreadableTest { path: path.to_owned(), source })?;
        Ok(TestFile { path: path.to_owned(), text: String::from_utf8_lossy(&bytes).into_owned() })
    }
}

/// What a test is compiled against and run with.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    pub class_path: &'a RuntimeClassPath,
    /// What it was made from, and the JDK.
    pub program: &'a Program,
}

impl Setting<'_> {
    fn has(&self, class: &str) -> bool {
        self.program.is_application_default(ClassName::from_dotted(class))
    }
}

#[derive(Clone, Debug)]
pub struct ConfirmOptions {
    /// How often the test is run; the second run is the one under other conditions.
    pub runs: u32,
    /// For one run.
    pub time_limit: Duration,
    /// When it must be over, whatever is still to be done.
    pub deadline: Option<Instant>,
    /// Further options for the JVM, as the user gave them.
    pub jvm_args: Vec<String>,
    /// Whether null-pointer exceptions say what was null. Off for a report that has no such text, so that "the same
    /// message" means "none".
    pub helpful_messages: bool,
    /// What the test may read beyond the class path and the JDK.
    pub allow_read: Vec<PathBuf>,
    /// Where test frameworks are looked for if the class path has none; `None` for no such place.
    pub maven_repository: Option<PathBuf>,
}

impl Default for ConfirmOptions {
    fn default() -> Self {
        ConfirmOptions {
            runs: 3,
            time_limit: Duration::from_secs(60),
            deadline: None,
            jvm_args: Vec::new(),
            allow_read: Vec::new(),
            helpful_messages: true,
            maven_repository: framework::local_maven_repository(),
        }
    }
}

impl ConfirmOptions {
    /// How long something may take that has a limit of its own.
    fn limit(&self, own: Duration) -> Result<Duration, ConfirmError> {
        self.check_time()?;
        Ok(self.deadline.map_or(own, |deadline| own.min(deadline.saturating_duration_since(Instant::now()))))
    }

    fn check_time(&self) -> Result<(), ConfirmError> {
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late { Err(ConfirmError::OutOfTime) } else { Ok(()) }
    }
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmation {
    /// The compiler refused it.
    NotCompiled {
        /// The first lines of what it said.
        errors: String,
    },
    Ran {
        /// All classes that were compiled from the test, by binary name: their frames are the test's own.
        classes: Vec<String>,
        /// Those of them that the class path has too.
        replaced: Vec<String>,
        runs: Vec<Run>,
    },
}

/// Why a test could not even be tried.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// The caller's fault: not the home of a Java installation.
    #[error("`{}` has no `bin/java`", home.display())]
    NoJava { home: PathBuf },
    /// The caller's fault: not a JVM that can be hosted.
    #[error("`{}` has no JVM library, so tests cannot be run", home.display())]
    NoLibrary { home: PathBuf },
    /// The caller's fault: a Java runtime without the compiler.
    #[error("`{}` is a Java runtime without `javac`, so tests cannot be compiled", home.display())]
    NoCompiler { home: PathBuf },
    /// The caller's fault.
    #[error("the test `{}` cannot be read", path.display())]
    UnreadableTest { path: PathBuf, source: io::Error },
    /// The system's fault.
    #[error("tests cannot be locked up: {missing}; `--no-sandbox` runs them all the same, with the rights of the user")]
    NoSandbox { missing: &'static str },
    /// Nobody's fault: the deadline came before the answer.
    #[error("there was no time left to try the test")]
    OutOfTime,
    /// The system's fault: no temporary directory, no processes.
    #[error("cannot {what}")]
    System { what: &'static str, source: io::Error },
}

/// Where tests are tried: the programs of one JDK, locked up, its compiler kept warm. Starting one takes a moment only; the
/// compiler gets ready in the background.
pub struct Confirmer {
    tools: Tools,
    launch: Launch,
    compiler: Mutex<Compiler>,
    scratch: Scratch,
}

impl Confirmer {
    /// `readable` is what tests will be compiled against, as far as that is known: a compiler that may not read
    /// what it needs is replaced, which takes the better part of a second.
    pub fn start(jdk: &Jdk, launch: Launch, readable: &[PathBuf]) -> Result<Confirmer, ConfirmError> {
        Confirmer::start_with(jdk, None, launch, readable)
    }

    /// The same; `lender` is whose compiler stands in where the JDK has none (see [`lender`]).
    pub fn start_with(
        jdk: &Jdk,
        lender: Option<&Jdk>,
        launch: Launch,
        readable: &[PathBuf],
    ) -> Result<Confirmer, ConfirmError> {
        let tools = Tools::of(jdk, lender)?;
        if let (true, Some(missing)) = (launch.sandboxed, sandbox::probe().missing()) {
            return Err(ConfirmError::NoSandbox { missing });
        }
        let scratch = Scratch::new()?;
        let mut compiler = Compiler::start(&tools, launch.lock_up(), &scratch, readable)?;
        compile::warm_up(&mut compiler, &tools, &scratch)?;
        Ok(Confirmer { tools, launch, compiler: Mutex::new(compiler), scratch })
    }

    /// Compiles the files together and runs every test in them.
    pub fn confirm(
        &self,
        test: &[TestFile],
        setting: &Setting<'_>,
        options: &ConfirmOptions,
    ) -> Result<Confirmation, ConfirmError> {
        let scratch = self.scratch.inner()?;
        match self.compile(test, setting, options, &scratch)? {
            Compiled::Refused { errors } => Ok(Confirmation::NotCompiled { errors }),
            Compiled::Classes(compiled) => {
                let runs = self.run(&compiled, setting, options, &scratch)?;
                let replaced = compiled.test_classes.iter().filter(|name| setting.has(name)).cloned().collect();
                Ok(Confirmation::Ran { classes: compiled.test_classes, replaced, runs })
            }
        }
    }

    /// A framework that has to run some of the tests itself, and is not on the class path, is looked for.
    fn run(
        &self,
        test: &CompiledTest,
        setting: &Setting<'_>,
        options: &ConfirmOptions,
        scratch: &Scratch,
    ) -> Result<Vec<Run>, ConfirmError> {
        let run = |test: &CompiledTest, help: &Help| {
            let archives = setting.program.archives();
            let place = Place { tools: &self.tools, launch: &self.launch, archives: &archives, scratch };
            run::run_all(test, help, options, &place)
        };
        let asked = run(test, &Help::Asked)?;
        if asked.needs.is_empty() {
            return Ok(asked.runs);
        }
        let mut test = test.clone();
        let mut missing = Vec::new();
        for package in asked.needs {
            match engine_for(&package, &test.class_path, setting.program.jdk(), options) {
                Ok(jars) => test.class_path.extend(jars),
                Err(next_step) => missing.push((package, next_step)),
            }
        }
        Ok(run(&test, &Help::Given { missing })?.runs)
    }

    fn compile(
        &self,
        test: &[TestFile],
        setting: &Setting<'_>,
        options: &ConfirmOptions,
        scratch: &Scratch,
    ) -> Result<Compiled, ConfirmError> {
        // Answers that were not waited for are counted, so whoever panicked in between did no harm.
        let mut compiler = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        compile::compile(test, setting, options, &mut compiler, &self.tools, (&self.scratch, scratch))
    }
}

/// The jars of what runs a framework's tests, or the step that gets them.
fn engine_for(
    package: &str,
    class_path: &[PathBuf],
    jdk: &Jdk,
    options: &ConfirmOptions,
) -> Result<Vec<PathBuf>, String> {
    let engine = Engine::of(package).ok_or_else(|| format!("nothing is known of `{package}`"))?;
    let version = engine.version_in(class_path);
    let repository = options.maven_repository.as_deref();
    let found = repository.and_then(|repository| engine.find(repository, version.as_deref(), jdk));
    found.map(|set| set.run).ok_or_else(|| engine.next_step(version.as_deref(), jdk))
}

impl fmt::Debug for Confirmer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Confirmer").field("jdk", &self.tools.home).finish_non_exhaustive()
    }
}
