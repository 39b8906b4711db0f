//! The seam between the orchestrator and the engines: what an engine is asked, what it answers, and what engines tell each
//! other. Nobody here knows an engine by name.
//!
//! An [`Engine`] proposes [`Candidate`]s, learns from what a [`Round`] of them did ([`Assessment`]), is told of refutations and
//! explains where it stands. It is made by its [`Factory`] from a [`Setup`], and found by name in a [`Registry`]. Engines never call each other: they meet on the [`Blackboard`], whose facts reach them between two
//! rounds. The [`Crew`] gives each engine a thread of its own, so that one that thinks for long, or for ever, holds up nobody,
//! and one that panics is left out.
//!
//! Runs repeat where the budget is counted: then every engine is given the same number of steps in every round, the crew waits
//! for all of them, and what they say is taken in the order in which they are registered.

mod assessment;
mod assessor;
mod blackboard;
mod candidate;
mod crew;
mod entries;
mod explain;
mod finds;
mod goal;
pub mod naturalness;
mod seat;
mod setup;
mod thrown;

pub use assessment::{Assessment, FARTHEST_MESSAGE, Nearness, RootDistance};
pub use assessor::{Assessor, IsApplication};
pub use blackboard::{Blackboard, Fact, FactId, FactKind, NewFact};
pub use candidate::{Candidate, CandidateId, Proposed, Round};
pub use crew::{Crew, Pace};
pub use entries::EntryConditions;
pub use explain::{FrameCondition, explain};
pub use finds::{Find, Finds};
pub use goal::{Goal, GoalFrame, GoalMethod, LineDistance, RootCause};
pub use setup::{AUTO, Factory, Recorded, Registration, Registry, Setup, Waypoint};
pub use thrown::compare_with_goal;

use program::CodePoint;
use recipe::{Limits, Recipe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// As the command line and results name it.
pub type EngineName = &'static str;

/// A way to come from a crash to recipes that make it happen.
pub trait Engine {
    fn name(&self) -> EngineName;

    /// Candidates to be run next, the best first, and what was found out on the way. An engine that has nothing says so and is asked
    /// again in the next round; one that needs long looks at the allowance now and then.
    fn propose(&mut self, allowance: &Allowance) -> Proposal;

    /// What the candidates of a round did, those of other engines included.
    fn learn(&mut self, round: &Round);

    /// What others found out since the last round.
    fn inform(&mut self, facts: &[Arc<Fact>]);

    /// The candidate is not to be built upon.
    fn refute(&mut self, find: &Find, refutation: Refutation);

    /// Up to `count` tests like this one, which was made from the candidate, that a user of the program would rather write. Whether
    /// they show the same has to be seen.
    fn more_natural(&mut self, _candidate: &Candidate, _recipe: &Recipe, _count: usize) -> Vec<Recipe> {
        Vec::new()
    }
}

/// Why a candidate is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// Fresh JVMs did not show what the worker had shown, or the fixed build fails in the same way: its like are no better.
    NotConfirmed,
    /// It shows the crash, but another test that is as good is known already.
    NoProgress,
}

/// How much an engine may do before it answers.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Candidates that the round has room for.
    pub candidates: usize,
    /// Steps of the engine's own counting; none where time is the measure.
    pub steps: Option<u64>,
    pub deadline: Option<Instant>,
    /// Set when nobody waits for the answer any more.
    pub stop: Arc<AtomicBool>,
}

impl Allowance {
    /// Whether it is time to answer, after so many steps.
    pub fn is_spent(&self, steps: u64) -> bool {
        self.steps.is_some_and(|limit| steps >= limit)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.stop.load(Ordering::Relaxed)
    }
}

/// What an engine answers.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    pub candidates: Vec<Proposed>,
    pub facts: Vec<NewFact>,
    pub standing: Standing,
    pub observing: Observing,
    /// From the next round on the catalogue is to have archives as well that are far from the crash. It is everybody's: nobody may
    /// be in the middle of a proposal when it changes.
    pub widens: bool,
}

/// How an engine wants candidates to be observed.
#[derive(Clone, Debug, Default)]
pub struct Observing {
    /// Limits within which its candidates are to run; the widest of all engines' are used. None for those of the goal.
    pub limits: Option<Limits>,
    /// What all statements do counts, not only the last one, which enters the frame.
    pub all_statements: bool,
}

/// Where an engine stands, for the schedule and for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    pub outlook: Outlook,
    /// Where the nearest way was blocked.
    pub blocked_at: Option<CodePoint>,
    /// In words of the program; empty if there is nothing to say.
    pub explanation: String,
    /// What the engine counts of its work so far, by name.
    pub counts: Vec<(&'static str, u64)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outlook {
    /// There is more to try.
    #[default]
    Open,
    /// Nothing better can be found by going on.
    Done,
    /// No candidate can be made at all.
    Barren,
}
