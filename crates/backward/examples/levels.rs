//! How far conditions are derived, per crash of a pack: frames that have one, frames that have an exact one, and what stopped it.
//!
//! `levels MANIFEST JARS [SETTINGS [ID,ID.. | all [star]]]`, with jars as `reenact bench` takes them. With `star`, only crashes of that
//! paper, and frames up to the level that it reports. The three numbers are paths, checks and blocks.
#![allow(clippy::print_stdout, reason = "this is what it is for")]
#![allow(clippy::cast_precision_loss, reason = "means")]

use bench::pack::Pack;
use engine::{Allowance, FactKind, Goal, Outlook, Setup};
use objects::Catalogue;
use program::{Cache, ClassName, ClassPath, Jdk, Program};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use target::{CrashTarget, FrameRole, Methods};

const TIME: Duration = Duration::from_secs(20);

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [manifest, jars, rest @ ..] = &args[..] else { return Err("levels MANIFEST JARS [SETTINGS [ID,ID..]]".into()) };
    let pack = Pack::read(Path::new(manifest))?;
    let settings = rest.first().map_or("", String::as_str);
    let ids = rest.get(1).filter(|ids| *ids != "all");
    let only: Vec<String> = ids.map_or_else(Vec::new, |ids| ids.split(',').map(str::to_owned).collect());
    let is_star = rest.get(2).is_some();
    let (mut all, mut known, mut crashes) = (0_u32, 0_u32, 0_u32);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for crash in pack.select(&only)? {
        let level =
            crash.published.star.as_ref().filter(|star| star.exploited).and_then(|star| star.precondition_level);
        let level = level.filter(|level| *level > 0);
        if is_star && level.is_none() {
            continue;
        }
        let level = level.filter(|_| is_star).unwrap_or(u32::MAX);
        let log = std::fs::read(pack.trace_path(crash))?;
        let class_path = ClassPath::parse(pack.class_path(crash, Path::new(jars))?)?;
        let told = explain(&log, &class_path, &crash.target_frames, settings, level)?;
        println!("{:18} {told}", crash.id);
        crashes += 1;
        told.counts.iter().for_each(|(name, count)| *counts.entry(*name).or_insert(0) += count);
        (all, known) = (all + told.frames, known + told.frames - told.gaps());
    }
    println!("{known} of {all} frames");
    for (name, total) in counts {
        println!("{name}: {:.1} per crash", total as f64 / f64::from(crashes));
    }
    Ok(())
}

/// What was derived of one crash.
struct Told {
    frames: u32,
    /// Conditions of each frame, and whether one of them is neither cut nor loose.
    levels: BTreeMap<u32, (usize, bool)>,
    explanation: String,
    time: Duration,
    /// The step that took longest, by number, and how long it took: frames one after the other, in each pass.
    slowest: (usize, Duration),
    /// Paths, checks and blocks.
    counts: Vec<(&'static str, u64)>,
}

impl Told {
    /// Frames without any condition; there are those whose conditions cannot be said in words of the program.
    fn gaps(&self) -> u32 {
        let gaps = if self.explanation.is_empty() { 0 } else { self.explanation.split(", ").count() };
        u32::try_from(gaps).unwrap_or(u32::MAX).min(self.frames)
    }
}

impl std::fmt::Display for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mark = |frame| match self.levels.get(&frame) {
            None => '.',
            Some((_, true)) => '#',
            Some((_, false)) => '+',
        };
        let marks: String = (1..=self.frames).map(mark).collect();
        let exact = self.levels.values().filter(|(_, is_exact)| *is_exact).count();
        let (known, time) = (self.frames - self.gaps(), self.time.as_secs_f64());
        let (step, longest) = (self.slowest.0, self.slowest.1.as_secs_f64());
        write!(f, "{known:2}/{:2} {exact:2} exact {time:5.1} s", self.frames)?;
        write!(f, " (step {step}: {longest:4.1} s)")?;
        self.counts.iter().try_for_each(|(_, count)| write!(f, " {count:5}"))?;
        write!(f, " {marks} {}", self.explanation)
    }
}

fn explain(
    log: &[u8],
    class_path: &ClassPath,
    application: &str,
    settings: &str,
    level: u32,
) -> Result<Told, Box<dyn Error>> {
    let report = crash_report::parse(log);
    let pattern = regex::Regex::new(&format!("^(?:{application})$"))?;
    let is_application = move |class: &str| pattern.is_match(class);
    let choice = crash_report::choose(&report, &is_application, None, None).map_err(|_| "no trace")?;
    let throwable = choice.throwable(&report).cloned().unwrap_or_default();
    let (program, _) = Program::open(class_path, Jdk::find(None)?, &Cache::of_user())?;
    let program = Arc::new(program);
    let methods = Arc::new(Methods::new(program.clone()));
    let target = Arc::new(CrashTarget::derive(&throwable, &methods, &is_application));
    let mut goal = Goal::new(&target, throwable.clone(), &methods);
    let inner = target.frames.iter().take(usize::try_from(level)?);
    goal.frames.truncate(inner.filter(|frame| matches!(frame.role, FrameRole::Application(_))).count());
    let goal = Arc::new(goal);
    let near: Vec<ClassName> = throwable.frames.iter().map(|frame| ClassName::from_dotted(&frame.class)).collect();
    let is_frame = |frame: &&target::TargetFrame| matches!(frame.role, FrameRole::Application(_));
    let frames = target.frames.iter().filter(is_frame).count().min(goal.frames.len());
    let setup = Setup {
        target,
        goal,
        program: program.clone(),
        catalogue: Arc::new(Catalogue::new(program, &near).with_methods(methods)),
        is_application: Arc::new(is_application),
        before: String::new(),
        seed: 1,
        is_counted: false,
        waypoints: Vec::new(),
    };
    let start = Instant::now();
    let mut engine = (backward::REGISTRATION.configure)(settings)?.make(&setup);
    let mut levels: BTreeMap<u32, (usize, bool)> = BTreeMap::new();
    let deadline = start + TIME;
    let (mut explanation, mut counts) = (String::new(), Vec::new());
    let mut slowest = (0, Duration::ZERO);
    let mut silent = 0;
    for step in 1.. {
        let allowance = Allowance { candidates: 0, steps: Some(1), deadline: Some(deadline), stop: Arc::default() };
        let before = start.elapsed();
        let proposal = engine.propose(&allowance);
        let took = start.elapsed() - before;
        if took > slowest.1 {
            slowest = (step, took);
        }
        let is_silent = proposal.facts.is_empty() && proposal.standing.counts == counts;
        silent = if is_silent { silent + 1 } else { 0 };
        (explanation, counts) = (proposal.standing.explanation, proposal.standing.counts);
        for fact in &proposal.facts {
            if let FactKind::Precondition { frame, .. } = &fact.kind {
                let level = levels.entry(*frame).or_default();
                *level = (level.0 + 1, level.1 || !(fact.cut || fact.loose));
            }
        }
        let is_over = silent > 2 * frames || proposal.standing.outlook != Outlook::Open;
        if is_over || Instant::now() >= deadline {
            break;
        }
    }
    Ok(Told { frames: u32::try_from(frames)?, levels, explanation, time: start.elapsed(), slowest, counts })
}
