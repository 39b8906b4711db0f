//! The `reenact` command: arguments in, tables for people or JSON lines for scripts out, exit status as promised.

mod args;
mod check;
mod doctor;
mod failure;
mod load;
mod plain_runner;
mod reproduce;
mod terminal;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match (cli.command, cli.reproduce) {
        (Some(Command::Check(args)), _) => check::run(&args),
        (Some(Command::Doctor(args)), _) => doctor::run(&args),
        (Some(Command::Reproduce(args)), _) | (None, Some(args)) => self::reproduce::run(&args),
        (None, None) => Err(Failure::new("no crash given").hint("`reenact crash.log -c 'app.jar:lib/*'`; `reenact --help` shows all")),
    };
    outcome.unwrap_or_else(|failure| failure.report())
}
