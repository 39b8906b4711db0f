//! The main job: progress on standard error, the test and the command that runs it on standard output.

use crate::args::{Framework, Reproduce, Style};
use crate::confirm;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::load::{self, Loaded};
use crate::meter::Metered;
use crate::progress::Progress;
use crate::result::ResultView;
use crate::terminal;
use jvm_host::{Host, HostConfig};
use program::{Cache, ClassPath, Program};
use reproduce::{Budget, Crash, ReproduceError, Settings};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &Reproduce) -> Result<ExitCode, Failure> {
    let session = Interruptible::begin("stopping with the best test so far; once more quits at once")?;
    let loaded = load::load(&args.crash)?;
    load::check_versions(&loaded.throwable, &loaded.program)?;
    load::warn_of(&loaded.problems);
    let fixed = fixed(args, &loaded)?;
    let settings = settings(args, loaded.class_path, fixed, &session)?;
    check_writable(&settings)?;
    if args.no_sandbox {
        eprintln!(
            "warning: candidates run without sandbox, with all your rights: they may change and delete your files"
        );
    }
    let program = Arc::new(loaded.program);
    let application = Arc::new(loaded.application);
    let crash = Crash {
        throwable: loaded.throwable,
        before: loaded.before,
        is_application: {
            let program = program.clone();
            Arc::new(move |class: &str| application.contains(&program, class))
        },
    };
    let mut runner = Metered::new(Host::new(host_config(&settings, &program, &crash)?, program.clone()));
    let mut progress = Progress::new(args.crash.json, settings.budget);
    let verdict = reproduce::reproduce(&crash, &program, &settings, &mut runner, &mut |event| progress.show(&event));
    progress.finish();
    let verdict = verdict.map_err(|error| failure(&error))?;
    let view = ResultView::new(&verdict, runner.finish(Host::statistics), session.is_stopped());
    terminal::print(&if args.crash.json { view.json()? } else { view.text(terminal::has_colour()) });
    Ok(ExitCode::from(if verdict.is_full() { 0 } else { 1 }))
}

fn settings(
    args: &Reproduce,
    class_path: ClassPath,
    fixed: Option<ClassPath>,
    session: &Interruptible,
) -> Result<Settings, Failure> {
    Ok(Settings {
        examples: examples(args, &class_path)?,
        class_path,
        fixed,
        budget: args.candidates.map_or(Budget::Time(args.budget), Budget::Candidates),
        seed: args.seed,
        jobs: args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, usize::from),
        out: args.out.clone(),
        framework: args.junit.map(|framework| match framework {
            Framework::JUnit4 => junit::Framework::JUnit4,
            Framework::JUnit5 => junit::Framework::JUnit5,
            Framework::TestNg => junit::Framework::TestNg,
            Framework::Main => junit::Framework::Main,
        }),
        assert_throws: args.style == Style::AssertThrows,
        jvm_args: args.jvm_arg.clone(),
        allow_read: confirm::allow_read(&args.allow_read)?,
        lock_up: confirm::lock_up(args.no_sandbox)?,
        evolve: args.evolve.clone(),
        stop: session.stop.clone(),
    })
}

/// The fixed build. It is opened here already: what is wrong with it must not come out when a test was found.
fn fixed(args: &Reproduce, loaded: &Loaded) -> Result<Option<ClassPath>, Failure> {
    if args.fixed.is_empty() {
        return Ok(None);
    }
    let fixed = ClassPath::parse(&args.fixed)?;
    let (program, problems) = Program::open(&fixed, loaded.program.jdk().clone(), &Cache::of_user())?;
    load::warn_of(&problems);
    load::check_versions(&loaded.throwable, &program)?;
    Ok(Some(fixed))
}

/// The tests with the program before them, so that what they call is found.
fn examples(args: &Reproduce, class_path: &ClassPath) -> Result<Option<ClassPath>, Failure> {
    if args.tests.is_empty() {
        return Ok(None);
    }
    let tests = ClassPath::parse(&args.tests)?;
    Ok(Some(ClassPath::parse(class_path.entries().iter().chain(tests.entries()))?))
}

/// Said before the search, not after a minute of it.
fn check_writable(settings: &Settings) -> Result<(), Failure> {
    let probe = settings.out.join(".reenact-write-test");
    std::fs::create_dir_all(&settings.out)
        .and_then(|()| std::fs::write(&probe, b""))
        .and_then(|()| std::fs::remove_file(&probe))
        .map_err(|error| {
            Failure::new(format!("cannot write to the output directory `{}`: {error}", settings.out.display()))
                .hint("choose another one with `--out DIR`")
        })
}

fn host_config(settings: &Settings, program: &program::Program, crash: &Crash) -> Result<HostConfig, Failure> {
    let mut class_path = absolute(settings.class_path.entries());
    let annotation = reproduce::test_annotation(settings, program);
    class_path
        .extend(annotation.into_iter().flat_map(|annotation| jvm_host::confirm::framework_jars(annotation, program)));
    let mut vm_args = settings.jvm_args.clone();
    // A report without a message is of a JVM that did not explain null pointers; so that messages can be equal, workers do
    // as the confirming JVM does.
    if crash.throwable.message.is_none() && program.jdk().feature >= 14 {
        vm_args.push("-XX:-ShowCodeDetailsInExceptionMessages".into());
    }
    Ok(HostConfig {
        command: vec![confirm::this_program()?.into(), crate::WORKER.into()],
        class_path,
        allow_read: settings.allow_read.clone(),
        vm_args,
        sandboxed: settings.lock_up.is_some(),
        jobs: settings.jobs,
    })
}

/// Workers have a working directory of their own.
fn absolute(entries: &[std::path::PathBuf]) -> Vec<std::path::PathBuf> {
    entries.iter().map(|entry| std::path::absolute(entry).unwrap_or_else(|_| entry.clone())).collect()
}

fn failure(error: &ReproduceError) -> Failure {
    let failure = Failure::from_error(error);
    match error {
        ReproduceError::Program(error) => failure.hint(error.hint()),
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
