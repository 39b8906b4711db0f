//! What a run costs: candidates and their time, processor time of the tool, of its workers and of the fresh JVMs that
//! confirm tests, memory.
//!
//! The kernel counts a child when it has been waited for. Workers are waited for inside of the runner's calls and when it
//! is dropped, all other children outside of them; that is how the two are told apart.

use recipe::{Observation, ProbePlan, Recipe, Runner, RunnerError};
use sandbox::usage::Usage;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use worker::WorkerStatistics;

/// A runner that is watched.
#[derive(Debug)]
pub(crate) struct Metered<R> {
    runner: R,
    statistics: fn(&R) -> WorkerStatistics,
    tally: Arc<Mutex<Tally>>,
}

/// What was counted so far; anybody may look at it at any time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    candidates: u64,
    inside: Duration,
    workers: Duration,
    statistics: WorkerStatistics,
}

/// As part of the result event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Cost {
    /// All candidates that ran, those of minimising included.
    pub(crate) executed: u64,
    /// Processor time of everything.
    pub(crate) cpu_seconds: f64,
    /// Of the tool itself: analysis, search, printing.
    pub(crate) tool_cpu_seconds: f64,
    pub(crate) worker_cpu_seconds: f64,
    /// Of the compiler and the fresh JVMs that confirm.
    pub(crate) confirm_cpu_seconds: f64,
    /// Time inside of candidates, by the worker's clock.
    pub(crate) candidate_cpu_seconds: f64,
    /// Resident memory at its highest: of the tool, and of its largest child process.
    pub(crate) peak_memory: u64,
    pub(crate) peak_memory_of_child: u64,
    pub(crate) workers: Workers,
}

/// Worker processes: how many were started, and what candidates did for which one was replaced.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Workers {
    pub(crate) started: u32,
    pub(crate) replaced: BTreeMap<&'static str, u32>,
}

impl From<WorkerStatistics> for Workers {
    fn from(statistics: WorkerStatistics) -> Workers {
        let replaced = statistics.taints.iter().map(|(taint, times)| (taint.name(), *times)).collect();
        Workers { started: statistics.started, replaced }
    }
}

impl<R: Runner> Metered<R> {
    /// Counts in the tally.
    pub(crate) fn new(runner: R, statistics: fn(&R) -> WorkerStatistics, tally: Arc<Mutex<Tally>>) -> Metered<R> {
        Metered { runner, statistics, tally }
    }

    /// Ends the workers, because only then the kernel tells what they took, and adds up.
    pub(crate) fn finish(self) -> Cost {
        let statistics = (self.statistics)(&self.runner);
        let before = Usage::of_ended_children().cpu;
        drop(self.runner);
        let after = Usage::of_ended_children().cpu;
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.workers += after.saturating_sub(before);
        tally.statistics = statistics;
        tally.cost()
    }
}

impl Tally {
    /// As far as it is known: who still runs does not count.
    pub(crate) fn cost(&self) -> Cost {
        let (tool, children) = (Usage::of_this_process(), Usage::of_ended_children());
        Cost {
            executed: self.candidates,
            cpu_seconds: (tool.cpu + children.cpu).as_secs_f64(),
            tool_cpu_seconds: tool.cpu.as_secs_f64(),
            worker_cpu_seconds: self.workers.as_secs_f64(),
            confirm_cpu_seconds: children.cpu.saturating_sub(self.workers).as_secs_f64(),
            candidate_cpu_seconds: self.inside.as_secs_f64(),
            peak_memory: tool.peak_memory,
            peak_memory_of_child: children.peak_memory,
            workers: self.statistics.clone().into(),
        }
    }
}

impl<R: Runner> Runner for Metered<R> {
    fn run_each(&mut self, recipes: &[&Recipe], plan: &ProbePlan) -> Result<Vec<Observation>, RunnerError> {
        let before = Usage::of_ended_children().cpu;
        let observed = self.runner.run_each(recipes, plan);
        let workers = Usage::of_ended_children().cpu.saturating_sub(before);
        let seen = observed.iter().flatten();
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.workers += workers;
        tally.statistics = (self.statistics)(&self.runner);
        tally.candidates += seen.clone().count() as u64;
        tally.inside += seen.map(|observation| observation.cost.time).sum::<Duration>();
        observed
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.runner.set_deadline(deadline);
    }

    fn denied(&self) -> Vec<PathBuf> {
        self.runner.denied()
    }
}
