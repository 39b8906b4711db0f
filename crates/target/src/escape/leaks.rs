//! Does a method let anybody else get hold of an object that it is given? It does if it puts the object anywhere, gives it back,
//! throws it, or passes it on to code that does so or that cannot be seen. Which value a variable has where does not count: what
//! was ever copied from the object is the object.

use super::calls;
use super::flow::DEEPEST;
use crate::inquiry::Inquiry;
use analysis::Lowered;
use ir::{Callee, InvokeKind, Op, Operand, Rvalue, Terminator, Var};
use program::{ClassName, FoundMethod, MethodRef};
use std::collections::BTreeSet;

/// Whether the method may publish its argument with this number, receiver first. `class` is what the object is exactly, where that
/// is known.
pub(super) fn leaks(units: &Inquiry<'_>, method: &FoundMethod, argument: usize, class: Option<ClassName>) -> bool {
    Search { units, class, within: Vec::new() }.is_published_by(method, argument)
}

struct Search<'a> {
    units: &'a Inquiry<'a>,
    class: Option<ClassName>,
    /// The methods that are being looked into.
    within: Vec<(MethodRef, usize)>,
}

impl Search<'_> {
    fn is_published_by(&mut self, found: &FoundMethod, argument: usize) -> bool {
        // What the JDK's objects and exceptions do when they are made and asked is no secret: they keep to themselves.
        let program = self.units.program;
        let is_plain = found.class.name == ClassName::object() || calls::is_throwable_of_jdk(program, found.class.name);
        if is_plain && argument == 0 {
            return false;
        }
        let asked = (found.reference(), argument);
        let unit = self.units.get(asked.0).filter(|_| self.within.len() < DEEPEST && !self.within.contains(&asked));
        let Some(unit) = unit else { return true };
        let Some((slot, _)) = unit.body.parameters().get(argument).copied() else { return true };
        self.within.push(asked);
        let leaks = self.is_published_in(&unit, &copies(&unit, Var::Local(slot)));
        self.within.pop();
        leaks
    }

    fn is_published_in(&mut self, unit: &Lowered, names: &BTreeSet<Var>) -> bool {
        let is_it = |operand: &Operand| operand.as_var().is_some_and(|var| names.contains(&var));
        let ends = unit.body.blocks.iter().any(|block| match &block.end {
            Terminator::Return(Some(result)) => is_it(result),
            Terminator::Throw(thrown) => is_it(thrown),
            _ => false,
        });
        ends || unit.body.instrs().any(|(_, instr)| match &instr.op {
            Op::PutField { value, .. } | Op::PutElement { value, .. } | Op::PutStatic { value, .. } => is_it(value),
            op => op.call().is_some_and(|(callee, args)| {
                let given = args.iter().enumerate().filter(|(_, arg)| is_it(arg));
                given.map(|(place, _)| place).any(|place| self.is_published_by_call(unit, callee, place))
            }),
        })
    }

    fn is_published_by_call(&mut self, unit: &Lowered, callee: &Callee, place: usize) -> bool {
        let program = self.units.program;
        let Callee::Method { kind, method, .. } = callee else { return !calls::is_concatenation(callee) };
        let Some(found) = program.resolve_method(*method).found() else { return true };
        let exact = self.class.filter(|_| place == 0);
        let run = match kind {
            InvokeKind::Static | InvokeKind::Special => Some(found),
            _ if found.access.is_private() || found.access.is_final() || found.class.access.is_final() => Some(found),
            _ => exact.and_then(|class| program.select_virtual(class, *method).found()),
        };
        run.is_none_or(|run| run.reference() == unit.reference() || self.is_published_by(&run, place))
    }
}

/// All variables that may hold what this one has.
fn copies(unit: &Lowered, of: Var) -> BTreeSet<Var> {
    let mut names = BTreeSet::from([of]);
    loop {
        let before = names.len();
        for (_, instr) in unit.body.instrs() {
            if let Op::Assign(var, Rvalue::Use(from) | Rvalue::Cast(from, _)) = &instr.op
                && from.as_var().is_some_and(|from| names.contains(&from))
            {
                names.insert(*var);
            }
        }
        if names.len() == before {
            return names;
        }
    }
}
