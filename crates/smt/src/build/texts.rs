//! Strings of 16-bit units.

use crate::evaluate::parse_decimal;
use crate::node::{Node, Term};
use crate::terms::Terms;
use crate::value::Value;
use std::sync::Arc;

impl Terms {
    pub fn string(&self, text: &str) -> Term {
        self.value(&Value::string(text))
    }

    pub fn units(&self, units: &[u16]) -> Term {
        self.raw(Node::Str(Arc::from(units)))
    }

    pub(crate) fn as_units(&self, term: Term) -> Option<Arc<[u16]>> {
        if let Node::Str(units) = self.node(term) { Some(units) } else { None }
    }

    fn is_empty_string(&self, term: Term) -> bool {
        self.as_units(term).is_some_and(|units| units.is_empty())
    }

    pub fn length(&self, a: Term) -> Term {
        match self.node(a) {
            Node::Concat(x, y) => self.add(self.length(x), self.length(y)),
            Node::Unit(_) => self.i32(1),
            Node::Ite(c, x, y) if self.constant(x).is_some() || self.constant(y).is_some() => {
                let (x, y) = (self.length(x), self.length(y));
                self.ite(c, x, y)
            }
            _ => self.folded(Node::Length(a)),
        }
    }

    pub fn unit_at(&self, a: Term, at: Term) -> Term {
        match (self.node(a), self.as_bits(at)) {
            (Node::Unit(unit), Some(0)) => unit,
            (Node::Concat(x, _), Some(0)) if matches!(self.node(x), Node::Unit(_)) => self.unit_at(x, at),
            (Node::Concat(x, y), Some(place)) => match self.as_bits(self.length(x)) {
                Some(len) if place < len => self.unit_at(x, at),
                // Above, places are negative numbers, which stay outside.
                Some(len) if place < 1 << 31 => self.unit_at(y, self.bits(32, place - len)),
                _ => self.raw(Node::UnitAt(a, at)),
            },
            _ => self.folded(Node::UnitAt(a, at)),
        }
    }

    pub fn unit(&self, a: Term) -> Term {
        self.folded(Node::Unit(a))
    }

    /// Nested to the right, constants that meet joined.
    pub fn concat(&self, a: Term, b: Term) -> Term {
        if self.is_empty_string(a) {
            return b;
        }
        if self.is_empty_string(b) {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Concat(x, y), _) => self.concat(x, self.concat(y, b)),
            (Node::Str(x), Node::Concat(y, rest)) if self.as_units(y).is_some() => {
                let y = self.as_units(y).unwrap_or_default();
                let joined: Vec<u16> = x.iter().chain(y.iter()).copied().collect();
                self.concat(self.units(&joined), rest)
            }
            _ => self.folded(Node::Concat(a, b)),
        }
    }

    pub fn substring(&self, a: Term, from: Term, to: Term) -> Term {
        if self.as_bits(from) == Some(0) && self.length(a) == to {
            return a;
        }
        if from == to {
            return self.string("");
        }
        self.folded(Node::Substring(a, from, to))
    }

    pub fn index_of(&self, a: Term, b: Term, from: Term) -> Term {
        if a == b && self.as_bits(from) == Some(0) {
            return self.i32(0);
        }
        self.folded(Node::IndexOf(a, b, from))
    }

    pub fn starts_with(&self, a: Term, b: Term) -> Term {
        match self.node(a) {
            _ if a == b || self.is_empty_string(b) => self.truth(),
            Node::Concat(x, _) if x == b => self.truth(),
            Node::Str(units) if units.is_empty() => self.eq(b, a),
            _ => self.folded(Node::StartsWith(a, b)),
        }
    }

    pub fn ends_with(&self, a: Term, b: Term) -> Term {
        match self.node(a) {
            _ if a == b || self.is_empty_string(b) => self.truth(),
            Node::Concat(_, y) if y == b => self.truth(),
            Node::Str(units) if units.is_empty() => self.eq(b, a),
            _ => self.folded(Node::EndsWith(a, b)),
        }
    }

    pub fn contains(&self, a: Term, b: Term) -> Term {
        match self.node(a) {
            _ if a == b || self.is_empty_string(b) => self.truth(),
            Node::Concat(x, y) if x == b || y == b => self.truth(),
            Node::Str(units) if units.is_empty() => self.eq(b, a),
            _ => self.folded(Node::Contains(a, b)),
        }
    }

    pub fn decimal(&self, a: Term) -> Term {
        self.folded(Node::Decimal(a))
    }

    pub fn is_decimal(&self, width: u8, of: Term) -> Term {
        match self.node(of) {
            Node::Decimal(x) if self.width(x) <= width => self.truth(),
            _ => self.folded(Node::IsDecimal { width, of }),
        }
    }

    pub fn of_decimal(&self, width: u8, of: Term) -> Term {
        match self.node(of) {
            Node::Decimal(x) if self.width(x) <= width => self.extend(true, width, x),
            _ => self.folded(Node::OfDecimal { width, of }),
        }
    }

    /// `a` is this text, said of something smaller.
    pub(super) fn eq_text(&self, a: Term, units: &Arc<[u16]>) -> Option<Term> {
        match self.node(a) {
            Node::Decimal(x) => {
                let width = self.width(x);
                let number =
                    parse_decimal(units, width).filter(|n| n.to_string().encode_utf16().eq(units.iter().copied()));
                Some(match number {
                    Some(number) => self.eq(x, self.bits(width, number.cast_unsigned())),
                    None => self.falsity(),
                })
            }
            Node::Unit(x) => Some(match units[..] {
                [unit] => self.eq(x, self.bits(16, u64::from(unit))),
                _ => self.falsity(),
            }),
            Node::Concat(x, y) => {
                let split = match (self.node(x), self.as_units(y)) {
                    (Node::Unit(_), _) => Some(1),
                    (Node::Str(front), _) => Some(front.len()),
                    (_, Some(back)) => units.len().checked_sub(back.len()),
                    _ => return None,
                };
                let Some(split) = split.filter(|split| *split <= units.len()) else { return Some(self.falsity()) };
                let x = self.eq(x, self.units(&units[..split]));
                Some(self.and([x, self.eq(y, self.units(&units[split..]))]))
            }
            _ => None,
        }
    }
}
