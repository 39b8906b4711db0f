//! Candidates on their way: proposed by an engine, run, assessed.

use crate::{Assessment, EngineName, FactId};
use recipe::{Observation, Recipe};
use std::sync::Arc;

/// Candidates are numbered in the order in which they are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CandidateId(pub u64);

/// A candidate as its engine proposes it.
#[derive(Clone, Debug)]
pub struct Proposed {
    pub recipe: Arc<Recipe>,
    /// Number of the frame that its last statement enters; 1 is the top.
    pub entry: u32,
    pub parents: Vec<CandidateId>,
    /// The facts that it was made from.
    pub facts: Vec<FactId>,
    /// Whatever the engine wants to know it by.
    pub ticket: u64,
}

impl Proposed {
    /// One that was made from nothing but the goal.
    pub fn new(recipe: impl Into<Arc<Recipe>>, entry: u32, ticket: u64) -> Proposed {
        Proposed { recipe: recipe.into(), entry, parents: Vec::new(), facts: Vec::new(), ticket }
    }
}

/// A candidate of the run.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub id: CandidateId,
    pub engine: EngineName,
    pub proposed: Proposed,
}

impl Candidate {
    pub fn recipe(&self) -> &Recipe {
        &self.proposed.recipe
    }

    pub fn entry(&self) -> u32 {
        self.proposed.entry
    }
}

/// Candidates that were run together, with what they did. Near the end of the budget the last ones are not run: then there are
/// fewer observations and assessments than candidates.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub candidates: Vec<Arc<Candidate>>,
    pub observations: Vec<Observation>,
    pub assessments: Vec<Assessment>,
}

impl Round {
    /// Those that were run, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<Candidate>, &Observation, &Assessment)> {
        let done = self.observations.iter().zip(&self.assessments);
        let all = self.candidates.iter().zip(done);
        all.map(|(candidate, (observation, assessment))| (candidate, observation, assessment))
    }
}
