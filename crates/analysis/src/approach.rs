//! How far a branch is from a target: the approach level of search-based testing (McMinn, "Search-based software test data
//! generation", 2004; EvoCrash, section 3.2), by control dependence within one method.
//!
//! The level of an outcome is the number of further decisions that have to go the right way after it: 0 if taking it leads to the
//! target unless something throws before. A branch on which the target does not depend has no level: whichever way it goes,
//! the target stays as near. Decisions are the outcomes of `if` and `switch`, and exceptions that must be thrown to get into a
//! handler; that code must *not* throw to go on is not counted. Branches that only come after the target (in a loop around
//! it) do not count either: when they run, the target was reached. With a distance for each outcome, level plus
//! normalised distance of the best executed outcome is the classic fitness.

use crate::cfg::{Cfg, Via};
use crate::control_dependence::{ControlDependence, Dependence};
use crate::dominators::Dominators;
use crate::post_dominators::PostDominators;
use ir::{BlockId, Body, Terminator};
use std::collections::{BTreeMap, VecDeque};

/// The branches on which a target depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approach {
    target: BlockId,
    /// By the bytecode index of the branch: the level of each outcome.
    branches: BTreeMap<u16, Vec<Option<u32>>>,
}

/// What an executed outcome of a branch means for the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The target is ahead, with this many more decisions on the shortest way.
    Towards { level: u32 },
    /// Away from the target; the best outcome of this branch would have had this level.
    Away { level: u32 },
}

impl Approach {
    /// The way to the instruction at `bci`; `None` if it cannot be reached at all.
    pub fn new(body: &Body, bci: u16) -> Option<Self> {
        let cfg = Cfg::of(body);
        let dependence = ControlDependence::of(&cfg, &PostDominators::of(&cfg));
        body.block_of(bci).map(|target| Approach::to_block(body, &Dominators::of(&cfg), &dependence, target))
    }

    /// The way to a block, with dominance and control dependence at hand.
    pub fn to_block(body: &Body, dominators: &Dominators, dependence: &ControlDependence, target: BlockId) -> Self {
        let mut branches: BTreeMap<u16, Vec<Option<u32>>> = BTreeMap::new();
        let mut seen = vec![false; body.blocks.len()];
        let mut waiting = VecDeque::from([(target, 0)]);
        // Blocks come out in ascending order of their level: decisions that cost nothing go to the front.
        while let Some((block, level)) = waiting.pop_front() {
            if std::mem::replace(&mut seen[block.0 as usize], true) {
                continue;
            }
            let is_before = |found: &&Dependence| !dominators.dominates(target, found.on);
            for dependence in dependence.of_block(block).iter().filter(is_before) {
                let on = body.block(dependence.on);
                let outcomes = outcomes(&on.end);
                match dependence.edge.via {
                    Via::Jump(outcome) if outcomes > 1 => {
                        let levels = branches.entry(on.end_id.bci).or_insert_with(|| vec![None; outcomes]);
                        levels[outcome as usize].get_or_insert(level);
                        waiting.push_back((dependence.on, level + 1));
                    }
                    Via::Jump(_) => waiting.push_front((dependence.on, level)),
                    Via::Exception(_) => waiting.push_back((dependence.on, level + 1)),
                }
            }
        }
        Approach { target, branches }
    }

    pub fn target(&self) -> BlockId {
        self.target
    }

    /// The branches that matter, by bytecode index, with the level of each outcome: `[taken, not taken]` of an `if`; the cases in
    /// order, then the default, of a switch. `None` leads away.
    pub fn branches(&self) -> impl Iterator<Item = (u16, &[Option<u32>])> {
        self.branches.iter().map(|(bci, levels)| (*bci, levels.as_slice()))
    }

    /// What it means that the branch at `bci` went this way; `None` if the target does not depend on it.
    pub fn step(&self, bci: u16, outcome: usize) -> Option<Step> {
        let levels = self.branches.get(&bci)?;
        Some(match levels.get(outcome).copied().flatten() {
            Some(level) => Step::Towards { level },
            None => Step::Away { level: levels.iter().flatten().min().copied()? },
        })
    }

    /// Level plus normalised distance of the best outcome of a branch, from the distance to each outcome (0 if it was taken);
    /// `None` if the target does not depend on the branch. The smallest over all executed branches is how near a run came.
    pub fn distance(&self, bci: u16, to_outcomes: &[f64]) -> Option<f64> {
        let levels = self.branches.get(&bci)?;
        let outcomes = levels.iter().zip(to_outcomes);
        let distances = outcomes.filter_map(|(level, distance)| Some(f64::from((*level)?) + normalised(*distance)));
        distances.min_by(f64::total_cmp)
    }
}

/// From 0 to below 1, as EvoCrash does.
fn normalised(distance: f64) -> f64 {
    // The largest floats would divide to 1 or to NaN.
    let distance = if distance.is_nan() { f64::MAX } else { distance.max(0.0) };
    (1.0 - 1.0 / (distance + 1.0)).min(1.0 - f64::EPSILON)
}

/// How many ways a terminator decides between.
fn outcomes(end: &Terminator) -> usize {
    match end {
        Terminator::If { .. } => 2,
        Terminator::Switch { cases, .. } => cases.len() + 1,
        Terminator::Goto(_) | Terminator::Return(_) | Terminator::Throw(_) | Terminator::Ret(..) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `if (l0 > 0) switch (l1) { case 3, 5: target }`
    fn approach() -> Approach {
        let text = "method static T.t(II)V
            block0 @0..1:
              @0 if l0 > 0 then block1 else block3
            block1 @1..2:
              @1 switch l1 [3: block2, 5: block2, default: block3]
            block2 @2..3:
              @2 return
            block3 @3..4:
              @3 return";
        Approach::new(&ir::read(text).unwrap(), 2).unwrap()
    }

    #[test]
    fn steps() {
        let approach = approach();
        assert_eq!(approach.target(), BlockId(2));
        assert_eq!(approach.step(0, 0), Some(Step::Towards { level: 1 }));
        assert_eq!(approach.step(0, 1), Some(Step::Away { level: 1 }));
        assert_eq!(approach.step(1, 1), Some(Step::Towards { level: 0 }));
        assert_eq!(approach.step(1, 2), Some(Step::Away { level: 0 }));
        assert_eq!(approach.step(2, 0), None);
        assert_eq!(approach.step(1, 99), Some(Step::Away { level: 0 }));
    }

    /// Nearer means smaller, and a level always weighs more than any distance.
    #[test]
    fn distances() {
        let approach = approach();
        let of = |bci, outcomes: &[f64]| approach.distance(bci, outcomes).unwrap();
        let ascending = [
            of(1, &[0.0, 2.0, 1.0]),
            of(1, &[1.0, 3.0, 0.0]),
            of(1, &[4.0, 2.0, 0.0]),
            of(1, &[f64::MAX, f64::INFINITY, 0.0]),
            of(0, &[0.0, 1.0]),
            of(0, &[7.0, 0.0]),
            of(0, &[f64::NAN, 0.0]),
        ];
        assert!(ascending.is_sorted_by(|one, two| one < two), "{ascending:?}");
        assert_eq!(approach.distance(2, &[0.0]), None);
    }
}
