//! The program under study: names, class files, class path, JDK, hierarchy and resolution. No JVM is started.

mod archive;
mod bytes;
mod cache;
mod callers;
mod class_path;
pub mod classfile;
mod error;
mod hierarchy;
mod index;
mod inventory;
mod jdk;
mod jimage;
mod manifest;
pub mod names;
mod operators;
mod program;
mod resolve;
mod runtime;
mod scan;
mod sources;
mod zip;

pub use bytes::Bytes;
pub use cache::{Cache, CacheSize};
pub use callers::{CallKind, CallSite, Implementors, LambdaSite};
pub use class_path::ClassPath;
pub use classfile::{Class, Code, Field, Instruction, Method};
pub use error::{Problem, ProgramError};
pub use inventory::{Container, Duplicate};
pub use jdk::{Jdk, JdkLibrary};
pub use names::{ArrayType, ClassName, CodePoint, FieldRef, InstrId, MethodRef, MethodType, Symbol, Type};
pub use operators::{BinaryOp, CompareOp};
pub use program::Program;
pub use resolve::{FoundField, FoundMethod, Resolved, Subtype};
pub use runtime::{RuntimeClassPath, Unpacked};
pub use sources::Origin;
pub use zip::ZipError;
