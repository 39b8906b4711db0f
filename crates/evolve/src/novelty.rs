//! Which outcomes of branches in the classes of the trace were seldom had, and by whom. Fitness looks at the one branch that
//! is next on the way; a parser or an interpreter is passed through many others first, and a candidate that was the first to
//! pass one of them is worth keeping although no distance got shorter.

use crate::island::Individual;
use maker::{Choose, Rng};
use program::{CodePoint, MethodRef};
use recipe::{Observation, Size};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the candidates of one island did in the classes of the trace.
#[derive(Debug, Default)]
pub(crate) struct NoveltyArchive {
    /// In the order of their discovery, for the sake of repeatable runs.
    places: FxHashMap<Had, usize>,
    outcomes: Vec<Outcome>,
}

/// What a candidate may be the first to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Had {
    /// This outcome of the branch.
    Branch(CodePoint, u16),
    /// A call that did not throw, and the one before it: what a program was told may let it be told more.
    Calls(Option<MethodRef>, MethodRef),
}

#[derive(Debug)]
struct Outcome {
    had: u32,
    /// The smallest of those that had it.
    by: Arc<Individual>,
    size: Size,
}

impl NoveltyArchive {
    pub(crate) fn learn(&mut self, individual: &Individual, observation: &Observation) {
        let outcomes = observation.branches.iter().flat_map(|branch| {
            let had = branch.to.iter().zip(0..).filter(|(distance, _)| **distance == 0.0);
            had.map(|(_, outcome)| Had::Branch(branch.at, outcome))
        });
        self.learn_all(individual, outcomes);
    }

    /// Takes note of calls, in their order, none of which threw.
    pub(crate) fn learn_calls(&mut self, individual: &Individual, calls: &[MethodRef]) {
        let before = std::iter::once(None).chain(calls.iter().copied().map(Some));
        self.learn_all(individual, before.zip(calls).map(|(before, call)| Had::Calls(before, *call)));
    }

    fn learn_all(&mut self, individual: &Individual, outcomes: impl Iterator<Item = Had>) {
        let size = individual.recipe.size();
        let mut shared = None;
        for had in outcomes {
            let next = self.outcomes.len();
            let place = *self.places.entry(had).or_insert(next);
            let mut share = || Arc::clone(shared.get_or_insert_with(|| Arc::new(individual.clone())));
            match self.outcomes.get_mut(place) {
                Some(known) => known.learn(size, &mut share),
                None => self.outcomes.push(Outcome { had: 1, by: share(), size }),
            }
        }
    }

    /// One that had a rare outcome: the rarest of a few.
    pub(crate) fn parent(&self, rng: &mut Rng) -> Option<&Individual> {
        let drawn = (0..rng.policy().islands.novelty_drawn).filter_map(|_| rng.one(&self.outcomes));
        drawn.min_by_key(|outcome| outcome.had).map(|outcome| &*outcome.by)
    }
}

impl Outcome {
    fn learn(&mut self, size: Size, share: impl FnOnce() -> Arc<Individual>) {
        self.had = self.had.saturating_add(1);
        if size < self.size {
            *self = Outcome { had: self.had, by: share(), size };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::Fitness;
    use objects::AccessContext;
    use program::InstrId;
    use recipe::{BranchDistance, Cost, End, Recipe};

    /// A candidate of `size` statements that leaves the branch one way or the other.
    fn learn(novelty: &mut NoveltyArchive, size: usize, outcome: usize) {
        let mut recipe = Recipe::default();
        let action = recipe::Action::SetTimeZone(program::Symbol::new("UTC"));
        recipe.body.stmts.extend((0..size).map(|_| recipe::Stmt { def: None, action: action.clone() }));
        let fitness = Fitness { size: size as u32, ..Fitness::WORST };
        let individual = Individual { fitness, ..Individual::of(recipe, AccessContext::public()) };
        let at = CodePoint { method: MethodRef::new("a/B", "c", "()V"), at: InstrId::at(3) };
        let mut to = vec![1.0, 1.0];
        to[outcome] = 0.0;
        let observation = Observation {
            end: End::Completed,
            lines: Vec::new(),
            branches: vec![BranchDistance { at, to }],
            conditions: Vec::new(),
            cost: Cost::default(),
            shown: Default::default(),
        };
        novelty.learn(&individual, &observation);
    }

    #[test]
    fn who_went_the_rare_way_is_drawn_most() {
        let mut novelty = NoveltyArchive::default();
        (0..50).for_each(|_| learn(&mut novelty, 1, 0));
        learn(&mut novelty, 7, 1);
        let mut rng = Rng::with_seed(1);
        let rare = (0..1000).filter_map(|_| novelty.parent(&mut rng)).filter(|one| one.fitness.size == 7).count();
        assert!(rare > 800, "{rare}");
    }

    #[test]
    fn calls_that_worked_one_after_the_other_are_something_new() {
        let mut novelty = NoveltyArchive::default();
        let method = |name: &str| MethodRef::new("a/B", name, "()V");
        let calls = |novelty: &mut NoveltyArchive, size: u32, names: &[&str]| {
            let fitness = Fitness { size, ..Fitness::WORST };
            let individual = Individual { fitness, ..Individual::of(Recipe::default(), AccessContext::public()) };
            let calls: Vec<MethodRef> = names.iter().map(|name| method(name)).collect();
            novelty.learn_calls(&individual, &calls);
        };
        (0..50).for_each(|_| calls(&mut novelty, 1, &["place"]));
        calls(&mut novelty, 7, &["register", "place"]);
        let mut rng = Rng::with_seed(1);
        let rare = (0..1000).filter_map(|_| novelty.parent(&mut rng)).filter(|one| one.fitness.size == 7).count();
        assert!(rare > 800, "{rare}");
    }

    #[test]
    fn of_those_that_went_a_way_the_smallest_is_kept() {
        let mut novelty = NoveltyArchive::default();
        [5, 2, 9].into_iter().for_each(|size| learn(&mut novelty, size, 1));
        let kept = novelty.parent(&mut Rng::with_seed(1)).map(|one| one.fitness.size);
        assert_eq!(kept, Some(2));
    }
}
