//! Bit-vector operations on values, as SMT-LIB defines them.

use crate::node::{BitBinary, BitCompare, BitUnary, Node, Term};
use crate::value::{Value, mask, signed};

pub(super) fn apply<'v>(node: &Node, of: impl Fn(Term) -> &'v Value) -> Value {
    let operand = |term: Term| match of(term) {
        Value::Bv { width, bits } => (*width, *bits),
        other => unreachable!("sorts are checked where terms are made: {other:?} is no bit-vector"),
    };
    match node {
        Node::BitUnary(op, a) => {
            let (width, bits) = operand(*a);
            match op {
                BitUnary::Not => Value::bits(width, !bits),
                BitUnary::Neg => Value::bits(width, bits.wrapping_neg()),
            }
        }
        Node::BitBinary(op, a, b) => {
            let ((width, a), (_, b)) = (operand(*a), operand(*b));
            Value::bits(width, binary(*op, width, a, b))
        }
        Node::BitCompare(op, a, b) => {
            let ((width, a), (_, b)) = (operand(*a), operand(*b));
            Value::Bool(compare(*op, width, a, b))
        }
        Node::Extract { high, low, of } => Value::bits(high - low + 1, operand(*of).1 >> low),
        Node::Join(a, b) => {
            let ((upper, a), (lower, b)) = (operand(*a), operand(*b));
            // Both have at least one bit: the shift is below 64.
            Value::bits(upper + lower, a << lower | b)
        }
        Node::Extend { signed: with_sign, width: to, of } => {
            let (width, bits) = operand(*of);
            Value::bits(*to, if *with_sign { signed(width, bits).cast_unsigned() } else { bits })
        }
        other => unreachable!("no operation on bits: {other:?}"),
    }
}

fn binary(op: BitBinary, width: u8, a: u64, b: u64) -> u64 {
    let signed = |bits| signed(width, bits);
    match op {
        BitBinary::Add => a.wrapping_add(b),
        BitBinary::Sub => a.wrapping_sub(b),
        BitBinary::Mul => a.wrapping_mul(b),
        BitBinary::SDiv if b == 0 => {
            if signed(a) < 0 {
                1
            } else {
                u64::MAX
            }
        }
        BitBinary::SDiv => signed(a).wrapping_div(signed(b)).cast_unsigned(),
        BitBinary::UDiv if b == 0 => u64::MAX,
        BitBinary::UDiv => a / b,
        BitBinary::SRem | BitBinary::URem if b == 0 => a,
        BitBinary::SRem => signed(a).wrapping_rem(signed(b)).cast_unsigned(),
        BitBinary::URem => a % b,
        BitBinary::And => a & b,
        BitBinary::Or => a | b,
        BitBinary::Xor => a ^ b,
        BitBinary::Shl => {
            if b < u64::from(width) {
                a << b
            } else {
                0
            }
        }
        BitBinary::LShr => {
            if b < u64::from(width) {
                a >> b
            } else {
                0
            }
        }
        BitBinary::AShr => (signed(a) >> b.min(63)).cast_unsigned(),
    }
}

pub(crate) fn compare(op: BitCompare, width: u8, a: u64, b: u64) -> bool {
    debug_assert!(a <= mask(width) && b <= mask(width), "values are cut to their width");
    match op {
        BitCompare::Ult => a < b,
        BitCompare::Ule => a <= b,
        BitCompare::Slt => signed(width, a) < signed(width, b),
        BitCompare::Sle => signed(width, a) <= signed(width, b),
    }
}
