//! The solver as a child process: started by one thread that lasts, killed with us, spoken to without ever blocking.
//!
//! The kernel kills a child when the *thread* that started it ends; hence one thread for all. Input is written and output
//! read by threads of their own, since a solver that hangs neither reads nor writes.
#![expect(unsafe_code, reason = "a child asks to be killed with its parent before it becomes the solver")]

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A running solver. It is ended when the value goes.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Sender<String>,
    output: Receiver<String>,
}

/// What came from a process, or did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    /// It closed its output: it has ended, or is about to.
    End,
    /// Nothing until the deadline.
    Nothing,
}

impl Process {
    /// Starts it. Memory beyond the limit, for which solvers have an option of their own, is refused by the kernel.
    pub(super) fn start(program: &super::SolverProgram, limits: &super::Limits) -> io::Result<Process> {
        let mut command = self::command(&program.path);
        command.args(program.arguments(limits));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Code, stacks of threads and what the allocator keeps come on top of what a solver counts.
        bind_to_us(&mut command, Some((limits.memory_mb + 512) << 20));
        let mut child = spawn(command)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let piped = stdin.zip(stdout).ok_or_else(|| io::Error::other("the solver has no input or output"));
        let (stdin, stdout) = piped?;
        Ok(Process { child, input: write_to(stdin), output: read_from(stdout) })
    }

    /// Sends text; never waits. Whether anybody reads it shows in the answer.
    pub(super) fn send(&self, text: String) {
        let _ = self.input.send(text);
    }

    /// The next line, waited for until the deadline.
    pub(super) fn line(&self, deadline: Instant) -> Line {
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Line::Text(line),
            Err(RecvTimeoutError::Disconnected) => Line::End,
            Err(RecvTimeoutError::Timeout) => Line::Nothing,
        }
    }

    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A killed process ends unless it waits for a broken disk: then it is left to the system.
        const LAST_BREATH: Duration = Duration::from_secs(2);
        let _ = self.child.kill();
        let deadline = Instant::now() + LAST_BREATH;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// A program that is not started yet.
#[expect(clippy::disallowed_methods, reason = "solvers are processes, and their installer uses the user's own tools")]
pub(super) fn command(program: &std::path::Path) -> Command {
    Command::new(program)
}

/// The child is killed when we end, and gets no more memory than this.
#[cfg(target_os = "linux")]
fn bind_to_us(command: &mut Command, memory: Option<u64>) {
    use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
    use std::os::unix::process::CommandExt;
    let before_exec = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if let Some(bytes) = memory {
            setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure makes two system calls; it allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(before_exec);
    }
}

/// Elsewhere a solver ends when its input does, at the latest after its query.
#[cfg(not(target_os = "linux"))]
fn bind_to_us(_command: &mut Command, _memory: Option<u64>) {}

type Request = (Command, SyncSender<io::Result<Child>>);

fn spawn(command: Command) -> io::Result<Child> {
    let (to, from) = sync_channel(1);
    let gone = || io::Error::other("the thread that starts programs is gone");
    spawner()?.send((command, to)).map_err(|_| gone())?;
    from.recv().map_err(|_| gone())?
}

fn spawner() -> io::Result<Sender<Request>> {
    static SPAWNER: Mutex<Option<Sender<Request>>> = Mutex::new(None);
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(requests) = &*spawner {
        return Ok(requests.clone());
    }
    let (requests, received) = channel::<Request>();
    std::thread::Builder::new().name("solver-spawner".into()).spawn(move || {
        for (mut command, answer) in received {
            let _ = answer.send(command.spawn());
        }
    })?;
    Ok(spawner.insert(requests).clone())
}

fn write_to(mut stdin: ChildStdin) -> Sender<String> {
    let (to, from) = channel::<String>();
    std::thread::spawn(move || {
        for text in from {
            if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    });
    to
}

/// An answer has lines of some length; a solver that goes mad shall not fill our memory.
const LONGEST_LINE: u64 = 64 << 20;

fn read_from(stdout: ChildStdout) -> Receiver<String> {
    let (to, from) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        loop {
            let mut line = Vec::new();
            let read = io::Read::take(&mut reader, LONGEST_LINE).read_until(b'\n', &mut line);
            if !matches!(read, Ok(1..)) || to.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    from
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Dialect, Limits, SolverProgram};

    #[test]
    #[cfg(target_os = "linux")]
    fn nothing_is_left_of_an_ended_process() {
        let program =
            SolverProgram { arguments: Some(vec!["60".into()]), ..SolverProgram::new("/bin/sleep", Dialect::Z3) };
        let process = Process::start(&program, &Limits::default()).unwrap();
        let entry = format!("/proc/{}", process.id());
        assert!(std::path::Path::new(&entry).exists());
        drop(process);
        assert!(!std::path::Path::new(&entry).exists());
    }
}
