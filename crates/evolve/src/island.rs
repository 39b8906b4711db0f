//! A population that enters the crash at one frame. Islands of inner frames are easier and feed those of outer frames.

use crate::config::Extras;
use crate::fitness::Fitness;
use crate::novelty::NoveltyArchive;
use crate::operators::{Core, OperatorStatistics};
use crate::rehearsal::Stage;
use crash_report::compare::Grade;
use engine::CandidateId;
use maker::{Choose, Rng};
use objects::AccessContext;
use policy::Islands;
use program::{CodePoint, MethodRef};
use recipe::Recipe;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Island {
    policy: Islands,
    /// Number of the frame whose method the candidates call; 1 is the top.
    pub(crate) entry: u32,
    pub(crate) methods: Vec<MethodRef>,
    /// Candidates keep the exceptions that end threads.
    pub(crate) captures: bool,
    /// The places a test may be at from which the method can be called, the best first.
    pub(crate) places: Vec<AccessContext>,
    /// The ways into the frame from each of these places, found when first needed.
    pub(crate) cores: [OnceCell<Option<Core>>; 3],
    pub(crate) population: Vec<Individual>,
    /// How many of the population, the first ones, are kept for the way inwards.
    pub(crate) inwards: usize,
    /// Who of all candidates, also of those that are forgotten, went where few others did.
    pub(crate) novelty: NoveltyArchive,
    pub(crate) operator_statistics: OperatorStatistics,
    /// How far candidates got that repeat what the log tells.
    pub(crate) stage: Stage,
    /// Generations since the best improved.
    pub(crate) stale: u32,
    pub(crate) restarts: u32,
    /// Making a candidate fails again and again.
    pub(crate) barren: u32,
    /// Candidates that were run, and those of them that cost a worker.
    pub(crate) tried: u32,
    pub(crate) costly: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Individual {
    pub(crate) id: CandidateId,
    pub(crate) recipe: Arc<Recipe>,
    pub(crate) fitness: Fitness,
    /// What it shows of the crash.
    pub(crate) grade: Grade,
    /// The branch at which it turned away from the next frame on the way.
    pub(crate) blocked_at: Option<CodePoint>,
    pub(crate) from: AccessContext,
    /// Values in the messages of what it throws, with the reported ones, where it shows the crash with others.
    pub(crate) values: Vec<(String, String)>,
}

impl Individual {
    /// One of which nothing is known.
    #[cfg(test)]
    pub(crate) fn of(recipe: Recipe, from: AccessContext) -> Individual {
        let (id, fitness) = (CandidateId(0), Fitness::WORST);
        Individual {
            id,
            recipe: Arc::new(recipe),
            fitness,
            grade: Grade::None,
            blocked_at: None,
            from,
            values: Vec::new(),
        }
    }
}

impl Island {
    /// With nobody on it yet.
    pub(crate) fn new(entry: u32, methods: Vec<MethodRef>, places: Vec<AccessContext>) -> Island {
        Island {
            policy: Islands::STANDARD,
            entry,
            methods,
            captures: false,
            places,
            cores: Default::default(),
            population: Vec::new(),
            inwards: 0,
            novelty: NoveltyArchive::default(),
            operator_statistics: OperatorStatistics::default(),
            stage: Stage::default(),
            stale: 0,
            restarts: 0,
            barren: 0,
            tried: 0,
            costly: 0,
        }
    }

    /// The same for candidates that keep the exceptions that end threads.
    pub(crate) fn capturing(self) -> Island {
        Island { captures: true, ..self }
    }

    pub(crate) fn best(&self) -> Option<&Individual> {
        self.population.first()
    }

    /// Whether making candidates is given up: after a few failures in a row, or after many where it has succeeded before.
    pub(crate) fn is_barren(&self) -> bool {
        let Islands { failures, patience, .. } = self.policy;
        self.barren >= if self.population.is_empty() && self.restarts == 0 { failures } else { patience * failures }
    }

    /// Whether so many of its candidates hang or kill their workers that others get little time.
    pub(crate) fn is_dear(&self) -> bool {
        self.costly >= self.policy.costly && self.costly * self.policy.costly_share > self.tried
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.best().is_some_and(|best| best.fitness.is_perfect())
    }

    /// Whether the crash line is executed for long, and whatever is done there does not throw: something else may have to happen
    /// at the same time.
    pub(crate) fn is_at_the_line(&self) -> bool {
        let is_there = |best: &Individual| best.fitness.frames_to_go == 0 && best.fitness.line == 0.0;
        self.stale >= self.policy.at_the_line
            && self.best().is_some_and(|best| is_there(best) && !best.fitness.is_crash())
    }

    /// The nearest to the crash, by any path.
    fn best_outwards(&self) -> Option<&Individual> {
        self.population.iter().min_by(|a, b| a.fitness.cmp_outwards(&b.fitness))
    }

    /// Elitist selection of line 24 of Algorithm 1: the fittest of parents and offspring survive, half of them by the way
    /// inwards, half by what is right at the crash; where there is only one frame, both are the same. Of equally fit ones the
    /// newer go first, which lets the population drift on plateaus. Gives the new bests of either half.
    pub(crate) fn select(&mut self, offspring: Vec<Individual>, size: usize) -> Vec<&Individual> {
        let before = self.best().map(|best| best.fitness.clone());
        let before_outwards = self.best_outwards().map(|best| best.fitness.clone());
        let mut all = offspring;
        all.append(&mut self.population);
        all.sort_by(|a, b| a.fitness.cmp(&b.fitness));
        let kept = if self.entry > 1 { size.div_ceil(2) } else { size };
        let mut others = all.split_off(kept.min(all.len()));
        others.sort_by(|a, b| a.fitness.cmp_outwards(&b.fitness));
        others.truncate(size - kept);
        self.inwards = all.len();
        all.append(&mut others);
        self.population = all;
        let is_new = |best: &&Individual, before: Option<Fitness>, order: fn(&Fitness, &Fitness) -> Ordering| {
            before.is_none_or(|before| order(&best.fitness, &before).is_lt())
        };
        let improved = self.best().filter(|best| is_new(best, before.clone(), Ord::cmp)).is_some();
        let improved_outwards =
            self.best_outwards().filter(|best| is_new(best, before_outwards, Fitness::cmp_outwards)).is_some();
        self.stale = if improved || improved_outwards { 0 } else { self.stale + 1 };
        let inwards = self.best().filter(|_| improved);
        let outwards = self.best_outwards().filter(|_| improved_outwards);
        let is_same = |a: &Individual| inwards.is_some_and(|b| std::ptr::eq(a, b));
        inwards.into_iter().chain(outwards.filter(|best| !is_same(best))).collect()
    }

    /// Mostly one of the fittest; while none shows the crash and none comes nearer, now and then one that went where few others
    /// did.
    pub(crate) fn parent_or_novelty(&self, extras: Extras, rng: &mut Rng) -> Option<&Individual> {
        let is_stuck = self.stale >= self.policy.stuck && self.best().is_some_and(|best| !best.fitness.is_crash());
        let rare = if extras.rare_branches && is_stuck && rng.chance(self.policy.novelty) {
            self.novelty.parent(rng)
        } else {
            None
        };
        rare.or_else(|| self.parent(rng))
    }

    /// Rank selection with a bias to the front, in one of the halves.
    pub(crate) fn parent(&self, rng: &mut Rng) -> Option<&Individual> {
        let bias = self.policy.bias;
        let (inwards, outwards) = self.population.split_at(self.inwards.min(self.population.len()));
        let is_inwards = outwards.is_empty() || (!inwards.is_empty() && rng.bool());
        let half = if is_inwards { inwards } else { outwards };
        let n = half.len();
        let x = rng.f64();
        let rank = (bias - (bias * bias - 4.0 * (bias - 1.0) * x).sqrt()) / (2.0 * (bias - 1.0));
        half.get(((n as f64 * rank) as usize).min(n.saturating_sub(1)))
    }

    /// Whether all frames from its own inwards are right with someone.
    pub(crate) fn is_complete(&self) -> bool {
        self.population.iter().any(|one| one.fitness.is_crash() && one.fitness.unmatched == 0)
    }

    /// Forgets all but the bests, and every other time these as well: what is as near as can be may be a dead end.
    pub(crate) fn restart(&mut self) {
        self.restarts += 1;
        self.stale = 0;
        if self.restarts % 2 == 1 && !self.population.iter().any(|one| one.fitness.is_crash()) {
            self.population.clear();
            return;
        }
        let outwards = self.best_outwards().cloned();
        self.population.truncate(1);
        self.population.extend(outwards);
        self.inwards = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::Reach;

    fn island(entry: u32) -> Island {
        Island::new(entry, Vec::new(), vec![AccessContext::public()])
    }

    fn individual(fitness: Fitness) -> Individual {
        Individual { fitness, ..Individual::of(Recipe::default(), AccessContext::public()) }
    }

    /// On the way, `to_go` frames from the crash.
    fn on_the_way(to_go: u32) -> Individual {
        let reach = Reach { root: 0.0, frames_to_go: to_go, line: 0.0 };
        individual(Fitness { root: 0.0, frames_to_go: to_go, line: 0.0, reach, ..Fitness::WORST })
    }

    /// It crashes with one frame right, past the others.
    fn past_the_way() -> Individual {
        let reach = Reach { root: 0.0, frames_to_go: 0, line: 0.0 };
        individual(Fitness { root: 0.0, frames_to_go: 5, exception: 0.0, unmatched: 4, reach, ..Fitness::WORST })
    }

    #[test]
    fn crashes_past_the_way_live_beside_those_on_it() {
        let mut island = island(5);
        let all = (0..20).map(|index| if index % 2 == 0 { on_the_way(1) } else { past_the_way() });
        island.select(all.collect(), 4);
        let crashes = |half: &[Individual]| half.iter().filter(|one| one.fitness.is_crash()).count();
        assert_eq!((island.population.len(), island.inwards), (4, 2));
        assert_eq!((crashes(&island.population[..2]), crashes(&island.population[2..])), (0, 2));
    }

    #[test]
    fn one_frame_is_selected_from_as_a_whole() {
        let mut island = island(1);
        island.select((0..10).map(on_the_way).collect(), 10);
        let mut rng = Rng::with_seed(1);
        let drawn =
            (0..4000).filter_map(|_| island.parent(&mut rng)).filter(|one| one.fitness.frames_to_go < 5).count();
        // Of halves drawn alike it would be 2000; a bias of 1.7 gives the first half of the ranks two thirds.
        assert!((2400..3000).contains(&drawn), "{drawn}");
    }
}
