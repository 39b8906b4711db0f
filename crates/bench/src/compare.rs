//! Two sets of runs side by side: what one has that the other has not, and the ratio of times where both succeed.

use crate::Record;
use crate::table::summarise;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The differences from `before` to `after`, for people.
pub fn compare(before: &[Record], after: &[Record]) -> String {
    let ids: BTreeSet<&str> = before.iter().chain(after).map(|record| record.crash.as_str()).collect();
    let mut text = format!("{:<20} {:>24} {:>24} {:>8}\n", "crash", "before", "after", "time");
    let (mut better, mut worse, mut ratios) = (0, 0, Vec::new());
    for id in ids {
        let of = |records: &[Record]| {
            let mine: Vec<Record> = records.iter().filter(|r| r.crash == id).cloned().collect();
            summarise(&mine.iter().collect::<Vec<_>>())
        };
        let (old, new) = (of(before), of(after));
        let rate = |hits: usize, runs: usize| if runs == 0 { 0.0 } else { hits as f64 / runs as f64 };
        let score = |s: &crate::table::Summary| (rate(s.full, s.runs), rate(s.reproduced, s.runs));
        let (was, is) = (score(&old), score(&new));
        better += u32::from(is > was);
        worse += u32::from(is < was);
        let ratio = old.median_seconds.zip(new.median_seconds).map(|(old, new)| new / old.max(0.001));
        ratios.extend(ratio);
        if is != was || ratio.is_some_and(|r| !(0.67..=1.5).contains(&r)) {
            let shown = |s: &crate::table::Summary| format!("{} ({}/{} full)", s.best_grade, s.full, s.runs);
            let _ = writeln!(
                text,
                "{id:<20} {:>24} {:>24} {:>8}",
                shown(&old),
                shown(&new),
                ratio.map_or("-".into(), |r| format!("x{r:.2}"))
            );
        }
    }
    let log_mean = ratios.iter().map(|r: &f64| r.max(1e-6).ln()).sum::<f64>() / ratios.len().max(1) as f64;
    let _ =
        writeln!(text, "\n{better} crashes better, {worse} worse; time ratio, geometric mean: x{:.2}", log_mean.exp());
    text
}
