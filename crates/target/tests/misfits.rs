//! Logs that do not belong to the jars: what does not fit is said, with what would.

#[path = "support/jars.rs"]
mod jars;
mod support;

use jars::crash_jar;
use program::Jdk;
use std::path::PathBuf;
use support::open;
use target::CrashTarget;

fn misfits(trace: &str, jars: &[&str], application: &str) -> String {
    let jars: Vec<PathBuf> = jars.iter().map(|jar| crash_jar(jar)).collect();
    let methods = open(&jars, Jdk::find(None).expect("a JDK is installed"));
    let report = crash_report::parse(trace.as_bytes());
    let target = CrashTarget::derive(&report.traces[0].throwable, &methods, &|class| class.starts_with(application));
    let said = target.misfits.iter().map(|misfit| {
        let weight = if misfit.is_contradiction() { "contradiction" } else { "remark" };
        format!("{weight}, frame {:?}: {misfit}\n", misfit.frame)
    });
    said.collect()
}

const COLLECTIONS: &str = "commons-collections/commons-collections/3.1/commons-collections-3.1.jar";

#[test]
fn another_version() {
    let said = misfits(
        "java.lang.IllegalArgumentException: Initial capacity must be greater than 0
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:152)
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:127)
\tat org.apache.commons.collections.map.AbstractLinkedMap.<init>(AbstractLinkedMap.java:1095)
\tat org.apache.commons.collections.map.LinkedMap.<init>(LinkedMap.java:78)
\tat org.apache.commons.collections.map.TransformedMap.transformMap(TransformedMap.java:173)
\tat org.apache.commons.collections.map.TransformedMap.putAll(TransformedMap.java:191)",
        &[COLLECTIONS],
        "org.apache.commons.collections.",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn names_that_are_not_there() {
    let said = misfits(
        "java.lang.NullPointerException
\tat org.apache.commons.collections.map.LinkedMpa.get(LinkedMap.java:78)
\tat org.apache.commons.collections.LinkedMap.get(LinkedMap.java:78)
\tat org.apache.commons.collections.map.LinkedMap.gte(LinkedMap.java:78)
\tat org.apache.commons.collections.map.LinkedMap.containsKey(LinkedMap.java:78)
\tat org.apache.commons.collections.nothing.LikeThis.run(LikeThis.java:1)",
        &[COLLECTIONS],
        "org.apache.commons.collections.",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn the_log_names_another_jar() {
    let said = misfits(
        "java.lang.IllegalArgumentException: Initial capacity must be greater than 0
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:142) ~[commons-collections-3.2.2.jar:3.2.2]",
        &[COLLECTIONS],
        "org.apache.commons.collections.",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn a_line_that_throws_something_else() {
    let said = misfits(
        "java.lang.ClassCastException
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:142)
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:127)",
        &[COLLECTIONS],
        "org.apache.commons.collections.",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn no_frame_of_the_application() {
    let said = misfits(
        "java.lang.NullPointerException
\tat java.util.Objects.requireNonNull(Objects.java:209)",
        &[COLLECTIONS],
        "org.apache.commons.collections.",
    );
    insta::assert_snapshot!(said);
}

/// A cause that the JDK throws in a thread of its own, and a frame of a script: neither speaks against the jars.
#[test]
fn causes_of_other_threads_and_scripts() {
    let said = misfits(
        "java.lang.IllegalArgumentException: Initial capacity must be greater than 0
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:142)
\tat org.apache.commons.collections.gen.order_js_1._c_script_0(order.js:1)
Caused by: java.lang.NumberFormatException: For input string: \"12a\"
\tat java.base/java.lang.Integer.parseInt(Integer.java:652)
\tat java.base/java.util.concurrent.CompletableFuture$UniApply.tryFire(CompletableFuture.java:646)",
        &[COLLECTIONS],
        "org.apache.commons.collections.",
    );
    insta::assert_snapshot!(said);
}

/// Functions of a user whose own classes are not among the jars: the VM hides the frame between.
#[test]
fn functions_from_outside() {
    let trace = |function: &str| {
        format!(
            "java.lang.ArithmeticException: / by zero
\tat com.acme.App.{function}(App.java:14)
\tat org.apache.commons.collections.functors.ChainedClosure.execute(ChainedClosure.java:LINE)
\tat com.acme.App.main(App.java:5)"
        )
    };
    let said = |function: &str, line: &str| {
        misfits(&trace(function).replace("LINE", line), &[COLLECTIONS], "org.apache.commons.collections.")
    };
    assert_eq!(said("lambda$main$1", "118"), "");
    assert_eq!(said("divide", "118"), "");
    // A line that calls nothing.
    assert_ne!(said("lambda$main$1", "117"), "");
}
