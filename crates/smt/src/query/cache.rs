//! What earlier queries teach: models that may hold again, cores that are in the next query too.

use crate::answer::Answer;
use crate::evaluate::Evaluation;
use crate::model::Model;
use crate::node::Term;
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Queries of one path differ in their last conjunct: the latest models are the best guesses, and old ones cost.
const MOST_MODELS: usize = 12;
/// Entries after which caches start afresh, so that memory stays bounded.
const MOST_ENTRIES: usize = 50_000;
/// Values that a remembered model keeps.
const MOST_VALUES: usize = 200_000;

#[derive(Debug, Default)]
pub(super) struct Cache {
    /// The latest first.
    models: VecDeque<Evaluation>,
    /// Cores by their least member, each sorted.
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
    number_of_cores: usize,
    /// Sets of conjuncts, sorted, with their answers.
    answers: FxHashMap<Box<[Term]>, Answer>,
}

impl Cache {
    /// A recent model in which all conjuncts hold; it becomes the latest.
    pub(super) fn model_of(&mut self, terms: &Terms, conjuncts: &[Term]) -> Option<&Model> {
        let at = self.models.iter_mut().position(|evaluation| evaluation.holds(terms, conjuncts))?;
        let evaluation = self.models.remove(at)?;
        self.models.push_front(evaluation);
        self.models.front().map(Evaluation::model)
    }

    pub(super) fn remember_model(&mut self, model: &Model) {
        if self.models.iter().any(|known| known.model() == model) {
            return;
        }
        self.models.truncate(MOST_MODELS - 1);
        self.models.push_front(Evaluation::new(model.clone()));
    }

    /// A core that is a part of the conjuncts, which are sorted.
    pub(super) fn core_in(&self, conjuncts: &[Term]) -> Option<Vec<Term>> {
        let is_part = |core: &[Term]| core.iter().all(|term| conjuncts.binary_search(term).is_ok());
        let with_least = conjuncts.iter().filter_map(|least| self.cores.get(least));
        with_least.flatten().find(|core| is_part(core)).map(|core| core.to_vec())
    }

    pub(super) fn remember_core(&mut self, core: &[Term]) {
        let mut core = core.to_vec();
        core.sort_unstable();
        let Some(least) = core.first().copied() else { return };
        if self.number_of_cores > MOST_ENTRIES {
            self.cores.clear();
            self.number_of_cores = 0;
        }
        let known = self.cores.entry(least).or_default();
        if !known.iter().any(|other| **other == core[..]) {
            known.push(core.into());
            self.number_of_cores += 1;
        }
    }

    pub(super) fn answer_to(&self, conjuncts: &[Term]) -> Option<&Answer> {
        self.answers.get(conjuncts)
    }

    /// With other limits there may be an answer.
    pub(super) fn forget_unknown(&mut self) {
        self.answers.retain(|_, answer| !answer.is_unknown());
    }

    pub(super) fn remember_answer(&mut self, conjuncts: &[Term], answer: &Answer) {
        if self.answers.len() > MOST_ENTRIES {
            self.answers.clear();
        }
        self.answers.insert(conjuncts.into(), answer.clone());
        self.models.iter_mut().for_each(|evaluation| evaluation.forget_beyond(MOST_VALUES));
    }
}
