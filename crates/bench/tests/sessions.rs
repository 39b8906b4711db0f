//! Packs are read, sessions go on where they stopped, tables count by majority.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bench::record::{Frames, Outcome};
use bench::{Ended, Pack, Record, Session, compare::compare, table};
use std::path::Path;

fn packs() -> [Pack; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs");
    [Pack::read(&root.join("seeds/manifest.json")).unwrap(), Pack::read(&root.join("modern/manifest.json")).unwrap()]
}

const SETTINGS: &str = "budget 60s";

fn record(crash: &str, seed: u64, grade: &str, seconds: f64) -> Record {
    Record {
        schema: Record::SCHEMA,
        crash: crash.into(),
        run: 1,
        seed,
        settings: SETTINGS.into(),
        outcome: Outcome {
            grade: grade.into(),
            frames: Frames { matched: 1, of: 1 },
            seconds,
            seconds_first: (grade != "none").then_some(seconds),
            candidates: 10,
            executed: 20,
            claims: 1,
            tool_cpu_seconds: 0.5,
            worker_cpu_seconds: 0.5,
            candidate_cpu_seconds: 0.25,
            ..Outcome::default()
        },
        statements: Some(3),
        ..Record::default()
    }
}

#[test]
fn bundled_packs_are_complete() {
    let [seeds, modern] = packs();
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/made/manifest.json");
    let made = Pack::read(&made).unwrap();
    assert_eq!((seeds.crashes.len(), modern.crashes.len(), made.crashes.len()), (35, 51, 84));
    for pack in [seeds, modern, made] {
        for crash in &pack.crashes {
            assert!(pack.trace_path(crash).exists(), "{}", crash.id);
        }
    }
}

#[test]
fn an_unknown_crash_is_named() {
    let [seeds, _] = packs();
    let error = seeds.select(&["ACC-4".into(), "NO-1".into()]).unwrap_err();
    assert_eq!(error.to_string(), "crash `NO-1` is not in the pack");
}

#[test]
fn an_interrupted_session_goes_on() {
    let [seeds, _] = packs();
    let crashes = seeds.select(&["ACC-4".into(), "ACC-28".into()]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("runs.jsonl");
    let first = serde_json::to_string(&record("ACC-4", 1, "full-stack", 1.0)).unwrap();
    std::fs::write(&path, format!("{first}\n{{\"schema\":1,\"cra")).unwrap();
    let mut asked = Vec::new();
    for (may_do, ended) in [(1, Ended::Interrupted), (9, Ended::Complete), (0, Ended::Complete)] {
        let mut session = Session::open(&path).unwrap();
        let tasks = session.open_tasks(&crashes, 2, 1, SETTINGS);
        let mut left = may_do;
        let one = |task: bench::Task<'_>| {
            left -= 1;
            (left >= 0).then(|| {
                asked.push((task.crash.id.clone(), task.run, task.seed));
                record(&task.crash.id, task.seed, "none", 1.0)
            })
        };
        assert_eq!(session.run(&tasks, one).unwrap(), ended);
    }
    assert_eq!(asked, [("ACC-28".into(), 1, 1), ("ACC-4".into(), 2, 2), ("ACC-28".into(), 2, 2)]);
    assert_eq!(bench::session::read(&path, false).unwrap().len(), 4);
}

/// Records from before messages were told apart are still read.
#[test]
fn old_records_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("runs.jsonl");
    let now = serde_json::to_string(&record("ACC-4", 1, "full-stack+message", 1.0)).unwrap();
    let told = |message: &str| now.replace("\"message\":null", &format!("\"message\":{message}"));
    let lines = ["null", "true", "false", "\"exact\"", "\"template\""].map(told);
    std::fs::write(&path, lines.join("\n")).unwrap();
    let records = bench::session::read(&path, false).unwrap();
    let messages: Vec<Option<&str>> = records.iter().map(|record| record.outcome.message.as_deref()).collect();
    assert_eq!(messages, [None, Some("same"), Some("other"), Some("exact"), Some("template")]);
    assert_eq!(records.iter().filter(|record| record.is_exact()).count(), 1);
}

#[test]
fn other_settings_are_other_runs() {
    let [seeds, _] = packs();
    let crashes = seeds.select(&["ACC-4".into()]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut session = Session::open(&directory.path().join("runs.jsonl")).unwrap();
    let tasks = session.open_tasks(&crashes, 1, 1, SETTINGS);
    session.run(&tasks, |task| Some(record(&task.crash.id, task.seed, "none", 1.0))).unwrap();
    assert_eq!(session.open_tasks(&crashes, 1, 1, SETTINGS).len(), 0);
    assert_eq!(session.open_tasks(&crashes, 1, 1, "budget 5s").len(), 1);
    assert_eq!(session.open_tasks(&crashes, 1, 2, SETTINGS).len(), 1);
}

#[test]
fn two_of_three_runs_count_and_one_does_not() {
    let [seeds, _] = packs();
    let crashes = seeds.select(&["ACC-4".into(), "ACC-28".into()]).unwrap();
    let mut records = [
        record("ACC-4", 1, "full-stack", 1.0),
        record("ACC-4", 2, "full-stack", 2.0),
        record("ACC-4", 3, "none", 60.0),
        record("ACC-28", 1, "crash-line", 3.0),
        record("ACC-28", 2, "none", 1.0),
        record("ACC-28", 3, "none", 1.0),
    ];
    records[0].outcome.fixed = Some("passes".into());
    records[1].outcome.fixed = Some("passes".into());
    insta::assert_snapshot!(table::render(&crashes, &records));
}

#[test]
fn published_results_are_those_of_the_papers() {
    let [seeds, _] = packs();
    let crashes = seeds.select(&[]).unwrap();
    let records: Vec<Record> = crashes.iter().map(|crash| record(&crash.id, 1, "none", 60.0)).collect();
    let text = table::render(&crashes, &records);
    let totals = text.split("a crash counts").nth(1).unwrap();
    insta::assert_snapshot!(totals);
}

#[test]
fn comparison_names_what_changed() {
    let before = [record("A", 1, "none", 60.0), record("B", 1, "full-stack", 2.0), record("C", 1, "none", 60.0)];
    let after = [record("A", 1, "full-stack", 3.0), record("B", 1, "full-stack", 4.0), record("D", 1, "none", 60.0)];
    insta::assert_snapshot!(compare(&before, &after));
}
