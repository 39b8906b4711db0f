//! Terms as data: what a handle stands for. `docs` of each variant give the meaning where SMT-LIB or Java leaves a choice;
//! all operations are total.

use crate::sort::{ArraySort, FloatSort};
use crate::value::Reference;
use std::sync::Arc;

/// A handle to a term of one [`Terms`](crate::Terms). Equal terms have equal handles. Children have smaller numbers than
/// what they are in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

/// A variable of one [`Terms`](crate::Terms).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub(crate) u32);

/// A set of classes, interned.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassSetId(pub(crate) u32);

/// Where in an array: one key or two.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Index(pub Term, pub Option<Term>);

impl From<Term> for Index {
    fn from(key: Term) -> Index {
        Index(key, None)
    }
}

impl From<(Term, Term)> for Index {
    fn from((first, second): (Term, Term)) -> Index {
        Index(first, Some(second))
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BitUnary {
    Not,
    Neg,
}

/// As in SMT-LIB: division by zero gives all ones (unsigned) or -1 and 1 (signed), its remainder the dividend; shifts by
/// the width and more give 0 or copies of the sign. Java's masks and exceptions are for whoever translates Java.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BitBinary {
    Add,
    Sub,
    Mul,
    SDiv,
    SRem,
    UDiv,
    URem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BitCompare {
    Ult,
    Ule,
    Slt,
    Sle,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    /// To the nearest whole number, ties to even: `Math.rint`.
    Rint,
}

/// Rounded to nearest even. `Rem` is Java's `%`, which truncates; not the remainder of IEEE 754.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Of IEEE 754: false on NaN, and zeros are equal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatCompare {
    Eq,
    Lt,
    Le,
}

/// A term: an operation and its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Bool(bool),
    Bits {
        width: u8,
        bits: u64,
    },
    F32(u32),
    F64(u64),
    Reference(Reference),
    Str(Arc<[u16]>),
    Var(Var),

    Not(Term),
    And(Arc<[Term]>),
    Or(Arc<[Term]>),
    /// Identity, of any sort: NaN is NaN, `0.0` is not `-0.0`, arrays are functions.
    Eq(Term, Term),
    Ite(Term, Term, Term),

    BitUnary(BitUnary, Term),
    BitBinary(BitBinary, Term, Term),
    BitCompare(BitCompare, Term, Term),
    Extract {
        high: u8,
        low: u8,
        of: Term,
    },
    /// The first operand is the upper part.
    Join(Term, Term),
    Extend {
        signed: bool,
        width: u8,
        of: Term,
    },

    FloatUnary(FloatUnary, Term),
    FloatBinary(FloatBinary, Term, Term),
    FloatCompare(FloatCompare, Term, Term),
    IsNan(Term),
    /// The nearest float of a signed number: `i2f`, `l2d`, ...
    FloatOfSigned {
        to: FloatSort,
        of: Term,
    },
    /// As Java's `f2i` and `d2l`: towards zero, NaN is 0, what does not fit is the nearest that does.
    SignedOfFloat {
        width: u8,
        of: Term,
    },
    FloatOfFloat {
        to: FloatSort,
        of: Term,
    },
    FloatOfBits(Term),
    /// As Java's `floatToIntBits`, with one NaN.
    BitsOfFloat(Term),

    /// Allocated by the code under study, not there at its entry.
    IsAllocated(Term),
    /// Not null, and its class is in the set: `instanceof`.
    ClassIn(Term, ClassSetId),

    Select(Term, Index),
    Store(Term, Index, Term),
    Filled(ArraySort, Term),

    /// 32 bits.
    Length(Term),
    /// 16 bits; 0 outside of the string.
    UnitAt(Term, Term),
    /// The string of one unit.
    Unit(Term),
    Concat(Term, Term),
    /// From, to: as Java's, where it throws the empty string.
    Substring(Term, Term, Term),
    /// Of a string in a string, from an index on: as Java's, for every index.
    IndexOf(Term, Term, Term),
    StartsWith(Term, Term),
    EndsWith(Term, Term),
    /// The first contains the second.
    Contains(Term, Term),
    /// `Integer.toString`, `Long.toString`, by the width.
    Decimal(Term),
    /// `Integer.parseInt` (32) or `Long.parseLong` (64) takes it.
    IsDecimal {
        width: u8,
        of: Term,
    },
    /// What these return; 0 where they throw.
    OfDecimal {
        width: u8,
        of: Term,
    },
}

impl Node {
    /// Calls `visit` with each operand, from left to right.
    pub fn children(&self, mut visit: impl FnMut(Term)) {
        if let Node::And(all) | Node::Or(all) = self {
            return all.iter().for_each(|child| visit(*child));
        }
        // The mapping is total over variants; a second match would have to be kept in step with it.
        let _ = self.map_children(|child| {
            visit(child);
            child
        });
    }

    /// The same operation on other operands.
    #[must_use]
    pub fn map_children(&self, mut f: impl FnMut(Term) -> Term) -> Node {
        use Node::*;
        match self {
            Bool(_) | Bits { .. } | F32(_) | F64(_) | Reference(_) | Str(_) | Var(_) => self.clone(),
            Not(a) => Not(f(*a)),
            And(all) => And(all.iter().map(|a| f(*a)).collect()),
            Or(all) => Or(all.iter().map(|a| f(*a)).collect()),
            Eq(a, b) => Eq(f(*a), f(*b)),
            Ite(c, a, b) => Ite(f(*c), f(*a), f(*b)),
            BitUnary(op, a) => BitUnary(*op, f(*a)),
            BitBinary(op, a, b) => BitBinary(*op, f(*a), f(*b)),
            BitCompare(op, a, b) => BitCompare(*op, f(*a), f(*b)),
            Extract { high, low, of } => Extract { high: *high, low: *low, of: f(*of) },
            Join(a, b) => Join(f(*a), f(*b)),
            Extend { signed, width, of } => Extend { signed: *signed, width: *width, of: f(*of) },
            FloatUnary(op, a) => FloatUnary(*op, f(*a)),
            FloatBinary(op, a, b) => FloatBinary(*op, f(*a), f(*b)),
            FloatCompare(op, a, b) => FloatCompare(*op, f(*a), f(*b)),
            IsNan(a) => IsNan(f(*a)),
            FloatOfSigned { to, of } => FloatOfSigned { to: *to, of: f(*of) },
            SignedOfFloat { width, of } => SignedOfFloat { width: *width, of: f(*of) },
            FloatOfFloat { to, of } => FloatOfFloat { to: *to, of: f(*of) },
            FloatOfBits(a) => FloatOfBits(f(*a)),
            BitsOfFloat(a) => BitsOfFloat(f(*a)),
            IsAllocated(a) => IsAllocated(f(*a)),
            ClassIn(a, set) => ClassIn(f(*a), *set),
            Select(a, i) => Select(f(*a), map_index(*i, &mut f)),
            Store(a, i, v) => Store(f(*a), map_index(*i, &mut f), f(*v)),
            Filled(sort, v) => Filled(*sort, f(*v)),
            Length(a) => Length(f(*a)),
            UnitAt(a, i) => UnitAt(f(*a), f(*i)),
            Unit(a) => Unit(f(*a)),
            Concat(a, b) => Concat(f(*a), f(*b)),
            Substring(a, from, to) => Substring(f(*a), f(*from), f(*to)),
            IndexOf(a, b, from) => IndexOf(f(*a), f(*b), f(*from)),
            StartsWith(a, b) => StartsWith(f(*a), f(*b)),
            EndsWith(a, b) => EndsWith(f(*a), f(*b)),
            Contains(a, b) => Contains(f(*a), f(*b)),
            Decimal(a) => Decimal(f(*a)),
            IsDecimal { width, of } => IsDecimal { width: *width, of: f(*of) },
            OfDecimal { width, of } => OfDecimal { width: *width, of: f(*of) },
        }
    }
}

fn map_index(index: Index, f: &mut impl FnMut(Term) -> Term) -> Index {
    Index(f(index.0), index.1.map(f))
}
