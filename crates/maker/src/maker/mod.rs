//! Makes values: goes a way of the [`Catalogue`], makes what the way needs, adds the statements to a [`Draft`]. Random, guided
//! by weights, bounded in depth and size; everything it adds is well typed.

mod database;
mod elements;
mod found;
mod generic;
mod generic_class;
mod giving;
mod keys;
mod members;
mod numbers;
mod ranges;
mod reflected;
mod replay;
mod shaped;
mod stub;
mod texts;
mod throwing;
mod user_class;
mod user_object;

use crate::dice::{Choose, Rng};
use crate::draw::Draw;
use crate::literals;
use crate::statistics::{Member, MemberStatistics};
use objects::build::{self, Call};
use objects::{
    AccessContext, Argument, CallKind, Callable, Catalogue, Draft, Entry, EntryPoint, How, Keeper, Param, Pool,
    TextHint, Usable, Variable, Way,
};
use policy::Making;
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::{Access, Action, Arg, JavaString, Literal, Stmt, VarId};
use std::sync::Arc;

#[derive(Debug)]
pub struct Maker<'a> {
    pub catalogue: &'a Catalogue,
    pub pool: &'a Pool,
    pub statistics: &'a MemberStatistics,
    pub rng: &'a mut Rng,
    pub from: AccessContext,
    pub config: MakerConfig,
}

/// How a maker decides where it has a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MakerConfig {
    /// How often a fitting variable is used again.
    pub reuse: f64,
    /// How often a reference is null.
    pub null: f64,
    /// How many levels of values inside values are made by free choice; below, the cheapest way is taken.
    pub depth: u8,
    /// How many statements one value may add.
    pub statements: usize,
    /// How often an object is made the way that others make it, set-up included, where call sites show one.
    pub usage: f64,
    /// How often an `Object` or a class is one of the user's, where the code near the crash reflects on classes.
    pub user_class: f64,
    /// How often an argument is of a type that the called method casts to or tests for.
    pub casts: f64,
    /// Whether texts are made of words that the called method compares with.
    pub knows_words: bool,
    /// Levels of nesting to put into texts now and then; 0 for none.
    pub nesting: u32,
    /// How many elements a collection or array has at most.
    pub elements: usize,
    /// Whether objects that the test only pretends to have are left out, where there are real ones.
    pub real: bool,
    /// Whether texts are documents with much in them, since something is to be found there.
    pub is_rich: bool,
    /// Whether what is made is to work: nothing is null, and collections have elements.
    pub benign: bool,
    /// How often a part of a value that code takes apart is not as expected, unless it is to work.
    pub flawed: f64,
    /// The call whose arguments are being made, with all that is in them.
    pub caller: Option<MethodRef>,
    /// Whether a text is such an argument itself, and not in one.
    pub is_direct: bool,
}

impl MakerConfig {
    /// As a policy says.
    pub fn of(policy: &Making) -> MakerConfig {
        MakerConfig {
            reuse: policy.reuse,
            null: policy.null,
            depth: policy.depth,
            statements: policy.statements,
            usage: policy.usage,
            user_class: policy.user_class,
            casts: policy.casts,
            knows_words: true,
            nesting: 0,
            elements: policy.elements,
            real: false,
            is_rich: false,
            benign: false,
            flawed: policy.flawed,
            caller: None,
            is_direct: false,
        }
    }
}

impl Default for MakerConfig {
    fn default() -> Self {
        MakerConfig::of(&Making::STANDARD)
    }
}

/// What is known about a value beside its type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// Type arguments: element types of a collection, what a function takes and gives.
    pub arguments: &'a [Argument],
    /// What a text may be about and made of.
    pub text: TextHint<'a>,
    /// Null would be refused.
    pub not_null: bool,
}

impl<'a> Hint<'a> {
    pub fn of(param: &'a Param) -> Hint<'a> {
        let text = TextHint { topic: &param.topic, about: &param.about, ..TextHint::default() };
        Hint { arguments: &param.arguments, text, not_null: param.is_outer_instance }
    }

    pub fn not_null() -> Hint<'a> {
        Hint { not_null: true, ..Hint::default() }
    }
}

impl Maker<'_> {
    fn policy(&self) -> &'static Making {
        &self.rng.policy().making
    }

    /// A value of the type, made at the draft's place; `None` if there is no way to one.
    pub fn value(&mut self, draft: &mut Draft, ty: Type, hint: Hint<'_>) -> Option<Arg> {
        let limit = draft.position() + self.config.statements;
        self.value_within(draft, ty, hint, Budget { levels: self.config.depth, limit })
    }

    /// Calls some method of the object, or sets one of its fields; changes its state more often than not. Null fields and
    /// methods of `Object` are left out.
    pub fn act_on(&mut self, draft: &mut Draft, variable: VarId) -> Option<Option<Arg>> {
        let known = draft.variables().iter().find(|known| known.id == variable)?;
        let class = known.ty.as_class()?;
        if draft.declares(class) {
            let limit = draft.position() + self.config.statements;
            self.change_own(draft, variable, class, Budget { levels: self.config.depth, limit })?;
            return Some(None);
        }
        let usable = self.member_to_call(class)?;
        let limit = draft.position() + self.config.statements;
        let below = Budget { levels: self.config.depth, limit };
        let checkpoint = draft.checkpoint();
        let Some(args) = self.arguments_of_call(draft, &usable.callable, below) else {
            draft.take_back(checkpoint);
            return None;
        };
        self.prepare_database(draft, &Arg::Var(variable), &args);
        let call = Call::member(&usable, Arg::Var(variable));
        Some(build::call(draft, call, args))
    }

    /// One of the class's methods: those that may change what the crash looks at are called more often, those that always fail
    /// less.
    fn member_to_call(&mut self, class: ClassName) -> Option<Usable> {
        let members = self.catalogue.members(class, self.from);
        let weights = self.pool.relevance_of_members(class, self.from, &members);
        let works = |index: usize| self.statistics.factor(Member::Method(members[index].name));
        let chosen = self.rng.index_by_weight_and_factor(weights.iter().copied(), works)?;
        Some(members[chosen].clone())
    }

    /// Sets a field of the program by force, where the language or reflection lets the test: for states that no method leads
    /// to. `None` if no object of the draft has it.
    pub fn set_field(&mut self, draft: &mut Draft, field: FieldRef) -> Option<()> {
        let program = self.catalogue.program().clone();
        let found = program.resolve_field(field).found()?;
        if found.access.is_final() {
            return None;
        }
        let access = self.from.member(&program, &found.class, found.access.visibility())?;
        let receiver = if found.access.is_static() {
            None
        } else {
            let ty = Type::Class(field.class);
            let owners: Vec<VarId> = draft
                .variables()
                .iter()
                .filter(|variable| self.catalogue.is_assignable(variable.ty, ty))
                .map(|variable| variable.id)
                .collect();
            Some(Arg::Var(*self.rng.one(&owners)?))
        };
        let ty = field.field_type();
        let value = if ty.is_reference() && self.rng.bool() {
            Arg::Literal(Literal::Null(ty))
        } else {
            self.value(draft, ty, Hint::default())?
        };
        draft.perform(Action::PutField { field: found.reference(), receiver, value, access });
        Some(())
    }

    /// Calls the method so that this very body runs: on a receiver that does not override it, under a name that the test may
    /// use. Gives the variable that holds the result; `None` inside for `void`.
    pub fn call(&mut self, draft: &mut Draft, method: MethodRef) -> Option<Option<Arg>> {
        let callable = self.catalogue.callable(method)?;
        let limit = draft.position() + self.policy().statements_of_call * self.config.statements;
        let budget = Budget { levels: self.config.depth, limit };
        let checkpoint = draft.checkpoint();
        let result = self.call_exactly(draft, &callable, None, budget);
        if result.is_none() {
            draft.take_back(checkpoint);
        }
        result
    }

    /// Another value for one parameter of a method, with all that is known about it; for a call that is there already.
    pub fn parameter(&mut self, draft: &mut Draft, method: MethodRef, index: usize) -> Option<Arg> {
        let found = self.catalogue.program().resolve_method(method).found()?;
        let callable = self.catalogue.callable(found.reference())?;
        let limit = draft.position() + self.config.statements;
        let checkpoint = draft.checkpoint();
        let budget = Budget { levels: self.config.depth, limit };
        self.config.caller = Some(callable.method);
        let value = self.argument(draft, &callable, index, budget);
        if value.is_none() {
            draft.take_back(checkpoint);
        }
        value
    }

    /// Goes in by the entry's point.
    pub fn enter(&mut self, draft: &mut Draft, entry: &Entry) -> Option<Option<Arg>> {
        match entry.point {
            EntryPoint::Call(method) => self.call(draft, method),
            EntryPoint::Field(field) => {
                let action = Action::GetField { field, receiver: None, access: entry.access };
                Some(Some(draft.define(action, field.field_type())))
            }
            EntryPoint::CallOnResult(method, then) => {
                let checkpoint = draft.checkpoint();
                let result = self.call(draft, method)??;
                let finished = self.call_on(draft, &result, then);
                if finished.is_none() {
                    draft.take_back(checkpoint);
                }
                finished
            }
        }
    }

    /// Calls the method on an object that is there already.
    pub fn call_on(&mut self, draft: &mut Draft, receiver: &Arg, method: MethodRef) -> Option<Option<Arg>> {
        let callable = self.catalogue.callable(method)?;
        let on = draft.type_of(receiver)?;
        let (name, access) = self.catalogue.name_for(method, on, self.from)?;
        let limit = draft.position() + self.config.statements;
        let args = self.arguments_of_call(draft, &callable, Budget { levels: self.config.depth, limit })?;
        let receiver = Some(receiver.clone());
        Some(build::call(draft, Call { callable: &callable, method: name, access, receiver, creates: None }, args))
    }

    /// The same with some arguments that are given; those that are missing are made.
    pub fn call_with(
        &mut self,
        draft: &mut Draft,
        receiver: &Arg,
        method: MethodRef,
        given: Vec<Option<Arg>>,
    ) -> Option<Option<Arg>> {
        let callable = self.catalogue.callable(method)?;
        let on = draft.type_of(receiver)?;
        let (name, access) = self.catalogue.name_for(method, on, self.from)?;
        let limit = draft.position() + self.config.statements;
        let budget = Budget { levels: self.config.depth, limit };
        let outer = self.config.caller.replace(method);
        let mut given = given.into_iter();
        let args = (0..callable.params.len()).map(|index| match given.next().flatten() {
            Some(arg) => Some(arg),
            None => self.argument(draft, &callable, index, budget),
        });
        let args: Option<Vec<Arg>> = args.collect();
        self.config.caller = outer;
        let args = args?;
        self.inject_fields(draft, receiver, method);
        let receiver = Some(receiver.clone());
        Some(build::call(draft, Call { callable: &callable, method: name, access, receiver, creates: None }, args))
    }

    fn value_within(&mut self, draft: &mut Draft, ty: Type, hint: Hint<'_>, budget: Budget) -> Option<Arg> {
        if let Some(number) = self.same_number(draft, ty, hint) {
            return Some(number);
        }
        if let Some(literal) = literals::primitive(ty, self.pool, self.rng) {
            return Some(Arg::Literal(literal));
        }
        if !hint.not_null && !self.config.benign && self.rng.chance(self.config.null) {
            return Some(Arg::Literal(Literal::Null(ty)));
        }
        if let Some(variable) = self.reusable(draft, ty).filter(|_| self.rng.chance(self.config.reuse)) {
            return Some(variable);
        }
        if ty == Type::Class(ClassName::object())
            && let Some(value) = self.object(draft, hint, budget)
        {
            return Some(value);
        }
        self.new_value(draft, ty, hint, budget)
            .or_else(|| self.reusable(draft, ty))
            .or_else(|| (!hint.not_null).then_some(Arg::Literal(Literal::Null(ty))))
    }

    /// A value made by a way of the catalogue.
    fn new_value(&mut self, draft: &mut Draft, ty: Type, hint: Hint<'_>, budget: Budget) -> Option<Arg> {
        let value = self.new_instance(draft, ty, hint, budget)?;
        let given = draft.type_of(&value)?;
        if self.catalogue.is_assignable(given, ty) { Some(value) } else { self.cast(draft, value, ty) }
    }

    /// A class that is made under the name of a supertype has to be cast, which needs a name that the test can write.
    fn cast(&mut self, draft: &mut Draft, value: Arg, ty: Type) -> Option<Arg> {
        let class = self.catalogue.program().class(ty.as_class()?)?;
        let access = self.from.class(self.catalogue.program(), &class)?;
        (access != Access::Reflective).then(|| draft.define(Action::Cast(value), ty))
    }

    /// A value whose object is of the type, although its variable may only say so of a supertype.
    fn new_instance(&mut self, draft: &mut Draft, ty: Type, hint: Hint<'_>, budget: Budget) -> Option<Arg> {
        if let Type::Class(class) = ty
            && self.catalogue.program().is_application_default(class)
            && !budget.is_spent(draft)
            && self.rng.chance(self.config.usage)
            && let Some(value) = self.set_up(draft, class)
        {
            return Some(value);
        }
        let ways = self.catalogue.ways(ty, self.from);
        if !budget.is_spent(draft)
            && self.holds_objects(hint)
            && let Some(collection) = ways.iter().find(|way| matches!(way.how, How::Collection(_)))
            && (self.config.benign || self.rng.chance(self.policy().collected))
        {
            return self.go(draft, collection, hint, budget);
        }
        // A few ways by choice, then the cheapest: it is the likeliest to work at all.
        let tries = if budget.is_spent(draft) { 0 } else { self.policy().tries };
        for _ in 0..tries {
            let index = self.way_to_go(&ways)?;
            if let Some(value) = self.go(draft, &ways[index], hint, budget) {
                return Some(value);
            }
        }
        let cheapest = self.catalogue.cheapest(ty, budget.levels, self.from)?;
        if self.config.real && is_pretence(&cheapest, self.catalogue) {
            return None;
        }
        self.go(draft, &cheapest, hint, budget)
    }

    /// Whether a collection is asked for that holds objects of the program: others have collections of their own.
    fn holds_objects(&self, hint: Hint<'_>) -> bool {
        let program = self.catalogue.program();
        let of_program =
            |argument: &Argument| argument.ty.as_class().is_some_and(|class| program.is_application_default(class));
        hint.arguments.iter().any(of_program)
    }

    /// One of the ways: those that mostly fail less often.
    fn way_to_go(&mut self, ways: &[Way]) -> Option<usize> {
        let (catalogue, statistics, is_real) = (self.catalogue, self.statistics, self.config.real);
        let works = |index: usize| match &ways[index] {
            way if is_real && is_pretence(way, catalogue) => 0.0,
            way => experience(way, statistics),
        };
        self.rng.index_by_weight_and_factor(ways.iter().map(|way| way.weight), works)
    }

    /// Goes the way; leaves the draft as it was if that fails.
    fn go(&mut self, draft: &mut Draft, way: &Way, hint: Hint<'_>, budget: Budget) -> Option<Arg> {
        let checkpoint = draft.checkpoint();
        let value = self.try_to_go(draft, way, hint, budget);
        if value.is_none() {
            draft.take_back(checkpoint);
        }
        value
    }

    fn try_to_go(&mut self, draft: &mut Draft, way: &Way, hint: Hint<'_>, budget: Budget) -> Option<Arg> {
        match &way.how {
            How::Literal if way.yields == Type::Class(ClassName::string()) => Some(self.string(draft, hint)),
            How::Literal => self.literal(draft, way.yields).map(Arg::Literal),
            How::Enum(field) => Some(Arg::Literal(Literal::Enum(*field))),
            How::StaticField(field) => {
                let action = Action::GetField { field: *field, receiver: None, access: way.access };
                Some(draft.define_exactly(action, way.yields, way.creates))
            }
            How::Call(callable) if way.creates.is_some() => self.call_exactly(draft, callable, way.creates, budget)?,
            How::Call(callable) => {
                let made = self.call_within(draft, callable, way.access, budget)?;
                if let (CallKind::Constructor, [], Some(object)) = (callable.kind, &*callable.params, &made) {
                    self.furnish(draft, object, callable.method.class, budget);
                }
                made
            }
            How::Build { build, setters } => self.build(draft, build, setters, way.access, budget),
            How::Found(found) => self.found(draft, found, way.access, way.yields, budget),
            How::Stub(stub) => self.stub(draft, stub, way.yields, hint, budget),
            How::Collection(collection) => self.collection(draft, *collection, way.yields, hint, budget),
            How::Array(component) => self.array(draft, *component, hint, budget),
            How::Stream(kind) => Some(self.stream(draft, *kind, hint)),
            How::TempFile => Some(self.file(draft, hint)),
            How::TempDir => Some(self.directory(draft, hint)),
            How::Token(class) => Some(self.token(draft, *class)),
            How::GenericType(wanted) => Some(self.generic_type(draft, *wanted)),
            How::Reflected(wanted) => self.reflected(draft, *wanted),
        }
    }

    /// Calls the method on any receiver of its class. `Some(None)` for a method that returns nothing.
    fn call_within(
        &mut self,
        draft: &mut Draft,
        callable: &Callable,
        access: Access,
        budget: Budget,
    ) -> Option<Option<Arg>> {
        let below = budget.below()?;
        let receiver = match callable.kind {
            CallKind::Virtual => {
                Some(self.value_within(draft, Type::Class(callable.method.class), Hint::not_null(), below)?)
            }
            CallKind::Constructor | CallKind::Static => None,
        };
        let args = self.arguments(draft, callable, below)?;
        Some(build::call(draft, Call { callable, method: callable.method, access, receiver, creates: None }, args))
    }

    /// Calls some setters of a fresh builder, each on what the one before gave, and then the method that builds.
    fn build(
        &mut self,
        draft: &mut Draft,
        build: &Callable,
        setters: &[Usable],
        access: Access,
        budget: Budget,
    ) -> Option<Arg> {
        let below = budget.below()?;
        let mut receiver = self.value_within(draft, Type::Class(build.method.class), Hint::not_null(), below)?;
        for setter in self.setters_to_call(setters) {
            let checkpoint = draft.checkpoint();
            match self.arguments(draft, &setter.callable, below) {
                Some(args) => {
                    receiver = build::call(draft, Call::member(&setter, receiver.clone()), args).unwrap_or(receiver);
                }
                None => draft.take_back(checkpoint),
            }
        }
        build::call(
            draft,
            Call { callable: build, method: build.method, access, receiver: Some(receiver), creates: None },
            Vec::new(),
        )
    }

    /// Sets fields of a fresh object, as a mapper of documents would, where its class is made for that: nobody's code shows how.
    fn furnish(&mut self, draft: &mut Draft, object: &Arg, class: ClassName, budget: Budget) {
        let properties = self.catalogue.properties(class, self.from);
        let Some(below) = budget.below().filter(|_| !properties.is_empty()) else { return };
        let numbers = self.policy();
        if !self.rng.chance(numbers.filled) {
            return;
        }
        for property in properties.iter() {
            let is_of_crash = self.pool.relevance(property.callable.method) > 1.0;
            let often = if is_of_crash { numbers.property_of_crash } else { numbers.property };
            if !self.rng.chance(often) {
                continue;
            }
            let (checkpoint, usual) = (draft.checkpoint(), self.config);
            // What the crash looks at may be what is wrong, even in an object that is only to be stored.
            if is_of_crash {
                self.config = MakerConfig { benign: false, flawed: numbers.flawed_of_crash, null: 0.0, ..usual };
            }
            let args = self.arguments(draft, &property.callable, below);
            self.config = usual;
            match args {
                Some(args) => drop(build::call(draft, Call::member(property, object.clone()), args)),
                None => draft.take_back(checkpoint),
            }
        }
    }

    /// Each of a builder's setters, or a few: what is built mostly needs what can be said of it.
    fn setters_to_call(&mut self, setters: &[Usable]) -> Vec<Usable> {
        if setters.len() <= self.policy().all_setters && self.rng.bool() {
            let mut all = setters.to_vec();
            self.rng.shuffle(&mut all);
            return all;
        }
        (0..self.rng.small(self.policy().setters)).filter_map(|_| self.rng.one(setters).cloned()).collect()
    }

    /// Calls the method so that this very body runs.
    fn call_exactly(
        &mut self,
        draft: &mut Draft,
        callable: &Callable,
        creates: Option<ClassName>,
        budget: Budget,
    ) -> Option<Option<Arg>> {
        let below = budget.below()?;
        let (method, access, receiver) = match callable.kind {
            CallKind::Virtual => {
                let receiver = self.receiver(draft, callable.method, below)?;
                let on = draft.type_of(&receiver)?;
                let (name, access) = self.catalogue.name_for(callable.method, on, self.from)?;
                (name, access, Some(receiver))
            }
            CallKind::Constructor | CallKind::Static => {
                let class = self.catalogue.program().class(callable.method.class)?;
                let access = self.from.member(self.catalogue.program(), &class, callable.visibility)?;
                (callable.method, access, None)
            }
        };
        let args = self.arguments_of_call(draft, callable, below)?;
        if let Some(receiver) = &receiver {
            self.inject_fields(draft, receiver, callable.method);
            self.prepare_database(draft, receiver, &args);
        }
        Some(build::call(draft, Call { callable, method, access, receiver, creates }, args))
    }

    /// An object on which a call of the method runs this very body.
    fn receiver(&mut self, draft: &mut Draft, method: MethodRef, budget: Budget) -> Option<Arg> {
        let owners = self.catalogue.owners(method);
        let runs = |variable: &&Variable| match variable.class.or(variable.ty.as_class()) {
            Some(class) if self.catalogue.dispatches(class, method) => true,
            _ => owners.iter().any(|owner| self.is_made_as(draft, variable.id, *owner)),
        };
        let fitting: Vec<Arg> = draft.variables().iter().filter(runs).map(|variable| Arg::Var(variable.id)).collect();
        if let Some(known) = self.rng.one(&fitting).filter(|_| self.rng.chance(self.config.reuse)) {
            return Some(known.clone());
        }
        // The declaring class half of the time; each further one is as likely as all that follow.
        let mut order: Vec<ClassName> = owners.to_vec();
        let chosen = self.rng.small(order.len().saturating_sub(1));
        if chosen < order.len() {
            order.swap(0, chosen);
        }
        let made =
            order.into_iter().find_map(|class| self.new_instance(draft, Type::Class(class), Hint::not_null(), budget));
        made.or_else(|| fitting.last().cloned()).or_else(|| self.stub_receiver(draft, method, budget))
    }

    /// Whether the variable's statement makes an object of the class under the name of a supertype.
    fn is_made_as(&self, draft: &Draft, variable: VarId, class: ClassName) -> bool {
        let defines = |stmt: &&Stmt| stmt.def.is_some_and(|def| def.var == variable);
        let Some(Action::Call { method, .. }) = draft.recipe().body.stmts.iter().find(defines).map(|stmt| &stmt.action)
        else {
            return false;
        };
        let creations = self.catalogue.creations(class);
        creations.iter().any(|creation| creation.certain && creation.keeper == Keeper::Returned(*method))
    }

    /// For a method that is inherited by no class of the program: an object of the test inherits it.
    fn stub_receiver(&mut self, draft: &mut Draft, method: MethodRef, budget: Budget) -> Option<Arg> {
        let ways = self.catalogue.ways(Type::Class(method.class), self.from);
        let stub = ways.iter().find(|way| matches!(way.how, How::Stub(_)))?;
        self.go(draft, stub, Hint::not_null(), budget)
    }

    /// The same for a call of the test itself, and not one that makes a part of something.
    fn arguments_of_call(&mut self, draft: &mut Draft, callable: &Callable, budget: Budget) -> Option<Vec<Arg>> {
        let outer = self.config.caller.replace(callable.method);
        let args = self.arguments(draft, callable, budget);
        self.config.caller = outer;
        args
    }

    fn arguments(&mut self, draft: &mut Draft, callable: &Callable, budget: Budget) -> Option<Vec<Arg>> {
        let mut args: Vec<Arg> = (0..callable.params.len())
            .map(|index| self.argument(draft, callable, index, budget))
            .collect::<Option<_>>()?;
        self.name_members(draft, &mut args);
        self.number_in_order(callable, &mut args);
        self.fit_ranges(draft, callable, &mut args);
        Some(args)
    }

    /// A value for the parameter; now and then of a type that the method itself casts to or tests for.
    fn argument(&mut self, draft: &mut Draft, callable: &Callable, index: usize, budget: Budget) -> Option<Arg> {
        let param = callable.params.get(index)?;
        if let Some(url) = self.database_url(callable, index) {
            return Some(url);
        }
        if let Some(value) = self.shaped(draft, callable, index) {
            return Some(value);
        }
        if param.ty.is_reference() && self.rng.chance(self.config.casts) {
            let casts = self.catalogue.casts(callable.method);
            let special: Vec<Type> = casts
                .iter()
                .filter(|ty| **ty != param.ty && self.catalogue.is_assignable(**ty, param.ty))
                .copied()
                .collect();
            if let Some(ty) = self.rng.one(&special)
                && let Some(value) = self.new_value(draft, *ty, Hint::of(param), budget)
            {
                return Some(value);
            }
        }
        let words = if param.takes_text() { self.words_for(callable.method) } else { Arc::default() };
        let mut hint = Hint::of(param);
        hint.text.words = &words;
        hint.text.is_rich = self.config.is_rich;
        self.config.is_direct = self.config.caller == Some(callable.method) && param.takes_text();
        let usual = self.config;
        // What was made for another call has the keys that that one asks for.
        if self.asks_for_keys(callable.method, index) {
            self.config = MakerConfig { reuse: usual.reuse * self.rng.policy().texts.reuse_with_keys, ..usual };
        }
        let value = self.value_within(draft, param.ty, hint, budget);
        self.config = MakerConfig { is_direct: false, ..usual };
        value
    }

    /// Whether the method looks things up in what it is given.
    fn asks_for_keys(&self, method: MethodRef, index: usize) -> bool {
        let shapes = self.catalogue.shapes(method);
        self.config.knows_words && shapes.get(index).is_some_and(|shape| !shape.keys.is_empty())
    }

    /// Words that texts given to the method may contain.
    fn words_for(&self, method: MethodRef) -> Arc<[JavaString]> {
        if self.config.knows_words { self.catalogue.vocabulary(method) } else { Arc::default() }
    }

    /// A variable that can be given for the type, the newer the likelier.
    fn reusable(&mut self, draft: &Draft, ty: Type) -> Option<Arg> {
        let fitting: Vec<_> =
            draft.variables().iter().filter(|variable| self.catalogue.is_assignable(variable.ty, ty)).collect();
        let back = self.rng.small(fitting.len().checked_sub(1)?);
        Some(Arg::Var(fitting[fitting.len() - 1 - back].id))
    }

    /// Something for an `Object`: what the code near the crash casts to, or a string or number.
    fn object(&mut self, draft: &mut Draft, hint: Hint<'_>, budget: Budget) -> Option<Arg> {
        let below = budget.below()?;
        if self.rng.chance(self.config.user_class * self.pool.reflection(self.rng)) {
            return Some(self.user_object(draft));
        }
        match self.rng.pick(&self.policy().object) {
            0 => Some(self.string(draft, hint)),
            1 => literals::primitive(Type::Int, self.pool, self.rng).map(Arg::Literal),
            // What the program prints, compares or looks up may call back.
            2 => self.own_object(draft, below),
            3 => {
                let ty = self.pool.type_for_object(self.rng).filter(|ty| ty.is_reference())?;
                if ty == Type::Class(ClassName::object()) { None } else { self.new_value(draft, ty, hint, below) }
            }
            _ => None,
        }
    }

    /// An object of the test that only differs from a plain one in what every object has.
    fn own_object(&mut self, draft: &mut Draft, budget: Budget) -> Option<Arg> {
        let ways = self.catalogue.ways(Type::Class(ClassName::object()), self.from);
        let stub = ways.iter().find(|way| matches!(way.how, How::Stub(_)))?;
        self.go(draft, stub, Hint::not_null(), budget)
    }

    fn literal(&mut self, draft: &mut Draft, ty: Type) -> Option<Literal> {
        match ty {
            Type::Class(_) if self.rng.chance(self.config.user_class * self.pool.reflection(self.rng)) => {
                Some(Literal::Class(Type::Class(self.user_class(draft))))
            }
            Type::Class(_) => self.class_literal(),
            _ => literals::primitive(ty, self.pool, self.rng),
        }
    }

    /// A class that the test can name.
    fn class_literal(&mut self) -> Option<Literal> {
        let types: Vec<Type> =
            (0..self.policy().draws_of_type).filter_map(|_| self.pool.type_for_object(self.rng)).collect();
        let nameable = types.into_iter().find(|ty| self.is_nameable(*ty));
        Some(Literal::Class(nameable.unwrap_or(Type::Class(ClassName::string()))))
    }

    fn is_nameable(&self, ty: Type) -> bool {
        match ty {
            Type::Class(name) => {
                let program = self.catalogue.program();
                let access = program.class(name).and_then(|class| self.from.class(program, &class));
                access.is_some_and(|access| access != Access::Reflective)
            }
            Type::Array(array) => self.is_nameable(array.component()),
            _ => true,
        }
    }

    /// What is known about texts that the method is given. Where `names` are given, these are the words.
    pub fn with_text_hint<T>(
        &mut self,
        reader: Option<MethodRef>,
        names: &[JavaString],
        then: impl FnOnce(&mut Self, TextHint<'_>) -> T,
    ) -> T {
        let words = match reader {
            _ if !names.is_empty() => names.into(),
            Some(method) => self.words_for(method),
            None => Arc::default(),
        };
        let callable = reader.and_then(|method| self.catalogue.callable(method));
        let mut params = callable.iter().flat_map(|callable| callable.params.iter());
        let param = params.find(|param| param.takes_text());
        let topic = param.map(|param| &*param.topic).unwrap_or_default();
        let about = param.map(|param| &*param.about).unwrap_or_default();
        then(self, TextHint { topic, about, words: &words, is_rich: false })
    }

    /// A literal near the given one, or another of its type. Null stays: making a value in its place takes statements.
    pub fn mutate_literal(&mut self, literal: &Literal, hint: TextHint<'_>) -> Literal {
        match literal {
            Literal::Enum(constant) => {
                let constants = self.catalogue.enum_constants(constant.class);
                Literal::Enum(*self.rng.one(&constants).unwrap_or(constant))
            }
            Literal::Class(_) => self.class_literal().unwrap_or_else(|| literal.clone()),
            other => literals::mutate(other, hint, self.pool, self.rng),
        }
    }
}

/// Whether the way gives an object of the test itself, although there are real ones.
fn is_pretence(way: &Way, catalogue: &Catalogue) -> bool {
    match &way.how {
        How::Stub(stub) => stub.class().is_some_and(|class| catalogue.has_real(class)),
        _ => false,
    }
}

/// How often the way has worked.
fn experience(way: &Way, statistics: &MemberStatistics) -> f64 {
    match &way.how {
        How::Call(callable) => statistics.factor(Member::Method(callable.method)),
        How::Found(found) => statistics.factor(Member::Method(found.callable.method)),
        How::StaticField(field) => statistics.factor(Member::Field(*field)),
        _ => 1.0,
    }
}

/// What is left to spend on one value.
#[derive(Clone, Copy, Debug)]
struct Budget {
    levels: u8,
    /// The draft's length at which only the cheapest ways are gone.
    limit: usize,
}

impl Budget {
    fn below(self) -> Option<Budget> {
        Some(Budget { levels: self.levels.checked_sub(1)?, ..self })
    }

    fn is_spent(self, draft: &Draft) -> bool {
        self.levels == 0 || draft.position() >= self.limit
    }
}
