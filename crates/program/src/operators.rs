//! The operators of bytecode. Instructions, the IR and conditions all mean the same by them.

use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Ushr,
}

impl BinaryOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Ushr => ">>>",
        }
    }

    /// The result for two `int`s; none for a division by zero.
    pub fn of_ints(self, left: i32, right: i32) -> Option<i32> {
        match self {
            // The JVM looks at the lowest five bits of the distance, as these functions do.
            BinaryOp::Shl => Some(left.wrapping_shl(right.cast_unsigned())),
            BinaryOp::Shr => Some(left.wrapping_shr(right.cast_unsigned())),
            BinaryOp::Ushr => Some(left.cast_unsigned().wrapping_shr(right.cast_unsigned()).cast_signed()),
            // In 64 bits nothing overflows, and the lower 32 of them are what the JVM keeps.
            _ => self.of_longs(left.into(), right.into()).map(|long| long as i32),
        }
    }

    /// The result for two `long`s, but for shifts, whose distance is an `int`; none for a division by zero.
    pub fn of_longs(self, left: i64, right: i64) -> Option<i64> {
        Some(match self {
            BinaryOp::Add => left.wrapping_add(right),
            BinaryOp::Sub => left.wrapping_sub(right),
            BinaryOp::Mul => left.wrapping_mul(right),
            BinaryOp::Div | BinaryOp::Rem if right == 0 => return None,
            BinaryOp::Div => left.wrapping_div(right),
            BinaryOp::Rem => left.wrapping_rem(right),
            BinaryOp::And => left & right,
            BinaryOp::Or => left | right,
            BinaryOp::Xor => left ^ right,
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr => return None,
        })
    }

    /// The result for two `float`s; none where there is no such instruction.
    pub fn of_floats(self, left: f32, right: f32) -> Option<f32> {
        Some(match self {
            BinaryOp::Add => left + right,
            BinaryOp::Sub => left - right,
            BinaryOp::Mul => left * right,
            BinaryOp::Div => left / right,
            BinaryOp::Rem => left % right,
            _ => return None,
        })
    }

    /// The same for `double`s.
    pub fn of_doubles(self, left: f64, right: f64) -> Option<f64> {
        Some(match self {
            BinaryOp::Add => left + right,
            BinaryOp::Sub => left - right,
            BinaryOp::Mul => left * right,
            BinaryOp::Div => left / right,
            BinaryOp::Rem => left % right,
            _ => return None,
        })
    }
}

impl Display for BinaryOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl CompareOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }

    /// Whether it holds for operands in this order.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            CompareOp::Eq => order.is_eq(),
            CompareOp::Ne => order.is_ne(),
            CompareOp::Lt => order.is_lt(),
            CompareOp::Le => order.is_le(),
            CompareOp::Gt => order.is_gt(),
            CompareOp::Ge => order.is_ge(),
        }
    }

    /// The one comparison that holds when both do, if there is one; also with NaN.
    pub fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (CompareOp::Le, CompareOp::Ne) | (CompareOp::Ne, CompareOp::Le) => Some(CompareOp::Lt),
            (CompareOp::Ge, CompareOp::Ne) | (CompareOp::Ne, CompareOp::Ge) => Some(CompareOp::Gt),
            (CompareOp::Le, CompareOp::Ge) | (CompareOp::Ge, CompareOp::Le) => Some(CompareOp::Eq),
            (CompareOp::Lt, CompareOp::Le | CompareOp::Ne) | (CompareOp::Le | CompareOp::Ne, CompareOp::Lt) => {
                Some(CompareOp::Lt)
            }
            (CompareOp::Gt, CompareOp::Ge | CompareOp::Ne) | (CompareOp::Ge | CompareOp::Ne, CompareOp::Gt) => {
                Some(CompareOp::Gt)
            }
            _ => None,
        }
    }

    /// The one comparison that holds when at least one does, if there is one; also with NaN.
    pub fn or(self, other: Self) -> Option<Self> {
        match (self, other) {
            (CompareOp::Lt | CompareOp::Le, CompareOp::Eq | CompareOp::Le)
            | (CompareOp::Eq | CompareOp::Le, CompareOp::Lt) => Some(CompareOp::Le),
            (CompareOp::Gt | CompareOp::Ge, CompareOp::Eq | CompareOp::Ge)
            | (CompareOp::Eq | CompareOp::Ge, CompareOp::Gt) => Some(CompareOp::Ge),
            _ => None,
        }
    }

    /// The comparison with its operands exchanged.
    pub fn mirrored(self) -> Self {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Ge => CompareOp::Le,
            symmetric => symmetric,
        }
    }

    pub fn negated(self) -> Self {
        match self {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Ge => CompareOp::Lt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Le => CompareOp::Gt,
        }
    }
}

impl Display for CompareOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_are_computed_as_the_jvm_does() {
        for (left, op, right, result) in [
            (i32::MAX, BinaryOp::Add, 1, Some(i32::MIN)),
            (i32::MIN, BinaryOp::Sub, 1, Some(i32::MAX)),
            (65_536, BinaryOp::Mul, 65_536, Some(0)),
            (i32::MIN, BinaryOp::Div, -1, Some(i32::MIN)),
            (i32::MIN, BinaryOp::Rem, -1, Some(0)),
            (-7, BinaryOp::Rem, 2, Some(-1)),
            (7, BinaryOp::Div, 0, None),
            (0, BinaryOp::And, -512, Some(0)),
            (-1, BinaryOp::Xor, 1, Some(-2)),
            (1, BinaryOp::Shl, 33, Some(2)),
            (-8, BinaryOp::Shr, 1, Some(-4)),
            (-1, BinaryOp::Ushr, 28, Some(15)),
        ] {
            assert_eq!(op.of_ints(left, right), result, "{left} {op} {right}");
        }
    }
}
