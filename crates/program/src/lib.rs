//! The program under study: names, class files, class path, hierarchy.

pub mod names;

pub use names::{ArrayType, ClassName, CodePoint, FieldRef, InstrId, MethodRef, MethodType, Symbol, Type};
