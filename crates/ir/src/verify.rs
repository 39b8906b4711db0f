//! Checks that a body keeps what the analyses rely on. Input is any body; all violations are reported. Nothing is compared with
//! the bytecode: whether the body means the same is tested by running it.
//!
//! Structure:
//! - There is a block 0, its first index is 0, and every block can be reached from it, exceptional edges included.
//! - Blocks with bytecode come first, in ascending order and without overlap; blocks on edges behind them. Targets exist.
//! - Names of operations are unique. In a block they ascend, the terminator's is the last, and all have indices of the block;
//!   those of a block on an edge have the index of the branch or handler that it belongs to.
//!
//! Exceptions:
//! - A block has handlers only if something in it can throw, and none behind one that catches everything.
//! - The target of a handler starts with `caught`, nothing else does, and no jump leads there.
//!
//! Variables:
//! - `vars` has exactly the variables that occur in operations or stacks, sorted; a type agrees with its kind.
//! - A temporary `t<b>` is assigned once, at index `b`. The index of a merge variable is the start of a block.
//! - On every path a variable is assigned before it is read; parameters are assigned at the entry. (Locals are not checked in a
//!   body with `ret`, where not every path through the graph can be taken.)
//!
//! Kinds: the operands of every operation have the kinds that it takes. Only a copy may read a variable without a kind.
//!
//! Guards: an operation that could fail is preceded by its guards, with the same index, unless they cannot fail.

mod assignment;
mod guards;
mod kinds;

use crate::body::{Block, BlockId, Body, HandlerEdge, Op, Operand, Rvalue, Var};
use crate::lookup::kind_of_type;
use program::InstrId;
use std::collections::BTreeSet;
use std::fmt;

/// One thing that is wrong with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub block: Option<BlockId>,
    pub at: Option<InstrId>,
    pub what: String,
}

/// Everything that is wrong with a body; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct Violations(pub Vec<Violation>);

/// Checks a body.
pub fn verify(body: &Body) -> Result<(), Violations> {
    let mut found = Found(Vec::new());
    check_blocks(body, &mut found);
    // The other checks walk along edges and trust the order of blocks.
    if found.0.is_empty() {
        check_reachability(body, &mut found);
        check_handlers(body, &mut found);
        check_variables(body, &mut found);
        assignment::check(body, &mut found);
        kinds::check(body, &mut found);
        guards::check(body, &mut found);
    }
    if found.0.is_empty() { Ok(()) } else { Err(Violations(found.0)) }
}

struct Found(Vec<Violation>);

impl Found {
    fn block(&mut self, block: BlockId, what: impl fmt::Display) {
        self.0.push(Violation { block: Some(block), at: None, what: what.to_string() });
    }

    fn at(&mut self, block: BlockId, at: InstrId, what: impl fmt::Display) {
        self.0.push(Violation { block: Some(block), at: Some(at), what: what.to_string() });
    }

    fn body(&mut self, what: impl fmt::Display) {
        self.0.push(Violation { block: None, at: None, what: what.to_string() });
    }
}

fn check_blocks(body: &Body, found: &mut Found) {
    if body.blocks.is_empty() {
        return found.body("there is no block");
    }
    if body.block(Body::ENTRY).start != 0 {
        found.block(Body::ENTRY, "the entry does not start at index 0");
    }
    let mut names = BTreeSet::new();
    let mut behind = 0;
    let mut edges_began = false;
    for (id, block) in body.block_ids().zip(&body.blocks) {
        edges_began |= block.is_on_edge();
        if edges_began != block.is_on_edge() {
            found.block(id, "stands behind a block on an edge");
        }
        if !block.is_on_edge() {
            if block.start < behind || block.after < block.start {
                found.block(id, "overlaps or is out of order");
            }
            behind = block.after;
        }
        check_names(id, block, &mut names, found);
        let targets = block.successors().into_iter().chain(block.exceptional_successors());
        for target in targets.filter(|target| target.0 as usize >= body.blocks.len()) {
            found.block(id, format_args!("goes to {target}, which does not exist"));
        }
    }
}

fn check_names(id: BlockId, block: &Block, names: &mut BTreeSet<InstrId>, found: &mut Found) {
    let all = block.instrs.iter().map(|instr| instr.id).chain([block.end_id]);
    let mut last = None;
    for name in all {
        let is_inside = (block.start..block.after.max(block.start.saturating_add(1))).contains(&name.bci);
        if !is_inside {
            found.at(id, name, "has an index outside of its block");
        }
        if last.is_some_and(|last| last >= name) {
            found.at(id, name, "is not behind the name before it");
        }
        if !names.insert(name) {
            found.at(id, name, "occurs twice");
        }
        last = Some(name);
    }
}

fn check_reachability(body: &Body, found: &mut Found) {
    let mut reached = vec![false; body.blocks.len()];
    let mut waiting = vec![Body::ENTRY];
    while let Some(id) = waiting.pop() {
        if !std::mem::replace(&mut reached[id.0 as usize], true) {
            let block = body.block(id);
            waiting.extend(block.successors().into_iter().chain(block.exceptional_successors()));
        }
    }
    for id in body.block_ids().filter(|id| !reached[id.0 as usize]) {
        found.block(id, "cannot be reached");
    }
}

fn check_handlers(body: &Body, found: &mut Found) {
    let handlers: BTreeSet<BlockId> = body.blocks.iter().flat_map(Block::exceptional_successors).collect();
    for (id, block) in body.block_ids().zip(&body.blocks) {
        if !block.handlers.is_empty() && !block.can_throw() {
            found.block(id, "has handlers but cannot throw");
        }
        let all = |handler: &HandlerEdge| handler.catch.is_none();
        if block.handlers.iter().position(all).is_some_and(|position| position + 1 != block.handlers.len()) {
            found.block(id, "has handlers behind one that catches everything");
        }
        for target in block.successors().into_iter().filter(|target| handlers.contains(target)) {
            found.block(id, format_args!("jumps to {target}, which takes an exception"));
        }
        for (position, instr) in block.instrs.iter().enumerate() {
            let catches = matches!(instr.op, Op::Assign(_, Rvalue::Caught));
            if catches != (position == 0 && handlers.contains(&id)) {
                found.at(id, instr.id, "`caught` and the start of a handler do not go together");
            }
        }
        if block.instrs.is_empty() && handlers.contains(&id) {
            found.block(id, "takes an exception but does not start with `caught`");
        }
    }
}

fn check_variables(body: &Body, found: &mut Found) {
    let mut occurring = BTreeSet::new();
    let mut assigned = BTreeSet::new();
    let starts: BTreeSet<u16> = body.blocks.iter().map(|block| block.start).collect();
    for (id, block) in body.block_ids().zip(&body.blocks) {
        for instr in &block.instrs {
            occurring.extend(instr.op.operands().into_iter().filter_map(Operand::as_var));
            let Some(var) = instr.op.defines() else { continue };
            occurring.insert(var);
            if let Var::Temp(bci) = var
                && (bci != instr.id.bci || !assigned.insert(var))
            {
                found.at(
                    id,
                    instr.id,
                    format_args!("assigns {var}, which belongs to another index or is assigned twice"),
                );
            }
        }
        occurring.extend(block.end.operands().into_iter().filter_map(Operand::as_var));
    }
    occurring.extend(body.stacks.iter().flat_map(|(_, stack)| stack.iter().filter_map(Operand::as_var)));
    for var in &occurring {
        if let Var::Merge { join, .. } = var
            && !starts.contains(join)
        {
            found.body(format_args!("{var} belongs to no block"));
        }
    }
    if !body.vars.iter().map(|(var, _)| *var).eq(occurring) {
        found.body("the list of variables does not have exactly those that occur, sorted");
    }
    for (var, info) in body.vars.iter().filter(|(_, info)| info.ty.is_some()) {
        if info.ty.map(kind_of_type) != info.kind {
            found.body(format_args!("the type of {var} does not have its kind"));
        }
    }
}

fn lines(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations.iter().map(Violation::to_string).collect();
    lines.join("\n")
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.block {
            Some(block) => write!(f, "{block}")?,
            None => f.write_str("body")?,
        }
        if let Some(at) = self.at {
            write!(f, " {at}")?;
        }
        write!(f, ": {}", self.what)
    }
}
