//! Random choices. All randomness comes from one seeded [`Rng`] that is handed down, so the same seed gives the same recipes. It carries
//! the [`Policy`] by which its dice fall.

use objects::Weighted;
use policy::Policy;
use std::hash::Hash;
use std::ops::{Deref, DerefMut};

/// A generator of random numbers, with the policy of whoever draws them.
#[derive(Clone, Debug)]
pub struct Rng {
    numbers: fastrand::Rng,
    policy: &'static Policy,
}

impl Rng {
    pub fn with_seed(seed: u64) -> Rng {
        Rng::with_policy(seed, Policy::standard())
    }

    pub fn with_policy(seed: u64, policy: &'static Policy) -> Rng {
        Rng { numbers: fastrand::Rng::with_seed(seed), policy }
    }

    pub fn policy(&self) -> &'static Policy {
        self.policy
    }
}

impl Deref for Rng {
    type Target = fastrand::Rng;

    fn deref(&self) -> &fastrand::Rng {
        &self.numbers
    }
}

impl DerefMut for Rng {
    fn deref_mut(&mut self) -> &mut fastrand::Rng {
        &mut self.numbers
    }
}

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

    /// The place of an alternative, as likely as its weight says; the last one if all weights are 0.
    fn pick<const N: usize>(&mut self, weights: &[u32; N]) -> usize;

    /// The same as from a list in which each place stands as often as its weight says.
    fn listed<const N: usize>(&mut self, weights: &[u32; N]) -> usize;

    /// One of the items, as likely as its weight says.
    fn weighted<'a, T: Hash + Eq + Clone>(&mut self, items: &'a Weighted<T>) -> Option<&'a T>;

    /// A small count: 0 half of the time, 1 a quarter, and so on up to `max`.
    fn small(&mut self, max: usize) -> usize;
}

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
        for _ in 0..self.policy.statistics.refusals {
            let index = self.index_by_weight(weights.clone())?;
            if self.chance(factor(index)) {
                return Some(index);
            }
        }
        let all: Vec<f64> = weights.enumerate().map(|(index, weight)| weight * factor(index)).collect();
        self.index_by_weight(all.into_iter())
    }

    fn pick<const N: usize>(&mut self, weights: &[u32; N]) -> usize {
        match weights.iter().sum() {
            0 => N.saturating_sub(1),
            total => place_of(weights, self.u32(..total)),
        }
    }

    fn listed<const N: usize>(&mut self, weights: &[u32; N]) -> usize {
        match weights.iter().map(|weight| *weight as usize).sum() {
            0 => N.saturating_sub(1),
            total => place_of(weights, self.usize(..total) as u32),
        }
    }

    fn weighted<'a, T: Hash + Eq + Clone>(&mut self, items: &'a Weighted<T>) -> Option<&'a T> {
        match items.total() {
            0 => None,
            total => items.at(self.u64(..total)),
        }
    }

    fn small(&mut self, max: usize) -> usize {
        let mut count = 0;
        while count < max && self.bool() {
            count += 1;
        }
        count
    }
}

/// The first place up to which the weights are more than the ticket.
fn place_of(weights: &[u32], ticket: u32) -> usize {
    let mut sum = 0;
    let falls = |weight: &u32| {
        sum += weight;
        ticket < sum
    };
    weights.iter().position(falls).unwrap_or(weights.len().saturating_sub(1))
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
            let chosen = *rng.weighted(&letters).unwrap();
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

    #[test]
    fn alternatives_come_as_often_as_their_weights_say() {
        let mut rng = Rng::with_seed(7);
        for draw in [|rng: &mut Rng| rng.pick(&[1, 0, 3]), |rng: &mut Rng| rng.listed(&[1, 0, 3])] {
            let mut counts = [0; 3];
            (0..4000).for_each(|_| counts[draw(&mut rng)] += 1);
            assert!((850..1150).contains(&counts[0]) && counts[1] == 0, "{counts:?}");
        }
        assert_eq!((rng.pick(&[0, 0]), rng.listed(&[0])), (1, 0));
    }
}
