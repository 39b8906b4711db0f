//! The kinds of operands and results.

use super::Found;
use crate::body::{BinaryOp, BlockId, Body, Callee, Guard, InvokeKind, Op, Operand, Rvalue, Terminator, ThreeWay, Var};
use crate::lookup::kind_of_type;
use program::classfile::Kind;
use program::{InstrId, MethodType, Symbol, Type};

pub(super) fn check(body: &Body, found: &mut Found) {
    let returned = body.method.signature().ret.map(kind_of_type);
    for (id, block) in body.block_ids().zip(&body.blocks) {
        for instr in &block.instrs {
            Checker { body, found, block: id, at: instr.id }.op(&instr.op);
        }
        Checker { body, found, block: id, at: block.end_id }.end(&block.end, returned);
    }
}

struct Checker<'a> {
    body: &'a Body,
    found: &'a mut Found,
    block: BlockId,
    at: InstrId,
}

impl Checker<'_> {
    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign(var, value) => self.assign(*var, value),
            Op::PutField { object, field, value } => {
                self.is(object, Kind::Reference);
                self.is(value, kind_of_type(field.field_type()));
            }
            Op::PutStatic { field, value } => self.is(value, kind_of_type(field.field_type())),
            Op::PutElement { array, index, value, component } => {
                self.element(array, index);
                component.iter().for_each(|component| self.is(value, kind_of_type(*component)));
            }
            Op::Invoke(callee, args) => {
                if self.call(callee, args).is_some() {
                    self.report("drops the result of a call");
                }
            }
            Op::Guard(guard) => self.guard(guard),
            Op::MonitorEnter(object) | Op::MonitorExit(object) => self.is(object, Kind::Reference),
        }
    }

    fn assign(&mut self, var: Var, value: &Rvalue) {
        let kind = self.body.var(var).and_then(|info| info.kind);
        // Only copies may move values whose kind is not known.
        if let Rvalue::Use(operand) = value {
            let moved = self.body.kind_of(operand);
            if kind.is_some() && moved.is_some() && kind != moved {
                self.report(format_args!("{var} gets a value of another kind"));
            }
            return;
        }
        let Some(result) = self.result(value, kind) else { return };
        if kind.is_some_and(|kind| kind != result) {
            self.report(format_args!("{var} gets a value of another kind"));
        }
    }

    /// The kind of a computed value; `assigned` is that of the variable, which decides what arithmetic is meant.
    fn result(&mut self, value: &Rvalue, assigned: Option<Kind>) -> Option<Kind> {
        Some(match value {
            Rvalue::Use(operand) => return self.body.kind_of(operand),
            Rvalue::Negate(operand) => {
                self.is(operand, assigned?);
                assigned?
            }
            Rvalue::Binary(op, left, right) => {
                // An increment is made in place, also in a slot that holds other things elsewhere.
                let kind = assigned.unwrap_or(Kind::Int);
                let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr);
                if assigned.is_some() {
                    self.is(left, kind);
                }
                self.is(right, if is_shift { Kind::Int } else { kind });
                kind
            }
            Rvalue::ThreeWay(op, left, right) => {
                let kind = match op {
                    ThreeWay::Long => Kind::Long,
                    ThreeWay::Float { .. } => Kind::Float,
                    ThreeWay::Double { .. } => Kind::Double,
                };
                self.is(left, kind);
                self.is(right, kind);
                Kind::Int
            }
            Rvalue::Convert(operand, ty) => {
                if self.body.kind_of(operand).is_none_or(|kind| kind == Kind::Reference) {
                    self.report("converts something that is not a number");
                }
                kind_of_type(*ty)
            }
            Rvalue::Cast(operand, _) => {
                self.is(operand, Kind::Reference);
                Kind::Reference
            }
            Rvalue::InstanceOf(operand, _) | Rvalue::Length(operand) => {
                self.is(operand, Kind::Reference);
                Kind::Int
            }
            Rvalue::GetField(object, field) => {
                self.is(object, Kind::Reference);
                kind_of_type(field.field_type())
            }
            Rvalue::GetStatic(field) => kind_of_type(field.field_type()),
            Rvalue::GetElement { array, index, component } => {
                self.element(array, index);
                return component.map(kind_of_type);
            }
            Rvalue::New(_) | Rvalue::Caught => Kind::Reference,
            Rvalue::NewArray(_, lengths) => {
                lengths.iter().for_each(|length| self.is(length, Kind::Int));
                Kind::Reference
            }
            Rvalue::Invoke(callee, args) => {
                let result = self.call(callee, args);
                if result.is_none() {
                    self.report("assigns the result of a `void` method");
                }
                return result.map(kind_of_type);
            }
        })
    }

    fn guard(&mut self, guard: &Guard) {
        match guard {
            Guard::NotNull(operand) | Guard::Castable(operand, _) => self.is(operand, Kind::Reference),
            Guard::InBounds { array, index } => self.element(array, index),
            Guard::Storable { array, value } => {
                self.is(array, Kind::Reference);
                self.is(value, Kind::Reference);
            }
            Guard::NotZero(operand) => {
                if !matches!(self.body.kind_of(operand), Some(Kind::Int | Kind::Long)) {
                    self.report(format_args!("{operand} is not an integer"));
                }
            }
            Guard::NotNegative(operand) => self.is(operand, Kind::Int),
        }
    }

    fn end(&mut self, end: &Terminator, returned: Option<Kind>) {
        match end {
            Terminator::Goto(_) => {}
            Terminator::If { left, right, .. } => {
                let kind = self.body.kind_of(left);
                if kind != self.body.kind_of(right) || !matches!(kind, Some(Kind::Int | Kind::Reference)) {
                    self.report(format_args!("compares {left} and {right}"));
                }
            }
            Terminator::Switch { on, .. } => self.is(on, Kind::Int),
            Terminator::Return(value) => {
                if value.as_ref().map(|value| self.body.kind_of(value)) != returned.map(Some) {
                    self.report("does not return what the method's descriptor says");
                }
            }
            Terminator::Throw(thrown) => self.is(thrown, Kind::Reference),
            Terminator::Ret(..) => {}
        }
    }

    fn element(&mut self, array: &Operand, index: &Operand) {
        self.is(array, Kind::Reference);
        self.is(index, Kind::Int);
    }

    /// Checks the arguments and returns the type of the result.
    fn call(&mut self, callee: &Callee, args: &[Operand]) -> Option<Type> {
        let (descriptor, receiver): (Symbol, usize) = match callee {
            Callee::Method { kind, method, .. } => (method.descriptor, usize::from(*kind != InvokeKind::Static)),
            Callee::Dynamic { descriptor, .. } => (*descriptor, 0),
        };
        let Some(MethodType { params, ret }) = MethodType::parse(descriptor.as_str()) else {
            self.report(format_args!("`{descriptor}` is not a method descriptor"));
            return None;
        };
        if args.len() != params.len() + receiver {
            self.report("passes another number of arguments than the descriptor has");
        }
        args.iter().take(receiver).for_each(|receiver| self.is(receiver, Kind::Reference));
        for (arg, ty) in args.iter().skip(receiver).zip(params) {
            self.is(arg, kind_of_type(ty));
        }
        ret
    }

    fn is(&mut self, operand: &Operand, kind: Kind) {
        let actual = self.body.kind_of(operand);
        if actual != Some(kind) {
            self.report(format_args!("{operand} is {actual:?}, not {kind:?}"));
        }
    }

    fn report(&mut self, what: impl std::fmt::Display) {
        self.found.at(self.block, self.at, what);
    }
}
