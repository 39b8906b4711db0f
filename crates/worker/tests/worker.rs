//! Workers with the real VM in them: what candidates can and cannot do to each other.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::{Cache, ClassPath, MethodRef, Program};
use recipe::{Access, Action, Arg, Block, End, Limit, Literal, Recipe, Stmt, parse};
use splice::{ProbeKind, ProbeSite};
use std::sync::Arc;
use testing::{Jdk, fixtures, jdks};
use worker::{Case, Taint, WorkerConfig, WorkerFailure, WorkerPool};

fn config(jdk: &Jdk) -> WorkerConfig {
    let command = vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()];
    let mut config = WorkerConfig::new(command, &jdk.home, vec![fixtures().to_path_buf()]);
    config.sandboxed = testing::can_lock_up();
    config.limits.milliseconds = 300;
    // A candidate that has to be stopped several times takes its time on a busy machine.
    config.grace = std::time::Duration::from_secs(6);
    if jdk.major >= 9 {
        // For the one candidate that looks inside the JDK.
        config.vm_args.push("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED".into());
    }
    config
}

fn pool(jdk: &Jdk) -> WorkerPool {
    WorkerPool::new(config(jdk)).unwrap()
}

/// A recipe that calls one static method of `Candidates`.
fn call(name: &str, ints: &[i32]) -> Recipe {
    let descriptor = format!("({})V", "I".repeat(ints.len()));
    let action = Action::Call {
        method: MethodRef::new("Candidates", name, &descriptor),
        receiver: None,
        args: ints.iter().map(|int| Arg::Literal(Literal::Int(*int))).collect(),
        access: Access::Public,
    };
    Recipe { classes: Vec::new(), body: Block { stmts: vec![Stmt { def: None, action }] } }
}

fn calls(names: &[&str]) -> Vec<Recipe> {
    names.iter().map(|name| call(name, &[])).collect()
}

fn threw(case: &Case) -> &str {
    match &case.end {
        End::Threw { thrown, .. } => thrown.class.as_internal(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn endings_of_all_kinds() {
    for jdk in jdks() {
        let mut pool = pool(&jdk);
        let expected: [(&str, End, Option<Taint>); 28] = [
            ("fine", End::Completed, None),
            ("spin", End::Stopped(Limit::Steps), None),
            ("swallowSteps", End::Stopped(Limit::Steps), None),
            ("exit", End::Exited { status: 3 }, None),
            ("halt", End::Exited { status: 4 }, None),
            ("swallowedExit", End::Exited { status: 5 }, None),
            ("largeArray", End::Stopped(Limit::ArrayLength), None),
            ("largeTable", End::Stopped(Limit::ArrayLength), None),
            ("largeList", End::Stopped(Limit::ArrayLength), None),
            ("largeText", End::Stopped(Limit::ArrayLength), None),
            ("leaveFiles", End::Completed, None),
            ("leaveFiles", End::Completed, None),
            ("waitForEver", End::Stopped(Limit::Time), None),
            ("registerBean", End::Completed, None),
            ("registerBean", End::Completed, None),
            ("leaveThread", End::Completed, None),
            ("leaveTimer", End::Completed, None),
            ("leaveServer", End::Completed, None),
            ("waitTogether", End::Stopped(Limit::Time), None),
            ("waitForEver", End::Stopped(Limit::Time), None),
            ("fine", End::Completed, None),
            ("spinInJdk", End::Stopped(Limit::Time), Some(Taint::Interrupted)),
            ("sleep", End::Stopped(Limit::Time), Some(Taint::Interrupted)),
            ("swallowTime", End::Stopped(Limit::Time), Some(Taint::Interrupted)),
            ("fine", End::Completed, None),
            ("unstoppable", End::Stopped(Limit::Time), Some(Taint::Died)),
            ("crash", End::VmDied { signal: Some(libc::SIGSEGV) }, Some(Taint::Died)),
            ("fine", End::Completed, None),
        ];
        let names: Vec<&str> = expected.iter().map(|(name, ..)| *name).collect();
        let cases = pool.run(&calls(&names)).unwrap();
        for ((name, end, taint), case) in expected.iter().zip(&cases) {
            assert_eq!((&case.end, &case.taint), (end, taint), "{name} on {}", jdk.major);
        }
        // The ones that were replaced, the one in use, and its spare.
        assert_eq!(pool.statistics().started, 5 + 2, "{:?}", pool.statistics());
    }
}

#[test]
fn errors_of_the_vm_replace_the_worker_if_they_did_harm() {
    for jdk in jdks() {
        let mut config = config(&jdk);
        // Collecting garbage takes its time.
        config.limits.milliseconds = 2000;
        config.heap = 64;
        let mut pool = WorkerPool::new(config).unwrap();
        let cases = pool
            .run(&calls(&["overflow", "nullPointer", "memory", "failingInitialiser", "failingInitialiser"]))
            .unwrap();
        assert_eq!((threw(&cases[0]), cases[0].taint), ("java/lang/StackOverflowError", None));
        assert_eq!((threw(&cases[1]), cases[1].taint), ("java/lang/NullPointerException", None));
        assert_eq!(cases[2].taint, Some(Taint::OutOfMemory));
        // The second time as the first: not `NoClassDefFoundError`.
        for case in &cases[3..] {
            let expected = ("java/lang/ExceptionInInitializerError", Some(Taint::Initialiser));
            assert_eq!((threw(case), case.taint), expected);
        }
        // Memory that was never there has not been used up; older JDKs do not say how much was asked for.
        if jdk.major >= 17 {
            let cases = pool.run(&calls(&["tooLargeBuffer"])).unwrap();
            assert_eq!((&cases[0].end, cases[0].taint), (&End::OutOfMemory, None));
        }
    }
}

#[test]
fn too_many_threads_are_refused() {
    for jdk in jdks() {
        let mut config = config(&jdk);
        config.limits.threads = 16;
        let mut pool = WorkerPool::new(config).unwrap();
        let cases = pool.run(&calls(&["threads", "fine"])).unwrap();
        assert_eq!(cases[0].end, End::Stopped(Limit::Threads));
        assert_eq!(cases[1].end, End::Completed);
    }
}

/// A turn is a step, in whatever thread.
/// An initialiser that is cut short leaves its class unusable, which for a class of the JDK nobody puts right.
#[test]
fn a_limit_inside_an_initialiser_of_the_jdk_replaces_the_worker() {
    for jdk in jdks() {
        let cases = pool(&jdk).run(&calls(&["threadsInInitialiserOfJdk", "zones"])).unwrap();
        assert_eq!((&cases[0].end, cases[0].taint), (&End::Stopped(Limit::Threads), Some(Taint::Initialiser)));
        assert_eq!(cases[1].end, End::Completed);
    }
}

#[test]
fn loops_of_recipes_are_stopped() {
    for jdk in jdks() {
        let mut config = config(&jdk);
        config.limits.steps = 10_000;
        config.limits.milliseconds = 60_000;
        let mut pool = WorkerPool::new(config).unwrap();
        let endless = "repeat 2147483647 { v0: int = 1 }";
        let cases = pool
            .run(&[
                parse(endless).unwrap(),
                parse(&format!("try {{ {endless} }} swallow")).unwrap(),
                parse("v0: int = repeat 2147483647 from 1 as v1: int { next v1 }").unwrap(),
                parse(&format!("thread {{ {endless} }}")).unwrap(),
                parse(&format!("together {{ {endless} }} and {{ {} }}", endless.replace("v0", "v1"))).unwrap(),
                parse("repeat 9000 { v0: int = 1 } call Candidates.fine()").unwrap(),
            ])
            .unwrap();
        for case in &cases[..5] {
            assert_eq!((&case.end, case.taint), (&End::Stopped(Limit::Steps), None));
        }
        assert_eq!(cases[5].end, End::Completed);
        assert!(cases[5].cost.steps >= 9000, "{:?}", cases[5].cost);
    }
}

#[test]
fn bodies_that_run_together_keep_to_the_limits() {
    let together = |count: usize, body: &str| {
        parse(&format!("together {}", vec![format!("{{ {body} }}"); count].join(" and "))).unwrap()
    };
    for jdk in jdks() {
        let cases = pool(&jdk).run(&[together(2, "call Candidates.waitForEver()")]).unwrap();
        assert_eq!(cases[0].end, End::Stopped(Limit::Time), "on {}", jdk.major);

        let mut config = config(&jdk);
        config.limits.threads = 16;
        config.limits.milliseconds = 60_000;
        let mut pool = WorkerPool::new(config).unwrap();
        let recipes = [
            // Loading their class, the JDK may start a thread of its own.
            together(12, "call Candidates.fine()"),
            together(17, "call Candidates.fine()"),
            together(2, "call Candidates.exit()"),
            together(1, "call Candidates.fine()"),
        ];
        let ends: Vec<End> = pool.run(&recipes).unwrap().into_iter().map(|case| case.end).collect();
        let expected = [End::Completed, End::Stopped(Limit::Threads), End::Exited { status: 3 }, End::Completed];
        assert_eq!(ends, expected, "on {}", jdk.major);
    }
}

#[test]
fn statics_start_afresh_for_every_candidate() {
    for jdk in jdks() {
        let mut pool = pool(&jdk);
        let mut names = Vec::new();
        for _ in 0..50 {
            names.extend(["cleanSlate", "dirty", "cleanSlate", "dirty", "dirty", "nullPointer"]);
        }
        let cases = pool.run(&calls(&names)).unwrap();
        for (name, case) in names.iter().zip(&cases) {
            match *name {
                "nullPointer" => assert_eq!(threw(case), "java/lang/NullPointerException"),
                _ => assert_eq!(case.end, End::Completed, "{name} on {}", jdk.major),
            }
            assert_eq!(case.taint, None, "{name}");
        }
        assert_eq!(pool.statistics().started, 1, "one worker");
    }
}

/// It would never end if the thread had to wait for the initialiser.
#[test]
fn initialisers_may_wait_for_threads() {
    for jdk in jdks() {
        let mut pool = pool(&jdk);
        for case in pool.run(&calls(&["awaitThread", "awaitThread", "dirty", "awaitThread"])).unwrap() {
            assert_eq!((&case.end, case.taint), (&End::Completed, None), "on {}", jdk.major);
        }
    }
}

/// An enum is not initialised again, since its constants are compared by identity; its fields get back what they held.
#[test]
fn fields_of_enums_are_put_back() {
    for jdk in jdks() {
        let mut pool = pool(&jdk);
        let cases =
            pool.run(&calls(&["readEnum", "writeEnum", "readEnum", "writeEnum", "writeEnum", "readEnum"])).unwrap();
        for case in &cases {
            assert_eq!((&case.end, case.taint), (&End::Completed, None), "on {}", jdk.major);
        }
        assert_eq!(pool.statistics().started, 1, "one worker");
    }
}

/// A thread that dies of an exception, and one that waits for ever.
const DYING: &str = "v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() {
    call java.lang.Thread.sleep(long 20L) v1: java.lang.IllegalStateException = new java.lang.IllegalStateException() throw v1 } }
    v2: java.lang.Thread = new java.lang.Thread(java.lang.Runnable v0)
    call v2->java.lang.Thread.start()";
const WAITING: &str = "v3: java.lang.Object = new java.util.concurrent.SynchronousQueue()
    v4: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() {
    v5: java.util.concurrent.SynchronousQueue = cast v3
    call v5->java.util.concurrent.SynchronousQueue.take(): java.lang.Object } }
    v6: java.lang.Thread = new java.lang.Thread(java.lang.Runnable v4)
    call v6->java.lang.Thread.start()";
const KEEPING: &str = "v7: java.lang.Thread$UncaughtExceptionHandler = lambda java.lang.Thread$UncaughtExceptionHandler {
    java.lang.Thread$UncaughtExceptionHandler.uncaughtException(v8: java.lang.Thread, v9: java.lang.Throwable) { keep v9 } }
    call java.lang.Thread.setDefaultUncaughtExceptionHandler(java.lang.Thread$UncaughtExceptionHandler v7)";

#[test]
fn exceptions_that_end_threads_are_kept_for_the_end() {
    for jdk in jdks() {
        let class_path = ClassPath::parse([fixtures()]).unwrap();
        let (program, _) = Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap();
        let mut pool = pool(&jdk).with_program(Arc::new(program));
        let last = "call java.lang.Math.abs(int 1): int";
        let texts = [
            (format!("{DYING}\n{last}"), None),
            (format!("capture\n{DYING}\n{last}"), Some(4)),
            (format!("{KEEPING}\n{DYING}\n{last}"), Some(5)),
            (format!("capture\n{WAITING}\n{last}"), None),
            (format!("capture\n{WAITING}\n{DYING}\n{last}"), Some(8)),
            (last.to_owned(), None),
        ];
        let recipes: Vec<Recipe> = texts.iter().map(|(text, _)| parse(text).unwrap()).collect();
        for ((text, thrown_at), case) in texts.iter().zip(pool.run(&recipes).unwrap()) {
            match thrown_at {
                None => assert_eq!(case.end, End::Completed, "{text} on {}", jdk.major),
                Some(at) => {
                    assert_eq!(threw(&case), "java/lang/IllegalStateException", "{text} on {}", jdk.major);
                    assert!(matches!(case.end, End::Threw { stmt, .. } if stmt == *at), "{text}: {:?}", case.end);
                }
            }
        }
    }
}

#[test]
fn files_are_linked_and_deleted() {
    let file = "v0: java.io.File = file \"a.txt\" \"text\"\nv1: java.io.File = link v0";
    let read = "v2: java.io.FileInputStream = new java.io.FileInputStream(java.io.File v1)";
    let write = "v3: java.io.FileOutputStream = new java.io.FileOutputStream(java.io.File v1)";
    for jdk in jdks() {
        let texts = [
            format!("{file}\n{read}"),
            format!("{file}\ndelete v0\n{read}"),
            format!("{file}\nunwritable v1\nunreadable v0\n{write}"),
        ];
        let recipes: Vec<Recipe> = texts.iter().map(|text| parse(text).unwrap()).collect();
        let cases = pool(&jdk).run(&recipes).unwrap();
        assert_eq!(cases[0].end, End::Completed, "on {}", jdk.major);
        assert_eq!(threw(&cases[1]), "java/io/FileNotFoundException", "on {}", jdk.major);
        // Permissions do not hold for root.
        let is_root = std::fs::read_to_string("/proc/self/status").unwrap().contains("Uid:\t0\t0");
        assert_eq!(cases[2].end == End::Completed, is_root, "{:?} on {}", cases[2].end, jdk.major);
    }
}

#[test]
fn pools_of_threads_are_ended() {
    for jdk in jdks() {
        let mut pool = pool(&jdk);
        let cases = pool.run(&calls(&["leavesPool", "dirty", "leavesPool", "leavesPool", "dirty"])).unwrap();
        for case in &cases {
            assert_eq!((&case.end, case.taint), (&End::Completed, None), "on {}", jdk.major);
        }
        assert_eq!(pool.statistics().started, 1, "one worker");
    }
}

/// They stay in their VM for as long as it lives.
#[test]
fn workers_have_only_so_many_classes_made_for_candidates() {
    let jdk = jdks().remove(0);
    let mut config = config(&jdk);
    config.most_classes = 50;
    let class_path = ClassPath::parse([fixtures()]).unwrap();
    let (program, _) = Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap();
    let mut pool = WorkerPool::new(config).unwrap().with_program(Arc::new(program));
    let recipe = |index: i32| {
        let declared = format!("declare class A {{ field x{index}: int }}");
        parse(&format!("{declared}\nv0: reenact.user.A = new reenact.user.A()")).unwrap()
    };
    let recipes: Vec<Recipe> = (0..200).map(recipe).collect();
    for case in pool.run(&recipes).unwrap() {
        assert_eq!((&case.end, case.taint), (&End::Completed, None));
    }
    let statistics = pool.statistics();
    assert!((3..=6).contains(&statistics.started), "{statistics:?}");
    assert_eq!((statistics.cases, statistics.repeated, statistics.taints.len()), (200, 0, 0));
}

#[test]
fn files_that_nobody_can_reach_are_closed() {
    for jdk in jdks() {
        let mut pool = pool(&jdk);
        // Ten at a time are more than the sandbox allows for before the last of them.
        let cases = pool.run(&vec![call("leaveOpen", &[10]); 600]).unwrap();
        let ends: Vec<&Case> = cases.iter().filter(|case| case.end != End::Completed || case.taint.is_some()).collect();
        assert!(ends.is_empty(), "{ends:?}");
    }
}

/// A class whose initialiser fails the second time costs one worker; from then on its fields get back what they held.
#[test]
fn fields_are_put_back_where_a_class_cannot_be_initialised_again() {
    for jdk in jdks() {
        let mut pool = pool(&jdk);
        let cases = pool.run(&calls(&["dirty", "writeOnce", "writeOnce", "dirty", "writeOnce", "writeOnce"])).unwrap();
        for case in &cases {
            assert_eq!((&case.end, case.taint), (&End::Completed, None), "on {}", jdk.major);
        }
        assert_eq!(pool.statistics().started, 3, "two workers and a spare");
    }
}

#[test]
fn readings_do_not_depend_on_the_batch() {
    for jdk in jdks() {
        let mut config = config(&jdk);
        config.probes.full.insert("Candidates".into());
        let mut pool = WorkerPool::new(config).unwrap();
        let recipes: Vec<Recipe> =
            [(3, 10), (10, 3), (3, 10), (0, 0)].iter().map(|(a, b)| call("compare", &[*a, *b])).collect();
        let together = pool.run(&recipes).unwrap();
        let alone: Vec<Case> =
            recipes.iter().rev().map(|recipe| pool.run(std::slice::from_ref(recipe)).unwrap().remove(0)).collect();
        for (a, b) in together.iter().zip(alone.iter().rev()) {
            assert_eq!((&a.end, &a.readings, a.cost.steps), (&b.end, &b.readings, b.cost.steps));
        }
        let case = &together[0];
        assert_eq!(case.readings.branches.len(), 2);
        let branch = case.readings.branches[0];
        // `if_icmpge`: 3 < 10 falls through, and would jump were 3 larger by 7.
        assert_eq!((branch.taken, branch.missed), (7.0, 0.0));
        let see = &mut |case: Case, sites: &[ProbeSite]| {
            let site = &sites[case.readings.branches[0].id.0 as usize];
            assert_eq!((site.method.name.as_str(), site.bci, &site.kind), ("compare", 2, &ProbeKind::Branch));
        };
        pool.run_each(&recipes[..1], see).unwrap();
        // "expected" is not "text3", and is measured, not just told apart.
        assert!(case.readings.branches[1].missed > 3.0, "{:?}", case.readings.branches);
        assert!(case.readings.lines.len() >= 3);
    }
}

#[test]
fn what_is_wrong_is_said() {
    let jdk = &jdks()[0];
    let mut bad = config(jdk);
    bad.java_home = "/no/such".into();
    let error = WorkerPool::new(bad).unwrap_err();
    assert_eq!(error.to_string(), "`/no/such` has no JVM library; it is not the home of a JDK or JRE");

    let mut bad = config(jdk);
    bad.vm_args.push("-XX:NoSuchOption=1".into());
    let error = WorkerPool::new(bad).unwrap().run(&calls(&["fine"])).unwrap_err();
    assert!(matches!(&error, WorkerFailure::GaveUp { error } if error.contains("the JVM does not start")), "{error}");
}
