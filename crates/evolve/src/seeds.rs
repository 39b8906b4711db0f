//! What the search starts from: constants of the code near the trace, what the message says, types that casts name.

use crate::config::Config;
use objects::{Origin, Pool, Relevance};
use program::{MethodRef, Program, Type};
use recipe::JavaString;
use std::sync::Arc;
use target::{Binding, CrashTarget, FactValue};

/// The pool for a crash.
pub fn seeds(target: &CrashTarget, program: &Arc<Program>, config: &Config) -> Pool {
    let mut pool = Pool::general();
    if config.extras.relevance {
        pool.set_relevance(Arc::new(Relevance::of(program.clone(), &methods(target))));
    }
    if config.extras.constants {
        objects::mine(program, &methods(target), &mut pool);
    }
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

/// The methods that the frames are bound to, top first.
fn methods(target: &CrashTarget) -> Vec<MethodRef> {
    let bound = target.frames.iter().filter_map(|frame| match &frame.binding {
        Binding::Bound { candidates, .. } => Some(candidates),
        Binding::Unbound(_) | Binding::Unneeded => None,
    });
    bound.flatten().map(|bound| bound.method).collect()
}
