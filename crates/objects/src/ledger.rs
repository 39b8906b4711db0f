//! What the run has taught: which members returned and which threw. Weights of ways are multiplied with it, so that a
//! constructor that always throws is soon tried rarely, but never given up.
//!
//! Learns from observations of whole recipes; one ledger belongs to one search, which keeps the order of learning.

use program::{ClassName, FieldRef, MethodRef};
use recipe::{Action, End, Recipe};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    members: FxHashMap<Member, Record>,
}

/// What a statement relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    Method(MethodRef),
    Field(FieldRef),
    Callback(ClassName),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub returned: u32,
    pub threw: u32,
    /// It failed to link or to initialise, which it will always do, at the price of a VM.
    pub dead: bool,
}

impl Ledger {
    /// Takes note of what each top-level statement did.
    pub fn learn(&mut self, recipe: &Recipe, end: &End) {
        let (ran, failed) = match end {
            End::Completed => (recipe.body.stmts.len(), None),
            End::Threw { stmt, .. } => (*stmt as usize, Some(*stmt as usize)),
            // Which statement it was is not known; blaming all would be wrong more often than right.
            End::Stopped(_) | End::Exited { .. } | End::OutOfMemory | End::VmDied { .. } | End::Unlinkable { .. } => {
                return;
            }
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

    /// Whether the recipe relies on something that has failed to link or to initialise.
    pub fn is_dead(&self, recipe: &Recipe) -> bool {
        let members = recipe.body.stmts.iter().filter_map(|stmt| Member::of(&stmt.action));
        members.into_iter().any(|member| self.record(member).dead)
    }

    pub fn record(&self, member: Member) -> Record {
        self.members.get(&member).copied().unwrap_or_default()
    }

    /// By how much the weight of a way over this member changes: 1 if nothing is known, at least a twentieth.
    pub fn factor(&self, member: Member) -> f64 {
        let record = self.record(member);
        if record.dead {
            return DEAD;
        }
        let (returned, threw) = (f64::from(record.returned), f64::from(record.threw));
        // Two successes are taken for granted, so that one bad argument does not condemn a constructor.
        ((returned + 2.0) / (returned + threw + 2.0)).max(0.05)
    }
}

/// Hardly ever, but not never: what failed may have been another class.
const DEAD: f64 = 0.0005;

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
    use crate::Draft;
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
        let mut ledger = Ledger::default();
        for _ in 0..100 {
            ledger.learn(&recipe, &End::Threw { stmt: 1, thrown: thrown.clone() });
        }
        let factor = |class| ledger.factor(Member::Method(MethodRef::new(class, "<init>", "()V")));
        assert_eq!(factor("A"), 1.0);
        assert_eq!(factor("B"), 0.05);
        assert_eq!(factor("C"), 1.0);
    }
}
