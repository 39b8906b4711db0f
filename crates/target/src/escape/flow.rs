//! Follows an exception through one activation of a method, from where it arrives to everything that may become of it. Paths
//! are joined, calls are looked into as far as it is certain which method they run; what is not certain counts as if the
//! exception got out.

use super::calls::{self, Call, Site};
use super::leaks::leaks;
use super::state::{Carrier, Made, State};
use crate::inquiry::Inquiry;
use analysis::Lowered;
use ir::{BlockId, Callee, CompareOp, Const, HandlerEdge, Op, Operand, Parameter, Rvalue, Terminator, Var};
use program::{ClassName, FoundMethod, InstrId, MethodRef, Subtype, Type};
use std::collections::{BTreeMap, BTreeSet};

/// How deep calls are looked into.
pub(super) const DEEPEST: usize = 6;

/// What may become of an exception.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The classes, where known, of what is thrown out of the method and is the exception or has it as a cause.
    pub(super) leaving: BTreeSet<Option<ClassName>>,
    /// It may be kept where a test can get it: in a field, in a result, by an object that the test can bring.
    pub(super) is_handed_out: bool,
    /// The object that the method is called on keeps it.
    pub(super) is_in_this: bool,
    pub(super) returned: Option<Carrier>,
    pub(super) is_written: bool,
    pub(super) ends_vm: bool,
    /// Some path goes on to a normal end of the method.
    pub(super) returns: bool,
    /// Another exception may leave in its stead.
    pub(super) is_replaced: bool,
    /// The handlers that take it, in the order in which they do.
    pub(super) caught_by: Vec<(Option<ClassName>, Option<u16>)>,
}

pub(super) struct Context<'a> {
    pub(super) units: &'a Inquiry<'a>,
    pub(super) is_application: &'a dyn Fn(&str) -> bool,
}

pub(super) struct Flow<'a> {
    context: &'a Context<'a>,
    unit: &'a Lowered,
    this: Option<Var>,
    /// The methods that are being looked into, the outermost first.
    within: Vec<MethodRef>,
    states: BTreeMap<BlockId, State>,
    waiting: BTreeSet<BlockId>,
    outcome: Outcome,
}

impl<'a> Flow<'a> {
    pub(super) fn new(context: &'a Context<'a>, unit: &'a Lowered) -> Flow<'a> {
        let parameters = unit.body.parameters();
        let this = parameters.iter().find(|(_, parameter)| *parameter == Parameter::This);
        let this = this.map(|(slot, _)| Var::Local(*slot));
        Flow {
            context,
            unit,
            this: this.filter(|this| unit.body.instrs().all(|(_, instr)| instr.op.defines() != Some(*this))),
            within: vec![unit.reference()],
            states: BTreeMap::new(),
            waiting: BTreeSet::new(),
            outcome: Outcome::default(),
        }
    }

    /// It arrives at this instruction, thrown by it or by what it calls.
    pub(super) fn thrown_at(mut self, bci: u16, class: Option<ClassName>) -> Outcome {
        let Some(block) = self.unit.body.block_of(bci) else { return Outcome::lost() };
        let handlers = self.unit.body.block(block).handlers.clone();
        self.raise(&handlers, &State::default(), class);
        self.finish()
    }

    /// It is made by this instruction.
    pub(super) fn made_at(mut self, bci: u16, class: ClassName) -> Outcome {
        let created =
            self.unit.body.instrs_at(bci).iter().find(|instr| matches!(&instr.op, Op::Assign(_, Rvalue::New(_))));
        let place = created.and_then(|instr| Some((instr.op.defines()?, self.unit.body.place_of(instr.id)?)));
        let Some((var, (block, position))) = place else { return Outcome::lost() };
        let mut state = State::default();
        state.make(var, Made { at: bci, class: Some(class) });
        state.carry(var, Carrier::Thrown(Some(class)));
        self.run(block, position + 1, state);
        self.finish()
    }

    /// It is given as these arguments, receiver first.
    fn given(mut self, carriers: &[Option<Carrier>], within: Vec<MethodRef>) -> Outcome {
        self.within = within;
        let mut state = State::default();
        let declared = self.unit.body.parameters().into_iter().map(|(slot, _)| Var::Local(slot));
        for (var, carrier) in declared.zip(carriers) {
            if let Some(carrier) = carrier {
                state.carry(var, *carrier);
            }
        }
        self.run(BlockId(0), 0, state);
        self.finish()
    }

    fn finish(mut self) -> Outcome {
        while let Some(block) = self.waiting.pop_first() {
            let state = self.states[&block].clone();
            self.run(block, 0, state);
        }
        self.outcome
    }

    fn go_to(&mut self, block: BlockId, state: &State) {
        let is_new = !self.states.contains_key(&block);
        let changed = self.states.entry(block).or_default().join(state);
        if is_new || changed {
            self.waiting.insert(block);
        }
    }

    /// The handlers that may take an exception of this class, which a thrown one has exactly; those behind one that surely does
    /// are left out.
    fn takers(&self, handlers: &[HandlerEdge], class: Option<ClassName>) -> Vec<HandlerEdge> {
        let mut takers = Vec::new();
        for handler in handlers {
            match self.takes(*handler, class) {
                Some(true) => {
                    takers.push(*handler);
                    break;
                }
                Some(false) => {}
                None => takers.push(*handler),
            }
        }
        takers
    }

    fn takes(&self, handler: HandlerEdge, class: Option<ClassName>) -> Option<bool> {
        match (handler.catch, class) {
            (None, _) => Some(true),
            (Some(catch), _) if catch.as_internal() == "java/lang/Throwable" => Some(true),
            (Some(_), None) => None,
            (Some(catch), Some(class)) => match self.context.units.program.is_subtype(class, catch) {
                Subtype::Yes => Some(true),
                Subtype::No => Some(false),
                Subtype::Unknown { .. } => None,
            },
        }
    }

    /// The exception, or one with it as a cause, is thrown in a block with these handlers.
    fn raise(&mut self, handlers: &[HandlerEdge], state: &State, class: Option<ClassName>) {
        let takers = self.takers(handlers, class);
        let is_caught = takers.last().is_some_and(|last| self.takes(*last, class) == Some(true));
        for taker in takers {
            self.note(taker);
            self.go_to(taker.target, &state.catching(Some(Carrier::Thrown(class))));
        }
        if !is_caught {
            self.outcome.leaving.insert(class);
        }
    }

    fn note(&mut self, taker: HandlerEdge) {
        let handler = (taker.catch, self.unit.body.line_of(self.unit.body.block(taker.target).start));
        if !self.outcome.caught_by.contains(&handler) {
            self.outcome.caught_by.push(handler);
        }
    }

    /// Another exception may be thrown here.
    fn raise_other(&mut self, handlers: &[HandlerEdge], state: &State) {
        for handler in handlers {
            self.go_to(handler.target, &state.catching(None));
        }
    }

    fn run(&mut self, id: BlockId, from: usize, mut state: State) {
        let unit = self.unit;
        let block = unit.body.block(id);
        for instr in &block.instrs[from..] {
            if instr.op.can_throw() && !block.handlers.is_empty() {
                self.raise_other(&block.handlers, &state);
            }
            if !self.step(&instr.op, instr.id, &block.handlers, &mut state) {
                return;
            }
        }
        state.caught = None;
        self.end(&block.end, &block.handlers, &state);
    }

    fn end(&mut self, end: &Terminator, handlers: &[HandlerEdge], state: &State) {
        match end {
            Terminator::Return(result) => {
                let carrier = result.as_ref().and_then(|result| state.carrier(result));
                self.outcome.returned = self.outcome.returned.max(carrier);
                self.outcome.returns = true;
            }
            Terminator::Throw(thrown) => match state.carrier(thrown) {
                Some(Carrier::Thrown(class)) => self.raise(handlers, state, class),
                Some(Carrier::Holder) => self.raise(handlers, state, None),
                None => {
                    let mut state = state.clone();
                    state.publish(thrown);
                    self.raise_other(handlers, &state);
                    self.outcome.is_replaced = true;
                }
            },
            Terminator::If { op, left, right, then, otherwise } => {
                let taken = taken(*op, left, right, state);
                if taken != Some(false) {
                    self.go_to(*then, state);
                }
                if taken != Some(true) {
                    self.go_to(*otherwise, state);
                }
            }
            other => other.successors().into_iter().for_each(|next| self.go_to(next, state)),
        }
    }

    /// One operation; false if control does not get behind it.
    fn step(&mut self, op: &Op, at: InstrId, handlers: &[HandlerEdge], state: &mut State) -> bool {
        match op {
            Op::Assign(var, Rvalue::Invoke(callee, args)) => {
                return self.call((callee, args, at), Some(*var), handlers, state);
            }
            Op::Invoke(callee, args) => return self.call((callee, args, at), None, handlers, state),
            Op::Assign(var, value) => self.assign(*var, value, at.bci, state),
            Op::PutField { object, value, .. } => self.put(object, value, state),
            Op::PutElement { array, value, .. } => self.put(array, value, state),
            Op::PutStatic { value, .. } => {
                self.outcome.is_handed_out |= state.carrier(value).is_some();
                state.publish(value);
            }
            Op::Guard(_) | Op::MonitorEnter(_) | Op::MonitorExit(_) => {}
        }
        true
    }

    fn assign(&mut self, var: Var, value: &Rvalue, bci: u16, state: &mut State) {
        match value {
            Rvalue::Use(from) | Rvalue::Cast(from, _) => state.copy(var, from),
            Rvalue::Caught => {
                state.forget(var);
                if let Some(carrier) = state.caught.take() {
                    state.carry(var, carrier);
                }
            }
            Rvalue::New(class) => state.make(var, Made { at: bci, class: Some(*class) }),
            Rvalue::NewArray(..) => state.make(var, Made { at: bci, class: None }),
            Rvalue::InstanceOf(of, ty) => {
                let outcome = self.is_instance(state.sure(of), *ty);
                state.forget(var);
                if let Some(outcome) = outcome {
                    state.decide(var, outcome);
                }
            }
            Rvalue::GetField(from, field) => self.read(var, from, field.field_type(), state),
            Rvalue::GetElement { array, component, .. } => {
                self.read(var, array, component.unwrap_or(Type::Class(ClassName::object())), state);
            }
            _ => state.forget(var),
        }
    }

    /// What is read out of an object that has the exception may be the exception.
    fn read(&self, var: Var, from: &Operand, ty: Type, state: &mut State) {
        let carrier = state.carrier(from);
        state.forget(var);
        if carrier.is_some() && ty.is_reference() && ty != Type::Class(ClassName::string()) {
            state.carry(var, Carrier::Thrown(None));
        }
    }

    fn is_instance(&self, carrier: Option<Carrier>, ty: Type) -> Option<bool> {
        let (Some(Carrier::Thrown(Some(class))), Type::Class(of)) = (carrier, ty) else { return None };
        match self.context.units.program.is_subtype(class, of) {
            Subtype::Yes => Some(true),
            Subtype::No => Some(false),
            Subtype::Unknown { .. } => None,
        }
    }

    /// A field or element takes a value.
    fn put(&mut self, into: &Operand, value: &Operand, state: &mut State) {
        state.publish(value);
        if state.carrier(value).is_some() {
            self.fill(into, Carrier::Holder, state);
        }
    }

    fn fill(&mut self, object: &Operand, carrier: Carrier, state: &mut State) {
        match state.made(object) {
            Some(made) if state.is_published(made) => self.outcome.is_handed_out = true,
            Some(made) => {
                let own = made.class.filter(|class| calls::is_throwable(self.context.units.program, *class));
                state.fill(made, own.map_or(carrier, |class| Carrier::Thrown(Some(class))));
            }
            None if object.as_var().is_some() && object.as_var() == self.this => self.outcome.is_in_this = true,
            // An exception that is part of the chain anyway.
            None if matches!(state.carrier(object), Some(Carrier::Thrown(_))) => {}
            None => self.outcome.is_handed_out = true,
        }
    }

    /// Whether the result can be the exception that was among the arguments.
    fn may_give_back(&self, callee: &Callee) -> bool {
        let Callee::Method { method, .. } = callee else { return false };
        let program = self.context.units.program;
        let is_wide = |class: ClassName| class == ClassName::object() || calls::is_throwable(program, class);
        matches!(method.signature().ret, Some(Type::Class(class)) if is_wide(class))
    }

    fn call(
        &mut self,
        (callee, args, at): (&Callee, &[Operand], InstrId),
        result: Option<Var>,
        handlers: &[HandlerEdge],
        state: &mut State,
    ) -> bool {
        let carriers: Vec<Option<Carrier>> = args.iter().map(|arg| state.carrier(arg)).collect();
        let site = Site { program: self.context.units.program, unit: self.unit, at, args, state };
        let kind = site.call(callee, self.this, self.context.is_application);
        if matches!(kind, Call::Exits) {
            self.outcome.ends_vm = true;
            return false;
        }
        if carriers.iter().all(Option::is_none) {
            self.publish(&kind, args, state);
            result.into_iter().for_each(|var| state.forget(var));
            return true;
        }
        let given = match &kind {
            Call::Exits | Call::Asks => None,
            Call::Writes => {
                self.outcome.is_written = true;
                // Some loggers give back what they were given, to be thrown.
                if self.may_give_back(callee) { carriers.iter().flatten().copied().max() } else { None }
            }
            Call::GivesException => Some(Carrier::Thrown(None)),
            Call::TakesCause => self.take_cause(args, &carriers, state),
            Call::Runs(any) => {
                let looked = any.iter().map(|found| self.look_into(found, args, &carriers, handlers, state));
                looked.max().flatten()
            }
            Call::Open(method) => self.open(*method, &carriers),
            Call::Opaque => {
                self.outcome.is_handed_out = true;
                None
            }
        };
        self.publish(&kind, args, state);
        if let Some(var) = result {
            state.forget(var);
            if let Some(given) = given {
                state.carry(var, given);
            }
        }
        true
    }

    /// Objects made here that the call is given may be seen by others from now on.
    fn publish(&self, kind: &Call, args: &[Operand], state: &mut State) {
        for (place, arg) in args.iter().enumerate() {
            let Some(made) = state.made(arg) else { continue };
            let is_published = match kind {
                Call::Exits | Call::Writes | Call::Asks | Call::GivesException => false,
                Call::TakesCause | Call::Open(_) => place > 0,
                Call::Runs(any) => any.iter().any(|found| leaks(self.context.units, found, place, made.class)),
                Call::Opaque => true,
            };
            if is_published {
                state.publish(arg);
            }
        }
    }

    /// The receiver has the exception as a cause from now on.
    fn take_cause(&mut self, args: &[Operand], carriers: &[Option<Carrier>], state: &mut State) -> Option<Carrier> {
        if carriers.iter().skip(1).any(Option::is_some) {
            self.fill(args.first()?, Carrier::Thrown(None), state);
        }
        state.carrier(args.first()?)
    }

    fn look_into(
        &mut self,
        found: &FoundMethod,
        args: &[Operand],
        carriers: &[Option<Carrier>],
        handlers: &[HandlerEdge],
        state: &mut State,
    ) -> Option<Carrier> {
        let method = found.reference();
        let unit =
            self.context.units.get(method).filter(|_| self.within.len() < DEEPEST && !self.within.contains(&method));
        let Some(unit) = unit else {
            self.outcome.is_handed_out = true;
            return None;
        };
        let within = self.within.iter().copied().chain([method]).collect();
        let inner = Flow::new(self.context, &unit).given(carriers, within);
        for class in &inner.leaving {
            self.raise(handlers, state, *class);
        }
        self.outcome.is_handed_out |= inner.is_handed_out;
        self.outcome.is_written |= inner.is_written;
        self.outcome.ends_vm |= inner.ends_vm;
        if inner.is_in_this
            && let Some(receiver) = args.first()
        {
            self.fill(receiver, Carrier::Holder, state);
        }
        inner.returned
    }

    /// A method that the test may bring: it gets what it is given, an object that has the exception as well, which can be asked for
    /// it. The JDK's own collections and queues keep what they get.
    fn open(&mut self, method: MethodRef, carriers: &[Option<Carrier>]) -> Option<Carrier> {
        let program = self.context.units.program;
        let is_given = carriers.iter().skip(1).any(Option::is_some);
        let is_kept = program.is_jdk(method.class) && carriers.first() == Some(&Some(Carrier::Holder));
        self.outcome.is_handed_out |= is_given || is_kept;
        let gives = method.signature().ret.filter(|ty| ty.is_reference() && *ty != Type::Class(ClassName::string()));
        gives.map(|_| Carrier::Thrown(None))
    }
}

impl Outcome {
    /// Nothing could be found out.
    fn lost() -> Outcome {
        Outcome { leaving: BTreeSet::from([None]), ..Outcome::default() }
    }

    /// Takes in what may become of it when it arrives at another place, or as another class.
    pub(super) fn join(&mut self, other: Outcome) {
        self.leaving.extend(other.leaving);
        self.is_handed_out |= other.is_handed_out;
        self.is_in_this |= other.is_in_this;
        self.returned = self.returned.max(other.returned);
        self.is_written |= other.is_written;
        self.ends_vm |= other.ends_vm;
        self.returns |= other.returns;
        self.is_replaced |= other.is_replaced;
        for handler in other.caught_by {
            if !self.caught_by.contains(&handler) {
                self.caught_by.push(handler);
            }
        }
    }
}

/// The way a branch goes, where an `instanceof` with a known outcome decides it.
fn taken(op: CompareOp, left: &Operand, right: &Operand, state: &State) -> Option<bool> {
    let outcome = state.decided(left)?;
    let Operand::Const(Const::Int(0)) = right else { return None };
    match op {
        CompareOp::Eq => Some(!outcome),
        CompareOp::Ne => Some(outcome),
        _ => None,
    }
}
