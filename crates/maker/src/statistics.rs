//! What the run has taught: which members returned and which threw. Weights of ways are multiplied with it, so that a
//! constructor that always throws is soon tried rarely, but never given up.
//!
//! Learns from observations of whole recipes; one statistics belongs to one search, which keeps the order of learning.

use policy::Statistics;
use program::{ClassName, FieldRef, MethodRef};
use recipe::{Action, End, Limit, Recipe};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, Default)]
pub struct MemberStatistics {
    policy: Statistics,
    members: FxHashMap<Member, Record>,
}

/// What a statement relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Member {
    Method(MethodRef),
    Field(FieldRef),
    Callback(ClassName),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub returned: u32,
    pub threw: u32,
    /// Candidates with it that cost a VM, or as much time: they hung, ran out of steps or memory, or killed it. Which of
    /// their members was to blame is not known, but those that mostly return are not.
    pub costly: u32,
    /// It failed to link or to initialise, which it will always do, at the price of a VM.
    pub dead: bool,
}

impl Record {
    /// Whether it mostly costs a VM.
    fn is_costly(self, policy: &Statistics) -> bool {
        self.costly >= policy.suspect && self.costly > self.returned + self.threw
    }
}

impl MemberStatistics {
    /// Takes note of what each top-level statement did.
    pub fn learn(&mut self, recipe: &Recipe, end: &End) {
        let (ran, failed) = match end {
            End::Completed => (recipe.body.stmts.len(), None),
            End::Threw { stmt, .. } => (*stmt as usize, Some(*stmt as usize)),
            End::Stopped(Limit::Time | Limit::Threads | Limit::Steps) | End::OutOfMemory | End::VmDied { .. } => {
                return self.suspect(recipe);
            }
            // Which statement it was is not known; blaming all would be wrong more often than right.
            End::Stopped(_) | End::Exited { .. } | End::Unlinkable { .. } => return,
        };
        for (index, stmt) in recipe.body.stmts.iter().enumerate() {
            let Some(member) = Member::of(&stmt.action) else { continue };
            if index < ran {
                self.members.entry(member).or_default().returned += 1;
            } else if Some(index) == failed {
                let record = self.members.entry(member).or_default();
                record.threw += 1;
                record.dead |= end.is_linkage_failure();
            }
        }
    }

    fn suspect(&mut self, recipe: &Recipe) {
        let mut members: Vec<Member> = recipe.body.stmts.iter().filter_map(|stmt| Member::of(&stmt.action)).collect();
        members.sort_unstable();
        members.dedup();
        members.into_iter().for_each(|member| self.members.entry(member).or_default().costly += 1);
    }

    /// Takes back what was held against members of candidates that cost too much: the limits are wider now.
    pub fn forgive(&mut self) {
        self.members.values_mut().for_each(|record| record.costly = 0);
    }

    /// Whether the recipe relies on something that has failed to link or to initialise, or that mostly costs a VM. The last
    /// statement is what the candidate is about: it may cost what it will.
    pub fn is_dead(&self, recipe: &Recipe) -> bool {
        let members = recipe.body.stmts.iter().map(|stmt| Member::of(&stmt.action));
        let records = members.map(|member| member.map_or_else(Record::default, |member| self.record(member)));
        let last = recipe.body.stmts.len().saturating_sub(1);
        records.enumerate().any(|(at, record)| record.dead || (record.is_costly(&self.policy) && at != last))
    }

    pub fn record(&self, member: Member) -> Record {
        self.members.get(&member).copied().unwrap_or_default()
    }

    /// By how much the weight of a way over this member changes: 1 if nothing is known, and never nothing.
    pub fn factor(&self, member: Member) -> f64 {
        let record = self.record(member);
        if record.dead {
            return self.policy.dead;
        }
        let (returned, threw) = (f64::from(record.returned), f64::from(record.threw + record.costly));
        let Statistics { granted, least, .. } = self.policy;
        ((returned + granted) / (returned + threw + granted)).max(least)
    }
}

impl Member {
    pub fn of(action: &Action) -> Option<Member> {
        match action {
            Action::New { constructor, .. } => Some(Member::Method(*constructor)),
            Action::Call { method, .. } => Some(Member::Method(*method)),
            Action::GetField { field, .. } => Some(Member::Field(*field)),
            Action::Callback(callback) => Some(Member::Callback(match &callback.form {
                recipe::CallbackForm::Lambda { interface } | recipe::CallbackForm::Interface { interface } => {
                    *interface
                }
                recipe::CallbackForm::Subclass { constructor, .. } => constructor.class,
            })),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use objects::Draft;
    use program::Type;
    use recipe::{Access, Thrown};

    fn new(class: &str) -> Action {
        Action::New { constructor: MethodRef::new(class, "<init>", "()V"), args: Vec::new(), access: Access::Public }
    }

    #[test]
    fn statements_after_the_throwing_one_teach_nothing() {
        let mut draft = Draft::new();
        for class in ["A", "B", "C"] {
            draft.define(new(class), Type::class(class));
        }
        let recipe = draft.finish();
        let thrown = Thrown { class: ClassName::internal("X"), message: None, stack: Vec::new(), cause: None };
        let mut statistics = MemberStatistics::default();
        for _ in 0..100 {
            statistics.learn(&recipe, &End::Threw { stmt: 1, thrown: thrown.clone() });
        }
        let factor = |class| statistics.factor(Member::Method(MethodRef::new(class, "<init>", "()V")));
        assert_eq!(factor("A"), 1.0);
        assert_eq!(factor("B"), 0.05);
        assert_eq!(factor("C"), 1.0);
    }

    #[test]
    fn what_hangs_is_told_from_what_is_used_with_it() {
        let recipe = |classes: &[&str]| {
            let mut draft = Draft::new();
            classes.iter().for_each(|class| drop(draft.define(new(class), Type::class(class))));
            draft.finish()
        };
        let mut statistics = MemberStatistics::default();
        for _ in 0..3 {
            statistics.learn(&recipe(&["A", "B"]), &End::Completed);
            statistics.learn(&recipe(&["A", "Hangs", "B"]), &End::Stopped(Limit::Time));
        }
        assert!(statistics.is_dead(&recipe(&["A", "Hangs", "B"])));
        assert!(!statistics.is_dead(&recipe(&["A", "B"])));
        assert!(!statistics.is_dead(&recipe(&["A", "Hangs"])), "what the candidate is about");
    }
}
