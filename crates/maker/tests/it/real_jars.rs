//! The maker on the jars of the crash packs: are the recipes well typed, and the same for the same seed?

use crate::check;
use crate::common::Jars;
use maker::{Choose, Hint, Maker, MakerConfig, MemberStatistics, Rng};
use objects::{AccessContext, Catalogue, Draft, Pool};
use program::{ClassName, Type};
use std::sync::Arc;

/// Types looked at in each class path: few enough for an unoptimised build.
const SAMPLE: usize = 100;

/// Recipes made for each class path.
const RECIPES: u64 = 150;

/// Every n-th of the types that can be made and named.
fn sampled_types(catalogue: &Catalogue) -> Vec<ClassName> {
    let program = catalogue.program();
    let is_public = |name: &ClassName| {
        let class = program.class(*name).filter(|class| !class.access.is_synthetic() && !class.access.is_module());
        class.is_some_and(|class| AccessContext::public().class(program, &class) == Some(recipe::Access::Public))
    };
    let is_made = |name: &ClassName| catalogue.cost(Type::Class(*name), AccessContext::public()).is_some();
    let classes: Vec<ClassName> = program.classes().into_iter().filter(is_public).collect();
    let step = classes.len().div_ceil(SAMPLE);
    classes.into_iter().step_by(step).filter(is_made).collect()
}

#[test]
fn recipes_are_well_typed_and_the_same_for_the_same_seed() {
    for jars in Jars::ALL {
        let program = jars.open();
        let catalogue = Catalogue::new(Arc::clone(&program), &[]);
        let (pool, statistics) = (Pool::general(), MemberStatistics::default());
        let types = sampled_types(&catalogue);
        let make = |ty: Type, seed: u64| {
            let mut rng = Rng::with_seed(seed);
            let from = AccessContext { package: None, reflection: seed.is_multiple_of(3) };
            let mut maker = Maker {
                catalogue: &catalogue,
                pool: &pool,
                statistics: &statistics,
                rng: &mut rng,
                from,
                config: MakerConfig::default(),
            };
            let mut draft = Draft::new();
            let value = maker.value(&mut draft, ty, Hint::not_null());
            (value, draft.finish())
        };
        let mut rng = Rng::with_seed(1);
        let (mut made, mut statements, mut longest) = (0, 0, 0);
        for seed in 0..RECIPES {
            let ty = Type::Class(*rng.one(&types).unwrap());
            let (value, recipe) = make(ty, seed);
            check(&catalogue, &recipe);
            // Compared as text, because NaN is not equal to itself.
            assert_eq!(
                format!("{value:?} {recipe:?}"),
                format!("{:?} {:?}", make(ty, seed).0, make(ty, seed).1),
                "{ty}"
            );
            made += usize::from(value.is_some());
            statements += recipe.body.stmts.len();
            longest = longest.max(recipe.body.stmts.len());
        }
        println!(
            "{}: {made} of {RECIPES} made, {:.1} statements on average, {longest} at most",
            jars.name,
            statements as f64 / RECIPES as f64
        );
        assert!(100.0 * made as f64 >= jars.least_share * RECIPES as f64, "{made}");
    }
}
