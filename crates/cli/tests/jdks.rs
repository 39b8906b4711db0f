//! Which JDK is taken where nobody says: the log's, then one that is new enough for the classes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use program::Jdk;
use std::path::Path;
use std::process::Command;
use support::{Ended, end, reenact};

fn jdks() -> Vec<Jdk> {
    let mut jdks = Jdk::list();
    jdks.retain(Jdk::has_compiler);
    assert!(!jdks.is_empty(), "the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`");
    jdks
}

#[expect(clippy::disallowed_methods, reason = "the tests run Java")]
fn compile(by: &Jdk, place: &Path) {
    std::fs::write(
        place.join("Shop.java"),
        "package app;\npublic class Shop {\n    public void go() { throw new IllegalStateException(); }\n}\n",
    )
    .unwrap();
    let mut javac = Command::new(by.home.join("bin/javac"));
    javac.args(["-g", "-d"]).arg(place.join("classes")).arg(place.join("Shop.java"));
    assert!(javac.status().unwrap().success());
}

fn check(place: &Path, usual: &Jdk, log: &str, args: &[&str]) -> Ended {
    std::fs::write(place.join("crash.log"), log).unwrap();
    let mut command = reenact();
    command.args(["check", "crash.log", "-c", "classes", "--json"]).args(args);
    command.current_dir(place).env("JAVA_HOME", &usual.home).env("REENACT_CACHE", place.join("cache"));
    end(&mut command)
}

const FRAME: &str = "\tat app.Shop.go(Shop.java:3)\n";

#[test]
fn the_log_and_the_classes_choose() {
    let (jdks, place) = (jdks(), tempfile::tempdir().unwrap());
    let (oldest, newest) = (&jdks[0], jdks.last().unwrap());
    let home = |ended: &Ended| ended.result()["program"]["jdk_home"].as_str().unwrap().to_owned();
    compile(oldest, place.path());
    for jdk in &jdks {
        let marks = [
            format!("\tat java.base@{}/java.util.ArrayList.forEach(ArrayList.java:9)\n", jdk.version),
            format!("\tat java.util.ArrayList.forEach(ArrayList.java:9) ~[?:{}]\n", jdk.version),
        ];
        for mark in marks {
            let log = format!("java.lang.IllegalStateException\n{FRAME}{mark}");
            let taken = home(&check(place.path(), oldest, &log, &[]));
            let taken = Jdk::at(Path::new(&taken)).unwrap();
            assert_eq!(taken.version, jdk.version, "{log}");
        }
    }
    let log = format!(
        "java.lang.IllegalStateException\n{FRAME}\tat java.base@5.0/java.util.ArrayList.forEach(ArrayList.java:9)\n"
    );
    assert_eq!(Path::new(&home(&check(place.path(), oldest, &log, &[]))), oldest.home, "there is none");
    compile(newest, place.path());
    let log = format!("java.lang.IllegalStateException\n{FRAME}");
    let taken = Jdk::at(Path::new(&home(&check(place.path(), oldest, &log, &[])))).unwrap();
    assert_eq!(taken.feature, newest.feature);
    let said = check(place.path(), newest, &log, &["--jdk", oldest.home.to_str().unwrap()]);
    assert_eq!(Path::new(&home(&said)), oldest.home, "who names one gets it");
}
