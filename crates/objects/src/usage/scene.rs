//! What does a method do to objects, read in a straight line? A walk over the lowered code that keeps, instead of values, where
//! they came from: constants, constructor calls, results of calls, parameters.
//!
//! Branches are not followed: the code is read from top to bottom, and a variable holds what was assigned last. Where ways meet with
//! a value each, it is some value. The result is not a proof but a suggestion of which calls belong together, and the JVM
//! decides whether it works.

use super::defaults::{self, plain};
use analysis::Lowered;
use ir::{Callee, Const, Dynamic, InvokeKind, Kind, Lambda, Op, Operand, Rvalue, Var};
use program::classfile::HandleKind;
use program::{ClassName, FieldRef, MethodRef, MethodType, Type};
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
    /// A method reference or lambda.
    Function(Box<Function>),
    /// An array with these elements; those that were not stored one by one are not known.
    Array {
        component: Type,
        elements: Vec<Option<ValueId>>,
    },
    /// Anything of the type: a parameter, a field, the result of arithmetic.
    Some(Type),
}

/// An object of a functional interface that passes its arguments on to a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// As the interface declares it.
    pub interface_method: MethodRef,
    /// What its parameters really are.
    pub params: Vec<Type>,
    /// The method that runs. It gets what was captured, and then the arguments; the first of all is its receiver, if it has one.
    pub target: MethodRef,
    pub captured: Vec<ValueId>,
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
pub(super) const MAX_CODE: u16 = 8_000;
/// Longer arrays are tables.
const MAX_ELEMENTS: i32 = 24;

impl Scene {
    pub(crate) fn of(method: &Lowered) -> Scene {
        let mut reader = Reader::new(method);
        for (_, instr) in method.body.instrs() {
            reader.step(instr.id.bci, &instr.op);
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
            Value::Literal(_) | Value::StaticField(_) | Value::Some(_) | Value::Function(_) | Value::Array { .. } => {
                false
            }
        }
    }

    /// What the value is made of: what was cast, captured or stored.
    pub(crate) fn parts(&self, id: ValueId) -> Vec<ValueId> {
        match &self.values[id.0 as usize] {
            Value::Cast(inner, _) => vec![*inner],
            Value::Function(function) => function.captured.clone(),
            Value::Array { elements, .. } => elements.iter().flatten().copied().collect(),
            Value::Literal(_) | Value::Made { .. } | Value::StaticField(_) | Value::Some(_) => Vec::new(),
        }
    }
}

struct Reader<'a> {
    method: &'a Lowered,
    scene: Scene,
    vars: FxHashMap<Var, ValueId>,
    /// How often each variable is assigned where ways meet.
    joined: FxHashMap<Var, u32>,
    /// Objects between `new` and their constructor.
    fresh: FxHashMap<ValueId, ClassName>,
}

impl Reader<'_> {
    fn new(method: &Lowered) -> Reader<'_> {
        let mut joined: FxHashMap<Var, u32> = FxHashMap::default();
        let assigned = method.body.instrs().filter_map(|(_, instr)| instr.op.defines());
        for var in assigned.filter(|var| matches!(var, Var::Merge { .. })) {
            *joined.entry(var).or_default() += 1;
        }
        Reader { method, scene: Scene::default(), vars: FxHashMap::default(), joined, fresh: FxHashMap::default() }
    }

    fn step(&mut self, bci: u16, op: &Op) {
        match op {
            Op::Assign(var, value) => {
                let made = self.made(bci, *var, value);
                // What one way assigns is not what the others do.
                let is_joined = self.joined.get(var).is_some_and(|times| *times > 1);
                let id = if is_joined { self.anything(self.type_of(*var)) } else { made };
                self.vars.insert(*var, id);
            }
            Op::Invoke(callee, args) => _ = self.invoke(bci, callee, args),
            Op::PutElement { array, index, value, .. } => self.put_element(array, index, value),
            _ => {}
        }
    }

    fn put_element(&mut self, array: &Operand, index: &Operand, value: &Operand) {
        let (array, value) = (self.operand(array), self.operand(value));
        if let (Operand::Const(Const::Int(index)), Value::Array { elements, .. }) =
            (index, &mut self.scene.values[array.0 as usize])
            && let Some(element) = usize::try_from(*index).ok().and_then(|index| elements.get_mut(index))
        {
            *element = Some(value);
        }
    }

    /// What is assigned to the variable.
    fn made(&mut self, bci: u16, var: Var, value: &Rvalue) -> ValueId {
        let ty = self.type_of(var);
        match value {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::New(class) => {
                let object = self.anything(Type::Class(*class));
                self.fresh.insert(object, *class);
                object
            }
            Rvalue::GetStatic(field) => self.add(Value::StaticField(*field)),
            Rvalue::GetField(_, field) => self.anything(field.field_type()),
            Rvalue::Cast(operand, ty) => self.cast(operand, *ty),
            Rvalue::NewArray(component, lengths) => match lengths.as_slice() {
                [Operand::Const(Const::Int(length))] if (0..=MAX_ELEMENTS).contains(length) => {
                    self.add(Value::Array { component: *component, elements: vec![None; *length as usize] })
                }
                _ => self.anything(ty),
            },
            Rvalue::Invoke(callee, args) => match self.invoke(bci, callee, args) {
                Some(result) => result,
                None => self.anything(ty),
            },
            _ => self.anything(ty),
        }
    }

    /// Gives the result, if anything is known of it.
    fn invoke(&mut self, bci: u16, callee: &Callee, args: &[Operand]) -> Option<ValueId> {
        let mut args: Vec<ValueId> = args.iter().map(|operand| self.operand(operand)).collect();
        let Callee::Method { kind, method, .. } = callee else { return self.function(callee, args) };
        let (mut kind, mut method) = (*kind, *method);
        if let Some(plain) = plain(method, kind) {
            self.leave_out_defaults(&mut args, plain.args, plain.method);
            (kind, method) = (plain.kind, plain.method);
        }
        let receiver = (kind != InvokeKind::Static && !args.is_empty()).then(|| args.remove(0));
        if is_concatenation(method) {
            receiver.and_then(|object| self.fresh.remove(&object));
            return None;
        }
        let event = self.scene.events.len();
        if method.is_constructor() {
            let object = receiver.filter(|object| self.fresh.remove(object) == Some(method.class))?;
            self.scene.values[object.0 as usize] = Value::Made { ty: Type::Class(method.class), event };
            self.scene.events.push(Event { method, receiver: None, args, result: Some(object), bci });
            return None;
        }
        // A call of `super.m(..)` cannot be made from outside.
        if kind == InvokeKind::Special {
            return None;
        }
        let result = method.signature().ret.map(|ty| self.add(Value::Made { ty, event }));
        self.scene.events.push(Event { method, receiver, args, result, bci });
        result
    }

    /// What was left out in the source may be anything; the bits that say so go.
    fn leave_out_defaults(&mut self, args: &mut Vec<ValueId>, given: usize, plain: MethodRef) {
        let bits = args.split_off(given.min(args.len()));
        let params = plain.signature().params;
        let first = args.len().saturating_sub(params.len());
        for (index, ty) in params.into_iter().enumerate() {
            let word = bits.get(index / defaults::BITS).map(|id| &self.scene.values[id.0 as usize]);
            if let Some(Value::Literal(Literal::Int(word))) = word
                && word >> (index % defaults::BITS) & 1 == 1
            {
                args[first + index] = self.anything(ty);
            }
        }
    }

    /// The object that an `invokedynamic` makes, if it is one that passes calls on to a method.
    fn function(&mut self, callee: &Callee, captured: Vec<ValueId>) -> Option<ValueId> {
        let Dynamic::Lambda(lambda) = self.method.dynamic(callee)? else { return None };
        let function = function_of(&lambda, captured)?;
        Some(self.add(Value::Function(Box::new(function))))
    }

    fn cast(&mut self, operand: &Operand, ty: Type) -> ValueId {
        let inner = self.operand(operand);
        match self.scene.values[inner.0 as usize] {
            Value::Some(_) => self.anything(ty),
            _ => self.add(Value::Cast(inner, ty)),
        }
    }

    fn operand(&mut self, operand: &Operand) -> ValueId {
        match operand {
            Operand::Const(constant) => match literal(constant) {
                Some(literal) => self.add(Value::Literal(literal)),
                None => self.anything(Type::Class(ClassName::object())),
            },
            Operand::Var(var) => match self.vars.get(var) {
                Some(known) => *known,
                // A parameter, or a variable that is assigned further down.
                None => {
                    let id = self.anything(self.type_of(*var));
                    self.vars.insert(*var, id);
                    id
                }
            },
        }
    }

    fn type_of(&self, var: Var) -> Type {
        let info = self.method.body.var(var);
        let kind = info.and_then(|info| info.kind);
        info.and_then(|info| info.ty).unwrap_or(match kind {
            Some(Kind::Int) => Type::Int,
            Some(Kind::Long) => Type::Long,
            Some(Kind::Float) => Type::Float,
            Some(Kind::Double) => Type::Double,
            Some(Kind::Reference) | None => Type::Class(ClassName::object()),
        })
    }

    fn anything(&mut self, ty: Type) -> ValueId {
        self.add(Value::Some(ty))
    }

    fn add(&mut self, value: Value) -> ValueId {
        let id = ValueId(self.scene.values.len() as u32);
        self.scene.values.push(value);
        id
    }
}

fn function_of(lambda: &Lambda, captured: Vec<ValueId>) -> Option<Function> {
    let (handle, target) = lambda.target()?;
    // What only the class itself may call is of no use to others.
    if handle == HandleKind::InvokeSpecial {
        return None;
    }
    let interface_method = MethodRef { class: lambda.interface, name: lambda.method, descriptor: lambda.descriptor };
    let params = MethodType::parse(lambda.instantiated.as_str())?.params;
    Some(Function { interface_method, params, target, captured })
}

fn literal(constant: &Const) -> Option<Literal> {
    Some(match constant {
        Const::Int(value) => Literal::Int(*value),
        Const::Long(value) => Literal::Long(*value),
        Const::Float(value) => Literal::Float(*value),
        Const::Double(value) => Literal::Double(*value),
        Const::String(text) => Literal::String(Text { pieces: vec![TextPiece::Plain(JavaString(text.utf16()))] }),
        Const::Class(ty) => Literal::Class(*ty),
        Const::Null
        | Const::MethodType(_)
        | Const::MethodHandle(_)
        | Const::Dynamic { .. }
        | Const::ReturnAddress(_) => return None,
    })
}

/// Old compilers write `a + b` as calls of a string builder; the result is just some string.
fn is_concatenation(method: MethodRef) -> bool {
    matches!(method.class.as_internal(), "java/lang/StringBuilder" | "java/lang/StringBuffer")
}
