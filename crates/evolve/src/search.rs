//! The search as a whole: islands, rounds, what is kept of what was learned.

use crate::capture;
use crate::comparands::Known;
use crate::config::Config;
use crate::fitness::{self, Evaluation, Fitness};
use crate::goal::{Goal, GoalFrame};
use crate::growth;
use crate::island::{Individual, Island};
use crate::naturalness;
use crate::needs::Needs;
use crate::operators::{Changes, Core, Tools, is_race, neighbours};
use crate::thrown::Comparisons;
use crash_report::compare::Comparison;
use objects::{Catalogue, Choose, Ledger, Pool, Rng, Vantage};
use program::{ClassName, CodePoint};
use recipe::{Aim, End, Limit, Observation, ProbePlan, Recipe};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub struct Search {
    goal: Arc<Goal>,
    catalogue: Arc<Catalogue>,
    pool: Pool,
    ledger: Ledger,
    config: Config,
    is_application: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// The classes of the crash.
    classes: Vec<ClassName>,
    islands: Vec<Island>,
    /// Candidates that were run, and the island that ran them.
    seen: FxHashMap<u64, usize>,
    /// Candidates whose success a fresh JVM did not confirm.
    refuted: FxHashSet<u64>,
    /// Small steps from candidates that improved on their island, to be run next.
    steps: VecDeque<(Recipe, Origin)>,
    /// What the branches compare with that turned candidates away.
    comparands: Known,
    comparisons: Comparisons,
    /// The least of the rounds' median times of a candidate.
    usual_time: Duration,
    needs: Needs,
    rng: Rng,
    best: Option<Find>,
    /// Rounds that were proposed.
    rounds: u32,
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let islands: Vec<_> = self
            .islands
            .iter()
            .map(|island| (island.entry, island.best().map(|best| (&best.fitness, best.recipe.to_string()))))
            .collect();
        f.debug_struct("Search").field("islands", &islands).field("best", &self.best).finish_non_exhaustive()
    }
}

/// Candidates to be run together.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub recipes: Vec<Recipe>,
    /// Where each belongs.
    origins: Vec<Origin>,
}

#[derive(Clone, Debug)]
struct Origin {
    island: usize,
    from: Vantage,
    /// How it was made from which parent, if its like is to be judged by that.
    descent: Option<(Changes, Fitness)>,
}

impl Round {
    fn push(&mut self, (recipe, origin): (Recipe, Origin)) {
        self.recipes.push(recipe);
        self.origins.push(origin);
    }
}

/// A candidate that came nearer than all before it.
#[derive(Clone, Debug)]
pub struct Find {
    pub recipe: Recipe,
    /// Number of the frame that the candidate enters at.
    pub entry: u32,
    pub fitness: Fitness,
    /// With the crash, where the exception is the same.
    pub comparison: Option<Comparison>,
    /// The branch at which it turned away from the line of the next frame, or where the exception was not thrown.
    pub blocked_at: Option<CodePoint>,
    /// Where the test is.
    from: Vantage,
}

/// Levels of nesting of texts that are to overflow a stack.
const NESTING: [u32; 4] = [20, 200, 1000, 5000];
/// How often what failed to link or to initialise is tried again: something else may have been to blame.
const AGAIN: f64 = 0.01;
/// How often two threads are tried where nothing else helps. They cost as much as dozens of other candidates.
const RACES: f64 = 0.02;
/// How much more time a candidate has where runs have to be alike: whoever takes that long would never end, on any machine.
const PATIENCE: u32 = 8;
/// The round from which on the whole class path is looked at: what is easy was found before.
const WIDE_FROM: u32 = 10;
/// Failures to make a candidate in one round, beside some for each that is wanted.
const TRIES: u32 = 20;

impl Search {
    pub fn new(
        goal: Arc<Goal>,
        catalogue: Arc<Catalogue>,
        pool: Pool,
        is_application: Arc<dyn Fn(&str) -> bool + Send + Sync>,
        config: Config,
        seed: u64,
    ) -> Search {
        let frames = if config.extras.all_frames { goal.frames.len() } else { goal.frames.len().min(1) };
        let mut islands = islands(&goal.frames[..frames]);
        islands.extend(capture::island(&goal, &islands, &catalogue));
        let classes = goal.probe_plan().classes;
        Search {
            classes,
            goal,
            catalogue,
            pool,
            ledger: Ledger::default(),
            config,
            is_application,
            islands,
            seen: FxHashMap::default(),
            refuted: FxHashSet::default(),
            steps: VecDeque::new(),
            comparands: Known::default(),
            comparisons: Comparisons::default(),
            usual_time: Duration::MAX,
            needs: Needs::default(),
            rng: Rng::with_seed(seed),
            best: None,
            rounds: 0,
        }
    }

    /// On a large class path the first rounds look at archives near the crash only, while the indexes of the others are made ready.
    /// Without a deadline, the same seed has to give the same candidates: then the round waits for them.
    fn widen(&self, deadline: Option<Instant>) {
        if !self.catalogue.can_widen() {
            return;
        }
        if self.rounds == 1 {
            let catalogue = Arc::clone(&self.catalogue);
            // Without a thread to be had, the round that needs them loads them.
            let _ = std::thread::Builder::new().spawn(move || catalogue.prepare_to_widen());
        } else if self.rounds >= WIDE_FROM && (deadline.is_none() || self.catalogue.is_ready_to_widen()) {
            self.catalogue.widen();
        }
    }

    /// What to observe, and within which limits. They are wider once the program has shown that it needs more.
    pub fn plan(&self) -> ProbePlan {
        let mut plan = ProbePlan { last_statement_only: self.config.extras.last_statement, ..self.goal.probe_plan() };
        if self.may_need_more() {
            self.needs.widen(&mut plan.limits);
        }
        if self.config.repeatable {
            plan.limits.time *= PATIENCE;
        }
        plan
    }

    /// Stack overflows and initialisers have wide limits from the beginning.
    fn may_need_more(&self) -> bool {
        self.goal.aim() == Aim::Exception
    }

    pub fn best(&self) -> Option<&Find> {
        self.best.as_ref()
    }

    /// Of the candidates that enter at the frame next to this one from outside, the nearest.
    pub fn nearest_outside(&self, frame: u32) -> Option<Find> {
        let outer = self.islands.iter().find(|island| island.entry > frame && island.best().is_some())?;
        outer.best().map(|best| Find::of(outer.entry, best))
    }

    /// No candidate can be made that enters at any frame.
    pub fn is_barren(&self) -> bool {
        self.islands.iter().all(Island::is_barren)
    }

    /// Nothing better can be found by going on.
    pub fn is_done(&self) -> bool {
        let outermost = self.islands.iter().rfind(|island| !island.is_barren());
        outermost.is_none_or(Island::is_solved)
    }

    /// The next generation: about `size` candidates that were not run before; fewer if the time is up. The one before it may
    /// still be running.
    pub fn propose(&mut self, size: usize, deadline: Option<Instant>) -> Round {
        self.widen(deadline);
        self.rounds += 1;
        let mut round = Round::default();
        let mut failures = 0;
        // Half of a round at most: what local search cannot find is not to wait for it.
        while round.recipes.len() < size / 2
            && let Some(step) = self.steps.pop_front()
        {
            if !self.ledger.is_dead(&step.0) && self.is_new(&step.0, step.1.island) {
                round.push(step);
            }
        }
        let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        while round.recipes.len() < size && failures < 4 * size as u32 + TRIES && !is_late() {
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
            let is_hopeless = self.ledger.is_dead(&candidate.0) && !self.rng.chance(AGAIN);
            if !is_hopeless && self.is_new(&candidate.0, island) {
                round.push(candidate);
            } else {
                failures += 1;
            }
        }
        round
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
        if self.goal.is_stack_overflow || !self.config.minds_time || self.needs.is_time() {
            Duration::MAX
        } else {
            self.usual_time.saturating_mul(FACTOR).max(LEAST)
        }
    }

    /// Takes note of what the candidates of a round did, in their order; gives the one that improved on all before.
    pub fn learn(&mut self, round: Round, observations: &[Observation]) -> Option<Find> {
        let mut offspring: Vec<Vec<Individual>> = self.islands.iter().map(|_| Vec::new()).collect();
        let mut improved = None;
        let time_limit = self.time_limit(observations);
        let candidates = round.recipes.into_iter().zip(round.origins);
        for ((recipe, Origin { island, from, descent }), observation) in candidates.zip(observations) {
            self.ledger.learn(&recipe, &observation.end);
            self.needs.note(&observation.end, self.config.minds_time);
            let entry = self.islands[island].entry;
            let compare = |thrown: &_| self.comparisons.with_goal(&self.goal, thrown, &*self.is_application);
            let demerits = |recipe: &_, is_shown: bool| match is_shown {
                true => naturalness::demerits(recipe, entry, &self.catalogue),
                false => naturalness::demerits_on_the_way(recipe, entry),
            };
            let Evaluation { comparison, fitness, blocked_at } =
                fitness::evaluate(&self.goal, entry, observation, &recipe, self.config.extras, compare, demerits);
            let is_lost =
                (is_costly(&observation.end) || self.is_up_to_the_vm(&observation.end)) && !fitness.is_crash();
            let is_costly = is_lost || observation.cost.time > time_limit;
            let mut fitness = if fitness.is_crash() || !is_costly { fitness } else { Fitness::WORST };
            if self.config.minds_time && fitness.is_crash() && !self.goal.is_stack_overflow {
                fitness.slowness = fitness::slowness(observation.cost.time);
            }
            if let Some((changes, parent)) = descent {
                self.islands[island].worth.learn(changes, fitness.is_nearer_than(&parent));
            }
            self.islands[island].tried += 1;
            self.islands[island].costly += u32::from(is_costly);
            let individual = Individual { recipe, fitness, comparison, blocked_at, from };
            if self.best.as_ref().is_none_or(|best| individual.beats(entry, best)) {
                let find = Find::of(entry, &individual);
                self.best = Some(find.clone());
                improved = Some(find);
            }
            if self.config.extras.rare_branches && individual.fitness != Fitness::WORST && !is_race(&individual.recipe)
            {
                self.islands[island].rarities.learn(&individual, observation);
            }
            // What threads do is not changed any further.
            if individual.fitness.is_crash() || !is_race(&individual.recipe) {
                offspring[island].push(individual);
            }
        }
        if self.may_need_more() && self.needs.decide() {
            // What was cut short may now show more.
            self.seen.clear();
            self.ledger.forgive();
            self.islands.iter_mut().for_each(|island| island.costly = 0);
        }
        for (index, (island, offspring)) in self.islands.iter_mut().zip(offspring).enumerate() {
            if !offspring.is_empty() {
                island.worth.fade();
                for best in island.select(offspring, self.config.population) {
                    if self.config.extras.local_search && best.fitness != Fitness::WORST {
                        let from = best.from;
                        let near = neighbours(&best.recipe).into_iter();
                        self.steps.extend(near.map(|recipe| (recipe, Origin { island: index, from, descent: None })));
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
        improved
    }

    /// How deep a stack gets, and with it all that is recorded until it overflows, depends on what the VM has compiled by then.
    fn is_up_to_the_vm(&self, end: &End) -> bool {
        self.config.repeatable && !self.goal.is_stack_overflow && end.is_stack_overflow()
    }

    /// A fresh JVM did not show what this candidate showed: it and its like are taken out.
    pub fn refute(&mut self, find: &Find) {
        self.refuted.insert(find.recipe.fingerprint());
        // Its like descend from it or it from them; an island that is left with them has nothing more to look for.
        let is_like = |one: &Individual| one.fitness.is_crash() && one.fitness.unmatched <= find.fitness.unmatched;
        for island in self.islands.iter_mut().filter(|island| island.entry == find.entry) {
            island.population.retain(|individual| !is_like(individual));
        }
        self.forget_best();
    }

    /// It shows the crash but is less natural than it looks: it alone is taken out.
    pub fn disregard(&mut self, find: &Find) {
        let fingerprint = find.recipe.fingerprint();
        self.refuted.insert(fingerprint);
        for island in &mut self.islands {
            island.population.retain(|individual| individual.recipe.fingerprint() != fingerprint);
        }
        self.forget_best();
    }

    /// The best is one that is still there.
    fn forget_best(&mut self) {
        let crashes =
            self.islands.iter().flat_map(|island| island.population.iter().map(move |one| (island.entry, one)));
        let refuted = &self.refuted;
        let left = crashes
            .filter(|(_, one)| !refuted.contains(&one.recipe.fingerprint()))
            .map(|(entry, one)| Find::of(entry, one))
            .reduce(|best, find| if find.beats(&best) { find } else { best });
        self.best = left;
    }

    /// How far from natural a test is that enters at the frame; 0 if it could be a user's.
    pub fn demerits(&self, recipe: &Recipe, entry: u32) -> u32 {
        naturalness::demerits(recipe, entry, &self.catalogue)
    }

    /// Up to `count` tests like this one, which was made from the find, that are more natural. Whether they show the same has
    /// to be seen.
    pub fn more_natural(&mut self, recipe: &Recipe, find: &Find, count: usize) -> Vec<Recipe> {
        let before = self.demerits(recipe, find.entry);
        let Some(index) = self.islands.iter().position(|island| island.entry == find.entry) else { return Vec::new() };
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        for _ in 0..TRIES as usize + 4 * count {
            let Some(other) = self.made_natural(recipe, index, find.from) else { continue };
            if self.demerits(&other, find.entry) < before && seen.insert(other.fingerprint()) {
                found.push(other);
            }
            if found.len() == count {
                break;
            }
        }
        found
    }

    fn made_natural(&mut self, recipe: &Recipe, island: usize, from: Vantage) -> Option<Recipe> {
        let island = &self.islands[island];
        let core = island.core(&self.catalogue, from)?;
        let mut tools = Tools {
            catalogue: &self.catalogue,
            pool: &self.pool,
            ledger: &self.ledger,
            classes: &self.classes,
            extras: self.config.extras,
            nesting: 0,
            comparands: None,
            worth: &island.worth,
            rng: &mut self.rng,
        };
        tools.made_natural(recipe, core)
    }

    /// Not run before, as far as that counts.
    fn is_new(&mut self, recipe: &Recipe, island: usize) -> bool {
        self.seen.insert(recipe.fingerprint(), island).is_none() || !self.config.extras.skip_duplicates
    }

    /// Half of the effort goes to the outermost frame, the rest to the others that are not solved yet; little to those whose
    /// candidates cost too much.
    fn choose_island(&mut self) -> Option<usize> {
        const DEAR: f64 = 0.05;
        // What another thread is to crash with is first found on this one.
        let is_crash = |island: &Island| island.best().is_some_and(|best| best.fitness.is_crash());
        let may_capture = self.islands.iter().any(is_crash);
        let is_open = |island: &Island| !island.is_barren() && !island.is_solved() && (may_capture || !island.captures);
        let mut open: Vec<usize> = (0..self.islands.len()).filter(|index| is_open(&self.islands[*index])).collect();
        if open.iter().any(|index| !self.islands[*index].is_dear()) && !self.rng.chance(DEAR) {
            open.retain(|index| !self.islands[*index].is_dear());
        }
        let outermost = *open.last()?;
        if open.len() == 1 || self.rng.bool() { Some(outermost) } else { self.rng.one(&open).copied() }
    }

    fn make(&mut self, index: usize) -> Option<(Recipe, Origin)> {
        let of_best = self.best.as_ref().and_then(|best| best.comparison.as_ref());
        let is_shown = of_best.is_some_and(|comparison| comparison.exact.grade.is_full());
        let island = &self.islands[index];
        let is_filled = island.population.len() >= self.config.population;
        let inner = growth::donor(&self.islands[..index], island, is_filled, &mut self.rng);
        let fresh = inner.is_some() || !is_filled || self.rng.chance(0.1);
        let parent = if fresh { None } else { Some(island.parent_or_rarity(self.config.extras, &mut self.rng)?) };
        let inner = inner.and_then(|donor| donor.seen_from(island, &self.catalogue));
        let from = match (&inner, parent) {
            (Some(grown), _) => grown.from,
            (None, Some(parent)) => parent.from,
            (None, None) => island.vantage(&self.catalogue, &mut self.rng),
        };
        let core = island.core(&self.catalogue, from)?;
        let blocked_at = parent.and_then(|parent| parent.blocked_at).filter(|_| self.config.extras.comparands);
        let comparands = blocked_at.map(|branch| self.comparands.at(branch, self.catalogue.program()));
        let mut tools = Tools {
            catalogue: &self.catalogue,
            pool: &self.pool,
            ledger: &self.ledger,
            classes: &self.classes,
            extras: self.config.extras,
            nesting: if self.goal.is_stack_overflow {
                *NESTING.get(self.rng.usize(..NESTING.len())).unwrap_or(&0)
            } else {
                0
            },
            comparands: comparands.as_deref(),
            worth: &island.worth,
            rng: &mut self.rng,
        };
        let grown = inner.and_then(|inner| tools.grown(&inner.recipe, inner.core, core));
        let Some(parent) = parent else {
            let recipe = match grown {
                Some(grown) => grown,
                None => tools.random(core, self.config.max_size)?,
            };
            return Some((recipe, Origin { island: index, from, descent: None }));
        };
        // The crash is there: what is left to gain is a test that could be a user's.
        let fitness = &parent.fitness;
        let is_unnatural = is_shown && fitness.is_crash() && fitness.unmatched == 0 && fitness.demerits > 0;
        if self.config.extras.mutations
            && is_unnatural
            && tools.rng.bool()
            && let Some(recipe) = tools.made_natural(&parent.recipe, core)
        {
            return Some((recipe, Origin { island: index, from, descent: None }));
        }
        // When threads meet is up to nobody: no two runs would be alike.
        let may_race = self.config.extras.races && self.config.minds_time;
        if may_race && island.is_at_the_line() && tools.rng.chance(RACES) {
            let recipe = tools.race(&parent.recipe, core)?;
            return Some((recipe, Origin { island: index, from, descent: None }));
        }
        let crossed = if tools.rng.chance(self.config.crossover_probability) {
            let other = island.parent(tools.rng)?;
            tools.crossed(&parent.recipe, &other.recipe, core)
        } else {
            None
        };
        let (recipe, changes) = tools.mutated(crossed.as_ref().unwrap_or(&parent.recipe), core)?;
        // What two parents gave cannot be told from what the changes did.
        let is_judged = self.config.extras.adaptive && crossed.is_none();
        let descent = is_judged.then(|| (changes, parent.fitness.clone()));
        Some((recipe, Origin { island: index, from, descent }))
    }
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

impl Find {
    fn of(entry: u32, one: &Individual) -> Find {
        Find {
            recipe: one.recipe.clone(),
            entry,
            fitness: one.fitness.clone(),
            comparison: one.comparison.clone(),
            blocked_at: one.blocked_at,
            from: one.from,
        }
    }

    fn beats(&self, other: &Find) -> bool {
        is_better((self.entry, &self.fitness), (other.entry, &other.fitness))
    }
}

impl Individual {
    fn beats(&self, entry: u32, other: &Find) -> bool {
        is_better((entry, &self.fitness), (other.entry, &other.fitness))
    }
}

/// A crash beats none; more frames beat fewer; otherwise what the fitness says, the outer entry first.
fn is_better(a: (u32, &Fitness), b: (u32, &Fitness)) -> bool {
    let matched = |(entry, fitness): (u32, &Fitness)| {
        if fitness.is_crash() { entry.saturating_sub(fitness.unmatched) } else { 0 }
    };
    match matched(a).cmp(&matched(b)) {
        std::cmp::Ordering::Equal if matched(a) == 0 => (a.1, std::cmp::Reverse(a.0)) < (b.1, std::cmp::Reverse(b.0)),
        std::cmp::Ordering::Equal => {
            // How near a wrong message is guides the search; a test is judged by what is wrong with it.
            let rest = |fitness: &Fitness| (fitness.message.floor(), fitness.demerits, fitness.message, fitness.size);
            rest(a.1) < rest(b.1)
        }
        order => order.is_gt(),
    }
}

impl Island {
    fn for_frame(entry: u32, frame: &GoalFrame) -> Island {
        let methods: Vec<_> = frame.methods.iter().map(|bound| bound.method).collect();
        let class = methods.first().map_or(ClassName::object(), |method| method.class);
        let in_package = Vantage::in_package_of(class);
        Island::new(entry, methods, vec![Vantage::public(), in_package, in_package.with_reflection()])
    }

    /// Where a new test is. Outside the program's packages if the frame can be reached from there; now and then elsewhere.
    fn vantage(&self, catalogue: &Catalogue, rng: &mut Rng) -> Vantage {
        const ELSEWHERE: f64 = 0.15;
        let last = self.vantages.len() - 1;
        if self.barren > 0 {
            return self.vantages[self.barren as usize % (last + 1)];
        }
        let nearest = (0..last).find(|index| self.core(catalogue, self.vantages[*index]).is_some()).unwrap_or(last);
        let further = if rng.chance(ELSEWHERE) { 1 + rng.small(last) } else { 0 };
        self.vantages[(nearest + further).min(last)]
    }

    /// The ways into the frame from there.
    pub(crate) fn core(&self, catalogue: &Catalogue, from: Vantage) -> Option<&Core> {
        let index = self.vantages.iter().position(|vantage| *vantage == from)?;
        let find = || {
            let entries: Vec<_> =
                self.methods.iter().flat_map(|method| catalogue.entries(*method, from).to_vec()).collect();
            (!entries.is_empty()).then_some(Core { entries, from })
        };
        self.cores[index].get_or_init(find).as_ref()
    }
}
