//! Conditional blocks and merge points: what a branch decides about, and where its ways come together again (STAR, section
//! 3.2). Exceptional edges do not count here: nearly every block can throw, so that with them no ways would ever meet. Code of
//! handlers has its own branches and merge points.

use crate::cfg::{Cfg, Edge, Via, id};
use crate::post_dominators::PostDominators;
use ir::{BlockId, Body, Terminator};

#[derive(Clone, Debug)]
pub struct Merges {
    /// By block; `None` for blocks that do not branch.
    conditionals: Vec<Option<Conditional>>,
    is_merge: Vec<bool>,
}

/// What runs or does not run depending on how a branch goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    pub branch: BlockId,
    /// The first block that all ways from the branch come to; `None` if some end before, or never do.
    pub merge: Option<BlockId>,
    /// The blocks on the ways from the branch to the merge point, both not included, ascending. The branch itself is among them
    /// if it is in a loop that does not pass the merge point.
    pub blocks: Vec<BlockId>,
}

impl Merges {
    pub fn of(body: &Body) -> Self {
        Merges::over(&plain(body))
    }

    fn over(cfg: &Cfg) -> Self {
        let all: Vec<BlockId> = cfg.blocks().collect();
        let post = PostDominators::among(cfg, &all);
        let conditional = |branch: BlockId| {
            let edges = cfg.successors(branch);
            let is_branch = edges.iter().any(|edge| edge.target != edges[0].target);
            is_branch.then(|| {
                let merge = post.immediate(branch);
                Conditional { branch, merge, blocks: blocks_until(cfg, branch, merge) }
            })
        };
        let arrivals = |block: BlockId| {
            let of = |from: &BlockId| cfg.successors(*from).iter().filter(|edge| edge.target == block).count();
            cfg.predecessors(block).iter().map(of).sum::<usize>()
        };
        Merges {
            conditionals: all.iter().map(|block| conditional(*block)).collect(),
            is_merge: all.iter().map(|block| arrivals(*block) > 1).collect(),
        }
    }

    /// What the branch at the end of this block decides about; `None` if the block does not branch.
    pub fn conditional(&self, branch: BlockId) -> Option<&Conditional> {
        self.conditionals[branch.0 as usize].as_ref()
    }

    pub fn conditionals(&self) -> impl Iterator<Item = &Conditional> {
        self.conditionals.iter().flatten()
    }

    /// Whether several ways come together at the start of the block.
    pub fn is_merge(&self, block: BlockId) -> bool {
        self.is_merge[block.0 as usize]
    }

    pub fn merge_points(&self) -> impl Iterator<Item = BlockId> + '_ {
        (0..self.is_merge.len()).map(id).filter(|block| self.is_merge(*block))
    }
}

/// The graph without exceptional edges.
fn plain(body: &Body) -> Cfg {
    let edges = |block: &ir::Block| {
        (0..).zip(block.successors()).map(|(outcome, target)| Edge { target, via: Via::Jump(outcome) }).collect()
    };
    let ends = |block: &ir::Block| matches!(block.end, Terminator::Return(_) | Terminator::Throw(_));
    Cfg::new(body.blocks.iter().map(edges).collect(), body.blocks.iter().map(ends).collect())
}

fn blocks_until(cfg: &Cfg, branch: BlockId, merge: Option<BlockId>) -> Vec<BlockId> {
    let mut inside = vec![false; cfg.len()];
    let mut waiting: Vec<BlockId> = cfg.successors(branch).iter().map(|edge| edge.target).collect();
    while let Some(block) = waiting.pop() {
        if Some(block) != merge && !std::mem::replace(&mut inside[block.0 as usize], true) {
            waiting.extend(cfg.successors(block).iter().map(|edge| edge.target));
        }
    }
    cfg.blocks().filter(|block| inside[block.0 as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::{any_graph, graph, reached};
    use crate::post_dominators::ends;
    use proptest::prelude::*;

    /// Whether control can get from `from` to the end of the method, or get stuck, without passing `avoid`.
    fn ends_without(cfg: &Cfg, from: BlockId, avoid: Option<BlockId>) -> bool {
        let reached = reached(cfg, from, avoid);
        let all: Vec<BlockId> = cfg.blocks().collect();
        ends(cfg, &all).iter().any(|end| reached[end.0 as usize])
    }

    proptest! {
        /// The merge point is what all ways to the end pass, and none of its rivals comes earlier.
        #[test]
        fn all_ways_meet_at_the_merge_point(cfg in any_graph()) {
            let merges = Merges::over(&cfg);
            for branch in cfg.blocks() {
                let Some(found) = merges.conditional(branch) else { continue };
                let must_pass: Vec<BlockId> = cfg.blocks()
                    .filter(|block| *block != branch && !ends_without(&cfg, branch, Some(*block)))
                    .collect();
                prop_assert_eq!(found.merge.is_some(), !must_pass.is_empty(), "{} {:?}", branch, must_pass);
                if let Some(merge) = found.merge {
                    prop_assert!(must_pass.contains(&merge));
                    // From the merge point on, the others are still to come.
                    prop_assert!(must_pass.iter().all(|other| *other == merge || !ends_without(&cfg, merge, Some(*other))));
                }
            }
        }

        /// The blocks of a conditional are those that can be reached without passing its merge point.
        #[test]
        fn blocks_are_those_before_the_merge_point(cfg in any_graph()) {
            let merges = Merges::over(&cfg);
            for found in merges.conditionals() {
                let starts = cfg.successors(found.branch).iter().map(|edge| reached(&cfg, edge.target, found.merge));
                let mut before = vec![false; cfg.len()];
                for reached in starts {
                    before.iter_mut().zip(reached).for_each(|(known, reached)| *known |= reached);
                }
                let expected: Vec<BlockId> = cfg.blocks().filter(|block| before[block.0 as usize]).collect();
                prop_assert_eq!(&found.blocks, &expected);
            }
        }
    }

    #[test]
    fn of_nested_branches() {
        // 0 -> 1, 4; 1 -> 2, 3; 2 -> 3; 3 -> 4
        let merges = Merges::over(&graph(&[vec![1, 4], vec![2, 3], vec![3], vec![4], vec![]]));
        let outer = merges.conditional(BlockId(0)).unwrap();
        assert_eq!(
            (outer.merge, outer.blocks.as_slice()),
            (Some(BlockId(4)), &[BlockId(1), BlockId(2), BlockId(3)][..])
        );
        let inner = merges.conditional(BlockId(1)).unwrap();
        assert_eq!((inner.merge, inner.blocks.as_slice()), (Some(BlockId(3)), &[BlockId(2)][..]));
        assert_eq!(merges.merge_points().collect::<Vec<_>>(), [BlockId(3), BlockId(4)]);
    }
}
