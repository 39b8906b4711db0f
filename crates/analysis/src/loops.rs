//! Natural loops: a header that dominates the sources of the edges back to it, with all blocks that get to those sources without
//! passing the header. Loops with the same header are one. Cycles with several entries have no header; their closing edges are
//! listed instead, as irreducible.

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use ir::BlockId;

#[derive(Clone, Debug)]
pub struct Loops {
    /// In reverse post-order of the headers, so that outer loops come before inner ones.
    loops: Vec<Loop>,
    /// The innermost loop of each block, as a position in `loops`.
    innermost: Vec<Option<usize>>,
    irreducible: Vec<(BlockId, BlockId)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub header: BlockId,
    /// Sources of the edges back to the header, ascending.
    pub latches: Vec<BlockId>,
    /// Header included, ascending.
    pub blocks: Vec<BlockId>,
    /// The position of the smallest loop around this one.
    pub parent: Option<usize>,
}

impl Loops {
    pub fn of(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut loops: Vec<Loop> = Vec::new();
        let mut irreducible = Vec::new();
        for header in cfg.reverse_post_order().iter().copied() {
            let closing = |from: &&BlockId| cfg.position(**from).is_some_and(|at| Some(at) >= cfg.position(header));
            let closing: Vec<BlockId> = cfg.predecessors(header).iter().filter(closing).copied().collect();
            let (latches, entering): (Vec<BlockId>, Vec<BlockId>) =
                closing.into_iter().partition(|from| dominators.dominates(header, *from));
            irreducible.extend(entering.into_iter().map(|from| (from, header)));
            if !latches.is_empty() {
                let blocks = blocks_of(cfg, header, &latches);
                loops.push(Loop { header, latches, blocks, parent: None });
            }
        }
        let innermost = nest(&mut loops, cfg.len());
        Loops { loops, innermost, irreducible }
    }

    pub fn all(&self) -> &[Loop] {
        &self.loops
    }

    /// The smallest loop that has the block.
    pub fn innermost(&self, block: BlockId) -> Option<&Loop> {
        self.innermost[block.0 as usize].map(|position| &self.loops[position])
    }

    /// How many loops have the block.
    pub fn depth(&self, block: BlockId) -> usize {
        let mut position = self.innermost[block.0 as usize];
        std::iter::from_fn(|| {
            let found = position?;
            position = self.loops[found].parent;
            Some(found)
        })
        .count()
    }

    /// Edges that close a cycle whose other end does not dominate them.
    pub fn irreducible(&self) -> &[(BlockId, BlockId)] {
        &self.irreducible
    }
}

fn blocks_of(cfg: &Cfg, header: BlockId, latches: &[BlockId]) -> Vec<BlockId> {
    let mut inside = vec![false; cfg.len()];
    inside[header.0 as usize] = true;
    let mut waiting = latches.to_vec();
    while let Some(block) = waiting.pop() {
        // A predecessor that cannot be reached is in no loop.
        if cfg.position(block).is_some() && !std::mem::replace(&mut inside[block.0 as usize], true) {
            waiting.extend(cfg.predecessors(block));
        }
    }
    cfg.blocks().filter(|block| inside[block.0 as usize]).collect()
}

/// Sets the parents and returns the innermost loop of each block. Natural loops are disjoint or nested, and an inner header comes
/// later in reverse post-order.
fn nest(loops: &mut [Loop], blocks: usize) -> Vec<Option<usize>> {
    let mut innermost: Vec<Option<usize>> = vec![None; blocks];
    for (position, found) in loops.iter_mut().enumerate() {
        found.parent = innermost[found.header.0 as usize];
        for block in &found.blocks {
            innermost[block.0 as usize] = Some(position);
        }
    }
    innermost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::{any_graph, graph, reached};
    use proptest::prelude::*;

    fn loops(cfg: &Cfg) -> Loops {
        Loops::of(cfg, &Dominators::of(cfg))
    }

    proptest! {
        /// A block is in the loop of a header exactly if the header dominates it and it gets back to a latch by dominated blocks.
        #[test]
        fn equal_the_definition(cfg in any_graph()) {
            let dominators = Dominators::of(&cfg);
            let found = loops(&cfg);
            for natural in found.all() {
                for latch in &natural.latches {
                    prop_assert!(dominators.dominates(natural.header, *latch));
                    prop_assert!(cfg.successors(*latch).iter().any(|edge| edge.target == natural.header));
                }
                for block in cfg.blocks().filter(|block| cfg.position(*block).is_some()) {
                    let avoiding = reached(&cfg, block, Some(natural.header));
                    let is_inside = block == natural.header || natural.latches.iter().any(|latch| avoiding[latch.0 as usize]);
                    prop_assert_eq!(natural.blocks.contains(&block), is_inside, "{}", block);
                    prop_assert!(!is_inside || dominators.dominates(natural.header, block));
                }
                if let Some(parent) = natural.parent {
                    let outer = &found.all()[parent];
                    prop_assert!(outer.header != natural.header);
                    prop_assert!(natural.blocks.iter().all(|block| outer.blocks.contains(block)));
                }
            }
            for block in cfg.blocks() {
                let around = found.all().iter().filter(|natural| natural.blocks.contains(&block));
                prop_assert_eq!(found.depth(block), around.clone().count());
                prop_assert_eq!(found.innermost(block), around.min_by_key(|natural| natural.blocks.len()));
            }
        }

        /// Every cycle is closed by an edge back to a header or by an irreducible edge.
        #[test]
        fn every_cycle_is_found(cfg in any_graph()) {
            let found = loops(&cfg);
            let closes = |from: BlockId, to: BlockId| {
                found.irreducible().contains(&(from, to))
                    || found.all().iter().any(|natural| natural.header == to && natural.latches.contains(&from))
            };
            let acyclic: Vec<Vec<usize>> = cfg.blocks().map(|block| {
                let edges = cfg.successors(block).iter().filter(|edge| !closes(block, edge.target));
                edges.map(|edge| edge.target.0 as usize).collect()
            }).collect();
            let rest = graph(&acyclic);
            for block in cfg.reverse_post_order() {
                for edge in rest.successors(*block) {
                    prop_assert!(!reached(&rest, edge.target, None)[block.0 as usize], "{} is in a cycle", block);
                }
            }
        }
    }

    #[test]
    fn two_entries_make_a_cycle_irreducible() {
        let found = loops(&graph(&[vec![1, 2], vec![2], vec![1, 3], vec![]]));
        assert_eq!(found.all(), []);
        assert_eq!(found.irreducible().len(), 1);
    }
}
