//! Annotations (JVMS 4.7.16 to 4.7.22), read on demand. Type annotations are not read.

use super::constant_pool::{Constant, ConstantPool, malformed};
use super::error::{Damage, Flaw};
use super::input::Input;
use crate::names::{Symbol, Type};

#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    pub annotation_type: Type,
    /// Retained at run time.
    pub visible: bool,
    pub elements: Vec<(Symbol, ElementValue)>,
}

/// The value of an annotation's element.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementValue {
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    /// `int`, `long`, `float`, `double` and strings.
    Constant(Constant),
    Enum {
        enum_type: Type,
        constant: Symbol,
    },
    /// `None` for `void.class`.
    Class(Option<Type>),
    Annotation(Box<Annotation>),
    Array(Vec<ElementValue>),
}

/// Arrays and annotations nest; javac writes a depth of a few.
const MAX_DEPTH: usize = 64;

pub(crate) fn read_annotations(
    pool: &ConstantPool,
    input: &mut Input<'_>,
    visible: bool,
) -> Result<Vec<Annotation>, Flaw> {
    input.list(|input| read_annotation(pool, input, visible, 0))
}

/// One list for each parameter that the class file counts; synthetic parameters may be left out by the compiler.
pub(crate) fn read_parameter_annotations(
    pool: &ConstantPool,
    input: &mut Input<'_>,
    visible: bool,
) -> Result<Vec<Vec<Annotation>>, Flaw> {
    let count = input.u8()?;
    (0..count).map(|_| read_annotations(pool, input, visible)).collect()
}

pub(crate) fn read_default(pool: &ConstantPool, input: &mut Input<'_>) -> Result<ElementValue, Flaw> {
    read_value(pool, input, true, 0)
}

fn read_annotation(
    pool: &ConstantPool,
    input: &mut Input<'_>,
    visible: bool,
    depth: usize,
) -> Result<Annotation, Flaw> {
    if depth > MAX_DEPTH {
        return Err(input.flaw(Damage::TooDeep));
    }
    let annotation_type = read_type(pool, input)?;
    let elements = input.list(|input| {
        let name = read_symbol(pool, input)?;
        Ok((name, read_value(pool, input, visible, depth + 1)?))
    })?;
    Ok(Annotation { annotation_type, visible, elements })
}

fn read_value(pool: &ConstantPool, input: &mut Input<'_>, visible: bool, depth: usize) -> Result<ElementValue, Flaw> {
    if depth > MAX_DEPTH {
        return Err(input.flaw(Damage::TooDeep));
    }
    let at = input.position();
    let tag = input.u8()?;
    Ok(match tag {
        b'Z' => ElementValue::Boolean(read_int(pool, input)? != 0),
        b'B' => ElementValue::Byte(read_int(pool, input)? as i8),
        b'C' => ElementValue::Char(read_int(pool, input)? as u16),
        b'S' => ElementValue::Short(read_int(pool, input)? as i16),
        b'I' | b'J' | b'F' | b'D' => ElementValue::Constant(pool.constant(input.u16()?, at)?),
        b's' => ElementValue::Constant(pool.string(input.u16()?, at)?),
        b'e' => ElementValue::Enum { enum_type: read_type(pool, input)?, constant: read_symbol(pool, input)? },
        b'c' => ElementValue::Class(read_return_type(pool, input)?),
        b'@' => ElementValue::Annotation(Box::new(read_annotation(pool, input, visible, depth + 1)?)),
        b'[' => ElementValue::Array(input.list(|input| read_value(pool, input, visible, depth + 1))?),
        _ => return Err(Flaw::new(at, Damage::BadValue { value: tag.into(), of: "annotation value tag" })),
    })
}

fn read_symbol(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Symbol, Flaw> {
    let at = input.position();
    pool.symbol(input.u16()?, at)
}

fn read_int(pool: &ConstantPool, input: &mut Input<'_>) -> Result<i32, Flaw> {
    let at = input.position();
    let index = input.u16()?;
    match pool.constant(index, at)? {
        Constant::Int(value) => Ok(value),
        _ => Err(Flaw::new(at, Damage::WrongConstant { index, expected: "integer" })),
    }
}

fn read_type(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Type, Flaw> {
    let at = input.position();
    let text = pool.utf8(input.u16()?, at)?;
    Type::parse(&text).ok_or_else(|| malformed(at, &text, "type descriptor"))
}

fn read_return_type(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Option<Type>, Flaw> {
    let at = input.position();
    let text = pool.utf8(input.u16()?, at)?;
    if text == "V" {
        return Ok(None);
    }
    Type::parse(&text).map(Some).ok_or_else(|| malformed(at, &text, "type descriptor"))
}
