//! `reenact bench` on a pack of one crash: results, table, going on after an interruption, comparison.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use serde_json::json;
use std::path::{Path, PathBuf};
use support::{Running, end, jars, reenact, root, run};

/// A pack in a directory of its own, with the crash of the tests and one whose trace is not there.
fn pack(directory: &Path) -> PathBuf {
    let text = std::fs::read_to_string(root().join("packs/seeds/manifest.json")).unwrap();
    let seeds: serde_json::Value = serde_json::from_str(&text).unwrap();
    let crashes = seeds["crashes"].as_array().unwrap();
    let mut crash = crashes.iter().find(|crash| crash["id"] == "ACC-48").unwrap().clone();
    let mut broken = crash.clone();
    broken["id"] = json!("BROKEN-1");
    broken["trace"] = json!("no-such.log");
    crash["trace"] = json!(support::trace("ACC-48"));
    let path = directory.join("pack.json");
    std::fs::write(&path, json!({ "crashes": [crash, broken] }).to_string()).unwrap();
    path
}

fn bench(directory: &Path, more: &[&str]) -> std::process::Command {
    let mut command = reenact();
    command.arg("bench").arg(pack(directory)).arg("--jars").arg(jars()).args(support::lock_up());
    command.args(["--candidates", "2000", "--out"]).arg(directory.join("out")).args(more);
    command
}

fn records(directory: &Path) -> Vec<bench::Record> {
    bench::session::read(&directory.join("out/runs.jsonl"), false).unwrap()
}

#[test]
fn a_run_is_a_line_with_what_it_takes_to_repeat_it() {
    let directory = tempfile::tempdir().unwrap();
    let ended = end(&mut bench(directory.path(), &["--runs", "1"]));
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("same type and line"), "{}", ended.stdout);
    let [good, broken] = &records(directory.path())[..] else { panic!("two runs") };
    assert_eq!(good.crash, "ACC-48");
    assert!(good.is_full() && good.error.is_none() && good.outcome.executed > 0, "{good:?}");
    assert!(good.statements.is_some_and(|n| n > 0) && good.outcome.peak_memory > 1 << 20, "{good:?}");
    assert!(directory.path().join("out/1/ACC-48").read_dir().unwrap().count() > 0, "the judge finds the test");
    assert!(!broken.is_reproduced() && broken.error.as_ref().unwrap().contains("no-such.log"), "{broken:?}");

    // Nothing is done twice, and the command in the line gives the same test.
    let again = end(&mut bench(directory.path(), &["--runs", "1"]));
    assert!(again.stderr.contains("2 runs are already there, 0 to do"), "{}", again.stderr);
    assert_eq!((again.stdout, records(directory.path()).len()), (ended.stdout, 2));
    let test = || std::fs::read_to_string(good.outcome.test.as_ref().unwrap()).unwrap();
    let before = test();
    let (_, arguments) = good.setup.command.split_first().unwrap();
    run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(test(), before);

    let out = directory.path().join("out").display().to_string();
    let compared = run(&["bench", "compare", &out, &out]);
    assert!(compared.stdout.contains("0 crashes better, 0 worse, 2 the same"), "{}", compared.stdout);
}

#[test]
fn an_interrupted_run_is_not_a_result() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = bench(directory.path(), &["--runs", "1", "--only", "ACC-48"]);
    let running = Running::start(&mut command);
    let log = directory.path().join("out/1/ACC-48.log");
    while !log.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    running.signal("INT");
    let ended = running.end();
    if ended.code() == Some(130) {
        assert_eq!(records(directory.path()).len(), 0);
        assert!(ended.stderr.contains("run the same command again to continue"), "{}", ended.stderr);
    }
    let again = end(&mut bench(directory.path(), &["--runs", "1", "--only", "ACC-48"]));
    assert_eq!((again.code(), records(directory.path()).len()), (Some(0), 1), "{}", again.stderr);
}

#[test]
fn what_is_missing_is_named_before_the_first_run() {
    let directory = tempfile::tempdir().unwrap();
    let pack = pack(directory.path()).display().to_string();
    let empty = directory.path().join("empty").display().to_string();
    let jars = jars().display().to_string();
    let cases = [
        (vec!["bench", &pack, "--jars", &empty], "commons-collections-3.1.jar", "cargo xtask fetch"),
        (vec!["bench", &pack, "--jars", &jars, "--only", "NO-1"], "NO-1", "manifest"),
        (vec!["bench", "no-such.json", "--jars", &jars], "no-such.json", "packs/"),
        (vec!["bench", &pack, "--jars", &jars, "--out", "/proc/nowhere"], "/proc/nowhere", "--out"),
        (vec!["bench", "compare", "no-such", "no-such"], "no-such", "hint"),
    ];
    for (args, names, hint) in cases {
        let ended = run(&args);
        assert_eq!(ended.code(), Some(2), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(names) && ended.stderr.contains(hint), "{args:?}: {}", ended.stderr);
    }
}
