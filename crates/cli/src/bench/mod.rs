//! `reenact bench`: a pack of crashes, each run as `reenact` itself would be called, one after the other; results as JSON
//! lines and as a table. `reenact bench compare A B`.

mod child;
mod place;

use crate::args::{Bench, BenchCommand};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::terminal;
use bench::{Crash, Ended, Pack, PackError, Record, Session, SessionError, compare, session, table};
use child::Runs;
use place::Place;
use program::Jdk;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The session's file in its directory.
const RUNS: &str = "runs.jsonl";

pub(crate) fn run(args: &Bench) -> Result<ExitCode, Failure> {
    match (&args.command, &args.pack, &args.jars) {
        (Some(BenchCommand::Compare { before, after }), ..) => compare_sessions(before, after),
        (None, Some(pack), Some(jars)) => run_pack(args, pack, jars),
        // clap asks for both.
        (None, ..) => Err(Failure::new("`reenact bench` needs a pack and `--jars DIR`")),
    }
}

fn run_pack(args: &Bench, pack: &Path, jars: &Path) -> Result<ExitCode, Failure> {
    let pack = Pack::read(pack).map_err(|error| pack_failure(&error))?;
    let crashes = pack.select(&args.only).map_err(|error| pack_failure(&error))?;
    let jdk = Jdk::find(args.jdk.as_deref())?;
    let interruptible = Interruptible::at_work("stopping after this run; press Ctrl-C again to quit at once")?;
    let place = Place::here(&jdk)?;
    let runs = Runs::new(args, &pack, jars, &place);
    for crash in &crashes {
        // All of them, before hours of work.
        runs.inputs(crash).map_err(|error| pack_failure(&error))?;
    }
    let settings = runs.settings();
    std::fs::create_dir_all(&args.out).map_err(|error| unwritable(&args.out, &error))?;
    let mut session = Session::open(&args.out.join(RUNS)).map_err(|error| session_failure(&error))?;
    warn_of_other_builds(&session, &place, &settings);
    let tasks = session.open_tasks(&crashes, args.runs, args.seed, &settings);
    let (there, mut done) = (crashes.len() * args.runs as usize - tasks.len(), 0);
    if there > 0 {
        terminal::say(&format!("{there} runs are already there, {} to do", tasks.len()));
    }
    let ended = session.run(&tasks, |task| {
        if interruptible.is_stopped() {
            return None;
        }
        let record = runs.run(task);
        // What was cut short says nothing.
        if interruptible.is_stopped() {
            return None;
        }
        done += 1;
        terminal::say(&format!("[{done}/{}] {}", tasks.len(), line(&record)));
        Some(record)
    });
    let ended = ended.map_err(|error| session_failure(&error))?;
    terminal::print(&render(&crashes, &session, &settings, args));
    if ended == Ended::Interrupted {
        terminal::say("interrupted; run the same command again to continue");
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}

/// The table of the runs that were asked for; a session may hold others too.
fn render(crashes: &[&Crash], session: &Session, settings: &str, args: &Bench) -> String {
    let seeds = args.seed..args.seed + u64::from(args.runs);
    let asked = session.records().iter().filter(|r| r.settings == settings && seeds.contains(&r.seed));
    table::render(crashes, &asked.cloned().collect::<Vec<_>>())
}

fn line(record: &Record) -> String {
    let head = format!("{} seed {}", record.crash, record.seed);
    if let Some(error) = &record.error {
        return format!("{head}: no result: {}", error.lines().next().unwrap_or_default());
    }
    let outcome = &record.outcome;
    let first = outcome.seconds_first.map_or(String::new(), |s| format!(", first test after {s:.1} s"));
    let statements = record.statements.map_or(String::new(), |n| format!(", {n} statements"));
    let reason = outcome.reason.as_ref().map_or(String::new(), |reason| format!(" ({})", reason.code));
    format!("{head}: {}{reason}{first}{statements}, {:.1} s in all", outcome.grade, record.wall_seconds)
}

fn warn_of_other_builds(session: &Session, place: &Place, settings: &str) {
    let other = |r: &&Record| r.settings == settings && r.setup.executable != place.executable;
    if let Some(record) = session.records().iter().find(other) {
        terminal::say(&format!(
            "warning: the session has runs of another build ({}, this is {}); a new directory with `--out DIR` keeps them apart",
            record.setup.version, place.version
        ));
    }
}

fn compare_sessions(before: &Path, after: &Path) -> Result<ExitCode, Failure> {
    let read = |path: &Path| {
        let file: PathBuf = if path.is_dir() { path.join(RUNS) } else { path.to_owned() };
        session::read(&file, true).map_err(|error| session_failure(&error))
    };
    terminal::print(&compare::compare(&read(before)?, &read(after)?));
    Ok(ExitCode::SUCCESS)
}

fn pack_failure(error: &PackError) -> Failure {
    let failure = Failure::from_error(error);
    match error {
        PackError::JarMissing { .. } => failure.hint(
            "`cargo xtask fetch` downloads the jars of the bundled packs and prints the directory for `--jars`; \
             `cargo xtask fetch --pack PACK.json` those of another pack",
        ),
        PackError::UnknownCrash { .. } => failure.hint("ids are those of the manifest, separated by commas"),
        PackError::Unreadable { .. } => failure.hint("check the path; the bundled packs are `packs/*/manifest.json`"),
        PackError::BadId { .. } => failure.hint("an id has no `/` in it and is neither `.` nor `..`"),
        PackError::NotAPack { .. } => failure.hint("a pack is a manifest such as `packs/seeds/manifest.json`"),
    }
}

fn session_failure(error: &SessionError) -> Failure {
    Failure::from_error(error).hint("choose another directory with `--out DIR`")
}

fn unwritable(out: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write to the output directory `{}`: {error}", out.display()))
        .hint("choose another one with `--out DIR`")
}
