//! All engines of a run: asked for candidates, told what these did, given each other's facts.

use crate::seat::{Mail, Maker, Request, Seat};
use crate::{
    Allowance, Blackboard, Candidate, CandidateId, EngineName, EntryConditions, Fact, Factory, Find, Goal, Observing,
    Outlook, Refutation, Round, Setup, Standing,
};
use recipe::{Limits, Observation, ProbePlan, Recipe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Everybody answers in every round, after so many steps at most: runs repeat.
    Counted { steps: u64 },
    /// Whoever is ready takes part.
    Timed,
}

pub struct Crew {
    seats: Vec<Seat>,
    mail: Receiver<Mail>,
    pace: Pace,
    /// Tells engines that are still thinking to end.
    stop: Arc<AtomicBool>,
    /// Set from outside.
    interrupted: Arc<AtomicBool>,
    blackboard: Blackboard,
    /// Facts that came since the last round.
    fresh: Vec<Arc<Fact>>,
    /// Conditions of frames that are measured.
    entries: EntryConditions,
    /// How each engine wants its candidates to be observed.
    observing: Vec<Observing>,
    /// Has the catalogue look at far archives.
    widen: Box<dyn Fn() + Send>,
    /// Somebody has asked for that.
    is_to_widen: bool,
    next: u64,
}

impl std::fmt::Debug for Crew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<EngineName> = self.seats.iter().map(|seat| seat.name).collect();
        f.debug_struct("Crew").field("engines", &names).field("pace", &self.pace).finish_non_exhaustive()
    }
}

/// How often whoever waits looks whether he still should.
const GLANCE: Duration = Duration::from_millis(50);
/// How long an engine that thinks about its next proposal is waited for when something else is asked of it.
const PATIENCE: Duration = Duration::from_millis(250);
/// Rounds that an engine may be behind before it misses some.
const MOST_BEHIND: u32 = 20;

impl Crew {
    /// The order of the engines is the order in which their candidates are run. Once it is interrupted, nobody is waited for.
    pub fn new(
        engines: &[Arc<dyn Factory>],
        setup: &Arc<Setup>,
        pace: Pace,
        interrupted: Arc<AtomicBool>,
    ) -> std::io::Result<Crew> {
        let is_alone = engines.len() == 1;
        let makers = engines.iter().map(|factory| {
            let (made, setup) = (factory.clone(), setup.clone());
            let make = move || {
                if made.gives_way() && !is_alone {
                    give_way();
                }
                made.make(&setup)
            };
            (factory.name(), Box::new(make) as Maker)
        });
        let catalogue = setup.catalogue.clone();
        let mut crew = Crew::of(makers.collect(), pace, interrupted)?;
        crew.widen = Box::new(move || catalogue.widen());
        for (seat, factory) in crew.seats.iter_mut().zip(engines) {
            seat.makes_natural = factory.makes_natural();
        }
        Ok(crew)
    }

    fn of(makers: Vec<(EngineName, Maker)>, pace: Pace, interrupted: Arc<AtomicBool>) -> std::io::Result<Crew> {
        let (letters, mail) = channel();
        let numbered = makers.into_iter().enumerate();
        let seats = numbered.map(|(number, (name, make))| Seat::new(number, name, make, letters.clone()));
        let seats = seats.collect::<std::io::Result<Vec<Seat>>>()?;
        Ok(Crew {
            observing: vec![Observing::default(); seats.len()],
            seats,
            mail,
            pace,
            stop: Arc::default(),
            interrupted,
            blackboard: Blackboard::default(),
            fresh: Vec::new(),
            entries: EntryConditions::default(),
            widen: Box::new(|| ()),
            is_to_widen: false,
            next: 0,
        })
    }

    /// Asks everybody who is not thinking already for candidates of the next round, and tells them what was found out.
    pub fn ask(&mut self, candidates: usize, deadline: Option<Instant>) {
        if std::mem::take(&mut self.is_to_widen) {
            self.settle();
            (self.widen)();
        }
        let fresh = std::mem::take(&mut self.fresh);
        let facts: Vec<Arc<Fact>> = fresh.into_iter().filter(|fact| self.blackboard.stands(fact.id)).collect();
        let steps = match self.pace {
            Pace::Counted { steps } => Some(steps),
            Pace::Timed => None,
        };
        for seat in &mut self.seats {
            let of_others: Vec<Arc<Fact>> = facts.iter().filter(|fact| fact.source != seat.name).cloned().collect();
            if !of_others.is_empty() {
                seat.tell(Request::Inform(of_others.into()));
            }
            seat.ask(Allowance { candidates, steps, deadline, stop: self.stop.clone() });
        }
    }

    /// Waits until nobody is doing anything, where runs are to repeat. Where time is the measure, whoever thinks is not waited for:
    /// what it does may then see the old or the new.
    fn settle(&mut self) {
        if self.pace == Pace::Timed {
            return;
        }
        for seat in &mut self.seats {
            seat.is_settled = false;
            seat.tell(Request::Settle);
        }
        while self.working().any(|seat| !seat.is_settled) && self.wait(None) {}
    }

    /// The candidates of the round, `most` of them at the most. Where time is the measure, only the first to have some is waited for;
    /// empty if the deadline comes before that, or nobody has anything to try.
    pub fn collect(&mut self, most: usize, deadline: Option<Instant>) -> Vec<Arc<Candidate>> {
        let mut round = Vec::new();
        loop {
            self.receive_all();
            let is_anybody_thinking = self.seats.iter().any(|seat| seat.is_asked);
            if !is_anybody_thinking || self.pace == Pace::Timed {
                (0..self.seats.len()).for_each(|number| self.take(number, most, &mut round));
            }
            if !round.is_empty() || !is_anybody_thinking || !self.wait(deadline) {
                return round;
            }
        }
    }

    /// Takes in what has arrived.
    fn receive_all(&mut self) {
        while let Ok((number, answer)) = self.mail.try_recv() {
            self.seats[number].receive(answer);
        }
    }

    /// Until something arrives; false if the time is up before that.
    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.next_mail(deadline).map(|(number, answer)| self.seats[number].receive(answer)).is_some()
    }

    /// Where budgets are counted, no clock has a say.
    fn next_mail(&self, deadline: Option<Instant>) -> Option<Mail> {
        let deadline = deadline.filter(|_| self.pace == Pace::Timed);
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match self.mail.recv_timeout(left.map_or(GLANCE, |left| left.min(GLANCE))) {
                Ok(mail) => return Some(mail),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    let is_late = left.is_some_and(|left| left <= GLANCE);
                    if is_late || self.interrupted.load(Ordering::Relaxed) {
                        return None;
                    }
                }
            }
        }
    }

    fn take(&mut self, number: usize, most: usize, round: &mut Vec<Arc<Candidate>>) {
        let seat = &mut self.seats[number];
        let Some(proposal) = seat.proposal.take() else { return };
        seat.standing = proposal.standing;
        self.observing[number] = proposal.observing;
        self.is_to_widen |= proposal.widens;
        let engine = seat.name;
        let usable = proposal.candidates.into_iter().filter(|proposed| proposed.entry > 0);
        for proposed in usable.take(most.saturating_sub(round.len())) {
            round.push(Arc::new(Candidate { id: CandidateId(self.next), engine, proposed }));
            self.next += 1;
        }
        let blackboard = &mut self.blackboard;
        let new: Vec<Arc<Fact>> = proposal.facts.into_iter().filter_map(|fact| blackboard.add(engine, fact)).collect();
        new.iter().for_each(|fact| self.entries.add(fact));
        self.fresh.extend(new);
    }

    /// Everybody learns from everybody's candidates. Whoever has been thinking for many rounds misses those that come until it has
    /// answered, where time is the measure: they would fill the memory.
    pub fn learn(&mut self, round: &Arc<Round>) {
        for seat in &mut self.seats {
            seat.behind += 1;
            if seat.behind <= MOST_BEHIND || self.pace != Pace::Timed {
                seat.tell(Request::Learn(round.clone()));
            }
        }
    }

    /// Facts that what was seen contradicts are withdrawn, and given here.
    pub fn check_facts(&mut self, goal: &Goal, observations: &[Observation]) -> Vec<Arc<Fact>> {
        self.blackboard.check(goal, observations)
    }

    /// The facts that stand.
    pub fn facts(&self) -> impl Iterator<Item = &Arc<Fact>> {
        self.blackboard.standing()
    }

    pub fn refute(&mut self, find: &Find, refutation: Refutation) {
        let find = Arc::new(find.clone());
        self.seats.iter_mut().for_each(|seat| seat.tell(Request::Refute(find.clone(), refutation)));
    }

    /// What those engines together come up with that can do it, in their order. Where time is the measure, whoever is thinking is not
    /// waited for.
    pub fn more_natural(
        &mut self,
        candidate: &Arc<Candidate>,
        recipe: &Recipe,
        count: usize,
        deadline: Option<Instant>,
    ) -> Vec<Recipe> {
        self.receive_all();
        let recipe = Arc::new(recipe.clone());
        let mut found = Vec::new();
        let able: Vec<usize> = (0..self.seats.len()).filter(|number| self.seats[*number].makes_natural).collect();
        for number in able {
            found.extend(self.ask_for_natural(number, candidate, &recipe, count, deadline));
        }
        found.truncate(count);
        found
    }

    fn ask_for_natural(
        &mut self,
        number: usize,
        candidate: &Arc<Candidate>,
        recipe: &Arc<Recipe>,
        count: usize,
        deadline: Option<Instant>,
    ) -> Vec<Recipe> {
        // Whoever is about to answer is waited for.
        let patience = Instant::now() + PATIENCE;
        let until = deadline.map_or(patience, |deadline| deadline.min(patience));
        while self.pace == Pace::Timed && self.seats[number].is_asked && self.wait(Some(until)) {}
        let seat = &mut self.seats[number];
        if seat.left_out.is_some() || (!seat.is_free() && self.pace == Pace::Timed) {
            return Vec::new();
        }
        seat.tell(Request::MoreNatural { candidate: candidate.clone(), recipe: recipe.clone(), count });
        while let Some((sender, answer)) = self.next_mail(deadline) {
            let natural = self.seats[sender].receive(answer);
            if let Some(recipes) = natural.filter(|_| sender == number) {
                return recipes;
            }
        }
        Vec::new()
    }

    /// What to observe, and within which limits, so that everybody's candidates can show what their engines want to see.
    pub fn plan(&self, goal: &Goal) -> ProbePlan {
        let mut plan = goal.probe_plan();
        plan.conditions.extend(self.entries.anchored());
        let wanted = self.observing.iter().filter_map(|observing| observing.limits.clone());
        let limits = wanted.reduce(|a, b| widest(&a, &b)).unwrap_or(plan.limits);
        ProbePlan {
            limits,
            last_statement_only: !self.observing.iter().any(|observing| observing.all_statements),
            ..plan
        }
    }

    /// The conditions of frames that [`Crew::plan`] has measured.
    pub fn entries(&self) -> &EntryConditions {
        &self.entries
    }

    /// Whether this engine wants to be told of what all statements do, not only of the last one.
    pub fn counts_all_statements(&self, engine: EngineName) -> bool {
        let own = self.seats.iter().zip(&self.observing).find(|(seat, _)| seat.name == engine);
        own.is_some_and(|(_, observing)| observing.all_statements)
    }

    /// Whether anybody may still find something better.
    pub fn is_open(&self) -> bool {
        self.working().any(|seat| seat.standing.outlook == Outlook::Open)
    }

    /// Nobody can make a candidate at all.
    pub fn is_barren(&self) -> bool {
        self.working().all(|seat| seat.standing.outlook == Outlook::Barren)
    }

    /// What each engine says of itself.
    pub fn standings(&self) -> impl Iterator<Item = (EngineName, &Standing)> {
        self.working().map(|seat| (seat.name, &seat.standing))
    }

    /// The engines that are no longer asked, and why.
    pub fn left_out(&self) -> impl Iterator<Item = (EngineName, &str)> {
        self.seats.iter().filter_map(|seat| Some((seat.name, seat.left_out.as_deref()?)))
    }

    fn working(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|seat| seat.left_out.is_none())
    }
}

/// The calling thread, and the solvers that it starts, get a third of what others get where there are not processors enough.
fn give_way() {
    const NICE: i32 = 5;
    // Where that is not allowed, it goes on as it is.
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
}

fn widest(a: &Limits, b: &Limits) -> Limits {
    Limits {
        steps: a.steps.max(b.steps),
        time: a.time.max(b.time),
        array_length: a.array_length.max(b.array_length),
        stack: a.stack.max(b.stack),
    }
}

/// Whoever is still thinking is told that nobody waits any more.
impl Drop for Crew {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
