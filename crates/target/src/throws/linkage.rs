//! Failures of class initialisation and linking, and of memory: errors that any instruction naming a class or member, or
//! allocating, can throw. The message usually names the class or member, which singles the instruction out.

use super::{Found, Place, rank};
use crate::message::known;
use crate::model::{Precision, ThrowKind};
use condition::{CompareOp, Condition, Expr};
use ir::{Callee, Op, Operand, Rvalue};
use program::{ClassName, InstrId, MethodRef};

pub(super) fn sites<'p>(place: &Place<'p>) -> Vec<Found<'p>> {
    match place.thrown.exception.as_internal() {
        "java/lang/ExceptionInInitializerError" => initialisations(place, place.thrown.failed_initialiser),
        "java/lang/NoClassDefFoundError" | "java/lang/ClassNotFoundException" => {
            let class = told(place, "class").map(|name| ClassName::from_dotted(&name));
            if place.thrown.message.is_some_and(|message| message.starts_with("Could not initialize class")) {
                initialisations(place, class)
            } else {
                references(place, class.map(ClassName::simple))
            }
        }
        "java/lang/NoSuchFieldError" | "java/lang/NoSuchMethodError" | "java/lang/AbstractMethodError" => {
            let member = told(place, "member");
            references(place, member.as_deref())
        }
        "java/lang/IncompatibleClassChangeError"
        | "java/lang/IllegalAccessError"
        | "java/lang/InstantiationError"
        | "java/lang/UnsatisfiedLinkError"
        | "java/lang/VerifyError"
        | "java/lang/ClassFormatError"
        | "java/lang/UnsupportedClassVersionError"
        | "java/lang/LinkageError"
        | "java/lang/BootstrapMethodError" => references(place, None),
        "java/lang/OutOfMemoryError" => allocations(place),
        _ => Vec::new(),
    }
}

/// What a hole of the JVM's own message holds.
fn told(place: &Place<'_>, subject: &str) -> Option<String> {
    let message = place.thrown.message?;
    known(place.thrown.exception, message).into_iter().find_map(|template| {
        let instance = template.matches(message)?;
        let index = template.holes().position(|hole| hole.subject == subject)?;
        Some(message[instance.holes[index].range.clone()].to_owned())
    })
}

/// Instructions that initialise a class (JVMS 5.5): that one, if it is known. Superclasses are initialised first.
fn initialisations<'p>(place: &Place<'p>, wanted: Option<ClassName>) -> Vec<Found<'p>> {
    let mut found = Vec::new();
    for (_, instr) in place.unit.body.instrs().filter(|(_, instr)| place.covers(instr.id.bci)) {
        let Some(class) = initialised(&instr.op).filter(|class| *class != place.unit.reference().class) else {
            continue;
        };
        let is_wanted = wanted.is_none_or(|wanted| {
            wanted == class || place.units.program.is_subtype(class, wanted) == program::Subtype::Yes
        });
        let initialiser = MethodRef::new(class.as_internal(), "<clinit>", "()V");
        let when = Condition::CallThrows { callee: initialiser, exception: place.thrown.exception };
        let site = place.site(instr.id, ThrowKind::Initialisation, when, Precision::Opaque);
        let rank = if is_wanted { rank::LIKELY } else { rank::UNLIKELY };
        found.push(Found { site, made: Vec::new(), rank });
    }
    found
}

fn initialised(op: &Op) -> Option<ClassName> {
    match op {
        Op::PutStatic { field, .. } => Some(field.class),
        Op::Assign(_, Rvalue::GetStatic(field)) => Some(field.class),
        Op::Assign(_, Rvalue::New(class)) => Some(*class),
        Op::Invoke(callee, _) | Op::Assign(_, Rvalue::Invoke(callee, _)) => match callee {
            Callee::Method { kind: ir::InvokeKind::Static, method, .. } => Some(method.class),
            _ => None,
        },
        _ => None,
    }
}

/// Instructions that resolve a class or member; those that mention `wanted` first.
fn references<'p>(place: &Place<'p>, wanted: Option<&str>) -> Vec<Found<'p>> {
    let mut found = Vec::new();
    for (_, instr) in place.unit.body.instrs().filter(|(_, instr)| place.covers(instr.id.bci)) {
        let Some(text) = referenced(&instr.op) else { continue };
        let site = place.site(instr.id, ThrowKind::Linkage, Condition::True, Precision::Opaque);
        let rank = match wanted {
            Some(wanted) if text.contains(wanted) => rank::LIKELY,
            Some(_) => rank::UNLIKELY,
            None => rank::POSSIBLE,
        };
        found.push(Found { site, made: Vec::new(), rank });
    }
    found
}

fn referenced(op: &Op) -> Option<String> {
    let field =
        |field: &program::FieldRef| format!("{} {} {}", field.class.as_internal(), field.name, field.descriptor);
    Some(match op {
        Op::PutStatic { field: put, .. } | Op::PutField { field: put, .. } => field(put),
        Op::Guard(ir::Guard::Castable(_, ty)) => ty.descriptor(),
        Op::Invoke(callee, _) | Op::Assign(_, Rvalue::Invoke(callee, _)) => match callee {
            Callee::Method { method, .. } => {
                format!("{} {} {}", method.class.as_internal(), method.name, method.descriptor)
            }
            Callee::Dynamic { name, descriptor, .. } => format!("{name} {descriptor}"),
        },
        Op::Assign(_, value) => match value {
            Rvalue::GetField(_, get) | Rvalue::GetStatic(get) => field(get),
            Rvalue::New(class) => class.as_internal().to_owned(),
            Rvalue::NewArray(ty, _) | Rvalue::InstanceOf(_, ty) | Rvalue::Cast(_, ty) => ty.descriptor(),
            Rvalue::Use(Operand::Const(ir::Const::Class(ty))) => ty.descriptor(),
            _ => return None,
        },
        _ => return None,
    })
}

/// Allocations of arrays, then of objects, then calls, which may allocate in native code.
fn allocations<'p>(place: &Place<'p>) -> Vec<Found<'p>> {
    let mut found = Vec::new();
    let is_limit = place.thrown.message.is_some_and(|message| message.starts_with("Requested array size"));
    for (_, instr) in place.unit.body.instrs().filter(|(_, instr)| place.covers(instr.id.bci)) {
        let (rank, when) = match &instr.op {
            Op::Assign(_, Rvalue::NewArray(_, sizes)) => {
                (rank::LIKELY, limit(place, instr.id, sizes.first(), is_limit))
            }
            Op::Assign(_, Rvalue::New(_)) => (rank::POSSIBLE, Condition::True),
            Op::Invoke(..) | Op::Assign(_, Rvalue::Invoke(..)) => (rank::UNLIKELY, Condition::True),
            _ => continue,
        };
        let precision = if when == Condition::True { Precision::Opaque } else { Precision::Partial };
        let site = place.site(instr.id, ThrowKind::Allocation, when, precision);
        found.push(Found { site, made: Vec::new(), rank });
    }
    found
}

/// `size >= Integer.MAX_VALUE - 1`: what HotSpot refuses whatever the memory.
fn limit(place: &Place<'_>, at: InstrId, size: Option<&Operand>, is_limit: bool) -> Condition {
    match size {
        Some(size) if is_limit => {
            let value = place.scope(at).value(size, at);
            Condition::compare_ints(value, CompareOp::Ge, Expr::int(i32::MAX - 1))
        }
        _ => Condition::True,
    }
}
