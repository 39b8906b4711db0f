//! Our results beside the published ones: a row a crash, and what it all comes to.

use crate::published::{Report, Source};
use crate::totals::{Spread, Totals, is_majority};
use crate::{Crash, Record};

/// What the runs of one crash come to.
#[derive(Debug, PartialEq)]
pub struct Summary {
    pub runs: usize,
    pub reproduced: usize,
    pub full: usize,
    pub useful: usize,
    pub best_grade: String,
    pub median_seconds: Option<f64>,
    pub statements: Option<u32>,
}

pub fn summarise(records: &[&Record]) -> Summary {
    let best = records.iter().max_by_key(|r| {
        (
            r.is_full(),
            r.is_reproduced(),
            r.outcome.frames.matched,
            r.is_useful(),
            matches!(r.outcome.message.as_deref(), Some("exact" | "same")),
        )
    });
    Summary {
        runs: records.len(),
        reproduced: records.iter().filter(|r| r.is_reproduced()).count(),
        full: records.iter().filter(|r| r.is_full()).count(),
        useful: records.iter().filter(|r| r.is_useful()).count(),
        best_grade: best
            .map_or("-".into(), |r| if r.error.is_some() { "error".into() } else { r.outcome.grade.clone() }),
        median_seconds: Spread::of(records.iter().filter_map(|r| r.outcome.seconds_first)).median,
        statements: best.and_then(|r| r.statements),
    }
}

/// The table for people.
pub fn render(crashes: &[&Crash], records: &[Record]) -> String {
    let sources: Vec<Source> =
        Source::ALL.into_iter().filter(|source| crashes.iter().any(|crash| source.report(crash).is_some())).collect();
    let mut text = rows(crashes, records, &sources);
    text.push('\n');
    text.push_str(&totals(crashes, records, &sources));
    text
}

fn rows(crashes: &[&Crash], records: &[Record], sources: &[Source]) -> String {
    let mut head = cells(&["crash", "best grade", "line", "full", "useful", "seconds", "stmts"]);
    head.extend(sources.iter().map(|source| source.name().to_owned()));
    let mut rows = vec![head];
    for crash in crashes {
        let mine: Vec<&Record> = records.iter().filter(|r| r.crash == crash.id).collect();
        let s = summarise(&mine);
        let of = |n: usize| if s.runs == 0 { "-".into() } else { format!("{n}/{}", s.runs) };
        let mut row = vec![
            crash.id.clone(),
            s.best_grade.clone(),
            of(s.reproduced),
            of(s.full),
            if crash.fixed.is_some() { of(s.useful) } else { "-".into() },
            decimal(s.median_seconds),
            s.statements.map_or("-".into(), |n| n.to_string()),
        ];
        row.extend(sources.iter().map(|source| source.report(crash).map_or(String::new(), |report| report.shown)));
        rows.push(row);
    }
    aligned(&rows)
}

fn totals(crashes: &[&Crash], records: &[Record], sources: &[Source]) -> String {
    let tried: Vec<&Crash> =
        crashes.iter().copied().filter(|crash| records.iter().any(|r| r.crash == crash.id)).collect();
    let mine: Vec<&Record> = records.iter().filter(|r| tried.iter().any(|crash| crash.id == r.crash)).collect();
    let ours = Totals::of(mine.iter().copied());
    let reports: Vec<Vec<Report>> =
        sources.iter().map(|source| tried.iter().filter_map(|crash| source.report(crash)).collect()).collect();
    let published = |cell: &dyn Fn(&[Report]) -> String| reports.iter().map(|r| cell(r)).collect::<Vec<_>>();
    let count = |said: fn(&Report) -> Option<bool>| {
        published(&|reports: &[Report]| {
            let said: Vec<bool> = reports.iter().filter_map(said).collect();
            if said.is_empty() {
                String::new()
            } else {
                format!("{}/{}", said.iter().filter(|s| **s).count(), said.len())
            }
        })
    };
    let seconds = published(&|reports: &[Report]| {
        let spread = Spread::of(reports.iter().filter(|r| r.line).filter_map(|r| r.seconds));
        if spread.mean.is_some() { of_spread(spread) } else { String::new() }
    });
    // Where even the by-hand test cannot pass, none can be asked to.
    let can_pass: Vec<&Crash> = tried.iter().copied().filter(|crash| passes_by_hand(crash)).collect();
    let useful = can_pass.iter().filter(|crash| {
        let runs: Vec<&Record> = mine.iter().copied().filter(|r| r.crash == crash.id).collect();
        is_majority(&runs, Record::is_useful)
    });
    let of_tried = |n: usize| format!("{n}/{}", ours.crashes);
    let row = |name: &str, ours: String, published: Vec<String>| [vec![name.to_owned(), ours], published].concat();
    let none = || vec![String::new(); sources.len()];
    let rows = [
        row("", "reenact".into(), sources.iter().map(|source| source.name().to_owned()).collect()),
        row("same type and line", of_tried(ours.line), count(|r| Some(r.line))),
        row("full application stack", of_tried(ours.full), count(|r| r.full)),
        row("and the messages of the report", of_tried(ours.exact), none()),
        row("passes on the fixed jars", format!("{}/{}", useful.count(), can_pass.len()), count(|r| r.useful)),
        row("seconds to the first confirmed test, median / mean", of_spread(ours.first_seconds), seconds),
        row("statements, mean over full stacks", decimal(ours.statements), none()),
        row("candidates per CPU second of search and workers", whole(ours.candidates_per_cpu_second()), none()),
        row("CPU time inside candidates", percent(ours.share_inside()), none()),
        row("worker successes refuted by a fresh JVM", refuted(&ours), none()),
        row("peak memory of the tool / of a child, MB", memory(&ours), none()),
    ];
    let mut text = format!(
        "{} crashes, {} runs; a crash counts when more than half of its runs succeed\n",
        ours.crashes, ours.runs
    );
    text.push_str(&aligned(&rows));
    for ((engine, name), mean) in &ours.counts {
        text.push_str(&format!("{engine}: {mean:.1} {name} per run\n"));
    }
    if ours.errors > 0 {
        text.push_str(&format!("{} runs ended without a result; their records say why\n", ours.errors));
    }
    text
}

fn passes_by_hand(crash: &Crash) -> bool {
    crash.fixed.as_ref().and_then(|fixed| fixed.then.as_deref()) == Some("passes")
}

fn cells(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Columns as wide as their widest cell; the first to the left, the others to the right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let line = padded.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    };
    rows.iter().map(line).collect()
}

pub(crate) fn decimal(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{v:.1}"))
}

pub(crate) fn whole(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{v:.0}"))
}

pub(crate) fn percent(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{:.0} %", 100.0 * v))
}

pub(crate) fn of_spread(spread: Spread) -> String {
    format!("{} / {}", decimal(spread.median), decimal(spread.mean))
}

pub(crate) fn refuted(totals: &Totals) -> String {
    format!("{} of {}", totals.refuted, totals.claims)
}

pub(crate) fn memory(totals: &Totals) -> String {
    format!("{} / {}", totals.peak_memory >> 20, totals.peak_memory_of_child >> 20)
}
