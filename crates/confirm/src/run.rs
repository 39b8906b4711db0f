//! Runs a compiled test several times, each in a JVM of its own.

use super::compile::CompiledTest;
use super::inside::Setup;
use super::jdk::Tools;
use super::process::{self, Finished, ProcessEnd};
use super::scratch::Scratch;
use super::told::Told;
use super::{ConfirmError, ConfirmOptions, Launch};
use crash_report::Throwable;
use sandbox::{Readable, SandboxPolicy, denied_file, thread_stack, usual_heap};
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// One run of all tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub conditions: Conditions,
    pub end: RunEnd,
    /// In the order in which they were run; a failure outside of any test (a constructor, `@BeforeClass`) has the name of
    /// its class.
    pub tests: Vec<TestRun>,
    /// Tests that were not run or gave up, and parts of a test that only its framework can run, with the reason.
    pub not_run: Vec<(String, String)>,
    /// Classes that could not be loaded, with the reason.
    pub unloadable: Vec<(String, String)>,
    /// Files that it could not read, because the sandbox did not let it.
    pub denied: Vec<PathBuf>,
    /// The end of what was written to the standard outputs.
    pub output: String,
    pub took: Duration,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestRun {
    /// `method(class)`
    pub name: String,
    /// What escaped; `None` for a test that passed.
    pub escaped: Option<Throwable>,
    /// An exception of it tells another stack than the one that the VM noted when it was made: `setStackTrace`, or a copy.
    pub has_replaced_stack: bool,
    /// Classes in stacks of it, by binary name, of which another loader than that of the class path has made one.
    pub elsewhere: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Completed,
    TimedOut,
    /// The JVM ended inside a test: `System.exit`, or it could not start.
    Exited {
        status: i32,
    },
    /// The JVM crashed or was killed.
    Killed {
        signal: i32,
    },
}

/// What a run is made under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conditions {
    /// The user's own.
    Usual,
    /// Another time zone, locale and heap size.
    Other,
}

impl Conditions {
    /// The second of several runs is the other one.
    pub(super) fn of_runs(runs: u32) -> Vec<Conditions> {
        (0..runs.max(1)).map(|run| if run == 1 { Conditions::Other } else { Conditions::Usual }).collect()
    }

    /// A zone that is not a whole number of hours from UTC and has summer time in the south; a locale with another decimal
    /// separator; a small heap.
    fn options(self) -> &'static [&'static str] {
        match self {
            Conditions::Usual => &[],
            Conditions::Other => {
                &["-Duser.timezone=Pacific/Chatham", "-Duser.language=de", "-Duser.country=DE", "-Xmx384m"]
            }
        }
    }
}

/// What is done about frameworks that tests need and the class path lacks.
pub(super) enum Help {
    /// The runner asks for them, and runs nothing if there are any.
    Asked,
    /// They were looked for. Those that were not found, by their package, with the next step.
    Given { missing: Vec<(String, String)> },
}

/// Where a test is run.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) tools: &'a Tools,
    pub(super) launch: &'a Launch,
    /// The archives of the program, those included that only manifests name.
    pub(super) archives: &'a [PathBuf],
    pub(super) scratch: &'a Scratch,
}

/// What came of all runs.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) runs: Vec<Run>,
    /// Packages of the frameworks that the runner asks for.
    pub(super) needs: Vec<String>,
}

/// Runs the test as often as the options say. The runs know nothing of each other, so they are made side by side.
pub(super) fn run_all(
    test: &CompiledTest,
    help: &Help,
    options: &ConfirmOptions,
    place: &Place<'_>,
) -> Result<Tried, ConfirmError> {
    let conditions = Conditions::of_runs(options.runs);
    let mut tried = Tried::default();
    for batch in conditions.chunks(SIDE_BY_SIDE) {
        let made = thread::scope(|scope| {
            let started: Vec<_> =
                batch.iter().map(|conditions| scope.spawn(|| run(test, help, options, *conditions, place))).collect();
            started.into_iter().map(joined).collect::<Result<Vec<_>, _>>()
        })?;
        for (run, needs) in made {
            tried.runs.push(run);
            tried.needs.extend(needs);
        }
    }
    tried.needs.sort_unstable();
    tried.needs.dedup();
    Ok(tried)
}

/// For the files of one run, in bytes; as much as workers give candidates.
const ROOM: u64 = 256 << 20;

/// More JVMs at once would only wait for each other's memory.
const SIDE_BY_SIDE: usize = 4;

fn joined<T>(started: ScopedJoinHandle<'_, T>) -> T {
    started.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn run(
    test: &CompiledTest,
    help: &Help,
    options: &ConfirmOptions,
    conditions: Conditions,
    place: &Place<'_>,
) -> Result<(Run, Vec<String>), ConfirmError> {
    // The only place that a test may write to: not where its own classes are, or the next run would find others.
    let writable = place.scratch.inner()?;
    let directory = writable.path();
    let vm_options = vm_options(test, options, conditions, directory);
    let setup = Setup {
        sandbox: place.launch.sandboxed.then(|| place.policy(test, options, directory, &vm_options)),
        libjvm: place.tools.libjvm.clone(),
        stack: thread_stack(&vm_options),
        vm_options,
        runner: test.runner.clone(),
        classes: classes(test, help),
    };
    let start = Instant::now();
    let finished = process::host(&place.launch.program, &setup, directory, options.limit(options.time_limit)?)
        .map_err(|source| ConfirmError::System { what: "start a JVM", source })?;
    if finished.end == ProcessEnd::TimedOut {
        options.check_time()?;
    }
    let mut told = Told::read(&finished.answer);
    told.add_next_steps(help);
    let needs = std::mem::take(&mut told.needs);
    let run = finished.into_run(told, &test.runner, conditions, start.elapsed());
    let denied = setup.sandbox.map_or_else(Vec::new, |policy| denied_files(&run, &policy.read_only));
    Ok((Run { denied, ..run }, needs))
}

impl Place<'_> {
    fn policy(
        &self,
        test: &CompiledTest,
        options: &ConfirmOptions,
        writable: &Path,
        vm_options: &[String],
    ) -> SandboxPolicy {
        let class_path: Vec<PathBuf> = test.class_path.iter().chain(self.archives).cloned().collect();
        let readable = Readable {
            java_home: Some(&self.tools.home),
            class_path: &class_path,
            allowed: &options.allow_read,
            vm_args: &options.jvm_args,
        };
        let policy = SandboxPolicy::for_worker(writable, &readable).for_vm(vm_options.iter().map(String::as_str));
        SandboxPolicy { scratch_in_memory: Some(ROOM), ..policy }
    }
}

impl Finished {
    fn into_run(self, mut told: Told, runner: &str, conditions: Conditions, took: Duration) -> Run {
        let end = match self.end {
            // Nobody but the host writes this, and ends well after it: what a JVM that died left behind is not believed.
            ProcessEnd::Exited(0) if told.ended => RunEnd::Completed,
            ProcessEnd::TimedOut => RunEnd::TimedOut,
            ProcessEnd::Exited(status) => RunEnd::Exited { status },
            ProcessEnd::Signalled(signal) => RunEnd::Killed { signal },
        };
        Run {
            conditions,
            end,
            tests: told.tests(runner),
            not_run: told.not_run.into_iter().map(|part| (part.name, part.reason)).collect(),
            unloadable: told.unloadable,
            denied: Vec::new(),
            output: String::from_utf8_lossy(&self.stderr).into_owned(),
            took,
        }
    }
}

/// Files that the exceptions of the run, or its output, say it could not read.
fn denied_files(run: &Run, readable: &[PathBuf]) -> Vec<PathBuf> {
    let escaped = run.tests.iter().filter_map(|test| test.escaped.as_ref()).flat_map(Throwable::chain);
    let thrown = escaped.filter_map(|thrown| Some((thrown.class.as_str(), thrown.message.as_deref()?)));
    let printed = run.output.lines().filter_map(|line| line.split_once(": ")).flat_map(|(class, message)| {
        let class = class.rsplit(' ').next().unwrap_or(class);
        // Of a cause, which is printed with what it is the cause of.
        [(class, message)].into_iter().chain(message.split_once(": "))
    });
    let mut files: Vec<PathBuf> =
        thrown.chain(printed).filter_map(|(class, message)| denied_file(class, message, readable)).collect();
    files.sort();
    files.dedup();
    files
}

fn vm_options(test: &CompiledTest, options: &ConfirmOptions, conditions: Conditions, temporary: &Path) -> Vec<String> {
    let temporary = temporary.display();
    let mut args: Vec<String> = vec![
        "-XX:+IgnoreUnrecognizedVMOptions".into(),
        // Without it, hot implicit exceptions lose their stack.
        "-XX:-OmitStackTraceInFastThrow".into(),
        "-XX:-UsePerfData".into(),
        "-Djava.awt.headless=true".into(),
        format!("-Djava.class.path={}", process::joined(&test.class_path).to_string_lossy()),
        format!("-Djava.io.tmpdir={temporary}"),
        format!("-Duser.home={temporary}"),
        format!("-Xmx{}m", usual_heap() >> 20),
    ];
    args.extend(jvm::ARCHIVE_STAYS.map(String::from));
    if !options.helpful_messages {
        args.push("-XX:-ShowCodeDetailsInExceptionMessages".into());
    }
    args.extend(conditions.options().iter().map(ToString::to_string));
    args.extend_from_slice(&options.jvm_args);
    args
}

/// Nested classes are run by their outer class, if at all.
fn classes(test: &CompiledTest, help: &Help) -> String {
    let asks = matches!(help, Help::Asked).then_some("?");
    let names = test.test_classes.iter().map(String::as_str).filter(|name| !name.contains('$'));
    asks.into_iter().chain(names).collect::<Vec<_>>().join("\n")
}
