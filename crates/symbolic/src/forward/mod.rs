//! Runs methods forward: all ways through a method, its calls included, each with its condition and what it does. With constants for
//! parameters there is one way, and this is an interpreter.

mod calls;
mod dynamic;
mod stepping;
mod synthetic;
mod throws;
mod unseen;

pub use stepping::{Spot, Stepper};

use crate::state::{Marks, State};
use crate::transfer::Applied;
use crate::world::World;
use analysis::Lowered;
use ir::{Block, BlockId, Body, Callee, Guard, Instr, InvokeKind, Kind, Op, Operand, Parameter, Terminator, Var};
use program::{ClassName, CodePoint, InstrId, MethodRef, Type};
use smt::Term;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How far ways are followed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How often one way may enter a block of one activation of a method.
    pub visits: u32,
    /// How many calls deep.
    pub depth: u16,
    /// Operations of all ways together.
    pub steps: u64,
    /// Ways that are given.
    pub paths: usize,
    /// Whether ways are followed on which an implicit check fails.
    pub failures: bool,
    /// How many implementations of one call are tried.
    pub targets: usize,
}

impl Bounds {
    /// For running with constants: nothing is left out but what runs very long.
    pub const CONCRETE: Bounds =
        Bounds { visits: 100_000, depth: 200, steps: 200_000, paths: 1, failures: true, targets: 1 };
}

/// A place in the method that ways are wanted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    pub block: BlockId,
    /// Of the operation before which ways end; the number of operations for the terminator.
    pub index: usize,
    /// Ways go into the call at the place instead, and end where an exception of this class comes out of it.
    pub thrown: Option<ClassName>,
}

/// One way through a method.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its condition, and what memory is at its end.
    pub state: State,
    pub end: End,
}

#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// At the destination.
    Arrived,
    /// At the entry of the method that was wanted, whose parameters are the variables.
    Entered,
    Return(Option<Term>),
    Throw {
        object: Term,
        /// Where it came from: the operation that threw it first.
        at: CodePoint,
    },
}

/// All ways through a method, as far as the bounds go.
#[derive(Debug)]
pub struct Paths {
    pub ways: Vec<Summary>,
    /// Ways were left out.
    pub is_cut: bool,
    pub steps: u64,
}

impl Paths {
    /// Runs the method from this state, whose variables are the method's own.
    pub fn of(world: &World, method: &Arc<Lowered>, start: State, bounds: Bounds) -> Paths {
        Runner::new(world, bounds).from(method, start)
    }

    /// Runs the method from this state, but only on ways to the destination; they end there.
    pub fn to(world: &World, method: &Arc<Lowered>, start: State, destination: Destination, bounds: Bounds) -> Paths {
        let mut runner = Runner::new(world, bounds);
        runner.leads_there = leading_to(method, destination.block);
        runner.destination = Some(destination);
        runner.from(method, start)
    }

    /// Runs the one call at the place, from a state in which everything is its own leaf. Ways end behind it ([`End::Arrived`]) or
    /// with what it throws, whoever in the method would catch that.
    pub fn through(world: &World, method: &Arc<Lowered>, place: (BlockId, usize), depth: u16, bounds: Bounds) -> Paths {
        let (block, index) = place;
        let mut runner = Runner::new(world, bounds);
        runner.destination = Some(Destination { block, index: index + 1, thrown: None });
        runner.is_one_call = true;
        runner.run_from(Way::at_call(world, method, place, depth))
    }

    /// Runs the one call at the place, from a state in which everything is its own leaf, to where the method is entered by it or by what
    /// runs below it. Ways end there, with the method's parameters for variables; the others are left out.
    pub fn into(
        world: &World,
        method: &Arc<Lowered>,
        place: (BlockId, usize),
        wanted: MethodRef,
        bounds: Bounds,
    ) -> Paths {
        let (block, index) = place;
        let mut runner = Runner::new(world, bounds);
        runner.destination = Some(Destination { block, index: index + 1, thrown: None });
        (runner.is_one_call, runner.wanted) = (true, Some(wanted));
        runner.run_from(Way::at_call(world, method, place, 0))
    }

    /// The state in which a method starts with these arguments, receiver first.
    pub fn start(body: &Body, mut state: State, args: &[Term]) -> State {
        state.vars.clear();
        for ((slot, _), arg) in body.parameters().into_iter().zip(args) {
            state.vars.insert(Var::Local(slot), *arg);
        }
        state
    }
}

/// An activation of a method.
#[derive(Clone, Debug)]
struct Frame {
    method: Arc<Lowered>,
    block: BlockId,
    index: usize,
    visits: BTreeMap<BlockId, u32>,
    /// Variables, while a callee runs.
    vars: BTreeMap<Var, Term>,
}

/// A way that is not at its end.
#[derive(Clone, Debug)]
pub struct Way {
    frames: Vec<Frame>,
    /// With the variables of the innermost frame.
    state: State,
}

impl Way {
    fn new(method: Arc<Lowered>, state: State) -> Way {
        Way { frames: vec![Frame::new(method)], state }
    }

    /// At a call of a method in which everything is its own leaf, but for lambdas that it made itself.
    fn at_call(world: &World, method: &Arc<Lowered>, (block, index): (BlockId, usize), depth: u16) -> Way {
        let mut state = State::identity(depth);
        let instr = &method.body.block(block).instrs[index];
        let operands = instr.op.call().map_or(&[][..], |(_, operands)| operands);
        for var in operands.iter().filter_map(Operand::as_var) {
            if let Some(lambda) = dynamic::made_here(world, method, var, instr.id, &state) {
                state.vars.insert(var, lambda);
            }
        }
        let mut way = Way::new(method.clone(), state);
        (way.frame_mut().block, way.frame_mut().index) = (block, index);
        way
    }

    fn frame(&self) -> &Frame {
        self.frames.last().expect("a way that is not at its end has a frame")
    }

    fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a way that is not at its end has a frame")
    }

    fn at(&self, id: InstrId) -> CodePoint {
        CodePoint { method: self.frame().method.reference(), at: id }
    }
}

impl Frame {
    fn new(method: Arc<Lowered>) -> Frame {
        Frame { method, block: Body::ENTRY, index: 0, visits: BTreeMap::new(), vars: BTreeMap::new() }
    }
}

/// The blocks from which the target can be reached, by number.
fn leading_to(method: &Lowered, target: BlockId) -> Vec<bool> {
    let cfg = method.cfg();
    let mut leads = vec![false; cfg.len()];
    let mut open = vec![target];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut leads[block.0 as usize], true) {
            open.extend(cfg.predecessors(block));
        }
    }
    leads
}

struct Runner<'w> {
    world: &'w World,
    bounds: Bounds,
    destination: Option<Destination>,
    /// Blocks of the outermost method that may lead there.
    leads_there: Vec<bool>,
    /// Only a call of the outermost method is run: its handlers do not count.
    is_one_call: bool,
    /// The method that ways are wanted into.
    wanted: Option<MethodRef>,
    open: Vec<Way>,
    done: Vec<Summary>,
    is_cut: bool,
    steps: u64,
}

impl<'w> Runner<'w> {
    fn new(world: &'w World, bounds: Bounds) -> Self {
        let (open, done, leads_there) = (Vec::new(), Vec::new(), Vec::new());
        Runner {
            world,
            bounds,
            destination: None,
            leads_there,
            is_one_call: false,
            wanted: None,
            open,
            done,
            is_cut: false,
            steps: 0,
        }
    }

    fn from(self, method: &Arc<Lowered>, start: State) -> Paths {
        self.run_from(Way::new(method.clone(), start))
    }

    fn run_from(mut self, way: Way) -> Paths {
        self.open.push(way);
        self.run();
        Paths { ways: self.done, is_cut: self.is_cut, steps: self.steps }
    }

    /// Whether the way is at its destination, before that is executed.
    fn is_there(&self, way: &Way) -> Option<Destination> {
        let frame = way.frame();
        let is_there =
            |place: &Destination| way.frames.len() == 1 && (frame.block, frame.index) == (place.block, place.index);
        self.destination.filter(is_there)
    }

    /// Whether the way is in the call that an exception is to come out of, or at it.
    fn is_inside(&self, way: &Way) -> bool {
        let outermost = &way.frames[0];
        let is_at = |place: &Destination| (outermost.block, outermost.index) == (place.block, place.index);
        self.destination.is_some_and(|place| place.thrown.is_some() && is_at(&place))
    }

    fn arrived(&mut self, way: Way) {
        self.done.push(Summary { state: way.state, end: End::Arrived });
    }
}

impl Runner<'_> {
    fn run(&mut self) {
        while let Some(way) = self.open.pop() {
            if self.done.len() >= self.bounds.paths || self.steps >= self.bounds.steps {
                self.is_cut = true;
                return;
            }
            self.follow(way);
        }
    }

    /// Follows one way to its end or to where it splits; what it splits into is put aside.
    fn follow(&mut self, mut way: Way) {
        loop {
            self.steps += 1;
            if self.steps >= self.bounds.steps {
                self.is_cut = true;
                return;
            }
            let there = self.is_there(&way);
            if there.is_some_and(|place| place.thrown.is_none()) {
                if self.wanted.is_none() {
                    self.arrived(way);
                }
                return;
            }
            let method = way.frame().method.clone();
            let block = method.body.block(way.frame().block);
            let next = match block.instrs.get(way.frame().index) {
                Some(instr) => self.instr(way, &method, instr),
                None => self.end(way, &method, block),
            };
            match next {
                Some(on) if !on.state.is_impossible() => way = on,
                _ => return,
            }
        }
    }

    fn instr(&mut self, mut way: Way, method: &Arc<Lowered>, instr: &Instr) -> Option<Way> {
        if let Op::Guard(guard) = &instr.op {
            self.fail(&way, method, instr.id, guard);
            way.state.apply(self.world, &method.body, instr);
            way.frame_mut().index += 1;
            return Some(way);
        }
        if way.state.apply(self.world, &method.body, instr) == Applied::Call {
            return self.call(way, method, instr);
        }
        way.frame_mut().index += 1;
        Some(way)
    }

    /// Follows the ways on which the check fails, if that is wanted.
    fn fail(&mut self, way: &Way, method: &Arc<Lowered>, at: InstrId, guard: &Guard) {
        let class = ClassName::internal(guard.exception());
        let fails = crate::failure(self.world, &way.state, &method.body, guard);
        if fails == Some(self.world.terms.falsity()) || !self.follows_failures(way, Some(class)) {
            return;
        }
        match fails {
            Some(fails) => {
                let mut failed = way.clone();
                failed.state.assume(self.world, fails);
                let at = way.at(at);
                self.throw_new(failed, class, at);
            }
            // Under which condition cannot be said.
            None => self.is_cut = true,
        }
    }

    fn end(&mut self, mut way: Way, method: &Arc<Lowered>, block: &Block) -> Option<Way> {
        match &block.end {
            Terminator::Return(value) => {
                let kind = method.reference().signature().ret.map_or(Kind::Int, ir::kind_of_type);
                let value = value.as_ref().map(|value| way.state.operand(self.world, &method.body, value, kind));
                self.leave(way, value)
            }
            Terminator::Throw(value) => {
                let object = way.state.operand(self.world, &method.body, value, Kind::Reference);
                let at = way.at(block.end_id);
                let declared = method.body.type_of(value).and_then(Type::as_class);
                self.throw(way, object, declared, at);
                None
            }
            end => {
                let outcomes = end.successors();
                for (outcome, target) in outcomes.iter().enumerate().rev() {
                    let condition = way.state.outcome(self.world, &method.body, end, outcome);
                    if condition == self.world.terms.falsity() {
                        continue;
                    }
                    let mut on =
                        if outcome == 0 { std::mem::replace(&mut way, way_placeholder()) } else { way.clone() };
                    on.state.assume(self.world, condition);
                    if let Some(on) = self.enter(on, *target) {
                        self.open.push(on);
                    }
                }
                self.open.pop()
            }
        }
    }

    /// Goes to a block, unless the way has been there too often.
    fn enter(&mut self, mut way: Way, target: BlockId) -> Option<Way> {
        let most = self.bounds.visits;
        if way.frames.len() == 1 && self.leads_there.get(target.0 as usize) == Some(&false) {
            return None;
        }
        let frame = way.frame_mut();
        let visits = frame.visits.entry(target).or_default();
        *visits += 1;
        if *visits > most {
            self.is_cut = true;
            return None;
        }
        (frame.block, frame.index) = (target, 0);
        Some(way)
    }

    /// Ends the innermost method; the result goes to whoever called.
    fn leave(&mut self, mut way: Way, value: Option<Term>) -> Option<Way> {
        way.frames.pop();
        let Some(caller) = way.frames.last_mut() else {
            self.done.push(Summary { state: way.state, end: End::Return(value) });
            return None;
        };
        way.state.vars = std::mem::take(&mut caller.vars);
        way.state.depth -= 1;
        // The exception was to come out of this call.
        if self.is_there(&way).is_some() {
            return None;
        }
        let caller = way.frame_mut();
        let method = caller.method.clone();
        let instr = &method.body.block(caller.block).instrs[caller.index];
        caller.index += 1;
        if let (Some(var), Some(value)) = (instr.op.defines(), value) {
            way.state.vars.insert(var, value);
        }
        Some(way)
    }
}

/// Stands where a way was taken out.
fn way_placeholder() -> Way {
    Way { frames: Vec::new(), state: State::default() }
}

/// The arguments of a call, receiver first.
pub fn arguments(world: &World, state: &State, body: &Body, callee: &Callee, operands: &[Operand]) -> Vec<Term> {
    let (params, has_receiver) = match callee {
        Callee::Method { kind, method, .. } => (method.signature().params, *kind != InvokeKind::Static),
        Callee::Dynamic { descriptor, .. } => {
            (program::MethodType::parse(descriptor.as_str()).map_or_else(Vec::new, |ty| ty.params), false)
        }
    };
    let receiver = has_receiver.then_some(Kind::Reference);
    let kinds = receiver.into_iter().chain(params.into_iter().map(ir::kind_of_type));
    operands.iter().zip(kinds).map(|(operand, kind)| state.operand(world, body, operand, kind)).collect()
}

/// What holds of the parameters of a method because of their types; and that `this` is an object.
pub fn entry_facts(world: &World, body: &Body, state: &State) -> Vec<Term> {
    let fact = |(slot, parameter): (u16, Parameter)| match parameter {
        Parameter::This => {
            let this = state.var(world, body, Var::Local(slot), Kind::Reference);
            world.is_instance(this, Type::Class(body.method.class))
        }
        Parameter::Declared(_, ty) => {
            let value = state.var(world, body, Var::Local(slot), ir::kind_of_type(ty));
            world.well_typed(value, ty)
        }
    };
    body.parameters().into_iter().map(fact).filter(|fact| *fact != world.terms.truth()).collect()
}

impl Summary {
    pub fn marks(&self) -> Marks {
        self.state.marks
    }
}
