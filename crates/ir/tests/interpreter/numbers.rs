//! Arithmetic as the JVM does it (JVMS 2.8, 2.11.3 and the instructions' descriptions). Rust's floating point operations and `as`
//! conversions between numbers have the same results.

#![expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "these are the JVM's conversions")]

use super::Value;
use ir::{BinaryOp, ThreeWay};
use program::Type;
use std::cmp::Ordering;

pub(crate) fn negate(value: &Value) -> Value {
    match value {
        Value::Int(value) => Value::Int(value.wrapping_neg()),
        Value::Long(value) => Value::Long(value.wrapping_neg()),
        Value::Float(value) => Value::Float(-value),
        Value::Double(value) => Value::Double(-value),
        other => panic!("negates {other:?}"),
    }
}

macro_rules! integers {
    ($op:expr, $left:expr, $right:expr) => {
        match $op {
            BinaryOp::Add => $left.wrapping_add($right),
            BinaryOp::Sub => $left.wrapping_sub($right),
            BinaryOp::Mul => $left.wrapping_mul($right),
            BinaryOp::Div => $left.wrapping_div($right),
            BinaryOp::Rem => $left.wrapping_rem($right),
            BinaryOp::And => $left & $right,
            BinaryOp::Or => $left | $right,
            BinaryOp::Xor => $left ^ $right,
            other => panic!("{other} of equal kinds"),
        }
    };
}

macro_rules! floats {
    ($op:expr, $left:expr, $right:expr) => {
        match $op {
            BinaryOp::Add => $left + $right,
            BinaryOp::Sub => $left - $right,
            BinaryOp::Mul => $left * $right,
            BinaryOp::Div => $left / $right,
            BinaryOp::Rem => $left % $right,
            other => panic!("{other} of floats"),
        }
    };
}

pub(crate) fn binary(op: BinaryOp, left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) if is_shift(op) => {
            let by = right.cast_unsigned();
            Value::Int(match op {
                BinaryOp::Shl => left.wrapping_shl(by),
                BinaryOp::Shr => left.wrapping_shr(by),
                _ => left.cast_unsigned().wrapping_shr(by).cast_signed(),
            })
        }
        (Value::Long(left), Value::Int(right)) if is_shift(op) => {
            let by = right.cast_unsigned();
            Value::Long(match op {
                BinaryOp::Shl => left.wrapping_shl(by),
                BinaryOp::Shr => left.wrapping_shr(by),
                _ => left.cast_unsigned().wrapping_shr(by).cast_signed(),
            })
        }
        (Value::Int(left), Value::Int(right)) => Value::Int(integers!(op, left, *right)),
        (Value::Long(left), Value::Long(right)) => Value::Long(integers!(op, left, *right)),
        (Value::Float(left), Value::Float(right)) => Value::Float(floats!(op, left, right)),
        (Value::Double(left), Value::Double(right)) => Value::Double(floats!(op, left, right)),
        other => panic!("{op} of {other:?}"),
    }
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr)
}

pub(crate) fn three_way(op: ThreeWay, left: &Value, right: &Value) -> Value {
    let (order, nan) = match (op, left, right) {
        (ThreeWay::Long, Value::Long(left), Value::Long(right)) => (Some(left.cmp(right)), 0),
        (ThreeWay::Float { nan }, Value::Float(left), Value::Float(right)) => (left.partial_cmp(right), nan),
        (ThreeWay::Double { nan }, Value::Double(left), Value::Double(right)) => (left.partial_cmp(right), nan),
        other => panic!("compares {other:?}"),
    };
    Value::Int(match order {
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        None => nan.into(),
    })
}

macro_rules! converted {
    ($value:expr, $ty:expr) => {
        match $ty {
            Type::Int => Value::Int($value as i32),
            Type::Long => Value::Long($value as i64),
            Type::Float => Value::Float($value as f32),
            Type::Double => Value::Double($value as f64),
            other => panic!("conversion to {other}"),
        }
    };
}

pub(crate) fn convert(value: &Value, ty: Type) -> Value {
    match value {
        Value::Int(_) if matches!(ty, Type::Byte | Type::Char | Type::Short) => narrowed(value.clone(), ty),
        Value::Int(value) => converted!(*value, ty),
        Value::Long(value) => converted!(*value, ty),
        Value::Float(value) => converted!(*value, ty),
        Value::Double(value) => converted!(*value, ty),
        other => panic!("converts {other:?}"),
    }
}

/// What a field or array element of this type keeps of an `int`.
pub(crate) fn narrowed(value: Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Int(value), Type::Boolean) => Value::Int(value & 1),
        (Value::Int(value), Type::Byte) => Value::Int((value as i8).into()),
        (Value::Int(value), Type::Short) => Value::Int((value as i16).into()),
        (Value::Int(value), Type::Char) => Value::Int((value as i16).cast_unsigned().into()),
        (value, _) => value,
    }
}
