//! Conditions as probes: which values a condition needs at its anchor, and how far those values were from making it true.
//!
//! Readable are operands, locals, `this`, parameters and lengths of arrays and strings; a condition over anything else
//! (fields, results of calls) is measured only as far as its readable parts go. The distances are the usual ones of
//! search-based testing: 0 exactly when the part held, growing with the gap.

use crate::readings::Value;
use crate::splice::{ValueKind, ValueProbe, ValueSource};
use condition::{Anchored, CompareOp, Condition, Const, Expr};
use program::{MethodRef, Program, Type};

/// The values to record for one condition.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) anchor: Anchored,
    pub(crate) reads: Vec<ValueSource>,
}

/// What a part is worth whose values cannot be read: not held, and no hint how far.
const UNREADABLE: f64 = 1.0;

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
        Measure { reads: &self.reads, values, slots: &slots, program }.condition(&self.anchor.when)
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

struct Measure<'a> {
    reads: &'a [ValueSource],
    values: &'a [Value],
    slots: &'a Slots,
    program: &'a Program,
}

impl Measure<'_> {
    fn condition(&self, condition: &Condition) -> f64 {
        match condition {
            Condition::True => 0.0,
            Condition::False => f64::INFINITY,
            Condition::Not(inner) => self.negation(inner),
            Condition::All(parts) => parts.iter().map(|part| self.condition(part)).sum(),
            Condition::Any(parts) => parts.iter().map(|part| self.condition(part)).fold(f64::INFINITY, f64::min),
            Condition::IsNull(value) => match self.value(value) {
                Some(Value::Null) => 0.0,
                _ => UNREADABLE,
            },
            Condition::Compare { op, left, right } => match (self.number(left), self.number(right)) {
                (Some(left), Some(right)) => compare(*op, left, right),
                _ => UNREADABLE,
            },
            Condition::InstanceOf(value, ty) => match self.is_instance(value, *ty) {
                Some(true) => 0.0,
                _ => UNREADABLE,
            },
            Condition::Same(..)
            | Condition::Storable { .. }
            | Condition::Predicate(..)
            | Condition::CallThrows { .. } => UNREADABLE,
        }
    }

    fn negation(&self, inner: &Condition) -> f64 {
        match inner {
            Condition::Compare { op, left, right } => match (self.number(left), self.number(right)) {
                (Some(left), Some(right)) => compare(op.negated(), left, right),
                _ => UNREADABLE,
            },
            Condition::IsNull(value) => match self.value(value) {
                Some(Value::Null) | None => UNREADABLE,
                Some(_) => 0.0,
            },
            Condition::InstanceOf(value, ty) => match self.is_instance(value, *ty) {
                Some(false) => 0.0,
                _ => UNREADABLE,
            },
            Condition::Not(inner) => self.condition(inner),
            Condition::All(parts) => parts.iter().map(|part| self.negation(part)).fold(f64::INFINITY, f64::min),
            Condition::Any(parts) => parts.iter().map(|part| self.negation(part)).sum(),
            Condition::True => f64::INFINITY,
            Condition::False => 0.0,
            _ => UNREADABLE,
        }
    }

    fn value(&self, expr: &Expr) -> Option<&Value> {
        let source = self.slots.source(expr)?;
        let index = self.reads.iter().position(|read| *read == source)?;
        self.values.get(index)
    }

    fn number(&self, expr: &Expr) -> Option<f64> {
        match expr {
            Expr::Const(Const::Int(value)) => Some(f64::from(*value)),
            Expr::Const(Const::Long(value)) => Some(*value as f64),
            Expr::Const(Const::Float(value)) => Some(f64::from(*value)),
            Expr::Const(Const::Double(value)) => Some(*value),
            Expr::Length(of) => match self.value(of)? {
                Value::Array { length, .. } => Some(f64::from(*length)),
                Value::Object { length, .. } => length.map(f64::from),
                _ => None,
            },
            _ => match self.value(expr)? {
                Value::Int(value) => Some(f64::from(*value)),
                Value::Long(value) => Some(*value as f64),
                Value::Float(value) => Some(f64::from(*value)),
                Value::Double(value) => Some(*value),
                Value::Null | Value::Object { .. } | Value::Array { .. } => None,
            },
        }
    }

    fn is_instance(&self, value: &Expr, ty: Type) -> Option<bool> {
        let class = match self.value(value)? {
            Value::Null => return Some(false),
            Value::Object { class, .. } | Value::Array { class, .. } => class,
            _ => return None,
        };
        let actual = Type::from_class_entry(&class.replace('.', "/"))?;
        match self.program.is_subtype_of(actual, ty) {
            program::Subtype::Yes => Some(true),
            program::Subtype::No => Some(false),
            program::Subtype::Unknown { .. } => None,
        }
    }
}

/// How far two numbers are from standing in a relation.
fn compare(op: CompareOp, left: f64, right: f64) -> f64 {
    let gap = left - right;
    let distance = match op {
        CompareOp::Eq => gap.abs(),
        CompareOp::Ne if gap == 0.0 => 1.0,
        CompareOp::Ne => 0.0,
        CompareOp::Lt if gap < 0.0 => 0.0,
        CompareOp::Lt => gap + 1.0,
        CompareOp::Le if gap <= 0.0 => 0.0,
        CompareOp::Le => gap,
        CompareOp::Gt if gap > 0.0 => 0.0,
        CompareOp::Gt => 1.0 - gap,
        CompareOp::Ge if gap >= 0.0 => 0.0,
        CompareOp::Ge => -gap,
    };
    // NaN stands in no relation but inequality.
    if distance.is_nan() { UNREADABLE } else { distance }
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
    if let Expr::Length(of) = expr {
        f(of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_zero_exactly_when_the_relation_holds() {
        let numbers = [-3.0, -1.0, 0.0, 1.0, 2.5, 7.0];
        for left in numbers {
            for right in numbers {
                for (op, holds) in [
                    (CompareOp::Eq, left == right),
                    (CompareOp::Ne, left != right),
                    (CompareOp::Lt, left < right),
                    (CompareOp::Le, left <= right),
                    (CompareOp::Gt, left > right),
                    (CompareOp::Ge, left >= right),
                ] {
                    assert_eq!(compare(op, left, right) == 0.0, holds, "{left} {op:?} {right}");
                    assert!(compare(op, left, right) >= 0.0);
                }
            }
        }
        assert!(compare(CompareOp::Lt, f64::NAN, 1.0) > 0.0);
    }
}
