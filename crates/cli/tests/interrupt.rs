//! Ctrl-C: the best test so far is written and graded; the second one ends everything at once, and so does the first in
//! `confirm`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::Path;
use std::process::Command;
use support::{Running, endless_crash, jar, reenact};

/// A directory for temporary files, by which workers, compiler and confirming JVMs are known: their home is in it.
struct Run {
    directory: tempfile::TempDir,
}

impl Run {
    fn new() -> Run {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("tmp")).unwrap();
        Run { directory }
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).display().to_string()
    }

    fn tool(&self) -> Command {
        let mut command = reenact();
        command.env("TMPDIR", self.path("tmp"));
        command
    }

    /// A search that goes on for an hour.
    fn command(&self) -> Command {
        let mut command = self.tool();
        command.arg(endless_crash(self.directory.path())).args(["-c", &jar(), "--json", "--budget", "1h"]);
        command.args(support::lock_up()).args(["-o", &self.path("out")]).current_dir(self.directory.path());
        command
    }

    /// The children of the tool: it alone has its own home.
    fn processes(&self) -> Vec<String> {
        let all = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let home = format!("HOME={}/", self.path("tmp"));
        let is_at_home = |process: &Path| {
            let environment = std::fs::read(process.join("environ")).unwrap_or_default();
            String::from_utf8_lossy(&environment).contains(&home)
        };
        all.filter(|path| is_at_home(path)).map(|path| path.display().to_string()).collect()
    }

    /// Waits a moment: the kernel takes its time to end what was told to.
    fn assert_nothing_is_left(&self) {
        let mut left = self.processes();
        for _ in 0..500 {
            if left.is_empty() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
            left = self.processes();
        }
        assert_eq!(left, Vec::<String>::new());
        let files: Vec<_> = std::fs::read_dir(self.path("tmp")).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(files.is_empty(), "{files:?}");
    }
}

#[test]
fn the_first_one_ends_with_the_best_test_so_far() {
    for signal in ["INT", "TERM"] {
        let run = Run::new();
        let mut running = Running::start(&mut run.command());
        running.wait_for("\"event\":\"confirmed\"");
        assert!(!run.processes().is_empty(), "workers are at home there");
        running.signal(signal);
        let ended = running.end();
        let result = ended.result();
        assert_eq!(result["interrupted"], true);
        let full = result["grade"].as_str().unwrap().starts_with("full-stack");
        assert_eq!(ended.code(), Some(if full { 0 } else { 1 }), "{}", ended.stdout);
        let test = std::fs::read_to_string(result["test"].as_str().unwrap()).unwrap();
        assert!(test.contains("CrashTest"), "{test}");
        run.assert_nothing_is_left();
    }
}

#[test]
fn without_a_test_so_far_it_says_so() {
    let run = Run::new();
    let mut running = Running::start(&mut run.command());
    running.wait_for("\"event\":\"target\"");
    running.signal("INT");
    let ended = running.end();
    assert_eq!(ended.result()["interrupted"], true);
    assert!(ended.stderr.contains("stopping with the best test so far"), "{}", ended.stderr);
    run.assert_nothing_is_left();
}

#[test]
fn the_second_one_quits_at_once() {
    let run = Run::new();
    let mut running = Running::start(&mut run.command());
    running.wait_for("\"event\":\"target\"");
    running.signal("INT");
    // Two signals at the same time are one; the answer to the first tells that it has arrived.
    while !running.has_said("stopping") {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    running.signal("INT");
    let ended = running.end();
    // A fast machine may have ended in between.
    assert!(ended.code() == Some(130) || ended.stdout.contains("\"interrupted\":true"), "{:?}", ended.status);
    run.assert_nothing_is_left();
}

#[test]
fn a_confirmation_quits_at_once() {
    let run = Run::new();
    let test = run.path("EndlessTest.java");
    std::fs::write(&test, "public class EndlessTest { public static void main(String[] args) { while (true) { } } }")
        .unwrap();
    let mut command = run.tool();
    command.arg("confirm").arg(test).arg(endless_crash(run.directory.path())).args([
        "-c",
        &jar(),
        "--time-limit",
        "1h",
    ]);
    let mut running = Running::start(command.args(support::lock_up()));
    // The compiler and at least one JVM that runs the test.
    while run.processes().len() < 2 {
        assert!(running.child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    running.signal("INT");
    assert_eq!(running.end().code(), Some(130));
    run.assert_nothing_is_left();
}
