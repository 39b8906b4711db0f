//! How fast do workers start and run, beside what the machine could do at best?
//!
//! The load is a random mix over all public members of commons-collections 3.1: candidates of eight calls, most of
//! which end in an exception. Rates are per second of processor time, everything included that the candidates cost:
//! the coordinator, the VM's compiler and collector, replaced workers. They are measured
//!
//! - as the search runs them: all candidates, lines and branches of the whole library watched;
//! - on the tame ones, which need no limits, with all probes, with those that only bound and reset, and with none;
//! - on the same tame ones printed as Java, compiled and called in a loop: what a VM can do at best.
//!
//! Warm means that the VM has compiled what it is going to; the rate of the first ten thousand candidates is beside it.
//! What is compared takes turns: each worker runs a share of its candidates, then the next one does, so that what else the
//! machine has to do strikes all of them.
//!
//! `REENACT_JARS` must be set, as by `cargo xtask bench`. On a shared machine only ratios within a run mean anything.
#![allow(clippy::unwrap_used, reason = "a failed benchmark is what a panic means here")]

#[path = "../tests/interpreter/mix.rs"]
mod mix;
#[path = "workers/plain.rs"]
mod plain;

use mix::{Mix, Numbers};
use program::{Cache, ClassPath, Program};
use recipe::{End, Recipe};
use std::sync::Arc;
use std::time::{Duration, Instant};
use testing::{Jdk, jar, jdks};
use worker::{Probes, WorkerConfig, WorkerPool};

/// As in the tool.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CANDIDATES: usize = 10_000;
/// As many as one javac can bear.
const TAME: usize = 1500;
/// The VM compiles a method at its 200th call. Ten thousand candidates call most of the seven thousand members a few
/// times each, so it takes many passes until it has compiled what it will.
const WARM_UP: usize = 150_000;
const MEASURED: usize = 60_000;
/// Turns that each worker takes while they are measured.
const TURNS: usize = 10;

/// What the issue asks for: candidates a second and core, what probes may cost, and milliseconds until a worker is ready.
const RATE: f64 = 20_000.0;
const SHARE: f64 = 0.7;
const READY: Duration = Duration::from_millis(100);

fn main() {
    for jdk in jdks() {
        let class_path = [jar("commons-collections:commons-collections:3.1")];
        let paths = ClassPath::parse(&class_path).unwrap();
        let opened = Program::open(&paths, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap();
        let bench = Bench { jdk, program: Arc::new(opened.0), jar: class_path[0].clone() };
        bench.run();
    }
}

struct Bench {
    jdk: Jdk,
    program: Arc<Program>,
    jar: std::path::PathBuf,
}

impl Bench {
    fn run(&self) {
        let mix = Mix::new(&self.program);
        let mut random = Numbers(42);
        let all: Vec<Recipe> = (0..CANDIDATES).map(|_| mix.candidate(&mut random)).collect();
        println!("JDK {}: {} members", self.jdk.major, mix.members());
        let ready = self.ready();
        println!("  worker ready after {:.1?} (median), bar {READY:.0?}, {}", ready.0, verdict(ready.0 <= READY));
        println!("    of processor time, with reading the class path: {:.1?}", ready.1);
        let full = Probes { full: self.classes(), count_entries: true, ..Probes::default() };
        let lean = Probes { count_entries: true, ..Probes::default() };
        let bare = Probes { bare: true, ..Probes::default() };
        let rate = self.rates(&[("all candidates, all probes", &full)], &all)[0];
        println!("    bar {RATE:.0}, {}", verdict(rate >= RATE));
        let tame = self.tame(&all, &full);
        let kinds =
            [("tame ones, all probes", &full), ("tame ones, bounds and reset", &lean), ("tame ones, no probes", &bare)];
        let rates = self.rates(&kinds, &tame);
        let (with, without) = (rates[0], rates[2]);
        println!(
            "    all probes cost: {:.2} of the rate is left, bar {SHARE}, {}",
            with / without,
            verdict(with >= SHARE * without)
        );
        let limit = plain::rate(&self.jdk, &self.program, &self.jar, &tame, WARM_UP, MEASURED);
        println!("  {:<28} {limit:>8.0} /s; all probes reach {:.2} of it", "the same as plain Java", with / limit);
    }

    fn classes(&self) -> std::collections::BTreeSet<String> {
        self.program.classes().iter().map(|class| class.as_internal().to_owned()).collect()
    }

    fn config(&self, probes: &Probes) -> WorkerConfig {
        let command = vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()];
        let mut config = WorkerConfig::new(command, &self.jdk.home, vec![self.jar.clone()]);
        config.probes = probes.clone();
        config
    }

    /// From starting the process to its message that it is ready: the median, and processor time for one.
    fn ready(&self) -> (Duration, Duration) {
        const STARTS: u32 = 11;
        let start = |_| {
            let mut pool = WorkerPool::new(self.config(&Probes::default())).unwrap();
            let micros = pool.ready().unwrap().unwrap().total_micros;
            // Its spare starts beside it; the next one shall not be third.
            std::thread::sleep(Duration::from_millis(400));
            Duration::from_micros(micros)
        };
        let before = Times::now();
        let mut times: Vec<Duration> = (0..STARTS).map(start).collect();
        times.sort();
        (times[times.len() / 2], Times::now().since(&before).theirs / (2 * STARTS))
    }

    /// Those that end by themselves, leave their worker as it was, and are cheap.
    fn tame(&self, all: &[Recipe], probes: &Probes) -> Vec<Recipe> {
        let mut pool = WorkerPool::new(self.config(probes)).unwrap().with_program(self.program.clone());
        let cases = pool.run(all).unwrap();
        let is_tame = |end: &End| matches!(end, End::Completed | End::Threw { .. });
        let tame = all.iter().zip(&cases).filter(|(_, case)| is_tame(&case.end) && case.taint.is_none());
        tame.map(|(recipe, _)| recipe.clone()).take(TAME).collect()
    }

    /// Warm candidates per second of processor time, for each kind of probes.
    fn rates(&self, kinds: &[(&str, &Probes)], recipes: &[Recipe]) -> Vec<f64> {
        let mut runs: Vec<Run> = kinds.iter().map(|(what, probes)| self.warm(what, probes, recipes)).collect();
        for turn in 0..TURNS {
            for place in 0..runs.len() {
                let run = &mut runs[(turn + place) % kinds.len()];
                run.turn(recipes);
            }
        }
        runs.iter().map(Run::print).collect()
    }

    fn warm(&self, what: &str, probes: &Probes, recipes: &[Recipe]) -> Run {
        let mut pool = WorkerPool::new(self.config(probes)).unwrap().with_program(self.program.clone());
        pool.ready().unwrap();
        let before = Times::now();
        let cold = run_for(&mut pool, recipes, CANDIDATES) / Times::now().since(&before).sum().as_secs_f64();
        run_for(&mut pool, recipes, WARM_UP);
        Run {
            what: what.to_owned(),
            pool,
            cold,
            cases: 0.0,
            wall: Duration::ZERO,
            spent: Times::default(),
            replaced: 0,
        }
    }
}

/// A warm worker, and what its turns have cost.
struct Run {
    what: String,
    pool: WorkerPool,
    cold: f64,
    cases: f64,
    wall: Duration,
    spent: Times,
    replaced: u32,
}

impl Run {
    fn turn(&mut self, recipes: &[Recipe]) {
        let (wall, before, started) = (Instant::now(), Times::now(), self.pool.statistics().started);
        self.cases += run_for(&mut self.pool, recipes, MEASURED / TURNS);
        self.wall += wall.elapsed();
        let spent = Times::now().since(&before);
        self.spent.ours += spent.ours;
        self.spent.theirs += spent.theirs;
        self.replaced += self.pool.statistics().started - started;
    }

    fn print(&self) -> f64 {
        let rate = self.cases / self.spent.sum().as_secs_f64();
        let micros = |time: Duration| 1e6 * time.as_secs_f64() / self.cases;
        println!(
            "  {:<28} {rate:>8.0} /s; {:.0} /s by the clock, {:.1} us here, {:.1} us in workers, {} replaced; cold {:.0} /s",
            self.what,
            self.cases / self.wall.as_secs_f64(),
            micros(self.spent.ours),
            micros(self.spent.theirs),
            self.replaced,
            self.cold
        );
        rate
    }
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "MISSED" }
}

/// Passes over the recipes, until there were so many cases; how many there were.
fn run_for(pool: &mut WorkerPool, recipes: &[Recipe], least: usize) -> f64 {
    let mut cases = 0;
    while cases < least {
        cases += pool.run(recipes).unwrap().len();
    }
    cases as f64
}

/// Processor time of this process, and of its children, dead or alive.
#[derive(Default)]
struct Times {
    ours: Duration,
    theirs: Duration,
}

impl Times {
    fn now() -> Times {
        let own = stat("/proc/self".as_ref()).unwrap();
        let processes = std::fs::read_dir("/proc").unwrap().filter_map(|entry| stat(&entry.unwrap().path()));
        let living = processes.filter(|other| other.parent == std::process::id()).map(|other| other.own);
        Times { ours: own.own, theirs: own.of_dead_children + living.sum::<Duration>() }
    }

    fn since(&self, before: &Times) -> Times {
        Times { ours: self.ours - before.ours, theirs: self.theirs.saturating_sub(before.theirs) }
    }

    fn sum(&self) -> Duration {
        self.ours + self.theirs
    }
}

struct Stat {
    parent: u32,
    own: Duration,
    of_dead_children: Duration,
}

fn stat(process: &std::path::Path) -> Option<Stat> {
    let text = std::fs::read_to_string(process.join("stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    // In hundredths of a second.
    let ticks = |field: usize| fields[field].parse::<u64>().ok();
    let time = |user: usize| Some(Duration::from_millis(10 * (ticks(user)? + ticks(user + 1)?)));
    Some(Stat { parent: fields[1].parse().ok()?, own: time(11)?, of_dead_children: time(13)? })
}
