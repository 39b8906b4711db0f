//! The hidden subcommands of `reenact` in which compiler and tests run, on their own: what the tests of this crate re-execute.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next().as_ref().and_then(|arg| arg.to_str()) {
        Some("sandboxed-exec") => eprintln!("error: {}", sandbox::sandboxed_exec(args)),
        Some(confirm::COMMAND) => confirm::main(),
        _ => eprintln!("usage: confirm sandboxed-exec .. -- PROGRAM ARGS | confirm {}", confirm::COMMAND),
    }
    ExitCode::from(2)
}
