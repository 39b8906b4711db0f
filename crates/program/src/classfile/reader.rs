//! One class file: header, members and class attributes.

use super::access::ClassAccess;
use super::annotation::Annotation;
use super::attributes::AttributeKind;
use super::constant_pool::{Constant, ConstantPool, MethodHandle};
use super::error::{ClassFileError, Damage, Flaw};
use super::input::Input;
use super::member::{AttributeTable, Field, Method, Owner};
use super::signature::ClassSignature;
use crate::bytes::Bytes;
use crate::names::{ClassName, MethodRef, Symbol};
use std::sync::Arc;

/// A class or interface as its file declares it.
#[derive(Clone, Debug)]
pub struct Class {
    pub name: ClassName,
    pub access: ClassAccess,
    pub major: u16,
    pub minor: u16,
    /// `None` for `java/lang/Object` and for module descriptions.
    pub super_class: Option<ClassName>,
    pub interfaces: Vec<ClassName>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub source_file: Option<Symbol>,
    pub inner_classes: Vec<InnerClass>,
    pub enclosing_method: Option<EnclosingMethod>,
    pub nest_host: Option<ClassName>,
    pub nest_members: Vec<ClassName>,
    pub bootstrap_methods: Vec<BootstrapMethod>,
    /// `Some` for a record, which may have no components.
    pub record_components: Option<Vec<RecordComponent>>,
    /// Not empty for a sealed class.
    pub permitted_subclasses: Vec<ClassName>,
    /// Class attributes that are damaged and read as if they were absent.
    pub problems: Vec<ClassFileError>,
    attributes: AttributeTable,
}

/// An entry of `InnerClasses`: a nested class that this class declares, is, or mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerClass {
    pub inner: ClassName,
    /// `None` for local and anonymous classes.
    pub outer: Option<ClassName>,
    /// `None` for anonymous classes.
    pub simple_name: Option<Symbol>,
    /// As in the source: the only place that knows `private`, `protected` and `static` of a nested class.
    pub access: ClassAccess,
}

/// Where a local or anonymous class is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnclosingMethod {
    pub class: ClassName,
    /// `None` in an initialiser.
    pub method: Option<MethodRef>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BootstrapMethod {
    pub handle: MethodHandle,
    pub arguments: Vec<Constant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordComponent {
    pub name: Symbol,
    pub descriptor: Symbol,
}

pub(crate) const MAGIC: u32 = 0xCAFE_BABE;

impl Class {
    /// Reads the headers of the class and its members.
    pub fn read(bytes: &Bytes) -> Result<Class, ClassFileError> {
        let mut input = Input::new(bytes);
        let (minor, major) = read_version(&mut input).map_err(|flaw| flaw.within(None, "header"))?;
        let pool = ConstantPool::read(bytes, &mut input).map_err(|flaw| flaw.within(None, "constant pool"))?;
        let pool = Arc::new(pool);
        let header = read_header(&pool, &mut input).map_err(|flaw| flaw.within(None, "header"))?;
        let name = header.name;
        let fields = input.list(|input| Field::read(name, &pool, input));
        let fields = fields.map_err(|flaw| flaw.within(Some(name), "list of fields"))?;
        let methods = input.list(|input| Method::read(name, &pool, input));
        let methods = methods.map_err(|flaw| flaw.within(Some(name), "list of methods"))?;
        let attributes = AttributeTable::read(&pool, &mut input);
        let (attributes, problem) = match attributes {
            Ok(attributes) => (attributes, None),
            Err(flaw) => {
                let none = AttributeTable { pool: Arc::clone(&pool), attributes: Box::default() };
                (none, Some(flaw.within(Some(name), "list of class attributes")))
            }
        };
        let mut class = Class {
            name,
            access: ClassAccess(header.access | attributes.synthetic_flag()),
            major,
            minor,
            super_class: header.super_class,
            interfaces: header.interfaces,
            fields,
            methods,
            source_file: None,
            inner_classes: Vec::new(),
            enclosing_method: None,
            nest_host: None,
            nest_members: Vec::new(),
            bootstrap_methods: Vec::new(),
            record_components: None,
            permitted_subclasses: Vec::new(),
            problems: problem.into_iter().collect(),
            attributes,
        };
        class.read_attributes();
        Ok(class)
    }

    /// The method with this name and descriptor, declared in this class.
    pub fn method(&self, name: Symbol, descriptor: Symbol) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name && method.descriptor == descriptor)
    }

    /// All methods with this name, declared in this class.
    pub fn methods_named(&self, name: &str) -> impl Iterator<Item = &Method> {
        self.methods.iter().filter(move |method| method.name.as_str() == name)
    }

    pub fn field(&self, name: Symbol, descriptor: Symbol) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name && field.descriptor == descriptor)
    }

    /// The classes that its constant pool names, arrays by their elements.
    pub fn class_constants(&self) -> Vec<ClassName> {
        self.attributes.pool.classes()
    }

    /// Whether any constant has the name, be it within a descriptor.
    pub fn mentions(&self, class: ClassName) -> bool {
        let name = class.as_internal();
        let in_descriptor = format!("L{name};");
        self.attributes.pool.texts().any(|text| text == name || text.contains(&in_descriptor))
    }

    pub fn is_interface(&self) -> bool {
        self.access.is_interface()
    }

    /// The class's own entry of `InnerClasses`: present if it is nested, local or anonymous.
    pub fn as_inner_class(&self) -> Option<&InnerClass> {
        self.inner_classes.iter().find(|entry| entry.inner == self.name)
    }

    /// Access as in the source: for nested classes the flags of `InnerClasses`.
    pub fn source_access(&self) -> ClassAccess {
        self.as_inner_class().map_or(self.access, |entry| entry.access)
    }

    /// First and last line of all line tables, `None` for a class without them.
    pub fn line_span(&self) -> Option<(u16, u16)> {
        let spans: Vec<(u16, u16)> = self.methods.iter().filter_map(Method::line_span).collect();
        Some((spans.iter().map(|span| span.0).min()?, spans.iter().map(|span| span.1).max()?))
    }

    /// The generic signature.
    pub fn signature(&self) -> Option<ClassSignature> {
        ClassSignature::parse(self.attributes.signature()?.as_str())
    }

    pub fn annotations(&self) -> Result<Vec<Annotation>, ClassFileError> {
        self.attributes.annotations(self)
    }

    /// The class file itself.
    pub fn bytes(&self) -> &Bytes {
        self.attributes.pool.bytes()
    }

    fn read_attributes(&mut self) {
        let attributes = self.attributes.clone();
        for attribute in &attributes.attributes {
            let mut input = Input::within(attributes.pool.bytes(), attribute.body.clone());
            if let Err(flaw) = self.read_attribute(attribute.kind, &attributes.pool, &mut input) {
                let within = format_args!("attribute {}", attribute.kind.name()).to_string();
                self.problems.push(flaw.within(Some(self.name), within));
            }
        }
    }

    fn read_attribute(&mut self, kind: AttributeKind, pool: &ConstantPool, input: &mut Input<'_>) -> Result<(), Flaw> {
        let at = input.position();
        match kind {
            AttributeKind::SourceFile => self.source_file = Some(pool.symbol(input.u16()?, at)?),
            AttributeKind::InnerClasses => self.inner_classes = input.list(|input| read_inner_class(pool, input))?,
            AttributeKind::EnclosingMethod => self.enclosing_method = Some(read_enclosing_method(pool, input)?),
            AttributeKind::NestHost => self.nest_host = Some(pool.class(input.u16()?, at)?),
            AttributeKind::NestMembers => self.nest_members = read_classes(pool, input)?,
            AttributeKind::BootstrapMethods => {
                self.bootstrap_methods = input.list(|input| read_bootstrap_method(pool, input))?;
            }
            AttributeKind::Record => {
                self.record_components = Some(input.list(|input| read_record_component(pool, input))?);
            }
            AttributeKind::PermittedSubclasses => self.permitted_subclasses = read_classes(pool, input)?,
            _ => {}
        }
        Ok(())
    }
}

impl Owner for Class {
    fn class(&self) -> ClassName {
        self.name
    }

    fn describe(&self) -> String {
        self.name.dotted()
    }
}

struct Header {
    access: u16,
    name: ClassName,
    super_class: Option<ClassName>,
    interfaces: Vec<ClassName>,
}

fn read_version(input: &mut Input<'_>) -> Result<(u16, u16), Flaw> {
    if input.u32()? != MAGIC {
        return Err(Flaw::new(0, Damage::NotAClassFile));
    }
    Ok((input.u16()?, input.u16()?))
}

fn read_header(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Header, Flaw> {
    let access = input.u16()?;
    let at = input.position();
    let name = pool.class(input.u16()?, at)?;
    let super_class = pool.optional_class(input.u16()?, at)?;
    Ok(Header { access, name, super_class, interfaces: read_classes(pool, input)? })
}

fn read_classes(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Vec<ClassName>, Flaw> {
    input.list(|input| {
        let at = input.position();
        pool.class(input.u16()?, at)
    })
}

fn read_inner_class(pool: &ConstantPool, input: &mut Input<'_>) -> Result<InnerClass, Flaw> {
    let at = input.position();
    Ok(InnerClass {
        inner: pool.class(input.u16()?, at)?,
        outer: pool.optional_class(input.u16()?, at)?,
        simple_name: pool.optional_symbol(input.u16()?, at)?,
        access: ClassAccess(input.u16()?),
    })
}

fn read_enclosing_method(pool: &ConstantPool, input: &mut Input<'_>) -> Result<EnclosingMethod, Flaw> {
    let at = input.position();
    let class = pool.class(input.u16()?, at)?;
    let method = match input.u16()? {
        0 => None,
        index => {
            let (name, descriptor) = pool.name_and_type(index, at)?;
            Some(MethodRef { class, name, descriptor })
        }
    };
    Ok(EnclosingMethod { class, method })
}

fn read_bootstrap_method(pool: &ConstantPool, input: &mut Input<'_>) -> Result<BootstrapMethod, Flaw> {
    let at = input.position();
    let handle = pool.method_handle(input.u16()?, at)?;
    let arguments = input.list(|input| {
        let at = input.position();
        pool.constant(input.u16()?, at)
    })?;
    Ok(BootstrapMethod { handle, arguments })
}

fn read_record_component(pool: &ConstantPool, input: &mut Input<'_>) -> Result<RecordComponent, Flaw> {
    let at = input.position();
    let name = pool.symbol(input.u16()?, at)?;
    let descriptor = pool.symbol(input.u16()?, at)?;
    super::attributes::read_table(pool, input)?;
    Ok(RecordComponent { name, descriptor })
}
