//! Which commit the tool is built from, for `--version` and the records of benchmarks.

use std::path::Path;
use std::process::Command;

fn main() {
    let package = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = git(&["rev-parse", "--short=10", "HEAD"]);
    let version = commit.map_or_else(|| package.clone(), |commit| format!("{package} ({commit})"));
    println!("cargo::rustc-env=REENACT_VERSION={version}");
    println!("cargo::rerun-if-changed=build.rs");
    // The reflog changes with every commit and checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// The output of git; `None` without git, or outside of a checkout.
#[expect(clippy::disallowed_methods, reason = "the commit is known to git only")]
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
