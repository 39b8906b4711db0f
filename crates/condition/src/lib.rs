//! Predicates over the values at a program point: the one language in which `target`, fitness, solvers and reports say
//! what must hold for a crash to happen.
//!
//! A [`Condition`] is meaningful only together with the place it is evaluated at, so the two travel as [`Anchored`].
//! Three back ends read it: [`text`] (source terms, for people), the probe plan of the workers (how far from true was
//! this candidate?) and, for the symbolic engines, a solver term. Bytecode semantics is written down once, where
//! conditions are derived; this crate only states them.

pub use program::{BinaryOp, CompareOp};
use program::{ClassName, CodePoint, FieldRef, MethodRef, Type};
use std::cmp::Ordering;

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
        if flat.iter().enumerate().any(|(index, part)| flat[index + 1..].iter().any(|other| part.is_opposite(other))) {
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
        let alone = flat.clone();
        for part in &mut flat {
            if let Condition::All(inner) = part {
                inner.retain(|part| !alone.iter().any(|other| part.is_opposite(other)));
                *part = Condition::all(std::mem::take(inner));
            }
        }
        flat.dedup();
        one_or(merged(flat, CompareOp::or), Condition::False, Condition::Any)
    }

    /// Comparison of two `int`s or `long`s, decided where both are constants.
    pub fn compare_integers(left: Expr, op: CompareOp, right: Expr) -> Self {
        match (left.as_integer(), right.as_integer()) {
            (Some(l), Some(r)) if op.holds(l.cmp(&r)) => Condition::True,
            (Some(_), Some(_)) => Condition::False,
            // A length is never negative.
            (None, Some(0)) if matches!(left, Expr::Length(_)) && op == CompareOp::Lt => Condition::False,
            (None, Some(0)) if matches!(left, Expr::Length(_)) && op == CompareOp::Ge => Condition::True,
            (Some(_), None) => Condition::Compare { op: op.mirrored(), left: right, right: left },
            (None, None) if left == right && left.is_fixed() => {
                if op.holds(Ordering::Equal) {
                    Condition::True
                } else {
                    Condition::False
                }
            }
            _ => Condition::Compare { op, left, right },
        }
    }

    /// Whether one is the negation of the other. Comparisons count as integer comparisons: with a NaN both can be false, but
    /// never both true.
    pub fn is_opposite(&self, other: &Condition) -> bool {
        match (self, other) {
            (Condition::Not(inner), plain) | (plain, Condition::Not(inner)) => **inner == *plain,
            (
                Condition::Compare { op, left, right },
                Condition::Compare { op: other_op, left: other_left, right: other_right },
            ) => op.negated() == *other_op && left == other_left && right == other_right,
            _ => false,
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

fn push_new(parts: &mut Vec<Condition>, part: Condition) {
    if !parts.contains(&part) {
        parts.push(part);
    }
}

/// Comparisons of the same two values, put together where one says what two do.
fn merged(parts: Vec<Condition>, with: fn(CompareOp, CompareOp) -> Option<CompareOp>) -> Vec<Condition> {
    let mut result: Vec<Condition> = Vec::new();
    'parts: for part in parts {
        if let Condition::Compare { op, left, right } = &part {
            for known in &mut result {
                if let Condition::Compare { op: known_op, left: known_left, right: known_right } = known
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
    /// `left op right`, computed where both are integer constants.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let computed = match (&left, &right) {
            (Expr::Const(Const::Int(left)), Expr::Const(Const::Int(right))) => {
                op.of_ints(*left, *right).map(Const::Int)
            }
            (Expr::Const(Const::Long(left)), Expr::Const(Const::Long(right))) => {
                op.of_longs(*left, *right).map(Const::Long)
            }
            _ => None,
        };
        computed.map_or_else(|| Expr::Binary(op, Box::new(left), Box::new(right)), Expr::Const)
    }

    /// Whether this is a part of it, or itself.
    pub fn contains(&self, is_it: &dyn Fn(&Expr) -> bool) -> bool {
        is_it(self) || self.parts().into_iter().any(|part| part.contains(is_it))
    }

    /// The value of an integer constant.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Expr::Const(Const::Int(value)) => Some(i64::from(*value)),
            Expr::Const(Const::Long(value)) => Some(*value),
            _ => None,
        }
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

    /// How many expressions it is made of, itself included.
    pub fn size(&self) -> usize {
        1 + self.parts().into_iter().map(Expr::size).sum::<usize>()
    }

    /// Whether it has the same value however often it is asked for: it calls nothing, or methods of strings only, and reads
    /// nothing that a call in between may write.
    fn is_fixed(&self) -> bool {
        let may_change = |part: &Expr| match part {
            Expr::Unknown | Expr::Field(..) | Expr::Static(_) | Expr::Element(..) => true,
            Expr::CallResult { callee, .. } => callee.class != ClassName::string(),
            _ => false,
        };
        !self.contains(&may_change)
    }

    /// Whether every part of it could be followed.
    pub fn is_known(&self) -> bool {
        *self != Expr::Unknown && self.parts().into_iter().all(Expr::is_known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectives_are_flattened_and_decided() {
        let null = |slot| Condition::IsNull(Expr::Local(slot));
        let nested = Condition::all([Condition::True, Condition::all([null(1), null(2)]), null(1)]);
        assert_eq!(nested, Condition::All(vec![null(1), null(2)]));
        assert_eq!(Condition::all([null(1), Condition::False]), Condition::False);
        assert_eq!(Condition::any([Condition::False, null(1)]), null(1));
        assert_eq!(Condition::any([]), Condition::False);
        assert_eq!(Condition::all([]), Condition::True);
    }

    #[test]
    fn what_is_constant_is_computed() {
        let int = |value| Expr::Const(Const::Int(value));
        for (op, left, right, result) in [
            (BinaryOp::And, 0, -512, 0),
            (BinaryOp::Add, i32::MAX, 1, i32::MIN),
            (BinaryOp::Div, i32::MIN, -1, i32::MIN),
            (BinaryOp::Rem, -7, 2, -1),
            (BinaryOp::Shl, 1, 33, 2),
            (BinaryOp::Shr, -8, 1, -4),
            (BinaryOp::Ushr, -1, 28, 15),
        ] {
            assert_eq!(Expr::binary(op, int(left), int(right)), int(result), "{left} {op} {right}");
        }
        assert!(matches!(Expr::binary(BinaryOp::Div, int(1), int(0)), Expr::Binary(..)));
        assert!(matches!(Expr::binary(BinaryOp::Add, Expr::Local(1), int(0)), Expr::Binary(..)));
    }

    #[test]
    fn comparisons_of_the_same_values_are_merged() {
        let compare = |op| Condition::compare(Expr::Local(1), op, Expr::Const(Const::Int(0)));
        assert_eq!(Condition::all([compare(CompareOp::Le), compare(CompareOp::Ne)]), compare(CompareOp::Lt));
        assert_eq!(Condition::any([compare(CompareOp::Gt), compare(CompareOp::Eq)]), compare(CompareOp::Ge));
        let open = Condition::any([compare(CompareOp::Lt), compare(CompareOp::Gt)]);
        assert_eq!(open, Condition::Any(vec![compare(CompareOp::Lt), compare(CompareOp::Gt)]));
    }

    #[test]
    fn a_choice_with_its_opposite_is_shortened() {
        let a = Condition::IsNull(Expr::Local(1));
        let b = Condition::IsNull(Expr::Local(2));
        let nested = Condition::any([a.clone(), Condition::all([a.clone().negated(), b.clone()])]);
        assert_eq!(nested, Condition::Any(vec![a.clone(), b]));
        assert_eq!(Condition::all([a.clone(), a.negated()]), Condition::False);
    }

    #[test]
    fn constant_comparisons_are_decided() {
        let int = |value| Expr::Const(Const::Int(value));
        assert_eq!(Condition::compare_integers(int(0), CompareOp::Lt, int(0)), Condition::False);
        assert_eq!(Condition::compare_integers(int(0), CompareOp::Le, int(0)), Condition::True);
        assert_eq!(Condition::compare_integers(Expr::Local(1), CompareOp::Gt, Expr::Local(1)), Condition::False);
        assert_eq!(Condition::compare_integers(Expr::Local(1), CompareOp::Le, Expr::Local(1)), Condition::True);
        let unknown = Condition::compare_integers(Expr::Unknown, CompareOp::Le, Expr::Unknown);
        assert!(matches!(unknown, Condition::Compare { .. }));
        let count = || Expr::Static(FieldRef::new("a/B", "modCount", "I"));
        let read_twice = Condition::compare_integers(count(), CompareOp::Ne, count());
        assert!(matches!(read_twice, Condition::Compare { .. }));
        let mirrored = Condition::compare_integers(int(3), CompareOp::Gt, Expr::Local(1));
        assert_eq!(mirrored, Condition::Compare { op: CompareOp::Lt, left: Expr::Local(1), right: int(3) });
    }
}
