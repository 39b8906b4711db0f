//! A table of answers that are computed once, shared by all threads.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

#[derive(Debug)]
pub(crate) struct Memo<K, V>(RwLock<FxHashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(RwLock::default())
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// The known answer, or a new one. Computing may ask this memo again, since no lock is held meanwhile; two threads may
    /// compute the same answer, and the first one stays.
    pub(crate) fn get_or(&self, key: K, compute: impl FnOnce() -> V) -> V {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let value = compute();
        self.0.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(value).clone()
    }

    pub(crate) fn forget(&self) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
