//! Which numbers are constants of the code of the method where they are recorded: these are recorded as they are, others by sign and
//! magnitude. A table of hashes, which this library adds to and `ReenactRecorder.isConstant` looks into.

use std::sync::atomic::{AtomicU64, Ordering};

/// A power of two; no more than half of them are used.
const PLACES: usize = 1 << 15;
/// As in `ReenactRecorder`.
const PROBES: usize = 64;

#[derive(Debug)]
pub(crate) struct Constants {
    /// Zero is nothing. Lives as long as the process, since Java code may look into it at any time.
    places: &'static [AtomicU64],
    used: usize,
}

impl Constants {
    pub(crate) fn new() -> Constants {
        Constants { places: Vec::leak((0..PLACES).map(|_| AtomicU64::new(0)).collect()), used: 0 }
    }

    pub(crate) fn places(&self) -> &'static [AtomicU64] {
        self.places
    }

    /// What finds no room is recorded by its magnitude.
    pub(crate) fn add(&mut self, id: usize, value: i64) {
        let hash = hash(id as u64, value);
        for probe in 0..PROBES {
            let place = &self.places[(hash as usize).wrapping_add(probe) & (PLACES - 1)];
            let there = place.load(Ordering::Relaxed);
            if there == hash || self.used >= PLACES / 2 {
                return;
            }
            if there == 0 {
                place.store(hash, Ordering::Relaxed);
                self.used += 1;
                return;
            }
        }
    }
}

fn hash(id: u64, value: i64) -> u64 {
    let mixed = value.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(id);
    let mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_half_of_it_is_used() {
        let mut constants = Constants::new();
        (0..PLACES).for_each(|id| constants.add(id, 7));
        let used = constants.places().iter().filter(|place| place.load(Ordering::Relaxed) != 0).count();
        assert_eq!(used, PLACES / 2);
    }
}
