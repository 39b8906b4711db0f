//! Which method does the compiler choose for a call (JLS 15.12.2)? On erased types, which is exact for what tests contain:
//! arguments whose type is inferred are treated as able to choose any overload.

use crate::generics;
use crate::world::World;
use program::Type;
use program::classfile::signature::MethodSignature;
use recipe::types::{boxed, unboxed};

/// An argument as the compiler sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgType {
    Null,
    Value(Type),
    /// Of this type or a narrower one that the compiler inferred.
    Inferred(Type),
    Lambda,
}

/// A method that could be meant.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) params: Vec<Type>,
    pub(crate) is_varargs: bool,
    /// With its type arguments, where the compiler sees them; for the same parameters.
    pub(crate) signature: Option<MethodSignature>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Strict,
    Loose,
    Variable,
}

/// Whether a call with these arguments means `candidates[wanted]`, written with all arguments of a variable-arity call
/// (`spread`) or with an array for them.
pub(crate) fn means(
    world: &World<'_>,
    candidates: &[Candidate],
    wanted: usize,
    args: &[ArgType],
    spread: bool,
) -> bool {
    for phase in [Phase::Strict, Phase::Loose, Phase::Variable] {
        let applicable: Vec<usize> =
            (0..candidates.len()).filter(|index| applies(world, &candidates[*index], args, phase)).collect();
        if applicable.is_empty() {
            continue;
        }
        if !applicable.contains(&wanted) || (phase == Phase::Variable) != spread {
            return false;
        }
        let uncertain = args.iter().any(|arg| matches!(arg, ArgType::Inferred(_) | ArgType::Lambda));
        if uncertain && potential(world, candidates, args) > 1 {
            return false;
        }
        return applicable.iter().all(|other| {
            *other == wanted || is_more_specific(world, &candidates[wanted], &candidates[*other], args.len(), phase)
        });
    }
    false
}

/// Whether arguments of exactly the parameters' types mean `candidates[wanted]`, so that casts can choose it.
pub(crate) fn can_be_meant(world: &World<'_>, candidates: &[Candidate], wanted: usize) -> bool {
    let exact: Vec<ArgType> = candidates[wanted].params.iter().map(|param| ArgType::Value(*param)).collect();
    means(world, candidates, wanted, &exact, false)
}

/// How many candidates an inferred type could make applicable.
fn potential(world: &World<'_>, candidates: &[Candidate], args: &[ArgType]) -> usize {
    let loosened: Vec<ArgType> =
        args.iter().map(|arg| if let ArgType::Inferred(_) = arg { ArgType::Null } else { *arg }).collect();
    candidates
        .iter()
        .filter(|candidate| {
            applies(world, candidate, &loosened, Phase::Variable) || applies(world, candidate, &loosened, Phase::Loose)
        })
        .count()
}

fn applies(world: &World<'_>, candidate: &Candidate, args: &[ArgType], phase: Phase) -> bool {
    if phase == Phase::Variable && !candidate.is_varargs {
        return false;
    }
    let enough = if phase == Phase::Variable {
        args.len() + 1 >= candidate.params.len()
    } else {
        args.len() == candidate.params.len()
    };
    enough
        && args.iter().enumerate().all(|(index, arg)| {
            param_at(candidate, index, phase).is_some_and(|param| converts(world, *arg, param, phase))
        })
}

/// The type of the n-th parameter, the last one repeated in a call of variable arity.
fn param_at(candidate: &Candidate, index: usize, phase: Phase) -> Option<Type> {
    let last = candidate.params.len().checked_sub(1)?;
    if phase == Phase::Variable && index >= last {
        return match candidate.params[last] {
            Type::Array(array) => Some(array.component()),
            _ => None,
        };
    }
    candidate.params.get(index).copied()
}

fn converts(world: &World<'_>, arg: ArgType, param: Type, phase: Phase) -> bool {
    match arg {
        ArgType::Null => param.is_reference(),
        ArgType::Lambda => match param {
            Type::Class(class) => world.class(class).is_none_or(|class| class.is_interface),
            _ => false,
        },
        ArgType::Value(ty) | ArgType::Inferred(ty) => {
            world.is_subtype(ty, param) || phase != Phase::Strict && converts_by_boxing(world, ty, param)
        }
    }
}

fn converts_by_boxing(world: &World<'_>, ty: Type, param: Type) -> bool {
    if !ty.is_reference() {
        return world.is_subtype(Type::Class(boxed(ty)), param);
    }
    unboxed(ty).is_some_and(|primitive| world.is_subtype(primitive, param))
}

fn is_more_specific(world: &World<'_>, one: &Candidate, other: &Candidate, count: usize, phase: Phase) -> bool {
    let positions = if phase == Phase::Variable { count.max(one.params.len()).max(other.params.len()) } else { count };
    (0..positions).all(|index| match (param_at(one, index, phase), param_at(other, index, phase)) {
        (Some(narrow), Some(wide)) => world.is_subtype(narrow, wide) && is_narrower(world, one, other, index),
        _ => true,
    })
}

/// What type arguments add to the question whether a parameter is more specific than another one (JLS 18.5.4). No class is
/// more specific than a variable that another parameter mentions, too, like `value` of `<V> get(Map<?, V> map, V value)`.
fn is_narrower(world: &World<'_>, one: &Candidate, other: &Candidate, index: usize) -> bool {
    let Some(wide) = &other.signature else { return true };
    if one.params.get(index) != other.params.get(index) && generics::tied_params(wide).contains(&index) {
        return false;
    }
    let narrow = one.signature.as_ref().and_then(|signature| signature.params.get(index));
    match (narrow, wide.params.get(index)) {
        (Some(narrow), Some(wide)) => generics::is_narrower(world, narrow, wide),
        _ => true,
    }
}
