//! Three-address code lowered from bytecode: typed, not SSA, every implicit check explicit.
//!
//! - A value-producing instruction at bytecode index `b` defines the temporary `t<b>`; local variables keep their slots
//!   (`l<n>`); only where control flow joins with a non-empty operand stack, and where a handler takes an exception, are there
//!   merge variables (`s<join>.<depth>`).
//! - Every check that the JVM makes implicitly (null, bounds, cast, store, division, size) is a [`Guard`] operation of its
//!   own, before the operation it protects and with the same bytecode index, so "which instruction of this line throws"
//!   is a lookup. Each block knows the handlers that its exceptions reach.
//! - [`Body::exception_edges`] tells for each operation what it can throw and which handlers may take it, [`Op::initialises`]
//!   which class it may initialise, [`Dynamic`] what an `invokedynamic` means.
//! - Operations are named by [`program::InstrId`]: bytecode index and sub-index.
//!
//! [`lower()`] makes a [`Body`] from a method, [`verify()`] checks what every body promises, [`read()`] and `Display` turn bodies from
//! and into text for tests and people.

mod body;
mod dynamic;
mod exceptions;
mod lookup;
mod lower;
mod print;
mod read;
mod verify;

pub use body::{
    BinaryOp, Block, BlockId, Body, Callee, CompareOp, Const, Guard, HandlerEdge, Instr, InvokeKind, LocalName, Op,
    Operand, Rvalue, Stacks, Terminator, ThreeWay, Var, VarInfo,
};
pub use dynamic::{ConcatPiece, Dynamic, Lambda, RecordMethod, SwitchLabel};
pub use exceptions::{ExceptionEdge, Thrown};
pub use lookup::{Operation, Parameter, kind_of_type};
pub use lower::{LowerError, lower};
pub use program::classfile::Kind;
pub use read::{ReadError, read};
pub use verify::{Violation, Violations, verify};
