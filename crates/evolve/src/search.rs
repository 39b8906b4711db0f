//! The search as a whole: islands, rounds, what is kept of what was learned.

use crate::capture;
use crate::comparands::Known;
use crate::config::Config;
use crate::derived;
use crate::fitness::{self, Fitness};
use crate::island::{Individual, Island};
use crate::limits_tuner::LimitsTuner;
use crate::log_calls::{self, LogCall};
use crate::operators::{Changes, fitted, neighbours};
use crate::rehearsal::Rehearsal;
use crate::seeds::seeds;
use crash_report::compare::Grade;
use engine::{
    Allowance, Assessment, Candidate, CandidateId, Engine, EngineName, Fact, Factory, Find, Goal, GoalFrame, Observing,
    Outlook, Proposal, Proposed, Refutation, Registration, Round, Setup, Standing,
};
use maker::{Choose, MemberStatistics, Rng};
use objects::{AccessContext, Catalogue, Pool};
use program::{ClassName, FieldRef, MethodRef};
use recipe::{Access, Action, Aim, End, JavaString, Limit, Limits, Observation, Recipe};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

const NAME: EngineName = "evolve";

pub const REGISTRATION: Registration = Registration {
    name: NAME,
    about: "a genetic algorithm that is guided by how near candidates come to the crash (EvoCrash, and beyond)",
    configure: |settings| Ok(Arc::new(Configured(settings.parse()?))),
};

#[derive(Debug)]
struct Configured(Config);

impl Factory for Configured {
    fn name(&self) -> EngineName {
        NAME
    }

    fn makes_natural(&self) -> bool {
        true
    }

    fn make(&self, setup: &Setup) -> Box<dyn Engine> {
        Box::new(Evolve::new(setup, &self.0))
    }
}

pub struct Evolve {
    pub(crate) goal: Arc<Goal>,
    /// Lambdas of the methods of the trace, and what they call.
    beside: FxHashSet<MethodRef>,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) pool: Pool,
    pub(crate) statistics: MemberStatistics,
    pub(crate) config: Config,
    /// The classes of the crash.
    pub(crate) classes: Vec<ClassName>,
    pub(crate) islands: Vec<Island>,
    /// Candidates that were run, and the island that ran them.
    seen: FxHashMap<u64, usize>,
    /// Candidates whose success a fresh JVM did not confirm.
    refuted: FxHashSet<u64>,
    /// Small steps from candidates that improved on their island, to be run next.
    steps: VecDeque<(Recipe, Origin)>,
    /// What the branches compare with that turned candidates away.
    pub(crate) comparands: Known,
    /// What the log tells of calls before the crash.
    pub(crate) told: Vec<LogCall>,
    /// The least of the rounds' median times of a candidate.
    usual_time: Duration,
    limits: LimitsTuner,
    /// How often they were changed.
    limits_changed: u32,
    pub(crate) rng: Rng,
    /// The whole crash was shown, by a candidate that nobody refuted.
    pub(crate) is_shown: bool,
    /// Rounds that were proposed.
    rounds: u32,
    /// Candidates whose observations are still to come, by ticket.
    running: FxHashMap<u64, Origin>,
    tickets: u64,
}

impl std::fmt::Debug for Evolve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let best = |island: &Island| island.best().map(|best| (best.fitness.clone(), best.recipe.to_string()));
        let islands: Vec<_> = self.islands.iter().map(|island| (island.entry, best(island))).collect();
        f.debug_struct("Evolve").field("islands", &islands).finish_non_exhaustive()
    }
}

/// Where a candidate comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) island: usize,
    pub(crate) from: AccessContext,
    pub(crate) parents: Vec<CandidateId>,
    /// How it was made from which parent, if its like is to be judged by that.
    pub(crate) descent: Option<(Changes, Fitness)>,
    /// How often the limits had changed when it was proposed.
    pub(crate) limits: u32,
    /// What it repeats of the log.
    pub(crate) rehearsal: Option<Box<Rehearsal>>,
}

impl Origin {
    pub(crate) fn new(island: usize, from: AccessContext, parents: Vec<CandidateId>) -> Origin {
        Origin { island, from, parents, descent: None, limits: 0, rehearsal: None }
    }
}

impl Engine for Evolve {
    fn name(&self) -> EngineName {
        NAME
    }

    /// The next generation: candidates that were not run before. The generation before it may still be running.
    fn propose(&mut self, allowance: &Allowance) -> Proposal {
        self.rounds += 1;
        let mut made = self.next_steps(allowance.candidates / 2);
        let mut failures = 0;
        let most_failures = 4 * allowance.candidates as u32 + self.rng.policy().rounds.tries;
        while made.len() < allowance.candidates
            && failures < most_failures
            && !allowance.is_spent((made.len() + failures as usize) as u64)
        {
            let Some(island) = self.choose_island() else { break };
            let Some(mut candidate) = self.make(island) else {
                failures += 1;
                self.islands[island].barren += 1;
                continue;
            };
            if self.islands[island].captures {
                candidate.0 = capture::captured(candidate.0);
            }
            self.islands[island].barren = 0;
            let is_hopeless = self.statistics.is_dead(&candidate.0) && !self.rng.chance(self.rng.policy().rounds.again);
            if !is_hopeless && self.is_new(&candidate.0, island) {
                made.push(candidate);
            } else {
                failures += 1;
            }
        }
        let candidates = made.into_iter().map(|(recipe, origin)| self.issue(recipe, origin)).collect();
        let widens = self.widens(allowance.steps.is_some());
        Proposal { candidates, facts: Vec::new(), standing: self.standing(), observing: self.observing(), widens }
    }

    fn learn(&mut self, round: &Round) {
        let mut offspring: Vec<Vec<Individual>> = self.islands.iter().map(|_| Vec::new()).collect();
        let time_limit = self.time_limit(&round.observations);
        for (candidate, observation, assessment) in round.iter() {
            let Some(origin) = self.origin(candidate) else { continue };
            let island = origin.island;
            let individual = self.weigh(candidate, origin, observation, assessment, time_limit);
            // What threads do is not changed any further.
            if individual.fitness.is_crash() || !individual.recipe.is_race() {
                offspring[island].push(individual);
            }
        }
        // What was not run in time is of no interest any more.
        round.candidates.iter().filter(|one| one.engine == NAME).for_each(|one| {
            self.running.remove(&one.proposed.ticket);
        });
        if self.may_need_more() && self.limits.decide() {
            self.limits_changed += 1;
            // What was cut short may now show more.
            self.seen.clear();
            self.statistics.forgive();
            self.islands.iter_mut().for_each(|island| island.costly = 0);
        }
        offspring.into_iter().enumerate().for_each(|(index, offspring)| self.select(index, offspring));
    }

    fn inform(&mut self, facts: &[Arc<Fact>]) {
        if self.config.extras.derived_values {
            let fields: Vec<FieldRef> =
                facts.iter().flat_map(|fact| derived::take_up(&fact.kind, &mut self.pool)).collect();
            self.pool.add_relevant(&fields);
        }
    }

    fn refute(&mut self, find: &Find, refutation: Refutation) {
        let fingerprint = find.candidate.recipe().fingerprint();
        self.refuted.insert(fingerprint);
        match refutation {
            Refutation::NotConfirmed => self.drop_its_like(find),
            Refutation::NoProgress => {
                let is_it = |one: &Individual| one.recipe.fingerprint() == fingerprint;
                self.islands.iter_mut().for_each(|island| island.population.retain(|one| !is_it(one)));
            }
        }
        let left = self.islands.iter().flat_map(|island| &island.population);
        self.is_shown =
            left.filter(|one| one.grade.is_full()).any(|one| !self.refuted.contains(&one.recipe.fingerprint()));
    }

    fn more_natural(&mut self, candidate: &Candidate, recipe: &Recipe, count: usize) -> Vec<Recipe> {
        let entry = candidate.entry();
        let demerits = |recipe: &Recipe, catalogue: &Catalogue| engine::naturalness::demerits(recipe, entry, catalogue);
        let before = demerits(recipe, &self.catalogue);
        let Some(island) = self.island_of(candidate) else { return Vec::new() };
        let from = self.place_of(candidate, island);
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        for _ in 0..self.rng.policy().rounds.tries as usize + 4 * count {
            let Some(other) = self.made_natural(recipe, island, from) else { continue };
            if demerits(&other, &self.catalogue) < before && seen.insert(other.fingerprint()) {
                found.push(other);
            }
            if found.len() == count {
                break;
            }
        }
        found
    }
}

impl Evolve {
    pub fn new(setup: &Setup, config: &Config) -> Evolve {
        let goal = setup.goal.clone();
        // The same seed and number of candidates give the same test.
        let minds_time = config.minds_time && !setup.is_counted;
        let config = Config { minds_time, repeatable: setup.is_counted, ..config.clone() };
        let frames = if config.extras.all_frames { goal.frames.len() } else { goal.frames.len().min(1) };
        let mut islands = islands(&goal.frames[..frames]);
        islands.extend(capture::island(&goal, &islands, &setup.catalogue));
        let knows_log = config.extras.message && config.extras.mined_usages;
        let before = if knows_log { setup.before.as_str() } else { "" };
        let message = goal.message.as_deref().unwrap_or_default();
        let told = log_calls::calls(before, message, setup.catalogue.methods());
        let mut pool = seeds(&setup.target, &setup.before, setup.catalogue.methods(), &config);
        for key in log_calls::keys(&told, before) {
            pool.add_key(&JavaString::new(&key));
        }
        Evolve {
            classes: goal.probe_plan().classes,
            islands,
            beside: fitness::beside(&goal, setup.catalogue.methods()),
            goal,
            catalogue: setup.catalogue.clone(),
            pool,
            statistics: MemberStatistics::default(),
            config,
            seen: FxHashMap::default(),
            refuted: FxHashSet::default(),
            steps: VecDeque::new(),
            comparands: Known::default(),
            told,
            usual_time: Duration::MAX,
            limits: LimitsTuner::default(),
            limits_changed: 0,
            rng: Rng::with_seed(setup.seed),
            is_shown: false,
            rounds: 0,
            running: FxHashMap::default(),
            tickets: 0,
        }
    }

    /// On a large class path the first rounds look at archives near the crash only, while the indexes of the others are made ready.
    /// Where the budget is counted, the same seed has to give the same candidates: then the round waits for them.
    fn widens(&self, is_counted: bool) -> bool {
        if !self.catalogue.can_widen() {
            return false;
        }
        if self.rounds == 1 {
            let catalogue = Arc::clone(&self.catalogue);
            // Without a thread to be had, the round that needs them loads them.
            let _ = std::thread::Builder::new().spawn(move || catalogue.prepare_to_widen());
        }
        let is_ready = || is_counted || self.catalogue.is_ready_to_widen();
        self.rounds >= self.rng.policy().rounds.wide_from && is_ready()
    }

    /// Half of a round at most: what local search cannot find is not to wait for it.
    fn next_steps(&mut self, most: usize) -> Vec<(Recipe, Origin)> {
        let mut steps = Vec::new();
        while steps.len() < most
            && let Some(step) = self.steps.pop_front()
        {
            if !self.statistics.is_dead(&step.0) && self.is_new(&step.0, step.1.island) {
                steps.push(step);
            }
        }
        steps
    }

    /// Not run before, as far as that counts.
    fn is_new(&mut self, recipe: &Recipe, island: usize) -> bool {
        self.seen.insert(recipe.fingerprint(), island).is_none() || !self.config.extras.skip_duplicates
    }

    fn issue(&mut self, recipe: Recipe, mut origin: Origin) -> Proposed {
        origin.limits = self.limits_changed;
        let island = &self.islands[origin.island];
        self.tickets += 1;
        let place = island.places.iter().position(|known| *known == origin.from);
        let ticket = ticket(self.tickets, origin.island, place);
        let proposed = Proposed { parents: origin.parents.clone(), ..Proposed::new(recipe, island.entry, ticket) };
        self.running.insert(ticket, origin);
        proposed
    }

    fn standing(&self) -> Standing {
        let outermost = self.islands.iter().rfind(|island| !island.is_barren());
        let outlook = match outermost {
            None => Outlook::Barren,
            Some(island) if island.is_solved() => Outlook::Done,
            Some(_) => Outlook::Open,
        };
        let blocked_at = outermost.and_then(|island| island.best()?.blocked_at);
        Standing { outlook, blocked_at, ..Standing::default() }
    }

    /// The limits are wider once the program has shown that it needs more.
    fn observing(&self) -> Observing {
        let mut limits: Limits = self.goal.limits();
        if self.may_need_more() {
            self.limits.widen(&mut limits);
        }
        if self.config.repeatable {
            // Whoever takes that long would never end, on any machine.
            limits.time *= self.rng.policy().rounds.patience;
        }
        Observing { limits: Some(limits), all_statements: !self.config.extras.last_statement }
    }

    /// Stack overflows and initialisers have wide limits from the beginning.
    fn may_need_more(&self) -> bool {
        self.goal.aim() == Aim::Exception
    }

    /// Where a candidate of the round belongs, another engine's as well; none if no island enters at its frame.
    fn origin(&mut self, candidate: &Candidate) -> Option<Origin> {
        if candidate.engine == NAME {
            return self.running.remove(&candidate.proposed.ticket);
        }
        let island = self.island_of(candidate)?;
        let from = self.place_of(candidate, island);
        Some(Origin { limits: self.limits_changed, ..Origin::new(island, from, Vec::new()) })
    }

    /// The island that a candidate belongs to; none if no island enters at its frame.
    fn island_of(&self, candidate: &Candidate) -> Option<usize> {
        match candidate.engine == NAME {
            true => Some(island_in(candidate.proposed.ticket)),
            false => self.islands.iter().position(|island| island.entry == candidate.entry()),
        }
    }

    /// The place that a candidate was made for.
    fn place_of(&self, candidate: &Candidate, island: usize) -> AccessContext {
        let places = &self.islands[island].places;
        let own = (candidate.engine == NAME).then(|| place_of(candidate.proposed.ticket)).flatten();
        let needed = || match widest_access(candidate.recipe()) {
            Access::Public => 0,
            Access::Package => 1,
            Access::Reflective => 2,
        };
        places[own.unwrap_or_else(needed).min(places.len() - 1)]
    }

    /// What a candidate is worth; the statistics of its island and of the operators that made it take note.
    fn weigh(
        &mut self,
        candidate: &Candidate,
        origin: Origin,
        observation: &Observation,
        assessment: &Assessment,
        time_limit: Duration,
    ) -> Individual {
        let Origin { island, from, descent, limits, rehearsal, .. } = origin;
        let recipe = candidate.proposed.recipe.clone();
        if let Some(rehearsal) = rehearsal {
            let most = self.rng.policy().start.beginnings;
            self.islands[island].stage.learn(&rehearsal, &recipe, from, &observation.end, most);
        }
        self.statistics.learn(&recipe, &observation.end);
        // The round that was proposed before the limits changed says nothing about the new ones.
        if limits == self.limits_changed {
            self.limits.note(&observation.end, self.config.minds_time);
        }
        let size = recipe.size().statements;
        let fitness = Fitness::of(assessment, observation, size, (&self.goal, &self.beside), self.config.extras);
        let is_lost = is_costly(&observation.end) || self.is_up_to_the_vm(&observation.end);
        let is_costly = (is_lost && !fitness.is_crash()) || observation.cost.time > time_limit;
        let mut fitness = if fitness.is_crash() || !is_costly { fitness } else { Fitness::WORST };
        if self.config.minds_time && fitness.is_crash() && !self.goal.is_stack_overflow {
            fitness.slowness = fitness::slowness(observation.cost.time);
        }
        let island = &mut self.islands[island];
        if let Some((changes, parent)) = descent {
            island.operator_statistics.learn(changes, fitness.is_nearer_than(&parent));
        }
        island.tried += 1;
        island.costly += u32::from(is_costly);
        let is_useful = fitness != Fitness::WORST && !recipe.is_race();
        let grade = if fitness.is_crash() { assessment.grade() } else { Grade::None };
        let values = match &observation.end {
            End::Threw { thrown, .. } if fitness.is_crash() && self.config.extras.message => {
                self.goal.differing_values(thrown)
            }
            _ => Vec::new(),
        };
        self.is_shown |= grade.is_full();
        let individual =
            Individual { id: candidate.id, recipe, fitness, grade, blocked_at: assessment.blocked_at, from, values };
        if self.config.extras.rare_branches && is_useful {
            island.novelty.learn(&individual, observation);
            // Only of what comes before the last statement it is known that it did not throw.
            if !assessment.is_astray() {
                let calls = told(&individual.recipe, &self.catalogue, &self.pool);
                island.novelty.learn_calls(&individual, &calls);
            }
        }
        individual
    }

    /// Time that a candidate may take and still be built upon: much longer than usual, hundreds could have run instead.
    fn time_limit(&mut self, observations: &[Observation]) -> Duration {
        const LEAST: Duration = Duration::from_millis(80);
        const FACTOR: u32 = 20;
        let mut times: Vec<Duration> = observations.iter().map(|observation| observation.cost.time).collect();
        times.sort_unstable();
        if let Some(median) = times.get(times.len() / 2) {
            self.usual_time = self.usual_time.min(*median);
        }
        // To overflow a stack takes its time.
        if self.goal.is_stack_overflow || !self.config.minds_time || self.limits.is_time() {
            Duration::MAX
        } else {
            self.usual_time.saturating_mul(FACTOR).max(LEAST)
        }
    }

    /// How deep a stack gets, and with it all that is recorded until it overflows, depends on what the VM has compiled by then.
    fn is_up_to_the_vm(&self, end: &End) -> bool {
        self.config.repeatable && !self.goal.is_stack_overflow && end.is_stack_overflow()
    }

    /// The next population of an island, and local search around those that improved on it.
    fn select(&mut self, index: usize, offspring: Vec<Individual>) {
        let island = &mut self.islands[index];
        if !offspring.is_empty() {
            island.operator_statistics.fade();
            for best in island.select(offspring, self.config.population) {
                // What the message says is nearer than any step.
                for recipe in fitted(&best.recipe, &best.values).into_iter().rev() {
                    self.steps.push_front((recipe, Origin::new(index, best.from, vec![best.id])));
                }
                if self.config.extras.local_search && best.fitness != Fitness::WORST {
                    let origin = Origin::new(index, best.from, vec![best.id]);
                    let near = neighbours(&best.recipe).into_iter();
                    self.steps.extend(near.map(|recipe| (recipe, origin.clone())));
                }
            }
        }
        if island.stale > self.config.patience {
            island.restart();
            // A new population is made of what is small and likely, which was all run before.
            if island.population.is_empty() {
                self.seen.retain(|_, by| *by != index);
            }
        }
    }

    /// Its like descend from it or it from them; an island that is left with them has nothing more to look for.
    fn drop_its_like(&mut self, refuted: &Find) {
        let unmatched = refuted.assessment.unmatched;
        let is_like = |one: &Individual| one.fitness.is_crash() && one.fitness.unmatched <= unmatched;
        if let Some(island) = self.island_of(&refuted.candidate) {
            self.islands[island].population.retain(|individual| !is_like(individual));
        }
    }
}

/// The calls before the last statement that may change an object of the program.
fn told(recipe: &Recipe, catalogue: &Catalogue, pool: &Pool) -> Vec<MethodRef> {
    let stmts = recipe.body.stmts.split_last().map_or(&[][..], |(_, before)| before);
    let called = stmts.iter().filter_map(|stmt| match &stmt.action {
        Action::Call { method, receiver: Some(_), .. } => Some(*method),
        _ => None,
    });
    let is_telling =
        |method: &MethodRef| catalogue.program().is_application_default(method.class) && pool.relevance(*method) >= 1.0;
    called.filter(is_telling).collect()
}

/// A number of its own, the island, and which of its places the candidate was made for.
fn ticket(number: u64, island: usize, place: Option<usize>) -> u64 {
    number << 32 | (island as u64) << 2 | place.map_or(0, |place| place as u64 + 1)
}

fn island_in(ticket: u64) -> usize {
    (ticket as u32 >> 2) as usize
}

fn place_of(ticket: u64) -> Option<usize> {
    (ticket as usize & 3).checked_sub(1)
}

/// What a test must be allowed to do.
fn widest_access(recipe: &Recipe) -> Access {
    let mut widest = Access::Public;
    recipe.for_each_stmt(&mut |stmt| widest = widest.max(stmt.action.access().unwrap_or(Access::Public)));
    widest
}

/// Whether it costs a worker, or the time of hundreds of others: nothing to build upon.
fn is_costly(end: &End) -> bool {
    match end {
        End::Threw { .. } => end.is_linkage_failure() || end.is_out_of_memory(),
        End::Stopped(Limit::Time | Limit::Threads) | End::OutOfMemory | End::VmDied { .. } => true,
        End::Completed | End::Stopped(_) | End::Exited { .. } | End::Unlinkable { .. } => false,
    }
}

/// An island for each frame; of frames of the same methods, as in a recursion, only the outermost has one.
fn islands(frames: &[GoalFrame]) -> Vec<Island> {
    let all = (1..).zip(frames).map(|(entry, frame)| Island::for_frame(entry, frame));
    let mut kept: Vec<Island> = Vec::new();
    for island in all {
        match kept.iter_mut().find(|other| other.methods == island.methods) {
            Some(other) => *other = island,
            None => kept.push(island),
        }
    }
    kept.sort_by_key(|island| island.entry);
    kept
}

#[cfg(test)]
mod tests;
