//! All methods of a program in lowered form: one store for whoever asks what bytecode does, shared by all threads and filled
//! when it is asked. What is computed depends on the program alone, never on who asked first.

use crate::calls::{Limits, Targets};
use crate::effects::{Effects, OwnEffects};
use crate::lowered::Lowered;
use crate::receiver::OwnPart;
use program::{ClassName, FieldRef, MethodRef, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

/// The methods of a program.
#[derive(Debug)]
pub struct Methods {
    program: Arc<Program>,
    lowered: Table<MethodRef, Option<Arc<Lowered>>>,
    pub(crate) own: Table<MethodRef, Option<Arc<OwnEffects>>>,
    pub(crate) effects: Table<MethodRef, Arc<Effects>>,
    pub(crate) altering: Table<MethodRef, bool>,
    pub(crate) own_parts: Table<MethodRef, Arc<OwnPart>>,
    pub(crate) targets: Table<(MethodRef, &'static str, bool, Limits), Arc<Targets>>,
    below: Table<ClassName, Arc<[ClassName]>>,
    pub(crate) held: Table<(FieldRef, u8), Option<Arc<BTreeSet<ClassName>>>>,
}

impl Methods {
    pub fn new(program: Arc<Program>) -> Self {
        Methods {
            program,
            lowered: Table::default(),
            own: Table::default(),
            effects: Table::default(),
            altering: Table::default(),
            own_parts: Table::default(),
            targets: Table::default(),
            below: Table::default(),
            held: Table::default(),
        }
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The method declared with exactly this class, name and descriptor; `None` if it has no code that can be lowered.
    pub fn get(&self, method: MethodRef) -> Option<Arc<Lowered>> {
        self.lowered.get_or(method, || self.lower(method))
    }

    /// The same without keeping it: for those who look at very many methods, each once, and remember what they learnt.
    pub fn look_at(&self, method: MethodRef) -> Option<Arc<Lowered>> {
        self.lowered.known(&method).unwrap_or_else(|| self.lower(method))
    }

    fn lower(&self, method: MethodRef) -> Option<Arc<Lowered>> {
        let found = self.program.declared_method(method)?;
        let body = ir::lower(&found).ok()?;
        Some(Arc::new(Lowered::new(found, body)))
    }

    /// All classes and interfaces below this one, sorted.
    pub(crate) fn below(&self, class: ClassName) -> Arc<[ClassName]> {
        self.below.get_or(class, || self.program.subtypes(class).into())
    }

    /// The method that a name stands for, which may be declared above the class that is named.
    pub fn resolve(&self, named: MethodRef) -> Option<Arc<Lowered>> {
        let found = self.program.resolve_method(named).found()?;
        self.get(found.reference())
    }
}

/// Answers that are worth keeping. Two threads may compute the same one; the first stays, so that all share it.
#[derive(Debug)]
pub(crate) struct Table<K, V>(RwLock<FxHashMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(RwLock::default())
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Table<K, V> {
    pub(crate) fn known(&self, key: &K) -> Option<V> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub(crate) fn get_or(&self, key: K, compute: impl FnOnce() -> V) -> V {
        if let Some(known) = self.known(&key) {
            return known;
        }
        // Not under the lock: the answer may need others.
        let value = compute();
        self.0.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(value).clone()
    }
}
