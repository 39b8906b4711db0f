//! What is known: classes of equal terms, each with a constant, an interval or a set of classes; differences; orders;
//! clauses that are open.

use super::bounds::Bounds;
use crate::classes::ClassSet;
use crate::node::{BitCompare, Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use rustc_hash::FxHashMap;

/// The facts contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Conflict;

pub(super) type Known<T = ()> = Result<T, Conflict>;

/// Alternatives, one of which must hold: a condition and what it must be.
pub(super) type Clause = Vec<(Term, bool)>;

#[derive(Debug, Clone)]
pub(super) struct Facts<'t> {
    pub(super) terms: &'t Terms,
    /// All terms of the formula, operands first.
    pub(super) all: Vec<Term>,
    parent: FxHashMap<Term, Term>,
    pub(super) bounds: FxHashMap<Term, Bounds>,
    pub(super) sets: FxHashMap<Term, ClassSet>,
    pub(super) different: Vec<(Term, Term)>,
    pub(super) orders: Vec<(BitCompare, Term, Term)>,
    pub(super) clauses: Vec<Clause>,
    /// Something was learnt since this was last cleared.
    pub(super) is_new: bool,
}

impl<'t> Facts<'t> {
    pub(super) fn new(terms: &'t Terms, all: Vec<Term>) -> Facts<'t> {
        Facts {
            terms,
            all,
            parent: FxHashMap::default(),
            bounds: FxHashMap::default(),
            sets: FxHashMap::default(),
            different: Vec::new(),
            orders: Vec::new(),
            clauses: Vec::new(),
            is_new: true,
        }
    }

    /// The term that stands for all equal ones; the constant, if one is.
    pub(super) fn find(&self, mut term: Term) -> Term {
        while let Some(parent) = self.parent.get(&term) {
            term = *parent;
        }
        term
    }

    pub(super) fn truth(&self, term: Term) -> Option<bool> {
        self.terms.as_bool(self.find(term))
    }

    pub(super) fn bounds_of(&self, term: Term) -> Bounds {
        let root = self.find(term);
        match self.terms.node(root) {
            Node::Bits { width, bits } => Bounds::constant(width, bits),
            _ => self.bounds.get(&root).copied().unwrap_or_else(|| Bounds::all(self.terms.width(root))),
        }
    }

    pub(super) fn narrow(&mut self, term: Term, to: &Bounds) -> Known {
        let root = self.find(term);
        let old = self.bounds_of(root);
        let new = old.intersect(to);
        if new.is_empty() {
            return Err(Conflict);
        }
        if new != old {
            self.is_new = true;
            self.bounds.insert(root, new);
            if let Some(bits) = new.single() {
                let constant = self.terms.bits(new.width, bits);
                return self.merge(root, constant);
            }
        }
        Ok(())
    }

    /// Classes that an object may have, if it is none of null.
    pub(super) fn set_of(&self, term: Term) -> ClassSet {
        let root = self.find(term);
        let allocated = match self.terms.node(root) {
            Node::Reference(object) => self.terms.allocated_class(object).map(|class| ClassSet::of([class])),
            _ => None,
        };
        allocated.or_else(|| self.sets.get(&root).cloned()).unwrap_or_else(ClassSet::all)
    }

    pub(super) fn narrow_set(&mut self, term: Term, to: &ClassSet) -> Known {
        let old = self.set_of(term);
        let new = old.intersection(to);
        if new != old {
            self.is_new = true;
            self.sets.insert(self.find(term), new.clone());
        }
        // Without a class left it must be null.
        if new.is_empty() { self.merge(term, self.terms.null()) } else { Ok(()) }
    }

    pub(super) fn is_never_null(&self, term: Term) -> bool {
        self.are_different(term, self.terms.null())
    }

    /// Known to be different.
    pub(super) fn are_different(&self, a: Term, b: Term) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        if self.terms.constant(a).is_some() && self.terms.constant(b).is_some() {
            return true;
        }
        match self.terms.sort(a) {
            Sort::Bv(_) if self.bounds_of(a).intersect(&self.bounds_of(b)).is_empty() => return true,
            // Null has no class, two objects of different classes are two.
            Sort::Ref if self.has_class_against(a, b) => return true,
            _ => {}
        }
        self.different.iter().any(|(x, y)| {
            let (x, y) = (self.find(*x), self.find(*y));
            (x, y) == (a, b) || (y, x) == (a, b)
        })
    }

    fn has_class_against(&self, a: Term, b: Term) -> bool {
        let null = self.find(self.terms.null());
        let listed = |x: Term| {
            self.different.iter().any(|(p, q)| {
                let (p, q) = (self.find(*p), self.find(*q));
                (p == x && q == null) || (q == x && p == null)
            })
        };
        a != null && b != null && (listed(a) || listed(b)) && self.set_of(a).intersection(&self.set_of(b)).is_empty()
    }

    pub(super) fn differ(&mut self, a: Term, b: Term) -> Known {
        if self.find(a) == self.find(b) {
            return Err(Conflict);
        }
        if !self.different.contains(&(a, b)) {
            self.different.push((a, b));
            self.is_new = true;
        }
        Ok(())
    }

    pub(super) fn merge(&mut self, a: Term, b: Term) -> Known {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        if self.are_different(a, b) {
            return Err(Conflict);
        }
        // Constants stand for their class.
        let (child, root) = if self.terms.constant(a).is_some() { (b, a) } else { (a, b) };
        let (bounds, set) = (self.bounds.remove(&child), self.sets.remove(&child));
        self.parent.insert(child, root);
        self.is_new = true;
        if let Some(bounds) = bounds {
            self.narrow(root, &bounds)?;
        }
        if let Some(set) = set {
            // Null has no class to lose.
            if root != self.terms.null() {
                self.narrow_set(root, &set)?;
            }
        }
        Ok(())
    }

    /// The condition has this truth value.
    pub(super) fn assert(&mut self, condition: Term, holds: bool) -> Known {
        match self.terms.node(condition) {
            Node::Bool(value) => return if value == holds { Ok(()) } else { Err(Conflict) },
            Node::Not(a) => return self.assert(a, !holds),
            Node::And(all) if holds => all.iter().try_for_each(|a| self.assert(*a, true))?,
            Node::Or(all) if !holds => all.iter().try_for_each(|a| self.assert(*a, false))?,
            Node::And(all) | Node::Or(all) => self.clauses.push(all.iter().map(|a| (*a, holds)).collect()),
            Node::Eq(a, b) if self.terms.sort(a) == Sort::Bool => self.assert_same_truth(a, b, holds)?,
            Node::Eq(a, b) if holds => self.merge(a, b)?,
            Node::Eq(a, b) => self.differ(a, b)?,
            Node::Ite(c, a, b) => {
                self.clauses.push(vec![(self.terms.not(c), true), (a, holds)]);
                self.clauses.push(vec![(c, true), (b, holds)]);
            }
            Node::BitCompare(op, a, b) if holds => self.orders.push((op, a, b)),
            Node::BitCompare(op, a, b) => self.orders.push((op.negated(), b, a)),
            Node::ClassIn(a, set) if holds => {
                self.differ(a, self.terms.null())?;
                self.narrow_set(a, &self.terms.classes(set))?;
            }
            Node::ClassIn(a, set) => {
                let others = self.terms.classes(set).complement();
                self.narrow_set(a, &others)?;
            }
            Node::IsAllocated(a) if holds => self.differ(a, self.terms.null())?,
            _ => {}
        }
        let truth = self.terms.bool(holds);
        self.merge(condition, truth)
    }

    fn assert_same_truth(&mut self, a: Term, b: Term, same: bool) -> Known {
        self.clauses.push(vec![(a, true), (b, !same)]);
        self.clauses.push(vec![(a, false), (b, same)]);
        Ok(())
    }

    /// A clause that no fact decides.
    pub(super) fn first_open_clause(&self) -> Option<Clause> {
        self.clauses.first().cloned()
    }
}
