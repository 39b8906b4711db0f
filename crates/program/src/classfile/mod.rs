//! Reads class files (JVMS chapter 4) of version 45 to the newest. Input is the bytes of one class file; output is a [`Class`]
//! with its members. Reading is total: damage becomes an error or a problem with its place, never a panic. Code, annotations and
//! signatures are read when they are asked for. Nothing is verified beyond what reading needs, and no other class is looked at.

mod access;
mod annotation;
mod attributes;
mod calls;
mod code;
mod constant_pool;
mod error;
mod input;
mod instruction;
mod lines;
mod member;
mod reader;
pub mod signature;
mod summary;
mod text;

pub use access::{ClassAccess, FieldAccess, MethodAccess, Visibility};
pub use annotation::{Annotation, ElementValue};
pub(crate) use calls::{RawCall, RawCaller, RawMethod};
pub use code::{Code, Handler, LocalVariable};
pub use constant_pool::{Constant, HandleKind, HandleMember, MethodHandle, MethodOperand};
pub use error::{ClassFileError, Damage};
pub use instruction::{BranchTest, ConvertTo, ElementKind, FieldOp, Instruction, InvokeOp, Kind, StackOp, ThreeWayOp};
pub use lines::LineEntry;
pub use member::{Field, Method, Parameter};
pub use reader::{BootstrapMethod, Class, EnclosingMethod, InnerClass, RecordComponent};
pub(crate) use summary::{Summariser, Summary};
pub use text::JavaString;
pub(crate) use text::decode as decode_text;
