//! Guards: when an implicit check of the JVM passes.

use crate::state::State;
use crate::world::World;
use ir::{Body, Guard, Kind};
use program::Type;
use smt::Term;

/// The condition under which the guard lets control pass; none if that cannot be said.
pub(crate) fn passes(world: &World, state: &State, body: &Body, guard: &Guard) -> Option<Term> {
    let terms = &world.terms;
    let reference = |operand| state.operand(world, body, operand, Kind::Reference);
    let int = |operand| state.operand(world, body, operand, Kind::Int);
    Some(match guard {
        Guard::NotNull(object) => terms.not(world.is_null(reference(object))),
        Guard::InBounds { array, index } => terms.ult(int(index), state.length(world, reference(array))),
        Guard::Castable(object, ty) => {
            let object = reference(object);
            terms.or([world.is_null(object), world.is_instance(object, *ty)])
        }
        Guard::Storable { array, value } => return storable(world, body, reference(array), reference(value), array),
        Guard::NotZero(divisor) => {
            let kind = body.kind_of(divisor).unwrap_or(Kind::Int);
            let divisor = state.operand(world, body, divisor, kind);
            let zero = terms.bits(terms.sort(divisor).width().unwrap_or(32), 0);
            terms.not(terms.eq(divisor, zero))
        }
        Guard::NotNegative(size) => terms.sle(terms.i32(0), int(size)),
    })
}

/// Where the array was allocated here its component type is known; an array that came in may be of any type below its static one.
fn storable(world: &World, body: &Body, array: Term, value: Term, named: &ir::Operand) -> Option<Term> {
    let terms = &world.terms;
    let known = match world.known_type(array) {
        Some(Type::Array(array)) => Some(array.component()),
        _ => match body.type_of(named) {
            // No class is below a final one.
            Some(Type::Array(array)) if is_final(world, array.component()) => Some(array.component()),
            _ => None,
        },
    };
    let component = known?;
    Some(terms.or([world.is_null(value), world.is_instance(value, component)]))
}

fn is_final(world: &World, ty: Type) -> bool {
    ty.as_class().and_then(|class| world.program().class(class)).is_some_and(|class| class.access.is_final())
}

/// The condition under which the guard throws, in the state before it.
pub fn failure(world: &World, state: &State, body: &Body, guard: &Guard) -> Option<Term> {
    passes(world, state, body, guard).map(|passes| world.terms.not(passes))
}
