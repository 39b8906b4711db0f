//! The command line exactly as typed; each command turns its own part into settings.

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The default output directory.
pub(crate) const OUT: &str = "reenact-out";

/// Reproduce a JVM crash: a stack trace and the program's jars in, the smallest JUnit test that makes the same crash
/// happen out, confirmed in a fresh JVM.
#[derive(Parser, Debug)]
#[command(
    name = "reenact",
    version = crate::VERSION,
    override_usage = "reenact <CRASH> [-c <CLASS_PATH>] [OPTIONS]\n       reenact <COMMAND>"
)]
#[command(
    after_help = "The main job needs no command: `reenact crash.log -c 'app.jar:lib/*'`, or `reenact crash.log` in a Maven or Gradle \
                        project, is `reenact reproduce ..`, whose \
                        options `reenact reproduce --help` shows.\n\n\
                        Exit status: 0 the full stack was reproduced and confirmed, and is gone with the fixed jars (check: log and jars fit), \
                        1 it was not, 2 the tool could not run."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the arguments; without a command they are those of `reproduce`.
    pub(crate) fn from_args(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        let names: Vec<String> =
            Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let is_ours = |first: &OsString| {
            let first = first.to_string_lossy();
            names.iter().any(|name| *name == first) || ["help", "-h", "--help", "-V", "--version"].contains(&&*first)
        };
        if args.get(1).is_some_and(|first| !is_ours(first)) {
            args.insert(1, "reproduce".into());
        }
        Cli::try_parse_from(with_class_paths(args)).map_err(with_quoting_hint)
    }
}

/// Options that name a class path, as typed here and as typed for `java`.
const CLASS_PATH_OPTIONS: [&str; 8] =
    ["-c", "-cp", "-classpath", "--cp", "--classpath", "--class-path", "--fixed", "--tests"];

/// The options of `java` become ours. The shell expands an unquoted `-c lib/*.jar` into many arguments; each of them gets the option,
/// since neither a crash nor a test is a jar.
fn with_class_paths(args: Vec<OsString>) -> Vec<OsString> {
    let mut known: Vec<OsString> = Vec::with_capacity(args.len());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let option = CLASS_PATH_OPTIONS.iter().find(|option| arg == **option).copied();
        let is_value = known.last().is_some_and(|last| last == "--jvm-arg");
        if arg == "--" {
            known.push(arg);
            known.extend(args);
            break;
        }
        let follows_class_path =
            known.len() >= 2 && CLASS_PATH_OPTIONS.iter().any(|option| known[known.len() - 2] == *option);
        match option.filter(|_| !is_value) {
            Some("-cp" | "-classpath") => known.push("--class-path".into()),
            None if follows_class_path && is_archive(&arg) => {
                let option = known[known.len() - 2].clone();
                known.extend([option, arg]);
            }
            _ => known.push(arg),
        }
    }
    known
}

fn is_archive(arg: &OsString) -> bool {
    let extension = std::path::Path::new(arg).extension().map(|extension| extension.to_ascii_lowercase());
    let is_option = arg.to_string_lossy().starts_with('-');
    !is_option && ["jar", "war", "ear"].iter().any(|known| extension.as_deref() == Some(known.as_ref()))
}

/// Without quotes the shell may expand a pattern to files that are not jars.
fn with_quoting_hint(mut error: clap::Error) -> clap::Error {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.clone(),
        _ => return error,
    };
    if error.kind() == ErrorKind::UnknownArgument && !argument.starts_with('-') {
        let hint = "if the shell expanded a pattern such as `lib/*` into this, quote the pattern: `-c 'lib/*'`";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Reproduce a crash (the default: the name of this command can be left out)
    Reproduce(Reproduce),
    /// Check, frame by frame, whether a log and jars belong together
    Check(Check),
    /// Grade any test, whoever wrote it, against a crash, in fresh JVMs
    Confirm(Confirm),
    /// Run a pack of crashes and print the results next to the published ones; `bench compare A B` compares two sessions
    Bench(Bench),
    /// Show which JDKs, sandbox features and cache there are, what is missing and how to get it
    Doctor(Doctor),
    /// Run a program with the field recorder: `reenact record -- java -jar app.jar`
    Record(Record),
    /// Look into a recording, or take the program's data out of it
    Recording(Recording),
}

/// A recorded run of a program.
#[derive(Args, Debug)]
pub(crate) struct Record {
    /// What is recorded: only the crash; also the calls among the application's classes; also results of functions that no solver follows;
    /// everything in the methods of `--arm` and nothing else; where each jump led, for the laboratory
    #[arg(long, value_name = "LEVEL", default_value = "calls", value_parser = ["stack", "calls", "hard", "facts", "trace"])]
    pub(crate) level: String,
    /// What of the program's data may be in the recording: shapes only, hashes of texts, everything
    #[arg(long, value_name = "HOW", default_value = "strict", value_parser = ["strict", "hashes", "off"])]
    pub(crate) redact: String,
    /// Size of the recording at most
    #[arg(long, value_name = "SIZE", default_value = "64m")]
    pub(crate) maxsize: String,
    /// Packages (`com.acme.*`) and classes that count as the application, separated by ':' [default: everything outside of the JDK]
    #[arg(long, value_name = "NAMES", default_value = "")]
    pub(crate) application: String,
    /// Classes of exceptions (`com.acme.LateException`), separated by ':', of which there is a recording also where somebody catches them
    #[arg(long, value_name = "CLASSES", default_value = "")]
    pub(crate) exceptions: String,
    /// A file with functions whose results are recorded, a line each (`com.acme.Codec.decode`), or with a `-` before it not recorded
    #[arg(long, value_name = "FILE")]
    pub(crate) hard: Option<PathBuf>,
    /// A log with stack traces, there already or later: what the methods of their frames do is recorded in full; or the fingerprint of a
    /// crash, as `recording show` prints it: they are those of its next occurrence
    #[arg(long, value_name = "FILE")]
    pub(crate) arm: Option<PathBuf>,
    /// The directory for recordings
    #[arg(short = 'o', long = "out", value_name = "DIR", default_value = "recordings")]
    pub(crate) out: PathBuf,
    /// Show the functions whose results `--level hard` records, with the reasons, and run nothing; what is printed can be edited and given
    /// to `--hard`
    #[arg(long)]
    pub(crate) plan: bool,
    /// With `--plan`: the program, whose own hard methods are looked for
    #[arg(short = 'c', long = "class-path", value_name = "PATH", requires = "plan")]
    pub(crate) class_path: Vec<String>,
    /// The program and its arguments
    #[arg(value_name = "COMMAND", last = true, required_unless_present = "plan")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Args, Debug)]
pub(crate) struct Recording {
    #[command(subcommand)]
    pub(crate) command: RecordingCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum RecordingCommand {
    /// Print everything that is in a recording
    Show {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Write a copy with less of the program's data in it
    Redact {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// What may stay
        #[arg(long, value_name = "HOW", default_value = "strict", value_parser = ["strict", "hashes"])]
        to: String,
        /// Where the copy goes [default: beside the file, with `.redacted.rec` at its end]
        #[arg(short = 'o', long = "out", value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Which crash, and of which program.
#[derive(Args, Debug)]
pub(crate) struct Crash {
    /// Any text with a stack trace in it, or a recording; `-` reads standard input
    #[arg(value_name = "CRASH")]
    pub(crate) crash: PathBuf,
    /// Jars, WARs, directories, 'lib/*', a project's `pom.xml` or `build.gradle`; separated by ':' or repeated [default: the project of the
    /// working directory]
    #[arg(short = 'c', long = "class-path", visible_aliases = ["cp", "classpath"], value_name = "PATH")]
    pub(crate) class_path: Vec<String>,
    /// Which classes count as the application, matched against the whole class name [default: those of directories, of BOOT-INF/classes and WEB-INF/classes, if the trace has one; else every class of the class path]
    #[arg(long, value_name = "REGEX")]
    pub(crate) application: Option<String>,
    /// Which trace of the file, counted from 1
    #[arg(long, value_name = "N")]
    pub(crate) trace: Option<usize>,
    /// Which exception of the chain of causes, counted from 1, the outermost
    #[arg(long, value_name = "N")]
    pub(crate) cause: Option<usize>,
    /// The JDK to run on [default: the one that the log is of, else JAVA_HOME, the PATH, the usual directories; a newer one if the classes need it]
    #[arg(long, value_name = "HOME")]
    pub(crate) jdk: Option<PathBuf>,
    /// Run neither Maven nor Gradle: take a project's compiled output and what the local repository has
    #[arg(long)]
    pub(crate) no_build: bool,
    /// R8 or ProGuard mapping file of an obfuscated program
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,
    /// Use the texts, numbers and messages that a recording has; they may come to stand in the test. Otherwise only their shapes are used
    #[arg(long)]
    pub(crate) recorded_values: bool,
    /// JSON lines on standard output, each with "schema" and "event"; the last is the result, or the error
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) crash: Crash,
    /// Also derive from the bytecode under which condition each frame crashes; takes up to some seconds, runs nothing
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Confirm {
    /// The test: Java files, or directories of them; they are compiled together
    #[arg(value_name = "TEST.java", required = true, num_args = 1..)]
    pub(crate) test: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) crash: Crash,
    /// Class path of the fixed build, where the crash must not happen: proves that the test shows the bug
    #[arg(long, value_name = "PATH")]
    pub(crate) fixed: Vec<String>,
    /// How many times to run the test; the second run has another time zone, locale and heap size
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) runs: u32,
    /// Time limit of one run: 60s, 5m, 500ms
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(crate) time_limit: Duration,
    /// Option for the JVM that runs the test; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub(crate) jvm_arg: Vec<String>,
    /// A file or directory that the program may read in addition to its class path and the JDK; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Run without the sandbox; only for systems that have none
    #[arg(long)]
    pub(crate) no_sandbox: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Doctor {
    /// JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Empty the cache
    #[arg(long, conflicts_with = "install")]
    pub(crate) clear_cache: bool,
    /// Install what is missing and can be had: the solver Z3, from the Python package index into the cache, checked by its hash
    #[arg(long)]
    pub(crate) install: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Reproduce {
    #[command(flatten)]
    pub(crate) crash: Crash,
    /// Class path of the fixed build, where the crash must not happen: proves that the test shows the bug
    #[arg(long, value_name = "PATH")]
    pub(crate) fixed: Vec<String>,
    /// Compiled tests of the program (jars or directories), which show how its objects are built [default: those of the project]
    #[arg(long, value_name = "PATH")]
    pub(crate) tests: Vec<String>,
    /// Output directory; the test goes into the subdirectory of its package
    #[arg(short, long, value_name = "DIR", default_value = OUT)]
    pub(crate) out: PathBuf,
    /// Write the test into the test sources of the project, in the package of the class that crashed
    #[arg(long, conflicts_with = "out")]
    pub(crate) into_tests: bool,
    /// Test framework [default: the one of the project, the one on the class path, otherwise JUnit 5]
    #[arg(long, value_name = "KIND")]
    pub(crate) junit: Option<Framework>,
    /// `red` lets the exception escape: the test fails until the bug is fixed; `assert-throws` passes while the bug exists
    #[arg(long, default_value = "red")]
    pub(crate) style: Style,
    #[command(flatten)]
    pub(crate) engines: Engines,
    /// Stop after this time (60s, 5m, 500ms), counted from the start; the process ends at most two seconds later
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, conflicts_with = "candidates")]
    pub(crate) budget: Duration,
    /// Stop after this many candidates instead; the same seed then gives the same test
    #[arg(long, value_name = "N")]
    pub(crate) candidates: Option<u64>,
    /// Random seed; change it to explore different candidates
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Number of parallel workers [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Option for the JVMs that run candidates and the test; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub(crate) jvm_arg: Vec<String>,
    /// A file or directory that the program may read in addition to its class path and the JDK; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Run without the sandbox; only for systems that have none
    #[arg(long)]
    pub(crate) no_sandbox: bool,
    /// Say nothing on the way but warnings
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more on the way: frames, class path, tests that fresh JVMs refuted
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    after_help = "Results are appended to OUT/runs.jsonl, one line per run; running the same command again does the runs that are \
                  missing. Tests are in OUT/<RUN>/<ID>, the tool's output is in OUT/<RUN>/<ID>.log."
)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) command: Option<BenchCommand>,
    /// The manifest of the pack
    #[arg(value_name = "PACK.json", required = true)]
    pub(crate) pack: Option<PathBuf>,
    /// Where the jars are: DIR/<groupId>/<artifactId>/<version>/<artifactId>-<version>.jar
    #[arg(long, value_name = "DIR", required = true)]
    pub(crate) jars: Option<PathBuf>,
    /// Runs per crash, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) runs: u32,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Only these crashes
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Directory for results and tests
    #[arg(short, long, value_name = "DIR", default_value = "reenact-bench")]
    pub(crate) out: PathBuf,
    /// Time per run: 60s, 5m, 500ms
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration_text, conflicts_with = "candidates")]
    pub(crate) budget: String,
    /// Candidates per run, instead of a time
    #[arg(long, value_name = "N")]
    pub(crate) candidates: Option<u64>,
    #[command(flatten)]
    pub(crate) engines: Engines,
    /// Parallel workers of a run [default: one per core]; the runs themselves are not parallel
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// The JDK to run on [default: JAVA_HOME, the PATH, the usual directories]
    #[arg(long, value_name = "HOME")]
    pub(crate) jdk: Option<PathBuf>,
    /// Run without `--fixed`, even if the pack has fixed jars
    #[arg(long)]
    pub(crate) without_fixed: bool,
    /// Run without the sandbox; only for systems that have none
    #[arg(long)]
    pub(crate) no_sandbox: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum BenchCommand {
    /// Compare two sessions, crash by crash and as ratios
    Compare {
        /// Directory of a session, or its `runs.jsonl`
        #[arg(value_name = "A")]
        before: PathBuf,
        /// The session to compare with it
        #[arg(value_name = "B")]
        after: PathBuf,
    },
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framework {
    #[value(name = "4")]
    JUnit4,
    #[value(name = "5")]
    JUnit5,
    #[value(name = "testng")]
    TestNg,
    Main,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Red,
    AssertThrows,
}

/// Who looks for the crash.
#[derive(Args, Debug)]
pub(crate) struct Engines {
    #[arg(long = "engine", value_name = "ENGINE", default_value = engine::AUTO, value_parser = engine_name, help = engine_help())]
    pub(crate) names: Vec<String>,
    /// Settings of the genetic search: `paper`, or `ours` with switches, such as `ours,-local-search`
    #[arg(long, value_name = "SETTINGS", default_value = "ours", value_parser = evolve_settings)]
    pub(crate) evolve: String,
    /// Settings of the backward engine: `paper`, the published one, or `ours`, with switches, such as `paper,-prune`
    #[arg(long, value_name = "SETTINGS", default_value = "ours", value_parser = backward_settings)]
    pub(crate) backward: String,

    /// What the replay engine is led along: `goals=point`, `goals=stack`, `goals=calls` or `goals=trace` [default: what was recorded, else
    /// the stack]
    #[arg(long, value_name = "SETTINGS", default_value = "", hide_default_value = true, value_parser = replay_settings)]
    pub(crate) replay: String,
}

/// The options that have the settings of these engines.
const EVOLVE: &str = "evolve";
const REPLAY: &str = "replay";
const BACKWARD: &str = "backward";

impl Engines {
    pub(crate) fn choose(&self) -> Result<Vec<Arc<dyn engine::Factory>>, String> {
        let settings =
            |name| self.settings().find(|(engine, _)| *engine == name).map_or("", |(_, text)| text).to_owned();
        engines::all().choose(&self.names, &settings)
    }

    /// What was said of single engines, by their names.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [(EVOLVE, self.evolve.as_str()), (BACKWARD, self.backward.as_str()), (REPLAY, self.replay.as_str())].into_iter()
    }
}

fn engine_name(text: &str) -> Result<String, String> {
    engines::all().check(text).map(|()| text.to_owned())
}

fn engine_help() -> String {
    let all = engines::all();
    let each: Vec<String> = all.iter().map(|engine| format!("`{}`, {}", engine.name, engine.about)).collect();
    format!("Engine to use; may be repeated. `auto` means all of them: {}", each.join("; "))
}

fn evolve_settings(text: &str) -> Result<String, String> {
    checked(EVOLVE, text)
}

fn backward_settings(text: &str) -> Result<String, String> {
    checked(BACKWARD, text)
}

fn replay_settings(text: &str) -> Result<String, String> {
    checked(REPLAY, text)
}

/// Checked here and handed on as typed.
fn checked(name: &str, text: &str) -> Result<String, String> {
    let engine = engines::all().get(name).copied();
    engine.map_or(Ok(()), |engine| (engine.configure)(text).map(drop)).map(|()| text.to_owned())
}

fn duration_text(text: &str) -> Result<String, String> {
    duration(text).map(|_| text.to_owned())
}

/// `60s`, `5m`, `500ms`, `2h`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a time; write 60s, 5m or 500ms"))?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; write 60s, 5m or 500ms")),
    };
    // Longer than anybody waits, and short enough to be added to any instant.
    const CENTURY: f64 = 3.2e9;
    Duration::try_from_secs_f64(seconds.min(CENTURY)).map_err(|_| format!("`{text}` is not a time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        assert!(duration("soon").is_err());
        assert!(duration("5 parsecs").is_err());
        assert!(duration("1e9").is_err() && duration("").is_err() && duration("-3s").is_err());
        assert!(duration(&"9".repeat(400)).is_ok(), "forever");
    }

    #[test]
    fn the_main_job_needs_no_command() {
        let parse = |args: &[&str]| Cli::from_args(args.iter().map(OsString::from)).unwrap().command;
        let Command::Reproduce(args) = parse(&["reenact", "crash.log", "-c", "a.jar:lib/*", "--seed", "7"]) else {
            panic!()
        };
        assert_eq!(args.seed, 7);
        assert!(matches!(parse(&["reenact", "check", "crash.log", "-c", "a.jar"]), Command::Check(_)));
        assert!(matches!(parse(&["reenact", "-c", "a.jar", "check.log"]), Command::Reproduce(_)));
    }

    #[test]
    fn class_paths_as_people_type_them() {
        let cases: [(&[&str], &[&str]); 9] = [
            (&["-c", "a.jar"], &["a.jar"]),
            (&["-cp", "a.jar:b.jar"], &["a.jar:b.jar"]),
            (&["-classpath", "a.jar"], &["a.jar"]),
            (&["--cp", "a.jar"], &["a.jar"]),
            (&["--classpath=a.jar"], &["a.jar"]),
            (&["--class-path", "a.jar", "--cp", "classes"], &["a.jar", "classes"]),
            (&["-c", "lib/a.jar", "lib/b.jar", "lib/c.WAR"], &["lib/a.jar", "lib/b.jar", "lib/c.WAR"]),
            (&["-cp", "lib/a.jar", "lib/b.jar", "--seed", "7"], &["lib/a.jar", "lib/b.jar"]),
            (&["-ca.jar", "--jvm-arg", "-cp"], &["a.jar"]),
        ];
        for (options, expected) in cases {
            for crash_first in [true, false] {
                let crash: &[&str] = &["crash.log"];
                let args = if crash_first { [crash, options] } else { [options, crash] }.concat();
                let parsed = Cli::from_args(["reenact"].iter().chain(&args).map(OsString::from));
                let Ok(Cli { command: Command::Reproduce(parsed) }) = parsed else { panic!("{args:?}: {parsed:?}") };
                assert_eq!(parsed.crash.class_path, expected, "{args:?}");
                assert_eq!(parsed.crash.crash, PathBuf::from("crash.log"));
            }
        }
        let fixed = ["reenact", "x.log", "-c", "a.jar", "--fixed", "b.jar", "c.jar"].map(OsString::from);
        let Command::Reproduce(parsed) = Cli::from_args(fixed).unwrap().command else { panic!() };
        assert_eq!(
            (parsed.crash.class_path, parsed.fixed),
            (vec!["a.jar".into()], vec!["b.jar".into(), "c.jar".into()])
        );
    }

    #[test]
    fn a_pattern_without_quotes_is_explained() {
        let args = ["reenact", "x.log", "-c", "lib/a.jar", "lib/readme.txt"].map(OsString::from);
        let error = Cli::from_args(args).unwrap_err().to_string();
        assert!(error.contains("lib/readme.txt") && error.contains("-c 'lib/*'"), "{error}");
    }
}
