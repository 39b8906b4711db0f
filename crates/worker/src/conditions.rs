//! How far the values at a place were from making a condition true. [`Reads`] says which values are recorded,
//! [`condition::evaluate`] measures; what could not be read stays unknown.

use crate::reads::{Reads, Unreadable};
use condition::evaluate::{self, Object, State};
use condition::{Anchored, Expr, Predicate};
use program::{JavaString, Number, Program, Type};
use splice::readings::Value;

/// The values to record for one condition.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) anchor: Anchored,
    pub(crate) reads: Reads,
}

impl Watch {
    pub(crate) fn new(anchor: &Anchored, program: &Program) -> Watch {
        Watch { anchor: anchor.clone(), reads: Reads::of(&anchor.when, anchor.at.method, program) }
    }

    /// How far one visit was from making the condition true.
    pub(crate) fn distance(&self, values: &[Value], program: &Program) -> f64 {
        evaluate::distance(&self.anchor.when, &Visit { reads: &self.reads, values, program })
    }
}

/// Why parts of a condition cannot be read by a probe at its anchor; nothing if all can.
pub fn unreadable(anchor: &Anchored, program: &Program) -> Vec<Unreadable> {
    Watch::new(anchor, program).reads.unreadable().to_vec()
}

/// What one visit has recorded.
struct Visit<'a> {
    reads: &'a Reads,
    values: &'a [Value],
    program: &'a Program,
}

impl Visit<'_> {
    fn text(&self, of: &Expr) -> Option<JavaString> {
        match self.values.get(self.reads.index_of_text(of)?)? {
            Value::Text(units) => Some(JavaString::from_utf16(units)),
            _ => None,
        }
    }
}

impl State for Visit<'_> {
    fn value(&self, of: &Expr) -> Option<evaluate::Value> {
        let value = as_evaluated(self.values.get(self.reads.index_of(of)?)?)?;
        Some(match value {
            evaluate::Value::Object(object) => evaluate::Value::Object(Object { text: self.text(of), ..object }),
            other => other,
        })
    }

    fn is_subtype(&self, class: Type, of: Type) -> Option<bool> {
        match self.program.is_subtype_of(class, of) {
            program::Subtype::Yes => Some(true),
            program::Subtype::No => Some(false),
            program::Subtype::Unknown { .. } => None,
        }
    }

    fn predicate(&self, predicate: Predicate, args: &[Expr]) -> Option<f64> {
        let (Predicate::ContainsKey | Predicate::ContainsElement, [collection, element]) = (predicate, args) else {
            return None;
        };
        match self.values.get(self.reads.index_of_missing(collection, element)?)? {
            Value::Double(missing) => Some(*missing),
            _ => None,
        }
    }
}

fn as_evaluated(value: &Value) -> Option<evaluate::Value> {
    let number = |number| Some(evaluate::Value::Number(number));
    let object = |class: &str, length: Option<u32>, first: u8| {
        let class = Type::from_class_entry(&class.replace('.', "/"));
        let identity = Some(u64::from(first));
        Some(evaluate::Value::Object(Object { class, length, identity, ..Object::default() }))
    };
    match value {
        Value::Int(value) => number(Number::Int(*value)),
        Value::Long(value) => number(Number::Long(*value)),
        Value::Float(value) => number(Number::Float(*value)),
        Value::Double(value) => number(Number::Double(*value)),
        Value::Null => Some(evaluate::Value::Null),
        Value::Object { class, length, first } => object(class, *length, *first),
        Value::Array { class, length, first } => object(class, Some(*length), *first),
        Value::Text(_) | Value::Unreadable => None,
    }
}
