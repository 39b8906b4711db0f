//! The shape of a lowered method. What a valid body promises is listed in [`crate::verify`]; questions to a body are answered
//! in [`crate::lookup`].

use program::classfile::{JavaString, Kind, MethodHandle};
pub use program::{BinaryOp, CompareOp};
use program::{ClassName, FieldRef, InstrId, MethodRef, Symbol, Type};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// One lowered method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    pub method: MethodRef,
    pub is_static: bool,
    /// Block 0 is the entry. Blocks that stand for bytecode come first, in the order of the code; behind them those that only
    /// carry stack values along one edge.
    pub blocks: Vec<Block>,
    /// Every variable that occurs, sorted, with what is known of its type.
    pub vars: Vec<(Var, VarInfo)>,
    /// The class file's local variable table, in its order; empty without debug information.
    pub names: Vec<LocalName>,
    /// Bytecode index and source line, sorted by index; entries for one index keep the order of the class file.
    pub lines: Vec<(u16, u16)>,
    /// The operand stack before each bytecode instruction that was lowered.
    pub stacks: Stacks,
    /// How many bytecode instructions cannot be reached and were not lowered.
    pub unreachable: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the first bytecode instruction.
    pub start: u16,
    /// Index behind the last bytecode instruction; equal to `start` for a block that only carries stack values along one edge.
    pub after: u16,
    pub instrs: Vec<Instr>,
    pub end: Terminator,
    /// The identity of the terminator.
    pub end_id: InstrId,
    /// Where an exception from this block goes, in the order in which the JVM tries them. Empty if nothing in it can throw.
    pub handlers: Vec<HandlerEdge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HandlerEdge {
    /// `None` catches everything.
    pub catch: Option<ClassName>,
    pub target: BlockId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Var {
    /// A local variable slot.
    Local(u16),
    /// The value produced at this bytecode index.
    Temp(u16),
    /// The operand stack position `depth`, 0 at the bottom, where control flow joins at the bytecode index `join`. A depth
    /// above the stack is scratch space for exchanging others.
    Merge { join: u16, depth: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarInfo {
    /// `None` for a slot that is reused for values of different kinds, and for return addresses of subroutines.
    pub kind: Option<Kind>,
    /// The one type of all definitions, if there is one; joins of different classes have none.
    pub ty: Option<Type>,
    /// From the class file's local variable table, if the slot has one name everywhere.
    pub name: Option<Symbol>,
}

/// The name and declared type of a local variable slot in a range of the bytecode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalName {
    pub slot: u16,
    pub range: Range<u16>,
    pub name: Symbol,
    pub descriptor: Symbol,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    pub id: InstrId,
    pub op: Op,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Assign(Var, Rvalue),
    PutField {
        object: Operand,
        field: FieldRef,
        value: Operand,
    },
    PutStatic {
        field: FieldRef,
        value: Operand,
    },
    PutElement {
        array: Operand,
        index: Operand,
        value: Operand,
        component: Option<Type>,
    },
    /// A call of a `void` method; other calls are [`Rvalue::Invoke`], whether their result is used or not.
    Invoke(Callee, Vec<Operand>),
    Guard(Guard),
    MonitorEnter(Operand),
    MonitorExit(Operand),
}

/// A check that throws when it fails.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// `NullPointerException` if null.
    NotNull(Operand),
    /// `ArrayIndexOutOfBoundsException` unless `0 <= index < array.length`.
    InBounds { array: Operand, index: Operand },
    /// `ClassCastException` unless null or an instance.
    Castable(Operand, Type),
    /// `ArrayStoreException` unless the array's dynamic component type admits the value.
    Storable { array: Operand, value: Operand },
    /// `ArithmeticException` if zero (`int` and `long` division and remainder).
    NotZero(Operand),
    /// `NegativeArraySizeException` if negative.
    NotNegative(Operand),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Var(Var),
    Const(Const),
}

/// Floating point constants are compared by their bits, so that a body equals itself.
#[derive(Clone, Debug)]
pub enum Const {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(JavaString),
    Class(Type),
    MethodType(Symbol),
    MethodHandle(MethodHandle),
    /// A dynamically computed constant.
    Dynamic {
        bootstrap: u16,
        name: Symbol,
        descriptor: Symbol,
    },
    /// A subroutine's return address (`jsr`, class files before version 51).
    ReturnAddress(u16),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rvalue {
    Use(Operand),
    Negate(Operand),
    /// The kind is that of the assigned variable.
    Binary(BinaryOp, Operand, Operand),
    /// `lcmp`, `fcmpl`, `fcmpg`, `dcmpl`, `dcmpg`: -1, 0 or 1.
    ThreeWay(ThreeWay, Operand, Operand),
    /// Conversion to a primitive type.
    Convert(Operand, Type),
    /// A cast that its guard has made safe.
    Cast(Operand, Type),
    InstanceOf(Operand, Type),
    GetField(Operand, FieldRef),
    GetStatic(FieldRef),
    GetElement {
        array: Operand,
        index: Operand,
        component: Option<Type>,
    },
    Length(Operand),
    New(ClassName),
    /// An array of this component type; several lengths for a multi-dimensional creation.
    NewArray(Type, Vec<Operand>),
    Invoke(Callee, Vec<Operand>),
    /// The exception at the start of a handler.
    Caught,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    Method {
        kind: InvokeKind,
        method: MethodRef,
        interface: bool,
    },
    /// `invokedynamic`: index into the class's bootstrap methods, name, descriptor.
    Dynamic {
        bootstrap: u16,
        name: Symbol,
        descriptor: Symbol,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InvokeKind {
    Static,
    Special,
    Virtual,
    Interface,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreeWay {
    Long,
    /// The result on NaN: -1 for `fcmpl`, 1 for `fcmpg`.
    Float {
        nan: i8,
    },
    Double {
        nan: i8,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    Goto(BlockId),
    /// Compares two ints or two references (`Eq` and `Ne` only). `then` is where the bytecode branches to.
    If {
        op: CompareOp,
        left: Operand,
        right: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    /// Cases in the order of the bytecode; a table switch lists every key, also those that lead to the default.
    Switch {
        on: Operand,
        cases: Vec<(i32, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    Throw(Operand),
    /// `ret`: continues at the return address in the operand, one of these that `jsr` may have left there.
    Ret(Operand, Vec<(u16, BlockId)>),
}

/// Operand stacks by bytecode index, one value per entry whatever its width, bottom first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// Bytecode index and where its stack ends in `operands`, sorted by index.
    ends: Vec<(u16, u32)>,
    operands: Vec<Operand>,
}

impl Stacks {
    /// Adds the stack before the instruction at `bci`, which must be behind all that were added.
    pub fn push(&mut self, bci: u16, stack: impl IntoIterator<Item = Operand>) {
        debug_assert!(self.last().is_none_or(|last| last < bci), "stacks are added in ascending order");
        self.operands.extend(stack);
        let end = u32::try_from(self.operands.len()).expect("65535 stacks of at most 65535 values");
        self.ends.push((bci, end));
    }

    /// `None` if there is no instruction at `bci` or it was not lowered.
    pub fn before(&self, bci: u16) -> Option<&[Operand]> {
        let index = self.ends.binary_search_by_key(&bci, |(at, _)| *at).ok()?;
        Some(self.at(index))
    }

    /// The index of the last instruction that has a stack here.
    pub fn last(&self) -> Option<u16> {
        self.ends.last().map(|(bci, _)| *bci)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u16, &[Operand])> {
        self.ends.iter().enumerate().map(|(index, (bci, _))| (*bci, self.at(index)))
    }

    fn at(&self, index: usize) -> &[Operand] {
        let start = if index == 0 { 0 } else { self.ends[index - 1].1 };
        &self.operands[start as usize..self.ends[index].1 as usize]
    }
}

impl Const {
    /// The value as something that equality and hashing may look at.
    fn key(&self) -> (u8, u64) {
        match self {
            Const::Null => (0, 0),
            Const::Int(value) => (1, u64::from(value.cast_unsigned())),
            Const::Long(value) => (2, value.cast_unsigned()),
            Const::Float(value) => (3, u64::from(value.to_bits())),
            Const::Double(value) => (4, value.to_bits()),
            Const::ReturnAddress(bci) => (5, u64::from(*bci)),
            Const::Dynamic { bootstrap, .. } => (6, u64::from(*bootstrap)),
            Const::String(_) => (7, 0),
            Const::Class(_) => (8, 0),
            Const::MethodType(_) => (9, 0),
            Const::MethodHandle(_) => (10, 0),
        }
    }
}

impl PartialEq for Const {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Const::String(one), Const::String(two)) => one == two,
            (Const::Class(one), Const::Class(two)) => one == two,
            (Const::MethodType(one), Const::MethodType(two)) => one == two,
            (Const::MethodHandle(one), Const::MethodHandle(two)) => one == two,
            (
                Const::Dynamic { bootstrap, name, descriptor },
                Const::Dynamic { bootstrap: bootstrap2, name: name2, descriptor: descriptor2 },
            ) => (bootstrap, name, descriptor) == (bootstrap2, name2, descriptor2),
            _ => self.key() == other.key(),
        }
    }
}

impl Eq for Const {}

impl Hash for Const {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
        match self {
            Const::String(value) => value.hash(state),
            Const::Class(value) => value.hash(state),
            Const::MethodType(value) => value.hash(state),
            Const::MethodHandle(value) => value.hash(state),
            Const::Dynamic { name, descriptor, .. } => (name, descriptor).hash(state),
            _ => {}
        }
    }
}

impl From<Var> for Operand {
    fn from(var: Var) -> Self {
        Operand::Var(var)
    }
}

impl From<Const> for Operand {
    fn from(value: Const) -> Self {
        Operand::Const(value)
    }
}

impl Operand {
    pub fn as_var(&self) -> Option<Var> {
        if let Operand::Var(var) = self { Some(*var) } else { None }
    }
}
