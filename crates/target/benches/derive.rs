//! How long it takes to derive a target, beside opening the program that it is derived from.
//!
//! `REENACT_JARS` names the directory with the crash jars. Run with `cargo bench -p target`.

use divan::{Bencher, black_box};
use program::{Cache, ClassPath, Jdk, Program};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use target::{CrashTarget, Methods};

fn main() {
    divan::main();
}

/// A small trace, one through the JDK with a message, a stack overflow of a thousand frames.
const CRASHES: &[(&str, &str, &str, &str)] = &[
    (
        "ACC-48",
        "seeds",
        "commons-collections/commons-collections/3.1/commons-collections-3.1.jar",
        "org.apache.commons",
    ),
    ("CLI-313", "modern", "commons-cli/commons-cli/1.5.0/commons-cli-1.5.0.jar", "org.apache.commons"),
    ("LANG-1698", "modern", "org.apache.commons/commons-lang3/3.12.0/commons-lang3-3.12.0.jar", "org.apache.commons"),
];

const NAMES: &[&str] = &["ACC-48", "CLI-313", "LANG-1698"];

#[divan::bench(args = NAMES)]
fn open_the_program(bencher: Bencher<'_, '_>, name: &str) {
    let crash = Crash::read(name);
    bencher.bench(|| crash.open());
}

#[divan::bench(args = NAMES)]
fn derive_with_nothing_read_yet(bencher: Bencher<'_, '_>, name: &str) {
    let crash = Crash::read(name);
    bencher.with_inputs(|| crash.open()).bench_refs(|program| crash.derive(program));
}

#[divan::bench(args = NAMES)]
fn derive_again(bencher: Bencher<'_, '_>, name: &str) {
    let crash = Crash::read(name);
    let program = crash.open();
    crash.derive(&program);
    bencher.bench(|| crash.derive(black_box(&program)));
}

struct Crash {
    report: crash_report::CrashReport,
    jar: PathBuf,
    application: &'static str,
}

impl Crash {
    fn read(name: &str) -> Crash {
        let (_, pack, jar, application) = CRASHES.iter().find(|(id, ..)| *id == name).expect("a crash of the list");
        let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../packs/{pack}/traces/{name}.log"));
        let jars = std::env::var_os("REENACT_JARS").expect("REENACT_JARS names the directory with the crash jars");
        let report = crash_report::parse(&std::fs::read(trace).expect("the trace is there"));
        Crash { report, jar: PathBuf::from(jars).join(jar), application }
    }

    fn open(&self) -> Arc<Program> {
        let class_path = ClassPath::parse([&self.jar]).expect("the jar is there");
        let jdk = Jdk::find(None).expect("a JDK is installed");
        Arc::new(Program::open(&class_path, jdk, &Cache::none()).expect("the class path can be opened").0)
    }

    fn derive(&self, program: &Arc<Program>) -> CrashTarget {
        let throwable = &self.report.traces[0].throwable;
        CrashTarget::derive(throwable, &Methods::new(Arc::clone(program)), &|class| class.starts_with(self.application))
    }
}
