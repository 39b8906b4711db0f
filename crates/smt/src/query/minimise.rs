//! Small cores: QuickXplain (Junker, AAAI 2004). For a core of k out of n conjuncts it asks about k log(n/k) times.

use crate::node::Term;

/// A part of the conjuncts that is still refuted and of which, as far as the oracle knows, no conjunct can be left out.
/// `is_refuted` must hold of all of them.
pub(crate) fn minimise(conjuncts: &[Term], is_refuted: &mut dyn FnMut(&[Term]) -> bool) -> Vec<Term> {
    if is_refuted(&[]) {
        return Vec::new();
    }
    let mut core = explain(&[], false, conjuncts, is_refuted);
    // In the order of the query.
    let place = |term: &Term| conjuncts.iter().position(|other| other == term);
    core.sort_by_key(place);
    core
}

/// What of `open` is needed beside `kept`.
fn explain(kept: &[Term], is_grown: bool, open: &[Term], is_refuted: &mut dyn FnMut(&[Term]) -> bool) -> Vec<Term> {
    if is_grown && is_refuted(kept) {
        return Vec::new();
    }
    if open.len() <= 1 {
        return open.to_vec();
    }
    let (left, right) = open.split_at(open.len() / 2);
    let of_right = explain(&[kept, left].concat(), true, right, is_refuted);
    let of_left = explain(&[kept, &of_right].concat(), !of_right.is_empty(), left, is_refuted);
    [of_left, of_right].concat()
}
