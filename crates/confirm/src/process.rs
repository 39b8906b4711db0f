//! Starts the JDK's programs and the processes that host a JVM. The only place of `confirm` where a process begins.
//!
//! A child that is to [`host`] a JVM gets what it needs to know on standard input, a place for its answer, a working directory of
//! its own, and a time limit. What it prints is read to the end, and the end of it kept. When it has ended, whatever it started is
//! ended too.

use super::answer::Answer;
use super::inside::{COMMAND, Setup};
use sandbox::child::Process;
use sandbox::output::{Output, Tail};
use sandbox::{SandboxPolicy, absolute, messages, set_environment};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

pub(super) struct Program<'a> {
    pub(super) program: &'a Path,
    pub(super) args: &'a [OsString],
    /// The working directory, which is its home as well.
    pub(super) directory: &'a Path,
    pub(super) lock_up: Option<LockUp<'a>>,
}

/// How a child is locked up.
pub(super) struct LockUp<'a> {
    /// What re-executes this program.
    pub(super) command: &'a [OsString],
    pub(super) policy: SandboxPolicy,
}

#[derive(Debug)]
pub(super) struct Finished {
    pub(super) end: ProcessEnd,
    pub(super) answer: Vec<u8>,
    /// The end of what it printed.
    pub(super) stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessEnd {
    Exited(i32),
    Signalled(i32),
    TimedOut,
}

/// Bytes that are kept of what a child prints: people are shown that.
const TAIL: usize = 4000;

/// How long the streams of an ended child are read: somebody who left its process group may hold them open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long a child may take to tell what it knows when its time is up.
const FAREWELL: Duration = Duration::from_millis(500);

/// Has a process of this program host a JVM, until its end or that of its time.
pub(super) fn host(
    program: &[OsString],
    setup: &Setup,
    directory: &Path,
    time_limit: Duration,
) -> io::Result<Finished> {
    let (memory, answer) = Answer::create()?;
    let line: Vec<OsString> = program.iter().cloned().chain([COMMAND.into()]).collect();
    let mut command = started(&line, directory, setup.sandbox.is_some());
    command.stdin(Stdio::piped()).stdout(Stdio::from(memory)).stderr(Stdio::piped());
    let mut child = Process::start(command)?;
    let stderr = child.take_stderr().map(|stream| Output::of(stream, Tail::new(TAIL)));
    // Held open until the child is to end.
    let mut pipe = child.take_stdin();
    // A child that does not read its input has ended already, which its status tells better.
    let _ = pipe.as_mut().map(|pipe| messages::send(pipe, setup));
    let bounds = setup.sandbox.as_ref().map(|policy| policy.limits.bounds());
    let ended = child.wait_within(bounds, time_limit);
    drop(pipe);
    if let Ok(false) = ended {
        let _ = child.wait_within(bounds, FAREWELL);
    }
    let status = child.end();
    let end = if ended? { status.map_or(ProcessEnd::TimedOut, end_of) } else { ProcessEnd::TimedOut };
    let stderr = stderr.map(|output| output.taken(LAST_WORDS)).unwrap_or_default();
    Ok(Finished { end, answer: answer.read(), stderr })
}

/// The program as a command, locked up if it is to be.
pub(super) fn command(program: &Program<'_>) -> Command {
    let mut line: Vec<OsString> = Vec::new();
    if let Some(lock_up) = &program.lock_up {
        line.extend_from_slice(lock_up.command);
        line.push("sandboxed-exec".into());
        line.extend(lock_up.policy.to_args());
    }
    line.push(program.program.into());
    line.extend_from_slice(program.args);
    started(&line, program.directory, program.lock_up.is_some())
}

/// A program with its arguments, in a process group of its own, in its directory, which is its home as well. Who is locked up gets a
/// session of its own, which the leader of a group could not.
fn started(line: &[OsString], directory: &Path, is_locked_up: bool) -> Command {
    let (first, args) = line.split_first().map_or((OsString::new(), &[][..]), |(first, args)| (first.clone(), args));
    #[expect(clippy::disallowed_methods, reason = "the one place of `confirm` that starts programs")]
    let mut command = Command::new(first);
    command.args(args).current_dir(directory);
    if !is_locked_up {
        command.process_group(0);
    }
    set_environment(&mut command, directory);
    command
}

fn end_of(status: ExitStatus) -> ProcessEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessEnd::Exited(code),
        (None, signal) => ProcessEnd::Signalled(signal.unwrap_or_default()),
    }
}

/// As the value of `-classpath`. An empty path would mean the working directory.
pub(super) fn joined(class_path: &[PathBuf]) -> OsString {
    let entries = class_path.iter().map(|entry| absolute(entry));
    entries.map(PathBuf::into_os_string).collect::<Vec<_>>().join(OsStr::new(":"))
}
