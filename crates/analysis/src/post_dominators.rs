//! Which blocks every path to the end of the method must pass. The end is a virtual block behind all returns and all `throw`s
//! that may leave the method. A loop without end gets one virtual edge to it, from the last block (in reverse post-order) of
//! each group of blocks that cannot be left; so every reachable block has post-dominators.

use crate::cfg::{Cfg, id};
use crate::tree::Tree;
use ir::BlockId;

#[derive(Clone, Debug)]
pub struct PostDominators {
    /// Over the reversed graph; the virtual end is the root and has the number behind the last block.
    tree: Tree,
    end: usize,
}

impl PostDominators {
    pub fn of(cfg: &Cfg) -> Self {
        PostDominators::among(cfg, cfg.reverse_post_order())
    }

    /// The same for these blocks, whether they can be reached from the entry or not; together with a block they have all that
    /// can be reached from it.
    pub(crate) fn among(cfg: &Cfg, blocks: &[BlockId]) -> Self {
        let end = cfg.len();
        let mut reversed = vec![Vec::new(); end + 1];
        for block in blocks {
            for edge in cfg.successors(*block) {
                reversed[edge.target.0 as usize].push(block.0 as usize);
            }
        }
        reversed[end] = ends(cfg, blocks).into_iter().map(|block| block.0 as usize).collect();
        PostDominators { tree: Tree::of(end, &reversed), end }
    }

    /// The closest block other than itself that post-dominates `block`; `None` if that is the end of the method, and for blocks
    /// that cannot be reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.parent(block.0 as usize).filter(|parent| *parent != self.end).map(id)
    }

    /// Whether every path from `block` to the end passes `later`; a block post-dominates itself.
    pub fn post_dominates(&self, later: BlockId, block: BlockId) -> bool {
        self.tree.is_ancestor(later.0 as usize, block.0 as usize)
    }
}

/// The blocks with an edge to the virtual end.
pub(crate) fn ends(cfg: &Cfg, order: &[BlockId]) -> Vec<BlockId> {
    let mut ends: Vec<BlockId> = order.iter().copied().filter(|block| cfg.is_exit(*block)).collect();
    let mut can_end = vec![false; cfg.len()];
    mark_predecessors(cfg, &ends, &mut can_end);
    // Whoever is in a group that cannot be left reaches only that group. Groups are strongly connected, so a block from which
    // all that it reaches leads back to it is in one.
    for block in order.iter().rev().copied() {
        if !can_end[block.0 as usize] && is_closed(cfg, block) {
            ends.push(block);
            mark_predecessors(cfg, &[block], &mut can_end);
        }
    }
    ends
}

fn mark_predecessors(cfg: &Cfg, from: &[BlockId], marked: &mut [bool]) {
    let mut waiting = from.to_vec();
    while let Some(block) = waiting.pop() {
        if !std::mem::replace(&mut marked[block.0 as usize], true) {
            waiting.extend(cfg.predecessors(block));
        }
    }
}

/// Whether every block that can be reached from this one leads back to it.
fn is_closed(cfg: &Cfg, block: BlockId) -> bool {
    let mut back = vec![false; cfg.len()];
    mark_predecessors(cfg, &[block], &mut back);
    let mut seen = vec![false; cfg.len()];
    let mut waiting = vec![block];
    while let Some(next) = waiting.pop() {
        if std::mem::replace(&mut seen[next.0 as usize], true) {
            continue;
        }
        if !back[next.0 as usize] {
            return false;
        }
        waiting.extend(cfg.successors(next).iter().map(|edge| edge.target));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::{any_graph, graph, reached};
    use proptest::prelude::*;

    /// By definition: from `block`, no end is within reach without `later`.
    fn post_dominates_slowly(cfg: &Cfg, later: BlockId, block: BlockId) -> bool {
        let without = reached(cfg, block, Some(later));
        cfg.position(block).is_some()
            && cfg.position(later).is_some()
            && !ends(cfg, cfg.reverse_post_order()).iter().any(|end| without[end.0 as usize])
    }

    proptest! {
        #[test]
        fn equal_the_definition(cfg in any_graph()) {
            let fast = PostDominators::of(&cfg);
            for block in cfg.blocks() {
                for later in cfg.blocks() {
                    prop_assert_eq!(
                        fast.post_dominates(later, block),
                        post_dominates_slowly(&cfg, later, block),
                        "{} {}", later, block
                    );
                }
            }
        }

        /// Every reachable block can get to an end, and no end is there without need.
        #[test]
        fn ends_are_needed_and_enough(cfg in any_graph()) {
            let ends = ends(&cfg, cfg.reverse_post_order());
            for block in cfg.reverse_post_order() {
                let from_here = reached(&cfg, *block, None);
                prop_assert!(ends.iter().any(|end| from_here[end.0 as usize]));
            }
            for end in ends.iter().filter(|end| !cfg.is_exit(**end)) {
                let from_here = reached(&cfg, *end, None);
                prop_assert!(ends.iter().all(|other| other == end || !from_here[other.0 as usize]));
            }
        }
    }

    #[test]
    fn of_a_loop_without_end() {
        // 0 -> 1 <-> 2, 0 -> 3 (return)
        let fast = PostDominators::of(&graph(&[vec![1, 3], vec![2], vec![1], vec![]]));
        assert_eq!(fast.immediate(BlockId(1)), Some(BlockId(2)));
        assert_eq!(fast.immediate(BlockId(2)), None);
        assert_eq!(fast.immediate(BlockId(0)), None);
    }
}
