//! Lowers every method of real jars and JDKs and verifies the result; for the jars also reads its text back. Counts are printed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use ir::{lower, read, verify};
use program::{Cache, Class, ClassName, ClassPath, Jdk, Origin, Program};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, Default)]
struct Count {
    methods: usize,
    bytecodes: usize,
    operations: usize,
    blocks: usize,
    blocks_on_edges: usize,
    unreachable: usize,
    failures: Vec<String>,
}

impl Count {
    fn of(class: &Class, with_text: bool) -> Count {
        let mut count = Count::default();
        for method in class.methods.iter().filter(|method| method.code().is_some()) {
            count.methods += 1;
            match lower(method) {
                Ok(body) => {
                    count.add(&body);
                    if with_text {
                        count.read_back(&body);
                    }
                }
                Err(error) => count.failures.push(error.to_string()),
            }
        }
        count
    }

    fn add(&mut self, body: &ir::Body) {
        self.bytecodes += body.bytecodes().count();
        self.operations += body.blocks.iter().map(|block| block.instrs.len() + 1).sum::<usize>();
        self.blocks += body.blocks.len();
        self.blocks_on_edges += body.blocks.iter().filter(|block| block.is_on_edge()).count();
        self.unreachable += body.unreachable as usize;
        if let Err(violations) = verify(body) {
            self.failures.push(format!("{}:\n{violations}\n{body}", body.method));
        }
    }

    fn read_back(&mut self, body: &ir::Body) {
        let text = format!("{body:#}");
        match read(&text) {
            Ok(same) if same == *body => {}
            Ok(_) => self.failures.push(format!("{} is not the same when read back:\n{text}", body.method)),
            Err(error) => self.failures.push(format!("{} cannot be read back: {error}", body.method)),
        }
    }

    fn plus(mut self, other: Count) -> Count {
        self.methods += other.methods;
        self.bytecodes += other.bytecodes;
        self.operations += other.operations;
        self.blocks += other.blocks;
        self.blocks_on_edges += other.blocks_on_edges;
        self.unreachable += other.unreachable;
        self.failures.extend(other.failures);
        self
    }
}

#[test]
fn libraries() {
    let jars = [
        "commons-collections/commons-collections/3.1/commons-collections-3.1.jar",
        "log4j/log4j/1.2.15/log4j-1.2.15.jar",
        "org.apache.ant/ant/1.8.1/ant-1.8.1.jar",
        "com.google.guava/guava/33.4.8-jre/guava-33.4.8-jre.jar",
        "org.jetbrains.kotlin/kotlin-stdlib/1.9.10/kotlin-stdlib-1.9.10.jar",
        "org.scala-lang/scala-library/2.13.9/scala-library-2.13.9.jar",
    ];
    let directory = std::env::var_os("REENACT_JARS")
        .expect("REENACT_JARS is not set; `cargo xtask test` fetches the jars and sets it");
    for jar in jars {
        let path = Path::new(&directory).join(jar);
        let program = open(&[path], Jdk::find(None).unwrap());
        check(jar, &program, &program.classes(), true);
    }
}

#[test]
fn java_base() {
    let jdks = Jdk::list();
    assert!(!jdks.is_empty(), "no JDK found");
    for jdk in jdks {
        let name = format!("java.base of {}", jdk.version);
        let case = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
        let program = open(&[case], jdk);
        let mut classes = program.jdk_classes();
        classes.retain(|class| program.origin(*class) == Some(Origin::Module("java.base".into())));
        check(&name, &program, &classes, false);
    }
}

fn open(class_path: &[PathBuf], jdk: Jdk) -> Program {
    Program::open(&ClassPath::parse(class_path).unwrap(), jdk, &Cache::none()).unwrap().0
}

fn check(name: &str, program: &Program, classes: &[ClassName], with_text: bool) {
    let start = Instant::now();
    let count = classes
        .par_iter()
        .map(|class| Count::of(&program.class(*class).unwrap(), with_text))
        .reduce(Count::default, Count::plus);
    println!(
        "{name}: {} classes, {} methods, {} bytecodes, {} operations in {} blocks ({} on edges), {} unreachable; {:.1} s",
        classes.len(),
        count.methods,
        count.bytecodes,
        count.operations,
        count.blocks,
        count.blocks_on_edges,
        count.unreachable,
        start.elapsed().as_secs_f64()
    );
    let shown = count.failures.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(count.failures.is_empty(), "{} of {} failed:\n{shown}", count.failures.len(), count.methods);
    assert!(count.methods > 1000, "{name} has only {} methods", count.methods);
}
