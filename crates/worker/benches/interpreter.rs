//! How many candidates a second does the interpreter run, without probes and host, on one core?
//!
//! The load is a random mix over all public members of commons-collections 3.1. Candidates that do not end within two
//! seconds, use up the memory or overflow the stack are left out beforehand: a worker's limits stop them early, here nothing
//! does. `REENACT_JARS` must be set, as by `cargo xtask bench`.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panic")]

#[path = "../tests/interpreter/mix.rs"]
mod mix;
#[path = "../tests/interpreter/process.rs"]
mod process;

use mix::{Mix, Numbers};
use process::{Worker, program};
use recipe::{End, Recipe};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const CANDIDATES: usize = 20_000;
const PASSES: usize = 6;

fn main() {
    let jars = [testing::jar("commons-collections:commons-collections:3.1")];
    for jdk in testing::jdks() {
        let program = program(&jdk, &jars);
        let mix = Mix::new(&program);
        let mut random = Numbers(42);
        let candidates: Vec<Recipe> = (0..CANDIDATES).map(|_| mix.candidate(&mut random)).collect();
        let candidates = without_wild_ones(&jdk, &jars, candidates);
        println!("JDK {}: {} members, {} candidates", jdk.major, mix.members(), candidates.len());
        let mut worker = Worker::start(&jdk, &jars);
        // It has started when it answers.
        worker.run(&[]);
        for pass in 0..PASSES {
            let (wall, before) = (Instant::now(), worker.cpu_times());
            let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
            for batch in candidates.chunks(100) {
                for outcome in worker.run(batch) {
                    *ends.entry(kind(&outcome.end)).or_default() += 1;
                }
            }
            let (wall, after) = (wall.elapsed(), worker.cpu_times());
            let rates = [wall, after.0 - before.0, after.1 - before.1].map(|time| rate(&candidates, time));
            let [wall, thread, process] = rates;
            println!(
                "  pass {pass}: {wall} /s wall, {thread} /s cpu of the thread, {process} /s cpu of the VM, {ends:?}"
            );
        }
    }
}

fn rate(candidates: &[Recipe], time: Duration) -> u64 {
    (candidates.len() as f64 / time.as_secs_f64()) as u64
}

fn kind(end: &End) -> &'static str {
    match end {
        End::Completed => "completed",
        End::Threw { thrown, .. } if thrown.class.simple() == "StackOverflowError" => "stack overflow",
        End::Threw { .. } => "threw",
        End::OutOfMemory => "out of memory",
        End::Unlinkable { .. } => "unlinkable",
        _ => "other",
    }
}

fn without_wild_ones(jdk: &testing::Jdk, jars: &[PathBuf], candidates: Vec<Recipe>) -> Vec<Recipe> {
    let mut worker = Worker::start(jdk, jars);
    let mut kept = Vec::new();
    for candidate in candidates {
        match worker.run_within(std::slice::from_ref(&candidate), Duration::from_secs(2)) {
            None => worker = Worker::start(jdk, jars),
            Some(outcomes) if ["stack overflow", "out of memory"].contains(&kind(&outcomes[0].end)) => {}
            Some(_) => kept.push(candidate),
        }
    }
    kept
}
