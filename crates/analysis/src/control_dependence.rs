//! Control dependence: which outcome of which branch decides whether a block is executed. Ferrante, Ottenstein and Warren, "The
//! Program Dependence Graph and Its Use in Optimization" (1987), section 3.1: a block depends on an edge `a -> b` if it
//! post-dominates `b` but not `a` strictly. Exceptional edges are edges, so a block in a handler depends on the blocks that
//! throw, and code behind a call that may throw into a handler depends on the call's block. Deviation: dependences keep the
//! edge, and there is no dependence on the method's entry.

use crate::cfg::{Cfg, Edge};
use crate::post_dominators::PostDominators;
use ir::BlockId;

#[derive(Clone, Debug)]
pub struct ControlDependence {
    /// For each block what it depends on, ascending.
    dependences: Vec<Vec<Dependence>>,
}

/// A block is executed if control takes this edge, unless it gets stuck before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dependence {
    pub on: BlockId,
    pub edge: Edge,
}

impl ControlDependence {
    pub fn of(cfg: &Cfg, post: &PostDominators) -> Self {
        let mut dependences = vec![Vec::new(); cfg.len()];
        for on in cfg.blocks().filter(|block| cfg.position(*block).is_some()) {
            let stop = post.immediate(on);
            for edge in cfg.successors(on) {
                let mut dependent = Some(edge.target);
                while let Some(block) = dependent.filter(|block| Some(*block) != stop) {
                    dependences[block.0 as usize].push(Dependence { on, edge: *edge });
                    dependent = post.immediate(block);
                }
            }
        }
        ControlDependence { dependences }
    }

    /// What decides whether `block` is executed; empty if it is executed whenever the method is entered and nothing throws.
    pub fn of_block(&self, block: BlockId) -> &[Dependence] {
        &self.dependences[block.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::{any_graph, graph};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_the_definition(cfg in any_graph()) {
            let post = PostDominators::of(&cfg);
            let fast = ControlDependence::of(&cfg, &post);
            for block in cfg.blocks() {
                let mut slow = Vec::new();
                for on in cfg.blocks().filter(|on| cfg.position(*on).is_some()) {
                    for edge in cfg.successors(on) {
                        let strictly = block != on && post.post_dominates(block, on);
                        if post.post_dominates(block, edge.target) && !strictly {
                            slow.push(Dependence { on, edge: *edge });
                        }
                    }
                }
                prop_assert_eq!(fast.of_block(block), slow.as_slice(), "{}", block);
            }
        }
    }

    #[test]
    fn of_nested_branches() {
        // 0: if -> 1 | 4; 1: if -> 2 | 3; 2, 3 -> 4
        let cfg = graph(&[vec![1, 4], vec![2, 3], vec![4], vec![4], vec![]]);
        let dependence = ControlDependence::of(&cfg, &PostDominators::of(&cfg));
        let on = |block| -> Vec<u32> { dependence.of_block(BlockId(block)).iter().map(|found| found.on.0).collect() };
        assert_eq!([on(0), on(1), on(2), on(3), on(4)], [vec![], vec![0], vec![1], vec![1], vec![]]);
    }

    #[test]
    fn of_a_loop() {
        // 1: while -> 2 | 3; 2 -> 1
        let cfg = graph(&[vec![1], vec![2, 3], vec![1], vec![]]);
        let dependence = ControlDependence::of(&cfg, &PostDominators::of(&cfg));
        let on = |block| -> Vec<u32> { dependence.of_block(BlockId(block)).iter().map(|found| found.on.0).collect() };
        assert_eq!([on(0), on(1), on(2), on(3)], [vec![], vec![1], vec![1], vec![]]);
    }
}
