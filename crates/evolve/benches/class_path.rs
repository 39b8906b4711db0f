//! How long until the first candidates are made, and how many a second are made then, over 1, 10, 100 and 300 jars?
//!
//! The crash stays the same, and so does the jar that it is in; the others are behind it. Everything is measured that happens before
//! candidates can run: opening the class path, deriving the target, the first round; then rounds on end. The cache is warm; the line
//! of the cold one shows what the very first run on these jars pays. `REENACT_JARS` must be set, as by `cargo xtask bench`.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panic")]

use engine::{Allowance, Engine, Goal, Setup};
use evolve::{Config, Evolve};
use objects::Catalogue;
use program::{Cache, ClassName, ClassPath, Jdk, Program};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use target::{CrashTarget, Methods};

const OWN: &str = "commons-collections/commons-collections/3.1/commons-collections-3.1.jar";
const TRACE: &str = "../../packs/seeds/traces/ACC-48.log";
const APPLICATION: &str = "org.apache.commons.collections.";
const SIZES: [usize; 4] = [1, 10, 100, 300];
const ROUND: usize = 40;
const ROUNDS: usize = 30;

fn main() {
    let directory = PathBuf::from(std::env::var_os("REENACT_JARS").expect("REENACT_JARS is not set"));
    let own = directory.join(OWN);
    let mut jars = Vec::new();
    collect(&directory, &mut jars);
    jars.sort();
    jars.retain(|jar| *jar != own);
    jars.insert(0, own);
    // `cargo test` only wants to know that the benchmark runs.
    let is_test = std::env::args().any(|argument| argument == "--test");
    println!("{:>6} {:>9} {:>16} {:>16} {:>18}", "jars", "classes", "first, cold", "first, warm", "candidates/second");
    for size in SIZES.into_iter().take(if is_test { 1 } else { SIZES.len() }) {
        let jars = &jars[..size.min(jars.len())];
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path());
        let cold = run(jars, &cache);
        let warm = run(jars, &cache);
        let ms = |time: Duration| format!("{:.0} ms", time.as_secs_f64() * 1e3);
        let (cold, first) = (ms(cold.first), ms(warm.first));
        println!("{:>6} {:>9} {cold:>16} {first:>16} {:>18.0}", jars.len(), warm.classes, warm.rate);
    }
}

struct Measured {
    classes: usize,
    first: Duration,
    rate: f64,
}

fn run(jars: &[PathBuf], cache: &Cache) -> Measured {
    let trace = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(TRACE)).unwrap();
    let throwable = crash_report::parse(&trace).traces[0].throwable.clone();
    let is_application = |class: &str| class.starts_with(APPLICATION);
    let started = Instant::now();
    let class_path = ClassPath::parse(jars).unwrap();
    let program = Arc::new(Program::open(&class_path, Jdk::find(None).unwrap(), cache).unwrap().0);
    let methods = Arc::new(Methods::new(program.clone()));
    let target = Arc::new(CrashTarget::derive(&throwable, &methods, &is_application));
    let goal = Arc::new(Goal::new(&target, throwable.clone(), &methods));
    let near: Vec<ClassName> = target.frames.iter().map(|frame| ClassName::from_dotted(&frame.frame.class)).collect();
    let catalogue = Arc::new(Catalogue::new(program.clone(), &near).with_methods(methods));
    let setup = Setup {
        target,
        goal,
        program: program.clone(),
        catalogue,
        is_application: Arc::new(is_application),
        before: String::new(),
        seed: 1,
        is_counted: true,
        waypoints: Vec::new(),
    };
    let mut engine = Evolve::new(&setup, &Config::default());
    let allowance = Allowance { candidates: ROUND, steps: Some(u64::MAX), deadline: None, stop: Arc::default() };
    engine.propose(&allowance);
    let first = started.elapsed();
    let made: usize = (0..ROUNDS).map(|_| engine.propose(&allowance).candidates.len()).sum();
    let rate = made as f64 / (started.elapsed() - first).as_secs_f64();
    Measured { classes: program.class_count(), first, rate }
}

fn collect(directory: &Path, jars: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, jars);
        } else if path.extension().is_some_and(|extension| extension == "jar") {
            jars.push(path);
        }
    }
}
