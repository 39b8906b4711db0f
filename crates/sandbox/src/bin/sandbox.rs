//! The hidden subcommand of `reenact` that belongs to this crate, on its own: what its tests re-execute. And what the kernel offers.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next().as_ref().and_then(|arg| arg.to_str()) {
        Some("sandboxed-exec") => eprintln!("error: {}", sandbox::sandboxed_exec(args)),
        Some("probe") => {
            println!("{}", sandbox::probe());
            return ExitCode::SUCCESS;
        }
        _ => eprintln!("usage: sandbox sandboxed-exec .. -- PROGRAM ARGS | sandbox probe"),
    }
    ExitCode::from(2)
}
