//! Outer frames from inner ones: what made an inner frame crash is the beginning of a test that enters further out, if the
//! outer frame can be entered from a place at which that beginning is allowed.

use crate::island::{Individual, Island};
use crate::operators::Core;
use engine::CandidateId;
use maker::{Choose, Rng};
use objects::{AccessContext, Catalogue};
use recipe::{Access, Action, Recipe, Stmt};

/// A candidate of an inner frame that shows the crash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Donor<'a> {
    island: &'a Island,
    individual: &'a Individual,
}

/// What a candidate of the outer frame begins with, and the place it is allowed at.
#[derive(Debug)]
pub(crate) struct Beginning<'a> {
    pub(crate) recipe: Recipe,
    /// The call that the recipe ends with, which the outer frame's takes the place of.
    pub(crate) core: &'a Core,
    pub(crate) from: AccessContext,
    /// Who began so.
    pub(crate) of: CandidateId,
}

/// Now and then a solution of an inner frame, half of the time of the nearest one: most of what the outer frame needs is in that.
pub(crate) fn donor<'a>(inner: &'a [Island], outer: &Island, is_filled: bool, rng: &mut Rng) -> Option<Donor<'a>> {
    let is_crash = |island: &&Island| island.best().is_some_and(|best| best.fitness.is_crash());
    let solved: Vec<&Island> = inner.iter().filter(is_crash).collect();
    let nearest = *solved.last()?;
    let numbers = &rng.policy().growth;
    let often = match is_filled {
        // What its thread is to choke on is known; what is left to find is how to hand it over.
        _ if outer.captures && !outer.is_complete() => numbers.handed_over,
        false => numbers.often,
        true if nearest.is_complete() && !outer.is_complete() => numbers.behind,
        true => numbers.seldom,
    };
    if !rng.chance(often) {
        return None;
    }
    let island = if rng.bool() { nearest } else { *rng.one(&solved)? };
    let best = island.best()?;
    // The best may rest on something that cannot be had further out.
    let is_as_good = |one: &&Individual| one.fitness.is_crash() && one.fitness.unmatched == best.fitness.unmatched;
    let alike: Vec<&Individual> = island.population.iter().filter(is_as_good).collect();
    let individual = if rng.bool() { best } else { *rng.one(&alike)? };
    Some(Donor { island, individual })
}

impl<'a> Donor<'a> {
    /// The first place from which the outer frame can be entered after what the donor does; none if there is none.
    pub(crate) fn seen_from(self, outer: &Island, catalogue: &Catalogue) -> Option<Beginning<'a>> {
        let Individual { recipe, from, id: of, .. } = self.individual;
        let of = *of;
        let core = self.island.core(catalogue, *from)?;
        let at = core.find(recipe)?;
        let is_open = |vantage: &&AccessContext| outer.core(catalogue, **vantage).is_some();
        let is_allowed = |vantage: &&AccessContext, recipe: &Recipe| {
            allows(**vantage, &recipe.body.stmts[..at], *from, recipe, catalogue)
        };
        let places = || outer.places.iter().filter(is_open);
        if let Some(vantage) = places().find(|vantage| is_allowed(vantage, recipe)) {
            return Some(Beginning { recipe: (**recipe).clone(), core, from: *vantage, of });
        }
        // What its package was for is in another package than the outer frame.
        let reflective = with_reflection(recipe);
        let vantage = *places().find(|vantage| is_allowed(vantage, &reflective))?;
        Some(Beginning { recipe: reflective, core, from: vantage, of })
    }
}

/// Whether a test at the place can do what these statements of a recipe do that was made for another.
fn allows(
    place: AccessContext,
    stmts: &[Stmt],
    made_for: AccessContext,
    recipe: &Recipe,
    catalogue: &Catalogue,
) -> bool {
    let program = catalogue.program();
    let is_own = |class| recipe.classes.iter().any(|own| own.name == class);
    let is_seen = |class| program.class(class).is_none_or(|class| place.class(program, &class).is_some());
    let is_reached = |stmt: &Stmt| match stmt.action.access() {
        None | Some(Access::Public) => true,
        Some(Access::Package) => place.package == made_for.package,
        Some(Access::Reflective) => place.reflection,
    };
    let is_allowed = |stmt: &Stmt| {
        let mut are_seen = true;
        stmt.for_each_class(&mut |class| are_seen &= is_own(class) || is_seen(class));
        let bodies = stmt.action.bodies();
        are_seen
            && is_reached(stmt)
            && bodies.iter().all(|body| allows(place, &body.block.stmts, made_for, recipe, catalogue))
    };
    place == made_for || stmts.iter().all(is_allowed)
}

/// The recipe with reflection for what its own statements reached from inside a package.
fn with_reflection(recipe: &Recipe) -> Recipe {
    let mut changed = recipe.clone();
    for stmt in &mut changed.body.stmts {
        if let Action::New { access, .. }
        | Action::Call { access, .. }
        | Action::GetField { access, .. }
        | Action::PutField { access, .. } = &mut stmt.action
            && *access == Access::Package
        {
            *access = Access::Reflective;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::Fitness;
    use crate::testing::jdk_only;
    use program::ClassName;

    fn parsed(text: &str) -> Recipe {
        recipe::parse(text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_beginning_is_allowed_where_all_of_it_can_be_reached() {
        let catalogue = jdk_only();
        let inside = AccessContext::in_package_of(ClassName::internal("a/b/C"));
        let elsewhere = AccessContext::in_package_of(ClassName::internal("a/d/E"));
        let allows = |place: AccessContext, text: &str| {
            let recipe = parsed(text);
            allows(place, &recipe.body.stmts, inside.with_reflection(), &recipe, &catalogue)
        };
        let (public, package, reflective) = ("call a.b.C.m()", "package call a.b.C.m()", "reflective call a.b.C.m()");
        assert!(allows(AccessContext::public(), public) && allows(elsewhere, public));
        assert!(allows(inside, package) && !allows(elsewhere, package) && !allows(AccessContext::public(), package));
        assert!(allows(elsewhere.with_reflection(), reflective) && !allows(elsewhere, reflective));
        let hidden = "call a.b.C.m(java.lang.AbstractStringBuilder null(java.lang.AbstractStringBuilder))";
        assert!(!allows(elsewhere.with_reflection(), hidden), "a class that cannot be named there");
    }

    #[test]
    fn what_the_package_was_for_is_reached_by_reflection_elsewhere() {
        let made = parsed(
            "v0: java.lang.Object = package call a.b.C.make(): java.lang.Object\ncall a.b.C.use(java.lang.Object v0)",
        );
        let expected = "v0: java.lang.Object = reflective call a.b.C.make(): java.lang.Object\ncall a.b.C.use(java.lang.Object v0)";
        assert_eq!(with_reflection(&made), parsed(expected));
    }

    fn island(entry: u32, unmatched: Option<u32>) -> Island {
        let mut island = Island::new(entry, Vec::new(), vec![AccessContext::public()]);
        let fitness = match unmatched {
            Some(unmatched) => Fitness { exception: 0.0, unmatched, ..Fitness::WORST },
            None => Fitness::WORST,
        };
        island.population.push(Individual { fitness, ..Individual::of(Recipe::default(), AccessContext::public()) });
        island
    }

    #[test]
    fn who_lags_behind_grows_more_often_and_mostly_out_of_the_nearest() {
        let inner = [island(1, Some(0)), island(2, Some(0)), island(3, Some(0)), island(4, None)];
        let donors = |outer: &Island| {
            let mut rng = Rng::with_seed(7);
            let drawn = (0..4000).filter_map(|_| donor(&inner, outer, true, &mut rng));
            drawn.map(|donor| donor.island.entry).collect::<Vec<u32>>()
        };
        let (behind, level) = (donors(&island(5, None)), donors(&island(5, Some(0))));
        assert!(behind.len() > 2 * level.len() && !level.is_empty(), "{} {}", behind.len(), level.len());
        let nearest = behind.iter().filter(|entry| **entry == 3).count();
        assert!(2 * nearest > behind.len() && nearest < behind.len(), "{nearest} of {}", behind.len());
        assert!(
            donor(&inner[3..], &island(5, None), false, &mut Rng::with_seed(7)).is_none(),
            "nothing shows the crash"
        );
    }
}
