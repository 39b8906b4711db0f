//! Bytecode instructions (JVMS 6.5) as families with their operands resolved: short, wide and `_w` forms of one operation are
//! one value here. Input is the code of one method with its class's constant pool; no stack or type state is tracked.

use super::constant_pool::{Constant, ConstantPool, MethodOperand};
use super::error::{Damage, Flaw};
use super::input::Input;
use crate::names::{FieldRef, Symbol, Type};
use crate::operators::{BinaryOp, CompareOp};

/// What an instruction computes on: the five kinds of values that locals and the operand stack hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

/// What an array instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementKind {
    Int,
    Long,
    Float,
    Double,
    Reference,
    /// `byte[]` or `boolean[]`
    Byte,
    Char,
    Short,
}

/// `lcmp`, and the float comparisons with the result for NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreeWayOp {
    Long,
    FloatNanLess,
    FloatNanGreater,
    DoubleNanLess,
    DoubleNanGreater,
}

/// The target type of a conversion; `i2b`, `i2c` and `i2s` narrow an `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConvertTo {
    Int,
    Long,
    Float,
    Double,
    Byte,
    Char,
    Short,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StackOp {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

/// What a conditional branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BranchTest {
    /// `ifeq`..: the top `int` against zero.
    IntZero(CompareOp),
    /// `if_icmpeq`..: two `int`s.
    Int(CompareOp),
    /// `if_acmpeq`, `if_acmpne`
    SameReference,
    DifferentReference,
    Null,
    NonNull,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldOp {
    GetStatic,
    PutStatic,
    GetField,
    PutField,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InvokeOp {
    Virtual,
    Special,
    Static,
    Interface,
}

/// One instruction. Branch targets are bytecode indices and lie inside the code.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    Nop,
    /// `aconst_null`, `iconst_*`.., `bipush`, `sipush`, `ldc`, `ldc_w`, `ldc2_w`
    Const(Constant),
    Load(Kind, u16),
    Store(Kind, u16),
    ArrayLoad(ElementKind),
    ArrayStore(ElementKind),
    Stack(StackOp),
    Binary(BinaryOp, Kind),
    Negate(Kind),
    Increment {
        slot: u16,
        by: i16,
    },
    Convert {
        from: Kind,
        to: ConvertTo,
    },
    Compare(ThreeWayOp),
    If {
        test: BranchTest,
        target: u16,
    },
    Goto(u16),
    Jsr(u16),
    Ret(u16),
    Switch {
        default: u16,
        /// Ascending in a verified class; a table switch lists every key.
        cases: Box<[(i32, u16)]>,
    },
    /// `None` for `void`.
    Return(Option<Kind>),
    Field {
        op: FieldOp,
        field: FieldRef,
    },
    Invoke {
        op: InvokeOp,
        callee: MethodOperand,
    },
    InvokeDynamic {
        bootstrap: u16,
        name: Symbol,
        descriptor: Symbol,
    },
    /// Always a class in a verified file.
    New(Type),
    /// `newarray` and `anewarray`, with the component type.
    NewArray {
        component: Type,
    },
    /// `array` is the type of the whole array; the first `dimensions` sizes are on the stack.
    NewMultiArray {
        array: Type,
        dimensions: u8,
    },
    ArrayLength,
    Throw,
    CheckCast(Type),
    InstanceOf(Type),
    MonitorEnter,
    MonitorExit,
}

impl Instruction {
    /// Bytecode indices that this instruction may jump to, besides falling through; in the order of the operands.
    pub fn targets(&self) -> Vec<u16> {
        match self {
            Instruction::If { target, .. } | Instruction::Goto(target) | Instruction::Jsr(target) => vec![*target],
            Instruction::Switch { default, cases } => {
                std::iter::once(*default).chain(cases.iter().map(|(_, target)| *target)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether control can go on at the next instruction. A `jsr` comes back there only by way of its `ret`.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Instruction::Goto(_)
                | Instruction::Jsr(_)
                | Instruction::Ret(_)
                | Instruction::Switch { .. }
                | Instruction::Return(_)
                | Instruction::Throw
        )
    }
}

/// Where the code of a method lies in its class file, and how to read the instruction at an index of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoder<'a> {
    pub(crate) pool: &'a ConstantPool,
    /// Offset of the first instruction in the file.
    pub(crate) start: usize,
    pub(crate) length: usize,
}

impl Decoder<'_> {
    /// The instruction at `bci` and the index of the next one.
    pub(crate) fn decode(&self, bci: u16) -> Result<(Instruction, usize), Flaw> {
        let at = self.start + usize::from(bci);
        let mut input = Input::within(self.pool.bytes(), at..self.start + self.length);
        let opcode = input.u8()?;
        let mut reader = OperandReader { decoder: self, input: &mut input, at, bci };
        let instruction = reader.instruction(opcode)?;
        Ok((instruction, input.position() - self.start))
    }
}

struct OperandReader<'a, 'b> {
    decoder: &'a Decoder<'a>,
    input: &'a mut Input<'b>,
    /// Offset of the opcode in the file, and its bytecode index.
    at: usize,
    bci: u16,
}

const KINDS: [Kind; 5] = [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference];
const ELEMENTS: [ElementKind; 8] = [
    ElementKind::Int,
    ElementKind::Long,
    ElementKind::Float,
    ElementKind::Double,
    ElementKind::Reference,
    ElementKind::Byte,
    ElementKind::Char,
    ElementKind::Short,
];
const STACK_OPS: [StackOp; 9] = [
    StackOp::Pop,
    StackOp::Pop2,
    StackOp::Dup,
    StackOp::DupX1,
    StackOp::DupX2,
    StackOp::Dup2,
    StackOp::Dup2X1,
    StackOp::Dup2X2,
    StackOp::Swap,
];
const ARITHMETIC: [BinaryOp; 5] = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem];
const BITWISE: [BinaryOp; 6] =
    [BinaryOp::Shl, BinaryOp::Shr, BinaryOp::Ushr, BinaryOp::And, BinaryOp::Or, BinaryOp::Xor];
const CONVERSIONS: [(Kind, ConvertTo); 15] = [
    (Kind::Int, ConvertTo::Long),
    (Kind::Int, ConvertTo::Float),
    (Kind::Int, ConvertTo::Double),
    (Kind::Long, ConvertTo::Int),
    (Kind::Long, ConvertTo::Float),
    (Kind::Long, ConvertTo::Double),
    (Kind::Float, ConvertTo::Int),
    (Kind::Float, ConvertTo::Long),
    (Kind::Float, ConvertTo::Double),
    (Kind::Double, ConvertTo::Int),
    (Kind::Double, ConvertTo::Long),
    (Kind::Double, ConvertTo::Float),
    (Kind::Int, ConvertTo::Byte),
    (Kind::Int, ConvertTo::Char),
    (Kind::Int, ConvertTo::Short),
];
const COMPARES: [ThreeWayOp; 5] = [
    ThreeWayOp::Long,
    ThreeWayOp::FloatNanLess,
    ThreeWayOp::FloatNanGreater,
    ThreeWayOp::DoubleNanLess,
    ThreeWayOp::DoubleNanGreater,
];
const COMPARISONS: [CompareOp; 6] =
    [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Ge, CompareOp::Gt, CompareOp::Le];
const FIELD_OPS: [FieldOp; 4] = [FieldOp::GetStatic, FieldOp::PutStatic, FieldOp::GetField, FieldOp::PutField];

fn nth<T: Copy>(table: &[T], opcode: u8, first: u8) -> T {
    table[usize::from(opcode - first)]
}

impl OperandReader<'_, '_> {
    /// The opcodes of each arm are consecutive, in the order of the tables above.
    fn instruction(&mut self, opcode: u8) -> Result<Instruction, Flaw> {
        Ok(match opcode {
            0x00 => Instruction::Nop,
            0x01..=0x0f => Instruction::Const(small_constant(opcode)),
            0x10 => Instruction::Const(Constant::Int(self.input.i8()?.into())),
            0x11 => Instruction::Const(Constant::Int(self.input.i16()?.into())),
            0x12 => self.load_constant_short()?,
            0x13 | 0x14 => self.load_constant()?,
            0x15..=0x19 => Instruction::Load(nth(&KINDS, opcode, 0x15), self.input.u8()?.into()),
            0x1a..=0x2d => Instruction::Load(KINDS[usize::from(opcode - 0x1a) / 4], u16::from((opcode - 0x1a) % 4)),
            0x2e..=0x35 => Instruction::ArrayLoad(nth(&ELEMENTS, opcode, 0x2e)),
            0x36..=0x3a => Instruction::Store(nth(&KINDS, opcode, 0x36), self.input.u8()?.into()),
            0x3b..=0x4e => Instruction::Store(KINDS[usize::from(opcode - 0x3b) / 4], u16::from((opcode - 0x3b) % 4)),
            0x4f..=0x56 => Instruction::ArrayStore(nth(&ELEMENTS, opcode, 0x4f)),
            0x57..=0x5f => Instruction::Stack(nth(&STACK_OPS, opcode, 0x57)),
            0x60..=0x73 => {
                let position = usize::from(opcode - 0x60);
                Instruction::Binary(ARITHMETIC[position / 4], KINDS[position % 4])
            }
            0x74..=0x77 => Instruction::Negate(nth(&KINDS, opcode, 0x74)),
            0x78..=0x83 => {
                let position = usize::from(opcode - 0x78);
                Instruction::Binary(BITWISE[position / 2], KINDS[position % 2])
            }
            0x84 => Instruction::Increment { slot: self.input.u8()?.into(), by: self.input.i8()?.into() },
            0x85..=0x93 => {
                let (from, to) = nth(&CONVERSIONS, opcode, 0x85);
                Instruction::Convert { from, to }
            }
            0x94..=0x98 => Instruction::Compare(nth(&COMPARES, opcode, 0x94)),
            0x99..=0xa6 | 0xc6 | 0xc7 => self.branch(opcode)?,
            0xa7 => Instruction::Goto(self.short_target()?),
            0xa8 => Instruction::Jsr(self.short_target()?),
            0xa9 => Instruction::Ret(self.input.u8()?.into()),
            0xaa => self.table_switch()?,
            0xab => self.lookup_switch()?,
            0xac..=0xb0 => Instruction::Return(Some(nth(&KINDS, opcode, 0xac))),
            0xb1 => Instruction::Return(None),
            0xb2..=0xb5 => Instruction::Field { op: nth(&FIELD_OPS, opcode, 0xb2), field: self.field()? },
            0xb6 => self.invoke(InvokeOp::Virtual)?,
            0xb7 => self.invoke(InvokeOp::Special)?,
            0xb8 => self.invoke(InvokeOp::Static)?,
            0xb9 => self.invoke_interface()?,
            0xba => self.invoke_dynamic()?,
            0xbb => Instruction::New(self.class_type()?),
            0xbc => Instruction::NewArray { component: self.primitive()? },
            0xbd => Instruction::NewArray { component: self.class_type()? },
            0xbe => Instruction::ArrayLength,
            0xbf => Instruction::Throw,
            0xc0 => Instruction::CheckCast(self.class_type()?),
            0xc1 => Instruction::InstanceOf(self.class_type()?),
            0xc2 => Instruction::MonitorEnter,
            0xc3 => Instruction::MonitorExit,
            0xc4 => self.wide()?,
            0xc5 => Instruction::NewMultiArray { array: self.class_type()?, dimensions: self.input.u8()? },
            0xc8 => Instruction::Goto(self.long_target()?),
            0xc9 => Instruction::Jsr(self.long_target()?),
            _ => return Err(Flaw::new(self.at, Damage::UnknownOpcode { opcode })),
        })
    }

    fn load_constant_short(&mut self) -> Result<Instruction, Flaw> {
        let index = self.input.u8()?;
        Ok(Instruction::Const(self.decoder.pool.constant(index.into(), self.at)?))
    }

    fn load_constant(&mut self) -> Result<Instruction, Flaw> {
        let index = self.input.u16()?;
        Ok(Instruction::Const(self.decoder.pool.constant(index, self.at)?))
    }

    fn field(&mut self) -> Result<FieldRef, Flaw> {
        let index = self.input.u16()?;
        self.decoder.pool.field(index, self.at)
    }

    fn class_type(&mut self) -> Result<Type, Flaw> {
        let index = self.input.u16()?;
        self.decoder.pool.class_type(index, self.at)
    }

    fn invoke(&mut self, op: InvokeOp) -> Result<Instruction, Flaw> {
        let index = self.input.u16()?;
        Ok(Instruction::Invoke { op, callee: self.decoder.pool.method(index, self.at)? })
    }

    fn invoke_interface(&mut self) -> Result<Instruction, Flaw> {
        let invoke = self.invoke(InvokeOp::Interface)?;
        // Argument count and a zero byte, both redundant.
        self.input.u16()?;
        Ok(invoke)
    }

    fn invoke_dynamic(&mut self) -> Result<Instruction, Flaw> {
        let index = self.input.u16()?;
        let (bootstrap, name, descriptor) = self.decoder.pool.invoke_dynamic(index, self.at)?;
        self.input.u16()?;
        Ok(Instruction::InvokeDynamic { bootstrap, name, descriptor })
    }

    fn primitive(&mut self) -> Result<Type, Flaw> {
        let code = self.input.u8()?;
        Ok(match code {
            4 => Type::Boolean,
            5 => Type::Char,
            6 => Type::Float,
            7 => Type::Double,
            8 => Type::Byte,
            9 => Type::Short,
            10 => Type::Int,
            11 => Type::Long,
            _ => return Err(Flaw::new(self.at, Damage::BadValue { value: code.into(), of: "array element type" })),
        })
    }

    fn wide(&mut self) -> Result<Instruction, Flaw> {
        let opcode = self.input.u8()?;
        let slot = self.input.u16()?;
        Ok(match opcode {
            0x15..=0x19 => Instruction::Load(nth(&KINDS, opcode, 0x15), slot),
            0x36..=0x3a => Instruction::Store(nth(&KINDS, opcode, 0x36), slot),
            0x84 => Instruction::Increment { slot, by: self.input.i16()? },
            0xa9 => Instruction::Ret(slot),
            _ => return Err(Flaw::new(self.at, Damage::UnknownOpcode { opcode })),
        })
    }

    fn branch(&mut self, opcode: u8) -> Result<Instruction, Flaw> {
        let test = match opcode {
            0x99..=0x9e => BranchTest::IntZero(nth(&COMPARISONS, opcode, 0x99)),
            0x9f..=0xa4 => BranchTest::Int(nth(&COMPARISONS, opcode, 0x9f)),
            0xa5 => BranchTest::SameReference,
            0xa6 => BranchTest::DifferentReference,
            0xc6 => BranchTest::Null,
            _ => BranchTest::NonNull,
        };
        Ok(Instruction::If { test, target: self.short_target()? })
    }

    fn short_target(&mut self) -> Result<u16, Flaw> {
        let offset = self.input.i16()?;
        self.target(offset.into())
    }

    fn long_target(&mut self) -> Result<u16, Flaw> {
        let offset = self.input.i32()?;
        self.target(offset)
    }

    fn target(&self, offset: i32) -> Result<u16, Flaw> {
        let target = i64::from(self.bci) + i64::from(offset);
        let inside = u16::try_from(target).ok().filter(|inside| usize::from(*inside) < self.decoder.length);
        inside.ok_or(Flaw::new(self.at, Damage::BadBranch { target }))
    }

    /// Operands of a switch start at the next multiple of four, counted from the start of the code.
    fn switch_default(&mut self) -> Result<u16, Flaw> {
        let padding = 3 - usize::from(self.bci) % 4;
        self.input.skip(padding)?;
        self.long_target()
    }

    fn table_switch(&mut self) -> Result<Instruction, Flaw> {
        let default = self.switch_default()?;
        let (low, high) = (self.input.i32()?, self.input.i32()?);
        // No `collect` with a size hint from the file: a wrong `high` must not allocate before the bytes run out.
        let mut cases = Vec::new();
        for key in low..=high {
            cases.push((key, self.long_target()?));
        }
        Ok(Instruction::Switch { default, cases: cases.into() })
    }

    fn lookup_switch(&mut self) -> Result<Instruction, Flaw> {
        let default = self.switch_default()?;
        let count = self.input.i32()?;
        let mut cases = Vec::new();
        for _ in 0..count {
            cases.push((self.input.i32()?, self.long_target()?));
        }
        Ok(Instruction::Switch { default, cases: cases.into() })
    }
}

fn small_constant(opcode: u8) -> Constant {
    match opcode {
        0x01 => Constant::Null,
        0x02..=0x08 => Constant::Int(i32::from(opcode) - 3),
        0x09 | 0x0a => Constant::Long(i64::from(opcode) - 9),
        0x0b..=0x0d => Constant::Float(f32::from(opcode) - 11.0),
        _ => Constant::Double(f64::from(opcode) - 14.0),
    }
}
