//! Items with weights, in the order in which they were added: what is worth trying, and how much more than other things.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Items with weights; adding an item again adds to its weight.
#[derive(Clone, Debug)]
pub struct Weighted<T> {
    items: Vec<T>,
    /// Sums of the weights up to and including each item.
    sums: Vec<u64>,
    places: FxHashMap<T, usize>,
}

impl<T> Default for Weighted<T> {
    fn default() -> Self {
        Weighted { items: Vec::new(), sums: Vec::new(), places: FxHashMap::default() }
    }
}

impl<T: Hash + Eq + Clone> Weighted<T> {
    pub fn add(&mut self, item: T, weight: u32) {
        let weight = u64::from(weight);
        if let Some(place) = self.places.get(&item) {
            self.sums[*place..].iter_mut().for_each(|sum| *sum += weight);
            return;
        }
        let before = self.sums.last().copied().unwrap_or(0);
        self.places.insert(item.clone(), self.items.len());
        self.items.push(item);
        self.sums.push(before + weight);
    }

    pub fn contains(&self, item: &T) -> bool {
        self.places.contains_key(item)
    }

    /// In the order of their first addition.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item whose share of all weights the ticket falls into; tickets go up to [`total`](Self::total).
    pub fn at(&self, ticket: u64) -> Option<&T> {
        self.items.get(self.sums.partition_point(|sum| *sum <= ticket))
    }

    /// All weights together.
    pub fn total(&self) -> u64 {
        self.sums.last().copied().unwrap_or(0)
    }

    /// The items with their weights, in the order of their first addition.
    pub fn iter(&self) -> impl Iterator<Item = (&T, u64)> {
        let before = std::iter::once(0).chain(self.sums.iter().copied());
        self.items.iter().zip(before.zip(&self.sums).map(|(before, sum)| sum - before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_and_tickets_fall_into_their_shares() {
        let mut letters = Weighted::default();
        letters.add('a', 1);
        letters.add('b', 0);
        letters.add('c', 2);
        letters.add('c', 7);
        assert_eq!(letters.iter().collect::<Vec<_>>(), [(&'a', 1), (&'b', 0), (&'c', 9)]);
        assert_eq!(letters.total(), 10);
        let drawn: Vec<char> = (0..10).filter_map(|ticket| letters.at(ticket)).copied().collect();
        assert_eq!(drawn, ['a', 'c', 'c', 'c', 'c', 'c', 'c', 'c', 'c', 'c']);
        assert_eq!(letters.at(10), None);
    }
}
