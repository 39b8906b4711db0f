//! Operations on floats, as IEEE 754 and the JVM have them. Rust's are those of the JVM: rounded to nearest even, `%`
//! truncates, `as` goes towards zero, saturates and takes NaN to 0.

use crate::node::{FloatBinary, FloatCompare, FloatUnary, Node, Term};
use crate::sort::FloatSort;
use crate::value::{Value, mask, signed};

pub(super) fn apply<'v>(node: &Node, of: impl Fn(Term) -> &'v Value) -> Value {
    match node {
        Node::FloatUnary(op, a) => match float(of(*a)) {
            Float::Single(a) => Value::f32(unary_32(*op, a)),
            Float::Double(a) => Value::f64(unary_64(*op, a)),
        },
        Node::FloatBinary(op, a, b) => match (float(of(*a)), float(of(*b))) {
            (Float::Single(a), Float::Single(b)) => Value::f32(binary(*op, a, b)),
            (Float::Double(a), Float::Double(b)) => Value::f64(binary(*op, a, b)),
            _ => unreachable!("sorts are checked where terms are made"),
        },
        Node::FloatCompare(op, a, b) => Value::Bool(compare(*op, wide(of(*a)), wide(of(*b)))),
        Node::IsNan(a) => Value::Bool(wide(of(*a)).is_nan()),
        Node::FloatOfSigned { to, of: number } => {
            let number = of(*number).as_signed().unwrap_or_default();
            match to {
                FloatSort::F32 => Value::f32(number as f32),
                FloatSort::F64 => Value::f64(number as f64),
            }
        }
        Node::SignedOfFloat { width, of: a } => signed_of(*width, wide(of(*a))),
        Node::FloatOfFloat { to, of: a } => match to {
            FloatSort::F32 => Value::f32(wide(of(*a)) as f32),
            FloatSort::F64 => Value::f64(wide(of(*a))),
        },
        Node::FloatOfBits(a) => match of(*a) {
            Value::Bv { width: 32, bits } => Value::f32(f32::from_bits(*bits as u32)),
            Value::Bv { bits, .. } => Value::f64(f64::from_bits(*bits)),
            other => unreachable!("sorts are checked where terms are made: {other:?} is no bit-vector"),
        },
        Node::BitsOfFloat(a) => match of(*a) {
            Value::F32(bits) => Value::bits(32, u64::from(*bits)),
            Value::F64(bits) => Value::bits(64, *bits),
            other => unreachable!("sorts are checked where terms are made: {other:?} is no float"),
        },
        other => unreachable!("no operation on floats: {other:?}"),
    }
}

enum Float {
    Single(f32),
    Double(f64),
}

fn float(value: &Value) -> Float {
    match value {
        Value::F32(bits) => Float::Single(f32::from_bits(*bits)),
        Value::F64(bits) => Float::Double(f64::from_bits(*bits)),
        other => unreachable!("sorts are checked where terms are made: {other:?} is no float"),
    }
}

/// Exact: every single is a double.
fn wide(value: &Value) -> f64 {
    match float(value) {
        Float::Single(value) => f64::from(value),
        Float::Double(value) => value,
    }
}

fn unary_32(op: FloatUnary, a: f32) -> f32 {
    match op {
        FloatUnary::Neg => -a,
        FloatUnary::Abs => a.abs(),
        FloatUnary::Sqrt => a.sqrt(),
        FloatUnary::Floor => a.floor(),
        FloatUnary::Ceil => a.ceil(),
        FloatUnary::Rint => a.round_ties_even(),
    }
}

fn unary_64(op: FloatUnary, a: f64) -> f64 {
    match op {
        FloatUnary::Neg => -a,
        FloatUnary::Abs => a.abs(),
        FloatUnary::Sqrt => a.sqrt(),
        FloatUnary::Floor => a.floor(),
        FloatUnary::Ceil => a.ceil(),
        FloatUnary::Rint => a.round_ties_even(),
    }
}

fn binary<F>(op: FloatBinary, a: F, b: F) -> F
where
    F: std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>
        + std::ops::Rem<Output = F>,
{
    match op {
        FloatBinary::Add => a + b,
        FloatBinary::Sub => a - b,
        FloatBinary::Mul => a * b,
        FloatBinary::Div => a / b,
        FloatBinary::Rem => a % b,
    }
}

fn compare(op: FloatCompare, a: f64, b: f64) -> bool {
    match op {
        FloatCompare::Eq => a == b,
        FloatCompare::Lt => a < b,
        FloatCompare::Le => a <= b,
    }
}

/// Saturates at the width, which may be any.
fn signed_of(width: u8, value: f64) -> Value {
    let most = (mask(width) >> 1).cast_signed();
    let least = signed(width, 1 << (width - 1));
    Value::bits(width, (value as i64).clamp(least, most).cast_unsigned())
}
