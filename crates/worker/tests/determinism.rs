//! The same recipes give the same observations, whatever the batch, its order and the worker. `docs/noise.md` says what
//! is exempt; this measures what is left. `REENACT_DETERMINISM=20000` for the long run.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

#[path = "interpreter/mix.rs"]
mod mix;
use mix::{Mix, Numbers};
use program::{Cache, ClassPath, Program};
use recipe::{End, Limit, Observation, ProbePlan, Recipe, Runner, Thrown};
use std::path::PathBuf;
use std::sync::Arc;
use testing::{Jdk, jar, jdks};
use worker::{Host, HostConfig};

struct Subject {
    program: Arc<Program>,
    jars: Vec<PathBuf>,
    recipes: Vec<Recipe>,
    repeatable: bool,
}

impl Subject {
    fn new(jdk: &Jdk) -> Self {
        let mut subject = Subject::of(jdk, Vec::new());
        let program = &subject.program;
        let count = std::env::var("REENACT_DETERMINISM").map_or(1500, |text| text.parse().unwrap());
        let mut random = Numbers(7);
        let mix = Mix::new(program);
        let recipes = (0..count).map(|_| mix.candidate(&mut random)).collect();
        subject.recipes = recipes;
        subject
    }

    fn of(jdk: &Jdk, recipes: Vec<Recipe>) -> Self {
        let jars = vec![jar("commons-collections:commons-collections:3.1")];
        let jdk = program::Jdk::at(&jdk.home).unwrap();
        let program = Program::open(&ClassPath::parse(&jars).unwrap(), jdk, &Cache::none()).unwrap().0;
        Subject { program: Arc::new(program), jars, recipes, repeatable: false }
    }

    /// In batches of this many, forwards or backwards; the observations in the order of the recipes.
    fn observe(&self, batch: usize, backwards: bool, jobs: usize) -> Vec<Observation> {
        let config = HostConfig {
            command: vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()],
            class_path: self.jars.clone(),
            link: Vec::new(),
            allow_read: Vec::new(),
            vm_args: Vec::new(),
            sandboxed: true,
            jobs,
            repeatable: self.repeatable,
        };
        let mut host = Host::new(config, self.program.clone());
        let plan = ProbePlan { classes: self.program.classes(), ..ProbePlan::default() };
        let mut order: Vec<&Recipe> = self.recipes.iter().collect();
        if backwards {
            order.reverse();
        }
        let mut seen = Vec::new();
        for batch in order.chunks(batch) {
            let batch: Vec<Recipe> = batch.iter().map(|recipe| (*recipe).clone()).collect();
            seen.extend(host.run(&batch, &plan).unwrap());
        }
        if backwards {
            seen.reverse();
        }
        seen
    }
}

/// Texts whose order a VM draws when it starts, and identity hashes, as messages of exceptions.
const DRAWN: [&str; 3] = [
    r#"
v0: java.util.Set = call java.util.Set.of(java.lang.Object "a", java.lang.Object "b", java.lang.Object "c", java.lang.Object "d", java.lang.Object "e"): java.util.Set
v1: java.lang.String = call java.lang.String.valueOf(java.lang.Object v0): java.lang.String
v2: int = call java.lang.Integer.parseInt(java.lang.String v1): int
"#,
    r#"
v0: java.util.Map = call java.util.Map.of(java.lang.Object "a", java.lang.Object 1, java.lang.Object "b", java.lang.Object 2, java.lang.Object "c", java.lang.Object 3): java.util.Map
v1: java.lang.String = call java.lang.String.valueOf(java.lang.Object v0): java.lang.String
v2: int = call java.lang.Integer.parseInt(java.lang.String v1): int
"#,
    r#"
v0: java.lang.Object = new java.lang.Object()
v1: java.lang.Object = new java.lang.Object()
v2: java.lang.Object = new java.lang.Object()
v3: java.util.HashSet = new java.util.HashSet()
v4: boolean = call v3->java.util.HashSet.add(java.lang.Object v0): boolean
v5: boolean = call v3->java.util.HashSet.add(java.lang.Object v1): boolean
v6: boolean = call v3->java.util.HashSet.add(java.lang.Object v2): boolean
v7: java.util.Iterator = call v3->java.util.HashSet.iterator(): java.util.Iterator
v8: java.lang.Object = call v7->java.util.Iterator.next(): java.lang.Object
v9: boolean = call v0->java.lang.Object.equals(java.lang.Object v8): boolean
v10: boolean[] = array boolean {v9}
v11: java.lang.String = call java.util.Arrays.toString(boolean[] v10): java.lang.String
v12: int = call java.lang.Integer.parseInt(java.lang.String v11): int
"#,
];

#[test]
fn what_vms_draw_at_random_is_the_same_in_all_workers() {
    for jdk in jdks() {
        let drawn = DRAWN.map(|text| recipe::parse(text).unwrap());
        // Between them run candidates that ask for hashes, another number of them each time.
        let subject = Subject::of(&jdk, drawn.iter().cycle().take(30).cloned().collect());
        let seen: Vec<_> = (0..6).map(|_| subject.observe(5, false, 1)).collect();
        for (index, first) in seen[0].iter().take(DRAWN.len()).enumerate() {
            let End::Threw { thrown, .. } = &first.end else { panic!("{:?}", first.end) };
            for other in seen.iter().flat_map(|all| all.iter().skip(index).step_by(DRAWN.len())) {
                let End::Threw { thrown: again, .. } = &other.end else { panic!("{:?}", other.end) };
                assert_eq!(thrown.message, again.message, "JDK {}", jdk.major);
            }
        }
    }
}

/// A thread that the program needs a moment for, and that the candidate does not wait for.
const STARTED: &str = r#"
v0: java.lang.Runnable = lambda java.lang.Runnable {
  java.lang.Runnable.run() {
    call java.lang.Thread.sleep(long 1L)
    v1: org.apache.commons.collections.buffer.UnboundedFifoBuffer = new org.apache.commons.collections.buffer.UnboundedFifoBuffer()
  }
}
v2: java.lang.Thread = new java.lang.Thread(java.lang.Runnable v0)
call v2->java.lang.Thread.start()
"#;

#[test]
fn what_threads_do_counts_however_fast_they_are_where_runs_have_to_repeat() {
    for jdk in jdks() {
        let started = recipe::parse(STARTED).unwrap();
        // Whether something comes behind it or not.
        let late = format!("{STARTED}call java.lang.System.gc()\n");
        let recipes = [started, recipe::parse(&late).unwrap()];
        let subject =
            Subject { repeatable: true, ..Subject::of(&jdk, recipes.iter().cycle().take(20).cloned().collect()) };
        let seen = subject.observe(4, false, 1);
        let lines: Vec<usize> = seen.iter().map(|seen| seen.lines.len()).collect();
        assert!(lines[0] > 0 && lines.chunks(2).all(|pair| pair == &lines[..2]), "JDK {}: {lines:?}", jdk.major);
    }
}

#[test]
fn neither_batches_nor_order_nor_workers_matter() {
    for jdk in jdks() {
        let subject = Subject::new(&jdk);
        let forwards = subject.observe(500, false, 1);
        let backwards = subject.observe(37, true, 2);
        let mut different = Vec::new();
        let mut compared = 0;
        for ((one, two), recipe) in forwards.iter().zip(&backwards).zip(&subject.recipes) {
            let (Some(one), Some(two)) = (comparable(one), comparable(two)) else { continue };
            compared += 1;
            if one != two {
                different.push(format!("{recipe}forwards: {:?}\nbackwards: {:?}\n", one.end, two.end));
            }
        }
        println!("JDK {}: {} of {compared} observations differ", jdk.major, different.len());
        different.iter().for_each(|text| println!("{text}"));
        assert!(compared * 10 > forwards.len() * 9, "{compared} of {}", forwards.len());
        // Hash tables of objects without `hashCode` differ from run to run, and so do those of `Map.of` from VM to VM.
        assert!(different.len() * 200 <= compared, "{} of {compared}: {}", different.len(), different.join("\n"));
    }
}

/// Without the noise; `None` for ends that depend on the clock and on memory.
fn comparable(observation: &Observation) -> Option<Observation> {
    let mut plain = observation.clone();
    plain.cost.time = std::time::Duration::ZERO;
    plain.cost.allocated = 0;
    match &mut plain.end {
        End::OutOfMemory | End::Stopped(Limit::Time | Limit::Threads) | End::VmDied { .. } => return None,
        End::Threw { thrown, .. } => {
            if thrown.class.as_internal() == "java/lang/StackOverflowError" {
                return None;
            }
            without_hashes(thrown);
        }
        _ => {}
    }
    Some(plain)
}

fn without_hashes(thrown: &mut Thrown) {
    if let Some(message) = &mut thrown.message {
        let mut parts = message.split('@');
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            plain.push('@');
            plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
        }
        *message = plain;
    }
    if let Some(cause) = &mut thrown.cause {
        without_hashes(cause);
    }
}
