//! What may be done before a plan: objects are made, fields are written, methods are called.

use super::needed::constructor;
use super::wanted::Wanted;
use super::{Act, Composer, Plan, Search, Step, Work};
use crate::emit::may_run;
use crate::walk::tidy;
use objects::{AccessContext, Callable, How, StubForm, Usable, Way};
use program::{FieldRef, MethodRef, Type};
use recipe::Access;
use smt::Term;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use symbolic::State;

/// Members that are tried to make or change one object.
const MOST_MEMBERS: usize = 10;

/// What it costs to do something to an object that a constructor may leave as it is wanted.
const UNNEEDED: usize = 20;

/// Methods that call each other until one reads or writes a field.
const HELPERS: u8 = 2;

/// Classes of objects that run the method of the trace which are looked at, the nearest first: finding all ways to one takes long.
const MOST_OWNERS: usize = 2;

/// Something that may be done before a plan.
#[derive(Debug)]
pub(super) enum Move {
    Make(Rc<Wanted>, Way),
    Put(Option<Term>, FieldRef),
    Change(Option<Term>, Usable),
}

impl Move {
    pub(super) fn said(&self) -> String {
        match self {
            Move::Make(_, way) => way.to_string(),
            Move::Put(_, field) => format!("{field} ="),
            Move::Change(_, usable) => usable.name.to_string(),
        }
    }
}

impl Composer<'_> {
    /// All that may be done before the plan, to be tried in this order: objects are made, fields are written, methods are called.
    pub(super) fn open_moves(&mut self, plan: Plan, wanted: Option<Wanted>, search: &mut Search) {
        let from = search.from;
        let (mut moves, mut unneeded) = (Vec::new(), Vec::new());
        if let Some(wanted) = wanted.map(Rc::new) {
            let mut makers = self.makers(&plan, &wanted, from);
            let needed = self.needed(&plan, &wanted, &makers, search);
            let is_made = needed.is_none() && makers.iter().any(|way| constructor(way).is_some());
            if needed.is_some() {
                makers.retain(|way| constructor(way).is_none());
            }
            moves.extend(makers.into_iter().map(|way| Move::Make(wanted.clone(), way)));
            let open = needed.as_ref().unwrap_or(&wanted);
            let changes = if is_made { &mut unneeded } else { &mut moves };
            changes.extend(open.fields.iter().map(|field| Move::Put(Some(wanted.object), *field)));
            let changers = self.changers(open, from).into_iter();
            changes.extend(changers.map(|usable| Move::Change(Some(wanted.object), usable)));
        }
        for field in self.statics(&plan.formula) {
            moves.extend(self.static_writers(field, from).into_iter().map(|usable| Move::Change(None, usable)));
            moves.push(Move::Put(None, field));
        }
        let plan = Rc::new(plan);
        let unneeded = unneeded.into_iter().map(|one| (UNNEEDED, one));
        for (place, (more, one)) in moves.into_iter().map(|one| (0, one)).chain(unneeded).enumerate() {
            search.open.push(plan.cost + more + place, Work::Before(plan.clone(), one));
        }
    }

    /// The plans in which this is done first.
    pub(super) fn before(&mut self, plan: &Plan, one: &Move, from: AccessContext) -> Vec<Plan> {
        match one {
            Move::Make(wanted, way) => self.made_by(plan, wanted, way),
            Move::Put(on, field) => self.put(plan, *on, *field, from).into_iter().collect(),
            Move::Change(on, usable) => self.changed_by(plan, *on, usable),
        }
    }

    /// Constructors, factories and methods of other objects that give an object of the type.
    fn makers(&self, plan: &Plan, wanted: &Wanted, from: AccessContext) -> Vec<Way> {
        let mut types = vec![wanted.ty];
        let mut runs = None;
        if let Some(Step { act: Act::Call { callable, .. }, receiver, .. }) = plan.steps.first()
            && *receiver == Some(wanted.object)
        {
            types = self
                .catalogue
                .owners(callable.method)
                .iter()
                .take(MOST_OWNERS)
                .map(|owner| Type::Class(*owner))
                .collect();
            runs = Some(callable.method);
        }
        if let Some(class) = self.class_of(&plan.formula, wanted.object) {
            types = vec![class];
        }
        let mut makers: Vec<Way> = Vec::new();
        for ty in types {
            let ways = self.catalogue.ways(ty, from);
            let is_of_use = |way: &&Way| {
                let runs = runs.is_none_or(|method| may_run(self.catalogue, way, method));
                runs && maker(way).is_some() && !is_of_no_use(way, &ways)
            };
            makers.extend(ways.iter().filter(is_of_use).cloned());
        }
        let objects = |way: &Way| {
            let is_asked = way.asked_object().is_some();
            (is_asked, way.needs().filter(|ty| ty.is_reference()).count())
        };
        makers.sort_by(|a, b| {
            a.access.cmp(&b.access).then(objects(a).cmp(&objects(b))).then(b.weight.total_cmp(&a.weight))
        });
        makers.truncate(MOST_MEMBERS);
        makers
    }

    /// Methods of the object that may write what is read of it; those that write little first.
    fn changers(&self, wanted: &Wanted, from: AccessContext) -> Vec<Usable> {
        let Some(class) = wanted.ty.as_class() else { return Vec::new() };
        let effects = |usable: &Usable| self.world.methods.effects(usable.callable.method);
        let writes = |usable: &&Usable| {
            let writes = &effects(usable).writes;
            wanted.fields.iter().any(|field| writes.has(*field)) || (wanted.has_elements && !writes.arrays.is_empty())
        };
        let mut found: Vec<Usable> = self.catalogue.members(class, from).iter().filter(writes).cloned().collect();
        // Nearly everything may write a vector by way of code that it calls. Who means this one begins with the field that has it.
        found.sort_by_cached_key(|usable| {
            let effects = effects(usable);
            let is_meant = self.touches(usable.callable.method, &wanted.own, HELPERS);
            (!is_meant, effects.cut, directness(usable, effects.writes.fields.len()))
        });
        found.truncate(MOST_MEMBERS);
        found
    }

    /// Whether the method itself reads or writes one of the fields, or a method of the same object that it calls.
    fn touches(&self, method: MethodRef, fields: &BTreeSet<FieldRef>, depth: u8) -> bool {
        let Some(own) = self.world.methods.own_effects(method) else { return false };
        let is_one = |field: &FieldRef| own.reads.has(*field) || own.writes.has(*field);
        let is_helper = |callee: &MethodRef| self.catalogue.is_subclass(method.class, callee.class);
        fields.iter().any(is_one)
            || (depth > 0 && own.calls().filter(is_helper).any(|callee| self.touches(callee, fields, depth - 1)))
    }

    /// What may write the static field when it is called, of its class.
    fn static_writers(&self, field: FieldRef, from: AccessContext) -> Vec<Usable> {
        let effects = |usable: &Usable| self.world.methods.effects(usable.callable.method);
        let mut writers = self.catalogue.static_members(field.class, from);
        writers.extend(self.catalogue.members(field.class, from).iter().cloned());
        writers.retain(|usable| effects(usable).writes.has(field));
        writers.sort_by_key(|usable| directness(usable, effects(usable).writes.statics.len()));
        writers.truncate(MOST_MEMBERS);
        writers
    }

    /// The plan in which the test writes the field itself, if it may.
    fn put(&self, plan: &Plan, on: Option<Term>, field: FieldRef, from: AccessContext) -> Option<Plan> {
        let program = self.world.program();
        let class = program.class(field.class)?;
        let declared = class.fields.iter().find(|one| one.name == field.name && one.descriptor == field.descriptor)?;
        let access = from.member(program, &class, declared.access.visibility())?;
        if declared.access.is_final() || program.is_jdk(field.class) {
            return None;
        }
        let mut next = self.written(plan, on, field, access)?;
        next.cost = self.cost(&next);
        Some(next)
    }

    /// The plan in which the field is written before everything else, if the condition reads it.
    pub(super) fn written(&self, plan: &Plan, on: Option<Term>, field: FieldRef, access: Access) -> Option<Plan> {
        if on.is_some_and(|object| !self.reads(&plan.formula, field, object)) {
            return None;
        }
        let ty = field.field_type();
        let value = self.world.argument(ir::kind_of_type(ty));
        let mut state = State::identity(0);
        match on {
            Some(object) => state.set_field(self.world, object, field, value),
            None => state.set_static(self.world, field, value),
        }
        let mut formula = state.compose(self.world, &plan.formula);
        if formula == plan.formula {
            return None;
        }
        formula.push(self.world.well_typed(value, ty));
        let mut next = plan.clone();
        next.formula = tidy(self.world, formula);
        next.objects.extend(ty.is_reference().then_some((value, ty)));
        let act = Act::Put { field, access };
        next.steps.push(Step { act, receiver: on, args: vec![(value, ty)], makes: None });
        Some(next)
    }

    /// The fields are written by force, each with a value of its own.
    pub(super) fn forged(&self, plan: &Plan, wanted: &Wanted) -> Option<Plan> {
        let program = self.world.program();
        let mut next: Option<Plan> = None;
        for field in wanted.fields.iter().filter(|field| !program.is_jdk(field.class)) {
            let before = next.as_ref().unwrap_or(plan);
            next = self.written(before, Some(wanted.object), *field, Access::Reflective).or(next);
        }
        next
    }

    /// Whether reflection can write the static field.
    pub(super) fn is_open(&self, field: FieldRef) -> bool {
        let program = self.world.program();
        let class = program.class(field.class).filter(|class| !program.is_jdk(class.name));
        let declared = class.as_ref().and_then(|class| class.field(field.name, field.descriptor));
        declared.is_some_and(|field| !field.access.is_final())
    }
}

/// Members that write little come first, be it with arguments: what may write much mostly does something else. How much it is counts
/// roughly only, so that of those that are alike the one that asks for less comes first.
fn directness(usable: &Usable, writes: usize) -> (u32, usize, usize) {
    (writes.max(1).ilog2() / 2, usable.callable.params.len(), writes)
}

/// Whether the way is a subclass that overrides nothing of a class that can be had without one.
fn is_of_no_use(way: &Way, ways: &[Way]) -> bool {
    let How::Stub(stub) = &way.how else { return false };
    let StubForm::Subclass(constructor) = &stub.form else { return false };
    let is_same = |other: &Way| matches!(&other.how, How::Call(callable) if callable.method == constructor.method);
    ways.iter().any(|other| is_same(other) && other.access <= way.access)
}

/// What the way calls to make an object; none if it makes one otherwise.
pub(super) fn maker(way: &Way) -> Option<&Arc<Callable>> {
    match &way.how {
        How::Call(callable) | How::Build { build: callable, .. } => Some(callable),
        How::Stub(stub) => match &stub.form {
            StubForm::Subclass(constructor) => Some(constructor),
            StubForm::Lambda(_) | StubForm::Interface(_) => None,
        },
        _ => None,
    }
}
