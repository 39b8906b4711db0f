//! Predicates over the values at a program point: the one language in which `target`, fitness, solvers and reports say
//! what must hold for a crash to happen.
//!
//! A [`Condition`] is meaningful only together with the place it is evaluated at, so the two travel as [`Anchored`].
//! Equal expressions in one condition are equal values: what is not known to be the same has another name.
//! Three back ends read it: [`text`] (source terms, for people), [`evaluate`] (does it hold in this state, and how far is
//! it from that? what probes of the workers and tests ask) and, for the symbolic engines, a solver term. Bytecode
//! semantics is written down once, where conditions are derived; this crate states and evaluates them.

pub use program::{BinaryOp, CompareOp, NumberKind};
use program::{ClassName, CodePoint, FieldRef, JavaString, MethodRef, Number, Type};
use std::cmp::Ordering;

pub mod evaluate;
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
    /// As source compares two numbers of this kind: with a NaN, only `!=` holds.
    Compare {
        kind: NumberKind,
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
    Unknown(UnknownId),
}

/// Tells unknown values apart: nothing says that two of them are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownId(pub u32);

#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(JavaString),
    Class(Type),
}

impl Condition {
    /// All of these, flattened: `True` is left out, `False` decides, doubles are said once.
    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Condition::True => {}
                Condition::False => return Condition::False,
                Condition::All(inner) => inner.into_iter().for_each(|part| push_new(&mut flat, part)),
                other => push_new(&mut flat, other),
            }
        }
        if flat.iter().enumerate().any(|(index, part)| flat[index + 1..].iter().any(|other| part.excludes(other))) {
            return Condition::False;
        }
        one_or(merged(flat, CompareOp::and), Condition::True, Condition::All)
    }

    /// At least one of these, flattened in the same way.
    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Condition::False => {}
                Condition::True => return Condition::True,
                Condition::Any(inner) => inner.into_iter().for_each(|part| push_new(&mut flat, part)),
                other => push_new(&mut flat, other),
            }
        }
        // `a || !a && b` is `a || b`.
        let mut short = Vec::new();
        for part in flat.clone() {
            let part = match part {
                Condition::All(mut inner) => {
                    inner.retain(|part| !flat.iter().any(|other| part.is_opposite(other)));
                    Condition::all(inner)
                }
                other => other,
            };
            // Nothing is left of `a || b || !a && !b`.
            if part == Condition::True {
                return part;
            }
            push_new(&mut short, part);
        }
        one_or(merged(short, CompareOp::or), Condition::False, Condition::Any)
    }

    /// Comparison of two numbers of a kind, decided where both are constants, or the same integer.
    pub fn compare(kind: NumberKind, left: Expr, op: CompareOp, right: Expr) -> Self {
        let decided = |holds: bool| if holds { Condition::True } else { Condition::False };
        match (left.as_number(), right.as_number()) {
            (Some(l), Some(r)) if l.kind() == r.kind() => decided(l.compares(op, r)),
            // A length is never negative.
            (None, Some(Number::Int(0))) if matches!(left, Expr::Length(_)) && op == CompareOp::Lt => Condition::False,
            (None, Some(Number::Int(0))) if matches!(left, Expr::Length(_)) && op == CompareOp::Ge => Condition::True,
            (Some(_), None) => Condition::Compare { kind, op: op.mirrored(), left: right, right: left },
            (None, None) if left == right && left.is_fixed() && !kind.has_nan() => decided(op.holds(Ordering::Equal)),
            _ => Condition::Compare { kind, op, left, right },
        }
    }

    pub fn compare_ints(left: Expr, op: CompareOp, right: Expr) -> Self {
        Condition::compare(NumberKind::Int, left, op, right)
    }

    /// Whether one is the negation of the other: exactly one of them holds.
    pub fn is_opposite(&self, other: &Condition) -> bool {
        match (self, other) {
            (Condition::Not(inner), plain) | (plain, Condition::Not(inner)) => **inner == *plain,
            // With a NaN neither of `<` and `>=` holds, but one of `==` and `!=` does.
            (Condition::Compare { kind, op, .. }, Condition::Compare { .. }) => {
                (!kind.has_nan() || matches!(op, CompareOp::Eq | CompareOp::Ne)) && self.excludes(other)
            }
            _ => false,
        }
    }

    /// Whether both cannot hold at once, as far as that is plain to see.
    fn excludes(&self, other: &Condition) -> bool {
        match (self, other) {
            (
                Condition::Compare { kind, op, left, right },
                Condition::Compare { kind: other_kind, op: other_op, left: other_left, right: other_right },
            ) => op.negated() == *other_op && kind == other_kind && left == other_left && right == other_right,
            _ => self.is_opposite(other),
        }
    }

    /// Every expression directly in this condition and its parts.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Condition::True | Condition::False | Condition::CallThrows { .. } => Vec::new(),
            Condition::Not(inner) => inner.exprs(),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(Condition::exprs).collect(),
            Condition::IsNull(value) | Condition::InstanceOf(value, _) => vec![value],
            Condition::Compare { left, right, .. } | Condition::Same(left, right) => vec![left, right],
            Condition::Storable { array, value } => vec![array, value],
            Condition::Predicate(_, args) => args.iter().collect(),
        }
    }

    pub fn is_null(value: Expr) -> Self {
        Condition::IsNull(value)
    }

    /// The opposite, with comparisons and connectives turned round rather than wrapped.
    pub fn negated(self) -> Self {
        match self {
            Condition::True => Condition::False,
            Condition::False => Condition::True,
            Condition::Not(inner) => *inner,
            Condition::All(parts) => Condition::Any(parts.into_iter().map(Condition::negated).collect()),
            Condition::Any(parts) => Condition::All(parts.into_iter().map(Condition::negated).collect()),
            Condition::Compare { kind, op, left, right }
                if !kind.has_nan() || matches!(op, CompareOp::Eq | CompareOp::Ne) =>
            {
                Condition::Compare { kind, op: op.negated(), left, right }
            }
            other => Condition::Not(Box::new(other)),
        }
    }
}

fn push_new(parts: &mut Vec<Condition>, part: Condition) {
    if !parts.contains(&part) {
        parts.push(part);
    }
}

/// Comparisons of the same two values, put together where one says what two do.
fn merged(parts: Vec<Condition>, with: fn(CompareOp, CompareOp) -> Option<CompareOp>) -> Vec<Condition> {
    let mut result: Vec<Condition> = Vec::new();
    'parts: for part in parts {
        if let Condition::Compare { kind, op, left, right } = &part {
            for known in &mut result {
                if let Condition::Compare { kind: known_kind, op: known_op, left: known_left, right: known_right } =
                    known
                    && known_kind == kind
                    && known_left == left
                    && known_right == right
                    && let Some(both) = with(*known_op, *op)
                {
                    *known_op = both;
                    continue 'parts;
                }
            }
        }
        result.push(part);
    }
    result
}

fn one_or(mut parts: Vec<Condition>, none: Condition, many: fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.len() {
        0 => none,
        1 => parts.remove(0),
        _ => many(parts),
    }
}

impl Expr {
    /// `left op right`, computed where both are constants.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let computed = match (left.as_number(), right.as_number()) {
            (Some(l), Some(r)) => Number::binary(op, l, r),
            _ => None,
        };
        computed.map_or_else(|| Expr::Binary(op, Box::new(left), Box::new(right)), Expr::number)
    }

    pub fn int(value: i32) -> Expr {
        Expr::Const(Const::Int(value))
    }

    pub fn number(number: Number) -> Expr {
        Expr::Const(match number {
            Number::Int(value) => Const::Int(value),
            Number::Long(value) => Const::Long(value),
            Number::Float(value) => Const::Float(value),
            Number::Double(value) => Const::Double(value),
        })
    }

    /// The value of a constant number.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Expr::Const(Const::Int(value)) => Some(Number::Int(*value)),
            Expr::Const(Const::Long(value)) => Some(Number::Long(*value)),
            Expr::Const(Const::Float(value)) => Some(Number::Float(*value)),
            Expr::Const(Const::Double(value)) => Some(Number::Double(*value)),
            _ => None,
        }
    }

    /// Whether this is a part of it, or itself.
    pub fn contains(&self, is_it: &dyn Fn(&Expr) -> bool) -> bool {
        is_it(self) || self.parts().into_iter().any(|part| part.contains(is_it))
    }

    /// The expressions that this one is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Field(inner, _) | Expr::Length(inner) | Expr::Negate(inner) | Expr::Convert(inner, _) => vec![inner],
            Expr::Element(left, right) | Expr::Binary(_, left, right) => vec![left, right],
            Expr::CallResult { args, .. } => args.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether its value follows from those of its parts.
    pub fn is_computed(&self) -> bool {
        match self {
            Expr::Length(_) | Expr::Binary(..) | Expr::Negate(_) | Expr::Convert(..) => true,
            Expr::CallResult { callee, .. } => is_string_length(*callee),
            _ => false,
        }
    }

    /// How many expressions it is made of, itself included.
    pub fn size(&self) -> usize {
        1 + self.parts().into_iter().map(Expr::size).sum::<usize>()
    }

    /// Whether it has the same value however often it is asked for: it calls nothing, or methods of strings only, and reads
    /// nothing that a call in between may write.
    fn is_fixed(&self) -> bool {
        let may_change = |part: &Expr| match part {
            Expr::Unknown(_) | Expr::Field(..) | Expr::Static(_) | Expr::Element(..) => true,
            Expr::CallResult { callee, .. } => callee.class != ClassName::string(),
            _ => false,
        };
        !self.contains(&may_change)
    }

    /// Whether every part of it could be followed.
    pub fn is_known(&self) -> bool {
        !matches!(self, Expr::Unknown(_)) && self.parts().into_iter().all(Expr::is_known)
    }
}

/// `String.length()`: strings do not change.
fn is_string_length(callee: MethodRef) -> bool {
    callee.class == ClassName::string() && callee.name.as_str() == "length"
}

#[cfg(test)]
mod tests;
