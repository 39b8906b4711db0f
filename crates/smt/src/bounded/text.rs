//! A string as a length and units; units from the length on are 0.

use crate::node::Term;
use crate::terms::Terms;

#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) length: Term,
    pub(super) units: Vec<Term>,
}

/// Longer results are left to the theory of strings: formulas grow with the square of lengths.
const LONGEST: usize = 96;

impl Text {
    pub(super) fn constant(terms: &Terms, units: &[u16]) -> Text {
        let length = terms.bits(32, units.len() as u64);
        Text { length, units: units.iter().map(|unit| terms.bits(16, u64::from(*unit))).collect() }
    }

    pub(super) fn unit(terms: &Terms, unit: Term) -> Text {
        Text { length: terms.i32(1), units: vec![unit] }
    }

    /// The unit at a fixed place; 0 outside.
    fn at(&self, terms: &Terms, place: usize) -> Term {
        self.units.get(place).copied().unwrap_or_else(|| terms.bits(16, 0))
    }

    pub(super) fn eq(&self, terms: &Terms, other: &Text) -> Term {
        // Beyond the shorter one equal lengths make all units 0.
        let units = self.units.iter().zip(&other.units).map(|(a, b)| terms.eq(*a, *b));
        terms.and([terms.eq(self.length, other.length)].into_iter().chain(units))
    }

    pub(super) fn ite(terms: &Terms, condition: Term, a: &Text, b: &Text) -> Text {
        let places = 0..a.units.len().max(b.units.len());
        let units = places.map(|at| terms.ite(condition, a.at(terms, at), b.at(terms, at)));
        Text { length: terms.ite(condition, a.length, b.length), units: units.collect() }
    }

    pub(super) fn unit_at(&self, terms: &Terms, at: Term) -> Term {
        self.shifted(terms, at, 0)
    }

    /// The unit at `from + by`; 0 outside. As a choice over all places that `from` can be.
    fn shifted(&self, terms: &Terms, from: Term, by: usize) -> Term {
        let places = (0..self.units.len().saturating_sub(by)).rev();
        places.fold(terms.bits(16, 0), |rest, place| {
            let is_there = terms.eq(from, terms.bits(32, place as u64));
            terms.ite(is_there, self.units[place + by], rest)
        })
    }

    pub(super) fn concat(&self, terms: &Terms, other: &Text) -> Option<Text> {
        let longest = self.units.len() + other.units.len();
        if longest > LONGEST {
            return None;
        }
        let length = terms.add(self.length, other.length);
        if let Some(fixed) = terms.as_bits(self.length).and_then(|fixed| usize::try_from(fixed).ok()) {
            let first = (0..fixed).map(|at| self.at(terms, at));
            return Some(Text { length, units: first.chain(other.units.iter().copied()).collect() });
        }
        let units = (0..longest).map(|at| {
            // The second begins where the first ends, which can be at any place up to here.
            let ends = (0..=at.min(self.units.len())).rev().filter(|end| at - end < other.units.len());
            let second = ends.fold(terms.bits(16, 0), |rest, end| {
                let is_end = terms.eq(self.length, terms.bits(32, end as u64));
                terms.ite(is_end, other.units[at - end], rest)
            });
            let in_first = terms.ult(terms.bits(32, at as u64), self.length);
            terms.ite(in_first, self.at(terms, at), second)
        });
        Some(Text { length, units: units.collect() })
    }

    pub(super) fn substring(&self, terms: &Terms, from: Term, to: Term) -> Text {
        let is_valid = terms.and([terms.ule(from, to), terms.ule(to, self.length)]);
        let length = terms.ite(is_valid, terms.sub(to, from), terms.bits(32, 0));
        let units = (0..self.units.len()).map(|at| {
            let is_inside = terms.ult(terms.bits(32, at as u64), length);
            terms.ite(is_inside, self.shifted(terms, from, at), terms.bits(16, 0))
        });
        Text { length, units: units.collect() }
    }

    /// The other is in this one at this place.
    pub(super) fn matches_at(&self, terms: &Terms, other: &Text, place: usize) -> Term {
        let end = terms.add(other.length, terms.bits(32, place as u64));
        let units = other.units.iter().enumerate().map(|(at, unit)| {
            let is_beyond = terms.ule(other.length, terms.bits(32, at as u64));
            terms.or([is_beyond, terms.eq(*unit, self.at(terms, place + at))])
        });
        terms.and([terms.ule(end, self.length)].into_iter().chain(units))
    }

    pub(super) fn contains(&self, terms: &Terms, other: &Text) -> Term {
        terms.or((0..=self.units.len()).map(|place| self.matches_at(terms, other, place)))
    }

    pub(super) fn ends_with(&self, terms: &Terms, other: &Text) -> Term {
        terms.or((0..=self.units.len()).map(|place| {
            let end = terms.add(other.length, terms.bits(32, place as u64));
            terms.and([terms.eq(end, self.length), self.matches_at(terms, other, place)])
        }))
    }

    pub(super) fn index_of(&self, terms: &Terms, other: &Text, from: Term) -> Term {
        let zero = terms.bits(32, 0);
        let in_range = terms.ite(terms.ult(self.length, from), self.length, from);
        let start = terms.ite(terms.slt(from, zero), zero, in_range);
        (0..=self.units.len()).rev().fold(terms.i32(-1), |rest, place| {
            let here = terms.bits(32, place as u64);
            let is_here = terms.and([terms.ule(start, here), self.matches_at(terms, other, place)]);
            terms.ite(is_here, here, rest)
        })
    }
}
