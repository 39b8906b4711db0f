//! The catalogue on the jars of the crash packs: how many types can be made?

use crate::common::Jars;
use objects::{AccessContext, Catalogue};
use program::{ClassName, Program, Type};
use std::sync::Arc;

/// Types looked at in each class path: enough for a percentage, few enough for an unoptimised build.
const SAMPLE: usize = 100;

/// Every n-th of the types that have instances.
fn sampled_types(catalogue: &Catalogue) -> Vec<ClassName> {
    let mut types = concrete_public_types(catalogue.program());
    types.retain({
        let step = types.len().div_ceil(SAMPLE);
        let mut index = 0;
        move |_| {
            index += 1;
            index % step == 0
        }
    });
    types.retain(|name| !is_namespace(catalogue, *name));
    types
}

/// Concrete public classes of the class path that a test could name.
fn concrete_public_types(program: &Program) -> Vec<ClassName> {
    let nameable = |name: &ClassName| {
        let Some(class) = program.class(*name) else { return false };
        let access = class.access;
        !access.is_abstract()
            && !access.is_interface()
            && !access.is_synthetic()
            && !access.is_module()
            && AccessContext::public().class(program, &class) == Some(recipe::Access::Public)
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
        let types = sampled_types(&catalogue);
        let from = AccessContext::public();
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
