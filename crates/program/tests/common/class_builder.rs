//! Writes small class files, also such that no compiler would: old versions, `jsr`, odd attributes.

/// A class file under construction. Without calls it is `public class NAME` of version 52 with nothing in it.
pub(crate) struct ClassBuilder {
    major: u16,
    access: u16,
    pool: Vec<u8>,
    pool_count: u16,
    this_class: u16,
    super_class: u16,
    interfaces: Vec<u16>,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
    attributes: Vec<Vec<u8>>,
}

/// The `Code` attribute of a method.
#[derive(Default)]
pub(crate) struct CodeSpec<'a> {
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    pub(crate) bytes: &'a [u8],
    /// start, end, handler, index of the caught class or 0
    pub(crate) handlers: &'a [[u16; 4]],
    pub(crate) lines: &'a [(u16, u16)],
}

impl ClassBuilder {
    pub(crate) fn new(name: &str) -> ClassBuilder {
        let mut builder = ClassBuilder {
            major: 52,
            access: 0x0021,
            pool: Vec::new(),
            pool_count: 1,
            this_class: 0,
            super_class: 0,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        builder.this_class = builder.class_constant(name);
        builder.super_class = builder.class_constant("java/lang/Object");
        builder
    }

    pub(crate) fn major(mut self, major: u16) -> Self {
        self.major = major;
        self
    }

    pub(crate) fn access(mut self, access: u16) -> Self {
        self.access = access;
        self
    }

    pub(crate) fn extends(mut self, name: &str) -> Self {
        self.super_class = self.class_constant(name);
        self
    }

    pub(crate) fn implements(mut self, name: &str) -> Self {
        let index = self.class_constant(name);
        self.interfaces.push(index);
        self
    }

    pub(crate) fn field(mut self, access: u16, name: &str, descriptor: &str) -> Self {
        let field = self.member(access, name, descriptor, &[]);
        self.fields.push(field);
        self
    }

    pub(crate) fn abstract_method(mut self, access: u16, name: &str, descriptor: &str) -> Self {
        let method = self.member(access | 0x0400, name, descriptor, &[]);
        self.methods.push(method);
        self
    }

    pub(crate) fn method(mut self, access: u16, name: &str, descriptor: &str, code: &CodeSpec<'_>) -> Self {
        let body = self.code_body(code);
        let attribute = self.raw_attribute("Code", &body);
        let method = self.member(access, name, descriptor, &[attribute]);
        self.methods.push(method);
        self
    }

    /// A method with any attributes.
    pub(crate) fn method_with(
        mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        attributes: &[(&str, &[u8])],
    ) -> Self {
        let attributes: Vec<Vec<u8>> = attributes.iter().map(|(name, body)| self.raw_attribute(name, body)).collect();
        let method = self.member(access, name, descriptor, &attributes);
        self.methods.push(method);
        self
    }

    pub(crate) fn attribute(mut self, name: &str, body: &[u8]) -> Self {
        let attribute = self.raw_attribute(name, body);
        self.attributes.push(attribute);
        self
    }

    pub(crate) fn build(self) -> Vec<u8> {
        let mut file = vec![0xCA, 0xFE, 0xBA, 0xBE];
        push(&mut file, &[0, self.major, self.pool_count]);
        file.extend_from_slice(&self.pool);
        push(&mut file, &[self.access, self.this_class, self.super_class, self.interfaces.len() as u16]);
        push(&mut file, &self.interfaces);
        for list in [&self.fields, &self.methods, &self.attributes] {
            push(&mut file, &[list.len() as u16]);
            list.iter().for_each(|item| file.extend_from_slice(item));
        }
        file
    }

    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        let mut constant = vec![1];
        push(&mut constant, &[text.len() as u16]);
        constant.extend_from_slice(text.as_bytes());
        self.constant(&constant)
    }

    pub(crate) fn class_constant(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant_of(7, &[name])
    }

    /// `tag`: 9 field, 10 method, 11 interface method.
    pub(crate) fn member_constant(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class_constant(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let member = self.constant_of(12, &[name, descriptor]);
        self.constant_of(tag, &[class, member])
    }

    pub(crate) fn constant_of(&mut self, tag: u8, operands: &[u16]) -> u16 {
        let mut constant = vec![tag];
        push(&mut constant, operands);
        self.constant(&constant)
    }

    pub(crate) fn constant(&mut self, bytes: &[u8]) -> u16 {
        self.pool.extend_from_slice(bytes);
        let index = self.pool_count;
        // `long` and `double` take two indices.
        self.pool_count += if matches!(bytes[0], 5 | 6) { 2 } else { 1 };
        index
    }

    fn code_body(&mut self, code: &CodeSpec<'_>) -> Vec<u8> {
        let mut body = Vec::new();
        push(&mut body, &[code.max_stack, code.max_locals]);
        body.extend_from_slice(&(code.bytes.len() as u32).to_be_bytes());
        body.extend_from_slice(code.bytes);
        push(&mut body, &[code.handlers.len() as u16]);
        code.handlers.iter().for_each(|handler| push(&mut body, handler));
        if code.lines.is_empty() {
            push(&mut body, &[0]);
        } else {
            let mut table = Vec::new();
            push(&mut table, &[code.lines.len() as u16]);
            code.lines.iter().for_each(|(bci, line)| push(&mut table, &[*bci, *line]));
            push(&mut body, &[1]);
            body.extend(self.raw_attribute("LineNumberTable", &table));
        }
        body
    }

    fn raw_attribute(&mut self, name: &str, body: &[u8]) -> Vec<u8> {
        let mut attribute = Vec::new();
        push(&mut attribute, &[self.utf8(name)]);
        attribute.extend_from_slice(&(body.len() as u32).to_be_bytes());
        attribute.extend_from_slice(body);
        attribute
    }

    fn member(&mut self, access: u16, name: &str, descriptor: &str, attributes: &[Vec<u8>]) -> Vec<u8> {
        let mut member = Vec::new();
        push(&mut member, &[access, self.utf8(name), self.utf8(descriptor), attributes.len() as u16]);
        attributes.iter().for_each(|attribute| member.extend_from_slice(attribute));
        member
    }
}

fn push(to: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| to.extend_from_slice(&number.to_be_bytes()));
}
