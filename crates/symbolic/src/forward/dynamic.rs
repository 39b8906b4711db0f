//! `invokedynamic`: lambdas and what runs when they are called, strings that are put together, methods of records, pattern switches. What
//! they do is written as code of its own, see [`super::synthetic`].

use super::arguments;
use super::calls::Call;
use super::synthetic::Code;
use super::{Runner, Way};
use crate::models::Piece;
use crate::state::State;
use crate::world::{Captured, World};
use analysis::{Assignment, Lowered};
use ir::{
    BinaryOp, CompareOp, ConcatPiece, Const, Dynamic, Instr, InvokeKind, Kind, Operand, RecordMethod, Rvalue,
    SwitchLabel, Var,
};
use program::classfile::HandleKind;
use program::{ClassName, FieldRef, InstrId, JavaString, MethodRef, MethodType, Symbol, Type};
use smt::Term;
use std::sync::Arc;

impl Runner<'_> {
    pub(super) fn dynamic(
        &mut self,
        way: Way,
        method: &Arc<Lowered>,
        instr: &Instr,
        dynamic: &Dynamic,
        args: &[Term],
    ) -> Option<Way> {
        let (ir::Callee::Dynamic { name, descriptor, .. }, _) = instr.op.call()? else { return None };
        let signature = MethodType::parse(descriptor.as_str())?;
        let named = MethodRef { class: method.reference().class, name: *name, descriptor: *descriptor };
        let code = || Code::new(method.method.clone(), &signature.params);
        let written = match dynamic {
            Dynamic::Concat(pieces) => return self.concat(way, method, instr, pieces, args, &signature.params),
            Dynamic::Lambda(lambda) => {
                let captured = Captured { lambda: lambda.clone(), args: args.to_vec(), made_by: method.method.clone() };
                let object = self.world.allocate_lambda(captured);
                return Some(self.go_on(way, instr, Some(object)));
            }
            Dynamic::Record { method, components, record } => Some(record_method(code(), *method, *record, components)),
            Dynamic::TypeSwitch(labels) | Dynamic::EnumSwitch { labels, .. } => pattern_switch(code(), labels),
            Dynamic::Constant(_) | Dynamic::StaticField(_) | Dynamic::Opaque(_) | Dynamic::Missing => None,
        };
        match written {
            Some(code) => self.descend(way, instr, &code, args, named),
            None => Some(self.unknown_result(way, instr, signature.ret)),
        }
    }

    fn unknown_result(&self, mut way: Way, instr: &Instr, result: Option<Type>) -> Way {
        way.state.marks.loose = true;
        let value = self.world.unknown(result.map_or(Kind::Reference, ir::kind_of_type));
        self.go_on(way, instr, Some(value))
    }

    /// Where all parts are texts, the text of them; else code that asks objects for theirs.
    fn concat(
        &mut self,
        mut way: Way,
        method: &Arc<Lowered>,
        instr: &Instr,
        pieces: &[ConcatPiece],
        args: &[Term],
        params: &[Type],
    ) -> Option<Way> {
        let world = self.world;
        let pieces = world.pieces(&way.state, pieces, args, params)?;
        let mut strings = Vec::new();
        for piece in pieces {
            let text = match piece {
                Piece::Text(text) => text,
                Piece::Unknown => {
                    way.state.marks.loose = true;
                    world.unknown_text()
                }
                Piece::Object(object) => {
                    strings.push((object, false));
                    continue;
                }
            };
            strings.push((text, true));
        }
        if strings.iter().all(|(_, is_text)| *is_text) {
            let text =
                strings.iter().rev().fold(world.terms.units(&[]), |rest, (text, _)| world.terms.concat(*text, rest));
            let object = way.state.new_text(world, text);
            return Some(self.go_on(way, instr, Some(object)));
        }
        let types: Vec<Type> = strings.iter().map(|(_, is_text)| if *is_text { string() } else { object() }).collect();
        let mut code = Code::new(method.method.clone(), &types);
        let parts = (0..types.len()).map(|at| (code.parameter(at), types[at])).collect();
        let joined = joined(&mut code, parts);
        code.give(Some(joined));
        let code = code.finish("concat", Some(string()));
        let mut values = Vec::new();
        for (value, is_text) in strings {
            values.push(if is_text { way.state.new_text(world, value) } else { value });
        }
        self.descend(way, instr, &code, &values, code.reference())
    }

    /// If the receiver is a lambda whose method is called: code that calls what it stands for, with its arguments.
    pub(super) fn lambda_call(&self, call: &Call) -> Option<(Arc<Lowered>, Vec<Term>)> {
        let captured = self.world.lambda(*call.args.first()?)?;
        let lambda = &captured.lambda;
        let given = MethodType::parse(call.named.descriptor.as_str())?;
        let own = MethodType::parse(lambda.descriptor.as_str())?;
        if call.named.name != lambda.method || given.params.len() != own.params.len() {
            return None;
        }
        let adapter = adapter(&captured, &given)?;
        Some((adapter, captured.args.iter().chain(&call.args[1..]).copied().collect()))
    }
}

/// The lambda that a variable holds at an operation of a method, where the method made it itself of what has not changed since.
pub(super) fn made_here(world: &World, method: &Arc<Lowered>, var: Var, at: InstrId, state: &State) -> Option<Term> {
    let Assignment::At(made, Rvalue::Invoke(callee, operands)) = method.only_assignment(var, at)? else { return None };
    let Dynamic::Lambda(lambda) = method.dynamic(callee)? else { return None };
    let is_unchanged = |operand: &Operand| operand.as_var().is_none_or(|var| method.is_unchanged(var, made, at));
    operands.iter().all(is_unchanged).then(|| {
        let args = arguments(world, state, &method.body, callee, operands);
        world.allocate_lambda(Captured { lambda, args, made_by: method.method.clone() })
    })
}

fn string() -> Type {
    Type::Class(ClassName::string())
}

fn object() -> Type {
    Type::Class(ClassName::object())
}

/// Appends all parts to one text.
fn joined(code: &mut Code, parts: Vec<(Operand, Type)>) -> Operand {
    const BUILDER: &str = "java/lang/StringBuilder";
    let builder = code.new_object(MethodRef::new(BUILDER, "<init>", "()V"), Vec::new());
    let append = |code: &mut Code, descriptor: &str, value: Operand| {
        let method = MethodRef::new(BUILDER, "append", &format!("({descriptor})L{BUILDER};"));
        code.call(InvokeKind::Virtual, method, false, vec![builder.clone(), value]);
    };
    for (value, ty) in parts {
        match ty {
            Type::Class(class) if class == ClassName::string() => append(code, "Ljava/lang/String;", value),
            Type::Class(_) | Type::Array(_) => {
                let descriptor = "(Ljava/lang/Object;)Ljava/lang/String;";
                let text = code.call_static("java/lang/String", "valueOf", descriptor, vec![value]);
                append(code, "Ljava/lang/String;", text);
            }
            Type::Byte | Type::Short => append(code, "I", value),
            primitive => append(code, &primitive.descriptor(), value),
        }
    }
    let to_string = MethodRef::new(BUILDER, "toString", "()Ljava/lang/String;");
    code.call(InvokeKind::Virtual, to_string, false, vec![builder]).unwrap_or(Const::Null.into())
}

/// Calls the implementation of a lambda, for a call of its interface's method with this signature.
fn adapter(captured: &Captured, given: &MethodType) -> Option<Arc<Lowered>> {
    let lambda = &captured.lambda;
    let (kind, method) = lambda.target()?;
    let instantiated = MethodType::parse(lambda.instantiated.as_str())?;
    let params: Vec<Type> = lambda.captured.iter().chain(&given.params).copied().collect();
    let mut code = Code::new(captured.made_by.clone(), &params);
    let has_receiver = !matches!(kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial);
    let receiver = has_receiver.then_some(Type::Class(method.class));
    let wanted: Vec<Type> = receiver.into_iter().chain(method.signature().params).collect();
    let mut args = Vec::new();
    for (at, wanted) in wanted.iter().enumerate() {
        let mut value = (code.parameter(at), *params.get(at)?);
        if let Some(real) = at.checked_sub(lambda.captured.len()) {
            value = converted(&mut code, value, *instantiated.params.get(real)?)?;
        }
        args.push(converted(&mut code, value, *wanted)?.0);
    }
    let result = match kind {
        HandleKind::NewInvokeSpecial => {
            let made = code.new_object(method, args);
            Some((made, Type::Class(method.class)))
        }
        _ => {
            let (kind, interface) = match kind {
                HandleKind::InvokeStatic => (InvokeKind::Static, false),
                HandleKind::InvokeSpecial => (InvokeKind::Special, false),
                HandleKind::InvokeVirtual => (InvokeKind::Virtual, false),
                HandleKind::InvokeInterface => (InvokeKind::Interface, true),
                _ => return None,
            };
            let result = code.call(kind, method, interface, args);
            result.zip(method.signature().ret)
        }
    };
    let result = match (result, given.ret) {
        (Some(value), Some(wanted)) => {
            let value = match instantiated.ret {
                Some(real) => converted(&mut code, value, real)?,
                None => value,
            };
            Some(converted(&mut code, value, wanted)?.0)
        }
        (None, Some(_)) => return None,
        (_, None) => None,
    };
    code.give(result);
    Some(code.finish("lambda", given.ret))
}

const BOXES: [(Type, &str, &str); 8] = [
    (Type::Boolean, "java/lang/Boolean", "booleanValue"),
    (Type::Byte, "java/lang/Byte", "byteValue"),
    (Type::Char, "java/lang/Character", "charValue"),
    (Type::Short, "java/lang/Short", "shortValue"),
    (Type::Int, "java/lang/Integer", "intValue"),
    (Type::Long, "java/lang/Long", "longValue"),
    (Type::Float, "java/lang/Float", "floatValue"),
    (Type::Double, "java/lang/Double", "doubleValue"),
];

/// The value as one of another type: cast, boxed, unboxed or widened.
fn converted(code: &mut Code, (value, from): (Operand, Type), to: Type) -> Option<(Operand, Type)> {
    let of_class = |class: &str| BOXES.iter().find(|(_, name, _)| *name == class);
    let value = match (from.is_reference(), to.is_reference()) {
        _ if from == to => value,
        (true, true) => code.cast(value, to),
        (false, true) => {
            let (_, class, _) = BOXES.iter().find(|(ty, ..)| *ty == from)?;
            let descriptor = format!("({})L{class};", from.descriptor());
            code.call_static(class, "valueOf", &descriptor, vec![value])
        }
        (true, false) => {
            let known = from.as_class().and_then(|class| of_class(class.as_internal()));
            let (ty, class, name) = known.or_else(|| BOXES.iter().find(|(ty, ..)| *ty == to))?;
            let value = if from == Type::class(class) { value } else { code.cast(value, Type::class(class)) };
            let method = MethodRef::new(class, name, &format!("(){}", ty.descriptor()));
            let unboxed = code.call(InvokeKind::Virtual, method, false, vec![value])?;
            return converted(code, (unboxed, *ty), to);
        }
        (false, false) => {
            let is_int = |ty: Type| ir::kind_of_type(ty) == Kind::Int;
            if is_int(from) && is_int(to) { value } else { code.value(to, Rvalue::Convert(value, to)) }
        }
    };
    Some((value, to))
}

fn record_method(
    mut code: Code,
    method: RecordMethod,
    record: ClassName,
    components: &[(Symbol, FieldRef)],
) -> Arc<Lowered> {
    match method {
        RecordMethod::Equals => {
            record_equals(&mut code, record, components);
            code.finish("equals", Some(Type::Boolean))
        }
        RecordMethod::HashCode => {
            let mut hash: Operand = Const::Int(0).into();
            for (_, field) in components {
                let value = code.value(field.field_type(), Rvalue::GetField(code.parameter(0), *field));
                let times = Rvalue::Binary(BinaryOp::Mul, hash, Const::Int(31).into());
                let product = code.value(Type::Int, times);
                let own = hash_of(&mut code, value, field.field_type());
                hash = code.value(Type::Int, Rvalue::Binary(BinaryOp::Add, product, own));
            }
            code.give(Some(hash));
            code.finish("hashCode", Some(Type::Int))
        }
        RecordMethod::ToString => {
            let literal = |text: String| (Operand::Const(Const::String(JavaString::new(&text))), string());
            let simple = record.simple();
            let name = simple.rsplit_once('$').map_or(simple, |(_, name)| name);
            let mut parts = vec![literal(format!("{name}["))];
            for (at, (component, field)) in components.iter().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                parts.push(literal(format!("{comma}{component}=")));
                let value = code.value(field.field_type(), Rvalue::GetField(code.parameter(0), *field));
                parts.push((value, field.field_type()));
            }
            parts.push(literal("]".into()));
            let text = joined(&mut code, parts);
            code.give(Some(text));
            code.finish("toString", Some(string()))
        }
    }
}

fn record_equals(code: &mut Code, record: ClassName, components: &[(Symbol, FieldRef)]) {
    let (this, other) = (code.parameter(0), code.parameter(1));
    code.give_if(CompareOp::Eq, this.clone(), other.clone(), 1);
    let is_record = code.value(Type::Boolean, Rvalue::InstanceOf(other.clone(), Type::Class(record)));
    code.give_if(CompareOp::Eq, is_record, Const::Int(0).into(), 0);
    let other = code.value(Type::Class(record), Rvalue::Cast(other, Type::Class(record)));
    for (_, field) in components {
        let ty = field.field_type();
        let left = code.value(ty, Rvalue::GetField(this.clone(), *field));
        let right = code.value(ty, Rvalue::GetField(other.clone(), *field));
        let compared = match ty {
            Type::Long | Type::Float | Type::Double => {
                let class = BOXES.iter().find(|(known, ..)| *known == ty).map_or("", |(_, class, _)| class);
                let descriptor = format!("({0}{0})I", ty.descriptor());
                code.call_static(class, "compare", &descriptor, vec![left, right])
            }
            Type::Class(_) | Type::Array(_) => {
                let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                let equal = code.call_static("java/util/Objects", "equals", descriptor, vec![left, right]);
                code.value(Type::Int, Rvalue::Binary(BinaryOp::Xor, equal, Const::Int(1).into()))
            }
            _ => code.value(Type::Int, Rvalue::Binary(BinaryOp::Sub, left, right)),
        };
        code.give_if(CompareOp::Ne, compared, Const::Int(0).into(), 0);
    }
    code.give(Some(Const::Int(1).into()));
}

fn hash_of(code: &mut Code, value: Operand, ty: Type) -> Operand {
    match BOXES.iter().find(|(known, ..)| *known == ty) {
        Some((_, class, _)) => code.call_static(class, "hashCode", &format!("({})I", ty.descriptor()), vec![value]),
        None => code.call_static("java/util/Objects", "hashCode", "(Ljava/lang/Object;)I", vec![value]),
    }
}

/// The position of the first label from the second argument on that the first one matches.
fn pattern_switch(mut code: Code, labels: &[SwitchLabel]) -> Option<Arc<Lowered>> {
    let (selector, start) = (code.parameter(0), code.parameter(1));
    code.give_if(CompareOp::Eq, selector.clone(), Const::Null.into(), -1);
    for (at, label) in (0..).zip(labels) {
        if let SwitchLabel::Constant(_) = label {
            return None;
        }
        if matches!(label, SwitchLabel::Instance(ty) if !ty.is_reference()) {
            return None;
        }
        code.only_if(CompareOp::Le, start.clone(), Const::Int(at).into(), |code| {
            match_label(code, &selector, label, at);
        });
    }
    let none = i32::try_from(labels.len()).ok()?;
    code.give(Some(Const::Int(none).into()));
    Some(code.finish("switch", Some(Type::Int)))
}

fn match_label(code: &mut Code, selector: &Operand, label: &SwitchLabel, at: i32) {
    match label {
        SwitchLabel::Instance(ty) => {
            let is_instance = code.value(Type::Boolean, Rvalue::InstanceOf(selector.clone(), *ty));
            code.give_if(CompareOp::Ne, is_instance, Const::Int(0).into(), at);
        }
        SwitchLabel::Int(number) => {
            for (ty, class, name) in BOXES.iter().filter(|(ty, ..)| matches!(ty, Type::Int | Type::Char)) {
                let class_type = Type::class(class);
                let is_box = code.value(Type::Boolean, Rvalue::InstanceOf(selector.clone(), class_type));
                code.only_if(CompareOp::Ne, is_box, Const::Int(0).into(), |code| {
                    let cast = code.value(class_type, Rvalue::Cast(selector.clone(), class_type));
                    let method = MethodRef::new(class, name, &format!("(){}", ty.descriptor()));
                    if let Some(value) = code.call(InvokeKind::Virtual, method, false, vec![cast]) {
                        code.give_if(CompareOp::Eq, value, Const::Int(*number).into(), at);
                    }
                });
            }
        }
        SwitchLabel::String(text) => {
            let method = MethodRef::new("java/lang/String", "equals", "(Ljava/lang/Object;)Z");
            let args = vec![Operand::Const(Const::String(text.clone())), selector.clone()];
            if let Some(is_equal) = code.call(InvokeKind::Virtual, method, false, args) {
                code.give_if(CompareOp::Ne, is_equal, Const::Int(0).into(), at);
            }
        }
        SwitchLabel::Enum(class, name) => {
            let ty = Type::Class(*class);
            let field = FieldRef { class: *class, name: *name, descriptor: Symbol::new(&ty.descriptor()) };
            let constant = code.value(ty, Rvalue::GetStatic(field));
            code.give_if(CompareOp::Eq, selector.clone(), constant, at);
        }
        SwitchLabel::Constant(_) => {}
    }
}
