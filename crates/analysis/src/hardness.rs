//! Which methods of a program can symbolic execution hardly follow? The rules of SymCrash (Cao et al., SANER 2014), section 3.2, that
//! speak of a method's own code: predicates nested deeper than 10, recursion, and loops whose variables cannot be expressed by the
//! number of rounds. Its rules about the library need no analysis and are not here.
//!
//! Where the paper is open: data flow within a method is looked at without regard to order, so that a loop counts in doubt; the target of
//! a call is the method that its name resolves to, so that recursion by way of an override is not seen.

use crate::lowered::Lowered;
use crate::methods::Methods;
use ir::{BlockId, Callee, Op, Operand, Rvalue, Terminator, Var};
use program::MethodRef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Why a method is hard to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hardness {
    NestedPredicates,
    Recursion,
    /// A loop that updates a variable of some predicate, conditionally or in an inner loop, a number of times that depends on what
    /// the method is given.
    Loop,
    /// No body that can be lowered.
    NoBody,
}

/// SymCrash takes it from Symbolic PathFinder.
const NESTED: usize = 10;

/// The hard ones among these methods.
pub fn hard_methods(
    methods: &Methods,
    among: impl IntoIterator<Item = MethodRef>,
) -> BTreeMap<MethodRef, BTreeSet<Hardness>> {
    let mut hard: BTreeMap<MethodRef, BTreeSet<Hardness>> = BTreeMap::new();
    let mut calls: BTreeMap<MethodRef, Vec<MethodRef>> = BTreeMap::new();
    for method in among {
        let Some(lowered) = methods.look_at(method) else {
            hard.entry(method).or_default().insert(Hardness::NoBody);
            continue;
        };
        let own = of_method(&lowered);
        if !own.is_empty() {
            hard.entry(method).or_default().extend(own);
        }
        calls.insert(method, called(methods, &lowered));
    }
    for method in recursive(&calls) {
        hard.entry(method).or_default().insert(Hardness::Recursion);
    }
    hard
}

fn called(methods: &Methods, lowered: &Lowered) -> Vec<MethodRef> {
    let named = lowered.calls().filter_map(|(callee, _)| match callee {
        Callee::Method { method, .. } => Some(*method),
        Callee::Dynamic { .. } => None,
    });
    let distinct: BTreeSet<MethodRef> = named.collect();
    let program = methods.program();
    let of_program = distinct.into_iter().filter(|method| !program.is_jdk(method.class));
    of_program.filter_map(|method| Some(methods.resolve(method)?.reference())).collect()
}

/// Methods that get to themselves by calls.
fn recursive(calls: &BTreeMap<MethodRef, Vec<MethodRef>>) -> Vec<MethodRef> {
    let gets_back = |start: &MethodRef| {
        let mut seen = FxHashSet::default();
        let mut waiting = calls[start].clone();
        while let Some(method) = waiting.pop() {
            if method == *start {
                return true;
            }
            if seen.insert(method) {
                waiting.extend(calls.get(&method).into_iter().flatten());
            }
        }
        false
    };
    calls.keys().filter(|method| gets_back(method)).copied().collect()
}

fn of_method(lowered: &Lowered) -> BTreeSet<Hardness> {
    let mut found = BTreeSet::new();
    if nesting(lowered) > NESTED {
        found.insert(Hardness::NestedPredicates);
    }
    if has_hard_loop(lowered) {
        found.insert(Hardness::Loop);
    }
    found
}

/// How many predicates the most nested block depends on, one through the other.
fn nesting(lowered: &Lowered) -> usize {
    let mut depths: FxHashMap<BlockId, usize> = FxHashMap::default();
    // In this order what a block depends on comes before it, unless by way of a loop, which nests once.
    for block in lowered.cfg().reverse_post_order() {
        let on = lowered.control_dependence().of_block(*block).iter().map(|dependence| dependence.on);
        let on = on.filter(|on| on != block && predicate(lowered, *on).is_some());
        let depth = on.filter_map(|on| depths.get(&on)).map(|depth| depth + 1).max().unwrap_or(0);
        depths.insert(*block, depth);
    }
    // The deepest predicate decides about blocks below it.
    depths.values().copied().max().unwrap_or(0)
}

/// What a block's end decides by.
fn predicate(lowered: &Lowered, block: BlockId) -> Option<Vec<Var>> {
    let operands: Vec<&Operand> = match &lowered.body.block(block).end {
        Terminator::If { left, right, .. } => vec![left, right],
        Terminator::Switch { on, .. } => vec![on],
        _ => return None,
    };
    Some(operands.into_iter().filter_map(Operand::as_var).collect())
}

fn has_hard_loop(lowered: &Lowered) -> bool {
    if lowered.loops().all().is_empty() {
        return false;
    }
    let flow = Flow::of(lowered);
    let decisive = flow.sources(lowered.cfg().blocks().filter_map(|block| predicate(lowered, block)).flatten());
    lowered.loops().all().iter().any(|natural| {
        let inside: BTreeSet<BlockId> = natural.blocks.iter().copied().collect();
        let leaves =
            |block: &BlockId| lowered.cfg().successors(*block).iter().any(|edge| !inside.contains(&edge.target));
        let exits = natural.blocks.iter().filter(|block| leaves(block));
        let until = flow.sources(exits.filter_map(|block| predicate(lowered, *block)).flatten());
        if !until.iter().any(|var| flow.external.contains(var)) {
            return false;
        }
        let is_irregular = |block: BlockId| {
            let in_inner = lowered.loops().innermost(block).is_some_and(|inner| inner.header != natural.header);
            let conditions = lowered.control_dependence().of_block(block).iter().map(|dependence| dependence.on);
            let mut conditions = conditions.filter(|on| predicate(lowered, *on).is_some());
            in_inner || conditions.any(|on| inside.contains(&on) && !leaves(&on))
        };
        let updated = natural.blocks.iter().filter(|block| is_irregular(**block));
        let mut updated = updated.flat_map(|block| &lowered.body.block(*block).instrs);
        updated.any(|instr| instr.op.defines().is_some_and(|var| flow.is_updated(var) && decisive.contains(&var)))
    })
}

/// Which variables are computed from which, anywhere in the method.
struct Flow {
    from: FxHashMap<Var, Vec<Var>>,
    /// Variables that hold something from outside of the method: what it was started with, what is read, what calls return.
    external: FxHashSet<Var>,
    assigned: FxHashMap<Var, usize>,
}

impl Flow {
    fn of(lowered: &Lowered) -> Flow {
        let mut from: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
        let mut external = FxHashSet::default();
        let mut assigned: FxHashMap<Var, usize> = FxHashMap::default();
        let mut used = FxHashSet::default();
        for (_, instr) in lowered.body.instrs() {
            used.extend(instr.op.operands().into_iter().filter_map(Operand::as_var));
            let Op::Assign(var, value) = &instr.op else { continue };
            *assigned.entry(*var).or_default() += 1;
            from.entry(*var).or_default().extend(value.operands().into_iter().filter_map(Operand::as_var));
            if matches!(
                value,
                Rvalue::GetField(..)
                    | Rvalue::GetStatic(_)
                    | Rvalue::GetElement { .. }
                    | Rvalue::Length(_)
                    | Rvalue::Invoke(..)
            ) {
                external.insert(*var);
            }
        }
        // What is used and never assigned was there at the start; a parameter that is assigned is both.
        external.extend(used.into_iter().filter(|var| !assigned.contains_key(var)));
        Flow { from, external, assigned }
    }

    /// These and what they are computed from.
    fn sources(&self, vars: impl IntoIterator<Item = Var>) -> FxHashSet<Var> {
        let mut found = FxHashSet::default();
        let mut waiting: Vec<Var> = vars.into_iter().collect();
        while let Some(var) = waiting.pop() {
            if found.insert(var) {
                waiting.extend(self.from.get(&var).into_iter().flatten());
            }
        }
        found
    }

    /// Assigned more than once: what is assigned once in a loop is new in every round.
    fn is_updated(&self, var: Var) -> bool {
        self.assigned.get(&var).is_some_and(|count| *count > 1)
    }
}
