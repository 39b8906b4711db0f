//! Child processes: all are started by one thread, ended for certain, and waited for no longer than it makes sense.
//!
//! Children ask the kernel to be killed when their parent ends, which means the *thread* that started them: hence one
//! thread that lasts as long as the process. Whoever has to end the process at once calls [`kill_all`] first.
#![expect(unsafe_code, reason = "signals, and waiting with a limit")]

use crate::usage::Bounds;
use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the kernel may take to end a killed process: one with gigabytes takes a moment, one that waits for a broken
/// disk for ever.
const LAST_BREATH: Duration = Duration::from_secs(2);

/// A child process. It is ended when the value goes.
#[derive(Debug)]
pub struct Process {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Process {
    pub fn start(command: Command) -> io::Result<Process> {
        let (to, from) = sync_channel(1);
        let gone = || io::Error::other("the thread that starts programs is gone");
        spawner()?.send((command, to)).map_err(|_| gone())?;
        let child = from.recv().map_err(|_| gone())??;
        Ok(Process { child, ended: None })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Waits until it has ended, for so long at most; whether it has. Its number stays its own.
    pub fn wait(&self, limit: Duration) -> io::Result<bool> {
        let deadline = Instant::now() + limit;
        let handle = handle(self.child.id());
        loop {
            if self.has_ended()? {
                return Ok(true);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            match &handle {
                Some(handle) => wait_for(handle, left),
                None => std::thread::sleep(left.min(Duration::from_millis(5))),
            }
        }
    }

    /// The same for one that is killed where it takes more than it may.
    pub fn wait_within(&self, bounds: Option<Bounds>, limit: Duration) -> io::Result<bool> {
        /// Long enough to cost nothing, and short enough that nobody fills the memory of a machine meanwhile.
        const LOOK: Duration = Duration::from_millis(10);
        let Some(bounds) = bounds else { return self.wait(limit) };
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if self.wait(left.min(LOOK))? {
                return Ok(true);
            }
            if left.is_zero() {
                return Ok(false);
            }
            if bounds.are_broken_by(self.id()) {
                self.kill();
            }
        }
    }

    fn has_ended(&self) -> io::Result<bool> {
        if self.ended.is_some() {
            return Ok(true);
        }
        // SAFETY: all-zero is a valid `siginfo_t`, and `waitid` writes to nothing else. `si_pid` reads what `waitid` has
        // written, or the zero of before if the child still runs.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            match libc::waitid(libc::P_PID, self.child.id(), &raw mut info, options) {
                0 => Ok(info.si_pid() != 0),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }

    /// Kills it if it still runs, and all others of its group if it leads one: it may have left that.
    pub fn kill(&self) {
        if self.ended.is_none() {
            kill(self.child.id());
        }
    }

    /// Kills it if it still runs, with what is left of its group, and says how it ended; `None` if not even that ends it.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.kill();
            // An error means that there is nothing to wait for.
            if self.wait(LAST_BREATH).unwrap_or(true) {
                // Under the lock: whoever kills all must not hit a number that means somebody else by now.
                let mut live = live();
                self.ended = self.child.try_wait().ok().flatten();
                live.ids.remove(&self.child.id());
            }
        }
        self.ended
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

type Request = (Command, SyncSender<io::Result<Child>>);

/// The thread that starts all programs.
fn spawner() -> io::Result<Sender<Request>> {
    static SPAWNER: Mutex<Option<Sender<Request>>> = Mutex::new(None);
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(requests) = &*spawner {
        return Ok(requests.clone());
    }
    let (requests, received) = channel::<Request>();
    std::thread::Builder::new().name("spawner".into()).spawn(move || {
        for (mut command, answer) in received {
            // Whoever asked waits for it.
            let _ = answer.send(command.spawn().and_then(enter));
        }
    })?;
    Ok(spawner.insert(requests).clone())
}

/// Children that have not been waited for: their numbers mean nobody else.
#[derive(Debug)]
struct Live {
    ids: BTreeSet<u32>,
    /// All are being killed, and those to come too.
    is_closed: bool,
}

fn live() -> MutexGuard<'static, Live> {
    static LIVE: Mutex<Live> = Mutex::new(Live { ids: BTreeSet::new(), is_closed: false });
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn enter(mut child: Child) -> io::Result<Child> {
    let mut live = live();
    if live.is_closed {
        let _ = child.kill();
        return Err(io::Error::other("the process is about to end"));
    }
    live.ids.insert(child.id());
    Ok(child)
}

/// Kills all children, now and in future: for a process that is about to end and waits for nobody.
pub fn kill_all() {
    let mut live = live();
    live.is_closed = true;
    live.ids.iter().for_each(|id| kill(*id));
}

fn kill(id: u32) {
    let Ok(id) = libc::pid_t::try_from(id) else { return };
    // SAFETY: takes numbers and touches no memory of ours. Not waited for, the child's number means nobody else.
    unsafe {
        libc::killpg(id, libc::SIGKILL);
        libc::kill(id, libc::SIGKILL);
    }
}

/// A descriptor that can be read from when the process has ended; `None` where the kernel has no such thing.
fn handle(id: u32) -> Option<OwnedFd> {
    let id = libc::pid_t::try_from(id).ok()?;
    // SAFETY: takes numbers and returns a new descriptor or -1.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, id, 0) };
    let fd = i32::try_from(fd).ok().filter(|fd| *fd >= 0)?;
    // SAFETY: the descriptor is new and nobody else's; the kernel makes it close-on-exec.
    Some(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn wait_for(handle: &OwnedFd, limit: Duration) {
    let mut asked = libc::pollfd { fd: handle.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let milliseconds = i32::try_from(limit.as_millis() + 1).unwrap_or(i32::MAX);
    // SAFETY: one entry, as said. Being woken early does no harm.
    unsafe { libc::poll(&raw mut asked, 1, milliseconds) };
}

/// This process is killed when the thread that started it ends, whatever its own threads do.
pub fn die_with_parent() {
    // SAFETY: passes numbers only; failing means to live a little longer.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}

/// Ends this process at once, without waiting for any of its threads.
pub fn leave(status: i32) -> ! {
    // SAFETY: never returns and touches no memory.
    unsafe { libc::_exit(status) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::process::Stdio;

    #[expect(clippy::disallowed_methods, reason = "processes to be waited for")]
    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped());
        command
    }

    #[test]
    fn an_ended_child_is_not_waited_for() {
        let mut child = Process::start(shell("exit 7")).expect("a shell");
        assert!(child.wait(Duration::from_secs(60)).expect("it is ours"));
        assert_eq!(child.end().and_then(|status| status.code()), Some(7));
    }

    #[test]
    fn a_child_that_goes_on_is_ended() {
        let mut child = Process::start(shell("while :; do sleep 1; done")).expect("a shell");
        assert!(!child.wait(Duration::from_millis(1)).expect("it is ours"));
        assert_eq!(child.end().map(|status| status.success()), Some(false));
    }

    #[test]
    fn all_are_started_by_one_thread_that_lasts() {
        let parent = || {
            // The task that started it is the parent of its parent-death signal, which the kernel does not show; its own
            // children are listed by task.
            let mut child = Process::start(shell("echo; exec sleep 60")).expect("a shell");
            let _ = child.take_stdout().expect("a pipe").read(&mut [0]);
            let tasks = std::fs::read_dir("/proc/self/task").expect("tasks").flatten();
            let is_its = |task: &std::path::Path| {
                let children = std::fs::read_to_string(task.join("children")).unwrap_or_default();
                children.split_whitespace().any(|id| id == child.id().to_string())
            };
            tasks.map(|task| task.path()).find(|task| is_its(task))
        };
        let here = parent();
        let elsewhere = std::thread::spawn(parent).join().expect("no panic");
        assert_eq!(here, elsewhere);
        let name = here.and_then(|task| std::fs::read_to_string(task.join("comm")).ok());
        assert_eq!(name.as_deref().map(str::trim), Some("spawner"));
    }
}
