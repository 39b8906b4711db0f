//! The catalogue and the maker on the jars of the crash packs: how many types can be made, and are the recipes well typed?

use crate::common::{Jars, check};
use objects::{Catalogue, Choose, Draft, Habits, Hint, Ledger, Maker, Pool, Rng, Vantage};
use program::{ClassName, Program, Type};
use std::sync::Arc;

/// Concrete public classes of the class path that a test could name.
fn concrete_public_types(program: &Program) -> Vec<ClassName> {
    let nameable = |name: &ClassName| {
        let Some(class) = program.class(*name) else { return false };
        let access = class.access;
        !access.is_abstract()
            && !access.is_interface()
            && !access.is_synthetic()
            && !access.is_module()
            && Vantage::public().class(program, &class) == Some(recipe::Access::Public)
    };
    program.classes().into_iter().filter(nameable).collect()
}

/// A class that only holds static members: its constructors are private, and nobody calls them.
fn is_namespace(catalogue: &Catalogue, name: ClassName) -> bool {
    let class = catalogue.program().class(name).unwrap();
    let mut constructors = class.methods.iter().filter(|method| method.is_constructor());
    constructors.all(|constructor| constructor.access.is_private()) && catalogue.creations(name).is_empty()
}

#[test]
fn most_concrete_public_types_can_be_made() {
    let mut table = String::new();
    for jars in Jars::ALL {
        let program = jars.open();
        let catalogue = Catalogue::new(Arc::clone(&program), &[]);
        let mut types = concrete_public_types(&program);
        types.retain(|name| !is_namespace(&catalogue, *name));
        let from = Vantage::public();
        let without: Vec<&ClassName> =
            types.iter().filter(|name| catalogue.cost(Type::Class(**name), from).is_none()).collect();
        let made = types.len() - without.len();
        let share = 100.0 * made as f64 / types.len() as f64;
        table += &format!("{:<24} {made:>5} of {:>5} types ({share:.1} %)\n", jars.name, types.len());
        println!("{}: no way to {without:?}", jars.name);
        assert!(share >= jars.least_share, "{table}");
    }
    println!("{table}");
}

#[test]
fn recipes_are_well_typed_and_the_same_for_the_same_seed() {
    for jars in Jars::ALL {
        let program = jars.open();
        let catalogue = Catalogue::new(Arc::clone(&program), &[]);
        let (pool, ledger) = (Pool::general(), Ledger::default());
        let mut types = concrete_public_types(&program);
        types.retain(|name| !is_namespace(&catalogue, *name));
        let make = |ty: Type, seed: u64| {
            let mut rng = Rng::with_seed(seed);
            let from = Vantage { package: None, reflection: seed.is_multiple_of(3) };
            let mut maker = Maker {
                catalogue: &catalogue,
                pool: &pool,
                ledger: &ledger,
                rng: &mut rng,
                from,
                habits: Habits::default(),
            };
            let mut draft = Draft::new();
            let value = maker.value(&mut draft, ty, Hint::not_null());
            (value, draft.finish())
        };
        let mut rng = Rng::with_seed(1);
        let (mut made, mut statements, mut longest) = (0, 0, 0);
        for seed in 0..400 {
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
            "{}: {made} of 400 made, {:.1} statements on average, {longest} at most",
            jars.name,
            statements as f64 / 400.0
        );
        assert!(made as f64 >= 4.0 * jars.least_share, "{made}");
    }
}
