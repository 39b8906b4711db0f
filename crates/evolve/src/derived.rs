//! What engines that reason have derived, taken up by one that throws dice: values that their conditions compare with, values of models,
//! and fields that have to be in some state.

use condition::{Condition, Const, Expr};
use engine::FactKind;
use objects::{Origin, Pool};
use program::FieldRef;
use recipe::{JavaString, Literal};

/// What a fact says of values goes into the pool; the fields that it speaks of are given, those of which methods are to be called that
/// write them.
pub(crate) fn take_up(fact: &FactKind, pool: &mut Pool) -> Vec<FieldRef> {
    let mut fields = Vec::new();
    match fact {
        FactKind::Precondition { when, .. } | FactKind::Object { state: when, .. } => {
            when.exprs().into_iter().for_each(|expr| values(expr, pool, &mut fields));
            types(when, pool);
        }
        FactKind::Literal { value, .. } => literal(value, pool),
        FactKind::Receiver { class, .. } => pool.add_type(program::Type::Class(*class), Origin::Trace),
        FactKind::BlockingBranch { .. } | FactKind::Waypoint { .. } | FactKind::Refuted { .. } => {}
    }
    fields
}

fn values(expr: &Expr, pool: &mut Pool, fields: &mut Vec<FieldRef>) {
    match expr {
        Expr::Const(value) => constant(value, pool),
        Expr::Field(_, field) | Expr::Static(field) => fields.push(*field),
        _ => {}
    }
    expr.parts().into_iter().for_each(|part| values(part, pool, fields));
}

fn constant(value: &Const, pool: &mut Pool) {
    match value {
        Const::Int(value) => pool.add_int(i64::from(*value), Origin::Derived),
        Const::Long(value) => pool.add_int(*value, Origin::Derived),
        Const::Float(value) => pool.add_float(f64::from(*value), Origin::Derived),
        Const::Double(value) => pool.add_float(*value, Origin::Derived),
        Const::String(text) => pool.add_string(&JavaString(text.utf16()), Origin::Derived),
        Const::Class(ty) => pool.add_type(*ty, Origin::Derived),
        Const::Null => {}
    }
}

fn literal(value: &Literal, pool: &mut Pool) {
    match value {
        Literal::Byte(value) => pool.add_int(i64::from(*value), Origin::Derived),
        Literal::Short(value) => pool.add_int(i64::from(*value), Origin::Derived),
        Literal::Int(value) => pool.add_int(i64::from(*value), Origin::Derived),
        Literal::Long(value) => pool.add_int(*value, Origin::Derived),
        Literal::Char(unit) => pool.add_char(*unit, Origin::Derived),
        Literal::Float(value) => pool.add_float(f64::from(*value), Origin::Derived),
        Literal::Double(value) => pool.add_float(*value, Origin::Derived),
        Literal::String(text) => pool.add_string(&text.expanded(), Origin::Derived),
        Literal::Class(ty) => pool.add_type(*ty, Origin::Derived),
        Literal::Null(_) | Literal::Boolean(_) | Literal::Enum(_) => {}
    }
}

/// Classes that something must be of.
fn types(when: &Condition, pool: &mut Pool) {
    match when {
        Condition::InstanceOf(_, ty) => pool.add_type(*ty, Origin::Derived),
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| types(part, pool)),
        _ => {}
    }
}
