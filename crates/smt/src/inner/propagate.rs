//! Consequences of facts, until there are no new ones: congruence, constants, intervals, orders, clauses.

use super::bounds;
use super::facts::{Clause, Conflict, Facts, Known};
use crate::node::{BitCompare, Node, Term};
use crate::sort::Sort;
use rustc_hash::FxHashMap;

/// Intervals can creep: `x < y`, `y < x` over 64 bits would take for ever.
const MOST_ROUNDS: usize = 12;

impl Facts<'_> {
    pub(super) fn propagate(&mut self) -> Known {
        for _ in 0..MOST_ROUNDS {
            self.is_new = false;
            self.congruence()?;
            self.intervals()?;
            self.orders()?;
            self.differences()?;
            self.clauses()?;
            if !self.is_new {
                break;
            }
        }
        Ok(())
    }

    /// Equal operands make equal terms; constant operands make constants.
    fn congruence(&mut self) -> Known {
        let mut seen: FxHashMap<Node, Term> = FxHashMap::default();
        for at in 0..self.all.len() {
            let term = self.all[at];
            let node = self.terms.node(term);
            if matches!(node, Node::Var(_)) || self.terms.constant(term).is_some() {
                continue;
            }
            let node = node.map_children(|child| self.find(child));
            if let Some(constant) = self.value_of(&node) {
                self.merge(term, constant)?;
            } else if let Some(other) = self.chosen(&node) {
                self.merge(term, other)?;
            }
            if let Some(other) = seen.insert(node, term) {
                self.merge(term, other)?;
            }
        }
        Ok(())
    }

    fn value_of(&self, node: &Node) -> Option<Term> {
        match node {
            Node::ClassIn(..) | Node::Eq(..) | Node::BitCompare(..) | Node::And(_) | Node::Or(_) | Node::Not(_) => {
                self.status_of(node).map(|holds| self.terms.bool(holds))
            }
            node => self.terms.fold(node),
        }
    }

    /// The branch of a choice that is made; what was written where it is read.
    fn chosen(&self, node: &Node) -> Option<Term> {
        match node {
            Node::Ite(c, a, b) => self.truth(*c).map(|holds| if holds { *a } else { *b }),
            Node::Select(array, index) => {
                let mut array = *array;
                loop {
                    let Node::Store(inner, at, value) = self.terms.node(array) else { return None };
                    let keys = [Some((at.0, index.0)), at.1.zip(index.1)];
                    let mut keys = keys.into_iter().flatten();
                    if keys.clone().all(|(a, b)| self.find(a) == self.find(b)) {
                        return Some(value);
                    }
                    if !keys.any(|(a, b)| self.are_different(a, b)) {
                        return None;
                    }
                    array = self.find(inner);
                    // What is read further down has a term of its own only if somebody wrote it that way.
                    if let Some(read) = self.terms.known(&Node::Select(array, *index)) {
                        return Some(read);
                    }
                }
            }
            _ => None,
        }
    }

    fn intervals(&mut self) -> Known {
        for at in 0..self.all.len() {
            let term = self.all[at];
            if !matches!(self.terms.sort(term), Sort::Bv(_)) {
                continue;
            }
            let forward = bounds::forward(self.terms, term, &|operand| self.bounds_of(operand));
            if forward.is_empty() {
                return Err(Conflict);
            }
            self.narrow(term, &forward)?;
            let now = self.bounds_of(term);
            let operand = bounds::backward(self.terms, term, &now, &|operand| self.bounds_of(operand));
            if let Some((operand, to)) = operand {
                self.narrow(operand, &to)?;
            }
        }
        Ok(())
    }

    fn orders(&mut self) -> Known {
        for at in 0..self.orders.len() {
            let (op, a, b) = self.orders[at];
            if op.is_strict() && self.find(a) == self.find(b) {
                return Err(Conflict);
            }
            let (x, y) = (self.bounds_of(a), self.bounds_of(b));
            self.narrow(a, &x.below(&y, op.is_signed(), op.is_strict()))?;
            let x = self.bounds_of(a);
            self.narrow(b, &y.above(&x, op.is_signed(), op.is_strict()))?;
        }
        self.cycles()
    }

    /// `a <= b` and `b <= a` make them equal, and contradict each other where one is strict.
    fn cycles(&mut self) -> Known {
        let mut seen: FxHashMap<(bool, Term, Term), bool> = FxHashMap::default();
        for (op, a, b) in self.orders.clone() {
            let (x, y) = (self.find(a), self.find(b));
            if let Some(is_strict) = seen.get(&(op.is_signed(), y, x)) {
                if op.is_strict() || *is_strict {
                    return Err(Conflict);
                }
                self.merge(x, y)?;
            }
            *seen.entry((op.is_signed(), x, y)).or_default() |= op.is_strict();
        }
        Ok(())
    }

    fn differences(&mut self) -> Known {
        for at in 0..self.different.len() {
            let (a, b) = self.different[at];
            if self.find(a) == self.find(b) {
                return Err(Conflict);
            }
            if !matches!(self.terms.sort(a), Sort::Bv(_)) {
                continue;
            }
            for (x, y) in [(a, b), (b, a)] {
                if let Some(bits) = self.bounds_of(y).single() {
                    let without = self.bounds_of(x).without(bits);
                    if without.is_empty() {
                        return Err(Conflict);
                    }
                    self.narrow(x, &without)?;
                }
            }
        }
        Ok(())
    }

    fn clauses(&mut self) -> Known {
        for clause in std::mem::take(&mut self.clauses) {
            let mut open: Clause = Vec::new();
            let mut is_met = false;
            for (condition, wanted) in clause {
                match self.status(condition) {
                    Some(holds) if holds == wanted => is_met = true,
                    Some(_) => {}
                    None => open.push((condition, wanted)),
                }
            }
            match open[..] {
                _ if is_met => {}
                [] => return Err(Conflict),
                [(condition, wanted)] => self.assert(condition, wanted)?,
                _ => self.clauses.push(open),
            }
        }
        Ok(())
    }

    /// What facts say of a condition.
    fn status(&self, condition: Term) -> Option<bool> {
        self.truth(condition).or_else(|| self.status_of(&self.terms.node(condition)))
    }

    fn status_of(&self, node: &Node) -> Option<bool> {
        match node {
            Node::Bool(value) => Some(*value),
            Node::Not(a) => self.truth(*a).map(|holds| !holds),
            Node::And(all) if all.iter().any(|a| self.truth(*a) == Some(false)) => Some(false),
            Node::And(all) => all.iter().all(|a| self.truth(*a) == Some(true)).then_some(true),
            Node::Or(all) if all.iter().any(|a| self.truth(*a) == Some(true)) => Some(true),
            Node::Or(all) => all.iter().all(|a| self.truth(*a) == Some(false)).then_some(false),
            Node::Eq(a, b) if self.find(*a) == self.find(*b) => Some(true),
            Node::Eq(a, b) => self.are_different(*a, *b).then_some(false),
            Node::BitCompare(op, a, b) => self.order_status(*op, *a, *b),
            Node::ClassIn(a, set) => self.class_status(*a, *set),
            Node::IsAllocated(_) => {
                let constant = self.terms.fold(&node.map_children(|child| self.find(child)))?;
                self.terms.as_bool(constant)
            }
            _ => None,
        }
    }

    fn order_status(&self, op: BitCompare, a: Term, b: Term) -> Option<bool> {
        if self.find(a) == self.find(b) {
            return Some(!op.is_strict());
        }
        let (x, y) = (self.bounds_of(a), self.bounds_of(b));
        let (surely, never) = match op {
            BitCompare::Ult => (x.high < y.low, x.low >= y.high),
            BitCompare::Ule => (x.high <= y.low, x.low > y.high),
            BitCompare::Slt => (x.most < y.least, x.least >= y.most),
            BitCompare::Sle => (x.most <= y.least, x.least > y.most),
        };
        if surely {
            Some(true)
        } else if never {
            Some(false)
        } else {
            None
        }
    }

    fn class_status(&self, a: Term, set: crate::node::ClassSetId) -> Option<bool> {
        if self.find(a) == self.terms.null() {
            return Some(false);
        }
        let (known, set) = (self.set_of(a), self.terms.classes(set));
        if known.intersection(&set).is_empty() {
            return Some(false);
        }
        (self.is_never_null(a) && known.intersection(&set.complement()).is_empty()).then_some(true)
    }
}
