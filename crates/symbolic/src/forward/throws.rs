//! Exceptions: to which handlers they go.

use super::{Destination, End, Runner, Summary, Way};
use ir::{BlockId, Instr, Op, Rvalue};
use program::{ClassName, CodePoint, Subtype, Type};
use smt::Term;

impl Runner<'_> {
    /// Whether ways are followed on which something throws an exception of this class (of any, if none is given). Where they are
    /// not but something would catch it, ways are left out.
    pub(super) fn follows_failures(&mut self, way: &Way, class: Option<ClassName>) -> bool {
        if self.bounds.failures || self.is_inside(way) {
            return true;
        }
        let is_caught = way.frames.iter().any(|frame| {
            let handlers = &frame.method.body.block(frame.block).handlers;
            handlers.iter().any(|handler| class.is_none() || self.takes(handler.catch, class, None) != Some(false))
        });
        self.is_cut |= is_caught;
        false
    }

    pub(super) fn throw_new(&mut self, way: Way, class: ClassName, at: CodePoint) {
        let object = self.world.allocate_at(Type::Class(class), at);
        self.throw(way, object, Some(class), at);
    }

    /// Goes to the handlers that may take the exception, frame by frame.
    pub(super) fn throw(&mut self, mut way: Way, object: Term, declared: Option<ClassName>, at: CodePoint) {
        let exact = self.world.allocated_type(object).and_then(Type::as_class);
        loop {
            if let Some(Destination { thrown: Some(wanted), .. }) = self.is_there(&way) {
                if exact == Some(wanted) {
                    self.arrived(way);
                }
                return;
            }
            let method = way.frame().method.clone();
            let is_bare = self.is_one_call && way.frames.len() == 1;
            let handlers = if is_bare { &[][..] } else { &method.body.block(way.frame().block).handlers };
            for handler in handlers {
                match self.takes(handler.catch, exact, declared) {
                    Some(true) => return self.handle(way, handler.target, object),
                    Some(false) => {}
                    None => {
                        let Some(catch) = handler.catch else { continue };
                        let mut taken = way.clone();
                        let is_taken = self.world.is_instance(object, Type::Class(catch));
                        taken.state.assume(self.world, is_taken);
                        self.handle(taken, handler.target, object);
                        way.state.assume(self.world, self.world.terms.not(is_taken));
                    }
                }
            }
            way.frames.pop();
            let Some(caller) = way.frames.last_mut() else {
                if self.wanted.is_none() {
                    self.done.push(Summary { state: way.state, end: End::Throw { object, at } });
                }
                return;
            };
            way.state.vars = std::mem::take(&mut caller.vars);
            way.state.depth -= 1;
        }
    }

    fn takes(&self, catch: Option<ClassName>, exact: Option<ClassName>, declared: Option<ClassName>) -> Option<bool> {
        let Some(catch) = catch else { return Some(true) };
        let program = self.world.program();
        let is_below = |class: ClassName, above: ClassName| match program.is_subtype(class, above) {
            Subtype::Yes => Some(true),
            Subtype::No => Some(false),
            Subtype::Unknown { .. } => None,
        };
        if let Some(exact) = exact {
            return is_below(exact, catch);
        }
        let declared = declared?;
        match is_below(declared, catch) {
            // Classes of exceptions are a tree: what is below one of two branches is not below the other.
            Some(false) if is_below(catch, declared) == Some(false) => Some(false),
            Some(true) => Some(true),
            _ => None,
        }
    }

    fn handle(&mut self, mut way: Way, target: BlockId, object: Term) {
        let method = way.frame().method.clone();
        if let Some(Instr { op: Op::Assign(var, Rvalue::Caught), .. }) = method.body.block(target).instrs.first() {
            way.state.vars.insert(*var, object);
        }
        if let Some(way) = self.enter(way, target) {
            self.open.push(way);
        }
    }
}
