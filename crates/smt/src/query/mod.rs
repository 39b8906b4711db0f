//! Queries: is there an assignment that makes all conjuncts true? Cheap ways first, a solver process last.

mod cache;
mod minimise;
mod statistics;

pub(crate) use minimise::minimise;
pub use statistics::Statistics;

use crate::answer::{Answer, Why};
use crate::bounded;
use crate::evaluate::Evaluation;
use crate::inner::{self, Verdict};
use crate::model::Model;
use crate::node::{FloatBinary, Node, Term};
use crate::solver::{Backend, Limits, Reply, SolverProgram};
use crate::sort::Sort;
use crate::terms::Terms;
use cache::Cache;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// How queries are answered.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The first is asked first; the others join for what it cannot answer. None: only what needs no process is answered.
    pub solvers: Vec<SolverProgram>,
    pub limits: Limits,
}

/// Answers queries over one [`Terms`], and learns from them.
#[derive(Debug)]
pub struct Queries {
    backend: Backend,
    cache: Cache,
    statistics: Statistics,
    /// The store that caches speak of.
    store: Option<u64>,
    /// The dearest step that the query in work took.
    step: Step,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Constant,
    Models,
    Caches,
    Inner,
    Solver,
}

/// Longest strings of bounded questions, one after the other.
const STRING_BOUNDS: [usize; 2] = [6, 20];

impl Queries {
    pub fn new(settings: Settings) -> Queries {
        Queries {
            backend: Backend::new(settings.solvers, settings.limits),
            cache: Cache::default(),
            statistics: Statistics::default(),
            store: None,
            step: Step::Constant,
        }
    }

    /// Changes what each query may cost from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.backend.set_limits(limits);
        self.cache.forget_unknown();
    }

    pub fn limits(&self) -> Limits {
        self.backend.limits()
    }

    /// Whether there is a solver to ask.
    pub fn has_solver(&self) -> bool {
        self.backend.is_there()
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            starts: self.backend.starts,
            kills: self.backend.kills,
            deaths: self.backend.deaths,
            ..self.statistics.clone()
        }
    }

    /// A model to be tried on coming queries, from wherever.
    pub fn suggest(&mut self, model: &Model) {
        self.cache.remember_model(model);
    }

    /// Can all conjuncts hold together? Always to be asked with the same store of terms.
    pub fn check(&mut self, terms: &Terms, conjuncts: &[Term]) -> Answer {
        let store = *self.store.get_or_insert(terms.id());
        assert_eq!(store, terms.id(), "one `Queries` answers for one `Terms`");
        self.statistics.queries += 1;
        self.step = Step::Constant;
        let (simple, origin) = simplified(terms, conjuncts);
        let answer = match self.solve(terms, &simple) {
            Answer::Unsat(core) => {
                let wanted: Vec<Term> = core.iter().filter_map(|term| origin.get(term).copied()).collect();
                let mut core: Vec<Term> = conjuncts.iter().copied().filter(|term| wanted.contains(term)).collect();
                core.dedup();
                Answer::Unsat(core)
            }
            answer => answer,
        };
        debug_assert!(
            !matches!(&answer, Answer::Sat(model) if !Evaluation::new(model.clone()).holds(terms, conjuncts)),
            "models are evaluated before they are believed"
        );
        self.count(&answer);
        answer
    }

    /// A core from which nothing can be left out, as far as queries are answered.
    pub fn minimal_core(&mut self, terms: &Terms, core: &[Term]) -> Vec<Term> {
        minimise(core, &mut |part| self.check(terms, part).is_unsat())
    }

    fn count(&mut self, answer: &Answer) {
        let statistics = &mut self.statistics;
        let counter = match (answer, self.step) {
            (Answer::Unknown(_), _) => &mut statistics.unknown,
            (_, Step::Constant) => &mut statistics.constant,
            (_, Step::Models) => &mut statistics.by_models,
            (_, Step::Caches) => &mut statistics.by_caches,
            (_, Step::Inner) => &mut statistics.by_inner,
            (_, Step::Solver) => &mut statistics.by_solver,
        };
        *counter += 1;
    }

    /// All parts of a query, sorted and without constants but `false`.
    fn solve(&mut self, terms: &Terms, conjuncts: &[Term]) -> Answer {
        if conjuncts.is_empty() {
            return Answer::Sat(Model::new());
        }
        if conjuncts.contains(&terms.falsity()) {
            return Answer::Unsat(vec![terms.falsity()]);
        }
        self.step = Step::Models;
        if let Some(model) = self.cache.model_of(terms, conjuncts) {
            return Answer::Sat(model.clone());
        }
        let parts = terms.independent_parts(conjuncts);
        if parts.len() == 1 {
            return self.part(terms, conjuncts);
        }
        let parts = parts.iter().map(|part| part.iter().map(|at| conjuncts[*at]).collect::<Vec<_>>());
        self.several(terms, conjuncts, parts.collect())
    }

    /// One refuted part refutes all; models of all parts make one of all, as they share no variable.
    fn several(&mut self, terms: &Terms, conjuncts: &[Term], parts: Vec<Vec<Term>>) -> Answer {
        let mut model = Model::new();
        let mut unknown = None;
        for part in parts {
            match self.part(terms, &part) {
                Answer::Sat(of_part) => model.join_apart(&of_part.restricted_to(&terms.free_vars(&part))),
                Answer::Unknown(why) => unknown = Some(why),
                unsat => return unsat,
            }
        }
        if let Some(why) = unknown {
            return Answer::Unknown(why);
        }
        let mut evaluation = Evaluation::new(model);
        if evaluation.holds(terms, conjuncts) {
            let model = evaluation.into_model();
            self.cache.remember_model(&model);
            return Answer::Sat(model);
        }
        // Parts can meet in numbers of objects that a term names; then they are one.
        self.part(terms, conjuncts)
    }

    fn part(&mut self, terms: &Terms, conjuncts: &[Term]) -> Answer {
        self.statistics.parts += 1;
        if let Some(model) = self.cache.model_of(terms, conjuncts) {
            return Answer::Sat(model.clone());
        }
        self.step = self.step.max(Step::Caches);
        if let Some(core) = self.cache.core_in(conjuncts) {
            return Answer::Unsat(core);
        }
        if let Some(answer) = self.cache.answer_to(conjuncts) {
            return answer.clone();
        }
        self.step = self.step.max(Step::Inner);
        let answer = match inner::decide(terms, conjuncts) {
            Verdict::Sat(model) => Answer::Sat(model),
            Verdict::Unsat(core) => Answer::Unsat(core),
            Verdict::Open => {
                self.step = Step::Solver;
                self.by_process(terms, conjuncts)
            }
        };
        match &answer {
            Answer::Sat(model) => self.cache.remember_model(model),
            Answer::Unsat(core) => self.cache.remember_core(core),
            Answer::Unknown(_) => {}
        }
        // What failed for reasons of the moment may work the next time.
        if !matches!(&answer, Answer::Unknown(Why::NoSolver | Why::CannotStart(_) | Why::Died)) {
            self.cache.remember_answer(conjuncts, &answer);
        }
        answer
    }

    fn by_process(&mut self, terms: &Terms, conjuncts: &[Term]) -> Answer {
        if !self.backend.is_there() {
            return Answer::Unknown(Why::NoSolver);
        }
        if has_strings(terms, conjuncts)
            && let Some(model) = self.by_bounded_strings(terms, conjuncts)
        {
            return Answer::Sat(model);
        }
        self.ask_twice(terms, conjuncts)
    }

    /// Asks the incremental process, and where that does not know, one or several that know nothing else.
    fn ask_twice(&mut self, terms: &Terms, conjuncts: &[Term]) -> Answer {
        match self.ask(terms, conjuncts, Backend::ask) {
            answer @ Answer::Unknown(Why::CannotStart(_) | Why::Approximate) => answer,
            // Alone, a solver chooses another strategy, and history does not weigh it down.
            Answer::Unknown(_) => {
                self.statistics.asked_alone += 1;
                self.ask(terms, conjuncts, Backend::ask_alone)
            }
            answer => answer,
        }
    }

    fn ask(&mut self, terms: &Terms, conjuncts: &[Term], how: fn(&mut Backend, &Terms, &[Term]) -> Reply) -> Answer {
        self.statistics.asked += 1;
        let started = Instant::now();
        let reply = how(&mut self.backend, terms, conjuncts);
        self.statistics.times.add(started.elapsed());
        match reply {
            Reply::Unsat(core) => Answer::Unsat(core),
            Reply::Unknown(why) => Answer::Unknown(why),
            Reply::Sat(model) => self.believe(terms, conjuncts, model),
        }
    }

    /// A model is a claim until all conjuncts are true in it.
    fn believe(&mut self, terms: &Terms, conjuncts: &[Term], model: Model) -> Answer {
        let mut evaluation = Evaluation::new(model);
        if evaluation.holds(terms, conjuncts) {
            return Answer::Sat(evaluation.into_model());
        }
        if is_approximated(terms, conjuncts) {
            return Answer::Unknown(Why::Approximate);
        }
        self.statistics.faults += 1;
        Answer::Unknown(Why::WrongModel)
    }

    /// Looks for a model with short strings, as a question about bit-vectors: theories of strings are slow, and may not
    /// come back. Finding none says nothing.
    fn by_bounded_strings(&mut self, terms: &Terms, conjuncts: &[Term]) -> Option<Model> {
        for bound in STRING_BOUNDS {
            let lowered = bounded::lower(terms, conjuncts, bound)?;
            self.statistics.asked_bounded += 1;
            let model = match self.inner_or_process(terms, &lowered.conjuncts) {
                Answer::Sat(model) => model,
                // A longer bound is a larger question.
                Answer::Unknown(_) => return None,
                Answer::Unsat(_) => continue,
            };
            let mut evaluation = Evaluation::new(lowered.lift(terms, &model));
            if evaluation.holds(terms, conjuncts) {
                return Some(evaluation.into_model());
            }
        }
        None
    }

    fn inner_or_process(&mut self, terms: &Terms, conjuncts: &[Term]) -> Answer {
        match inner::decide(terms, conjuncts) {
            Verdict::Sat(model) => Answer::Sat(model),
            Verdict::Unsat(core) => Answer::Unsat(core),
            Verdict::Open => self.ask_twice(terms, conjuncts),
        }
    }
}

/// Simplified, flat, sorted, each with the conjunct that it comes from.
fn simplified(terms: &Terms, conjuncts: &[Term]) -> (Vec<Term>, FxHashMap<Term, Term>) {
    let mut origin = FxHashMap::default();
    for conjunct in conjuncts {
        for part in terms.conjuncts(terms.simplify(*conjunct)) {
            origin.entry(part).or_insert(*conjunct);
        }
    }
    let mut simple: Vec<Term> = origin.keys().copied().collect();
    simple.extend(apart(terms, &simple));
    simple.sort_unstable();
    simple.dedup();
    (simple, origin)
}

/// That what came in is none of the objects that the query allocates: nothing to say where it allocates none.
fn apart(terms: &Terms, conjuncts: &[Term]) -> Vec<Term> {
    let all = terms.subterms(conjuncts);
    if !all.iter().any(|term| terms.is_new(*term)) {
        return Vec::new();
    }
    let inputs = all.into_iter().filter(|term| terms.sort(*term) == Sort::Ref && terms.is_input(*term));
    inputs.map(|input| terms.not(terms.is_allocated(input))).collect()
}

fn has_strings(terms: &Terms, conjuncts: &[Term]) -> bool {
    terms.subterms(conjuncts).iter().any(|term| terms.sort(*term) == Sort::Str)
}

/// Solvers are told less, or something else, than the terms mean.
fn is_approximated(terms: &Terms, conjuncts: &[Term]) -> bool {
    terms.subterms(conjuncts).iter().any(|term| {
        matches!(
            terms.node(*term),
            Node::FloatBinary(FloatBinary::Rem, ..) | Node::IsDecimal { .. } | Node::OfDecimal { .. }
        )
    })
}
