//! Values for a plan that is ready, and what a reader would rather see.

use super::{Composed, Composer, Plan};
use crate::emit::{Emitter, Fill};
use crate::journal::note;
use objects::AccessContext;
use program::Type;
use smt::{Evaluation, Model, Node, Term};
use symbolic::Region;

/// Lengths of arrays and lists that people like to read, the best last.
const SHORT: [i32; 2] = [300, 5];

/// Numbers of which little is known are mostly small where they mean anything.
const SMALL: i32 = 300;

impl Composer<'_> {
    /// The plan with values, once for each way to choose those of which nothing is said.
    pub(super) fn emit(&mut self, plan: &Plan, from: AccessContext, is_exact: bool) -> Vec<Composed> {
        let Some((formula, model)) = self.with_preferences(plan) else {
            note(|| format!("no values for a plan of {} steps", plan.steps.len()));
            return Vec::new();
        };
        let mut found: Vec<Composed> = Vec::new();
        for fill in Fill::ALL {
            let emitter = Emitter::new(self.world, self.catalogue, from, fill, &formula, &model);
            let Some(recipe) = emitter.recipe(&plan.steps) else {
                note(|| format!("a plan of {} steps cannot be written down", plan.steps.len()));
                continue;
            };
            let is_known = self.known.contains(&recipe.fingerprint());
            if !is_known && found.iter().all(|known| known.recipe != recipe) {
                found.push(Composed { recipe, fill, is_exact });
            }
        }
        found
    }

    /// The condition with what a reader would rather see, as far as it can hold too, and values for it; none if the condition itself
    /// cannot hold.
    fn with_preferences(&mut self, plan: &Plan) -> Option<(Vec<Term>, Model)> {
        let terms = &self.world.terms;
        let mut formula = plan.formula.clone();
        let wishes = self.preferences(plan);
        // Mostly they all come true together.
        let all: Vec<Term> = formula.iter().chain(&wishes).copied().collect();
        if let Some(model) = self.solving.model(self.world, &all) {
            return Some((all, model));
        }
        let mut model = self.solving.model(self.world, &formula)?;
        for wish in wishes {
            if formula.contains(&terms.not(wish)) {
                continue;
            }
            formula.push(wish);
            if Evaluation::new(model.clone()).holds(terms, &[wish]) {
                continue;
            }
            match self.solving.model(self.world, &formula) {
                Some(better) => model = better,
                None => drop(formula.pop()),
            }
        }
        Some((formula, model))
    }

    /// Nothing is null that need not be, arrays and lists are short.
    fn preferences(&self, plan: &Plan) -> Vec<Term> {
        let terms = &self.world.terms;
        let given = plan.steps.iter().flat_map(|step| step.args.iter()).filter(|(_, ty)| ty.is_reference());
        let mut wishes: Vec<Term> = given.map(|(leaf, _)| terms.not(terms.is_null(*leaf))).collect();
        let lengths = self.world.region(Region::Lengths);
        for term in terms.subterms(&plan.formula) {
            if matches!(terms.node(term), Node::Select(region, _) if region == lengths) {
                wishes.extend(SHORT.map(|most| terms.sle(term, terms.i32(most))));
            }
        }
        let numbers = plan.steps.iter().flat_map(|step| step.args.iter()).filter(|(_, ty)| *ty == Type::Int);
        wishes
            .extend(numbers.flat_map(|(leaf, _)| [terms.sle(terms.i32(0), *leaf), terms.sle(*leaf, terms.i32(SMALL))]));
        wishes
    }
}
