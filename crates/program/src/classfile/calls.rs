//! The calls of a class, read from its raw bytes: which method names which, at which bytecode index. Nothing is interned and no
//! other instruction is decoded, so that every class of a jar can be looked at.

use super::constant_pool::{RawPool, tag};
use super::error::{Damage, Flaw};
use super::input::Input;
use super::instruction::InvokeOp;

/// A method as a constant names it, in modified UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawMethod<'a> {
    /// A class in internal form, or an array descriptor.
    pub(crate) class: &'a [u8],
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
    pub(crate) interface: bool,
}

/// Something that an instruction does with methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawCall<'a> {
    Invoke(InvokeOp, RawMethod<'a>),
    /// The method's handle is loaded, or given to a bootstrap method.
    Handle(RawMethod<'a>),
    /// An `invokedynamic` that gives an object of a class: a lambda, if the class is an interface.
    Dynamic {
        interface: &'a [u8],
        /// The method whose handle is the second argument of the bootstrap method.
        implementation: Option<RawMethod<'a>>,
    },
}

/// The method that has a call in its code: name and descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawCaller<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
}

/// Visits the calls of all methods in their order. `input` is at the list of fields. After an instruction that cannot be read, a
/// method has no more; where the lists themselves are damaged, the class has none.
pub(crate) fn visit_calls<'a>(
    pool: RawPool<'a>,
    mut input: Input<'a>,
    mut visit: impl FnMut(RawCaller<'a>, u16, RawCall<'a>),
) -> Result<(), Flaw> {
    read_members(pool, &mut input)?;
    let methods = read_members(pool, &mut input)?;
    let bootstraps = read_attributes(pool, &mut input, b"BootstrapMethods")?;
    let bootstraps = bootstraps.map_or_else(Vec::new, |input| read_bootstraps(pool, input).unwrap_or_default());
    for (caller, code) in methods.into_iter().filter_map(|(caller, code)| Some((caller, code?))) {
        let walk = Walk { pool, bootstraps: &bootstraps };
        let Ok(code) = code_array(code) else { continue };
        // What was read before the damage counts.
        let _ = walk.code(code, |bci, call| visit(caller, bci, call));
    }
    Ok(())
}

type Member<'a> = (RawCaller<'a>, Option<Input<'a>>);

/// Fields or methods, each with the body of its `Code`.
fn read_members<'a>(pool: RawPool<'a>, input: &mut Input<'a>) -> Result<Vec<Member<'a>>, Flaw> {
    input.list(|input| {
        input.u16()?;
        let at = input.position();
        let (name, descriptor) = (pool.utf8(input.u16()?, at)?, pool.utf8(input.u16()?, at)?);
        Ok((RawCaller { name, descriptor }, read_attributes(pool, input, b"Code")?))
    })
}

/// Reads over a table of attributes; gives the body of the first one of this name.
fn read_attributes<'a>(pool: RawPool<'a>, input: &mut Input<'a>, wanted: &[u8]) -> Result<Option<Input<'a>>, Flaw> {
    let mut found = None;
    for _ in 0..input.u16()? {
        let at = input.position();
        let name = pool.utf8(input.u16()?, at)?;
        let length = input.u32()? as usize;
        let start = input.clone();
        input.take(length)?;
        if name == wanted && found.is_none() {
            found = Some(start);
        }
    }
    Ok(found)
}

/// The methods whose handles each bootstrap method gets, with their positions among its arguments.
type Bootstrap<'a> = Vec<(usize, RawMethod<'a>)>;

fn read_bootstraps<'a>(pool: RawPool<'a>, mut input: Input<'a>) -> Result<Vec<Bootstrap<'a>>, Flaw> {
    input.list(|input| {
        input.u16()?;
        let arguments = input.list(Input::u16)?;
        let handles = arguments.into_iter().enumerate();
        Ok(handles.filter_map(|(position, index)| Some((position, pool.method_of_handle(index)?))).collect())
    })
}

fn code_array(mut input: Input<'_>) -> Result<&[u8], Flaw> {
    input.u32()?;
    let length = input.u32()?;
    input.take(length as usize)
}

struct Walk<'a, 'b> {
    pool: RawPool<'a>,
    bootstraps: &'b [Bootstrap<'a>],
}

impl<'a> Walk<'a, '_> {
    fn code(&self, code: &'a [u8], mut visit: impl FnMut(u16, RawCall<'a>)) -> Result<(), Flaw> {
        let mut input = Input::new(code);
        while input.position() < code.len() {
            let Ok(bci) = u16::try_from(input.position()) else { break };
            let opcode = input.u8()?;
            match opcode {
                0x12 => self.load(input.u8()?.into(), |call| visit(bci, call)),
                0x13 => self.load(input.u16()?, |call| visit(bci, call)),
                0xb6..=0xb8 => {
                    visit(bci, RawCall::Invoke(INVOKES[usize::from(opcode - 0xb6)], self.method(&mut input)?));
                }
                0xb9 => {
                    let method = self.method(&mut input)?;
                    input.u16()?;
                    visit(bci, RawCall::Invoke(InvokeOp::Interface, method));
                }
                0xba => {
                    let index = input.u16()?;
                    input.u16()?;
                    self.dynamic(index, |call| visit(bci, call))?;
                }
                0xaa | 0xab | 0xc4 => skip_variable(opcode, bci, &mut input)?,
                _ => {
                    let length = operands(opcode).ok_or(Flaw::new(bci.into(), Damage::UnknownOpcode { opcode }))?;
                    input.take(length)?;
                }
            }
        }
        Ok(())
    }

    fn method(&self, input: &mut Input<'a>) -> Result<RawMethod<'a>, Flaw> {
        let at = input.position();
        self.pool.method(input.u16()?, at)
    }

    fn load(&self, index: u16, mut visit: impl FnMut(RawCall<'a>)) {
        if let Some(method) = self.pool.method_of_handle(index) {
            visit(RawCall::Handle(method));
        }
    }

    fn dynamic(&self, index: u16, mut visit: impl FnMut(RawCall<'a>)) -> Result<(), Flaw> {
        let (bootstrap, descriptor) = self.pool.dynamic_call(index)?;
        let handles = self.bootstraps.get(usize::from(bootstrap)).map_or(&[][..], Vec::as_slice);
        handles.iter().for_each(|(_, method)| visit(RawCall::Handle(*method)));
        if let Some(interface) = returned_class(descriptor) {
            let implementation = handles.iter().find(|(position, _)| *position == 1).map(|(_, method)| *method);
            visit(RawCall::Dynamic { interface, implementation });
        }
        Ok(())
    }
}

const INVOKES: [InvokeOp; 3] = [InvokeOp::Virtual, InvokeOp::Special, InvokeOp::Static];

/// `X` of `(..)LX;`.
fn returned_class(descriptor: &[u8]) -> Option<&[u8]> {
    let close = descriptor.iter().rposition(|byte| *byte == b')')?;
    descriptor[close + 1..].strip_prefix(b"L")?.strip_suffix(b";")
}

/// The bytes of operands of an instruction that always has the same number (JVMS 6.5).
fn operands(opcode: u8) -> Option<usize> {
    Some(match opcode {
        0x00..=0x0f | 0x1a..=0x35 | 0x3b..=0x83 | 0x85..=0x98 | 0xac..=0xb1 | 0xbe | 0xbf | 0xc2 | 0xc3 => 0,
        0x10 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 1,
        0x11 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb5 | 0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 2,
        0xc5 => 3,
        0xc8 | 0xc9 => 4,
        _ => return None,
    })
}

/// `tableswitch`, `lookupswitch`, `wide`.
fn skip_variable(opcode: u8, bci: u16, input: &mut Input<'_>) -> Result<(), Flaw> {
    if opcode == 0xc4 {
        let is_increment = input.u8()? == 0x84;
        return input.take(if is_increment { 4 } else { 2 }).map(drop);
    }
    input.take(3 - usize::from(bci) % 4)?;
    input.u32()?;
    let truncated = || Flaw::new(bci.into(), Damage::Truncated);
    let words = if opcode == 0xaa {
        let (low, high) = (i64::from(input.i32()?), i64::from(input.i32()?));
        usize::try_from((high - low + 1).max(0)).map_err(|_| truncated())?
    } else {
        usize::try_from(input.i32()?.max(0)).map_err(|_| truncated())?.saturating_mul(2)
    };
    input.take(words.saturating_mul(4)).map(drop)
}

impl<'a> RawPool<'a> {
    fn method(self, index: u16, at: usize) -> Result<RawMethod<'a>, Flaw> {
        let (tag, mut input) = self.open(index, at)?;
        if !matches!(tag, tag::METHOD | tag::INTERFACE_METHOD) {
            return Err(Flaw::new(at, Damage::WrongConstant { index, expected: "method" }));
        }
        let (class, member) = (input.u16()?, input.u16()?);
        let (name, descriptor) = self.name_and_type(member, at)?;
        Ok(RawMethod { class: self.class(class, at)?, name, descriptor, interface: tag == tag::INTERFACE_METHOD })
    }

    /// The method of a method handle; `None` for other constants and for handles of fields.
    fn method_of_handle(self, index: u16) -> Option<RawMethod<'a>> {
        let (tag, mut input) = self.open(index, 0).ok()?;
        let kind = (tag == tag::METHOD_HANDLE).then(|| input.u8().ok())??;
        let member = input.u16().ok()?;
        if (5..=9).contains(&kind) { self.method(member, 0).ok() } else { None }
    }

    /// Bootstrap method and descriptor of an `invokedynamic` constant.
    fn dynamic_call(self, index: u16) -> Result<(u16, &'a [u8]), Flaw> {
        let mut input = self.expect(index, 0, tag::INVOKE_DYNAMIC, "dynamic call site")?;
        let (bootstrap, member) = (input.u16()?, input.u16()?);
        Ok((bootstrap, self.name_and_type(member, 0)?.1))
    }
}
