//! Which kind of change is made to a candidate? Each has a share that fits most crashes; on an island where some kinds bring
//! children that are nearer to the crash than their parents, these are made more often.

use maker::{Choose, Rng};
use policy::Adaptation;

/// The kinds of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Value,
    Argument,
    Insert,
    Repeat,
    Delete,
    Move,
    Environment,
    Field,
    UserClass,
    Comparand,
    Chain,
    Statement,
    Relate,
}

impl Change {
    pub(crate) const ALL: [Change; 13] = [
        Change::Value,
        Change::Argument,
        Change::Insert,
        Change::Repeat,
        Change::Delete,
        Change::Move,
        Change::Environment,
        Change::Field,
        Change::UserClass,
        Change::Comparand,
        Change::Chain,
        Change::Statement,
        Change::Relate,
    ];
}

/// The kinds of change by which a candidate was made from its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes(u16);

impl Changes {
    pub(crate) fn add(&mut self, change: Change) {
        self.0 |= 1 << change as u16;
    }

    fn has(self, change: Change) -> bool {
        self.0 & (1 << change as u16) != 0
    }
}

/// What the kinds of change were worth on one island, of late.
#[derive(Clone, Debug, Default)]
pub(crate) struct OperatorStatistics {
    policy: Adaptation,
    made: [f64; Change::ALL.len()],
    gained: [f64; Change::ALL.len()],
}

impl OperatorStatistics {
    /// A child was made by these changes, and was nearer to the crash than its parent or not.
    pub(crate) fn learn(&mut self, changes: Changes, is_nearer: bool) {
        for change in Change::ALL.into_iter().filter(|change| changes.has(*change)) {
            self.made[change as usize] += 1.0;
            self.gained[change as usize] += f64::from(u8::from(is_nearer));
        }
    }

    /// A generation is over.
    pub(crate) fn fade(&mut self) {
        self.made.iter_mut().chain(&mut self.gained).for_each(|number| *number *= self.policy.fading);
    }

    /// How many times as often as usual a change of this kind brings a child nearer.
    fn factor(&self, change: Change) -> f64 {
        let (made, gained): (f64, f64) = (self.made.iter().sum(), self.gained.iter().sum());
        if gained < 1.0 {
            return 1.0;
        }
        let usual = gained / made;
        let Adaptation { prior, most, least, .. } = self.policy;
        let index = change as usize;
        let rate = (self.gained[index] + prior * usual) / (self.made[index] + prior);
        (rate / usual).clamp(least, most)
    }

    /// One of the kinds by their shares, as experience has changed them.
    pub(crate) fn choose(&self, share: impl Fn(Change) -> f64, rng: &mut Rng) -> Option<Change> {
        let weights = Change::ALL.into_iter().map(|change| share(change) * self.factor(change));
        rng.index_by_weight(weights).map(|index| Change::ALL[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_by(change: Change) -> Changes {
        let mut changes = Changes::default();
        changes.add(change);
        changes
    }

    #[test]
    fn every_kind_has_its_place() {
        for (index, change) in Change::ALL.into_iter().enumerate() {
            assert_eq!(change as usize, index);
            assert!(Change::ALL.into_iter().all(|other| made_by(change).has(other) == (other == change)));
        }
    }

    #[test]
    fn what_helps_is_done_more_often_and_nothing_is_given_up() {
        let mut operator_statistics = OperatorStatistics::default();
        assert_eq!(operator_statistics.factor(Change::Repeat), 1.0);
        for child in 0..2000 {
            operator_statistics.learn(made_by(Change::Value), false);
            operator_statistics.learn(made_by(Change::Repeat), child % 20 == 0);
        }
        assert!(operator_statistics.factor(Change::Repeat) > 1.5);
        assert_eq!(operator_statistics.factor(Change::Value), Adaptation::STANDARD.least);
        assert_eq!(operator_statistics.factor(Change::Delete), 1.0);
    }

    #[test]
    fn experience_fades() {
        let mut operator_statistics = OperatorStatistics::default();
        (0..100).for_each(|_| operator_statistics.learn(made_by(Change::Insert), true));
        (0..100).for_each(|_| operator_statistics.learn(made_by(Change::Value), false));
        assert!(operator_statistics.factor(Change::Insert) > 1.1);
        (0..1000).for_each(|_| operator_statistics.fade());
        assert_eq!(operator_statistics.factor(Change::Insert), 1.0);
    }

    #[test]
    fn what_has_no_share_is_not_chosen() {
        let mut rng = Rng::with_seed(3);
        let only = |change: Change| if change == Change::Move { 1.0 } else { 0.0 };
        assert_eq!(OperatorStatistics::default().choose(only, &mut rng), Some(Change::Move));
    }
}
