//! Random choices. All randomness of this crate comes from the [`Rng`] that the caller passes in, so the same seed gives
//! the same recipes; [`Weighted`] keeps its items in the order in which they were added, for the same reason.

pub use fastrand::Rng;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Choices that the search needs on top of what [`Rng`] has.
pub trait Choose {
    /// True with this probability.
    fn chance(&mut self, probability: f64) -> bool;

    /// One of the items, each as likely.
    fn one<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T>;

    /// An index, as likely as its weight says; `None` if no weight is positive.
    fn index_by_weight(&mut self, weights: impl Iterator<Item = f64> + Clone) -> Option<usize>;

    /// An index, as likely as its weight times its factor says, where factors are from 0 to 1 and cost more to ask for than
    /// weights: only those of indices that come up are asked for, as long as most of them are accepted.
    fn index_by_weight_and_factor(
        &mut self,
        weights: impl Iterator<Item = f64> + Clone,
        factor: impl Fn(usize) -> f64,
    ) -> Option<usize>;

    /// A small count: 0 half of the time, 1 a quarter, and so on up to `max`.
    fn small(&mut self, max: usize) -> usize;
}

/// Indices that may be refused before all factors are asked for.
const REFUSALS: usize = 6;

impl Choose for Rng {
    fn chance(&mut self, probability: f64) -> bool {
        self.f64() < probability
    }

    fn one<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.usize(..items.len())]) }
    }

    fn index_by_weight(&mut self, weights: impl Iterator<Item = f64> + Clone) -> Option<usize> {
        let total: f64 = weights.clone().filter(|w| *w > 0.0).sum();
        if total <= 0.0 {
            return None;
        }
        let mut left = self.f64() * total;
        let mut last = None;
        for (index, weight) in weights.enumerate().filter(|(_, w)| *w > 0.0) {
            last = Some(index);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    fn index_by_weight_and_factor(
        &mut self,
        weights: impl Iterator<Item = f64> + Clone,
        factor: impl Fn(usize) -> f64,
    ) -> Option<usize> {
        for _ in 0..REFUSALS {
            let index = self.index_by_weight(weights.clone())?;
            if self.chance(factor(index)) {
                return Some(index);
            }
        }
        let all: Vec<f64> = weights.enumerate().map(|(index, weight)| weight * factor(index)).collect();
        self.index_by_weight(all.into_iter())
    }

    fn small(&mut self, max: usize) -> usize {
        let mut count = 0;
        while count < max && self.bool() {
            count += 1;
        }
        count
    }
}

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

    pub fn choose(&self, rng: &mut Rng) -> Option<&T> {
        let total = *self.sums.last()?;
        if total == 0 {
            return None;
        }
        let ticket = rng.u64(..total);
        self.items.get(self.sums.partition_point(|sum| *sum <= ticket))
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_decide_and_add_up() {
        let mut letters = Weighted::default();
        letters.add('a', 1);
        letters.add('b', 0);
        letters.add('c', 2);
        letters.add('c', 7);
        let mut rng = Rng::with_seed(7);
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            let chosen = *letters.choose(&mut rng).unwrap();
            counts[letters.items().iter().position(|l| *l == chosen).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((700..1300).contains(&counts[0]), "one in ten expected: {counts:?}");
    }

    #[test]
    fn factors_count_like_weights() {
        let (weights, factors) = ([1.0, 2.0, 4.0, 8.0], [1.0, 0.5, 0.0, 0.05]);
        let mut rng = Rng::with_seed(7);
        let mut counts = [0.0; 4];
        for _ in 0..10_000 {
            let index = rng.index_by_weight_and_factor(weights.into_iter(), |index| factors[index]).unwrap();
            counts[index] += 1.0;
        }
        let shares = counts.map(|count: f64| (count / 10_000.0 * 240.0).round() / 100.0);
        assert_eq!(shares.map(|share| (share * 10.0).round() / 10.0), [1.0, 1.0, 0.0, 0.4]);
        assert_eq!(rng.index_by_weight_and_factor([3.0, 1.0].into_iter(), |_| 0.0), None);
    }

    #[test]
    fn index_by_weight_ignores_what_is_not_positive() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..100 {
            assert_eq!(rng.index_by_weight([0.0, -1.0, 0.5, 0.0].into_iter()), Some(2));
        }
        assert_eq!(rng.index_by_weight([0.0, -1.0].into_iter()), None);
        assert_eq!(rng.index_by_weight(std::iter::empty()), None);
    }
}
