//! The programs that chores start, and what to say when one is missing.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const JDK_INSTALL: &str = "Debian/Ubuntu: `apt-get install openjdk-17-jdk-headless`, Fedora: `dnf install java-17-openjdk-devel`, \
                           macOS: `brew install openjdk@17`";
const MAVEN_INSTALL: &str =
    "Debian/Ubuntu: `apt-get install maven`, Fedora: `dnf install maven`, macOS: `brew install maven`";

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    // As cargo says now: builds of two checkouts may share a target directory.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let here = Path::new(&here);
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where chores keep what they download: `REENACT_JARS`, else below the user's cache directory.
pub(crate) fn jar_directory() -> Result<PathBuf> {
    if let Some(dir) = std::env::var_os("REENACT_JARS") {
        return Ok(PathBuf::from(dir));
    }
    let cache = match std::env::var_os("XDG_CACHE_HOME") {
        Some(dir) => PathBuf::from(dir),
        None => {
            PathBuf::from(std::env::var_os("HOME").context("neither XDG_CACHE_HOME nor HOME is set")?).join(".cache")
        }
    };
    Ok(cache.join("reenact").join("jars"))
}

pub(crate) fn require_jdk() -> Result<()> {
    if runs("javac", "-version")
        || std::env::var_os("JAVA_HOME").is_some_and(|home| Path::new(&home).join("bin/javac").exists())
    {
        return Ok(());
    }
    bail!("no JDK found (`javac` is not on the PATH and JAVA_HOME has none); install one: {JDK_INSTALL}")
}

pub(crate) fn maven() -> Result<PathBuf> {
    let program = std::env::var_os("MVN").map_or(PathBuf::from("mvn"), PathBuf::from);
    if runs(&program, "--version") {
        return Ok(program);
    }
    bail!("Maven not found (`mvn` is not on the PATH); install it: {MAVEN_INSTALL}")
}

#[expect(clippy::disallowed_methods, reason = "chores run the build tools")]
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or("cargo".into()))
}

/// Runs to the end with our own output streams.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown} ended with {status}");
    }
    Ok(())
}

fn runs(program: impl AsRef<std::ffi::OsStr>, arg: &str) -> bool {
    command(program).arg(arg).output().is_ok_and(|out| out.status.success())
}
