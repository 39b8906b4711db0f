//! What recording costs while it goes on, and what has to go when that is too much. The rings say it themselves: how many words were
//! written since the last look, and of which events the last ones are. Nothing is counted where the program runs.

use crate::file::RecordingFile;
use recording::format::{self, EVENT, MAX_ID};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::time::Duration;

/// Of the program's processor time, recording may take this share.
const BAR: f64 = 0.02;
/// What is left once something was hushed, as a share of the bar: else the next look finds it too much again.
const REST: f64 = 0.25;
/// What a word costs, in nanoseconds: a program that wrote 84 million of them took 0.8 s longer.
const WORD: f64 = 10.0;
/// Less processor time than this between two looks says nothing.
const LEAST: Duration = Duration::from_millis(10);
/// Programs that start do what they will not do later; still, what is too much then is too much.
const EARLY: (usize, Duration) = (100, Duration::from_millis(20));
const LATER: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(crate) struct Watch {
    /// Words that were written into each ring until the last look.
    seen: Vec<u64>,
    cpu: Duration,
    looks: usize,
}

/// Events by the number of their method or place, with the words of them.
type Shares = BTreeMap<u32, f64>;

impl Watch {
    pub(crate) fn new() -> Watch {
        Watch { seen: Vec::new(), cpu: cpu(), looks: 0 }
    }

    /// How long to wait before the next look.
    pub(crate) fn pause(&self) -> Duration {
        if self.looks < EARLY.0 { EARLY.1 } else { LATER }
    }

    /// The numbers of events that have to go; none while recording is cheap enough.
    pub(crate) fn look(&mut self, file: &RecordingFile) -> Vec<u32> {
        self.looks += 1;
        let cpu = cpu();
        let spent = cpu.saturating_sub(self.cpu);
        if spent < LEAST {
            return Vec::new();
        }
        self.cpu = cpu;
        let new = self.new_words(file);
        let words: u64 = new.iter().map(|(_, count)| count).sum();
        let most = BAR * spent.as_secs_f64() * 1e9 / WORD;
        if words as f64 <= most {
            return Vec::new();
        }
        let mut shares = Shares::new();
        new.into_iter().for_each(|(ring, count)| share(file, ring, count, &mut shares));
        too_many(shares, most * REST)
    }

    /// The rings that were written since the last look, and how many words.
    fn new_words(&mut self, file: &RecordingFile) -> Vec<(usize, u64)> {
        let rings = file.layout().rings;
        self.seen.resize(rings, 0);
        let mut new = Vec::new();
        for ring in 0..rings {
            let written = file.copy(file.layout().ring_at(ring) + format::WRITTEN_AT, 8);
            let written = written.try_into().map_or(0, u64::from_le_bytes);
            let before = std::mem::replace(&mut self.seen[ring], written);
            // A ring that another thread has now begins again.
            let count = written.checked_sub(before).unwrap_or(written);
            if count > 0 {
                new.push((ring, count));
            }
        }
        new
    }
}

/// The processor time of the whole program.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Adds what the last words of the ring are, as if all the new ones were like them.
fn share(file: &RecordingFile, ring: usize, count: u64, shares: &mut Shares) {
    let bytes = file.copy(file.layout().ring_at(ring) + format::RING_HEADER, file.layout().ring - format::RING_HEADER);
    let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let known = words.len().min(usize::try_from(count).unwrap_or(usize::MAX));
    if known == 0 {
        return;
    }
    let each = count as f64 / known as f64;
    let mut number = None;
    // What is not full is zero behind the end, where no event begins.
    for word in words {
        if word & EVENT != 0 {
            number = Some(word & MAX_ID);
        }
        if word != 0
            && let Some(number) = number
        {
            *shares.entry(number).or_default() += each;
        }
    }
}

/// The most frequent ones, until the others are no more than so many words.
fn too_many(shares: Shares, most: f64) -> Vec<u32> {
    let mut all: Vec<(u32, f64)> = shares.into_iter().collect();
    all.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let mut left: f64 = all.iter().map(|(_, words)| words).sum();
    let gone = all.into_iter().take_while(|(_, words)| {
        let is_too_much = left > most;
        left -= words;
        is_too_much
    });
    gone.map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_go_until_the_rest_is_cheap() {
        let shares = Shares::from([(1, 5.0), (2, 900.0), (3, 80.0), (4, 10.0)]);
        assert_eq!(too_many(shares.clone(), 100.0), [2]);
        assert_eq!(too_many(shares.clone(), 20.0), [2, 3]);
        assert_eq!(too_many(shares, 2000.0), Vec::<u32>::new());
    }
}
