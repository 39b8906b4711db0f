//! The main job: progress on standard error, the test and the command that runs it on standard output.

use crate::args::{self, Framework, Reproduce, Style};
use crate::confirm;
use crate::context;
use crate::failure::Failure;
use crate::header;
use crate::interrupt::Interruptible;
use crate::linkage;
use crate::load::{self, Loaded, Log};
use crate::meter::{Cost, Metered, Tally};
use crate::progress::Progress;
use crate::project::{self, Given, InProject};
use crate::result::ResultView;
use crate::terminal::{self, Talk, Words};
use crate::watchdog::{LastWords, Watchdog};
use crash_report::message::explains_nulls;
use program::{Cache, ClassName, ClassPath, Jdk, Program, RuntimeClassPath};
use reproduce::{Budget, Build, Clock, Crash, ReproduceError, Settings, SoFar, Tools, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;
use worker::{Host, HostConfig};

pub(crate) fn run(args: &Reproduce, started: Instant) -> Result<ExitCode, Failure> {
    let session = Interruptible::later("stopping with the best test so far; press Ctrl-C again to quit at once")?;
    // Who writes the log into a pipe may take any time for it, which is not ours.
    let is_piped = context::is_read_once(&args.crash.crash);
    let is_early = is_piped || project::is_wanted(&args.crash);
    let log = if is_early { Some(Log::read(&args.crash)?) } else { None };
    let given = Given::new(&args.crash, log.as_ref())?;
    let place = Place::new(args, &given)?;
    // Nor is that of a build tool.
    let started = if is_piped { Instant::now() } else { started + given.waited };
    let clock = Clock { started, budget: args.candidates.map_or(Budget::Time(args.budget), Budget::Candidates) };
    let so_far = SoFar::new(args.seed);
    let tally = Arc::new(Mutex::new(Tally::default()));
    let watchdog = Watchdog::start(clock.end(), session.scratch.path().to_owned(), {
        let (so_far, tally, stop, json) = (so_far.clone(), tally.clone(), session.stop.clone(), args.crash.json);
        let place = place.clone();
        move || {
            let cost = tally.lock().unwrap_or_else(PoisonError::into_inner).cost();
            let mut verdict = so_far.verdict();
            verdict.effort.elapsed = clock.elapsed();
            last_words(&verdict, &place, cost, (stop.load(Ordering::Relaxed), json))
        }
    });
    session.begin();
    let result = search(args, (log, given, &place), &session, (clock, so_far), tally);
    watchdog.call_off(result.as_ref().map_or(2, |words| words.status));
    let LastWords { words, status } = result?;
    terminal::print_words(&words);
    Ok(ExitCode::from(status))
}

/// Where the test goes.
#[derive(Clone, Debug)]
struct Place {
    out: PathBuf,
    /// The project, and whether the test goes into its sources.
    project: Option<InProject>,
    is_among_tests: bool,
    /// The JDK, where the build tool would take another one; known once the program is opened.
    java_home: Arc<OnceLock<PathBuf>>,
}

impl Place {
    fn new(args: &Reproduce, given: &Given) -> Result<Place, Failure> {
        let out = match &given.project {
            Some(project) if args.into_tests => project.own_test_sources()?,
            None if args.into_tests => {
                return Err(Failure::new("`--into-tests` needs a project, and the class path is that of none")
                    .hint("leave `-c` out in a Maven or Gradle project, or give its `pom.xml` or `build.gradle`"));
            }
            _ => args.out.clone(),
        };
        let (project, is_among_tests) = (given.project.clone(), args.into_tests);
        Ok(Place { out, project, is_among_tests, java_home: Arc::default() })
    }

    /// What runs the test in the project, where there is one.
    fn command(&self, test: &Path) -> Option<String> {
        let file = test.strip_prefix(&self.out).ok()?;
        Some(self.project.as_ref()?.test_command(file, self.java_home.get().map(PathBuf::as_path)))
    }
}

/// What there is to say of a verdict.
fn last_words(verdict: &Verdict, place: &Place, cost: Cost, (is_stopped, json): (bool, bool)) -> LastWords {
    let mut view = ResultView::new(verdict, cost, is_stopped);
    let command = verdict.test.as_ref().and_then(|test| place.command(&test.path));
    if let (Some(command), Some(project)) = (command, &place.project) {
        let among = if place.is_among_tests { None } else { Some(project.test_sources()) };
        view.tell_project(command, among.as_deref());
    }
    let words = match json {
        true => Words::json(&view.json().unwrap_or_default()),
        false => Words::text(&view.text(terminal::has_colour())),
    };
    LastWords { words, status: if verdict.is_success() { 0 } else { 1 } }
}

fn search(
    args: &Reproduce,
    (log, given, place): (Option<Log>, Given, &Place),
    session: &Interruptible,
    (clock, so_far): (Clock, SoFar),
    tally: Arc<Mutex<Tally>>,
) -> Result<LastWords, Failure> {
    let log = log.map_or_else(|| Log::read(&args.crash), Ok)?;
    let loaded = load::load_with(&args.crash, log, given)?;
    load::check_versions(&loaded.throwable, &loaded.program)?;
    load::warn_of(&loaded.problems);
    load::warn_of_log(&loaded);
    let jdk = loaded.program.jdk();
    if Jdk::find(None).is_ok_and(|usual| usual.home != jdk.home) {
        let _ = place.java_home.set(jdk.home.clone());
    }
    let fixed = fixed(args, &loaded)?;
    let runtime = loaded.program.runtime_class_path()?;
    load::tell_unpacked(&runtime);
    let examples = examples(args, &loaded.given)?;
    let tests = match &loaded.given.project {
        Some(project) if args.tests.is_empty() => project.test_outputs(),
        _ => examples.as_ref().map_or(0, |all| all.entries().len() - loaded.given.class_path.entries().len()),
    };
    let settings = settings(args, (runtime, place), (fixed, examples), (clock, so_far, session.stop.clone()))?;
    check_writable(&settings)?;
    let talk = talk(args);
    talk.note(&header::text(&args.crash.crash, &loaded, tests));
    talk.detail(&header::details(&loaded));
    // Engines may lack the same thing.
    for lack in settings.engines.iter().filter_map(|engine| engine.lacks()).collect::<BTreeSet<_>>() {
        terminal::say(&format!("note: {lack}"));
    }
    if args.no_sandbox {
        terminal::say(
            "warning: candidates run without a sandbox and with all your rights: they may change and delete your files",
        );
    }
    let program = loaded.program;
    let application = Arc::new(loaded.application);
    let crash = Crash {
        throwable: loaded.throwable,
        before: loaded.before,
        waypoints: loaded.waypoints,
        is_application: {
            let program = program.clone();
            Arc::new(move |class: &str| application.contains(&program, class))
        },
    };
    let host = Host::new(host_config(&settings, &program, &crash)?, program.clone());
    let mut runner = Metered::new(host, Host::statistics, tally);
    let progress = Progress::new(args.crash.json, settings.clock.budget, talk);
    // First of all: the compiler gets ready while the search is on.
    let lender = confirm::lender(program.jdk());
    let confirmer = reproduce::start_confirmer(&program, &settings, lender.as_ref());
    let confirmer = confirmer.map_err(|error| failure(&error, &program))?;
    if let Err(error) = &confirmer {
        terminal::say(&format!("warning: {error}; a test that is found will not be confirmed"));
    }
    let tools = Tools { runner: &mut runner, confirmer };
    let verdict = reproduce::reproduce(&crash, &program, &settings, tools, &mut |event| progress.show(&event));
    progress.finish();
    let verdict = verdict.map_err(|error| failure(&error, &program))?;
    Ok(last_words(&verdict, place, runner.finish(), (session.is_stopped(), args.crash.json)))
}

fn talk(args: &Reproduce) -> Talk {
    match (args.quiet, args.verbose) {
        (true, _) => Talk::Quiet,
        (false, true) => Talk::Verbose,
        (false, false) => Talk::Usual,
    }
}

fn settings(
    args: &Reproduce,
    (class_path, place): (RuntimeClassPath, &Place),
    (fixed, examples): (Option<Build>, Option<ClassPath>),
    (clock, so_far, stop): (Clock, SoFar, Arc<AtomicBool>),
) -> Result<Settings, Failure> {
    Ok(Settings {
        examples,
        class_path,
        fixed,
        clock,
        seed: args.seed,
        jobs: args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, usize::from),
        out: place.out.clone(),
        in_package: place.is_among_tests,
        framework: args.junit.map(framework).or_else(|| place.project.as_ref()?.framework()),
        assert_throws: args.style == Style::AssertThrows,
        jvm_args: args.jvm_arg.clone(),
        allow_read: confirm::allow_read(&args.allow_read)?,
        launch: confirm::launch(args.no_sandbox)?,
        engines: args.engines.choose().map_err(Failure::new)?,
        stop,
        so_far,
    })
}

fn framework(framework: Framework) -> junit::Framework {
    match framework {
        Framework::JUnit4 => junit::Framework::JUnit4,
        Framework::JUnit5 => junit::Framework::JUnit5,
        Framework::TestNg => junit::Framework::TestNg,
        Framework::Main => junit::Framework::Main,
    }
}

/// The fixed build. It is opened here already: what is wrong with it must not come out when a test was found.
fn fixed(args: &Reproduce, loaded: &Loaded) -> Result<Option<Build>, Failure> {
    if args.fixed.is_empty() {
        return Ok(None);
    }
    let class_path = ClassPath::parse(&args.fixed)?;
    let (program, problems) = Program::open(&class_path, loaded.program.jdk().clone(), &Cache::of_user())?;
    load::warn_of(&problems);
    load::check_versions(&loaded.throwable, &program)?;
    Ok(Some(Build { class_path: program.runtime_class_path()?, program: Arc::new(program) }))
}

/// The tests with the program before them, so that what they call is found.
fn examples(args: &Reproduce, given: &Given) -> Result<Option<ClassPath>, Failure> {
    let tests = match &given.project {
        _ if !args.tests.is_empty() => ClassPath::parse(&args.tests)?.entries().to_vec(),
        Some(project) => project.tests(),
        None => Vec::new(),
    };
    if tests.is_empty() {
        return Ok(None);
    }
    Ok(Some(ClassPath::parse(given.class_path.entries().iter().chain(&tests))?))
}

/// Said before the search, not after a minute of it.
fn check_writable(settings: &Settings) -> Result<(), Failure> {
    let shown = settings.out.display();
    // Whoever names a link means where it leads; nobody has named this one.
    if settings.out == Path::new(args::OUT) && settings.out.is_symlink() {
        return Err(Failure::new(format!("the output directory `{shown}` is a symbolic link, which is not followed"))
            .hint("name the directory with `--out DIR`"));
    }
    // A new file with a name that nobody could foresee, removed at once.
    let probe = |()| tempfile::Builder::new().prefix(".reenact-").tempfile_in(&settings.out);
    std::fs::create_dir_all(&settings.out).and_then(probe).map(drop).map_err(|error| {
        Failure::new(format!("cannot write to the output directory `{shown}`: {error}"))
            .hint("choose another one with `--out DIR`")
    })
}

fn host_config(settings: &Settings, program: &program::Program, crash: &Crash) -> Result<HostConfig, Failure> {
    let mut class_path = settings.class_path.entries().to_vec();
    let annotation = reproduce::test_annotation(settings, program);
    class_path.extend(annotation.into_iter().flat_map(|annotation| ::confirm::framework_jars(annotation, program)));
    let mut vm_args = settings.jvm_args.clone();
    // So that messages can be equal, workers do as the confirming JVM does, and that as the JVM of the log did.
    if !explains_nulls(&crash.throwable) && program.jdk().feature >= 14 {
        vm_args.push("-XX:-ShowCodeDetailsInExceptionMessages".into());
    }
    Ok(HostConfig {
        command: vec![confirm::this_program()?.into(), crate::WORKER.into()],
        class_path,
        link: target_class(crash, program).into_iter().collect(),
        allow_read: settings.allow_read.clone(),
        vm_args,
        sandboxed: settings.launch.sandboxed,
        jobs: settings.jobs,
        repeatable: matches!(settings.clock.budget, reproduce::Budget::Candidates(_)),
    })
}

/// The class that crashes: without it there is nothing to search for. Frames further out may be missing what they need, and the
/// inner ones can still be reproduced. Some classes exist only while a program runs.
fn target_class(crash: &Crash, program: &Program) -> Option<String> {
    let top = crash.throwable.frames.iter().find(|frame| (crash.is_application)(&frame.class))?;
    program.class(ClassName::from_dotted(&top.class)).map(|_| top.class.clone())
}

fn failure(error: &ReproduceError, program: &Program) -> Failure {
    let failure = Failure::from_error(error);
    match error {
        ReproduceError::Runner(recipe::RunnerError::Unlinkable { class, thrown }) => {
            linkage::failure(class, thrown, program)
        }
        ReproduceError::Program(error) => failure.hint(error.hint()),
        ReproduceError::Threads(_) => failure.hint("close other programs, or raise the limit that `ulimit -u` shows"),
        ReproduceError::Runner(recipe::RunnerError::CannotStart { hint: Some(hint), .. }) => failure.hint(hint.clone()),
        ReproduceError::Runner(_) => failure.hint("`reenact doctor` shows what the JDK and the sandbox offer"),
        ReproduceError::Confirm(error) | ReproduceError::Unconfirmed { source: error, .. } => {
            failure.hint(confirm::hint(error))
        }
        ReproduceError::Unwritable { test, .. } => {
            // Found and confirmed: it must not be lost for want of a place.
            terminal::print(test);
            failure.hint("the test is on standard output; choose another output directory with `--out DIR`")
        }
    }
}
