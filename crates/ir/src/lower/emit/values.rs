//! Constants, locals, arithmetic and conversions.

use super::super::LowerError;
use super::super::frame::converted;
use super::super::types::Known;
use super::{Emitter, lower_constant};
use crate::body::{BinaryOp, Const, Guard, Op, Operand, Rvalue, ThreeWay};
use program::classfile::{Constant, ConvertTo, Kind, ThreeWayOp};

impl Emitter<'_, '_> {
    /// Plain constants are written where they are used; one that must be resolved is an operation, since that may throw.
    pub(super) fn constant(&mut self, bci: u16, constant: &Constant, known: Known) -> Result<(), LowerError> {
        let constant = lower_constant(constant);
        if constant.is_resolved() { self.result(bci, Rvalue::Use(constant.into()), known) } else { Ok(()) }
    }

    /// A local is written where it is used, unless it may then hold something else or its own type says less.
    pub(super) fn load(&mut self, bci: u16, kind: Kind, slot: u16, known: Known) -> Result<(), LowerError> {
        let declared = self.facts.locals[usize::from(slot)].unwrap_or(Known::Nothing);
        let as_precise = declared.kind() == Some(kind) && (declared.ty().is_some() || known.ty().is_none());
        if as_precise && self.facts.outlived.binary_search(&bci).is_err() {
            return Ok(());
        }
        self.loaded.push(bci);
        let local = self.local(slot);
        self.result(bci, Rvalue::Use(local.into()), known)
    }

    pub(super) fn store(&mut self, slot: u16) -> Result<(), LowerError> {
        let value = self.arg(0);
        let local = self.local(slot);
        self.push(Op::Assign(local, Rvalue::Use(value)))
    }

    pub(super) fn increment(&mut self, slot: u16, by: i16) -> Result<(), LowerError> {
        let local = self.local(slot);
        self.push(Op::Assign(local, Rvalue::Binary(BinaryOp::Add, local.into(), Const::Int(by.into()).into())))
    }

    pub(super) fn binary(&mut self, bci: u16, op: BinaryOp, kind: Kind, known: Known) -> Result<(), LowerError> {
        let (left, right) = (self.arg(1), self.arg(0));
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem) && matches!(kind, Kind::Int | Kind::Long);
        if divides && may_be_zero(&right) {
            self.guard(Guard::NotZero(right.clone()))?;
        }
        self.result(bci, Rvalue::Binary(op, left, right), known)
    }

    pub(super) fn negate(&mut self, bci: u16, known: Known) -> Result<(), LowerError> {
        let operand = self.arg(0);
        self.result(bci, Rvalue::Negate(operand), known)
    }

    pub(super) fn convert(&mut self, bci: u16, to: ConvertTo, known: Known) -> Result<(), LowerError> {
        let operand = self.arg(0);
        self.result(bci, Rvalue::Convert(operand, converted(to)), known)
    }

    pub(super) fn three_way(&mut self, bci: u16, op: ThreeWayOp, known: Known) -> Result<(), LowerError> {
        let op = match op {
            ThreeWayOp::Long => ThreeWay::Long,
            ThreeWayOp::FloatNanLess => ThreeWay::Float { nan: -1 },
            ThreeWayOp::FloatNanGreater => ThreeWay::Float { nan: 1 },
            ThreeWayOp::DoubleNanLess => ThreeWay::Double { nan: -1 },
            ThreeWayOp::DoubleNanGreater => ThreeWay::Double { nan: 1 },
        };
        let (left, right) = (self.arg(1), self.arg(0));
        self.result(bci, Rvalue::ThreeWay(op, left, right), known)
    }
}

fn may_be_zero(divisor: &Operand) -> bool {
    match divisor {
        Operand::Const(Const::Int(value)) => *value == 0,
        Operand::Const(Const::Long(value)) => *value == 0,
        _ => true,
    }
}
