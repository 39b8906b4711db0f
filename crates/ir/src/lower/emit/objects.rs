//! Fields, arrays, creation, casts, monitors and calls: the instructions with implicit checks. The order of guards is the order
//! in which the JVM makes the checks.

use super::super::LowerError;
use super::super::stack::Source;
use super::super::types::{self, Known};
use super::{Effect, Emitter};
use crate::body::{Callee, Const, Guard, InvokeKind, Op, Operand, Rvalue, Var};
use program::classfile::{Constant, ElementKind, FieldOp, Instruction, InvokeOp, MethodOperand};
use program::{ClassName, FieldRef, Symbol, Type};

impl Emitter<'_, '_> {
    /// Checks the operand `depth` entries below the top.
    pub(super) fn not_null(&mut self, depth: usize) -> Result<(), LowerError> {
        let operand = self.arg(depth);
        if self.is_never_null(depth, &operand) {
            return Ok(());
        }
        self.guard(Guard::NotNull(operand))
    }

    pub(super) fn field(&mut self, bci: u16, op: FieldOp, field: FieldRef, known: Known) -> Result<(), LowerError> {
        match op {
            FieldOp::GetStatic => self.result(bci, Rvalue::GetStatic(field), known),
            FieldOp::PutStatic => {
                let value = self.arg(0);
                self.push(Op::PutStatic { field, value })
            }
            FieldOp::GetField => {
                self.not_null(0)?;
                let object = self.arg(0);
                self.result(bci, Rvalue::GetField(object, field), known)
            }
            FieldOp::PutField => {
                self.not_null(1)?;
                let (object, value) = (self.arg(1), self.arg(0));
                self.push(Op::PutField { object, field, value })
            }
        }
    }

    pub(super) fn array_load(&mut self, bci: u16, element: ElementKind, known: Known) -> Result<(), LowerError> {
        let component = types::component(self.arg_value(1).ty, element);
        let (array, index) = self.element(1)?;
        self.result(bci, Rvalue::GetElement { array, index, component }, known)
    }

    pub(super) fn array_store(&mut self, element: ElementKind) -> Result<(), LowerError> {
        let component = types::component(self.arg_value(2).ty, element);
        let (array, index) = self.element(2)?;
        let value = self.arg(0);
        if element == ElementKind::Reference && value != Operand::Const(Const::Null) {
            self.guard(Guard::Storable { array: array.clone(), value: value.clone() })?;
        }
        self.push(Op::PutElement { array, index, value, component })
    }

    /// The checks that loads and stores share; the array is `depth` entries below the top, the index above it.
    fn element(&mut self, depth: usize) -> Result<(Operand, Operand), LowerError> {
        self.not_null(depth)?;
        let (array, index) = (self.arg(depth), self.arg(depth - 1));
        self.guard(Guard::InBounds { array: array.clone(), index: index.clone() })?;
        Ok((array, index))
    }

    pub(super) fn array_length(&mut self, bci: u16, known: Known) -> Result<(), LowerError> {
        self.not_null(0)?;
        let array = self.arg(0);
        self.result(bci, Rvalue::Length(array), known)
    }

    pub(super) fn new_object(&mut self, bci: u16, ty: Type, known: Known) -> Result<(), LowerError> {
        // Only a file that no JVM loads creates an array here.
        let class = ty.as_class().unwrap_or_else(ClassName::object);
        self.result(bci, Rvalue::New(class), known)
    }

    pub(super) fn new_arrays(&mut self, bci: u16, array: Type, dimensions: u8, known: Known) -> Result<(), LowerError> {
        let component = if let Type::Array(array) = array { array.component() } else { array };
        self.new_array(bci, component, usize::from(dimensions), known)
    }

    pub(super) fn new_array(
        &mut self,
        bci: u16,
        component: Type,
        dimensions: usize,
        known: Known,
    ) -> Result<(), LowerError> {
        let lengths = self.args(dimensions);
        for length in lengths.iter().filter(|length| !matches!(length, Operand::Const(Const::Int(0..)))) {
            self.guard(Guard::NotNegative(length.clone()))?;
        }
        self.result(bci, Rvalue::NewArray(component, lengths), known)
    }

    pub(super) fn check_cast(&mut self, bci: u16, ty: Type, known: Known) -> Result<(), LowerError> {
        let operand = self.arg(0);
        self.guard(Guard::Castable(operand.clone(), ty))?;
        self.result(bci, Rvalue::Cast(operand, ty), known)
    }

    pub(super) fn instance_of(&mut self, bci: u16, ty: Type, known: Known) -> Result<(), LowerError> {
        let operand = self.arg(0);
        self.result(bci, Rvalue::InstanceOf(operand, ty), known)
    }

    pub(super) fn monitor(&mut self, op: fn(Operand) -> Op) -> Result<(), LowerError> {
        self.not_null(0)?;
        let object = self.arg(0);
        self.push(op(object))
    }

    pub(super) fn invoke(
        &mut self,
        bci: u16,
        op: InvokeOp,
        callee: MethodOperand,
        effect: Effect,
    ) -> Result<(), LowerError> {
        let kind = match op {
            InvokeOp::Virtual => InvokeKind::Virtual,
            InvokeOp::Special => InvokeKind::Special,
            InvokeOp::Static => InvokeKind::Static,
            InvokeOp::Interface => InvokeKind::Interface,
        };
        if kind != InvokeKind::Static {
            self.not_null(effect.taken - 1)?;
        }
        self.call(bci, Callee::Method { kind, method: callee.method, interface: callee.interface }, effect)
    }

    pub(super) fn invoke_dynamic(
        &mut self,
        bci: u16,
        bootstrap: u16,
        name: Symbol,
        descriptor: Symbol,
        effect: Effect,
    ) -> Result<(), LowerError> {
        self.call(bci, Callee::Dynamic { bootstrap, name, descriptor }, effect)
    }

    fn call(&mut self, bci: u16, callee: Callee, effect: Effect) -> Result<(), LowerError> {
        let args = self.args(effect.taken);
        match effect.result {
            Some(known) => self.result(bci, Rvalue::Invoke(callee, args), known),
            None => self.push(Op::Invoke(callee, args)),
        }
    }

    /// True for values that cannot be null wherever they are used.
    fn is_never_null(&self, depth: usize, operand: &Operand) -> bool {
        match operand {
            Operand::Const(value) => *value != Const::Null,
            Operand::Var(Var::Local(slot)) => *slot == 0 && !self.code.is_static && !self.facts.stored[0],
            Operand::Var(Var::Temp(_) | Var::Merge { .. }) => match self.arg_value(depth).source {
                Source::At(bci) => match self.code.at(bci) {
                    Instruction::New(_) | Instruction::NewArray { .. } | Instruction::NewMultiArray { .. } => true,
                    Instruction::Const(constant) => !matches!(constant, Constant::Dynamic { .. }),
                    _ => false,
                },
                Source::Merge { join, .. } => self.is_caught(join),
            },
        }
    }

    /// Whether the block at this index is entered by exceptions only, so that its merge variable is the exception.
    fn is_caught(&self, join: u16) -> bool {
        let entry = self.code.block_at(join).and_then(|block| self.entries[block].as_ref());
        entry.is_some_and(|entry| entry.by_exception && !entry.by_jump)
    }
}
