//! Runs a compiled test once, in a JVM of its own, and reads what the runner tells.

use super::compile::CompiledTest;
use super::jdk::Tools;
use super::process::{self, Finished, LockUp, ProcessEnd, Program};
use super::runner::random_key;
use super::scratch::Scratch;
use super::{ConfirmError, ConfirmOptions};
use crash_report::{Frame, Throwable};
use sandbox::{Readable, SandboxPolicy, denied_file, usual_heap};
use std::ffi::OsString;
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

#[derive(Clone, Debug, PartialEq)]
pub struct TestRun {
    /// `method(class)`
    pub name: String,
    /// What escaped; `None` for a test that passed.
    pub escaped: Option<Throwable>,
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
    /// What re-executes this program, if the test is to be locked up.
    pub(super) lock_up: Option<&'a [OsString]>,
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
    let key = random_key();
    let args = arguments(test, help, options, conditions, directory);
    let lock_up = place.lock_up(test, options, directory, &args);
    let readable = lock_up.as_ref().map(|lock_up| lock_up.policy.read_only.clone());
    let program = Program { program: &place.tools.java, args: &args, directory, lock_up };
    let start = Instant::now();
    let finished = process::run(&program, format!("{key}\n").as_bytes(), &key, options.limit(options.time_limit)?)
        .map_err(|source| ConfirmError::System { what: "start java", source })?;
    if finished.end == ProcessEnd::TimedOut {
        options.check_time()?;
    }
    let mut told = Told::read(&finished.stdout, &key);
    told.add_next_steps(help);
    let needs = std::mem::take(&mut told.needs);
    let run = told.into_run(&finished, &test.runner, conditions, start.elapsed());
    let denied = readable.map_or_else(Vec::new, |readable| denied_files(&run, &readable));
    Ok((Run { denied, ..run }, needs))
}

impl<'a> Place<'a> {
    fn lock_up(
        &self,
        test: &CompiledTest,
        options: &ConfirmOptions,
        writable: &Path,
        args: &[OsString],
    ) -> Option<LockUp<'a>> {
        let class_path: Vec<PathBuf> = test.class_path.iter().chain(self.archives).cloned().collect();
        let readable = Readable {
            java_home: None,
            class_path: &class_path,
            allowed: &options.allow_read,
            vm_args: &options.jvm_args,
        };
        let LockUp { command, policy } = self.tools.lock_up(self.lock_up, writable, readable)?;
        let policy = policy.for_vm(args.iter().filter_map(|arg| arg.to_str()));
        Some(LockUp { command, policy: SandboxPolicy { scratch_in_memory: Some(ROOM), ..policy } })
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

fn arguments(
    test: &CompiledTest,
    help: &Help,
    options: &ConfirmOptions,
    conditions: Conditions,
    temporary: &Path,
) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec![
        "-XX:+IgnoreUnrecognizedVMOptions".into(),
        // Without it, hot implicit exceptions lose their stack.
        "-XX:-OmitStackTraceInFastThrow".into(),
        "-XX:-UsePerfData".into(),
        "-Djava.awt.headless=true".into(),
        property("java.io.tmpdir", temporary),
        property("user.home", temporary),
        format!("-Xmx{}m", usual_heap() >> 20).into(),
    ];
    args.extend(jvm::ARCHIVE_STAYS.map(OsString::from));
    if !options.helpful_messages {
        args.push("-XX:-ShowCodeDetailsInExceptionMessages".into());
    }
    args.extend(conditions.options().iter().map(OsString::from));
    args.extend(options.jvm_args.iter().map(OsString::from));
    args.extend(["-classpath".into(), process::joined(&test.class_path), OsString::from(&test.runner)]);
    if matches!(help, Help::Asked) {
        args.push("?".into());
    }
    // Nested classes are run by their outer class, if at all.
    args.extend(test.test_classes.iter().filter(|name| !name.contains('$')).map(OsString::from));
    args
}

fn property(name: &str, value: &Path) -> OsString {
    let mut text = OsString::from(format!("-D{name}="));
    text.push(value);
    text
}

/// What the runner told; see its head for the form of its lines.
#[derive(Default)]
struct Told {
    started: Vec<String>,
    /// The name of a test and the exceptions of a chain, outermost first.
    failures: Vec<(String, Vec<Throwable>)>,
    not_run: Vec<NotRun>,
    unloadable: Vec<(String, String)>,
    needs: Vec<String>,
    ended: bool,
}

struct NotRun {
    name: String,
    reason: String,
    /// The package of the framework that would run it, if it were there.
    lacks: Option<String>,
}

impl Told {
    fn read(output: &[u8], key: &str) -> Told {
        let mut told = Told::default();
        for line in String::from_utf8_lossy(output).lines() {
            let Some(fields) = line.strip_prefix(key).and_then(|rest| rest.strip_prefix('\t')) else { continue };
            told.take(&fields.split('\t').collect::<Vec<_>>());
        }
        told
    }

    /// Who reads that a framework is missing should read where it is to be had.
    fn add_next_steps(&mut self, help: &Help) {
        let Help::Given { missing } = help else { return };
        for part in &mut self.not_run {
            let step = missing.iter().find(|(package, _)| Some(package) == part.lacks.as_ref());
            part.reason.extend(step.into_iter().flat_map(|(_, step)| ["; ", step]));
        }
    }

    fn into_run(mut self, finished: &Finished, runner: &str, conditions: Conditions, took: Duration) -> Run {
        let end = match finished.end {
            _ if self.ended => RunEnd::Completed,
            ProcessEnd::TimedOut => RunEnd::TimedOut,
            ProcessEnd::Exited(status) => RunEnd::Exited { status },
            ProcessEnd::Signalled(signal) => RunEnd::Killed { signal },
        };
        Run {
            conditions,
            end,
            tests: self.tests(runner),
            not_run: self.not_run.into_iter().map(|part| (part.name, part.reason)).collect(),
            unloadable: self.unloadable,
            denied: Vec::new(),
            output: String::from_utf8_lossy(&finished.stderr).into_owned(),
            took,
        }
    }

    fn take(&mut self, fields: &[&str]) {
        let text = |field: &str| unescaped(field).unwrap_or_default();
        match *fields {
            ["T", name] => self.started.extend(unescaped(name).filter(|name| !self.started.contains(name))),
            ["F", name] => self.failures.push((text(name), Vec::new())),
            ["X", class, message] => self.take_exception(class, message),
            ["A", class, method, file, line] => self.take_frame(class, method, file, line),
            ["S", name, reason] => self.take_not_run(name, reason, None),
            ["S", name, reason, framework] => self.take_not_run(name, reason, Some(framework)),
            ["N", framework] => self.needs.push(framework.to_owned()),
            ["E", class, reason] => self.unloadable.push((text(class), text(reason))),
            ["END"] => self.ended = true,
            _ => {}
        }
    }

    fn take_not_run(&mut self, name: &str, reason: &str, lacks: Option<&str>) {
        let text = |field: &str| unescaped(field).unwrap_or_default();
        self.not_run.push(NotRun { name: text(name), reason: text(reason), lacks: lacks.map(str::to_owned) });
    }

    fn take_exception(&mut self, class: &str, message: &str) {
        let Some((_, chain)) = self.failures.last_mut() else { return };
        let block = chain.len();
        let class = unescaped(class).unwrap_or_default();
        chain.push(Throwable { class, message: unescaped(message), block, ..Throwable::default() });
    }

    fn take_frame(&mut self, class: &str, method: &str, file: &str, line: &str) {
        let Some(thrown) = self.failures.last_mut().and_then(|(_, chain)| chain.last_mut()) else { return };
        let line: i64 = line.parse().unwrap_or(-1);
        thrown.frames.push(Frame {
            class: unescaped(class).unwrap_or_default(),
            method: unescaped(method).unwrap_or_default(),
            file: unescaped(file),
            line: u32::try_from(line).ok().filter(|line| *line > 0),
            // What `StackTraceElement` has in place of a line for such methods.
            native: line == -2,
            ..Frame::default()
        });
    }

    /// The started tests in order, each with its first failure, then the failures that belong to no started test.
    fn tests(&mut self, runner: &str) -> Vec<TestRun> {
        let mut tests: Vec<TestRun> = self.started.drain(..).map(|name| TestRun { name, escaped: None }).collect();
        for (name, mut chain) in self.failures.drain(..) {
            chain.iter_mut().for_each(|thrown| cut_runner(thrown, runner));
            let escaped =
                chain.into_iter().rev().reduce(|cause, outer| Throwable { cause: Some(Box::new(cause)), ..outer });
            // What failed has not passed, even if what escaped from it could not be told.
            let escaped = Some(escaped.unwrap_or_default());
            match tests.iter_mut().find(|test| test.name == name && test.escaped.is_none()) {
                Some(test) => test.escaped = escaped,
                None => tests.push(TestRun { name, escaped }),
            }
        }
        tests
    }
}

/// The runner's own frames are no part of what the test did.
fn cut_runner(thrown: &mut Throwable, runner: &str) {
    if let Some(start) = thrown.frames.iter().position(|frame| frame.class.starts_with(runner)) {
        thrown.frames.truncate(start);
    }
}

/// Undoes the runner's `escape`; `None` for its null.
fn unescaped(field: &str) -> Option<String> {
    let escaped = field.strip_prefix('=')?;
    let mut text = String::with_capacity(escaped.len());
    let mut chars = escaped.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(other) => other,
                None => c,
            },
            _ => c,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> Vec<TestRun> {
        let output: String = lines.iter().map(|line| format!("\nKEY\t{line}\n")).collect();
        Told::read(output.as_bytes(), "KEY").tests("Runner")
    }

    #[test]
    fn names_may_have_line_ends_and_tabs() {
        let tests = told(&["T\t=t(A)", "F\t=t(A)", "X\t=a.B\\nC\\tD\t=message", "A\t=a.E\\n\t=m\\t\t-\t3", "END"]);
        let escaped = tests[0].escaped.as_ref().unwrap();
        assert_eq!((escaped.class.as_str(), escaped.message.as_deref()), ("a.B\nC\tD", Some("message")));
        assert_eq!((escaped.frames[0].class.as_str(), escaped.frames[0].method.as_str()), ("a.E\n", "m\t"));
    }

    #[test]
    fn a_failure_without_an_exception_is_no_pass() {
        let tests = told(&["T\t=t(A)", "F\t=t(A)", "X\t=broken", "END"]);
        assert!(tests[0].escaped.is_some());
        assert!(told(&["T\t=t(A)", "END"])[0].escaped.is_none());
    }
}
