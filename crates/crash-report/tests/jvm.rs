//! What a real JVM prints is read as what it meant: `java/Print.java` prints each exception as text and as a tree.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crash_report::{Throwable, parse};

#[test]
fn traces_of_a_real_jvm_are_read_as_they_were_meant() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Print.java");
    #[expect(clippy::disallowed_methods, reason = "the test compares with what a real JVM prints")]
    let output = Command::new(java()).arg(program).output().expect("the JDK can be started");
    let text = String::from_utf8(output.stdout).expect("the program prints UTF-8");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));

    let mut cases = 0;
    for case in text.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').expect("a name");
        let (printed, tree) = rest.split_once("--- tree\n").expect("a tree");
        let report = parse(printed.as_bytes());
        assert_eq!(report.traces.len(), 1, "{name}: {printed}");
        assert_eq!(report.problems, [], "{name}: {printed}");
        let mut found = String::new();
        describe(&report.traces[0].throwable, "top", 0, &mut found);
        assert_eq!(found, tree, "{name}:\n{printed}");
        cases += 1;
    }
    assert_eq!(cases, 20);
}

/// The tree in the words of `Print.java`.
fn describe(t: &Throwable, role: &str, depth: usize, out: &mut String) {
    let message = t.message.as_ref().map_or("-".to_owned(), |m| format!("={}", m.replace('\n', "\\n")));
    writeln!(out, "{depth} {role} {} {} {message}", t.class, t.circular).expect("strings do not fail");
    for f in &t.frames {
        let file = f.file.as_deref().unwrap_or("null");
        let line = if f.native { -2 } else { f.line.map_or(-1, i64::from) };
        // The file of a native method is not printed.
        let file = if f.native { format!("{}.java", simple(&f.class)) } else { file.to_owned() };
        writeln!(out, "\t{}\t{}\t{file}\t{line}", f.class, f.method).expect("strings do not fail");
    }
    for s in &t.suppressed {
        describe(s, "suppressed", depth + 1, out);
    }
    if let Some(cause) = &t.cause {
        describe(cause, "cause", depth + 1, out);
    }
}

fn simple(class: &str) -> &str {
    let class = class.rsplit('.').next().unwrap_or(class);
    class.split('$').next().unwrap_or(class)
}

/// The `java` of `JAVA_HOME`, or of a JDK in the usual directories.
fn java() -> PathBuf {
    let homes = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter();
    let usual = ["/usr/lib/jvm", "/usr/java", "/opt/java", "/Library/Java/JavaVirtualMachines"].iter();
    let found = usual.flat_map(|dir| fs::read_dir(dir).into_iter().flatten()).flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = found.flat_map(|home| [home.join("Contents/Home"), home]).collect();
    found.sort();
    let candidates = homes.chain(found).map(|home| home.join("bin/java"));
    candidates
        .into_iter()
        .find(|java| java.is_file() && java.with_file_name("javac").is_file())
        .expect("no JDK found: set JAVA_HOME, or run `cargo xtask test`, which says how to install one")
}
