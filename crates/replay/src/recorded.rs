//! What was recorded of values (SymCrash's SymCon): the latest result of each call, and what each method was given last, counts. A result that is known as a
//! whole takes the place of what the call would compute; one of which only the shape is known limits it.

use analysis::Lowered;
use engine::{Recorded, Waypoint};
use ir::{Operand, Parameter, Var};
use program::{CodePoint, InstrId, MethodRef, Type};
use smt::{Sort, Term};
use std::collections::BTreeMap;
use symbolic::{Spot, State, Way, World};

/// The latest values, by their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    results: BTreeMap<CodePoint, Recorded>,
    parameters: BTreeMap<(MethodRef, u16), Recorded>,
}

impl Results {
    pub(crate) fn of(waypoints: &[Waypoint]) -> Results {
        let mut of = Results::default();
        for point in waypoints {
            match point {
                Waypoint::Returned { at, value } => drop(of.results.insert(*at, value.clone())),
                Waypoint::Parameter { of: method, slot, value } => {
                    of.parameters.insert((*method, *slot), value.clone());
                }
                _ => {}
            }
        }
        of
    }

    /// What was recorded of the call or the field that is there.
    pub(crate) fn at(&self, spot: Spot<'_>) -> Option<&Recorded> {
        if self.results.is_empty() {
            return None;
        }
        let instr = spot.method.body.block(spot.block).instrs.get(spot.index)?;
        instr.op.defines()?;
        self.results.get(&CodePoint { method: spot.method.reference(), at: InstrId::at(instr.id.bci) })
    }

    /// Assumes of the parameters of the method, at its entry, what was recorded of them.
    pub(crate) fn limit_entry(&self, world: &World, method: &Lowered, state: &mut State) {
        let body = &method.body;
        for (slot, parameter) in body.parameters() {
            let Parameter::Declared(_, ty) = parameter else { continue };
            let Some(recorded) = self.parameters.get(&(method.reference(), slot)) else { continue };
            let value = state.var(world, body, Var::Local(slot), ir::kind_of_type(ty));
            let is_array = matches!(ty, Type::Array(_));
            for condition in agreement(world, state, (value, is_array), recorded) {
                state.assume(world, condition);
            }
        }
    }
}

/// What the call gives there, if that was recorded as a whole.
pub(crate) fn replacement(world: &World, state: &mut State, ty: Type, recorded: &Recorded) -> Option<Term> {
    let terms = &world.terms;
    match (recorded, ty) {
        (Recorded::Integer(least, most), Type::Long) if least == most => Some(terms.i64(*least)),
        (Recorded::Integer(least, most), ty) if least == most && !ty.is_reference() => {
            let is_int = !matches!(ty, Type::Float | Type::Double);
            is_int.then(|| i32::try_from(*least).ok().map(|value| terms.i32(value))).flatten()
        }
        (Recorded::Null, ty) if ty.is_reference() => Some(terms.null()),
        (Recorded::Text(text), ty) if ty.is_reference() => {
            let text = terms.string(text);
            Some(state.new_text(world, text))
        }
        _ => None,
    }
}

/// Assumes of the result that it has the shape that was recorded. The way is behind the call at `spot`.
pub(crate) fn limit(world: &World, way: &mut Way, call: Spot<'_>, recorded: &Recorded) {
    let Some(instr) = call.method.body.block(call.block).instrs.get(call.index) else { return };
    let Some(var) = instr.op.defines() else { return };
    let Some(value) = way.state().vars.get(&var).copied() else { return };
    let is_array = matches!(call.method.body.type_of(&Operand::Var(var)), Some(Type::Array(_)));
    for condition in agreement(world, way.state(), (value, is_array), recorded) {
        way.state_mut().assume(world, condition);
    }
}

fn agreement(world: &World, state: &State, (value, is_array): (Term, bool), recorded: &Recorded) -> Vec<Term> {
    let terms = &world.terms;
    let sort = terms.sort(value);
    let exists = || terms.not(terms.is_null(value));
    match (recorded, sort) {
        (Recorded::Integer(least, most), Sort::Bv(64)) => {
            vec![terms.sle(terms.i64(*least), value), terms.sle(value, terms.i64(*most))]
        }
        (Recorded::Integer(least, most), Sort::Bv(32)) => {
            let within = |bound: &i64| terms.i32((*bound).clamp(i32::MIN.into(), i32::MAX.into()) as i32);
            vec![terms.sle(within(least), value), terms.sle(value, within(most))]
        }
        (Recorded::Null, Sort::Ref) => vec![terms.is_null(value)],
        (Recorded::Integer(..) | Recorded::NotNull, Sort::Ref) => vec![exists()],
        (Recorded::Length(length), Sort::Ref) => {
            let length = terms.i32(i32::try_from(*length).unwrap_or(i32::MAX));
            let text = || terms.length(state.text_of(world, value));
            let actual = if is_array { state.length(world, value) } else { text() };
            vec![exists(), terms.eq(actual, length)]
        }
        (Recorded::Text(text), Sort::Ref) => {
            vec![exists(), terms.eq(state.text_of(world, value), terms.string(text))]
        }
        _ => Vec::new(),
    }
}

/// The type of what the call at the spot gives.
pub(crate) fn result_type(spot: Spot<'_>) -> Option<Type> {
    let instr = spot.method.body.block(spot.block).instrs.get(spot.index)?;
    match instr.op.call()?.0 {
        ir::Callee::Method { method, .. } => method.signature().ret,
        _ => None,
    }
}
