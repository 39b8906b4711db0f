//! Under which condition control takes a way through a method: the conditions of single branches, and the branches that
//! decide whether a place is reached.
//!
//! From a block up the dominator tree: the way from each dominator to the next is a condition over the branches between,
//! which is why `if (a < 0 || b > c) throw` gives one guard with two parts. Loops are taken at most once, ways through
//! exception handlers are left out; both make the guard a necessary condition at best where they matter.

use crate::models;
use crate::scope::Scope;
use analysis::{Assignment, Lowered};
use condition::{CompareOp, Condition, Const, Expr, NumberKind};
use ir::{Block, BlockId, Callee, Operand, Rvalue, Terminator, ThreeWay, Var};
use program::{FieldRef, InstrId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A branch, or several that decide together, on the way to a place.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The first of the branches.
    pub(crate) at: InstrId,
    pub(crate) when: Condition,
}

/// The guards of `block`, innermost first, as far up as the method's entry. Conditions are stated for the scope's anchor;
/// for the anchor itself, as of each guard's own place. They may have unknown parts.
pub(crate) fn guards_of(scope: &Scope<'_>, block: BlockId) -> Vec<Guard> {
    let unit = &scope.unit;
    let mut guards = Vec::new();
    let mut below = block;
    while let Some(above) = unit.immediate_dominator(below) {
        let at = unit.body.block(above).end_id;
        let when = Ways::new(&scope.moved(at), above, below).from(above);
        if when != Condition::True && when != Condition::False {
            guards.push(Guard { at, when });
        }
        below = above;
    }
    guards
}

/// Conditions with more parts than this are not worth having.
const LARGEST: usize = 12;

/// The ways from a dominator to a block below it.
struct Ways<'a> {
    scope: &'a Scope<'a>,
    target: BlockId,
    /// Blocks from which the target is reached without going through the dominator again.
    useful: FxHashSet<BlockId>,
    known: FxHashMap<BlockId, Condition>,
    on_path: Vec<BlockId>,
}

impl<'a> Ways<'a> {
    fn new(scope: &'a Scope<'a>, from: BlockId, target: BlockId) -> Self {
        let useful = reaching(&scope.unit, from, target);
        Ways { scope, target, useful, known: FxHashMap::default(), on_path: Vec::new() }
    }

    /// The condition under which control gets from the end of `block` to the target.
    fn from(&mut self, block: BlockId) -> Condition {
        let body = &self.scope.unit.body;
        let found = body.block(block);
        let successors = found.successors();
        if successors.is_empty() {
            return Condition::False;
        }
        let after: Vec<Condition> = successors.iter().map(|next| self.at(*next)).collect();
        if after.iter().all(|next| *next == after[0]) {
            return after[0].clone();
        }
        self.on_path.push(block);
        let ways = combine(self.scope, found, &after);
        self.on_path.pop();
        if size(&ways) > LARGEST { Condition::True } else { ways }
    }

    fn at(&mut self, block: BlockId) -> Condition {
        if block == self.target {
            return Condition::True;
        }
        if !self.useful.contains(&block) || self.on_path.contains(&block) {
            return Condition::False;
        }
        if let Some(known) = self.known.get(&block) {
            return known.clone();
        }
        self.on_path.push(block);
        let when = self.from(block);
        self.on_path.pop();
        self.known.insert(block, when.clone());
        when
    }
}

/// `c && yes || !c && no`, in the shortest form.
fn combine(scope: &Scope<'_>, block: &Block, after: &[Condition]) -> Condition {
    match &block.end {
        Terminator::If { .. } => {
            let (yes, no) = (after[0].clone(), after[1].clone());
            let (taken, not_taken) = (outcome(scope, block, 0), outcome(scope, block, 1));
            if yes == Condition::True {
                return Condition::any([taken, no]);
            }
            if no == Condition::True {
                return Condition::any([not_taken, yes]);
            }
            Condition::any([Condition::all([taken, yes]), Condition::all([not_taken, no])])
        }
        Terminator::Switch { .. } => {
            let ways = after.iter().enumerate().filter(|(_, next)| **next != Condition::False);
            Condition::any(ways.map(|(index, next)| Condition::all([outcome(scope, block, index), next.clone()])))
        }
        _ => Condition::any(after.to_vec()),
    }
}

/// The condition under which the block's terminator goes to its successor number `index`; see [`Block::successors`].
pub(crate) fn outcome(scope: &Scope<'_>, block: &Block, index: usize) -> Condition {
    match &block.end {
        Terminator::If { op, left, right, .. } => comparison(scope, block.end_id, *op, left, right, index == 0),
        Terminator::Switch { on, cases, .. } => {
            let value = scope.value(on, block.end_id);
            match cases.get(index) {
                Some((case, _)) => Condition::compare_ints(value, CompareOp::Eq, Expr::int(*case)),
                None if cases.len() > LARGEST => Condition::True,
                None => Condition::all(
                    cases
                        .iter()
                        .map(|(case, _)| Condition::compare_ints(value.clone(), CompareOp::Ne, Expr::int(*case))),
                ),
            }
        }
        _ => Condition::True,
    }
}

/// `left op right`, or its opposite if `holds` is false.
fn comparison(
    scope: &Scope<'_>,
    at: InstrId,
    op: CompareOp,
    left: &Operand,
    right: &Operand,
    holds: bool,
) -> Condition {
    let op = if holds { op } else { op.negated() };
    if let Some(tested) = definition(&scope.unit, left, at)
        && *right == Operand::Const(ir::Const::Int(0))
    {
        match tested {
            (defined, Rvalue::ThreeWay(kind, a, b)) => {
                let (a, b) = (scope.value(a, defined), scope.value(b, defined));
                return three_way(*kind, op, a, b);
            }
            (defined, Rvalue::InstanceOf(value, ty)) => {
                let is = Condition::InstanceOf(scope.value(value, defined), *ty);
                return if op == CompareOp::Eq { is.negated() } else { is };
            }
            (defined, Rvalue::Invoke(Callee::Method { method, .. }, args)) => {
                if let Some(predicate) = models::predicate(*method) {
                    let args = args.iter().map(|arg| scope.value(arg, defined)).collect();
                    let is = Condition::Predicate(predicate, args);
                    return if op == CompareOp::Eq { is.negated() } else { is };
                }
                if let Some(returned) = returned_boolean(scope, defined, op == CompareOp::Ne) {
                    return returned;
                }
            }
            _ => {}
        }
    }
    let (left_value, right_value) = (scope.value(left, at), scope.value(right, at));
    if matches!(left_value, Expr::Unknown(_))
        && let Some(when) = by_definitions(scope, at, op, left, right)
    {
        return when;
    }
    if models::is_representation(&left_value) {
        return Condition::True;
    }
    let is_reference = scope.unit.body.kind_of(left) == Some(ir::Kind::Reference);
    let negate = |is: Condition| if op == CompareOp::Ne { is.negated() } else { is };
    match (&left_value, &right_value) {
        (Expr::Const(Const::Null), Expr::Const(Const::Null)) => negate(Condition::True),
        (Expr::Const(Const::Null), _) => negate(null(scope, right_value)),
        (_, Expr::Const(Const::Null)) => negate(null(scope, left_value)),
        _ if is_reference => negate(Condition::Same(left_value, right_value)),
        _ => Condition::compare_ints(left_value, op, right_value),
    }
}

/// The comparison of a variable that was assigned on several ways (`x = a ? b : c`): on each way, that of what was assigned.
fn by_definitions(scope: &Scope<'_>, at: InstrId, op: CompareOp, left: &Operand, right: &Operand) -> Option<Condition> {
    let Operand::Var(var) = left else { return None };
    let Operand::Const(_) = right else { return None };
    let definitions = scope.unit.assignments(*var, at);
    if !(2..=MOST_DEFINITIONS).contains(&definitions.len()) {
        return None;
    }
    let _nested = scope.units.nest()?;
    let (here, _) = scope.unit.place_of(at)?;
    let common: Vec<InstrId> = guards_of(scope, here).into_iter().map(|guard| guard.at).collect();
    let mut ways = Vec::new();
    for definition in definitions {
        let Assignment::At(assigned, Rvalue::Use(value) | Rvalue::Cast(value, _)) = definition else { return None };
        let (block, _) = scope.unit.place_of(assigned)?;
        // What is assigned first and perhaps changed later holds where nothing else was assigned, which is not said here.
        if scope.unit.dominates(block, here) {
            return None;
        }
        let own = guards_of(scope, block).into_iter().filter(|guard| !common.contains(&guard.at));
        let path: Vec<Condition> = own.map(|guard| guard.when).collect();
        let same = comparison(scope, assigned, op, value, right, true);
        ways.push(Condition::all(path.into_iter().rev().chain([same])));
    }
    Some(Condition::any(ways)).filter(|when| !is_unknown(when) && size(when) <= LARGEST)
}

const MOST_DEFINITIONS: usize = 4;

/// `value == null`, decided for what is never null.
fn null(scope: &Scope<'_>, value: Expr) -> Condition {
    // The JDK's constants are set.
    let is_constant = |field: &FieldRef| {
        let program = scope.units.program;
        scope.caller.is_some()
            && program.is_jdk(field.class)
            && program.resolve_field(*field).found().is_some_and(|f| f.access.is_final())
    };
    match &value {
        Expr::Static(field) if is_constant(field) => Condition::False,
        _ if models::is_never_null(&value) => Condition::False,
        _ => Condition::IsNull(value),
    }
}

/// Inside a callee: when a boolean helper that it calls returns `wanted`, if the helper is a plain decision.
fn returned_boolean(scope: &Scope<'_>, call: InstrId, wanted: bool) -> Option<Condition> {
    if scope.caller.is_none() || scope.depth() > DEEPEST_HELPER {
        return None;
    }
    let here = scope.moved(call);
    let (Callee::Method { kind, method, .. }, _) = here.unit.call_at(call.bci)? else { return None };
    let found = scope.units.program.resolve_method(*method).found()?;
    let is_fixed = !matches!(kind, ir::InvokeKind::Virtual | ir::InvokeKind::Interface)
        || found.access.is_final()
        || found.access.is_private()
        || found.class.access.is_final();
    if !is_fixed || scope.contains(found.reference()) {
        return None;
    }
    let inner = here.call(scope.units.get(found.reference())?, InstrId::at(0));
    let mut ways = Vec::new();
    for (at, value) in returned_constants(&inner.unit)? {
        if (value != 0) == wanted {
            let (block, _) = inner.unit.place_of(at)?;
            ways.push(Condition::all(guards_of(&inner, block).into_iter().rev().map(|guard| guard.when)));
        }
    }
    Some(Condition::any(ways)).filter(|when| size(when) <= LARGEST && !is_unknown(when))
}

/// Helpers of helpers are followed so far.
const DEEPEST_HELPER: usize = 6;

/// Where the method decides on each constant that it returns; `None` if it returns anything else.
fn returned_constants(unit: &Lowered) -> Option<Vec<(InstrId, i32)>> {
    let mut all = Vec::new();
    for block in unit.body.block_ids() {
        let block = unit.body.block(block);
        let Terminator::Return(Some(returned)) = &block.end else { continue };
        match returned {
            Operand::Const(ir::Const::Int(value)) => all.push((block.end_id, *value)),
            Operand::Var(var) => {
                for definition in unit.assignments(*var, block.end_id) {
                    let Assignment::At(at, Rvalue::Use(Operand::Const(ir::Const::Int(value)))) = definition else {
                        return None;
                    };
                    all.push((at, *value));
                }
            }
            Operand::Const(_) => return None,
        }
    }
    Some(all).filter(|all| !all.is_empty())
}

/// A boolean that was computed by branches (`check(a < b)`) as the condition of these branches, at the place of the anchor.
pub(crate) fn with_booleans(anchor: &Scope<'_>, when: Condition) -> Condition {
    match when {
        Condition::All(parts) => Condition::all(parts.into_iter().map(|part| with_booleans(anchor, part))),
        Condition::Any(parts) => Condition::any(parts.into_iter().map(|part| with_booleans(anchor, part))),
        Condition::Compare { kind, op: op @ (CompareOp::Eq | CompareOp::Ne), left: Expr::Operand(depth), right }
            if right == Expr::int(0) =>
        {
            let computed = computed_boolean(anchor, depth, op == CompareOp::Ne);
            computed.unwrap_or(Condition::Compare { kind, op, left: Expr::Operand(depth), right })
        }
        other => other,
    }
}

fn computed_boolean(anchor: &Scope<'_>, depth: u8, wanted: bool) -> Option<Condition> {
    let Operand::Var(var @ Var::Merge { .. }) = anchor.unit.body.stack_operand(anchor.at.bci, usize::from(depth))?
    else {
        return None;
    };
    let (here, _) = anchor.unit.place_of(anchor.at)?;
    let common: Vec<InstrId> = guards_of(anchor, here).into_iter().map(|guard| guard.at).collect();
    let mut ways = Vec::new();
    for definition in anchor.unit.assignments(*var, anchor.at) {
        let Assignment::At(at, Rvalue::Use(Operand::Const(ir::Const::Int(value)))) = definition else { return None };
        if (*value != 0) == wanted {
            let (block, _) = anchor.unit.place_of(at)?;
            let own = guards_of(anchor, block).into_iter().filter(|guard| !common.contains(&guard.at));
            ways.push(Condition::all(own.map(|guard| guard.when).collect::<Vec<_>>().into_iter().rev()));
        }
    }
    Some(Condition::any(ways)).filter(|when| !is_unknown(when) && !matches!(when, Condition::True | Condition::False))
}

fn three_way(kind: ThreeWay, op: CompareOp, a: Expr, b: Expr) -> Condition {
    let (kind, nan) = match kind {
        ThreeWay::Long => return Condition::compare(NumberKind::Long, a, op, b),
        ThreeWay::Float { nan } => (NumberKind::Float, nan),
        ThreeWay::Double { nan } => (NumberKind::Double, nan),
    };
    // With a NaN the comparison gives `nan`; then source's own operator is false.
    let true_for_nan = op.holds(nan.cmp(&0));
    if true_for_nan && op != CompareOp::Ne {
        return Condition::compare(kind, a, op.negated(), b).negated();
    }
    Condition::compare(kind, a, op, b)
}

/// The operation that computes a value on the stack.
fn definition<'a>(unit: &'a Lowered, operand: &Operand, at: InstrId) -> Option<(InstrId, &'a Rvalue)> {
    let Operand::Var(var @ Var::Temp(_)) = operand else { return None };
    match unit.only_assignment(*var, at)? {
        Assignment::At(defined, value) => Some((defined, value)),
        Assignment::Entry => None,
    }
}

/// A condition anchored at the branch `at`, with what this branch decides told by its own operands where nobody could look at it
/// otherwise: what a call returned is on the stack then, and nowhere else.
pub(crate) fn as_seen_at(scope: &Scope<'_>, at: InstrId, when: Condition) -> Condition {
    let Some((block, _)) = scope.unit.place_of(at) else { return when };
    let (here, block) = (scope.moved(at), scope.unit.body.block(block));
    let Terminator::If { op, left, right, .. } = &block.end else { return when };
    let taken = outcome(&here, block, 0);
    if taken.exprs().into_iter().all(is_at_hand) {
        return when;
    }
    match by_operands(&here, *op, left, right) {
        Some(seen) => replaced(when, &taken, &outcome(&here, block, 1), &seen),
        None => when,
    }
}

/// Whether a value can be looked at wherever its method has got to.
fn is_at_hand(expr: &Expr) -> bool {
    let is_gone = |part: &Expr| match part {
        Expr::CallResult { .. } => !part.is_computed(),
        Expr::Created(..) | Expr::Caught(_) | Expr::Unknown(_) => true,
        _ => false,
    };
    !expr.contains(&is_gone)
}

/// The comparison of a branch over its operands.
fn by_operands(here: &Scope<'_>, op: CompareOp, left: &Operand, right: &Operand) -> Option<Condition> {
    let on_stack = |depth| here.unit.body.stack_operand(here.at.bci, depth);
    let is_reference = here.unit.body.kind_of(left) == Some(ir::Kind::Reference);
    let is = match right {
        Operand::Const(ir::Const::Null) if on_stack(0) == Some(left) => Condition::is_null(Expr::Operand(0)),
        Operand::Const(ir::Const::Int(0)) if on_stack(0) == Some(left) => {
            return Some(Condition::compare_ints(Expr::Operand(0), op, Expr::int(0)));
        }
        _ if on_stack(0) != Some(right) || on_stack(1) != Some(left) => return None,
        _ if is_reference => Condition::Same(Expr::Operand(1), Expr::Operand(0)),
        _ => return Some(Condition::compare_ints(Expr::Operand(1), op, Expr::Operand(0))),
    };
    Some(if op == CompareOp::Ne { is.negated() } else { is })
}

/// The condition with one of its parts, and the opposite of that, said in another way.
fn replaced(when: Condition, taken: &Condition, not_taken: &Condition, seen: &Condition) -> Condition {
    match when {
        part if part == *taken => seen.clone(),
        part if part == *not_taken => seen.clone().negated(),
        Condition::All(parts) => Condition::all(parts.into_iter().map(|part| replaced(part, taken, not_taken, seen))),
        Condition::Any(parts) => Condition::any(parts.into_iter().map(|part| replaced(part, taken, not_taken, seen))),
        other => other,
    }
}

/// What is left of a condition without the parts that could not be followed, and whether that is all of it.
pub(crate) fn without_unknown(when: Condition) -> (Condition, bool) {
    if !is_unknown(&when) {
        return (when, true);
    }
    match when {
        Condition::All(parts) => (Condition::all(parts.into_iter().map(|part| without_unknown(part).0)), false),
        Condition::Any(parts) => {
            // A part about which nothing is known does not make the others less of a reason.
            let known: Vec<Condition> =
                parts.into_iter().map(|part| without_unknown(part).0).filter(|part| *part != Condition::True).collect();
            (if known.is_empty() { Condition::True } else { Condition::any(known) }, false)
        }
        _ => (Condition::True, false),
    }
}

/// Something in the condition could not be followed.
pub(crate) fn is_unknown(condition: &Condition) -> bool {
    condition.exprs().into_iter().any(|expr| !expr.is_known())
}

fn size(condition: &Condition) -> usize {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().map(size).sum(),
        Condition::Not(inner) => size(inner),
        _ => 1,
    }
}

/// Blocks from which control gets to `target` without going through `from`.
fn reaching(unit: &Lowered, from: BlockId, target: BlockId) -> FxHashSet<BlockId> {
    let mut useful = FxHashSet::from_iter([target]);
    let mut pending = vec![target];
    while let Some(block) = pending.pop() {
        for before in unit.plain_predecessors(block) {
            if before != from && useful.insert(before) {
                pending.push(before);
            }
        }
    }
    useful
}
