//! A population that enters the crash at one frame. Islands of inner frames are easier and feed those of outer frames.

use crate::fitness::Fitness;
use crate::operators::Core;
use crash_report::compare::Comparison;
use objects::{Rng, Vantage};
use program::{CodePoint, MethodRef};
use recipe::Recipe;
use std::cell::OnceCell;

#[derive(Debug)]
pub(crate) struct Island {
    /// Number of the frame whose method the candidates call; 1 is the top.
    pub(crate) entry: u32,
    pub(crate) methods: Vec<MethodRef>,
    /// The places a test may be at from which the method can be called, the best first.
    pub(crate) vantages: Vec<Vantage>,
    /// The ways into the frame from each of these places, found when first needed.
    pub(crate) cores: [OnceCell<Option<Core>>; 3],
    pub(crate) population: Vec<Individual>,
    /// Generations since the best improved.
    pub(crate) stale: u32,
    /// Making a candidate fails again and again.
    pub(crate) barren: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Individual {
    pub(crate) recipe: Recipe,
    pub(crate) fitness: Fitness,
    pub(crate) comparison: Option<Comparison>,
    /// The branch at which it turned away from the next frame on the way.
    pub(crate) blocked_at: Option<CodePoint>,
    pub(crate) from: Vantage,
}

impl Island {
    pub(crate) fn best(&self) -> Option<&Individual> {
        self.population.first()
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.best().is_some_and(|best| best.fitness.is_perfect())
    }

    /// Elitist selection of line 24 of Algorithm 1: the fittest of parents and offspring survive. Of equally fit ones the
    /// newer go first, which lets the population drift on plateaus. True if there is a new best.
    pub(crate) fn select(&mut self, offspring: Vec<Individual>, size: usize) -> bool {
        let before = self.best().map(|best| best.fitness.clone());
        let mut all = offspring;
        all.append(&mut self.population);
        all.sort_by(|a, b| a.fitness.cmp(&b.fitness));
        all.truncate(size);
        self.population = all;
        let improved = match (before, self.best()) {
            (Some(before), Some(best)) => best.fitness < before,
            (None, best) => best.is_some(),
            (Some(_), None) => false,
        };
        self.stale = if improved { 0 } else { self.stale + 1 };
        improved
    }

    /// Rank selection with a bias of 1.7 to the front.
    pub(crate) fn parent(&self, rng: &mut Rng) -> Option<&Individual> {
        const BIAS: f64 = 1.7;
        let n = self.population.len();
        let x = rng.f64();
        let rank = (BIAS - (BIAS * BIAS - 4.0 * (BIAS - 1.0) * x).sqrt()) / (2.0 * (BIAS - 1.0));
        self.population.get(((n as f64 * rank) as usize).min(n.saturating_sub(1)))
    }

    /// Keeps the best and forgets the rest.
    pub(crate) fn restart(&mut self) {
        self.population.truncate(1);
        self.stale = 0;
    }
}
