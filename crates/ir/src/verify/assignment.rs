//! Definite assignment: a forward analysis with intersection at joins. An exceptional edge carries what is assigned before the
//! first operation of the block that can throw.

use super::Found;
use crate::body::{Block, Body, Operand, Terminator, Var};

pub(super) fn check(body: &Body, found: &mut Found) {
    let vars: Vec<Var> = body.vars.iter().map(|(var, _)| *var).collect();
    let index = |var: Var| vars.binary_search(&var).ok();
    let has_subroutines = body.blocks.iter().any(|block| matches!(block.end, Terminator::Ret(..)));
    let mut entry = Bits::empty(vars.len());
    for (slot, _) in body.parameters() {
        index(Var::Local(slot)).into_iter().for_each(|bit| entry.insert(bit));
    }
    let before = solve(body, entry, vars.len(), &index);
    for (id, block) in body.block_ids().zip(&body.blocks) {
        // A block that cannot be reached is reported elsewhere.
        let Some(mut assigned) = before[id.0 as usize].clone() else { continue };
        let mut check = |at, operands: Vec<&Operand>, assigned: &Bits| {
            for var in operands.into_iter().filter_map(Operand::as_var) {
                let exempt = has_subroutines && matches!(var, Var::Local(_));
                if !exempt && index(var).is_some_and(|bit| !assigned.contains(bit)) {
                    found.at(id, at, format_args!("reads {var}, which is not assigned on every path"));
                }
            }
        };
        for instr in &block.instrs {
            check(instr.id, instr.op.operands(), &assigned);
            instr.op.defines().and_then(index).into_iter().for_each(|bit| assigned.insert(bit));
        }
        check(block.end_id, block.end.operands(), &assigned);
    }
}

/// What is assigned at the start of each block.
fn solve(body: &Body, entry: Bits, count: usize, index: &impl Fn(Var) -> Option<usize>) -> Vec<Option<Bits>> {
    let mut before: Vec<Option<Bits>> = vec![None; body.blocks.len()];
    before[0] = Some(entry);
    let mut waiting = std::collections::BTreeSet::from([Body::ENTRY]);
    while let Some(id) = waiting.pop_first() {
        let block = body.block(id);
        let start = before[id.0 as usize].clone().unwrap_or_else(|| Bits::empty(count));
        let (thrown, end) = pass(block, start, index);
        let jumps = block.successors().into_iter().map(|target| (target, &end));
        let throws = block.exceptional_successors().map(|target| (target, &thrown));
        for (target, bits) in jumps.chain(throws) {
            let known = &mut before[target.0 as usize];
            let changed = match known {
                Some(known) => known.intersect(bits),
                None => {
                    *known = Some(bits.clone());
                    true
                }
            };
            if changed {
                waiting.insert(target);
            }
        }
    }
    before
}

/// What is assigned where the block first throws, and at its end.
fn pass(block: &Block, mut assigned: Bits, index: &impl Fn(Var) -> Option<usize>) -> (Bits, Bits) {
    let mut thrown = None;
    for instr in &block.instrs {
        if thrown.is_none() && instr.op.can_throw() {
            thrown = Some(assigned.clone());
        }
        instr.op.defines().and_then(index).into_iter().for_each(|bit| assigned.insert(bit));
    }
    (thrown.unwrap_or_else(|| assigned.clone()), assigned)
}

#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn empty(count: usize) -> Self {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }

    /// Whether anything was lost.
    fn intersect(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            changed |= *word & !other != 0;
            *word &= other;
        }
        changed
    }
}
