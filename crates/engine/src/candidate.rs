//! Candidates on their way: proposed by an engine, run, assessed.

use crate::{Assessment, EngineName, FactId};
use recipe::{Observation, Recipe};

/// Candidates are numbered in the order in which they are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CandidateId(pub u64);

/// A candidate as its engine proposes it.
#[derive(Clone, Debug)]
pub struct Proposed {
    pub recipe: Recipe,
    /// Number of the frame that its last statement enters; 1 is the top.
    pub entry: u32,
    pub parents: Vec<CandidateId>,
    /// The facts that it was made from.
    pub facts: Vec<FactId>,
    /// Whatever the engine wants to know it by.
    pub ticket: u64,
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

/// Candidates that were run together, with what they did. Near the end of the budget the last ones are not run: they are left out.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub candidates: Vec<Candidate>,
    pub observations: Vec<Observation>,
    pub assessments: Vec<Assessment>,
}

impl Round {
    pub fn iter(&self) -> impl Iterator<Item = (&Candidate, &Observation, &Assessment)> {
        let done = self.observations.iter().zip(&self.assessments);
        self.candidates
            .iter()
            .zip(done)
            .map(|(candidate, (observation, assessment))| (candidate, observation, assessment))
    }

    /// Those of one engine.
    pub fn of(&self, engine: EngineName) -> impl Iterator<Item = (&Candidate, &Observation, &Assessment)> {
        self.iter().filter(move |(candidate, ..)| candidate.engine == engine)
    }
}
