//! Our results beside the published ones. A crash counts when more than half of its runs succeed.

use crate::{Crash, Record};
use std::fmt::Write;

/// What the runs of one crash come to.
#[derive(Debug, PartialEq)]
pub struct Summary {
    pub runs: usize,
    pub reproduced: usize,
    pub full: usize,
    pub useful: usize,
    pub best_grade: String,
    pub median_seconds: Option<f64>,
}

pub fn summarise(records: &[&Record]) -> Summary {
    let mut first: Vec<f64> = records.iter().filter_map(|r| r.seconds_first).collect();
    first.sort_by(f64::total_cmp);
    let best =
        records.iter().max_by_key(|r| (r.is_full(), r.is_reproduced(), r.frames.matched, r.message == Some(true)));
    Summary {
        runs: records.len(),
        reproduced: records.iter().filter(|r| r.is_reproduced()).count(),
        full: records.iter().filter(|r| r.is_full()).count(),
        useful: records.iter().filter(|r| r.is_useful()).count(),
        best_grade: best.map_or("-".into(), |r| r.grade.clone()),
        median_seconds: median(&first),
    }
}

/// The table for people: a row a crash, totals below.
pub fn render(crashes: &[&Crash], records: &[Record]) -> String {
    let mut text = format!(
        "{:<20} {:<24} {:>5} {:>5} {:>6} {:>8}   {:<8} {:<9} {:<10}\n",
        "crash", "best grade", "line", "full", "useful", "seconds", "STAR", "EvoCrash", "JCHARMING"
    );
    for crash in crashes {
        let mine: Vec<&Record> = records.iter().filter(|r| r.crash == crash.id).collect();
        let s = summarise(&mine);
        let of = |n: usize| format!("{n}/{}", s.runs);
        let _ = writeln!(
            text,
            "{:<20} {:<24} {:>5} {:>5} {:>6} {:>8}   {:<8} {:<9} {:<10}",
            crash.id,
            s.best_grade,
            of(s.reproduced),
            of(s.full),
            if crash.fixed.is_some() { of(s.useful) } else { "-".into() },
            s.median_seconds.map_or("-".into(), |t| format!("{t:.1}")),
            star(crash),
            evocrash(crash),
            jcharming(crash),
        );
    }
    text.push_str(&totals(crashes, records));
    text
}

fn totals(crashes: &[&Crash], records: &[Record]) -> String {
    let counted = |hit: fn(&Record) -> bool| {
        crashes
            .iter()
            .filter(|crash| {
                let mine: Vec<&Record> = records.iter().filter(|r| r.crash == crash.id).collect();
                !mine.is_empty() && 2 * mine.iter().filter(|r| hit(r)).count() > mine.len()
            })
            .count()
    };
    let mut first: Vec<f64> = records.iter().filter_map(|r| r.seconds_first).collect();
    first.sort_by(f64::total_cmp);
    let statements: Vec<f64> =
        records.iter().filter(|r| r.is_full()).filter_map(|r| r.statements).map(f64::from).collect();
    let (claims, refuted) = records.iter().fold((0, 0), |(c, r), record| (c + record.claims, r + record.refuted));
    let candidates: u64 = records.iter().map(|r| r.candidates).sum();
    let cpu: f64 = records.iter().map(|r| r.cpu_seconds).sum();
    let inside: f64 = records.iter().map(|r| r.candidate_cpu_seconds).sum();
    let mut text = format!(
        "\n{} crashes, {} runs; a crash counts when more than half of its runs succeed\n",
        crashes.len(),
        records.len()
    );
    let _ = writeln!(text, "same type and line       {}", counted(Record::is_reproduced));
    let _ = writeln!(text, "full application stack   {}", counted(Record::is_full));
    let _ = writeln!(text, "passes on the fixed jars {}", counted(Record::is_useful));
    let _ = writeln!(
        text,
        "seconds to the first confirmed test: median {}, mean {}",
        shown(median(&first)),
        shown(mean(&first))
    );
    let _ = writeln!(text, "statements of the test, mean over full stacks: {}", shown(mean(&statements)));
    let _ = writeln!(text, "successes of workers that a fresh JVM refuted: {refuted} of {claims}");
    if cpu > 0.0 {
        let _ = writeln!(
            text,
            "candidates per CPU second: {:.0}; CPU time inside candidates: {:.0} %",
            candidates as f64 / cpu,
            100.0 * inside / cpu
        );
    }
    text
}

fn star(crash: &Crash) -> String {
    match &crash.published.star {
        None => "".into(),
        Some(star) if !star.exploited => "no".into(),
        Some(star) => match (star.exploit_level, star.total_frames) {
            (Some(level), Some(of)) => format!("{level}/{of}"),
            _ => "yes".into(),
        },
    }
}

fn evocrash(crash: &Crash) -> String {
    let rate = crash.published.evocrash.as_ref().and_then(|e| e.rate_percent);
    rate.map_or("".into(), |rate| format!("{rate:.0} %"))
}

fn jcharming(crash: &Crash) -> String {
    crash.published.jcharming.as_ref().and_then(|j| j.reproduced.clone()).unwrap_or_default().to_lowercase()
}

fn shown(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{v:.1}"))
}

/// Of sorted values.
fn median(sorted: &[f64]) -> Option<f64> {
    let n = sorted.len();
    match n {
        0 => None,
        _ if n % 2 == 1 => Some(sorted[n / 2]),
        _ => Some((sorted[n / 2 - 1] + sorted[n / 2]) / 2.0),
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
