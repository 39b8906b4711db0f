//! Ways one operation at a time, for whoever decides which of them goes on: nothing is put in an order here, and no call is gone into
//! unless that is asked for.

use super::calls::Receivers;
use super::{Bounds, Destination, End, Frame, Paths, Runner, Summary, Way, arguments};
use crate::state::State;
use crate::world::World;
use analysis::{Limits, Lowered};
use ir::{BlockId, Callee, InvokeKind};
use program::{ClassName, MethodRef};
use smt::Term;
use std::sync::Arc;

/// Where a way is in one of its methods: before this operation; before the terminator where there are no more.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    pub method: &'a Arc<Lowered>,
    pub block: BlockId,
    pub index: usize,
}

impl Way {
    /// At the entry of the method.
    pub fn enter(method: Arc<Lowered>, state: State) -> Way {
        Way::new(method, state)
    }

    /// With the variables of the innermost method.
    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// The methods that it is in, the outermost first.
    pub fn spots(&self) -> impl DoubleEndedIterator<Item = Spot<'_>> + ExactSizeIterator {
        self.frames.iter().map(|frame| Spot { method: &frame.method, block: frame.block, index: frame.index })
    }

    pub fn spot(&self) -> Spot<'_> {
        let frame = self.frame();
        Spot { method: &frame.method, block: frame.block, index: frame.index }
    }
}

/// Takes ways further.
#[derive(Debug)]
pub struct Stepper<'w> {
    world: &'w World,
    bounds: Bounds,
    /// Operations that were executed.
    pub steps: u64,
    /// Ways were left out.
    pub is_cut: bool,
}

impl<'w> Stepper<'w> {
    pub fn new(world: &'w World, bounds: Bounds) -> Stepper<'w> {
        Stepper { world, bounds, steps: 0, is_cut: false }
    }

    pub fn world(&self) -> &'w World {
        self.world
    }

    fn runner(&self, bounds: Bounds) -> Runner<'w> {
        Runner::new(self.world, bounds)
    }

    /// What becomes of the way by its next operation or jump; nothing if it ended. A call is run to its end, within the bounds.
    pub fn step(&mut self, way: Way) -> Vec<Way> {
        let method = way.frame().method.clone();
        let block = method.body.block(way.frame().block);
        let Some(instr) = block.instrs.get(way.frame().index) else {
            return self.once(|runner| runner.end(way, &method, block));
        };
        if instr.op.call().is_some() {
            return self.over(way);
        }
        self.once(|runner| runner.instr(way, &method, instr))
    }

    fn once(&mut self, act: impl FnOnce(&mut Runner<'w>) -> Option<Way>) -> Vec<Way> {
        let mut runner = self.runner(self.bounds);
        let next = act(&mut runner);
        self.steps += 1;
        self.is_cut |= runner.is_cut;
        let mut ways = runner.open;
        ways.extend(next);
        ways.retain(|way| !way.state.is_impossible());
        ways
    }

    /// Runs the call that the way is at. Where not all ways through it are known, there is one more on which it did what
    /// code does that cannot be seen.
    fn over(&mut self, way: Way) -> Vec<Way> {
        let (block, index) = (way.frame().block, way.frame().index);
        let mut runner = self.runner(self.bounds);
        runner.destination = Some(Destination { block, index: index + 1, thrown: None });
        runner.is_one_call = true;
        let alone = Frame { vars: std::collections::BTreeMap::new(), ..way.frame().clone() };
        let paths = runner.run_from(Way { frames: vec![alone], state: way.state.clone() });
        self.steps += paths.steps;
        self.is_cut |= paths.is_cut;
        let is_known = !paths.is_cut && !paths.ways.is_empty();
        let mut ways: Vec<Way> = paths.ways.into_iter().flat_map(|summary| self.behind(&way, summary)).collect();
        if !is_known {
            ways.extend(self.past(way));
        }
        ways
    }

    /// The way, once the call that it is at has ended so.
    fn behind(&mut self, way: &Way, summary: Summary) -> Vec<Way> {
        let mut on = Way { frames: way.frames.clone(), state: summary.state };
        match summary.end {
            End::Arrived => {
                on.frame_mut().index += 1;
                vec![on]
            }
            End::Return(_) | End::Entered => Vec::new(),
            End::Throw { object, at } => self.once(|runner| {
                runner.throw(on, object, None, at);
                None
            }),
        }
    }

    /// The way behind the call that it is at, of which nothing is known but what it may write.
    fn past(&mut self, way: Way) -> Vec<Way> {
        let method = way.frame().method.clone();
        let instr = &method.body.block(way.frame().block).instrs[way.frame().index];
        let Some((callee, operands)) = instr.op.call() else { return Vec::new() };
        let args = arguments(self.world, &way.state, &method.body, callee, operands);
        let Callee::Method { method: named, .. } = callee else { return Vec::new() };
        let call = super::calls::Call { named: *named, args, types: Vec::new(), receivers: None };
        self.once(|runner| runner.unseen(way, instr, &call))
    }

    /// The way behind the call that it is at, which gave this. What it wrote is what its code may write.
    pub fn returning(&mut self, way: Way, value: impl FnOnce(&mut State) -> Term) -> Vec<Way> {
        let method = way.frame().method.clone();
        let defined =
            method.body.block(way.frame().block).instrs.get(way.frame().index).map(|instr| instr.op.defines());
        let depth = way.frames.len();
        let behind = way.frame().index + 1;
        let mut ways = self.past(way);
        // Those on which the call threw went elsewhere.
        ways.retain(|way| way.frames.len() == depth && way.frame().index == behind);
        ways.truncate(1);
        if let (Some(Some(var)), Some(way)) = (defined, ways.first_mut()) {
            let value = value(&mut way.state);
            way.state.vars.insert(var, value);
        }
        ways
    }

    /// The way at the entry of the method, where the call that it is at may run that one.
    pub fn into(&mut self, mut way: Way, target: &Arc<Lowered>) -> Option<Way> {
        self.steps += 1;
        let method = way.frame().method.clone();
        let instr = method.body.block(way.frame().block).instrs.get(way.frame().index)?;
        let (callee, operands) = instr.op.call()?;
        let Callee::Method { kind, method: named, .. } = callee else { return None };
        let wanted = target.reference();
        let args = arguments(self.world, &way.state, &method.body, callee, operands);
        if matches!(kind, InvokeKind::Virtual | InvokeKind::Interface) {
            let known = self.world.known_type(args[0]).map(|ty| ty.as_class().unwrap_or(ClassName::object()));
            if let Some(class) = known {
                let selected = self.world.program().select_virtual(class, *named).found()?;
                (selected.reference() == wanted).then_some(())?;
            } else {
                let all = self.world.methods.targets(callee, method.reference().class, Limits::default()).methods;
                let condition = self.runner(self.bounds).receives(args[0], wanted, &all);
                way.state.assume(self.world, condition);
            }
        }
        if way.state.is_impossible() {
            return None;
        }
        let caller_vars = std::mem::take(&mut way.state.vars);
        way.frame_mut().vars = caller_vars;
        way.state = Paths::start(&target.body, way.state, &args);
        way.state.depth += 1;
        way.frames.push(Frame::new(target.clone()));
        Some(way)
    }

    /// The methods that the call which the way is at may run, and whether there may be others.
    pub fn targets(&self, spot: Spot<'_>, most: usize) -> (Vec<MethodRef>, bool) {
        let instr = spot.method.body.block(spot.block).instrs.get(spot.index);
        let Some((callee, operands)) = instr.and_then(|instr| instr.op.call()) else { return (Vec::new(), false) };
        let Callee::Method { kind, method: named, .. } = callee else { return (Vec::new(), true) };
        let id = instr.map(|instr| instr.id);
        if matches!(kind, InvokeKind::Virtual | InvokeKind::Interface)
            && let (Some(receiver), Some(id)) = (operands.first(), id)
            && let Some(known) = Receivers::of(self.world, spot.method, receiver, id)
            && !known.has_others
        {
            let select = |class: &ClassName| self.world.program().select_virtual(*class, *named).found();
            let mut methods: Vec<MethodRef> =
                known.classes.iter().filter_map(select).map(|found| found.reference()).collect();
            methods.dedup();
            return (methods, false);
        }
        let limits = Limits { targets: most, ..Limits::default() };
        let targets = self.world.methods.targets(callee, spot.method.reference().class, limits);
        let has_others = targets.cut || targets.open;
        (targets.methods, has_others)
    }
}
