//! Calls of code that cannot be seen, or is too deep: it may return anything, throw, and write what its effects say.

use super::calls::Call;
use super::{Runner, Way};
use analysis::Effects;
use ir::{Instr, Kind};
use program::{ClassName, Type};
use std::sync::Arc;

impl Runner<'_> {
    pub(super) fn unseen(&mut self, mut way: Way, instr: &Instr, call: &Call) -> Option<Way> {
        let world = self.world;
        if world.gives_up() {
            self.is_cut = true;
            return None;
        }
        way.state.marks.loose = true;
        // What the code may do costs more to find out than an initialiser is worth.
        let effects = if world.is_initialising() {
            Arc::new(Effects { open: true, throws: true, ..Effects::default() })
        } else {
            world.methods.effects(call.named)
        };
        way.state.rewrite_by(world, &effects, call.named, &call.args);
        if effects.throws {
            self.throw_something(&way, instr);
        }
        // The exception was to come out of this call.
        if self.is_there(&way).is_some() {
            return None;
        }
        let value = call.named.signature().ret.map(|ty| {
            let value = world.unknown(ir::kind_of_type(ty));
            way.state.assume(world, world.well_typed(value, ty));
            value
        });
        Some(self.go_on(way, instr, value))
    }

    fn throw_something(&mut self, way: &Way, instr: &Instr) {
        if !self.follows_failures(way, None) {
            return;
        }
        let throwable = ClassName::internal("java/lang/Throwable");
        let object = self.world.unknown(Kind::Reference);
        let mut thrown = way.clone();
        thrown.state.assume(self.world, self.world.is_instance(object, Type::Class(throwable)));
        let at = way.at(instr.id);
        self.throw(thrown, object, Some(throwable), at);
    }
}
