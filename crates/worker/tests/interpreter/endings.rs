//! How candidates end, and what is told of it.

use super::process::{Worker, fixture};
use super::{expect, run_on, summary};
use recipe::{End, parse};
use testing::{jar, jdks};

#[test]
fn completed_and_thrown() {
    expect(&[
        ("v0: int = 1", "Completed"),
        ("", "Completed"),
        (
            r#"v0: fixture.Members = new fixture.Members(java.lang.String "n")
               call v0->fixture.Members.deep(int 2)"#,
            r#"1: IllegalStateException "deep" [Members.deep Members.deep Members.deep]"#,
        ),
        (
            r#"v0: fixture.Members = new fixture.Members(java.lang.String "n")
               call v0->fixture.Members.wrap()"#,
            "1: RuntimeException \"wrapped\" [Members.wrap] caused by \
             IllegalStateException \"deep\" [Members.deep Members.deep Members.wrap]",
        ),
        ("v0: fixture.Members = null(fixture.Members) call v0->fixture.Members.wrap()", "1: NullPointerException []"),
        ("call fixture.Broken.print() call fixture.Show.show(java.lang.Object 1)", "Integer 1"),
    ]);
}

#[test]
fn exceptions_that_misbehave() {
    expect(&[
        ("call fixture.Broken.mute()", "0: Broken$Mute []"),
        ("call fixture.Broken.ring()", "0: Broken$Ring [Broken.ring] caused by Broken$Ring [Broken.ring]"),
    ]);
    for jdk in jdks() {
        let outcomes = run_on(&jdk, &["call fixture.Broken.chain(int 1000)"]);
        let End::Threw { thrown, .. } = &outcomes[0].end else { panic!("{outcomes:?}") };
        let depth = std::iter::successors(Some(thrown), |t| t.cause.as_deref()).count();
        assert_eq!(depth, 24);
        assert_eq!(thrown.message.as_deref(), Some("link 999"));
    }
}

#[test]
fn a_stack_overflow_has_as_many_frames_as_the_vm_gives() {
    let text = r#"v0: fixture.Members = new fixture.Members(java.lang.String "n") call v0->fixture.Members.overflow()"#;
    for jdk in jdks() {
        for outcome in run_on(&jdk, &[text, text]) {
            let End::Threw { thrown, .. } = outcome.end else { panic!("{outcome:?}") };
            assert_eq!(thrown.class.simple(), "StackOverflowError");
            assert_eq!(thrown.stack.len(), 1024);
            assert!(thrown.stack.iter().all(|frame| frame.method.as_str() == "overflow" && frame.line.is_some()));
        }
    }
}

#[test]
fn memory_that_is_used_up() {
    expect(&[
        ("call fixture.Broken.fill()", "OutOfMemory"),
        ("call fixture.Show.show(java.lang.Object 1)", "Integer 1"),
    ]);
}

#[test]
fn static_initialisers() {
    expect(&[
        // Naming a class does not initialise it.
        (
            r#"v0: java.lang.Class = class fixture.Broken$Noisy
               v1: java.lang.String = call java.lang.System.getProperty(java.lang.String "noisy"): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            "null",
        ),
        (
            r#"v0: fixture.Broken$Noisy = new fixture.Broken$Noisy()
               v1: java.lang.String = call java.lang.System.getProperty(java.lang.String "noisy"): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            r#""initialised""#,
        ),
    ]);
    for jdk in jdks() {
        let outcomes = run_on(&jdk, &["call fixture.Broken$Uninitialisable.touch()"]);
        let End::Threw { thrown, .. } = &outcomes[0].end else { panic!("{outcomes:?}") };
        // No frames of the JDK's machinery either.
        assert_eq!(thrown.stack, []);
        let cause = thrown.cause.as_ref().unwrap();
        let frames: Vec<&str> = cause.stack.iter().map(|frame| frame.method.as_str()).collect();
        assert_eq!(frames, ["fail", "<clinit>"]);
    }
}

#[test]
fn what_cannot_be_linked() {
    expect(&[
        ("v0: x.Y = new x.Y()", "unlinkable: class x.Y is missing"),
        ("call fixture.Members.nope()", "unlinkable: fixture.Members.nope()V does not exist"),
        ("v0: int = get fixture.Members.nope: int", "unlinkable: fixture.Members.nope does not exist"),
        ("call fixture.Members.deep(int 1)", "unlinkable: fixture.Members.deep(I)V is not static"),
        ("v0: java.util.AbstractList = new java.util.AbstractList()", "unlinkable: java.util.AbstractList is abstract"),
        (
            // Swallowed by the program, still told.
            r#"v0: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                 java.util.concurrent.Callable.call(): java.lang.Object { call x.Y.z() }
               }
               v1: java.lang.Object = call fixture.Callbacks.callSwallowing(java.util.concurrent.Callable v0): java.lang.Object"#,
            "unlinkable: class x.Y is missing",
        ),
        ("try { call x.Y.z() } swallow", "unlinkable: class x.Y is missing"),
    ]);
    for jdk in jdks() {
        // Private in the JDK, whose modules are closed to a test only since 16. In JDK 8 the field is an array of characters.
        let of_jdk = match jdk.major {
            ..9 => "java.lang.String.value does not exist",
            9..16 => "",
            _ => "java.lang.String.value cannot be accessed",
        };
        let starts = [
            ("v0: byte[] = reflective get \"s\"->java.lang.String.value: byte[]", of_jdk),
            ("v0: fixture.Callbacks$Closed = subclass fixture.Callbacks$Closed() { }", "class fixture.$Reenact$"),
            ("v0: java.lang.Runnable = subclass x.Y() { }", "class x.Y is missing"),
        ];
        let texts: Vec<&str> = starts.iter().map(|(text, _)| *text).collect();
        for (outcome, (text, start)) in run_on(&jdk, &texts).iter().zip(starts) {
            match &outcome.end {
                End::Unlinkable { what } => assert!(!start.is_empty() && what.starts_with(start), "{text}: {what}"),
                end => assert!(start.is_empty() && *end == End::Completed, "{text}: {outcome:?}"),
            }
        }
    }
}

#[test]
fn malformed_recipes_are_refused_one_by_one() {
    let recipes = ["v0: int = cast v9", "cast 1", "v0: int = 1"].map(|text| parse(text).unwrap());
    let outcomes = Worker::start(&jdks()[0], &[fixture()]).run(&recipes);
    let told: Vec<String> = outcomes.iter().map(|outcome| summary(&outcome.end)).collect();
    assert_eq!(told, ["unlinkable: variable v9 is not defined", "unlinkable: a cast to nothing", "Completed"]);
}

#[test]
fn threads_that_are_left_behind_are_counted() {
    for jdk in jdks() {
        let leak = "call fixture.Callbacks.leak()";
        let outcomes = run_on(&jdk, &["v0: int = 1", leak, "v0: int = 1", &format!("{leak} {leak}"), "v0: int = 1"]);
        let leaked: Vec<u32> = outcomes.iter().map(|outcome| outcome.leaked_threads).collect();
        assert_eq!(leaked, [0, 1, 0, 2, 0]);
    }
}

#[test]
fn many_answers_do_not_fit_at_once() {
    let text = r#"v0: fixture.Members = new fixture.Members(java.lang.String "n") call v0->fixture.Members.overflow()"#;
    let show =
        |n: u32| format!("call fixture.Callbacks.fail(java.lang.String \"{}\")", "x".repeat(8000 + n as usize % 7));
    let recipes: Vec<_> =
        (0..1500).map(|n| parse(&if n % 100 == 0 { text.to_owned() } else { show(n) }).unwrap()).collect();
    let outcomes = Worker::start(&jdks()[0], &[fixture()]).run(&recipes);
    for (n, outcome) in outcomes.iter().enumerate() {
        let End::Threw { thrown, .. } = &outcome.end else { panic!("{outcome:?}") };
        assert_eq!(thrown.class.simple() == "StackOverflowError", n % 100 == 0);
    }
}

#[test]
fn what_the_program_leaves_behind_does_not_stop_the_next_one() {
    expect(&[
        (
            "v0: fixture.Broken$Zone = new fixture.Broken$Zone()
             call java.util.TimeZone.setDefault(java.util.TimeZone v0)
             v1: java.util.Properties = new java.util.Properties()
             call java.lang.System.setProperties(java.util.Properties v1)
             v2: java.lang.Thread = call java.lang.Thread.currentThread(): java.lang.Thread
             call v2->java.lang.Thread.interrupt()
             call v2->java.lang.Thread.setContextClassLoader(java.lang.ClassLoader null(java.lang.ClassLoader))
             v3: java.io.PrintStream = get java.lang.System.out: java.io.PrintStream
             call v3->java.io.PrintStream.close()
             call java.lang.System.setOut(java.io.PrintStream null(java.io.PrintStream))",
            "Completed",
        ),
        (
            r#"v0: java.lang.Thread = call java.lang.Thread.currentThread(): java.lang.Thread
               v1: boolean = call v0->java.lang.Thread.isInterrupted(): boolean
               v2: java.lang.ClassLoader = call v0->java.lang.Thread.getContextClassLoader(): java.lang.ClassLoader
               v3: java.lang.Class = call v2->java.lang.ClassLoader.loadClass(java.lang.String "fixture.Members"): java.lang.Class
               v4: java.lang.String = call java.lang.System.getProperty(java.lang.String "file.separator"): java.lang.String
               v5: java.util.TimeZone = call java.util.TimeZone.getDefault(): java.util.TimeZone
               call fixture.Broken.print()
               v6: java.lang.Object[] = array java.lang.Object {v1, v3, v4}
               call fixture.Show.show(java.lang.Object v6)"#,
            r#"Object[] {Boolean false, Class class fixture.Members, "/"}"#,
        ),
    ]);
}

#[test]
fn constants_are_forgotten_together() {
    let show = |n: usize| parse(&format!("call fixture.Callbacks.fail(java.lang.String \"text {n}\")")).unwrap();
    let mut worker = Worker::start(&jdks()[0], &[fixture()]);
    for round in 0..4 {
        let recipes: Vec<_> = (0..20_000).map(|n| show(round * 15_000 + n)).collect();
        for (n, outcome) in worker.run(&recipes).iter().enumerate() {
            let End::Threw { thrown, .. } = &outcome.end else { panic!("{outcome:?}") };
            assert_eq!(thrown.message.as_deref(), Some(&*format!("text {}", round * 15_000 + n)));
        }
    }
}

#[test]
fn a_text_larger_than_the_heap_is_the_candidates_problem() {
    expect(&[
        (r#"call fixture.Callbacks.fail(java.lang.String "0123456789abcdef" * 100000000)"#, "OutOfMemory"),
        (
            r#"call fixture.Callbacks.fail(java.lang.String "small")"#,
            r#"0: IllegalArgumentException "small" [Callbacks.fail]"#,
        ),
    ]);
}

/// A crash of a real library.
#[test]
fn a_library_throws_from_the_line_it_throws_from() {
    let recipe = parse(
        "v0: java.util.ArrayList = collect ArrayList [\"a\"]
         v1: org.apache.commons.collections.Buffer = new org.apache.commons.collections.buffer.BoundedFifoBuffer(int 0)",
    )
    .unwrap();
    let collections = jar("commons-collections:commons-collections:3.1");
    for jdk in jdks() {
        let outcomes = Worker::start(&jdk, std::slice::from_ref(&collections)).run(std::slice::from_ref(&recipe));
        let End::Threw { stmt: 1, thrown } = &outcomes[0].end else { panic!("{outcomes:?}") };
        assert_eq!(thrown.message.as_deref(), Some("The size must be greater than 0"));
        assert_eq!(thrown.stack.len(), 1);
        assert_eq!((thrown.stack[0].method.as_str(), thrown.stack[0].line), ("<init>", Some(93)));
    }
}
