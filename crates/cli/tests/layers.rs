//! Programs in layers, whose parts somebody else puts together, and whose data a mapper fills: crashes that need objects which agree, of a
//! small museum.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use support::{Scene, end};

/// The crash is reproduced as a whole, with its message.
fn reproduced(crash: &str, candidates: &str) {
    let scene = Scene::new("museum");
    let ended = end(scene.tool(crash, "1").args(["--engine", "evolve", "--candidates", candidates]));
    let result = ended.result();
    assert_eq!(ended.code(), Some(0), "{result}");
    assert_eq!(result["message"], "exact", "{result}");
}

#[test]
fn data_that_a_mapper_fills_agrees() {
    reproduced("keeper", "30000");
}

#[test]
fn maps_of_maps_have_what_is_looked_up_in_them() {
    reproduced("cover", "30000");
}

#[test]
fn a_file_is_as_long_as_the_message_says() {
    reproduced("ledger", "30000");
}
