//! A spliced program does what it did before: same output, same stack traces, on every JDK, whatever the class file version.

#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

mod support;

use jvm_host::splice::{Detail, ProbeIds, SplicePlan, SpliceReport, splice};
use std::fmt::Write;
use std::path::Path;
use support::{Jdk, class_path, compile, fixtures, host_classes, jdks, run};

fn java(jdk: &Jdk, class_path: &std::ffi::OsStr, main: &str) -> String {
    let mut java = jdk.java();
    java.arg(format!("-Xbootclasspath/a:{}", host_classes().display()));
    run(java.args(["-Xverify:all", "-cp"]).arg(class_path).arg(main))
}

/// Splices all classes of a directory into another.
fn splice_directory(
    from: &Path,
    to: &Path,
    prefix: &str,
    plan: &SplicePlan,
    change: impl Fn(&mut Vec<u8>),
) -> SpliceReport {
    let mut sum = SpliceReport::default();
    let mut ids = ProbeIds::default();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with(prefix) {
            continue;
        }
        let mut class = std::fs::read(&path).unwrap();
        change(&mut class);
        let spliced = splice(&class, plan, &mut ids).unwrap();
        sum.probes += spliced.report.probes;
        sum.reduced.extend(spliced.report.reduced);
        std::fs::write(to.join(name), spliced.bytes).unwrap();
    }
    sum
}

#[test]
fn a_program_prints_the_same() {
    let plans = [
        ("full", SplicePlan::full()),
        ("lean", SplicePlan::lean()),
        ("lines", SplicePlan { lines: true, ..SplicePlan::default() }),
        ("nothing", SplicePlan::default()),
    ];
    for jdk in jdks() {
        let expected = java(&jdk, fixtures().as_os_str(), "Workout");
        assert!(expected.lines().count() > 25, "{expected}");
        for (name, plan) in &plans {
            let dir = tempfile::tempdir().unwrap();
            let report = splice_directory(fixtures(), dir.path(), "Workout", plan, |_| ());
            assert_eq!(report.reduced, []);
            let spliced = java(&jdk, &class_path(&[dir.path(), fixtures()]), "Workout");
            assert_eq!(spliced, expected, "{name} on {}", jdk.major);
        }
    }
}

/// A program with one long method: a loop round a chain of conditions, each about 18 bytes of code, or 25 when the compiler
/// itself has to use wide jumps.
fn long_program(conditions: usize) -> String {
    let mut source = String::from(
        "public class Long {\n  public static void main(String[] a) { System.out.println(run(3) + run(20)); }\n  \
         static int run(int n) {\n    int x = 1;\n    for (int i = 0; i < n; i++) {\n",
    );
    for k in 0..conditions {
        writeln!(source, "      if (x % {} == i) {{ x += {}; }} else {{ x ^= i; }}", k % 97 + 3, k % 31).unwrap();
    }
    source + "    }\n    return x;\n  }\n}\n"
}

/// Takes the class back to a version without stack maps.
fn make_old(class: &mut [u8]) {
    class[6..8].copy_from_slice(&49u16.to_be_bytes());
    let name = b"StackMapTable";
    while let Some(at) = class.windows(name.len()).position(|window| window == name) {
        class[at] = b'X';
    }
}

#[test]
fn long_methods_get_fewer_probes_and_still_work() {
    // Conditions, and what the method gets with stack maps and without.
    let cases = [
        (400, Some(Detail::Everything), Some(Detail::Everything)),
        (1000, Some(Detail::Branches), Some(Detail::Everything)),
        (1500, Some(Detail::Lean), Some(Detail::Branches)),
        (1750, Some(Detail::Lean), Some(Detail::Lean)),
        (2300, Some(Detail::Lean), Some(Detail::Lean)),
    ];
    for (conditions, with_frames, without) in cases {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("Long.java");
        std::fs::write(&source, long_program(conditions)).unwrap();
        compile(&[source], dir.path(), &["--release", "8", "-nowarn", "-Xlint:-options"]);
        for (old, least) in [(false, with_frames), (true, without)] {
            let spliced = tempfile::tempdir().unwrap();
            let plan = SplicePlan::full();
            let report = splice_directory(dir.path(), spliced.path(), "Long.class", &plan, |class| {
                if old {
                    make_old(class);
                }
            });
            let detail = report.reduced.first().map_or(Some(Detail::Everything), |(_, detail)| *detail);
            assert!(detail >= least, "{conditions}, old {old}: {detail:?}");
            for jdk in jdks() {
                let expected = java(&jdk, dir.path().as_os_str(), "Long");
                assert_eq!(java(&jdk, spliced.path().as_os_str(), "Long"), expected, "{conditions}, old {old}");
            }
        }
    }
}
