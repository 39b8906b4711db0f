//! Writes the operations of all reachable blocks. The frames at the start of blocks come from inference; within a block the
//! frame is stepped along, and each instruction finds its operands in the stack before it.

mod control;
mod objects;
mod values;

use super::LowerError;
use super::code::Bytecode;
use super::frame::Facts;
use super::infer::{Entry, Flow};
use super::stack::{Source, Value};
use super::types::Known;
use crate::body::{Block, BlockId, Body, Const, Guard, Instr, LocalName, Op, Operand, Rvalue, Stacks, Var, VarInfo};
use program::classfile::{Constant, Instruction};
use program::{InstrId, Symbol};
use std::collections::BTreeMap;

pub(super) fn emit(code: &Bytecode<'_>, flow: Flow) -> Result<Body, LowerError> {
    let mut emitter = Emitter::new(code, flow);
    for block in 0..code.blocks.len() {
        emitter.block(block)?;
    }
    Ok(emitter.finish())
}

struct Emitter<'a, 'b> {
    code: &'a Bytecode<'b>,
    entries: Vec<Option<Entry>>,
    facts: Facts,
    returns: BTreeMap<usize, Vec<u16>>,
    /// The lowered block of each block of bytecode.
    ids: Vec<Option<BlockId>>,
    blocks: Vec<Block>,
    /// Blocks without bytecode of their own; their ids follow those of `blocks`.
    on_edges: Vec<Block>,
    first_on_edge: u32,
    /// For a handler that is also reached by jumps, the block that takes the exception.
    landings: BTreeMap<usize, BlockId>,
    /// In the order of their first declaration, which counts; not yet sorted.
    vars: Vec<(Var, VarInfo)>,
    /// Whether a slot is among `vars`.
    has_local: Vec<bool>,
    stacks: Stacks,
    /// Indices of loads that became temporaries, ascending.
    loaded: Vec<u16>,
    instrs: Vec<Instr>,
    /// The stack before the instruction that is being lowered.
    before: Vec<Value>,
    /// The name of the next operation; its sub-index may be too large for an [`InstrId`].
    bci: u16,
    sub: u16,
}

/// What an instruction did to the stack.
#[derive(Clone, Copy)]
struct Effect {
    /// How many values it took, if it is not one that moves values.
    taken: usize,
    /// What is known of the value that it pushed.
    result: Option<Known>,
}

impl<'a, 'b> Emitter<'a, 'b> {
    fn new(code: &'a Bytecode<'b>, flow: Flow) -> Self {
        let mut count = 0;
        let mut number = |entry: &Option<Entry>| {
            entry.as_ref().map(|_| {
                count += 1;
                BlockId(count - 1)
            })
        };
        let ids = flow.entries.iter().map(&mut number).collect();
        let has_local = vec![false; flow.facts.locals.len()];
        Emitter {
            code,
            entries: flow.entries,
            facts: flow.facts,
            returns: flow.returns,
            ids,
            blocks: Vec::new(),
            on_edges: Vec::new(),
            first_on_edge: count,
            landings: BTreeMap::new(),
            vars: Vec::new(),
            has_local,
            stacks: Stacks::default(),
            loaded: Vec::new(),
            instrs: Vec::new(),
            before: Vec::new(),
            bci: 0,
            sub: 0,
        }
    }

    /// Lowers a block, if it is reachable.
    fn block(&mut self, block: usize) -> Result<(), LowerError> {
        let code = self.code;
        let Some(entry) = &self.entries[block] else { return Ok(()) };
        let mut frame = entry.frame.clone();
        let start = code.blocks[block].start;
        self.at(start);
        self.enter(block)?;
        let positions = code.blocks[block].instructions.clone();
        for position in positions.clone() {
            let (bci, instruction) = &code.instructions[position];
            // A handler has already taken its exception at the first index.
            if *bci != start {
                self.at(*bci);
            }
            self.before.clone_from(&frame.stack.0);
            self.record_stack(*bci);
            frame.step(code, position, &mut self.facts)?;
            let result = frame.stack.0.last().filter(|top| top.source == Source::At(*bci)).map(|top| top.ty);
            let left = frame.stack.0.len() - usize::from(result.is_some());
            let effect = Effect { taken: self.before.len().saturating_sub(left), result };
            self.instruction(*bci, instruction, effect)?;
        }
        let (end, end_id) = self.terminate(block, positions.end - 1, &frame)?;
        let after = code.next(positions.end - 1);
        let instrs = std::mem::take(&mut self.instrs);
        let mut lowered = Block { start, after, instrs, end, end_id, handlers: Vec::new() };
        if lowered.can_throw() {
            lowered.handlers = self.handlers(block)?;
        }
        self.blocks.push(lowered);
        Ok(())
    }

    /// Writes one instruction, except for its control flow.
    fn instruction(&mut self, bci: u16, instruction: &Instruction, effect: Effect) -> Result<(), LowerError> {
        let known = effect.result.unwrap_or(Known::Nothing);
        match instruction {
            Instruction::Const(constant) => self.constant(bci, constant, known),
            Instruction::Load(kind, slot) => self.load(bci, *kind, *slot, known),
            Instruction::Store(_, slot) => self.store(*slot),
            Instruction::Increment { slot, by } => self.increment(*slot, *by),
            Instruction::Binary(op, kind) => self.binary(bci, *op, *kind, known),
            Instruction::Negate(_) => self.negate(bci, known),
            Instruction::Convert { to, .. } => self.convert(bci, *to, known),
            Instruction::Compare(op) => self.three_way(bci, *op, known),
            Instruction::ArrayLoad(element) => self.array_load(bci, *element, known),
            Instruction::ArrayStore(element) => self.array_store(*element),
            Instruction::ArrayLength => self.array_length(bci, known),
            Instruction::Field { op, field } => self.field(bci, *op, *field, known),
            Instruction::Invoke { op, callee } => self.invoke(bci, *op, *callee, effect),
            Instruction::InvokeDynamic { bootstrap, name, descriptor } => {
                self.invoke_dynamic(bci, *bootstrap, *name, *descriptor, effect)
            }
            Instruction::New(ty) => self.new_object(bci, *ty, known),
            Instruction::NewArray { component } => self.new_array(bci, *component, 1, known),
            Instruction::NewMultiArray { array, dimensions } => self.new_arrays(bci, *array, *dimensions, known),
            Instruction::CheckCast(ty) => self.check_cast(bci, *ty, known),
            Instruction::InstanceOf(ty) => self.instance_of(bci, *ty, known),
            Instruction::MonitorEnter => self.monitor(Op::MonitorEnter),
            Instruction::MonitorExit => self.monitor(Op::MonitorExit),
            Instruction::Throw => self.not_null(0),
            Instruction::Nop
            | Instruction::Stack(_)
            | Instruction::If { .. }
            | Instruction::Goto(_)
            | Instruction::Jsr(_)
            | Instruction::Ret(_)
            | Instruction::Switch { .. }
            | Instruction::Return(_) => Ok(()),
        }
    }

    fn finish(mut self) -> Body {
        let code = self.code.code;
        let mut lines: Vec<(u16, u16)> = code.lines.iter().map(|entry| (entry.bci, entry.line)).collect();
        // Stable: the order of entries for one index matters.
        lines.sort_by_key(|(bci, _)| *bci);
        let name = |v: &program::classfile::LocalVariable| LocalName {
            slot: v.slot,
            range: v.range.clone(),
            name: v.name,
            descriptor: v.descriptor,
        };
        let names: Vec<LocalName> = code.local_variables.iter().map(name).collect();
        self.vars.sort_by_key(|(var, _)| *var);
        self.vars.dedup_by_key(|(var, _)| *var);
        for (var, info) in &mut self.vars {
            if let Var::Local(slot) = var {
                info.name = only_name(&names, *slot);
            }
        }
        let lowered = self.stacks.iter().count();
        self.blocks.append(&mut self.on_edges);
        Body {
            method: self.code.method,
            is_static: self.code.is_static,
            blocks: self.blocks,
            vars: self.vars,
            names,
            lines,
            stacks: self.stacks,
            unreachable: u32::try_from(self.code.instructions.len() - lowered).unwrap_or(u32::MAX),
        }
    }

    /// The operations that follow belong to the instruction at `bci`.
    fn at(&mut self, bci: u16) {
        self.bci = bci;
        self.sub = 0;
    }

    fn record_stack(&mut self, bci: u16) {
        let before = std::mem::take(&mut self.before);
        let mut stacks = std::mem::take(&mut self.stacks);
        stacks.push(bci, before.iter().map(|value| self.operand(*value)));
        (self.before, self.stacks) = (before, stacks);
    }

    /// The name of the next operation.
    fn id(&mut self) -> Result<InstrId, LowerError> {
        let too_many = LowerError::TooManyOperations { method: self.code.method, bci: self.bci };
        let id = InstrId { bci: self.bci, sub: u8::try_from(self.sub).map_err(|_| too_many)? };
        self.sub += 1;
        Ok(id)
    }

    fn push(&mut self, op: Op) -> Result<(), LowerError> {
        let id = self.id()?;
        self.instrs.push(Instr { id, op });
        Ok(())
    }

    fn guard(&mut self, guard: Guard) -> Result<(), LowerError> {
        self.push(Op::Guard(guard))
    }

    /// Assigns the result of the instruction at `bci`.
    fn result(&mut self, bci: u16, value: Rvalue, known: Known) -> Result<(), LowerError> {
        self.declare(Var::Temp(bci), known);
        self.push(Op::Assign(Var::Temp(bci), value))
    }

    fn declare(&mut self, var: Var, known: Known) {
        self.vars.push((var, VarInfo { kind: known.kind(), ty: known.ty(), name: None }));
    }

    fn local(&mut self, slot: u16) -> Var {
        if !std::mem::replace(&mut self.has_local[usize::from(slot)], true) {
            let known = self.facts.locals[usize::from(slot)].unwrap_or(Known::Nothing);
            self.declare(Var::Local(slot), known);
        }
        Var::Local(slot)
    }

    /// The operand `depth` entries below the top of the stack before the instruction.
    fn arg(&mut self, depth: usize) -> Operand {
        let value = self.arg_value(depth);
        self.operand(value)
    }

    fn arg_value(&self, depth: usize) -> Value {
        self.before[self.before.len() - 1 - depth]
    }

    /// The top `count` operands, bottom first.
    fn args(&mut self, count: usize) -> Vec<Operand> {
        (0..count).rev().map(|depth| self.arg(depth)).collect()
    }

    /// How a value on the stack is written.
    fn operand(&mut self, value: Value) -> Operand {
        let bci = match value.source {
            Source::Merge { join, depth } => return Var::Merge { join, depth }.into(),
            Source::At(bci) => bci,
        };
        match self.code.at(bci) {
            Instruction::Const(constant) => {
                let constant = lower_constant(constant);
                if constant.is_resolved() { Var::Temp(bci).into() } else { constant.into() }
            }
            Instruction::Load(_, slot) if self.loaded.binary_search(&bci).is_err() => self.local(*slot).into(),
            Instruction::Jsr(_) => Const::ReturnAddress(self.return_site(bci)).into(),
            _ => Var::Temp(bci).into(),
        }
    }

    /// The index behind the `jsr` at `bci`.
    fn return_site(&self, bci: u16) -> u16 {
        let after = self.code.instructions.partition_point(|(at, _)| *at <= bci);
        self.code.instructions.get(after).map_or(self.code.code.end(), |(at, _)| *at)
    }
}

fn only_name(names: &[LocalName], slot: u16) -> Option<Symbol> {
    let mut of_slot = names.iter().filter(|name| name.slot == slot).map(|name| name.name);
    let first = of_slot.next()?;
    of_slot.all(|other| other == first).then_some(first)
}

fn lower_constant(constant: &Constant) -> Const {
    match constant {
        Constant::Null => Const::Null,
        Constant::Int(value) => Const::Int(*value),
        Constant::Long(value) => Const::Long(*value),
        Constant::Float(value) => Const::Float(*value),
        Constant::Double(value) => Const::Double(*value),
        Constant::String(value) => Const::String(value.clone()),
        Constant::Class(ty) => Const::Class(*ty),
        Constant::MethodType(descriptor) => Const::MethodType(*descriptor),
        Constant::MethodHandle(handle) => Const::MethodHandle(*handle),
        Constant::Dynamic { bootstrap, name, descriptor } => {
            Const::Dynamic { bootstrap: *bootstrap, name: *name, descriptor: *descriptor }
        }
    }
}
