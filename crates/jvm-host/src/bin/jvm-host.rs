//! The hidden subcommands of `reenact` that belong to this crate, on their own: what its tests re-execute.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next().as_ref().and_then(|arg| arg.to_str()) {
        Some("sandboxed-exec") => {
            let error = jvm_host::sandbox::sandboxed_exec(args);
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
        Some("worker") => jvm_host::worker::main(),
        Some("sandbox-probe") => {
            println!("{}", jvm_host::sandbox::probe());
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: jvm-host sandboxed-exec .. -- PROGRAM ARGS | worker | sandbox-probe");
            ExitCode::from(2)
        }
    }
}
