//! How fast workers start and run: a fixed case of eight statements on commons-collections, with and without probes.
//! Prints a table; only ratios within one run mean anything on a shared machine.
#![allow(clippy::unwrap_used, reason = "a failed benchmark is what a panic means here")]

#[path = "../tests/support/mod.rs"]
mod support;

use jvm_host::worker::{WorkerConfig, WorkerPool};
use program::{MethodRef, Type};
use recipe::{Access, Action, Arg, Block, Def, Literal, Recipe, Stmt, VarId};
use std::time::{Duration, Instant};
use support::{Jdk, jar, jdks};

const BUFFER: &str = "org/apache/commons/collections/buffer/UnboundedFifoBuffer";

fn main() {
    for jdk in jdks() {
        println!("JDK {}", jdk.major);
        ready(&jdk);
        for (name, probes) in [("loop, entry and statics probes", &[][..]), ("all probes", &[BUFFER][..])] {
            throughput(&jdk, name, probes);
        }
    }
}

fn config(jdk: &Jdk) -> WorkerConfig {
    let command = vec![env!("CARGO_BIN_EXE_jvm-host").into(), "worker".into()];
    WorkerConfig::new(command, &jdk.home, vec![jar("commons-collections:commons-collections:3.1")])
}

/// From starting the process to its message that it is ready.
fn ready(jdk: &Jdk) {
    let mut times: Vec<(Duration, Duration, Duration)> = (0..11)
        .map(|_| {
            let mut pool = WorkerPool::new(config(jdk)).unwrap();
            let ready = pool.ready().unwrap();
            // The spare is ready, too, by then.
            std::thread::sleep(Duration::from_millis(700));
            let processor = processor_times().1 / 2;
            (Duration::from_micros(ready.total_micros), Duration::from_micros(ready.vm_micros), processor)
        })
        .collect();
    times.sort();
    let (total, vm, processor) = times[times.len() / 2];
    println!("  worker ready: {total:.1?} (median of {}; two start at a time), of which the VM {vm:.1?}", times.len());
    println!("  processor time of a start: {processor:.1?}");
}

fn throughput(jdk: &Jdk, name: &str, probes: &[&str]) {
    let mut config = config(jdk);
    config.probes.full.extend(probes.iter().map(|class| (*class).to_owned()));
    let mut pool = WorkerPool::new(config).unwrap();
    let recipes = vec![case(); 4096];
    // Compiled code after this.
    (0..8).for_each(|_| drop(pool.run(&recipes).unwrap()));
    let before = processor_times();
    let (start, mut cases) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(3) {
        cases += pool.run(&recipes).unwrap().len();
    }
    let per_second = cases as f64 / start.elapsed().as_secs_f64();
    let after = processor_times();
    let micros = |from: Duration, to: Duration| (to - from).as_secs_f64() * 1e6 / cases as f64;
    let (ours, theirs) = (micros(before.0, after.0), micros(before.1, after.1));
    println!("  {name}: {per_second:.0} cases/s; processor time per case {ours:.1} us here, {theirs:.1} us in workers");
}

/// Of this process, and of all its children that run, from `/proc`.
fn processor_times() -> (Duration, Duration) {
    let stat = |path: &std::path::Path| -> Option<(u32, Duration)> {
        let text = std::fs::read_to_string(path.join("stat")).ok()?;
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        // Parent, user and system time, in hundredths of a second.
        let ticks = fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?;
        Some((fields[1].parse().ok()?, Duration::from_millis(10 * ticks)))
    };
    let own = stat("/proc/self".as_ref()).unwrap().1;
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(|entry| stat(&entry.unwrap().path()));
    (own, processes.filter(|(parent, _)| *parent == std::process::id()).map(|(_, time)| time).sum())
}

/// Fills and empties a buffer and walks over it.
fn case() -> Recipe {
    let (buffer, iterator) = (Arg::Var(VarId(0)), Arg::Var(VarId(1)));
    let call = |class: &str, name: &str, descriptor: &str, receiver: &Arg, args: Vec<Arg>| Action::Call {
        method: MethodRef::new(class, name, descriptor),
        receiver: Some(receiver.clone()),
        args,
        access: Access::Public,
    };
    let add = |text: &str| {
        let element = Arg::Literal(Literal::string(text));
        Stmt { def: None, action: call(BUFFER, "add", "(Ljava/lang/Object;)Z", &buffer, vec![element]) }
    };
    let new = Action::New {
        constructor: MethodRef::new(BUFFER, "<init>", "(I)V"),
        args: vec![Arg::Literal(Literal::Int(3))],
        access: Access::Public,
    };
    let walk = |name: &str, descriptor: &str| Stmt {
        def: None,
        action: call("java/util/Iterator", name, descriptor, &iterator, Vec::new()),
    };
    let stmts = vec![
        Stmt { def: Some(Def { var: VarId(0), ty: Type::class(BUFFER) }), action: new },
        add("a"),
        add("b"),
        Stmt { def: None, action: call(BUFFER, "remove", "()Ljava/lang/Object;", &buffer, Vec::new()) },
        add("c"),
        Stmt {
            def: Some(Def { var: VarId(1), ty: Type::class("java/util/Iterator") }),
            action: call(BUFFER, "iterator", "()Ljava/util/Iterator;", &buffer, Vec::new()),
        },
        walk("next", "()Ljava/lang/Object;"),
        walk("remove", "()V"),
    ];
    Recipe { classes: Vec::new(), body: Block { stmts } }
}
