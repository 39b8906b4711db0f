//! Questions to a body: which operation is this, which guards does a line have, what is on the stack here, where does control
//! go. Everything is a lookup in the body; nothing is computed by following values (crate `analysis` does that).

use crate::body::{
    Block, BlockId, Body, Const, Guard, HandlerEdge, Instr, Op, Operand, Rvalue, Terminator, Var, VarInfo,
};
use program::classfile::Kind;
use program::{InstrId, Symbol, Type};
use std::ops::Range;

/// What a name of the form [`InstrId`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<'a> {
    Instr(&'a Op),
    End(&'a Terminator),
}

/// What a local variable slot holds when the method starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    This,
    /// 0-based, `this` not counted.
    Declared(u16, Type),
}

impl Body {
    pub const ENTRY: BlockId = BlockId(0);

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..u32::try_from(self.blocks.len()).unwrap_or(u32::MAX)).map(BlockId)
    }

    /// The block that the bytecode instruction at `bci` was lowered into; `None` for unreachable code.
    pub fn block_of(&self, bci: u16) -> Option<BlockId> {
        let code = &self.blocks[..self.blocks.partition_point(|block| block.start < block.after)];
        let index = code.partition_point(|block| block.start <= bci).checked_sub(1)?;
        (bci < code[index].after).then(|| BlockId(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    /// All operations that the bytecode instruction at `bci` was lowered to, guards first, the terminator not included.
    pub fn instrs_at(&self, bci: u16) -> &[Instr] {
        let Some(block) = self.block_of(bci) else { return &[] };
        let instrs = &self.block(block).instrs;
        let start = instrs.partition_point(|instr| instr.id.bci < bci);
        let end = instrs.partition_point(|instr| instr.id.bci <= bci);
        &instrs[start..end]
    }

    /// The block that an operation is in, and its position there; the position of a terminator is the number of instructions.
    pub fn place_of(&self, id: InstrId) -> Option<(BlockId, usize)> {
        let position = |block: BlockId| {
            let found = self.block(block);
            if found.end_id == id {
                return Some((block, found.instrs.len()));
            }
            found.instrs.binary_search_by_key(&id, |instr| instr.id).ok().map(|position| (block, position))
        };
        self.block_of(id.bci).and_then(position).or_else(|| {
            // Blocks on edges carry the index of the branch that they come from.
            let edges = self.block_ids().rev().take_while(|block| self.block(*block).is_on_edge());
            edges.filter(|block| self.block(*block).start == id.bci).find_map(position)
        })
    }

    pub fn operation_at(&self, id: InstrId) -> Option<Operation<'_>> {
        let (block, position) = self.place_of(id)?;
        let block = self.block(block);
        Some(block.instrs.get(position).map_or(Operation::End(&block.end), |instr| Operation::Instr(&instr.op)))
    }

    /// Everything with its name, in the order of blocks.
    pub fn instrs(&self) -> impl Iterator<Item = (BlockId, &Instr)> {
        self.block_ids().flat_map(|id| self.block(id).instrs.iter().map(move |instr| (id, instr)))
    }

    /// The guards of the bytecode instructions in `range`.
    pub fn guards_in(&self, range: Range<u16>) -> impl Iterator<Item = (InstrId, &Guard)> {
        self.instrs().filter_map(move |(_, instr)| match &instr.op {
            Op::Guard(guard) if range.contains(&instr.id.bci) => Some((instr.id, guard)),
            _ => None,
        })
    }

    /// The guards of a source line.
    pub fn guards_of_line(&self, line: u16) -> impl Iterator<Item = (InstrId, &Guard)> {
        self.guards_in(0..u16::MAX).filter(move |(id, _)| self.line_of(id.bci) == Some(line))
    }

    /// The line of the instruction at `bci`, as HotSpot computes it for stack traces: an entry that starts exactly there, the
    /// first one of several; else the nearest before, the last one of several.
    pub fn line_of(&self, bci: u16) -> Option<u16> {
        let exact = self.lines.partition_point(|(at, _)| *at < bci);
        match self.lines.get(exact) {
            Some((at, line)) if *at == bci => Some(*line),
            _ => exact.checked_sub(1).map(|before| self.lines[before].1),
        }
    }

    /// The bytecode indices of the lowered instructions, ascending.
    pub fn bytecodes(&self) -> impl Iterator<Item = u16> {
        self.stacks.iter().map(|(bci, _)| bci)
    }

    /// The operand stack before the bytecode instruction at `bci`, bottom first.
    pub fn stack_before(&self, bci: u16) -> Option<&[Operand]> {
        self.stacks.before(bci)
    }

    /// The value `depth` entries below the top of the stack before `bci`; 0 is the top.
    pub fn stack_operand(&self, bci: u16, depth: usize) -> Option<&Operand> {
        self.stacks.before(bci)?.iter().rev().nth(depth)
    }

    pub fn var(&self, var: Var) -> Option<&VarInfo> {
        let index = self.vars.binary_search_by_key(&var, |(known, _)| *known).ok()?;
        Some(&self.vars[index].1)
    }

    /// The static type of an operand, if one is known; `null` has none.
    pub fn type_of(&self, operand: &Operand) -> Option<Type> {
        match operand {
            Operand::Var(var) => self.var(*var)?.ty,
            Operand::Const(value) => value.ty(),
        }
    }

    /// The kind of an operand; `None` for return addresses and for reused slots.
    pub fn kind_of(&self, operand: &Operand) -> Option<Kind> {
        match operand {
            Operand::Var(var) => self.var(*var)?.kind,
            Operand::Const(value) => value.kind(),
        }
    }

    /// The name of a local variable slot at `bci`. Where a store starts a variable's life, ask for the index behind it.
    pub fn name_of(&self, slot: u16, bci: u16) -> Option<Symbol> {
        let covers = |name: &&crate::LocalName| name.slot == slot && name.range.contains(&bci);
        self.names.iter().find(covers).map(|name| name.name)
    }

    /// Slots that hold a value when the method starts: `this` and the parameters, ascending.
    pub fn parameters(&self) -> Vec<(u16, Parameter)> {
        let mut slot = u16::from(!self.is_static);
        let mut all: Vec<_> = (!self.is_static).then_some((0, Parameter::This)).into_iter().collect();
        for (index, ty) in (0..).zip(self.method.signature().params) {
            all.push((slot, Parameter::Declared(index, ty)));
            slot = slot.saturating_add(ty.slots());
        }
        all
    }
}

impl Block {
    /// True for a block without bytecode of its own.
    pub fn is_on_edge(&self) -> bool {
        self.start == self.after
    }

    /// Blocks that control can go to without an exception, in the order of outcomes: `[taken, not taken]` of an `if`, the cases
    /// and then the default of a switch. A block may occur more than once.
    pub fn successors(&self) -> Vec<BlockId> {
        self.end.successors()
    }

    /// Blocks that exceptions of this block go to; a block may occur more than once.
    pub fn exceptional_successors(&self) -> impl Iterator<Item = BlockId> {
        self.handlers.iter().map(|handler: &HandlerEdge| handler.target)
    }

    pub fn can_throw(&self) -> bool {
        self.end.can_throw() || self.instrs.iter().any(|instr| instr.op.can_throw())
    }
}

impl Terminator {
    /// See [`Block::successors`].
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Goto(target) => vec![*target],
            Terminator::If { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, target)| *target).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::Throw(_) => Vec::new(),
            Terminator::Ret(_, targets) => targets.iter().map(|(_, target)| *target).collect(),
        }
    }

    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Terminator::Goto(_) | Terminator::Return(None) => Vec::new(),
            Terminator::If { left, right, .. } => vec![left, right],
            Terminator::Switch { on: operand, .. }
            | Terminator::Return(Some(operand))
            | Terminator::Throw(operand)
            | Terminator::Ret(operand, _) => vec![operand],
        }
    }

    pub fn can_throw(&self) -> bool {
        matches!(self, Terminator::Throw(_))
    }
}

impl Op {
    /// The variable that this operation assigns.
    pub fn defines(&self) -> Option<Var> {
        if let Op::Assign(var, _) = self { Some(*var) } else { None }
    }

    /// Everything that is read, in the order of evaluation.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Op::Assign(_, value) => value.operands(),
            Op::PutField { object, value, .. } => vec![object, value],
            Op::PutStatic { value, .. } => vec![value],
            Op::PutElement { array, index, value, .. } => vec![array, index, value],
            Op::Invoke(_, args) => args.iter().collect(),
            Op::Guard(guard) => guard.operands(),
            Op::MonitorEnter(object) | Op::MonitorExit(object) => vec![object],
        }
    }

    /// Whether an exception can come from here: failed guards, calls, creations, and whatever resolves a class or a member
    /// and may find that it is missing. Exceptions that hit any place (`ThreadDeath`, errors of the machine) do not count.
    pub fn can_throw(&self) -> bool {
        match self {
            Op::Assign(_, value) => value.can_throw(),
            Op::PutElement { .. } => false,
            Op::PutField { .. }
            | Op::PutStatic { .. }
            | Op::Invoke(..)
            | Op::Guard(_)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => true,
        }
    }
}

impl Guard {
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Guard::NotNull(operand)
            | Guard::Castable(operand, _)
            | Guard::NotZero(operand)
            | Guard::NotNegative(operand) => vec![operand],
            Guard::InBounds { array, index: other } | Guard::Storable { array, value: other } => vec![array, other],
        }
    }

    /// The class of the exception that a failure throws, in internal form.
    pub fn exception(&self) -> &'static str {
        match self {
            Guard::NotNull(_) => "java/lang/NullPointerException",
            Guard::InBounds { .. } => "java/lang/ArrayIndexOutOfBoundsException",
            Guard::Castable(..) => "java/lang/ClassCastException",
            Guard::Storable { .. } => "java/lang/ArrayStoreException",
            Guard::NotZero(_) => "java/lang/ArithmeticException",
            Guard::NotNegative(_) => "java/lang/NegativeArraySizeException",
        }
    }
}

impl Rvalue {
    /// Everything that is read, in the order of evaluation.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Rvalue::Use(operand)
            | Rvalue::Negate(operand)
            | Rvalue::Convert(operand, _)
            | Rvalue::Cast(operand, _)
            | Rvalue::InstanceOf(operand, _)
            | Rvalue::GetField(operand, _)
            | Rvalue::Length(operand) => vec![operand],
            Rvalue::Binary(_, left, right) | Rvalue::ThreeWay(_, left, right) => vec![left, right],
            Rvalue::GetElement { array, index, .. } => vec![array, index],
            Rvalue::NewArray(_, operands) | Rvalue::Invoke(_, operands) => operands.iter().collect(),
            Rvalue::GetStatic(_) | Rvalue::New(_) | Rvalue::Caught => Vec::new(),
        }
    }

    /// See [`Op::can_throw`].
    pub fn can_throw(&self) -> bool {
        match self {
            Rvalue::Use(Operand::Const(value)) => value.is_resolved(),
            Rvalue::InstanceOf(..)
            | Rvalue::GetField(..)
            | Rvalue::GetStatic(_)
            | Rvalue::New(_)
            | Rvalue::NewArray(..)
            | Rvalue::Invoke(..) => true,
            Rvalue::Use(_)
            | Rvalue::Negate(_)
            | Rvalue::Binary(..)
            | Rvalue::ThreeWay(..)
            | Rvalue::Convert(..)
            | Rvalue::Cast(..)
            | Rvalue::GetElement { .. }
            | Rvalue::Length(_)
            | Rvalue::Caught => false,
        }
    }
}

impl Const {
    /// Whether loading it looks up classes or runs code, so that it is an operation of its own and may throw.
    pub fn is_resolved(&self) -> bool {
        matches!(self, Const::Class(_) | Const::MethodType(_) | Const::MethodHandle(_) | Const::Dynamic { .. })
    }

    /// `None` for `null` and return addresses.
    pub fn ty(&self) -> Option<Type> {
        Some(match self {
            Const::Null | Const::ReturnAddress(_) => return None,
            Const::Int(_) => Type::Int,
            Const::Long(_) => Type::Long,
            Const::Float(_) => Type::Float,
            Const::Double(_) => Type::Double,
            Const::String(_) => Type::class("java/lang/String"),
            Const::Class(_) => Type::class("java/lang/Class"),
            Const::MethodType(_) => Type::class("java/lang/invoke/MethodType"),
            Const::MethodHandle(_) => Type::class("java/lang/invoke/MethodHandle"),
            Const::Dynamic { descriptor, .. } => Type::parse(descriptor.as_str())?,
        })
    }

    /// `None` for return addresses.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Const::Null => Some(Kind::Reference),
            _ => self.ty().map(kind_of_type),
        }
    }
}

/// What locals and the operand stack hold for a value of this type.
pub fn kind_of_type(ty: Type) -> Kind {
    match ty {
        Type::Boolean | Type::Byte | Type::Char | Type::Short | Type::Int => Kind::Int,
        Type::Long => Kind::Long,
        Type::Float => Kind::Float,
        Type::Double => Kind::Double,
        Type::Class(_) | Type::Array(_) => Kind::Reference,
    }
}
