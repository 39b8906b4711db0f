//! All engines of a run: asked for candidates, told what these did, given each other's facts.

use crate::seat::{GLANCE, Request, Seat};
use crate::{
    Allowance, Blackboard, Candidate, CandidateId, Engine, EngineName, Fact, Outlook, Proposal, Refutation, Round,
    Standing,
};
use recipe::{Limits, Recipe};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
    seats: Vec<Seated>,
    pace: Pace,
    stop: Arc<AtomicBool>,
    pub blackboard: Blackboard,
    /// Facts that came since the last round.
    fresh: Vec<Arc<Fact>>,
    next: u64,
}

/// An engine with what it said last.
struct Seated {
    seat: Seat,
    standing: Standing,
    limits: Option<Limits>,
}

impl std::fmt::Debug for Crew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<EngineName> = self.seats.iter().map(|seated| seated.seat.name).collect();
        f.debug_struct("Crew").field("engines", &names).field("pace", &self.pace).finish_non_exhaustive()
    }
}

/// How often is looked whether anybody is ready, while nobody is.
const PATIENCE: Duration = Duration::from_millis(2);
/// How long a round that is not full waits for the others, once somebody is ready: about as long as running it takes.
const GRACE: Duration = Duration::from_millis(10);

impl Crew {
    /// The order of the engines is the order in which their candidates are run.
    pub fn new(engines: Vec<Box<dyn Engine>>, pace: Pace) -> std::io::Result<Crew> {
        let seat = |engine| Ok(Seated { seat: Seat::new(engine)?, standing: Standing::default(), limits: None });
        Ok(Crew {
            seats: engines.into_iter().map(seat).collect::<std::io::Result<_>>()?,
            pace,
            stop: Arc::default(),
            blackboard: Blackboard::default(),
            fresh: Vec::new(),
            next: 0,
        })
    }

    /// Asks everybody who is not thinking already for candidates of the next round.
    pub fn ask(&mut self, candidates: usize, deadline: Option<Instant>) {
        let facts: Arc<[Arc<Fact>]> = std::mem::take(&mut self.fresh).into();
        let steps = match self.pace {
            Pace::Counted { steps } => Some(steps),
            Pace::Timed => None,
        };
        for seated in &mut self.seats {
            if !facts.is_empty() {
                seated.seat.tell(Request::Inform(facts.clone()));
            }
            seated.seat.ask(Allowance { candidates, steps, deadline, stop: self.stop.clone() });
        }
    }

    /// The candidates of the round, `most` of them at the most. Where time is the measure, only the first to have some is waited for;
    /// empty if the deadline comes before that, or nobody has anything to try.
    pub fn collect(&mut self, most: usize, deadline: Option<Instant>) -> Vec<Candidate> {
        let mut round = Vec::new();
        let mut first = None;
        loop {
            for index in 0..self.seats.len() {
                let until = match self.pace {
                    Pace::Counted { .. } => None,
                    Pace::Timed => Some(Instant::now() + GLANCE),
                };
                if let Some(proposal) = self.seats[index].seat.proposal(until) {
                    self.take(index, proposal, most, &mut round);
                }
            }
            let now = Instant::now();
            if first.is_none() && !round.is_empty() {
                first = Some(now);
            }
            let is_late = deadline.is_some_and(|deadline| now >= deadline);
            let is_enough = round.len() >= most || first.is_some_and(|first| now >= first + GRACE);
            let is_anybody_thinking = self.seats.iter().any(|seated| seated.seat.is_asked);
            if is_enough || is_late || !is_anybody_thinking {
                return round;
            }
            std::thread::sleep(PATIENCE);
        }
    }

    fn take(&mut self, index: usize, proposal: Proposal, most: usize, round: &mut Vec<Candidate>) {
        let Proposal { candidates, facts, standing, limits } = proposal;
        let seated = &mut self.seats[index];
        seated.standing = standing;
        seated.limits = limits;
        let engine = seated.seat.name;
        for proposed in candidates.into_iter().take(most - round.len()) {
            round.push(Candidate { id: CandidateId(self.next), engine, proposed });
            self.next += 1;
        }
        let blackboard = &mut self.blackboard;
        self.fresh.extend(facts.into_iter().filter_map(|fact| blackboard.add(engine, fact)));
    }

    /// Everybody learns from everybody's candidates.
    pub fn learn(&mut self, round: Round) -> Arc<Round> {
        let round = Arc::new(round);
        self.seats.iter_mut().for_each(|seated| seated.seat.tell(Request::Learn(round.clone())));
        round
    }

    pub fn refute(&mut self, candidate: &Arc<Candidate>, refutation: Refutation) {
        self.seats.iter_mut().for_each(|seated| seated.seat.tell(Request::Refute(candidate.clone(), refutation)));
    }

    /// What all engines together come up with, in their order.
    pub fn more_natural(
        &mut self,
        candidate: &Arc<Candidate>,
        recipe: &Recipe,
        count: usize,
        deadline: Option<Instant>,
    ) -> Vec<Recipe> {
        let until = match self.pace {
            Pace::Counted { .. } => None,
            Pace::Timed => deadline,
        };
        let mut found = Vec::new();
        for seated in &mut self.seats {
            found.extend(seated.seat.more_natural(candidate, recipe, count, until));
        }
        found.truncate(count);
        found
    }

    /// Limits within which everybody's candidates can run; none if nobody asks for any.
    pub fn limits(&self) -> Option<Limits> {
        self.seats.iter().filter_map(|seated| seated.limits.clone()).reduce(|a, b| Limits {
            steps: a.steps.max(b.steps),
            time: a.time.max(b.time),
            array_length: a.array_length.max(b.array_length),
            stack: a.stack.max(b.stack),
        })
    }

    /// Whether anybody may still find something better.
    pub fn is_open(&self) -> bool {
        self.working().any(|seated| seated.standing.outlook == Outlook::Open)
    }

    /// Nobody can make a candidate at all.
    pub fn is_barren(&self) -> bool {
        self.working().all(|seated| seated.standing.outlook == Outlook::Barren)
    }

    /// What each engine says of itself.
    pub fn standings(&self) -> impl Iterator<Item = (EngineName, &Standing)> {
        self.working().map(|seated| (seated.seat.name, &seated.standing))
    }

    /// The engines that are no longer asked, and why.
    pub fn left_out(&self) -> impl Iterator<Item = (EngineName, &str)> {
        self.seats.iter().filter_map(|seated| Some((seated.seat.name, seated.seat.left_out.as_deref()?)))
    }

    fn working(&self) -> impl Iterator<Item = &Seated> {
        self.seats.iter().filter(|seated| seated.seat.left_out.is_none())
    }
}

/// Whoever is still thinking is told that nobody waits any more.
impl Drop for Crew {
    fn drop(&mut self) {
        self.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
