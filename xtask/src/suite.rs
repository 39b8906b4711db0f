//! The whole test suite, and the benchmarks.

use crate::{fetch, tidy, tools};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Format, lints, layering, tests. The test runner speaks last.
pub(crate) fn test(jdk: Option<&Path>, only_tests: bool) -> Result<()> {
    tools::require_jdk()?;
    let jars = fetch::packs(&[])?;
    if !only_tests {
        tools::run(tools::cargo().args(["fmt", "--check"]))?;
        tools::run(tools::cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
        tidy::tidy()?;
    }
    let mut tests = tools::cargo();
    tests.args(["test", "--workspace", "--quiet"]);
    with_environment(&mut tests, &jars, jdk);
    tools::run(&mut tests)
}

/// All benchmarks in one run, because only ratios within a run mean anything on a shared machine.
pub(crate) fn bench() -> Result<()> {
    tools::require_jdk()?;
    let jars = fetch::packs(&[])?;
    let mut benches = tools::cargo();
    benches.args(["bench", "--workspace"]);
    with_environment(&mut benches, &jars, None);
    tools::run(&mut benches)
}

fn with_environment(command: &mut Command, jars: &Path, jdk: Option<&Path>) {
    command.env("REENACT_JARS", jars);
    if let Some(home) = jdk {
        command.env("JAVA_HOME", home);
    }
}
