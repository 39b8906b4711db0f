//! Targets that take a VM of another kind: stack overflows, and crashes in static initialisers.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::{Cache, ClassName, ClassPath, Program};
use recipe::{Aim, End, Observation, ProbePlan, Recipe, Runner, Thrown, parse};
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};
use testing::{Jdk, fixtures, jdks};
use worker::Taint;
use worker::{Host, HostConfig};

fn host(jdk: &Jdk) -> Host {
    host_of(jdk, vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()])
}

fn host_of(jdk: &Jdk, command: Vec<OsString>) -> Host {
    let class_path = vec![fixtures().to_path_buf()];
    let config = HostConfig {
        command,
        class_path: class_path.clone(),
        link: Vec::new(),
        allow_read: Vec::new(),
        vm_args: Vec::new(),
        sandboxed: testing::can_lock_up(),
        jobs: 1,
        repeatable: false,
    };
    let jdk = program::Jdk::at(&jdk.home).unwrap();
    let (program, _) = Program::open(&ClassPath::parse(&class_path).unwrap(), jdk, &Cache::none()).unwrap();
    Host::new(config, Arc::new(program))
}

fn plan(aim: Aim) -> ProbePlan {
    let classes = ["Targets", "Targets$Configured"].map(ClassName::internal).to_vec();
    ProbePlan { classes, aim, ..ProbePlan::default() }
}

fn recipes(texts: &[&str], times: usize) -> Vec<Recipe> {
    let once: Vec<Recipe> = texts.iter().map(|text| parse(text).unwrap()).collect();
    once.iter().cycle().take(times * once.len()).cloned().collect()
}

fn thrown(observation: &Observation) -> &Thrown {
    match &observation.end {
        End::Threw { thrown, .. } => thrown,
        other => panic!("{other:?}"),
    }
}

fn class(observation: &Observation) -> &str {
    thrown(observation).class.as_internal()
}

fn lines(observation: &Observation, method: &str) -> usize {
    observation.lines.iter().filter(|hit| hit.method.name.as_str() == method).count()
}

#[test]
fn stack_overflows_are_told_as_a_plain_vm_would() {
    let texts = ["call Targets.even(int 0): int", "call Targets.down(int 4000): int", "call Targets.survive()"];
    for jdk in jdks() {
        let mut host = host(&jdk);
        let seen = host.run(&recipes(&texts, 30), &plan(Aim::StackOverflow)).unwrap();
        for three in seen.chunks(3) {
            assert_eq!(class(&three[0]), "java/lang/StackOverflowError", "JDK {}", jdk.major);
            let stack = &thrown(&three[0]).stack;
            assert!(stack.len() > 1000, "{} frames", stack.len());
            // Probes and their callers may be where it overflows, but are no frames of the program.
            assert!(stack.iter().all(|frame| frame.class.as_internal() == "Targets" && !frame.is_test), "{stack:?}");
            let names: Vec<&str> = stack[1..].iter().map(|frame| frame.method.as_str()).collect();
            assert!(names.chunks_exact(2).all(|pair| pair[0] != pair[1] && ["even", "odd"].contains(&pair[0])));
            assert_eq!(three[1].end, End::Completed);
            assert_eq!(three[2].end, End::Completed);
            assert!(lines(&three[0], "odd") >= 3);
        }
        assert_eq!(host.statistics().started, 1, "{:?}", host.statistics());
    }
}

#[test]
fn an_initialiser_cut_short_by_an_overflow_costs_the_worker() {
    for jdk in jdks() {
        let mut host = host(&jdk);
        let recipes = recipes(&["call Targets.overflowInInitialiser(): int", "call Targets.even(int 0): int"], 2);
        let seen = host.run(&recipes, &plan(Aim::StackOverflow)).unwrap();
        assert!(seen.iter().all(|seen| class(seen) == "java/lang/StackOverflowError"), "{seen:?}");
        assert_eq!(host.statistics().taints.get(&Taint::Initialiser), Some(&2));
    }
}

#[test]
fn every_candidate_finds_classes_uninitialised() {
    const TWICE: &str = "property \"targets.value\" = \"y\"\n\
                         try { call Targets.configured(): int } swallow\ncall Targets.configured(): int";
    let texts = [
        "call Targets.configured(): int",
        "property \"targets.value\" = \"x\"\ncall Targets.configured(): int",
        TWICE,
        "call Targets.change()",
        "call Targets.self()",
        "v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() { call Targets.change() } }\n\
         call v0->java.lang.Runnable.run()",
    ];
    for jdk in jdks() {
        let mut host = host(&jdk);
        let seen = host.run(&recipes(&texts, 40), &plan(Aim::Initialiser)).unwrap();
        for six in seen.chunks(6) {
            assert_eq!(six[0].end, End::Completed);
            assert_eq!(class(&six[1]), "java/lang/ExceptionInInitializerError", "JDK {}", jdk.major);
            let cause = thrown(&six[1]).cause.as_ref().unwrap();
            assert_eq!(cause.message.as_deref(), Some("For input string: \"x\""));
            let of_program: Vec<_> = cause.stack.iter().filter(|frame| !is_jdk(frame)).collect();
            let names: Vec<&str> = of_program.iter().map(|frame| frame.method.as_str()).collect();
            assert_eq!(names, ["<clinit>", "configured"], "{cause:?}");
            assert_eq!(class(&six[2]), "java/lang/NoClassDefFoundError");
            for other in &six[3..] {
                assert_eq!(other.end, End::Completed);
            }
            // What the initialiser does is seen each time.
            assert!(lines(&six[0], "<clinit>") > 0 && lines(&six[1], "<clinit>") > 0);
        }
        assert_eq!(host.statistics().started, 1, "{:?}", host.statistics());
    }
}

fn is_jdk(frame: &recipe::StackFrame) -> bool {
    ["java/", "jdk/"].iter().any(|prefix| frame.class.as_internal().starts_with(prefix))
}

#[test]
fn aims_by_exception() {
    let aim = |class, message, methods: &[&'static str]| {
        Aim::of(ClassName::internal(class), message, methods.iter().copied())
    };
    assert_eq!(aim("java/lang/StackOverflowError", None, &["a", "<clinit>"]), Aim::StackOverflow);
    assert_eq!(aim("java/lang/ExceptionInInitializerError", None, &[]), Aim::Initialiser);
    let dead = Some("Could not initialize class a.B");
    assert_eq!(aim("java/lang/NoClassDefFoundError", dead, &["a"]), Aim::Initialiser);
    assert_eq!(aim("java/lang/NoClassDefFoundError", Some("a/B"), &["a"]), Aim::Exception);
    assert_eq!(aim("java/lang/IllegalStateException", None, &["a", "<clinit>", "b"]), Aim::Initialiser);
    assert_eq!(aim("java/lang/IllegalStateException", None, &["a", "<init>"]), Aim::Exception);
}

#[test]
fn what_comes_before_the_last_statement_counts_only_if_wanted() {
    let early =
        "v0: int = call Targets.down(int 3): int\ncall Targets.change()\ncall Targets.change()\ncall Targets.self()";
    let text = "v0: int = call Targets.down(int 3): int\nv1: int = call Targets.configured(): int";
    for jdk in jdks() {
        let mut host = host(&jdk);
        for last_statement_only in [false, true] {
            let plan = ProbePlan { last_statement_only, ..plan(Aim::Exception) };
            let seen = host.run(&recipes(&[text], 3), &plan).unwrap();
            for one in &seen {
                assert_eq!(lines(one, "down") == 0, last_statement_only, "JDK {}: {:?}", jdk.major, one.lines);
                assert!(lines(one, "configured") > 0, "JDK {}", jdk.major);
            }
            // It throws before its last statement.
            let seen = host.run(&recipes(&[early], 3), &plan).unwrap();
            for one in &seen {
                assert_eq!(class(one), "java/lang/IllegalStateException");
                assert_eq!(one.lines.is_empty(), last_statement_only, "JDK {}: {:?}", jdk.major, one.lines);
            }
        }
    }
}

/// A machine may be so busy, or a class path so large, that the first worker is not up when the time is.
#[test]
fn the_first_worker_is_not_waited_for_beyond_the_deadline() {
    let mut host = host_of(&jdks()[0], vec!["sleep".into(), "3600".into()]);
    host.set_deadline(Some(Instant::now() + Duration::from_millis(100)));
    assert_eq!(host.run(&[Recipe::default()], &ProbePlan::default()).unwrap(), []);
}
