//! What candidates can read: what they need, and nothing of the user's.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::MethodRef;
use recipe::{Access, Action, Block, End, ProbePlan, Recipe, Runner, Stmt};
use std::slice::from_ref;
use std::sync::Arc;
use testing::jdks;
use testing::reading::{Scene, methods};
use worker::{Host, HostConfig, WorkerConfig, WorkerPool};

fn call(name: &str) -> Recipe {
    let method = MethodRef::new("Reading", name, "()V");
    let action = Action::Call { method, receiver: None, args: Vec::new(), access: Access::Public };
    Recipe { classes: Vec::new(), body: Block { stmts: vec![Stmt { def: None, action }] } }
}

fn command() -> Vec<std::ffi::OsString> {
    vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()]
}

#[test]
fn candidates_read_what_they_need_and_nothing_else() {
    if !testing::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    let (denied, needed) = methods();
    for jdk in jdks() {
        let (_, program) = scene.program(&jdk);
        let mut config = WorkerConfig::new(command(), &jdk.home, scene.class_path.clone());
        config.readable = program.archives();
        config.readable.push(scene.at("allowed"));
        // On a busy machine unpacking a library takes its time.
        config.limits.milliseconds = 60_000;
        config.limits.steps = 2_000_000_000;
        let mut pool = WorkerPool::new(config).unwrap();
        for name in denied.iter().chain(&needed) {
            let case = pool.run(&[call(name)]).unwrap().remove(0);
            assert_eq!(case.end, End::Completed, "{name} on {}", jdk.major);
        }
    }
}

/// Who cannot go on without a file learns which.
#[test]
fn a_denied_file_is_named() {
    if !testing::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    let secret = scene.at("secret");
    for name in ["wants", "wantsInStream"] {
        let (_, program) = scene.program(&jdks()[0]);
        let config = HostConfig {
            command: command(),
            class_path: scene.class_path.clone(),
            link: Vec::new(),
            allow_read: Vec::new(),
            vm_args: Vec::new(),
            sandboxed: true,
            jobs: 1,
            repeatable: false,
        };
        let mut host = Host::new(config, Arc::new(program));
        host.run(&[call(name), call("zones")], &ProbePlan::default()).unwrap();
        assert_eq!(host.denied(), from_ref(&secret));
        // One in many is chance.
        host.run(&vec![call("zones"); 20], &ProbePlan::default()).unwrap();
        assert!(host.denied().is_empty());
    }
}

/// Also where the kernel does not count them, as for the administrator.
#[test]
fn threads_are_limited() {
    if !testing::can_lock_up() {
        return;
    }
    let scene = Scene::new();
    for jdk in jdks() {
        let mut config = WorkerConfig::new(command(), &jdk.home, scene.class_path.clone());
        config.limits.milliseconds = 60_000;
        config.limits.steps = 2_000_000_000;
        config.limits.threads = 1_000_000;
        let case = WorkerPool::new(config).unwrap().run(&[call("manyThreads")]).unwrap().remove(0);
        assert_ne!(case.end, End::Completed);
    }
}
