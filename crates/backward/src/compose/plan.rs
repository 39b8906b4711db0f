//! Plans: a condition, and the calls after which it is asked for.

use super::Composer;
use objects::{AccessContext, Callable, Way};
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::Access;
use rustc_hash::{FxHashSet, FxHasher};
use smt::{Node, Term};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use symbolic::Leaf;

/// What it costs to call the same once more.
const AGAIN: usize = 4;

/// What it costs not to know the state of an object.
const GUESS: usize = 20;

/// Something that the test does.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) receiver: Option<Term>,
    pub(crate) args: Vec<(Term, Type)>,
    /// The object that its result stands for.
    pub(crate) makes: Option<Term>,
}

#[derive(Clone, Debug)]
pub(crate) enum Act {
    Call {
        callable: Arc<Callable>,
        /// The name under which it is called.
        name: MethodRef,
        access: Access,
        /// The class of what it gives, where that is known better.
        creates: Option<ClassName>,
    },
    /// An object of a subclass of the test's own, which overrides nothing.
    Subclass(Way),
    /// Writes a field of the receiver; a static one without a receiver.
    Put { field: FieldRef, access: Access },
}

/// A condition, and what is done after which it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) formula: Vec<Term>,
    /// The last one first.
    pub(crate) steps: Vec<Step>,
    /// Objects that have to be made, with their declared types, in the order in which they came up.
    pub(super) objects: Vec<(Term, Type)>,
    /// Some object is in a state that nobody knows.
    pub(super) is_guess: bool,
    /// Something was let in or skipped on the way here, so that it need not do what is wanted.
    pub(super) is_loose: bool,
    pub(super) cost: usize,
}

impl Plan {
    /// Its calls, the first one first.
    pub(super) fn said(&self) -> String {
        let calls = self.steps.iter().rev().map(|step| match &step.act {
            Act::Call { name, .. } => name.to_string(),
            Act::Subclass(way) => way.to_string(),
            Act::Put { field, .. } => format!("{field} ="),
        });
        let calls: Vec<String> = calls.collect();
        format!(
            "{} with {} conditions, cost {}, guess {}",
            calls.join("; "),
            self.formula.len(),
            self.cost,
            self.is_guess
        )
    }
}

impl Composer<'_> {
    /// The same for plans with the same calls, in whatever order, that leave conditions of the same form.
    pub(super) fn gist(&self, plan: &Plan) -> u64 {
        fn hash(of: impl Hash) -> u64 {
            let mut hasher = FxHasher::default();
            of.hash(&mut hasher);
            hasher.finish()
        }
        let terms = &self.world.terms;
        let of_term = |term: Term| match (self.world.leaf_of(term), terms.node(term)) {
            // Each call has arguments of its own.
            (Some(Leaf::Argument { kind, .. } | Leaf::Unknown { kind, .. }), _) => hash(kind),
            (Some(leaf), _) => hash(leaf),
            (None, node @ (Node::Bits { .. } | Node::Str(_))) => hash(node),
            (None, node) => hash(std::mem::discriminant(&node)),
        };
        let of_terms = terms.subterms(&plan.formula).into_iter().map(of_term);
        let of_steps = plan.steps.iter().map(|step| match &step.act {
            Act::Call { name, .. } => hash(name),
            Act::Subclass(way) => hash(way.to_string()),
            Act::Put { field, .. } => hash(field),
        });
        of_terms.chain(of_steps).fold(0, u64::wrapping_add)
    }

    /// What has been done, and what is still to be brought about.
    pub(super) fn cost(&self, plan: &Plan) -> usize {
        let reads = self.world.terms.subterms(&plan.formula).into_iter().filter(|term| {
            let Node::Select(region, _) = self.world.terms.node(*term) else { return false };
            matches!(self.world.leaf_of(region), Some(Leaf::Region(_)))
        });
        let access = plan.steps.iter().map(|step| match step.act {
            Act::Call { access, .. } | Act::Put { access, .. } | Act::Subclass(Way { access, .. }) => match access {
                Access::Public => 0,
                Access::Package => 6,
                Access::Reflective => 12,
            },
        });
        let guess = if plan.is_guess { GUESS } else { 0 };
        3 * plan.steps.len() + AGAIN * repeated(plan) + 2 * reads.count() + access.sum::<usize>() + guess
    }
}

/// Calls of methods that are called before.
fn repeated(plan: &Plan) -> usize {
    let calls = plan.steps.iter().filter_map(|step| match &step.act {
        Act::Call { name, .. } => Some(name),
        Act::Subclass(_) | Act::Put { .. } => None,
    });
    let all: Vec<&MethodRef> = calls.collect();
    let different: FxHashSet<&MethodRef> = all.iter().copied().collect();
    all.len() - different.len()
}

/// Whether the plan takes all the access that there is: what takes less was tried with less.
pub(super) fn uses(plan: &Plan, from: AccessContext) -> bool {
    let mut accesses = plan.steps.iter().map(|step| match step.act {
        Act::Call { access, .. } | Act::Put { access, .. } | Act::Subclass(Way { access, .. }) => access,
    });
    !from.reflection || accesses.any(|access| access == Access::Reflective)
}
