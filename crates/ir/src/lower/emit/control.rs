//! The ends of blocks, the copies into merge variables, and the edges to handlers. Copies for a block with one successor are
//! written at its end; those for one of several successors get a block on that edge, since on the other edges the variables
//! may still be needed.

use super::super::LowerError;
use super::super::frame::Frame;
use super::super::stack::{Source, Value};
use super::Emitter;
use crate::body::{Block, BlockId, CompareOp, Const, HandlerEdge, Instr, Op, Operand, Rvalue, Terminator, Var};
use program::InstrId;
use program::classfile::{BranchTest, Instruction};

/// A terminator and its name.
type End = (Terminator, InstrId);

/// An assignment to a merge variable; all copies of an edge are meant to happen at once.
struct Copy {
    to: Var,
    from: Operand,
    value: Value,
}

/// The branch whose edges are being made.
struct Branch<'f> {
    bci: u16,
    frame: &'f Frame,
    /// Edges made so far, by the block of bytecode that they lead to.
    edges: Vec<(usize, BlockId)>,
}

impl Emitter<'_, '_> {
    /// What happens at the start of a block: its merge variables are declared, and a handler takes its exception.
    pub(super) fn enter(&mut self, block: usize) -> Result<(), LowerError> {
        let Some(entry) = &self.entries[block] else { return Ok(()) };
        let (by_jump, by_exception) = (entry.by_jump, entry.by_exception);
        let start = self.code.blocks[block].start;
        for value in entry.frame.stack.0.clone() {
            if let Source::Merge { join, depth } = value.source
                && join == start
            {
                self.declare(Var::Merge { join, depth }, value.ty);
            }
        }
        if !by_exception {
            return Ok(());
        }
        let op = Op::Assign(Var::Merge { join: start, depth: 0 }, Rvalue::Caught);
        if !by_jump {
            return self.push(op);
        }
        let caught = Instr { id: self.id()?, op };
        let end = (Terminator::Goto(self.id_of(block)), self.id()?);
        let landing = self.landing(block);
        self.put_on_edge(landing, start, vec![caught], end);
        Ok(())
    }

    pub(super) fn handlers(&mut self, block: usize) -> Result<Vec<HandlerEdge>, LowerError> {
        let code = self.code;
        let mut edges = Vec::new();
        for handler in code.handlers(block) {
            let target = code.block_of_target(handler.start, handler.handler)?;
            let is_shared = self.entries[target].as_ref().is_some_and(|entry| entry.by_jump);
            let target = if is_shared { self.landing(target) } else { self.id_of(target) };
            edges.push(HandlerEdge { catch: handler.catch, target });
        }
        Ok(edges)
    }

    /// The end of a block whose last instruction is at this position.
    pub(super) fn terminate(&mut self, block: usize, last: usize, frame: &Frame) -> Result<End, LowerError> {
        let (bci, instruction) = &self.code.instructions[last];
        let branch = Branch { bci: *bci, frame, edges: Vec::new() };
        match instruction {
            Instruction::If { test, target } => self.condition(*test, *target, self.code.next(last), branch),
            Instruction::Switch { default, cases } => self.switch(*default, cases, branch),
            Instruction::Goto(target) | Instruction::Jsr(target) => self.goto(*bci, *target, frame),
            Instruction::Ret(slot) => self.ret(block, *slot, branch),
            Instruction::Return(kind) => {
                let value = kind.map(|_| self.arg(0));
                Ok((Terminator::Return(value), self.id()?))
            }
            Instruction::Throw => {
                let thrown = self.arg(0);
                Ok((Terminator::Throw(thrown), self.id()?))
            }
            _ => self.goto(*bci, self.code.next(last), frame),
        }
    }

    fn goto(&mut self, bci: u16, target: u16, frame: &Frame) -> Result<End, LowerError> {
        let target = self.code.block_of_target(bci, target)?;
        let copies = self.copies(target, frame);
        for copy in self.in_sequence(target, copies) {
            self.push(copy)?;
        }
        Ok((Terminator::Goto(self.id_of(target)), self.id()?))
    }

    fn condition(
        &mut self,
        test: BranchTest,
        target: u16,
        next: u16,
        mut branch: Branch<'_>,
    ) -> Result<End, LowerError> {
        let (op, left, right) = match test {
            BranchTest::IntZero(comparison) => (comparison, self.arg(0), Const::Int(0).into()),
            BranchTest::Int(comparison) => (comparison, self.arg(1), self.arg(0)),
            BranchTest::SameReference => (CompareOp::Eq, self.arg(1), self.arg(0)),
            BranchTest::DifferentReference => (CompareOp::Ne, self.arg(1), self.arg(0)),
            BranchTest::Null => (CompareOp::Eq, self.arg(0), Const::Null.into()),
            BranchTest::NonNull => (CompareOp::Ne, self.arg(0), Const::Null.into()),
        };
        let id = self.id()?;
        let then = self.edge(&mut branch, target)?;
        let otherwise = self.edge(&mut branch, next)?;
        Ok((Terminator::If { op, left, right, then, otherwise }, id))
    }

    fn switch(&mut self, default: u16, cases: &[(i32, u16)], mut branch: Branch<'_>) -> Result<End, LowerError> {
        let on = self.arg(0);
        let id = self.id()?;
        let mut lowered = Vec::with_capacity(cases.len());
        for (key, target) in cases {
            lowered.push((*key, self.edge(&mut branch, *target)?));
        }
        let default = self.edge(&mut branch, default)?;
        Ok((Terminator::Switch { on, cases: lowered, default }, id))
    }

    fn ret(&mut self, block: usize, slot: u16, mut branch: Branch<'_>) -> Result<End, LowerError> {
        let address = self.local(slot);
        let id = self.id()?;
        let sites = self.returns.get(&block).cloned().unwrap_or_default();
        let mut targets = Vec::with_capacity(sites.len());
        for site in sites {
            targets.push((site, self.edge(&mut branch, site)?));
        }
        Ok((Terminator::Ret(address.into(), targets), id))
    }

    /// Where a branch goes to get to the index `target`.
    fn edge(&mut self, branch: &mut Branch<'_>, target: u16) -> Result<BlockId, LowerError> {
        let target = self.code.block_of_target(branch.bci, target)?;
        if let Some((_, known)) = branch.edges.iter().find(|(to, _)| *to == target) {
            return Ok(*known);
        }
        let copies = self.copies(target, branch.frame);
        let edge = if copies.is_empty() {
            self.id_of(target)
        } else {
            let mut instrs = Vec::with_capacity(copies.len());
            for op in self.in_sequence(target, copies) {
                instrs.push(Instr { id: self.id()?, op });
            }
            let end = (Terminator::Goto(self.id_of(target)), self.id()?);
            let edge = self.new_edge();
            self.put_on_edge(edge, branch.bci, instrs, end);
            edge
        };
        branch.edges.push((target, edge));
        Ok(edge)
    }

    /// What must be assigned on the way from a block that leaves this frame to another block.
    fn copies(&mut self, target: usize, frame: &Frame) -> Vec<Copy> {
        let Some(entry) = &self.entries[target] else { return Vec::new() };
        let start = self.code.blocks[target].start;
        let mut copies = Vec::new();
        for (wanted, value) in entry.frame.stack.0.iter().zip(&frame.stack.0) {
            if let Source::Merge { join, depth } = wanted.source
                && join == start
                && wanted.source != value.source
            {
                copies.push((Var::Merge { join, depth }, *value));
            }
        }
        copies.into_iter().map(|(to, value)| Copy { to, from: self.operand(value), value }).collect()
    }

    /// Orders copies so that none destroys what another still has to read; cycles go through scratch variables.
    fn in_sequence(&mut self, target: usize, mut copies: Vec<Copy>) -> Vec<Op> {
        let join = self.code.blocks[target].start;
        let height = self.entries[target].as_ref().map_or(0, |entry| entry.frame.stack.0.len());
        let mut scratch = u16::try_from(height).unwrap_or(u16::MAX);
        let mut ops = Vec::with_capacity(copies.len());
        while !copies.is_empty() {
            let is_read = |to: Var| copies.iter().any(|copy| copy.from == Operand::Var(to));
            if let Some(free) = copies.iter().position(|copy| !is_read(copy.to)) {
                let copy = copies.remove(free);
                ops.push(Op::Assign(copy.to, Rvalue::Use(copy.from)));
                continue;
            }
            let saved = Var::Merge { join, depth: scratch };
            scratch = scratch.saturating_add(1);
            let overwritten = copies[0].to;
            for copy in copies.iter_mut().filter(|copy| copy.from == Operand::Var(overwritten)) {
                copy.from = saved.into();
                self.declare(saved, copy.value.ty);
            }
            ops.push(Op::Assign(saved, Rvalue::Use(overwritten.into())));
        }
        ops
    }

    fn id_of(&self, block: usize) -> BlockId {
        self.ids[block].expect("inference has reached every block that a reachable block goes to")
    }

    /// The block that takes exceptions for a handler that is reached by jumps as well.
    fn landing(&mut self, block: usize) -> BlockId {
        if let Some(known) = self.landings.get(&block) {
            return *known;
        }
        let landing = self.new_edge();
        self.landings.insert(block, landing);
        landing
    }

    /// Reserves a block without bytecode, to be filled by [`put_on_edge`](Self::put_on_edge).
    fn new_edge(&mut self) -> BlockId {
        let id = BlockId(self.first_on_edge + u32::try_from(self.on_edges.len()).unwrap_or(u32::MAX));
        let (end, end_id) = (Terminator::Goto(id), InstrId::at(0));
        self.on_edges.push(Block { start: 0, after: 0, instrs: Vec::new(), end, end_id, handlers: Vec::new() });
        id
    }

    fn put_on_edge(&mut self, id: BlockId, bci: u16, instrs: Vec<Instr>, (end, end_id): End) {
        let block = Block { start: bci, after: bci, instrs, end, end_id, handlers: Vec::new() };
        self.on_edges[(id.0 - self.first_on_edge) as usize] = block;
    }
}
