//! Connectives, equality, choice.

use crate::node::{Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::Value;
use std::sync::Arc;

impl Terms {
    pub fn bool(&self, value: bool) -> Term {
        self.raw(Node::Bool(value))
    }

    pub fn truth(&self) -> Term {
        self.bool(true)
    }

    pub fn falsity(&self) -> Term {
        self.bool(false)
    }

    pub(crate) fn as_bool(&self, term: Term) -> Option<bool> {
        if let Node::Bool(value) = self.node(term) { Some(value) } else { None }
    }

    pub fn not(&self, a: Term) -> Term {
        match self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            Node::BitCompare(op, left, right) => self.bit_compare(op.negated(), right, left),
            _ => self.raw(Node::Not(a)),
        }
    }

    /// The negation, if there is such a term already; none is made.
    fn known_negation(&self, a: Term) -> Option<Term> {
        match self.node(a) {
            Node::Not(inner) => Some(inner),
            Node::BitCompare(op, left, right) => self.known(&Node::BitCompare(op.negated(), right, left)),
            _ => self.known(&Node::Not(a)),
        }
    }

    pub fn and(&self, all: impl IntoIterator<Item = Term>) -> Term {
        self.connect(all, true)
    }

    pub fn or(&self, all: impl IntoIterator<Item = Term>) -> Term {
        self.connect(all, false)
    }

    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or([self.not(a), b])
    }

    /// Conjunction or disjunction: flat, sorted, without the neutral element, repetitions and complementary pairs.
    fn connect(&self, all: impl IntoIterator<Item = Term>, is_and: bool) -> Term {
        let mut flat = Vec::new();
        for term in all {
            match self.node(term) {
                Node::Bool(value) if value == is_and => {}
                Node::Bool(_) => return self.bool(!is_and),
                Node::And(inner) if is_and => flat.extend_from_slice(&inner),
                Node::Or(inner) if !is_and => flat.extend_from_slice(&inner),
                _ => flat.push(term),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let opposite = |term: &Term| self.known_negation(*term).is_some_and(|not| flat.binary_search(&not).is_ok());
        if flat.iter().any(opposite) {
            return self.bool(!is_and);
        }
        match flat[..] {
            [] => self.bool(is_and),
            [single] => single,
            _ if is_and => self.raw(Node::And(Arc::from(flat))),
            _ => self.raw(Node::Or(Arc::from(flat))),
        }
    }

    /// Identity; of floats too, see [`Node::Eq`].
    pub fn eq(&self, a: Term, b: Term) -> Term {
        if a == b {
            return self.truth();
        }
        if let (Some(left), Some(right)) = (self.constant(a), self.constant(b)) {
            return self.bool(left == right);
        }
        // Constants on the right, else the older term on the left.
        let (a, b) = if self.constant(a).is_some() || (a > b && self.constant(b).is_none()) { (b, a) } else { (a, b) };
        if self.sort(a) == Sort::Bool {
            match self.as_bool(b) {
                Some(true) => return a,
                Some(false) => return self.not(a),
                None if self.not(a) == b => return self.falsity(),
                None => {}
            }
        }
        if let Some(constant) = self.constant(b) {
            if let Some(simpler) = self.through_ite(a, &|leaf| self.eq(leaf, b)) {
                return simpler;
            }
            if self.is_new(b) && self.is_input(a) {
                return self.falsity();
            }
            if let Some(simpler) = self.eq_constant(a, &constant) {
                return simpler;
            }
        }
        match (self.node(a), self.node(b)) {
            // `c ? x : y` is `x`: holds where `c` does, else where both branches agree.
            (Node::Ite(c, x, y), _) if x == b => self.or([c, self.eq(y, b)]),
            (Node::Ite(c, x, y), _) if y == b => self.or([self.not(c), self.eq(x, b)]),
            (_, Node::Ite(c, x, y)) if x == a => self.or([c, self.eq(y, a)]),
            (_, Node::Ite(c, x, y)) if y == a => self.or([self.not(c), self.eq(x, a)]),
            (Node::Decimal(x), Node::Decimal(y)) if self.sort(x) == self.sort(y) => self.eq(x, y),
            (Node::Extend { signed: s, of: x, .. }, Node::Extend { signed: t, of: y, .. })
                if s == t && self.sort(x) == self.sort(y) =>
            {
                self.eq(x, y)
            }
            _ => self.raw(Node::Eq(a, b)),
        }
    }

    /// `a` is this constant, said of something smaller.
    fn eq_constant(&self, a: Term, constant: &Value) -> Option<Term> {
        match constant {
            Value::Bv { width, bits } => self.eq_bits(a, *width, *bits),
            Value::Str(units) => self.eq_text(a, units),
            _ => None,
        }
    }

    pub fn ite(&self, c: Term, a: Term, b: Term) -> Term {
        if let Some(value) = self.as_bool(c) {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Node::Not(inner) = self.node(c) {
            return self.ite(inner, b, a);
        }
        if let Node::Ite(d, inner, _) = self.node(a)
            && d == c
        {
            return self.ite(c, inner, b);
        }
        if let Node::Ite(d, _, inner) = self.node(b)
            && d == c
        {
            return self.ite(c, a, inner);
        }
        if self.sort(a) == Sort::Bool {
            match (self.as_bool(a), self.as_bool(b)) {
                (Some(true), _) => return self.or([c, b]),
                (Some(false), _) => return self.and([self.not(c), b]),
                (_, Some(true)) => return self.or([self.not(c), a]),
                (_, Some(false)) => return self.and([c, a]),
                _ => {}
            }
        }
        self.raw(Node::Ite(c, a, b))
    }

    /// The parts of a conjunction; `true` has none.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        match self.node(term) {
            Node::And(all) => all.to_vec(),
            Node::Bool(true) => Vec::new(),
            _ => vec![term],
        }
    }
}
