//! What may have run between two places of a method: the question behind "is what was read there still so here?". All ways from
//! the *last* run of the first place count, exceptional ones included; what called methods do is not looked at.

use crate::cfg::{Cfg, Via};
use ir::{Block, BlockId, Body, Op};
use program::InstrId;
use std::collections::BTreeSet;

/// Whether an operation that `matters` may have run since control was last just before `from`, when it is just before `to`. With
/// no `from`, since the method was entered. The operation at `from` itself counts. Also true if `to` can be reached without
/// `from`, or if one of them is no operation of the body.
pub fn may_run_between(
    body: &Body,
    cfg: &Cfg,
    from: Option<InstrId>,
    to: InstrId,
    matters: impl Fn(&Op) -> bool,
) -> bool {
    let start = from.map(|from| body.place_of(from));
    let (Some(end), false) = (body.place_of(to), start == Some(None)) else { return true };
    let from = start.flatten();
    if from == Some(end) {
        return false;
    }
    // Ways back from `to`; each is a block with the number of its operations that have run.
    let mut seen = BTreeSet::new();
    let mut waiting = vec![end];
    while let Some((block, ran)) = waiting.pop() {
        if !seen.insert((block, ran)) {
            continue;
        }
        let first = from.filter(|(other, position)| *other == block && *position <= ran).map(|(_, position)| position);
        // The operation at `from` has run unless it is what threw, or where the way starts.
        let instrs = &body.block(block).instrs[first.unwrap_or(0)..ran];
        if instrs.iter().any(|instr| matters(&instr.op)) {
            return true;
        }
        if first.is_some() {
            continue;
        }
        if block == BlockId(0) && from.is_some() {
            return true;
        }
        for before in cfg.predecessors(block) {
            for edge in cfg.successors(*before).iter().filter(|edge| edge.target == block) {
                let left = body.block(*before);
                match edge.via {
                    Via::Jump(_) => waiting.push((*before, left.instrs.len())),
                    Via::Exception(_) => waiting.extend(throwing(left).map(|position| (*before, position))),
                }
            }
        }
    }
    false
}

/// The positions in a block where an exception may leave it; what throws there has not assigned anything.
fn throwing(block: &Block) -> impl Iterator<Item = usize> + '_ {
    let instrs =
        block.instrs.iter().enumerate().filter(|(_, instr)| instr.op.can_throw()).map(|(position, _)| position);
    instrs.chain(block.end.can_throw().then_some(block.instrs.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::def_use::testing::any_body;
    use ir::Var;
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestRng};

    /// Every place of the body, with its id.
    fn places(body: &Body) -> Vec<InstrId> {
        body.blocks.iter().flat_map(|block| block.instrs.iter().map(|i| i.id).chain([block.end_id])).collect()
    }

    /// A random run: the places it comes to, and whether the operation there has ended without an exception.
    fn walk(body: &Body, random: &mut TestRng) -> Vec<(InstrId, bool)> {
        let mut steps = Vec::new();
        let (mut block, mut position) = (BlockId(0), 0);
        while steps.len() < 60 {
            let here = body.block(block);
            let instr = here.instrs.get(position);
            let can_throw = instr.map_or(here.end.can_throw(), |instr| instr.op.can_throw());
            let handlers: Vec<BlockId> = here.exceptional_successors().collect();
            let throws = can_throw && !handlers.is_empty() && random.random_bool(0.3);
            steps.push((instr.map_or(here.end_id, |instr| instr.id), !throws));
            let next = if throws { handlers } else { here.successors() };
            if !throws && instr.is_some() {
                position += 1;
                continue;
            }
            if next.is_empty() {
                break;
            }
            (block, position) = (next[random.random_range(0..next.len())], 0);
        }
        steps
    }

    proptest! {
        /// What is said not to run does not run on random ways.
        #[test]
        fn holds_on_random_ways(body in any_body(), seed: [u8; 32], var in 0u16..4) {
            let cfg = Cfg::of(&body);
            let assigns = |op: &Op| op.defines() == Some(Var::Local(var));
            let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
            for from in places(&body).into_iter().map(Some).chain([None]) {
                for _ in 0..4 {
                    // Since the last time at `from`; `None` before the first.
                    let mut changed = from.is_none().then_some(false);
                    for (at, ended) in walk(&body, &mut random) {
                        if from == Some(at) {
                            changed = Some(false);
                        }
                        let said = may_run_between(&body, &cfg, from, at, assigns);
                        prop_assert!(said || changed == Some(false), "{from:?} {at:?} {changed:?}\n{body}");
                        let assigned = body.instrs().any(|(_, instr)| instr.id == at && assigns(&instr.op));
                        if ended && assigned {
                            changed = changed.map(|_| true);
                        }
                    }
                }
            }
        }
    }
}
