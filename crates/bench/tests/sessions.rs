//! Packs are read, sessions go on where they stopped, tables count by majority.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bench::{Pack, Record, Session, compare::compare, record::Frames, table};
use std::path::Path;

fn packs() -> [Pack; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs");
    [Pack::read(&root.join("seeds/manifest.json")).unwrap(), Pack::read(&root.join("modern/manifest.json")).unwrap()]
}

fn record(crash: &str, seed: u64, grade: &str, seconds: f64) -> Record {
    Record {
        schema: Record::SCHEMA,
        crash: crash.into(),
        run: 1,
        seed,
        settings: "budget 60s".into(),
        revision: "test".into(),
        grade: grade.into(),
        frames: Frames { matched: 1, of: 1 },
        message: None,
        fixed: None,
        flags: vec![],
        reason: None,
        engine: Some("evolve".into()),
        seconds,
        seconds_first: (grade != "none").then_some(seconds),
        seconds_best: None,
        candidates: 10,
        claims: 1,
        refuted: 0,
        cpu_seconds: 1.0,
        candidate_cpu_seconds: 0.5,
        statements: Some(3),
        test: None,
    }
}

#[test]
fn bundled_packs_are_complete() {
    let [seeds, modern] = packs();
    assert_eq!((seeds.crashes.len(), modern.crashes.len()), (35, 51));
    for pack in [seeds, modern] {
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
    let mut session = Session::open(&path).unwrap();
    let mut asked = Vec::new();
    let one = |task: bench::session::Task<'_>| {
        asked.push((task.crash.id.clone(), task.seed));
        record(&task.crash.id, task.seed, "none", 1.0)
    };
    session.run(&crashes, 2, 1, "budget 60s", one, |_| {}).unwrap();
    assert_eq!(asked, [("ACC-28".into(), 1), ("ACC-4".into(), 2), ("ACC-28".into(), 2)]);
    assert_eq!(bench::session::read(&path, false).unwrap().len(), 4);
}

#[test]
fn two_of_three_runs_count_and_one_does_not() {
    let [seeds, _] = packs();
    let crashes = seeds.select(&["ACC-4".into(), "ACC-28".into()]).unwrap();
    let records = [
        record("ACC-4", 1, "full-stack", 1.0),
        record("ACC-4", 2, "full-stack", 2.0),
        record("ACC-4", 3, "none", 60.0),
        record("ACC-28", 1, "crash-line", 1.0),
        record("ACC-28", 2, "none", 1.0),
        record("ACC-28", 3, "none", 1.0),
    ];
    let text = table::render(&crashes, &records);
    assert!(text.contains("same type and line       1"), "{text}");
    assert!(text.contains("full application stack   1"), "{text}");
}

#[test]
fn comparison_names_what_changed() {
    let before = [record("A", 1, "none", 60.0), record("B", 1, "full-stack", 2.0)];
    let after = [record("A", 1, "full-stack", 3.0), record("B", 1, "full-stack", 2.0)];
    let text = compare(&before, &after);
    assert!(text.contains("1 crashes better, 0 worse"), "{text}");
    assert!(text.contains('A') && !text.lines().any(|line| line.starts_with("B ")), "{text}");
}
