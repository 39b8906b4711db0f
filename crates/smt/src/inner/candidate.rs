//! Models that the facts suggest. They are guesses: the caller evaluates them.

use super::facts::Facts;
use crate::model::Model;
use crate::node::{Index, Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::{ArrayValue, Key, Reference, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How free values are chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Choice {
    /// Zero, null and empty wherever they are possible.
    Plain,
    /// Objects for all references, each its own; lower ends of intervals.
    Apart,
}

pub(super) fn models(facts: &Facts<'_>) -> Vec<Model> {
    [Choice::Plain, Choice::Apart].map(|choice| Candidate::new(facts, choice).model()).into()
}

struct Candidate<'f, 't> {
    facts: &'f Facts<'t>,
    terms: &'t Terms,
    choice: Choice,
    chosen: FxHashMap<Term, Value>,
    objects: u32,
    model: Model,
}

impl<'f, 't> Candidate<'f, 't> {
    fn new(facts: &'f Facts<'t>, choice: Choice) -> Candidate<'f, 't> {
        let (terms, chosen) = (facts.terms, FxHashMap::default());
        Candidate { facts, terms, choice, chosen, objects: 0, model: Model::new() }
    }

    fn model(mut self) -> Model {
        for term in &self.facts.all {
            match self.terms.node(*term) {
                Node::Var(var) if !matches!(self.terms.sort(*term), Sort::Array(_)) => {
                    let value = self.value(*term);
                    self.model.set(var, value);
                }
                Node::ClassIn(object, _) => self.set_class(object),
                _ => {}
            }
        }
        self.arrays();
        self.model
    }

    fn set_class(&mut self, object: Term) {
        let value = self.value(object).as_ref();
        if let (Some(reference), Some(class)) = (value, self.facts.set_of(object).least())
            && !reference.is_null()
        {
            self.model.set_class(reference, class);
        }
    }

    /// Cells of arrays from what is read: through writes and choices down to the variables.
    fn arrays(&mut self) {
        let mut values: FxHashMap<Term, ArrayValue> = FxHashMap::default();
        let mut written: BTreeSet<(Term, Key)> = BTreeSet::new();
        for term in &self.facts.all {
            let Node::Select(array, index) = self.terms.node(*term) else { continue };
            let (key, value) = (self.key(index), self.value(*term));
            for base in self.bases(array) {
                if !written.insert((base, key.clone())) {
                    continue;
                }
                let sort = self.terms.array_sort(base);
                let empty = || ArrayValue::filled(sort, Value::default_of(sort.element.into()));
                values.entry(base).or_insert_with(empty).set(key.clone(), value.clone());
            }
        }
        for (base, value) in values {
            if let Node::Var(var) = self.terms.node(base) {
                self.model.set(var, Value::Array(Arc::new(value)));
            }
        }
    }

    fn bases(&self, array: Term) -> Vec<Term> {
        /// Choices share what is below them; the first few bases are guess enough.
        const MOST: usize = 64;
        let (mut open, mut found) = (vec![array], Vec::new());
        for _ in 0..MOST {
            let Some(next) = open.pop() else { break };
            match self.terms.node(next) {
                Node::Var(_) => found.push(next),
                Node::Store(inner, ..) => open.push(inner),
                Node::Ite(_, a, b) => open.extend([a, b]),
                _ => {}
            }
        }
        found
    }

    fn key(&mut self, index: Index) -> Key {
        let first = self.value(index.0);
        Key(first, index.1.map(|second| self.value(second)))
    }

    /// One value for all terms that are known to be equal.
    fn value(&mut self, term: Term) -> Value {
        let root = self.facts.find(term);
        if let Some(constant) = self.terms.constant(root) {
            return constant;
        }
        if let Some(chosen) = self.chosen.get(&root) {
            return chosen.clone();
        }
        let value = self.choose(root);
        self.chosen.insert(root, value.clone());
        value
    }

    fn choose(&mut self, root: Term) -> Value {
        match self.terms.sort(root) {
            Sort::Bv(width) => Value::bits(width, self.number(root)),
            Sort::Ref => Value::Ref(self.reference(root)),
            Sort::Str => Value::Str(self.text(root)),
            sort => Value::default_of(sort),
        }
    }

    /// Values that the term must not have, of what has a value already.
    fn forbidden(&self, root: Term) -> BTreeSet<Value> {
        let others = self.facts.different.iter().filter_map(|(a, b)| {
            let (a, b) = (self.facts.find(*a), self.facts.find(*b));
            let other = if a == root {
                b
            } else if b == root {
                a
            } else {
                return None;
            };
            self.terms.constant(other).or_else(|| self.chosen.get(&other).cloned())
        });
        others.collect()
    }

    fn number(&self, root: Term) -> u64 {
        /// Enough to step over what is forbidden nearby.
        const TRIED: u64 = 16;
        let bounds = self.facts.bounds_of(root);
        let forbidden = self.forbidden(root);
        let bits = |value: i64| value.cast_unsigned() & crate::value::mask(bounds.width);
        let plain = [0, 1].into_iter().filter(|_| self.choice == Choice::Plain);
        let ends = [bounds.low, bits(bounds.least), bounds.high, bits(bounds.most)];
        let near = (0..TRIED).flat_map(|by| [bounds.low.wrapping_add(by), bits(bounds.least.wrapping_add(by as i64))]);
        let is_free = |value: &u64| bounds.contains(*value) && !forbidden.contains(&Value::bits(bounds.width, *value));
        let ends_of_range = ends.into_iter();
        plain.chain(ends_of_range).chain(near).find(is_free).unwrap_or(bounds.low)
    }

    fn reference(&mut self, root: Term) -> Reference {
        let may_be_null = !self.facts.is_never_null(root);
        if may_be_null && self.choice == Choice::Plain && !self.forbidden(root).contains(&Value::Ref(Reference::NULL)) {
            return Reference::NULL;
        }
        self.objects += 1;
        Reference::input(self.objects)
    }

    /// As long as its length says, with the units that are known.
    fn text(&mut self, root: Term) -> Arc<[u16]> {
        /// Longer ones are no guess any more.
        const LONGEST: u64 = 4096;
        let same = |term: Term| self.facts.find(term) == root;
        let (mut length, mut units) = (None, Vec::new());
        for term in self.facts.all.clone() {
            match self.terms.node(term) {
                Node::Length(a) if same(a) => length = self.number_of(term),
                Node::UnitAt(a, at) if same(a) => units.extend(self.number_of(at).zip(self.number_of(term))),
                _ => {}
            }
        }
        let length = length.unwrap_or(u64::from(self.choice == Choice::Apart)).min(LONGEST);
        // Letters by turns, so that free strings differ.
        let letter = u16::from(b'a') + (self.chosen.len() % 26) as u16;
        let mut text = vec![letter; length as usize];
        for (at, unit) in units {
            if let Some(place) = text.get_mut(at as usize) {
                *place = unit as u16;
            }
        }
        text.into()
    }

    fn number_of(&self, term: Term) -> Option<u64> {
        let root = self.facts.find(term);
        let constant = self.terms.constant(root).and_then(|value| value.as_unsigned());
        constant.or_else(|| self.chosen.get(&root).and_then(Value::as_unsigned)).or_else(|| Some(self.number(root)))
    }
}
