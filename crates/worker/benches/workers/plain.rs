//! Recipes as Java source, compiled and called in a loop by a VM with the options of a worker: the physical limit.

use junit::{Framework, PrintOptions, ProgramFacts, Release, Style};
use program::Program;
use recipe::Recipe;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use testing::{Jdk, class_path};

/// Calls per second of processor time.
#[expect(clippy::disallowed_methods, reason = "the benchmark runs Java")]
pub(crate) fn rate(
    jdk: &Jdk,
    program: &Program,
    jar: &Path,
    recipes: &[Recipe],
    warm_up: usize,
    measured: usize,
) -> f64 {
    let directory = tempfile::tempdir().unwrap();
    let facts = ProgramFacts::new(program);
    let (mut sources, mut classes) = (Vec::new(), Vec::new());
    for (index, recipe) in recipes.iter().enumerate() {
        let source = junit::print(recipe, &facts, &options(index)).unwrap();
        let file = directory.path().join(&source.path);
        // In a package, where a member is visible to its package only.
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, source.text).unwrap();
        sources.push(file);
        classes.push(source.path.with_extension("").to_string_lossy().replace('/', "."));
    }
    sources.push(directory.path().join("Driver.java"));
    std::fs::write(sources.last().unwrap(), driver(&classes)).unwrap();
    let paths = class_path(&[directory.path(), jar]);
    let mut javac = Command::new(jdk.home.join("bin/javac"));
    javac.args(["-nowarn", "-proc:none", "-encoding", "US-ASCII", "-J-Xss8m", "-cp"]).arg(&paths);
    testing::run(javac.arg("-d").arg(directory.path()).args(sources));
    let mut java = Command::new(jdk.home.join("bin/java"));
    java.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-OmitStackTraceInFastThrow", "-Xmx256m", "-cp"]);
    java.arg(&paths).arg("Driver").arg(warm_up.to_string()).arg(measured.to_string());
    testing::run(&mut java).trim().parse().unwrap()
}

fn options(index: usize) -> PrintOptions {
    PrintOptions {
        framework: Framework::Main,
        style: Style::Red,
        release: Release(17),
        package: String::new(),
        class_name: format!("Plain{index}"),
        method_name: "run".into(),
        header: Vec::new(),
        refused: BTreeSet::new(),
    }
}

/// A program that calls all tests in turn and prints its rate by the processor time of the whole VM.
fn driver(classes: &[String]) -> String {
    let mut calls = String::new();
    for (index, class) in classes.iter().enumerate() {
        writeln!(calls, "      case {index}: {class}.main(null); break;").unwrap();
    }
    let count = classes.len();
    format!(
        "public class Driver {{
  static void call(int index) throws Throwable {{
    switch (index) {{
{calls}    }}
  }}
  static long pass() {{
    for (int i = 0; i < {count}; i++) {{
      try {{ call(i); }} catch (Throwable expected) {{ }}
    }}
    return {count};
  }}
  static long cpu() {{
    return ((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }}
  public static void main(String[] args) {{
    java.io.PrintStream out = System.out;
    System.setOut(new java.io.PrintStream(new java.io.ByteArrayOutputStream()));
    for (long calls = 0; calls < Long.parseLong(args[0]);) {{ calls += pass(); }}
    long calls = 0;
    long before = cpu();
    while (calls < Long.parseLong(args[1])) {{ calls += pass(); }}
    out.println(calls * 1e9 / (cpu() - before));
  }}
}}
"
    )
}
