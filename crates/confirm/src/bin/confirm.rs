//! The hidden subcommand of `reenact` by which compiler and tests are locked up, on its own: what the tests of this crate
//! re-execute.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|arg| arg == "sandboxed-exec") {
        eprintln!("error: {}", sandbox::sandboxed_exec(args));
    } else {
        eprintln!("usage: confirm sandboxed-exec .. -- PROGRAM ARGS");
    }
    ExitCode::from(2)
}
