//! Methods in lowered form with what is asked of them again and again: where a value comes from, which blocks dominate
//! which. Lowered and analysed on demand, each method once.

use analysis::{Cfg, DefUse, Dominators, Via, may_run_between};
use condition::{Expr, UnknownId};
use ir::{BlockId, Body, Op, Operand, Operation, Rvalue, Var};
use program::{FieldRef, FoundMethod, InstrId, MethodRef, Program};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// A method with code.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) method: FoundMethod,
    pub(crate) body: Body,
    cfg: OnceCell<Cfg>,
    def_use: OnceCell<DefUse>,
    dominators: OnceCell<Dominators>,
}

/// Where the value of a variable at some place may come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Definition<'a> {
    /// It is the value that the method was started with.
    Entry,
    At(InstrId, &'a Rvalue),
}

/// All methods looked at so far.
pub(crate) struct Units<'p> {
    pub(crate) program: &'p Program,
    lowered: RefCell<FxHashMap<MethodRef, Option<Rc<Unit>>>>,
    nesting: Rc<Cell<u32>>,
    /// Values that could not be followed so far.
    unknowns: Cell<u32>,
}

/// While it lives, one more question is asked inside of another.
pub(crate) struct Nested(Rc<Cell<u32>>);

impl Drop for Nested {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// Questions about branches lead to further ones; in loops even back to themselves.
const DEEPEST_NESTING: u32 = 3;

impl<'p> Units<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Units { program, lowered: RefCell::default(), nesting: Rc::default(), unknowns: Cell::default() }
    }

    /// A value that cannot be followed, and is none of those before.
    pub(crate) fn unknown(&self) -> Expr {
        let id = self.unknowns.get();
        self.unknowns.set(id.wrapping_add(1));
        Expr::Unknown(UnknownId(id))
    }

    /// Notes that a question is asked inside of another; `None` if that goes too deep.
    pub(crate) fn nest(&self) -> Option<Nested> {
        let depth = self.nesting.get();
        (depth < DEEPEST_NESTING).then(|| {
            self.nesting.set(depth + 1);
            Nested(Rc::clone(&self.nesting))
        })
    }

    /// The method declared with exactly this class, name and descriptor; `None` if it has no code that can be lowered.
    pub(crate) fn get(&self, method: MethodRef) -> Option<Rc<Unit>> {
        if let Some(known) = self.lowered.borrow().get(&method) {
            return known.clone();
        }
        let unit = self.program.declared_method(method).and_then(|found| {
            let body = ir::lower(&found).ok()?;
            Some(Rc::new(Unit::new(found, body)))
        });
        self.lowered.borrow_mut().insert(method, unit.clone());
        unit
    }
}

impl Unit {
    fn new(method: FoundMethod, body: Body) -> Self {
        Unit { method, body, cfg: OnceCell::new(), def_use: OnceCell::new(), dominators: OnceCell::new() }
    }

    pub(crate) fn reference(&self) -> MethodRef {
        self.body.method
    }

    fn cfg(&self) -> &Cfg {
        self.cfg.get_or_init(|| Cfg::of(&self.body))
    }

    fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::of(self.cfg()))
    }

    /// What assigns the value that `var` has just before `at`; empty if that cannot be said.
    pub(crate) fn definitions(&self, var: Var, at: InstrId) -> Vec<Definition<'_>> {
        if let Var::Temp(bci) = var {
            return self.assignment(var, bci).into_iter().collect();
        }
        let Some(at) = self.operation_near(at) else { return Vec::new() };
        let def_use = self.def_use.get_or_init(|| DefUse::of(&self.body, self.cfg()));
        let reaching = def_use.reaching(&self.body, var, at).into_iter();
        reaching
            .filter_map(|definition| definition.at.map_or(Some(Definition::Entry), |at| self.definition(at)))
            .collect()
    }

    /// The only operation that assigns the value that `var` has just before `at`.
    pub(crate) fn only_definition(&self, var: Var, at: InstrId) -> Option<Definition<'_>> {
        match self.definitions(var, at).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn definition(&self, at: InstrId) -> Option<Definition<'_>> {
        match self.body.operation_at(at)? {
            Operation::Instr(Op::Assign(_, value)) => Some(Definition::At(at, value)),
            _ => None,
        }
    }

    /// A temporary is assigned at the instruction that it is named after.
    fn assignment(&self, var: Var, bci: u16) -> Option<Definition<'_>> {
        self.body.instrs_at(bci).iter().find_map(|instr| match &instr.op {
            Op::Assign(assigned, value) if *assigned == var => Some(Definition::At(instr.id, value)),
            _ => None,
        })
    }

    /// Whether a variable is sure to have the same value at both places, in whichever order they run.
    pub(crate) fn is_unchanged(&self, var: Var, one: InstrId, other: InstrId) -> bool {
        !self.runs_between(one, other, |op| op.defines() == Some(var))
    }

    /// Whether the method itself may write the field on the way from one place to the other, in whichever order they run.
    pub(crate) fn writes_between(&self, field: FieldRef, one: InstrId, other: InstrId) -> bool {
        self.runs_between(one, other, |op| is_write(op, field))
    }

    /// Whether the method itself may write the field before it comes to this place.
    pub(crate) fn writes_before(&self, field: FieldRef, at: InstrId) -> bool {
        let Some(at) = self.operation_near(at) else { return true };
        may_run_between(&self.body, self.cfg(), None, at, |op| is_write(op, field))
    }

    fn runs_between(&self, one: InstrId, other: InstrId, matters: impl Fn(&Op) -> bool) -> bool {
        let (Some(one), Some(other)) = (self.operation_near(one), self.operation_near(other)) else { return true };
        let may_run = |from, to| may_run_between(&self.body, self.cfg(), Some(from), to, &matters);
        may_run(one, other) && may_run(other, one)
    }

    /// Block and position of the operation, or of the first one behind it if the instruction became none of its own.
    pub(crate) fn place_of(&self, at: InstrId) -> Option<(BlockId, usize)> {
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
    pub(crate) fn plain_predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let goes_here = move |from: &BlockId| {
            self.cfg().successors(*from).iter().any(|edge| edge.target == block && matches!(edge.via, Via::Jump(_)))
        };
        self.cfg().predecessors(block).iter().copied().filter(goes_here)
    }

    /// The nearest block that every path to `block` goes through.
    pub(crate) fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators().immediate(block)
    }

    pub(crate) fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.dominators().dominates(above, below)
    }

    /// Whether control can come back to the block.
    pub(crate) fn is_in_loop(&self, block: BlockId) -> bool {
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

    /// The operand that the call at `bci` passes as argument `index` (receiver first), and how far below the top of the
    /// stack it is.
    pub(crate) fn argument(&self, bci: u16, index: usize) -> Option<(&Operand, u8)> {
        let count = self.call_at(bci)?.1.len();
        let depth = count.checked_sub(index + 1)?;
        Some((self.body.stack_operand(bci, depth)?, u8::try_from(depth).ok()?))
    }

    /// The call at `bci` with its arguments, receiver first.
    pub(crate) fn call_at(&self, bci: u16) -> Option<(&ir::Callee, &[Operand])> {
        self.body.instrs_at(bci).iter().find_map(|instr| match &instr.op {
            Op::Invoke(callee, args) | Op::Assign(_, Rvalue::Invoke(callee, args)) => Some((callee, args.as_slice())),
            _ => None,
        })
    }
}

/// The class in a reference may be any subclass of the one that declares the field.
fn is_write(op: &Op, field: FieldRef) -> bool {
    let (Op::PutField { field: written, .. } | Op::PutStatic { field: written, .. }) = op else { return false };
    (written.name, written.descriptor) == (field.name, field.descriptor)
}
