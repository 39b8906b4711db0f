//! Constructors. Each gives the simplest term it can see at the root of what it builds, which is sound in every model;
//! [`Terms::simplify`] rebuilds a whole term with them.

mod arrays;
mod bits;
mod booleans;
mod floats;
mod texts;

use crate::evaluate;
use crate::node::{Node, Term};
use crate::terms::Terms;
use crate::value::Value;

impl Terms {
    /// The term with all constructors applied again, from the leaves up.
    pub fn simplify(&self, term: Term) -> Term {
        if let Some(known) = self.simplified(term) {
            return known;
        }
        for next in self.below(&[term], |next| self.simplified(next).is_none()) {
            let node = self.node(next).map_children(|child| self.simplified(child).unwrap_or(child));
            let simple = self.build(node);
            self.remember_simplified(next, simple);
            // What constructors give is simple.
            if self.simplified(simple).is_none() {
                self.remember_simplified(simple, simple);
            }
        }
        self.simplified(term).unwrap_or(term)
    }

    /// The node by its constructor.
    pub fn build(&self, node: Node) -> Term {
        use Node::*;
        match node {
            Bool(_) | Bits { .. } | F32(_) | F64(_) | Reference(_) | Str(_) | Var(_) => self.raw(node),
            Not(a) => self.not(a),
            And(all) => self.and(all.iter().copied()),
            Or(all) => self.or(all.iter().copied()),
            Eq(a, b) => self.eq(a, b),
            Ite(c, a, b) => self.ite(c, a, b),
            BitUnary(op, a) => self.bit_unary(op, a),
            BitBinary(op, a, b) => self.bit_binary(op, a, b),
            BitCompare(op, a, b) => self.bit_compare(op, a, b),
            Extract { high, low, of } => self.extract(high, low, of),
            Join(a, b) => self.join(a, b),
            Extend { signed, width, of } => self.extend(signed, width, of),
            FloatUnary(op, a) => self.float_unary(op, a),
            FloatBinary(op, a, b) => self.float_binary(op, a, b),
            FloatCompare(op, a, b) => self.float_compare(op, a, b),
            IsNan(a) => self.is_nan(a),
            FloatOfSigned { to, of } => self.float_of_signed(to, of),
            SignedOfFloat { width, of } => self.signed_of_float(width, of),
            FloatOfFloat { to, of } => self.float_of_float(to, of),
            FloatOfBits(a) => self.float_of_bits(a),
            BitsOfFloat(a) => self.bits_of_float(a),
            IsAllocated(a) => self.is_allocated(a),
            ClassIn(a, set) => self.class_in_set(a, set),
            Select(a, i) => self.select(a, i),
            Store(a, i, v) => self.store(a, i, v),
            Filled(sort, v) => self.filled(sort, v),
            Length(a) => self.length(a),
            UnitAt(a, i) => self.unit_at(a, i),
            Unit(a) => self.unit(a),
            Concat(a, b) => self.concat(a, b),
            Substring(a, from, to) => self.substring(a, from, to),
            IndexOf(a, b, from) => self.index_of(a, b, from),
            StartsWith(a, b) => self.starts_with(a, b),
            EndsWith(a, b) => self.ends_with(a, b),
            Contains(a, b) => self.contains(a, b),
            Decimal(a) => self.decimal(a),
            IsDecimal { width, of } => self.is_decimal(width, of),
            OfDecimal { width, of } => self.of_decimal(width, of),
        }
    }

    /// The constant that a node with constant operands is; else the node as it stands.
    pub(crate) fn folded(&self, node: Node) -> Term {
        self.fold(&node).unwrap_or_else(|| self.raw(node))
    }

    pub(crate) fn fold(&self, node: &Node) -> Option<Term> {
        let mut operands: Vec<(Term, Value)> = Vec::with_capacity(3);
        let mut all_constant = true;
        node.children(|child| match all_constant.then(|| self.constant(child)).flatten() {
            Some(value) => operands.push((child, value)),
            None => all_constant = false,
        });
        if !all_constant {
            return None;
        }
        let of = |term: Term| {
            let found = operands.iter().find(|(operand, _)| *operand == term);
            found.map(|(_, value)| value).expect("operands were collected from the same node")
        };
        let value = evaluate::apply(node, of);
        value.sort().scalar().map(|_| self.value(&value))
    }

    /// A comparison of an `Ite` of constants with a constant is a condition: the three-way comparisons of the JVM end so.
    /// `None` where a leaf is no constant.
    pub(crate) fn through_ite(&self, term: Term, compare: &dyn Fn(Term) -> Term) -> Option<Term> {
        const DEEPEST: usize = 6;
        fn go(terms: &Terms, term: Term, compare: &dyn Fn(Term) -> Term, left: usize) -> Option<Term> {
            if terms.constant(term).is_some() {
                return Some(compare(term));
            }
            let (Node::Ite(c, a, b), 1..) = (terms.node(term), left) else { return None };
            let (a, b) = (go(terms, a, compare, left - 1)?, go(terms, b, compare, left - 1)?);
            Some(terms.ite(c, a, b))
        }
        if matches!(self.node(term), Node::Ite(..)) { go(self, term, compare, DEEPEST) } else { None }
    }
}
