//! What a term is under a model. Models are total, operations are total: every term has a value.

mod bits;
mod floats;
mod texts;

use crate::model::Model;
use crate::node::{Index, Node, Term};
use crate::terms::Terms;
use crate::value::{ArrayValue, Key, Reference, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub(crate) use texts::parse_decimal;

/// A model with the values that were asked for already, so that queries with a common prefix share the work.
#[derive(Debug, Clone)]
pub struct Evaluation {
    model: Model,
    known: FxHashMap<Term, Value>,
}

impl Evaluation {
    pub fn new(model: Model) -> Evaluation {
        Evaluation { model, known: FxHashMap::default() }
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn into_model(self) -> Model {
        self.model
    }

    /// The value of a term.
    pub fn value(&mut self, terms: &Terms, term: Term) -> Value {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        // With a stack of our own: terms of long paths are deep.
        let mut open = vec![term];
        while let Some(next) = open.last().copied() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let node = terms.node(next);
            let waiting = open.len();
            self.needed(&node, &mut open);
            if open.len() == waiting {
                let value = self.apply(terms, &node);
                self.known.insert(next, value);
                open.pop();
            }
        }
        self.known[&term].clone()
    }

    /// Whether all are true.
    pub fn holds(&mut self, terms: &Terms, conjuncts: &[Term]) -> bool {
        conjuncts.iter().all(|conjunct| self.value(terms, *conjunct) == Value::Bool(true))
    }

    /// Drops all values if there are more.
    pub(crate) fn forget_beyond(&mut self, most: usize) {
        if self.known.len() > most {
            self.known.clear();
        }
    }

    /// What must be known before the node can be: only the chosen branch of an `Ite`.
    fn needed(&self, node: &Node, open: &mut Vec<Term>) {
        let mut need = |term: Term| {
            if !self.known.contains_key(&term) {
                open.push(term);
            }
        };
        match node {
            Node::Ite(condition, then, otherwise) => match self.known.get(condition) {
                None => need(*condition),
                Some(holds) => need(if *holds == Value::Bool(true) { *then } else { *otherwise }),
            },
            node => node.children(need),
        }
    }

    fn apply(&self, terms: &Terms, node: &Node) -> Value {
        match node {
            Node::Var(var) => self.model.value_of(terms, *var),
            Node::ClassIn(object, set) => {
                let object = self.known[object].as_ref().unwrap_or(Reference::NULL);
                let class = self.model.class_of(terms, object);
                Value::Bool(class.is_some_and(|class| terms.classes(*set).contains(class)))
            }
            node => apply(node, |term| &self.known[&term]),
        }
    }
}

/// The value of an operation on values. Variables and type tests need a model and are not for here.
pub(crate) fn apply<'v>(node: &Node, of: impl Fn(Term) -> &'v Value) -> Value {
    let holds = |term: &Term| of(*term) == &Value::Bool(true);
    match node {
        Node::Bool(value) => Value::Bool(*value),
        Node::Bits { width, bits } => Value::Bv { width: *width, bits: *bits },
        Node::F32(bits) => Value::F32(*bits),
        Node::F64(bits) => Value::F64(*bits),
        Node::Reference(reference) => Value::Ref(*reference),
        Node::Str(units) => Value::Str(units.clone()),
        Node::Not(a) => Value::Bool(!holds(a)),
        Node::And(all) => Value::Bool(all.iter().all(holds)),
        Node::Or(all) => Value::Bool(all.iter().any(holds)),
        Node::Eq(a, b) => Value::Bool(of(*a).is_same(of(*b))),
        Node::Ite(c, a, b) => of(if holds(c) { *a } else { *b }).clone(),
        Node::IsAllocated(a) => Value::Bool(of(*a).as_ref().is_some_and(Reference::is_allocated)),
        Node::Select(array, index) => match of(*array) {
            Value::Array(array) => array.get(&key(*index, &of)).clone(),
            other => unreachable!("sorts are checked where terms are made: {other:?} is no array"),
        },
        Node::Store(array, index, value) => match of(*array) {
            Value::Array(array) => {
                let mut array = ArrayValue::clone(array);
                array.set(key(*index, &of), of(*value).clone());
                Value::Array(Arc::new(array))
            }
            other => unreachable!("sorts are checked where terms are made: {other:?} is no array"),
        },
        Node::Filled(sort, value) => Value::Array(Arc::new(ArrayValue::filled(*sort, of(*value).clone()))),
        Node::BitUnary(..)
        | Node::BitBinary(..)
        | Node::BitCompare(..)
        | Node::Extract { .. }
        | Node::Join(..)
        | Node::Extend { .. } => bits::apply(node, of),
        Node::FloatUnary(..)
        | Node::FloatBinary(..)
        | Node::FloatCompare(..)
        | Node::IsNan(_)
        | Node::FloatOfSigned { .. }
        | Node::SignedOfFloat { .. }
        | Node::FloatOfFloat { .. }
        | Node::FloatOfBits(_)
        | Node::BitsOfFloat(_) => floats::apply(node, of),
        Node::Var(_) | Node::ClassIn(..) => unreachable!("needs a model"),
        _ => texts::apply(node, of),
    }
}

fn key<'v>(index: Index, of: &impl Fn(Term) -> &'v Value) -> Key {
    Key(of(index.0).clone(), index.1.map(|second| of(second).clone()))
}
