//! Where a value comes from, across the calls of a chain of activations: the constants and operations that may have
//! produced it, each in the activation where that happened.

use crate::scope::Scope;
use analysis::Assignment;
use ir::{Callee, Const, Op, Operand, Rvalue, Var};
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
    let definitions = scope.unit.assignments(var, at);
    if definitions.is_empty() || definitions.len() > MOST || depth == 0 || found.len() > MOST {
        found.push(open(scope, operand, at));
        return;
    }
    for definition in definitions {
        match definition {
            Assignment::Entry => match argument(scope, var) {
                Some((caller, argument)) => follow(&caller, &argument, caller.at, depth - 1, found),
                None => found.push(open(scope, operand, at)),
            },
            Assignment::At(defined, Rvalue::Use(from) | Rvalue::Cast(from, _)) => {
                follow(scope, from, defined, depth - 1, found);
            }
            Assignment::At(defined, value) => {
                if let Some((scope, at, element)) = list_element(scope, value, defined) {
                    follow(&scope, &element, at, depth - 1, found);
                    continue;
                }
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

/// `List.of(a, b).get(1)` is `b`: how the JDK hands the numbers of its index messages around.
fn list_element<'p>(scope: &Rc<Scope<'p>>, value: &Rvalue, at: InstrId) -> Option<(Rc<Scope<'p>>, InstrId, Operand)> {
    let Rvalue::Invoke(Callee::Method { method, .. }, args) = value else { return None };
    let [list, Operand::Const(Const::Int(index))] = args.as_slice() else { return None };
    if method.class.as_internal() != "java/util/List" || method.name.as_str() != "get" {
        return None;
    }
    let index = usize::try_from(*index).ok()?;
    let [made] = origins(scope, list, at).try_into().ok()?;
    let Origin { scope, at, what: What::Computed(Rvalue::Invoke(Callee::Method { method, .. }, elements)) } = made
    else {
        return None;
    };
    if method.class.as_internal() != "java/util/List" || method.name.as_str() != "of" {
        return None;
    }
    match elements.as_slice() {
        [array] if method.descriptor.as_str().starts_with("([") => {
            array_elements(&scope, array, at)?.into_iter().nth(index)
        }
        elements => Some((Rc::clone(&scope), at, elements.get(index)?.clone())),
    }
}

/// The elements stored into a newly made array, with where each is stored.
pub(crate) type Elements<'p> = Vec<(Rc<Scope<'p>>, InstrId, Operand)>;

/// The elements of an array that was made and filled in one place, as for a variable number of arguments.
pub(crate) fn array_elements<'p>(scope: &Rc<Scope<'p>>, array: &Operand, at: InstrId) -> Option<Elements<'p>> {
    let [origin] = origins(scope, array, at).try_into().ok()?;
    let Origin { scope, at: made, what: What::Computed(Rvalue::NewArray(..)) } = origin else { return None };
    let mut elements: Vec<(i32, InstrId, Operand)> = Vec::new();
    for (_, instr) in scope.unit.body.instrs() {
        let Op::PutElement { array, index: Operand::Const(Const::Int(index)), value, .. } = &instr.op else { continue };
        let is_same =
            |origin: &Origin<'p>| origin.at == made && matches!(origin.what, What::Computed(Rvalue::NewArray(..)));
        if origins(&scope, array, instr.id).iter().all(is_same) {
            elements.push((*index, instr.id, value.clone()));
        }
    }
    elements.sort_by_key(|(index, ..)| *index);
    let ordered = elements.iter().enumerate().all(|(position, (index, ..))| i32::try_from(position) == Ok(*index));
    ordered.then(|| elements.into_iter().map(|(_, at, value)| (Rc::clone(&scope), at, value)).collect())
}
