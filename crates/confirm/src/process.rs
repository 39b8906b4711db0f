//! Starts the JDK's programs, locked up. The only place of `confirm` where a process begins, so that the sandbox is applied
//! here and nowhere else.
//!
//! A child that is [`run`] gets what it needs to know on standard input, a working directory of its own, and a time limit.
//! Its output is read to the end, but only what it tells us is kept, and the end of what it says to people. When it has
//! ended, whatever it started is ended too.

use sandbox::child::Process;
use sandbox::output::{Keep, Output, Tail};
use sandbox::{SandboxPolicy, absolute, set_environment};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
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
    /// Of each line with the mark, what begins there.
    pub(super) stdout: Vec<u8>,
    /// The end of it.
    pub(super) stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessEnd {
    Exited(i32),
    Signalled(i32),
    TimedOut,
}

/// What is kept of what a child tells us: enough for sixty causes with four thousand frames each.
const TOLD: usize = 32 << 20;
/// Nothing that it tells us takes a longer line.
const LINE: usize = 1 << 20;
/// Bytes that are kept of the rest: people are shown that.
const TAIL: usize = 4000;

/// How long the streams of an ended child are read: somebody who left its process group may hold them open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Runs the program to its end, or to the end of its time. What it tells us begins with the mark, on a line; a program that
/// floods its output with anything else does not drown it.
pub(super) fn run(program: &Program<'_>, stdin: &[u8], mark: &str, time_limit: Duration) -> io::Result<Finished> {
    let mut command = command(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Process::start(command)?;
    let stdout = child.take_stdout().map(|stream| Output::of(stream, Marked::new(mark)));
    let stderr = child.take_stderr().map(|stream| Output::of(stream, Tail::new(TAIL)));
    // Held open until the child has ended: it ends when we do.
    let mut pipe = child.take_stdin();
    // A child that does not read its input has ended already, which its status tells better.
    let _ = pipe.as_mut().map(|pipe| pipe.write_all(stdin));
    let bounds = program.lock_up.as_ref().map(|lock_up| lock_up.policy.limits.bounds());
    let ended = child.wait_within(bounds, time_limit);
    let status = child.end();
    drop(pipe);
    let end = if ended? { status.map_or(ProcessEnd::TimedOut, end_of) } else { ProcessEnd::TimedOut };
    let stdout = stdout.map(|output| output.taken(LAST_WORDS)).unwrap_or_default();
    let stderr = stderr.map(|output| output.taken(LAST_WORDS)).unwrap_or_default();
    Ok(Finished { end, stdout, stderr })
}

/// The program as a command, locked up if it is to be, in a process group of its own. Who is locked up gets a session of its own,
/// which the leader of a group could not.
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
    command.args(args).current_dir(program.directory);
    if program.lock_up.is_none() {
        command.process_group(0);
    }
    set_environment(&mut command, program.directory);
    command
}

fn end_of(status: ExitStatus) -> ProcessEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessEnd::Exited(code),
        (None, signal) => ProcessEnd::Signalled(signal.unwrap_or_default()),
    }
}

/// Lines with a mark, from the mark on.
struct Marked {
    mark: Vec<u8>,
    lines: Vec<u8>,
    /// The line that is being read, as far as it may still matter.
    line: Vec<u8>,
}

impl Marked {
    fn new(mark: &str) -> Marked {
        Marked { mark: mark.as_bytes().to_vec(), lines: Vec::new(), line: Vec::new() }
    }

    fn end_line(&mut self) {
        let start = self.line.windows(self.mark.len()).position(|part| part == self.mark);
        let told = start.map(|start| &self.line[start..]).filter(|told| told.len() <= LINE);
        if let Some(told) = told.filter(|told| self.lines.len() + told.len() < TOLD) {
            self.lines.extend_from_slice(told);
            self.lines.push(b'\n');
        }
        self.line.clear();
    }
}

impl Keep for Marked {
    fn add(&mut self, block: &[u8]) {
        for part in block.split_inclusive(|byte| *byte == b'\n') {
            match part.split_last() {
                Some((b'\n', part)) => {
                    self.line.extend_from_slice(part);
                    self.end_line();
                }
                _ => self.line.extend_from_slice(part),
            }
            // The beginning of a line this long is none of ours; the mark may still come.
            if self.line.len() > 2 * LINE {
                self.line.drain(..self.line.len() - LINE);
            }
        }
    }

    fn take(&mut self) -> Vec<u8> {
        self.end_line();
        std::mem::take(&mut self.lines)
    }
}

/// As the value of `-classpath`. An empty path would mean the working directory.
pub(super) fn joined(class_path: &[PathBuf]) -> OsString {
    let entries = class_path.iter().map(|entry| absolute(entry));
    entries.map(PathBuf::into_os_string).collect::<Vec<_>>().join(OsStr::new(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(mut keep: impl Keep, blocks: &[&[u8]]) -> Vec<u8> {
        blocks.iter().for_each(|block| keep.add(block));
        keep.take()
    }

    #[test]
    fn marked_lines_are_kept_wherever_they_stand() {
        let flood = vec![b'x'; 3 * LINE];
        let cases: [(&str, Vec<&[u8]>, &str); 6] = [
            ("a line", vec![b"KEY\tT\n"], "KEY\tT\n"),
            ("in pieces", vec![b"KE", b"Y\tT", b"\nno\nKEY\tEND\n"], "KEY\tT\nKEY\tEND\n"),
            ("behind what has no end of line", vec![b"noiseKEY\tT\n"], "KEY\tT\n"),
            ("behind a flood", vec![&flood, b"KEY\tT\n"], "KEY\tT\n"),
            ("without an end of line", vec![b"KEY\tEND"], "KEY\tEND\n"),
            ("nothing", vec![&flood, b"\nKE\nY"], ""),
        ];
        for (what, blocks, expected) in cases {
            assert_eq!(String::from_utf8_lossy(&kept(Marked::new("KEY"), &blocks)), expected, "{what}");
        }
    }

    #[test]
    fn what_is_told_is_limited_too() {
        let line = [b"KEY".as_slice(), &vec![b'x'; LINE / 2], b"\n"].concat();
        assert!(kept(Marked::new("KEY"), &vec![&line[..]; 80]).len() <= TOLD);
        let long = [b"KEY".as_slice(), &vec![b'x'; 3 * LINE], b"\n"].concat();
        assert_eq!(kept(Marked::new("KEY"), &[&long, b"KEY\n"]), b"KEY\n");
    }
}
