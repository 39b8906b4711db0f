use super::*;
use crate::testing::jdk_only;
use engine::Assessor;
use recipe::Cost;
use std::sync::atomic::AtomicBool;

/// A search for a crash of the JDK's, whose frames have no lines.
fn search() -> (Evolve, Assessor) {
    let text = "java.lang.NullPointerException\n\tat java.util.Objects.requireNonNull(Unknown Source)\n";
    let throwable = crash_report::parse(text.as_bytes()).traces.remove(0).throwable;
    let catalogue = Arc::new(jdk_only());
    let methods = catalogue.methods();
    let target = target::CrashTarget::derive(&throwable, methods, &|_| true);
    let goal = Arc::new(Goal::new(&target, throwable, methods));
    let setup = Setup {
        target: Arc::new(target),
        goal: goal.clone(),
        program: catalogue.program().clone(),
        catalogue: catalogue.clone(),
        is_application: Arc::new(|_| true),
        before: String::new(),
        seed: 1,
        is_counted: true,
        waypoints: Vec::new(),
    };
    (Evolve::new(&setup, &Config::default()), Assessor::new(goal, catalogue, setup.is_application.clone()))
}

fn propose(search: &mut Evolve) -> Proposal {
    let stop = Arc::new(AtomicBool::new(false));
    search.propose(&Allowance { candidates: 60, steps: Some(u64::MAX), deadline: None, stop })
}

/// All of its candidates do more than they may.
fn stopped(proposal: Proposal, assessor: &mut Assessor) -> Round {
    let candidate = |proposed| Arc::new(Candidate { id: CandidateId(0), engine: NAME, proposed });
    let candidates: Vec<Arc<Candidate>> = proposal.candidates.into_iter().map(candidate).collect();
    let seen = || Observation {
        end: End::Stopped(Limit::Steps),
        lines: Vec::new(),
        branches: Vec::new(),
        conditions: Vec::new(),
        shown: Default::default(),
        cost: Cost::default(),
    };
    let observations: Vec<Observation> = candidates.iter().map(|_| seen()).collect();
    let assess = |(one, seen): (&Arc<Candidate>, &Observation)| {
        assessor.assess(one.recipe(), one.entry(), seen, false, &engine::EntryConditions::default())
    };
    let assessments = candidates.iter().zip(&observations).map(assess).collect();
    Round { candidates, observations, assessments }
}

/// The round that was made while the first one ran knows nothing of the wider limits yet, and is no evidence against them.
#[test]
fn wider_limits_are_judged_by_rounds_that_ran_within_them() {
    let (mut search, mut assessor) = search();
    let steps = |proposal: &Proposal| proposal.observing.limits.as_ref().map(|limits| limits.steps);
    let (first, second) = (propose(&mut search), propose(&mut search));
    let usual = steps(&first);
    assert!(!first.candidates.is_empty() && !second.candidates.is_empty());
    search.learn(&stopped(first, &mut assessor));
    search.learn(&stopped(second, &mut assessor));
    let third = propose(&mut search);
    assert!(steps(&third) > usual);
    search.learn(&stopped(third, &mut assessor));
    assert_eq!(steps(&propose(&mut search)), usual, "what is stopped all the same runs for ever");
}
