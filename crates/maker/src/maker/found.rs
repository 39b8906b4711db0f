//! Objects that are taken out of others, above all out of documents that the program has read.

use super::{Budget, Hint, Maker, MakerConfig};
use crate::dice::Choose;
use crate::statistics::Member;
use objects::Draft;
use objects::build;
use objects::{CallKind, Callable};
use objects::{Found, Reader};
use program::{ClassName, Type};
use recipe::{Access, Action, Arg, Literal};

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
        build::taken_out(self.catalogue, draft, given, *holder, yields)
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
        if let Some(variable) = self.reusable(draft, ty).filter(|_| self.rng.chance(self.config.reuse)) {
            return Some(variable);
        }
        if self.rng.chance(self.policy().read)
            && let Some(read) = self.read(draft, class, budget)
        {
            return Some(read);
        }
        self.value_within(draft, ty, Hint::not_null(), budget)
    }

    fn read(&mut self, draft: &mut Draft, class: ClassName, budget: Budget) -> Option<Arg> {
        let readers = self.catalogue.readers(class, self.from);
        let worth = |reader: &Reader| self.statistics.factor(Member::Method(reader.callable.method));
        let weights: Vec<f64> = readers.iter().map(worth).collect();
        let Reader { callable, access } = &readers[self.rng.index_by_weight(weights.into_iter())?];
        let checkpoint = draft.checkpoint();
        let config = self.config;
        self.config = MakerConfig { is_rich: true, ..config };
        let read = self.call_within(draft, callable, *access, budget);
        self.config = config;
        if read.is_none() {
            draft.take_back(checkpoint);
        }
        read?
    }
}
