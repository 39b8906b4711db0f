//! What the log tells is tried out call by call: where one throws, those before it are kept as a beginning, and other arguments are
//! found for it, until all of them work. Then the frame is entered.

use maker::{Choose, Rng};
use objects::AccessContext;
use program::MethodRef;
use recipe::{Arg, End, Recipe};

/// Where the statements end that repeat a line of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) line: usize,
    pub(crate) end: usize,
}

/// How a candidate repeats the log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rehearsal {
    /// The method that is entered in the end, and its object.
    pub(crate) method: MethodRef,
    pub(crate) receiver: Arg,
    pub(crate) told: Vec<Told>,
    /// The beginning that it went on with.
    pub(crate) went_on_with: Option<u32>,
}

/// Calls that worked.
#[derive(Clone, Debug)]
pub(crate) struct Beginning {
    number: u32,
    pub(crate) recipe: Recipe,
    pub(crate) from: AccessContext,
    pub(crate) rehearsal: Rehearsal,
    /// How often what was tried next did not work.
    pub(crate) failures: u32,
}

impl Beginning {
    /// The first line that is not repeated yet.
    pub(crate) fn next_line(&self) -> usize {
        self.rehearsal.told.last().map_or(0, |told| told.line + 1)
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    fn length(&self) -> usize {
        self.rehearsal.told.len()
    }
}

/// The beginnings of one population.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    beginnings: Vec<Beginning>,
    last: u32,
}

impl Stage {
    /// One to go on with; none to begin anew.
    pub(crate) fn choose(&self, from: AccessContext, rng: &mut Rng) -> Option<&Beginning> {
        let numbers = &rng.policy().start;
        let fitting: Vec<&Beginning> = self.beginnings.iter().filter(|known| known.from == from).collect();
        if fitting.is_empty() || rng.chance(numbers.begun_anew) {
            return None;
        }
        let furthest = fitting.iter().map(|known| known.length()).max()?;
        if rng.chance(numbers.furthest) {
            let best: Vec<&Beginning> = fitting.into_iter().filter(|known| known.length() == furthest).collect();
            return rng.one(&best).copied();
        }
        rng.one(&fitting).copied()
    }

    /// Keeps the calls that worked.
    pub(crate) fn learn(
        &mut self,
        rehearsal: &Rehearsal,
        recipe: &Recipe,
        from: AccessContext,
        end: &End,
        most: usize,
    ) {
        let worked = match end {
            End::Threw { stmt, .. } => *stmt as usize,
            End::Completed => recipe.body.stmts.len(),
            _ => return,
        };
        let told: Vec<Told> = rehearsal.told.iter().copied().take_while(|told| told.end <= worked).collect();
        let before = rehearsal.went_on_with.and_then(|number| self.position(number));
        let length_before = before.map_or(0, |at| self.beginnings[at].length());
        if told.len() <= length_before {
            if let Some(at) = before {
                self.beginnings[at].failures += 1;
            }
            return;
        }
        let Some(end) = told.last().map(|told| told.end) else { return };
        let mut recipe = recipe.clone();
        recipe.body.stmts.truncate(end);
        self.last += 1;
        let rehearsal = Rehearsal { told, ..rehearsal.clone() };
        self.keep(Beginning { number: self.last, recipe, from, rehearsal, failures: 0 }, most);
    }

    /// In the place of the oldest that got as far, if there are enough of them.
    fn keep(&mut self, new: Beginning, most: usize) {
        let is_alike = |known: &Beginning| known.length() == new.length() && known.from == new.from;
        if self.beginnings.iter().filter(|known| is_alike(known)).count() >= most
            && let Some(oldest) = self.beginnings.iter().position(is_alike)
        {
            self.beginnings.remove(oldest);
        }
        self.beginnings.push(new);
    }

    fn position(&self, number: u32) -> Option<usize> {
        self.beginnings.iter().position(|known| known.number == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recipe::Thrown;

    fn threw_at(stmt: u32) -> End {
        let class = program::ClassName::internal("java/lang/Error");
        let thrown = Thrown { class, message: None, stack: Vec::new(), cause: None };
        End::Threw { stmt, thrown }
    }

    #[test]
    fn calls_that_worked_are_gone_on_with() {
        let recipe =
            recipe::parse("call a.B.c()\ncall a.B.d()\ncall a.B.e()").unwrap_or_else(|error| panic!("{error}"));
        let from = AccessContext::public();
        let told = vec![Told { line: 0, end: 1 }, Told { line: 4, end: 2 }];
        let receiver = Arg::Var(recipe::VarId(0));
        let rehearsal = Rehearsal { method: MethodRef::new("a/B", "e", "()V"), receiver, told, went_on_with: None };
        let mut stage = Stage::default();
        stage.learn(&rehearsal, &recipe, from, &threw_at(0), 6);
        assert!(stage.beginnings.is_empty());
        stage.learn(&rehearsal, &recipe, from, &threw_at(1), 6);
        assert_eq!(stage.beginnings[0].recipe.body.stmts.len(), 1);
        assert_eq!(stage.beginnings[0].next_line(), 1);
        stage.learn(&rehearsal, &recipe, from, &threw_at(2), 6);
        assert_eq!(stage.beginnings[1].next_line(), 5);
        // No further than what it went on with.
        let again = Rehearsal { went_on_with: Some(2), ..rehearsal };
        stage.learn(&again, &recipe, from, &threw_at(2), 6);
        assert_eq!((stage.beginnings.len(), stage.beginnings[1].failures), (2, 1));
    }
}
