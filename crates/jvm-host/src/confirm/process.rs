//! Starts the JDK's programs, locked up. The only place of `confirm` where a process begins, so that the sandbox is applied
//! here and nowhere else.
//!
//! A child that is [`run`] gets what it needs to know on standard input, a working directory of its own, and a time limit.
//! Its output is read to the end but kept only up to a limit. When it has ended, whatever it started is ended too.

use crate::sandbox::{SandboxPolicy, set_environment};
use crate::usage::Bounds;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

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
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessEnd {
    Exited(i32),
    Signalled(i32),
    TimedOut,
}

/// What is kept of each output stream: enough for sixty causes with four thousand frames each.
const OUTPUT_LIMIT: usize = 32 << 20;

/// How long the streams of an ended child are read: somebody who left its process group may hold them open.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Runs the program to its end, or to the end of its time.
pub(super) fn run(program: &Program<'_>, stdin: &[u8], time_limit: Duration) -> io::Result<Finished> {
    let mut command = command(program);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take().map(Output::of);
    let stderr = child.stderr.take().map(Output::of);
    // Held open until the child has ended: it ends when we do.
    let mut pipe = child.stdin.take();
    // A child that does not read its input has ended already, which its status tells better.
    let _ = pipe.as_mut().map(|pipe| pipe.write_all(stdin));
    let bounds = program.lock_up.as_ref().map(|lock_up| lock_up.policy.limits.bounds());
    let ended = wait(&child, time_limit, bounds);
    let status = Group::of(child).end()?;
    drop(pipe);
    let end = if ended? { end_of(status) } else { ProcessEnd::TimedOut };
    Ok(Finished { end, stdout: Output::taken(stdout), stderr: Output::taken(stderr) })
}

/// The program as a command, locked up if it is to be, in a process group of its own.
pub(super) fn command(program: &Program<'_>) -> Command {
    let mut line: Vec<OsString> = Vec::new();
    if let Some(lock_up) = &program.lock_up {
        line.extend_from_slice(lock_up.command);
        line.push("sandboxed-exec".into());
        line.extend(lock_up.policy.to_args());
    }
    line.push(program.program.into());
    line.extend_from_slice(program.args);
    let (first, args) = line.split_first().expect("the program was just pushed");
    #[expect(clippy::disallowed_methods, reason = "the one place of `confirm` that starts programs")]
    let mut command = Command::new(first);
    command.args(args).current_dir(program.directory).process_group(0);
    set_environment(&mut command, program.directory);
    command
}

/// A child that leads a process group. All of it is ended when the value goes.
pub(super) struct Group {
    child: Child,
}

impl Group {
    pub(super) fn of(child: Child) -> Group {
        Group { child }
    }

    /// Ends what still runs and says how the child ended.
    fn end(mut self) -> io::Result<ExitStatus> {
        // As long as the child is not reaped, its number and that of its group mean nobody else.
        end_group(&self.child);
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            end_group(&self.child);
            let _ = self.child.wait();
        }
    }
}

fn end_of(status: ExitStatus) -> ProcessEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessEnd::Exited(code),
        (None, signal) => ProcessEnd::Signalled(signal.unwrap_or_default()),
    }
}

/// A stream that is read in the background.
struct Output {
    reader: JoinHandle<()>,
    kept: Arc<Mutex<Vec<u8>>>,
}

impl Output {
    fn of(mut stream: impl Read + Send + 'static) -> Output {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&kept);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 1 << 14];
            // A read error ends the stream like its end does. What is over the limit is read too, so that the child does
            // not block.
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let room = OUTPUT_LIMIT - kept.len();
                kept.extend_from_slice(&buffer[..count.min(room)]);
            }
        });
        Output { reader, kept }
    }

    fn taken(output: Option<Output>) -> Vec<u8> {
        let Some(output) = output else { return Vec::new() };
        let deadline = Instant::now() + LAST_WORDS;
        while !output.reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        std::mem::take(&mut output.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Waits until the child has ended, without reaping it; false if the time is over first. One that takes too much is ended.
fn wait(child: &Child, time_limit: Duration, bounds: Option<Bounds>) -> io::Result<bool> {
    let deadline = Instant::now() + time_limit;
    let mut pause = Duration::from_millis(1);
    while !has_ended(child)? {
        if Instant::now() >= deadline {
            return Ok(false);
        }
        if bounds.is_some_and(|bounds| bounds.are_broken_by(child.id())) {
            end_group(child);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    Ok(true)
}

#[expect(unsafe_code, reason = "the standard library cannot look at a child without reaping it")]
fn has_ended(child: &Child) -> io::Result<bool> {
    // SAFETY: all-zero is a valid `siginfo_t`, and `waitid` writes to nothing else. `si_pid` reads what `waitid` has
    // written, or the zero of before if the child still runs.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        match libc::waitid(libc::P_PID, child.id(), &raw mut info, options) {
            0 => Ok(info.si_pid() != 0),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Ends the child, if it still runs, and all processes of its group.
fn end_group(child: &Child) {
    let Ok(group) = libc::pid_t::try_from(child.id()) else { return };
    #[expect(unsafe_code, reason = "the standard library cannot signal a process group")]
    // SAFETY: takes two numbers and touches no memory of ours.
    unsafe {
        libc::killpg(group, libc::SIGKILL);
    }
}

/// As the value of `-classpath`. An empty path would mean the working directory.
pub(super) fn joined(class_path: &[PathBuf]) -> OsString {
    let absolute = class_path.iter().map(|entry| std::path::absolute(entry).unwrap_or_else(|_| entry.clone()));
    absolute.map(PathBuf::into_os_string).collect::<Vec<_>>().join(OsStr::new(":"))
}
