//! Which assignments a read may see, and which reads may see an assignment: reaching definitions, flow-sensitive, over all edges.
//! An exceptional edge carries every definition that is current at some operation of the block that can throw. Only variables
//! are followed; fields and arrays are not.

use crate::bits::Bits;
use crate::cfg::{Cfg, Via};
use ir::{Block, BlockId, Body, Operand, Var};
use program::InstrId;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub struct DefUse {
    /// Parameters first, then in the order of the code.
    definitions: Vec<Definition>,
    /// Positions in `definitions`.
    by_var: BTreeMap<Var, Vec<usize>>,
    /// What is current at the start of each block.
    before: Vec<Bits>,
    /// For each definition the operations that may read it, ascending.
    uses: Vec<Vec<InstrId>>,
}

/// One assignment to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Definition {
    pub var: Var,
    /// `None` for the value that a parameter has at the entry.
    pub at: Option<InstrId>,
}

impl DefUse {
    pub fn of(body: &Body, cfg: &Cfg) -> Self {
        let mut definitions: Vec<Definition> =
            body.parameters().into_iter().map(|(slot, _)| Definition { var: Var::Local(slot), at: None }).collect();
        let parameters = definitions.len();
        for (_, instr) in body.instrs() {
            definitions.extend(instr.op.defines().map(|var| Definition { var, at: Some(instr.id) }));
        }
        let mut by_var: BTreeMap<Var, Vec<usize>> = BTreeMap::new();
        for (position, definition) in definitions.iter().enumerate() {
            by_var.entry(definition.var).or_default().push(position);
        }
        let before = solve(body, cfg, parameters, &definitions, &by_var);
        let uses = vec![Vec::new(); definitions.len()];
        let mut def_use = DefUse { definitions, by_var, before, uses };
        def_use.uses = def_use.find_uses(body);
        def_use
    }

    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The definitions of `var` that may be current just before the operation `at`; parameters first, then in code order. Empty
    /// if there is no such operation.
    pub fn reaching(&self, body: &Body, var: Var, at: InstrId) -> Vec<Definition> {
        let Some((block, position)) = body.place_of(at) else { return Vec::new() };
        let before = &body.block(block).instrs[..position];
        if let Some(last) = before.iter().rev().find(|instr| instr.op.defines() == Some(var)) {
            return vec![Definition { var, at: Some(last.id) }];
        }
        self.at_start(block, var).map(|position| self.definitions[position]).collect()
    }

    /// The one definition that a read of `var` at this operation sees, if there is only one.
    pub fn only(&self, body: &Body, var: Var, at: InstrId) -> Option<Definition> {
        match self.reaching(body, var, at).as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The operations that may read what this definition assigns, ascending. An operation that reads it twice counts once.
    pub fn uses(&self, definition: Definition) -> &[InstrId] {
        let positions = self.by_var.get(&definition.var).map_or(&[][..], Vec::as_slice);
        let found = positions.iter().find(|position| self.definitions[**position] == definition);
        found.map_or(&[], |position| &self.uses[*position])
    }

    fn at_start(&self, block: BlockId, var: Var) -> impl Iterator<Item = usize> {
        let bits = &self.before[block.0 as usize];
        self.by_var.get(&var).into_iter().flatten().copied().filter(|position| bits.contains(*position))
    }

    fn find_uses(&self, body: &Body) -> Vec<Vec<InstrId>> {
        let mut uses: Vec<BTreeSet<InstrId>> = vec![BTreeSet::new(); self.definitions.len()];
        for (id, block) in body.block_ids().zip(&body.blocks) {
            // The last definition in this block so far.
            let mut current: BTreeMap<Var, usize> = BTreeMap::new();
            let mut read = |at: InstrId, operands: Vec<&Operand>, current: &BTreeMap<Var, usize>| {
                for var in operands.into_iter().filter_map(Operand::as_var) {
                    match current.get(&var) {
                        Some(position) => _ = uses[*position].insert(at),
                        None => self.at_start(id, var).for_each(|position| _ = uses[position].insert(at)),
                    }
                }
            };
            for instr in &block.instrs {
                read(instr.id, instr.op.operands(), &current);
                if let Some(var) = instr.op.defines() {
                    let position = self.position_of(Definition { var, at: Some(instr.id) });
                    position.into_iter().for_each(|position| _ = current.insert(var, position));
                }
            }
            read(block.end_id, block.end.operands(), &current);
        }
        uses.into_iter().map(|uses| uses.into_iter().collect()).collect()
    }

    fn position_of(&self, definition: Definition) -> Option<usize> {
        self.by_var.get(&definition.var)?.iter().copied().find(|position| self.definitions[*position] == definition)
    }
}

/// What a block does to the set of current definitions, on the way to its end and on the way to its handlers.
struct Transfer {
    kills: Bits,
    makes: Bits,
    kills_before_throw: Bits,
    makes_before_throw: Bits,
}

fn solve(
    body: &Body,
    cfg: &Cfg,
    parameters: usize,
    definitions: &[Definition],
    by_var: &BTreeMap<Var, Vec<usize>>,
) -> Vec<Bits> {
    let count = definitions.len();
    let mut next = parameters;
    let transfers: Vec<Transfer> = body.blocks.iter().map(|block| transfer(block, &mut next, count, by_var)).collect();
    let mut before = vec![Bits::new(count); cfg.len()];
    for parameter in 0..parameters {
        before[0].insert(parameter);
    }
    // By position in reverse post-order, so that a block mostly comes after its predecessors.
    let order = cfg.reverse_post_order();
    let mut waiting: BTreeSet<u32> = (0..).zip(order).map(|(position, _)| position).collect();
    while let Some(position) = waiting.pop_first() {
        let block = order[position as usize];
        let transfer = &transfers[block.0 as usize];
        let [at_end, thrown] =
            [(&transfer.kills, &transfer.makes), (&transfer.kills_before_throw, &transfer.makes_before_throw)].map(
                |(kills, makes)| {
                    let mut bits = before[block.0 as usize].clone();
                    bits.remove_all(kills);
                    bits.union(makes);
                    bits
                },
            );
        for edge in cfg.successors(block) {
            let bits = if matches!(edge.via, Via::Jump(_)) { &at_end } else { &thrown };
            if before[edge.target.0 as usize].union(bits) {
                waiting.extend(cfg.position(edge.target));
            }
        }
    }
    before
}

/// `next` is the position of the block's first definition.
fn transfer(block: &Block, next: &mut usize, count: usize, by_var: &BTreeMap<Var, Vec<usize>>) -> Transfer {
    let mut kills = Bits::new(count);
    let mut makes = Bits::new(count);
    let mut kills_before_throw = None;
    let mut makes_before_throw = Bits::new(count);
    for instr in &block.instrs {
        if instr.op.can_throw() {
            kills_before_throw.get_or_insert_with(|| kills.clone());
            makes_before_throw.union(&makes);
        }
        let Some(var) = instr.op.defines() else { continue };
        let mut same_var = Bits::new(count);
        by_var.get(&var).into_iter().flatten().for_each(|position| _ = same_var.insert(*position));
        kills.union(&same_var);
        makes.remove_all(&same_var);
        makes.insert(*next);
        *next += 1;
    }
    if block.end.can_throw() {
        makes_before_throw.union(&makes);
    }
    let kills_before_throw = kills_before_throw.unwrap_or_else(|| kills.clone());
    Transfer { kills, makes, kills_before_throw, makes_before_throw }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Random bodies for properties.

    use ir::{
        Block, Body, Callee, CompareOp, Const, HandlerEdge, Instr, InvokeKind, Op, Operand, Rvalue, Stacks, Terminator,
        Var,
    };
    use program::{InstrId, MethodRef};
    use proptest::prelude::*;

    /// A block in the making: assignments `l<to> = l<from>` or calls (`None`), targets, handlers.
    type Draft = (Vec<Option<(u16, u16)>>, Vec<usize>, Vec<usize>);

    pub(crate) fn any_body() -> impl Strategy<Value = Body> {
        let op = prop::option::weighted(0.7, (0u16..4, 0u16..4));
        (1usize..8)
            .prop_flat_map(move |count| {
                let targets = prop::collection::vec(0..count, 0..=2);
                let handlers = prop::collection::vec(0..count, 0..=2);
                prop::collection::vec((prop::collection::vec(op.clone(), 0..5), targets, handlers), count)
            })
            .prop_map(|drafts| body(&drafts))
    }

    fn body(drafts: &[Draft]) -> Body {
        let id = crate::cfg::id;
        let block = |(number, (ops, targets, handlers)): (u16, &Draft)| {
            let instrs = (0..).zip(ops).map(|(sub, op)| Instr {
                id: InstrId { bci: number, sub },
                op: match op {
                    Some((to, from)) => Op::Assign(Var::Local(*to), Rvalue::Use(Var::Local(*from).into())),
                    None => Op::Invoke(call(), Vec::new()),
                },
            });
            let read = Operand::Var(Var::Local(number % 4));
            let end = match targets.as_slice() {
                [] if number % 2 == 0 => Terminator::Throw(read),
                [] => Terminator::Return(Some(read)),
                [one] => Terminator::Goto(id(*one)),
                [one, two, ..] => Terminator::If {
                    op: CompareOp::Eq,
                    left: read,
                    right: Const::Int(0).into(),
                    then: id(*one),
                    otherwise: id(*two),
                },
            };
            let mut block = Block {
                start: number,
                after: number + 1,
                instrs: instrs.collect(),
                end,
                end_id: InstrId { bci: number, sub: u8::MAX },
                handlers: Vec::new(),
            };
            if block.can_throw() {
                block.handlers =
                    handlers.iter().map(|target| HandlerEdge { catch: None, target: id(*target) }).collect();
            }
            block
        };
        Body {
            method: MethodRef::new("T", "t", "(II)V"),
            is_static: true,
            blocks: (0..).zip(drafts).map(block).collect(),
            vars: Vec::new(),
            names: Vec::new(),
            lines: Vec::new(),
            stacks: Stacks::default(),
            unreachable: 0,
        }
    }

    fn call() -> Callee {
        Callee::Method { kind: InvokeKind::Static, method: MethodRef::new("T", "u", "()V"), interface: false }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::any_body;
    use super::*;
    use proptest::prelude::*;

    /// By definition: all reads on ways from the definition on which nothing else is assigned to the variable.
    fn uses_slowly(body: &Body, definition: Definition) -> Vec<InstrId> {
        let first = definition.at.map_or((BlockId(0), 0), |at| {
            let (block, position) = body.place_of(at).unwrap();
            (block, position + 1)
        });
        let mut uses = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![first];
        while let Some((block, position)) = waiting.pop() {
            if !seen.insert((block, position)) {
                continue;
            }
            let found = body.block(block);
            let (at, operands, can_throw, assigned) = match found.instrs.get(position) {
                Some(instr) => (instr.id, instr.op.operands(), instr.op.can_throw(), instr.op.defines()),
                None => (found.end_id, found.end.operands(), found.end.can_throw(), None),
            };
            if operands.contains(&&Operand::Var(definition.var)) {
                uses.insert(at);
            }
            if can_throw {
                waiting.extend(found.exceptional_successors().map(|handler| (handler, 0)));
            }
            if position == found.instrs.len() {
                waiting.extend(found.successors().into_iter().map(|next| (next, 0)));
            } else if assigned != Some(definition.var) {
                waiting.push((block, position + 1));
            }
        }
        uses.into_iter().collect()
    }

    proptest! {
        #[test]
        fn equal_the_definition(body in any_body()) {
            let cfg = Cfg::of(&body);
            let def_use = DefUse::of(&body, &cfg);
            for definition in def_use.definitions() {
                let reachable = definition.at.is_none_or(|at| cfg.position(body.place_of(at).unwrap().0).is_some());
                if !reachable {
                    continue;
                }
                let slow = uses_slowly(&body, *definition);
                prop_assert_eq!(def_use.uses(*definition), slow.as_slice(), "{:?}\n{}", definition, body);
                for at in slow {
                    prop_assert!(def_use.reaching(&body, definition.var, at).contains(definition));
                }
            }
        }
    }
}
