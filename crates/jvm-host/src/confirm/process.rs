//! Starts the JDK's programs. The only place of `confirm` where a process begins, so that the sandbox is applied here and
//! nowhere else.
//!
//! A child gets what it needs to know on standard input, a working directory of its own, and a time limit. Its output is
//! read to the end but kept only up to a limit. When it has ended, whatever it started is ended too.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub(super) struct Launch<'a> {
    pub(super) program: &'a Path,
    pub(super) args: Vec<OsString>,
    /// The working directory.
    pub(super) directory: &'a Path,
    pub(super) stdin: &'a [u8],
    pub(super) time_limit: Duration,
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
const OUTPUT_LIMIT: u64 = 32 << 20;

/// Environment variables by which a user's shell would change every JVM.
const FOREIGN_OPTIONS: [&str; 4] = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"];

pub(super) fn run(launch: &Launch<'_>) -> io::Result<Finished> {
    #[expect(clippy::disallowed_methods, reason = "the one place of `confirm` that starts programs")]
    let mut command = Command::new(launch.program);
    command.args(&launch.args).current_dir(launch.directory).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    FOREIGN_OPTIONS.iter().for_each(|name| {
        command.env_remove(name);
    });
    let mut child = command.spawn()?;
    let stdout = child.stdout.take().map(keep);
    let stderr = child.stderr.take().map(keep);
    if let Some(mut stdin) = child.stdin.take() {
        // A child that does not read its input has ended already, which its status tells better.
        let _ = stdin.write_all(launch.stdin);
    }
    let end = wait(&mut child, launch.time_limit);
    end_group(&child);
    if matches!(end, Ok(ProcessEnd::TimedOut)) {
        child.wait()?;
    }
    Ok(Finished { end: end?, stdout: kept(stdout), stderr: kept(stderr) })
}

fn keep(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // Read errors end the stream like its end does; the rest is drained so that the child does not block.
        let _ = stream.by_ref().take(OUTPUT_LIMIT).read_to_end(&mut bytes);
        let _ = io::copy(&mut stream, &mut io::sink());
        bytes
    })
}

fn kept(reader: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
}

fn wait(child: &mut Child, time_limit: Duration) -> io::Result<ProcessEnd> {
    let deadline = Instant::now() + time_limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match (status.code(), status.signal()) {
                (Some(code), _) => ProcessEnd::Exited(code),
                (None, signal) => ProcessEnd::Signalled(signal.unwrap_or_default()),
            });
        }
        if Instant::now() >= deadline {
            return Ok(ProcessEnd::TimedOut);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Ends the child, if it still runs, and all processes it has started.
fn end_group(child: &Child) {
    let Ok(group) = libc::pid_t::try_from(child.id()) else { return };
    #[expect(unsafe_code, reason = "the standard library cannot signal a process group")]
    // SAFETY: takes two numbers and touches no memory of ours. The group is the child's own: it was started as its
    // leader, and as long as a member lives its number is not given to another group.
    unsafe {
        libc::killpg(group, libc::SIGKILL);
    }
}
