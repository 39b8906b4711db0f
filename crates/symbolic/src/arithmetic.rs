//! Numbers: operators, comparisons and conversions of bytecode as terms. The chapters on instructions in the JVM specification say what
//! each does; divisions are total here, because a guard of their own stands before them.

use crate::world::World;
use ir::{BinaryOp, CompareOp, ThreeWay};
use program::{ClassName, Type};
use smt::{BitBinary, FloatBinary, FloatCompare, FloatSort, FloatUnary, Sort, Term, Terms};

/// `left op right` of two numbers of one kind. Shifts of a `long` take an `int`.
pub(crate) fn binary(terms: &Terms, op: BinaryOp, left: Term, right: Term) -> Term {
    if terms.sort(left).float().is_some() {
        return terms.float_binary(float_operator(op), left, right);
    }
    let width = terms.sort(left).width().unwrap_or(32);
    let amount = || {
        let wide = if terms.sort(right).width() == Some(width) { right } else { terms.extend(false, width, right) };
        terms.bit_binary(BitBinary::And, wide, terms.bits(width, u64::from(width) - 1))
    };
    let (op, right) = match op {
        BinaryOp::Add => (BitBinary::Add, right),
        BinaryOp::Sub => (BitBinary::Sub, right),
        BinaryOp::Mul => (BitBinary::Mul, right),
        BinaryOp::Div => (BitBinary::SDiv, right),
        BinaryOp::Rem => (BitBinary::SRem, right),
        BinaryOp::And => (BitBinary::And, right),
        BinaryOp::Or => (BitBinary::Or, right),
        BinaryOp::Xor => (BitBinary::Xor, right),
        BinaryOp::Shl => (BitBinary::Shl, amount()),
        BinaryOp::Shr => (BitBinary::AShr, amount()),
        BinaryOp::Ushr => (BitBinary::LShr, amount()),
    };
    terms.bit_binary(op, left, right)
}

fn float_operator(op: BinaryOp) -> FloatBinary {
    match op {
        BinaryOp::Add => FloatBinary::Add,
        BinaryOp::Sub => FloatBinary::Sub,
        BinaryOp::Mul => FloatBinary::Mul,
        BinaryOp::Div => FloatBinary::Div,
        BinaryOp::Rem => FloatBinary::Rem,
        other => unreachable!("bytecode has no `{}` of floats", other.symbol()),
    }
}

pub(crate) fn negate(terms: &Terms, value: Term) -> Term {
    match terms.sort(value) {
        Sort::F32 | Sort::F64 => terms.float_unary(FloatUnary::Neg, value),
        _ => terms.neg(value),
    }
}

/// Compares two ints or two references.
pub(crate) fn compare(world: &World, op: CompareOp, left: Term, right: Term) -> Term {
    let terms = &world.terms;
    let equal = || if terms.sort(left) == Sort::Ref { world.same(left, right) } else { terms.eq(left, right) };
    match op {
        CompareOp::Eq => equal(),
        CompareOp::Ne => terms.not(equal()),
        CompareOp::Lt => terms.slt(left, right),
        CompareOp::Le => terms.sle(left, right),
        CompareOp::Gt => terms.slt(right, left),
        CompareOp::Ge => terms.sle(right, left),
    }
}

pub(crate) fn three_way(terms: &Terms, op: ThreeWay, left: Term, right: Term) -> Term {
    let number = |value: i32| terms.i32(value);
    match op {
        ThreeWay::Long => {
            let above = terms.ite(terms.eq(left, right), number(0), number(1));
            terms.ite(terms.slt(left, right), number(-1), above)
        }
        ThreeWay::Float { nan } | ThreeWay::Double { nan } => {
            let unordered = terms.or([terms.is_nan(left), terms.is_nan(right)]);
            let above = terms.ite(terms.float_compare(FloatCompare::Eq, left, right), number(0), number(1));
            let ordered = terms.ite(terms.float_compare(FloatCompare::Lt, left, right), number(-1), above);
            terms.ite(unordered, number(nan.into()), ordered)
        }
    }
}

/// Conversion to a primitive type; `int` stands for the narrower ones too.
pub(crate) fn convert(terms: &Terms, value: Term, to: Type) -> Term {
    let from = terms.sort(value);
    match to {
        Type::Byte => narrowed(terms, value, 8, true),
        Type::Char => narrowed(terms, value, 16, false),
        Type::Short => narrowed(terms, value, 16, true),
        Type::Int | Type::Long => {
            let width = if to == Type::Int { 32 } else { 64 };
            match from {
                Sort::F32 | Sort::F64 => terms.signed_of_float(width, value),
                Sort::Bv(have) if have > width => terms.extract(width - 1, 0, value),
                _ => terms.extend(true, width, value),
            }
        }
        Type::Float | Type::Double => {
            let to = if to == Type::Float { FloatSort::F32 } else { FloatSort::F64 };
            match from {
                Sort::F32 | Sort::F64 if Sort::from(to) == from => value,
                Sort::F32 | Sort::F64 => terms.float_of_float(to, value),
                _ => terms.float_of_signed(to, value),
            }
        }
        Type::Boolean | Type::Class(_) | Type::Array(_) => value,
    }
}

fn narrowed(terms: &Terms, value: Term, width: u8, signed: bool) -> Term {
    terms.extend(signed, 32, terms.extract(width - 1, 0, value))
}

impl World {
    /// A value of the operand stack as memory of this sort holds it.
    pub(crate) fn as_stored(&self, value: Term, sort: Sort) -> Term {
        match (self.terms.sort(value), sort) {
            (Sort::Bv(have), Sort::Bv(want)) if have > want => self.terms.extract(want - 1, 0, value),
            _ => value,
        }
    }

    /// A value of memory as the operand stack holds it.
    pub(crate) fn as_operand(&self, value: Term, ty: Type) -> Term {
        let signed = !matches!(ty, Type::Char | Type::Boolean);
        match self.terms.sort(value) {
            Sort::Bv(have) if have < 32 => self.terms.extend(signed, 32, value),
            _ => value,
        }
    }

    /// What holds of the value of a parameter or a result because of its declared type.
    pub fn well_typed(&self, value: Term, ty: Type) -> Term {
        let terms = &self.terms;
        let in_width = |width: u8, signed: bool| terms.eq(value, narrowed(terms, value, width, signed));
        match ty {
            Type::Boolean => terms.ule(value, terms.i32(1)),
            Type::Byte => in_width(8, true),
            Type::Char => in_width(16, false),
            Type::Short => in_width(16, true),
            Type::Class(class) => self.is_null_or(value, self.one_of_enum(value, class, ty)),
            Type::Array(_) => self.is_null_or(value, self.is_instance(value, ty)),
            Type::Int | Type::Long | Type::Float | Type::Double => terms.truth(),
        }
    }

    fn is_null_or(&self, value: Term, holds: Term) -> Term {
        self.terms.or([self.is_null(value), holds])
    }

    /// An object of an enum class is one of its constants.
    fn one_of_enum(&self, value: Term, class: ClassName, ty: Type) -> Term {
        const MOST: usize = 40;
        match self.enum_constants(class) {
            Some(constants) if (1..=MOST).contains(&constants.len()) => {
                let is_one = constants.into_iter().map(|(_, constant)| self.same(value, constant));
                self.terms.and([self.is_instance(value, ty), self.terms.or(is_one)])
            }
            _ => self.is_instance(value, ty),
        }
    }
}
