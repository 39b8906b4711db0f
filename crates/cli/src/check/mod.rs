//! `reenact check`: does this log belong to these jars, and what must hold for the crash to happen?

mod text;
mod view;

use crate::args::Check;
use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::result::ConditionView;
use crate::terminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use target::{CrashTarget, Methods};
use view::{Fit, View};

/// Longest time that is spent on an explanation.
const TIME: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &Check) -> Result<ExitCode, Failure> {
    let loaded = load::load(&args.crash)?;
    let application = |class: &str| loaded.application.contains(&loaded.program, class);
    let target = CrashTarget::derive(&loaded.throwable, &Methods::new(Arc::clone(&loaded.program)), &application);
    let mut view = View::new(&args.crash.crash, &loaded, &target);
    if args.explain {
        view.conditions = Some(explain(loaded)?);
    }
    if args.crash.json {
        let json = serde_json::to_string(&view).map_err(|error| Failure::from_error(&error))?;
        terminal::print_json(&json);
    } else {
        terminal::print(&text::render(&view, terminal::has_colour()));
    }
    Ok(ExitCode::from(if view.verdict.fit == Fit::DoesNotFit { 1 } else { 0 }))
}

/// What the engines can say of the crash before anything is run.
fn explain(loaded: Loaded) -> Result<Vec<ConditionView>, Failure> {
    let program = loaded.program;
    let (application, names) = (loaded.application, Arc::clone(&program));
    let crash = reproduce::Crash {
        throwable: loaded.throwable,
        before: loaded.before,
        waypoints: loaded.waypoints,
        is_application: Arc::new(move |class: &str| application.contains(&names, class)),
    };
    let engines = engines::all().choose(&[engine::AUTO], &|_| String::new()).map_err(Failure::new)?;
    let conditions = reproduce::explain(&crash, &program, &engines, Instant::now() + TIME);
    let conditions = conditions.map_err(|error| Failure::from_error(&error))?;
    Ok(conditions.iter().map(ConditionView::new).collect())
}
