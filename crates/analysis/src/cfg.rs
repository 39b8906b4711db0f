//! The control-flow graph of a body: blocks and edges, exceptional ones included. Several edges between the same blocks stay
//! apart, since each is another outcome of a branch or another handler.

use ir::{BlockId, Body, Terminator};

#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Vec<Vec<Edge>>,
    predecessors: Vec<Vec<BlockId>>,
    /// Whether the method can end behind this block, by returning or by a `throw` that no handler is sure to catch.
    exits: Vec<bool>,
    order: Vec<BlockId>,
    /// The position of each block in `order`.
    positions: Vec<Option<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    pub target: BlockId,
    pub via: Via,
}

/// What makes control take an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Via {
    /// The outcome of the terminator, numbered as in [`ir::Block::successors`].
    Jump(u32),
    /// The handler with this position in [`ir::Block::handlers`].
    Exception(u32),
}

impl Cfg {
    pub fn of(body: &Body) -> Self {
        let edges = |block: &ir::Block| {
            let jumps = (0..).zip(block.successors()).map(|(outcome, target)| Edge { target, via: Via::Jump(outcome) });
            let exceptions = (0..).zip(block.exceptional_successors());
            jumps.chain(exceptions.map(|(handler, target)| Edge { target, via: Via::Exception(handler) })).collect()
        };
        let exits = body.blocks.iter().map(can_end).collect();
        Cfg::new(body.blocks.iter().map(edges).collect(), exits)
    }

    /// A graph from the successors of each block; block 0 is the entry.
    pub(crate) fn new(successors: Vec<Vec<Edge>>, exits: Vec<bool>) -> Self {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (block, edges) in successors.iter().enumerate() {
            for edge in edges {
                let from: &mut Vec<BlockId> = &mut predecessors[edge.target.0 as usize];
                if from.last() != Some(&id(block)) {
                    from.push(id(block));
                }
            }
        }
        predecessors.iter_mut().for_each(|from| from.dedup());
        let targets = |block: usize| successors[block].iter().map(|edge| edge.target.0 as usize);
        let order: Vec<BlockId> = reverse_post_order(successors.len(), 0, targets).into_iter().map(id).collect();
        let mut positions = vec![None; successors.len()];
        for (position, block) in (0..).zip(&order) {
            positions[block.0 as usize] = Some(position);
        }
        Cfg { successors, predecessors, exits, order, positions }
    }

    pub fn len(&self) -> usize {
        self.successors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.len()).map(id)
    }

    /// The edges out of a block: outcomes of its terminator in order, then its handlers in order.
    pub fn successors(&self, block: BlockId) -> &[Edge] {
        &self.successors[block.0 as usize]
    }

    /// The blocks with an edge to this one, each once, ascending.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.0 as usize]
    }

    /// Whether the method can end behind this block.
    pub fn is_exit(&self, block: BlockId) -> bool {
        self.exits[block.0 as usize]
    }

    /// The reachable blocks, the entry first; a block comes before its successors except along edges that close a cycle.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.order
    }

    /// The block's place in [`reverse_post_order`](Self::reverse_post_order); `None` if it cannot be reached.
    pub fn position(&self, block: BlockId) -> Option<u32> {
        self.positions[block.0 as usize]
    }
}

fn can_end(block: &ir::Block) -> bool {
    match block.end {
        Terminator::Return(_) => true,
        Terminator::Throw(_) => {
            let catches_all = |catch: Option<program::ClassName>| {
                catch.is_none_or(|class| class.as_internal() == "java/lang/Throwable")
            };
            !block.handlers.iter().any(|handler| catches_all(handler.catch))
        }
        _ => false,
    }
}

pub(crate) fn id(block: usize) -> BlockId {
    BlockId(u32::try_from(block).expect("65535 bytes of code have far fewer than 2^32 edges, and so fewer blocks"))
}

/// The nodes that can be reached from `root`, in reverse post-order of a depth-first search that takes edges in order.
pub(crate) fn reverse_post_order<I>(count: usize, root: usize, successors: impl Fn(usize) -> I) -> Vec<usize>
where
    I: Iterator<Item = usize>,
{
    if count == 0 {
        return Vec::new();
    }
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    seen[root] = true;
    let mut path = vec![(root, successors(root))];
    while let Some((node, rest)) = path.last_mut() {
        match rest.next() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                path.push((next, successors(next)));
            }
            Some(_) => {}
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
pub(crate) mod testing {
    //! Random graphs for properties.

    use super::*;
    use proptest::prelude::*;

    /// Up to 12 blocks with up to three edges each, loops and unreachable parts included.
    pub(crate) fn any_graph() -> impl Strategy<Value = Cfg> {
        (1usize..12)
            .prop_flat_map(|count| prop::collection::vec(prop::collection::vec(0..count, 0..=3), count))
            .prop_map(|targets| graph(&targets))
    }

    pub(crate) fn graph(targets: &[Vec<usize>]) -> Cfg {
        let edges = |targets: &Vec<usize>| {
            (0..).zip(targets).map(|(outcome, to)| Edge { target: id(*to), via: Via::Jump(outcome) }).collect()
        };
        let exits = targets.iter().map(Vec::is_empty).collect();
        Cfg::new(targets.iter().map(edges).collect(), exits)
    }

    /// Which blocks can be reached from `start` without entering `avoid`; nothing if `start` is `avoid`.
    pub(crate) fn reached(cfg: &Cfg, start: BlockId, avoid: Option<BlockId>) -> Vec<bool> {
        let mut seen = vec![false; cfg.len()];
        let mut waiting = vec![start];
        while let Some(block) = waiting.pop() {
            if Some(block) == avoid || std::mem::replace(&mut seen[block.0 as usize], true) {
                continue;
            }
            waiting.extend(cfg.successors(block).iter().map(|edge| edge.target));
        }
        seen
    }

    proptest! {
        #[test]
        fn order_is_topological_but_for_cycles(cfg in any_graph()) {
            let from_entry = reached(&cfg, BlockId(0), None);
            for block in cfg.blocks() {
                prop_assert_eq!(cfg.position(block).is_some(), from_entry[block.0 as usize]);
                for edge in cfg.successors(block) {
                    let backwards = cfg.position(block) >= cfg.position(edge.target);
                    if backwards && cfg.position(block).is_some() {
                        prop_assert!(reached(&cfg, edge.target, None)[block.0 as usize], "{block} {}", edge.target);
                    }
                }
            }
        }
    }
}
