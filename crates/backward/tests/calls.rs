//! Which calls are made of a condition, and what is made of it after a run did something else. Nothing is run: what runs would show is told.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine::{Allowance, Assessment, Candidate, CandidateId, Engine, LineDistance, Nearness, Outlook, Proposed, Round};
use program::{ClassName, Symbol};
use recipe::{Cost, End, Observation, Shown, StackFrame, Thrown};
use scene::{Case, Scene};
use std::sync::Arc;

mod scene;

const NEEDED: Case = ("needed", "NullPointerException", &[("labels", "needed")]);
const TAUGHT: Case = ("taught", "NullPointerException", &[("named", "taught")]);

fn engine(scene: &Scene, case: &Case) -> Box<dyn Engine> {
    (backward::REGISTRATION.configure)("").unwrap().make(&scene.setup(case))
}

/// The next candidate; none if there is none soon.
fn next(engine: &mut dyn Engine) -> Option<Proposed> {
    for _ in 0..200 {
        let allowance = Allowance { candidates: 1, steps: Some(1000), deadline: None, stop: Arc::default() };
        let mut proposal = engine.propose(&allowance);
        if let Some(candidate) = proposal.candidates.pop() {
            return Some(candidate);
        }
        if proposal.standing.outlook != Outlook::Open {
            break;
        }
    }
    None
}

/// The next few candidates, as text.
fn several(engine: &mut dyn Engine) -> Vec<String> {
    std::iter::from_fn(|| next(engine)).take(4).map(|one| one.recipe.to_string()).collect()
}

/// The engine is told that the candidate threw this, from these methods of the class.
fn tell(engine: &mut dyn Engine, scene: &Scene, proposed: Proposed, class: &str, stack: &[(&str, &str)]) {
    let frame = |(method, end): &(&str, &str)| StackFrame {
        class: ClassName::internal("throwing/Shelf"),
        method: Symbol::new(method),
        line: scene.line(end),
        is_test: false,
    };
    let stack = stack.iter().map(frame).collect();
    let thrown = Thrown { class: ClassName::internal(class), message: None, stack, cause: None };
    let observation = Observation {
        end: End::Threw { stmt: 1, thrown },
        lines: Vec::new(),
        branches: Vec::new(),
        conditions: Vec::new(),
        cost: Cost::default(),
        shown: Shown::default(),
    };
    let near = Nearness { frames_to_go: 1, missing: 1, line: LineDistance::default() };
    let assessment = Assessment {
        entry: 1,
        comparison: None,
        unmatched: 1,
        is_cut_short: false,
        inwards: near,
        outwards: near,
        precondition: 1.0,
        condition: 1.0,
        root: None,
        is_thrown_elsewhere: false,
        message: 0.0,
        demerits: 0,
        blocked_at: None,
    };
    let candidate = Arc::new(Candidate { id: CandidateId(1), engine: engine.name(), proposed });
    engine.learn(&Round {
        candidates: vec![candidate],
        observations: vec![observation],
        assessments: vec![assessment],
    });
}

#[test]
fn of_all_that_can_be_done_to_an_object_only_what_is_needed_is_done() {
    let scene = Scene::of("Shelf");
    let made = several(&mut *engine(&scene, &NEEDED));
    let first = made.iter().find(|recipe| recipe.contains("Shelf.put("));
    assert!(first.is_some_and(|recipe| !recipe.contains("Shelf.set")), "{made:#?}");
}

#[test]
fn what_a_run_threw_instead_is_not_passed_by_again() {
    let scene = Scene::of("Shelf");
    let mut engine = engine(&scene, &TAUGHT);
    let first = next(&mut *engine).unwrap();
    assert!(!first.recipe.to_string().contains("mine"), "{}", first.recipe);
    let stack = [("check", "refused"), ("named", "passed by")];
    tell(&mut *engine, &scene, first, "java/lang/IllegalArgumentException", &stack);
    let later = several(&mut *engine);
    assert!(later.iter().any(|recipe| recipe.contains("named(java.lang.String \"mine\")")), "{later:#?}");
}
