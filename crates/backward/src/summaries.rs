//! Ways through calls, run forward once and used whenever the call is come across (STAR, section 4: method summaries). A summary is over
//! leaves: the variables of the caller and memory before the call.

use analysis::Lowered;
use ir::{BlockId, Var};
use program::CodePoint;
use rustc_hash::FxHashMap;
use smt::{Node, Term};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use symbolic::{Bounds, End, Leaf, Marks, Paths, Region, State, Summary, World};

/// One way through a call.
#[derive(Clone, Debug)]
pub(crate) struct Through {
    pub(crate) path: Vec<Term>,
    pub(crate) memory: BTreeMap<Region, Term>,
    pub(crate) result: Option<Term>,
    /// The exception that it ends with.
    pub(crate) thrown: Option<Term>,
    pub(crate) marks: Marks,
    /// New objects and unknown values: each use of the way has its own.
    own: Vec<Term>,
}

#[derive(Debug, Default)]
pub(crate) struct Summaries {
    /// By call, whether failures are followed, and how long it may take.
    calls: FxHashMap<(CodePoint, bool, u64), Rc<Vec<Through>>>,
    pub(crate) steps: u64,
}

impl Summaries {
    /// The ways through the call at the place; with `failures` also those on which a check of the JVM fails.
    pub(crate) fn of_call(
        &mut self,
        world: &World,
        method: &Arc<Lowered>,
        (block, index): (BlockId, usize),
        bounds: Bounds,
    ) -> Rc<Vec<Through>> {
        let instr = &method.body.block(block).instrs[index];
        let at = CodePoint { method: method.reference(), at: instr.id };
        if let Some(known) = self.calls.get(&(at, bounds.failures, bounds.steps)) {
            return known.clone();
        }
        let paths = Paths::through(world, method, (block, index), 0, bounds);
        self.steps += paths.steps;
        let cut = paths.is_cut;
        let defined = instr.op.defines();
        let ways = paths.ways.into_iter().map(|summary| Through::new(world, summary, defined, cut)).collect::<Vec<_>>();
        let ways = Rc::new(ways);
        self.calls.insert((at, bounds.failures, bounds.steps), ways.clone());
        ways
    }
}

impl Through {
    fn new(world: &World, summary: Summary, defined: Option<Var>, cut: bool) -> Through {
        let (result, thrown) = match summary.end {
            End::Arrived => (defined.and_then(|var| summary.state.vars.get(&var).copied()), None),
            End::Return(value) => (value, None),
            End::Entered => (None, None),
            End::Throw { object, .. } => (None, Some(object)),
        };
        let marks = summary.state.marks.with(Marks { cut, loose: false });
        let (path, memory) = (summary.state.path, summary.state.memory);
        let roots: Vec<Term> = path.iter().chain(memory.values()).copied().chain(result).chain(thrown).collect();
        let own = own(world, &roots);
        Through { path, memory, result, thrown, marks, own }
    }

    /// The way with new objects and unknown values of its own.
    pub(crate) fn fresh(&self, world: &World) -> Through {
        let renew = |term: &Term| renewed(world, *term).map(|new| (*term, new));
        let put: FxHashMap<Term, Term> = self.own.iter().filter_map(renew).collect();
        if put.is_empty() {
            return self.clone();
        }
        let regions: Vec<&Region> = self.memory.keys().collect();
        let roots: Vec<Term> = self.memory.values().copied().chain(self.path.iter().copied()).collect();
        let mut new = world.terms.substitute_all(&roots, &put);
        let path = new.split_off(regions.len());
        let one = |term: Option<Term>| term.map(|term| world.terms.substitute(term, &put));
        Through {
            path,
            memory: regions.into_iter().cloned().zip(new).collect(),
            result: one(self.result),
            thrown: one(self.thrown),
            marks: self.marks,
            own: Vec::new(),
        }
    }

    /// What a formula behind the way is before it: `defined` has the result, memory is what the way leaves.
    pub(crate) fn before(&self, world: &World, formula: &[Term], defined: Option<Var>) -> Vec<Term> {
        let mut after = State::identity(0);
        after.memory.clone_from(&self.memory);
        if let (Some(var), Some(result)) = (defined, self.result) {
            after.vars.insert(var, result);
        }
        let mut before = after.compose(world, formula);
        before.extend(&self.path);
        before
    }
}

fn renewed(world: &World, term: Term) -> Option<Term> {
    match (world.leaf_of(term), world.allocated_type(term)) {
        (Some(Leaf::Unknown { kind, .. }), _) => Some(world.unknown(kind)),
        (_, Some(ty)) => Some(world.allocate(ty)),
        _ => None,
    }
}

fn own(world: &World, roots: &[Term]) -> Vec<Term> {
    let is_own = |term: &Term| match world.terms.node(*term) {
        Node::Reference(object) => object.is_allocated(),
        Node::Var(_) => matches!(world.leaf_of(*term), Some(Leaf::Unknown { .. })),
        _ => false,
    };
    world.terms.subterms(roots).into_iter().filter(is_own).collect()
}
