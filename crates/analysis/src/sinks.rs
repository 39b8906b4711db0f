//! Where does a new object go? It is followed forwards, through copies and casts, to where the method gives it away.

use crate::def_use::Definition;
use crate::lowered::Lowered;
use crate::values::Value;
use ir::{Op, Operation, Rvalue, Terminator};
use program::{ClassName, FieldRef, InstrId};
use std::collections::BTreeSet;

/// A place that keeps a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sink {
    Returned,
    Static(FieldRef),
    /// A field of any object.
    Field(FieldRef),
}

impl Lowered {
    /// Where objects of exactly this class are made.
    pub fn instances_of(&self, class: ClassName) -> Vec<InstrId> {
        let made = |(_, instr): (_, &ir::Instr)| match &instr.op {
            Op::Assign(_, Rvalue::New(made)) if *made == class => Some(instr.id),
            _ => None,
        };
        self.body.instrs().filter_map(made).collect()
    }

    /// Where the value goes that is assigned at this operation, in order; each place once. What called methods do with it is
    /// not looked at.
    pub fn sinks(&self, assigned_at: InstrId) -> Vec<Sink> {
        let mut sinks = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![assigned_at];
        while let Some(at) = waiting.pop() {
            let Some(Operation::Instr(Op::Assign(var, _))) = self.body.operation_at(at) else { continue };
            if !seen.insert(at) {
                continue;
            }
            for read in self.def_use().uses(Definition { var: *var, at: Some(at) }) {
                let is_it = |operand: &ir::Operand| operand.as_var() == Some(*var);
                match self.body.operation_at(*read) {
                    Some(Operation::End(Terminator::Return(Some(value)))) if is_it(value) => {
                        sinks.insert(Sink::Returned);
                    }
                    Some(Operation::Instr(Op::PutStatic { field, value })) if is_it(value) => {
                        sinks.insert(Sink::Static(*field));
                    }
                    Some(Operation::Instr(Op::PutField { field, value, .. })) if is_it(value) => {
                        sinks.insert(Sink::Field(*field));
                    }
                    Some(Operation::Instr(Op::Assign(_, Rvalue::Use(_) | Rvalue::Cast(..)))) => waiting.push(*read),
                    _ => {}
                }
            }
        }
        sinks.into_iter().collect()
    }

    /// Whether the method does nothing but give this field of its object.
    pub fn is_getter_of(&self, field: FieldRef) -> bool {
        let [block] = self.body.blocks.as_slice() else { return false };
        let Terminator::Return(Some(value)) = &block.end else { return false };
        let given = self.values().of(value, block.end_id);
        matches!(given, Value::Field { object, field: read, .. } if *object == Value::This && read == field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::Methods;
    use program::{Cache, ClassPath, Jdk, MethodRef, Program};
    use std::path::Path;
    use std::sync::Arc;

    #[test]
    fn objects_are_followed_to_where_they_stay() {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/watched/programs");
        let class_path = ClassPath::parse([programs]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        let methods = Methods::new(Arc::new(program));
        let sinks = |class: &str, name: &str, descriptor: &str, made: &str| {
            let method = methods.get(MethodRef::new(class, name, descriptor)).unwrap();
            let made = method.instances_of(ClassName::internal(made));
            made.into_iter().map(|at| method.sinks(at)).collect::<Vec<_>>()
        };
        // Through a variable; and from one arm of a conditional expression.
        assert_eq!(sinks("Own$Tree", "of", "(I)LOwn$Tree;", "Own$Tree"), [[Sink::Returned]]);
        assert_eq!(sinks("Own$Tree", "mirrored", "(I)LOwn$Tree;", "Own$Tree"), [[Sink::Returned]]);
        let others = sinks("Own", "main", "([Ljava/lang/String;)V", "Own$Square");
        assert_eq!(others, [Vec::new()], "into an array, which is passed on");
    }
}
