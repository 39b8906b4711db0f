//! Does a condition hold in a state, and how far is it from that? The one evaluator of conditions: over what probes have
//! recorded, and over any state that a test makes up.
//!
//! A state need not know everything: [`holds`] has three answers. A [`distance`] is 0 exactly where a condition is known to
//! hold; it grows with the gap, as is usual in search-based testing, and is [`UNKNOWN`] where nothing is known.

use crate::{Condition, Const, Expr, Predicate, is_string_length};
use program::{ClassName, CompareOp, JavaString, Number, Type};

/// What is known of the values at a place.
pub trait State {
    /// The value of a variable, field, element, result or the like; constants and computations are not asked for.
    fn value(&self, of: &Expr) -> Option<Value>;
    /// Whether an object's class is a type or below it.
    fn is_subtype(&self, class: Type, of: Type) -> Option<bool>;
    /// How far a predicate that does not speak of two texts is from holding.
    fn predicate(&self, _predicate: Predicate, _args: &[Expr]) -> Option<f64> {
        None
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(Number),
    Null,
    Object(Object),
}

/// What is known of an object that is not null.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// Equal for the same object and different for two.
    pub identity: Option<u64>,
    pub class: Option<Type>,
    /// Of an array or string.
    pub length: Option<u32>,
    /// Of a string.
    pub text: Option<JavaString>,
}

/// The distance of what is not known to hold, and of what can only hold or not.
pub const UNKNOWN: f64 = 1.0;

/// Whether the condition holds; none if the state does not tell.
pub fn holds(condition: &Condition, state: &dyn State) -> Option<bool> {
    match condition {
        Condition::True => Some(true),
        Condition::False => Some(false),
        Condition::Not(inner) => holds(inner, state).map(|holds| !holds),
        Condition::All(parts) => every(parts.iter().map(|part| holds(part, state))),
        Condition::Any(parts) => {
            every(parts.iter().map(|part| holds(part, state).map(|holds| !holds))).map(|none| !none)
        }
        Condition::IsNull(value) => Some(evaluate(value, state)? == Value::Null),
        Condition::Compare { op, left, right, .. } => Some(number(left, state)?.compares(*op, number(right, state)?)),
        Condition::Same(left, right) => same(&evaluate(left, state)?, &evaluate(right, state)?),
        Condition::InstanceOf(value, ty) => is_instance(&evaluate(value, state)?, *ty, state),
        Condition::Storable { array, value } => storable(&evaluate(array, state)?, &evaluate(value, state)?, state),
        Condition::Predicate(predicate, args) => Some(predicate_distance(*predicate, args, state)? == 0.0),
        Condition::CallThrows { .. } => None,
    }
}

/// How far the condition is from holding.
pub fn distance(condition: &Condition, state: &dyn State) -> f64 {
    to(condition, true, state)
}

/// How far the condition is from holding, or from not holding.
fn to(condition: &Condition, wanted: bool, state: &dyn State) -> f64 {
    match (condition, wanted) {
        (Condition::True, false) | (Condition::False, true) => f64::INFINITY,
        (Condition::Not(inner), _) => to(inner, !wanted, state),
        (Condition::All(parts), true) | (Condition::Any(parts), false) => {
            parts.iter().map(|part| to(part, wanted, state)).sum()
        }
        (Condition::All(parts), false) | (Condition::Any(parts), true) => {
            parts.iter().map(|part| to(part, wanted, state)).fold(f64::INFINITY, f64::min)
        }
        (Condition::Compare { op, left, right, .. }, _) => match (number(left, state), number(right, state)) {
            (Some(left), Some(right)) if left.compares(*op, right) == wanted => 0.0,
            (Some(left), Some(right)) => gap(if wanted { *op } else { op.negated() }, left, right),
            _ => UNKNOWN,
        },
        (Condition::Predicate(predicate, args), true) => predicate_distance(*predicate, args, state).unwrap_or(UNKNOWN),
        _ if holds(condition, state) == Some(wanted) => 0.0,
        _ => UNKNOWN,
    }
}

/// How far two numbers are from a relation in which they do not stand.
fn gap(op: CompareOp, left: Number, right: Number) -> f64 {
    let difference = match (left, right) {
        (Number::Int(left), Number::Int(right)) => (i64::from(left) - i64::from(right)) as f64,
        (Number::Long(left), Number::Long(right)) => (i128::from(left) - i128::from(right)) as f64,
        (Number::Float(left), Number::Float(right)) => f64::from(left) - f64::from(right),
        (Number::Double(left), Number::Double(right)) => left - right,
        _ => f64::NAN,
    };
    let distance = match op {
        CompareOp::Eq | CompareOp::Le | CompareOp::Ge => difference.abs(),
        CompareOp::Lt | CompareOp::Gt => difference.abs() + 1.0,
        CompareOp::Ne => 1.0,
    };
    // No number is a certain way off from a NaN.
    if distance.is_nan() { UNKNOWN } else { distance.max(f64::MIN_POSITIVE) }
}

/// All are known to be true; none if that hangs on what is not known.
fn every(mut parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    parts
        .try_fold(Some(true), |all, part| match part {
            Some(false) => Err(()),
            Some(true) => Ok(all),
            None => Ok(None),
        })
        .unwrap_or(Some(false))
}

fn same(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Null, Value::Null) => Some(true),
        (Value::Null, Value::Object(_)) | (Value::Object(_), Value::Null) => Some(false),
        (Value::Object(left), Value::Object(right)) => Some(left.identity? == right.identity?),
        _ => None,
    }
}

fn is_instance(value: &Value, ty: Type, state: &dyn State) -> Option<bool> {
    match value {
        Value::Null => Some(false),
        Value::Object(object) => state.is_subtype(object.class?, ty),
        Value::Number(_) => None,
    }
}

fn storable(array: &Value, value: &Value, state: &dyn State) -> Option<bool> {
    let Value::Object(Object { class: Some(Type::Array(array)), .. }) = array else { return None };
    match value {
        Value::Null => Some(true),
        stored => is_instance(stored, array.component(), state),
    }
}

fn number(of: &Expr, state: &dyn State) -> Option<Number> {
    match evaluate(of, state)? {
        Value::Number(number) => Some(number),
        Value::Null | Value::Object(_) => None,
    }
}

/// The value of an expression, as far as the state tells.
pub fn evaluate(expr: &Expr, state: &dyn State) -> Option<Value> {
    match expr {
        Expr::Const(constant) => Some(constant_value(constant)),
        Expr::Binary(op, left, right) => {
            Number::binary(*op, number(left, state)?, number(right, state)?).map(Value::Number)
        }
        Expr::Negate(inner) => Some(Value::Number(number(inner, state)?.negated())),
        Expr::Convert(inner, ty) if !ty.is_reference() => number(inner, state)?.converted(*ty).map(Value::Number),
        Expr::Convert(inner, _) => evaluate(inner, state),
        Expr::Length(of) => length(of, state),
        Expr::CallResult { callee, args, .. } if is_string_length(*callee) => length(args.first()?, state),
        leaf => state.value(leaf),
    }
}

fn length(of: &Expr, state: &dyn State) -> Option<Value> {
    match evaluate(of, state)? {
        Value::Object(Object { length: Some(length), .. }) => Some(Value::Number(Number::Int(length.cast_signed()))),
        _ => None,
    }
}

fn constant_value(constant: &Const) -> Value {
    match constant {
        Const::Null => Value::Null,
        Const::Int(value) => Value::Number(Number::Int(*value)),
        Const::Long(value) => Value::Number(Number::Long(*value)),
        Const::Float(value) => Value::Number(Number::Float(*value)),
        Const::Double(value) => Value::Number(Number::Double(*value)),
        Const::String(text) => Value::Object(Object {
            class: Some(Type::Class(ClassName::string())),
            length: u32::try_from(text.utf16().len()).ok(),
            text: Some(text.clone()),
            ..Object::default()
        }),
        Const::Class(_) => Value::Object(Object { class: Some(Type::class("java/lang/Class")), ..Object::default() }),
    }
}

fn predicate_distance(predicate: Predicate, args: &[Expr], state: &dyn State) -> Option<f64> {
    match predicate {
        Predicate::ContainsKey | Predicate::ContainsElement => state.predicate(predicate, args),
        _ => text_distance(predicate, &texts(args, state)?),
    }
}

/// The texts of all arguments, as `char`s; a null or something that is no text has none.
fn texts(args: &[Expr], state: &dyn State) -> Option<Vec<Vec<u16>>> {
    let text = |arg: &Expr| match evaluate(arg, state)? {
        Value::Object(object) => object.text.map(|text| text.utf16()),
        _ => None,
    };
    args.iter().map(text).collect()
}

/// How far two texts are from what a predicate says of them; none if it does not speak of two texts.
fn text_distance(predicate: Predicate, texts: &[Vec<u16>]) -> Option<f64> {
    let [whole, part] = texts else { return None };
    let missing = part.len().saturating_sub(whole.len());
    Some(match predicate {
        Predicate::StringEquals => units_apart(whole, part),
        Predicate::StringEqualsIgnoreCase => units_apart(&lower(whole), &lower(part)),
        Predicate::StringStartsWith => units_apart(&whole[..part.len() - missing], part),
        Predicate::StringEndsWith => units_apart(&whole[whole.len() - (part.len() - missing)..], part),
        Predicate::StringContains if missing > 0 => units_apart(whole, part),
        Predicate::StringContains if part.is_empty() => 0.0,
        Predicate::StringContains => {
            whole.windows(part.len()).map(|window| units_apart(window, part)).fold(f64::INFINITY, f64::min)
        }
        Predicate::ContainsKey | Predicate::ContainsElement => return None,
    })
}

/// One for each `char` too many or too few, and less than one for each that is another.
fn units_apart(left: &[u16], right: &[u16]) -> f64 {
    let apart = |(left, right): (&u16, &u16)| {
        let apart = f64::from(left.abs_diff(*right));
        apart / (apart + 1.0)
    };
    left.len().abs_diff(right.len()) as f64 + left.iter().zip(right).map(apart).sum::<f64>()
}

/// As `equalsIgnoreCase` compares: by upper, then by lower case of each `char`.
fn lower(units: &[u16]) -> Vec<u16> {
    let one = |mut cased: Box<dyn Iterator<Item = char>>| match (cased.next(), cased.next()) {
        (Some(single), None) => Some(single),
        _ => None,
    };
    let folded = |unit: u16| {
        let c = char::from_u32(unit.into())?;
        let upper = one(Box::new(c.to_uppercase())).unwrap_or(c);
        u16::try_from(u32::from(one(Box::new(upper.to_lowercase())).unwrap_or(upper))).ok()
    };
    units.iter().map(|unit| folded(*unit).unwrap_or(*unit)).collect()
}
