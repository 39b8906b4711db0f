//! Which outcomes of branches in the classes of the trace were seldom had, and by whom. Fitness looks at the one branch that
//! is next on the way; a parser or an interpreter is passed through many others first, and a candidate that was the first to
//! pass one of them is worth keeping although no distance got shorter.

use crate::island::Individual;
use objects::{Choose, Rng};
use program::CodePoint;
use recipe::{Observation, Size};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What the candidates of one island did in the classes of the trace.
#[derive(Debug, Default)]
pub(crate) struct Rarities {
    /// By branch and outcome; in the order of their discovery, for the sake of repeatable runs.
    places: FxHashMap<(CodePoint, u16), usize>,
    outcomes: Vec<Outcome>,
}

#[derive(Debug)]
struct Outcome {
    had: u32,
    /// The smallest of those that had it.
    by: Rc<Individual>,
    size: Size,
}

impl Rarities {
    pub(crate) fn learn(&mut self, individual: &Individual, observation: &Observation) {
        let size = individual.recipe.size();
        let mut shared = None;
        for branch in &observation.branches {
            let had = branch.to.iter().zip(0..).filter(|(distance, _)| **distance == 0.0);
            for (_, outcome) in had {
                let next = self.outcomes.len();
                let place = *self.places.entry((branch.at, outcome)).or_insert(next);
                let mut share = || Rc::clone(shared.get_or_insert_with(|| Rc::new(individual.clone())));
                match self.outcomes.get_mut(place) {
                    Some(known) => known.learn(size, &mut share),
                    None => self.outcomes.push(Outcome { had: 1, by: share(), size }),
                }
            }
        }
    }

    /// One that had a rare outcome: the rarest of a few.
    pub(crate) fn parent(&self, rng: &mut Rng) -> Option<&Individual> {
        const DRAWN: usize = 4;
        let drawn = (0..DRAWN).filter_map(|_| rng.one(&self.outcomes));
        drawn.min_by_key(|outcome| outcome.had).map(|outcome| &*outcome.by)
    }
}

impl Outcome {
    fn learn(&mut self, size: Size, share: impl FnOnce() -> Rc<Individual>) {
        self.had = self.had.saturating_add(1);
        if size < self.size {
            *self = Outcome { had: self.had, by: share(), size };
        }
    }
}
