//! The main job.

use crate::args::{Framework, Reproduce, Style};
use crate::failure::Failure;
use crate::load;
use crate::terminal;
use program::ClassPath;
use reproduce::{Budget, Crash, Event, Settings};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &Reproduce) -> Result<ExitCode, Failure> {
    let loaded = load::load(&args.crash)?;
    let settings = settings(args)?;
    let program = Arc::new(loaded.program);
    let application = Arc::new(loaded.application);
    let crash = Crash {
        throwable: loaded.throwable,
        is_application: {
            let program = program.clone();
            Arc::new(move |class: &str| application.contains(&program, class))
        },
    };
    let cp: Vec<String> = settings.class_path.entries().iter().map(|p| p.display().to_string()).collect();
    let mut runner = crate::plain_runner::Plain::start(&program.jdk().home, &cp.join(":"));
    let mut show = |event: Event| {
        if !matches!(event, Event::Round { .. }) {
            eprintln!("{event:?}");
        }
    };
    let verdict = reproduce::reproduce(&crash, &program, &settings, &mut runner, &mut show)
        .map_err(|error| Failure::from_error(&error))?;
    if let Some(test) = &verdict.test {
        terminal::print(&test.source);
    }
    eprintln!("{verdict:?}");
    Ok(ExitCode::from(if verdict.is_full() { 0 } else { 1 }))
}

fn settings(args: &Reproduce) -> Result<Settings, Failure> {
    Ok(Settings {
        class_path: ClassPath::parse(&args.crash.class_path)?,
        fixed: if args.fixed.is_empty() { None } else { Some(ClassPath::parse(&args.fixed)?) },
        budget: args.candidates.map_or(Budget::Time(args.budget), Budget::Candidates),
        seed: args.seed,
        jobs: args.jobs.unwrap_or(2),
        out: args.out.clone(),
        framework: args.junit.map(|framework| match framework {
            Framework::JUnit4 => junit::Framework::JUnit4,
            Framework::JUnit5 => junit::Framework::JUnit5,
            Framework::TestNg => junit::Framework::TestNg,
            Framework::Main => junit::Framework::Main,
        }),
        assert_throws: args.style == Style::AssertThrows,
        jvm_args: args.jvm_arg.clone(),
        sandbox: !args.no_sandbox,
        evolve: evolve::Config::default(),
        stop: Arc::default(),
    })
}
