//! A method with code in lowered form, with everything that follows from that code alone. Each table is computed when it is
//! first asked for, once, and shared by all threads.

use crate::approach::Approach;
use crate::between::may_run_between;
use crate::cfg::{Cfg, Via};
use crate::control_dependence::ControlDependence;
use crate::def_use::DefUse;
use crate::dominators::Dominators;
use crate::loops::Loops;
use crate::merges::Merges;
use crate::post_dominators::PostDominators;
use crate::values::Values;
use ir::{BlockId, Body, Callee, Const, Dynamic, Op, Operand, Operation, Rvalue, Terminator, Var};
use program::{FieldRef, FoundMethod, InstrId, MethodRef};
use std::ops::Range;
use std::sync::OnceLock;

/// A method with code.
#[derive(Debug)]
pub struct Lowered {
    pub method: FoundMethod,
    pub body: Body,
    cfg: OnceLock<Cfg>,
    def_use: OnceLock<DefUse>,
    dominators: OnceLock<Dominators>,
    post_dominators: OnceLock<PostDominators>,
    control_dependence: OnceLock<ControlDependence>,
    loops: OnceLock<Loops>,
    merges: OnceLock<Merges>,
}

/// Where the value of a variable at some place may come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assignment<'a> {
    /// It is the value that the method was started with.
    Entry,
    At(InstrId, &'a Rvalue),
}

impl Lowered {
    /// Of a body that stands for code of this method: usually its own, or one that says what an `invokedynamic` of it does.
    pub fn new(method: FoundMethod, body: Body) -> Self {
        Lowered {
            method,
            body,
            cfg: OnceLock::new(),
            def_use: OnceLock::new(),
            dominators: OnceLock::new(),
            post_dominators: OnceLock::new(),
            control_dependence: OnceLock::new(),
            loops: OnceLock::new(),
            merges: OnceLock::new(),
        }
    }

    pub fn reference(&self) -> MethodRef {
        self.body.method
    }

    pub fn cfg(&self) -> &Cfg {
        self.cfg.get_or_init(|| Cfg::of(&self.body))
    }

    pub fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::of(self.cfg()))
    }

    pub fn post_dominators(&self) -> &PostDominators {
        self.post_dominators.get_or_init(|| PostDominators::of(self.cfg()))
    }

    pub fn control_dependence(&self) -> &ControlDependence {
        self.control_dependence.get_or_init(|| ControlDependence::of(self.cfg(), self.post_dominators()))
    }

    pub fn def_use(&self) -> &DefUse {
        self.def_use.get_or_init(|| DefUse::of(&self.body, self.cfg()))
    }

    pub fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| Loops::of(self.cfg(), self.dominators()))
    }

    pub fn merges(&self) -> &Merges {
        self.merges.get_or_init(|| Merges::of(&self.body))
    }

    pub fn values(&self) -> Values<'_> {
        Values::new(&self.body, self.def_use())
    }

    /// The way to the instruction at `bci`; `None` if it cannot be reached at all.
    pub fn approach(&self, bci: u16) -> Option<Approach> {
        let target = self.body.block_of(bci)?;
        Some(Approach::to_block(&self.body, self.dominators(), self.control_dependence(), target))
    }

    /// What an `invokedynamic` of this method means; `None` for other calls.
    pub fn dynamic(&self, callee: &Callee) -> Option<Dynamic> {
        let Callee::Dynamic { bootstrap, name, descriptor } = callee else { return None };
        Some(Dynamic::resolve(&self.method.class, *bootstrap, *name, *descriptor))
    }

    /// The bytecode of a source line.
    pub fn ranges_of_line(&self, line: u16) -> Vec<Range<u16>> {
        self.method.ranges_of_line(line)
    }

    /// What assigns the value that `var` has just before `at`; empty if that cannot be said.
    pub fn assignments(&self, var: Var, at: InstrId) -> Vec<Assignment<'_>> {
        if let Var::Temp(bci) = var {
            return self.of_temporary(var, bci).into_iter().collect();
        }
        let Some(at) = self.operation_near(at) else { return Vec::new() };
        let reaching = self.def_use().reaching(&self.body, var, at).into_iter();
        reaching
            .filter_map(|definition| definition.at.map_or(Some(Assignment::Entry), |at| self.assignment(at)))
            .collect()
    }

    /// The only operation that assigns the value that `var` has just before `at`.
    pub fn only_assignment(&self, var: Var, at: InstrId) -> Option<Assignment<'_>> {
        match self.assignments(var, at).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Whether some operation assigns the variable.
    pub fn stores_to(&self, var: Var) -> bool {
        self.body.instrs().any(|(_, instr)| instr.op.defines() == Some(var))
    }

    fn assignment(&self, at: InstrId) -> Option<Assignment<'_>> {
        match self.body.operation_at(at)? {
            Operation::Instr(Op::Assign(_, value)) => Some(Assignment::At(at, value)),
            _ => None,
        }
    }

    /// A temporary is assigned at the instruction that it is named after.
    fn of_temporary(&self, var: Var, bci: u16) -> Option<Assignment<'_>> {
        self.body.instrs_at(bci).iter().find_map(|instr| match &instr.op {
            Op::Assign(assigned, value) if *assigned == var => Some(Assignment::At(instr.id, value)),
            _ => None,
        })
    }

    /// Whether a variable is sure to have the same value at both places, in whichever order they run.
    pub fn is_unchanged(&self, var: Var, one: InstrId, other: InstrId) -> bool {
        !self.runs_between(one, other, |op| op.defines() == Some(var))
    }

    /// Whether the method itself may write the field on the way from one place to the other, in whichever order they run.
    pub fn writes_between(&self, field: FieldRef, one: InstrId, other: InstrId) -> bool {
        self.runs_between(one, other, |op| is_write(op, field))
    }

    /// Whether the method itself may write the field before it comes to this place.
    pub fn writes_before(&self, field: FieldRef, at: InstrId) -> bool {
        let Some(at) = self.operation_near(at) else { return true };
        may_run_between(&self.body, self.cfg(), None, at, |op| is_write(op, field))
    }

    fn runs_between(&self, one: InstrId, other: InstrId, matters: impl Fn(&Op) -> bool) -> bool {
        let (Some(one), Some(other)) = (self.operation_near(one), self.operation_near(other)) else { return true };
        let may_run = |from, to| may_run_between(&self.body, self.cfg(), Some(from), to, &matters);
        may_run(one, other) && may_run(other, one)
    }

    /// Block and position of the operation, or of the first one behind it if the instruction became none of its own.
    pub fn place_of(&self, at: InstrId) -> Option<(BlockId, usize)> {
        self.body.place_of(at).or_else(|| {
            let block = self.body.block_of(at.bci)?;
            Some((block, self.body.block(block).instrs.partition_point(|instr| instr.id < at)))
        })
    }

    fn operation_near(&self, at: InstrId) -> Option<InstrId> {
        let (block, position) = self.place_of(at)?;
        let block = self.body.block(block);
        Some(block.instrs.get(position).map_or(block.end_id, |instr| instr.id))
    }

    /// The blocks that go to `block` without an exception.
    pub fn plain_predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let goes_here = move |from: &BlockId| {
            self.cfg().successors(*from).iter().any(|edge| edge.target == block && matches!(edge.via, Via::Jump(_)))
        };
        self.cfg().predecessors(block).iter().copied().filter(goes_here)
    }

    /// The nearest block that every path to `block` goes through.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators().immediate(block)
    }

    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.dominators().dominates(above, below)
    }

    /// Whether control can come back to the block without an exception.
    pub fn is_in_loop(&self, block: BlockId) -> bool {
        let mut seen = vec![block];
        let mut pending = self.body.block(block).successors();
        while let Some(next) = pending.pop() {
            if next == block {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                pending.extend(self.body.block(next).successors());
            }
        }
        false
    }

    /// The constants that branches compare an int with, zero left out: every truth value is compared with that.
    pub fn compared_ints(&self) -> impl Iterator<Item = i32> + '_ {
        self.body.blocks.iter().filter_map(|block| match &block.end {
            Terminator::If { left, right, .. } => [right, left].into_iter().find_map(|operand| match operand {
                Operand::Const(Const::Int(value)) if *value != 0 => Some(*value),
                _ => None,
            }),
            _ => None,
        })
    }

    /// The calls of the method in the order of the code, with their arguments, receiver first.
    pub fn calls(&self) -> impl Iterator<Item = (&Callee, &[Operand])> + '_ {
        self.body.instrs().filter_map(|(_, instr)| instr.op.call())
    }

    /// The operand that the call at `bci` passes as argument `index` (receiver first), and how far below the top of the
    /// stack it is.
    pub fn argument(&self, bci: u16, index: usize) -> Option<(&Operand, u8)> {
        let count = self.call_at(bci)?.1.len();
        let depth = count.checked_sub(index + 1)?;
        Some((self.body.stack_operand(bci, depth)?, u8::try_from(depth).ok()?))
    }

    /// The call at `bci` with its arguments, receiver first.
    pub fn call_at(&self, bci: u16) -> Option<(&Callee, &[Operand])> {
        self.body.instrs_at(bci).iter().find_map(|instr| instr.op.call())
    }
}

/// The class in a reference may be any subclass of the one that declares the field.
fn is_write(op: &Op, field: FieldRef) -> bool {
    let (Op::PutField { field: written, .. } | Op::PutStatic { field: written, .. }) = op else { return false };
    (written.name, written.descriptor) == (field.name, field.descriptor)
}
