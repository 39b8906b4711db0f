//! What no constructor of an object brings about. Something has to be done to the object afterwards then, and of all that can be done to
//! it only what writes something that is needed is worth a try: fields that are as the constructor leaves them need no setter.

use super::wanted::Wanted;
use super::{Composer, Plan, Search};
use objects::{CallKind, Callable, How, Way};
use smt::Term;
use std::sync::Arc;

impl Composer<'_> {
    /// What is needed of the object after its constructors, if they are known and do not do it.
    pub(super) fn needed(
        &mut self,
        plan: &Plan,
        wanted: &Wanted,
        makers: &[Way],
        search: &mut Search,
    ) -> Option<Wanted> {
        let constructors: Vec<&Arc<Callable>> = makers.iter().filter_map(constructor).collect();
        if constructors.is_empty() {
            return None;
        }
        let terms = &self.world.terms;
        let is_about = |part: &&Term| terms.subterms(&[**part]).contains(&wanted.object);
        let about: Vec<Term> = plan.formula.iter().filter(is_about).copied().collect();
        let needed: Vec<Term> = about
            .into_iter()
            .filter(|part| !constructors.iter().any(|one| self.may_be_made(*part, wanted.object, one, search)))
            .collect();
        self.wanted_by(plan, &needed).filter(|narrow| narrow.object == wanted.object)
    }

    fn may_be_made(&mut self, part: Term, object: Term, constructor: &Arc<Callable>, search: &mut Search) -> bool {
        if let Some(known) = search.may_make.get(&(part, constructor.method)) {
            return *known;
        }
        if self.is_interrupted() {
            return true;
        }
        let may = self.may_make(part, object, constructor);
        search.may_make.insert((part, constructor.method), may);
        may
    }
}

/// The constructor that the way calls.
pub(super) fn constructor(way: &Way) -> Option<&Arc<Callable>> {
    match &way.how {
        How::Call(callable) if callable.kind == CallKind::Constructor => Some(callable),
        _ => None,
    }
}
