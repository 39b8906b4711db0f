//! Random recipes over all public members of a program: what throughput benchmarks run, and what tests of printers and hosts
//! compare. Not a search: nothing is learnt and nothing is aimed at.

use crate::catalogue::{Catalogue, Usable};
use crate::choose::{Choose, Rng};
use crate::draft::Draft;
use crate::ledger::Ledger;
use crate::maker::{Habits, Maker};
use crate::pool::Pool;
use crate::vantage::Vantage;
use program::ClassName;
use recipe::{Access, Recipe};

/// An endless, repeatable stream of recipes, each a call of a random public member with what it needs.
#[derive(Debug)]
pub struct Mix<'a> {
    catalogue: &'a Catalogue,
    pool: Pool,
    ledger: Ledger,
    classes: Vec<ClassName>,
    rng: Rng,
}

/// Members tried for one recipe; few need more than one.
const MAX_TRIES: usize = 100;

impl<'a> Mix<'a> {
    pub fn new(catalogue: &'a Catalogue, seed: u64) -> Mix<'a> {
        let program = catalogue.program();
        let is_public = |name: &ClassName| {
            let class = program.class(*name);
            class.is_some_and(|class| Vantage::public().class(program, &class) == Some(Access::Public))
        };
        let classes = program.classes().into_iter().filter(is_public).collect();
        Mix { catalogue, pool: Pool::general(), ledger: Ledger::default(), classes, rng: Rng::with_seed(seed) }
    }

    fn member(&mut self) -> Option<Usable> {
        let class = *self.rng.one(&self.classes)?;
        let from = Vantage::public();
        let mut members = self.catalogue.static_members(class, from);
        members.extend_from_slice(&self.catalogue.members(class, from));
        self.rng.one(&members).cloned()
    }

    fn recipe(&mut self) -> Option<Recipe> {
        let method = self.member()?.callable.method;
        let mut maker = Maker {
            catalogue: self.catalogue,
            pool: &self.pool,
            ledger: &self.ledger,
            rng: &mut self.rng,
            from: Vantage::public(),
            habits: Habits::default(),
        };
        let mut draft = Draft::new();
        maker.call(&mut draft, method)?;
        Some(draft.finish())
    }
}

impl Iterator for Mix<'_> {
    type Item = Recipe;

    /// Ends only for a program without a public member that can be called.
    fn next(&mut self) -> Option<Recipe> {
        (0..MAX_TRIES).find_map(|_| self.recipe())
    }
}
