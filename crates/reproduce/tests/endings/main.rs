//! Every way in which a run can end, with everything but the orchestrator scripted.

mod fakes;
mod random;

use confirm::ConfirmError;
use crash_report::compare::Grade;
use engine::{Outlook, Registry};
use fakes::{LINE, NOTHING, Turn, WHOLE, World, honest, script, showing};
use recipe::RunnerError;
use reproduce::{Budget, Event, Fixed, Reason, ReproduceError};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const COUNTED: Budget = Budget::Candidates(1000);
/// Long enough for any machine to get going.
const TIMED: Budget = Budget::Time(Duration::from_secs(4));

const FIND: Turn = Turn::Give(&[NOTHING, WHOLE]);
const FAIL: Turn = Turn::Give(&[NOTHING]);

#[test]
fn found_at_once() {
    let one = script("one", &[FIND]);
    let mut world = World::new(COUNTED, &[&one]);
    let (verdict, events) = world.run(honest());
    let verdict = verdict.unwrap();
    assert!(verdict.is_success() && verdict.grade == Grade::FullStack && verdict.reason.is_none());
    assert_eq!((verdict.engine, verdict.effort.candidates, verdict.effort.claims), (Some("one"), 2, 1));
    assert_eq!(world.written().len(), 1);
    let kinds = |event: &Event| matches!(event, Event::Claim { .. } | Event::Confirmed { .. });
    assert_eq!(events.iter().filter(|event| kinds(event)).count(), 2);
    assert!(one.heard().is_empty());
}

#[test]
fn refuted() {
    let one = script("one", &[FIND, FAIL]);
    let mut world = World::new(COUNTED, &[&one]);
    let (verdict, events) = world.run(Box::new(|_, _| Ok(showing(NOTHING))));
    let verdict = verdict.unwrap();
    assert!(verdict.grade == Grade::None && verdict.test.is_none() && verdict.effort.refuted == 1);
    assert!(events.iter().any(|event| matches!(event, Event::Refuted { .. })));
    assert_eq!(one.heard(), ["NotConfirmed 1"], "its engine is told, and builds on it no more");
    assert!(world.written().is_empty());
}

#[test]
fn what_is_found_after_a_refutation_is_tried_again() {
    let one = script("one", &[FIND, FAIL, Turn::Give(&[WHOLE, "whole again"])]);
    let mut world = World::new(COUNTED, &[&one]);
    let tries = std::cell::Cell::new(0);
    let (verdict, _) = world.run(Box::new(move |text, _| {
        tries.set(tries.get() + 1);
        Ok(showing(if tries.get() == 1 { NOTHING } else { text }))
    }));
    let verdict = verdict.unwrap();
    assert!(verdict.is_success() && verdict.effort.refuted == 1 && verdict.effort.claims == 2);
}

/// Less than the whole crash is confirmed when nothing better comes for some rounds.
#[test]
fn settled() {
    let mut turns = vec![Turn::Give(&[LINE])];
    turns.extend(vec![FAIL; 12]);
    let mut world = World::new(COUNTED, &[&script("one", &turns)]);
    let (verdict, events) = world.run(honest());
    let verdict = verdict.unwrap();
    assert!(verdict.grade == Grade::CrashLine && !verdict.is_success() && verdict.frames.matched == 1);
    assert!(matches!(verdict.reason, Some(Reason::ClassMissing { .. })), "{:?}", verdict.reason);
    let rounds_before = events.iter().position(|event| matches!(event, Event::Claim { .. })).unwrap();
    let rounds = events[..rounds_before].iter().filter(|event| matches!(event, Event::Round { .. })).count();
    assert_eq!(rounds, 9);
    assert_eq!(world.written().len(), 1);
}

#[test]
fn the_time_is_up_while_a_test_is_made_small() {
    let mut world = World::new(TIMED, &[&script("one", &[FIND])]);
    let (_, limit) = (world.settings.clock.started, Duration::from_secs(4));
    let mut started = None;
    let mut waits = |call: usize| {
        let started = *started.get_or_insert_with(Instant::now);
        if call > 0 {
            std::thread::sleep((started + limit).saturating_duration_since(Instant::now()));
        }
        Ok(())
    };
    let late = Box::new(|_: &str, _| Err(ConfirmError::OutOfTime));
    let (verdict, _) = world.run_with(Ok(late), &mut waits);
    let verdict = verdict.unwrap();
    assert!(!verdict.is_success() && verdict.test.is_none());
    let unconfirmed = verdict.unconfirmed.expect("what was found is not lost");
    assert!(unconfirmed.source.contains(WHOLE) && world.written() == [unconfirmed.path]);
    assert!(matches!(verdict.reason, Some(Reason::Budget { .. })));
}

/// What is confirmed stays what counts.
#[test]
fn the_time_is_up_before_a_better_test_is_confirmed() {
    let mut turns = vec![Turn::Give(&[LINE])];
    turns.extend(vec![FAIL; 12]);
    turns.push(FIND);
    let mut world = World::new(TIMED, &[&script("one", &turns)]);
    let honest = honest();
    let (verdict, _) =
        world.run(Box::new(
            move |text, options| {
                if text.contains(WHOLE) { Err(ConfirmError::OutOfTime) } else { honest(text, options) }
            },
        ));
    let verdict = verdict.unwrap();
    assert!(verdict.grade == Grade::CrashLine && !verdict.is_success(), "{verdict:?}");
    assert!(matches!(verdict.reason, Some(Reason::Budget { .. })), "{:?}", verdict.reason);
    let (test, better) = (verdict.test.unwrap(), verdict.unconfirmed.expect("what was found is not lost"));
    assert!(test.source.contains(LINE) && better.source.contains(WHOLE));
    let mut written = world.written();
    written.sort();
    let mut both = [test.path, better.path];
    both.sort();
    assert_eq!(written, both);
}

#[test]
fn stopped() {
    let mut turns = vec![Turn::Give(&[LINE])];
    turns.extend(vec![FAIL; 100]);
    let mut world = World::new(TIMED, &[&script("one", &turns)]);
    let stop = world.settings.stop.clone();
    let mut stops = |call: usize| {
        stop.store(call >= 2, Ordering::Relaxed);
        Ok(())
    };
    let (verdict, events) = world.run_with(Ok(honest()), &mut stops);
    assert_eq!(verdict.unwrap().grade, Grade::CrashLine, "the best so far is confirmed before the end");
    assert!(events.iter().filter(|event| matches!(event, Event::Round { .. })).count() < 5);
}

fn dies() -> RunnerError {
    RunnerError::AlwaysDying { deaths: 3, last: "signal 11".into() }
}

#[test]
fn broken_workers() {
    let mut turns = vec![Turn::Give(&[LINE])];
    turns.extend(vec![FAIL; 100]);
    let one = script("one", &turns);
    let mut at_once = |_| Err(dies());
    let (verdict, _) = World::new(COUNTED, &[&one]).run_with(Ok(honest()), &mut at_once);
    assert!(matches!(verdict, Err(ReproduceError::Runner(RunnerError::AlwaysDying { .. }))));
    // What was confirmed before counts.
    let mut world = World::new(COUNTED, &[&one]);
    let mut later = |call: usize| if call > 40 { Err(dies()) } else { Ok(()) };
    let (verdict, _) = world.run_with(Ok(honest()), &mut later);
    let verdict = verdict.unwrap();
    assert!(verdict.grade == Grade::CrashLine && world.written().len() == 1);
    assert!(matches!(verdict.reason, Some(Reason::Environment { .. })), "{:?}", verdict.reason);
}

#[test]
fn no_compiler() {
    let mut world = World::new(COUNTED, &[&script("one", &[FIND])]);
    let missing = || ConfirmError::NoCompiler { home: "jre".into() };
    let (verdict, _) = world.run_with(Err(missing()), &mut |_| Ok(()));
    let Err(ReproduceError::Unconfirmed { test, .. }) = verdict else { panic!("{verdict:?}") };
    assert_eq!(world.written(), [test], "it can be confirmed elsewhere");
    let (verdict, _) = World::new(COUNTED, &[&script("one", &[FAIL])]).run_with(Err(missing()), &mut |_| Ok(()));
    assert!(matches!(verdict, Err(ReproduceError::Confirm(ConfirmError::NoCompiler { .. }))));
}

#[test]
fn the_output_directory_takes_no_files() {
    let mut world = World::new(COUNTED, &[&script("one", &[FIND])]);
    let file = world.path("file");
    std::fs::write(&file, "").unwrap();
    world.settings.out = file.join("out");
    let (verdict, _) = world.run(honest());
    let Err(ReproduceError::Unwritable { test, .. }) = verdict else { panic!("{verdict:?}") };
    assert!(test.contains(WHOLE), "it is handed to whoever can show it");
}

#[test]
fn the_fixed_build_still_fails() {
    let one = script("one", &[FIND, FAIL]);
    let mut world = World::new(COUNTED, &[&one]).with_fixed_build();
    let (verdict, _) = world.run(honest());
    let verdict = verdict.unwrap();
    assert!(verdict.grade == Grade::FullStack && verdict.fixed == Some(Fixed::SameCrash) && !verdict.is_success());
    assert_eq!(one.heard(), ["NotConfirmed 1"], "another test is looked for");
    let mut world = World::new(COUNTED, &[&one]).with_fixed_build();
    let (verdict, _) = world.run(Box::new(|text, is_fixed| Ok(showing(if is_fixed { NOTHING } else { text }))));
    let verdict = verdict.unwrap();
    assert!(verdict.fixed == Some(Fixed::Passes) && verdict.is_success());
}

#[test]
fn an_engine_that_panics_is_left_out() {
    let broken = script("broken", &[Turn::Panic]);
    let (verdict, events) = World::new(COUNTED, &[&broken, &script("one", &[FAIL, FIND])]).run(honest());
    let verdict = verdict.unwrap();
    assert!(verdict.is_success() && verdict.engine == Some("one"));
    assert_eq!(verdict.left_out, [("broken", "a mistake".to_owned())]);
    assert!(events.iter().any(|event| matches!(event, Event::LeftOut { engine: "broken", .. })));
    let (verdict, _) = World::new(COUNTED, &[&broken]).run(honest());
    let reason = verdict.unwrap().reason;
    assert!(matches!(&reason, Some(Reason::ClassMissing { .. })), "what the user can mend goes first: {reason:?}");
}

#[test]
fn an_engine_that_hangs_holds_up_nobody() {
    let hangs = script("hangs", &[Turn::Hang]);
    let (verdict, _) = World::new(TIMED, &[&hangs, &script("one", &[FAIL, FAIL, FIND])]).run(honest());
    let verdict = verdict.unwrap();
    assert!(verdict.is_success() && verdict.left_out.is_empty());
    // Alone, it has the whole budget.
    let budget = Budget::Time(Duration::from_millis(300));
    let (verdict, _) = World::new(budget, &[&hangs]).run(honest());
    assert_eq!(verdict.unwrap().effort.candidates, 0);
}

#[test]
fn engines_that_propose_nothing() {
    for outlook in [Outlook::Done, Outlook::Barren, Outlook::Open] {
        let mut silent = script("silent", &[]);
        silent.at_the_end = outlook;
        let (verdict, _) = World::new(COUNTED, &[&silent]).run(honest());
        let verdict = verdict.unwrap();
        assert!(verdict.grade == Grade::None && verdict.reason.is_some(), "{outlook:?}");
    }
    // It may find something later, and others go on.
    let mut slow = script("slow", &[Turn::Give(&[]), Turn::Give(&[]), FIND]);
    slow.at_the_end = Outlook::Open;
    let (verdict, _) = World::new(COUNTED, &[&slow]).run(honest());
    assert!(verdict.unwrap().is_success());
}

/// Where time is the budget, time ends the search.
#[test]
fn an_engine_may_have_nothing_for_as_long_as_there_is_time() {
    let mut turns = vec![Turn::Give(&[]); 60];
    turns.push(FIND);
    let (verdict, _) = World::new(Budget::Time(Duration::from_secs(60)), &[&script("slow", &turns)]).run(honest());
    assert!(verdict.unwrap().is_success());
}

#[test]
fn what_engines_say_of_where_they_stand_is_told_with_the_reason() {
    let mut talks = script("talks", &[FAIL]);
    talks.says = "frame 1 needs an odd number";
    let silent = script("silent", &[FAIL]);
    let (verdict, _) = World::new(COUNTED, &[&talks, &silent]).run(honest());
    let verdict = verdict.unwrap();
    assert!(verdict.reason.is_some());
    assert_eq!(verdict.explanations, [("talks", "frame 1 needs an odd number".to_owned())]);
    talks.turns = vec![FIND];
    let (verdict, _) = World::new(COUNTED, &[&talks]).run(honest());
    assert!(verdict.unwrap().explanations.is_empty(), "there is nothing to explain");
}

#[test]
fn the_budget_of_candidates_is_kept_by_all_engines_together() {
    let one = script("one", &vec![Turn::Give(&[NOTHING; 30]); 50]);
    let two = script("two", &vec![Turn::Give(&[NOTHING; 7]); 50]);
    let (verdict, _) = World::new(Budget::Candidates(100), &[&one, &two]).run(honest());
    assert_eq!(verdict.unwrap().effort.candidates, 100);
}

/// A second engine is a file of its own and a line of the registry; nothing else knows of it.
#[test]
fn another_engine_takes_part() {
    let registry = Registry::new(engines::all().iter().copied().chain([random::REGISTRATION]));
    let found_by = |names: &[&str]| {
        let mut world = World::new(COUNTED, &[]);
        world.settings.engines = registry.choose(names, &|_| String::new()).unwrap();
        let verdict = world.run(honest()).0.unwrap();
        assert!(verdict.is_success());
        (verdict.engine, verdict.effort.candidates)
    };
    assert_eq!(found_by(&["random"]).0, Some("random"));
    // The other one cannot make a candidate for a program that is not there, and is in nobody's way.
    assert_eq!(found_by(&["auto"]), found_by(&["auto"]), "the same seed and budget give the same run");
}
