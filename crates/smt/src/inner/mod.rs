//! What needs no solver: equalities with congruence, intervals, null and classes, constants, and a few case splits.
//!
//! Sound in both directions: a refutation follows from the conjuncts, a model is evaluated before it is returned. Where
//! neither is found the answer is [`Verdict::Open`]. Limits are counts of steps, so that runs repeat.

mod bounds;
mod candidate;
mod facts;
mod propagate;

use crate::evaluate::Evaluation;
use crate::model::Model;
use crate::node::{Node, Term, Var};
use crate::sort::Sort;
use crate::terms::Terms;
use facts::Facts;
use rustc_hash::FxHashMap;

#[derive(Debug)]
pub(crate) enum Verdict {
    Sat(Model),
    /// A part of the conjuncts.
    Unsat(Vec<Term>),
    Open,
}

/// Formulas with more parts are left to the solver: going through them again and again costs more than asking.
const MOST_PARTS: usize = 4000;
/// Alternatives tried in all case splits of a query together.
const MOST_BRANCHES: usize = 48;
/// Rounds of replacing variables that an equation defines.
const MOST_ROUNDS: usize = 8;

pub(crate) fn decide(terms: &Terms, conjuncts: &[Term]) -> Verdict {
    match attempt(terms, conjuncts) {
        Attempt::Sat(model) => Verdict::Sat(model),
        Attempt::Open => Verdict::Open,
        Attempt::Unsat => {
            let is_unsat = |part: &[Term]| matches!(attempt(terms, part), Attempt::Unsat);
            Verdict::Unsat(crate::query::minimise(conjuncts, &mut |part| is_unsat(part)))
        }
    }
}

enum Attempt {
    Sat(Model),
    Unsat,
    Open,
}

fn attempt(terms: &Terms, conjuncts: &[Term]) -> Attempt {
    let solved = Solved::of(terms, conjuncts);
    if solved.rest.contains(&terms.falsity()) {
        return Attempt::Unsat;
    }
    let all = terms.subterms(&solved.rest);
    if all.len() > MOST_PARTS {
        return Attempt::Open;
    }
    let mut facts = Facts::new(terms, all);
    let mut branches = MOST_BRANCHES;
    if solved.rest.iter().any(|conjunct| facts.assert(*conjunct, true).is_err()) {
        return Attempt::Unsat;
    }
    let found = search(facts, &mut branches, &|model| {
        let model = solved.complete(terms, model);
        let mut evaluation = Evaluation::new(model);
        evaluation.holds(terms, conjuncts).then(|| evaluation.into_model())
    });
    match found {
        Search::Found(model) => Attempt::Sat(model),
        Search::Refuted => Attempt::Unsat,
        Search::Open => Attempt::Open,
    }
}

enum Search {
    Found(Model),
    Refuted,
    Open,
}

/// Propagates, then splits on the first clause that is left.
fn search(mut facts: Facts<'_>, branches: &mut usize, accept: &dyn Fn(Model) -> Option<Model>) -> Search {
    if facts.propagate().is_err() {
        return Search::Refuted;
    }
    if let Some(model) = candidate::models(&facts).into_iter().find_map(accept) {
        return Search::Found(model);
    }
    let Some(clause) = facts.first_open_clause() else { return Search::Open };
    let mut is_refuted = true;
    for (literal, holds) in clause {
        if *branches == 0 {
            return Search::Open;
        }
        *branches -= 1;
        let mut branch = facts.clone();
        if branch.assert(literal, holds).is_err() {
            continue;
        }
        match search(branch, branches, accept) {
            Search::Found(model) => return Search::Found(model),
            Search::Refuted => {}
            Search::Open => is_refuted = false,
        }
    }
    if is_refuted { Search::Refuted } else { Search::Open }
}

/// The conjuncts without variables that one of them defines.
struct Solved {
    rest: Vec<Term>,
    /// In the order of replacement: a definition may mention variables that are defined later.
    definitions: Vec<(Var, Term)>,
}

impl Solved {
    fn of(terms: &Terms, conjuncts: &[Term]) -> Solved {
        let mut solved = Solved { rest: conjuncts.to_vec(), definitions: Vec::new() };
        for _ in 0..MOST_ROUNDS {
            let put = solved.round(terms);
            if put.is_empty() {
                break;
            }
            let replaced = terms.substitute_all(&solved.rest, &put);
            let mut rest: Vec<Term> = replaced.into_iter().flat_map(|conjunct| terms.conjuncts(conjunct)).collect();
            rest.sort_unstable();
            rest.dedup();
            solved.rest = rest;
        }
        solved
    }

    /// Variables that can be replaced together: no definition mentions another of them.
    fn round(&mut self, terms: &Terms) -> FxHashMap<Term, Term> {
        let mut put: FxHashMap<Term, Term> = FxHashMap::default();
        let mut mentioned = std::collections::BTreeSet::new();
        for conjunct in &self.rest {
            let Some((var, variable, definition)) = definition(terms, *conjunct) else { continue };
            if put.contains_key(&variable) || mentioned.contains(&var) {
                continue;
            }
            let inside = terms.free_vars(&[definition]);
            let is_defined =
                |other: &Var| terms.known(&Node::Var(*other)).is_some_and(|other| put.contains_key(&other));
            if inside.contains(&var) || inside.iter().any(is_defined) {
                continue;
            }
            mentioned.extend(inside);
            put.insert(variable, definition);
            self.definitions.push((var, definition));
        }
        put
    }

    /// The model with values for the variables that were replaced.
    fn complete(&self, terms: &Terms, mut model: Model) -> Model {
        for (var, definition) in self.definitions.iter().rev() {
            let value = Evaluation::new(model.clone()).value(terms, *definition);
            model.set(*var, value);
        }
        model
    }
}

/// `x == t`, `x` or `!x` as a definition of `x`.
fn definition(terms: &Terms, conjunct: Term) -> Option<(Var, Term, Term)> {
    let var = |term: Term| if let Node::Var(var) = terms.node(term) { Some(var) } else { None };
    match terms.node(conjunct) {
        Node::Var(x) => Some((x, conjunct, terms.truth())),
        Node::Not(a) => var(a).map(|x| (x, a, terms.falsity())),
        // Functions are kept: replacing one copies what is in it to all reads.
        Node::Eq(a, _) if matches!(terms.sort(a), Sort::Array(_)) => None,
        Node::Eq(a, b) => var(a).map(|x| (x, a, b)).or_else(|| var(b).map(|x| (x, b, a))),
        _ => None,
    }
}
