//! Which methods are worth calling before the crash? Those that may change what the methods of the trace look at: fields that
//! these read, and what such fields refer to.
//!
//! Reads bytecode on demand, follows calls a few levels deep within the application, and remembers its answers.

use crate::catalogue::Usable;
use crate::memo::Memo;
use crate::vantage::Vantage;
use program::classfile::FieldOp;
use program::{ClassName, FieldRef, Instruction, MethodRef, Program};
use rustc_hash::FxHashSet;
use std::sync::Arc;

#[derive(Debug)]
pub struct Relevance {
    program: Arc<Program>,
    trace: FxHashSet<MethodRef>,
    /// Fields that the methods of the trace read, directly or through what they call.
    read: FxHashSet<FieldRef>,
    effects: Memo<MethodRef, Arc<Effects>>,
    weights: Memo<MethodRef, Weight>,
    weights_of_members: Memo<(ClassName, Vantage), Arc<[f64]>>,
}

/// What one method does to fields, calls left out.
#[derive(Debug, Default)]
struct Effects {
    reads: Vec<FieldRef>,
    writes: Vec<FieldRef>,
    /// It stores into arrays or calls what changes a collection: what it reads, it may change.
    alters: bool,
    /// Methods of the application that it calls.
    calls: Vec<MethodRef>,
}

/// A weight that can be kept in a table of shared answers.
#[derive(Clone, Copy, Debug)]
struct Weight(f64);

/// Levels of calls that are followed from the trace, and from a method that is asked about.
const DEPTH: usize = 2;
/// Methods looked at for one answer.
const MAX_METHODS: usize = 60;

/// How methods of the JDK's collections begin that change them.
const ALTERING: [&str; 15] = [
    "add", "put", "remove", "set", "push", "insert", "append", "clear", "offer", "poll", "pop", "write", "retain",
    "replace", "close",
];

impl Relevance {
    pub fn of(program: Arc<Program>, trace: &[MethodRef]) -> Relevance {
        let mut relevance = Relevance {
            program,
            trace: trace.iter().copied().collect(),
            read: FxHashSet::default(),
            effects: Memo::default(),
            weights: Memo::default(),
            weights_of_members: Memo::default(),
        };
        let mut read = FxHashSet::default();
        for method in trace {
            relevance.walk(*method, &mut |effects| {
                read.extend(effects.reads.iter().copied());
                false
            });
        }
        relevance.read = read;
        relevance
    }

    /// The fields that the methods of the trace read, sorted.
    pub fn fields(&self) -> Vec<FieldRef> {
        let mut fields: Vec<FieldRef> = self.read.iter().copied().collect();
        fields.sort_unstable();
        fields
    }

    /// How often the method should be called, compared with one of which nothing is known.
    pub fn weight(&self, method: MethodRef) -> f64 {
        self.weights.get_or(method, || Weight(self.judge(method))).0
    }

    /// The same for all members of a class that a test can call from there.
    pub fn weights_of_members(&self, class: ClassName, from: Vantage, members: &[Usable]) -> Arc<[f64]> {
        let weights = || members.iter().map(|usable| self.weight(usable.callable.method)).collect();
        self.weights_of_members.get_or((class, from), weights)
    }

    fn judge(&self, method: MethodRef) -> f64 {
        if self.program.is_jdk(method.class) {
            return if is_altering(method) { 0.6 } else { 0.15 };
        }
        let own = self.effects(method);
        let mut changes_state = false;
        let mut touches = false;
        self.walk(method, &mut |effects| {
            changes_state |= effects.alters || !effects.writes.is_empty();
            touches |= effects.writes.iter().any(|field| self.read.contains(field))
                || (effects.alters && effects.reads.iter().any(|field| self.read.contains(field)));
            touches
        });
        match () {
            () if touches => 6.0,
            () if self.trace.contains(&method) => 2.0,
            () if changes_state || !own.calls.is_empty() => 1.0,
            // It only looks at something.
            () => 0.25,
        }
    }

    /// Shows the effects of the method and of what it calls, until the visitor has seen enough.
    fn walk(&self, start: MethodRef, enough: &mut dyn FnMut(&Effects) -> bool) {
        let mut seen: FxHashSet<MethodRef> = FxHashSet::default();
        let mut level = vec![start];
        for _ in 0..=DEPTH {
            let mut next = Vec::new();
            for method in level {
                if seen.len() >= MAX_METHODS || !seen.insert(method) {
                    continue;
                }
                let effects = self.effects(method);
                if enough(&effects) {
                    return;
                }
                next.extend(effects.calls.iter().copied());
            }
            level = next;
        }
    }

    fn effects(&self, method: MethodRef) -> Arc<Effects> {
        self.effects.get_or(method, || Arc::new(self.read_effects(method)))
    }

    fn read_effects(&self, method: MethodRef) -> Effects {
        let mut effects = Effects::default();
        let Some(found) = self.program.resolve_method(method).found() else { return effects };
        let instructions = found.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
        for (_, instruction) in instructions {
            match instruction {
                Instruction::Field { op: FieldOp::GetField | FieldOp::GetStatic, field } => {
                    effects.reads.push(self.declared(field));
                }
                Instruction::Field { op: FieldOp::PutField | FieldOp::PutStatic, field } => {
                    effects.writes.push(self.declared(field));
                }
                Instruction::ArrayStore(_) => effects.alters = true,
                Instruction::Invoke { callee, .. } if self.program.is_jdk(callee.method.class) => {
                    effects.alters |= is_altering(callee.method);
                }
                Instruction::Invoke { callee, .. } => effects.calls.push(callee.method),
                _ => {}
            }
        }
        effects
    }

    /// The field under the name of the class that declares it.
    fn declared(&self, field: FieldRef) -> FieldRef {
        self.program.resolve_field(field).found().map_or(field, |found| found.reference())
    }
}

fn is_altering(method: MethodRef) -> bool {
    ALTERING.iter().any(|start| method.name.as_str().starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program_of;

    #[test]
    fn what_fills_a_buffer_counts_more_than_what_looks_at_it() {
        let program = program_of(&["commons-collections/commons-collections/3.1"]);
        let buffer = "org/apache/commons/collections/buffer/BoundedFifoBuffer";
        let relevance = Relevance::of(program, &[MethodRef::new(&format!("{buffer}$1"), "remove", "()V")]);
        let weight = |name: &str, descriptor: &str| relevance.weight(MethodRef::new(buffer, name, descriptor));
        assert!(weight("add", "(Ljava/lang/Object;)Z") > 2.0 * weight("isFull", "()Z"));
        assert!(weight("remove", "()Ljava/lang/Object;") > 2.0 * weight("maxSize", "()I"));
    }
}
