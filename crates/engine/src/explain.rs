//! Why does it crash? What engines found out about the values at each frame's entry, in words of the program.

use crate::{Allowance, Fact, FactKind, Factory, NewFact, Outlook, Setup};
use analysis::{Lowered, Methods};
use condition::text::{self, Naming};
use condition::{Condition, Expr};
use program::{MethodRef, Type};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A condition on the values at the entry of a frame's method under which the crash happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameCondition {
    /// Number of the application frame; 1 is the top.
    pub frame: u32,
    pub method: MethodRef,
    /// In source terms: `this.map == null && key != null`.
    pub when: String,
    /// A limit left ways out: it may happen in other cases too.
    pub cut: bool,
    /// Unknown values were let in: more may be needed for it to happen.
    pub loose: bool,
    /// It speaks of fields inside objects of the JDK, which nobody who reads it knows.
    pub is_internal: bool,
}

/// Alternatives of one frame that are told, those of the shortest ways.
const MOST_PER_FRAME: usize = 3;

impl FrameCondition {
    /// Those of the facts, by frame, the top first.
    pub fn of<'a>(facts: impl IntoIterator<Item = &'a Arc<Fact>>, methods: &Methods) -> Vec<FrameCondition> {
        let told = facts.into_iter().map(|fact| (&fact.kind, fact.cut, fact.loose));
        FrameCondition::all(told, methods)
    }

    fn all<'a>(facts: impl IntoIterator<Item = (&'a FactKind, bool, bool)>, methods: &Methods) -> Vec<FrameCondition> {
        let mut all: Vec<FrameCondition> = Vec::new();
        for (kind, cut, loose) in facts {
            let FactKind::Precondition { frame, method, when } = kind else { continue };
            let Some(lowered) = methods.get(*method) else { continue };
            let is_internal = speaks_of_internals(when, methods);
            let when = in_words(when, &lowered);
            let of_frame = || all.iter().filter(|known| known.frame == *frame);
            if of_frame().count() < MOST_PER_FRAME && of_frame().all(|known| known.when != when) {
                all.push(FrameCondition { frame: *frame, method: *method, when, cut, loose, is_internal });
            }
        }
        all.sort_by_key(|condition| condition.frame);
        all
    }
}

/// What engines can say of the crash before anything is run, until the deadline.
pub fn explain(engines: &[Arc<dyn Factory>], setup: &Setup, deadline: Instant) -> Vec<FrameCondition> {
    let mut told: Vec<NewFact> = Vec::new();
    for engine in engines {
        let mut engine = engine.make(setup);
        while Instant::now() < deadline {
            let stop = Arc::new(AtomicBool::new(false));
            let allowance = Allowance { candidates: 0, steps: None, deadline: Some(deadline), stop };
            let proposal = engine.propose(&allowance);
            let is_silent = proposal.facts.is_empty();
            told.extend(proposal.facts);
            if is_silent || proposal.standing.outlook != Outlook::Open {
                break;
            }
        }
    }
    let kinds = told.iter().map(|fact| (&fact.kind, fact.cut, fact.loose));
    FrameCondition::all(kinds, setup.catalogue.methods())
}

fn speaks_of_internals(when: &Condition, methods: &Methods) -> bool {
    let of_jdk = |expr: &Expr| match expr {
        Expr::Field(_, field) | Expr::Static(field) => methods.program().is_jdk(field.class),
        _ => false,
    };
    when.exprs().into_iter().any(|expr| expr.contains(&of_jdk))
}

/// The condition in source terms, with names where the class file has them.
fn in_words(when: &Condition, method: &Lowered) -> String {
    match when {
        Condition::True => "it is entered".to_owned(),
        _ => text::condition(when, &EntryNames(method)),
    }
}

/// Names at the entry of a method.
struct EntryNames<'a>(&'a Lowered);

impl Naming for EntryNames<'_> {
    fn param(&self, index: u16) -> Option<String> {
        let names = self.0.method.parameter_names();
        names.get(usize::from(index)).copied().flatten().map(|name| name.to_string())
    }

    fn local(&self, _: u16) -> Option<String> {
        None
    }

    fn operand(&self, _: u8) -> Option<Expr> {
        None
    }

    fn type_of(&self, value: &Expr) -> Option<Type> {
        match value {
            Expr::Param(index) => self.0.reference().signature().params.get(usize::from(*index)).copied(),
            _ => None,
        }
    }
}
