//! One candidate at a time: which island, from which parents, by which operator.

use crate::comparands::Comparands;
use crate::growth::{self, Beginning};
use crate::island::{Individual, Island};
use crate::operators::{Core, Tools};
use crate::search::{Evolve, Origin};
use engine::{CandidateId, GoalFrame};
use maker::{Choose, Rng};
use objects::{AccessContext, Catalogue};
use program::ClassName;
use recipe::Recipe;

/// What the next candidate is made from.
struct Ancestry<'a> {
    parent: Option<&'a Individual>,
    beginning: Option<Beginning<'a>>,
    from: AccessContext,
}

impl Evolve {
    /// Half of the effort goes to the outermost frame, the rest to the others that are not solved yet; little to those whose
    /// candidates cost too much.
    pub(crate) fn choose_island(&mut self) -> Option<usize> {
        // What another thread is to crash with is first found on this one.
        let is_crash = |island: &Island| island.best().is_some_and(|best| best.fitness.is_crash());
        let mut others = self.islands.iter().filter(|island| !island.captures);
        let may_capture = self.islands.iter().any(is_crash) || others.all(Island::is_barren);
        let is_open = |island: &Island| !island.is_barren() && !island.is_solved() && (may_capture || !island.captures);
        let mut open: Vec<usize> = (0..self.islands.len()).filter(|index| is_open(&self.islands[*index])).collect();
        if open.iter().any(|index| !self.islands[*index].is_dear()) && !self.rng.chance(self.rng.policy().rounds.dear) {
            open.retain(|index| !self.islands[*index].is_dear());
        }
        let outermost = *open.last()?;
        if open.len() == 1 || self.rng.bool() { Some(outermost) } else { self.rng.one(&open).copied() }
    }

    pub(crate) fn make(&mut self, index: usize) -> Option<(Recipe, Origin)> {
        // Everything but the islands is changed while a parent on one of them is looked at.
        let islands = std::mem::take(&mut self.islands);
        let made = self.make_on(&islands, index);
        self.islands = islands;
        made
    }

    fn make_on(&mut self, islands: &[Island], index: usize) -> Option<(Recipe, Origin)> {
        let island = &islands[index];
        let Ancestry { parent, beginning, from } = self.ancestry(islands, index)?;
        let core = island.core(&self.catalogue, from)?;
        let blocked_at = parent.and_then(|parent| parent.blocked_at).filter(|_| self.config.extras.comparands);
        let comparands = blocked_at.map(|branch| self.comparands.at(branch, self.catalogue.methods()));
        let depths = &self.rng.policy().rounds.nesting;
        let nesting = if self.goal.is_stack_overflow { depths[self.rng.usize(..depths.len())] } else { 0 };
        let (is_shown, config) = (self.is_shown, self.config.clone());
        let mut tools = self.tools(island, nesting, comparands.as_deref());
        let origin = |parents: Vec<CandidateId>| Origin::new(index, from, parents);
        // Outermost is the frame that the program itself enters.
        let is_outermost = islands[index + 1..].iter().all(|outer| outer.captures);
        let rehearses = if is_outermost { tools.rehearses(core) } else { 0.0 };
        if tools.rng.chance(rehearses)
            && let Some((recipe, rehearsal)) = tools.rehearse(core, &island.stage)
        {
            return Some((recipe, Origin { rehearsal: Some(Box::new(rehearsal)), ..origin(Vec::new()) }));
        }
        let donor: Vec<CandidateId> = beginning.iter().map(|beginning| beginning.of).collect();
        let grown = beginning.and_then(|beginning| tools.grown(&beginning.recipe, beginning.core, core));
        let Some(parent) = parent else {
            return match grown {
                Some(grown) => Some((grown, origin(donor))),
                None => Some((tools.random(core, config.max_size)?, origin(Vec::new()))),
            };
        };
        // The crash is there: what is left to gain is a test that could be a user's.
        let fitness = &parent.fitness;
        let is_unnatural = is_shown && fitness.is_crash() && fitness.unmatched == 0 && fitness.demerits > 0;
        if config.extras.mutations
            && is_unnatural
            && tools.rng.bool()
            && let Some(recipe) = tools.made_natural(&parent.recipe, core)
        {
            return Some((recipe, origin(vec![parent.id])));
        }
        // When threads meet is up to nobody: no two runs would be alike.
        let may_race = config.extras.races && config.minds_time;
        if may_race && island.is_at_the_line() && tools.rng.chance(tools.rng.policy().rounds.races) {
            return Some((tools.race(&parent.recipe, core)?, origin(vec![parent.id])));
        }
        let mate = if tools.rng.chance(config.crossover_probability) { Some(island.parent(tools.rng)?) } else { None };
        let crossed = mate.and_then(|mate| tools.crossed(&parent.recipe, &mate.recipe, core));
        let (recipe, changes) = tools.mutated(crossed.as_ref().unwrap_or(&parent.recipe), core)?;
        // What two parents gave cannot be told from what the changes did.
        let is_judged = config.extras.adaptive && crossed.is_none();
        let descent = is_judged.then(|| (changes, parent.fitness.clone()));
        let mate = mate.filter(|_| crossed.is_some());
        let parents = std::iter::once(parent).chain(mate).map(|one| one.id).collect();
        Some((recipe, Origin { descent, ..origin(parents) }))
    }

    /// Who the parents are, and where the test is.
    fn ancestry<'a>(&mut self, islands: &'a [Island], index: usize) -> Option<Ancestry<'a>> {
        let island = &islands[index];
        let is_filled = island.population.len() >= self.config.population;
        let donor = growth::donor(&islands[..index], island, is_filled, &mut self.rng);
        let rounds = &self.rng.policy().rounds;
        let anew = if self.told.is_empty() { rounds.fresh } else { rounds.fresh_with_log };
        let fresh = donor.is_some() || !is_filled || self.rng.chance(anew);
        let parent = if fresh { None } else { Some(island.parent_or_novelty(self.config.extras, &mut self.rng)?) };
        let beginning = donor.and_then(|donor| donor.seen_from(island, &self.catalogue));
        let from = match (&beginning, parent) {
            (Some(beginning), _) => beginning.from,
            (None, Some(parent)) => parent.from,
            (None, None) => island.place(&self.catalogue, &mut self.rng),
        };
        Some(Ancestry { parent, beginning, from })
    }

    pub(crate) fn made_natural(&mut self, recipe: &Recipe, island: usize, from: AccessContext) -> Option<Recipe> {
        let islands = std::mem::take(&mut self.islands);
        let core = islands[island].core(&self.catalogue, from);
        let made = core.and_then(|core| self.tools(&islands[island], 0, None).made_natural(recipe, core));
        self.islands = islands;
        made
    }

    fn tools<'a>(&'a mut self, island: &'a Island, nesting: u32, comparands: Option<&'a Comparands>) -> Tools<'a> {
        Tools {
            catalogue: &self.catalogue,
            pool: &self.pool,
            statistics: &self.statistics,
            classes: &self.classes,
            extras: self.config.extras,
            nesting,
            comparands,
            told: &self.told,
            operator_statistics: &island.operator_statistics,
            rng: &mut self.rng,
        }
    }
}

impl Island {
    pub(crate) fn for_frame(entry: u32, frame: &GoalFrame) -> Island {
        let methods: Vec<_> = frame.methods.iter().map(|bound| bound.method).collect();
        let class = methods.first().map_or(ClassName::object(), |method| method.class);
        let in_package = AccessContext::in_package_of(class);
        Island::new(entry, methods, vec![AccessContext::public(), in_package, in_package.with_reflection()])
    }

    /// Where a new test is. Outside the program's packages if the frame can be reached from there; now and then elsewhere.
    fn place(&self, catalogue: &Catalogue, rng: &mut Rng) -> AccessContext {
        let last = self.places.len() - 1;
        if self.barren > 0 {
            return self.places[self.barren as usize % (last + 1)];
        }
        let nearest = (0..last).find(|index| self.core(catalogue, self.places[*index]).is_some()).unwrap_or(last);
        let further = if rng.chance(rng.policy().rounds.elsewhere) { 1 + rng.small(last) } else { 0 };
        self.places[(nearest + further).min(last)]
    }

    /// The ways into the frame from there.
    pub(crate) fn core(&self, catalogue: &Catalogue, from: AccessContext) -> Option<&Core> {
        let index = self.places.iter().position(|place| *place == from)?;
        let find = || {
            let entries: Vec<_> =
                self.methods.iter().flat_map(|method| catalogue.entries(*method, from).to_vec()).collect();
            (!entries.is_empty()).then_some(Core { entries, from })
        };
        self.cores[index].get_or_init(find).as_ref()
    }
}
