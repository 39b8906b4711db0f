//! Two sets of runs side by side: what one has that the other has not, and the ratios of what both measure.
//!
//! Only crashes that both have are compared, so that a session that is half done can be held against a whole one.

use crate::Record;
use crate::table::{Summary, aligned, decimal, percent, summarise, whole};
use crate::totals::Totals;
use std::collections::BTreeSet;

/// The differences from `before` to `after`, for people.
pub fn compare(before: &[Record], after: &[Record]) -> String {
    let ids = |records: &[Record]| records.iter().map(|r| r.crash.clone()).collect::<BTreeSet<String>>();
    let both: BTreeSet<String> = ids(before).intersection(&ids(after)).cloned().collect();
    let either = ids(before).union(&ids(after)).count();
    let mut text = changes(before, after, &both);
    let of = |records: &[Record]| Totals::of(records.iter().filter(|r| both.contains(&r.crash)));
    text.push_str(&totals(&of(before), &of(after)));
    if either > both.len() {
        text.push_str(&format!("{} crashes are in one of the two only and were left out\n", either - both.len()));
    }
    text
}

fn changes(before: &[Record], after: &[Record], both: &BTreeSet<String>) -> String {
    let mut rows = vec![["crash", "before", "after", "seconds"].map(str::to_owned).to_vec()];
    let (mut better, mut worse, mut ratios) = (0, 0, Vec::new());
    for id in both {
        let of = |records: &[Record]| summarise(&records.iter().filter(|r| r.crash == *id).collect::<Vec<_>>());
        let (old, new) = (of(before), of(after));
        let (was, is) = (score(&old), score(&new));
        better += u32::from(is > was);
        worse += u32::from(is < was);
        let ratio = old.median_seconds.zip(new.median_seconds).map(|(old, new)| new / old.max(0.001));
        ratios.extend(ratio);
        if is != was || ratio.is_some_and(|r| !(0.67..=1.5).contains(&r)) {
            rows.push(vec![id.clone(), shown(&old), shown(&new), of_ratio(ratio)]);
        }
    }
    let mut text = if rows.len() > 1 { aligned(&rows) } else { String::new() };
    let geometric = ratios.iter().map(|r: &f64| r.max(1e-6).ln()).sum::<f64>() / ratios.len().max(1) as f64;
    text.push_str(&format!(
        "\n{better} crashes better, {worse} worse, {} the same; seconds of those reproduced by both, geometric mean: {}\n\n",
        both.len() - (better + worse) as usize,
        of_ratio((!ratios.is_empty()).then(|| geometric.exp()))
    ));
    text
}

/// More full stacks, then more crash lines, then more tests that pass on the fixed jars.
fn score(summary: &Summary) -> (f64, f64, f64) {
    let rate = |hits: usize| if summary.runs == 0 { 0.0 } else { hits as f64 / summary.runs as f64 };
    (rate(summary.full), rate(summary.reproduced), rate(summary.useful))
}

fn shown(summary: &Summary) -> String {
    format!("{} ({}/{} full)", summary.best_grade, summary.full, summary.runs)
}

fn totals(old: &Totals, new: &Totals) -> String {
    let row = |name: &str, value: fn(&Totals) -> Option<f64>, print: fn(Option<f64>) -> String| {
        let (was, is) = (value(old), value(new));
        let ratio = was.zip(is).filter(|(was, _)| *was > 0.0).map(|(was, is)| is / was);
        vec![name.to_owned(), print(was), print(is), of_ratio(ratio)]
    };
    aligned(&[
        ["", "before", "after", "ratio"].map(str::to_owned).to_vec(),
        row("crashes", |t| Some(t.crashes as f64), whole),
        row("runs", |t| Some(t.runs as f64), whole),
        row("same type and line", |t| Some(t.line as f64), whole),
        row("full application stack", |t| Some(t.full as f64), whole),
        row("and the messages of the report", |t| Some(t.exact as f64), whole),
        row("passes on the fixed jars", |t| Some(t.useful as f64), whole),
        row("seconds to the first confirmed test, median", |t| t.first_seconds.median, decimal),
        row("seconds to the first confirmed test, mean", |t| t.first_seconds.mean, decimal),
        row("statements, mean over full stacks", |t| t.statements, decimal),
        row("candidates per CPU second", Totals::candidates_per_cpu_second, whole),
        row("CPU time inside candidates", Totals::share_inside, percent),
        row("worker successes refuted", Totals::share_refuted, percent),
        row("peak memory of the tool, MB", |t| Some((t.peak_memory >> 20) as f64), whole),
    ])
}

fn of_ratio(ratio: Option<f64>) -> String {
    ratio.map_or("-".into(), |r| format!("x{r:.2}"))
}
