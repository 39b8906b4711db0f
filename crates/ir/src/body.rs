//! The shape of a lowered method.

use program::{ClassName, FieldRef, InstrId, MethodRef, Symbol, Type};

/// One lowered method.
#[derive(Clone, Debug)]
pub struct Body {
    pub method: MethodRef,
    pub is_static: bool,
    pub blocks: Vec<Block>,
    /// Every variable that occurs, sorted, with what is known of its type.
    pub vars: Vec<(Var, VarInfo)>,
    /// Bytecode index and source line, sorted by index.
    pub lines: Vec<(u16, u16)>,
    /// For each bytecode instruction that was lowered, the operand stack before it, bottom first, sorted by index.
    pub stacks: Vec<(u16, Vec<Operand>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

#[derive(Clone, Debug)]
pub struct Block {
    /// Index of the first bytecode instruction.
    pub start: u16,
    pub instrs: Vec<Instr>,
    pub end: Terminator,
    /// The identity of the terminator.
    pub end_id: InstrId,
    /// Where an exception from this block goes, in the order in which the JVM tries them.
    pub handlers: Vec<HandlerEdge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The operand stack position at a control-flow join, 0 at the bottom.
    Merge(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarInfo {
    /// The one type of all definitions, if there is one; a slot that is reused with different types has none.
    pub ty: Option<Type>,
    /// From the class file's local variable table.
    pub name: Option<Symbol>,
}

#[derive(Clone, Debug)]
pub struct Instr {
    pub id: InstrId,
    pub op: Op,
}

#[derive(Clone, Debug, PartialEq)]
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
    /// A call whose result is unused or void; otherwise calls are [`Rvalue::Invoke`].
    Invoke(Callee, Vec<Operand>),
    Guard(Guard),
    MonitorEnter(Operand),
    MonitorExit(Operand),
}

/// A check that throws when it fails.
#[derive(Clone, Debug, PartialEq)]
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

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Var(Var),
    Const(Const),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(Symbol),
    Class(Type),
    MethodType(Symbol),
    MethodHandle(MethodRef),
    /// A dynamically computed constant: bootstrap index, name, descriptor.
    Dynamic(u16, Symbol, Symbol),
    /// A subroutine's return address (`jsr`, class files before version 51).
    ReturnAddress(u16),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Rvalue {
    Use(Operand),
    Negate(Operand),
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

#[derive(Clone, Debug, PartialEq)]
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
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Ushr,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    Goto(BlockId),
    /// Compares two ints or two references (`Eq` and `Ne` only).
    If {
        op: CompareOp,
        left: Operand,
        right: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        on: Operand,
        cases: Vec<(i32, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    Throw(Operand),
    /// `ret`: continues at one of the return addresses that `jsr` has put into the variable.
    Ret(Operand, Vec<BlockId>),
}
