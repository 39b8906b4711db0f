//! Methods in lowered form with what is asked of them again and again: where a value comes from, which blocks dominate
//! which. Lowered on demand, each method once.

use ir::{BlockId, Body, Op, Operand, Rvalue, Var};
use program::{FoundMethod, InstrId, MethodRef, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A method with code.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) method: FoundMethod,
    pub(crate) body: Body,
    predecessors: OnceCell<Vec<Vec<Edge>>>,
    dominators: OnceCell<Vec<Option<BlockId>>>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: BlockId,
    exceptional: bool,
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
}

impl<'p> Units<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Units { program, lowered: RefCell::default() }
    }

    /// The method declared with exactly this class, name and descriptor; `None` if it has no code that can be lowered.
    pub(crate) fn get(&self, method: MethodRef) -> Option<Rc<Unit>> {
        if let Some(known) = self.lowered.borrow().get(&method) {
            return known.clone();
        }
        let unit = self.program.declared_method(method).and_then(|found| {
            let body = ir::lower(&found).ok()?;
            Some(Rc::new(Unit { method: found, body, predecessors: OnceCell::new(), dominators: OnceCell::new() }))
        });
        self.lowered.borrow_mut().insert(method, unit.clone());
        unit
    }
}

impl Unit {
    pub(crate) fn reference(&self) -> MethodRef {
        self.body.method
    }

    /// What assigns the value that `var` has just before `at`; empty if that cannot be said.
    pub(crate) fn definitions(&self, var: Var, at: InstrId) -> Vec<Definition<'_>> {
        match var {
            Var::Temp(bci) => self.assignments_in(self.body.instrs_at(bci), var).collect(),
            // A join variable is assigned on every edge into the join, just before it.
            Var::Merge { .. } => self.body.block_ids().flat_map(|block| self.assignments(block, var)).collect(),
            Var::Local(_) => self.reaching(var, at),
        }
    }

    /// The only operation that assigns the value that `var` has just before `at`.
    pub(crate) fn only_definition(&self, var: Var, at: InstrId) -> Option<Definition<'_>> {
        match self.definitions(var, at).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Block and position of the operation, or of the first one behind it if the instruction became none of its own.
    pub(crate) fn place_of(&self, at: InstrId) -> Option<(BlockId, usize)> {
        self.body.place_of(at).or_else(|| {
            let block = self.body.block_of(at.bci)?;
            Some((block, self.body.block(block).instrs.partition_point(|instr| instr.id < at)))
        })
    }

    fn assignments(&self, block: BlockId, var: Var) -> Vec<Definition<'_>> {
        self.assignments_in(&self.body.block(block).instrs, var).collect()
    }

    fn assignments_in<'a>(&'a self, instrs: &'a [ir::Instr], var: Var) -> impl Iterator<Item = Definition<'a>> {
        instrs.iter().filter_map(move |instr| match &instr.op {
            Op::Assign(assigned, value) if *assigned == var => Some(Definition::At(instr.id, value)),
            _ => None,
        })
    }

    /// Searches backwards from `at` to the assignments of a local variable.
    fn reaching(&self, var: Var, at: InstrId) -> Vec<Definition<'_>> {
        let Some((block, position)) = self.place_of(at) else { return Vec::new() };
        let before = &self.body.block(block).instrs[..position];
        if let Some(nearest) = self.assignments_in(before, var).last() {
            return vec![nearest];
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if block == Body::ENTRY && !found.contains(&Definition::Entry) {
                found.push(Definition::Entry);
            }
            for edge in &self.predecessors()[block.0 as usize] {
                if !seen.insert((edge.from, edge.exceptional)) {
                    continue;
                }
                let assigned = self.assignments(edge.from, var);
                // An exception may leave the block before or after each assignment.
                let passes = edge.exceptional || assigned.is_empty();
                let visible =
                    if edge.exceptional { &assigned[..] } else { &assigned[assigned.len().saturating_sub(1)..] };
                for definition in visible {
                    if !found.contains(definition) {
                        found.push(*definition);
                    }
                }
                if passes {
                    pending.push(edge.from);
                }
            }
        }
        found
    }

    fn predecessors(&self) -> &[Vec<Edge>] {
        self.predecessors.get_or_init(|| {
            let mut all = vec![Vec::new(); self.body.blocks.len()];
            for from in self.body.block_ids() {
                let block = self.body.block(from);
                for to in block.successors() {
                    all[to.0 as usize].push(Edge { from, exceptional: false });
                }
                for to in block.exceptional_successors() {
                    all[to.0 as usize].push(Edge { from, exceptional: true });
                }
            }
            all
        })
    }

    /// The blocks that go to `block` without an exception.
    pub(crate) fn plain_predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.predecessors()[block.0 as usize].iter().filter(|edge| !edge.exceptional).map(|edge| edge.from)
    }

    /// The nearest block that every path to `block` goes through.
    pub(crate) fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators.get_or_init(|| dominators(&self.body, self.predecessors()))[block.0 as usize]
    }

    pub(crate) fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        std::iter::successors(Some(below), |block| self.immediate_dominator(*block)).any(|block| block == above)
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

/// Immediate dominators by iteration (Cooper, Harvey and Kennedy), exceptional edges included; none for the entry and for
/// what is not reached.
fn dominators(body: &Body, predecessors: &[Vec<Edge>]) -> Vec<Option<BlockId>> {
    let order = reverse_postorder(body);
    let mut rank = vec![usize::MAX; body.blocks.len()];
    order.iter().enumerate().for_each(|(index, block)| rank[block.0 as usize] = index);
    let mut nearest: Vec<Option<BlockId>> = vec![None; body.blocks.len()];
    let entry = Body::ENTRY.0 as usize;
    nearest[entry] = Some(Body::ENTRY);
    let mut changed = true;
    while changed {
        changed = false;
        for block in order.iter().skip(1) {
            let known = predecessors[block.0 as usize].iter().map(|edge| edge.from);
            let known = known.filter(|from| nearest[from.0 as usize].is_some());
            let new = known.reduce(|a, b| common_dominator(a, b, &nearest, &rank));
            if new != nearest[block.0 as usize] {
                nearest[block.0 as usize] = new;
                changed = true;
            }
        }
    }
    nearest[entry] = None;
    nearest
}

fn common_dominator(mut a: BlockId, mut b: BlockId, nearest: &[Option<BlockId>], rank: &[usize]) -> BlockId {
    while a != b {
        let deeper = if rank[a.0 as usize] > rank[b.0 as usize] { &mut a } else { &mut b };
        match nearest[deeper.0 as usize] {
            Some(next) if next != *deeper => *deeper = next,
            _ => return Body::ENTRY,
        }
    }
    a
}

fn reverse_postorder(body: &Body) -> Vec<BlockId> {
    let successors = |block: BlockId| {
        let block = body.block(block);
        block.successors().into_iter().chain(block.exceptional_successors()).collect::<Vec<_>>()
    };
    let mut seen = FxHashSet::from_iter([Body::ENTRY]);
    let mut stack = vec![(Body::ENTRY, successors(Body::ENTRY))];
    let mut order = Vec::new();
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
