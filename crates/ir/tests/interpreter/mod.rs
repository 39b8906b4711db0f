//! Runs bodies: the meaning of the three-address code, written as plainly as possible. Enough of the JVM for the cases: numbers,
//! arrays, objects of the cases' own classes, exceptions. Everything else is [`Stop::NotComparable`].

#![allow(dead_code, reason = "shared by tests that each use a part")]

mod heap;
pub(crate) mod inputs;
pub(crate) mod numbers;

pub(crate) use heap::{Reference, Value};

use ir::{
    Body, Callee, CompareOp, Const, Guard, HandlerEdge, InvokeKind, Op, Operand, Rvalue, Terminator, Var, lower, verify,
};
use program::{ClassName, FieldRef, InstrId, MethodRef, Program, Subtype, Symbol, Type};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a method did not return.
#[derive(Debug)]
pub(crate) enum Stop {
    Threw(Reference),
    NotComparable(String),
}

pub(crate) struct Machine<'a> {
    program: &'a Program,
    bodies: BTreeMap<MethodRef, Rc<Body>>,
    statics: BTreeMap<FieldRef, Value>,
    /// Operations left before a run counts as endless.
    pub(crate) fuel: usize,
    /// Is shown the state before every operation.
    pub(crate) observer: Option<Observer<'a>>,
}

pub(crate) type Observer<'a> = Box<dyn FnMut(&Seen<'_>) + 'a>;

/// The state just before an operation.
pub(crate) struct Seen<'s> {
    pub(crate) body: &'s Rc<Body>,
    pub(crate) vars: &'s BTreeMap<Var, Value>,
    /// The parameters as they were at the entry.
    pub(crate) parameters: &'s BTreeMap<Var, Value>,
    pub(crate) statics: &'s BTreeMap<FieldRef, Value>,
    pub(crate) at: InstrId,
}

/// One activation of a method.
struct Frame {
    body: Rc<Body>,
    vars: BTreeMap<Var, Value>,
    parameters: BTreeMap<Var, Value>,
}

type Outcome<T> = Result<T, Stop>;

impl<'a> Machine<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Machine { program, bodies: BTreeMap::new(), statics: BTreeMap::new(), fuel: 0, observer: None }
    }

    /// Runs a method; `None` for `void`.
    pub(crate) fn call(&mut self, method: MethodRef, args: Vec<Value>) -> Outcome<Option<Value>> {
        let body = self.body(method)?;
        let slots = body.parameters().into_iter().map(|(slot, _)| Var::Local(slot));
        let parameters: BTreeMap<Var, Value> = slots.zip(args).collect();
        let mut frame = Frame { vars: parameters.clone(), parameters, body };
        let body = Rc::clone(&frame.body);
        let mut block = Body::ENTRY;
        let mut caught = None;
        loop {
            match self.block(&mut frame, block, caught.take()) {
                Ok(Next::Return(value)) => return Ok(value),
                Ok(Next::Goto(next)) => block = next,
                Err(Stop::Threw(thrown)) => {
                    let handler = body.block(block).handlers.iter().find(|handler| self.catches(handler, &thrown));
                    let Some(handler) = handler else { return Err(Stop::Threw(thrown)) };
                    (block, caught) = (handler.target, Some(thrown));
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    fn body(&mut self, method: MethodRef) -> Outcome<Rc<Body>> {
        if let Some(known) = self.bodies.get(&method) {
            return Ok(Rc::clone(known));
        }
        let class = self.program.class(method.class).filter(|_| self.program.is_application_default(method.class));
        let class = class.ok_or_else(|| Stop::NotComparable(format!("a call of {method}")))?;
        let code = class.method(method.name, method.descriptor).unwrap();
        let body = Rc::new(lower(code).unwrap());
        verify(&body).unwrap();
        self.bodies.insert(method, Rc::clone(&body));
        Ok(body)
    }

    fn catches(&self, handler: &HandlerEdge, thrown: &Reference) -> bool {
        handler.catch.is_none_or(|class| self.is_instance(thrown, Type::Class(class)))
    }

    fn block(&mut self, frame: &mut Frame, block: ir::BlockId, mut caught: Option<Reference>) -> Outcome<Next> {
        let body = Rc::clone(&frame.body);
        let block = body.block(block);
        for instr in &block.instrs {
            self.before(frame, instr.id)?;
            match &instr.op {
                Op::Assign(var, Rvalue::Caught) => {
                    frame.vars.insert(*var, Value::Reference(caught.take()));
                }
                Op::Assign(var, value) => {
                    let value = self.rvalue(frame, *var, value, instr.id)?;
                    frame.vars.insert(*var, value);
                }
                op => self.effect(frame, op, instr.id)?,
            }
        }
        self.before(frame, block.end_id)?;
        self.end(frame, &block.end)
    }

    fn before(&mut self, frame: &Frame, at: InstrId) -> Outcome<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or_else(|| Stop::NotComparable("out of fuel".into()))?;
        if let Some(observer) = &mut self.observer {
            let Frame { body, vars, parameters } = frame;
            observer(&Seen { body, vars, parameters, statics: &self.statics, at });
        }
        Ok(())
    }

    fn end(&mut self, frame: &Frame, end: &Terminator) -> Outcome<Next> {
        Ok(match end {
            Terminator::Goto(target) => Next::Goto(*target),
            Terminator::If { op, left, right, then, otherwise } => {
                let holds = compare(*op, &frame.get(left), &frame.get(right));
                Next::Goto(if holds { *then } else { *otherwise })
            }
            Terminator::Switch { on, cases, default } => {
                let key = frame.get(on).int();
                Next::Goto(cases.iter().find(|(case, _)| *case == key).map_or(*default, |(_, target)| *target))
            }
            Terminator::Return(value) => Next::Return(value.as_ref().map(|value| frame.get(value))),
            Terminator::Throw(thrown) => return Err(Stop::Threw(frame.get(thrown).reference().unwrap())),
            Terminator::Ret(address, targets) => {
                let Value::Address(address) = frame.get(address) else { panic!("ret without an address") };
                Next::Goto(targets.iter().find(|(site, _)| *site == address).unwrap().1)
            }
        })
    }

    fn effect(&mut self, frame: &Frame, op: &Op, at: InstrId) -> Outcome<()> {
        match op {
            Op::Assign(..) => unreachable!("made by `block`"),
            Op::PutField { object, field, value } => {
                frame.get(object).reference().unwrap().set_field(*field, frame.get(value));
            }
            Op::PutStatic { field, value } => {
                self.statics.insert(*field, numbers::narrowed(frame.get(value), field.field_type()));
            }
            Op::PutElement { array, index, value, .. } => {
                let array = frame.get(array).reference().unwrap();
                array.set_element(frame.get(index).int(), frame.get(value));
            }
            Op::Invoke(callee, args) => {
                self.invoke(frame, callee, args)?;
            }
            Op::Guard(guard) => return self.guard(frame, guard, at),
            Op::MonitorEnter(_) | Op::MonitorExit(_) => {}
        }
        Ok(())
    }

    fn guard(&self, frame: &Frame, guard: &Guard, at: InstrId) -> Outcome<()> {
        let passes = match guard {
            Guard::NotNull(operand) => frame.get(operand).reference().is_some(),
            Guard::InBounds { array, index } => {
                let length = frame.get(array).reference().unwrap().length();
                (0..length).contains(&frame.get(index).int())
            }
            Guard::Castable(operand, ty) => {
                frame.get(operand).reference().is_none_or(|object| self.is_instance(&object, *ty))
            }
            Guard::Storable { array, value } => {
                let component = frame.get(array).reference().unwrap().component();
                frame.get(value).reference().is_none_or(|object| self.is_instance(&object, component))
            }
            Guard::NotZero(operand) => !matches!(frame.get(operand), Value::Int(0) | Value::Long(0)),
            Guard::NotNegative(operand) => frame.get(operand).int() >= 0,
        };
        if passes {
            return Ok(());
        }
        Err(Stop::Threw(frame.new_object(ClassName::internal(guard.exception()), at)))
    }

    fn rvalue(&mut self, frame: &Frame, var: Var, value: &Rvalue, at: InstrId) -> Outcome<Value> {
        Ok(match value {
            Rvalue::Use(operand) => frame.get(operand),
            Rvalue::Negate(operand) => numbers::negate(&frame.get(operand)),
            Rvalue::Binary(op, left, right) => {
                let result = numbers::binary(*op, &frame.get(left), &frame.get(right));
                let kind = frame.body.var(var).unwrap().kind;
                assert!(kind.is_none_or(|kind| Some(kind) == result.kind()), "{var} is declared as {kind:?}");
                result
            }
            Rvalue::ThreeWay(op, left, right) => numbers::three_way(*op, &frame.get(left), &frame.get(right)),
            Rvalue::Convert(operand, ty) => numbers::convert(&frame.get(operand), *ty),
            Rvalue::Cast(operand, _) => frame.get(operand),
            Rvalue::InstanceOf(operand, ty) => {
                let object = frame.get(operand).reference();
                Value::Int(object.is_some_and(|object| self.is_instance(&object, *ty)).into())
            }
            Rvalue::GetField(object, field) => frame.get(object).reference().unwrap().field(*field),
            Rvalue::GetStatic(field) => {
                self.statics.get(field).cloned().unwrap_or_else(|| Value::default_of(field.field_type()))
            }
            Rvalue::GetElement { array, index, .. } => {
                frame.get(array).reference().unwrap().element(frame.get(index).int())
            }
            Rvalue::Length(array) => Value::Int(frame.get(array).reference().unwrap().length()),
            Rvalue::New(class) => Value::Reference(Some(frame.new_object(*class, at))),
            Rvalue::NewArray(component, lengths) => {
                let lengths: Vec<i32> = lengths.iter().map(|length| frame.get(length).int()).collect();
                Value::Reference(Some(Reference::new_array(*component, &lengths)))
            }
            Rvalue::Invoke(callee, args) => {
                let result = self.invoke(frame, callee, args)?;
                result.ok_or_else(|| Stop::NotComparable("a call without a result".into()))?
            }
            Rvalue::Caught => unreachable!("made by `block`"),
        })
    }

    fn invoke(&mut self, frame: &Frame, callee: &Callee, args: &[Operand]) -> Outcome<Option<Value>> {
        let Callee::Method { kind, method, .. } = callee else {
            return Err(Stop::NotComparable("invokedynamic".into()));
        };
        let args: Vec<Value> = args.iter().map(|arg| frame.get(arg)).collect();
        if method.is_constructor() && self.program.is_jdk(method.class) {
            return Ok(None);
        }
        if method.class.as_internal() == "java/lang/System" && method.name == Symbol::new("identityHashCode") {
            return Ok(Some(Value::Int(0)));
        }
        let selected = match kind {
            InvokeKind::Static | InvokeKind::Special => *method,
            InvokeKind::Virtual | InvokeKind::Interface => {
                let receiver = args[0].reference().unwrap().class();
                let receiver = receiver.ok_or_else(|| Stop::NotComparable("a method of an array".into()))?;
                let found = self.program.select_virtual(receiver, *method).found().unwrap();
                found.reference()
            }
        };
        self.call(selected, args)
    }

    fn is_instance(&self, object: &Reference, ty: Type) -> bool {
        self.program.is_subtype_of(object.ty(), ty) == Subtype::Yes
    }
}

enum Next {
    Goto(ir::BlockId),
    Return(Option<Value>),
}

impl Frame {
    fn get(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Var(var) => self.vars[var].clone(),
            Operand::Const(value) => match value {
                Const::Null => Value::Reference(None),
                Const::Int(value) => Value::Int(*value),
                Const::Long(value) => Value::Long(*value),
                Const::Float(value) => Value::Float(*value),
                Const::Double(value) => Value::Double(*value),
                Const::ReturnAddress(bci) => Value::Address(*bci),
                other => panic!("no case has the constant {other}"),
            },
        }
    }

    /// Remembers where it was created, which is what a stack trace starts with if it is an exception.
    fn new_object(&self, class: ClassName, at: InstrId) -> Reference {
        Reference::new_object(class, (self.body.method.name, self.body.line_of(at.bci)))
    }
}

fn compare(op: CompareOp, left: &Value, right: &Value) -> bool {
    if let (Value::Reference(left), Value::Reference(right)) = (left, right) {
        return (left == right) == (op == CompareOp::Eq);
    }
    op.holds(left.int().cmp(&right.int()))
}
