//! The program under study: names, class files, class path, JDK, hierarchy and resolution. No JVM is started.

mod bytes;
mod cache;
mod class_path;
pub mod classfile;
mod error;
mod jdk;
mod jimage;
mod manifest;
pub mod names;
mod program;
mod resolve;
mod source;
mod zip;

pub use bytes::Bytes;
pub use cache::Cache;
pub use class_path::ClassPath;
pub use classfile::{Class, Code, Field, Instruction, Method};
pub use error::{Problem, ProgramError};
pub use jdk::{Jdk, JdkLibrary};
pub use names::{ArrayType, ClassName, CodePoint, FieldRef, InstrId, MethodRef, MethodType, Symbol, Type};
pub use program::Program;
pub use resolve::{FoundField, FoundMethod, Resolved, Subtype};
pub use source::Origin;
pub use zip::ZipError;
