//! The comparison, case by case: the application is `app.*`, the test is `t.*`.

use crash_report::Throwable;
use crash_report::compare::{Comparing, Comparison, Grade, MessageMatch, Tolerance, compare, compare_chain};
use crash_report::parse;

const NPE: &str = "java.lang.NullPointerException";

/// A trace of one exception: `head` and frames like `app.A.b:12`, several exceptions parted by `<`.
fn trace(text: &str) -> Throwable {
    let mut printed = String::new();
    for (i, block) in text.split('<').enumerate() {
        let (head, frames) = block.trim().split_once('|').expect("head | frames");
        printed.push_str(&format!("{}{}\n", if i > 0 { "Caused by: " } else { "" }, head.trim()));
        for frame in frames.split_whitespace() {
            let (name, line) = frame.split_once(':').unwrap_or((frame, ""));
            let place = if line.is_empty() { "Unknown Source".to_owned() } else { format!("F.java:{line}") };
            printed.push_str(&format!("\tat {name}({place})\n"));
        }
    }
    let mut report = parse(printed.as_bytes());
    assert_eq!(report.traces.len(), 1, "{printed}");
    report.traces.remove(0).throwable
}

fn how() -> Comparing<'static> {
    Comparing {
        is_application: &|class| class.starts_with("app."),
        is_test: &|class| class.starts_with("t."),
        lines: true,
        reachable: None,
        // Lines 10 to 12 are one statement, and so on.
        same_statement: Some(&|_, _, a, b| a / 10 == b / 10),
        same_template: None,
    }
}

fn compared(expected: &str, actual: &str) -> Comparison {
    compare(&trace(expected), &trace(actual), &how())
}

/// `exact, tolerant if better`
fn grades(c: &Comparison) -> String {
    match c.is_tolerant() {
        true => format!("{}, {} {:?}", c.exact.grade, c.tolerant.grade, c.tolerances),
        false if c.exact.grade == Grade::FullStack => c.graded().to_string(),
        false => c.exact.grade.to_string(),
    }
}

#[track_caller]
fn check(expected: &str, actual: &str, grade: &str) {
    assert_eq!(grades(&compared(expected, actual)), grade, "{expected}  ~  {actual}");
}

#[test]
fn grades_of_exact_matches() {
    let three = &format!("{NPE} | app.A.a:1 app.B.b:2 app.C.c:3");
    check(three, &format!("{NPE} | app.A.a:1 app.B.b:2 app.C.c:3 t.T.x:1 org.junit.R.r:9"), "full-stack+message");
    check(three, &format!("{NPE} | app.A.a:1 app.B.b:2 t.T.x:1"), "frames 2/3");
    check(three, &format!("{NPE} | app.A.a:1 t.T.x:1"), "crash-line");
    check(three, &format!("{NPE} | app.A.a:99 app.B.b:2 app.C.c:3"), "none");
    check(three, "java.lang.Error | app.A.a:1 app.B.b:2 app.C.c:3", "none");
    check("NullPointerException | app.A.a:1", &format!("{NPE} | app.A.a:1"), "full-stack+message");
}

#[test]
fn jdk_and_glue_frames_are_left_out_on_both_sides() {
    check(
        &format!("{NPE} | java.util.List.of:1 app.A.a:1 sun.reflect.NativeMethodAccessorImpl.invoke0 app.B.b:2"),
        &format!(
            "{NPE} | app.A.a:1 jdk.internal.reflect.DirectMethodHandleAccessor.invoke:103 app.B$$Lambda/0x1.run app.B.b:2"
        ),
        "full-stack+message",
    );
}

#[test]
fn foreign_frames_end_the_match_unless_the_report_has_one_too() {
    let plain = format!("{NPE} | app.A.a:1 app.B.b:2");
    let called_back = format!("{NPE} | app.A.a:1 lib.X.x:5 app.B.b:2");
    check(&plain, &format!("{NPE} | app.A.a:1 t.T.callback:3 app.B.b:2"), "crash-line");
    check(&called_back, &format!("{NPE} | app.A.a:1 t.T.callback:3 app.B.b:2"), "full-stack+message");
    check(&called_back, &format!("{NPE} | app.A.a:1 app.B.b:2"), "full-stack+message");
    check(&plain, &format!("{NPE} | t.T.callback:3 app.A.a:1 app.B.b:2"), "none");
}

#[test]
fn frames_of_libraries_between_two_of_the_application_do_not_count() {
    let plain = format!("{NPE} | app.A.a:1 app.B.b:2 app.C.c:3");
    let through = format!("{NPE} | app.A.a:1 lib.X.x:5 app.B.b:2 lib.Y.y:6 lib.Z.z:7 app.C.c:3");
    let otherwise = format!("{NPE} | app.A.a:1 lib.X.other:9 lib.X.x:5 app.B.b:2 lib.New.y:1 app.C.c:3 lib.Z.z:1");
    for (reported, actual) in [(&plain, &through), (&through, &plain), (&through, &otherwise), (&plain, &otherwise)] {
        check(reported, actual, "full-stack+message");
    }
    check(&plain, &format!("{NPE} | lib.X.x:5 app.A.a:1 app.B.b:2 app.C.c:3"), "none");
    check(&plain, &format!("{NPE} | app.A.a:1 lib.X.x:5 t.T.t:1 app.B.b:2 app.C.c:3"), "crash-line");
    check(&plain, &format!("{NPE} | app.A.a:1 lib.X.x:5 app.Other.b:2 app.C.c:3"), "crash-line");
}

#[test]
fn a_line_that_is_not_known_is_no_difference() {
    check(&format!("{NPE} | app.A.a app.B.b:2"), &format!("{NPE} | app.A.a:1 app.B.b"), "full-stack+message");
    let (a, b) = (trace(&format!("{NPE} | app.A.a:1")), trace(&format!("{NPE} | app.A.a:2")));
    let how = Comparing { lines: false, ..how() };
    assert_eq!(compare(&a, &b, &how).exact.grade, Grade::FullStack);
}

#[test]
fn causes_have_the_same_types_and_top_frames() {
    let two = "app.XException | app.A.a:1 app.B.b:2 < java.io.IOException | java.io.F.f:9 app.C.c:3 app.D.d:4";
    check(two, two, "full-stack+message");
    check(
        two,
        "app.XException | app.A.a:1 app.B.b:2 < java.io.IOException | app.C.c:3 app.E.e:4",
        "full-stack+message",
    );
    check(two, "app.XException | app.A.a:1 app.B.b:2 < java.io.IOException | app.E.e:4", "crash-line");
    check(two, "app.XException | app.A.a:1 app.B.b:2 < java.lang.Error | app.C.c:3", "crash-line");
    check(two, "app.XException | app.A.a:1 app.B.b:2", "crash-line");
    // More causes than reported are no difference.
    check("app.XException | app.A.a:1 app.B.b:2", two, "full-stack+message");
}

#[test]
fn what_the_report_does_not_name_may_be_another() {
    let nameless = |mut trace: Throwable, depth: usize| {
        let mut at = &mut trace;
        for _ in 0..depth {
            at = at.cause.as_mut().expect("it has a cause");
        }
        at.class.clear();
        trace
    };
    let two = "app.XException | app.A.a:1 app.B.b:2 < java.io.IOException | app.C.c:3";
    let cases = [
        (two, 0, "frames 2/2", "the log does not say which exception it is; `app.XException` was thrown"),
        (two, 1, "frames 2/2", "the log does not say which exception cause 1 is; here it is `java.io.IOException`"),
        ("app.X | app.A.a:1", 0, "crash-line", "the log does not say which exception it is; `app.X` was thrown"),
    ];
    for (log, depth, grade, difference) in cases {
        let found = compare(&nameless(trace(log), depth), &trace(log), &how());
        assert_eq!(found.exact.grade.to_string(), grade, "{log}");
        assert_eq!(found.difference.map(|difference| difference.to_string()).as_deref(), Some(difference), "{log}");
        assert_eq!(found.exact.matched, found.exact.of);
    }
    let all = nameless(trace(two), 0);
    let reachable = compare(&all, &trace(two), &Comparing { reachable: Some(2), ..how() });
    assert!(!reachable.exact.grade.is_full() && !reachable.tolerant.grade.is_full(), "{reachable:?}");
}

#[test]
fn frames_that_no_test_can_see_are_not_missed() {
    let log = "app.XException | app.A.a:1 app.B.b:2 app.C.c:3 app.D.d:4 < java.lang.Error | app.E.e:5";
    let cases = [
        (
            "app.XException | app.A.a:1 app.B.b:2 app.C.c:3 app.D.d:4 < java.lang.Error | app.E.e:5",
            "full-stack+message",
        ),
        // It got further than it can, so nobody knows how far it can get.
        ("app.XException | app.A.a:1 app.B.b:2 app.C.c:3 < java.lang.Error | app.E.e:5", "frames 3/4+message"),
        ("app.XException | app.A.a:1 app.B.b:2 < java.lang.Error | app.E.e:5", "full-reachable+message"),
        ("app.XException | app.A.a:1 < java.lang.Error | app.E.e:5", "crash-line+message"),
        // The causes belong to what a test can see.
        ("app.XException | app.A.a:1 app.B.b:2 < java.lang.Error | app.F.f:5", "crash-line+message"),
    ];
    for (test, grade) in cases {
        let comparison = compare(&trace(log), &trace(test), &Comparing { reachable: Some(2), ..how() });
        assert_eq!(comparison.graded().to_string(), grade, "{test}");
        assert_eq!(comparison.difference.is_none(), comparison.exact.grade.is_full(), "{test}");
        assert_eq!(comparison.exact.of, 4);
    }
}

#[test]
fn a_stack_overflow_is_compared_as_the_set_of_frames_that_repeat() {
    let so = "java.lang.StackOverflowError";
    let walk = |n: usize| "app.T.walk:20 app.T.visit:30 ".repeat(n);
    check(
        &format!("{so} | app.T.leaf:5 {}", walk(40)),
        &format!("{so} | {} app.M.main:1", walk(9)),
        "full-stack+message",
    );
    check(&format!("{so} | {}", walk(40)), &format!("{so} | {}", "app.T.walk:20 ".repeat(9)), "crash-line");
    let c = compared(&format!("{so} | {}", walk(40)), &format!("{so} | {}", "app.T.walk:22 app.T.visit:30 ".repeat(9)));
    assert_eq!(grades(&c), "crash-line, full-stack [Statement]");
    assert_eq!((c.exact.matched, c.exact.of), (1, 2));
    assert_eq!(c.difference.expect("a difference").to_string(), "`app.T.walk(F.java:20)` does not repeat");
}

#[test]
fn tolerance_is_told_apart_from_an_exact_match() {
    let expected = format!("{NPE} | app.A.a:11 app.B.b:2");
    check(&expected, &format!("{NPE} | app.A.a:13 app.B.b:2"), "none, full-stack [Statement]");
    check(&expected, &format!("{NPE} | app.A.a:23 app.B.b:2"), "none");
    let accessor = format!("{NPE} | app.A.a:11 app.A.access$000:3 app.B.b:2");
    check(&accessor, &expected, "crash-line, full-stack [Glue]");
    check(&expected, &accessor, "crash-line, full-stack [Glue]");
    let bridge = format!("{NPE} | app.A.a:11 app.A.a:7 app.B.b:2");
    check(&bridge, &expected, "crash-line, full-stack [Glue]");
    check(&expected, &bridge, "crash-line, full-stack [Glue]");
}

#[test]
fn a_recursion_may_be_cut_at_another_depth() {
    let deep = |n: usize| format!("{NPE} | app.P.leaf:9 {} app.M.main:1", "app.P.term:20 app.P.expr:30 ".repeat(n));
    let c = compared(&deep(8), &deep(5));
    assert_eq!(c.tolerances, [Tolerance::Recursion]);
    assert_eq!(grades(&c), "frames 11/18, full-stack [Recursion]");
}

#[test]
fn messages() {
    let message = |a: &str, b: &str| {
        compared(&format!("app.XException: {a} | app.A.a:1"), &format!("app.XException: {b} | app.A.a:1"))
    };
    assert_eq!(message("index 5 of 3", "index 5 of 3").messages.verdict, MessageMatch::Exact);
    assert_eq!(message("index 5 of 3", "index -1 of 0").messages.verdict, MessageMatch::Template);
    assert_eq!(message("index 5 of 3", "index 5 of 3").graded().to_string(), "full-stack+message");
    assert_eq!(message("index 5 of 3", "index 4 of 3").graded().to_string(), "full-stack~message");
    assert_eq!(message("index 5", "no index").graded().to_string(), "full-stack");
    let helpful = compared(&format!("{NPE} | app.A.a:1"), &format!("{NPE}: Cannot invoke \"x\" | app.A.a:1"));
    assert_eq!(helpful.messages.verdict, MessageMatch::Unknown);
    let how = Comparing { same_template: Some(&|_, actual| actual.starts_with("no")), ..how() };
    let told = compare(&trace("app.XException: no a | app.A.a:1"), &trace("app.XException: no b | app.A.a:1"), &how);
    assert_eq!(told.messages.verdict, MessageMatch::Template);
}

/// The same words around another mishap: a wrapper says the same of every cause.
#[test]
fn messages_of_causes_count() {
    let wrapped = |cause: &str| format!("app.ServiceException: cannot load order | app.S.s:1 < {cause} | app.R.r:5");
    let log = wrapped("java.lang.IllegalStateException: no rate for 'EUR'");
    check(&log, &log, "full-stack+message");
    check(&log, &wrapped("java.lang.IllegalStateException: no rate for 'USD'"), "full-stack~message");
    check(&log, &wrapped("java.lang.IllegalStateException: closed"), "full-stack");
    check(&log, &wrapped("java.lang.IllegalStateException"), "full-stack");
    check(&log, "app.ServiceException: cannot load order | app.S.s:1", "none");
    let found = compared(&log, &wrapped("java.lang.IllegalStateException: closed")).messages;
    assert_eq!((found.each, found.verdict), (vec![MessageMatch::Exact, MessageMatch::Other], MessageMatch::Other));
    // What one JVM does not say is no difference, and no evidence either.
    let null = |text: &str| wrapped(&format!("{NPE}{text}"));
    let found = compared(&null(""), &null(": Cannot invoke \"String.length()\" because \"name\" is null")).messages;
    assert_eq!(found.verdict, MessageMatch::Exact);
    assert_eq!(
        found.ignored.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["what only one of the two JVMs says"]
    );
}

/// `new RuntimeException(cause)` takes over the cause's message, in the words of its JDK.
#[test]
fn what_a_message_repeats_of_its_cause_is_compared_once() {
    let wrapped = |message: &str| {
        let cause = format!("java.lang.ClassCastException: {message}");
        trace(&format!("app.XException: lost: {cause} | app.A.a:1 < {cause} | app.B.b:2"))
    };
    let (old, new) = ("a.B cannot be cast to a.C", "class a.B cannot be cast to class a.C (a.B and a.C are in x)");
    assert_eq!(compare(&wrapped(old), &wrapped(new), &how()).messages.verdict, MessageMatch::Exact);
    let other = "class a.D cannot be cast to class a.C (a.D and a.C are in x)";
    assert_eq!(compare(&wrapped(old), &wrapped(other), &how()).messages.verdict, MessageMatch::Template);
}

#[test]
fn the_best_exception_of_a_chain_is_compared() {
    let expected = trace(&format!("{NPE} | app.A.a:1 app.B.b:2"));
    let wrapped = trace(&format!("t.WrapperException | t.T.x:1 < {NPE} | app.A.a:1 app.B.b:2 t.T.x:1"));
    let (depth, comparison) = compare_chain(&expected, &wrapped, &how());
    assert_eq!((depth, comparison.exact.grade), (1, Grade::FullStack));
}

#[test]
fn the_first_difference_has_both_sides() {
    let expected = format!("{NPE} | app.A.a:1 app.B.b:2");
    for (actual, difference) in [
        (format!("{NPE} | app.A.a:1 app.B.b:55"), "frame 2 is `app.B.b(F.java:55)` instead of `app.B.b(F.java:2)`"),
        (format!("{NPE} | app.A.a:1 t.T.x:1"), "frame 2 is `t.T.x(F.java:1)` instead of `app.B.b(F.java:2)`"),
        (format!("{NPE} | app.A.a:1"), "the stack ends before frame 2, `app.B.b(F.java:2)`"),
        (
            "a.BException | app.A.a:1".to_owned(),
            "`a.BException` was thrown instead of `java.lang.NullPointerException`",
        ),
    ] {
        assert_eq!(compared(&expected, &actual).difference.expect("a difference").to_string(), difference);
    }
}

#[test]
fn distances_of_the_papers() {
    let expected = format!("{NPE} | app.A.a:1 app.B.b:2 app.C.c:3");
    let distance = |actual: &str| compared(&expected, &format!("{NPE} | {actual}")).frame_distance;
    assert_eq!(distance("app.A.a:1 app.B.b:2 app.C.c:3"), 0.0);
    // The closest frame counts, wherever it is.
    assert_eq!(distance("app.C.c:3 app.B.b:2 app.A.a:1"), 0.0);
    assert_eq!(distance("app.A.a:1 app.B.b:2"), 3.0);
    assert_eq!(distance("app.A.a:1 app.B.b:2 app.C.d:3"), 2.0);
    assert_eq!(distance("app.A.a:1 app.B.b:3 app.C.c:3"), 0.5);
    assert_eq!(distance("java.lang.X.y:1"), 9.0);

    let similarity = |actual: &str| compared(&expected, actual).similarity;
    assert_eq!(similarity(&expected), 100.0);
    assert_eq!(similarity(&format!("{NPE} | app.A.a:1 app.C.c:3")), 75.0);
    assert_eq!(similarity("a.BException | app.Z.z:1"), 0.0);
}
