//! A corpus of hostile candidates, one per kind of damage: each ends as an outcome, none changes anything outside, and
//! the candidates after it find the VM as it should be.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::MethodRef;
use recipe::{Access, Action, Block, End, Limit, Recipe, Stmt};
use std::path::Path;
use testing::hostile::{self, Victims};
use testing::{Jdk, jdks};
use worker::{Case, Taint, WorkerConfig, WorkerPool};

fn call(name: &str) -> Recipe {
    let method = MethodRef::new("Hostile", name, "()V");
    let action = Action::Call { method, receiver: None, args: Vec::new(), access: Access::Public };
    Recipe { classes: Vec::new(), body: Block { stmts: vec![Stmt { def: None, action }] } }
}

fn config(jdk: &Jdk, classes: &Path, victims: &Victims) -> WorkerConfig {
    let command = vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()];
    let mut config = WorkerConfig::new(command, &jdk.home, vec![classes.to_path_buf()]);
    config.vm_args = victims.properties();
    config.vm_args.push(hostile::library(classes));
    // The innocent ones must not be stopped because the machine is busy.
    config.limits.milliseconds = 800;
    config.probes.full.insert("Hostile".into());
    config
}

fn shown(case: &Case) -> String {
    let end = match &case.end {
        End::Threw { thrown, .. } => {
            let text: String = thrown.message.iter().flat_map(|text| text.chars()).take(60).collect();
            format!("{} {text:?}", thrown.class.as_internal())
        }
        other => format!("{other:?}"),
    };
    format!("{end}, {:?}", case.taint)
}

/// The innocent ones of a batch, beside the hostile one.
const INNOCENT: [usize; 4] = [0, 2, 3, 4];
/// How often a batch is run in which an innocent one got no processor: what harms it does so each time.
const PATIENCE: usize = 50;

/// Whether an innocent one ran out of time. That needs a machine that is busy with something else: they take none.
fn is_starved(cases: &[Case]) -> bool {
    INNOCENT.iter().any(|index| cases[*index].end == End::Stopped(Limit::Time))
}

fn is_contained(cases: &[Case]) -> bool {
    let expected = [End::Completed, End::Completed, End::Stopped(Limit::Steps), End::Completed];
    let is_as_expected =
        |(index, expected): (&usize, &End)| cases[*index].end == *expected && cases[*index].taint.is_none();
    INNOCENT.iter().zip(&expected).all(is_as_expected)
}

/// Candidates that anyone may do, so that their worker need not change.
fn run_corpus(jdk: &Jdk) {
    let classes = hostile::classes();
    let mut victims = Victims::new();
    let before = victims.listing();
    let mut pool = WorkerPool::new(config(jdk, classes.path(), &victims)).unwrap();
    let names = hostile::corpus();
    let mut wrong = Vec::new();
    for name in &names {
        let mut attempts = (0..PATIENCE).map(|_| {
            let cases = pool.run(&[call("intact"), call(name), call("intact"), call("spin"), call("intact")]).unwrap();
            victims.assert_unharmed(name);
            assert_eq!(victims.listing(), before, "{name}");
            cases
        });
        let cases = attempts.find(|cases| !is_starved(cases)).unwrap_or_else(|| panic!("the machine stands still"));
        println!("{name}: {}", shown(&cases[1]));
        if !is_contained(&cases) {
            wrong.push(format!("{name}: {}\n{:?}", shown(&cases[1]), cases.iter().map(shown).collect::<Vec<_>>()));
        }
    }
    assert!(wrong.is_empty(), "JDK {}: {}", jdk.major, wrong.join("\n"));
    // The tool keeps running at full rate: one worker does all of this.
    let many: Vec<Recipe> = (0..500).flat_map(|_| [call("intact"), call("throwNull")]).collect();
    let mut attempts = (0..PATIENCE).map(|_| (pool.statistics().started, pool.run(&many).unwrap()));
    let is_undisturbed = |(_, cases): &(_, Vec<Case>)| !cases.iter().any(|case| case.end == End::Stopped(Limit::Time));
    let (started, cases) = attempts.find(is_undisturbed).unwrap_or_else(|| panic!("the machine stands still"));
    assert!(cases.chunks(2).all(|two| two[0].end == End::Completed && two[1].taint.is_none()));
    assert_eq!(pool.statistics().started, started);
    assert!(pool.statistics().taints.contains_key(&Taint::Died));
}

/// Set in the process that has a descriptor of its caller.
const INSIDE: &str = "REENACT_HOSTILE_INSIDE";

#[test]
#[expect(clippy::disallowed_methods, reason = "a process with a descriptor of its caller")]
fn descriptors_of_the_caller_stay_with_it() {
    if !testing::can_lock_up() {
        return;
    }
    if std::env::var_os(INSIDE).is_some() {
        for jdk in jdks() {
            let (classes, victims) = (hostile::classes(), Victims::new());
            let mut pool = WorkerPool::new(config(&jdk, classes.path(), &victims)).unwrap();
            println!("{}", shown(&pool.run(&[call("writeEverywhere")]).unwrap()[0]));
        }
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut inside = std::process::Command::new("sh");
    inside.args(["-c", "exec 9>>\"$0\"; exec \"$@\""]).arg(file.path()).arg(std::env::current_exe().unwrap());
    inside.args(["--exact", "descriptors_of_the_caller_stay_with_it", "--nocapture"]).env(INSIDE, "1");
    println!("{}", testing::run(&mut inside));
    assert_eq!(std::fs::read(file.path()).unwrap(), b"");
}

#[test]
fn hostile_candidates_are_contained() {
    // Not without a sandbox: they would do what they say.
    if !testing::can_lock_up() {
        return;
    }
    for jdk in jdks() {
        run_corpus(&jdk);
    }
}
