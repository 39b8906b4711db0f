//! Whether what can fail is guarded.

use super::Found;
use crate::body::{
    BinaryOp, Block, BlockId, Body, Callee, Const, Guard, Instr, InvokeKind, Op, Operand, Rvalue, Terminator, Var,
};
use program::InstrId;
use program::classfile::Kind;
use std::collections::BTreeSet;

pub(super) fn check(body: &Body, found: &mut Found) {
    let never_null = NeverNull::of(body);
    for (id, block) in body.block_ids().zip(&body.blocks) {
        for (position, instr) in block.instrs.iter().enumerate() {
            let mut checker = Checker { body, never_null: &never_null, found, block, id, position, at: instr.id };
            checker.op(&instr.op);
        }
        let position = block.instrs.len();
        let mut checker = Checker { body, never_null: &never_null, found, block, id, position, at: block.end_id };
        if let Terminator::Throw(thrown) = &block.end {
            checker.not_null(thrown);
        }
    }
}

/// Variables that only ever hold references that are not null.
struct NeverNull(BTreeSet<Var>);

impl NeverNull {
    fn of(body: &Body) -> Self {
        let mut never = BTreeSet::new();
        let mut maybe = BTreeSet::new();
        if !body.is_static {
            never.insert(Var::Local(0));
        }
        for (_, instr) in body.instrs() {
            let Op::Assign(var, value) = &instr.op else { continue };
            let is_object = match value {
                Rvalue::New(_) | Rvalue::NewArray(..) | Rvalue::Caught => !matches!(var, Var::Local(_)),
                Rvalue::Use(Operand::Const(value)) => is_object(value),
                _ => false,
            };
            if is_object {
                never.insert(*var)
            } else {
                maybe.insert(*var)
            };
        }
        NeverNull(&never - &maybe)
    }
}

fn is_object(value: &Const) -> bool {
    matches!(value, Const::String(_) | Const::Class(_) | Const::MethodType(_) | Const::MethodHandle(_))
}

struct Checker<'a> {
    body: &'a Body,
    never_null: &'a NeverNull,
    found: &'a mut Found,
    block: &'a Block,
    id: BlockId,
    position: usize,
    at: InstrId,
}

impl Checker<'_> {
    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign(var, value) => self.value(*var, value),
            Op::PutField { object, .. } => self.not_null(object),
            Op::PutElement { array, index, value, component } => {
                self.element(array, index);
                let is_reference = component.is_none_or(program::Type::is_reference)
                    && self.body.kind_of(value) == Some(Kind::Reference)
                    && *value != Operand::Const(Const::Null);
                if is_reference {
                    self.needs(&Guard::Storable { array: array.clone(), value: value.clone() });
                }
            }
            Op::Invoke(callee, args) => self.call(callee, args),
            Op::MonitorEnter(object) | Op::MonitorExit(object) => self.not_null(object),
            Op::PutStatic { .. } | Op::Guard(_) => {}
        }
    }

    fn value(&mut self, var: Var, value: &Rvalue) {
        match value {
            Rvalue::GetField(object, _) => self.not_null(object),
            Rvalue::GetElement { array, index, .. } => self.element(array, index),
            Rvalue::Length(array) => self.not_null(array),
            Rvalue::Cast(operand, ty) => self.needs(&Guard::Castable(operand.clone(), *ty)),
            Rvalue::Invoke(callee, args) => self.call(callee, args),
            Rvalue::NewArray(_, lengths) => {
                for length in lengths.iter().filter(|length| !matches!(length, Operand::Const(Const::Int(0..)))) {
                    self.needs(&Guard::NotNegative(length.clone()));
                }
            }
            Rvalue::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                let kind = self.body.var(var).and_then(|info| info.kind);
                let zero = [Const::Int(0), Const::Long(0)].map(Operand::Const);
                let can_be_zero = divisor.as_var().is_some() || zero.contains(divisor);
                if matches!(kind, Some(Kind::Int | Kind::Long)) && can_be_zero {
                    self.needs(&Guard::NotZero(divisor.clone()));
                }
            }
            _ => {}
        }
    }

    fn element(&mut self, array: &Operand, index: &Operand) {
        self.not_null(array);
        self.needs(&Guard::InBounds { array: array.clone(), index: index.clone() });
    }

    fn call(&mut self, callee: &Callee, args: &[Operand]) {
        if matches!(callee, Callee::Method { kind, .. } if *kind != InvokeKind::Static) {
            args.iter().take(1).for_each(|receiver| self.not_null(receiver));
        }
    }

    fn not_null(&mut self, operand: &Operand) {
        let never = match operand {
            Operand::Var(var) => self.never_null.0.contains(var),
            Operand::Const(value) => is_object(value),
        };
        if !never {
            self.needs(&Guard::NotNull(operand.clone()));
        }
    }

    /// The guard must be among the operations just before, with the same index.
    fn needs(&mut self, guard: &Guard) {
        let before = self.block.instrs[..self.position].iter().rev();
        let mut same_index = before.take_while(|instr: &&Instr| instr.id.bci == self.at.bci);
        if !same_index.any(|instr| matches!(&instr.op, Op::Guard(present) if present == guard)) {
            self.found.at(self.id, self.at, format_args!("lacks `guard {guard}`"));
        }
    }
}
