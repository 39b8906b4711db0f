//! Floats. Little is simplified: `x + 0.0` is not `x` where `x` is `-0.0`.

use crate::node::{FloatBinary, FloatCompare, FloatUnary, Node, Term};
use crate::sort::{FloatSort, Sort};
use crate::terms::Terms;
use crate::value::Value;

impl Terms {
    pub fn f32(&self, value: f32) -> Term {
        self.value(&Value::f32(value))
    }

    pub fn f64(&self, value: f64) -> Term {
        self.value(&Value::f64(value))
    }

    pub fn float_unary(&self, op: FloatUnary, a: Term) -> Term {
        match (op, self.node(a)) {
            (FloatUnary::Neg, Node::FloatUnary(FloatUnary::Neg, inner)) => inner,
            (FloatUnary::Abs, Node::FloatUnary(FloatUnary::Neg | FloatUnary::Abs, inner)) => {
                self.float_unary(FloatUnary::Abs, inner)
            }
            _ => self.folded(Node::FloatUnary(op, a)),
        }
    }

    pub fn float_binary(&self, op: FloatBinary, a: Term, b: Term) -> Term {
        let swap = matches!(op, FloatBinary::Add | FloatBinary::Mul) && a > b;
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.folded(Node::FloatBinary(op, a, b))
    }

    pub fn float_compare(&self, op: FloatCompare, a: Term, b: Term) -> Term {
        if a == b {
            return match op {
                FloatCompare::Lt => self.falsity(),
                FloatCompare::Eq | FloatCompare::Le => self.not(self.is_nan(a)),
            };
        }
        if self.is_nan(a) == self.truth() || self.is_nan(b) == self.truth() {
            return self.falsity();
        }
        let (a, b) = if op == FloatCompare::Eq && a > b { (b, a) } else { (a, b) };
        self.folded(Node::FloatCompare(op, a, b))
    }

    pub fn is_nan(&self, a: Term) -> Term {
        match self.node(a) {
            Node::FloatOfSigned { .. } => self.falsity(),
            Node::FloatOfFloat { of, .. } => self.is_nan(of),
            Node::FloatUnary(op, of) if op != FloatUnary::Sqrt => self.is_nan(of),
            _ => self.folded(Node::IsNan(a)),
        }
    }

    pub fn float_of_signed(&self, to: FloatSort, of: Term) -> Term {
        self.folded(Node::FloatOfSigned { to, of })
    }

    pub fn signed_of_float(&self, width: u8, of: Term) -> Term {
        if let Node::FloatOfSigned { to, of: number } = self.node(of) {
            // Every number of so many bits is a float of this format.
            let exact = if to == FloatSort::F32 { 24 } else { 53 };
            if self.width(number) <= exact && self.width(number) <= width {
                return self.extend(true, width, number);
            }
        }
        self.folded(Node::SignedOfFloat { width, of })
    }

    pub fn float_of_float(&self, to: FloatSort, of: Term) -> Term {
        if self.sort(of) == Sort::from(to) {
            return of;
        }
        match self.node(of) {
            // Widening loses nothing.
            Node::FloatOfFloat { of: inner, .. } if to == FloatSort::F32 && self.sort(inner) == Sort::F32 => inner,
            _ => self.folded(Node::FloatOfFloat { to, of }),
        }
    }

    pub fn float_of_bits(&self, a: Term) -> Term {
        match self.node(a) {
            Node::BitsOfFloat(inner) => inner,
            _ => self.folded(Node::FloatOfBits(a)),
        }
    }

    pub fn bits_of_float(&self, a: Term) -> Term {
        self.folded(Node::BitsOfFloat(a))
    }
}
