//! The bytecode of one method, cut into basic blocks. Blocks end at branches and begin at branch targets, behind branches, at
//! handlers and at both ends of every handler's range, so that all instructions of a block have the same handlers.
//! Reachability is not looked at here.

use super::LowerError;
use super::types::Known;
use program::classfile::{Code, Handler, Instruction};
use program::{MethodRef, Type};
use std::ops::Range;

pub(super) struct Bytecode<'a> {
    pub(super) method: MethodRef,
    pub(super) is_static: bool,
    pub(super) code: &'a Code,
    pub(super) instructions: Vec<(u16, Instruction)>,
    pub(super) blocks: Vec<CodeBlock>,
    /// For each bytecode index the position in `instructions`, or [`NO_INSTRUCTION`].
    positions: Vec<u16>,
    /// The variable table with its descriptors read; entries that cannot be read are left out.
    variables: Vec<Variable>,
}

const NO_INSTRUCTION: u16 = u16::MAX;

/// A basic block of bytecode.
pub(super) struct CodeBlock {
    pub(super) start: u16,
    /// Positions in `instructions`.
    pub(super) instructions: Range<usize>,
    /// The target of a jump backwards, or a place where a subroutine returns to.
    pub(super) is_reached_late: bool,
}

struct Variable {
    slot: u16,
    range: Range<u16>,
    ty: Type,
}

impl<'a> Bytecode<'a> {
    pub(super) fn read(method: MethodRef, is_static: bool, code: &'a Code) -> Result<Self, LowerError> {
        let mut instructions = Vec::new();
        let mut positions = vec![NO_INSTRUCTION; usize::from(code.end())];
        for decoded in code.instructions() {
            let (bci, instruction) = decoded.map_err(|source| LowerError::Unreadable { method, source })?;
            positions[usize::from(bci)] = u16::try_from(instructions.len()).unwrap_or(NO_INSTRUCTION);
            instructions.push((bci, instruction));
        }
        if instructions.is_empty() {
            return Err(LowerError::FallsOffTheEnd { method, bci: 0 });
        }
        let read = |v: &program::classfile::LocalVariable| {
            Some(Variable { slot: v.slot, range: v.range.clone(), ty: Type::parse(v.descriptor.as_str())? })
        };
        let variables = code.local_variables.iter().filter_map(read).collect();
        let mut bytecode = Bytecode { method, is_static, code, instructions, blocks: Vec::new(), positions, variables };
        bytecode.blocks = bytecode.cut()?;
        Ok(bytecode)
    }

    /// The instruction at `bci`, which is known to be one.
    pub(super) fn at(&self, bci: u16) -> &Instruction {
        &self.instructions[usize::from(self.positions[usize::from(bci)])].1
    }

    /// The index behind the instruction at this position.
    pub(super) fn next(&self, position: usize) -> u16 {
        self.instructions.get(position + 1).map_or(self.code.end(), |(bci, _)| *bci)
    }

    /// The block that starts at `bci`.
    pub(super) fn block_at(&self, bci: u16) -> Option<usize> {
        self.blocks.binary_search_by_key(&bci, |block| block.start).ok()
    }

    /// The block that starts at `target`, where the instruction at `bci` goes.
    pub(super) fn block_of_target(&self, bci: u16, target: u16) -> Result<usize, LowerError> {
        let missing = LowerError::BadTarget { method: self.method, bci, target };
        if target == self.code.end() {
            return Err(LowerError::FallsOffTheEnd { method: self.method, bci });
        }
        self.block_at(target).ok_or(missing)
    }

    /// The handlers of all instructions of a block, in the order of search; nothing is tried behind one that catches everything.
    pub(super) fn handlers(&self, block: usize) -> impl Iterator<Item = &Handler> {
        let start = self.blocks[block].start;
        let covers = move |handler: &&Handler| handler.start <= start && start < handler.end;
        let mut caught = false;
        self.code.handlers.iter().filter(covers).take_while(move |handler| {
            let before = caught;
            caught |= handler.catch.is_none();
            !before
        })
    }

    /// The declared type of a local variable slot at `bci`.
    pub(super) fn declared(&self, slot: u16, bci: u16) -> Option<Type> {
        self.variables.iter().find(|v| v.slot == slot && v.range.contains(&bci)).map(|v| v.ty)
    }

    /// What the slots hold when the method starts.
    pub(super) fn parameters(&self) -> Vec<Known> {
        let mut locals = Vec::new();
        if !self.is_static {
            locals.push(Known::Type(Type::Class(self.method.class)));
        }
        for ty in self.method.signature().params {
            locals.push(Known::Type(ty));
            if ty.slots() == 2 {
                locals.push(Known::Nothing);
            }
        }
        locals
    }

    /// How many slots the method uses; the class file's own number may be any.
    pub(super) fn slots(&self) -> usize {
        let used = |instruction: &Instruction| match instruction {
            Instruction::Load(_, slot)
            | Instruction::Store(_, slot)
            | Instruction::Ret(slot)
            | Instruction::Increment { slot, .. } => usize::from(*slot) + 2,
            _ => 0,
        };
        let used = self.instructions.iter().map(|(_, instruction)| used(instruction)).max().unwrap_or(0);
        used.max(self.parameters().len())
    }

    fn cut(&self) -> Result<Vec<CodeBlock>, LowerError> {
        let mut leaders = vec![false; self.instructions.len()];
        let mut late = vec![false; self.instructions.len()];
        leaders[0] = true;
        for (position, (bci, instruction)) in self.instructions.iter().enumerate() {
            let targets = instruction.targets();
            for target in &targets {
                let at = self.position_of(*bci, *target)?;
                leaders[at] = true;
                late[at] |= target <= bci;
            }
            if position + 1 < leaders.len() && (!targets.is_empty() || !instruction.falls_through()) {
                leaders[position + 1] = true;
                late[position + 1] |= matches!(instruction, Instruction::Jsr(_));
            }
        }
        for handler in &self.code.handlers {
            leaders[self.position_of(handler.start, handler.handler)?] = true;
            for boundary in [handler.start, handler.end] {
                // Tolerant of a boundary inside an instruction: then the next one counts.
                let at = self.instructions.partition_point(|(bci, _)| *bci < boundary);
                if let Some(leader) = leaders.get_mut(at) {
                    *leader = true;
                }
            }
        }
        let starts: Vec<usize> = (0..leaders.len()).filter(|position| leaders[*position]).collect();
        let ends = starts.iter().skip(1).copied().chain([leaders.len()]);
        let block = |(first, end): (&usize, usize)| CodeBlock {
            start: self.instructions[*first].0,
            instructions: *first..end,
            is_reached_late: late[*first],
        };
        Ok(starts.iter().zip(ends).map(block).collect())
    }

    fn position_of(&self, bci: u16, target: u16) -> Result<usize, LowerError> {
        let position = self.positions.get(usize::from(target)).copied().filter(|position| *position != NO_INSTRUCTION);
        position.map(usize::from).ok_or(LowerError::BadTarget { method: self.method, bci, target })
    }
}
