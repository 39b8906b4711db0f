//! One run as one JSON line: everything needed to repeat it and everything it showed.

use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub schema: u32,
    pub crash: String,
    pub run: u32,
    pub seed: u64,
    /// What was asked for, in short: runs of one crash with the same seed and settings are the same run.
    pub settings: String,
    pub setup: Setup,
    pub outcome: Outcome,
    /// From the start of the process to its end, loading included.
    pub wall_seconds: f64,
    /// Semicolons outside of parentheses, imports left out: as the judge of the packs counts.
    pub statements: Option<u32>,
    /// Why there is no result: the tool could not run, was killed, or took far longer than it may.
    pub error: Option<String>,
    /// What fresh JVMs did instead of what workers had reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refutations: Vec<Refutation>,
}

/// A success of a worker that a fresh JVM did not show: grades as printed, and why in the words of the tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refutation {
    pub claimed: String,
    pub confirmed: String,
    pub why: String,
}

/// What it takes to do the run again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The whole command line.
    pub command: Vec<String>,
    /// Version and commit of the tool.
    pub version: String,
    /// Hash of the executable, which tells builds of changed sources apart.
    pub executable: String,
    pub jdk: String,
    /// Processors, memory, kernel.
    pub machine: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
}

/// What the tool reported as its result event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// As printed: `none`, `crash-line`, `frames 3/6`, `full-stack`, ..
    pub grade: String,
    pub frames: Frames,
    /// `exact`, `template` or `other`; `same` in old records, which did not tell the first two apart.
    #[serde(default, deserialize_with = "message")]
    pub message: Option<String>,
    /// What the test does with the fixed jars: `passes`, `same-crash`, `changed`, `does-not-compile`; unknown where the
    /// pack has none.
    pub fixed: Option<String>,
    #[serde(default)]
    pub flags: Vec<String>,
    pub reason: Option<Reason>,
    pub engine: Option<String>,
    pub test: Option<String>,
    /// To the end of the run, and to the first and the best confirmed test.
    pub seconds: f64,
    pub seconds_first: Option<f64>,
    pub seconds_best: Option<f64>,
    /// Candidates of the search, and all that ran, those of minimising included.
    pub candidates: u64,
    #[serde(default)]
    pub executed: u64,
    /// Successes that workers reported, and how many of them a fresh JVM refuted.
    pub claims: u32,
    pub refuted: u32,
    /// Processor time: of everything, of the tool itself, of its workers, of confirming.
    pub cpu_seconds: f64,
    pub tool_cpu_seconds: f64,
    pub worker_cpu_seconds: f64,
    pub confirm_cpu_seconds: f64,
    /// Time inside of candidates.
    pub candidate_cpu_seconds: f64,
    /// Bytes: of the tool, and of its largest child process.
    pub peak_memory: u64,
    pub peak_memory_of_child: u64,
    #[serde(default)]
    pub workers: Workers,
    /// What engines count of their work, by engine and name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, BTreeMap<String, u64>>,
}

/// Worker processes: how many were started, and what candidates did for which one was replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workers {
    pub started: u32,
    pub replaced: BTreeMap<String, u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frames {
    pub matched: u32,
    pub of: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub code: String,
    pub text: String,
}

/// Old records say whether the message is the same or of the same template.
fn message<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Message {
        Old(bool),
        New(String),
    }
    let message = Option::<Message>::deserialize(deserializer)?;
    Ok(message.map(|message| match message {
        Message::Old(is_same) => if is_same { "same" } else { "other" }.to_owned(),
        Message::New(text) => text,
    }))
}

impl Record {
    pub const SCHEMA: u32 = 3;

    /// Same type from the same line, or better.
    pub fn is_reproduced(&self) -> bool {
        !matches!(self.outcome.grade.as_str(), "" | "none")
    }

    pub fn is_full(&self) -> bool {
        ["full-stack", "full-reachable"].iter().any(|full| self.outcome.grade.starts_with(full))
    }

    /// With the messages of the report, those of the causes included.
    pub fn is_exact(&self) -> bool {
        self.is_full() && self.outcome.message.as_deref() == Some("exact")
    }

    /// The same test passes with the fixed jars.
    pub fn is_useful(&self) -> bool {
        self.outcome.fixed.as_deref() == Some("passes")
    }

    /// Processor time of search and workers; confirming is not search.
    pub fn search_cpu_seconds(&self) -> f64 {
        self.outcome.tool_cpu_seconds + self.outcome.worker_cpu_seconds
    }
}
