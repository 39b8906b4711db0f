//! One worker process, as the coordinator sees it: started without waiting, spoken to in batches, killed when it hangs.

use super::WorkerFailure;
use super::clock::ProcessorClock;
use super::messages::{CaseLimits, FromWorker, Manners, Observing, PROTOCOL, Probes, Ready, Setup, ToWorker};
use super::shared::Shared;
use sandbox::child::Process;
use sandbox::messages::{receive, send};
use sandbox::output::{Output, Tail};
use sandbox::usage::Bounds;
use sandbox::{Readable, SandboxPolicy, set_environment};
use splice::ProbeSite;
use std::ffi::OsString;
use std::fmt;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

/// What all workers of a run have in common.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// The program and arguments that end in [`super::main`]; normally this executable and `worker`.
    pub command: Vec<OsString>,
    pub java_home: PathBuf,
    pub class_path: Vec<PathBuf>,
    /// Classes (binary names) that are loaded and linked, not initialised, before anything else: see [`Ready::unlinkable`].
    pub link: Vec<String>,
    /// What candidates may read beyond the class path and the JDK.
    pub readable: Vec<PathBuf>,
    /// Further options for the VM, as the user gave them.
    pub vm_args: Vec<String>,
    /// Whether candidates are locked up.
    pub sandboxed: bool,
    pub probes: Probes,
    pub limits: CaseLimits,
    /// Whether a worker is kept after a stack overflow or a failed static initialiser that has left no class unusable, and after
    /// a request for more memory than there ever is.
    /// Finding out costs a millisecond, a new worker a hundred.
    pub keep_if_unharmed: bool,
    /// How long a candidate may go on after the worker's own watchdog should have stopped it.
    pub grace: Duration,
    /// Heap of the VM in megabytes.
    pub heap: u32,
    /// Classes made for candidates, some 7 KB each outside of the heap, that a worker has at most: they are never unloaded.
    pub most_classes: usize,
    /// Whether neither what a worker has run before a candidate nor what the candidate's threads have done by its end may depend on
    /// the clock.
    pub repeatable: bool,
}

impl WorkerConfig {
    pub fn new(command: Vec<OsString>, java_home: impl Into<PathBuf>, class_path: Vec<PathBuf>) -> Self {
        WorkerConfig {
            command,
            java_home: java_home.into(),
            class_path,
            link: Vec::new(),
            readable: Vec::new(),
            vm_args: Vec::new(),
            sandboxed: true,
            probes: Probes { count_entries: true, ..Probes::default() },
            limits: CaseLimits {
                steps: 200_000,
                array_length: 1 << 20,
                threads: 32,
                milliseconds: 250,
                stack: 512 << 10,
            },
            keep_if_unharmed: true,
            grace: Duration::from_millis(1500),
            heap: 256,
            most_classes: 16_000,
            repeatable: false,
        }
    }

    pub(super) fn observing(&self) -> Observing {
        Observing { probes: self.probes.clone(), limits: self.limits }
    }

    /// What the VM is told; the measurements behind it are in the documentation of the host.
    fn vm_options(&self, scratch: &std::path::Path) -> Vec<String> {
        let class_path: Vec<_> = self.class_path.iter().map(|entry| entry.to_string_lossy()).collect();
        let scratch = scratch.display();
        let mut options = vec![
            format!("-Djava.class.path={}", class_path.join(":")),
            format!("-Djava.io.tmpdir={scratch}"),
            format!("-Duser.home={scratch}"),
            format!("-Xmx{}m", self.heap),
            format!("-XX:MaxDirectMemorySize={}m", self.heap),
            // Small, short-lived processes: what starts fast and warms up fast wins.
            "-XX:+UseSerialGC".into(),
            "-XX:TieredStopAtLevel=1".into(),
            "-Xshare:auto".into(),
            // Some programs ask for a collection at every turn, which takes longer than all else that they do.
            "-XX:+DisableExplicitGC".into(),
            // Without this, hot null pointer exceptions come without a stack.
            "-XX:-OmitStackTraceInFastThrow".into(),
            // Nothing written or listened to that nobody asked for.
            "-XX:-UsePerfData".into(),
            "-XX:+DisableAttachMechanism".into(),
            "-XX:ErrorFile=/dev/null".into(),
            "-Xrs".into(),
            "-Djava.awt.headless=true".into(),
        ];
        if program::Jdk::at(&self.java_home).is_ok_and(|jdk| jdk.feature >= CAN_STAY) {
            options.extend(jvm::ARCHIVE_STAYS.map(String::from));
        }
        options.extend(jvm::COUNTED_HASHES.map(String::from));
        options.extend(self.vm_args.iter().cloned());
        options
    }
}

impl WorkerConfig {
    fn policy(&self, scratch: &std::path::Path) -> SandboxPolicy {
        let readable = Readable {
            java_home: Some(&self.java_home),
            class_path: &self.class_path,
            allowed: &self.readable,
            vm_args: &self.vm_args,
        };
        let policy = SandboxPolicy::for_worker(scratch, &readable).for_vm(self.vm_args.iter().map(String::as_str));
        SandboxPolicy { scratch_in_memory: Some(256 << 20), ..policy }
    }
}

/// Bounds that are looked at every now and then, also where one short batch comes after the other.
#[derive(Debug)]
struct Watched {
    bounds: Bounds,
    looked: Instant,
}

impl Watched {
    fn are_broken_by(&mut self, process: u32) -> bool {
        if self.looked.elapsed() < LOOK_EVERY {
            return false;
        }
        self.looked = Instant::now();
        self.bounds.are_broken_by(process)
    }
}

/// How a worker process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    Exited(i32),
    Signalled(i32),
    /// By us, because it hung.
    Killed,
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Death::Exited(status) => write!(f, "exit status {status}"),
            Death::Signalled(signal) => write!(f, "signal {signal}"),
            Death::Killed => f.write_str("killed because it hung"),
        }
    }
}

impl Death {
    fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Death::Exited(code),
            (None, signal) => Death::Signalled(signal.unwrap_or_default()),
        }
    }
}

/// What came of a batch, or of going on with one.
#[derive(Debug)]
pub(super) struct Progressed {
    /// Complete answers since the last call.
    pub(super) answers: Vec<u8>,
    pub(super) then: Then,
}

#[derive(Debug)]
pub(super) enum Then {
    /// The worker waits for more to do.
    Waits,
    /// Its watchdog had to stop this candidate, which may have been answered all the same: it is not to be used again.
    Interfered { culprit: Option<u32> },
    /// It died while this candidate ran, which had taken so long; `None` if between two.
    Died { culprit: Option<u32>, death: Death, after: Duration },
    /// The time for the whole run was up, so it was killed.
    OutOfTime,
}

#[derive(Debug)]
pub(super) struct Worker {
    child: Process,
    socket: UnixStream,
    shared: Shared,
    messages: Receiver<FromWorker>,
    stderr: Option<Output<Tail>>,
    ready: Option<Ready>,
    /// What came when nobody waited for it.
    first_message: Option<Result<FromWorker, RecvTimeoutError>>,
    batches: u32,
    /// Processor time of the candidates' thread for what was answered last.
    cpu: Option<[Duration; 2]>,
    /// Where its probes are, by id.
    pub(super) sites: Vec<ProbeSite>,
    /// Classes that could not be spliced, and why.
    pub(super) failures: Vec<(String, String)>,
    /// Classes (internal names) that it could not initialise again.
    pub(super) initialised_once: Vec<String>,
    /// The number of the plan by which it observes.
    pub(super) plan: u32,
    /// How long a candidate may go on before the worker is killed, and how long after its watchdog has tried to stop it.
    patience: Duration,
    grace: Duration,
    /// What it may take before it is killed, and when that was looked at.
    bounds: Option<Watched>,
    /// Removed last, when the process is gone.
    _scratch: tempfile::TempDir,
}

/// Bytes that are kept of what a worker prints.
const LAST_WORDS: usize = 8 << 10;

/// How often the coordinator looks whether a worker gets on.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What a batch may take beyond the end of the time: most are done by then.
const LATENESS: Duration = Duration::from_millis(300);

/// Share of the grace that a worker may take as processor time. One that works on for longer has got where the VM does not look
/// for orders; the rest is for one that waits for the processor.
const DEAF: u32 = 3;

/// The first JDK of which we know that it has the options in [`jvm::ARCHIVE_STAYS`].
const CAN_STAY: u16 = 17;

/// A VM starts in a tenth of a second. How much processor time one may take, and how long it may take none.
const START_LIMIT: Duration = Duration::from_secs(60);

impl Worker {
    /// Starts a process and sends it off; does not wait until it is ready.
    pub(super) fn start(config: &WorkerConfig) -> Result<Worker, WorkerFailure> {
        let io = |what| move |source| WorkerFailure::Io { what, source };
        let libjvm = jvm::find_libjvm(&config.java_home)?;
        let scratch = tempfile::Builder::new().prefix("reenact-").tempdir().map_err(io("make a scratch directory"))?;
        let (mut socket, theirs) = UnixStream::pair().map_err(io("make a socket"))?;
        let (memory, shared) = Shared::create().map_err(io("make shared memory"))?;
        let command = command(config, OwnedFd::from(theirs), OwnedFd::from(memory), scratch.path());
        let mut child = Process::start(command).map_err(io("start a worker"))?;
        let stderr = child.take_stderr().map(|stream| Output::of(stream, Tail::new(LAST_WORDS)));
        let messages = listen(socket.try_clone().map_err(io("share a socket"))?);
        let limits = config.limits;
        let sandbox = config.sandboxed.then(|| config.policy(scratch.path()));
        let bounds = sandbox.as_ref().map(|policy| Watched { bounds: policy.limits.bounds(), looked: Instant::now() });
        let setup = Setup {
            protocol: PROTOCOL,
            sandbox,
            scratch: scratch.path().to_path_buf(),
            libjvm,
            vm_options: config.vm_options(scratch.path()),
            probes: config.probes.clone(),
            limits,
            manners: Manners { keep_if_unharmed: config.keep_if_unharmed, repeatable: config.repeatable },
            link: config.link.clone(),
        };
        // A worker that is dead already tells so when it is waited for.
        let _ = send(&mut socket, &ToWorker::Setup(Box::new(setup)));
        Ok(Worker {
            child,
            socket,
            shared,
            messages,
            stderr,
            ready: None,
            first_message: None,
            batches: 0,
            cpu: None,
            sites: Vec::new(),
            failures: Vec::new(),
            initialised_once: Vec::new(),
            plan: 0,
            patience: patience(limits, config.grace),
            grace: config.grace,
            bounds,
            _scratch: scratch,
        })
    }

    /// Of its process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether [`Self::wait_ready`] has something to say without waiting.
    pub(super) fn is_ready(&mut self) -> bool {
        if self.ready.is_none() && self.first_message.is_none() {
            self.first_message = match self.messages.try_recv() {
                Ok(message) => Some(Ok(message)),
                Err(TryRecvError::Disconnected) => Some(Err(RecvTimeoutError::Disconnected)),
                Err(TryRecvError::Empty) => None,
            };
        }
        self.ready.is_some() || self.first_message.is_some()
    }

    /// Waits until the VM is up; at once if it is. `None` if it is not when the time is up.
    pub(super) fn wait_ready(&mut self, deadline: Option<Instant>) -> Result<Option<&Ready>, WorkerFailure> {
        if self.ready.is_none() {
            let first = match self.first_message.take() {
                Some(message) => Some(message),
                None => self.first_words(deadline),
            };
            let Some(first) = first else { return Ok(None) };
            let ready = match first {
                Ok(FromWorker::Ready(ready)) => ready,
                Ok(FromWorker::Failed { error }) => return Err(WorkerFailure::GaveUp { error }),
                Ok(FromWorker::Answered { .. }) => {
                    return Err(WorkerFailure::Protocol { what: "answers before work".into() });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let death = self.end();
                    return Err(WorkerFailure::DiedAtStart { death, stderr: self.last_words() });
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.kill();
                    let seconds = START_LIMIT.as_secs();
                    return Err(WorkerFailure::NotReady { seconds, stderr: self.last_words() });
                }
            };
            self.ready = Some(ready);
        }
        Ok(self.ready.as_ref())
    }

    /// Waits for the first message, as long as the VM gets on and the time is not up: on a busy machine it may take any time to
    /// start.
    fn first_words(&self, deadline: Option<Instant>) -> Option<Result<FromWorker, RecvTimeoutError>> {
        let clock = ProcessorClock::of_process(self.child.id());
        let worked = || clock.map_or(Duration::ZERO, ProcessorClock::read);
        let mut seen = (worked(), Instant::now());
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match self.messages.recv_timeout(left.map_or(START_LIMIT / 10, |left| left.min(START_LIMIT / 10))) {
                Err(RecvTimeoutError::Timeout) => {
                    if is_over(deadline, Duration::ZERO) {
                        return None;
                    }
                    let now = worked();
                    if now != seen.0 {
                        seen = (now, Instant::now());
                    }
                    if now > START_LIMIT || seen.1.elapsed() > START_LIMIT {
                        return Some(Err(RecvTimeoutError::Timeout));
                    }
                }
                message => return Some(message),
            }
        }
    }

    /// Runs a batch as far as there is room for answers. `None` if the batch is too long.
    pub(super) fn run(&mut self, batch: &[u8], deadline: Option<Instant>) -> Option<Progressed> {
        self.batches += 1;
        if !self.shared.write_batch(self.batches, batch) {
            return None;
        }
        Some(self.order(&ToWorker::Run { bytes: batch.len() as u32 }, deadline))
    }

    /// Has it observe candidates in another way from now on, in the VM that it has.
    pub(super) fn observe(&mut self, observing: Observing, deadline: Option<Instant>) -> Then {
        self.patience = patience(observing.limits, self.grace);
        // A dead worker is noticed below.
        let _ = send(&mut self.socket, &ToWorker::Observe(Box::new(observing)));
        self.wait(deadline)
    }

    /// Processor time behind the last answers, of the candidates' thread and of those that it started and that ended; unknown if
    /// the worker died over them.
    pub(super) fn take_cpu(&mut self) -> Option<[Duration; 2]> {
        self.cpu.take()
    }

    /// Goes on with the batch.
    pub(super) fn resume(&mut self, deadline: Option<Instant>) -> Progressed {
        self.order(&ToWorker::Resume, deadline)
    }

    fn order(&mut self, order: &ToWorker, deadline: Option<Instant>) -> Progressed {
        // A dead worker is noticed below.
        let _ = send(&mut self.socket, order);
        let then = self.wait(deadline);
        Progressed { answers: self.shared.answers(), then }
    }

    fn wait(&mut self, deadline: Option<Instant>) -> Then {
        let clock = ProcessorClock::of_process(self.child.id());
        let worked = || clock.map_or(Duration::ZERO, ProcessorClock::read);
        let mut seen = (self.shared.progress(), Instant::now(), worked());
        let mut stopped: Option<(Instant, Duration)> = None;
        loop {
            match self.messages.recv_timeout(LOOK_EVERY) {
                Ok(FromWorker::Answered { interfered, cpu_nanos, thread_nanos, news }) => {
                    self.cpu = Some([cpu_nanos, thread_nanos].map(Duration::from_nanos));
                    self.sites.extend(news.sites.into_iter().flat_map(|group| group.into_sites()));
                    self.failures.extend(news.failures);
                    self.initialised_once.extend(news.initialised_once);
                    if self.takes_too_much() {
                        return self.died(true, Duration::ZERO);
                    }
                    return if interfered {
                        Then::Interfered { culprit: self.shared.progress().case }
                    } else {
                        Then::Waits
                    };
                }
                Ok(FromWorker::Failed { .. } | FromWorker::Ready(_)) | Err(RecvTimeoutError::Disconnected) => {
                    return self.died(false, Duration::ZERO);
                }
                Err(RecvTimeoutError::Timeout) if is_over(deadline, LATENESS) => {
                    self.kill();
                    return Then::OutOfTime;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.takes_too_much() {
                        return self.died(true, worked().saturating_sub(seen.2));
                    }
                    let now = self.shared.progress();
                    if self.shared.stops() > 0 {
                        stopped.get_or_insert_with(|| (Instant::now(), worked()));
                    }
                    let ignores_stop = stopped.is_some_and(|(since, before)| {
                        since.elapsed() > self.grace || worked().saturating_sub(before) > self.grace / DEAF
                    });
                    if now != seen.0 {
                        seen = (now, Instant::now(), worked());
                    } else if ignores_stop || seen.1.elapsed() > self.patience {
                        return self.died(true, worked().saturating_sub(seen.2));
                    }
                }
            }
        }
    }

    fn takes_too_much(&mut self) -> bool {
        let id = self.child.id();
        self.bounds.as_mut().is_some_and(|bounds| bounds.are_broken_by(id))
    }

    fn died(&mut self, by_us: bool, after: Duration) -> Then {
        let culprit = self.shared.progress().case;
        if by_us {
            self.kill();
        }
        let death = self.end();
        Then::Died { culprit, death: if by_us { Death::Killed } else { death }, after }
    }

    fn kill(&mut self) {
        self.child.kill();
    }

    /// Ends the process if it has not ended, and says how it did.
    fn end(&mut self) -> Death {
        const LAST_STEPS: Duration = Duration::from_secs(2);
        // Who closes the socket is about to end.
        let _ = self.child.wait(LAST_STEPS);
        self.child.end().map_or(Death::Killed, Death::of)
    }

    /// The end of what it printed to standard error; once it has ended. Without sandbox it may have started somebody who holds
    /// the stream open: that one is not waited for.
    pub(super) fn last_words(&mut self) -> String {
        const PATIENCE: Duration = Duration::from_millis(500);
        let printed = self.stderr.take().map(|output| output.taken(PATIENCE)).unwrap_or_default();
        String::from_utf8_lossy(&printed).into_owned()
    }
}

fn patience(limits: CaseLimits, grace: Duration) -> Duration {
    4 * Duration::from_millis(limits.milliseconds.into()) + 2 * super::allowance::INITIALISER_LIMIT + grace
}

/// Whether a deadline was so long ago.
fn is_over(deadline: Option<Instant>, ago: Duration) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline + ago)
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Nothing of it stays behind, not even an entry in the process table.
        self.child.end();
        self.last_words();
    }
}

/// Standard input carries the socket, standard output the memory; see `descriptors`.
fn command(config: &WorkerConfig, socket: OwnedFd, memory: OwnedFd, directory: &std::path::Path) -> Command {
    let (program, args) = config.command.split_first().map_or((OsString::new(), &[][..]), |(p, a)| (p.clone(), a));
    #[expect(clippy::disallowed_methods, reason = "workers are processes")]
    let mut command = Command::new(program);
    command.args(args).current_dir(directory);
    command.stdin(Stdio::from(socket)).stdout(Stdio::from(memory)).stderr(Stdio::piped());
    set_environment(&mut command, directory);
    // One that is locked up makes a session of its own, which the leader of a group cannot.
    if !config.sandboxed {
        command.process_group(0);
    }
    command
}

/// Reads messages on a thread of its own, so that waiting for them can have a limit; ends with the worker.
fn listen(mut socket: UnixStream) -> Receiver<FromWorker> {
    let (to, from) = channel();
    std::thread::spawn(move || {
        while let Ok(message) = receive::<FromWorker>(&mut socket) {
            if to.send(message).is_err() {
                break;
            }
        }
    });
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_looked_at_when_it_is_time() {
        let broken = Bounds { memory: 1, threads: u64::MAX };
        let mut watched = Watched { bounds: broken, looked: Instant::now() + Duration::from_secs(3600) };
        let own = std::process::id();
        assert!(!watched.are_broken_by(own), "not yet");
        watched.looked = Instant::now() - LOOK_EVERY;
        assert!(watched.are_broken_by(own));
        watched = Watched { bounds: Bounds { memory: u64::MAX, ..broken }, looked: Instant::now() - LOOK_EVERY };
        assert!(!watched.are_broken_by(own));
    }
}
