//! The worker process itself: takes its orders, locks itself up, starts the VM, runs batches, watches the clock.
//!
//! Three threads: the first reads orders and leaves the process when the coordinator is gone, whatever the others do;
//! one runs the candidates; one is the watchdog.

use super::allowance::{Does, Spent};
use super::clock::{Counter, ProcessorClock};
use super::descriptors::{Closer, State};
use super::hook::{Instrumentation, Services};
use super::messages::{
    CaseLimits, FromWorker, Manners, News, Observing, PROTOCOL, Probes, Ready, Setup, ShowProbes, ToWorker, sites_since,
};
use super::scratch::ScratchKeeper;
use super::shared::Shared;
use super::{WorkerFailure, classes, descriptors};
use jvm::{Env, Global, JvmError, StaticMethod, Vm};
use sandbox::messages::{receive, send};
use sandbox::{child, inherited};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Entry point of the hidden subcommand `worker`. Standard input is a socket to the coordinator, standard output
/// memory shared with it. Must be called before any thread is started. Never returns.
pub fn main() -> ! {
    let started = Instant::now();
    inherited::close();
    // Candidates may stop the threads that would notice that the coordinator is gone.
    child::die_with_parent();
    let error = match descriptors::take_over() {
        Ok((mut socket, memory)) => match serve(&mut socket, memory, started) {
            Ok(()) => child::leave(0),
            Err(error) => {
                // The coordinator may be gone; standard error is all that is left then.
                let _ = send(&mut socket, &FromWorker::Failed { error: chain(&error) });
                error
            }
        },
        Err(source) => WorkerFailure::Io { what: "take over the descriptors", source },
    };
    eprintln!("{}", chain(&error));
    child::leave(3)
}

/// An error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// Until the coordinator closes the socket.
fn serve(socket: &mut UnixStream, memory: std::fs::File, started: Instant) -> Result<(), WorkerFailure> {
    let io = |what| move |source| WorkerFailure::Io { what, source };
    let ToWorker::Setup(setup) = receive(socket).map_err(io("read the set-up"))? else {
        return Err(WorkerFailure::Protocol { what: "work before set-up".into() });
    };
    if setup.protocol != PROTOCOL {
        return Err(WorkerFailure::Protocol { what: format!("version {} instead of {PROTOCOL}", setup.protocol) });
    }
    let shared = Shared::open(&memory).map_err(io("map the shared memory"))?;
    // Mapped it stays; open, candidates would find it.
    drop(memory);
    let applied = setup.sandbox.as_ref().map(sandbox::apply).transpose()?;
    // The tables of names are megabytes, which are made at first use: meanwhile, the VM starts.
    std::thread::spawn(|| program::Symbol::new(""));
    let machine = Machine::start(&setup, shared)?;
    let ready = Ready {
        protocol: PROTOCOL,
        sandbox: applied.map(|applied| format!("{applied:?}")),
        vm_micros: machine.vm_time.as_micros() as u64,
        total_micros: 0,
        unlinkable: machine.link(&setup.link)?,
    };
    let orders = machine.spawn(socket.try_clone().map_err(io("share the socket"))?, setup.limits, ready, started)?;
    loop {
        match receive::<ToWorker>(socket) {
            Ok(order) => orders.send(order).map_err(|_| WorkerFailure::CandidateThread)?,
            // The coordinator has closed its end, or has died.
            Err(_) => return Ok(()),
        }
    }
}

/// The VM with everything of ours in it.
struct Machine {
    vm: Vm,
    instrumentation: &'static Instrumentation,
    shared: &'static Shared,
    buffers: [Global; 3],
    java: JavaSide,
    /// Milliseconds of a candidate, which the watchdog looks at.
    time_limit: Arc<AtomicU32>,
    manners: Manners,
    vm_time: Duration,
}

/// Whom the candidates' thread talks to.
struct Conversation {
    socket: UnixStream,
    jobs: Receiver<ToWorker>,
    /// The watchdog, which is told whom to watch.
    candidate: Sender<(Global, ProcessorClock)>,
    ready: Ready,
    started: Instant,
}

/// What threads had that have ended: those of candidates, and few others.
static ENDED: Counter = Counter::new();

/// The methods of Java's `Worker`.
#[derive(Clone, Copy)]
struct JavaSide {
    start: StaticMethod,
    run: StaticMethod,
    resume: StaticMethod,
    forget: StaticMethod,
    interfere: StaticMethod,
    unblock: StaticMethod,
    others_do: StaticMethod,
    is_initialising: StaticMethod,
}

impl Machine {
    fn start(setup: &Setup, shared: Shared) -> Result<Self, WorkerFailure> {
        let began = Instant::now();
        let vm = Vm::start(&setup.libjvm, &setup.vm_options)?;
        let vm_time = began.elapsed();
        let env = vm.attach()?;
        jvm::fix_order_of_immutable_collections(&env);
        for (name, bytes) in classes::of_host() {
            env.define_boot_class(name, bytes)?;
        }
        let host = env.find_class("reenact/host/Host")?;
        let (keeper, closer) = (ScratchKeeper::new(&setup.scratch), Closer::default());
        let caller = classes::caller();
        let services = Services {
            case_ended: Box::new(move |collect_garbage| {
                let State { many, closed, touched } = descriptors::state(keeper.events());
                let is_left = touched && keeper.clean();
                is_left | closed | closer.are_too_many_open(many, collect_garbage)
            }),
            hang_up: descriptors::hang_up,
            thread_ended: Box::new(|| {
                ProcessorClock::of_this_thread().into_iter().for_each(|clock| ENDED.add(clock.read()));
            }),
            caller,
            reloads: setup.probes.classes_per_candidate,
        };
        let instrumentation = Instrumentation::install(&vm, &env, host, setup.probes.clone(), services)?;
        change_jdk(&setup.probes, instrumentation)?;
        env.define_program_class(caller.0, caller.1)?;
        let (shared, parts) = shared.into_parts();
        let [header, input, output] = parts;
        let buffers = [env.direct_buffer(header)?, env.direct_buffer(input)?, env.direct_buffer(output)?];
        let java = JavaSide::find(&env)?;
        let manners = setup.manners;
        set_up(&env, &setup.probes, setup.limits, manners)?;
        let time_limit = Arc::new(AtomicU32::new(setup.limits.milliseconds));
        Ok(Machine { vm, instrumentation, shared, buffers, java, time_limit, manners, vm_time })
    }

    /// The first of the classes that cannot be linked, and why.
    fn link(&self, classes: &[String]) -> Result<Option<(String, String)>, WorkerFailure> {
        for class in classes {
            if let Some(thrown) = self.vm.link(class)? {
                return Ok(Some((class.clone(), thrown)));
            }
        }
        Ok(None)
    }

    /// Starts the watchdog and the candidates' thread; orders go into the channel.
    fn spawn(
        self,
        socket: UnixStream,
        limits: CaseLimits,
        ready: Ready,
        started: Instant,
    ) -> Result<Sender<ToWorker>, WorkerFailure> {
        let spawn = |name: &str, stack: usize, body: Box<dyn FnOnce() + Send>| {
            let thread = std::thread::Builder::new().name(name.into()).stack_size(stack);
            thread.spawn(body).map_err(|source| WorkerFailure::Io { what: "start a thread", source })
        };
        let (orders, jobs) = channel();
        let (candidate, to_watch) = channel();
        let (attached, is_attached) = channel();
        let watchdog = Watchdog {
            vm: self.vm,
            instrumentation: self.instrumentation,
            shared: self.shared,
            interfere: self.java.interfere,
            unblock: self.java.unblock,
            others_do: self.java.others_do,
            is_initialising: self.java.is_initialising,
            limit: Arc::clone(&self.time_limit),
        };
        spawn("watchdog", 1 << 20, Box::new(move || watchdog.watch(&attached, &to_watch)))?;
        // The interpreter takes a thread that turns up later for one that a candidate has left behind.
        is_attached.recv().map_err(|_| WorkerFailure::CandidateThread)?;
        let conversation = Conversation { socket, jobs, candidate, ready, started };
        spawn("candidate", limits.stack, Box::new(move || self.run_candidates(conversation)))?;
        Ok(orders)
    }

    /// The body of the candidates' thread: a failure here is the end of the process.
    fn run_candidates(&self, mut conversation: Conversation) {
        if let Err(error) = self.work(&mut conversation) {
            let _ = send(&mut conversation.socket, &FromWorker::Failed { error: chain(&error) });
            eprintln!("{}", chain(&error));
            child::leave(3);
        }
    }

    fn work(&self, conversation: &mut Conversation) -> Result<(), WorkerFailure> {
        let io = |source| WorkerFailure::Io { what: "answer", source };
        let env = self.vm.attach()?;
        env.call_with_objects(self.java.start, &self.buffers)?;
        let clock = ProcessorClock::of_this_thread().ok_or(WorkerFailure::CandidateThread)?;
        let watched = (env.current_thread()?, clock);
        conversation.candidate.send(watched).map_err(|_| WorkerFailure::CandidateThread)?;
        let total_micros = conversation.started.elapsed().as_micros() as u64;
        let ready = Ready { total_micros, ..conversation.ready.clone() };
        send(&mut conversation.socket, &FromWorker::Ready(ready)).map_err(io)?;
        let mut told = 0;
        while let Ok(job) = conversation.jobs.recv() {
            let (before, ended_before) = (clock.read(), ENDED.read());
            let ran = match job {
                ToWorker::Run { bytes } => Ok(env.call_with_ints(self.java.run, &[bytes.cast_signed()])?),
                ToWorker::Resume => Ok(env.run(self.java.resume)?),
                ToWorker::Observe(observing) => self.observe(&env, *observing),
                ToWorker::Setup(_) => return Err(WorkerFailure::Protocol { what: "a second set-up".into() }),
            };
            let interfered = self.shared.stops() > 0;
            // What the watchdog threw may come when there is no candidate left to catch it.
            if !interfered {
                ran?;
            }
            let cpu_nanos = clock.read().saturating_sub(before).as_nanos() as u64;
            let thread_nanos = ENDED.read().saturating_sub(ended_before).as_nanos() as u64;
            let answer = FromWorker::Answered { interfered, cpu_nanos, thread_nanos, news: self.news(&mut told) };
            send(&mut conversation.socket, &answer).map_err(io)?;
        }
        Ok(())
    }

    fn observe(&self, env: &Env<'_>, observing: Observing) -> Result<(), WorkerFailure> {
        let Observing { probes, limits } = observing;
        set_up(env, &probes, limits, self.manners)?;
        self.time_limit.store(limits.milliseconds, Ordering::Relaxed);
        self.instrumentation.change(probes)?;
        Ok(env.run(self.java.forget)?)
    }

    fn news(&self, told: &mut usize) -> News {
        let sites = self.instrumentation.with_ids(|ids| {
            let new = sites_since(ids, *told);
            *told = ids.sites().len();
            new
        });
        let failures = self.instrumentation.take_failures();
        let failures =
            failures.into_iter().map(|failure| (failure.class.dotted(), failure.error.to_string())).collect();
        let once = self.instrumentation.take_initialised_once();
        let initialised_once = once.into_iter().map(|class| class.as_internal().to_owned()).collect();
        News { sites, failures, initialised_once }
    }
}

/// Sends classes of the JDK that get probes through the hook, as far as they are loaded by now.
fn change_jdk(probes: &Probes, instrumentation: &Instrumentation) -> Result<(), WorkerFailure> {
    const GUARDED: [&str; 4] =
        ["java/lang/Runtime", "java/lang/Thread", "java/lang/VirtualThread", "java/util/TimeZone"];
    Ok(instrumentation.retransform(&GUARDED, &probes.jdk_classes().collect::<Vec<_>>())?)
}

fn set_up(env: &Env<'_>, probes: &Probes, limits: CaseLimits, manners: Manners) -> Result<(), WorkerFailure> {
    let worker = env.find_class("reenact/host/Worker")?;
    let set_limits = env.static_method(worker, "limits", "(III)V")?;
    let int = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let CaseLimits { steps, array_length, threads, .. } = limits;
    env.call_with_ints(set_limits, &[int(steps), int(array_length), int(threads)])?;
    let manner = env.static_method(worker, "manner", "(IIIII)V")?;
    let Probes { record_initialisers, classes_per_candidate, last_statement_only, .. } = *probes;
    let Manners { keep_if_unharmed, repeatable } = manners;
    let flags = [record_initialisers, classes_per_candidate, keep_if_unharmed, last_statement_only, repeatable];
    let flags = flags.map(i32::from);
    env.call_with_ints(manner, &flags)?;
    let show = env.static_method(worker, "show", "(IIIII)V")?;
    let ShowProbes { outcomes, depth, objects, bytes, variables, .. } = probes.show;
    Ok(env.call_with_ints(show, &[int(outcomes), depth.into(), objects.into(), int(bytes), variables.into()])?)
}

impl JavaSide {
    fn find(env: &Env<'_>) -> Result<Self, WorkerFailure> {
        const BUFFERS: &str = "(Ljava/nio/ByteBuffer;Ljava/nio/ByteBuffer;Ljava/nio/ByteBuffer;)V";
        let worker = env.find_class("reenact/host/Worker")?;
        Ok(JavaSide {
            start: env.static_method(worker, "start", BUFFERS)?,
            run: env.static_method(worker, "run", "(I)V")?,
            resume: env.static_method(worker, "resume", "()V")?,
            forget: env.static_method(worker, "forgetReadings", "()V")?,
            interfere: env.static_method(worker, "interfere", "()Ljava/lang/Throwable;")?,
            unblock: env.static_method(worker, "unblock", "()Ljava/lang/Throwable;")?,
            others_do: env.static_method(worker, "othersDo", "()I")?,
            is_initialising: env.static_method(worker, "isInitialising", "()I")?,
        })
    }
}

/// What further threads of a candidate do, as `Worker.othersDo` says: all wait for others, some sleep, some work.
const WAIT: i32 = 0;
const SLEEP: i32 = 1;
const WORK: i32 = 2;

/// Stops candidates that take too long. One exception may not do: programs catch what they did not expect.
struct Watchdog {
    vm: Vm,
    instrumentation: &'static Instrumentation,
    shared: &'static Shared,
    interfere: StaticMethod,
    unblock: StaticMethod,
    others_do: StaticMethod,
    is_initialising: StaticMethod,
    limit: Arc<AtomicU32>,
}

impl Watchdog {
    /// While candidates follow each other; and while one goes on.
    const GLANCE_EVERY: Duration = Duration::from_millis(10);
    const LOOK_EVERY: Duration = Duration::from_millis(5);
    const STOP_EVERY: Duration = Duration::from_millis(50);
    /// Who is seen waiting for nobody this often in a row will wait for ever.
    const LOOKS_AT_WAITING: u32 = 4;
    /// The same where threads of the candidate sleep: hardly any wakes that late to do more than to go to sleep again.
    const LOOKS_AT_SLEEPING: u32 = 20;

    fn watch(&self, attached: &Sender<()>, candidate: &Receiver<(Global, ProcessorClock)>) {
        let Ok(env) = self.vm.attach() else { return };
        let (Ok(()), Ok((thread, clock))) = (attached.send(()), candidate.recv()) else { return };
        let mut watched = (self.shared.progress(), Instant::now(), clock.read());
        let (mut stops, mut waited, mut asleep) = (0, 0, 0);
        let mut pause = Self::GLANCE_EVERY;
        loop {
            std::thread::sleep(pause);
            let now = self.shared.progress();
            let (progress, since, worked_before) = watched;
            if now.case.is_none() || now != progress {
                watched = (now, Instant::now(), clock.read());
                (stops, waited, asleep) = (0, 0, 0);
                pause = Self::GLANCE_EVERY;
                continue;
            }
            pause = Self::LOOK_EVERY;
            // Somebody else may end that: a thread of the candidate that works, or that sleeps for a while.
            waited = if self.instrumentation.waits_for_ever(thread) { waited + 1 } else { 0 };
            let others_do = if waited < Self::LOOKS_AT_WAITING { WORK } else { self.others_do(&env) };
            asleep = if others_do == SLEEP { asleep + 1 } else { 0 };
            if others_do == WAIT || asleep == Self::LOOKS_AT_SLEEPING {
                let _ = self.throw(&env, self.unblock, |exception| self.instrumentation.unblock(thread, exception));
                (waited, asleep) = (0, 0);
            }
            let ever = clock.read();
            let spent = Spent {
                ever,
                worked: ever.saturating_sub(worked_before),
                elapsed: since.elapsed(),
                does: self.does(thread),
            };
            let limit = self.limit();
            let pause_is_over = spent.elapsed > limit + Self::STOP_EVERY * stops;
            if pause_is_over && spent.is_over(limit) && spent.is_over(self.extended(&env, spent)) {
                stops += 1;
                self.shared.count_stop();
                // If even this fails, the coordinator ends the process.
                if stops == 1 && waited > Self::LOOKS_AT_WAITING {
                    let _ = self.throw(&env, self.unblock, |exception| self.instrumentation.unblock(thread, exception));
                } else {
                    let _ = self.throw(&env, self.interfere, |exception| self.instrumentation.stop(thread, exception));
                }
                descriptors::hang_up();
            }
        }
    }

    fn limit(&self) -> Duration {
        Duration::from_millis(self.limit.load(Ordering::Relaxed).into())
    }

    fn others_do(&self, env: &Env<'_>) -> i32 {
        env.call_int(self.others_do).unwrap_or(WORK)
    }

    fn does(&self, thread: Global) -> Does {
        match () {
            () if self.instrumentation.runs_java(thread) => Does::Runs,
            () if self.instrumentation.waits_for_time(thread) => Does::Sleeps,
            () if self.instrumentation.waits_for_ever(thread) => Does::Blocks,
            () => Does::Waits,
        }
    }

    fn extended(&self, env: &Env<'_>, spent: Spent) -> Duration {
        let is_initialising = env.call_int(self.is_initialising).is_ok_and(|depth| depth > 0);
        spent.extended(self.limit(), is_initialising)
    }

    /// Has the exception made by `by` and thrown by `into`.
    fn throw(
        &self,
        env: &Env<'_>,
        by: StaticMethod,
        into: impl FnOnce(Global) -> Result<(), JvmError>,
    ) -> Result<(), WorkerFailure> {
        let exception = env.call_object(by)?;
        let thrown = into(exception);
        env.delete(exception);
        Ok(thrown?)
    }
}
