//! Who answered how much.

use std::fmt;
use std::time::Duration;

/// Counts of one [`Queries`](super::Queries).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    pub queries: u64,
    /// True or false already when simplified.
    pub constant: u64,
    /// By a recent model, evaluated.
    pub by_models: u64,
    /// By a core or an answer from before.
    pub by_caches: u64,
    /// By the inner procedure.
    pub by_inner: u64,
    /// By a solver process.
    pub by_solver: u64,
    pub unknown: u64,
    /// Independent parts that were looked at.
    pub parts: u64,
    /// Questions put to processes, with how many of them took a process of their own, and how many had strings cut to a
    /// length.
    pub asked: u64,
    pub asked_alone: u64,
    pub asked_bounded: u64,
    /// Models of a solver that did not satisfy what was asked.
    pub faults: u64,
    pub starts: u64,
    /// Processes that ignored a limit and were killed.
    pub kills: u64,
    /// Processes that ended in a query.
    pub deaths: u64,
    pub(super) times: Times,
}

impl Statistics {
    /// The time in processes, all queries together.
    pub fn solver_time(&self) -> Duration {
        self.times.total
    }

    /// The median time of a question to a process, to within a factor of two.
    pub fn median_solver_time(&self) -> Option<Duration> {
        self.times.median()
    }

    /// The share of queries that took no process, constant ones not counted.
    pub fn share_without_process(&self) -> Option<f64> {
        let counted = self.queries - self.constant;
        let without = self.by_models + self.by_caches + self.by_inner;
        (counted > 0).then(|| without as f64 / counted as f64)
    }
}

/// How often questions took 2^n microseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Times {
    total: Duration,
    buckets: [u64; 32],
}

impl Times {
    pub(super) fn add(&mut self, time: Duration) {
        self.total += time;
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1);
        let bucket = (micros.ilog2() as usize).min(self.buckets.len() - 1);
        self.buckets[bucket] += 1;
    }

    fn median(&self) -> Option<Duration> {
        let half = self.buckets.iter().sum::<u64>().div_ceil(2);
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|count| {
            seen += count;
            half > 0 && seen >= half
        })?;
        Some(Duration::from_micros(1 << bucket))
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} queries: {} constant, {} by models, {} by caches, {} inner, {} by a solver, {} unknown; {} asked, {} faults, \
             {} starts, {} killed, {} died; {:.3} s in solvers",
            self.queries,
            self.constant,
            self.by_models,
            self.by_caches,
            self.by_inner,
            self.by_solver,
            self.unknown,
            self.asked,
            self.faults,
            self.starts,
            self.kills,
            self.deaths,
            self.times.total.as_secs_f64()
        )
    }
}
