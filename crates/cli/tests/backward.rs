//! The backward engine by itself: crashes that need reasoning about values and states, of a small library whose traces come from a
//! program that is not on the class path. The seed must not matter, and few recipes are run.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use support::{Ended, Scene, end, reenact};

fn scene() -> Scene {
    Scene::new("puzzles")
}

fn reproduce(scene: &Scene, name: &str, seed: &str) -> Ended {
    end(scene.tool(name, seed).args(["--engine", "backward", "--candidates", "200"]))
}

#[test]
fn what_needs_a_relation_is_derived() {
    missed_none(&["line", "bits", "header", "state", "empty", "agree", "element", "static", "text", "cast"]);
}

/// All of these crashes are reproduced as a whole with few recipes.
fn missed_none(names: &[&str]) {
    let scene = scene();
    let mut missed = Vec::new();
    for name in names {
        let ended = reproduce(&scene, name, "1");
        let result = ended.result();
        let candidates = result["candidates"].as_u64().unwrap();
        println!("{name}: {} with {candidates} recipes", result["grade"]);
        if ended.code() != Some(0) || candidates > 60 {
            missed.push((name, result["grade"].clone(), candidates));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn what_is_inside_of_what_comes_in_is_derived() {
    missed_none(&["magic", "quoted", "lookup", "walk", "any", "task"]);
}

#[test]
fn the_seed_changes_nothing() {
    let scene = scene();
    let sources: Vec<_> = ["1", "2"].map(|seed| reproduce(&scene, "state", seed).result()["source"].clone()).into();
    assert_eq!(sources[0], sources[1]);
}

#[test]
fn check_explains_each_frame_without_running_anything() {
    let scene = scene();
    let mut tool = reenact();
    tool.arg("check").arg(scene.log("agree")).arg("-c").arg(scene.at("library")).arg("--explain");
    let text = end(&mut tool).stdout;
    assert!(text.contains("this.customer.address.country == null"), "{text}");
    assert!(text.contains("this.customer.level > 3") || text.contains("this.customer.level >= 4"), "{text}");
}
