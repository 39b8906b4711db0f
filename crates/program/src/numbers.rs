//! Arithmetic as the JVM does it (JVMS 2.8, 2.11.3 and the descriptions of the instructions): the one place that everything goes by
//! which computes with the numbers of a program. Rust's floating point operations and `as` conversions have the same results.

#![expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "these are the JVM's conversions")]

use crate::names::Type;
use crate::operators::{BinaryOp, CompareOp};
use std::cmp::Ordering;

/// A number on the operand stack. `boolean`, `byte`, `short` and `char` are `int`s there.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NumberKind {
    Int,
    Long,
    Float,
    Double,
}

impl NumberKind {
    /// Comparisons of floating point numbers are all false with a NaN, but for `!=`.
    pub fn has_nan(self) -> bool {
        matches!(self, NumberKind::Float | NumberKind::Double)
    }

    /// The kind that values of a type have on the stack; none for references.
    pub fn of(ty: Type) -> Option<NumberKind> {
        match ty {
            Type::Boolean | Type::Byte | Type::Char | Type::Short | Type::Int => Some(NumberKind::Int),
            Type::Long => Some(NumberKind::Long),
            Type::Float => Some(NumberKind::Float),
            Type::Double => Some(NumberKind::Double),
            Type::Class(_) | Type::Array(_) => None,
        }
    }
}

macro_rules! converted {
    ($value:expr, $ty:expr) => {
        match $ty {
            Type::Int => Some(Number::Int($value as i32)),
            Type::Long => Some(Number::Long($value as i64)),
            Type::Float => Some(Number::Float($value as f32)),
            Type::Double => Some(Number::Double($value as f64)),
            _ => None,
        }
    };
}

impl Number {
    pub fn kind(self) -> NumberKind {
        match self {
            Number::Int(_) => NumberKind::Int,
            Number::Long(_) => NumberKind::Long,
            Number::Float(_) => NumberKind::Float,
            Number::Double(_) => NumberKind::Double,
        }
    }

    /// None for a division by zero of integers, and where bytecode has no such instruction.
    pub fn binary(op: BinaryOp, left: Number, right: Number) -> Option<Number> {
        match (left, right) {
            (Number::Int(left), Number::Int(right)) => op.of_ints(left, right).map(Number::Int),
            (Number::Long(left), Number::Int(right)) => shifted(op, left, right).map(Number::Long),
            (Number::Long(left), Number::Long(right)) => op.of_longs(left, right).map(Number::Long),
            (Number::Float(left), Number::Float(right)) => op.of_floats(left, right).map(Number::Float),
            (Number::Double(left), Number::Double(right)) => op.of_doubles(left, right).map(Number::Double),
            _ => None,
        }
    }

    #[must_use]
    pub fn negated(self) -> Number {
        match self {
            Number::Int(value) => Number::Int(value.wrapping_neg()),
            Number::Long(value) => Number::Long(value.wrapping_neg()),
            Number::Float(value) => Number::Float(-value),
            Number::Double(value) => Number::Double(-value),
        }
    }

    /// As `i2l`, `d2i`, `i2b` and their like convert; none for types that none of them leads to.
    pub fn converted(self, to: Type) -> Option<Number> {
        match self {
            Number::Int(value) if matches!(to, Type::Byte | Type::Char | Type::Short) => {
                Some(Number::Int(value).narrowed(to))
            }
            Number::Int(value) => converted!(value, to),
            Number::Long(value) => converted!(value, to),
            Number::Float(value) => converted!(value, to),
            Number::Double(value) => converted!(value, to),
        }
    }

    /// What a field or array element of this type keeps of an `int`.
    #[must_use]
    pub fn narrowed(self, ty: Type) -> Number {
        match (self, ty) {
            (Number::Int(value), Type::Boolean) => Number::Int(value & 1),
            (Number::Int(value), Type::Byte) => Number::Int((value as i8).into()),
            (Number::Int(value), Type::Short) => Number::Int((value as i16).into()),
            (Number::Int(value), Type::Char) => Number::Int((value as u16).into()),
            (value, _) => value,
        }
    }

    /// None with a NaN, and for numbers of two kinds, which bytecode never compares.
    pub fn order(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => Some(left.cmp(&right)),
            (Number::Long(left), Number::Long(right)) => Some(left.cmp(&right)),
            (Number::Float(left), Number::Float(right)) => left.partial_cmp(&right),
            (Number::Double(left), Number::Double(right)) => left.partial_cmp(&right),
            _ => None,
        }
    }

    /// Whether the comparison holds, as source has it: with a NaN only `!=` does.
    pub fn compares(self, op: CompareOp, other: Number) -> bool {
        self.order(other).map_or(op == CompareOp::Ne, |order| op.holds(order))
    }
}

/// Shifts of a `long` take their distance as an `int`.
fn shifted(op: BinaryOp, left: i64, right: i32) -> Option<i64> {
    let by = right.cast_unsigned();
    Some(match op {
        BinaryOp::Shl => left.wrapping_shl(by),
        BinaryOp::Shr => left.wrapping_shr(by),
        BinaryOp::Ushr => left.cast_unsigned().wrapping_shr(by).cast_signed(),
        _ => return None,
    })
}

/// The same bits are the same number: a NaN equals itself, and 0.0 is not -0.0.
impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => left == right,
            (Number::Long(left), Number::Long(right)) => left == right,
            (Number::Float(left), Number::Float(right)) => left.to_bits() == right.to_bits(),
            (Number::Double(left), Number::Double(right)) => left.to_bits() == right.to_bits(),
            _ => false,
        }
    }
}

impl Eq for Number {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_converted_as_the_jvm_does() {
        for (number, to, result) in [
            (Number::Double(f64::NAN), Type::Int, Some(Number::Int(0))),
            (Number::Double(1e300), Type::Long, Some(Number::Long(i64::MAX))),
            (Number::Float(-1e30), Type::Int, Some(Number::Int(i32::MIN))),
            (Number::Int(0x1_ffff), Type::Char, Some(Number::Int(0xffff))),
            (Number::Int(200), Type::Byte, Some(Number::Int(-56))),
            (Number::Long(i64::MAX), Type::Int, Some(Number::Int(-1))),
            (Number::Int(1), Type::Boolean, None),
            (Number::Long(1), Type::Byte, None),
        ] {
            assert_eq!(number.converted(to), result, "{number:?} to {to}");
        }
    }

    #[test]
    fn a_nan_stands_in_no_relation_but_inequality() {
        let nan = Number::Float(f32::NAN);
        let holding = |op| nan.compares(op, Number::Float(1.0));
        use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
        assert_eq!([Eq, Ne, Lt, Le, Gt, Ge].map(holding), [false, true, false, false, false, false]);
        assert!(Number::Double(0.0).compares(Eq, Number::Double(-0.0)));
        assert_ne!(Number::Double(0.0), Number::Double(-0.0));
    }

    #[test]
    fn long_shifts_take_an_int() {
        let shift = |op| Number::binary(op, Number::Long(-16), Number::Int(66));
        assert_eq!(shift(BinaryOp::Shl), Some(Number::Long(-64)));
        assert_eq!(shift(BinaryOp::Shr), Some(Number::Long(-4)));
        assert_eq!(shift(BinaryOp::Ushr), Some(Number::Long(0x3fff_ffff_ffff_fffc)));
        assert_eq!(shift(BinaryOp::Add), None);
        assert_eq!(
            Number::binary(BinaryOp::Rem, Number::Double(-7.5), Number::Double(2.0)),
            Some(Number::Double(-1.5))
        );
    }
}
