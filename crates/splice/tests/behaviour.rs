//! A spliced program does what it did before: same output, same stack traces, on every JDK, whatever the class file
//! version.

#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use splice::{Detail, ProbeIds, SplicePlan, SpliceReport, splice};
use std::fmt::Write;
use std::path::Path;
use testing::{Jdk, class_path, compile, fixtures, host_classes, jdks, run};

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

/// A program with one long method: a loop round a chain of conditions, each about 18 bytes of code, or 25 when the
/// compiler itself has to use wide jumps.
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

/// The same with all sorts of variables in the frames, jumps forwards over everything, and guarded blocks.
fn long_varied_program(conditions: usize) -> String {
    let mut source = String::from(
        "public class Long {\n  final int base;\n  Long(int base) { this.base = base; }\n  \
         public static void main(String[] a) { System.out.println(new Long(3).run(2, 1.5, \"a\", new long[3])\n    \
         + new Long(7).run(9, -1, null, new long[0])); }\n  \
         String run(int n, double d, String s, long[] l) {\n    int x = base;\n    \
         if (n < 0) return s;\n    long big = n * 7L;\n    for (int i = 0; i < n; i++) {\n      \
         if (big == 11 && d > 100) break;\n",
    );
    for k in 0..conditions {
        let line = match k % 5 {
            0 => format!("if (x % {} == i) {{ x += {}; }} else {{ x ^= i; }}", k % 97 + 3, k % 31),
            1 => format!("if (big < {k}L || d >= {k}.5) {{ big += x; }}"),
            2 => "try { x += (int) l[x & 3]; } catch (ArrayIndexOutOfBoundsException e) { x++; }".to_owned(),
            3 => format!("if (s == null) {{ s = \"n{}\"; }} else if (s.equals(\"n{}\")) {{ s = null; }}", k % 7, k % 3),
            _ => "if (i == 5 && x == -1) continue;".to_owned(),
        };
        writeln!(source, "      {line}").unwrap();
    }
    source + "    }\n    return x + \" \" + big + d + s;\n  }\n}\n"
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
    // What the method gets, with stack maps and without.
    let cases = [
        (long_program(400), Detail::Everything),
        // From here on some branches need islands.
        (long_program(1500), Detail::Everything),
        (long_program(1900), Detail::Branches),
        (long_program(2300), Detail::Lean),
        (long_varied_program(1200), Detail::Everything),
    ];
    for (text, expected) in cases {
        let conditions = text.lines().count();
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("Long.java");
        std::fs::write(&source, text).unwrap();
        compile(&[source], dir.path(), &["--release", "8", "-nowarn", "-Xlint:-options"]);
        for old in [false, true] {
            let spliced = tempfile::tempdir().unwrap();
            let plan = SplicePlan::full();
            let report = splice_directory(dir.path(), spliced.path(), "Long.class", &plan, |class| {
                if old {
                    make_old(class);
                }
            });
            let detail = report.reduced.first().map_or(Some(Detail::Everything), |(_, detail)| *detail);
            assert_eq!(detail, Some(expected), "{conditions} lines, old {old}");
            for jdk in jdks() {
                let expected = java(&jdk, dir.path().as_os_str(), "Long");
                assert_eq!(java(&jdk, spliced.path().as_os_str(), "Long"), expected, "{conditions}, old {old}");
            }
        }
    }
}
