//! Where a value comes from, across the calls of a chain of activations: the constants and operations that may have
//! produced it, each in the activation where that happened.

use crate::scope::Scope;
use crate::unit::Definition;
use ir::{Const, Operand, Rvalue, Var};
use program::InstrId;
use std::rc::Rc;

/// One possible producer of a value.
#[derive(Clone)]
pub(crate) struct Origin<'p> {
    pub(crate) scope: Rc<Scope<'p>>,
    pub(crate) at: InstrId,
    pub(crate) what: What,
}

#[derive(Clone)]
pub(crate) enum What {
    Const(Const),
    Computed(Rvalue),
    /// A parameter of the outermost activation, or something that could not be followed.
    Open(Operand),
}

/// More producers than this are not told apart.
const MOST: usize = 6;
const DEEPEST: u32 = 24;

/// All producers of `operand` as it is just before `at`, copies and casts looked through.
pub(crate) fn origins<'p>(scope: &Rc<Scope<'p>>, operand: &Operand, at: InstrId) -> Vec<Origin<'p>> {
    let mut found = Vec::new();
    follow(scope, operand, at, DEEPEST, &mut found);
    if found.len() > MOST {
        return vec![open(scope, operand, at)];
    }
    found
}

fn open<'p>(scope: &Rc<Scope<'p>>, operand: &Operand, at: InstrId) -> Origin<'p> {
    Origin { scope: Rc::clone(scope), at, what: What::Open(operand.clone()) }
}

fn follow<'p>(scope: &Rc<Scope<'p>>, operand: &Operand, at: InstrId, depth: u32, found: &mut Vec<Origin<'p>>) {
    let var = match operand {
        Operand::Const(constant) => {
            found.push(Origin { scope: Rc::clone(scope), at, what: What::Const(constant.clone()) });
            return;
        }
        Operand::Var(var) => *var,
    };
    let definitions = scope.unit.definitions(var, at);
    if definitions.is_empty() || definitions.len() > MOST || depth == 0 || found.len() > MOST {
        found.push(open(scope, operand, at));
        return;
    }
    for definition in definitions {
        match definition {
            Definition::Entry => match argument(scope, var) {
                Some((caller, argument)) => follow(&caller, &argument, caller.at, depth - 1, found),
                None => found.push(open(scope, operand, at)),
            },
            Definition::At(defined, Rvalue::Use(from) | Rvalue::Cast(from, _)) => {
                follow(scope, from, defined, depth - 1, found);
            }
            Definition::At(defined, value) => {
                found.push(Origin { scope: Rc::clone(scope), at: defined, what: What::Computed(value.clone()) });
            }
        }
    }
}

/// The argument that the caller passes for a parameter.
fn argument<'p>(scope: &Scope<'p>, var: Var) -> Option<(Rc<Scope<'p>>, Operand)> {
    let caller = scope.caller.as_ref()?;
    let parameters = scope.unit.body.parameters();
    let position = parameters.iter().position(|(slot, _)| Var::Local(*slot) == var)?;
    let (_, args) = caller.unit.call_at(caller.at.bci)?;
    (args.len() == parameters.len()).then(|| (Rc::clone(caller), args[position].clone()))
}
