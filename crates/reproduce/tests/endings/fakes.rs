//! A crash of a program that does not exist, engines that follow a script, workers and fresh JVMs that show what a candidate's
//! text asks for. Only the orchestrator is real.

use confirm::{Conditions, ConfirmError, ConfirmOptions, Confirmation, Run, RunEnd, Setting, TestFile, TestRun};
use crash_report::{Frame, Throwable};
use engine::{
    Allowance, Engine, EngineName, Fact, Factory, Find, Outlook, Proposal, Proposed, Refutation, Round, Setup,
};
use program::{Cache, ClassName, ClassPath, Jdk, Program, Symbol};
use recipe::{Cost, End, Observation, ProbePlan, Recipe, Runner, RunnerError, StackFrame, Thrown};
use reproduce::{
    Budget, Build, Clock, Confirming, Crash, Event, ReproduceError, Settings, SoFar, Tools, Verdict, reproduce,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const LOG: &str = "java.lang.IllegalStateException: broken
\tat app.Main.run(Main.java:7)
\tat app.Main.start(Main.java:3)
";

/// What a text in a candidate or test makes happen: the more of these words it has, the more of the crash.
pub(crate) const WHOLE: &str = "whole";
pub(crate) const LINE: &str = "line";
pub(crate) const NOTHING: &str = "nothing";

/// What an engine does when it is asked the next time.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// Candidates with these texts.
    Give(&'static [&'static str]),
    Panic,
    Hang,
}

#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) name: EngineName,
    pub(crate) turns: Vec<Turn>,
    /// What it says of itself when it has nothing more to give.
    pub(crate) at_the_end: Outlook,
    /// What it says of where it stands.
    pub(crate) says: &'static str,
    pub(crate) heard: Arc<Mutex<Vec<String>>>,
}

pub(crate) fn script(name: EngineName, turns: &[Turn]) -> Script {
    Script { name, turns: turns.to_vec(), at_the_end: Outlook::Done, says: "", heard: Arc::default() }
}

impl Script {
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("nobody panics with it").clone()
    }
}

impl Factory for Script {
    fn name(&self) -> EngineName {
        self.name
    }

    fn make(&self, _: &Setup) -> Box<dyn Engine> {
        let mut script = self.clone();
        script.turns.reverse();
        Box::new(script)
    }
}

impl Engine for Script {
    fn name(&self) -> EngineName {
        self.name
    }

    fn propose(&mut self, allowance: &Allowance) -> Proposal {
        let mut proposal = Proposal::default();
        proposal.standing.explanation = self.says.to_owned();
        match self.turns.pop() {
            Some(Turn::Give(texts)) => {
                // It enters the outermost frame that it shows.
                let proposed = |text: &&str| Proposed::new(saying(text), frames(text).len().max(1) as u32, 0);
                proposal.candidates = texts.iter().take(allowance.candidates).map(proposed).collect();
            }
            Some(Turn::Panic) => panic!("a mistake"),
            Some(Turn::Hang) => {
                while !allowance.stop.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            None => proposal.standing.outlook = self.at_the_end,
        }
        proposal
    }

    fn learn(&mut self, _: &Round) {}

    fn inform(&mut self, _: &[Arc<Fact>]) {}

    fn refute(&mut self, find: &Find, refutation: Refutation) {
        let what = format!("{refutation:?} {}", find.candidate.id.0);
        self.heard.lock().expect("nobody panics with it").push(what);
    }
}

/// A candidate with this text.
pub(crate) fn saying(text: &str) -> Recipe {
    let text = format!("call java.lang.Integer.parseInt(java.lang.String {text:?}): int");
    recipe::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// The frames that happen with this text: none, the crash line, all.
fn frames(text: &str) -> &'static [(&'static str, u16)] {
    const ALL: [(&str, u16); 2] = [("run", 7), ("start", 3)];
    if text.contains(WHOLE) {
        &ALL
    } else if text.contains(LINE) {
        &ALL[..1]
    } else {
        &[]
    }
}

/// Workers. What they do besides is up to the test.
pub(crate) struct Workers<'a> {
    pub(crate) calls: usize,
    /// Before each call, with its number from 0.
    pub(crate) before: &'a mut (dyn FnMut(usize) -> Result<(), RunnerError> + Send),
}

impl Runner for Workers<'_> {
    fn run_each(&mut self, recipes: &[&Recipe], _: &ProbePlan) -> Result<Vec<Observation>, RunnerError> {
        (self.before)(self.calls)?;
        self.calls += 1;
        Ok(recipes.iter().map(|recipe| observe(&recipe.to_string())).collect())
    }

    fn set_deadline(&mut self, _: Option<Instant>) {}
}

fn observe(text: &str) -> Observation {
    let class = ClassName::internal("app/Main");
    let frame = |(method, line): &(&str, u16)| StackFrame {
        class,
        method: Symbol::new(method),
        line: Some(*line),
        is_test: false,
    };
    let stack: Vec<StackFrame> = frames(text).iter().map(frame).collect();
    let end = if stack.is_empty() {
        End::Completed
    } else {
        let class = ClassName::internal("java/lang/IllegalStateException");
        End::Threw { stmt: 0, thrown: Thrown { class, message: Some("broken".into()), stack, cause: None } }
    };
    Observation {
        end,
        lines: Vec::new(),
        branches: Vec::new(),
        conditions: Vec::new(),
        cost: Cost::default(),
        shown: Default::default(),
    }
}

/// Fresh JVMs. What they show of a test's source, and whether it is the fixed program's.
pub(crate) type Shows = Box<dyn Fn(&str, bool) -> Result<Confirmation, ConfirmError>>;

struct Jvms {
    shows: Shows,
    crashing: *const Program,
}

impl Confirming for Jvms {
    fn confirm(
        &self,
        test: &[TestFile],
        setting: &Setting<'_>,
        _: &ConfirmOptions,
    ) -> Result<Confirmation, ConfirmError> {
        (self.shows)(&test[0].text, !std::ptr::eq(setting.program, self.crashing))
    }
}

/// One run from which the frames of the text escape.
pub(crate) fn showing(text: &str) -> Confirmation {
    let frame = |(method, line): &(&str, u16)| Frame {
        class: "app.Main".into(),
        method: (*method).into(),
        line: Some(u32::from(*line)),
        ..Frame::default()
    };
    let frames: Vec<Frame> = frames(text).iter().map(frame).collect();
    let thrown = Throwable {
        class: "java.lang.IllegalStateException".into(),
        message: Some("broken".into()),
        frames,
        ..Throwable::default()
    };
    let escaped = Some(thrown).filter(|thrown| !thrown.frames.is_empty());
    let run = Run {
        conditions: Conditions::Usual,
        end: RunEnd::Completed,
        tests: vec![TestRun { name: "crash(T)".into(), escaped, ..TestRun::default() }],
        not_run: Vec::new(),
        unloadable: Vec::new(),
        denied: Vec::new(),
        output: String::new(),
        took: Duration::ZERO,
    };
    Confirmation::Ran { classes: vec!["T".into()], replaced: Vec::new(), runs: vec![run] }
}

/// What a fresh JVM that agrees with the workers shows.
pub(crate) fn honest() -> Shows {
    Box::new(|text, _| Ok(showing(text)))
}

/// Everything that a run needs.
pub(crate) struct World {
    directory: tempfile::TempDir,
    program: Arc<Program>,
    pub(crate) settings: Settings,
}

impl World {
    pub(crate) fn new(budget: Budget, engines: &[&Script]) -> World {
        let directory = tempfile::tempdir().expect("a place for an empty program, and a JDK");
        let program = empty_program(&directory);
        let settings = Settings {
            class_path: program.runtime_class_path().expect("a place for an empty program, and a JDK"),
            fixed: None,
            examples: None,
            clock: Clock { started: Instant::now(), budget },
            seed: 1,
            jobs: 1,
            out: directory.path().join("out"),
            in_package: false,
            framework: Some(junit::Framework::Main),
            assert_throws: false,
            jvm_args: Vec::new(),
            allow_read: Vec::new(),
            launch: confirm::Launch { program: Vec::new(), sandboxed: false },
            engines: engines.iter().map(|script| Arc::new((*script).clone()) as Arc<dyn Factory>).collect(),
            stop: Arc::new(AtomicBool::new(false)),
            so_far: SoFar::new(1),
        };
        World { directory, program, settings }
    }

    pub(crate) fn with_fixed_build(mut self) -> World {
        let program = empty_program(&self.directory);
        self.settings.fixed = Some(Build {
            class_path: program.runtime_class_path().expect("a place for an empty program, and a JDK"),
            program,
        });
        self
    }

    /// The budget counts from now.
    pub(crate) fn run(&mut self, shows: Shows) -> (Result<Verdict, ReproduceError>, Vec<Event>) {
        self.run_with(Ok(shows), &mut |_| Ok(()))
    }

    pub(crate) fn run_with(
        &mut self,
        shows: Result<Shows, ConfirmError>,
        before: &mut (dyn FnMut(usize) -> Result<(), RunnerError> + Send),
    ) -> (Result<Verdict, ReproduceError>, Vec<Event>) {
        self.settings.clock.started = Instant::now();
        let crash = Crash {
            throwable: crash_report::parse(LOG.as_bytes()).traces.remove(0).throwable,
            before: String::new(),
            waypoints: Vec::new(),
            is_application: Arc::new(|class| class.starts_with("app.")),
        };
        let crashing = Arc::as_ptr(&self.program);
        let confirmer = shows.map(|shows| Box::new(Jvms { shows, crashing }) as Box<dyn Confirming>);
        let tools = Tools { runner: &mut Workers { calls: 0, before }, confirmer };
        let mut events = Vec::new();
        let verdict = reproduce(&crash, &self.program, &self.settings, tools, &mut |event| events.push(event));
        (verdict, events)
    }

    /// The tests that were written.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(&self.settings.out).into_iter().flatten().flatten();
        files.map(|file| file.path()).collect()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

fn empty_program(directory: &tempfile::TempDir) -> Arc<Program> {
    let classes = directory.path().join("classes");
    std::fs::create_dir_all(&classes).expect("a place for an empty program, and a JDK");
    let class_path = ClassPath::parse([classes]).expect("a place for an empty program, and a JDK");
    Arc::new(
        Program::open(&class_path, Jdk::find(None).expect("a place for an empty program, and a JDK"), &Cache::none())
            .expect("a place for an empty program, and a JDK")
            .0,
    )
}
