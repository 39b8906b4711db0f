//! Conditions in source terms: `this.map == null`, `index < 0 || index >= array.length`.
//!
//! What a local variable or a stack operand is called depends on the method and place; a [`Naming`] answers that. Where it
//! has no answer, the text falls back to neutral names (`arg0`, `local3`).

use crate::{CompareOp, Condition, Const, Expr, Predicate};
use program::{BinaryOp, ClassName, FieldRef, Type};

/// What values are called in the source of the method the condition is anchored in.
pub trait Naming {
    fn param(&self, index: u16) -> Option<String>;
    fn local(&self, slot: u16) -> Option<String>;
    /// The operand at this depth as an expression over named values.
    fn operand(&self, depth: u8) -> Option<Expr>;
    /// The constant that has this number in a table that the compiler made for a `switch` over an enum.
    fn enum_constant(&self, _table: FieldRef, _number: i32) -> Option<FieldRef> {
        None
    }
    /// The constant of an enum that has this ordinal.
    fn nth_constant(&self, _of: ClassName, _ordinal: i32) -> Option<FieldRef> {
        None
    }
    /// The type of a parameter, local variable or operand, so that `flag != 0` reads `flag` and `c == 65` reads `c == 'A'`.
    fn type_of(&self, _value: &Expr) -> Option<Type> {
        None
    }
}

/// Knows no names.
#[derive(Debug)]
pub struct Unnamed;

impl Naming for Unnamed {
    fn param(&self, _: u16) -> Option<String> {
        None
    }
    fn local(&self, _: u16) -> Option<String> {
        None
    }
    fn operand(&self, _: u8) -> Option<Expr> {
        None
    }
}

pub fn condition(condition: &Condition, names: &dyn Naming) -> String {
    match condition {
        Condition::True => "always when reached".into(),
        Condition::False => "never".into(),
        Condition::Not(inner) => negation(inner, names),
        Condition::All(parts) => joined(parts, " && ", names),
        Condition::Any(parts) => joined(parts, " || ", names),
        Condition::IsNull(value) => format!("{} == null", expr(value, names)),
        Condition::Compare { op, left, right, .. } => comparison(*op, left, right, names),
        Condition::Same(left, right) => format!("{} == {}", expr(left, names), expr(right, names)),
        Condition::InstanceOf(value, ty) => format!("{} instanceof {}", expr(value, names), short(*ty)),
        Condition::Storable { array, value } => {
            format!("{} can be stored into {}", expr(value, names), expr(array, names))
        }
        Condition::Predicate(predicate, args) => predicate_text(*predicate, args, names),
        Condition::CallThrows { callee, exception } => {
            let class = callee.class.simple().replace('$', ".");
            format!("{class}.{}(..) throws {}", callee.name, exception.simple().replace('$', "."))
        }
    }
}

/// Booleans are integers in bytecode; source compares them with nothing. Characters are compared with characters.
fn comparison(op: CompareOp, left: &Expr, right: &Expr, names: &dyn Naming) -> String {
    let left_type = type_of(left, names);
    match (left_type, op, right) {
        (Some(Type::Boolean), CompareOp::Ne, Expr::Const(Const::Int(0)))
        | (Some(Type::Boolean), CompareOp::Eq, Expr::Const(Const::Int(1))) => expr(left, names),
        (Some(Type::Boolean), CompareOp::Eq, Expr::Const(Const::Int(0)))
        | (Some(Type::Boolean), CompareOp::Ne, Expr::Const(Const::Int(1))) => format!("!{}", operand(left, names)),
        (Some(Type::Char), _, Expr::Const(Const::Int(value))) => {
            format!("{} {} {}", operand(left, names), op.symbol(), char_text(*value))
        }
        (_, CompareOp::Eq | CompareOp::Ne, Expr::Const(Const::Int(value))) => match switched(left, *value, names) {
            Some((tested, case)) => format!("{tested} {} {case}", op.symbol()),
            None => format!("{} {} {value}", side(left, names), op.symbol()),
        },
        _ => format!("{} {} {}", side(left, names), op.symbol(), side(right, names)),
    }
}

/// One side of a comparison: it binds tighter than `&`, `|` and `^`, and less tight than everything else.
fn side(value: &Expr, names: &dyn Naming) -> String {
    match value {
        Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..) => format!("({})", expr(value, names)),
        _ => expr(value, names),
    }
}

/// A `switch` over an enum is one over its ordinals, or goes through a table of numbers that the ordinal is an index of: what is
/// switched over, and the constant that has this number.
fn switched(value: &Expr, number: i32, names: &dyn Naming) -> Option<(String, String)> {
    let (table, index) = match value {
        Expr::Element(table, index) => match &**table {
            Expr::Static(table) => (Some(*table), &**index),
            _ => return None,
        },
        _ => (None, value),
    };
    let Expr::CallResult { callee, args, .. } = index else { return None };
    let [tested] = args.as_slice() else { return None };
    if callee.name.as_str() != "ordinal" {
        return None;
    }
    let case = match table {
        Some(table) => names.enum_constant(table, number),
        None => names.nth_constant(callee.class, number),
    }?;
    Some((operand(tested, names), expr(&Expr::Static(case), names)))
}

fn char_text(value: i32) -> String {
    match u32::try_from(value).ok().and_then(char::from_u32) {
        Some(c) => format!("{c:?}"),
        None => value.to_string(),
    }
}

/// The static type of an expression, as far as it shows.
pub fn type_of(value: &Expr, names: &dyn Naming) -> Option<Type> {
    match value {
        Expr::Const(_) | Expr::Unknown(_) | Expr::This => None,
        Expr::Param(_) | Expr::Local(_) => names.type_of(value),
        Expr::Operand(depth) => {
            names.type_of(value).or_else(|| type_of(&names.operand(*depth).filter(|known| known != value)?, names))
        }
        Expr::Field(_, field) | Expr::Static(field) => Some(field.field_type()),
        Expr::Element(array, _) => match type_of(array, names)? {
            Type::Array(array) => Some(array.component()),
            _ => None,
        },
        Expr::Length(_) => Some(Type::Int),
        Expr::CallResult { callee, .. } => callee.signature().ret,
        Expr::Binary(..) | Expr::Negate(_) => None,
        Expr::Convert(_, ty) | Expr::Created(_, ty) | Expr::Caught(ty) => Some(*ty),
    }
}

fn negation(inner: &Condition, names: &dyn Naming) -> String {
    match inner {
        Condition::IsNull(value) => format!("{} != null", expr(value, names)),
        Condition::Same(left, right) => format!("{} != {}", expr(left, names), expr(right, names)),
        Condition::Predicate(..) => format!("!{}", condition(inner, names)),
        other => format!("!({})", condition(other, names)),
    }
}

fn joined(parts: &[Condition], with: &str, names: &dyn Naming) -> String {
    let texts: Vec<String> = parts
        .iter()
        .map(|part| match part {
            Condition::All(inner) | Condition::Any(inner) if inner.len() > 1 => format!("({})", condition(part, names)),
            _ => condition(part, names),
        })
        .collect();
    texts.join(with)
}

pub fn expr(value: &Expr, names: &dyn Naming) -> String {
    match value {
        Expr::Const(constant) => constant_text(constant),
        Expr::This => "this".into(),
        Expr::Param(index) => names.param(*index).unwrap_or_else(|| format!("arg{index}")),
        Expr::Local(slot) => names.local(*slot).unwrap_or_else(|| format!("local{slot}")),
        Expr::Operand(depth) => match names.operand(*depth) {
            Some(Expr::Operand(_)) | None => format!("operand{depth}"),
            Some(known) => expr(&known, names),
        },
        Expr::Field(object, field) => match outer_instance(object, field) {
            Some(outer) => outer,
            None => format!("{}.{}", operand(object, names), field.name),
        },
        Expr::Static(field) => format!("{}.{}", field.class.simple().replace('$', "."), field.name),
        Expr::Element(array, index) => format!("{}[{}]", operand(array, names), expr(index, names)),
        Expr::Length(array) => format!("{}.length", operand(array, names)),
        Expr::CallResult { callee, args, .. } => call(callee, args, names),
        Expr::Binary(op, left, right) => {
            format!("{} {} {}", operand(left, names), op.symbol(), operand(right, names))
        }
        Expr::Negate(inner) => format!("-{}", operand(inner, names)),
        Expr::Convert(inner, ty) => format!("({}) {}", short(*ty), operand(inner, names)),
        Expr::Created(_, Type::Array(array)) => format!("new {}[..]", short(array.component())),
        Expr::Created(_, ty) => format!("new {}(..)", short(*ty)),
        Expr::Caught(ty) => format!("the caught {}", short(*ty)),
        Expr::Unknown(_) => "?".into(),
    }
}

/// An inner class reaches its outer instance through a field that the source writes as `Outer.this`; the instance around
/// that one through a field of the outer instance.
fn outer_instance(object: &Expr, field: &program::FieldRef) -> Option<String> {
    let outer = field.field_type().as_class().filter(|_| field.name.as_str().starts_with("this$"))?;
    let is_around = match object {
        Expr::This => true,
        Expr::Field(inner, field) => outer_instance(inner, field).is_some(),
        _ => false,
    };
    is_around.then(|| format!("{}.this", outer.simple().replace('$', ".")))
}

/// An expression inside another: in parentheses where Java needs them.
fn operand(value: &Expr, names: &dyn Naming) -> String {
    let resolved = match value {
        Expr::Operand(depth) => names.operand(*depth).unwrap_or_else(|| value.clone()),
        other => other.clone(),
    };
    match &resolved {
        Expr::Binary(..) | Expr::Convert(..) | Expr::Negate(_) => format!("({})", expr(&resolved, names)),
        Expr::Operand(depth) => format!("operand{depth}"),
        other => expr(other, names),
    }
}

fn call(callee: &program::MethodRef, args: &[Expr], names: &dyn Naming) -> String {
    let signature = callee.signature();
    let is_static = args.len() == signature.params.len();
    let (receiver, rest) = match args.split_first() {
        Some((first, rest)) if !is_static => (operand(first, names), rest),
        _ => (callee.class.simple().replace('$', "."), args),
    };
    let rest: Vec<String> = rest.iter().zip(signature.params).map(|(arg, ty)| argument(arg, ty, names)).collect();
    format!("{receiver}.{}({})", callee.name, rest.join(", "))
}

/// Booleans and characters are integers in bytecode.
fn argument(value: &Expr, ty: Type, names: &dyn Naming) -> String {
    match (value, ty) {
        (Expr::Const(Const::Int(value)), Type::Boolean) => (*value != 0).to_string(),
        (Expr::Const(Const::Int(value)), Type::Char) => char_text(*value),
        _ => expr(value, names),
    }
}

fn predicate_text(predicate: Predicate, args: &[Expr], names: &dyn Naming) -> String {
    let name = match predicate {
        Predicate::StringEquals => "equals",
        Predicate::StringEqualsIgnoreCase => "equalsIgnoreCase",
        Predicate::StringStartsWith => "startsWith",
        Predicate::StringEndsWith => "endsWith",
        Predicate::StringContains | Predicate::ContainsElement => "contains",
        Predicate::ContainsKey => "containsKey",
    };
    let mut texts = args.iter().map(|arg| operand(arg, names));
    let receiver = texts.next().unwrap_or_else(|| "?".into());
    format!("{receiver}.{name}({})", texts.collect::<Vec<_>>().join(", "))
}

fn constant_text(constant: &Const) -> String {
    match constant {
        Const::Null => "null".into(),
        Const::Int(value) => value.to_string(),
        Const::Long(value) => format!("{value}L"),
        Const::Float(value) => format!("{value}f"),
        Const::Double(value) => format!("{value:?}"),
        Const::String(value) => format!("{:?}", value.text()),
        Const::Class(ty) => format!("{}.class", short(*ty)),
    }
}

/// The simple source name: `Map.Entry`, `String[]`.
fn short(ty: Type) -> String {
    match ty {
        Type::Class(name) => name.simple().replace('$', "."),
        Type::Array(array) => format!("{}[]", short(array.component())),
        primitive => primitive.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_like_source() {
        let map = Expr::Field(Box::new(Expr::This), FieldRef::new("a/B", "map", "Ljava/util/Map;"));
        let array = Expr::Local(1);
        let bounds = Condition::Any(vec![
            Condition::compare_ints(Expr::Param(0), CompareOp::Lt, Expr::int(0)),
            Condition::compare_ints(Expr::Param(0), CompareOp::Ge, Expr::Length(Box::new(array))),
        ]);
        assert_eq!(condition(&Condition::IsNull(map), &Unnamed), "this.map == null");
        assert_eq!(condition(&bounds, &Unnamed), "arg0 < 0 || arg0 >= local1.length");
        let bits = Expr::Binary(BinaryOp::Xor, Box::new(Expr::Param(0)), Box::new(Expr::Param(1)));
        let bits = Condition::compare_ints(bits, CompareOp::Ge, Expr::int(0));
        assert_eq!(condition(&bits, &Unnamed), "(arg0 ^ arg1) >= 0");
        let callee = program::MethodRef::new("a/B", "of", "(ZCI)I");
        let at = program::CodePoint { method: callee, at: program::InstrId::at(0) };
        let args = vec![Expr::Const(Const::Int(1)), Expr::Const(Const::Int(65)), Expr::Const(Const::Int(1))];
        assert_eq!(expr(&Expr::CallResult { at, callee, args }, &Unnamed), "B.of(true, 'A', 1)");
    }
}
