//! Does a fresh VM that runs the printed test end as the worker said? Random candidates over libraries of the crash
//! packs are run by workers and, printed and compiled, each in a VM of its own; both ends are compared after the noise
//! of `docs/noise.md` is taken away.
//!
//! `REENACT_TRUTH=10000` for the long run; `REENACT_TRUTH_LOG` names a file for every disagreement.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

mod ending;
mod fresh;
#[path = "../../../junit/tests/support/random.rs"]
#[allow(dead_code, reason = "the tests of the printer use all of it")]
mod random;
#[path = "../support/mod.rs"]
mod support;

use ending::Ending;
use fresh::Fresh;
use junit::{Framework, PrintOptions, ProgramFacts, Release, Style, TestSource};
use jvm_host::{Host, HostConfig};
use program::{Cache, ClassPath, Program};
use random::Maker;
use recipe::{Observation, ProbePlan, Recipe, Runner};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use support::{Jdk, jar, jdks};

const LIBRARIES: &[&[&str]] = &[
    &["commons-collections:commons-collections:3.1"],
    &["org.apache.commons:commons-lang3:3.12.0"],
    &["org.apache.commons:commons-collections4:4.1"],
    &["com.google.guava:guava:33.4.8-jre", "com.google.guava:failureaccess:1.0.3"],
    &["org.apache.commons:commons-compress:1.22"],
    &["org.jsoup:jsoup:1.15.3"],
    &["commons-cli:commons-cli:1.5.0"],
    &["commons-io:commons-io:2.16.1"],
    &["com.github.javaparser:javaparser-core:3.25.3"],
    &["org.json:json:20251224"],
];

fn count() -> usize {
    std::env::var("REENACT_TRUTH").map_or(60, |text| text.parse().unwrap())
}

/// `REENACT_TRUTH_LIBRARIES=3,7` for some of them only.
fn is_chosen(index: usize) -> bool {
    std::env::var("REENACT_TRUTH_LIBRARIES").map_or(true, |list| list.split(',').any(|one| one == index.to_string()))
}

#[test]
fn fresh_vms_agree_with_workers() {
    let jdks = jdks();
    let per_library = count().div_ceil(LIBRARIES.len());
    let mut tally = Tally::default();
    for (index, library) in LIBRARIES.iter().enumerate().filter(|(index, _)| is_chosen(*index)) {
        let jars: Vec<PathBuf> = library.iter().map(|coordinates| jar(coordinates)).collect();
        compare(&jdks[index % jdks.len()], library[0], &jars, per_library, &mut tally);
        if let Some(file) = std::env::var_os("REENACT_TRUTH_LOG") {
            let disagreements = tally.disagreements.join("\n");
            std::fs::write(file, format!("{}\n{disagreements}\n{}", tally.log(), tally.errors)).unwrap();
        }
    }
    let log = tally.log();
    println!("{log}");
    assert!(tally.compared > 10, "{log}");
    assert_eq!(tally.errors, "", "the compiler refuses some");
    let allowed = tally.compared.div_ceil(100);
    assert!(tally.disagreements.len() <= allowed, "{log}\n{}", tally.disagreements.join("\n"));
}

/// Loops, and blocks that run at the same time, which no random candidate has. What a loop has made is in the message of what
/// the last statement throws.
const LOOPS_AND_THREADS: &[&str] = &[
    "v0: org.apache.commons.collections.buffer.BoundedFifoBuffer = new org.apache.commons.collections.buffer.BoundedFifoBuffer(int 3)
     repeat 4 { call v0->org.apache.commons.collections.buffer.BoundedFifoBuffer.add(java.lang.Object \"x\"): boolean }",
    "v0: java.lang.String = repeat 3 from \"x\" as v1: java.lang.String {
       v2: java.lang.String = call v1->java.lang.String.concat(java.lang.String v1): java.lang.String
       next v2
     }
     v3: int = call java.lang.Integer.parseInt(java.lang.String v0): int",
    "v0: java.lang.String = repeat 0 from \"none\" as v1: java.lang.String { next \"never\" }
     v2: int = call java.lang.Integer.parseInt(java.lang.String v0): int",
    "v0: org.apache.commons.collections.buffer.BoundedFifoBuffer = new org.apache.commons.collections.buffer.BoundedFifoBuffer(int 9)
     repeat 3 {
       try {
         repeat 2 { call v0->org.apache.commons.collections.buffer.BoundedFifoBuffer.add(java.lang.Object 1): boolean }
         call java.lang.Integer.parseInt(java.lang.String \"in loop\"): int
       } swallow
       call v0->org.apache.commons.collections.buffer.BoundedFifoBuffer.add(java.lang.Object 2): boolean
     }
     v1: java.lang.String = call v0->java.lang.Object.toString(): java.lang.String
     v2: int = call java.lang.Integer.parseInt(java.lang.String v1): int",
    // A callback keeps the variables of the turn that made it.
    "v0: java.util.ArrayList = collect ArrayList []
     v1: int = repeat 3 from 1 as v2: int {
       v3: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
         java.util.concurrent.Callable.call(): java.lang.Object { return v2 }
       }
       call v0->java.util.ArrayList.add(java.lang.Object v3): boolean
       v4: int = call java.lang.Math.addExact(int v2, int 1): int
       next v4
     }
     v5: java.lang.Object = call v0->java.util.ArrayList.get(int 1): java.lang.Object
     v6: java.util.concurrent.Callable = cast v5
     v7: java.lang.Object = call v6->java.util.concurrent.Callable.call(): java.lang.Object
     v8: java.lang.String = call java.lang.String.valueOf(java.lang.Object v7): java.lang.String
     v9: java.lang.String = call v8->java.lang.String.concat(java.lang.String \"nd\"): java.lang.String
     v10: int = call java.lang.Integer.parseInt(java.lang.String v9): int",
    // Each waits for the other, so both run at the same time.
    "v0: java.util.concurrent.CyclicBarrier = new java.util.concurrent.CyclicBarrier(int 2)
     v1: java.util.Vector = new java.util.Vector()
     together {
       v2: int = call v0->java.util.concurrent.CyclicBarrier.await(): int
       call v1->java.util.Vector.add(java.lang.Object \"x\"): boolean
     } and {
       v3: int = call v0->java.util.concurrent.CyclicBarrier.await(): int
       repeat 2 { call v1->java.util.Vector.add(java.lang.Object \"x\"): boolean }
     }
     v4: java.lang.String = call v1->java.lang.Object.toString(): java.lang.String
     v5: int = call java.lang.Integer.parseInt(java.lang.String v4): int",
    "v0: org.apache.commons.collections.buffer.BoundedFifoBuffer = new org.apache.commons.collections.buffer.BoundedFifoBuffer(int 1)
     together {
       v1: int = 2
     } and {
       repeat 2 { call v0->org.apache.commons.collections.buffer.BoundedFifoBuffer.add(java.lang.Object 1): boolean }
     }",
    "try { together { v0: int = call java.lang.Integer.parseInt(java.lang.String \"gone\"): int } } swallow
     v1: int = call java.lang.Integer.parseInt(java.lang.String \"after\"): int",
];

#[test]
fn loops_and_threads_end_alike() {
    let jars = [jar("commons-collections:commons-collections:3.1")];
    let recipes: Vec<Recipe> = LOOPS_AND_THREADS.iter().map(|text| recipe::parse(text).unwrap()).collect();
    for jdk in jdks() {
        let mut tally = Tally::default();
        let program = open(&jdk, &jars);
        for recipe in &recipes {
            assert_eq!(recipe::check(recipe, &*program), Ok(()), "{recipe}");
        }
        let mut plan = ProbePlan { classes: program.classes(), ..ProbePlan::default() };
        // Threads that wait for each other may wait for a busy machine.
        plan.limits.time = Duration::from_secs(60);
        compare_recipes(&jdk, "loops and threads", &jars, (&program, &plan), &recipes, &mut tally);
        assert_eq!(tally.disagreements.join("\n"), "", "{}", tally.log());
        assert_eq!(tally.agreed.get("threw"), Some(&recipes.len()), "{}\n{}", tally.log(), tally.errors);
    }
}

/// What came of the comparison.
#[derive(Default)]
struct Tally {
    candidates: usize,
    compared: usize,
    /// By the end that the worker reports: not to be repeated in a plain VM, or not to be compiled.
    left_out: BTreeMap<String, usize>,
    agreed: BTreeMap<&'static str, usize>,
    disagreements: Vec<String>,
    /// What the compiler says of those that it refuses.
    errors: String,
}

impl Tally {
    fn log(&self) -> String {
        let share = 100.0 * self.disagreements.len() as f64 / self.compared.max(1) as f64;
        format!(
            "{} candidates, {} compared, {} disagree ({share:.2} %)\nagreed: {:?}\nleft out: {:?}",
            self.candidates,
            self.compared,
            self.disagreements.len(),
            self.agreed,
            self.left_out
        )
    }
}

fn compare(jdk: &Jdk, name: &str, jars: &[PathBuf], count: usize, tally: &mut Tally) {
    let program = open(jdk, jars);
    let facts = ProgramFacts::new(&program);
    let classes = program.classes();
    let recipes: Vec<Recipe> =
        (0..count).map(|seed| Maker::new(&program, &facts, classes.clone(), seed as u64 + 1).recipe()).collect();
    let plan = ProbePlan { classes, ..ProbePlan::default() };
    compare_recipes(jdk, name, jars, (&program, &plan), &recipes, tally);
}

fn open(jdk: &Jdk, jars: &[PathBuf]) -> Arc<Program> {
    let class_path = ClassPath::parse(jars).unwrap();
    Arc::new(Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap().0)
}

fn compare_recipes(
    jdk: &Jdk,
    name: &str,
    jars: &[PathBuf],
    (program, plan): (&Arc<Program>, &ProbePlan),
    recipes: &[Recipe],
    tally: &mut Tally,
) {
    let facts = ProgramFacts::new(program);
    let observations = observe(jars, program, plan, recipes);
    tally.candidates += recipes.len();
    let sources: Vec<TestSource> =
        recipes.iter().enumerate().map(|(index, recipe)| junit::print(recipe, &facts, &options(index))).collect();
    // What no VM can link, for want of a library, never becomes a test.
    let is_linked = |index: usize| !matches!(observations[index].end, recipe::End::Unlinkable { .. });
    let fresh = Fresh::new(jdk, jars, &sources, &is_linked);
    let is_worth_it = |index: &usize| {
        let end = Ending::of_worker(&observations[*index].end);
        end.is_some() && fresh.is_compiled(*index)
    };
    tally.errors.push_str(fresh.errors());
    let indices: Vec<usize> = (0..recipes.len()).filter(is_worth_it).collect();
    for index in (0..recipes.len()).filter(|index| !indices.contains(index)) {
        let is_refused = is_linked(index) && !fresh.is_compiled(index);
        let why = if is_refused { "not compiled" } else { ending::kind(&observations[index].end) };
        *tally.left_out.entry(why.to_owned()).or_default() += 1;
    }
    for (index, fresh_end) in indices.iter().zip(fresh.run(&indices)) {
        let said = Ending::of_worker(&observations[*index].end).unwrap();
        tally.compared += 1;
        let application = |class: &str| program.declares(class);
        if said.agrees(&fresh_end, &application) {
            *tally.agreed.entry(said.kind()).or_default() += 1;
            continue;
        }
        let mut text = format!("=== {name}, seed {}, JDK {}\n{}\n", index + 1, jdk.major, recipes[*index]);
        write!(text, "{}\nworker: {said}\nfresh:  {fresh_end}\n", sources[*index].text).unwrap();
        tally.disagreements.push(text);
    }
}

/// Whether a class is one of the libraries', by its dotted name.
trait Declares {
    fn declares(&self, class: &str) -> bool;
}

impl Declares for Program {
    fn declares(&self, class: &str) -> bool {
        !["java.", "javax.", "jdk.", "sun.", "com.sun."].iter().any(|prefix| class.starts_with(prefix))
            && self.class(program::ClassName::from_dotted(class)).is_some()
    }
}

fn observe(jars: &[PathBuf], program: &Arc<Program>, plan: &ProbePlan, recipes: &[Recipe]) -> Vec<Observation> {
    let config = HostConfig {
        command: vec![env!("CARGO_BIN_EXE_jvm-host").into(), "worker".into()],
        class_path: jars.to_vec(),
        vm_args: Vec::new(),
        sandboxed: true,
        jobs: 1,
    };
    Host::new(config, program.clone()).run(recipes, plan).unwrap()
}

fn options(index: usize) -> PrintOptions {
    PrintOptions {
        framework: Framework::Main,
        style: Style::Red,
        release: Release(17),
        package: String::new(),
        class_name: format!("Random{index}"),
        method_name: "crash".into(),
        header: Vec::new(),
    }
}
