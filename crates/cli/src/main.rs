//! The `reenact` command: arguments in, tables for people or JSON lines for scripts out, exit status as promised.
#![warn(clippy::print_stdout, clippy::print_stderr, reason = "`terminal` prints, and filters what others have written")]

mod abbreviations;
mod args;
mod bench;
mod check;
mod confirm;
mod context;
mod doctor;
mod failure;
mod header;
mod interrupt;
mod jdk;
mod linkage;
mod load;
mod meter;
mod progress;
mod project;
mod record;
mod recordings;
mod reproduce;
mod result;
mod scratch;
mod terminal;
mod watchdog;

use args::{Cli, Command};
use failure::Failure;
use std::process::ExitCode;
use std::time::Instant;

/// The hidden command that our own worker processes are started with.
const WORKER: &str = "worker";

/// Of all JSON that is printed: what its fields mean.
const SCHEMA: u32 = 2;

/// Version and commit.
const VERSION: &str = env!("REENACT_VERSION");

/// The search makes and drops small trees all the time, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Asked of the arguments themselves, so that it is known of those that cannot be understood, too.
fn wants_json() -> bool {
    std::env::args_os().any(|arg| arg == "--json")
}

fn main() -> ExitCode {
    // A budget of time counts from here.
    let started = Instant::now();
    let mut args = std::env::args_os().skip(1);
    match args.next().as_ref().and_then(|first| first.to_str()) {
        Some(WORKER) => worker::main(),
        Some(::confirm::COMMAND) => ::confirm::main(),
        Some("sandboxed-exec") => {
            // Returns only if the program could not be started.
            let error = sandbox::sandboxed_exec(args);
            return Failure::from_error(&error).report();
        }
        _ => {}
    }
    // A program that is recorded gets what it would get without us.
    if std::env::args_os().nth(1).is_none_or(|first| first != "record") {
        sandbox::inherited::keep_from_children();
    }
    let cli = match Cli::from_args(std::env::args_os()) {
        Ok(cli) => cli,
        // clap prints help to standard output and errors to standard error, and knows which of the two it is.
        Err(error) => {
            let _ = error.print();
            if !error.use_stderr() {
                return ExitCode::SUCCESS;
            }
            let message = error.to_string();
            // What is wrong comes first, over several lines; an empty one ends it.
            let lines: Vec<&str> = message.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
            let message = lines.join(" ");
            return Failure::new(message.trim_start_matches("error: "))
                .hint("`reenact --help` lists commands and options")
                .as_event(wants_json());
        }
    };
    let outcome = match cli.command {
        Command::Bench(args) => self::bench::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Confirm(args) => confirm::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Recording(args) => recordings::run(&args),
        Command::Reproduce(args) => self::reproduce::run(&args, started),
    };
    interrupt::wait_if_leaving();
    let lost = terminal::lost().map(|error| {
        let hint = "check the space where the output goes; the test in the directory of `--out` is written regardless";
        Failure::new(format!("cannot write to standard output: {error}")).hint(hint)
    });
    match (outcome, lost) {
        (Ok(status), None) => status,
        (Ok(_), Some(failure)) | (Err(failure), _) => failure.report_with_event(wants_json()),
    }
}
