//! Reads of arrays that have strings in them.

use super::text::Text;
use super::{Low, Lowering};
use crate::node::{Index, Node, Term, Var};
use crate::sort::{Scalar, Sort};
use crate::terms::Terms;

/// A read of an array variable: where, and what.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) key: (Low, Option<Low>),
    pub(super) value: Low,
}

/// Pairs of reads are compared.
const MOST_READS: usize = 200;

impl Lowering<'_> {
    pub(super) fn read(&mut self, array: Term, index: Index) -> Option<Low> {
        if let Some(known) = self.read_before.get(&(array, index)) {
            return Some(known.clone());
        }
        let low = match self.terms.node(array) {
            Node::Var(var) => self.read_var(var, index)?,
            Node::Filled(_, value) => self.known.get(&value)?.clone(),
            Node::Ite(condition, a, b) => {
                let (a, b) = (self.read(a, index)?, self.read(b, index)?);
                self.choice(self.term(condition)?, &a, &b)?
            }
            Node::Store(..) => self.read_through(array, index)?,
            _ => return None,
        };
        self.read_before.insert((array, index), low.clone());
        Some(low)
    }

    /// Through a chain of writes, which may be long: the last one at this place counts.
    fn read_through(&mut self, array: Term, index: Index) -> Option<Low> {
        let (mut below, mut writes) = (array, Vec::new());
        while let Node::Store(inner, at, value) = self.terms.node(below) {
            writes.push((at, value));
            below = inner;
        }
        let mut low = self.read(below, index)?;
        let key = self.key(index)?;
        for (at, value) in writes.into_iter().rev() {
            let is_here = same_key(self.terms, &self.key(at)?, &key)?;
            let written = self.known.get(&value)?.clone();
            low = self.choice(is_here, &written, &low)?;
        }
        Some(low)
    }

    fn read_var(&mut self, var: Var, index: Index) -> Option<Low> {
        let Sort::Array(sort) = self.terms.var_sort(var) else { return None };
        let second = index.1.map(|second| format!(",{}", second.0)).unwrap_or_default();
        let name = format!("read{}[{}{second}]", var.0, index.0.0);
        let value = match sort.element {
            Scalar::Str => Low::Text(self.free_text(&name, self.bound)),
            element => Low::Term(self.terms.var(&format!("cell#{name}"), element.into())),
        };
        let key = self.key(index)?;
        let before = self.reads.entry(var).or_default();
        if before.len() >= MOST_READS {
            return None;
        }
        for other in before.iter() {
            let same_place = same_key(self.terms, &other.key, &key)?;
            let same_value = same(self.terms, &other.value, &value)?;
            self.side.push(self.terms.implies(same_place, same_value));
        }
        before.push(Read { key, value: value.clone() });
        Some(value)
    }

    fn key(&self, index: Index) -> Option<(Low, Option<Low>)> {
        let first = self.known.get(&index.0)?.clone();
        match index.1 {
            None => Some((first, None)),
            Some(second) => Some((first, Some(self.known.get(&second)?.clone()))),
        }
    }

    fn choice(&self, condition: Term, a: &Low, b: &Low) -> Option<Low> {
        match (a, b) {
            (Low::Term(a), Low::Term(b)) => Some(Low::Term(self.terms.ite(condition, *a, *b))),
            (Low::Text(a), Low::Text(b)) => Some(Low::Text(Text::ite(self.terms, condition, a, b))),
            _ => None,
        }
    }
}

fn same(terms: &Terms, a: &Low, b: &Low) -> Option<Term> {
    match (a, b) {
        (Low::Term(a), Low::Term(b)) => Some(terms.eq(*a, *b)),
        (Low::Text(a), Low::Text(b)) => Some(a.eq(terms, b)),
        _ => None,
    }
}

fn same_key(terms: &Terms, a: &(Low, Option<Low>), b: &(Low, Option<Low>)) -> Option<Term> {
    let first = same(terms, &a.0, &b.0)?;
    match (&a.1, &b.1) {
        (Some(a), Some(b)) => Some(terms.and([first, same(terms, a, b)?])),
        _ => Some(first),
    }
}
