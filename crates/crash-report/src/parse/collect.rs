//! Collects traces and problems within a bound of memory.
//!
//! A log of a broken server has the same trace a million times: equal traces are kept once and counted. Traces that
//! differ (in a number in the message, say) are kept until they take [`MAX_BYTES`]; the rest is counted only. The first
//! ones are kept, because what follows the first failure is often its consequence.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::assemble::Draft;
use super::event::Found;
use super::memo::Table;
use crate::report::{CrashReport, Frame, Place, Problem, ProblemKind, Throwable, Trace};

/// The memory that kept traces may take, estimated.
pub(crate) const MAX_BYTES: usize = 16 << 20;
const MAX_PROBLEMS: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Collector {
    report: CrashReport,
    bytes: usize,
    /// From the hash of a trace to the first with that hash.
    known: FxHashMap<u64, usize>,
    /// From the fingerprint of a draft to what became of it.
    drafts: Table<Fate>,
    left_out: Option<(Place, u64)>,
    problems_left_out: Option<(Place, u64)>,
}

/// What became of a trace.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// It is the trace with this index.
    Kept(usize),
    /// Too many others were kept.
    LeftOut,
    /// The lines made no trace.
    None,
}

impl Collector {
    /// Takes a trace of which no more lines come. Most are known, and then nothing has to be built.
    pub(crate) fn add(&mut self, draft: Draft) {
        let print = draft.fingerprint();
        match self.drafts.get(print).copied() {
            Some(Fate::Kept(index)) => self.count(index),
            Some(Fate::LeftOut) => self.leave_out(draft.place),
            Some(Fate::None) => {}
            None => {
                let fate = self.add_new(draft);
                self.drafts.put(print, fate);
            }
        }
    }

    fn add_new(&mut self, draft: Draft) -> Fate {
        let (Some(trace), problems) = draft.finish() else { return Fate::None };
        let before = self.report.traces.len();
        let fate = self.keep(trace);
        if self.report.traces.len() > before {
            problems.into_iter().for_each(|problem| self.problem(problem));
        }
        fate
    }

    pub(crate) fn add_found(&mut self, found: Found) {
        for trace in found.traces {
            self.keep(trace);
        }
        found.problems.into_iter().for_each(|problem| self.problem(problem));
    }

    pub(crate) fn problem(&mut self, problem: Problem) {
        if self.report.problems.len() < MAX_PROBLEMS {
            self.report.problems.push(problem);
        } else {
            self.problems_left_out.get_or_insert((problem.place, 0)).1 += 1;
        }
    }

    /// Was nothing found, not even a problem?
    pub(crate) fn is_empty(&self) -> bool {
        self.report.traces.is_empty() && self.report.problems.is_empty()
    }

    pub(crate) fn finish(mut self) -> CrashReport {
        let mut notes = Vec::new();
        if let Some((place, left_out)) = self.left_out {
            notes.push(Problem { place, kind: ProblemKind::TooManyTraces { left_out } });
        }
        if let Some((place, left_out)) = self.problems_left_out {
            notes.push(Problem { place, kind: ProblemKind::TooManyProblems { left_out } });
        }
        self.report.problems.extend(notes);
        self.report.problems.sort_by_key(|p| p.place.offset);
        self.report
    }

    /// Keeps a trace that is new, if there is room for it; another is only counted.
    fn keep(&mut self, trace: Trace) -> Fate {
        let hash = hash(&trace);
        if let Some(&first) = self.known.get(&hash)
            && same(&self.report.traces[first], &trace)
        {
            self.count(first);
            return Fate::Kept(first);
        }
        let size = size(&trace.throwable);
        if self.bytes + size > MAX_BYTES && !self.report.traces.is_empty() {
            self.leave_out(trace.place);
            return Fate::LeftOut;
        }
        self.bytes += size;
        let index = self.report.traces.len();
        self.known.entry(hash).or_insert(index);
        self.report.traces.push(trace);
        Fate::Kept(index)
    }

    fn count(&mut self, index: usize) {
        let count = &mut self.report.traces[index].count;
        *count = count.saturating_add(1);
    }

    fn leave_out(&mut self, place: Place) {
        self.left_out.get_or_insert((place, 0)).1 += 1;
    }
}

fn same(a: &Trace, b: &Trace) -> bool {
    a.thread == b.thread && a.source == b.source && a.throwable.same_content(&b.throwable)
}

fn hash(trace: &Trace) -> u64 {
    let mut hasher = FxHasher::default();
    (&trace.thread, trace.source).hash(&mut hasher);
    for throwable in trace.throwable.tree() {
        (&throwable.class, &throwable.message, &throwable.frames, throwable.common).hash(&mut hasher);
    }
    hasher.finish()
}

fn size(throwable: &Throwable) -> usize {
    let text = |s: &Option<String>| s.as_ref().map_or(0, |s| s.len() + 16);
    let frame = |f: &Frame| {
        let jar = f.jar.as_ref().map_or(0, |j| text(&j.name) + text(&j.version));
        let module = f.module.as_ref().map_or(0, |m| m.name.len() + text(&m.version));
        size_of::<Frame>() + f.class.len() + f.method.len() + 32 + text(&f.file) + text(&f.loader) + jar + module
    };
    let one = |t: &Throwable| {
        size_of::<Throwable>() + t.class.len() + text(&t.message) + t.frames.iter().map(frame).sum::<usize>()
    };
    throwable.tree().into_iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn equal_traces_are_counted_also_beside_one_that_differs_in_what_was_left_out() {
        let trace = |last: &str| format!("a.BException\n\tat a.B.c(B.java:1)\nCaused by: a.DException\n\t{last}\n\n");
        let (whole, completed) = (trace("at a.B.c(B.java:1)"), trace("... 1 more"));
        let report = parse(format!("{whole}{completed}{whole}{completed}{completed}").as_bytes());
        assert_eq!(report.traces.iter().map(|trace| trace.count).collect::<Vec<_>>(), [2, 3]);
    }
}
