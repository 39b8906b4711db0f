//! Where a value comes from, as a tree like an expression of the source: temporaries are followed to what made them, variables to
//! their definition where only one can be current. Calls are leaves with their arguments; nothing is looked up in other methods.
//!
//! A tree says what the value *was made of*. Parts that may have changed since (fields, elements, variables, calls) carry the
//! place where they were read; [`Values::holds_at`] says whether evaluating the tree again at another place gives the same.

use crate::def_use::{DefUse, Definition};
use ir::{BinaryOp, Body, Callee, Const, Op, Operand, Operation, Parameter, Rvalue, ThreeWay, Var};
use program::{ClassName, FieldRef, InstrId, Type};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Const(Const),
    /// The receiver of the method.
    This,
    /// A parameter as it was at the entry; 0-based, `this` not counted.
    Param(u16),
    /// A variable as it was just before `at`, where several definitions meet or the tree became too large.
    Var {
        var: Var,
        at: InstrId,
    },
    Field {
        object: Box<Value>,
        field: FieldRef,
        at: InstrId,
    },
    Static {
        field: FieldRef,
        at: InstrId,
    },
    Element {
        array: Box<Value>,
        index: Box<Value>,
        at: InstrId,
    },
    Length(Box<Value>),
    /// What a call returned; the receiver is the first argument.
    Call {
        callee: Callee,
        args: Vec<Value>,
        at: InstrId,
    },
    Binary(BinaryOp, Box<Value>, Box<Value>),
    ThreeWay(ThreeWay, Box<Value>, Box<Value>),
    Negate(Box<Value>),
    /// A conversion to a primitive type.
    Convert(Box<Value>, Type),
    /// A cast that succeeded.
    Cast(Box<Value>, Type),
    InstanceOf(Box<Value>, Type),
    New {
        class: ClassName,
        at: InstrId,
    },
    NewArray {
        component: Type,
        lengths: Vec<Value>,
        at: InstrId,
    },
    /// The exception that a handler took.
    Caught {
        at: InstrId,
        ty: Option<Type>,
    },
}

/// Answers where values come from.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    body: &'a Body,
    def_use: &'a DefUse,
}

/// How large a tree may become. Shared parts are copied, so that without a bound a few lines of arithmetic could take all memory;
/// people read no larger expressions, and solvers work on the code itself.
const MAX_NODES: usize = 256;

impl<'a> Values<'a> {
    pub fn new(body: &'a Body, def_use: &'a DefUse) -> Self {
        Values { body, def_use }
    }

    /// The value of an operand as it is just before the operation `at`.
    pub fn of(&self, operand: &Operand, at: InstrId) -> Value {
        let mut trace = Trace { values: self, nodes: 0, open: Vec::new() };
        trace.operand(operand, at)
    }

    /// Whether evaluating the tree just before `at` gives the same value as `of` traced, for a tree from an operand that can be
    /// read at `at`. May say no where the answer is yes: heap reads count as changed if they are in another block, or if a
    /// call or a possible write lies between. Initialisers of classes are assumed to write to none of these places.
    pub fn holds_at(&self, value: &Value, at: InstrId) -> bool {
        match value {
            Value::Const(_) | Value::This | Value::Param(_) => true,
            Value::Var { var, at: read } => {
                // One definition at both places is the same execution of it, since the read comes before `at` on every path.
                let definition = self.def_use.only(self.body, *var, at);
                *read == at || definition.is_some() && definition == self.def_use.only(self.body, *var, *read)
            }
            Value::Field { object, field, at: read } => {
                let writes = |op: &Op| matches!(op, Op::PutField { field: other, .. } if same_field(field, other));
                self.holds_at(object, at) && !self.may_change(*read, at, writes)
            }
            Value::Static { field, at: read } => {
                let writes = |op: &Op| matches!(op, Op::PutStatic { field: other, .. } if same_field(field, other));
                !self.may_change(*read, at, writes)
            }
            Value::Element { array, index, at: read } => {
                let writes = |op: &Op| matches!(op, Op::PutElement { .. });
                self.holds_at(array, at) && self.holds_at(index, at) && !self.may_change(*read, at, writes)
            }
            Value::Length(operand)
            | Value::Negate(operand)
            | Value::Convert(operand, _)
            | Value::Cast(operand, _)
            | Value::InstanceOf(operand, _) => self.holds_at(operand, at),
            Value::Binary(_, left, right) | Value::ThreeWay(_, left, right) => {
                self.holds_at(left, at) && self.holds_at(right, at)
            }
            Value::Call { .. } | Value::New { .. } | Value::NewArray { .. } | Value::Caught { .. } => false,
        }
    }

    /// Whether one of the operations from `read` to just before `at` may change the heap in a way that matters.
    fn may_change(&self, read: InstrId, at: InstrId, writes: impl Fn(&Op) -> bool) -> bool {
        let (Some((block, from)), Some((other, to))) = (self.body.place_of(read), self.body.place_of(at)) else {
            return true;
        };
        if block != other || from > to {
            return true;
        }
        let runs_code = |op: &Op| {
            matches!(op, Op::Invoke(..) | Op::Assign(_, Rvalue::Invoke(..)) | Op::MonitorEnter(_) | Op::MonitorExit(_))
        };
        self.body.block(block).instrs[from..to].iter().any(|instr| writes(&instr.op) || runs_code(&instr.op))
    }
}

/// The class in a reference may be any subclass of the one that declares the field.
fn same_field(one: &FieldRef, two: &FieldRef) -> bool {
    (one.name, one.descriptor) == (two.name, two.descriptor)
}

struct Trace<'a> {
    values: &'a Values<'a>,
    nodes: usize,
    /// Merge variables that are being followed: a cycle of copies ends here.
    open: Vec<Var>,
}

impl Trace<'_> {
    fn operand(&mut self, operand: &Operand, at: InstrId) -> Value {
        self.nodes += 1;
        match operand {
            Operand::Const(value) => Value::Const(value.clone()),
            Operand::Var(var) => self.var(*var, at),
        }
    }

    fn boxed(&mut self, operand: &Operand, at: InstrId) -> Box<Value> {
        Box::new(self.operand(operand, at))
    }

    fn all(&mut self, operands: &[Operand], at: InstrId) -> Vec<Value> {
        operands.iter().map(|operand| self.operand(operand, at)).collect()
    }

    fn var(&mut self, var: Var, at: InstrId) -> Value {
        let unknown = Value::Var { var, at };
        if self.nodes > MAX_NODES || self.open.contains(&var) {
            return unknown;
        }
        let definitions = self.values.def_use.reaching(self.values.body, var, at);
        match (definitions.as_slice(), var) {
            ([one], _) => self.definition(*one).unwrap_or(unknown),
            // All arms of a conditional expression may have carried the same value along.
            ([first, rest @ ..], Var::Merge { .. }) => {
                self.open.push(var);
                let value = self.definition(*first);
                let same = rest.iter().all(|other| self.definition(*other) == value);
                self.open.pop();
                value.filter(|_| same).unwrap_or(unknown)
            }
            _ => unknown,
        }
    }

    fn definition(&mut self, definition: Definition) -> Option<Value> {
        let body = self.values.body;
        let Some(at) = definition.at else {
            let parameters = body.parameters();
            let (_, parameter) = parameters.iter().find(|(slot, _)| Var::Local(*slot) == definition.var)?;
            return Some(match parameter {
                Parameter::This => Value::This,
                Parameter::Declared(index, _) => Value::Param(*index),
            });
        };
        match body.operation_at(at)? {
            Operation::Instr(Op::Assign(var, value)) => Some(self.rvalue(*var, value, at)),
            _ => None,
        }
    }

    fn rvalue(&mut self, var: Var, value: &Rvalue, at: InstrId) -> Value {
        match value {
            Rvalue::Use(operand) => self.operand(operand, at),
            Rvalue::Negate(operand) => Value::Negate(self.boxed(operand, at)),
            Rvalue::Binary(op, left, right) => Value::Binary(*op, self.boxed(left, at), self.boxed(right, at)),
            Rvalue::ThreeWay(op, left, right) => Value::ThreeWay(*op, self.boxed(left, at), self.boxed(right, at)),
            Rvalue::Convert(operand, ty) => Value::Convert(self.boxed(operand, at), *ty),
            Rvalue::Cast(operand, ty) => Value::Cast(self.boxed(operand, at), *ty),
            Rvalue::InstanceOf(operand, ty) => Value::InstanceOf(self.boxed(operand, at), *ty),
            Rvalue::GetField(object, field) => Value::Field { object: self.boxed(object, at), field: *field, at },
            Rvalue::GetStatic(field) => Value::Static { field: *field, at },
            Rvalue::GetElement { array, index, .. } => {
                Value::Element { array: self.boxed(array, at), index: self.boxed(index, at), at }
            }
            Rvalue::Length(array) => Value::Length(self.boxed(array, at)),
            Rvalue::New(class) => Value::New { class: *class, at },
            Rvalue::NewArray(component, lengths) => {
                Value::NewArray { component: *component, lengths: self.all(lengths, at), at }
            }
            Rvalue::Invoke(callee, args) => Value::Call { callee: callee.clone(), args: self.all(args, at), at },
            Rvalue::Caught => Value::Caught { at, ty: self.values.body.var(var).and_then(|info| info.ty) },
        }
    }
}
