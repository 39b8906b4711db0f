//! Builds the tree of exceptions from the blocks of a trace.
//!
//! Input is the blocks in the order of the text, each with its label and indentation. Output is the outermost
//! exception: suppressed exceptions hang where the indentation says, `Wrapped by` turns the chain round, and the
//! frames that `... n more` stands for are copied from the enclosing exception. Depth is bounded, so that no text can
//! make the tree too deep to walk.

use std::rc::Rc;

use super::head::Label;
use crate::report::{Frame, Place, Problem, ProblemKind, Throwable};

/// Exceptions nested more deeply are left out; real chains have less than twenty.
pub(crate) const MAX_DEPTH: usize = 200;
/// Frames of one trace after completion.
pub(crate) const MAX_FRAMES: usize = 40_000;

/// One exception as printed: its head and the frames below it.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) label: Label,
    pub(crate) indent: usize,
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    pub(crate) frames: Vec<Rc<Frame>>,
    /// The number in `... n more`.
    pub(crate) common: usize,
    pub(crate) circular: bool,
    pub(crate) place: Place,
}

/// The outermost exception; `None` if there is no block.
pub(crate) fn build(blocks: Vec<Block>, problems: &mut Vec<Problem>) -> Option<Throwable> {
    let mut tree = Tree { nodes: Vec::with_capacity(blocks.len()), path: Vec::new(), root: 0 };
    for block in blocks {
        tree.add(block, problems);
    }
    let mut budget = MAX_FRAMES;
    (!tree.nodes.is_empty()).then(|| tree.throwable(tree.root, &[], &mut budget, problems))
}

struct Node {
    block: Block,
    index: usize,
    cause: Option<usize>,
    suppressed: Vec<usize>,
    parent: Option<usize>,
    depth: usize,
}

struct Tree {
    nodes: Vec<Node>,
    /// From the root to the block added last.
    path: Vec<usize>,
    root: usize,
}

impl Tree {
    fn add(&mut self, block: Block, problems: &mut Vec<Problem>) {
        let new = self.nodes.len();
        let (label, place) = (block.label, block.place);
        self.nodes.push(Node { block, index: new, cause: None, suppressed: Vec::new(), parent: None, depth: 0 });
        if new == 0 {
            self.path.push(new);
            return;
        }
        let fits = match label {
            Label::Top | Label::CausedBy => {
                let parent = self.caused(new, problems);
                self.attach_cause(parent, new)
            }
            Label::Suppressed => {
                let parent = self.suppressing(new, problems);
                self.attach_suppressed(parent, new)
            }
            Label::WrappedBy => self.wrap(new),
        };
        if !fits {
            self.nodes.truncate(new);
            let kind = ProblemKind::TraceTooLarge { what: "nested exceptions", limit: MAX_DEPTH };
            if !problems.iter().any(|p| p.kind == kind) {
                problems.push(Problem { place, kind });
            }
        }
    }

    /// The exception that the block is the cause of: the last one that is not indented more deeply.
    fn caused(&mut self, new: usize, problems: &mut Vec<Problem>) -> usize {
        let indent = self.nodes[new].block.indent;
        while self.path.len() > 1 && self.nodes[self.last()].block.indent > indent {
            self.path.pop();
        }
        let Some(start) = self.flat_suppressed() else { return self.last() };
        let (inner, outer) = (self.last(), self.path[start - 1]);
        problems.push(Problem { place: self.nodes[new].block.place, kind: ProblemKind::AmbiguousNesting });
        if self.fit(new, inner) > self.fit(new, outer) {
            return inner;
        }
        self.path.truncate(start);
        outer
    }

    /// Where on the path a suppressed exception begins that is not indented more deeply than the one around it: the
    /// text has lost its indentation.
    fn flat_suppressed(&self) -> Option<usize> {
        (1..self.path.len()).find(|&i| {
            let (around, node) = (&self.nodes[self.path[i - 1]].block, &self.nodes[self.path[i]].block);
            node.label == Label::Suppressed && node.indent <= around.indent
        })
    }

    /// How well `... n more` of a block fits an exception: the frame above the common ones is of the same method, at
    /// another line, in both.
    fn fit(&self, block: usize, parent: usize) -> u32 {
        let (block, parent) = (&self.nodes[block].block, &self.nodes[parent].block);
        let all = parent.frames.len() + parent.common;
        if block.common == 0 || block.common > all {
            return 0;
        }
        let above = (all - block.common).checked_sub(1).and_then(|i| parent.frames.get(i));
        match (above, block.frames.last()) {
            (Some(a), Some(b)) if a == b => 0,
            (Some(a), Some(b)) if a.class == b.class && a.method == b.method => 2,
            _ => 1,
        }
    }

    /// The exception that suppressed the block: the last one that is indented less deeply.
    fn suppressing(&mut self, new: usize, problems: &mut Vec<Problem>) -> usize {
        let indent = self.nodes[new].block.indent;
        if self.nodes[self.root].block.indent < indent {
            while self.path.len() > 1 && self.nodes[self.last()].block.indent >= indent {
                self.path.pop();
            }
            return self.last();
        }
        // The indentation is lost. Right after an exception of the chain it is clear; else the one that fits best.
        let Some(start) = self.flat_suppressed() else { return self.last() };
        problems.push(Problem { place: self.nodes[new].block.place, kind: ProblemKind::AmbiguousNesting });
        let best = (0..self.path.len()).max_by_key(|&i| (self.fit(new, self.path[i]), i == start - 1));
        self.path.truncate(best.unwrap_or(0) + 1);
        self.last()
    }

    fn attach_cause(&mut self, parent: usize, new: usize) -> bool {
        // A second cause can only come from a text that was put together wrongly; it goes to the end of the chain.
        let mut parent = parent;
        while let Some(cause) = self.nodes[parent].cause {
            parent = cause;
        }
        if !self.hang(parent, new) {
            return false;
        }
        self.nodes[parent].cause = Some(new);
        self.path.push(new);
        true
    }

    fn attach_suppressed(&mut self, parent: usize, new: usize) -> bool {
        if !self.hang(parent, new) {
            return false;
        }
        self.nodes[parent].suppressed.push(new);
        self.path.push(new);
        true
    }

    fn hang(&mut self, parent: usize, new: usize) -> bool {
        self.nodes[new].depth = self.nodes[parent].depth + 1;
        self.nodes[new].parent = Some(parent);
        self.nodes[new].depth <= MAX_DEPTH
    }

    /// Root cause first: what stands at this indentation becomes the cause of the new exception.
    fn wrap(&mut self, new: usize) -> bool {
        let indent = self.nodes[new].block.indent;
        let inner = self.path.iter().copied().find(|&n| self.nodes[n].block.indent >= indent).unwrap_or(self.root);
        if self.nodes.len() > MAX_DEPTH {
            return false;
        }
        self.nodes[new].cause = Some(inner);
        let outer = self.nodes[inner].parent.replace(new);
        match outer {
            None => {
                self.root = new;
                self.path = vec![new];
            }
            Some(outer) => {
                let at = self.path.iter().position(|&n| n == inner).unwrap_or(self.path.len());
                self.path.truncate(at);
                self.path.push(new);
                self.nodes[new].parent = Some(outer);
                self.nodes[new].depth = self.nodes[outer].depth + 1;
                let node = &mut self.nodes[outer];
                for slot in node.suppressed.iter_mut().chain(&mut node.cause).filter(|slot| **slot == inner) {
                    *slot = new;
                }
            }
        }
        true
    }

    fn last(&self) -> usize {
        self.path.last().copied().unwrap_or(self.root)
    }

    fn throwable(
        &mut self,
        at: usize,
        enclosing: &[Frame],
        budget: &mut usize,
        problems: &mut Vec<Problem>,
    ) -> Throwable {
        let node = &mut self.nodes[at];
        let place = node.block.place;
        let own = std::mem::take(&mut node.block.frames);
        let mut frames: Vec<Frame> = own.into_iter().map(Rc::unwrap_or_clone).collect();
        let wanted = node.block.common;
        let common = wanted.min(enclosing.len()).min(budget.saturating_sub(frames.len()));
        if common < wanted.min(enclosing.len()) {
            let kind = ProblemKind::TraceTooLarge { what: "frames", limit: MAX_FRAMES };
            problems.push(Problem { place, kind });
        } else if common < wanted {
            problems.push(Problem { place, kind: ProblemKind::CommonFramesMissing { wanted, had: enclosing.len() } });
        }
        frames.extend_from_slice(&enclosing[enclosing.len() - common..]);
        *budget = budget.saturating_sub(frames.len());
        let mut out = Throwable {
            class: std::mem::take(&mut node.block.class),
            message: node.block.message.take(),
            frames,
            common,
            cause: None,
            suppressed: Vec::new(),
            circular: node.block.circular,
            place,
            block: node.index,
        };
        let (suppressed, cause) = (std::mem::take(&mut node.suppressed), node.cause);
        for child in suppressed {
            let child = self.throwable(child, &out.frames, budget, problems);
            out.suppressed.push(child);
        }
        out.cause = cause.map(|c| Box::new(self.throwable(c, &out.frames, budget, problems)));
        without_echo(out)
    }
}

/// Exceptions that print their cause themselves, although Java has done so already, print it twice. Java itself would never write
/// out the stack of a cause that is the same as the stack of what it caused.
fn without_echo(mut out: Throwable) -> Throwable {
    let is_same_place = |a: &Frame, b: &Frame| a.class == b.class && a.method == b.method && a.line == b.line;
    let is_echo = |cause: &Throwable| {
        cause.common == 0
            && !cause.frames.is_empty()
            && (&cause.class, &cause.message) == (&out.class, &out.message)
            && cause.frames.len() == out.frames.len()
            && cause.frames.iter().zip(&out.frames).all(|(a, b)| is_same_place(a, b))
    };
    if out.cause.as_deref().is_some_and(is_echo) {
        out.cause = out.cause.and_then(|echo| echo.cause);
    }
    out
}
