//! The engine as the others see it.

use crate::goals::{self, Kind};
use crate::recorded::Results;
use crate::search::Search;
use backward::{BRIEF_PASSES, EntryCondition, PASSES, ThrowGoal, Toolbox};
use engine::{
    Allowance, Engine, EngineName, Fact, Factory, Find, NewFact, Outlook, Proposal, Proposed, Refutation, Registration,
    Round, Setup, Standing,
};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use symbolic::World;

const NAME: EngineName = "replay";

pub const REGISTRATION: Registration = Registration {
    name: NAME,
    about: "executes the program symbolically along the calls of the trace, or along what was recorded (BugRedux)",
    configure: |settings| {
        let kind = match settings {
            "" => None,
            other => Some(kind(other)?),
        };
        Ok(Arc::new(Configured { kind, is_among_all: false }))
    },
};

fn kind(settings: &str) -> Result<Kind, String> {
    let wanted = settings.strip_prefix("goals=").and_then(|name| Kind::ALL.iter().find(|(known, _)| *known == name));
    wanted.map(|(_, kind)| *kind).ok_or_else(|| {
        let names: Vec<String> = Kind::ALL.iter().map(|(name, _)| format!("`goals={name}`")).collect();
        format!("`replay` takes {}, not `{settings}`", names.join(", "))
    })
}

#[derive(Debug)]
struct Configured {
    /// What goals are taken from; none for the best there is.
    kind: Option<Kind>,
    /// The user asked for all engines.
    is_among_all: bool,
}

impl Factory for Configured {
    fn name(&self) -> EngineName {
        NAME
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn lacks(&self) -> Option<String> {
        backward::lacks_solver()
    }

    fn make(&self, setup: &Setup) -> Box<dyn Engine> {
        let is_idle = self.is_among_all && setup.waypoints.is_empty();
        Box::new(Replay::new(setup, self.kind, is_idle))
    }

    /// From the trace alone it finds what `backward` finds, and later: it takes part where something was recorded.
    fn among_all(&self) -> Option<Arc<dyn Factory>> {
        Some(Arc::new(Configured { kind: self.kind, is_among_all: true }))
    }
}

/// Searches that are not over get more each time, in steps.
const SLICES: [u64; 5] = [4_000, 16_000, 64_000, 250_000, 1_000_000];

struct Replay {
    setup: Setup,
    kind: Kind,
    /// The user asked for no kind in particular.
    has_choice: bool,
    world: World,
    tools: Toolbox,
    sites: Vec<ThrowGoal>,
    is_started: bool,
    /// Of each entry, the outermost first.
    searches: Vec<Search>,
    /// What is to be done next: searches by number, with the steps that they may take.
    tasks: VecDeque<(usize, u64)>,
    /// Slices that were handed out.
    slices: usize,
    /// What is to be made into calls, and in which pass.
    agenda: Vec<(usize, EntryCondition)>,
    proposed: BTreeSet<u64>,
    facts: Vec<NewFact>,
    candidates: VecDeque<Proposed>,
    tickets: u64,
    steps: u64,
    is_idle: bool,
}

impl Replay {
    fn new(setup: &Setup, kind: Option<Kind>, is_idle: bool) -> Replay {
        let best = if setup.waypoints.is_empty() { Kind::Stack } else { Kind::Trace };
        Replay {
            setup: setup.clone(),
            kind: kind.unwrap_or(best),
            has_choice: kind.is_none(),
            world: World::new(setup.catalogue.methods().clone()),
            tools: Toolbox::new(setup.is_counted),
            sites: Vec::new(),
            is_started: false,
            searches: Vec::new(),
            tasks: VecDeque::new(),
            slices: 0,
            agenda: Vec::new(),
            proposed: BTreeSet::new(),
            facts: Vec::new(),
            candidates: VecDeque::new(),
            tickets: 0,
            steps: 0,
            is_idle,
        }
    }

    fn start(&mut self) {
        self.is_started = true;
        self.sites = self.tools.throw_goals(&self.world, &self.setup.target);
        if self.sites.is_empty() {
            return;
        }
        let (target, most) = (&self.setup.target, self.setup.goal.frames.len());
        let waypoints = &self.setup.waypoints;
        let results = Rc::new(Results::of(waypoints));
        let of = |kind| goals::plans(kind, target, most, waypoints, &self.world.methods);
        let search = |plan, results: &Rc<Results>| Search::new(plan, results.clone(), &self.sites);
        let mut searches: Vec<Search> = of(self.kind).into_iter().map(|plan| search(plan, &results)).collect();
        if self.has_choice && !waypoints.is_empty() {
            // What was recorded may be more than can be followed, and of what happened often only the last was kept.
            searches.extend(of(Kind::Stack).into_iter().map(|plan| search(plan, &Rc::default())));
        }
        self.searches = searches;
    }

    /// What the engine has done so far.
    fn spent(&self) -> u64 {
        self.steps + self.tools.cost()
    }

    fn is_done(&self) -> bool {
        let is_over = self.is_started && self.agenda.is_empty() && self.tasks.is_empty() && !self.has_more();
        self.is_idle || self.tools.is_exhausted() || is_over
    }

    fn has_more(&self) -> bool {
        self.slices < SLICES.len() && self.searches.iter().any(is_open)
    }

    /// One piece of work: searches first, then calls for what they found.
    fn work(&mut self) {
        if !self.is_started {
            return self.start();
        }
        if let Some((number, most)) = self.tasks.pop_front() {
            return self.search(number, most);
        }
        // What takes long waits until the other frames were looked at for longer.
        let is_brief = self.agenda.first().is_some_and(|(pass, _)| *pass < BRIEF_PASSES);
        if is_brief || !self.agenda.is_empty() && !self.has_more() {
            return self.compose();
        }
        let most = SLICES[self.slices];
        self.slices += 1;
        let open = (0..self.searches.len()).filter(|number| is_open(&self.searches[*number]));
        self.tasks.extend(open.map(|number| (number, most)));
    }

    fn search(&mut self, number: usize, most: u64) {
        let search = &mut self.searches[number];
        let (steps, found) = search.advance(&self.world, &mut self.tools, &self.sites, most);
        self.steps += steps;
        self.facts.extend(found.iter().filter_map(|one| one.fact(&self.world)));
        for condition in found {
            self.agenda.extend((0..PASSES).map(|pass| (pass, condition.clone())));
        }
        // What takes little first; of that, conditions that say all there is to say, and outer frames. The sort keeps the order otherwise.
        self.agenda.sort_by_key(|(pass, condition)| (*pass, condition.is_loose(), u32::MAX - condition.frame()));
    }

    fn compose(&mut self) {
        let (pass, condition) = self.agenda.remove(0);
        for recipe in self.tools.recipes(&self.world, &self.setup.catalogue, &condition, pass) {
            if self.proposed.insert(recipe.fingerprint()) {
                self.tickets += 1;
                self.candidates.push_back(Proposed::new(recipe, condition.frame(), self.tickets));
            }
        }
    }
}

fn is_open(search: &Search) -> bool {
    !search.is_over() && !search.has_found()
}

impl Engine for Replay {
    fn name(&self) -> EngineName {
        NAME
    }

    fn propose(&mut self, allowance: &Allowance) -> Proposal {
        let before = self.spent();
        self.tools.obey(allowance.stop.clone(), allowance.deadline);
        while !self.is_done() && self.candidates.is_empty() && !allowance.is_spent(self.spent() - before) {
            let only_calls_are_left = self.is_started && self.tasks.is_empty() && !self.agenda.is_empty();
            if only_calls_are_left && allowance.candidates == 0 {
                break;
            }
            self.work();
        }
        let many = allowance.candidates.min(self.candidates.len());
        // Nothing more is to come once everything has been handed over.
        let outlook = match self.is_done() && many == 0 {
            true if self.tickets == 0 => Outlook::Barren,
            true => Outlook::Done,
            false => Outlook::Open,
        };
        let candidates = self.candidates.drain(..many).collect();
        let standing = Standing { outlook, ..Standing::default() };
        Proposal { candidates, facts: std::mem::take(&mut self.facts), standing, ..Proposal::default() }
    }

    fn learn(&mut self, _: &Round) {}

    fn inform(&mut self, _: &[Arc<Fact>]) {}

    fn refute(&mut self, _: &Find, _: Refutation) {}
}
