//! Fields and methods (JVMS 4.5, 4.6). Headers are read with the class; everything else on demand.

use super::access::{FieldAccess, MethodAccess};
use super::annotation::{self, Annotation, ElementValue};
use super::attributes::{self, Attribute, AttributeKind};
use super::code::Code;
use super::constant_pool::{Constant, ConstantPool};
use super::error::{ClassFileError, Flaw};
use super::input::Input;
use super::signature::{FieldSignature, MethodSignature};
use crate::names::{ClassName, FieldRef, MethodRef, Symbol};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A field as declared.
#[derive(Clone, Debug)]
pub struct Field {
    pub class: ClassName,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub access: FieldAccess,
    attributes: AttributeTable,
}

/// A method as declared.
#[derive(Clone, Debug)]
pub struct Method {
    pub class: ClassName,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub access: MethodAccess,
    attributes: AttributeTable,
    code: OnceLock<Option<Result<Code, ClassFileError>>>,
}

/// An entry of `MethodParameters`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: Option<Symbol>,
    pub is_final: bool,
    pub is_synthetic: bool,
    pub is_mandated: bool,
}

impl Field {
    pub fn reference(&self) -> FieldRef {
        FieldRef { class: self.class, name: self.name, descriptor: self.descriptor }
    }

    /// The value that a static field has from the start.
    pub fn constant_value(&self) -> Result<Option<Constant>, ClassFileError> {
        self.attributes.read_one(AttributeKind::ConstantValue, self, |pool, input| {
            let at = input.position();
            pool.constant(input.u16()?, at)
        })
    }

    /// The generic type.
    pub fn signature(&self) -> Option<FieldSignature> {
        FieldSignature::parse(self.attributes.signature()?.as_str())
    }

    pub fn annotations(&self) -> Result<Vec<Annotation>, ClassFileError> {
        self.attributes.annotations(self)
    }

    pub(crate) fn read(class: ClassName, pool: &Arc<ConstantPool>, input: &mut Input<'_>) -> Result<Field, Flaw> {
        let (access, name, descriptor, attributes) = read_header(pool, input)?;
        let synthetic = attributes.synthetic_flag();
        Ok(Field { class, name, descriptor, access: FieldAccess(access | synthetic), attributes })
    }
}

impl Method {
    pub fn reference(&self) -> MethodRef {
        MethodRef { class: self.class, name: self.name, descriptor: self.descriptor }
    }

    pub fn is_constructor(&self) -> bool {
        self.name.as_str() == "<init>"
    }

    pub fn is_static_initialiser(&self) -> bool {
        self.name.as_str() == "<clinit>"
    }

    /// The code, read on the first call; `None` for abstract and native methods.
    pub fn code(&self) -> Option<Result<&Code, &ClassFileError>> {
        let code = self.code.get_or_init(|| {
            let attribute = self.attributes.find(AttributeKind::Code)?;
            let code = Code::read(self.reference(), &self.attributes.pool, attribute.body.clone());
            Some(code.map_err(|flaw| self.error(flaw, AttributeKind::Code)))
        });
        code.as_ref().map(Result::as_ref)
    }

    /// The code, if there is one that can be read.
    pub fn readable_code(&self) -> Option<&Code> {
        self.code()?.ok()
    }

    /// See [`Code::line_of`].
    pub fn line_of(&self, bci: u16) -> Option<u16> {
        self.readable_code()?.line_of(bci)
    }

    /// See [`Code::ranges_of_line`].
    pub fn ranges_of_line(&self, line: u16) -> Vec<Range<u16>> {
        self.readable_code().map_or_else(Vec::new, |code| code.ranges_of_line(line))
    }

    /// First and last line of the method's line table.
    pub fn line_span(&self) -> Option<(u16, u16)> {
        let lines = self.readable_code()?.lines.iter().map(|entry| entry.line);
        Some((lines.clone().min()?, lines.max()?))
    }

    /// The declared checked exceptions.
    pub fn exceptions(&self) -> Result<Vec<ClassName>, ClassFileError> {
        let read = self.attributes.read_one(AttributeKind::Exceptions, self, |pool, input| {
            input.list(|input| {
                let at = input.position();
                pool.class(input.u16()?, at)
            })
        });
        read.map(Option::unwrap_or_default)
    }

    /// The generic signature.
    pub fn signature(&self) -> Option<MethodSignature> {
        MethodSignature::parse(self.attributes.signature()?.as_str())
    }

    /// The entries of `MethodParameters`; empty for classes compiled without `-parameters`.
    pub fn parameters(&self) -> Result<Vec<Parameter>, ClassFileError> {
        let read = self.attributes.read_one(AttributeKind::MethodParameters, self, |pool, input| {
            let count = input.u8()?;
            (0..count).map(|_| read_parameter(pool, input)).collect()
        });
        read.map(Option::unwrap_or_default)
    }

    /// The names of the descriptor's parameters, from `MethodParameters` or the variable table; `None` where there is none.
    pub fn parameter_names(&self) -> Vec<Option<Symbol>> {
        let types = self.reference().signature().params;
        let declared = self.parameters().unwrap_or_default();
        let mut slot = u16::from(!self.access.is_static());
        let mut names = Vec::with_capacity(types.len());
        for (index, parameter) in types.iter().enumerate() {
            let named = declared.get(index).filter(|_| declared.len() == types.len()).and_then(|p| p.name);
            names.push(named.or_else(|| self.name_in_variable_table(slot)));
            slot = slot.saturating_add(parameter.slots());
        }
        names
    }

    fn name_in_variable_table(&self, slot: u16) -> Option<Symbol> {
        self.readable_code()?.variable(slot, 0).map(|variable| variable.name)
    }

    pub fn annotations(&self) -> Result<Vec<Annotation>, ClassFileError> {
        self.attributes.annotations(self)
    }

    /// The annotations of each parameter. Compilers leave out synthetic parameters of inner classes and enums, so there may be
    /// fewer lists than the descriptor has parameters; they then belong to the last ones.
    pub fn parameter_annotations(&self) -> Result<Vec<Vec<Annotation>>, ClassFileError> {
        let mut all: Vec<Vec<Annotation>> = Vec::new();
        for (kind, visible) in [
            (AttributeKind::RuntimeVisibleParameterAnnotations, true),
            (AttributeKind::RuntimeInvisibleParameterAnnotations, false),
        ] {
            let lists = self
                .attributes
                .read_one(kind, self, |pool, input| annotation::read_parameter_annotations(pool, input, visible))?;
            for (index, list) in lists.unwrap_or_default().into_iter().enumerate() {
                match all.get_mut(index) {
                    Some(existing) => existing.extend(list),
                    None => all.push(list),
                }
            }
        }
        Ok(all)
    }

    /// The default value of an annotation type's element.
    pub fn annotation_default(&self) -> Result<Option<ElementValue>, ClassFileError> {
        self.attributes.read_one(AttributeKind::AnnotationDefault, self, annotation::read_default)
    }

    fn error(&self, flaw: Flaw, kind: AttributeKind) -> ClassFileError {
        flaw.within(Some(self.class), format_args!("attribute {} of `{}`", kind.name(), self.reference()))
    }

    pub(crate) fn read(class: ClassName, pool: &Arc<ConstantPool>, input: &mut Input<'_>) -> Result<Method, Flaw> {
        let (access, name, descriptor, attributes) = read_header(pool, input)?;
        let access = MethodAccess(access | attributes.synthetic_flag());
        Ok(Method { class, name, descriptor, access, attributes, code: OnceLock::new() })
    }
}

/// The attributes of a class or member, with what is needed to read them later.
#[derive(Clone, Debug)]
pub(crate) struct AttributeTable {
    pub(crate) pool: Arc<ConstantPool>,
    pub(crate) attributes: Box<[Attribute]>,
}

/// A class or member, to say whose attribute is damaged.
pub(crate) trait Owner {
    fn class(&self) -> ClassName;
    fn describe(&self) -> String;
}

impl Owner for Field {
    fn class(&self) -> ClassName {
        self.class
    }

    fn describe(&self) -> String {
        self.reference().to_string()
    }
}

impl Owner for Method {
    fn class(&self) -> ClassName {
        self.class
    }

    fn describe(&self) -> String {
        self.reference().to_string()
    }
}

impl AttributeTable {
    pub(crate) fn read(pool: &Arc<ConstantPool>, input: &mut Input<'_>) -> Result<Self, Flaw> {
        let attributes = attributes::read_table(pool, input)?;
        Ok(AttributeTable { pool: Arc::clone(pool), attributes: attributes.into() })
    }

    pub(crate) fn find(&self, kind: AttributeKind) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.kind == kind)
    }

    /// Reads the attribute of this kind, if there is one.
    pub(crate) fn read_one<T>(
        &self,
        kind: AttributeKind,
        owner: &impl Owner,
        read: impl FnOnce(&ConstantPool, &mut Input<'_>) -> Result<T, Flaw>,
    ) -> Result<Option<T>, ClassFileError> {
        let Some(attribute) = self.find(kind) else { return Ok(None) };
        let mut input = Input::within(self.pool.bytes(), attribute.body.clone());
        read(&self.pool, &mut input).map(Some).map_err(|flaw| {
            flaw.within(Some(owner.class()), format_args!("attribute {} of `{}`", kind.name(), owner.describe()))
        })
    }

    pub(crate) fn annotations(&self, owner: &impl Owner) -> Result<Vec<Annotation>, ClassFileError> {
        let read = |kind, visible| {
            let read = self.read_one(kind, owner, |pool, input| annotation::read_annotations(pool, input, visible));
            read.map(Option::unwrap_or_default)
        };
        let mut annotations = read(AttributeKind::RuntimeVisibleAnnotations, true)?;
        annotations.extend(read(AttributeKind::RuntimeInvisibleAnnotations, false)?);
        Ok(annotations)
    }

    pub(crate) fn signature(&self) -> Option<Symbol> {
        let attribute = self.find(AttributeKind::Signature)?;
        let mut input = Input::within(self.pool.bytes(), attribute.body.clone());
        let at = input.position();
        self.pool.symbol(input.u16().ok()?, at).ok()
    }

    /// Old compilers mark synthetic members by an attribute instead of the flag.
    pub(crate) fn synthetic_flag(&self) -> u16 {
        if self.find(AttributeKind::Synthetic).is_some() { 0x1000 } else { 0 }
    }
}

type Header = (u16, Symbol, Symbol, AttributeTable);

fn read_header(pool: &Arc<ConstantPool>, input: &mut Input<'_>) -> Result<Header, Flaw> {
    let access = input.u16()?;
    let at = input.position();
    let name = pool.symbol(input.u16()?, at)?;
    let descriptor = pool.symbol(input.u16()?, at)?;
    let attributes = AttributeTable::read(pool, input)?;
    Ok((access, name, descriptor, attributes))
}

fn read_parameter(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Parameter, Flaw> {
    let at = input.position();
    let name = pool.optional_symbol(input.u16()?, at)?;
    let access = input.u16()?;
    Ok(Parameter {
        name,
        is_final: access & 0x0010 != 0,
        is_synthetic: access & 0x1000 != 0,
        is_mandated: access & 0x8000 != 0,
    })
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reference().fmt(f)
    }
}
