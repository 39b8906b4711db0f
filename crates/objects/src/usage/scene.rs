//! What does a method do to objects, read in a straight line? An abstract run over the bytecode that keeps, instead of values,
//! where they came from: constants, constructor calls, results of calls, parameters.
//!
//! Branches are not followed: the code is read from top to bottom as if every branch fell through. The result is not a proof
//! but a suggestion of which calls belong together, and the JVM decides whether it works.

use program::classfile::{Constant, ConvertTo, ElementKind, FieldOp, InvokeOp, Kind, StackOp};
use program::{ClassName, FieldRef, Instruction, Method, MethodRef, MethodType, Type};
use recipe::{JavaString, Literal, Text, TextPiece};
use rustc_hash::FxHashMap;

/// The calls of a method in order, on values known by where they came from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) values: Vec<Value>,
    pub(crate) events: Vec<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// Where a value came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Literal(Literal),
    /// What an event gave.
    Made {
        ty: Type,
        event: usize,
    },
    StaticField(FieldRef),
    /// Another value, cast.
    Cast(ValueId, Type),
    /// Anything of the type: a parameter, a field, the result of arithmetic.
    Some(Type),
}

/// A call that the method makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub method: MethodRef,
    /// `None` for constructors and static methods.
    pub receiver: Option<ValueId>,
    pub args: Vec<ValueId>,
    /// What it gives; for a constructor the new object.
    pub result: Option<ValueId>,
    pub bci: u16,
}

/// Longer methods are tables or generated parsers, from which nothing is learnt about building objects.
const MAX_CODE: u16 = 8_000;

impl Scene {
    pub(crate) fn of(method: &Method) -> Scene {
        let mut reader = Reader::new(method);
        if let Some(code) = method.readable_code().filter(|code| code.end() <= MAX_CODE) {
            for (bci, instruction) in code.instructions().flatten() {
                reader.step(bci, &instruction);
            }
        }
        reader.scene
    }

    /// Whether a call is made on the value or with it.
    pub(crate) fn is_used(&self, id: ValueId) -> bool {
        self.events.iter().any(|event| event.receiver == Some(id) || event.args.contains(&id))
    }

    /// Whether the method itself made the object, so that what it does to it belongs to the making.
    pub(crate) fn is_made(&self, id: ValueId) -> bool {
        match &self.values[id.0 as usize] {
            Value::Made { .. } => true,
            Value::Cast(inner, _) => self.is_made(*inner),
            Value::Literal(_) | Value::StaticField(_) | Value::Some(_) => false,
        }
    }

    pub(crate) fn type_of(&self, id: ValueId) -> Type {
        match &self.values[id.0 as usize] {
            Value::Literal(literal) => literal.ty(),
            Value::Made { ty, .. } | Value::Cast(_, ty) | Value::Some(ty) => *ty,
            Value::StaticField(field) => field.field_type(),
        }
    }
}

struct Reader {
    scene: Scene,
    stack: Vec<Slot>,
    locals: FxHashMap<u16, Slot>,
    /// Objects between `new` and their constructor.
    fresh: FxHashMap<ValueId, ClassName>,
}

/// An entry of the operand stack: `long` and `double` are one entry that counts double for the untyped stack operations.
#[derive(Clone, Copy)]
struct Slot {
    value: ValueId,
    wide: bool,
}

impl Reader {
    fn new(method: &Method) -> Reader {
        let mut reader = Reader {
            scene: Scene::default(),
            stack: Vec::new(),
            locals: FxHashMap::default(),
            fresh: FxHashMap::default(),
        };
        let own = (!method.access.is_static()).then_some(Type::Class(method.class));
        let params = method.reference().signature().params;
        let mut at = 0;
        for ty in own.into_iter().chain(params) {
            let value = reader.anything(ty);
            reader.locals.insert(at, Slot { value, wide: ty.slots() == 2 });
            at = at.saturating_add(ty.slots());
        }
        reader
    }

    fn step(&mut self, bci: u16, instruction: &Instruction) {
        match instruction {
            Instruction::Nop | Instruction::Increment { .. } | Instruction::Ret(_) => {}
            Instruction::Const(constant) => self.constant(constant),
            Instruction::Load(kind, slot) => self.load(*kind, *slot),
            Instruction::Store(_, slot) => {
                let top = self.pop();
                self.locals.extend(top.map(|top| (*slot, top)));
            }
            Instruction::ArrayLoad(element) => {
                self.pop();
                let array = self.pop().map(|slot| self.scene.type_of(slot.value));
                self.push_any(element_type(*element, array));
            }
            Instruction::ArrayStore(_) => self.drop(3),
            Instruction::Stack(op) => self.shuffle(*op),
            Instruction::Binary(_, kind) => {
                self.drop(2);
                self.push_any(kind_type(*kind));
            }
            Instruction::Negate(kind) => {
                self.drop(1);
                self.push_any(kind_type(*kind));
            }
            Instruction::Convert { to, .. } => {
                self.drop(1);
                self.push_any(converted(*to));
            }
            Instruction::Compare(_) => {
                self.drop(2);
                self.push_any(Type::Int);
            }
            Instruction::If { test, .. } => self.drop(operands_of(*test)),
            Instruction::Switch { .. } | Instruction::MonitorEnter | Instruction::MonitorExit => self.drop(1),
            // What follows is reached by a jump, with an empty stack in compiled Java.
            Instruction::Goto(_) | Instruction::Return(_) | Instruction::Throw => self.stack.clear(),
            Instruction::Jsr(_) => self.push_any(Type::Int),
            Instruction::Field { op, field } => self.field(*op, *field),
            Instruction::Invoke { op, callee } => self.invoke(bci, *op, callee.method),
            Instruction::InvokeDynamic { descriptor, .. } => {
                let Some(signature) = MethodType::parse(descriptor.as_str()) else { return };
                self.drop(signature.params.len());
                signature.ret.into_iter().for_each(|ty| self.push_any(ty));
            }
            Instruction::New(ty) => {
                let value = self.anything(*ty);
                self.fresh.extend(ty.as_class().map(|class| (value, class)));
                self.stack.push(Slot { value, wide: false });
            }
            Instruction::NewArray { component } => {
                self.drop(1);
                self.push_any(Type::array_of(*component));
            }
            Instruction::NewMultiArray { array, dimensions } => {
                self.drop(usize::from(*dimensions));
                self.push_any(*array);
            }
            Instruction::ArrayLength | Instruction::InstanceOf(_) => {
                self.drop(1);
                self.push_any(Type::Int);
            }
            Instruction::CheckCast(ty) => self.cast(*ty),
        }
    }

    fn invoke(&mut self, bci: u16, op: InvokeOp, method: MethodRef) {
        let signature = method.signature();
        let mut args: Vec<ValueId> = Vec::new();
        for param in signature.params.iter().rev() {
            let slot = self.pop();
            let value = slot.map_or_else(|| self.anything(*param), |slot| slot.value);
            args.push(value);
        }
        args.reverse();
        let receiver = match op {
            InvokeOp::Static => None,
            _ => self.pop().map(|slot| slot.value),
        };
        if is_concatenation(method) {
            receiver.and_then(|object| self.fresh.remove(&object));
            return signature.ret.into_iter().for_each(|ty| self.push_any(ty));
        }
        let event = self.scene.events.len();
        if method.is_constructor() {
            let Some(object) = receiver.filter(|object| self.fresh.remove(object) == Some(method.class)) else {
                return;
            };
            self.scene.values[object.0 as usize] = Value::Made { ty: Type::Class(method.class), event };
            self.scene.events.push(Event { method, receiver: None, args, result: Some(object), bci });
            return;
        }
        let result = signature.ret.map(|ty| self.add(Value::Made { ty, event }));
        // A call of `super.m(..)` cannot be made from outside.
        if op != InvokeOp::Special && (op == InvokeOp::Static || receiver.is_some()) {
            self.scene.events.push(Event { method, receiver, args, result, bci });
        } else if let (Some(result), Some(ty)) = (result, signature.ret) {
            self.scene.values[result.0 as usize] = Value::Some(ty);
        }
        self.stack.extend(result.zip(signature.ret).map(|(value, ty)| Slot { value, wide: ty.slots() == 2 }));
    }

    fn field(&mut self, op: FieldOp, field: FieldRef) {
        let ty = field.field_type();
        match op {
            FieldOp::GetStatic => {
                let value = self.add(Value::StaticField(field));
                self.stack.push(Slot { value, wide: ty.slots() == 2 });
            }
            FieldOp::PutStatic => self.drop(1),
            FieldOp::GetField => {
                self.drop(1);
                self.push_any(ty);
            }
            FieldOp::PutField => self.drop(2),
        }
    }

    fn cast(&mut self, ty: Type) {
        let Some(slot) = self.pop() else { return self.push_any(ty) };
        let value = match self.scene.values[slot.value.0 as usize] {
            Value::Some(_) => self.anything(ty),
            _ => self.add(Value::Cast(slot.value, ty)),
        };
        self.stack.push(Slot { value, wide: false });
    }

    fn constant(&mut self, constant: &Constant) {
        let literal = match constant {
            Constant::Null => return self.push_any(Type::Class(ClassName::object())),
            Constant::Int(value) => Literal::Int(*value),
            Constant::Long(value) => Literal::Long(*value),
            Constant::Float(value) => Literal::Float(*value),
            Constant::Double(value) => Literal::Double(*value),
            Constant::String(text) => {
                Literal::String(Text { pieces: vec![TextPiece::Plain(JavaString(text.utf16()))] })
            }
            Constant::Class(ty) => Literal::Class(*ty),
            Constant::MethodType(_) | Constant::MethodHandle(_) | Constant::Dynamic { .. } => {
                return self.push_any(Type::Class(ClassName::object()));
            }
        };
        let wide = literal.ty().slots() == 2;
        let value = self.add(Value::Literal(literal));
        self.stack.push(Slot { value, wide });
    }

    fn load(&mut self, kind: Kind, slot: u16) {
        match self.locals.get(&slot) {
            Some(known) => self.stack.push(*known),
            None => self.push_any(kind_type(kind)),
        }
    }

    fn shuffle(&mut self, op: StackOp) {
        let Some(top) = self.pop() else { return };
        match op {
            StackOp::Pop => {}
            StackOp::Pop2 if top.wide => {}
            StackOp::Pop2 => self.drop(1),
            StackOp::Dup => self.stack.extend([top, top]),
            StackOp::Dup2 if top.wide => self.stack.extend([top, top]),
            StackOp::Dup2 => {
                let second = self.pop();
                self.stack.extend(second.into_iter().chain([top]).chain(second).chain([top]));
            }
            StackOp::Swap => {
                let second = self.pop();
                self.stack.extend(std::iter::once(top).chain(second));
            }
            // The forms for assignments used as values.
            StackOp::DupX1 | StackOp::DupX2 | StackOp::Dup2X1 | StackOp::Dup2X2 => {
                let depth = if matches!(op, StackOp::DupX1 | StackOp::Dup2X1) { 1 } else { 2 };
                let below: Vec<Slot> = self.stack.split_off(self.stack.len().saturating_sub(depth));
                self.stack.extend(std::iter::once(top).chain(below).chain([top]));
            }
        }
    }

    fn push_any(&mut self, ty: Type) {
        let value = self.anything(ty);
        self.stack.push(Slot { value, wide: ty.slots() == 2 });
    }

    fn anything(&mut self, ty: Type) -> ValueId {
        self.add(Value::Some(ty))
    }

    fn add(&mut self, value: Value) -> ValueId {
        let id = ValueId(self.scene.values.len() as u32);
        self.scene.values.push(value);
        id
    }

    fn pop(&mut self) -> Option<Slot> {
        self.stack.pop()
    }

    fn drop(&mut self, count: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(count));
    }
}

/// Old compilers write `a + b` as calls of a string builder; the result is just some string.
fn is_concatenation(method: MethodRef) -> bool {
    matches!(method.class.as_internal(), "java/lang/StringBuilder" | "java/lang/StringBuffer")
}

fn kind_type(kind: Kind) -> Type {
    match kind {
        Kind::Int => Type::Int,
        Kind::Long => Type::Long,
        Kind::Float => Type::Float,
        Kind::Double => Type::Double,
        Kind::Reference => Type::Class(ClassName::object()),
    }
}

fn converted(to: ConvertTo) -> Type {
    match to {
        ConvertTo::Int => Type::Int,
        ConvertTo::Long => Type::Long,
        ConvertTo::Float => Type::Float,
        ConvertTo::Double => Type::Double,
        ConvertTo::Byte => Type::Byte,
        ConvertTo::Char => Type::Char,
        ConvertTo::Short => Type::Short,
    }
}

fn element_type(element: ElementKind, array: Option<Type>) -> Type {
    match (element, array) {
        (ElementKind::Reference, Some(Type::Array(array))) => array.component(),
        (ElementKind::Reference, _) => Type::Class(ClassName::object()),
        (ElementKind::Int, _) => Type::Int,
        (ElementKind::Long, _) => Type::Long,
        (ElementKind::Float, _) => Type::Float,
        (ElementKind::Double, _) => Type::Double,
        (ElementKind::Byte, _) => Type::Byte,
        (ElementKind::Char, _) => Type::Char,
        (ElementKind::Short, _) => Type::Short,
    }
}

fn operands_of(test: program::classfile::BranchTest) -> usize {
    use program::classfile::BranchTest;
    match test {
        BranchTest::IntZero(_) | BranchTest::Null | BranchTest::NonNull => 1,
        BranchTest::Int(_) | BranchTest::SameReference | BranchTest::DifferentReference => 2,
    }
}
