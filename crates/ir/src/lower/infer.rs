//! Which blocks are reachable, and the frame at the start of each: types of locals and stack by a fixpoint over all paths,
//! exceptional ones included. Also decides where joins need merge variables.
//!
//! A stack entry that all predecessors of a block take from the same place stays what it is; others become merge variables of
//! that block. Where a jump leads backwards they all do at once: the jump is seen late, and blocks that were visited before
//! would have taken what the stack held then for one of several values.
//!
//! Subroutines (`jsr`, `ret`; JVMS 4.10.2.5 in the editions up to Java SE 7): a `ret` goes on behind every reachable `jsr` that
//! leads to its subroutine. Locals that the subroutine does not touch keep the types that they had at that `jsr`.

use super::LowerError;
use super::code::{Bytecode, CodeBlock};
use super::frame::{Facts, Frame};
use super::stack::{Source, Stack, Value};
use super::types::Known;
use program::classfile::Instruction;
use program::{ClassName, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The outcome: frames of the reachable blocks.
pub(super) struct Flow {
    /// By block; `None` if unreachable.
    pub(super) entries: Vec<Option<Entry>>,
    pub(super) facts: Facts,
    /// By the block of each reachable `ret`: the indices where it may go on, ascending.
    pub(super) returns: BTreeMap<usize, Vec<u16>>,
}

pub(super) struct Entry {
    pub(super) frame: Frame,
    /// Reached by a jump, by falling through, or as the method's entry.
    pub(super) by_jump: bool,
    pub(super) by_exception: bool,
}

pub(super) fn infer(code: &Bytecode<'_>) -> Result<Flow, LowerError> {
    let parameters = code.parameters();
    let slots = code.slots();
    let mut inference = Inference {
        code,
        entries: code.blocks.iter().map(|_| None).collect(),
        facts: Facts::new(slots, &parameters),
        waiting: BTreeSet::new(),
        subroutines: BTreeMap::new(),
    };
    let mut locals = parameters;
    locals.resize(slots, Known::Nothing);
    inference.join(0, &Frame { locals, stack: Stack::default() }, Reached::ByJump, 0)?;
    // The lowest block first: mostly after its predecessors.
    while let Some(block) = inference.waiting.pop_first() {
        inference.run(block)?;
    }
    let mut returns = BTreeMap::new();
    for subroutine in inference.subroutines.values() {
        for block in &subroutine.rets {
            returns.entry(*block).or_insert_with(Vec::new).extend(subroutine.sites.keys());
        }
    }
    Ok(Flow { entries: inference.entries, facts: inference.facts, returns })
}

struct Inference<'a, 'b> {
    code: &'a Bytecode<'b>,
    entries: Vec<Option<Entry>>,
    facts: Facts,
    /// Blocks whose entry changed since they were last run.
    waiting: BTreeSet<usize>,
    /// By the index of the subroutine's first instruction.
    subroutines: BTreeMap<u16, Subroutine>,
}

#[derive(Default)]
struct Subroutine {
    /// By the index behind each `jsr`: the locals at the `jsr`.
    sites: BTreeMap<u16, Vec<Known>>,
    /// Blocks that end in a `ret` from this subroutine.
    rets: BTreeSet<usize>,
    /// Whether the subroutine may store to a slot; found when first needed.
    touched: Option<Vec<bool>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    ByJump,
    ByException,
}

impl Inference<'_, '_> {
    /// Executes a block from its entry and passes the frames on.
    fn run(&mut self, block: usize) -> Result<(), LowerError> {
        let code = self.code;
        let Some(entry) = &self.entries[block] else { return Ok(()) };
        let mut frame = entry.frame.clone();
        let has_handlers = code.handlers(block).next().is_some();
        let positions = code.blocks[block].instructions.clone();
        let mut thrown_from: Option<Vec<Known>> = None;
        for position in positions.clone() {
            let (bci, instruction) = &code.instructions[position];
            if has_handlers && frame.can_throw(code, instruction) && thrown_from.as_ref() != Some(&frame.locals) {
                self.throw(block, &frame.locals, *bci)?;
                thrown_from = Some(frame.locals.clone());
            }
            frame.step(code, position, &mut self.facts)?;
        }
        self.leave(block, positions.end - 1, &frame)
    }

    /// Passes the frame behind the last instruction of a block on to where control goes.
    fn leave(&mut self, block: usize, last: usize, frame: &Frame) -> Result<(), LowerError> {
        let (bci, instruction) = &self.code.instructions[last];
        for target in instruction.targets() {
            let target = self.code.block_of_target(*bci, target)?;
            self.join(target, frame, Reached::ByJump, *bci)?;
        }
        match instruction {
            Instruction::Jsr(target) => self.call_subroutine(*target, self.code.next(last), frame),
            Instruction::Ret(slot) => self.return_from_subroutine(block, *bci, *slot, frame),
            _ if instruction.falls_through() => {
                let target = self.code.block_of_target(*bci, self.code.next(last))?;
                self.join(target, frame, Reached::ByJump, *bci)
            }
            _ => Ok(()),
        }
    }

    /// Passes locals on to the handlers of a block.
    fn throw(&mut self, block: usize, locals: &[Known], bci: u16) -> Result<(), LowerError> {
        let code = self.code;
        for handler in code.handlers(block) {
            let class = handler.catch.unwrap_or(ClassName::internal("java/lang/Throwable"));
            let caught = Value {
                source: Source::Merge { join: handler.handler, depth: 0 },
                ty: Known::Type(Type::Class(class)),
            };
            let frame = Frame { locals: locals.to_vec(), stack: Stack(vec![caught]) };
            let target = code.block_of_target(bci, handler.handler)?;
            self.join(target, &frame, Reached::ByException, bci)?;
        }
        Ok(())
    }

    fn call_subroutine(&mut self, start: u16, site: u16, frame: &Frame) -> Result<(), LowerError> {
        let subroutine = self.subroutines.entry(start).or_default();
        subroutine.sites.insert(site, frame.locals.clone());
        self.waiting.extend(&subroutine.rets);
        Ok(())
    }

    fn return_from_subroutine(&mut self, block: usize, bci: u16, slot: u16, frame: &Frame) -> Result<(), LowerError> {
        let Known::Address(start) = frame.locals[usize::from(slot)] else {
            return Err(LowerError::BadReturn { method: self.code.method, bci });
        };
        let subroutine = self.subroutines.entry(start).or_default();
        subroutine.rets.insert(block);
        let touched = subroutine.touched.get_or_insert_with(|| touched_slots(self.code, start)).clone();
        for (site, locals) in subroutine.sites.clone() {
            let mut returned = frame.clone();
            for (slot, known) in locals.into_iter().enumerate().filter(|(slot, _)| !touched[*slot]) {
                returned.locals[slot] = known;
            }
            let target = self.code.block_of_target(bci, site)?;
            self.join(target, &returned, Reached::ByJump, bci)?;
        }
        Ok(())
    }

    /// Merges a frame into the entry of a block; if that changes, the block waits to be run again.
    fn join(&mut self, block: usize, incoming: &Frame, reached: Reached, from: u16) -> Result<(), LowerError> {
        let CodeBlock { start, is_reached_late, .. } = &self.code.blocks[block];
        let merge = |depth: usize| Source::Merge { join: *start, depth: u16::try_from(depth).unwrap_or(u16::MAX) };
        let Some(entry) = &mut self.entries[block] else {
            let mut frame = incoming.clone();
            if *is_reached_late {
                frame.stack.0.iter_mut().enumerate().for_each(|(depth, value)| value.source = merge(depth));
            }
            let by_jump = reached == Reached::ByJump;
            self.entries[block] = Some(Entry { frame, by_jump, by_exception: !by_jump });
            self.waiting.insert(block);
            return Ok(());
        };
        entry.by_jump |= reached == Reached::ByJump;
        entry.by_exception |= reached == Reached::ByException;
        if entry.frame.stack.0.len() != incoming.stack.0.len() {
            return Err(LowerError::UnequalStacks { method: self.code.method, bci: from, target: *start });
        }
        let mut changed = false;
        for (known, other) in entry.frame.locals.iter_mut().zip(&incoming.locals) {
            let joined = known.join(*other);
            changed |= joined != *known;
            *known = joined;
        }
        for (depth, (value, other)) in entry.frame.stack.0.iter_mut().zip(&incoming.stack.0).enumerate() {
            let source = if value.source == other.source { value.source } else { merge(depth) };
            let joined = Value { source, ty: value.ty.join(other.ty) };
            changed |= joined != *value;
            *value = joined;
        }
        if changed {
            self.waiting.insert(block);
        }
        Ok(())
    }
}

/// The slots that the subroutine at `start` may store to, other subroutines that it calls included. Blocks behind its `ret` are
/// not part of it; what lies behind a nested `jsr` is.
fn touched_slots(code: &Bytecode<'_>, start: u16) -> Vec<bool> {
    let mut touched = vec![false; code.slots() + 1];
    let mut seen = vec![false; code.blocks.len()];
    let mut waiting: Vec<usize> = code.block_at(start).into_iter().collect();
    while let Some(block) = waiting.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        waiting.extend(code.handlers(block).filter_map(|handler| code.block_at(handler.handler)));
        for position in code.blocks[block].instructions.clone() {
            let instruction = &code.instructions[position].1;
            if let Instruction::Store(_, slot) | Instruction::Increment { slot, .. } = instruction {
                // Wide values take the next slot too; to say so of a narrow one only costs precision.
                touched[usize::from(*slot)] = true;
                touched[usize::from(*slot) + 1] = true;
            }
            waiting.extend(instruction.targets().into_iter().filter_map(|target| code.block_at(target)));
        }
        let last = code.blocks[block].instructions.end - 1;
        let instruction = &code.instructions[last].1;
        if instruction.falls_through() || matches!(instruction, Instruction::Jsr(_)) {
            waiting.extend(code.block_at(code.next(last)));
        }
    }
    touched
}
