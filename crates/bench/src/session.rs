//! Runs of a pack, appended to a file of JSON lines as they end, so that an interrupted session goes on where it stopped.

use crate::{Crash, Record};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Session {
    path: PathBuf,
    records: Vec<Record>,
}

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("cannot use `{path}` for the results")]
    Unusable { path: PathBuf, source: std::io::Error },
    #[error("`{path}`, line {line}: not a result of a run: {source}")]
    NotARecord { path: PathBuf, line: usize, source: serde_json::Error },
}

/// One run to be done.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    pub crash: &'a Crash,
    pub run: u32,
    pub seed: u64,
}

/// How a session came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Complete,
    /// Whoever does the runs had enough.
    Interrupted,
}

impl Session {
    /// Opens the file, with the runs that are there already. A last line cut off by an interruption is dropped.
    pub fn open(path: &Path) -> Result<Session, SessionError> {
        let records = if path.exists() { read(path, true)? } else { Vec::new() };
        let session = Session { path: path.into(), records };
        session.rewrite()?;
        Ok(session)
    }

    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The runs that are asked for and not there with the same settings yet.
    pub fn open_tasks<'a>(&self, crashes: &[&'a Crash], runs: u32, first_seed: u64, settings: &str) -> Vec<Task<'a>> {
        let tasks = (1..=runs).flat_map(|run| {
            let seed = first_seed + u64::from(run) - 1;
            crashes.iter().map(move |crash| Task { crash, run, seed })
        });
        tasks.filter(|task| !self.has(&task.crash.id, task.seed, settings)).collect()
    }

    /// Does the runs one after the other and keeps each as it ends. `one` answers `None` to stop.
    pub fn run<'a>(
        &mut self,
        tasks: &[Task<'a>],
        mut one: impl FnMut(Task<'a>) -> Option<Record>,
    ) -> Result<Ended, SessionError> {
        for task in tasks {
            let Some(record) = one(*task) else { return Ok(Ended::Interrupted) };
            self.append(&record)?;
            self.records.push(record);
        }
        Ok(Ended::Complete)
    }

    fn has(&self, crash: &str, seed: u64, settings: &str) -> bool {
        self.records.iter().any(|r| r.crash == crash && r.seed == seed && r.settings == settings)
    }

    fn append(&self, record: &Record) -> Result<(), SessionError> {
        let open = OpenOptions::new().create(true).append(true).open(&self.path);
        open.and_then(|mut file| write_line(&mut file, record)).map_err(|source| self.unusable(source))
    }

    fn rewrite(&self) -> Result<(), SessionError> {
        let write = || {
            let mut file = File::create(&self.path)?;
            self.records.iter().try_for_each(|record| write_line(&mut file, record))
        };
        write().map_err(|source| self.unusable(source))
    }

    fn unusable(&self, source: std::io::Error) -> SessionError {
        SessionError::Unusable { path: self.path.clone(), source }
    }
}

/// All records of a file; with `tolerant`, a damaged last line is left out.
pub fn read(path: &Path, tolerant: bool) -> Result<Vec<Record>, SessionError> {
    let file = File::open(path).map_err(|source| SessionError::Unusable { path: path.into(), source })?;
    let lines: Vec<String> = BufReader::new(file)
        .lines()
        .collect::<Result<_, _>>()
        .map_err(|source| SessionError::Unusable { path: path.into(), source })?;
    let mut records = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            Err(_) if tolerant && index + 1 == lines.len() => {}
            Err(source) => return Err(SessionError::NotARecord { path: path.into(), line: index + 1, source }),
        }
    }
    Ok(records)
}

fn write_line(file: &mut File, record: &Record) -> std::io::Result<()> {
    let mut line = serde_json::to_string(record)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}
