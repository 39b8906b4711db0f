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
    let mut times: Vec<(Duration, Duration)> = (0..11)
        .map(|_| {
            let mut pool = WorkerPool::new(WorkerConfig { ..config(jdk) }).unwrap();
            let ready = pool.ready().unwrap();
            (Duration::from_micros(ready.total_micros), Duration::from_micros(ready.vm_micros))
        })
        .collect();
    times.sort();
    let (total, vm) = times[times.len() / 2];
    println!("  worker ready, median of {}: {total:.1?}, of which the VM {vm:.1?} (two start at a time)", times.len());
}

fn throughput(jdk: &Jdk, name: &str, probes: &[&str]) {
    let mut config = config(jdk);
    config.probes.full.extend(probes.iter().map(|class| (*class).to_owned()));
    let mut pool = WorkerPool::new(config).unwrap();
    let recipes = vec![case(); 4096];
    pool.run(&recipes).unwrap();
    let (start, mut cases) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(2) {
        cases += pool.run(&recipes).unwrap().len();
    }
    println!("  {name}: {:.0} cases/s", cases as f64 / start.elapsed().as_secs_f64());
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
