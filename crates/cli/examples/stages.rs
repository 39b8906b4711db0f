//! One crash, stage by stage, as `docs/how-it-works.md` shows it:
//! `cargo run --release -p cli --example stages -- CRASH.log PROGRAM.jar`. It uses the same seams as the tool: an engine that watches
//! another one, and a runner that counts what passes through it.

use confirm::Launch;
use engine::{Allowance, Candidate, Engine, EngineName, Fact, Factory, Find, Proposal, Refutation, Round, Setup};
use program::{Cache, ClassName, ClassPath, Jdk, Program};
use recipe::{End, Observation, ProbePlan, Recipe, Runner, RunnerError};
use reproduce::{Budget, Clock, Crash, Event, Settings, SoFar, Tools};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use worker::{Host, HostConfig};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let first = args.next().ok_or("usage: stages CRASH.log PROGRAM.jar")?;
    match first.to_str() {
        Some("worker") => worker::main(),
        Some(confirm::COMMAND) => confirm::main(),
        Some("sandboxed-exec") => return Err(sandbox::sandboxed_exec(args).into()),
        _ => {}
    }
    let jar = args.next().ok_or("usage: stages CRASH.log PROGRAM.jar")?;
    let report = crash_report::parse(&std::fs::read(&first)?);
    println!("== CrashReport: {} trace, {} problems", report.traces.len(), report.problems.len());
    let throwable = report.traces.first().ok_or("no trace")?.throwable.clone();
    print!("{throwable}");
    let class_path = ClassPath::parse([jar])?;
    let program = Arc::new(Program::open(&class_path, Jdk::find(None)?, &Cache::of_user())?.0);
    let names = Arc::clone(&program);
    let crash = Crash {
        throwable,
        before: String::new(),
        waypoints: Vec::new(),
        is_application: Arc::new(move |class| names.is_application_default(ClassName::from_dotted(class))),
    };
    follow(&crash, &program)
}

fn follow(crash: &Crash, program: &Arc<Program>) -> Result<(), Box<dyn Error>> {
    let settings = settings(program)?;
    let config = HostConfig {
        command: vec![std::env::current_exe()?.into(), "worker".into()],
        class_path: settings.class_path.entries().to_vec(),
        link: Vec::new(),
        allow_read: Vec::new(),
        vm_args: Vec::new(),
        sandboxed: true,
        jobs: 1,
        repeatable: true,
    };
    let mut runner = Counting { host: Host::new(config, Arc::clone(program)), ran: 0 };
    let confirmer = reproduce::start_confirmer(program, &settings, None)?;
    let tools = Tools { runner: &mut runner, confirmer };
    let verdict = reproduce::reproduce(crash, program, &settings, tools, &mut |event| match event {
        Event::Claim { grade } => println!("\n== Claim: a worker shows {grade}"),
        Event::Refuted { claimed, confirmed, why, .. } => println!("== Refuted: {confirmed}, not {claimed} {why}"),
        Event::Confirmed { grade, .. } => println!("\n== Confirmed by fresh JVMs: {grade}"),
        _ => {}
    })?;
    println!("\n== Verdict: {}, {} recipes run in all", verdict.graded(), runner.ran);
    print!("{}", verdict.test.map_or_else(String::new, |test| test.source));
    Ok(())
}

fn settings(program: &Arc<Program>) -> Result<Settings, Box<dyn Error>> {
    let chosen = engines::all().choose(&[engine::AUTO], &|_| String::new())?;
    Ok(Settings {
        class_path: program.runtime_class_path()?,
        fixed: None,
        examples: None,
        clock: Clock { started: Instant::now(), budget: Budget::Candidates(1000) },
        seed: 1,
        jobs: 1,
        out: PathBuf::from("reenact-out"),
        in_package: false,
        framework: None,
        assert_throws: false,
        jvm_args: Vec::new(),
        allow_read: Vec::new(),
        launch: Launch { program: vec![std::env::current_exe()?.into()], sandboxed: true },
        engines: chosen.into_iter().map(|inner| Arc::new(Watching(inner)) as Arc<dyn Factory>).collect(),
        stop: Arc::default(),
        so_far: SoFar::new(1),
    })
}

/// Makes engines that are watched.
#[derive(Debug)]
struct Watching(Arc<dyn Factory>);

impl Factory for Watching {
    fn name(&self) -> EngineName {
        self.0.name()
    }

    fn makes_natural(&self) -> bool {
        self.0.makes_natural()
    }

    fn make(&self, setup: &Setup) -> Box<dyn Engine> {
        println!("\n== CrashTarget\n{}", setup.target);
        let plan = setup.goal.probe_plan();
        println!("== Goal: {} frames; ProbePlan: observe {} methods in", setup.goal.frames.len(), plan.frames.len());
        plan.classes.iter().for_each(|class| println!("   {class}"));
        println!("   and how far these are from true:");
        plan.conditions.iter().for_each(|anchored| println!("   {} {}", anchored.at.method, anchored.at.at));
        Box::new(Watched { inner: self.0.make(setup), is_first: true, best: None })
    }
}

struct Watched {
    inner: Box<dyn Engine>,
    is_first: bool,
    best: Option<engine::Assessment>,
}

impl Engine for Watched {
    fn name(&self) -> EngineName {
        self.inner.name()
    }

    fn propose(&mut self, allowance: &Allowance) -> Proposal {
        let proposal = self.inner.propose(allowance);
        if std::mem::take(&mut self.is_first) {
            println!("\n== Candidates: `{}` proposes {}, the first of them", self.name(), proposal.candidates.len());
            proposal.candidates.first().into_iter().for_each(|first| println!("{}", first.recipe));
        }
        proposal
    }

    fn learn(&mut self, round: &Round) {
        for (candidate, observation, assessment) in round.iter() {
            if self.best.as_ref().is_none_or(|best| assessment.cmp_nearness(best).is_lt()) {
                self.best = Some(assessment.clone());
                show(candidate, observation, assessment);
            }
        }
        self.inner.learn(round);
    }

    fn inform(&mut self, facts: &[Arc<Fact>]) {
        self.inner.inform(facts);
    }

    fn refute(&mut self, find: &Find, refutation: Refutation) {
        self.inner.refute(find, refutation);
    }

    fn more_natural(&mut self, candidate: &Candidate, recipe: &Recipe, count: usize) -> Vec<Recipe> {
        self.inner.more_natural(candidate, recipe, count)
    }
}

/// A candidate that came nearer than all before it.
fn show(candidate: &Candidate, observation: &Observation, assessment: &engine::Assessment) {
    println!("\n== Nearer: candidate {}, which enters frame {}", candidate.id.0, candidate.entry());
    println!("{}", candidate.recipe());
    let lines = observation.lines.len();
    let end = match &observation.end {
        End::Threw { thrown, .. } => format!("threw {}, {} frames", thrown.class, thrown.stack.len()),
        other => format!("{other:?}"),
    };
    println!("-- Observation: {end}; {lines} lines, conditions {:?}", observation.conditions);
    println!(
        "-- Assessment: {}, frames to go {}, line distance {:.2}, condition {:.2}, message {:.2}, demerits {}",
        assessment.grade(),
        assessment.inwards.frames_to_go,
        assessment.inwards.line.sum(),
        assessment.condition,
        assessment.message,
        assessment.demerits
    );
}

/// The workers, and how many recipes they have run.
struct Counting {
    host: Host,
    ran: usize,
}

impl Runner for Counting {
    fn run_each(&mut self, recipes: &[&Recipe], plan: &ProbePlan) -> Result<Vec<Observation>, RunnerError> {
        self.ran += recipes.len();
        self.host.run_each(recipes, plan)
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.host.set_deadline(deadline);
    }

    fn denied(&self) -> Vec<PathBuf> {
        self.host.denied()
    }
}
