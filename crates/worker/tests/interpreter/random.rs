//! Random recipes of all kinds: each can be carried out, and each does the same whatever ran before and beside it.

use super::mix::Numbers;
use super::process::{Outcome, Worker, fixture};
use recipe::testing::{Flavour, generate, jdk};
use recipe::{End, Recipe, Thrown};
use testing::jdks;

fn recipes(count: usize, seed: u64) -> Vec<Recipe> {
    let mut random = Numbers(seed);
    let mut recipe = || {
        let choices: Vec<u16> = (0..random.below(160)).map(|_| random.below(1 << 16) as u16).collect();
        generate(jdk(), Flavour { races: false, ..Flavour::ALL }, &choices)
    };
    (0..count).map(|_| recipe()).collect()
}

#[test]
fn every_recipe_can_be_carried_out() {
    let recipes = recipes(4000, 3);
    for jdk in jdks() {
        let outcomes = Worker::start(&jdk, &[fixture()]).run(&recipes);
        for (outcome, recipe) in outcomes.iter().zip(&recipes) {
            match &outcome.end {
                End::Completed | End::OutOfMemory => {}
                End::Threw { thrown, .. } => assert_eq!(interpreter_frames(thrown), 0, "{thrown:?}\n{recipe}"),
                other => panic!("JDK {}: {other:?}\n{recipe}", jdk.major),
            }
        }
        let completed = outcomes.iter().filter(|outcome| outcome.end == End::Completed).count();
        assert!(completed > 400 && completed < 3600, "{completed}");
    }
}

#[test]
fn neither_order_nor_batches_matter() {
    let recipes = recipes(1000, 5);
    for jdk in jdks() {
        let forward = Worker::start(&jdk, &[fixture()]).run(&recipes);
        let mut worker = Worker::start(&jdk, &[fixture()]);
        let mut backward: Vec<Outcome> = Vec::new();
        for batch in recipes.rchunks(7) {
            let reversed: Vec<Recipe> = batch.iter().rev().cloned().collect();
            backward.extend(worker.run(&reversed));
        }
        backward.reverse();
        for ((forward, backward), recipe) in forward.iter().zip(&backward).zip(&recipes) {
            // Where memory or stack ends is not the recipe's choice. The VM has a handful of errors for want of memory with
            // room for a stack, and then one without; and where a stack overflows depends on what is compiled.
            if !is_exhausted(&forward.end) || !is_exhausted(&backward.end) {
                assert_eq!(forward, backward, "JDK {}:\n{recipe}", jdk.major);
            }
        }
    }
}

fn is_exhausted(end: &End) -> bool {
    match end {
        End::OutOfMemory => true,
        End::Threw { thrown, .. } => {
            ["java/lang/OutOfMemoryError", "java/lang/StackOverflowError"].contains(&thrown.class.as_internal())
        }
        _ => false,
    }
}

/// Frames of ours that are not the test's.
fn interpreter_frames(thrown: &Thrown) -> usize {
    let ours = thrown.stack.iter().filter(|frame| !frame.is_test && frame.class.as_internal().starts_with("reenact/"));
    ours.count() + thrown.cause.as_ref().map_or(0, |cause| interpreter_frames(cause))
}
