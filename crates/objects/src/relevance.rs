//! Which methods are worth calling before the crash? Those that may change what the methods of the trace look at: fields that
//! these read, and what such fields refer to.
//!
//! Reads bytecode on demand, follows calls a few levels deep within the application, and remembers its answers.

use crate::access::AccessContext;
use crate::catalogue::Usable;
use crate::memo::Memo;
use analysis::Methods;
use documents::sql;
use program::classfile::Constant;
use program::{ClassName, FieldRef, Instruction, MethodRef};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

#[derive(Debug)]
pub struct Relevance {
    methods: Arc<Methods>,
    trace: FxHashSet<MethodRef>,
    /// Fields that the methods of the trace read, directly or through what they call.
    read: FxHashSet<FieldRef>,
    /// Tables of a database that they select from, in lower case.
    tables: FxHashSet<String>,
    effects: Memo<MethodRef, Arc<Effects>>,
    weights: Memo<MethodRef, Weight>,
    weights_of_members: Memo<(ClassName, AccessContext), Arc<[f64]>>,
}

/// What one method does to fields, calls left out.
#[derive(Debug, Default)]
struct Effects {
    reads: Vec<FieldRef>,
    writes: Vec<FieldRef>,
    /// Tables of databases, by statements that it has as constants.
    selects: Vec<String>,
    changes: Vec<String>,
    /// It stores into arrays.
    stores: bool,
    /// Methods of the JDK that it calls.
    of_jdk: Vec<MethodRef>,
    /// See [`Relevance::alters`]: to look into the JDK takes its time.
    alters: OnceLock<bool>,
    /// Methods of the application that it calls, or that lambdas run which it makes.
    calls: Vec<MethodRef>,
}

/// A weight that can be kept in a table of shared answers.
#[derive(Clone, Copy, Debug)]
struct Weight(f64);

/// Levels of calls that are followed from the trace, and from a method that is asked about.
const DEPTH: usize = 2;
/// Methods looked at for one answer.
const MAX_METHODS: usize = 60;

impl Relevance {
    pub fn of(methods: Arc<Methods>, trace: &[MethodRef]) -> Relevance {
        let mut relevance = Relevance {
            methods,
            trace: trace.iter().copied().collect(),
            read: FxHashSet::default(),
            tables: FxHashSet::default(),
            effects: Memo::default(),
            weights: Memo::default(),
            weights_of_members: Memo::default(),
        };
        let (mut read, mut tables) = (FxHashSet::default(), FxHashSet::default());
        for method in trace {
            relevance.walk(*method, &mut |effects| {
                read.extend(effects.reads.iter().copied());
                tables.extend(effects.selects.iter().cloned());
                false
            });
        }
        (relevance.read, relevance.tables) = (read, tables);
        relevance
    }

    /// The same with these fields as well; none if that makes no difference.
    pub fn with(&self, fields: &[FieldRef]) -> Option<Relevance> {
        let is_new = fields.iter().any(|field| !self.read.contains(field));
        is_new.then(|| Relevance {
            methods: self.methods.clone(),
            trace: self.trace.clone(),
            read: self.read.iter().chain(fields).copied().collect(),
            tables: self.tables.clone(),
            effects: Memo::default(),
            weights: Memo::default(),
            weights_of_members: Memo::default(),
        })
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
    pub fn weights_of_members(&self, class: ClassName, from: AccessContext, members: &[Usable]) -> Arc<[f64]> {
        let weights = || members.iter().map(|usable| self.weight(usable.callable.method)).collect();
        self.weights_of_members.get_or((class, from), weights)
    }

    fn judge(&self, method: MethodRef) -> f64 {
        if self.methods.program().is_jdk(method.class) {
            return if self.methods.alters_receiver(method) { 0.6 } else { 0.15 };
        }
        let own = self.effects(method);
        let mut touches = false;
        self.walk(method, &mut |effects| {
            touches |= effects.writes.iter().any(|field| self.read.contains(field))
                || effects.changes.iter().any(|table| self.tables.contains(table))
                || (effects.reads.iter().any(|field| self.read.contains(field)) && self.alters(effects));
            touches
        });
        match () {
            () if touches => 6.0,
            () if self.trace.contains(&method) => 2.0,
            () if !own.calls.is_empty() || !own.writes.is_empty() || self.alters(&own) => 1.0,
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
        let program = self.methods.program();
        let Some(found) = program.resolve_method(method).found() else { return Effects::default() };
        let Some(own) = self.methods.own_effects(found.reference()) else { return Effects::default() };
        let called = own.calls().chain(own.lambdas.iter().copied());
        let (of_jdk, calls) = called.partition(|callee| program.is_jdk(callee.class));
        let (changes, selects) = self.statements(found.reference());
        Effects {
            selects,
            changes,
            reads: own.reads.fields.iter().chain(&own.reads.statics).copied().collect(),
            writes: own.writes.fields.iter().chain(&own.writes.statics).copied().collect(),
            stores: !own.writes.arrays.is_empty(),
            of_jdk,
            calls,
            alters: OnceLock::new(),
        }
    }

    /// The tables that statements change, and those that they only look at, which the method has as constants.
    fn statements(&self, method: MethodRef) -> (Vec<String>, Vec<String>) {
        let (mut changes, mut selects) = (Vec::new(), Vec::new());
        let Some(found) = self.methods.program().declared_method(method) else { return (changes, selects) };
        for (_, instruction) in found.readable_code().into_iter().flat_map(|code| code.instructions()).flatten() {
            if let Instruction::Const(Constant::String(text)) = &instruction {
                let text = String::from_utf16_lossy(&text.utf16());
                let tables = sql::tables(&text).into_iter().map(|table| table.name.to_lowercase());
                if sql::is_writing(&text) { changes.extend(tables) } else { selects.extend(tables) }
            }
        }
        (changes, selects)
    }

    /// Whether it stores into arrays or changes an object of the JDK: what it reads, it may change.
    fn alters(&self, effects: &Effects) -> bool {
        let does = || effects.stores || effects.of_jdk.iter().any(|callee| self.methods.alters_receiver(*callee));
        *effects.alters.get_or_init(does)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program_of;

    #[test]
    fn what_fills_a_buffer_counts_more_than_what_looks_at_it() {
        let program = program_of(&["commons-collections/commons-collections/3.1"]);
        let buffer = "org/apache/commons/collections/buffer/BoundedFifoBuffer";
        let relevance =
            Relevance::of(Arc::new(Methods::new(program)), &[MethodRef::new(&format!("{buffer}$1"), "remove", "()V")]);
        let weight = |name: &str, descriptor: &str| relevance.weight(MethodRef::new(buffer, name, descriptor));
        assert!(weight("add", "(Ljava/lang/Object;)Z") > 2.0 * weight("isFull", "()Z"));
        assert!(weight("remove", "()Ljava/lang/Object;") > 2.0 * weight("maxSize", "()I"));
    }
}
