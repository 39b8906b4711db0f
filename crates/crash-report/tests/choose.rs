//! Which exception is chosen, and what is said if none can be.

use crash_report::{Choice, choose, parse};

const LOG: &str = "\
first.FrameworkException: no application here
	at first.Framework.run(Framework.java:1)
	at java.base/java.lang.Thread.run(Thread.java:840)

second.WrapperException: around
	at web.Controller.post(Controller.java:66)
Caused by: app.OrderException: the target
	at app.Orders.place(Orders.java:88)
	at web.Controller.post(Controller.java:60)
Caused by: java.lang.NullPointerException
	at app.Stock.take(Stock.java:20)
	at app.Orders.place(Orders.java:80)
	... 1 more

app.LaterException: a consequence
	at app.Orders.close(Orders.java:120)
";

fn app(class: &str) -> bool {
    class.starts_with("app.")
}

#[track_caller]
fn fails(text: &str, trace: Option<usize>, cause: Option<usize>, why: &str) {
    let error = choose(&parse(text.as_bytes()), &app, trace, cause).expect_err("no target");
    assert_eq!(error.to_string(), why);
}

#[test]
fn the_outermost_exception_with_an_application_frame_of_the_first_trace_that_has_one() {
    let report = parse(LOG.as_bytes());
    assert_eq!(report.traces.len(), 3);
    let choice = choose(&report, &app, None, None);
    assert_eq!(choice, Ok(Choice { trace: 1, cause: 1 }));
    let chosen = choice.ok().and_then(|c| c.throwable(&report)).expect("the choice is of this report");
    assert_eq!((chosen.class.as_str(), chosen.block), ("app.OrderException", 1));
}

#[test]
fn a_trace_and_a_cause_may_be_asked_for() {
    let report = parse(LOG.as_bytes());
    assert_eq!(choose(&report, &app, Some(2), None), Ok(Choice { trace: 2, cause: 0 }));
    assert_eq!(choose(&report, &app, Some(1), Some(2)), Ok(Choice { trace: 1, cause: 2 }));
    assert_eq!(choose(&report, &app, None, Some(2)), Ok(Choice { trace: 1, cause: 2 }));
    assert_eq!(choose(&report, &|_| true, None, None), Ok(Choice { trace: 0, cause: 0 }));
}

#[test]
fn why_there_is_no_target() {
    fails("All is well.\n", None, None, "there is no stack trace in the text");
    fails(LOG, Some(3), None, "there is no trace 4: the text has 3 traces");
    fails(LOG, Some(1), Some(3), "there is no exception 4 in the chain of causes: it has 3 exceptions");
    fails(LOG, None, Some(5), "there is no exception 6 in the chain of causes: it has 3 exceptions");
    fails(LOG, Some(0), None, "no frame is of the application; the packages in the traces are `first`");
    fails(
        "java.lang.Error\n\tat java.lang.Thread.run(Thread.java:1)\n",
        None,
        None,
        "no frame is of the application; the packages in the traces are those of the JDK only",
    );
    let dump = "\"main\" #1 prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat app.Main.main(Main.java:1)\n";
    fails(dump, None, None, "the text has a thread dump but no exception");
    fails(dump, Some(0), None, "trace 1 is the stack of a thread, not an exception");
}

#[test]
fn a_trace_without_a_name_is_the_last_resort() {
    let text = "\tat app.A.a(A.java:1)\n\tat app.A.b(A.java:2)\n\n\n\njava.lang.Error\n\tat app.B.b(B.java:1)\n";
    let report = parse(text.as_bytes());
    assert_eq!(choose(&report, &app, None, None), Ok(Choice { trace: 1, cause: 0 }));
    assert_eq!(choose(&report, &|class| class == "app.A", None, None), Ok(Choice { trace: 0, cause: 0 }));
}
