//! Conditions at the entries of frames that engines derived: where one holds, the crash happens, so that how far it was from holding says
//! how near a candidate came, before any line of the frame tells.

use crate::goal::normalised;
use crate::{Fact, FactKind, Goal};
use condition::{Anchored, Condition};
use program::{CodePoint, InstrId};

/// In the order in which they are measured. They only become more, so that places in this order stay true.
#[derive(Debug, Default)]
pub struct EntryConditions(Vec<EntryCondition>);

#[derive(Debug)]
struct EntryCondition {
    /// Number of the application frame; 1 is the top.
    frame: u32,
    anchored: Anchored,
}

/// Alternatives of one frame that are measured, those that were found first: each costs something at every entry.
const MOST_PER_FRAME: usize = 4;

impl EntryConditions {
    /// Takes the fact up, if it is of this kind and says something.
    pub(crate) fn add(&mut self, fact: &Fact) {
        let FactKind::Precondition { frame, method, when } = &fact.kind else { return };
        let of_frame = self.0.iter().filter(|known| known.frame == *frame);
        let anchored = Anchored { at: CodePoint { method: *method, at: InstrId::at(0) }, when: when.clone() };
        let is_new = of_frame.clone().all(|known| known.anchored != anchored);
        if is_new && of_frame.count() < MOST_PER_FRAME && !matches!(when, Condition::True | Condition::False) {
            self.0.push(EntryCondition { frame: *frame, anchored });
        }
    }

    /// To be measured behind those of the goal.
    pub(crate) fn anchored(&self) -> impl Iterator<Item = Anchored> {
        self.0.iter().map(|known| known.anchored.clone())
    }

    /// How far the nearest alternative of the frame was from holding, from 0 to 1; none if the frame was not entered, or nothing is known of
    /// it. `measured` are the distances of all conditions of a run.
    pub(crate) fn distance(&self, goal: &Goal, frame: u32, measured: &[Option<f64>]) -> Option<f64> {
        let measured = measured.get(goal.conditions_in_all()..)?;
        let of_frame = self.0.iter().zip(measured).filter(|(known, _)| known.frame == frame);
        of_frame.filter_map(|(_, distance)| distance.map(normalised)).min_by(f64::total_cmp)
    }

    /// Whether anything is known of the frame.
    pub(crate) fn has(&self, frame: u32) -> bool {
        self.0.iter().any(|known| known.frame == frame)
    }
}
