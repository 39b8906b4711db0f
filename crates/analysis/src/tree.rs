//! Dominator trees of graphs given by numbers, by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
//! Algorithm", 2001). Deviation: none. Ancestor queries take constant time by the intervals of a depth-first walk of the tree.

use crate::cfg::reverse_post_order;

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// `None` for the root and for nodes that cannot be reached from it.
    parents: Vec<Option<usize>>,
    /// When a walk of the tree enters and leaves each node; empty interval for nodes outside.
    intervals: Vec<(u32, u32)>,
}

impl Tree {
    /// The dominator tree of the nodes that can be reached from `root`.
    pub(crate) fn of(root: usize, successors: &[Vec<usize>]) -> Self {
        let count = successors.len();
        let order = reverse_post_order(count, root, |node| successors[node].iter().copied());
        let mut positions = vec![usize::MAX; count];
        for (position, node) in order.iter().enumerate() {
            positions[*node] = position;
        }
        let mut predecessors = vec![Vec::new(); order.len()];
        for node in &order {
            for next in &successors[*node] {
                predecessors[positions[*next]].push(positions[*node]);
            }
        }
        let parents_by_position = solve(&predecessors);
        let mut parents = vec![None; count];
        for (position, node) in order.iter().enumerate().skip(1) {
            parents[*node] = parents_by_position[position].map(|parent| order[parent]);
        }
        let intervals = walk(root, &parents);
        Tree { parents, intervals }
    }

    pub(crate) fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    /// Whether `above` is `below` or one of its ancestors.
    pub(crate) fn is_ancestor(&self, above: usize, below: usize) -> bool {
        let (above, below) = (self.intervals[above], self.intervals[below]);
        above.0 <= below.0 && below.1 <= above.1 && below.0 < below.1
    }
}

/// Immediate dominators of nodes numbered in reverse post-order, 0 being the root.
fn solve(predecessors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; predecessors.len()];
    if parents.is_empty() {
        return parents;
    }
    // The root stands for its own parent until the end.
    parents[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for node in 1..predecessors.len() {
            let known = predecessors[node].iter().copied().filter(|from| parents[*from].is_some());
            let parent = known.reduce(|one, two| intersect(&parents, one, two));
            if parent != parents[node] {
                parents[node] = parent;
                changed = true;
            }
        }
    }
    parents[0] = None;
    parents
}

/// The nearest common ancestor; an ancestor always has a smaller number.
fn intersect(parents: &[Option<usize>], mut one: usize, mut two: usize) -> usize {
    while one != two {
        let lower = if one > two { &mut one } else { &mut two };
        *lower = parents[*lower].unwrap_or(0);
    }
    one
}

fn walk(root: usize, parents: &[Option<usize>]) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        parent.iter().for_each(|parent| children[*parent].push(node));
    }
    let mut intervals = vec![(0, 0); parents.len()];
    let mut time = 1;
    let mut waiting = vec![(root, false)];
    while let Some((node, is_left)) = waiting.pop() {
        if is_left {
            intervals[node].1 = time;
        } else {
            intervals[node].0 = time;
            time += 1;
            waiting.push((node, true));
            waiting.extend(children[node].iter().map(|child| (*child, false)));
        }
    }
    intervals
}
