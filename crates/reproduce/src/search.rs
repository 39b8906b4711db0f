//! The engines at work on one crash, seen as one: what they propose, what comes of it, who came nearest.

use crate::settings::{Budget, Settings};
use engine::{
    Assessor, Candidate, Crew, EngineName, Fact, Find, Finds, FrameCondition, Goal, Pace, Refutation, Round, Setup,
};
use recipe::{Observation, ProbePlan, Recipe};
use std::sync::Arc;
use std::time::Instant;
use target::Methods;

/// Steps that each engine has in a round where the budget is counted.
const STEPS: u64 = 20_000;

#[derive(Debug)]
pub(crate) struct Search {
    goal: Arc<Goal>,
    methods: Arc<Methods>,
    crew: Crew,
    assessor: Assessor,
    finds: Finds,
    deadline: Option<Instant>,
}

impl Search {
    pub(crate) fn new(setup: &Arc<Setup>, settings: &Settings) -> std::io::Result<Search> {
        let pace = match settings.clock.budget {
            Budget::Time(_) => Pace::Timed,
            Budget::Candidates(_) => Pace::Counted { steps: STEPS },
        };
        let is_application = setup.is_application.clone();
        Ok(Search {
            goal: setup.goal.clone(),
            methods: setup.catalogue.methods().clone(),
            crew: Crew::new(&settings.engines, setup, pace, settings.stop.clone())?,
            assessor: Assessor::new(setup.goal.clone(), setup.catalogue.clone(), is_application),
            finds: Finds::default(),
            deadline: settings.clock.deadline(),
        })
    }

    /// Has the engines think about the next round: so many candidates of each.
    pub(crate) fn ask(&mut self, candidates: usize) {
        self.crew.ask(candidates, self.deadline);
    }

    /// What they came up with, `most` of it at the most.
    pub(crate) fn collect(&mut self, most: usize) -> Vec<Arc<Candidate>> {
        self.crew.collect(most, self.deadline)
    }

    /// Takes note of what the candidates did, in their order; gives the one that improved on all before.
    pub(crate) fn learn(&mut self, candidates: Vec<Arc<Candidate>>, observations: Vec<Observation>) -> Option<Find> {
        let done = candidates.iter().zip(&observations);
        let assess = |(candidate, seen): (&Arc<Candidate>, &Observation)| {
            let counts_all = self.crew.counts_all_statements(candidate.engine);
            self.assessor.assess(candidate.recipe(), candidate.entry(), seen, counts_all, self.crew.entries())
        };
        let assessments = done.map(assess).collect();
        let round = Arc::new(Round { candidates, observations, assessments });
        let find = self.finds.learn(&round);
        self.crew.learn(&round);
        find
    }

    /// Facts that the observations contradict.
    pub(crate) fn contradicted(&mut self, observations: &[Observation]) -> Vec<Arc<Fact>> {
        self.crew.check_facts(&self.goal, observations)
    }

    /// Under which conditions frames crash, as far as engines found out and nothing contradicts.
    pub(crate) fn conditions(&self) -> Vec<FrameCondition> {
        FrameCondition::of(self.crew.facts(), &self.methods)
    }

    /// A fresh JVM did not show what this candidate showed, or it is not the bug that was fixed: its like are not wanted.
    pub(crate) fn refute(&mut self, find: &Find) {
        self.forget(find, Refutation::NotConfirmed);
    }

    /// It shows the crash but is less natural than it looked.
    pub(crate) fn disregard(&mut self, find: &Find) {
        self.forget(find, Refutation::NoProgress);
    }

    fn forget(&mut self, find: &Find, refutation: Refutation) {
        self.finds.forget(find);
        self.crew.refute(find, refutation);
    }

    /// How far from natural a test is that enters at the frame; 0 if it could be a user's.
    pub(crate) fn demerits(&self, recipe: &Recipe, entry: u32) -> u32 {
        self.assessor.demerits(recipe, entry)
    }

    /// Up to `count` tests like this one, which was made from the find, that are more natural. Whether they show the same has to
    /// be seen.
    pub(crate) fn more_natural(&mut self, recipe: &Recipe, find: &Find, count: usize) -> Vec<Recipe> {
        self.crew.more_natural(&find.candidate, recipe, count, self.deadline)
    }

    pub(crate) fn plan(&self) -> ProbePlan {
        self.crew.plan(&self.goal)
    }

    /// Who came nearest; what a fresh JVM refuted is better than nothing.
    pub(crate) fn best(&self) -> Option<&Find> {
        self.finds.nearest()
    }

    pub(crate) fn nearest_outside(&self, frame: u32) -> Option<&Find> {
        self.finds.nearest_outside(frame)
    }

    /// Whether any engine may find something better.
    pub(crate) fn is_open(&self) -> bool {
        self.crew.is_open()
    }

    /// No engine can make a candidate.
    pub(crate) fn is_barren(&self) -> bool {
        self.crew.is_barren()
    }

    /// What engines have to say of where they stand.
    pub(crate) fn explanations(&self) -> Vec<(EngineName, String)> {
        let said = self.crew.standings().filter(|(_, standing)| !standing.explanation.is_empty());
        said.map(|(engine, standing)| (engine, standing.explanation.clone())).collect()
    }

    /// What engines count of their work.
    pub(crate) fn counts(&self) -> Vec<(EngineName, Vec<(&'static str, u64)>)> {
        let counting = self.crew.standings().filter(|(_, standing)| !standing.counts.is_empty());
        counting.map(|(engine, standing)| (engine, standing.counts.clone())).collect()
    }

    pub(crate) fn left_out(&self) -> impl Iterator<Item = (EngineName, &str)> {
        self.crew.left_out()
    }
}
