//! From bytecode to three-address code. Input is one method of a class file, of any version, which need not have been verified:
//! damage is an error with its place, never a panic. No other class is looked at, so the type of a join of two different
//! classes is unknown. Unreachable code is counted and left out.
//!
//! 1. [`code`] decodes the instructions and cuts them into blocks.
//! 2. [`infer`] finds the reachable blocks and the types and origins of locals and stack entries at their starts.
//! 3. [`emit`] walks each block once and writes operations.
//!
//! The operand stack disappears by forwarding: constants and locals are used where they are consumed, other values through the
//! temporary of the instruction that made them. A load whose local is overwritten while the value is still on the stack
//! (`a[i++]`) becomes a temporary at the load, and so does a load from a slot that has no single type, so that the operand of
//! every operation has a kind, and a type where one is known.
//!
//! A guard that cannot fail is left out: `this`, new objects, caught exceptions and string constants are not null; a constant
//! divisor or array length is what it is. All other checks of JVMS 6.5 are there, in the order in which the JVM makes them.
//!
//! Subroutines are not copied into their callers, since then one bytecode index would name several operations. A `ret` has an edge
//! to every place that it may return to; the return address is a constant in a variable, so that whoever executes the code
//! goes back to the right one.

mod code;
mod emit;
mod frame;
mod infer;
mod stack;
mod types;

use crate::body::Body;
use program::classfile::{ClassFileError, Method};
use program::{MethodRef, MethodType, Symbol};

/// Why a method cannot be lowered. Except for [`NoCode`](LowerError::NoCode), which is the caller's fault, these describe class
/// files that no JVM would verify.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    #[error("`{method}` has no code: it is abstract or native")]
    NoCode { method: MethodRef },
    #[error("the code of `{method}` cannot be read")]
    Unreadable {
        method: MethodRef,
        #[source]
        source: ClassFileError,
    },
    #[error("`{method}`, index {bci}: control goes to {target}, where no instruction starts")]
    BadTarget { method: MethodRef, bci: u16, target: u16 },
    #[error("`{method}`, index {bci}: control runs off the end of the code")]
    FallsOffTheEnd { method: MethodRef, bci: u16 },
    #[error("`{method}`, index {bci}: the operand stack does not have what the instruction takes")]
    BadStack { method: MethodRef, bci: u16 },
    #[error("`{method}`, index {bci}: the operand stack is not as deep as on other paths to {target}")]
    UnequalStacks { method: MethodRef, bci: u16, target: u16 },
    #[error("`{method}`, index {bci}: `{descriptor}` is not a method descriptor")]
    BadDescriptor { method: MethodRef, bci: u16, descriptor: Symbol },
    #[error("`{method}`, index {bci}: `ret` without the return address of one subroutine")]
    BadReturn { method: MethodRef, bci: u16 },
    #[error("`{method}`, index {bci}: more operations than an instruction can have")]
    TooManyOperations { method: MethodRef, bci: u16 },
}

/// Lowers a method that has code.
pub fn lower(method: &Method) -> Result<Body, LowerError> {
    let reference = method.reference();
    let code = method.code().ok_or(LowerError::NoCode { method: reference })?;
    let code = code.map_err(|source| LowerError::Unreadable { method: reference, source: source.clone() })?;
    if MethodType::parse(method.descriptor.as_str()).is_none() {
        return Err(LowerError::BadDescriptor { method: reference, bci: 0, descriptor: method.descriptor });
    }
    let bytecode = code::Bytecode::read(reference, method.access.is_static(), code)?;
    let flow = infer::infer(&bytecode)?;
    emit::emit(&bytecode, flow)
}
