//! What holds the house together and no compiler checks: crates depend on each other as ARCHITECTURE.md says, every dependency is
//! used, third-party crates are as `deny.toml` wants them, and the documentation points at things that exist.

use crate::deny;
use crate::links;
use crate::mentions::{self, UnitTests};
use crate::metadata::{Dependency, Metadata, Package};
use crate::tools;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};

type Edges = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn tidy() -> Result<()> {
    let metadata = Metadata::read()?;
    let architecture = read("ARCHITECTURE.md")?;
    let mut wrong = edges(&metadata, &architecture)?;
    wrong.extend(reasons(&metadata, &architecture)?);
    for package in metadata.ours() {
        wrong.extend(unused(package)?);
    }
    wrong.extend(unused_in_workspace(&metadata)?);
    wrong.extend(deny::check(&metadata)?);
    wrong.extend(links::broken()?);
    if !wrong.is_empty() {
        bail!("the house is not tidy:\n  {}", wrong.join("\n  "))
    }
    deny::run_installed()
}

/// Every edge between our crates is in the table, so that a new one is a decision, and the table has no others. That each is also
/// used in code is what [`unused`] says.
fn edges(metadata: &Metadata, architecture: &str) -> Result<Vec<String>> {
    let documented = documented(architecture)?;
    let mut wrong = Vec::new();
    for package in metadata.ours().filter(|package| package.name != "xtask") {
        let from = &package.name;
        let Some(allowed) = documented.get(from) else {
            wrong.push(format!("crate `{from}` is missing from \"Who may use whom\" of ARCHITECTURE.md"));
            continue;
        };
        let normal = package.dependencies.iter().filter(|d| d.path.is_some() && d.kind.is_none());
        let to: BTreeSet<String> = normal.map(|d| d.name.clone()).collect();
        wrong.extend(to.difference(allowed).map(|to| format!("`{from}` uses `{to}`, which ARCHITECTURE.md forbids")));
        wrong.extend(
            allowed.difference(&to).map(|to| format!("ARCHITECTURE.md lets `{from}` use `{to}`, but it does not")),
        );
    }
    Ok(wrong)
}

/// Rows of the form "| `crate` | `a`, `b` | ..." below the heading.
fn documented(architecture: &str) -> Result<Edges> {
    let rows = section(architecture, "## Who may use whom")?.lines().filter(|line| line.starts_with("| `"));
    Ok(rows
        .filter_map(|row| {
            let mut cells = row.trim_matches('|').split('|');
            let name = names(cells.next()?).into_iter().next()?;
            Some((name, names(cells.next()?)))
        })
        .collect())
}

/// Every third-party crate that we name has its reason in ARCHITECTURE.md, and nothing else has.
fn reasons(metadata: &Metadata, architecture: &str) -> Result<Vec<String>> {
    let rows = section(architecture, "## Third-party crates")?.lines().filter(|line| line.starts_with("| "));
    // Without the head of the table; what a name has in parentheses is a choice of its features.
    let cells = rows.skip(1).filter_map(|row| row.trim_matches('|').split('|').next());
    let crates = cells.flat_map(|cell| cell.split(',')).filter_map(|name| name.split_whitespace().next());
    let explained: BTreeSet<&str> = crates.collect();
    let all = metadata.ours().flat_map(|package| &package.dependencies).filter(|d| d.path.is_none());
    let used: BTreeSet<&str> = all.map(|d| d.name.as_str()).collect();
    let without = used.difference(&explained).map(|name| format!("ARCHITECTURE.md gives no reason for `{name}`"));
    let stale = explained.difference(&used).map(|name| format!("ARCHITECTURE.md explains `{name}`, which nobody uses"));
    Ok(without.chain(stale).collect())
}

/// Dependencies of a crate that its sources do not mention: those of the product in `src`, unit tests left out; those of the build
/// in `build.rs`; those of tests in any target.
fn unused(package: &Package) -> Result<Vec<String>> {
    let directory = package.directory();
    let sources = directory.join("src");
    let product = mentions::in_directory(&sources, UnitTests::LeftOut)?;
    let build = mentions::in_file(&directory.join("build.rs"))?;
    let mut tests = mentions::in_directory(&sources, UnitTests::Included)?;
    for targets in ["tests", "benches", "examples"] {
        tests.extend(mentions::in_directory(&directory.join(targets), UnitTests::Included)?);
    }
    let is_unused = |dependency: &&Dependency| match dependency.kind.as_deref() {
        Some("build") => !build.contains(&dependency.identifier()),
        Some(_) => !tests.contains(&dependency.identifier()),
        None => !product.contains(&dependency.identifier()),
    };
    let unused = package.dependencies.iter().filter(is_unused);
    Ok(unused.map(|dependency| message(package, dependency)).collect())
}

fn message(package: &Package, dependency: &Dependency) -> String {
    let kind = dependency.kind.as_ref().map_or_else(String::new, |kind| format!("{kind}-"));
    format!("`{}` declares the {kind}dependency `{}` and does not use it", package.name, dependency.name)
}

/// Versions that the workspace fixes and no crate asks for.
fn unused_in_workspace(metadata: &Metadata) -> Result<Vec<String>> {
    let manifest: toml::Table = read("Cargo.toml")?.parse().context("cannot read Cargo.toml")?;
    let declared = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies")?.as_table());
    let used: BTreeSet<&str> =
        metadata.ours().flat_map(|package| &package.dependencies).map(|dependency| dependency.name.as_str()).collect();
    let unused = declared.into_iter().flat_map(toml::Table::keys).filter(|name| !used.contains(name.as_str()));
    Ok(unused.map(|name| format!("the workspace declares `{name}`, which no crate uses")).collect())
}

fn read(file: &str) -> Result<String> {
    std::fs::read_to_string(tools::root().join(file)).with_context(|| format!("cannot read {file}"))
}

fn section<'a>(text: &'a str, heading: &str) -> Result<&'a str> {
    let (_, section) = text.split_once(heading).with_context(|| format!("ARCHITECTURE.md has no \"{heading}\""))?;
    Ok(section.split("\n## ").next().unwrap_or(section))
}

fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
