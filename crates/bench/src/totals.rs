//! What a set of runs comes to. A crash counts when more than half of its runs succeed: two of three.

use crate::Record;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    pub crashes: usize,
    pub runs: usize,
    /// Crashes with the same type and line, the full stack, a test that passes on the fixed jars.
    pub line: usize,
    pub full: usize,
    /// Crashes with the full stack and all messages.
    pub exact: usize,
    pub useful: usize,
    /// To the first confirmed test, over all runs that have one.
    pub first_seconds: Spread,
    /// Of the tests that show the full stack.
    pub statements: Option<f64>,
    pub candidates: u64,
    /// Of the search: tool and workers.
    pub search_cpu_seconds: f64,
    pub candidate_cpu_seconds: f64,
    pub worker_cpu_seconds: f64,
    pub claims: u32,
    pub refuted: u32,
    /// Bytes.
    pub peak_memory: u64,
    pub peak_memory_of_child: u64,
    /// Runs that ended without a result.
    pub errors: usize,
    /// What engines count of their work, as means over the runs that say it, by engine and name.
    pub counts: BTreeMap<(String, String), f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    pub median: Option<f64>,
    pub mean: Option<f64>,
}

fn mean_counts<'a>(records: impl Iterator<Item = &'a Record>) -> BTreeMap<(String, String), f64> {
    let mut said: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for (engine, counts) in records.flat_map(|record| &record.outcome.counts) {
        for (name, count) in counts {
            said.entry((engine.clone(), name.clone())).or_default().push(*count as f64);
        }
    }
    said.into_iter().filter_map(|(of, counts)| Some((of, mean(&counts)?))).collect()
}

impl Totals {
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Totals {
        let mut by_crash: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
        for record in records {
            by_crash.entry(&record.crash).or_default().push(record);
        }
        let all = || by_crash.values().flatten().copied();
        let counted = |hit: fn(&Record) -> bool| by_crash.values().filter(|runs| is_majority(runs, hit)).count();
        let statements: Vec<f64> = all().filter(|r| r.is_full()).filter_map(|r| r.statements).map(f64::from).collect();
        Totals {
            crashes: by_crash.len(),
            runs: all().count(),
            line: counted(Record::is_reproduced),
            full: counted(Record::is_full),
            exact: counted(Record::is_exact),
            useful: counted(Record::is_useful),
            first_seconds: Spread::of(all().filter_map(|r| r.outcome.seconds_first)),
            statements: mean(&statements),
            candidates: all().map(|r| r.outcome.executed.max(r.outcome.candidates)).sum(),
            search_cpu_seconds: all().map(Record::search_cpu_seconds).sum(),
            candidate_cpu_seconds: all().map(|r| r.outcome.candidate_cpu_seconds).sum(),
            worker_cpu_seconds: all().map(|r| r.outcome.worker_cpu_seconds).sum(),
            claims: all().map(|r| r.outcome.claims).sum(),
            refuted: all().map(|r| r.outcome.refuted).sum(),
            peak_memory: all().map(|r| r.outcome.peak_memory).max().unwrap_or(0),
            peak_memory_of_child: all().map(|r| r.outcome.peak_memory_of_child).max().unwrap_or(0),
            errors: all().filter(|r| r.error.is_some()).count(),
            counts: mean_counts(all()),
        }
    }

    pub fn candidates_per_cpu_second(&self) -> Option<f64> {
        (self.search_cpu_seconds > 0.0).then(|| self.candidates as f64 / self.search_cpu_seconds)
    }

    /// Of the processor time of the search, how much was spent inside of candidates.
    pub fn share_inside(&self) -> Option<f64> {
        (self.search_cpu_seconds > 0.0).then(|| self.candidate_cpu_seconds / self.search_cpu_seconds)
    }

    pub fn share_refuted(&self) -> Option<f64> {
        (self.claims > 0).then(|| f64::from(self.refuted) / f64::from(self.claims))
    }
}

impl Spread {
    pub fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Spread { median: median(&values), mean: mean(&values) }
    }
}

/// More than half of the runs.
pub(crate) fn is_majority(runs: &[&Record], hit: fn(&Record) -> bool) -> bool {
    2 * runs.iter().filter(|record| hit(record)).count() > runs.len()
}

/// Of sorted values.
fn median(sorted: &[f64]) -> Option<f64> {
    let n = sorted.len();
    match n {
        0 => None,
        _ if n % 2 == 1 => Some(sorted[n / 2]),
        _ => Some((sorted[n / 2 - 1] + sorted[n / 2]) / 2.0),
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
