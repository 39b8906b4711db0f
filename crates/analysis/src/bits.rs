//! A set of small numbers.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set, for numbers below `count`.
    pub(crate) fn new(count: usize) -> Self {
        Bits(vec![0; count.div_ceil(64)])
    }

    /// Whether the number was not there before.
    pub(crate) fn insert(&mut self, bit: usize) -> bool {
        let word = &mut self.0[bit / 64];
        let before = *word;
        *word |= 1 << (bit % 64);
        *word != before
    }

    pub(crate) fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }

    /// Whether anything was added.
    pub(crate) fn union(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            changed |= !*word & other != 0;
            *word |= other;
        }
        changed
    }

    pub(crate) fn remove_all(&mut self, other: &Bits) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }
}
