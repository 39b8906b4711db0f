//! What engines tell each other.
//!
//! A fact has a source and two independent marks. `cut`: a limit left ways out, so that what the fact rules out may still happen.
//! `loose`: unknown values were let in, so that what the fact promises may not happen. Only the JVM decides: a fact that an
//! observation contradicts is withdrawn, and where its marks say that this cannot be, that is a fault of its source and is counted.

use crate::{CandidateId, EngineName, Goal};
use condition::Condition;
use program::{ClassName, CodePoint, MethodRef, Type};
use recipe::{Literal, Observation, Recipe, VarId};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactId(pub u32);

/// Something that an engine found out.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFact {
    pub kind: FactKind,
    pub cut: bool,
    pub loose: bool,
}

/// Something that is on the blackboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub id: FactId,
    pub source: EngineName,
    pub kind: FactKind,
    pub cut: bool,
    pub loose: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FactKind {
    /// If the method of the frame is entered with values for which this holds, the crash happens. Without `cut`, it happens in no
    /// other case that this source's other preconditions of the frame do not have.
    Precondition { frame: u32, method: MethodRef, when: Condition },
    /// A value that a parameter (0-based, the receiver not counted) may be given to come nearer.
    Literal { method: MethodRef, parameter: u16, value: Literal },
    /// A way to an object in a state that somebody wants: `variable` of the recipe is of the type, and the condition holds with it
    /// as `this`.
    Object { ty: Type, state: Condition, recipe: Recipe, variable: VarId },
    /// An object of this class was seen as the receiver of the call.
    Receiver { at: CodePoint, class: ClassName },
    /// A candidate got to this branch, on the way to the crash, and turned away.
    BlockingBranch { at: CodePoint, candidate: CandidateId, recipe: Recipe, entry: u32 },
    /// This place has to be executed before the crash line is.
    Waypoint { at: CodePoint },
    /// The throw site's condition cannot come true.
    Refuted { at: CodePoint, when: Condition },
}

/// All facts of a run, in the order in which they came.
#[derive(Debug, Default)]
pub struct Blackboard {
    facts: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    fact: Arc<Fact>,
    withdrawn: bool,
}

impl Blackboard {
    /// Puts it up, unless the same is there already, be it withdrawn.
    pub fn add(&mut self, source: EngineName, new: NewFact) -> Option<Arc<Fact>> {
        if self.facts.iter().any(|entry| entry.fact.source == source && entry.fact.kind == new.kind) {
            return None;
        }
        let id = FactId(u32::try_from(self.facts.len()).ok()?);
        let NewFact { kind, cut, loose } = new;
        let fact = Arc::new(Fact { id, source, kind, cut, loose });
        self.facts.push(Entry { fact: fact.clone(), withdrawn: false });
        Some(fact)
    }

    /// An observation contradicts the fact. Gives it if that had not been noticed before.
    pub fn withdraw(&mut self, id: FactId) -> Option<Arc<Fact>> {
        let entry = self.facts.get_mut(id.0 as usize).filter(|entry| !entry.withdrawn)?;
        entry.withdrawn = true;
        Some(entry.fact.clone())
    }

    /// Facts that what was seen contradicts are withdrawn, and given: a condition that cannot come true came true.
    pub fn check(&mut self, goal: &Goal, observations: &[Observation]) -> Vec<Arc<Fact>> {
        let is_contradicted = |fact: &Fact| match &fact.kind {
            FactKind::Refuted { at, when } => observations.iter().any(|seen| came_true(goal, seen, *at, when)),
            _ => false,
        };
        let contradicted: Vec<FactId> =
            self.standing().filter(|fact| is_contradicted(fact)).map(|fact| fact.id).collect();
        contradicted.into_iter().filter_map(|id| self.withdraw(id)).collect()
    }

    /// Whether it is there and was not withdrawn.
    pub fn stands(&self, id: FactId) -> bool {
        self.facts.get(id.0 as usize).is_some_and(|entry| !entry.withdrawn)
    }

    pub fn get(&self, id: FactId) -> Option<&Arc<Fact>> {
        self.facts.get(id.0 as usize).map(|entry| &entry.fact)
    }

    /// Those that stand.
    pub fn standing(&self) -> impl Iterator<Item = &Arc<Fact>> {
        self.facts.iter().filter(|entry| !entry.withdrawn).map(|entry| &entry.fact)
    }
}

/// Whether the throw condition of the goal held there.
fn came_true(goal: &Goal, seen: &Observation, at: CodePoint, when: &Condition) -> bool {
    let root = goal.root.iter().flat_map(|root| &root.conditions);
    let distances = goal.conditions.iter().chain(root).zip(&seen.conditions);
    distances.into_iter().any(|(known, distance)| {
        known.at == at && known.when == *when && distance.is_some_and(|distance| distance == 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_put_up_once_and_can_be_withdrawn() {
        let mut board = Blackboard::default();
        let class = ClassName::internal("a/B");
        let method = MethodRef::new("a/B", "c", "()V");
        let at = CodePoint { method, at: program::InstrId::at(3) };
        let seen = || NewFact { kind: FactKind::Receiver { at, class }, cut: false, loose: false };
        let fact = board.add("one", seen()).expect("it is new");
        assert!(board.add("one", seen()).is_none());
        assert!(board.add("two", seen()).is_some(), "another source may say the same");
        assert_eq!(board.standing().count(), 2);
        assert_eq!(board.withdraw(fact.id).as_ref(), Some(&fact));
        assert!(board.withdraw(fact.id).is_none());
        assert!(board.add("one", seen()).is_none(), "what was withdrawn does not come back");
        assert_eq!(board.standing().count(), 1);
    }

    #[test]
    fn a_refutation_that_comes_true_is_withdrawn() {
        let at = CodePoint { method: MethodRef::new("a/B", "c", "()V"), at: program::InstrId::at(3) };
        let mut goal = crate::assessor::tests::goal();
        goal.conditions.push(condition::Anchored { at, when: Condition::True });
        let mut board = Blackboard::default();
        let refuted = |when| NewFact { kind: FactKind::Refuted { at, when }, cut: true, loose: false };
        let wrong = board.add("one", refuted(Condition::True)).expect("it is new");
        let other = board.add("one", refuted(Condition::False)).expect("it is new");
        let mut seen = crate::assessor::tests::threw("a/Refused", 7, 1, &[]);
        seen.conditions = vec![Some(0.5)];
        assert!(board.check(&goal, std::slice::from_ref(&seen)).is_empty(), "it was near, no more");
        seen.conditions = vec![Some(0.0)];
        assert_eq!(board.check(&goal, std::slice::from_ref(&seen)), std::slice::from_ref(&wrong));
        assert!(!board.stands(wrong.id) && board.stands(other.id));
        assert!(board.check(&goal, &[seen]).is_empty(), "it is told once");
    }
}
