//! Straight-line bytecode with its stack depth: all that emitted methods need (JVMS 6.5).

use super::pool::Pool;
use program::{ClassName, Type};
use recipe::Literal;

pub(super) const BODY: &str = "reenact/host/Body";
const OBJECT: &str = "java/lang/Object";

#[derive(Debug)]
pub(super) struct Code<'p> {
    pub(super) pool: &'p mut Pool,
    bytes: Vec<u8>,
    depth: u16,
    max_depth: u16,
    locals: u16,
}

impl<'p> Code<'p> {
    /// With this many local variable slots for parameters.
    pub(super) fn new(pool: &'p mut Pool, locals: u16) -> Self {
        Code { pool, bytes: Vec::new(), depth: 0, max_depth: 0, locals }
    }

    /// The content of the `Code` attribute, without exception handlers and attributes.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(self.max_depth.to_be_bytes());
        out.extend(self.locals.to_be_bytes());
        out.extend((self.bytes.len() as u32).to_be_bytes());
        out.extend(self.bytes);
        out.extend([0; 4]);
        out
    }

    fn op(&mut self, opcode: u8, pops: u16, pushes: u16) {
        self.bytes.push(opcode);
        self.depth = self.depth - pops + pushes;
        self.max_depth = self.max_depth.max(self.depth);
    }

    fn op_index(&mut self, opcode: u8, index: u16, pops: u16, pushes: u16) {
        self.op(opcode, pops, pushes);
        self.bytes.extend(index.to_be_bytes());
    }

    pub(super) fn this(&mut self) {
        self.op(42, 0, 1);
    }

    pub(super) fn null(&mut self) {
        self.op(1, 0, 1);
    }

    pub(super) fn pop(&mut self) {
        self.op(87, 1, 0);
    }

    pub(super) fn load(&mut self, ty: Type, local: u16) {
        let opcode = match ty {
            Type::Long => 22,
            Type::Float => 23,
            Type::Double => 24,
            Type::Class(_) | Type::Array(_) => 25,
            _ => 21,
        };
        match u8::try_from(local) {
            Ok(local) => {
                self.op(opcode, 0, ty.slots());
                self.bytes.push(local);
            }
            Err(_) => {
                self.bytes.push(196);
                self.op_index(opcode, local, 0, ty.slots());
            }
        }
    }

    pub(super) fn int(&mut self, value: i32) {
        match i16::try_from(value) {
            Ok(small) => self.op_index(17, small as u16, 0, 1),
            Err(_) => {
                let index = self.pool.int(value);
                self.op_index(19, index, 0, 1);
            }
        }
    }

    pub(super) fn get_field(&mut self, class: &str, name: &str, descriptor: &str) {
        let index = self.pool.field(class, name, descriptor);
        self.op_index(180, index, 1, 1);
    }

    pub(super) fn put_field(&mut self, class: &str, name: &str, ty: Type) {
        let index = self.pool.field(class, name, &ty.descriptor());
        self.op_index(181, index, 1 + ty.slots(), 0);
    }

    pub(super) fn put_static(&mut self, class: &str, name: &str, ty: Type) {
        let index = self.pool.field(class, name, &ty.descriptor());
        self.op_index(179, index, ty.slots(), 0);
    }

    /// A constructor of the superclass; `args` without the object itself.
    pub(super) fn invoke_constructor(&mut self, class: &str, descriptor: &str, args: u16) {
        let index = self.pool.method(class, "<init>", descriptor);
        self.op_index(183, index, 1 + args, 0);
    }

    /// `args` with the receiver.
    pub(super) fn invoke_virtual(&mut self, class: &str, name: &str, descriptor: &str, args: u16, result: u16) {
        let index = self.pool.method(class, name, descriptor);
        self.op_index(182, index, args, result);
    }

    pub(super) fn invoke_static(&mut self, class: &str, name: &str, descriptor: &str, args: u16, result: u16) {
        self.invoke_static_on(class, name, descriptor, args, result, false);
    }

    pub(super) fn invoke_static_on(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        args: u16,
        result: u16,
        is_interface: bool,
    ) {
        let index = if is_interface {
            self.pool.interface_method(class, name, descriptor)
        } else {
            self.pool.method(class, name, descriptor)
        };
        self.op_index(184, index, args, result);
    }

    /// `args` with the receiver.
    pub(super) fn invoke_interface(&mut self, class: &str, name: &str, descriptor: &str, args: u16, result: u16) {
        let index = self.pool.interface_method(class, name, descriptor);
        self.op_index(185, index, args, result);
        self.bytes.extend([args as u8, 0]);
    }

    /// A new object, twice: for its constructor and for who wants it.
    pub(super) fn new_object(&mut self, class: &str) {
        let index = self.pool.class(class);
        self.op_index(187, index, 0, 1);
        self.op(89, 1, 2);
    }

    /// An element of the `Object[]` in a local variable, as a value of this type.
    pub(super) fn element_as(&mut self, array: u16, index: i32, ty: Type) {
        self.load(Type::Class(ClassName::object()), array);
        self.int(index);
        self.op(50, 2, 1);
        self.cast_object(ty);
    }

    /// An `Object[]` with the parameters, which start at local `first`.
    pub(super) fn boxed_params(&mut self, params: &[Type], first: u16) {
        self.int(params.len() as i32);
        let object = self.pool.class(OBJECT);
        self.op_index(189, object, 1, 1);
        let mut local = first;
        for (i, param) in params.iter().enumerate() {
            self.op(89, 1, 2);
            self.int(i as i32);
            self.load(*param, local);
            self.box_value(*param);
            self.op(83, 3, 0);
            local += param.slots();
        }
    }

    pub(super) fn box_value(&mut self, ty: Type) {
        if !ty.is_reference() {
            let wrapper = recipe::types::boxed(ty).as_internal();
            self.invoke_static(wrapper, "valueOf", &format!("({})L{wrapper};", ty.descriptor()), ty.slots(), 1);
        }
    }

    /// Returns the object on the stack as a value of this type.
    pub(super) fn return_object_as(&mut self, ret: Option<Type>) {
        match ret {
            None => self.pop(),
            Some(ty) => self.cast_object(ty),
        }
        self.return_value(ret);
    }

    /// Makes the object on the stack a value of this type.
    fn cast_object(&mut self, ty: Type) {
        match ty {
            Type::Class(class) if class == ClassName::object() => {}
            Type::Class(class) => self.check_cast(class.as_internal()),
            array @ Type::Array(_) => self.check_cast(&array.descriptor()),
            primitive => {
                let descriptor = format!("(Ljava/lang/Object;){}", primitive.descriptor());
                self.invoke_static(BODY, unboxer(primitive), &descriptor, 1, primitive.slots());
            }
        }
    }

    fn check_cast(&mut self, class: &str) {
        let index = self.pool.class(class);
        self.op_index(192, index, 1, 1);
    }

    /// Returns zero, false or null.
    pub(super) fn return_default(&mut self, ret: Option<Type>) {
        if let Some(ty) = ret {
            let opcode = match ty {
                Type::Class(_) | Type::Array(_) => 1,
                Type::Long => 9,
                Type::Float => 11,
                Type::Double => 14,
                _ => 3,
            };
            self.op(opcode, 0, ty.slots());
        }
        self.return_value(ret);
    }

    pub(super) fn return_value(&mut self, ret: Option<Type>) {
        let opcode = match ret {
            None => 177,
            Some(Type::Long) => 173,
            Some(Type::Float) => 174,
            Some(Type::Double) => 175,
            Some(Type::Class(_) | Type::Array(_)) => 176,
            Some(_) => 172,
        };
        self.op(opcode, ret.map_or(0, Type::slots), 0);
    }

    /// The value of a literal, converted to the type of the place it is for.
    pub(super) fn literal(&mut self, literal: &Literal, to: Type) {
        match literal {
            Literal::Null(_) => self.null(),
            Literal::Boolean(value) => self.int(i32::from(*value)),
            Literal::Byte(value) => self.int(i32::from(*value)),
            Literal::Char(value) => self.int(i32::from(*value)),
            Literal::Short(value) => self.int(i32::from(*value)),
            Literal::Int(value) => self.int(*value),
            Literal::Long(value) => {
                let index = self.pool.long(*value);
                self.op_index(20, index, 0, 2);
            }
            Literal::Float(value) => {
                let index = self.pool.float(*value);
                self.op_index(19, index, 0, 1);
            }
            Literal::Double(value) => {
                let index = self.pool.double(*value);
                self.op_index(20, index, 0, 2);
            }
            Literal::String(text) => {
                let index = self.pool.string(&text.expanded());
                self.op_index(19, index, 0, 1);
            }
            Literal::Class(ty) => self.class_literal(*ty),
            Literal::Enum(field) => {
                let index = self.pool.field(field.class.as_internal(), field.name.as_str(), field.descriptor.as_str());
                self.op_index(178, index, 0, 1);
            }
        }
        let from = literal.ty();
        if to.is_reference() {
            self.box_value(from);
        } else {
            self.widen(from, to);
        }
    }

    fn class_literal(&mut self, ty: Type) {
        if ty.is_reference() {
            let index = match ty {
                Type::Class(class) => self.pool.class(class.as_internal()),
                array => self.pool.class(&array.descriptor()),
            };
            self.op_index(19, index, 0, 1);
        } else {
            let wrapper = recipe::types::boxed(ty).as_internal();
            let index = self.pool.field(wrapper, "TYPE", "Ljava/lang/Class;");
            self.op_index(178, index, 0, 1);
        }
    }

    fn widen(&mut self, from: Type, to: Type) {
        let opcode = match (from, to) {
            (Type::Byte | Type::Char | Type::Short | Type::Int, Type::Long) => 133,
            (Type::Byte | Type::Char | Type::Short | Type::Int, Type::Float) => 134,
            (Type::Byte | Type::Char | Type::Short | Type::Int, Type::Double) => 135,
            (Type::Long, Type::Float) => 137,
            (Type::Long, Type::Double) => 138,
            (Type::Float, Type::Double) => 141,
            _ => return,
        };
        self.op(opcode, from.slots(), to.slots());
    }
}

fn unboxer(primitive: Type) -> &'static str {
    match primitive {
        Type::Boolean => "toBoolean",
        Type::Byte => "toByte",
        Type::Char => "toChar",
        Type::Short => "toShort",
        Type::Long => "toLong",
        Type::Float => "toFloat",
        Type::Double => "toDouble",
        _ => "toInt",
    }
}
