//! The whole test suite, and the benchmarks.

use crate::{fetch, solver, tidy, tools};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Format, lints, tidiness, tests. The test runner speaks last.
pub(crate) fn test(jdk: Option<&Path>, only_tests: bool) -> Result<()> {
    tools::require_jdk()?;
    let jars = stage("jars", || fetch::packs(&[]))?;
    stage("solver", solver::solver)?;
    if !only_tests {
        stage("format", || tools::run(tools::cargo().args(["fmt", "--check"])))?;
        let lints = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        stage("lints", || tools::run(tools::cargo().args(lints)))?;
        stage("tidiness", tidy::tidy)?;
    }
    let mut tests = tools::cargo();
    // One failure hides no other.
    tests.args(["test", "--workspace", "--quiet", "--no-fail-fast"]);
    with_environment(&mut tests, &jars, jdk);
    // Nothing is printed behind it: the runner has the last word.
    eprintln!("== tests");
    tools::run(&mut tests)
}

/// The tests of `symbolic` against the JVM, with large numbers and optimised; they print how much they really compared.
pub(crate) fn soundness(bodies: usize, inputs: usize, runs: usize) -> Result<()> {
    tools::require_jdk()?;
    let mut tests = tools::cargo();
    tests.args(["test", "--release", "--quiet", "--package", "symbolic", "--", "--nocapture", "--test-threads=1"]);
    tests.env("REENACT_BODIES", bodies.to_string());
    tests.env("REENACT_MODEL_INPUTS", inputs.to_string());
    tests.env("REENACT_RUNS", runs.to_string());
    tools::run(&mut tests)
}

pub(crate) fn field(runs: usize, inputs: usize) -> Result<()> {
    tools::require_jdk()?;
    let mut reader = tools::cargo();
    reader.args(["test", "--release", "--quiet", "--package", "recording", "damaged_files"]);
    reader.env("REENACT_INPUTS", inputs.to_string());
    tools::run(&mut reader)?;
    let mut programs = tools::cargo();
    programs.args(["test", "--release", "--quiet", "--package", "agent", "--test", "programs", "torture"]);
    programs.env("REENACT_RUNS", runs.to_string());
    tools::run(&mut programs)
}

/// All benchmarks in one run, because only ratios within a run mean anything on a shared machine. Every file in a crate's
/// `benches` is a section, headed by the first line of its documentation.
pub(crate) fn bench(only: &[String]) -> Result<()> {
    tools::require_jdk()?;
    let jars = fetch::packs(&[])?;
    solver::solver()?;
    for section in sections()?.iter().filter(|section| only.is_empty() || only.contains(&section.name)) {
        println!("\n## {} {}: {}", section.package, section.name, section.question);
        let mut bench = tools::cargo();
        bench.args(["bench", "--quiet", "--package", &section.package, "--bench", &section.name]);
        with_environment(&mut bench, &jars, None);
        tools::run(&mut bench)?;
    }
    Ok(())
}

/// Says what is being done and how long it took, so that a log that ends early tells where.
fn stage<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("== {name}");
    let started = Instant::now();
    let done = work()?;
    eprintln!("   {:.0} s", started.elapsed().as_secs_f64());
    Ok(done)
}

struct Section {
    package: String,
    name: String,
    /// What it measures.
    question: String,
}

fn sections() -> Result<Vec<Section>> {
    let mut found = Vec::new();
    for package in listed(&tools::root().join("crates"))? {
        let benches = package.join("benches");
        if !benches.is_dir() {
            continue;
        }
        for file in listed(&benches)?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "rs")) {
            let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let question = text.lines().next().unwrap_or_default().trim_start_matches("//!").trim().to_owned();
            let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push(Section { package: name(&package), name: name(&file), question });
        }
    }
    Ok(found)
}

fn listed(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn with_environment(command: &mut Command, jars: &Path, jdk: Option<&Path>) {
    command.env("REENACT_JARS", jars);
    if let Some(home) = jdk {
        command.env("JAVA_HOME", home);
    }
}
