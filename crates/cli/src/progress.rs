//! Progress while a crash is being reproduced: one line on standard error that is written over, or JSON lines on standard
//! output for scripts.

use crate::terminal;
use reproduce::{Budget, Event};
use serde::Serialize;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Progress {
    json: bool,
    line: bool,
    budget: Budget,
    shown: Option<Instant>,
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

/// Often enough to look alive.
const REFRESH: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new(json: bool, budget: Budget) -> Progress {
        let line = std::io::stderr().is_terminal() && std::env::var_os("NO_PROGRESS").is_none() && !json;
        Progress { json, line, budget, shown: None }
    }

    pub(crate) fn show(&mut self, event: &Event) {
        if self.json {
            self.print_json(event);
            return;
        }
        match event {
            Event::Round { candidates, elapsed, best } => self.refresh(*candidates, *elapsed, best),
            Event::Target { .. } => {}
            Event::Claim { grade } => self.say(&format!("a candidate shows {grade}; minimising and confirming it")),
            Event::Confirmed { grade, elapsed } => {
                self.say(&format!("confirmed in a fresh JVM: {grade}, after {:.1} s", elapsed.as_secs_f64()));
            }
            Event::LeftOut { engine, why } => {
                self.say(&format!("the engine `{engine}` failed and is no longer used: {why}"));
            }
            Event::Refuted { claimed, confirmed, why, .. } => {
                self.say(&format!("a fresh JVM shows {confirmed} instead of {claimed} {why}"));
            }
        }
    }

    pub(crate) fn finish(&self) {
        if self.line && self.shown.is_some() {
            terminal::clear_state();
        }
    }

    fn refresh(&mut self, candidates: u64, elapsed: Duration, best: &str) {
        if !self.line || self.shown.is_some_and(|shown| shown.elapsed() < REFRESH) {
            return;
        }
        self.shown = Some(Instant::now());
        let rate = candidates as f64 / elapsed.as_secs_f64().max(0.001);
        let left = match self.budget {
            Budget::Time(limit) => format!("{:.0} s left", limit.saturating_sub(elapsed).as_secs_f64()),
            Budget::Candidates(limit) => format!("{} candidates left", limit.saturating_sub(candidates)),
        };
        terminal::show_state(&format!("{best}; {candidates} candidates, {rate:.0}/s, {left}"));
    }

    fn say(&self, text: &str) {
        if self.line {
            terminal::clear_state();
        }
        terminal::say(text);
    }

    fn print_json(&self, event: &Event) {
        let schema = crate::SCHEMA;
        let json = match event {
            Event::Round { .. } => return,
            Event::Target { frames, bound } => Json::Target { schema, application_frames: *frames, bound: *bound },
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
