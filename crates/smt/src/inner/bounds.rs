//! Intervals of bit-vectors, unsigned and signed at once, and what operations make of them.

use crate::node::{BitBinary, BitUnary, Node, Term};
use crate::terms::Terms;
use crate::value::{mask, sign_bit, signed};

/// What a bit-vector may be: in both intervals, which include their ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) width: u8,
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Bounds {
    pub(super) fn all(width: u8) -> Bounds {
        let least = signed(width, sign_bit(width));
        Bounds { width, low: 0, high: mask(width), least, most: -(least + 1) }
    }

    pub(super) fn constant(width: u8, bits: u64) -> Bounds {
        let value = signed(width, bits);
        Bounds { width, low: bits, high: bits, least: value, most: value }
    }

    fn unsigned(width: u8, low: u64, high: u64) -> Bounds {
        Bounds { low, high, ..Bounds::all(width) }.tightened()
    }

    fn signed(width: u8, least: i64, most: i64) -> Bounds {
        Bounds { least, most, ..Bounds::all(width) }.tightened()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.low > self.high || self.least > self.most
    }

    pub(super) fn single(&self) -> Option<u64> {
        if self.low == self.high {
            Some(self.low)
        } else if self.least == self.most {
            Some(self.least.cast_unsigned() & mask(self.width))
        } else {
            None
        }
    }

    pub(super) fn contains(&self, bits: u64) -> bool {
        let value = signed(self.width, bits);
        (self.low..=self.high).contains(&bits) && (self.least..=self.most).contains(&value)
    }

    pub(super) fn intersect(&self, other: &Bounds) -> Bounds {
        Bounds {
            width: self.width,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        }
        .tightened()
    }

    pub(super) fn hull(&self, other: &Bounds) -> Bounds {
        Bounds {
            width: self.width,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Where one interval lies on one side of the sign, it says what the other is.
    pub(super) fn tightened(mut self) -> Bounds {
        if self.is_empty() {
            return self;
        }
        let half = sign_bit(self.width);
        let bits = |value: i64| value.cast_unsigned() & mask(self.width);
        if self.high < half || self.low >= half {
            self.least = self.least.max(signed(self.width, self.low));
            self.most = self.most.min(signed(self.width, self.high));
        }
        if self.least >= 0 || self.most < 0 {
            self.low = self.low.max(bits(self.least));
            self.high = self.high.min(bits(self.most));
        }
        self
    }

    /// Without one value, where it is at an end.
    pub(super) fn without(mut self, bits: u64) -> Bounds {
        let value = signed(self.width, bits);
        if self.single() == Some(bits) {
            self.low = 1;
            self.high = 0;
            return self;
        }
        if self.low == bits {
            self.low += 1;
        } else if self.high == bits {
            self.high -= 1;
        }
        if self.least == value {
            self.least += 1;
        } else if self.most == value {
            self.most -= 1;
        }
        self.tightened()
    }

    /// At most (or below) the other's greatest, in one of the orders.
    pub(super) fn below(mut self, other: &Bounds, is_signed: bool, is_strict: bool) -> Bounds {
        let step = i128::from(is_strict);
        if is_signed {
            match i64::try_from(i128::from(other.most) - step) {
                Ok(most) => self.most = self.most.min(most),
                Err(_) => self.most = i64::MIN,
            }
            if is_strict && other.most == Bounds::all(self.width).least {
                self.low = 1;
                self.high = 0;
            }
        } else {
            match u64::try_from(i128::from(other.high) - step) {
                Ok(high) => self.high = self.high.min(high),
                Err(_) => {
                    self.low = 1;
                    self.high = 0;
                }
            }
        }
        self.tightened()
    }

    pub(super) fn above(mut self, other: &Bounds, is_signed: bool, is_strict: bool) -> Bounds {
        let step = i128::from(is_strict);
        if is_signed {
            let least = i128::from(other.least) + step;
            if least > i128::from(self.most) {
                self.low = 1;
                self.high = 0;
            } else {
                self.least = self.least.max(i64::try_from(least).unwrap_or(i64::MAX));
            }
        } else {
            let low = i128::from(other.low) + step;
            if low > i128::from(self.high) {
                self.low = 1;
                self.high = 0;
            } else {
                self.low = self.low.max(u64::try_from(low).unwrap_or(u64::MAX));
            }
        }
        self.tightened()
    }
}

/// What an operation can be, given what its operands can be.
pub(super) fn forward(terms: &Terms, term: Term, of: &dyn Fn(Term) -> Bounds) -> Bounds {
    let width = terms.width(term);
    match terms.node(term) {
        Node::Bits { width, bits } => Bounds::constant(width, bits),
        Node::Extend { signed: false, of: a, .. } => Bounds::unsigned(width, of(a).low, of(a).high),
        Node::Extend { signed: true, of: a, .. } => Bounds::signed(width, of(a).least, of(a).most),
        Node::Ite(_, a, b) => of(a).hull(&of(b)),
        Node::BitBinary(op, a, b) => binary(op, width, &of(a), &of(b)),
        Node::BitUnary(BitUnary::Neg, a) if of(a).least > Bounds::all(width).least => {
            Bounds::signed(width, -of(a).most, -of(a).least)
        }
        Node::BitUnary(BitUnary::Not, a) => Bounds::signed(width, !of(a).most, !of(a).least),
        Node::Extract { low: 0, of: a, .. } if of(a).high <= mask(width) => {
            Bounds::unsigned(width, of(a).low, of(a).high)
        }
        Node::Extract { low: 0, of: a, .. } => {
            let (all, a) = (Bounds::all(width), of(a));
            if a.least >= all.least && a.most <= all.most { Bounds::signed(width, a.least, a.most) } else { all }
        }
        Node::Length(_) => Bounds::signed(width, 0, i64::from(i32::MAX)),
        Node::IndexOf(..) => Bounds::signed(width, -1, i64::from(i32::MAX)),
        _ => Bounds::all(width),
    }
}

fn binary(op: BitBinary, width: u8, a: &Bounds, b: &Bounds) -> Bounds {
    let all = Bounds::all(width);
    let limit = i128::from(mask(width));
    let signed_range = |least: i128, most: i128| {
        if least >= i128::from(all.least) && most <= i128::from(all.most) {
            // Both are within 64 bits.
            Bounds::signed(width, least as i64, most as i64)
        } else {
            all
        }
    };
    let unsigned_range = |low: i128, high: i128| {
        if low >= 0 && high <= limit { Bounds::unsigned(width, low as u64, high as u64) } else { all }
    };
    let (al, ah, bl, bh) = (i128::from(a.low), i128::from(a.high), i128::from(b.low), i128::from(b.high));
    let (asl, ash, bsl, bsh) = (i128::from(a.least), i128::from(a.most), i128::from(b.least), i128::from(b.most));
    match op {
        BitBinary::Add => signed_range(asl + bsl, ash + bsh).intersect(&unsigned_range(al + bl, ah + bh)),
        BitBinary::Sub => signed_range(asl - bsh, ash - bsl).intersect(&unsigned_range(al - bh, ah - bl)),
        BitBinary::Mul => {
            let ends = [asl * bsl, asl * bsh, ash * bsl, ash * bsh];
            let (least, most) = (ends.iter().min().copied(), ends.iter().max().copied());
            signed_range(least.unwrap_or(i128::MIN), most.unwrap_or(i128::MAX))
        }
        BitBinary::And => Bounds::unsigned(width, 0, a.high.min(b.high)),
        BitBinary::URem if b.low > 0 => Bounds::unsigned(width, 0, a.high.min(b.high - 1)),
        BitBinary::UDiv if b.low > 0 => Bounds::unsigned(width, a.low / b.high, a.high / b.low),
        // The sign is the dividend's, the size below the divisor's.
        BitBinary::SRem if b.least > 0 => {
            let size = b.most - 1;
            let least = if a.least < 0 { a.least.max(-size) } else { 0 };
            Bounds::signed(width, least, if a.most > 0 { a.most.min(size) } else { 0 })
        }
        BitBinary::LShr => match b.single() {
            Some(by) if by < u64::from(width) => Bounds::unsigned(width, a.low >> by, a.high >> by),
            _ => Bounds::unsigned(width, 0, a.high),
        },
        BitBinary::AShr => match b.single() {
            Some(by) => Bounds::signed(width, a.least >> by.min(63), a.most >> by.min(63)),
            None => all,
        },
        _ => all,
    }
}

/// What an operand must be for the operation to be within bounds, where that is simple.
pub(super) fn backward(terms: &Terms, term: Term, now: &Bounds, of: &dyn Fn(Term) -> Bounds) -> Option<(Term, Bounds)> {
    match terms.node(term) {
        Node::Extend { signed: false, of: a, .. } => {
            let most = mask(terms.width(a));
            // Forward bounds have cut what is above already.
            if now.low > most { None } else { Some((a, Bounds::unsigned(terms.width(a), now.low, now.high.min(most)))) }
        }
        Node::Extend { signed: true, of: a, .. } => {
            let all = Bounds::all(terms.width(a));
            if now.least > all.most || now.most < all.least {
                return None;
            }
            Some((a, Bounds::signed(all.width, now.least.max(all.least), now.most.min(all.most))))
        }
        Node::BitBinary(BitBinary::Add, a, c) => {
            let c = terms.as_bits(c)?;
            let (a_now, all) = (of(a), Bounds::all(now.width));
            let c = i128::from(signed(now.width, c));
            // Only where no value of the operand goes round.
            let fits = |value: i64| (i128::from(all.least)..=i128::from(all.most)).contains(&(i128::from(value) + c));
            if !fits(a_now.least) || !fits(a_now.most) {
                return None;
            }
            let shifted =
                |value: i64| (i128::from(value) - c).clamp(i128::from(all.least), i128::from(all.most)) as i64;
            Some((a, Bounds::signed(now.width, shifted(now.least), shifted(now.most))))
        }
        _ => None,
    }
}
