//! Which blocks every path from the entry must pass. Blocks that cannot be reached dominate nothing and are not dominated.

use crate::cfg::{Cfg, id};
use crate::tree::Tree;
use ir::BlockId;

#[derive(Clone, Debug)]
pub struct Dominators(Tree);

impl Dominators {
    pub fn of(cfg: &Cfg) -> Self {
        let targets = |block| cfg.successors(block).iter().map(|edge| edge.target.0 as usize).collect();
        Dominators(Tree::of(0, &cfg.blocks().map(targets).collect::<Vec<Vec<usize>>>()))
    }

    /// The closest block other than itself that dominates `block`; `None` for the entry.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.0.parent(block.0 as usize).map(id)
    }

    /// Whether every path from the entry to `below` passes `above`; a block dominates itself.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.0.is_ancestor(above.0 as usize, below.0 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::{any_graph, graph, reached};
    use proptest::prelude::*;

    /// By definition: without `above`, `below` is out of reach.
    fn dominates_slowly(cfg: &Cfg, above: BlockId, below: BlockId) -> bool {
        let entry = BlockId(0);
        let [with, without] = [None, Some(above)].map(|avoid| reached(cfg, entry, avoid)[below.0 as usize]);
        with && !without
    }

    proptest! {
        #[test]
        fn equal_the_definition(cfg in any_graph()) {
            let fast = Dominators::of(&cfg);
            for below in cfg.blocks() {
                for above in cfg.blocks() {
                    prop_assert_eq!(fast.dominates(above, below), dominates_slowly(&cfg, above, below), "{} {}", above, below);
                }
                let strict: Vec<BlockId> =
                    cfg.blocks().filter(|above| *above != below && dominates_slowly(&cfg, *above, below)).collect();
                let closest = strict.iter().copied().find(|one| strict.iter().all(|other| dominates_slowly(&cfg, *other, *one)));
                prop_assert_eq!(fast.immediate(below), closest);
            }
        }
    }

    #[test]
    fn of_a_diamond_in_a_loop() {
        let fast = Dominators::of(&graph(&[vec![1], vec![2, 3], vec![4], vec![4], vec![1, 5], vec![]]));
        let immediate: Vec<Option<u32>> = (0..6).map(|block| fast.immediate(BlockId(block)).map(|id| id.0)).collect();
        assert_eq!(immediate, [None, Some(0), Some(1), Some(1), Some(1), Some(4)]);
    }
}
