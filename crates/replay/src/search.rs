//! Which partial run is taken further next: BugRedux's `GenerateInputs` and `SelNextState`.
//!
//! A state is a way through the program with the goal that it is to reach next. Of the states of the current goal, the one with the fewest statements
//! to that goal goes on; when none is left, the goal before is the current one again. Unlike the paper:
//!
//! - A call that does not lead to the goal is run to its end in one step, within bounds. Where these leave ways out, one more is kept on
//!   which the call did what code does that cannot be seen.
//! - The solver is asked at goals, and where two states are equally far; in between, contradictions are looked for without it.
//!   Unknown counts as feasible.
//! - A state that comes to its goal is also kept as one that has not, if it may come there again.
//! - When no state is left at all, the goal that none could reach is dropped and everything begins again: the published tool reduces goals
//!   beforehand, by trying.

use crate::distance::Distances;
use crate::goals::{self, Goal, Place, Plan};
use crate::recorded::{self, Results};
use backward::{EntryCondition, ThrowGoal, Toolbox};
use ir::BlockId;
use program::MethodRef;
use smt::Term;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;
use symbolic::{Bounds, Marks, Spot, State, Stepper, Way, World, entry_facts};

/// How far ways are followed through methods that lead to the goal.
const ON_THE_WAY: Bounds = Bounds { visits: 6, depth: 4, steps: 1_200, paths: 5, failures: false, targets: 2 };
/// States that are kept for one entry.
const MOST_STATES: usize = 6_000;
/// Conditions that are made of one entry.
const MOST_FOUND: usize = 5;
/// Implementations of one call that are gone into.
const MOST_TARGETS: usize = 4;
/// How deep calls are gone into.
const MOST_FRAMES: usize = 60;
/// Assumptions after which the solver is asked whether they can hold together.
const UNCHECKED: usize = 12;

#[derive(Debug)]
struct Partial {
    way: Way,
    /// The number of the goal that is to be reached next.
    goal: usize,
    /// How much of the path is known to be possible.
    checked: usize,
}

/// States in the order in which they go on.
#[derive(Debug, Default)]
struct Queue {
    order: BinaryHeap<Reverse<(u32, usize)>>,
}

/// The search of one entry.
#[derive(Debug)]
pub(crate) struct Search {
    plan: Plan,
    results: Rc<Results>,
    /// The last one is the failure.
    goals: Vec<Goal>,
    distances: Vec<Rc<Distances>>,
    /// Where goals are, but for the last.
    places: BTreeSet<(MethodRef, BlockId, usize)>,
    queues: Vec<Queue>,
    states: Vec<Option<Partial>>,
    current: usize,
    /// The last goal for which there was a state.
    farthest: usize,
    found: Vec<EntryCondition>,
    /// Goals that no state could reach.
    pub(crate) dropped: usize,
    is_started: bool,
    is_over: bool,
}

impl Search {
    pub(crate) fn new(plan: Plan, results: Rc<Results>, sites: &[ThrowGoal]) -> Search {
        let is_local = !plan.is_recorded && plan.goals.iter().all(|goal| goal.is_local);
        // With the failure alone, calls are gone into to get there.
        let is_direct = is_local && (!plan.goals.is_empty() || plan.frame == 1);
        let mut goals = plan.goals.clone();
        goals.push(goals::failure(sites, is_direct));
        Search {
            plan,
            results,
            goals,
            distances: Vec::new(),
            places: BTreeSet::new(),
            queues: Vec::new(),
            states: Vec::new(),
            current: 0,
            farthest: 0,
            found: Vec::new(),
            dropped: 0,
            is_started: false,
            is_over: false,
        }
    }

    /// Whether nothing more is to be found.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) fn has_found(&self) -> bool {
        !self.found.is_empty()
    }

    fn start(&mut self, world: &World) {
        self.measure();
        self.queues = self.goals.iter().map(|_| Queue::default()).collect();
        self.states.clear();
        (self.current, self.farthest) = (0, 0);
        self.is_started = true;
        let mut state = State::identity(0);
        for fact in entry_facts(world, &self.plan.entry.body, &state) {
            state.assume(world, fact);
        }
        self.results.limit_entry(world, &self.plan.entry, &mut state);
        let way = Way::enter(self.plan.entry.clone(), state);
        self.push(world, Partial { way, goal: 0, checked: 0 });
    }

    /// The distances to each goal; goals at the same place share them.
    fn measure(&mut self) {
        let mut known: BTreeMap<_, Rc<Distances>> = BTreeMap::new();
        let distances = |goal: &Goal| {
            let place = |place: &Place| (place.method.reference(), place.block, place.index);
            let key = (goal.is_local, goal.places.iter().map(place).collect::<Vec<_>>());
            known.entry(key).or_insert_with(|| Rc::new(Distances::to(goal))).clone()
        };
        self.distances = self.goals.iter().map(distances).collect();
        let recorded = self.goals.split_last().map_or(&[][..], |(_, before)| before);
        let places = recorded.iter().flat_map(|goal| &goal.places);
        self.places = places.map(|place| (place.method.reference(), place.block, place.index)).collect();
    }

    /// Whether the way is at a goal that is not the next one.
    fn is_out_of_turn(&self, way: &Way, next: usize) -> bool {
        let spot = way.spot();
        let is_known = !self.goals[next].is_after_gap;
        self.plan.is_recorded && is_known && self.places.contains(&(spot.method.reference(), spot.block, spot.index))
    }

    /// Goes on for about so many steps; gives how many it took, and the conditions that were found.
    pub(crate) fn advance(
        &mut self,
        world: &World,
        tools: &mut Toolbox,
        sites: &[ThrowGoal],
        most: u64,
    ) -> (u64, Vec<EntryCondition>) {
        if !self.is_started {
            self.start(world);
        }
        let mut stepper = Stepper::new(world, ON_THE_WAY);
        let (before, known) = (tools.cost(), self.found.len());
        while !self.is_over && stepper.steps + tools.cost() - before < most && !tools.is_stopped() {
            let Some((partial, is_tied)) = self.next() else {
                self.give_up_goal(world);
                continue;
            };
            self.go_on(&mut stepper, tools, sites, partial, is_tied);
            self.is_over |= self.found.len() >= MOST_FOUND;
        }
        (stepper.steps, self.found[known..].to_vec())
    }

    /// The state that goes on, and whether another one is as near (`SelNextState`).
    fn next(&mut self) -> Option<(Partial, bool)> {
        loop {
            let Some(Reverse((distance, at))) = self.queues[self.current].order.pop() else {
                // Back to the goal before.
                self.current = self.current.checked_sub(1)?;
                continue;
            };
            let is_tied = self.queues[self.current].order.peek().is_some_and(|Reverse((other, _))| *other == distance);
            if let Some(partial) = self.states[at].take() {
                return Some((partial, is_tied));
            }
        }
    }

    /// No state is left: without the goal that none of them reached there may be more.
    fn give_up_goal(&mut self, world: &World) {
        if !self.found.is_empty() || self.farthest + 1 >= self.goals.len() || self.states.len() >= MOST_STATES {
            self.is_over = true;
            return;
        }
        self.goals.remove(self.farthest);
        // Nobody says any more by which call the next one is come to.
        self.goals[self.farthest].is_local = false;
        self.dropped += 1;
        self.start(world);
    }

    fn push(&mut self, world: &World, partial: Partial) {
        let Some(distance) = self.distances[partial.goal].of_way(&world.methods, &partial.way) else { return };
        if self.states.len() >= MOST_STATES {
            return;
        }
        self.farthest = self.farthest.max(partial.goal);
        self.queues[partial.goal].order.push(Reverse((distance, self.states.len())));
        self.states.push(Some(partial));
    }

    /// Takes a state further, up to where it splits or comes to a goal.
    fn go_on(
        &mut self,
        stepper: &mut Stepper<'_>,
        tools: &mut Toolbox,
        sites: &[ThrowGoal],
        mut partial: Partial,
        is_tied: bool,
    ) {
        let world = stepper.world();
        if !is_possible(world, tools, &mut partial, is_tied) {
            return;
        }
        loop {
            let goal = partial.goal;
            if self.is_at(&partial.way, goal) {
                return self.reach(stepper, tools, sites, partial);
            }
            if self.is_out_of_turn(&partial.way, goal) {
                return;
            }
            let mut next = self.successors(stepper, partial);
            match next.len() {
                1 => partial = next.remove(0),
                _ => return next.into_iter().for_each(|partial| self.push(world, partial)),
            }
            if self.distances[goal].of_way(&world.methods, &partial.way).is_none() {
                return;
            }
        }
    }

    fn is_at(&self, way: &Way, goal: usize) -> bool {
        self.goals[goal].places.iter().any(|place| place.is_at(way.spot()))
    }

    /// What becomes of a state by one operation.
    fn successors(&self, stepper: &mut Stepper<'_>, partial: Partial) -> Vec<Partial> {
        let Partial { way, goal, checked } = partial;
        let world = stepper.world();
        let mut ways = self.gone_into(stepper, &way, goal);
        let spot = way.spot();
        let is_call = spot.method.body.block(spot.block).instrs.get(spot.index).is_some_and(|i| i.op.call().is_some());
        let behind = Spot { index: spot.index + 1, ..spot };
        // A call that leads there is run to its end only if there is another way behind it.
        let is_needed = || {
            let distances = &self.distances[goal];
            distances.of_spot(&world.methods, behind).is_some() || (!self.goals[goal].is_local && way.spots().len() > 1)
        };
        if ways.is_empty() || !is_call || is_needed() {
            ways.extend(self.stepped(stepper, way));
        }
        ways.into_iter().map(|way| Partial { way, goal, checked }).collect()
    }

    /// One operation further; a call gives what was recorded of it.
    fn stepped(&self, stepper: &mut Stepper<'_>, way: Way) -> Vec<Way> {
        let world = stepper.world();
        let Some(recorded) = self.results.at(way.spot()) else { return stepper.step(way) };
        let spot = way.spot();
        let (method, block, index) = (spot.method.clone(), spot.block, spot.index);
        let depth = way.spots().len();
        if let Some(ty) = recorded::result_type(spot)
            && let Some(value) = recorded::replacement(world, &mut way.state().clone(), ty, recorded)
        {
            return stepper.returning(way, |state| recorded::replacement(world, state, ty, recorded).unwrap_or(value));
        }
        let mut ways = stepper.step(way);
        let call = Spot { method: &method, block, index };
        let is_behind =
            |way: &Way| way.spots().len() == depth && (way.spot().block, way.spot().index) == (block, index + 1);
        for way in ways.iter_mut().filter(|way| is_behind(way)) {
            recorded::limit(world, way, call, recorded);
        }
        ways.retain(|way| !way.state().is_impossible());
        ways
    }

    /// The ways into methods that lead to the goal.
    fn gone_into(&self, stepper: &mut Stepper<'_>, way: &Way, goal: usize) -> Vec<Way> {
        if self.goals[goal].is_local || way.spots().len() >= MOST_FRAMES {
            return Vec::new();
        }
        let methods = &stepper.world().methods;
        let (targets, _) = stepper.targets(way.spot(), 4 * MOST_TARGETS);
        let leads = |method: &MethodRef| {
            let method = methods.get(*method)?;
            let distance = self.distances[goal].of_entry(methods, &method)?;
            Some((distance, method))
        };
        let mut leading: Vec<_> = targets.iter().filter_map(leads).collect();
        leading.sort_by_key(|(distance, _)| *distance);
        leading.into_iter().take(MOST_TARGETS).filter_map(|(_, method)| stepper.into(way.clone(), &method)).collect()
    }

    /// A state is at its goal.
    fn reach(&mut self, stepper: &mut Stepper<'_>, tools: &mut Toolbox, sites: &[ThrowGoal], mut partial: Partial) {
        let world = stepper.world();
        if !is_possible(world, tools, &mut partial, true) {
            return;
        }
        let goal = partial.goal;
        if goal + 1 == self.goals.len() {
            self.fail(world, tools, sites, &partial.way);
        } else {
            for way in self.entered(stepper, &partial.way, goal + 1) {
                self.push(world, Partial { way, goal: goal + 1, checked: partial.checked });
                self.current = goal + 1;
            }
        }
        if self.is_over {
            return;
        }
        // It may come here again, in a loop; a goal that was recorded counts when it is come to first.
        if !self.plan.is_recorded || goal + 1 == self.goals.len() {
            for next in self.stepped(stepper, partial.way) {
                self.push(world, Partial { way: next, goal, checked: partial.checked });
            }
        }
    }

    /// The ways on from a goal to the next: into the call, if that is where the next one is.
    fn entered(&self, stepper: &mut Stepper<'_>, way: &Way, next: usize) -> Vec<Way> {
        let world = stepper.world();
        if !self.goals[next].is_local {
            // The goal itself may lead there.
            let mut ways = self.gone_into(stepper, way, next);
            ways.extend(self.stepped(stepper, way.clone()));
            return ways;
        }
        let mut methods: Vec<_> = self.goals[next].places.iter().map(|place| &place.method).collect();
        methods.dedup_by_key(|method| method.reference());
        let may_run = |method: &&&std::sync::Arc<analysis::Lowered>| may_run(way.spot(), method.reference());
        let ways = methods.iter().filter(may_run).filter_map(|method| stepper.into(way.clone(), method));
        let is_near = |way: &Way| self.distances[next].of_way(&world.methods, way).is_some();
        ways.filter(is_near).collect()
    }

    /// A state is where the exception may be thrown: the condition at the entry under which it is.
    fn fail(&mut self, world: &World, tools: &mut Toolbox, sites: &[ThrowGoal], way: &Way) {
        for site in sites {
            let spot = way.spot();
            let is_here = (site.block, site.index) == (spot.block, spot.index);
            if !is_here || site.method.reference() != spot.method.reference() {
                continue;
            }
            // Conditions of throw sites are over a method by itself.
            let here = State { depth: 0, ..way.state().clone() };
            let mut formula: Vec<Term> = here.compose(world, &site.formula);
            formula.extend(&way.state().path);
            let formula = world.if_nothing_was_rewritten(&formula);
            // Other ways may lead there as well: they are not all looked for.
            let marks = Marks { cut: true, ..way.state().marks.with(site.marks) };
            let found = EntryCondition::new(world, self.plan.frame, &self.plan.entry, formula, marks);
            let is_known = self.found.iter().any(|known| known.formula() == found.formula());
            if !is_known && self.found.len() < MOST_FOUND && !tools.is_refuted(world, found.formula()) {
                self.found.push(found);
            }
        }
    }
}

/// Whether a call there may run the method: what it names has the name and as many parameters.
fn may_run(spot: Spot<'_>, run: MethodRef) -> bool {
    let instr = spot.method.body.block(spot.block).instrs.get(spot.index);
    match instr.and_then(|instr| instr.op.call()) {
        Some((ir::Callee::Method { method: named, .. }, _)) => {
            named.name == run.name && named.signature().params.len() == run.signature().params.len()
        }
        _ => false,
    }
}

/// Whether what the state assumed can hold, as far as it is looked at: with the solver where much is new and something depends on it.
fn is_possible(world: &World, tools: &mut Toolbox, partial: &mut Partial, is_wanted: bool) -> bool {
    let path = &partial.way.state().path;
    let new = path.len() - partial.checked.min(path.len());
    if new == 0 {
        return true;
    }
    if tools.is_plainly_refuted(world, path) {
        return false;
    }
    if is_wanted && new >= UNCHECKED || new >= 3 * UNCHECKED {
        partial.checked = path.len();
        return !tools.is_refuted(world, path);
    }
    true
}
