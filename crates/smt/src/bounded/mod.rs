//! Strings up to a length as bit-vectors: a length and so many units. A model of the result is one of the query, which is
//! evaluated all the same; no model says nothing, since longer strings, digits beyond ASCII and long numbers are left out.
//!
//! Arrays with strings in them are done away with: reads go through writes down to the variable, and reads of a variable
//! at equal places are made equal (Ackermann's reduction).

mod lift;
mod numbers;
mod reads;
mod text;

pub(crate) use lift::Lowered;

use crate::node::{Node, Term, Var};
use crate::sort::{ArraySort, Scalar, Sort};
use crate::terms::Terms;
use reads::Read;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use text::Text;

/// What a term has become.
#[derive(Debug, Clone)]
enum Low {
    Term(Term),
    Text(Text),
}

/// The query without strings; `None` where it has something that cannot be said so.
pub(crate) fn lower(terms: &Terms, conjuncts: &[Term], bound: usize) -> Option<Lowered> {
    let mut lowering = Lowering {
        terms,
        bound,
        known: FxHashMap::default(),
        side: Vec::new(),
        texts: BTreeMap::new(),
        reads: BTreeMap::new(),
        read_before: FxHashMap::default(),
    };
    for term in terms.subterms(conjuncts) {
        if has_text(terms.sort(term)) && matches!(terms.sort(term), Sort::Array(_)) {
            // Looked at where they are read.
            continue;
        }
        let low = lowering.lower(term)?;
        lowering.known.insert(term, low);
    }
    let lowered = conjuncts.iter().map(|conjunct| lowering.term(*conjunct)).collect::<Option<Vec<_>>>()?;
    let mut all: Vec<Term> =
        lowered.into_iter().chain(lowering.side).flat_map(|conjunct| terms.conjuncts(conjunct)).collect();
    all.sort_unstable();
    all.dedup();
    let vars = terms.free_vars(conjuncts);
    Some(Lowered { conjuncts: all, vars, texts: lowering.texts, reads: lowering.reads })
}

fn has_text(sort: Sort) -> bool {
    let array = |sort: ArraySort| [Some(sort.first), sort.second, Some(sort.element)].contains(&Some(Scalar::Str));
    matches!(sort, Sort::Str) || matches!(sort, Sort::Array(sort) if array(sort))
}

struct Lowering<'t> {
    terms: &'t Terms,
    bound: usize,
    known: FxHashMap<Term, Low>,
    /// What must hold beside the conjuncts.
    side: Vec<Term>,
    texts: BTreeMap<Var, Text>,
    /// Reads of array variables with strings in them.
    reads: BTreeMap<Var, Vec<Read>>,
    read_before: FxHashMap<(Term, crate::node::Index), Low>,
}

impl Lowering<'_> {
    fn term(&self, term: Term) -> Option<Term> {
        if let Some(Low::Term(low)) = self.known.get(&term) { Some(*low) } else { None }
    }

    fn text(&self, term: Term) -> Option<&Text> {
        if let Some(Low::Text(text)) = self.known.get(&term) { Some(text) } else { None }
    }

    fn lower(&mut self, term: Term) -> Option<Low> {
        let terms = self.terms;
        let node = terms.node(term);
        Some(match &node {
            Node::Str(units) => Low::Text(Text::constant(terms, units)),
            Node::Var(var) if terms.sort(term) == Sort::Str => {
                let text = self.free_text(&terms.var_name(*var), self.bound);
                self.texts.insert(*var, text.clone());
                Low::Text(text)
            }
            Node::Eq(a, b) if matches!(terms.sort(*a), Sort::Array(_)) && has_text(terms.sort(*a)) => {
                // Equal as functions: reads do not tell.
                let _ = b;
                return None;
            }
            Node::Eq(a, b) if terms.sort(*a) == Sort::Str => Low::Term(self.text(*a)?.eq(terms, self.text(*b)?)),
            Node::Ite(c, a, b) if terms.sort(*a) == Sort::Str => {
                Low::Text(Text::ite(terms, self.term(*c)?, self.text(*a)?, self.text(*b)?))
            }
            Node::Select(array, index) if has_text(terms.sort(*array)) => self.read(*array, *index)?,
            Node::Length(a) => Low::Term(self.text(*a)?.length),
            Node::UnitAt(a, at) => Low::Term(self.text(*a)?.unit_at(terms, self.term(*at)?)),
            Node::Unit(a) => Low::Text(Text::unit(terms, self.term(*a)?)),
            Node::Concat(a, b) => Low::Text(self.text(*a)?.concat(terms, self.text(*b)?)?),
            Node::Substring(a, from, to) => {
                Low::Text(self.text(*a)?.substring(terms, self.term(*from)?, self.term(*to)?))
            }
            Node::IndexOf(a, b, from) => Low::Term(self.text(*a)?.index_of(terms, self.text(*b)?, self.term(*from)?)),
            Node::StartsWith(a, b) => Low::Term(self.text(*a)?.matches_at(terms, self.text(*b)?, 0)),
            Node::EndsWith(a, b) => Low::Term(self.text(*a)?.ends_with(terms, self.text(*b)?)),
            Node::Contains(a, b) => Low::Term(self.text(*a)?.contains(terms, self.text(*b)?)),
            Node::Decimal(a) => Low::Text(self.decimal(term, self.term(*a)?)),
            Node::IsDecimal { width, of } => Low::Term(self.text(*of)?.number(terms, *width).0),
            Node::OfDecimal { width, of } => Low::Term(self.text(*of)?.number(terms, *width).1),
            node => {
                let mut is_whole = true;
                let node = node.map_children(|child| {
                    self.term(child).unwrap_or_else(|| {
                        is_whole = false;
                        child
                    })
                });
                if !is_whole {
                    return None;
                }
                Low::Term(terms.build(node))
            }
        })
    }

    /// A text of any content up to a length; the same name gives the same units.
    fn free_text(&mut self, name: &str, longest: usize) -> Text {
        let terms = self.terms;
        let length = terms.var(&format!("length#{name}"), Sort::Bv(32));
        let units = (0..longest).map(|at| terms.var(&format!("unit{at}#{name}"), Sort::Bv(16)));
        let text = Text { length, units: units.collect() };
        let longest = terms.bits(32, longest as u64);
        self.side.push(terms.ule(length, longest));
        for (at, unit) in text.units.iter().enumerate() {
            let is_inside = terms.ult(terms.bits(32, at as u64), length);
            self.side.push(terms.or([is_inside, terms.eq(*unit, terms.bits(16, 0))]));
        }
        text
    }
}
