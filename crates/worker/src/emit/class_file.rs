//! The frame of a class file (JVMS 4.1).

use super::EmitError;
use super::pool::Pool;
use program::ClassName;

pub(super) const PUBLIC: u16 = 0x0001;
pub(super) const STATIC: u16 = 0x0008;
pub(super) const FINAL: u16 = 0x0010;
pub(super) const SUPER: u16 = 0x0020;
pub(super) const TRANSIENT: u16 = 0x0080;
pub(super) const VARARGS: u16 = 0x0080;
pub(super) const INTERFACE: u16 = 0x0200;
pub(super) const ABSTRACT: u16 = 0x0400;
pub(super) const SYNTHETIC: u16 = 0x1000;

const VERSION: u16 = 49;
/// Verified faster, and without jumps there are no stack maps either.
pub(super) const STRAIGHT_LINE: u16 = 52;

#[derive(Debug)]
pub(super) struct ClassFile {
    version: u16,
    pub(super) pool: Pool,
    name: ClassName,
    access: u16,
    super_class: ClassName,
    interfaces: Vec<ClassName>,
    fields: Members,
    methods: Members,
    attributes: Attributes,
}

/// Fields or methods, written.
#[derive(Debug, Default)]
struct Members {
    count: u16,
    bytes: Vec<u8>,
}

/// Attributes, written.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    count: u16,
    bytes: Vec<u8>,
}

impl Attributes {
    pub(super) fn add(&mut self, pool: &mut Pool, name: &str, content: &[u8]) {
        self.count += 1;
        self.bytes.extend(pool.utf8(name).to_be_bytes());
        self.bytes.extend((content.len() as u32).to_be_bytes());
        self.bytes.extend(content);
    }

    pub(super) fn signature(&mut self, pool: &mut Pool, signature: &str) {
        let index = pool.utf8(signature);
        self.add(pool, "Signature", &index.to_be_bytes());
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.count.to_be_bytes());
        out.extend(&self.bytes);
    }
}

impl ClassFile {
    pub(super) fn new(name: ClassName, access: u16, super_class: ClassName, interfaces: Vec<ClassName>) -> Self {
        ClassFile {
            version: VERSION,
            pool: Pool::default(),
            name,
            access,
            super_class,
            interfaces,
            fields: Members::default(),
            methods: Members::default(),
            attributes: Attributes::default(),
        }
    }

    pub(super) fn version(&mut self, version: u16) {
        self.version = version;
    }

    pub(super) fn field(&mut self, access: u16, name: &str, descriptor: &str, attributes: &Attributes) {
        self.fields.add(&mut self.pool, access, name, descriptor, attributes);
    }

    pub(super) fn method(&mut self, access: u16, name: &str, descriptor: &str, attributes: &Attributes) {
        self.methods.add(&mut self.pool, access, name, descriptor, attributes);
    }

    /// A method with nothing but code.
    pub(super) fn code_method(&mut self, access: u16, name: &str, descriptor: &str, code: &[u8]) {
        let mut attributes = Attributes::default();
        attributes.add(&mut self.pool, "Code", code);
        self.method(access, name, descriptor, &attributes);
    }

    pub(super) fn attributes(&mut self, attributes: Attributes) {
        self.attributes = attributes;
    }

    pub(super) fn finish(mut self) -> Result<Vec<u8>, EmitError> {
        let this = self.pool.class(self.name.as_internal());
        let super_class = self.pool.class(self.super_class.as_internal());
        let interfaces: Vec<u16> = self.interfaces.iter().map(|name| self.pool.class(name.as_internal())).collect();
        let mut out = 0xCAFE_BABE_u32.to_be_bytes().to_vec();
        out.extend(0_u16.to_be_bytes());
        out.extend(self.version.to_be_bytes());
        out.extend(self.pool.finish().ok_or(EmitError::TooLarge(self.name))?);
        for number in [self.access, this, super_class, interfaces.len() as u16].into_iter().chain(interfaces) {
            out.extend(number.to_be_bytes());
        }
        for members in [self.fields, self.methods] {
            out.extend(members.count.to_be_bytes());
            out.extend(members.bytes);
        }
        self.attributes.write(&mut out);
        Ok(out)
    }
}

impl Members {
    fn add(&mut self, pool: &mut Pool, access: u16, name: &str, descriptor: &str, attributes: &Attributes) {
        self.count += 1;
        for number in [access, pool.utf8(name), pool.utf8(descriptor)] {
            self.bytes.extend(number.to_be_bytes());
        }
        attributes.write(&mut self.bytes);
    }
}
