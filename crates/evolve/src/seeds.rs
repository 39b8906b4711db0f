//! What the search starts from: constants of the code near the trace, what the message says, types that casts name.

use crate::config::Config;
use objects::{Origin, Pool};
use program::{Program, Type};
use recipe::JavaString;
use target::{CrashTarget, FactValue};

/// The pool for a crash.
pub fn seeds(target: &CrashTarget, _program: &Program, config: &Config) -> Pool {
    let mut pool = Pool::general();
    if config.extras.message {
        for fact in &target.message_facts {
            match &fact.value {
                FactValue::Null => {}
                FactValue::Int(value) => pool.add_int(*value, Origin::Message),
                FactValue::Text(text) => pool.add_string(&JavaString::new(text), Origin::Message),
                FactValue::Class(class) => pool.add_type(Type::Class(*class), Origin::Message),
            }
        }
    }
    pool
}
