//! What is to be made of which condition, and in which order.
//!
//! Every frame gets its turn early: the best condition of each frame with little effort and little access first, outer frames before inner
//! ones, then the next best and more access, and at last everything at length. What the JVM shows takes away what is no longer worth
//! anything: conditions of frames within one that is reproduced as a whole.

use crate::compose::Search;
use crate::precondition::Precondition;
use program::MethodRef;
use smt::Term;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Something to be made of a condition.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) precondition: Precondition,
    /// Its place among those of its frame.
    pub(crate) rank: usize,
    /// How much access to the program the test has: what its package has, or what reflection gives.
    pub(crate) level: usize,
    /// How often it had its turn.
    pub(crate) round: usize,
    /// How often this turn was interrupted.
    pub(crate) pauses: usize,
    /// As far as it came.
    pub(crate) search: Option<Search>,
}

/// Steps that one condition is worked on in one turn: about a second.
pub(crate) const STEPS: u64 = 100_000;
/// Turns that one condition has.
pub(crate) const MOST_ROUNDS: usize = 10;
/// How often a turn goes on after an interruption.
const MOST_PAUSES: usize = 2;
/// Conditions of one frame that candidates are made of.
const MOST_COMPOSED: usize = 6;
/// How many conditions of the frame are tried without reflection before this one is with it: such a test says little, but more than none.
const LATER: [usize; 2] = [0, 2];
/// The whole round with little effort comes first.
pub(crate) const AT_LENGTH: usize = MOST_COMPOSED + 3;

/// Turns up to this one take little time.
pub(crate) const EASY: usize = 1;

/// When an item has its turn: those with the same number go from the outermost frame inwards, then by the order in which they came.
pub(crate) type Turn = (usize, Reverse<u32>, usize, usize);

#[derive(Debug, Default)]
pub(crate) struct Agenda {
    items: BTreeMap<Turn, Item>,
    /// Conditions that are or were on it, by frame.
    known: BTreeMap<u32, Vec<Vec<Term>>>,
    /// Frames that were reproduced up to here as a whole, with the access that it took; the outermost.
    solved: Option<(u32, usize)>,
}

impl Agenda {
    /// The conditions of one frame, the best first, from this turn on. Those that are known already change nothing.
    pub(crate) fn add(&mut self, found: &[Precondition], from: usize) {
        let known = found.first().map(|one| self.known.entry(one.frame).or_default());
        let Some(known) = known else { return };
        let new: Vec<&Precondition> = found.iter().filter(|one| !known.contains(&one.formula)).collect();
        let before = known.len();
        known.extend(new.iter().map(|one| one.formula.clone()));
        for (rank, precondition) in new.into_iter().enumerate().take(MOST_COMPOSED) {
            for (level, later) in LATER.into_iter().enumerate() {
                let turn = (from + rank + later, Reverse(precondition.frame), level, before + rank);
                let item = Item { precondition: precondition.clone(), rank, level, round: 0, pauses: 0, search: None };
                self.items.insert(turn, item);
            }
        }
    }

    /// More is known of these methods: what goes through them begins anew, and at once what it was learnt from.
    pub(crate) fn again(&mut self, precondition: &Precondition, level: usize, methods: &BTreeSet<MethodRef>) {
        for item in self.items.values_mut() {
            item.search = item.search.take().filter(|search| !search.goes_through(methods));
        }
        let is_it = |item: &Item| item.level == level && item.precondition.formula == precondition.formula;
        self.items.retain(|_, item| !is_it(item));
        if self.is_wanted(precondition.frame, level) {
            let of_frame = self.known.entry(precondition.frame).or_default();
            let place = of_frame.iter().position(|known| *known == precondition.formula).unwrap_or(of_frame.len());
            let item = Item { precondition: precondition.clone(), rank: 0, level, round: 0, pauses: 0, search: None };
            self.items.insert((0, Reverse(precondition.frame), level, place), item);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The turn of what is next.
    pub(crate) fn turn(&self) -> Option<usize> {
        self.items.first_key_value().map(|((turn, ..), _)| *turn)
    }

    pub(crate) fn next(&mut self) -> Option<(Turn, Item)> {
        self.items.pop_first()
    }

    /// Puts back what is not finished: it has another turn in the next round; where others did not want to wait, it goes on first.
    pub(crate) fn put_back(&mut self, (turn, frame, level, place): Turn, mut item: Item, is_paused: bool) {
        let goes_on = is_paused && item.pauses < MOST_PAUSES;
        item.pauses = if goes_on { item.pauses + 1 } else { 0 };
        item.round += usize::from(!goes_on);
        if item.round < MOST_ROUNDS && self.is_wanted(item.precondition.frame, item.level) {
            let later = if goes_on { 0 } else { AT_LENGTH };
            self.items.insert((turn + later, frame, level, place), item);
        }
    }

    /// The crash was seen with all frames up to this one; `level` is the access that it took, none if there is nothing about the test to be
    /// improved.
    pub(crate) fn solve(&mut self, frame: u32, level: Option<usize>) {
        let below = level.unwrap_or(0);
        if self.solved.is_none_or(|(known, access)| (frame, Reverse(below)) > (known, Reverse(access))) {
            self.solved = Some((frame, below));
        }
        let Some((frame, below)) = self.solved else { return };
        self.items.retain(|_, item| is_wanted(item.precondition.frame, item.level, (frame, below)));
    }

    /// Whether a test that enters here, with this access, may still be better than what there is.
    pub(crate) fn is_wanted(&self, frame: u32, level: usize) -> bool {
        self.solved.is_none_or(|solved| is_wanted(frame, level, solved))
    }
}

fn is_wanted(frame: u32, level: usize, (solved, below): (u32, usize)) -> bool {
    frame > solved || (frame == solved && level < below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::Methods;
    use program::{Cache, ClassPath, Jdk, MethodRef, Program};
    use std::sync::Arc;
    use symbolic::{Marks, World};

    /// So many conditions of each frame, told apart by a number.
    fn conditions(frame: u32, count: i32) -> Vec<Precondition> {
        let jdk = Jdk::find(None).unwrap();
        let empty = tempfile::tempdir().unwrap();
        let class_path = ClassPath::parse([empty.path()]).unwrap();
        let program = Program::open(&class_path, jdk, &Cache::none()).unwrap().0;
        let world = World::new(Arc::new(Methods::new(Arc::new(program))));
        let method = world.methods.get(MethodRef::new("java/lang/Object", "toString", "()Ljava/lang/String;")).unwrap();
        let of = |number| {
            let unknown = world.unknown(ir::Kind::Int);
            vec![world.terms.eq(unknown, world.terms.i32(number))]
        };
        let condition = |number| {
            let marks = Marks::default();
            Precondition { frame, method: method.clone(), formula: of(number), marks }
        };
        (0..count).map(condition).collect()
    }

    fn order(agenda: &mut Agenda) -> Vec<(u32, usize, usize)> {
        let next = || agenda.next().map(|(_, item)| (item.precondition.frame, item.rank, item.level));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn the_best_of_each_frame_comes_first_from_the_outermost_inwards_and_reflection_later() {
        let mut agenda = Agenda::default();
        agenda.add(&conditions(1, 2), 0);
        agenda.add(&conditions(2, 1), 0);
        assert_eq!(order(&mut agenda), [(2, 0, 0), (1, 0, 0), (1, 1, 0), (2, 0, 1), (1, 0, 1), (1, 1, 1)]);
    }

    #[test]
    fn what_is_known_already_is_not_tried_again() {
        let mut agenda = Agenda::default();
        let found = conditions(1, 2);
        agenda.add(&found[..1], 0);
        agenda.add(&found, 0);
        assert_eq!(order(&mut agenda).len(), 4);
    }

    #[test]
    fn what_is_reproduced_is_not_tried_again_but_for_a_better_test() {
        let (inner, outer) = (conditions(1, 1), conditions(2, 1));
        let solved = |below: Option<usize>| {
            let mut agenda = Agenda::default();
            agenda.add(&inner, 0);
            agenda.add(&outer, 0);
            agenda.solve(1, below);
            order(&mut agenda)
        };
        assert_eq!(solved(None), [(2, 0, 0), (2, 0, 1)]);
        assert_eq!(solved(Some(1)), [(2, 0, 0), (1, 0, 0), (2, 0, 1)]);
    }

    #[test]
    fn an_interrupted_turn_goes_on_and_then_others_have_theirs() {
        let mut agenda = Agenda::default();
        agenda.add(&conditions(1, 1), 0);
        let mut turns = Vec::new();
        while turns.len() < 5
            && let Some((turn, item)) = agenda.next()
        {
            turns.push((item.level, item.round));
            agenda.put_back(turn, item, true);
        }
        assert_eq!(turns, [(0, 0), (0, 0), (0, 0), (1, 0), (1, 0)]);
    }
}
