//! From arguments to a crash report, a program and the chosen exception; everything that can be wrong with them is said here.

use crate::abbreviations;
use crate::args::Crash;
use crate::context::{self, Counted};
use crate::failure::Failure;
use crate::terminal;
use crash_report::mapping::Mapping;
use crash_report::{CrashReport, NoTarget, ProblemKind, Throwable};
use program::{Cache, ClassName, ClassPath, Jdk, Problem, Program, RuntimeClassPath};
use regex::Regex;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Log and program, opened, and the crash in question.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) report: CrashReport,
    pub(crate) program: Arc<Program>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) application: Application,
    /// Which trace of the report.
    pub(crate) trace: usize,
    /// The exception in question.
    pub(crate) throwable: Throwable,
    pub(crate) class_path: ClassPath,
    /// What the log says before the trace.
    pub(crate) before: String,
}

/// Which classes count as the application.
#[derive(Debug)]
pub(crate) struct Application(Option<Regex>);

impl Application {
    fn new(pattern: Option<&str>) -> Result<Self, Failure> {
        let Some(pattern) = pattern else { return Ok(Application(None)) };
        // The contract is a match of the whole name.
        Regex::new(&format!("^(?:{pattern})$")).map(|regex| Application(Some(regex))).map_err(|error| {
            let reason = error.to_string();
            let last = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            Failure::new(format!("`--application {pattern}` is not a regular expression: {last}"))
                .hint("it is matched against whole class names: `--application 'com\\.acme\\..*'`")
        })
    }

    pub(crate) fn contains(&self, program: &Program, class: &str) -> bool {
        match &self.0 {
            Some(regex) => regex.is_match(class),
            None => program.is_application_default(ClassName::from_dotted(class)),
        }
    }
}

pub(crate) fn load(crash: &Crash) -> Result<Loaded, Failure> {
    load_with(crash, Log::read(&crash.crash)?)
}

/// The same with a log that has been read.
pub(crate) fn load_with(crash: &Crash, log: Log) -> Result<Loaded, Failure> {
    let application = Application::new(crash.application.as_deref())?;
    let Log { mut report, kept } = log;
    if let Some(path) = &crash.mapping {
        read_mapping(path)?.deobfuscate(&mut report);
    }
    let class_path = ClassPath::parse(&crash.class_path)?;
    let jdk = find_jdk(crash.jdk.as_deref())?;
    let (program, problems) = Program::open(&class_path, jdk, &Cache::of_user())?;
    abbreviations::expand(&mut report, &program);
    let is_application = |class: &str| application.contains(&program, class);
    let choice = crash_report::choose(&report, &is_application, index(crash.trace)?, index(crash.cause)?)
        .map_err(|why| no_target(&why, crash, &class_path, &problems))?;
    let throwable = choice.throwable(&report).cloned().unwrap_or_default();
    let offset = report.traces.get(choice.trace).map_or(0, |trace| trace.place.offset);
    let before = context::before(&crash.crash, kept.as_deref(), offset);
    Ok(Loaded {
        trace: choice.trace,
        throwable,
        report,
        problems,
        application,
        program: Arc::new(program),
        class_path,
        before,
    })
}

/// Classes that are too new for the JDK can be looked at, but not run. Those of the crash are looked at, in the program or in its
/// fixed version.
pub(crate) fn check_versions(crash: &Throwable, program: &Program) -> Result<(), Failure> {
    let jdk = program.jdk();
    let of_trace = crash.chain().flat_map(|thrown| &thrown.frames);
    for class in of_trace.filter_map(|frame| program.class(ClassName::from_dotted(&frame.class))) {
        let needed = class.major.saturating_sub(FIRST_VERSION);
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

/// Java 1 would be class file version 45.
const FIRST_VERSION: u16 = 44;

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
}

impl Log {
    pub(crate) fn read(path: &Path) -> Result<Log, Failure> {
        let (report, kept) = read_crash(path)?;
        Ok(Log { report, kept })
    }
}

/// The report, and the beginning of what cannot be read again.
fn read_crash(path: &Path) -> Result<(CrashReport, Option<Vec<u8>>), Failure> {
    let shown = shown(path);
    let mut counted = Counted::new(open(path, &shown)?, path);
    let report = crash_report::parse_reader(&mut counted).map_err(|error| {
        Failure::new(format!("cannot read {shown}: {error}")).hint("check the path and its permissions")
    })?;
    if report.traces.is_empty() {
        return Err(no_trace(&report, counted.bytes, &shown));
    }
    Ok((report, counted.into_kept()))
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

/// The JDK to use. A JAVA_HOME that is none is not fatal, but whoever set it meant something else.
fn find_jdk(explicit: Option<&Path>) -> Result<Jdk, Failure> {
    let jdk = Jdk::find(explicit)?;
    let of_environment = std::env::var_os("JAVA_HOME").filter(|home| explicit.is_none() && !home.is_empty());
    if let Some(error) = of_environment.and_then(|home| Jdk::at(Path::new(&home)).err()) {
        terminal::say(&format!("warning: JAVA_HOME: {error}; using `{}`", jdk.home.display()));
    }
    Ok(jdk)
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
        terminal::say("warning: the log does not say which exception it is: any that has the same frames counts");
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
