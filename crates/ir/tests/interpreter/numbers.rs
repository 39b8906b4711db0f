//! Arithmetic on the interpreter's values; the rules themselves are [`program::Number`]'s.

use super::Value;
use ir::{BinaryOp, ThreeWay};
use program::{Number, Type};

fn number(value: &Value) -> Number {
    match value {
        Value::Int(value) => Number::Int(*value),
        Value::Long(value) => Number::Long(*value),
        Value::Float(value) => Number::Float(*value),
        Value::Double(value) => Number::Double(*value),
        other => panic!("computes with {other:?}"),
    }
}

fn value(number: Number) -> Value {
    match number {
        Number::Int(value) => Value::Int(value),
        Number::Long(value) => Value::Long(value),
        Number::Float(value) => Value::Float(value),
        Number::Double(value) => Value::Double(value),
    }
}

pub(crate) fn negate(operand: &Value) -> Value {
    value(number(operand).negated())
}

pub(crate) fn binary(op: BinaryOp, left: &Value, right: &Value) -> Value {
    let computed = Number::binary(op, number(left), number(right));
    value(computed.unwrap_or_else(|| panic!("{op} of {left:?} and {right:?}")))
}

pub(crate) fn three_way(op: ThreeWay, left: &Value, right: &Value) -> Value {
    let nan = match op {
        ThreeWay::Long => 0,
        ThreeWay::Float { nan } | ThreeWay::Double { nan } => nan,
    };
    let order = number(left).order(number(right));
    Value::Int(order.map_or(nan.into(), |order| order as i32))
}

pub(crate) fn convert(operand: &Value, ty: Type) -> Value {
    let converted = number(operand).converted(ty);
    value(converted.unwrap_or_else(|| panic!("converts {operand:?} to {ty}")))
}

/// What a field or array element of this type keeps of an `int`.
pub(crate) fn narrowed(kept: Value, ty: Type) -> Value {
    match kept {
        Value::Int(_) => value(number(&kept).narrowed(ty)),
        other => other,
    }
}
