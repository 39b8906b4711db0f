//! Repeats what others do: the calls of a mined [`Usage`], with values of the maker's own where the source had its own.

use super::{Budget, Hint, Maker, MakerConfig};
use crate::dice::Choose;
use objects::Draft;
use objects::build::{self, Call};
use objects::{CallKind, Callable};
use objects::{Event, Function, Usage, Value, ValueId, narrowed};
use program::{ClassName, Type};
use recipe::{Access, Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Def, Literal, Stmt};
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
        let (method, access) = match callable.kind {
            // Under the name of the source: the class that declares it may be hidden behind one that inherits it.
            CallKind::Static => (event.method, self.static_access(event.method, &callable)?),
            CallKind::Virtual | CallKind::Constructor => self.reach(draft, &callable, receiver.as_ref())?,
        };
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

    fn static_access(&self, named: program::MethodRef, callable: &Callable) -> Option<Access> {
        let class = self.catalogue.program().class(named.class)?;
        let access = self.from.member(self.catalogue.program(), &class, callable.visibility)?;
        (access != Access::Reflective).then_some(access)
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
            Value::Function(function) => self.replayed_function(draft, usage, function, made, budget),
            Value::Array { component, elements } => {
                self.replayed_array(draft, usage, *component, elements, made, budget)
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

    fn replayed_array(
        &mut self,
        draft: &mut Draft,
        usage: &Usage,
        component: Type,
        elements: &[Option<ValueId>],
        made: &mut FxHashMap<ValueId, Arg>,
        budget: Budget,
    ) -> Option<Arg> {
        let elements = elements.iter().map(|element| match element {
            Some(id) => self.replayed(draft, usage, *id, component, Hint::default(), made, budget),
            None => self.value_within(draft, component, Hint::default(), budget),
        });
        let elements = elements.collect::<Option<Vec<Arg>>>()?;
        Some(draft.define(Action::ArrayOf { component, elements }, Type::array_of(component)))
    }

    /// A lambda that calls the same method; `None` if the test cannot.
    fn replayed_function(
        &mut self,
        draft: &mut Draft,
        usage: &Usage,
        function: &Function,
        made: &mut FxHashMap<ValueId, Arg>,
        budget: Budget,
    ) -> Option<Arg> {
        let found = self.catalogue.program().resolve_method(function.target).found()?;
        if found.access.is_synthetic() {
            return None;
        }
        let callable = self.catalogue.callable(found.reference())?;
        let mut types: Vec<Type> = callable.params.iter().map(|param| param.ty).collect();
        if callable.kind == CallKind::Virtual {
            types.insert(0, Type::Class(function.target.class));
        }
        let mut values: Vec<Arg> = Vec::new();
        for (id, ty) in function.captured.iter().zip(&types) {
            values.push(self.replayed(draft, usage, *id, *ty, Hint::not_null(), made, budget)?);
        }
        let erased = function.interface_method.signature();
        let params: Vec<Def> = erased.params.iter().map(|ty| Def { var: draft.fresh(), ty: *ty }).collect();
        let mut stmts: Vec<Stmt> = Vec::new();
        for (param, ty) in params.iter().zip(&function.params) {
            values.push(narrowed_param(draft, &mut stmts, *param, *ty));
        }
        let receiver = (callable.kind == CallKind::Virtual).then(|| values.remove(0));
        let on = receiver.as_ref().map(|_| Type::Class(function.target.class));
        let (method, access) = match on {
            Some(on) => self.catalogue.name_for(callable.method, on, self.from)?,
            None => self.reach(draft, &callable, None)?,
        };
        if access == Access::Reflective || values.len() != callable.params.len() {
            return None;
        }
        let action = match callable.kind {
            CallKind::Constructor => Action::New { constructor: method, args: values, access },
            CallKind::Static | CallKind::Virtual => Action::Call { method, receiver, args: values, access },
        };
        let def = callable.yields().filter(|_| erased.ret.is_some()).map(|ty| Def { var: draft.fresh(), ty });
        stmts.push(Stmt { def, action });
        let result = def.map(|def| Arg::Var(def.var));
        let body =
            CallbackMethod { method: function.interface_method, params, this: None, body: Block { stmts }, result };
        let interface = function.interface_method.class;
        let callback = Callback { form: CallbackForm::Lambda { interface }, methods: vec![body] };
        Some(draft.define(Action::Callback(callback), Type::Class(interface)))
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

    /// An object of one of the classes, together with everything that the program puts together with it.
    pub fn compose(&mut self, draft: &mut Draft, owners: &[ClassName]) -> Option<Arg> {
        let all: Vec<Usage> = owners.iter().flat_map(|class| self.catalogue.compositions(*class).to_vec()).collect();
        let usage = self.rng.one(&all)?;
        let usual = std::mem::replace(&mut self.config.benign, true);
        let composed = self.replay_what_works(draft, usage);
        self.config.benign = usual;
        composed
    }

    /// The calls of the usage that the test can make; gives what it is for.
    fn replay_what_works(&mut self, draft: &mut Draft, usage: &Usage) -> Option<Arg> {
        let limit = draft.position() + self.policy().statements_of_call * self.config.statements;
        let budget = Budget { levels: self.config.depth, limit };
        let mut made: FxHashMap<ValueId, Arg> = FxHashMap::default();
        for event in &usage.events {
            let checkpoint = draft.checkpoint();
            match self.event(draft, usage, event, &mut made, budget) {
                Some(given) => made.extend(event.result.zip(given)),
                // What the test cannot do, others may do without; whoever needs its result gets another one.
                None => {
                    draft.take_back(checkpoint);
                    made.retain(|_, arg| matches!(arg, Arg::Literal(_)) || draft.type_of(arg).is_some());
                }
            }
        }
        usage.gives.and_then(|id| made.remove(&id))
    }

    /// An object of the class as a container would make it: of each part that is needed there is one, which all others share, and
    /// none is one of the test itself if there are real ones.
    pub fn inject(&mut self, draft: &mut Draft, class: ClassName) -> Option<Arg> {
        let usual = self.config;
        let depth = self.policy().depth_of_parts;
        self.config = MakerConfig { reuse: 1.0, usage: 0.0, real: true, benign: true, depth, ..usual };
        let made = self.value(draft, Type::Class(class), Hint::not_null());
        self.config = usual;
        made
    }

    fn fits(&self, draft: &Draft, arg: &Arg, ty: Type) -> bool {
        draft.type_of(arg).is_some_and(|given| self.catalogue.is_assignable(given, ty))
    }
}

/// The parameter of a lambda as what it really is.
fn narrowed_param(draft: &mut Draft, stmts: &mut Vec<Stmt>, param: Def, ty: Type) -> Arg {
    if param.ty == ty || !param.ty.is_reference() {
        return Arg::Var(param.var);
    }
    let def = Def { var: draft.fresh(), ty };
    stmts.push(Stmt { def: Some(def), action: Action::Cast(Arg::Var(param.var)) });
    Arg::Var(def.var)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;
    use crate::{MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Pool};
    use program::MethodRef;

    #[test]
    fn method_references_and_arrays_of_the_program_are_made_again() {
        let function = Function {
            interface_method: MethodRef::new(
                "java/util/function/Function",
                "apply",
                "(Ljava/lang/Object;)Ljava/lang/Object;",
            ),
            params: vec![Type::Class(ClassName::string())],
            target: MethodRef::new("java/lang/String", "length", "()I"),
            captured: Vec::new(),
        };
        let comparing = MethodRef::new(
            "java/util/Comparator",
            "comparing",
            "(Ljava/util/function/Function;)Ljava/util/Comparator;",
        );
        let as_list = MethodRef::new("java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;");
        let event = |method, args: Vec<u32>, result| Event {
            method,
            receiver: None,
            args: args.into_iter().map(ValueId).collect(),
            result: Some(ValueId(result)),
            bci: 0,
        };
        let made = |ty: &str, event| Value::Made { ty: Type::class(ty), event };
        let usage = Usage {
            source: comparing,
            events: vec![event(comparing, vec![0], 1), event(as_list, vec![2], 3)],
            gives: Some(ValueId(3)),
            values: vec![
                (ValueId(0), Value::Function(Box::new(function))),
                (ValueId(1), made("java/util/Comparator", 0)),
                (
                    ValueId(2),
                    Value::Array { component: Type::class("java/lang/Object"), elements: vec![Some(ValueId(1))] },
                ),
                (ValueId(3), made("java/util/List", 1)),
            ],
        };
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (pool, statistics, mut rng) = (Pool::general(), MemberStatistics::default(), Rng::with_seed(1));
        let (from, config) = (AccessContext::public(), MakerConfig::default());
        let mut maker =
            Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
        let mut draft = Draft::new();
        assert!(maker.replay(&mut draft, &usage).flatten().is_some());
        let text = draft.finish().to_string();
        assert!(text.contains("v1: java.lang.String = cast v0"), "{text}");
        assert!(text.contains("v2: int = call v1->java.lang.String.length(): int"), "{text}");
        assert!(text.contains("comparing(java.util.function.Function v3)"), "{text}");
        assert!(text.contains("array java.lang.Object {v4}"), "{text}");
    }
}
