//! The constant pool (JVMS 4.4): where each constant is, and its value resolved down to names. Constants are checked when
//! they are used, so a bad constant costs only what refers to it.

use super::error::{Damage, Flaw};
use super::input::Input;
use super::text::{self, JavaString};
use crate::bytes::Bytes;
use crate::names::{ClassName, FieldRef, MethodRef, Symbol, Type};
use std::borrow::Cow;
use std::fmt;

/// A value that `ldc` loads, that a bootstrap method gets as argument, or that a constant field has.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(JavaString),
    Class(Type),
    MethodType(Symbol),
    MethodHandle(MethodHandle),
    /// Computed once by the bootstrap method with this index (JVMS 5.4.3.6).
    Dynamic {
        bootstrap: u16,
        name: Symbol,
        descriptor: Symbol,
    },
}

/// A direct method handle (JVMS 4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodHandle {
    pub kind: HandleKind,
    pub member: HandleMember,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandleMember {
    Field(FieldRef),
    Method(MethodOperand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandleKind {
    GetField,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

/// The method that an instruction or a handle names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodOperand {
    /// For a method of an array (`clone`), the class is `java/lang/Object`, where arrays inherit it from.
    pub method: MethodRef,
    /// The constant says that the class is an interface.
    pub interface: bool,
    /// The array type, if the method is called on one.
    pub array: Option<Type>,
}

/// The pool of one class file, with constants resolved to names.
#[derive(Clone)]
pub(crate) struct ConstantPool {
    bytes: Bytes,
    tags: Box<[u32]>,
}

/// The pool as bytes: what indexers need, who look at many classes and keep nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawPool<'a> {
    bytes: &'a [u8],
    /// Offset of the tag of each constant; 0 where there is none.
    tags: &'a [u32],
}

pub(crate) mod tag {
    pub(crate) const UTF8: u8 = 1;
    pub(crate) const INTEGER: u8 = 3;
    pub(crate) const FLOAT: u8 = 4;
    pub(crate) const LONG: u8 = 5;
    pub(crate) const DOUBLE: u8 = 6;
    pub(crate) const CLASS: u8 = 7;
    pub(crate) const STRING: u8 = 8;
    pub(crate) const FIELD: u8 = 9;
    pub(crate) const METHOD: u8 = 10;
    pub(crate) const INTERFACE_METHOD: u8 = 11;
    pub(crate) const NAME_AND_TYPE: u8 = 12;
    pub(crate) const METHOD_HANDLE: u8 = 15;
    pub(crate) const METHOD_TYPE: u8 = 16;
    pub(crate) const DYNAMIC: u8 = 17;
    pub(crate) const INVOKE_DYNAMIC: u8 = 18;
    pub(crate) const MODULE: u8 = 19;
    pub(crate) const PACKAGE: u8 = 20;
}

/// Walks over the pool that starts at `input`, leaves `input` behind it, and notes in `tags` where each constant is.
pub(crate) fn read_tags(input: &mut Input<'_>, tags: &mut Vec<u32>) -> Result<(), Flaw> {
    let count = usize::from(input.u16()?);
    tags.clear();
    tags.resize(count, 0);
    let mut index = 1;
    while index < count {
        let at = input.position();
        let (length, slots) = constant_length(input)?;
        input.take(length)?;
        tags[index] = u32::try_from(at).map_err(|_| Flaw::new(at, Damage::Truncated))?;
        index += slots;
    }
    Ok(())
}

impl<'a> RawPool<'a> {
    pub(crate) fn new(bytes: &'a [u8], tags: &'a [u32]) -> Self {
        RawPool { bytes, tags }
    }

    /// All constants with their tags, each with an input at its operands.
    fn constants(self) -> impl Iterator<Item = (u8, Input<'a>)> {
        (0..=u16::MAX).take(self.tags.len()).filter_map(move |index| self.open(index, 0).ok())
    }

    /// The constant's tag and an input at its operands. `at` is where the reference to the constant is.
    pub(super) fn open(self, index: u16, at: usize) -> Result<(u8, Input<'a>), Flaw> {
        let offset = self.tags.get(usize::from(index)).copied().filter(|offset| *offset != 0);
        let offset = offset.ok_or(Flaw::new(at, Damage::NoSuchConstant { index }))? as usize;
        let mut input = Input::within(self.bytes, offset..self.bytes.len());
        let tag = input.u8()?;
        Ok((tag, input))
    }

    pub(super) fn expect(self, index: u16, at: usize, wanted: u8, expected: &'static str) -> Result<Input<'a>, Flaw> {
        let (tag, input) = self.open(index, at)?;
        if tag == wanted { Ok(input) } else { Err(Flaw::new(at, Damage::WrongConstant { index, expected })) }
    }

    pub(crate) fn utf8(self, index: u16, at: usize) -> Result<&'a [u8], Flaw> {
        let mut input = self.expect(index, at, tag::UTF8, "text")?;
        let length = input.u16()?;
        input.take(usize::from(length))
    }

    /// The text of a class constant: a name in internal form, or an array descriptor.
    pub(crate) fn class(self, index: u16, at: usize) -> Result<&'a [u8], Flaw> {
        let mut input = self.expect(index, at, tag::CLASS, "class")?;
        self.utf8(input.u16()?, at)
    }

    pub(crate) fn name_and_type(self, index: u16, at: usize) -> Result<(&'a [u8], &'a [u8]), Flaw> {
        let mut input = self.expect(index, at, tag::NAME_AND_TYPE, "name and type")?;
        Ok((self.utf8(input.u16()?, at)?, self.utf8(input.u16()?, at)?))
    }
}

impl ConstantPool {
    /// Reads over the pool that starts at `input` and leaves `input` behind it.
    pub(crate) fn read(bytes: &Bytes, input: &mut Input<'_>) -> Result<Self, Flaw> {
        let mut tags = Vec::new();
        read_tags(input, &mut tags)?;
        Ok(ConstantPool { bytes: bytes.clone(), tags: tags.into() })
    }

    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    fn raw(&self) -> RawPool<'_> {
        RawPool::new(&self.bytes, &self.tags)
    }

    fn open(&self, index: u16, at: usize) -> Result<(u8, Input<'_>), Flaw> {
        self.raw().open(index, at)
    }

    fn expect(&self, index: u16, at: usize, wanted: u8, expected: &'static str) -> Result<Input<'_>, Flaw> {
        self.raw().expect(index, at, wanted, expected)
    }

    /// All text constants.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let texts = self.raw().constants().filter(|(tag, _)| *tag == tag::UTF8);
        texts.filter_map(|(_, mut input)| {
            let length = input.u16().ok()?;
            Some(text::decode(input.take(usize::from(length)).ok()?))
        })
    }

    /// All class constants, arrays by their elements; damaged ones are left out.
    pub(crate) fn classes(&self) -> Vec<ClassName> {
        let classes = self.raw().constants().filter(|(tag, _)| *tag == tag::CLASS);
        let texts = classes.filter_map(|(_, mut input)| self.utf8(input.u16().ok()?, 0).ok());
        let element = |text: Cow<'_, str>| match text.trim_start_matches('[') {
            element if element.len() == text.len() => Some(ClassName::internal(element)),
            element => Some(ClassName::internal(element.strip_prefix('L')?.strip_suffix(';')?)),
        };
        texts.filter_map(element).collect()
    }

    pub(crate) fn utf8_bytes(&self, index: u16, at: usize) -> Result<&[u8], Flaw> {
        self.raw().utf8(index, at)
    }

    pub(crate) fn utf8(&self, index: u16, at: usize) -> Result<Cow<'_, str>, Flaw> {
        Ok(text::decode(self.utf8_bytes(index, at)?))
    }

    pub(crate) fn symbol(&self, index: u16, at: usize) -> Result<Symbol, Flaw> {
        Ok(Symbol::new(&self.utf8(index, at)?))
    }

    /// A text constant, or `None` for index 0.
    pub(crate) fn optional_symbol(&self, index: u16, at: usize) -> Result<Option<Symbol>, Flaw> {
        if index == 0 { Ok(None) } else { self.symbol(index, at).map(Some) }
    }

    fn class_text(&self, index: u16, at: usize) -> Result<Cow<'_, str>, Flaw> {
        Ok(text::decode(self.raw().class(index, at)?))
    }

    /// A class that is not an array.
    pub(crate) fn class(&self, index: u16, at: usize) -> Result<ClassName, Flaw> {
        let text = self.class_text(index, at)?;
        if text.starts_with('[') || text.is_empty() {
            return Err(malformed(at, &text, "class name"));
        }
        Ok(ClassName::internal(&text))
    }

    pub(crate) fn optional_class(&self, index: u16, at: usize) -> Result<Option<ClassName>, Flaw> {
        if index == 0 { Ok(None) } else { self.class(index, at).map(Some) }
    }

    /// A class or an array type.
    pub(crate) fn class_type(&self, index: u16, at: usize) -> Result<Type, Flaw> {
        let text = self.class_text(index, at)?;
        Type::from_class_entry(&text).ok_or_else(|| malformed(at, &text, "class name or array descriptor"))
    }

    pub(crate) fn name_and_type(&self, index: u16, at: usize) -> Result<(Symbol, Symbol), Flaw> {
        let mut input = self.expect(index, at, tag::NAME_AND_TYPE, "name and type")?;
        let (name, descriptor) = (input.u16()?, input.u16()?);
        Ok((self.symbol(name, at)?, self.symbol(descriptor, at)?))
    }

    pub(crate) fn field(&self, index: u16, at: usize) -> Result<FieldRef, Flaw> {
        let mut input = self.expect(index, at, tag::FIELD, "field")?;
        let (class, member) = (input.u16()?, input.u16()?);
        let class = self.class(class, at)?;
        let (name, descriptor) = self.name_and_type(member, at)?;
        Ok(FieldRef { class, name, descriptor })
    }

    pub(crate) fn method(&self, index: u16, at: usize) -> Result<MethodOperand, Flaw> {
        let (tag, mut input) = self.open(index, at)?;
        if !matches!(tag, tag::METHOD | tag::INTERFACE_METHOD) {
            return Err(Flaw::new(at, Damage::WrongConstant { index, expected: "method" }));
        }
        let (class, member) = (input.u16()?, input.u16()?);
        let (class, array) = match self.class_type(class, at)? {
            Type::Class(class) => (class, None),
            array => (ClassName::object(), Some(array)),
        };
        let (name, descriptor) = self.name_and_type(member, at)?;
        let method = MethodRef { class, name, descriptor };
        Ok(MethodOperand { method, interface: tag == tag::INTERFACE_METHOD, array })
    }

    /// Bootstrap method index, name and descriptor of an `invokedynamic` constant.
    pub(crate) fn invoke_dynamic(&self, index: u16, at: usize) -> Result<(u16, Symbol, Symbol), Flaw> {
        let mut input = self.expect(index, at, tag::INVOKE_DYNAMIC, "dynamic call site")?;
        let (bootstrap, member) = (input.u16()?, input.u16()?);
        let (name, descriptor) = self.name_and_type(member, at)?;
        Ok((bootstrap, name, descriptor))
    }

    pub(crate) fn method_handle(&self, index: u16, at: usize) -> Result<MethodHandle, Flaw> {
        let mut input = self.expect(index, at, tag::METHOD_HANDLE, "method handle")?;
        let (kind, member) = (input.u8()?, input.u16()?);
        let kind = HandleKind::from_tag(kind)
            .ok_or_else(|| Flaw::new(at, Damage::BadValue { value: kind.into(), of: "method handle kind" }))?;
        let member = match kind {
            HandleKind::GetField | HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic => {
                HandleMember::Field(self.field(member, at)?)
            }
            _ => HandleMember::Method(self.method(member, at)?),
        };
        Ok(MethodHandle { kind, member })
    }

    /// A text constant as the value of a string.
    pub(crate) fn string(&self, index: u16, at: usize) -> Result<Constant, Flaw> {
        Ok(Constant::String(JavaString::decode(self.utf8_bytes(index, at)?)))
    }

    /// A constant that can be loaded or passed to a bootstrap method.
    pub(crate) fn constant(&self, index: u16, at: usize) -> Result<Constant, Flaw> {
        let (tag, mut input) = self.open(index, at)?;
        Ok(match tag {
            tag::INTEGER => Constant::Int(input.i32()?),
            tag::FLOAT => Constant::Float(f32::from_bits(input.u32()?)),
            tag::LONG => Constant::Long(input.u64()?.cast_signed()),
            tag::DOUBLE => Constant::Double(f64::from_bits(input.u64()?)),
            tag::CLASS => Constant::Class(self.class_type(index, at)?),
            tag::STRING => self.string(input.u16()?, at)?,
            tag::METHOD_TYPE => Constant::MethodType(self.symbol(input.u16()?, at)?),
            tag::METHOD_HANDLE => Constant::MethodHandle(self.method_handle(index, at)?),
            tag::DYNAMIC => {
                let (bootstrap, member) = (input.u16()?, input.u16()?);
                let (name, descriptor) = self.name_and_type(member, at)?;
                Constant::Dynamic { bootstrap, name, descriptor }
            }
            _ => return Err(Flaw::new(at, Damage::WrongConstant { index, expected: "loadable constant" })),
        })
    }
}

impl HandleKind {
    fn from_tag(tag: u8) -> Option<Self> {
        Some(match tag {
            1 => HandleKind::GetField,
            2 => HandleKind::GetStatic,
            3 => HandleKind::PutField,
            4 => HandleKind::PutStatic,
            5 => HandleKind::InvokeVirtual,
            6 => HandleKind::InvokeStatic,
            7 => HandleKind::InvokeSpecial,
            8 => HandleKind::NewInvokeSpecial,
            9 => HandleKind::InvokeInterface,
            _ => return None,
        })
    }
}

impl fmt::Debug for ConstantPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConstantPool({} constants)", self.tags.len().saturating_sub(1))
    }
}

pub(crate) fn malformed(at: usize, text: &str, expected: &'static str) -> Flaw {
    Flaw::new(at, Damage::Malformed { text: text.chars().take(80).collect(), expected })
}

/// Reads the tag; gives the number of operand bytes that follow and how many indices the constant takes.
fn constant_length(input: &mut Input<'_>) -> Result<(usize, usize), Flaw> {
    let at = input.position();
    let tag = input.u8()?;
    Ok(match tag {
        tag::UTF8 => (usize::from(input.u16()?), 1),
        tag::INTEGER | tag::FLOAT | tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD | tag::NAME_AND_TYPE => (4, 1),
        tag::DYNAMIC | tag::INVOKE_DYNAMIC => (4, 1),
        tag::LONG | tag::DOUBLE => (8, 2),
        tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => (2, 1),
        tag::METHOD_HANDLE => (3, 1),
        _ => return Err(Flaw::new(at, Damage::UnknownConstantTag { tag })),
    })
}
