//! Predicates over the values at a program point: the one language in which `target`, fitness, solvers and reports say
//! what must hold for a crash to happen.
//!
//! A [`Condition`] is meaningful only together with the place it is evaluated at, so the two travel as [`Anchored`].
//! Three back ends read it: [`text`] (source terms, for people), the probe plan of the workers (how far from true was
//! this candidate?) and, for the symbolic engines, a solver term. Bytecode semantics is written down once, where
//! conditions are derived; this crate only states them.

use program::{ClassName, CodePoint, FieldRef, MethodRef, Type};

pub mod text;

/// A condition and the place where it is evaluated: just before the instruction `at` executes.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchored {
    pub at: CodePoint,
    pub when: Condition,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Reaching the place is enough.
    True,
    /// Proven impossible at this place.
    False,
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    IsNull(Expr),
    Compare {
        op: CompareOp,
        left: Expr,
        right: Expr,
    },
    /// Both references are to the same object.
    Same(Expr, Expr),
    /// Not null and of this type.
    InstanceOf(Expr, Type),
    /// `value` can be stored into `array`: the array's dynamic component type admits it. Null always can.
    Storable {
        array: Expr,
        value: Expr,
    },
    /// A predicate on strings, collections or characters that search can measure in degrees.
    Predicate(Predicate, Vec<Expr>),
    /// Nothing is known about when `callee`, called at the anchor, throws `exception`; only that it must.
    CallThrows {
        callee: MethodRef,
        exception: ClassName,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl CompareOp {
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

/// Library predicates whose distance from true can be graded. Arguments in call order, receiver first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    StringEquals,
    StringEqualsIgnoreCase,
    StringStartsWith,
    StringEndsWith,
    StringContains,
    ContainsKey,
    ContainsElement,
}

/// A value at the anchor.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Const(Const),
    /// `this` of the anchor's method, as it was at entry.
    This,
    /// Parameter `index` (0-based, `this` not counted) as it was at entry.
    Param(u16),
    /// The local variable slot as it is at the anchor.
    Local(u16),
    /// The operand stack as it is at the anchor; 0 is the top.
    Operand(u8),
    Field(Box<Expr>, FieldRef),
    Static(FieldRef),
    Element(Box<Expr>, Box<Expr>),
    Length(Box<Expr>),
    /// What the call at this place returned, with the arguments it was given (receiver first).
    CallResult {
        at: CodePoint,
        callee: MethodRef,
        args: Vec<Expr>,
    },
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// Conversion between primitive types, or a checked cast.
    Convert(Box<Expr>, Type),
    /// The object created by the `new` or array creation at this place.
    Created(CodePoint, Type),
    /// The exception that a handler caught.
    Caught(Type),
    /// A value that could not be followed further back.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(String),
    Class(Type),
}

impl Condition {
    pub fn is_null(value: Expr) -> Self {
        Condition::IsNull(value)
    }

    pub fn compare(left: Expr, op: CompareOp, right: Expr) -> Self {
        Condition::Compare { op, left, right }
    }

    /// The opposite, with comparisons and connectives turned round rather than wrapped.
    pub fn negated(self) -> Self {
        match self {
            Condition::True => Condition::False,
            Condition::False => Condition::True,
            Condition::Not(inner) => *inner,
            Condition::All(parts) => Condition::Any(parts.into_iter().map(Condition::negated).collect()),
            Condition::Any(parts) => Condition::All(parts.into_iter().map(Condition::negated).collect()),
            // A comparison of floats is false both ways on NaN, so only `Eq` and `Ne` turn round without knowing the type.
            Condition::Compare { op: op @ (CompareOp::Eq | CompareOp::Ne), left, right } => {
                Condition::Compare { op: op.negated(), left, right }
            }
            other => Condition::Not(Box::new(other)),
        }
    }
}
