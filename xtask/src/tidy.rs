//! Layering: every edge between our crates must be in the table of ARCHITECTURE.md, so that a new edge is a decision.

use crate::tools;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<String>,
}

type Edges = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn tidy() -> Result<()> {
    let documented = documented()?;
    let mut wrong = Vec::new();
    for (from, to) in &actual()? {
        let Some(allowed) = documented.get(from) else {
            wrong.push(format!("crate `{from}` is missing from the table"));
            continue;
        };
        wrong.extend(to.difference(allowed).map(|to| format!("`{from}` uses `{to}`, which the table does not allow")));
        wrong.extend(allowed.difference(to).map(|to| format!("the table lets `{from}` use `{to}`, but it does not")));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    bail!("ARCHITECTURE.md, \"Who may use whom\", does not tell the truth:\n  {}", wrong.join("\n  "))
}

/// The edges that Cargo sees; dev-dependencies are free.
fn actual() -> Result<Edges> {
    let output = tools::cargo().args(["metadata", "--no-deps", "--format-version", "1", "--offline"]).output()?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cannot read `cargo metadata`")?;
    let ours = metadata.packages.iter().filter(|package| package.name != "xtask");
    Ok(ours
        .map(|package| {
            let normal = package.dependencies.iter().filter(|d| d.path.is_some() && d.kind.is_none());
            (package.name.clone(), normal.map(|d| d.name.clone()).collect())
        })
        .collect())
}

/// Rows of the form "| `crate` | `a`, `b` | ..." below the heading.
fn documented() -> Result<Edges> {
    let text = std::fs::read_to_string(tools::root().join("ARCHITECTURE.md")).context("cannot read ARCHITECTURE.md")?;
    let (_, section) = text.split_once("## Who may use whom").context("ARCHITECTURE.md has no \"Who may use whom\"")?;
    let section = section.split("\n## ").next().unwrap_or(section);
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    Ok(rows
        .filter_map(|row| {
            let mut cells = row.trim_matches('|').split('|');
            let name = names(cells.next()?).into_iter().next()?;
            Some((name, names(cells.next()?)))
        })
        .collect())
}

fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
