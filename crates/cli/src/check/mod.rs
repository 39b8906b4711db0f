//! `reenact check`: does this log belong to these jars, and what must hold for the crash to happen?

mod text;
mod view;

use crate::args::Check;
use crate::failure::Failure;
use crate::load;
use crate::terminal;
use std::process::ExitCode;
use std::sync::Arc;
use target::{CrashTarget, Methods};
use view::{Fit, View};

pub(crate) fn run(args: &Check) -> Result<ExitCode, Failure> {
    let loaded = load::load(&args.crash)?;
    let application = |class: &str| loaded.application.contains(&loaded.program, class);
    let target = CrashTarget::derive(&loaded.throwable, &Methods::new(Arc::clone(&loaded.program)), &application);
    let view = View::new(&args.crash.crash, &loaded, &target);
    if args.crash.json {
        let json = serde_json::to_string(&view).map_err(|error| Failure::from_error(&error))?;
        terminal::print_json(&json);
    } else {
        terminal::print(&text::render(&view, terminal::has_colour()));
    }
    Ok(ExitCode::from(if view.verdict.fit == Fit::DoesNotFit { 1 } else { 0 }))
}
