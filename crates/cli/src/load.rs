//! From arguments to a crash report, a program and the chosen exception; everything that can be wrong with them is said here.

use crate::abbreviations;
use crate::args::Crash;
use crate::context::{self, Counted};
use crate::failure::Failure;
use crate::jdk;
use crate::project::Given;
use crate::recordings;
use crate::terminal;
use crash_report::mapping::Mapping;
use crash_report::{CrashReport, NoTarget, ProblemKind, Throwable};
use engine::Waypoint;
use program::{Cache, ClassName, ClassPath, Problem, Program, RuntimeClassPath};
use regex::Regex;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;

/// Log and program, opened, and the crash in question.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) report: CrashReport,
    pub(crate) program: Arc<Program>,
    /// Why it runs on this JDK, if that is not the usual one.
    pub(crate) why_jdk: Option<String>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) application: Application,
    /// Which trace of the report.
    pub(crate) trace: usize,
    /// Which exception of its chain, the outermost being 0.
    pub(crate) cause: usize,
    /// The exception in question.
    pub(crate) throwable: Throwable,
    pub(crate) given: Given,
    /// What the log says before the trace.
    pub(crate) before: String,
    /// What was recorded of the run, in order.
    pub(crate) waypoints: Vec<Waypoint>,
}

/// Which classes count as the application.
#[derive(Debug)]
pub(crate) enum Application {
    /// Those that the user says.
    Named(Regex),
    /// Those that lie where a program has its own; others are libraries.
    Own,
    /// Everything on the class path.
    Everything,
}

impl Application {
    /// Until the trace is known, the program's own classes are what counts.
    fn new(pattern: Option<&str>) -> Result<Self, Failure> {
        let Some(pattern) = pattern else { return Ok(Application::Own) };
        // The contract is a match of the whole name.
        Regex::new(&format!("^(?:{pattern})$")).map(Application::Named).map_err(|error| {
            let reason = error.to_string();
            let last = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            Failure::new(format!("`--application {pattern}` is not a regular expression: {last}"))
                .hint("it is matched against whole class names: `--application 'com\\.acme\\..*'`")
        })
    }

    pub(crate) fn contains(&self, program: &Program, class: &str) -> bool {
        match self {
            Application::Named(regex) => regex.is_match(class),
            Application::Own => program.is_own(ClassName::from_dotted(class)),
            Application::Everything => program.is_application_default(ClassName::from_dotted(class)),
        }
    }
}

pub(crate) fn load(crash: &Crash) -> Result<Loaded, Failure> {
    let log = Log::read(crash)?;
    let given = Given::new(crash, Some(&log))?;
    load_with(crash, log, given)
}

/// The same with a log that has been read and a class path that is known.
pub(crate) fn load_with(crash: &Crash, log: Log, given: Given) -> Result<Loaded, Failure> {
    let mut application = Application::new(crash.application.as_deref())?;
    let Log { mut report, kept, waypoints } = log;
    let mut jdk = jdk::by_log(crash.jdk.as_deref(), &report)?;
    let (mut program, mut problems) = Program::open(&given.class_path, jdk.jdk.clone(), &Cache::of_user())?;
    abbreviations::expand(&mut report, &program);
    let (trace, cause) = (index(crash.trace)?, index(crash.cause)?);
    let choose = |application: &Application| {
        crash_report::choose(&report, &|class: &str| application.contains(&program, class), trace, cause)
    };
    let mut choice = choose(&application);
    if matches!((&choice, &application), (Err(NoTarget::NoApplicationFrame { .. }), Application::Own)) {
        application = Application::Everything;
        choice = choose(&application);
    }
    let choice = choice.map_err(|why| no_target(&why, crash, &given.class_path, &problems))?;
    let throwable = choice.throwable(&report).cloned().unwrap_or_default();
    let newer = jdk::by_classes(&jdk, &throwable, &program).filter(|_| crash.jdk.is_none());
    if let Some(newer) = newer {
        (program, problems) = Program::open(&given.class_path, newer.jdk.clone(), &Cache::of_user())?;
        jdk = newer;
    }
    let offset = report.traces.get(choice.trace).map_or(0, |trace| trace.place.offset);
    let before = context::before(&crash.crash, kept.as_deref(), offset);
    Ok(Loaded {
        trace: choice.trace,
        cause: choice.cause,
        throwable,
        report,
        problems,
        application,
        program: Arc::new(program),
        why_jdk: jdk.why,
        given,
        before,
        waypoints,
    })
}

/// Classes that are too new for the JDK can be looked at, but not run. Those of the crash are looked at, in the program or in its
/// fixed version.
pub(crate) fn check_versions(crash: &Throwable, program: &Program) -> Result<(), Failure> {
    let jdk = program.jdk();
    let of_trace = crash.chain().flat_map(|thrown| &thrown.frames);
    for class in of_trace.filter_map(|frame| program.class(ClassName::from_dotted(&frame.class))) {
        let needed = jdk::feature_of_class(class.major);
        if needed > jdk.feature {
            return Err(Failure::new(format!(
                "class `{}` is compiled for Java {needed}, but `{}` is Java {}",
                class.name,
                jdk.home.display(),
                jdk.feature
            ))
            .hint("pass a newer one with `--jdk HOME`; `reenact doctor` lists those found"));
        }
    }
    Ok(())
}

/// The command line counts from 1.
fn index(number: Option<usize>) -> Result<Option<usize>, Failure> {
    match number {
        Some(0) => Err(Failure::new("`--trace` and `--cause` count from 1")
            .hint("leave the option out to have the first exception with a frame of the application taken")),
        other => Ok(other.map(|n| n - 1)),
    }
}

/// A log that has been read.
#[derive(Debug)]
pub(crate) struct Log {
    report: CrashReport,
    /// The beginning of what cannot be read again.
    kept: Option<Vec<u8>>,
    waypoints: Vec<Waypoint>,
}

impl Log {
    /// With the names that the program's classes really have.
    pub(crate) fn read(crash: &Crash) -> Result<Log, Failure> {
        let mut log = read_crash(&crash.crash, crash.recorded_values)?;
        if let Some(path) = &crash.mapping {
            read_mapping(path)?.deobfuscate(&mut log.report);
        }
        Ok(log)
    }

    /// The classes of the frames of each trace that may be chosen.
    pub(crate) fn classes_by_trace(&self, trace: Option<usize>) -> Vec<Vec<&str>> {
        let all = self.report.traces.iter().enumerate();
        let wanted = all.filter(|(at, _)| trace.is_none_or(|number| number == at + 1));
        wanted.map(|(_, trace)| distinct_classes(&trace.throwable)).collect()
    }
}

fn distinct_classes(throwable: &Throwable) -> Vec<&str> {
    let frames = throwable.chain().flat_map(|thrown| &thrown.frames);
    let classes: BTreeSet<&str> = frames.map(|frame| frame.class.as_str()).collect();
    classes.into_iter().collect()
}

fn read_crash(path: &Path, recorded_values: bool) -> Result<Log, Failure> {
    let shown = shown(path);
    let failed = |error: io::Error| {
        Failure::new(format!("cannot read {shown}: {error}")).hint("check the path and its permissions")
    };
    let mut input = io::BufReader::new(open(path, &shown)?);
    if recording::is_recording(input.fill_buf().map_err(failed)?) {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(failed)?;
        let (text, waypoints) = recordings::crash(&bytes, &shown, recorded_values)?;
        let report = crash_report::parse_reader(text.as_bytes()).map_err(failed)?;
        return Ok(Log { report, kept: Some(text.into_bytes()), waypoints });
    }
    let mut counted = Counted::new(input, path);
    let report = crash_report::parse_reader(&mut counted).map_err(failed)?;
    if report.traces.is_empty() {
        return Err(no_trace(&report, counted.bytes, &shown));
    }
    Ok(Log { report, kept: counted.into_kept(), waypoints: Vec::new() })
}

fn no_trace(report: &CrashReport, bytes: u64, shown: &str) -> Failure {
    let named = report.problems.iter().find_map(|problem| match &problem.kind {
        ProblemKind::NoFrames { class } => Some((class, problem.place.line)),
        _ => None,
    });
    if let Some((class, line)) = named {
        return Failure::new(format!("{shown} names `{class}` in line {line}, but none of its frames")).hint(
            "look further up in the log: of an exception that is thrown often the JVM leaves the frames out, unless it runs \
             with `-XX:-OmitStackTraceInFastThrow`",
        );
    }
    let what = if bytes == 0 { format!("{shown} is empty") } else { format!("there is no stack trace in {shown}") };
    Failure::new(what).hint(
        "give a log, bug report or error event that has the exception and its `at ..` lines; `-` reads standard input",
    )
}

/// The crash as messages name it.
fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { format!("`{}`", path.display()) }
}

/// What is wrong with parts of a class path that can be used otherwise.
pub(crate) fn warn_of(problems: &[Problem]) {
    for problem in problems {
        terminal::say(&format!("warning: {problem}"));
    }
}

/// What of the log was not read, where that changes what is looked for.
pub(crate) fn warn_of_log(loaded: &Loaded) {
    let left_out =
        loaded.report.problems.iter().find(|problem| matches!(problem.kind, ProblemKind::TooManyTraces { .. }));
    if let Some(problem) = left_out {
        terminal::say(&format!("warning: {problem}; cut the log to the part with the crash if it is one of those"));
    }
    if loaded.throwable.name().is_none() {
        terminal::say(
            "warning: the log does not say which exception it is: any that has the same frames counts, and no test of it is called full",
        );
    }
}

/// Which JDK was taken, where people may have expected another.
pub(crate) fn tell_jdk(loaded: &Loaded) {
    if let Some(why) = &loaded.why_jdk {
        let jdk = loaded.program.jdk();
        terminal::say(&format!("note: {why}: using Java {} in `{}`", jdk.version, jdk.home.display()));
    }
}

/// Where the parts of archives are that a JVM cannot look into.
pub(crate) fn tell_unpacked(class_path: &RuntimeClassPath) {
    for unpacked in class_path.unpacked() {
        let (archive, directory) = (unpacked.archive.display(), unpacked.directory.display());
        let remark = if unpacked.is_temporary {
            " until this command ends; set REENACT_CACHE to a directory that can be written to keep them there"
        } else {
            ""
        };
        terminal::say(&format!("note: for the JVM, the parts of `{archive}` are in `{directory}`{remark}"));
    }
}

/// Names of an obfuscated log become those of the original jars.
fn read_mapping(path: &Path) -> Result<Mapping, Failure> {
    let shown = path.display();
    let text = std::fs::read(path).map_err(|error| {
        Failure::new(format!("cannot read the mapping file `{shown}`: {error}"))
            .hint("check the path and its permissions")
    })?;
    let (mapping, _) = Mapping::parse(&text);
    if mapping.is_empty() {
        return Err(
            Failure::new(format!("`{shown}` is not a mapping file")).hint("R8 and ProGuard write it as `mapping.txt`")
        );
    }
    Ok(mapping)
}

fn open(path: &Path, shown: &str) -> Result<Box<dyn Read>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(format!("cannot read {shown}: {error}")).hint("check the path and its permissions")
    };
    if path.is_dir() {
        return Err(failed(&"it is a directory"));
    }
    File::open(path).map(|file| Box::new(file) as Box<dyn Read>).map_err(|error| failed(&error))
}

fn no_target(why: &NoTarget, crash: &Crash, class_path: &ClassPath, problems: &[Problem]) -> Failure {
    let mut message = format!("{}: {why}", shown(&crash.crash));
    let hint = match why {
        NoTarget::NoTrace | NoTarget::OnlyThreadDumps { .. } => {
            "give the text with the exception: a thread dump tells where threads were, not what failed".to_owned()
        }
        NoTarget::ThreadDump { .. } | NoTarget::NoSuchTrace { .. } => {
            "`--trace` counts from 1 in the order of the text; without it, the first trace with a frame of the application is taken".to_owned()
        }
        NoTarget::NoSuchCause { .. } => {
            "`--cause` counts from 1 at the outermost exception; without it, the outermost with a frame of the application is taken".to_owned()
        }
        NoTarget::NoApplicationFrame { packages } if packages.is_empty() => {
            "give a trace that reaches the program's own code, or say which classes count with `--application REGEX`".to_owned()
        }
        NoTarget::NoApplicationFrame { .. } => {
            // A damaged jar may be the reason.
            problems.iter().for_each(|problem| message.push_str(&format!("; {problem}")));
            match (&crash.application, class_path.directories_with_jars().next()) {
                (Some(pattern), _) => format!("`--application {pattern}` matches none of their classes: widen it"),
                (None, Some(directory)) => {
                    let shown = directory.display();
                    format!("`{shown}` is searched for class files, not for jars: write `{shown}/*` for the jars in it")
                }
                (None, None) => "pass the jars that have these classes with `--class-path`, or say which classes count with `--application REGEX`".to_owned(),
            }
        }
    };
    Failure::new(message).hint(hint)
}
