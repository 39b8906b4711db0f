//! What each operation does to a state. Calls are for whoever runs methods: here they are only told apart.

use crate::arithmetic;
use crate::guards;
use crate::leaves::{Region, sort_of_kind, stored};
use crate::state::State;
use crate::world::World;
use ir::{Body, Instr, Kind, Op, Operand, Rvalue, Terminator, Var};
use program::{CodePoint, FieldRef, InstrId, Type};
use smt::{Scalar, Sort, Term};

/// What became of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    Done,
    /// It is a call, and nothing was done.
    Call,
}

impl State {
    /// Applies an operation that ends as usual: what its guards ask for is assumed.
    pub fn apply(&mut self, world: &World, body: &Body, instr: &Instr) -> Applied {
        match &instr.op {
            Op::Invoke(..) | Op::Assign(_, Rvalue::Invoke(..)) => return Applied::Call,
            Op::Assign(var, value) => {
                let term = self.rvalue(world, body, *var, value, instr.id);
                self.vars.insert(*var, term);
            }
            Op::PutField { object, field, value } => {
                let object = self.operand(world, body, object, Kind::Reference);
                let value = self.operand(world, body, value, ir::kind_of_type(field.field_type()));
                self.set_field(world, object, *field, value);
            }
            Op::PutStatic { field, value } => self.put_static(world, body, *field, value),
            Op::PutElement { array, index, value, component } => {
                let index =
                    (self.operand(world, body, array, Kind::Reference), self.operand(world, body, index, Kind::Int));
                let kind = component.map_or(Kind::Int, ir::kind_of_type);
                let value = self.operand(world, body, value, kind);
                let element = component.map_or_else(|| element_of(world.terms.sort(value)), element);
                let old = self.region(world, Region::Elements(element));
                let new = world.terms.store(old, index, world.as_stored(value, element.into()));
                self.set_region(Region::Elements(element), new);
            }
            Op::Guard(guard) => match guards::passes(world, self, body, guard) {
                Some(condition) => self.assume(world, condition),
                None => self.marks.loose = true,
            },
            Op::MonitorEnter(_) | Op::MonitorExit(_) => {}
        }
        Applied::Done
    }

    /// The field is as it is before its class is initialised.
    pub fn clear_static(&mut self, world: &World, field: FieldRef) {
        let region = Region::Static(world.methods.declared(field));
        let zero = world.terms.value(&smt::Value::default_of(region.sort()));
        self.set_region(region, zero);
    }

    /// Reads a static field. What is known of those of its class holds once that is initialised.
    fn static_field(&self, world: &World, body: &Body, field: FieldRef) -> Term {
        let field = world.methods.declared(field);
        let region = Region::Static(field);
        let is_initialiser = body.method.is_static_initialiser() && body.method.class == field.class;
        let known =
            (!self.memory.contains_key(&region) && !is_initialiser).then(|| world.static_value(field)).flatten();
        world.as_operand(known.unwrap_or_else(|| self.region(world, region)), field.field_type())
    }

    /// The length of an array that is not null.
    pub fn length(&self, world: &World, array: Term) -> Term {
        let read = world.terms.select(self.region(world, Region::Lengths), array);
        world.known_cell(&Region::Lengths, read).unwrap_or(read)
    }

    fn put_static(&mut self, world: &World, body: &Body, field: FieldRef, value: &Operand) {
        let value = self.operand(world, body, value, ir::kind_of_type(field.field_type()));
        self.set_static(world, field, value);
    }

    pub fn set_static(&mut self, world: &World, field: FieldRef, value: Term) {
        let region = Region::Static(world.methods.declared(field));
        let sort = region.sort();
        self.set_region(region, world.as_stored(value, sort));
    }

    fn rvalue(&mut self, world: &World, body: &Body, var: Var, value: &Rvalue, at: InstrId) -> Term {
        let terms = &world.terms;
        let kind = body.var(var).and_then(|info| info.kind).unwrap_or(Kind::Int);
        let get = |operand: &Operand, hint: Kind| self.operand(world, body, operand, hint);
        match value {
            Rvalue::Use(operand) => get(operand, kind),
            Rvalue::Negate(operand) => arithmetic::negate(terms, get(operand, kind)),
            Rvalue::Binary(op, left, right) => {
                arithmetic::binary(terms, *op, get(left, kind), get(right, body.kind_of(right).unwrap_or(kind)))
            }
            Rvalue::ThreeWay(op, left, right) => {
                let kind = match op {
                    ir::ThreeWay::Long => Kind::Long,
                    ir::ThreeWay::Float { .. } => Kind::Float,
                    ir::ThreeWay::Double { .. } => Kind::Double,
                };
                arithmetic::three_way(terms, *op, get(left, kind), get(right, kind))
            }
            Rvalue::Convert(operand, ty) => {
                arithmetic::convert(terms, get(operand, body.kind_of(operand).unwrap_or(Kind::Int)), *ty)
            }
            Rvalue::Cast(operand, _) => get(operand, Kind::Reference),
            Rvalue::InstanceOf(operand, ty) => {
                let holds = world.is_instance(get(operand, Kind::Reference), *ty);
                terms.ite(holds, terms.i32(1), terms.i32(0))
            }
            Rvalue::GetField(object, field) => self.field(world, get(object, Kind::Reference), *field),
            Rvalue::GetStatic(field) => self.static_field(world, body, *field),
            Rvalue::GetElement { array, index, component } => {
                let element = component.map_or_else(|| element_of(sort_of_kind(kind)), element);
                let region = Region::Elements(element);
                let place = (get(array, Kind::Reference), get(index, Kind::Int));
                let read = terms.select(self.region(world, region.clone()), place);
                world.as_operand(world.known_cell(&region, read).unwrap_or(read), component.unwrap_or(Type::Int))
            }
            Rvalue::Length(array) => self.length(world, get(array, Kind::Reference)),
            Rvalue::New(class) => world.allocate_at(Type::Class(*class), CodePoint { method: body.method, at }),
            Rvalue::NewArray(component, lengths) => {
                let lengths: Vec<Term> = lengths.iter().map(|length| get(length, Kind::Int)).collect();
                self.new_array(world, *component, &lengths)
            }
            Rvalue::Invoke(..) => unreachable!("calls are told apart"),
            Rvalue::Caught => self.vars.get(&var).copied().unwrap_or_else(|| world.unknown(Kind::Reference)),
        }
    }

    /// An array with these elements.
    pub fn array_of(&mut self, world: &World, component: Type, elements: &[Term]) -> Term {
        let length = i32::try_from(elements.len()).unwrap_or(i32::MAX);
        let array = self.new_array(world, component, &[world.terms.i32(length)]);
        for (at, value) in (0..).zip(elements) {
            self.set_element(world, array, world.terms.i32(at), component, *value);
        }
        array
    }

    /// Reads an element of an array, as the operand stack has it.
    pub fn element(&self, world: &World, array: Term, index: Term, component: Type) -> Term {
        let region = Region::Elements(element(component));
        let read = world.terms.select(self.region(world, region.clone()), (array, index));
        world.as_operand(world.known_cell(&region, read).unwrap_or(read), component)
    }

    pub fn set_element(&mut self, world: &World, array: Term, index: Term, component: Type, value: Term) {
        let kind = element(component);
        let old = self.region(world, Region::Elements(kind));
        let new = world.terms.store(old, (array, index), world.as_stored(value, kind.into()));
        self.set_region(Region::Elements(kind), new);
    }

    /// Elements of a new array are zero without being written.
    pub(crate) fn new_array(&mut self, world: &World, component: Type, lengths: &[Term]) -> Term {
        let array = world.allocate(Type::array_of(component));
        let old = self.region(world, Region::Lengths);
        self.set_region(Region::Lengths, world.terms.store(old, array, lengths[0]));
        if let (Type::Array(inner), [_, rest @ ..]) = (component, lengths)
            && !rest.is_empty()
        {
            self.fill_with_arrays(world, array, inner.component(), lengths[0], rest);
        }
        array
    }

    /// Arrays of arrays are made at once; how many there are must be known.
    fn fill_with_arrays(&mut self, world: &World, array: Term, component: Type, length: Term, rest: &[Term]) {
        let known = world.terms.constant(length).and_then(|length| length.as_signed());
        let Some(known @ 0..=MOST_INNER_ARRAYS) = known else {
            self.marks.loose = true;
            return;
        };
        for at in 0..known {
            let inner = self.new_array(world, component, rest);
            let old = self.region(world, Region::Elements(Scalar::Ref));
            let index = world.terms.i32(i32::try_from(at).unwrap_or(i32::MAX));
            self.set_region(Region::Elements(Scalar::Ref), world.terms.store(old, (array, index), inner));
        }
    }

    /// The condition under which a terminator goes to its successor with this number (see [`ir::Block::successors`]).
    pub fn outcome(&self, world: &World, body: &Body, end: &Terminator, outcome: usize) -> Term {
        let terms = &world.terms;
        match end {
            Terminator::If { op, left, right, .. } => {
                let is_reference = [left, right].iter().any(|side| body.kind_of(side) == Some(Kind::Reference));
                let hint = if is_reference { Kind::Reference } else { Kind::Int };
                let (left, right) = (self.operand(world, body, left, hint), self.operand(world, body, right, hint));
                let taken = arithmetic::compare(world, *op, left, right);
                if outcome == 0 { taken } else { terms.not(taken) }
            }
            Terminator::Switch { on, cases, .. } => {
                let on = self.operand(world, body, on, Kind::Int);
                let is = |key: i32| terms.eq(on, terms.i32(key));
                match cases.get(outcome) {
                    Some((key, _)) => is(*key),
                    None => terms.and(cases.iter().map(|(key, _)| terms.not(is(*key)))),
                }
            }
            Terminator::Ret(address, targets) => {
                let address = self.operand(world, body, address, Kind::Int);
                let wanted = targets.get(outcome).map_or(0, |(bci, _)| i32::from(*bci));
                terms.eq(address, terms.i32(wanted))
            }
            Terminator::Goto(_) | Terminator::Return(_) | Terminator::Throw(_) => terms.truth(),
        }
    }
}

/// More inner arrays of one creation are not made one by one.
const MOST_INNER_ARRAYS: i64 = 64;

/// How arrays hold components of this type; arrays of booleans and of bytes are read by the same instructions.
pub(crate) fn element(component: Type) -> Scalar {
    if component == Type::Boolean { Scalar::Bv(8) } else { stored(component) }
}

impl World {
    /// The region that holds the elements of arrays with this component type.
    pub fn element_kind(&self, component: Type) -> Scalar {
        element(component)
    }
}

fn element_of(sort: Sort) -> Scalar {
    sort.scalar().unwrap_or(Scalar::Ref)
}
