//! One process and the protocol with it: text goes out, the lines up to a mark come back.

use super::process::{Line, Process};
use super::{Limits, SolverProgram};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(super) struct Conversation {
    process: Process,
    marks: u64,
}

/// Why there is no answer. The process is of no use after any of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Silence {
    /// It has ended.
    Died,
    /// It was still at it when its time was over.
    Late,
    /// Somebody else was faster.
    Cancelled,
}

impl Conversation {
    pub(super) fn start(program: &SolverProgram, limits: &Limits) -> io::Result<Conversation> {
        Ok(Conversation { process: Process::start(program, limits)?, marks: 0 })
    }

    /// Sends commands and returns everything that is printed until they are done.
    pub(super) fn ask(&mut self, commands: &str, patience: Duration, cancel: &AtomicBool) -> Result<String, Silence> {
        /// How often a contestant looks whether the race is over.
        const LOOK: Duration = Duration::from_millis(5);
        /// An answer of more than this is none.
        const LONGEST: usize = 256 << 20;
        self.marks += 1;
        let mark = format!("@mark{}@", self.marks);
        self.process.send(format!("{commands}\n(echo \"{mark}\")\n"));
        let deadline = Instant::now() + patience;
        let mut answer = String::new();
        loop {
            let now = Instant::now();
            match self.process.line(deadline.min(now + LOOK)) {
                Line::Text(line) if line.contains(&mark) => return Ok(answer),
                Line::Text(_) if answer.len() > LONGEST => return Err(Silence::Late),
                Line::Text(line) => answer.push_str(&line),
                Line::End => return Err(Silence::Died),
                Line::Nothing if cancel.load(Ordering::Relaxed) => return Err(Silence::Cancelled),
                Line::Nothing if now >= deadline => return Err(Silence::Late),
                Line::Nothing => {}
            }
        }
    }
}
