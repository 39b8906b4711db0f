//! What Cargo knows of the workspace and of everything it is built from.

use crate::tools;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: Option<String>,
    /// Where it comes from; none for our own.
    pub(crate) source: Option<String>,
    manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// What the package calls it, where that is another name.
    rename: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) req: String,
}

impl Metadata {
    /// Of what is built on this machine. Cargo asks the network only for what it has not fetched yet.
    pub(crate) fn read() -> Result<Metadata> {
        let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &host()?];
        let output = tools::cargo().args(arguments).output().context("cannot start cargo")?;
        if !output.status.success() {
            bail!("`cargo {}` failed: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        }
        serde_json::from_slice(&output.stdout).context("cannot read `cargo metadata`")
    }

    pub(crate) fn ours(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.source.is_none())
    }

    pub(crate) fn others(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.source.is_some())
    }
}

impl Package {
    pub(crate) fn directory(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

impl Dependency {
    /// As source code spells it.
    pub(crate) fn identifier(&self) -> String {
        self.rename.as_ref().unwrap_or(&self.name).replace('-', "_")
    }
}

/// The platform of this machine, as Cargo names it.
fn host() -> Result<String> {
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = tools::command(compiler).arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` does not name its host")?.to_owned())
}
