//! Objects that are taken out of others, above all out of documents that the program has read.

use super::{Budget, Habits, Hint, Maker};
use crate::callable::{CallKind, Callable};
use crate::catalogue::{Found, Holder, Reader};
use crate::choose::Choose;
use crate::draft::Draft;
use crate::ledger::Member;
use program::{ClassName, Type};
use recipe::{Access, Action, Arg, Literal};

/// How often what is looked into was read from a text, where the program can read such things.
const READ: f64 = 0.75;

impl Maker<'_> {
    /// Asks something for the object, and takes it out of what is given.
    pub(super) fn found(
        &mut self,
        draft: &mut Draft,
        found: &Found,
        access: Access,
        yields: Type,
        budget: Budget,
    ) -> Option<Arg> {
        let below = budget.below()?;
        let Found { callable, class_at, holder } = found;
        let receiver = match callable.kind {
            CallKind::Virtual => Some(self.looked_into(draft, callable.method.class, below)?),
            CallKind::Static | CallKind::Constructor => None,
        };
        let args = (0..callable.params.len())
            .map(|index| match class_at {
                Some(at) if *at == index => Some(Arg::Literal(Literal::Class(yields))),
                _ => self.content_or_argument(draft, callable, index, below),
            })
            .collect::<Option<Vec<Arg>>>()?;
        let method = callable.method;
        let given = draft.define(Action::Call { method, receiver, args, access }, callable.ret?);
        let taken = take_out(draft, given, *holder)?;
        let known = draft.type_of(&taken)?;
        if self.catalogue.is_assignable(known, yields) {
            return Some(taken);
        }
        Some(draft.define(Action::Cast(taken), yields))
    }

    fn content_or_argument(
        &mut self,
        draft: &mut Draft,
        callable: &Callable,
        index: usize,
        budget: Budget,
    ) -> Option<Arg> {
        match callable.params.get(index)?.ty {
            Type::Class(class) if self.catalogue.program().is_application_default(class) => {
                self.looked_into(draft, class, budget)
            }
            _ => self.argument(draft, callable, index, budget),
        }
    }

    /// Something that holds others: what is there already, what the program reads from a text, or anything.
    fn looked_into(&mut self, draft: &mut Draft, class: ClassName, budget: Budget) -> Option<Arg> {
        let ty = Type::Class(class);
        if let Some(variable) = self.reusable(draft, ty).filter(|_| self.rng.chance(self.habits.reuse)) {
            return Some(variable);
        }
        if self.rng.chance(READ)
            && let Some(read) = self.read(draft, class, budget)
        {
            return Some(read);
        }
        self.value_within(draft, ty, Hint::not_null(), budget)
    }

    fn read(&mut self, draft: &mut Draft, class: ClassName, budget: Budget) -> Option<Arg> {
        let readers = self.catalogue.readers(class, self.from);
        let worth = |reader: &Reader| self.ledger.factor(Member::Method(reader.callable.method));
        let weights: Vec<f64> = readers.iter().map(worth).collect();
        let Reader { callable, access } = &readers[self.rng.index_by_weight(weights.into_iter())?];
        let checkpoint = draft.checkpoint();
        let habits = self.habits;
        self.habits = Habits { is_rich: true, ..habits };
        let read = self.call_within(draft, callable, *access, budget);
        self.habits = habits;
        if read.is_none() {
            draft.take_back(checkpoint);
        }
        read?
    }
}

fn take_out(draft: &mut Draft, given: Arg, holder: Holder) -> Option<Arg> {
    let steps = match holder {
        Holder::Bare => return Some(given),
        Holder::Array => {
            let Type::Array(array) = draft.type_of(&given)? else { return None };
            return Some(draft.define(Action::GetElement { array: given, index: 0 }, array.component()));
        }
        Holder::Calls(steps) => steps,
    };
    let mut holding = given;
    for step in steps {
        let method = step.method();
        let signature = method.signature();
        // The only number there is says which element: the first.
        let args = signature.params.iter().map(|_| Arg::Literal(Literal::Int(0))).collect();
        let action = Action::Call { method, receiver: Some(holding), args, access: Access::Public };
        holding = draft.define(action, signature.ret?);
    }
    Some(holding)
}
