//! A corpus of hostile candidates, one per kind of damage: each ends as an outcome, none changes anything outside, and
//! the candidates after it find the VM as it should be.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

mod support;
#[path = "hostile/victims.rs"]
mod victims;

use jvm_host::worker::{Case, Taint, WorkerConfig, WorkerPool};
use program::MethodRef;
use recipe::{Access, Action, Block, End, Recipe, Stmt};
use std::path::Path;
use support::{Jdk, jdks};
use victims::Victims;

fn call(name: &str) -> Recipe {
    let method = MethodRef::new("Hostile", name, "()V");
    let action = Action::Call { method, receiver: None, args: Vec::new(), access: Access::Public };
    Recipe { classes: Vec::new(), body: Block { stmts: vec![Stmt { def: None, action }] } }
}

fn config(jdk: &Jdk, classes: &Path, victims: &Victims) -> WorkerConfig {
    let command = vec![env!("CARGO_BIN_EXE_jvm-host").into(), "worker".into()];
    let mut config = WorkerConfig::new(command, &jdk.home, vec![classes.to_path_buf()]);
    config.vm_args = victims.properties();
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

/// Candidates that anyone may do, so that their worker need not change.
fn run_corpus(jdk: &Jdk) {
    let classes = victims::classes();
    let mut victims = Victims::new();
    let before = victims.listing();
    let mut pool = WorkerPool::new(config(jdk, classes.path(), &victims)).unwrap();
    let names = victims::corpus();
    let mut wrong = Vec::new();
    for name in &names {
        let cases = pool.run(&[call("intact"), call(name), call("intact"), call("spin"), call("intact")]).unwrap();
        victims.assert_unharmed(name);
        let after: Vec<&End> = [0, 2, 3, 4].map(|index| &cases[index].end).to_vec();
        let expected = [End::Completed, End::Completed, End::Stopped(recipe::Limit::Steps), End::Completed];
        let innocent_taints = [0, 2, 3, 4].iter().filter(|index| cases[**index].taint.is_some()).count();
        println!("{name}: {}", shown(&cases[1]));
        if after != expected.iter().collect::<Vec<_>>() || innocent_taints > 0 {
            wrong.push(format!("{name}: {}\n{:?}", shown(&cases[1]), cases.iter().map(shown).collect::<Vec<_>>()));
        }
        assert_eq!(victims.listing(), before, "{name}");
    }
    assert!(wrong.is_empty(), "JDK {}: {}", jdk.major, wrong.join("\n"));
    // The tool keeps running at full rate: one worker does all of this.
    let started = pool.statistics().started;
    let many: Vec<Recipe> = (0..500).flat_map(|_| [call("intact"), call("throwNull")]).collect();
    let cases = pool.run(&many).unwrap();
    assert!(cases.chunks(2).all(|two| two[0].end == End::Completed && two[1].taint.is_none()));
    assert_eq!(pool.statistics().started, started);
    assert!(pool.statistics().taints.contains_key(&Taint::Died));
}

#[test]
fn hostile_candidates_are_contained() {
    // Not without a sandbox: they would do what they say.
    if !support::can_lock_up() {
        return;
    }
    for jdk in jdks() {
        run_corpus(&jdk);
    }
}
