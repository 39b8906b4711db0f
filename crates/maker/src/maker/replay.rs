//! Repeats what others do: the calls of a mined [`Usage`], with values of the maker's own where the source had its own.

use super::{Budget, Hint, Maker};
use crate::dice::Choose;
use objects::Draft;
use objects::build::{self, Call};
use objects::{CallKind, Callable};
use objects::{Event, Usage, Value, ValueId, narrowed};
use program::{ClassName, Type};
use recipe::{Access, Action, Arg, Literal};
use rustc_hash::FxHashMap;

impl Maker<'_> {
    /// Adds the calls of the usage; gives what it is for, `None` inside if its last call is `void`. Fails, and leaves the draft as it
    /// was, if a call cannot be made from the test.
    pub fn replay(&mut self, draft: &mut Draft, usage: &Usage) -> Option<Option<Arg>> {
        let checkpoint = draft.checkpoint();
        let limit = draft.position() + self.policy().statements_of_call * self.config.statements;
        let budget = Budget { levels: self.config.depth.saturating_sub(1), limit };
        let mut made: FxHashMap<ValueId, Arg> = FxHashMap::default();
        for event in &usage.events {
            let Some(given) = self.event(draft, usage, event, &mut made, budget) else {
                draft.take_back(checkpoint);
                return None;
            };
            made.extend(event.result.zip(given));
        }
        Some(usage.gives.and_then(|id| made.remove(&id)))
    }

    /// An object of the class, made and set up as others do it.
    pub(super) fn set_up(&mut self, draft: &mut Draft, class: ClassName) -> Option<Arg> {
        let usages = self.catalogue.set_ups(class, self.from);
        let usage = self.rng.one(&usages)?.clone();
        self.replay(draft, &usage)?
    }

    fn event(
        &mut self,
        draft: &mut Draft,
        usage: &Usage,
        event: &Event,
        made: &mut FxHashMap<ValueId, Arg>,
        budget: Budget,
    ) -> Option<Option<Arg>> {
        let found = self.catalogue.program().resolve_method(event.method).found()?;
        let callable = self.catalogue.callable(found.reference())?;
        let receiver = match event.receiver {
            Some(id) => Some(self.replayed(
                draft,
                usage,
                id,
                Type::Class(event.method.class),
                Hint::not_null(),
                made,
                budget,
            )?),
            None => None,
        };
        let mut args = Vec::new();
        for (id, param) in event.args.iter().zip(&callable.params) {
            args.push(self.replayed(draft, usage, *id, param.ty, Hint::of(param), made, budget)?);
        }
        let (method, access) = self.reach(draft, &callable, receiver.as_ref())?;
        Some(build::call(draft, Call { callable: &callable, method, access, receiver, creates: None }, args))
    }

    /// The name and access of a call, reflection left out: the source did without.
    fn reach(
        &self,
        draft: &Draft,
        callable: &Callable,
        receiver: Option<&Arg>,
    ) -> Option<(program::MethodRef, Access)> {
        let (method, access) = match (callable.kind, receiver) {
            (CallKind::Virtual, Some(receiver)) => {
                self.catalogue.name_for(callable.method, draft.type_of(receiver)?, self.from)?
            }
            (CallKind::Virtual, None) => return None,
            (CallKind::Static | CallKind::Constructor, _) => {
                let class = self.catalogue.program().class(callable.method.class)?;
                (callable.method, self.from.member(self.catalogue.program(), &class, callable.visibility)?)
            }
        };
        (access != Access::Reflective).then_some((method, access))
    }

    /// A value of the usage that fits the type: the one made before, the constant, or one of the maker's own.
    #[expect(clippy::too_many_arguments, reason = "the state of one replay; a struct would only rename it")]
    fn replayed(
        &mut self,
        draft: &mut Draft,
        usage: &Usage,
        id: ValueId,
        ty: Type,
        hint: Hint<'_>,
        made: &mut FxHashMap<ValueId, Arg>,
        budget: Budget,
    ) -> Option<Arg> {
        if let Some(known) = made.get(&id).filter(|arg| self.fits(draft, arg, ty)) {
            return Some(known.clone());
        }
        let own = match usage.value(id)? {
            Value::Literal(literal) => narrowed(literal, ty).map(Arg::Literal),
            Value::StaticField(field) => self.replayed_field(draft, *field),
            Value::Cast(inner, to) => {
                let inner =
                    self.replayed(draft, usage, *inner, Type::Class(ClassName::object()), hint, made, budget)?;
                if to.is_reference() && draft.type_of(&inner)?.is_reference() {
                    self.cast(draft, inner, *to)
                } else {
                    None
                }
            }
            Value::Made { .. } | Value::Some(_) => None,
        };
        if let Some(own) = own.filter(|arg| self.fits(draft, arg, ty)) {
            made.insert(id, own.clone());
            return Some(own);
        }
        // The declared type of the source's value may be more special than what is asked for here.
        let wanted = match usage.value(id)? {
            Value::Some(special) if special.is_reference() && self.catalogue.is_assignable(*special, ty) => *special,
            _ => ty,
        };
        let value =
            self.value_within(draft, wanted, hint, budget).or_else(|| self.value_within(draft, ty, hint, budget))?;
        if !matches!(value, Arg::Literal(Literal::Null(_))) {
            made.insert(id, value.clone());
        }
        Some(value)
    }

    fn replayed_field(&mut self, draft: &mut Draft, field: program::FieldRef) -> Option<Arg> {
        let found = self.catalogue.program().resolve_field(field).found()?;
        let access = self.from.member(self.catalogue.program(), &found.class, found.access.visibility())?;
        if access == Access::Reflective {
            return None;
        }
        if found.access.is_enum_constant() {
            return Some(Arg::Literal(Literal::Enum(found.reference())));
        }
        let action = Action::GetField { field: found.reference(), receiver: None, access };
        Some(draft.define(action, field.field_type()))
    }

    fn fits(&self, draft: &Draft, arg: &Arg, ty: Type) -> bool {
        draft.type_of(arg).is_some_and(|given| self.catalogue.is_assignable(given, ty))
    }
}
