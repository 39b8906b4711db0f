//! Workers that die, one after the other: nothing of them stays behind, neither processes nor threads, descriptors,
//! memory or scratch directories. `REENACT_DEATHS=1000` for the long run.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::MethodRef;
use recipe::{Access, Action, Block, End, Recipe, Stmt};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testing::{Jdk, fixtures, hostile, jdks, run};
use worker::{Taint, WorkerConfig, WorkerPool};

/// Set in the process that does the work, which has a directory for temporary files of its own.
const INSIDE: &str = "REENACT_DEATHS_INSIDE";

fn call(class: &str, name: &str) -> Recipe {
    let method = MethodRef::new(class, name, "()V");
    let action = Action::Call { method, receiver: None, args: Vec::new(), access: Access::Public };
    Recipe { classes: Vec::new(), body: Block { stmts: vec![Stmt { def: None, action }] } }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a process with a temporary directory of its own")]
fn many_deaths_leave_nothing_behind() {
    if std::env::var_os(INSIDE).is_some() {
        return die_again_and_again();
    }
    let directory = tempfile::tempdir().unwrap();
    let mut inside = Command::new(std::env::current_exe().unwrap());
    inside.args(["--exact", "many_deaths_leave_nothing_behind", "--nocapture"]);
    println!("{}", run(inside.env(INSIDE, "1").env("TMPDIR", directory.path())));
    let names = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    // The compiled fixtures, which the test itself made, stay.
    let left: Vec<&String> = names.iter().filter(|name| name.starts_with("reenact-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A worker whose threads stand still does not see that its socket is closed, and outlives nobody all the same.
#[test]
#[expect(clippy::disallowed_methods, reason = "a process to be killed")]
fn workers_that_stand_still_die_with_the_coordinator() {
    if std::env::var_os(INSIDE).is_some() {
        return stand_still();
    }
    for sandboxed in [true, false] {
        let mut inside = Command::new(std::env::current_exe().unwrap());
        inside.args(["--exact", "workers_that_stand_still_die_with_the_coordinator", "--nocapture"]);
        let mut inside = inside.env(INSIDE, if sandboxed { "sandboxed" } else { "free" }).spawn().unwrap();
        let frozen = loop {
            let state = |id: &u32| std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let children = children(inside.id());
            if children.iter().any(|id| state(id).contains(") T ")) {
                break children;
            }
            assert!(inside.try_wait().unwrap().is_none(), "it has ended");
            std::thread::sleep(Duration::from_millis(20));
        };
        inside.kill().unwrap();
        inside.wait().unwrap();
        let is_there = |id: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        // The kernel takes its time to end what was told to.
        let is_gone = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            !frozen.iter().any(is_there)
        });
        frozen
            .iter()
            .filter(|id| is_there(id))
            .for_each(|id| drop(Command::new("kill").arg("-9").arg(id.to_string()).status()));
        assert!(is_gone, "sandboxed {sandboxed}: {frozen:?}");
    }
}

/// In rounds of their own threads, as the search does it.
fn stand_still() {
    let jdk: Jdk = jdks().pop().unwrap();
    let command = vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()];
    let classes = hostile::classes();
    let mut config = WorkerConfig::new(command, &jdk.home, vec![classes.path().to_path_buf()]);
    config.vm_args.push(hostile::library(classes.path()));
    config.sandboxed = testing::can_lock_up() && std::env::var_os(INSIDE).is_some_and(|inside| inside == "sandboxed");
    // It is not to end by the clock, however busy the machine is.
    config.limits.milliseconds = 60_000;
    config.grace = Duration::from_secs(3600);
    let mut pool = WorkerPool::new(config).unwrap();
    // The worker that stands still was started by a thread that is gone.
    for name in ["crash", "outliveParent"] {
        let recipe = call("Hostile", name);
        std::thread::scope(|scope| drop(scope.spawn(|| pool.run(&[recipe]).unwrap()).join()));
    }
}

fn children(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    children.flat_map(|list| list.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()).collect()
}

fn die_again_and_again() {
    let deaths: u32 = std::env::var("REENACT_DEATHS").map_or(20, |text| text.parse().unwrap());
    let jdk: Jdk = jdks().pop().unwrap();
    let command = vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()];
    let mut config = WorkerConfig::new(command, &jdk.home, vec![fixtures().to_path_buf()]);
    // The machine may be busy; these are not to end by the clock.
    config.limits.milliseconds = 20_000;
    let mut pool = WorkerPool::new(config).unwrap();
    let mut die = |times: u32| {
        for _ in 0..times {
            let cases = pool.run(&[call("Candidates", "fine"), call("Candidates", "crash")]).unwrap();
            assert_eq!((&cases[0].end, cases[1].taint), (&End::Completed, Some(Taint::Died)));
        }
    };
    // The first ones load what stays.
    die(5);
    let before = Traces::of_this_process();
    die(deaths);
    let after = Traces::of_this_process();
    println!("{deaths} deaths: {before:?} before, {after:?} after");
    // One worker more or less may be on its way.
    assert!(after.descriptors <= before.descriptors + 8, "{after:?}");
    assert!(after.threads <= before.threads + 4, "{after:?}");
    assert!(after.children <= 2, "a worker and its spare: {after:?}");
    assert!(after.directories <= before.directories + 1, "{after:?}");
    assert!(after.kilobytes <= before.kilobytes + (8 << 10), "{after:?}");
    assert_eq!(pool.statistics().started, deaths + 5 + 2);
}

#[derive(Debug)]
struct Traces {
    descriptors: usize,
    threads: usize,
    children: usize,
    directories: usize,
    kilobytes: usize,
}

impl Traces {
    fn of_this_process() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        let kilobytes = memory.trim().trim_end_matches(" kB").parse().unwrap();
        let tasks = std::fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path());
        let children = tasks.map(|task| std::fs::read_to_string(task.join("children")).unwrap_or_default());
        Traces {
            descriptors: entries(Path::new("/proc/self/fd")),
            threads: entries(Path::new("/proc/self/task")),
            children: children.map(|list| list.split_whitespace().count()).sum(),
            directories: entries(&std::env::temp_dir()),
            kilobytes,
        }
    }
}

fn entries(directory: &Path) -> usize {
    std::fs::read_dir(directory).unwrap().count()
}
