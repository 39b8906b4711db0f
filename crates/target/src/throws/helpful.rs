//! The text that HotSpot writes for a null dereference, from the bytecode: which instruction a reported text belongs to.
//!
//! This follows what JEP 358 specifies and HotSpot does: the failed action, then the null value described by the
//! instructions that produced it, at most five deep. Names of local variables come from the variable table, else they are
//! `<local4>`, `<parameter1>` or `this`.

use crate::message::{Action, NullCause, NullText};
use analysis::{Assignment, Lowered};
use ir::{Callee, Operand, Rvalue, Var};
use program::classfile::{ElementKind, FieldOp, InvokeOp};
use program::{ClassName, FieldRef, InstrId, Instruction, MethodRef, Type};

/// How well a reported text fits an instruction, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Agreement {
    None,
    /// What was attempted is the same; the null value is described otherwise or not at all.
    SameAction,
    /// The null value is described in the same way but for the name of a local variable.
    SameButNames,
    Same,
}

/// Compares a reported text with what HotSpot would write for the instruction at `bci`.
pub(super) fn agreement(unit: &Lowered, bci: u16, told: &NullText) -> Agreement {
    let Some(ours) = text(unit, bci, true) else { return Agreement::None };
    if !same_action(&ours.action, &told.action) {
        return Agreement::None;
    }
    // The log's class may have been compiled with or without debug information.
    let nameless = text(unit, bci, false).and_then(|text| text.cause);
    if told.cause == ours.cause || told.cause == nameless {
        return Agreement::Same;
    }
    let shape = |cause: &Option<NullCause>| match cause {
        Some(NullCause::Expression(text)) => Some(without_root(text).to_owned()),
        _ => None,
    };
    if shape(&told.cause).is_some() && shape(&told.cause) == shape(&ours.cause) {
        return Agreement::SameButNames;
    }
    Agreement::SameAction
}

/// What HotSpot would write if the instruction at `bci` failed on null; `names`: the class has a variable table.
pub(crate) fn text(unit: &Lowered, bci: u16, names: bool) -> Option<NullText> {
    let instruction = unit.method.readable_code()?.instruction_at(bci).ok()?;
    let (action, depth) = action(&instruction)?;
    let describer = Describer { unit, names };
    Some(NullText { action, cause: describer.cause(bci, depth) })
}

/// A byte array may be one of booleans; Android does not say of what the array is.
fn same_action(ours: &Action, told: &Action) -> bool {
    match (ours, told) {
        (Action::LoadElement(_), Action::LoadElement(None)) | (Action::StoreElement(_), Action::StoreElement(None)) => {
            true
        }
        // Android writes all names in full.
        (Action::Invoke(ours), Action::Invoke(told)) => ours == told || *ours == abbreviated(told),
        _ => ours == told,
    }
}

fn abbreviated(method: &str) -> String {
    method.replace("java.lang.String", "String").replace("java.lang.Object", "Object")
}

/// `<local1>.a.b` and `x.a.b` without their first part.
fn without_root(text: &str) -> &str {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    &text[end..]
}

/// What the instruction attempts, and how far below the top of the stack the reference is that must not be null.
fn action(instruction: &Instruction) -> Option<(Action, usize)> {
    Some(match instruction {
        Instruction::ArrayLoad(kind) => (Action::LoadElement(Some(element(*kind).into())), 1),
        Instruction::ArrayStore(kind) => (Action::StoreElement(Some(element(*kind).into())), 2),
        Instruction::ArrayLength => (Action::ArrayLength, 0),
        Instruction::Throw => (Action::Throw, 0),
        Instruction::MonitorEnter => (Action::EnterMonitor, 0),
        Instruction::MonitorExit => (Action::ExitMonitor, 0),
        Instruction::Field { op: FieldOp::GetField, field } => (Action::ReadField(field.name.to_string()), 0),
        Instruction::Field { op: FieldOp::PutField, field } => (Action::AssignField(field.name.to_string()), 1),
        Instruction::Invoke { op, callee } if *op != InvokeOp::Static => {
            let text = callee
                .array
                .map_or_else(|| method_text(callee.method), |array| array_method_text(array, callee.method));
            (Action::Invoke(text), callee.method.signature().params.len())
        }
        _ => return None,
    })
}

fn element(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Int => "int",
        ElementKind::Long => "long",
        ElementKind::Float => "float",
        ElementKind::Double => "double",
        ElementKind::Reference => "object",
        ElementKind::Byte => "byte/boolean",
        ElementKind::Char => "char",
        ElementKind::Short => "short",
    }
}

fn method_text(method: MethodRef) -> String {
    format!("{}.{}", class_text(method.class), member_text(method))
}

fn array_method_text(array: Type, method: MethodRef) -> String {
    format!("{}.{}", array.descriptor().replace('/', "."), member_text(method))
}

fn member_text(method: MethodRef) -> String {
    let params: Vec<String> = method.signature().params.iter().map(|param| type_text(*param)).collect();
    format!("{}({})", method.name, params.join(", "))
}

/// `java.lang.Object` and `java.lang.String` are shortened.
fn class_text(class: ClassName) -> String {
    match class.as_internal() {
        "java/lang/Object" => "Object".into(),
        "java/lang/String" => "String".into(),
        _ => class.dotted(),
    }
}

fn type_text(ty: Type) -> String {
    match ty {
        Type::Class(class) => class_text(class),
        Type::Array(array) => format!("{}[]", type_text(array.component())),
        primitive => primitive.to_string(),
    }
}

fn static_text(field: FieldRef) -> String {
    format!("{}.{}", class_text(field.class), field.name)
}

/// HotSpot follows values through this many instructions.
const DETAIL: u32 = 5;

struct Describer<'a> {
    unit: &'a Lowered,
    names: bool,
}

impl Describer<'_> {
    fn cause(&self, bci: u16, depth: usize) -> Option<NullCause> {
        let operand = self.uncast(self.unit.body.stack_operand(bci, depth)?);
        if let Some(method) = self.called(operand) {
            return Some(NullCause::ReturnValue(method_text(method)));
        }
        self.describe(operand, bci, DETAIL).map(NullCause::Expression)
    }

    /// A cast does not count as an origin.
    fn uncast<'a>(&'a self, operand: &'a Operand) -> &'a Operand {
        let Operand::Var(var @ Var::Temp(bci)) = operand else { return operand };
        match self.unit.only_assignment(*var, InstrId::at(*bci)) {
            Some(Assignment::At(_, Rvalue::Cast(from, _))) => self.uncast(from),
            _ => operand,
        }
    }

    fn called(&self, operand: &Operand) -> Option<MethodRef> {
        let Operand::Var(var @ Var::Temp(bci)) = operand else { return None };
        match self.unit.only_assignment(*var, InstrId::at(*bci))? {
            Assignment::At(_, Rvalue::Invoke(Callee::Method { method, .. }, _)) => Some(*method),
            _ => None,
        }
    }

    fn describe(&self, operand: &Operand, bci: u16, detail: u32) -> Option<String> {
        if detail == 0 {
            return None;
        }
        match self.uncast(operand) {
            Operand::Const(ir::Const::Null) => Some("null".into()),
            // Larger numbers come from the constant pool, which is not looked at.
            Operand::Const(ir::Const::Int(value)) => i16::try_from(*value).ok().map(|value| value.to_string()),
            Operand::Const(_) | Operand::Var(Var::Merge { .. }) => None,
            Operand::Var(Var::Local(slot)) => Some(self.local(*slot, bci)),
            Operand::Var(var @ Var::Temp(made)) => match self.unit.only_assignment(*var, InstrId::at(*made))? {
                Assignment::At(_, value) => self.computed(value, *made, detail),
                Assignment::Entry => None,
            },
        }
    }

    fn computed(&self, value: &Rvalue, bci: u16, detail: u32) -> Option<String> {
        match value {
            Rvalue::Use(Operand::Var(Var::Local(slot))) => Some(self.local(*slot, bci)),
            Rvalue::GetStatic(field) => Some(static_text(*field)),
            Rvalue::GetField(object, field) => Some(match self.describe(object, bci, detail - 1) {
                Some(object) => format!("{object}.{}", field.name),
                None => field.name.to_string(),
            }),
            Rvalue::GetElement { array, index, .. } => {
                let array = self.describe(array, bci, detail - 1).unwrap_or_else(|| "<array>".into());
                let index = self.describe(index, bci, detail).unwrap_or_else(|| "...".into());
                Some(format!("{array}[{index}]"))
            }
            Rvalue::Invoke(Callee::Method { method, .. }, _) => Some(method_text(*method)),
            _ => None,
        }
    }

    fn local(&self, slot: u16, bci: u16) -> String {
        if self.names
            && let Some(name) = self.unit.body.name_of(slot, bci)
        {
            return name.to_string();
        }
        let parameters = self.unit.body.parameters();
        let position = parameters.iter().position(|(known, _)| *known == slot);
        // HotSpot looks at the code once, from front to back, so it does not see what a loop assigns further down.
        let is_untouched =
            self.unit.assignments(Var::Local(slot), InstrId::at(bci)).iter().all(|definition| match definition {
                Assignment::Entry => true,
                Assignment::At(assigned, _) => assigned.bci > bci,
            });
        match position.filter(|_| is_untouched).map(|position| parameters[position].1) {
            Some(ir::Parameter::This) => "this".into(),
            Some(ir::Parameter::Declared(index, _)) => format!("<parameter{}>", index + 1),
            None => format!("<local{slot}>"),
        }
    }
}
