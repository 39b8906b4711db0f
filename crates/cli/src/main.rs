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
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::from_args(std::env::args_os()) {
        Ok(cli) => cli,
        // clap prints help to standard output and errors to standard error, and knows which of the two it is.
        Err(error) => {
            let status = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    let outcome = match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Reproduce(args) => self::reproduce::run(&args),
    };
    outcome.unwrap_or_else(|failure| failure.report())
}
