//! The hidden subcommands of `reenact` that workers need, on their own: what the tests of this crate re-execute.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next().as_ref().and_then(|arg| arg.to_str()) {
        Some("sandboxed-exec") => {
            eprintln!("error: {}", sandbox::sandboxed_exec(args));
            ExitCode::from(2)
        }
        Some("worker") => worker::main(),
        _ => {
            eprintln!("usage: worker sandboxed-exec .. -- PROGRAM ARGS | worker worker");
            ExitCode::from(2)
        }
    }
}
