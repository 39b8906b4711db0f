//! The engine as the others see it.

use crate::agenda::{AT_LENGTH, Agenda, EASY, STEPS};
use crate::compose::{Composed, Composer};
use crate::derive::{Derivation, REACH};
use crate::emit::Fill;
use crate::journal::note;
use crate::lessons::Lessons;
use crate::precondition::Precondition;
use crate::settings::Settings;
use crate::solving::{Solving, lacks_solver};
use crate::summaries::Summaries;
use crate::walk::{Effort, Walker};
use crate::words::Words;
use condition::Condition;
use engine::{
    Allowance, Assessment, Engine, EngineName, Fact, FactKind, Factory, Find, NewFact, Outlook, Proposal, Proposed,
    Refutation, Registration, Round, Setup, Standing,
};
use objects::AccessContext;
use recipe::{End, Observation, Thrown};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use symbolic::World;

const NAME: EngineName = "backward";

pub const REGISTRATION: Registration = Registration {
    name: NAME,
    about: "derives from the bytecode under which condition each frame crashes, and makes the calls for it (STAR)",
    configure: |settings| Ok(Arc::new(Configured(settings.parse()?))),
};

#[derive(Debug)]
struct Configured(Settings);

impl Factory for Configured {
    fn name(&self) -> EngineName {
        NAME
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn lacks(&self) -> Option<String> {
        lacks_solver()
    }

    fn make(&self, setup: &Setup) -> Box<dyn Engine> {
        Box::new(Backward::new(setup, self.0))
    }
}

/// Derives one frame per question, then gives what it can make.
struct Backward {
    setup: Setup,
    settings: Settings,
    world: World,
    solving: Solving,
    effort: Effort,
    derivation: Derivation,
    agenda: Agenda,
    summaries: Summaries,
    lessons: Lessons,
    proposed: BTreeSet<u64>,
    /// Conditions that the others have not been told yet.
    facts: Vec<NewFact>,
    candidates: VecDeque<Proposed>,
    /// Those in which what is not said is one and not zero: for when the others did not do.
    others: VecDeque<Proposed>,
    /// Where candidates came from, by ticket.
    origins: BTreeMap<u64, Origin>,
    steps: u64,
    /// Candidates that did not crash.
    refuted: u64,
    /// Those of them that had to: something that was derived is wrong.
    faults: u64,
}

/// What a candidate was made of.
struct Origin {
    precondition: Rc<Precondition>,
    /// With how much access.
    level: usize,
    /// Whether it has to crash.
    is_exact: bool,
}

/// How long the others wait for an answer, be it an empty one: what was found is confirmed in between.
const PATIENCE: Duration = Duration::from_secs(1);

impl Backward {
    fn new(setup: &Setup, settings: Settings) -> Backward {
        Backward {
            world: World::new(setup.catalogue.methods().clone()),
            solving: Solving::new(setup.is_counted),
            effort: Effort::default(),
            setup: setup.clone(),
            derivation: Derivation::new(setup.target.clone(), setup.goal.frames.len(), settings),
            settings,
            agenda: Agenda::default(),
            summaries: Summaries::default(),
            lessons: Lessons::default(),
            proposed: BTreeSet::new(),
            facts: Vec::new(),
            candidates: VecDeque::new(),
            others: VecDeque::new(),
            origins: BTreeMap::new(),
            steps: 0,
            refuted: 0,
            faults: 0,
        }
    }

    /// What the engine has done so far.
    fn spent(&self) -> u64 {
        self.steps + self.solving.cost()
    }

    fn is_done(&self) -> bool {
        let is_tried = self.agenda.is_empty() && self.others.is_empty();
        self.solving.is_exhausted() || (is_tried && self.derivation.is_done())
    }

    /// The conditions of the next frame.
    fn derive_next(&mut self) {
        let (solving, summaries) = (&mut self.solving, &mut self.summaries);
        let mut walker = Walker::new(&self.world, solving, summaries, &self.lessons, self.settings.switches, REACH);
        let new = self.derivation.step(&mut walker);
        self.steps += walker.effort.steps;
        self.effort.add(walker.effort);
        self.facts.extend(new.iter().filter_map(|one| fact(&self.world, one)));
        for (rank, one) in new.iter().enumerate() {
            let said = || Words { world: &self.world, body: &one.method.body }.of(&one.formula);
            note(|| format!("== frame {} {rank} {:?} all {} {:?}", one.frame, one.marks, said().is_all, said().when));
        }
        let by_frame = new.chunk_by(|one, other| one.frame == other.frame);
        by_frame.for_each(|of_frame| self.agenda.add(of_frame, 0));
        if self.derivation.is_done() {
            // Frames of which nothing could be derived are called as well, last of all: what somebody gives without a thought may crash them too.
            let guesses = self.derivation.guesses(&self.world);
            guesses.iter().for_each(|of_frame| self.agenda.add(of_frame, AT_LENGTH));
        }
    }

    /// Makes candidates of the next condition.
    fn compose_next(&mut self) {
        let Some((turn, mut item)) = self.agenda.next() else {
            self.candidates.extend(self.others.pop_front());
            return;
        };
        let (frame, level) = (item.precondition.frame, item.level);
        let package = AccessContext::in_package_of(item.precondition.method.reference().class);
        let from = [package, package.with_reflection()][level];
        let (world, catalogue) = (&self.world, &self.setup.catalogue);
        let (solving, summaries, known) = (&mut self.solving, &mut self.summaries, &self.proposed);
        let lessons = &self.lessons;
        let mut composer = Composer { world, solving, summaries, lessons, catalogue, known, steps: 0 };
        if item.search.is_none() {
            item.search = composer.begin(&item.precondition, from);
        }
        let composed = item.search.as_mut().map_or_else(Vec::new, |search| composer.go_on(search, STEPS));
        self.steps += composer.steps + 1;
        note(|| {
            format!(
                "-- frame {frame} rank {} level {level} round {}: {} recipes",
                item.rank,
                item.round,
                composed.len()
            )
        });
        let precondition = Rc::new(item.precondition.clone());
        for made in composed {
            let origin = Origin { precondition: precondition.clone(), level, is_exact: made.is_exact };
            self.take(made, origin);
        }
        if item.search.as_ref().is_some_and(|search| !search.is_finished()) {
            self.agenda.put_back(turn, item, self.solving.is_paused());
        }
    }

    fn take(&mut self, Composed { recipe, fill, .. }: Composed, origin: Origin) {
        if !self.proposed.insert(recipe.fingerprint()) {
            return;
        }
        let ticket = self.origins.len() as u64 + 1;
        let frame = origin.precondition.frame;
        self.origins.insert(ticket, origin);
        note(|| format!("ticket {ticket} {fill:?}\n{recipe}"));
        let queue = if fill == Fill::Least { &mut self.candidates } else { &mut self.others };
        queue.push_back(Proposed::new(recipe, frame, ticket));
    }

    /// The next thing to do: something of every frame is tried before the next one is looked at, and what comes easily before anything is
    /// derived at length.
    fn go_on(&mut self, may_compose: bool) {
        let is_idle = |turn: usize| !may_compose || self.agenda.turn().is_none_or(|next| next > turn);
        match (self.derivation.is_quick(), self.derivation.is_done()) {
            (true, _) if is_idle(0) => self.derive_next(),
            (false, false) if is_idle(EASY) => self.derive_next(),
            _ => self.compose_next(),
        }
    }

    /// Whether the recipe may still be of use.
    fn is_wanted(&self, proposed: &Proposed) -> bool {
        self.origins.get(&proposed.ticket).is_none_or(|origin| self.agenda.is_wanted(proposed.entry, origin.level))
    }

    /// A candidate did not crash. Where nothing was let in or skipped that is a fault of what was derived.
    fn count_refuted(&mut self, ticket: u64) {
        self.refuted += 1;
        if self.origins.get(&ticket).is_some_and(|origin| origin.is_exact) {
            self.faults += 1;
            note(|| format!("fault: ticket {ticket} had to crash"));
        }
    }

    /// A candidate threw something else than the crash: what it went through is no longer passed by, and what was derived of that is
    /// derived again.
    fn learn_from(&mut self, ticket: u64, thrown: &Thrown) {
        if !self.settings.switches.lessons {
            return;
        }
        let taught = self.lessons.learn(&self.world, &thrown.stack);
        let Some(origin) = self.origins.get(&ticket).filter(|_| !taught.is_empty()) else { return };
        note(|| format!("ticket {ticket} taught of {taught:?}"));
        self.derivation.again(&taught);
        self.agenda.again(&origin.precondition, origin.level, &taught);
    }
}

/// Below which access a test that enters there may still be better than this one; none if this one is as good as can be.
fn to_improve(assessment: &Assessment) -> Option<usize> {
    match (assessment.message > 0.0, assessment.demerits > 0) {
        (true, _) => Some(usize::MAX),
        (false, true) => Some(1),
        (false, false) => None,
    }
}

/// What a candidate did, in a line.
fn seen(entry: u32, observation: &Observation, assessment: &Assessment) -> String {
    let end = match &observation.end {
        End::Threw { stmt, thrown } => {
            let top = thrown.stack.first().map(|frame| format!("{frame:?}")).unwrap_or_default();
            format!("statement {stmt} threw {} {:?} at {top}", thrown.class, thrown.message)
        }
        other => format!("{other:?}"),
    };
    format!(
        "frame {entry}: {} matched, {} to go, message {}, demerits {}; {end}",
        assessment.matched(),
        assessment.inwards.frames_to_go,
        assessment.message,
        assessment.demerits,
    )
}

/// The condition as the others understand it; none if nothing of it can be said.
pub(crate) fn fact(world: &World, precondition: &Precondition) -> Option<NewFact> {
    let said = Words { world, body: &precondition.method.body }.of(&precondition.formula);
    let method = precondition.method.reference();
    let kind = FactKind::Precondition { frame: precondition.frame, method, when: said.when };
    let is_empty = !said.is_all && matches!(kind, FactKind::Precondition { when: Condition::True, .. });
    let marks = precondition.marks;
    (!is_empty).then_some(NewFact { kind, cut: marks.cut, loose: marks.loose || !said.is_all })
}

impl Engine for Backward {
    fn name(&self) -> EngineName {
        NAME
    }

    fn propose(&mut self, allowance: &Allowance) -> Proposal {
        let before = self.spent();
        self.solving.obey(allowance.stop.clone(), allowance.deadline);
        let pause = (!self.setup.is_counted).then(|| Instant::now() + PATIENCE);
        self.solving.pause_at(pause);
        let may_compose = allowance.candidates > 0;
        while !self.is_done() && self.candidates.is_empty() && !allowance.is_spent(self.spent() - before) {
            if self.derivation.is_done() && !may_compose {
                break;
            }
            self.go_on(may_compose);
            if self.solving.is_paused() {
                break;
            }
        }
        let many = allowance.candidates.min(self.candidates.len());
        // Nothing more is to come once everything has been handed over.
        let outlook = match self.is_done() && many == 0 {
            true if self.origins.is_empty() => Outlook::Barren,
            true => Outlook::Done,
            false => Outlook::Open,
        };
        let candidates = self.candidates.drain(..many).collect();
        let Effort { paths, checks, blocks, .. } = self.effort;
        let seen = [("refuted", self.refuted), ("faults", self.faults)];
        let counts = [("paths", paths), ("checks", checks), ("blocks", blocks)].into_iter().chain(seen).collect();
        let standing = Standing { outlook, explanation: self.derivation.gaps(), counts, ..Standing::default() };
        Proposal { candidates, facts: std::mem::take(&mut self.facts), standing, ..Proposal::default() }
    }

    fn learn(&mut self, round: &Round) {
        for (candidate, observation, assessment) in round.iter() {
            if candidate.engine != NAME {
                continue;
            }
            let ticket = candidate.proposed.ticket;
            note(|| format!("ticket {ticket}: {}", seen(candidate.entry(), observation, assessment)));
            if assessment.is_crash() && !assessment.is_astray() && assessment.unmatched == 0 {
                self.agenda.solve(candidate.entry(), to_improve(assessment));
                continue;
            }
            self.count_refuted(ticket);
            if let End::Threw { thrown, .. } = &observation.end {
                self.learn_from(ticket, thrown);
            }
        }
        let wanted = |queue: VecDeque<Proposed>| queue.into_iter().filter(|one| self.is_wanted(one)).collect();
        let (candidates, others) = (wanted(self.candidates.clone()), wanted(self.others.clone()));
        (self.candidates, self.others) = (candidates, others);
    }

    fn inform(&mut self, _: &[Arc<Fact>]) {}

    fn refute(&mut self, _: &Find, _: Refutation) {}
}
