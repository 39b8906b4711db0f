//! What the engine derives from each kind of goals, of a small class with two ways to the failure.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use condition::Condition;
use engine::{Allowance, FactKind, Factory, Goal, Outlook, Proposal, Setup, Waypoint};
use objects::Catalogue;
use program::{Cache, ClassPath, CodePoint, InstrId, Jdk, MethodRef, Program};
use std::path::Path;
use std::sync::Arc;

const SOURCE: &str = include_str!("ways/Gate.java");

/// The number of the line that has the text.
fn line(text: &str) -> usize {
    SOURCE.lines().position(|line| line.contains(text)).unwrap() + 1
}

struct Scene {
    program: Arc<Program>,
    _directory: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        let directory = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ways/Gate.java");
        testing::compile(&[source], directory.path(), &["-g"]);
        let class_path = ClassPath::parse([directory.path()]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        Scene { program: Arc::new(program), _directory: directory }
    }

    fn setup(&self, exception: &str, frames: &[(&str, usize)], waypoints: &[Waypoint]) -> Setup {
        let frame = |(method, line): &(&str, usize)| format!("\tat ways.Gate.{method}(Gate.java:{line})\n");
        let text = format!("java.lang.{exception}\n{}", frames.iter().map(frame).collect::<String>());
        let throwable = crash_report::parse(text.as_bytes()).traces.remove(0).throwable;
        let catalogue = Arc::new(Catalogue::new(self.program.clone(), &[]));
        let target = target::CrashTarget::derive(&throwable, catalogue.methods(), &|_| true);
        let goal = Arc::new(Goal::new(&target, throwable, catalogue.methods()));
        Setup {
            target: Arc::new(target),
            goal,
            program: self.program.clone(),
            catalogue,
            is_application: Arc::new(|_| true),
            before: String::new(),
            seed: 1,
            is_counted: true,
            waypoints: waypoints.to_vec(),
        }
    }

    fn gate(&self, waypoints: &[Waypoint]) -> Setup {
        let frames = [("pass", line("name.trim()")), ("enter", line("gate.pass(name)"))];
        self.setup("NullPointerException", &frames, waypoints)
    }

    /// Where the line begins in the method.
    fn at(&self, method: MethodRef, text: &str) -> Waypoint {
        let found = analysis::Methods::new(self.program.clone()).get(method).unwrap();
        let wanted = u16::try_from(line(text)).unwrap();
        let bci = (0..200).find(|bci| found.body.line_of(*bci) == Some(wanted)).unwrap();
        Waypoint::At(CodePoint { method, at: InstrId::at(bci) })
    }
}

fn method(name: &str, descriptor: &str) -> MethodRef {
    MethodRef::new("ways/Gate", name, descriptor)
}

/// What the engine says until it has nothing more to say.
fn all(setup: &Setup, factory: &dyn Factory) -> Vec<Proposal> {
    let mut engine = factory.make(setup);
    let mut said = Vec::new();
    for _ in 0..200 {
        let allowance = Allowance { candidates: 20, steps: Some(1_000_000), deadline: None, stop: Arc::default() };
        let proposal = engine.propose(&allowance);
        let is_over = proposal.standing.outlook != Outlook::Open;
        said.push(proposal);
        if is_over {
            return said;
        }
    }
    panic!("it never ends");
}

fn replay(settings: &str) -> Arc<dyn Factory> {
    (replay::REGISTRATION.configure)(settings).unwrap()
}

/// The conditions at the entry of the frame, as text; and how many recipes there are.
fn derived(setup: &Setup, settings: &str, frame: u32) -> (Vec<String>, usize) {
    let said = all(setup, &*replay(settings));
    let recipes = said.iter().flat_map(|proposal| &proposal.candidates).filter(|one| one.entry == frame).count();
    let facts = said.into_iter().flat_map(|proposal| proposal.facts);
    let conditions = facts.filter_map(|fact| match fact.kind {
        FactKind::Precondition { frame: of, when, .. } if of == frame => Some(words(&when)),
        _ => None,
    });
    (conditions.collect(), recipes)
}

fn words(when: &Condition) -> String {
    condition::text::condition(when, &condition::text::Unnamed)
}

#[test]
fn the_stack_gives_every_way_through_its_calls() {
    let scene = Scene::new();
    let (conditions, recipes) = derived(&scene.gate(&[]), "", 2);
    let has = |kind: &str| conditions.iter().any(|text| text.contains(&format!("== {kind}")) && text.contains("null"));
    assert!(has("7") && has("9"), "{conditions:?}");
    assert!(recipes >= 2);
}

#[test]
fn the_failure_alone_is_come_to_through_calls_as_well() {
    let scene = Scene::new();
    let (conditions, recipes) = derived(&scene.gate(&[]), "goals=point", 2);
    assert!(conditions.iter().any(|text| text.contains("== 7")), "{conditions:?}");
    assert!(recipes >= 1);
}

#[test]
fn recorded_calls_choose_the_way() {
    let scene = Scene::new();
    for (name, wanted, other) in [("force", "== 9", "== 7"), ("open", "== 7", "== 9")] {
        let waypoints = [
            Waypoint::Entry(method("enter", "(ILjava/lang/String;)Ljava/lang/String;")),
            Waypoint::Entry(method(name, "()V")),
        ];
        let (conditions, recipes) = derived(&scene.gate(&waypoints), "goals=calls", 2);
        assert!(!conditions.is_empty() && recipes >= 1, "{name}");
        assert!(
            conditions.iter().all(|text| text.contains(wanted) && !text.contains(&format!("0 {other}"))),
            "{conditions:?}"
        );
    }
}

#[test]
fn a_recorded_branch_counts_in_a_trace_and_not_among_calls() {
    let scene = Scene::new();
    let force = scene.at(method("force", "()V"), "tries++");
    let (conditions, _) = derived(&scene.gate(std::slice::from_ref(&force)), "goals=trace", 2);
    assert!(!conditions.is_empty() && conditions.iter().all(|text| text.contains("== 9")), "{conditions:?}");
    let (conditions, _) = derived(&scene.gate(&[force]), "goals=calls", 2);
    assert!(conditions.iter().any(|text| text.contains("== 7")), "{conditions:?}");
}

/// SymCon: what is known of a parameter leaves the ways that agree with it.
#[test]
fn a_recorded_parameter_limits_the_ways() {
    let scene = Scene::new();
    let enter = method("enter", "(ILjava/lang/String;)Ljava/lang/String;");
    for (given, wanted, other) in [((8, 15), "== 9", "== 7"), ((4, 7), "== 7", "== 9")] {
        let value = engine::Recorded::Integer(given.0, given.1);
        let waypoint = Waypoint::Parameter { of: enter, slot: 0, value };
        let (conditions, _) = derived(&scene.gate(&[waypoint]), "goals=stack", 2);
        assert!(conditions.iter().any(|text| text.contains(wanted)), "{conditions:?}");
        assert!(!conditions.iter().any(|text| text.contains(other)), "{conditions:?}");
    }
}

#[test]
fn after_a_gap_goals_may_be_passed_on_the_way() {
    let scene = Scene::new();
    let waypoints = [Waypoint::Gap, Waypoint::Entry(method("force", "()V"))];
    let (conditions, recipes) = derived(&scene.gate(&waypoints), "goals=calls", 2);
    assert!(!conditions.is_empty() && recipes >= 1);
    assert!(conditions.iter().all(|text| text.contains("== 9")), "{conditions:?}");
}

#[test]
fn a_goal_that_cannot_be_reached_is_dropped() {
    let scene = Scene::new();
    let waypoints = [Waypoint::Entry(method("neverCalled", "()V")), Waypoint::Entry(method("force", "()V"))];
    let (conditions, recipes) = derived(&scene.gate(&waypoints), "goals=calls", 2);
    assert!(!conditions.is_empty() && recipes >= 1);
    assert!(conditions.iter().all(|text| text.contains("== 9")), "{conditions:?}");
}

#[test]
fn a_call_that_fails_in_a_later_round_of_a_loop_is_come_to_again() {
    let scene = Scene::new();
    let frames = [("share", line("100 / size")), ("rounds", line("share(sizes[i]"))];
    let setup = scene.setup("ArithmeticException", &frames, &[]);
    let (conditions, recipes) = derived(&setup, "", 2);
    assert!(!conditions.is_empty() && recipes >= 1, "{conditions:?}");
}

#[test]
fn runs_repeat() {
    let scene = Scene::new();
    let run = |seed| {
        let setup = Setup { seed, ..scene.gate(&[]) };
        let recipes = all(&setup, &*replay("")).into_iter().flat_map(|proposal| proposal.candidates);
        recipes.map(|one| one.recipe.fingerprint()).collect::<Vec<u64>>()
    };
    let first = run(1);
    assert!(!first.is_empty());
    assert_eq!(first, run(2));
}

/// Among all engines it says at once that it has nothing, unless something was recorded.
#[test]
fn among_all_engines_it_waits_for_a_recording() {
    let scene = Scene::new();
    let among_all = replay("").among_all().unwrap();
    let said = all(&scene.gate(&[]), &*among_all);
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].standing.outlook, Outlook::Barren);
    let recorded = scene.gate(&[Waypoint::Entry(method("force", "()V"))]);
    assert!(all(&recorded, &*among_all).iter().any(|proposal| !proposal.candidates.is_empty()));
}

#[test]
fn wrong_settings_are_named_with_those_there_are() {
    let error = (replay::REGISTRATION.configure)("goals=all").unwrap_err();
    assert_eq!(error, "`replay` takes `goals=point`, `goals=stack`, `goals=calls`, `goals=trace`, not `goals=all`");
}
