//! What is derived for each kind of exception, and that what cannot be thrown is refuted.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use condition::text::{Unnamed, condition};
use engine::{Allowance, FactKind, Outlook};
use scene::{Case, Scene};
use std::fmt::Write;
use std::sync::Arc;

mod scene;

/// Those that can be thrown.
const CASES: [Case; 17] = [
    ("null", "NullPointerException", &[("nothing", "null")]),
    ("index", "ArrayIndexOutOfBoundsException: Index 9 out of bounds for length 5", &[("index", "index")]),
    ("negative", "NegativeArraySizeException: -7", &[("<init>", "negative"), ("sized", "negative below")]),
    ("cast", "ClassCastException", &[("cast", "cast")]),
    ("store", "ArrayStoreException: java.lang.Integer", &[("store", "store")]),
    ("division", "ArithmeticException: / by zero", &[("division", "division")]),
    ("explicit", "IllegalStateException: size -12", &[("explicit", "explicit")]),
    ("number", "NumberFormatException: For input string: \"x7\"", &[PARSE, ("number", "number")]),
    ("element", "IndexOutOfBoundsException: Index 3 out of bounds for length 2", &[GET, ("element", "element")]),
    ("first", "java.util.NoSuchElementException", &[NEXT, ("first", "first")]),
    ("memory", "OutOfMemoryError: Java heap space", &[("memory", "memory")]),
    ("deep", "StackOverflowError", &[("deep", "deep"), ("deep", "deep"), ("deep", "deep"), ("deep", "deep")]),
    ("lambda", "NullPointerException", &[("length", "callback"), ("lambda$each$0", "callback lambda")]),
    (
        "callback",
        "NullPointerException",
        &[("length", "callback"), ("lambda$each$0", "callback lambda"), FOR_EACH, ("each", "callback lambda")],
    ),
    (
        "inherited",
        "NullPointerException",
        &[("Strict.put", "inherited"), ("java.util.AbstractMap.putAll", ""), ("Strict.take", "inherited below")],
    ),
    ("wrapped", "IllegalStateException", &[("wrapped", "wrapped")]),
    ("by name", "NullPointerException", &[("nothing", "")]),
];

/// Those that cannot.
const NEVER: [Case; 8] = [
    ("null", "NullPointerException", &[("nothingKnown", "null never")]),
    ("index", "ArrayIndexOutOfBoundsException", &[("indexKnown", "index never")]),
    ("negative", "NegativeArraySizeException", &[("negativeKnown", "negative never")]),
    ("cast", "ClassCastException", &[("castKnown", "cast never")]),
    ("store", "ArrayStoreException", &[("storeKnown", "store never")]),
    ("division", "ArithmeticException", &[("divisionKnown", "division never")]),
    ("explicit", "IllegalStateException", &[("explicitKnown", "explicit never")]),
    ("number", "NumberFormatException", &[PARSE, ("numberKnown", "number never")]),
];

const PARSE: (&str, &str) = ("java.lang.Integer.parseInt", "");
const GET: (&str, &str) = ("java.util.ArrayList.get", "");
const NEXT: (&str, &str) = ("java.util.ArrayList$Itr.next", "");
const FOR_EACH: (&str, &str) = ("java.util.ArrayList.forEach", "");

/// The conditions by frame, as text.
fn derived(scene: &Scene, case: &Case, settings: &str) -> Vec<(u32, String)> {
    let mut engine = (backward::REGISTRATION.configure)(settings).unwrap().make(&scene.setup(case));
    let mut told = Vec::new();
    let mut silent = 0;
    while silent < 20 {
        let allowance = Allowance { candidates: 0, steps: Some(1), deadline: None, stop: Arc::default() };
        let proposal = engine.propose(&allowance);
        silent = if proposal.facts.is_empty() { silent + 1 } else { 0 };
        for fact in &proposal.facts {
            let FactKind::Precondition { frame, when, .. } = &fact.kind else { continue };
            let cut = if fact.cut { ", cut" } else { "" };
            let loose = if fact.loose { ", loose" } else { "" };
            told.push((*frame, format!("{}{cut}{loose}", condition(when, &Unnamed))));
        }
        if proposal.standing.outlook != Outlook::Open {
            break;
        }
    }
    told.sort();
    told
}

#[test]
fn each_kind_of_exception_has_its_condition() {
    let scene = Scene::of("Kinds");
    let mut text = String::new();
    for case in &CASES {
        writeln!(text, "{}", case.0).unwrap();
        for (frame, condition) in derived(&scene, case, "") {
            writeln!(text, "  {frame} {condition}").unwrap();
        }
    }
    insta::assert_snapshot!("conditions", text);
}

#[test]
fn what_cannot_be_thrown_has_none() {
    let scene = Scene::of("Kinds");
    for settings in ["", "paper"] {
        for case in &NEVER {
            let told = derived(&scene, case, settings);
            assert!(told.is_empty(), "{settings} {}: {told:?}", case.0);
        }
    }
}

#[test]
fn the_published_engine_comes_to_the_same_where_there_is_one_way() {
    let scene = Scene::of("Kinds");
    for name in ["null", "cast", "division"] {
        let case = CASES.iter().find(|case| case.0 == name).unwrap();
        let (ours, paper) = (derived(&scene, case, "-message"), derived(&scene, case, "paper"));
        assert!(!ours.is_empty() && ours == paper, "{name}: {ours:?} {paper:?}");
    }
}
