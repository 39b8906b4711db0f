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

use ending::Ending;
use fresh::Fresh;
use junit::{Framework, PrintOptions, ProgramFacts, Release, Style, TestSource};
use program::{Cache, ClassPath, Program};
use random::Maker;
use recipe::{Observation, ProbePlan, Recipe, Runner};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use testing::{Jdk, jar, jdks};
use worker::{Host, HostConfig};

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

/// Loops that carry a value on, threads that meet, and both inside of each other. What they have done shows in a message.
const LOOPS_AND_THREADS: &[(&str, &str)] = &[
    (
        r#"v0: int = repeat 2 from 1 as v1: int {
             v2: int = repeat 3 from v1 as v3: int {
               v4: int = call java.lang.Math.addExact(int v3, int v3): int
               next v4
             }
             next v2
           }
           v5: java.lang.String = call java.lang.String.valueOf(int v0): java.lang.String
           v6: java.lang.String = call v5->java.lang.String.concat(java.lang.String "!"): java.lang.String
           call java.lang.Integer.parseInt(java.lang.String v6): int"#,
        "64!",
    ),
    (
        r#"v0: org.apache.commons.collections.ArrayStack = new org.apache.commons.collections.ArrayStack()
           v1: java.lang.String = repeat 2 from "a" as v2: java.lang.String {
             call v0->org.apache.commons.collections.ArrayStack.push(java.lang.Object v2): java.lang.Object
             v3: java.lang.String = call v2->java.lang.String.concat(java.lang.String v2): java.lang.String
             next v3
           }
           repeat 3 { call v0->org.apache.commons.collections.ArrayStack.pop(): java.lang.Object }"#,
        "EmptyStackException",
    ),
    (
        r#"v0: java.util.concurrent.CyclicBarrier = new java.util.concurrent.CyclicBarrier(int 2)
           v1: java.util.Vector = new java.util.Vector()
           repeat 2 {
             together {
               v2: int = call v0->java.util.concurrent.CyclicBarrier.await(): int
               call v1->java.util.Vector.add(java.lang.Object "x"): boolean
             } and {
               v3: int = call v0->java.util.concurrent.CyclicBarrier.await(): int
               v4: java.lang.String = repeat 2 from "x" as v5: java.lang.String {
                 call v1->java.util.Vector.add(java.lang.Object v5): boolean
                 next v5
               }
             }
           }
           v6: java.lang.String = call v1->java.lang.Object.toString(): java.lang.String
           call java.lang.Integer.parseInt(java.lang.String v6): int"#,
        "[x, x, x, x, x, x]",
    ),
    (
        r#"v0: org.apache.commons.collections.ArrayStack = new org.apache.commons.collections.ArrayStack()
           together {
             call v0->org.apache.commons.collections.ArrayStack.peek(int 3): java.lang.Object
           } and {
             v1: int = 1
           }"#,
        "EmptyStackException",
    ),
    (
        r#"v0: java.util.ArrayList = collect ArrayList []
           v1: int = repeat 3 from 1 as v2: int {
             try {
               v3: java.lang.String = call java.lang.String.valueOf(int v2): java.lang.String
               v4: java.lang.String = call v3->java.lang.String.concat(java.lang.String "?"): java.lang.String
               call java.lang.Integer.parseInt(java.lang.String v4): int
             } rethrow
             together { call v0->java.util.List.add(java.lang.Object v2): boolean }
             v5: int = call java.lang.Math.addExact(int v2, int v2): int
             next v5
           }
           call v0->java.util.List.clear()"#,
        "1?",
    ),
];

/// The random candidates have such blocks as well, but few that do much.
#[test]
fn loops_and_threads_end_alike() {
    let jars = [jar("commons-collections:commons-collections:3.1")];
    for jdk in jdks() {
        let class_path = ClassPath::parse(&jars).unwrap();
        let opened = Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap();
        let program = Arc::new(opened.0);
        let facts = ProgramFacts::new(&program);
        let recipes: Vec<Recipe> = LOOPS_AND_THREADS
            .iter()
            .map(|(text, _)| recipe::parse(text).unwrap_or_else(|e| panic!("{e}: {text}")))
            .collect();
        let print = |(index, recipe)| junit::print(recipe, &facts, &options(index)).ok();
        let sources: Vec<Option<TestSource>> = recipes.iter().enumerate().map(print).collect();
        let fresh = Fresh::new(&jdk, &jars, &sources);
        assert_eq!(fresh.errors(), "");
        let observations = observe(&jdk, &jars, &program, &recipes);
        let ends = fresh.run(&(0..recipes.len()).collect::<Vec<_>>());
        for (((text, shows), observation), end) in LOOPS_AND_THREADS.iter().zip(&observations).zip(&ends) {
            let said = Ending::of_worker(&observation.end).unwrap_or_else(|| panic!("{:?}: {text}", observation.end));
            assert!(said.agrees(end, &|class| program.declares(class)), "{text}\nworker: {said}\nfresh: {end}");
            assert!(said.to_string().contains(shows), "{text}\nworker: {said}");
        }
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
    let class_path = ClassPath::parse(jars).unwrap();
    let opened = Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap();
    let program = Arc::new(opened.0);
    let facts = ProgramFacts::new(&program);
    let classes = program.classes();
    let recipes: Vec<Recipe> =
        (0..count).map(|seed| Maker::new(&program, &facts, classes.clone(), seed as u64 + 1).recipe()).collect();
    let observations = observe(jdk, jars, &program, &recipes);
    tally.candidates += recipes.len();
    let print = |(index, recipe)| junit::print(recipe, &facts, &options(index)).ok();
    let sources: Vec<Option<TestSource>> = recipes.iter().enumerate().map(print).collect();
    let fresh = Fresh::new(jdk, jars, &sources);
    let is_worth_it = |index: &usize| {
        let end = Ending::of_worker(&observations[*index].end);
        end.is_some() && fresh.is_compiled(*index)
    };
    tally.errors.push_str(fresh.errors());
    let indices: Vec<usize> = (0..recipes.len()).filter(is_worth_it).collect();
    for index in (0..recipes.len()).filter(|index| !indices.contains(index)) {
        let why = match &sources[index] {
            None => "not to be written in Java",
            Some(_) if !fresh.is_compiled(index) => "not compiled",
            Some(_) => ending::kind(&observations[index].end),
        };
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
        let source = sources[*index].as_ref().map_or("", |source| &source.text);
        write!(text, "{source}\nworker: {said}\nfresh:  {fresh_end}\n").unwrap();
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

fn observe(jdk: &Jdk, jars: &[PathBuf], program: &Arc<Program>, recipes: &[Recipe]) -> Vec<Observation> {
    let config = HostConfig {
        command: vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()],
        class_path: jars.to_vec(),
        link: Vec::new(),
        allow_read: Vec::new(),
        vm_args: Vec::new(),
        sandboxed: true,
        jobs: 1,
        repeatable: false,
    };
    assert!(jdk.major > 0);
    let plan = ProbePlan { classes: program.classes(), ..ProbePlan::default() };
    Host::new(config, program.clone()).run(recipes, &plan).unwrap()
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
        refused: BTreeSet::new(),
    }
}
