//! Conditions as probes: which values a condition needs at its anchor, and how far those values were from making it true.
//!
//! Readable are operands, `this`, parameters and lengths of arrays and strings; a condition over anything else (fields,
//! results of calls) is measured only as far as its readable parts go. [`condition::evaluate`] measures.

use condition::evaluate::{self, Object, State};
use condition::{Anchored, Condition, Expr};
use program::{MethodRef, Number, Program, Type};
use splice::readings::Value;
use splice::{ValueKind, ValueProbe, ValueSource};

/// The values to record for one condition.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) anchor: Anchored,
    pub(crate) reads: Vec<ValueSource>,
}

impl Watch {
    pub(crate) fn new(anchor: &Anchored, program: &Program) -> Watch {
        let mut reads = Vec::new();
        let slots = Slots::of(anchor.at.method, program);
        for_each_expr(&anchor.when, &mut |expr| {
            if let Some(source) = slots.source(expr)
                && !reads.contains(&source)
                && reads.len() < ValueProbe::MAX_READS
            {
                reads.push(source);
            }
        });
        Watch { anchor: anchor.clone(), reads }
    }

    /// How far one visit was from making the condition true; `values` are in the order of `reads`.
    pub(crate) fn distance(&self, values: &[Value], program: &Program) -> f64 {
        let slots = Slots::of(self.anchor.at.method, program);
        let visit = Visit { reads: &self.reads, values, slots: &slots, program };
        evaluate::distance(&self.anchor.when, &visit)
    }
}

/// Where a method's parameters are.
struct Slots {
    is_static: bool,
    params: Vec<(u16, Type)>,
}

impl Slots {
    fn of(method: MethodRef, program: &Program) -> Slots {
        let is_static = program.declared_method(method).is_some_and(|found| found.access.is_static());
        let mut next = u16::from(!is_static);
        let params = method.signature().params.into_iter().map(|ty| {
            let slot = next;
            next += ty.slots();
            (slot, ty)
        });
        Slots { is_static, params: params.collect() }
    }

    fn source(&self, expr: &Expr) -> Option<ValueSource> {
        match expr {
            Expr::Operand(depth) => Some(ValueSource::Operand(*depth)),
            Expr::This if !self.is_static => Some(ValueSource::Local { slot: 0, kind: ValueKind::Reference }),
            Expr::Param(index) => {
                let (slot, ty) = *self.params.get(usize::from(*index))?;
                Some(ValueSource::Local { slot, kind: kind_of(ty) })
            }
            _ => None,
        }
    }
}

fn kind_of(ty: Type) -> ValueKind {
    match ty {
        Type::Boolean | Type::Byte | Type::Char | Type::Short | Type::Int => ValueKind::Int,
        Type::Long => ValueKind::Long,
        Type::Float => ValueKind::Float,
        Type::Double => ValueKind::Double,
        Type::Class(_) | Type::Array(_) => ValueKind::Reference,
    }
}

/// What one visit has recorded.
struct Visit<'a> {
    reads: &'a [ValueSource],
    values: &'a [Value],
    slots: &'a Slots,
    program: &'a Program,
}

impl State for Visit<'_> {
    fn value(&self, of: &Expr) -> Option<evaluate::Value> {
        let source = self.slots.source(of)?;
        let index = self.reads.iter().position(|read| *read == source)?;
        self.values.get(index).map(as_evaluated)
    }

    fn is_subtype(&self, class: Type, of: Type) -> Option<bool> {
        match self.program.is_subtype_of(class, of) {
            program::Subtype::Yes => Some(true),
            program::Subtype::No => Some(false),
            program::Subtype::Unknown { .. } => None,
        }
    }
}

fn as_evaluated(value: &Value) -> evaluate::Value {
    let number = evaluate::Value::Number;
    let object = |class: &str, length: Option<u32>| {
        let class = Type::from_class_entry(&class.replace('.', "/"));
        evaluate::Value::Object(Object { class, length, ..Object::default() })
    };
    match value {
        Value::Int(value) => number(Number::Int(*value)),
        Value::Long(value) => number(Number::Long(*value)),
        Value::Float(value) => number(Number::Float(*value)),
        Value::Double(value) => number(Number::Double(*value)),
        Value::Null => evaluate::Value::Null,
        Value::Object { class, length } => object(class, *length),
        Value::Array { class, length } => object(class, Some(*length)),
    }
}

fn for_each_expr(condition: &Condition, f: &mut dyn FnMut(&Expr)) {
    match condition {
        Condition::Not(inner) => for_each_expr(inner, f),
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| for_each_expr(part, f)),
        Condition::IsNull(value) | Condition::InstanceOf(value, _) => visit(value, f),
        Condition::Compare { left, right, .. } | Condition::Same(left, right) => {
            visit(left, f);
            visit(right, f);
        }
        Condition::Storable { array, value } => {
            visit(array, f);
            visit(value, f);
        }
        Condition::Predicate(_, args) => args.iter().for_each(|arg| visit(arg, f)),
        Condition::True | Condition::False | Condition::CallThrows { .. } => {}
    }
}

fn visit(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(expr);
    if expr.is_computed() {
        expr.parts().into_iter().for_each(|part| visit(part, f));
    }
}
