//! Every trace of the crash packs: the exception that the manifest names is found, and chosen.

use std::fs;
use std::path::PathBuf;

use crash_report::{TraceSource, choose, parse};
use regex::Regex;
use serde_json::Value;

#[test]
fn the_target_of_every_crash_is_chosen() {
    let mut crashes = 0;
    for pack in ["seeds", "modern"] {
        let home = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packs").join(pack);
        let manifest = fs::read_to_string(home.join("manifest.json")).expect("the pack has a manifest");
        let manifest: Value = serde_json::from_str(&manifest).expect("the manifest is JSON");
        for crash in manifest["crashes"].as_array().expect("a list of crashes") {
            check(&home, crash);
            crashes += 1;
        }
    }
    assert_eq!(crashes, 35 + 51);
}

fn check(home: &std::path::Path, crash: &Value) {
    let id = crash["id"].as_str().expect("an id");
    let text = fs::read(home.join(crash["trace"].as_str().expect("a trace"))).expect("the trace is in the pack");
    let block = crash["block"].as_u64().unwrap_or(0) as usize;
    let application = crash["target_frames"].as_str().expect("a regex");
    let application = Regex::new(&format!("^(?:{application})$")).expect("a valid regex");

    let report = parse(&text);
    assert_eq!(report.traces.len(), 1, "{id}: {report:#?}");
    assert_eq!(report.traces[0].source, TraceSource::PrintedTrace, "{id}");
    let blocks = report.traces[0].blocks();
    assert_eq!(blocks[block].class, crash["exception"].as_str().expect("a class"), "{id}");

    let choice = choose(&report, &|class| application.is_match(class), None, None);
    let chosen = choice.unwrap_or_else(|why| panic!("{id}: {why}"));
    let chosen = chosen.throwable(&report).expect("the choice is of this report");
    assert_eq!(chosen.block, block, "{id}");

    let causes: Vec<&str> = chosen.chain().skip(1).map(|t| t.class.as_str()).collect();
    let expected: Vec<&str> = crash["causes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !expected.is_empty() {
        assert_eq!(causes, expected, "{id}");
    }
    // `cycle` counts the distinct frames of a recursion, `frames` those of the application.
    let frames = chosen.frames.iter().filter(|f| application.is_match(&f.class) && !f.is_glue()).count();
    if let Some(expected) = crash["frames"].as_u64().filter(|_| crash["cycle"].is_null()) {
        assert_eq!(frames as u64, expected, "{id}");
    }
}
