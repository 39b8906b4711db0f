//! What papers, and a hand-written test, report for a crash, brought to one form so that it can stand beside our results.

use crate::Crash;

/// Who reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Star,
    EvoCrash,
    Jcharming,
    MuCrash,
    SymCrash,
    BugRedux,
    ByHand,
}

/// One crash as reported. `None`: not said.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// As the table shows it.
    pub shown: String,
    pub line: bool,
    pub full: Option<bool>,
    pub useful: Option<bool>,
    pub seconds: Option<f64>,
}

impl Source {
    pub const ALL: [Source; 7] = [
        Source::Star,
        Source::EvoCrash,
        Source::Jcharming,
        Source::MuCrash,
        Source::SymCrash,
        Source::BugRedux,
        Source::ByHand,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Source::Star => "STAR",
            Source::EvoCrash => "EvoCrash",
            Source::Jcharming => "JCHARMING",
            Source::MuCrash => "MuCrash",
            Source::SymCrash => "SymCrash",
            Source::BugRedux => "BugRedux",
            Source::ByHand => "by hand",
        }
    }

    /// What this source says about the crash; `None` if it did not try it.
    pub fn report(self, crash: &Crash) -> Option<Report> {
        let published = &crash.published;
        match self {
            Source::Star => published.star.as_ref().map(star),
            Source::EvoCrash => published.evocrash.as_ref().and_then(|e| Some((e.rate_percent?, e.avg_time_s))).map(
                // The paper asks for the frames it could reach, not for all.
                |(rate, seconds)| Report { seconds, ..yes_or_no(rate > 50.0, format!("{rate:.0} %")) },
            ),
            Source::Jcharming => published.jcharming.as_ref().and_then(|j| {
                let shown = j.reproduced.as_ref()?.to_lowercase();
                Some(Report { seconds: j.time_min.map(|m| m * 60.0), ..yes_or_no(shown == "yes", shown) })
            }),
            Source::MuCrash => published.mucrash.as_ref()?.get("result").map(|result| letter(result)),
            Source::SymCrash => published.symcrash.as_ref()?.get("symcrashj").map(|result| letter(result)),
            Source::BugRedux => published.symcrash.as_ref()?.get("bugredux").map(|result| letter(result)),
            Source::ByHand => by_hand(crash),
        }
    }
}

fn star(star: &crate::pack::Star) -> Report {
    let (level, of) = (star.exploit_level.unwrap_or(0), star.total_frames.unwrap_or(0));
    let shown = match (star.exploited, star.exploit_level, star.total_frames) {
        (false, ..) => "no".to_owned(),
        (true, Some(level), Some(of)) => format!("{level}/{of}"),
        (true, ..) => "yes".to_owned(),
    };
    Report {
        full: Some(star.exploited && level == of && of > 0),
        useful: star.useful,
        seconds: star.time_s.filter(|_| star.exploited),
        ..yes_or_no(star.exploited, shown)
    }
}

/// Of the newest JDK it was done on.
fn by_hand(crash: &Crash) -> Option<Report> {
    let frames = crash.by_hand.values().rev().find_map(|value| value.as_str())?;
    let (matched, of) = frames.split_once('/')?;
    let passes = crash.fixed.as_ref().and_then(|fixed| fixed.then.as_deref()).map(|then| then == "passes");
    Some(Report { full: Some(matched == of), useful: passes, ..yes_or_no(matched != "0", frames.to_owned()) })
}

fn letter(letter: &str) -> Report {
    let line = letter.starts_with('Y');
    yes_or_no(line, if line { "yes" } else { "no" }.to_owned())
}

fn yes_or_no(line: bool, shown: String) -> Report {
    Report { shown, line, full: None, useful: None, seconds: None }
}
