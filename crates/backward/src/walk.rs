//! Backwards through a method: what must hold at its entry for control to come to a place with a formula true there (STAR, section 3,
//! Algorithm 1).
//!
//! A [`Walk`] is a partial way from some place to the end of the way, with the formula that must hold at that place. It is lengthened
//! backwards, a piece of straight-line code, a call or a branch at a time, until it begins at the entry. The meaning of a
//! piece comes from the transfer functions of `symbolic`: they are applied forward to a state of leaves, and the formula is composed with the
//! result. Shorter ways are lengthened first.
//!
//! Left out are conditional blocks that write nothing the formula reads (the paper's static path pruning), and calls of that
//! kind; what they may throw is not looked at, which `loose` says. Unlike the paper, a call that matters is not walked through backwards: the formula
//! is composed with the ways through the callee, which are run forward once per call site.

use crate::causes::Causes;
use crate::lessons::Lessons;
use crate::settings::Switches;
use crate::solving::Solving;
use crate::summaries::{Summaries, Through};
use analysis::{Effects, Limits, Lowered, Via};
use ir::{BlockId, Body, Callee, HandlerEdge, Instr, Op, Rvalue, Terminator, Var};
use program::{ClassName, CodePoint, InstrId, MethodRef, Subtype, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Node, Scalar, Term};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;
use std::sync::Arc;
use symbolic::{Bounds, Leaf, Marks, Region, State, World, entry_facts, failure};

/// A place in a method: before this operation of the block; before its terminator where there are no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) block: BlockId,
    pub(crate) index: usize,
}

/// What holds at the entry of a method for one way through it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) formula: Vec<Term>,
    pub(crate) marks: Marks,
}

/// What the paper counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Ways that came to their end: at an entry, by a contradiction or by a limit.
    pub(crate) paths: u64,
    /// Questions whether a formula can hold.
    pub(crate) checks: u64,
    /// Conditional blocks that ways went through.
    pub(crate) blocks: u64,
    /// Operations that were executed, those of callees included: the measure where runs have to repeat.
    pub(crate) steps: u64,
}

impl Effort {
    pub(crate) fn add(&mut self, other: Effort) {
        self.paths += other.paths;
        self.checks += other.checks;
        self.blocks += other.blocks;
        self.steps += other.steps;
    }
}

/// How far one method is walked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// How often one way may go through a block.
    pub(crate) visits: u32,
    /// Ways that are lengthened.
    pub(crate) walks: usize,
    /// Ways to the entry that are wanted.
    pub(crate) entries: usize,
    /// Whether the solver is asked if what is found can hold. Else only what is plainly impossible is left out, and whoever uses an entry asks.
    pub(crate) asks: bool,
    /// Of the ways through callees.
    pub(crate) callee: Bounds,
}

pub(crate) struct Walker<'a> {
    pub(crate) world: &'a World,
    pub(crate) solving: &'a mut Solving,
    pub(crate) switches: Switches,
    pub(crate) reach: Reach,
    pub(crate) effort: Effort,
    pub(crate) summaries: &'a mut Summaries,
    lessons: &'a Lessons,
    effects: FxHashMap<CodePoint, Rc<Effects>>,
    /// What the trace says of what was caught.
    pub(crate) causes: Causes,
}

/// A way from a place to the end.
#[derive(Clone, Debug)]
struct Walk {
    place: Place,
    formula: Vec<Term>,
    visits: BTreeMap<BlockId, u32>,
    marks: Marks,
    length: u32,
    /// Calls of which nothing is said.
    guesses: u32,
}

/// What is guessed comes after what is known, and not without end.
const GUESS: usize = 60;
const MOST_GUESSES: u32 = 6;
/// What a block on a way costs, and more so one that is still to come: of two ways that branched, the one nearer to the entry goes on,
/// because else all of a row of branches would be taken both ways before one way is at its end.
const BLOCK: usize = 4;
const BLOCK_AHEAD: usize = 8;
/// Of the ways through calls that have thrown what they should not: how they return has to be known.
const HEEDED: Bounds = Bounds { visits: 2, depth: 6, steps: 12_000, paths: 12, failures: false, targets: 2 };
/// Questions to the solver of one search for entries. Where that many came to nothing more would, at a tenth of a second each.
const MOST_ASKED: u32 = 8;

/// What a formula speaks of.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    vars: BTreeSet<Var>,
    regions: BTreeSet<Region>,
}

impl Mentions {
    /// Of memory, and of the variables of the method at this depth.
    pub(crate) fn of(world: &World, formula: &[Term], depth: u16) -> Mentions {
        let mut mentions = Mentions::default();
        for term in world.terms.subterms(formula) {
            match world.leaf_of(term) {
                Some(Leaf::Variable { depth: of, var, .. }) if of == depth => drop(mentions.vars.insert(var)),
                Some(Leaf::Region(region)) => drop(mentions.regions.insert(region)),
                _ => {}
            }
        }
        mentions
    }
}

/// An operation of a block that throws.
struct Thrower {
    index: usize,
    /// What it throws, and when.
    object: Term,
    conditions: Vec<Term>,
    marks: Marks,
    /// Nothing is seen of it.
    is_guess: bool,
}

impl Thrower {
    fn new(index: usize, object: Term, conditions: Vec<Term>, marks: Marks) -> Thrower {
        Thrower { index, object, conditions, marks, is_guess: false }
    }
}

struct Open {
    walks: Vec<Option<Walk>>,
    /// The cheapest first, and of those the one that was put aside last.
    order: BinaryHeap<(Reverse<usize>, usize)>,
    /// Ways that were come to before: there and under that condition.
    seen: FxHashSet<(BlockId, usize, Vec<Term>)>,
    /// Blocks between the entry and each block, by number.
    ahead: Vec<usize>,
    /// Questions to the solver so far.
    asked: u32,
}

impl Open {
    fn of(method: &Lowered) -> Open {
        let ahead = distances(method);
        Open { walks: Vec::new(), order: BinaryHeap::new(), seen: FxHashSet::default(), ahead, asked: 0 }
    }

    fn push(&mut self, walk: Walk) {
        if !self.seen.insert((walk.place.block, walk.place.index, walk.formula.clone())) {
            return;
        }
        let ahead = self.ahead[walk.place.block.0 as usize] * BLOCK_AHEAD;
        let cost = walk.length as usize * BLOCK + ahead + walk.formula.len() + walk.guesses as usize * GUESS;
        self.order.push((Reverse(cost), self.walks.len()));
        self.walks.push(Some(walk));
    }

    fn pop(&mut self) -> Option<Walk> {
        let (_, at) = self.order.pop()?;
        self.walks[at].take()
    }
}

/// How many blocks the shortest way from the entry to each block has.
fn distances(method: &Lowered) -> Vec<usize> {
    let cfg = method.cfg();
    let mut distances = vec![0; cfg.len()];
    let (mut open, mut is_known) = (vec![Body::ENTRY], vec![false; cfg.len()]);
    is_known[Body::ENTRY.0 as usize] = true;
    for distance in 1.. {
        let edges = open.iter().flat_map(|block| cfg.successors(*block));
        let next: Vec<BlockId> = edges.map(|edge| edge.target).collect();
        open.clear();
        for block in next {
            if !std::mem::replace(&mut is_known[block.0 as usize], true) {
                distances[block.0 as usize] = distance;
                open.push(block);
            }
        }
        if open.is_empty() {
            break;
        }
    }
    distances
}

impl<'a> Walker<'a> {
    pub(crate) fn new(
        world: &'a World,
        solving: &'a mut Solving,
        summaries: &'a mut Summaries,
        lessons: &'a Lessons,
        switches: Switches,
        reach: Reach,
    ) -> Walker<'a> {
        Walker {
            world,
            solving,
            switches,
            reach,
            effort: Effort::default(),
            summaries,
            lessons,
            effects: FxHashMap::default(),
            causes: Causes::default(),
        }
    }

    /// Conditions at the entry of the method under which control comes to the place with the formula true; those of short ways first.
    pub(crate) fn entries(
        &mut self,
        method: &Arc<Lowered>,
        place: Place,
        formula: Vec<Term>,
        marks: Marks,
    ) -> Vec<Entry> {
        let mut open = Open::of(method);
        let mut found: Vec<Entry> = Vec::new();
        open.push(Walk { place, formula, visits: BTreeMap::new(), marks, length: 0, guesses: 0 });
        let mut walked = 0;
        let mut is_cut = false;
        while let Some(walk) = open.pop() {
            if found.len() >= self.reach.entries || walked >= self.reach.walks || self.solving.is_stopped() {
                is_cut = true;
                break;
            }
            walked += 1;
            self.lengthen(method, walk, &mut open, &mut found);
        }
        for entry in &mut found {
            entry.marks.cut |= is_cut;
        }
        found
    }

    /// The ways in which the call at the place ends with an exception of the class, as formulas before it; and whether these are all.
    pub(crate) fn throwing(
        &mut self,
        method: &Arc<Lowered>,
        place: Place,
        class: ClassName,
    ) -> (Vec<(Vec<Term>, Marks)>, bool) {
        let ways = self.call_ways(method, place, self.reach.callee, true);
        let is_all = !ways.is_empty() && ways.iter().all(|way| !way.marks.cut && !way.marks.loose);
        let (mut found, mut likely) = (Vec::new(), Vec::new());
        for way in ways.iter() {
            let Some(thrown) = way.thrown else { continue };
            match self.world.allocated_type(thrown) {
                Some(Type::Class(known)) if known == class => found.push((way.path.clone(), way.marks)),
                // Versions of the JDK differ in how special the exception is that they throw.
                Some(Type::Class(known)) if self.is_below(known, class) || self.is_below(class, known) => {
                    likely.push((way.path.clone(), Marks { loose: true, ..way.marks }));
                }
                Some(_) => {}
                None => {
                    let is_it = self.world.is_instance(thrown, Type::Class(class));
                    let formula = way.path.iter().copied().chain([is_it]).collect();
                    likely.push((formula, Marks { loose: true, ..way.marks }));
                }
            }
        }
        (if found.is_empty() { likely } else { found }, is_all)
    }

    /// Lengthens a way by the code before its place, up to the last call or branch; puts what comes of it aside.
    fn lengthen(&mut self, method: &Arc<Lowered>, mut walk: Walk, open: &mut Open, found: &mut Vec<Entry>) {
        let block = method.body.block(walk.place.block);
        let before = &block.instrs[..walk.place.index];
        let last_call = before.iter().rposition(|instr| instr.op.call().is_some());
        let from = last_call.map_or(0, |call| call + 1);
        self.effort.steps += (walk.place.index - from + 1) as u64;
        self.compose_piece(method, &mut walk, &before[from..], from == 0);
        if self.is_plainly_impossible(&walk.formula) {
            self.effort.paths += 1;
            return;
        }
        match last_call {
            Some(call) => {
                walk.place.index = call;
                self.before_call(method, walk, open);
            }
            None => {
                walk.place.index = 0;
                self.before_block(method, walk, open, found);
            }
        }
    }

    /// The formula before a piece of straight-line code.
    fn compose_piece(&self, method: &Lowered, walk: &mut Walk, piece: &[Instr], is_start: bool) {
        let mut state = State::identity(0);
        if let (true, Some(Op::Assign(var, Rvalue::Caught))) = (is_start, piece.first().map(|instr| &instr.op)) {
            // What is caught is told by whoever threw it.
            state.vars.insert(*var, self.world.variable(0, *var, ir::Kind::Reference));
        }
        for instr in piece {
            state.apply(self.world, &method.body, instr);
        }
        let mut formula = state.compose(self.world, &walk.formula);
        formula.append(&mut state.path);
        walk.formula = tidy(self.world, formula);
        walk.marks = walk.marks.with(state.marks);
    }

    fn is_plainly_impossible(&self, formula: &[Term]) -> bool {
        let terms = &self.world.terms;
        formula.iter().any(|part| *part == terms.falsity() || formula.binary_search(&terms.not(*part)).is_ok())
    }

    /// Continues a way that begins at the start of a block.
    fn before_block(&mut self, method: &Arc<Lowered>, walk: Walk, open: &mut Open, found: &mut Vec<Entry>) {
        let block = walk.place.block;
        let mentions = || Mentions::of(self.world, &walk.formula, 0);
        let mentions = self.switches.prune.then(mentions);
        let skipped = mentions.and_then(|mentions| self.skippable(method, block, &mentions));
        if block == Body::ENTRY && skipped.is_none() {
            self.arrive(method, &walk, open, found);
        }
        let is_merge = method.merges().is_merge(block);
        if self.switches.recognise && is_merge && self.is_refuted(method, &walk) {
            return;
        }
        if let Some((branch, blocks)) = skipped {
            return self.skip(method, walk, branch, &blocks, open, found);
        }
        for from in method.cfg().predecessors(block) {
            self.before_edges(method, &walk, *from, open);
        }
    }

    /// The conditional block that ends here and does nothing that matters, the largest: its branch and its blocks.
    pub(crate) fn skippable(
        &mut self,
        method: &Arc<Lowered>,
        merge: BlockId,
        mentions: &Mentions,
    ) -> Option<(BlockId, Vec<BlockId>)> {
        let ending = method.merges().conditionals().filter(|conditional| conditional.merge == Some(merge));
        let mut ending: Vec<(BlockId, Vec<BlockId>)> = ending
            .filter(|one| method.dominates(one.branch, merge))
            .map(|one| (one.branch, one.blocks.clone()))
            .collect();
        ending.sort_by_key(|(_, blocks)| Reverse(blocks.len()));
        ending.into_iter().find(|(_, blocks)| blocks.iter().all(|block| !self.matters(method, *block, mentions)))
    }

    /// Goes on before a conditional block without going through it.
    fn skip(
        &mut self,
        method: &Arc<Lowered>,
        mut walk: Walk,
        branch: BlockId,
        blocks: &[BlockId],
        open: &mut Open,
        found: &mut Vec<Entry>,
    ) {
        walk.marks.loose = true;
        walk.length += 1;
        if !blocks.contains(&branch) {
            walk.place = Place { block: branch, index: method.body.block(branch).instrs.len() };
            open.push(walk);
            return;
        }
        // A loop: nothing of its head matters either, so that the way goes on before the loop.
        if branch == Body::ENTRY {
            self.arrive(method, &walk, open, found);
        }
        walk.place = Place { block: branch, index: 0 };
        let outside = method.cfg().predecessors(branch).iter().filter(|from| !blocks.contains(from));
        for from in outside.copied().collect::<Vec<_>>() {
            self.before_edges(method, &walk, from, open);
        }
    }

    /// Continues a way at the ends of a block from which control comes to its start.
    fn before_edges(&mut self, method: &Arc<Lowered>, walk: &Walk, from: BlockId, open: &mut Open) {
        let visits = walk.visits.get(&from).copied().unwrap_or(0) + 1;
        if visits > self.reach.visits {
            self.effort.paths += 1;
            return;
        }
        let jumps = method.cfg().successors(from).iter().filter(|edge| matches!(edge.via, Via::Jump(_))).count();
        self.effort.blocks += u64::from(jumps > 1);
        for edge in method.cfg().successors(from).iter().filter(|edge| edge.target == walk.place.block) {
            let mut on = walk.clone();
            on.length += 1;
            on.visits.insert(from, visits);
            match edge.via {
                Via::Jump(outcome) => {
                    let end = &method.body.block(from).end;
                    let condition = State::identity(0).outcome(self.world, &method.body, end, outcome as usize);
                    on.place = Place { block: from, index: method.body.block(from).instrs.len() };
                    on.formula.extend(self.world.terms.conjuncts(condition));
                    on.formula = tidy(self.world, on.formula);
                    open.push(on);
                }
                Via::Exception(handler) => self.before_throw(method, &on, from, handler as usize, open),
            }
        }
    }

    /// Continues a way at the start of a handler with what may have thrown in the block.
    fn before_throw(&mut self, method: &Arc<Lowered>, walk: &Walk, from: BlockId, handler: usize, open: &mut Open) {
        let Some(edge) = method.body.block(from).handlers.get(handler).copied() else { return };
        let caught = match method.body.block(edge.target).instrs.first().map(|instr| &instr.op) {
            Some(Op::Assign(var, Rvalue::Caught)) => Some(self.world.variable(0, *var, ir::Kind::Reference)),
            _ => None,
        };
        for thrower in self.throwers(method, from, &edge) {
            let mut on = walk.clone();
            on.guesses += u32::from(thrower.is_guess);
            on.place = Place { block: from, index: thrower.index };
            if let Some(caught) = caught {
                let put = [(caught, thrower.object)].into_iter().collect();
                on.formula = self.world.terms.substitute_all(&on.formula, &put);
            }
            on.formula.extend(thrower.conditions);
            on.formula = tidy(self.world, on.formula);
            on.marks = on.marks.with(thrower.marks);
            if on.guesses <= MOST_GUESSES {
                open.push(on);
            }
        }
    }

    /// What throws in the block so that the handler takes it: of what the trace says, if it says something; else everything.
    fn throwers(&mut self, method: &Arc<Lowered>, from: BlockId, edge: &HandlerEdge) -> Vec<Thrower> {
        let block = method.body.block(from);
        let told = self.causes.of_handler(method, edge.target);
        let of_told = |at: InstrId| told.iter().find(|(bci, _)| *bci == at.bci).map(|(_, class)| *class);
        let is_told = |at: InstrId| told.is_empty() || of_told(at).is_some();
        let mut found = Vec::new();
        if let (Terminator::Throw(operand), true) = (&block.end, is_told(block.end_id)) {
            let object = State::identity(0).operand(self.world, &method.body, operand, ir::Kind::Reference);
            found.push(Thrower::new(block.instrs.len(), object, Vec::new(), Marks::default()));
        }
        for (index, instr) in block.instrs.iter().enumerate().rev().filter(|(_, instr)| is_told(instr.id)) {
            match &instr.op {
                Op::Guard(guard) => {
                    let at = CodePoint { method: method.reference(), at: instr.id };
                    let object = self.world.allocate_at(Type::class(guard.exception()), at);
                    if let Some(fails) = failure(self.world, &State::identity(0), &method.body, guard) {
                        found.push(Thrower::new(index, object, vec![fails], Marks::default()));
                    }
                }
                op if op.call().is_some() => {
                    found.extend(self.throwing_calls(method, Place { block: from, index }, edge, of_told(instr.id)));
                }
                _ => {}
            }
        }
        for thrower in &mut found {
            thrower
                .conditions
                .extend(edge.catch.map(|class| self.world.is_instance(thrower.object, Type::Class(class))));
        }
        let falsity = self.world.terms.falsity();
        found.retain(|thrower| !thrower.conditions.contains(&falsity));
        found
    }

    /// How a call throws what the handler takes, of this class if that is known.
    fn throwing_calls(
        &mut self,
        method: &Arc<Lowered>,
        place: Place,
        edge: &HandlerEdge,
        told: Option<ClassName>,
    ) -> Vec<Thrower> {
        let world = self.world;
        let class = told.or(edge.catch).unwrap_or(ClassName::internal("java/lang/Throwable"));
        let is_it = |object: Term| world.is_instance(object, Type::Class(class));
        let ways = self.call_ways(method, place, self.reach.callee, true);
        let thrown = ways.iter().filter_map(|way| Some((way.thrown?, way)));
        let possible = thrown.filter(|(object, _)| is_it(*object) != world.terms.falsity());
        let known: Vec<Thrower> =
            possible.map(|(object, way)| Thrower::new(place.index, object, way.path.clone(), way.marks)).collect();
        if !known.is_empty() {
            return known;
        }
        // Something is caught here in the end, and how it came about need not be seen.
        let object = world.unknown(ir::Kind::Reference);
        let marks = Marks { cut: false, loose: true };
        let guess = Thrower::new(place.index, object, vec![is_it(object)], marks);
        vec![Thrower { is_guess: told.is_none(), ..guess }]
    }

    fn is_below(&self, class: ClassName, above: ClassName) -> bool {
        self.world.program().is_subtype(class, above) == Subtype::Yes
    }

    /// A way begins at the entry of the method: its formula is kept if it can hold.
    fn arrive(&mut self, method: &Lowered, walk: &Walk, open: &mut Open, found: &mut Vec<Entry>) {
        self.effort.paths += 1;
        let facts = entry_facts(self.world, &method.body, &State::identity(0));
        let formula = tidy(self.world, walk.formula.iter().copied().chain(facts).collect());
        if found.iter().any(|known| known.formula == formula) || self.is_plainly_impossible(&formula) {
            return;
        }
        self.effort.checks += 1;
        let asks = self.reach.asks && open.asked < MOST_ASKED;
        open.asked += u32::from(asks);
        let is_refuted = match asks {
            true => self.solving.check(self.world, &formula).is_unsat(),
            false => self.solving.is_plainly_refuted(self.world, &formula),
        };
        if !is_refuted {
            found.push(Entry { formula, marks: walk.marks });
        }
    }

    fn is_refuted(&mut self, method: &Lowered, walk: &Walk) -> bool {
        if walk.place.block == Body::ENTRY || method.cfg().predecessors(walk.place.block).len() < 2 {
            return false;
        }
        self.effort.checks += 1;
        let is_refuted = self.solving.is_plainly_refuted(self.world, &walk.formula);
        if is_refuted {
            self.effort.paths += 1;
        }
        is_refuted
    }
}

/// Calls.
impl Walker<'_> {
    /// Continues a way that begins just behind a call.
    fn before_call(&mut self, method: &Arc<Lowered>, mut walk: Walk, open: &mut Open) {
        let instr = &method.body.block(walk.place.block).instrs[walk.place.index];
        let mentions = Mentions::of(self.world, &walk.formula, 0);
        let is_heeded = self.lessons.heeds(method, instr);
        if !is_heeded && !self.call_matters(method, instr, &mentions) {
            walk.marks.loose = true;
            open.push(walk);
            return;
        }
        let defined = instr.op.defines();
        let ways = self.call_ways(method, walk.place, if is_heeded { HEEDED } else { self.reach.callee }, false);
        let returning: Vec<&Through> = ways.iter().filter(|way| way.thrown.is_none()).collect();
        let is_exact = !returning.is_empty() && returning.iter().all(|way| !way.marks.cut && !way.marks.loose);
        let before = |way: &Through| way.before(self.world, &walk.formula, defined);
        let is_without_effect = |way: &Through| before(way)[..walk.formula.len()] == walk.formula[..];
        let is_read = defined.is_some_and(|var| mentions.vars.contains(&var));
        let is_idle = || !is_heeded && returning.iter().all(|way| is_without_effect(way));
        if !is_read && (!is_exact || is_idle()) {
            // Mostly what it may write is not what the formula reads.
            let mut on = walk.clone();
            (on.marks.loose, on.length) = (true, on.length + 1);
            on.guesses += u32::from(is_heeded);
            open.push(on);
        } else if !is_exact {
            // Where not all ways are known, the result may be another one.
            self.forget_result(method, walk.clone(), instr, open);
        }
        for way in returning {
            if !is_heeded && !is_read && is_without_effect(way) {
                continue;
            }
            let way = way.fresh(self.world);
            let mut on = walk.clone();
            on.formula = tidy(self.world, way.before(self.world, &walk.formula, defined));
            on.marks = on.marks.with(way.marks);
            if !self.is_plainly_impossible(&on.formula) {
                open.push(on);
            }
        }
    }

    /// The call may do what it likes: what it gives and writes is not known.
    fn forget_result(&mut self, method: &Arc<Lowered>, mut walk: Walk, instr: &Instr, open: &mut Open) {
        let mut after = State::identity(0);
        if let Some(var) = instr.op.defines() {
            let kind = method.body.var(var).and_then(|info| info.kind).unwrap_or(ir::Kind::Reference);
            after.vars.insert(var, self.world.unknown(kind));
        }
        walk.formula = tidy(self.world, after.compose(self.world, &walk.formula));
        walk.marks.loose = true;
        walk.guesses += 1;
        if walk.guesses <= MOST_GUESSES {
            open.push(walk);
        }
    }

    fn call_ways(&mut self, method: &Arc<Lowered>, place: Place, bounds: Bounds, failures: bool) -> Rc<Vec<Through>> {
        let bounds = Bounds { failures, ..bounds };
        let before = self.summaries.steps;
        let ways = self.summaries.of_call(self.world, method, (place.block, place.index), bounds);
        self.effort.steps += self.summaries.steps - before;
        ways
    }

    pub(crate) fn call_matters(&mut self, method: &Arc<Lowered>, instr: &Instr, mentions: &Mentions) -> bool {
        if instr.op.defines().is_some_and(|var| mentions.vars.contains(&var)) {
            return true;
        }
        let Some((callee, _)) = instr.op.call() else { return false };
        if mentions.regions.is_empty() {
            return false;
        }
        let writes_text = matches!(callee, Callee::Method { method, .. } if is_builder(*method));
        if writes_text && mentions.regions.contains(&Region::Built) {
            return true;
        }
        let at = CodePoint { method: method.reference(), at: instr.id };
        let effects = self.effects_of(at, callee);
        touches(&effects, mentions)
    }

    fn effects_of(&mut self, at: CodePoint, callee: &Callee) -> Rc<Effects> {
        let methods = &self.world.methods;
        let compute = || Rc::new(methods.effects_of_call(callee, at.method.class, Limits::default()));
        self.effects.entry(at).or_insert_with(compute).clone()
    }

    /// Whether the block may write something that is mentioned, or ends the method by an exception.
    fn matters(&mut self, method: &Arc<Lowered>, block: BlockId, mentions: &Mentions) -> bool {
        let found = method.body.block(block);
        if matches!(found.end, Terminator::Throw(_) | Terminator::Return(_)) {
            return true;
        }
        found.instrs.iter().any(|instr| {
            if self.lessons.heeds(method, instr) {
                return true;
            }
            if instr.op.defines().is_some_and(|var| mentions.vars.contains(&var)) {
                return true;
            }
            match &instr.op {
                Op::PutField { field, .. } => {
                    mentions.regions.contains(&Region::Field(self.world.methods.declared(*field)))
                }
                Op::PutStatic { field, .. } => {
                    mentions.regions.contains(&Region::Static(self.world.methods.declared(*field)))
                }
                Op::PutElement { component, .. } => {
                    component.is_none_or(|ty| mentions.regions.contains(&Region::Elements(self.world.element_kind(ty))))
                }
                op if op.call().is_some() => self.call_matters(method, instr, mentions),
                _ => false,
            }
        })
    }
}

fn is_builder(method: MethodRef) -> bool {
    matches!(method.class.as_internal(), "java/lang/StringBuilder" | "java/lang/StringBuffer")
}

/// Whether something may be written that is mentioned. Where code runs that cannot be seen, what is known of it counts.
fn touches(effects: &Effects, mentions: &Mentions) -> bool {
    mentions.regions.iter().any(|region| match region {
        Region::Field(field) => effects.writes.fields.contains(field),
        Region::Static(field) => effects.writes.statics.contains(field),
        Region::Elements(kind) => effects.writes.arrays.iter().any(|ty| is_kind(*ty, *kind)),
        Region::Lengths | Region::Texts | Region::Built | Region::Answer(_) => false,
    })
}

fn is_kind(ty: Type, kind: Scalar) -> bool {
    match ty {
        Type::Boolean | Type::Byte => kind == Scalar::Bv(8),
        Type::Char | Type::Short => kind == Scalar::Bv(16),
        Type::Int => kind == Scalar::Bv(32),
        Type::Long => kind == Scalar::Bv(64),
        Type::Float => kind == Scalar::F32,
        Type::Double => kind == Scalar::F64,
        Type::Class(_) | Type::Array(_) => kind == Scalar::Ref,
    }
}

/// Conjuncts once each, in order, without those that always hold.
pub(crate) fn tidy(world: &World, mut formula: Vec<Term>) -> Vec<Term> {
    let truth = world.terms.truth();
    if formula.iter().any(|part| matches!(world.terms.node(*part), Node::And(_))) {
        formula = formula.into_iter().flat_map(|part| world.terms.conjuncts(part)).collect();
    }
    formula.retain(|part| *part != truth);
    formula.sort_unstable();
    formula.dedup();
    formula
}
