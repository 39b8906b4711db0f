//! One run as one JSON line: everything needed to repeat it and everything it showed.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub schema: u32,
    pub crash: String,
    pub run: u32,
    pub seed: u64,
    /// What was asked for, as on the command line: budget or candidates, engines, engine settings, JDK.
    pub settings: String,
    /// Revision of the tool.
    pub revision: String,
    /// As printed: `none`, `crash-line`, `frames 3/6`, `full-stack`, ..
    pub grade: String,
    pub frames: Frames,
    pub message: Option<bool>,
    /// The same test passes with the fixed jars; unknown where the pack has none.
    pub fixed: Option<bool>,
    pub flags: Vec<String>,
    pub reason: Option<String>,
    pub engine: Option<String>,
    /// To the end of the run, and to the first and the best confirmed test.
    pub seconds: f64,
    pub seconds_first: Option<f64>,
    pub seconds_best: Option<f64>,
    pub candidates: u64,
    /// Successes that workers reported, and how many of them a fresh JVM refuted.
    pub claims: u32,
    pub refuted: u32,
    pub cpu_seconds: f64,
    /// CPU time inside candidates.
    pub candidate_cpu_seconds: f64,
    pub statements: Option<u32>,
    pub test: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frames {
    pub matched: u32,
    pub of: u32,
}

impl Record {
    pub const SCHEMA: u32 = 1;

    /// Same type from the same line, or better.
    pub fn is_reproduced(&self) -> bool {
        self.grade != "none"
    }

    pub fn is_full(&self) -> bool {
        self.grade.starts_with("full-stack")
    }

    pub fn is_useful(&self) -> bool {
        self.fixed == Some(true)
    }
}
