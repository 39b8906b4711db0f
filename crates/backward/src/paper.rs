//! The published engine: Algorithm 1 of the paper, depth-first, with callees walked through backwards, and its three optimisations (3.2),
//! each of which can be switched off. What it counts is what the paper's Table 6 counts.
//!
//! Where the paper leaves things open: calls that may write nothing which the formula reads are passed by where conditional blocks of that
//! kind are; methods of the JDK that have a model, and those without code, are not walked through; a path goes on to the caller as soon as
//! it has come to an entry, and all is over once the outermost frame has [`ENOUGH`] conditions or after 100 seconds.

use crate::goals::{self, Goal};
use crate::journal::note;
use crate::precondition::Precondition;
use crate::precondition::at_call;
use crate::walk::{Mentions, Place, Walker, tidy};
use analysis::{Limits, Lowered, Via};
use ir::{Body, Callee, Instr, InvokeKind, Kind, Op, Rvalue, Terminator, Var};
use program::{ClassName, CodePoint, MethodRef, Type};
use rustc_hash::FxHashMap;
use smt::{Answer, Term};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use symbolic::{Bounds, End, Marks, Paths, State, arguments, entry_facts, failure};
use target::{Binding, CrashTarget, FrameRole};

/// How often a path goes through a block of one activation: loops are unrolled once.
const VISITS: u32 = 2;
/// Calls inside of calls.
const DEPTH: usize = 10;
/// Targets of one call.
const TARGETS: usize = 2;
const TIME: Duration = Duration::from_secs(100);
/// Conditions of the outermost frame after which nobody looks for more: the paper's crashes of one frame end there.
const ENOUGH: usize = 10;
/// Blocks and calls between two looks at whether somebody waits.
const PER_STEP: usize = 200;
/// Of methods with a model: what they do is written down. Others are not looked into here.
const MODELLED: Bounds = Bounds { visits: 2, depth: 0, steps: 200, paths: 8, failures: false, targets: 1 };

/// A method that a path is in.
#[derive(Clone)]
struct Activation {
    method: Arc<Lowered>,
    place: Place,
    visits: BTreeMap<u32, u32>,
}

#[derive(Clone)]
struct Path {
    /// The place of its frame among all of the trace.
    frame: usize,
    /// The method of the trace first, then those that were descended into.
    stack: Vec<Activation>,
    /// Each conjunct with the step at which it came to be what it is.
    formula: BTreeMap<Term, u32>,
    step: u32,
    marks: Marks,
}

/// A path that waits, and the step at which it branched off.
struct Waiting {
    path: Path,
    since: u32,
}

pub(crate) struct Paper {
    target: Arc<CrashTarget>,
    /// Where the application frames are among all frames.
    places: Vec<usize>,
    /// By application frame.
    pub(crate) found: Vec<Vec<Precondition>>,
    waiting: Vec<Waiting>,
    is_begun: bool,
    end: Option<Instant>,
}

impl Path {
    fn new(frame: usize, method: Arc<Lowered>, place: Place, formula: Vec<Term>, marks: Marks) -> Path {
        let stack = vec![Activation { method, place, visits: BTreeMap::new() }];
        Path { frame, stack, formula: formula.into_iter().map(|term| (term, 0)).collect(), step: 0, marks }
    }

    /// The path goes on in the caller, where its condition is this one.
    fn in_caller(&self, frame: usize, method: &Arc<Lowered>, (place, formula, marks): Goal) -> Path {
        let mut on = Path::new(frame, method.clone(), place, Vec::new(), marks);
        on.step = self.step + 1;
        let since = |term: &Term| self.formula.get(term).copied().unwrap_or(on.step);
        on.formula = formula.iter().map(|term| (*term, since(term))).collect();
        on
    }

    fn top(&self) -> &Activation {
        self.stack.last().expect("a path is in the method of its frame")
    }

    fn top_mut(&mut self) -> &mut Activation {
        self.stack.last_mut().expect("a path is in the method of its frame")
    }

    fn depth(&self) -> u16 {
        u16::try_from(self.stack.len() - 1).unwrap_or(u16::MAX)
    }

    fn terms(&self) -> Vec<Term> {
        self.formula.keys().copied().collect()
    }

    fn assume(&mut self, walker: &Walker<'_>, conditions: &[Term]) {
        let step = self.step;
        for part in tidy(walker.world, conditions.to_vec()) {
            self.formula.entry(part).or_insert(step);
        }
    }

    /// Puts other terms in place of these.
    fn rewrite(&mut self, walker: &Walker<'_>, rewrite: impl FnOnce(&[Term]) -> Vec<Term>) {
        let old = self.terms();
        let new = rewrite(&old[..]);
        let (known, step) = (std::mem::take(&mut self.formula), self.step);
        for (old, new) in old.into_iter().zip(new) {
            let since = if old == new { known[&old] } else { step };
            for part in tidy(walker.world, vec![new]) {
                let kept = self.formula.entry(part).or_insert(since);
                *kept = since.min(*kept);
            }
        }
    }
}

impl Paper {
    pub(crate) fn new(target: Arc<CrashTarget>, frames: usize) -> Paper {
        let is_application = |frame: &target::TargetFrame| matches!(frame.role, FrameRole::Application(_));
        let all = target.frames.iter().enumerate();
        let places: Vec<usize> =
            all.filter(|(_, frame)| is_application(frame)).map(|(at, _)| at).take(frames).collect();
        let found = vec![Vec::new(); places.len()];
        Paper { target, places, found, waiting: Vec::new(), is_begun: false, end: None }
    }

    pub(crate) fn is_done(&self) -> bool {
        let is_enough = self.found.last().is_none_or(|outermost| outermost.len() >= ENOUGH);
        let is_late = self.end.is_some_and(|end| Instant::now() >= end);
        is_enough || is_late || (self.is_begun && self.waiting.is_empty())
    }

    /// Follows some paths; gives the conditions that are new.
    pub(crate) fn step(&mut self, walker: &mut Walker<'_>) -> Vec<Precondition> {
        if !std::mem::replace(&mut self.is_begun, true) {
            // Where runs have to repeat, the cost of questions ends it.
            self.end = (!walker.solving.is_counted()).then(|| Instant::now() + TIME);
            self.begin(walker);
        }
        let before: Vec<usize> = self.found.iter().map(Vec::len).collect();
        for _ in 0..PER_STEP {
            if self.is_done() || walker.solving.is_stopped() {
                break;
            }
            if let Some(Waiting { path, .. }) = self.waiting.pop() {
                self.lengthen(walker, path);
            }
        }
        self.found.iter().zip(before).flat_map(|(found, before)| found[before..].iter().cloned()).collect()
    }

    fn begin(&mut self, walker: &mut Walker<'_>) {
        let Some(first) = self.places.first().copied() else { return };
        let target = self.target.clone();
        for site in target.throw_sites.iter().rev() {
            let Some(method) = walker.world.methods.get(site.at.method) else { continue };
            for (place, formula, marks) in goals::of_site(walker, &method, site, &target) {
                let path = Path::new(first, method.clone(), place, formula, marks);
                self.waiting.push(Waiting { path, since: 0 });
            }
        }
    }

    /// Goes back over straight-line code to a call or to the start of a block.
    fn lengthen(&mut self, walker: &mut Walker<'_>, mut path: Path) {
        path.step += 1;
        note(|| format!("{} {:?}", path.top().method.reference(), path.top().place));
        let depth = path.depth();
        let Activation { method, place, .. } = path.top().clone();
        let before = &method.body.block(place.block).instrs[..place.index];
        let call = before.iter().rposition(|instr| instr.op.call().is_some());
        let from = call.map_or(0, |call| call + 1);
        let mut state = State::identity(depth);
        if let (0, Some(Op::Assign(var, Rvalue::Caught))) = (from, before.first().map(|instr| &instr.op)) {
            state.vars.insert(*var, walker.world.variable(depth, *var, Kind::Reference));
        }
        for instr in &before[from..] {
            state.apply(walker.world, &method.body, instr);
        }
        walker.effort.steps += before.len() as u64 + 1;
        path.marks = path.marks.with(state.marks);
        path.rewrite(walker, |terms| state.compose(walker.world, terms));
        path.assume(walker, &state.path);
        path.top_mut().place.index = call.unwrap_or(0);
        match call {
            Some(call) => self.before_call(walker, path, &method, &before[call]),
            None => self.before_block(walker, path, &method),
        }
    }

    fn wait(&mut self, path: Path, since: u32) {
        self.waiting.push(Waiting { path, since });
    }

    fn before_block(&mut self, walker: &mut Walker<'_>, path: Path, method: &Arc<Lowered>) {
        let block = path.top().place.block;
        let is_merge = method.cfg().predecessors(block).len() > 1;
        if walker.switches.recognise && is_merge && self.is_contradictory(walker, &path, &[]) {
            return;
        }
        if walker.switches.prune {
            let mentions = Mentions::of(walker.world, &path.terms(), path.depth());
            if let Some((branch, blocks)) = walker.skippable(method, block, &mentions) {
                return self.skip(walker, path, method, branch, &blocks);
            }
        }
        if block == Body::ENTRY {
            self.at_entry(walker, path.clone(), method);
        }
        // What was put aside last goes on first: that is not to be one more round of a loop.
        let mut before = method.cfg().predecessors(block).to_vec();
        before.sort_by_key(|from| std::cmp::Reverse(from.0));
        for from in before {
            self.before_edges(walker, &path, method, from);
        }
    }

    fn skip(
        &mut self,
        walker: &mut Walker<'_>,
        mut path: Path,
        method: &Arc<Lowered>,
        branch: ir::BlockId,
        blocks: &[ir::BlockId],
    ) {
        path.marks.loose = true;
        let since = path.step;
        if !blocks.contains(&branch) {
            path.top_mut().place = Place { block: branch, index: method.body.block(branch).instrs.len() };
            return self.wait(path, since);
        }
        path.top_mut().place = Place { block: branch, index: 0 };
        if branch == Body::ENTRY {
            self.at_entry(walker, path.clone(), method);
        }
        for from in method.cfg().predecessors(branch).iter().filter(|from| !blocks.contains(from)) {
            self.before_edges(walker, &path, method, *from);
        }
    }

    fn before_edges(&mut self, walker: &mut Walker<'_>, path: &Path, method: &Arc<Lowered>, from: ir::BlockId) {
        let visits = path.top().visits.get(&from.0).copied().unwrap_or(0) + 1;
        if visits > VISITS {
            walker.effort.paths += 1;
            return;
        }
        let edges = method.cfg().successors(from);
        let jumps = edges.iter().filter(|edge| matches!(edge.via, Via::Jump(_))).count();
        walker.effort.blocks += u64::from(jumps > 1);
        let to = path.top().place.block;
        for edge in edges.iter().filter(|edge| edge.target == to) {
            let mut on = path.clone();
            on.top_mut().visits.insert(from.0, visits);
            let Via::Jump(outcome) = edge.via else {
                self.before_throw(walker, &on, method, from);
                continue;
            };
            let block = method.body.block(from);
            let state = State::identity(on.depth());
            let condition = state.outcome(walker.world, &method.body, &block.end, outcome as usize);
            on.top_mut().place = Place { block: from, index: block.instrs.len() };
            on.step += 1;
            on.assume(walker, &[condition]);
            self.wait(on, path.step);
        }
    }

    /// Goes on before what may have thrown in the block.
    fn before_throw(&mut self, walker: &mut Walker<'_>, path: &Path, method: &Arc<Lowered>, from: ir::BlockId) {
        let (world, block) = (walker.world, method.body.block(from));
        let to = path.top().place.block;
        let depth = path.depth();
        let caught = match method.body.block(to).instrs.first().map(|instr| &instr.op) {
            Some(Op::Assign(var, Rvalue::Caught)) => Some(world.variable(depth, *var, Kind::Reference)),
            _ => None,
        };
        let catch = block.handlers.iter().find(|handler| handler.target == to).and_then(|handler| handler.catch);
        let class = Type::Class(catch.unwrap_or(ClassName::internal("java/lang/Throwable")));
        let mut throwing: Vec<(usize, Term, Vec<Term>)> = Vec::new();
        for (index, instr) in block.instrs.iter().enumerate() {
            if let Op::Guard(guard) = &instr.op {
                let fails = failure(world, &State::identity(depth), &method.body, guard);
                let at = CodePoint { method: method.reference(), at: instr.id };
                let object = world.allocate_at(Type::class(guard.exception()), at);
                throwing.push((index, object, fails.into_iter().collect()));
            } else if instr.op.call().is_some() {
                throwing.push((index, world.unknown(Kind::Reference), Vec::new()));
            }
        }
        if let Terminator::Throw(operand) = &block.end {
            let object = State::identity(depth).operand(world, &method.body, operand, Kind::Reference);
            throwing.push((block.instrs.len(), object, Vec::new()));
        }
        for (index, object, mut conditions) in throwing {
            conditions.push(world.is_instance(object, class));
            if conditions.contains(&world.terms.falsity()) {
                continue;
            }
            let mut on = path.clone();
            on.step += 1;
            on.marks.loose = true;
            on.top_mut().place = Place { block: from, index };
            if let Some(caught) = caught {
                let put: FxHashMap<Term, Term> = [(caught, object)].into_iter().collect();
                on.rewrite(walker, |terms| world.terms.substitute_all(terms, &put));
            }
            on.assume(walker, &conditions);
            self.wait(on, path.step);
        }
    }

    fn before_call(&mut self, walker: &mut Walker<'_>, mut path: Path, method: &Arc<Lowered>, instr: &Instr) {
        let since = path.step;
        if walker.switches.prune {
            let mentions = Mentions::of(walker.world, &path.terms(), path.depth());
            if !walker.call_matters(method, instr, &mentions) {
                path.marks.loose = true;
                return self.wait(path, since);
            }
        }
        let targets = if path.stack.len() <= DEPTH { bodies(walker, method, instr) } else { Vec::new() };
        if targets.is_empty() {
            return self.over(walker, &path, method);
        }
        for target in targets {
            self.descend(walker, &path, method, instr, &target);
        }
    }

    /// Goes on before a call with what is known of it without looking at its code.
    fn over(&mut self, walker: &mut Walker<'_>, path: &Path, method: &Arc<Lowered>) {
        let place = path.top().place;
        let through = Paths::through(walker.world, method, (place.block, place.index), path.depth(), MODELLED);
        walker.effort.steps += through.steps;
        for way in through.ways.into_iter().filter(|way| way.end == End::Arrived) {
            let mut on = path.clone();
            on.step += 1;
            on.marks = on.marks.with(way.state.marks);
            on.rewrite(walker, |terms| way.state.compose(walker.world, terms));
            on.assume(walker, &way.state.path);
            self.wait(on, path.step);
        }
    }

    /// Continues at the ends of the method that the call runs.
    fn descend(
        &mut self,
        walker: &mut Walker<'_>,
        path: &Path,
        method: &Arc<Lowered>,
        instr: &Instr,
        target: &Arc<Lowered>,
    ) {
        let world = walker.world;
        for (id, block) in target.body.block_ids().zip(&target.body.blocks) {
            let Terminator::Return(value) = &block.end else { continue };
            let mut on = path.clone();
            on.step += 1;
            let place = Place { block: id, index: block.instrs.len() };
            on.stack.push(Activation { method: target.clone(), place, visits: BTreeMap::new() });
            if let (Some(var), Some(value)) = (instr.op.defines(), value) {
                let kind = target.reference().signature().ret.map_or(Kind::Int, ir::kind_of_type);
                let result = State::identity(on.depth()).operand(world, &target.body, value, kind);
                let known = method.body.var(var).and_then(|info| info.kind).unwrap_or(kind);
                let put = [(world.variable(path.depth(), var, known), result)].into_iter().collect();
                on.rewrite(walker, |terms| world.terms.substitute_all(terms, &put));
            }
            self.wait(on, path.step);
        }
    }

    /// At the entry of a callee: goes on in the caller. At that of a method of the trace: asks whether the formula can hold.
    fn at_entry(&mut self, walker: &mut Walker<'_>, mut path: Path, method: &Arc<Lowered>) {
        if path.stack.len() > 1 {
            path.stack.pop();
            return self.leave(walker, path, method);
        }
        let facts = entry_facts(walker.world, &method.body, &State::identity(0));
        if self.is_contradictory(walker, &path, &facts) {
            return;
        }
        let number = match self.target.frames[path.frame].role {
            FrameRole::Application(number) => number,
            FrameRole::Library | FrameRole::Glue => 0,
        };
        let formula = tidy(walker.world, path.formula.keys().copied().chain(facts).collect());
        let found = Precondition { frame: number, method: method.clone(), formula, marks: path.marks };
        if let Some(at) = self.places.iter().position(|place| *place == path.frame)
            && self.found[at].iter().all(|known| known.formula != found.formula)
            && self.found[at].len() < ENOUGH
        {
            self.found[at].push(found.clone());
        }
        let callers = self.callers(walker, &path, &found);
        note(|| format!("entry of frame {number}, {} ways on, {} waiting", callers.len(), self.waiting.len()));
        walker.effort.paths += u64::from(callers.is_empty());
        callers.into_iter().for_each(|caller| self.wait(caller, path.step));
    }

    /// The parameters of a callee are the arguments of the call.
    fn leave(&mut self, walker: &mut Walker<'_>, mut path: Path, callee: &Arc<Lowered>) {
        let world = walker.world;
        let Activation { method, place, .. } = path.top().clone();
        let instr = &method.body.block(place.block).instrs[place.index];
        let Some((named, operands)) = instr.op.call() else { return };
        let state = State::identity(path.depth());
        let args = arguments(world, &state, &method.body, named, operands);
        let inner = State::identity(path.depth() + 1);
        let slots = callee.body.parameters().into_iter().zip(&args).map(|((slot, declared), arg)| {
            let kind = match declared {
                ir::Parameter::This => Kind::Reference,
                ir::Parameter::Declared(_, ty) => ir::kind_of_type(ty),
            };
            (inner.var(world, &callee.body, Var::Local(slot), kind), *arg)
        });
        let put: FxHashMap<Term, Term> = slots.collect();
        path.rewrite(walker, |terms| world.terms.substitute_all(terms, &put));
        if let (Callee::Method { kind: InvokeKind::Virtual | InvokeKind::Interface, .. }, Some(this)) =
            (named, args.first())
        {
            let is_received = world.is_instance(*this, Type::Class(callee.reference().class));
            path.assume(walker, &[is_received]);
        }
        let since = path.step;
        self.wait(path, since);
    }

    /// The paths that go on in the frame below: the next one whose calls are known, or the next of the application.
    fn callers(&self, walker: &Walker<'_>, path: &Path, inner: &Precondition) -> Vec<Path> {
        let outermost = self.places.last().copied().unwrap_or_default();
        for at in path.frame + 1..=outermost {
            let below = &self.target.frames[at];
            let Binding::Bound { candidates, .. } = &below.binding else { continue };
            let mut found = Vec::new();
            for bound in candidates {
                let Some(method) = walker.world.methods.get(bound.method) else { continue };
                for bci in &bound.calls {
                    let goals = at_call(walker.world, &method, *bci, inner);
                    found.extend(goals.into_iter().map(|goal| path.in_caller(at, &method, goal)));
                }
            }
            if !found.is_empty() || matches!(below.role, FrameRole::Application(_)) {
                return found;
            }
        }
        Vec::new()
    }

    /// Whether the formula cannot hold; if so, paths that cannot change that are dropped too.
    fn is_contradictory(&mut self, walker: &mut Walker<'_>, path: &Path, facts: &[Term]) -> bool {
        walker.effort.checks += 1;
        let formula: Vec<Term> = path.formula.keys().chain(facts).copied().collect();
        let Answer::Unsat(core) = walker.solving.check(walker.world, &formula) else { return false };
        walker.effort.paths += 1;
        note(|| {
            let top = path.top();
            let parts: Vec<String> = core.iter().map(|part| walker.world.terms.show(*part)).collect();
            format!("refuted in {} at block {}: {}", top.method.reference(), top.place.block.0, parts.join(" && "))
        });
        if walker.switches.backtrack {
            // Whatever branched off since then has all of the core already, and what is put in place of its variables changes nothing.
            let core = walker.solving.minimal_core(walker.world, &core);
            let came_up = core.iter().filter_map(|part| path.formula.get(part)).max().copied().unwrap_or(0);
            while self.waiting.last().is_some_and(|waiting| waiting.since >= came_up && waiting.since > 0) {
                self.waiting.pop();
            }
        }
        true
    }

    /// The crash, where its application frames are, and their conditions.
    pub(crate) fn parts(&self) -> (&Arc<CrashTarget>, &Vec<usize>, &Vec<Vec<Precondition>>) {
        (&self.target, &self.places, &self.found)
    }
}

/// The methods that a call runs, where there is code to be walked through.
fn bodies(walker: &Walker<'_>, method: &Arc<Lowered>, instr: &Instr) -> Vec<Arc<Lowered>> {
    let Some((callee, _)) = instr.op.call() else { return Vec::new() };
    let Callee::Method { .. } = callee else { return Vec::new() };
    let limits = Limits { targets: TARGETS, ..Limits::default() };
    let targets = walker.world.methods.targets(callee, method.reference().class, limits);
    let is_looked_into = |target: &&MethodRef| !symbolic::models::is_modelled(walker.world, **target);
    let all: Vec<&MethodRef> = targets.methods.iter().take(TARGETS).collect();
    if !all.iter().all(is_looked_into) {
        return Vec::new();
    }
    all.into_iter().filter_map(|target| walker.world.methods.get(*target)).collect()
}
