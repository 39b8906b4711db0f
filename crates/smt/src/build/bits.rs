//! Bit-vectors.

use crate::node::{BitBinary, BitCompare, BitUnary, Node, Term};
use crate::terms::Terms;
use crate::value::{mask, sign_bit, signed};

impl BitCompare {
    /// `not (a op b)` is `b op.negated() a`.
    pub(crate) fn negated(self) -> BitCompare {
        match self {
            BitCompare::Ult => BitCompare::Ule,
            BitCompare::Ule => BitCompare::Ult,
            BitCompare::Slt => BitCompare::Sle,
            BitCompare::Sle => BitCompare::Slt,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, BitCompare::Slt | BitCompare::Sle)
    }

    pub(crate) fn is_strict(self) -> bool {
        matches!(self, BitCompare::Ult | BitCompare::Slt)
    }
}

impl BitBinary {
    fn is_commutative(self) -> bool {
        matches!(self, BitBinary::Add | BitBinary::Mul | BitBinary::And | BitBinary::Or | BitBinary::Xor)
    }
}

impl Terms {
    /// The bits are cut to the width.
    pub fn bits(&self, width: u8, bits: u64) -> Term {
        assert!((1..=64).contains(&width), "bit-vectors have 1 to 64 bits, not {width}");
        self.raw(Node::Bits { width, bits: bits & mask(width) })
    }

    pub fn i32(&self, value: i32) -> Term {
        self.bits(32, u64::from(value.cast_unsigned()))
    }

    pub fn i64(&self, value: i64) -> Term {
        self.bits(64, value.cast_unsigned())
    }

    pub(crate) fn as_bits(&self, term: Term) -> Option<u64> {
        if let Node::Bits { bits, .. } = self.node(term) { Some(bits) } else { None }
    }

    pub(crate) fn width(&self, term: Term) -> u8 {
        self.sort(term).width().unwrap_or_else(|| panic!("{term:?} is no bit-vector"))
    }

    pub fn bit_not(&self, a: Term) -> Term {
        self.bit_unary(BitUnary::Not, a)
    }

    pub fn neg(&self, a: Term) -> Term {
        self.bit_unary(BitUnary::Neg, a)
    }

    pub fn add(&self, a: Term, b: Term) -> Term {
        self.bit_binary(BitBinary::Add, a, b)
    }

    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.bit_binary(BitBinary::Sub, a, b)
    }

    pub fn mul(&self, a: Term, b: Term) -> Term {
        self.bit_binary(BitBinary::Mul, a, b)
    }

    pub fn ult(&self, a: Term, b: Term) -> Term {
        self.bit_compare(BitCompare::Ult, a, b)
    }

    pub fn ule(&self, a: Term, b: Term) -> Term {
        self.bit_compare(BitCompare::Ule, a, b)
    }

    pub fn slt(&self, a: Term, b: Term) -> Term {
        self.bit_compare(BitCompare::Slt, a, b)
    }

    pub fn sle(&self, a: Term, b: Term) -> Term {
        self.bit_compare(BitCompare::Sle, a, b)
    }

    pub fn bit_unary(&self, op: BitUnary, a: Term) -> Term {
        match self.node(a) {
            Node::BitUnary(inner, b) if inner == op => b,
            _ => self.folded(Node::BitUnary(op, a)),
        }
    }

    pub fn bit_binary(&self, op: BitBinary, a: Term, b: Term) -> Term {
        if let Some(constant) = self.fold(&Node::BitBinary(op, a, b)) {
            return constant;
        }
        let goes_right = |term| self.as_bits(term).is_some();
        let swap = op.is_commutative() && (goes_right(a) || (!goes_right(b) && a > b));
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let simpler = match self.as_bits(b) {
            Some(constant) => self.with_constant(op, a, b, constant),
            None if a == b => self.with_itself(op, a),
            None => None,
        };
        simpler.unwrap_or_else(|| self.raw(Node::BitBinary(op, a, b)))
    }

    fn with_constant(&self, op: BitBinary, a: Term, b: Term, constant: u64) -> Option<Term> {
        let width = self.width(a);
        let all = mask(width);
        match (op, constant) {
            (BitBinary::Sub, _) => Some(self.add(a, self.bits(width, constant.wrapping_neg()))),
            (BitBinary::And | BitBinary::Mul, 0) => Some(b),
            (BitBinary::Or, ones) if ones == all => Some(b),
            (BitBinary::And, ones) if ones == all => Some(a),
            (BitBinary::Xor, ones) if ones == all => Some(self.bit_not(a)),
            (BitBinary::Add | BitBinary::Or | BitBinary::Xor, 0) => Some(a),
            (BitBinary::Shl | BitBinary::LShr | BitBinary::AShr, 0) => Some(a),
            (BitBinary::Mul | BitBinary::UDiv | BitBinary::SDiv, 1) if width > 1 => Some(a),
            (BitBinary::Shl | BitBinary::LShr, by) if by >= u64::from(width) => Some(self.bits(width, 0)),
            _ => self.with_two_constants(op, a, constant),
        }
    }

    /// `(x op c) op d` is `x op (c op d)`, where the operation is associative.
    fn with_two_constants(&self, op: BitBinary, a: Term, constant: u64) -> Option<Term> {
        let Node::BitBinary(inner, x, c) = self.node(a) else { return None };
        let inner_constant = self.as_bits(c).filter(|_| inner == op && op.is_commutative())?;
        let both = match op {
            BitBinary::Add => inner_constant.wrapping_add(constant),
            BitBinary::Mul => inner_constant.wrapping_mul(constant),
            BitBinary::And => inner_constant & constant,
            BitBinary::Or => inner_constant | constant,
            BitBinary::Xor => inner_constant ^ constant,
            _ => return None,
        };
        Some(self.bit_binary(op, x, self.bits(self.width(a), both)))
    }

    fn with_itself(&self, op: BitBinary, a: Term) -> Option<Term> {
        match op {
            BitBinary::Sub | BitBinary::Xor => Some(self.bits(self.width(a), 0)),
            BitBinary::And | BitBinary::Or => Some(a),
            _ => None,
        }
    }

    pub fn bit_compare(&self, op: BitCompare, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(!op.is_strict());
        }
        if let Some(constant) = self.fold(&Node::BitCompare(op, a, b)) {
            return constant;
        }
        let width = self.width(a);
        let (least, most) = if op.is_signed() { (sign_bit(width), sign_bit(width) - 1) } else { (0, mask(width)) };
        match (self.as_bits(a), self.as_bits(b)) {
            (_, Some(limit)) if op.is_strict() && limit == least => return self.falsity(),
            (Some(limit), _) if op.is_strict() && limit == most => return self.falsity(),
            (_, Some(limit)) if !op.is_strict() && limit == most => return self.truth(),
            (Some(limit), _) if !op.is_strict() && limit == least => return self.truth(),
            // At the ends of the range an order is an equality.
            (_, Some(limit)) if !op.is_strict() && limit == least => return self.eq(a, b),
            (Some(limit), _) if !op.is_strict() && limit == most => return self.eq(a, b),
            _ => {}
        }
        let through = |term, compare: &dyn Fn(Term) -> Term| self.through_ite(term, compare);
        let simpler = match (self.as_bits(a), self.as_bits(b)) {
            (Some(_), _) => through(b, &|leaf| self.bit_compare(op, a, leaf)),
            (_, Some(_)) => through(a, &|leaf| self.bit_compare(op, leaf, b)),
            _ => None,
        };
        simpler.or_else(|| self.narrower(op, a, b)).unwrap_or_else(|| self.raw(Node::BitCompare(op, a, b)))
    }

    /// Comparisons of extended operands, said of the operands.
    fn narrower(&self, op: BitCompare, a: Term, b: Term) -> Option<Term> {
        let extended = |term| match self.node(term) {
            Node::Extend { signed, of, .. } if self.width(of) < self.width(term) => Some((signed, of)),
            _ => None,
        };
        match (extended(a), extended(b)) {
            (Some((s, x)), Some((t, y))) if s == t && self.sort(x) == self.sort(y) => {
                // With zeros above, both orders are the unsigned one; with signs above, each stays what it is.
                let op = if s { op } else { op.unsigned() };
                Some(self.bit_compare(op, x, y))
            }
            (Some((s, x)), None) => {
                let constant = self.narrow_constant(b, s, self.width(x))?;
                Some(self.bit_compare(if s { op } else { op.unsigned() }, x, constant))
            }
            (None, Some((s, y))) => {
                let constant = self.narrow_constant(a, s, self.width(y))?;
                Some(self.bit_compare(if s { op } else { op.unsigned() }, constant, y))
            }
            _ => None,
        }
    }

    /// The constant in fewer bits, where extending those gives it back.
    fn narrow_constant(&self, constant: Term, with_sign: bool, width: u8) -> Option<Term> {
        let bits = self.as_bits(constant)?;
        let narrow = bits & mask(width);
        let back = if with_sign { signed(width, narrow).cast_unsigned() & mask(self.width(constant)) } else { narrow };
        (back == bits).then(|| self.bits(width, narrow))
    }

    pub fn extract(&self, high: u8, low: u8, of: Term) -> Term {
        let width = self.width(of);
        if low == 0 && high + 1 == width {
            return of;
        }
        match self.node(of) {
            Node::Extract { low: inner, of, .. } => self.extract(high + inner, low + inner, of),
            Node::Extend { of: x, .. } if high < self.width(x) => self.extract(high, low, x),
            Node::Extend { signed: false, of: x, .. } if low >= self.width(x) => self.bits(high - low + 1, 0),
            Node::Join(_, b) if high < self.width(b) => self.extract(high, low, b),
            Node::Join(a, b) if low >= self.width(b) => {
                let by = self.width(b);
                self.extract(high - by, low - by, a)
            }
            _ => self.folded(Node::Extract { high, low, of }),
        }
    }

    pub fn join(&self, a: Term, b: Term) -> Term {
        if self.as_bits(a) == Some(0) {
            return self.extend(false, self.width(a) + self.width(b), b);
        }
        match (self.node(a), self.node(b)) {
            (Node::Extract { high, low, of }, Node::Extract { high: h, low: l, of: o }) if of == o && low == h + 1 => {
                self.extract(high, l, of)
            }
            _ => self.folded(Node::Join(a, b)),
        }
    }

    pub fn extend(&self, signed: bool, width: u8, of: Term) -> Term {
        if self.width(of) == width {
            return of;
        }
        match self.node(of) {
            // What was extended with zeros has the sign 0.
            Node::Extend { signed: false, of, .. } => self.extend(false, width, of),
            Node::Extend { signed: true, of, .. } if signed => self.extend(true, width, of),
            _ => self.folded(Node::Extend { signed, width, of }),
        }
    }

    /// `a` has these bits, said of something smaller.
    pub(super) fn eq_bits(&self, a: Term, width: u8, bits: u64) -> Option<Term> {
        match self.node(a) {
            Node::BitBinary(BitBinary::Add, x, c) => {
                let c = self.as_bits(c)?;
                Some(self.eq(x, self.bits(width, bits.wrapping_sub(c))))
            }
            Node::BitBinary(BitBinary::Xor, x, c) => {
                let c = self.as_bits(c)?;
                Some(self.eq(x, self.bits(width, bits ^ c)))
            }
            Node::BitBinary(BitBinary::Sub, x, y) if bits == 0 => Some(self.eq(x, y)),
            Node::BitUnary(BitUnary::Neg, x) => Some(self.eq(x, self.bits(width, bits.wrapping_neg()))),
            Node::BitUnary(BitUnary::Not, x) => Some(self.eq(x, self.bits(width, !bits))),
            Node::Extend { signed, of, .. } => {
                let constant = self.bits(width, bits);
                Some(match self.narrow_constant(constant, signed, self.width(of)) {
                    Some(narrow) => self.eq(of, narrow),
                    None => self.falsity(),
                })
            }
            Node::Join(x, y) => {
                let lower = self.width(y);
                let x = self.eq(x, self.bits(width - lower, bits >> lower));
                Some(self.and([x, self.eq(y, self.bits(lower, bits))]))
            }
            _ => None,
        }
    }
}

impl BitCompare {
    fn unsigned(self) -> BitCompare {
        match self {
            BitCompare::Slt => BitCompare::Ult,
            BitCompare::Sle => BitCompare::Ule,
            other => other,
        }
    }
}
