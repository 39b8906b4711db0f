//! From a model of the lowered query back to one of the query.

use super::Low;
use super::reads::Read;
use super::text::Text;
use crate::evaluate::Evaluation;
use crate::model::Model;
use crate::node::{Term, Var};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::{ArrayValue, Key, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A query without strings, and what its variables stand for.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) conjuncts: Vec<Term>,
    /// Those of the query itself.
    pub(super) vars: BTreeSet<Var>,
    pub(super) texts: BTreeMap<Var, Text>,
    pub(super) reads: BTreeMap<Var, Vec<Read>>,
}

impl Lowered {
    pub(crate) fn lift(&self, terms: &Terms, model: &Model) -> Model {
        let mut evaluation = Evaluation::new(model.clone());
        let mut lifted = Model::new();
        for (var, value) in model.values().filter(|(var, _)| self.vars.contains(var)) {
            lifted.set(var, value.clone());
        }
        for (object, class) in model.classes() {
            lifted.set_class(object, class);
        }
        for (var, text) in &self.texts {
            lifted.set(*var, content(terms, &mut evaluation, text));
        }
        for (var, reads) in &self.reads {
            let Sort::Array(sort) = terms.var_sort(*var) else { continue };
            let mut array = ArrayValue::filled(sort, Value::default_of(sort.element.into()));
            for read in reads {
                let mut value = |low: &Low| match low {
                    Low::Term(term) => evaluation.value(terms, *term),
                    Low::Text(text) => content(terms, &mut evaluation, text),
                };
                let key = Key(value(&read.key.0), read.key.1.as_ref().map(&mut value));
                array.set(key, value(&read.value));
            }
            lifted.set(*var, Value::Array(Arc::new(array)));
        }
        lifted
    }
}

fn content(terms: &Terms, evaluation: &mut Evaluation, text: &Text) -> Value {
    let mut number = |term: Term| evaluation.value(terms, term).as_unsigned().unwrap_or_default();
    let length = usize::try_from(number(text.length)).unwrap_or(0).min(text.units.len());
    Value::Str(text.units[..length].iter().map(|unit| number(*unit) as u16).collect())
}
