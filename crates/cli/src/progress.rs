//! Progress while a crash is being reproduced: one line on standard error with a bar, the best so far and the time left, or JSON lines on
//! standard output for scripts.

use crate::terminal::{self, StateLine, Talk};
use program::{ClassName, MethodRef};
use reproduce::{Budget, Event};
use serde::Serialize;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Progress {
    json: bool,
    line: StateLine,
    budget: Budget,
    talk: Talk,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Json {
    Target { schema: u32, application_frames: usize, bound: usize },
    Claim { schema: u32, grade: String },
    Confirmed { schema: u32, grade: String, seconds: f64 },
    LeftOut { schema: u32, engine: &'static str, why: String },
    Refuted { schema: u32, claimed: String, confirmed: String, why: String, source: Option<String> },
}

impl Progress {
    pub(crate) fn new(json: bool, budget: Budget, talk: Talk) -> Progress {
        let is_shown = std::env::var_os("NO_PROGRESS").is_none() && !json && talk != Talk::Quiet;
        // On anything but a terminal it hides itself.
        let line = if is_shown { StateLine::new() } else { StateLine::hidden() };
        Progress { json, line, budget, talk }
    }

    pub(crate) fn show(&self, event: &Event) {
        if self.json {
            self.print_json(event);
            return;
        }
        match event {
            Event::Round { candidates, elapsed, best } => self.refresh(*candidates, *elapsed, best),
            Event::Target { missing, .. } => {
                if let Some(text) = missing_text(missing) {
                    self.line.say(&text);
                }
            }
            Event::Claim { grade } => self.say(&format!("a candidate shows {grade}; minimising and confirming it")),
            Event::Confirmed { grade, elapsed } => {
                self.say(&format!("confirmed in a fresh JVM: {grade}, after {:.1} s", elapsed.as_secs_f64()));
            }
            Event::LeftOut { engine, why } => {
                self.say(&format!("the engine `{engine}` failed and is no longer used: {why}"));
            }
            Event::Refuted { claimed, confirmed, why, source } => {
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                self.say(&format!("a fresh JVM shows {confirmed} instead of {claimed}{why}"));
                if let (Some(source), Talk::Verbose) = (source, self.talk) {
                    self.say(source);
                }
            }
        }
    }

    pub(crate) fn finish(&self) {
        self.line.clear();
    }

    fn refresh(&self, candidates: u64, elapsed: Duration, best: &str) {
        let rate = candidates as f64 / elapsed.as_secs_f64().max(0.001);
        let (done, left) = match self.budget {
            Budget::Time(limit) => {
                let left = limit.saturating_sub(elapsed).as_secs_f64();
                (1.0 - left / limit.as_secs_f64().max(0.001), format!("{left:.0} s left"))
            }
            Budget::Candidates(limit) => {
                let left = limit.saturating_sub(candidates);
                (1.0 - left as f64 / limit.max(1) as f64, format!("{left} candidates left"))
            }
        };
        self.line.show(done, &format!("{left}; {best}; {candidates} candidates, {rate:.0}/s"));
    }

    fn say(&self, text: &str) {
        if self.talk != Talk::Quiet {
            self.line.say(text);
        }
    }

    fn print_json(&self, event: &Event) {
        let schema = crate::SCHEMA;
        let json = match event {
            Event::Round { .. } => return,
            Event::Target { frames, bound, .. } => Json::Target { schema, application_frames: *frames, bound: *bound },
            Event::Claim { grade } => Json::Claim { schema, grade: grade.to_string() },
            Event::Confirmed { grade, elapsed } => {
                Json::Confirmed { schema, grade: grade.to_string(), seconds: elapsed.as_secs_f64() }
            }
            Event::LeftOut { engine, why } => Json::LeftOut { schema, engine, why: why.clone() },
            Event::Refuted { claimed, confirmed, why, source } => Json::Refuted {
                schema,
                claimed: claimed.to_string(),
                confirmed: confirmed.to_string(),
                why: why.clone(),
                source: source.clone(),
            },
        };
        if let Ok(text) = serde_json::to_string(&json) {
            terminal::print_json(&text);
        }
    }
}

/// What needs a class that is not there cannot run, however long the search.
fn missing_text(missing: &[(ClassName, MethodRef)]) -> Option<String> {
    let (class, method) = missing.first()?;
    let others = match missing.len() - 1 {
        0 => String::new(),
        1 => ", nor one other class".to_owned(),
        count => format!(", nor {count} other classes"),
    };
    Some(format!(
        "warning: no jar has `{class}`, which `{}.{}` refers to{others}; `reenact check` lists what is missing",
        method.class, method.name
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_classes_are_counted() {
        let method = MethodRef::new("a/Main", "run", "()V");
        let missing = |count: usize| vec![(ClassName::internal("b/Lib"), method); count];
        let start = "warning: no jar has `b.Lib`, which `a.Main.run` refers to";
        let end = "; `reenact check` lists what is missing";
        assert_eq!(missing_text(&missing(0)), None);
        for (count, others) in [(1, ""), (2, ", nor one other class"), (3, ", nor 2 other classes")] {
            assert_eq!(missing_text(&missing(count)), Some(format!("{start}{others}{end}")));
        }
    }
}
