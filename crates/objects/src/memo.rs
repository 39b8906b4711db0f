//! A table of answers that are computed once, shared by all threads.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

#[derive(Debug)]
pub(crate) struct Memo<K, V>(RwLock<Known<K, V>>);

#[derive(Debug)]
struct Known<K, V> {
    answers: FxHashMap<K, V>,
    /// How often they were forgotten.
    times: u32,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(RwLock::new(Known { answers: FxHashMap::default(), times: 0 }))
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// The known answer, or a new one. Computing may ask this memo again, since no lock is held meanwhile; two threads may
    /// compute the same answer, and the first one stays.
    pub(crate) fn get_or(&self, key: K, compute: impl FnOnce() -> V) -> V {
        let times = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(answer) = known.answers.get(&key) {
                return answer.clone();
            }
            known.times
        };
        let value = compute();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // What was begun before all was forgotten is an answer of yesterday: nobody else is to get it.
        if known.times != times {
            return value;
        }
        known.answers.entry(key).or_insert(value).clone()
    }

    /// The answer, if it was computed already.
    pub(crate) fn known(&self, key: &K) -> Option<V> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).answers.get(key).cloned()
    }

    pub(crate) fn forget(&self) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.answers.clear();
        known.times = known.times.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn what_was_begun_before_all_was_forgotten_is_not_kept() {
        let memo: Memo<u8, &str> = Memo::default();
        let begun = memo.get_or(1, || {
            memo.forget();
            "old"
        });
        assert_eq!((begun, memo.get_or(1, || "new"), memo.get_or(1, || "newer")), ("old", "new", "new"));
    }
}
