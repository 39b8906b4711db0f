//! The effect of one instruction on locals and stack (JVMS 6.5), without emitting anything. Both passes of lowering use it:
//! inference until nothing changes, emission to know the operands of each instruction.

use super::LowerError;
use super::code::Bytecode;
use super::stack::{BadStack, Source, Stack, Value};
use super::types::{self, Known};
use program::BinaryOp;
use program::classfile::{BranchTest, Constant, ConvertTo, FieldOp, Instruction, InvokeOp, Kind};
use program::{Symbol, Type};

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// By slot. The second slot of a wide value holds [`Known::Nothing`].
    pub(super) locals: Vec<Known>,
    pub(super) stack: Stack,
}

/// What inference wants to know besides the frames.
pub(super) struct Facts {
    /// For each slot, everything that is ever stored there or passed in.
    pub(super) locals: Vec<Option<Known>>,
    /// Whether a slot is stored to after the method starts.
    pub(super) stored: Vec<bool>,
    /// Indices of loads whose local is overwritten while the loaded value is still on the stack, sorted.
    pub(super) outlived: Vec<u16>,
}

impl Facts {
    pub(super) fn new(slots: usize, parameters: &[Known]) -> Self {
        let mut locals = vec![None; slots];
        for (slot, known) in parameters.iter().enumerate().filter(|(_, known)| **known != Known::Nothing) {
            locals[slot] = Some(*known);
        }
        Facts { locals, stored: vec![false; slots], outlived: Vec::new() }
    }

    fn define(&mut self, slot: u16, known: Known) {
        let slot = usize::from(slot);
        self.stored[slot] = true;
        self.locals[slot] = Some(self.locals[slot].map_or(known, |before| before.join(known)));
    }
}

impl Frame {
    /// Executes the instruction at this position.
    pub(super) fn step(&mut self, code: &Bytecode<'_>, position: usize, facts: &mut Facts) -> Result<(), LowerError> {
        let (bci, instruction) = &code.instructions[position];
        let bad = |BadStack| LowerError::BadStack { method: code.method, bci: *bci };
        match instruction {
            Instruction::Load(kind, slot) => {
                let known = self.loaded(code, *kind, *slot, *bci);
                self.stack.push(Source::At(*bci), known);
                Ok(())
            }
            Instruction::Store(_, slot) => {
                let value = self.stack.pop().map_err(bad)?.ty;
                self.store(code, *slot, value, code.next(position), facts);
                Ok(())
            }
            Instruction::Increment { slot, .. } => {
                self.store(code, *slot, Known::Type(Type::Int), code.next(position), facts);
                Ok(())
            }
            Instruction::Invoke { op, callee } => {
                let receiver = usize::from(*op != InvokeOp::Static);
                self.call(code, *bci, callee.method.descriptor, receiver)
            }
            Instruction::InvokeDynamic { descriptor, .. } => self.call(code, *bci, *descriptor, 0),
            other => self.compute(*bci, other).map_err(bad),
        }
    }

    /// Whether the instruction is lowered to operations that can throw; the same answer as [`crate::Op::can_throw`] gives for
    /// them. Exceptions that hit any place do not count.
    pub(super) fn can_throw(&self, code: &Bytecode<'_>, instruction: &Instruction) -> bool {
        let maker_of_top = || match self.stack.peek(0) {
            Ok(Value { source: Source::At(bci), .. }) => Some(code.at(bci)),
            _ => None,
        };
        match instruction {
            Instruction::Binary(BinaryOp::Div | BinaryOp::Rem, Kind::Int | Kind::Long) => match maker_of_top() {
                Some(Instruction::Const(Constant::Int(divisor))) => *divisor == 0,
                Some(Instruction::Const(Constant::Long(divisor))) => *divisor == 0,
                _ => true,
            },
            Instruction::ArrayLength => {
                !matches!(maker_of_top(), Some(Instruction::NewArray { .. } | Instruction::NewMultiArray { .. }))
            }
            Instruction::Const(constant) => matches!(
                constant,
                Constant::Class(_) | Constant::MethodType(_) | Constant::MethodHandle(_) | Constant::Dynamic { .. }
            ),
            Instruction::Nop
            | Instruction::Load(..)
            | Instruction::Store(..)
            | Instruction::Stack(_)
            | Instruction::Binary(..)
            | Instruction::Negate(_)
            | Instruction::Increment { .. }
            | Instruction::Convert { .. }
            | Instruction::Compare(_)
            | Instruction::If { .. }
            | Instruction::Goto(_)
            | Instruction::Jsr(_)
            | Instruction::Ret(_)
            | Instruction::Switch { .. }
            | Instruction::Return(_) => false,
            Instruction::ArrayLoad(_)
            | Instruction::ArrayStore(_)
            | Instruction::Field { .. }
            | Instruction::Invoke { .. }
            | Instruction::InvokeDynamic { .. }
            | Instruction::New(_)
            | Instruction::NewArray { .. }
            | Instruction::NewMultiArray { .. }
            | Instruction::Throw
            | Instruction::CheckCast(_)
            | Instruction::InstanceOf(_)
            | Instruction::MonitorEnter
            | Instruction::MonitorExit => true,
        }
    }

    /// Everything that touches only the stack and is not a call.
    fn compute(&mut self, bci: u16, instruction: &Instruction) -> Result<(), BadStack> {
        let int = Known::Type(Type::Int);
        let (takes, gives) = match instruction {
            Instruction::Stack(op) => return self.stack.apply(*op),
            Instruction::Const(constant) => (0, Some(Known::of_constant(constant))),
            Instruction::ArrayLoad(element) => (2, Some(types::element(self.stack.peek(1)?.ty, *element))),
            Instruction::ArrayStore(_) => (3, None),
            Instruction::Binary(_, kind) => (2, Some(Known::of_kind(*kind))),
            Instruction::Negate(kind) => (1, Some(Known::of_kind(*kind))),
            Instruction::Convert { to, .. } => (1, Some(Known::Type(converted(*to)))),
            Instruction::Compare(_) => (2, Some(int)),
            Instruction::If { test, .. } => (compared(*test), None),
            Instruction::Jsr(target) => (0, Some(Known::Address(*target))),
            Instruction::Return(Some(_)) | Instruction::Switch { .. } | Instruction::Throw => (1, None),
            Instruction::MonitorEnter | Instruction::MonitorExit => (1, None),
            Instruction::Field { op, field } => match op {
                FieldOp::GetStatic => (0, Some(Known::Type(field.field_type()))),
                FieldOp::PutStatic => (1, None),
                FieldOp::GetField => (1, Some(Known::Type(field.field_type()))),
                FieldOp::PutField => (2, None),
            },
            Instruction::New(ty) => (0, Some(Known::Type(*ty))),
            Instruction::NewArray { component } => (1, Some(Known::Type(Type::array_of(*component)))),
            Instruction::NewMultiArray { array, dimensions } => (usize::from(*dimensions), Some(Known::Type(*array))),
            Instruction::ArrayLength => (1, Some(int)),
            Instruction::CheckCast(ty) => (1, Some(Known::Type(*ty))),
            Instruction::InstanceOf(_) => (1, Some(Known::Type(Type::Boolean))),
            Instruction::Nop | Instruction::Goto(_) | Instruction::Ret(_) | Instruction::Return(None) => (0, None),
            Instruction::Load(..)
            | Instruction::Store(..)
            | Instruction::Increment { .. }
            | Instruction::Invoke { .. }
            | Instruction::InvokeDynamic { .. } => unreachable!("handled by `step`"),
        };
        self.stack.pop_many(takes)?;
        if let Some(known) = gives {
            self.stack.push(Source::At(bci), known);
        }
        Ok(())
    }

    fn call(&mut self, code: &Bytecode<'_>, bci: u16, descriptor: Symbol, receiver: usize) -> Result<(), LowerError> {
        let method = code.method;
        let (arguments, result) =
            call_shape(descriptor.as_str()).ok_or(LowerError::BadDescriptor { method, bci, descriptor })?;
        let popped = self.stack.pop_many(arguments + receiver);
        popped.map_err(|BadStack| LowerError::BadStack { method, bci })?;
        if let Some(ty) = result {
            self.stack.push(Source::At(bci), Known::Type(ty));
        }
        Ok(())
    }

    /// The declared type where there is debug information: it does not depend on the path that leads here.
    fn loaded(&self, code: &Bytecode<'_>, kind: Kind, slot: u16, bci: u16) -> Known {
        let declared = code.declared(slot, bci).map(Known::Type);
        let known = declared.unwrap_or(self.locals[usize::from(slot)]);
        if known.kind() == Some(kind) { known } else { Known::of_kind(kind) }
    }

    /// Puts a value into a slot; `next` is where a declared variable's life would start.
    fn store(&mut self, code: &Bytecode<'_>, slot: u16, value: Known, next: u16, facts: &mut Facts) {
        let index = usize::from(slot);
        let wide = value.is_wide();
        if index > 0 && self.locals[index - 1].is_wide() {
            self.overwrite(code, slot - 1, Known::Nothing, facts);
        }
        self.overwrite(code, slot, value, facts);
        if wide {
            self.overwrite(code, slot + 1, Known::Nothing, facts);
        }
        let declared = code.declared(slot, next).map(Known::Type);
        facts.define(slot, declared.filter(|declared| declared.kind() == value.kind()).unwrap_or(value));
    }

    fn overwrite(&mut self, code: &Bytecode<'_>, slot: u16, value: Known, facts: &mut Facts) {
        self.locals[usize::from(slot)] = value;
        for entry in &self.stack.0 {
            let Source::At(bci) = entry.source else { continue };
            if matches!(code.at(bci), Instruction::Load(_, loaded) if *loaded == slot)
                && let Err(position) = facts.outlived.binary_search(&bci)
            {
                facts.outlived.insert(position, bci);
            }
        }
    }
}

pub(super) fn converted(to: ConvertTo) -> Type {
    match to {
        ConvertTo::Int => Type::Int,
        ConvertTo::Long => Type::Long,
        ConvertTo::Float => Type::Float,
        ConvertTo::Double => Type::Double,
        ConvertTo::Byte => Type::Byte,
        ConvertTo::Char => Type::Char,
        ConvertTo::Short => Type::Short,
    }
}

/// How many values a branch compares.
fn compared(test: BranchTest) -> usize {
    match test {
        BranchTest::IntZero(_) | BranchTest::Null | BranchTest::NonNull => 1,
        BranchTest::Int(_) | BranchTest::SameReference | BranchTest::DifferentReference => 2,
    }
}

/// How many arguments a method of this descriptor takes, and what it returns. The arguments' types are not needed, and reading
/// them would take longer than all the rest.
pub(super) fn call_shape(descriptor: &str) -> Option<(usize, Option<Type>)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut arguments = 0;
    while !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let length = match element.as_bytes().first()? {
            b'L' => element.find(';')? + 1,
            b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => 1,
            _ => return None,
        };
        rest = &element[length..];
        arguments += 1;
    }
    match &rest[1..] {
        "V" => Some((arguments, None)),
        result => Some((arguments, Some(Type::parse(result)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::MethodType;

    #[test]
    fn call_shapes_agree_with_full_descriptors() {
        for text in
            ["()V", "(IJ[[Ljava/lang/String;D)Ljava/lang/Object;", "([[I)[B", "(", "(V)V", "()", "(Lx", "()II", "x"]
        {
            let full = MethodType::parse(text).map(|full| (full.params.len(), full.ret));
            assert_eq!(call_shape(text), full, "{text}");
        }
    }
}
