//! The nearest candidates so far, whoever proposed them.

use crate::{Assessment, Candidate, Round};
use recipe::{End, Limit, Observation};
use rustc_hash::FxHashSet;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A candidate that came nearer than all before it.
#[derive(Clone, Debug)]
pub struct Find {
    pub candidate: Arc<Candidate>,
    pub assessment: Assessment,
}

impl Find {
    /// Which is the better test: more frames of the crash, then what is right with it; where neither crashes, who came nearer.
    fn cmp_worth(&self, other: &Find) -> Ordering {
        let (a, b) = (&self.assessment, &other.assessment);
        a.matched().cmp(&b.matched()).then_with(|| match a.matched() {
            0 => b.cmp_nearness(a).then(a.entry.cmp(&b.entry)),
            _ => {
                // How near a wrong message is guides a search; a test is judged by what is wrong with it.
                let message = b.message.floor().total_cmp(&a.message.floor());
                let looks = b.demerits.cmp(&a.demerits).then(b.message.total_cmp(&a.message));
                message.then(looks).then(Reverse(self.size()).cmp(&Reverse(other.size())))
            }
        })
    }

    fn size(&self) -> u32 {
        self.candidate.recipe().size().statements
    }
}

/// The best of each entry frame.
#[derive(Debug, Default)]
pub struct Finds {
    by_entry: BTreeMap<u32, Find>,
    /// Recipes that are of no use, whoever proposes them again.
    refuted: FxHashSet<u64>,
    /// The last one that was.
    forgotten: Option<Find>,
}

impl Finds {
    /// Takes note of a round; gives the one that improved on all before.
    pub fn learn(&mut self, round: &Round) -> Option<Find> {
        let mut improved = None;
        for (candidate, observation, assessment) in round.iter() {
            if !assessment.is_crash() && is_undependable(observation) {
                continue;
            }
            if assessment.is_crash() && self.refuted.contains(&candidate.recipe().fingerprint()) {
                continue;
            }
            let find = Find { candidate: candidate.clone(), assessment: assessment.clone() };
            if self.best().is_none_or(|best| find.cmp_worth(best).is_gt()) {
                improved = Some(find.clone());
            }
            let entry = candidate.entry();
            if self.by_entry.get(&entry).is_none_or(|best| find.cmp_worth(best).is_gt()) {
                self.by_entry.insert(entry, find);
            }
        }
        improved
    }

    pub fn best(&self) -> Option<&Find> {
        self.by_entry.values().reduce(|best, other| if other.cmp_worth(best).is_gt() { other } else { best })
    }

    /// The same, be it refuted: what there is to say of how far the search came.
    pub fn nearest(&self) -> Option<&Find> {
        self.best().or(self.forgotten.as_ref())
    }

    /// Of those that enter at the frame next to this one from outside, the nearest.
    pub fn nearest_outside(&self, frame: u32) -> Option<&Find> {
        self.by_entry.range(frame + 1..).next().map(|(_, find)| find)
    }

    /// It is of no use: what comes next need not be better.
    pub fn forget(&mut self, find: &Find) {
        self.by_entry.retain(|_, known| known.candidate.id != find.candidate.id);
        self.refuted.insert(find.candidate.recipe().fingerprint());
        self.forgotten = Some(find.clone());
    }
}

/// What it did depends on the machine, or would cost a worker every time.
fn is_undependable(observation: &Observation) -> bool {
    let end = &observation.end;
    match end {
        End::Threw { .. } => end.is_linkage_failure() || end.is_out_of_memory() || end.is_stack_overflow(),
        End::Stopped(Limit::Time | Limit::Threads) | End::OutOfMemory | End::VmDied { .. } => true,
        End::Completed | End::Stopped(_) | End::Exited { .. } | End::Unlinkable { .. } => false,
    }
}
