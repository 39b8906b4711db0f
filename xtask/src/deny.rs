//! What third-party crates may be, by `deny.toml`: their licences, where they come from, how many versions of each. This part of what
//! cargo-deny does needs nothing installed and no network; cargo-deny itself is run beside it where it is installed.

use crate::metadata::{Metadata, Package};
use crate::tools;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The part of `deny.toml` that is read here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licences {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Named>,
    skip: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    /// The first numbers of the versions that are meant; all versions without.
    version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

/// What third-party crates are not as they should be.
pub(crate) fn check(metadata: &Metadata) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(tools::root().join("deny.toml")).context("cannot read deny.toml")?;
    let rules: Rules = toml::from_str(&text).context("cannot read deny.toml")?;
    let mut wrong = licences(&rules.licenses.allow, metadata);
    wrong.extend(metadata.others().filter_map(|package| rules.sources.refuses(package)));
    wrong.extend(rules.bans.duplicates(metadata));
    wrong.extend(metadata.others().filter_map(|package| rules.bans.refuses(package)));
    wrong.extend(wildcards(metadata));
    Ok(wrong)
}

/// Licences that are not allowed, and allowed ones that nothing has.
fn licences(allow: &BTreeSet<String>, metadata: &Metadata) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut met = BTreeSet::new();
    for package in metadata.others() {
        let licence = package.license.as_deref().unwrap_or("none");
        let expression = Expression::parse(licence);
        if !expression.as_ref().is_some_and(|expression| expression.is_met(allow)) {
            wrong.push(format!(
                "`{} {}` has the licence `{licence}`, which deny.toml does not allow",
                package.name, package.version
            ));
        }
        expression.iter().for_each(|expression| expression.collect(&mut met));
    }
    wrong
        .extend(allow.difference(&met).map(|name| format!("deny.toml allows the licence `{name}`, which nothing has")));
    wrong
}

impl Sources {
    fn refuses(&self, package: &Package) -> Option<String> {
        let source = package.source.as_deref()?;
        let is_allowed = self.allow_registry.iter().any(|registry| source == format!("registry+{registry}"));
        (!is_allowed).then(|| format!("`{}` comes from `{source}`, which deny.toml does not allow", package.name))
    }
}

impl Bans {
    fn refuses(&self, package: &Package) -> Option<String> {
        let is_denied = self.deny.iter().any(|named| named.means(&package.name, &package.version));
        is_denied.then(|| format!("`{} {}` is denied by deny.toml", package.name, package.version))
    }

    fn duplicates(&self, metadata: &Metadata) -> Vec<String> {
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for package in metadata.others() {
            versions.entry(&package.name).or_default().insert(&package.version);
        }
        let is_counted = |name: &str, version: &str| !self.skip.iter().any(|skipped| skipped.means(name, version));
        let counted =
            versions.iter().map(|(name, all)| (name, all.iter().filter(|version| is_counted(name, version)).count()));
        let duplicates = counted.filter(|(_, count)| *count > 1);
        let mut wrong: Vec<String> =
            duplicates.map(|(name, count)| format!("there are {count} versions of `{name}`")).collect();
        let is_stale = |skipped: &&Named| versions.get(&*skipped.name).is_none_or(|all| all.len() < 2);
        wrong.extend(
            self.skip
                .iter()
                .filter(is_stale)
                .map(|named| format!("deny.toml skips `{}`, of which there is one version", named.name)),
        );
        wrong
    }
}

impl Named {
    fn means(&self, name: &str, version: &str) -> bool {
        let wanted = self.version.as_deref().unwrap_or_default();
        let is_version = version
            .strip_prefix(wanted)
            .is_some_and(|rest| wanted.is_empty() || rest.starts_with(['.', '-', '+']) || rest.is_empty());
        self.name == name && is_version
    }
}

/// Dependencies of ours that take any version.
fn wildcards(metadata: &Metadata) -> Vec<String> {
    let all =
        metadata.ours().flat_map(|package| package.dependencies.iter().map(move |dependency| (package, dependency)));
    let any = all.filter(|(_, dependency)| dependency.path.is_none() && dependency.req == "*");
    any.map(|(package, dependency)| format!("`{}` takes any version of `{}`", package.name, dependency.name)).collect()
}

/// An SPDX licence expression; `/` is `OR`, as old crates write it.
#[derive(Debug, PartialEq)]
enum Expression {
    Licence(String),
    Any(Vec<Expression>),
    All(Vec<Expression>),
}

impl Expression {
    fn parse(text: &str) -> Option<Expression> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut rest = words.as_slice();
        let expression = Expression::any(&mut rest)?;
        rest.is_empty().then_some(expression)
    }

    fn any(rest: &mut &[&str]) -> Option<Expression> {
        Expression::joined(rest, "OR", Expression::all).map(Expression::Any)
    }

    fn all(rest: &mut &[&str]) -> Option<Expression> {
        Expression::joined(rest, "AND", Expression::one).map(Expression::All)
    }

    fn joined(rest: &mut &[&str], word: &str, part: fn(&mut &[&str]) -> Option<Expression>) -> Option<Vec<Expression>> {
        let mut parts = vec![part(rest)?];
        while rest.first() == Some(&word) {
            *rest = &rest[1..];
            parts.push(part(rest)?);
        }
        Some(parts)
    }

    fn one(rest: &mut &[&str]) -> Option<Expression> {
        let (first, after) = rest.split_first()?;
        *rest = after;
        if *first == "(" {
            let inner = Expression::any(rest)?;
            let (closing, after) = rest.split_first()?;
            *rest = after;
            return (*closing == ")").then_some(inner);
        }
        if [")", "OR", "AND", "WITH"].contains(first) {
            return None;
        }
        let ["WITH", exception, after @ ..] = *rest else { return Some(Expression::Licence((*first).to_owned())) };
        let licence = format!("{first} WITH {exception}");
        *rest = after;
        Some(Expression::Licence(licence))
    }

    fn is_met(&self, allow: &BTreeSet<String>) -> bool {
        match self {
            Expression::Licence(name) => allow.contains(name),
            Expression::Any(parts) => parts.iter().any(|part| part.is_met(allow)),
            Expression::All(parts) => parts.iter().all(|part| part.is_met(allow)),
        }
    }

    fn collect(&self, names: &mut BTreeSet<String>) {
        match self {
            Expression::Licence(name) => drop(names.insert(name.clone())),
            Expression::Any(parts) | Expression::All(parts) => parts.iter().for_each(|part| part.collect(names)),
        }
    }
}

/// Older versions do not understand what Cargo tells today.
const OLDEST: [u32; 2] = [0, 16];

/// cargo-deny with the same file, where it is installed; known vulnerabilities only where it has their database, which is not fetched.
pub(crate) fn run_installed() -> Result<()> {
    let output = tools::cargo().args(["deny", "--version"]).output().context("cannot start cargo")?;
    let version = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || numbers(&version) < OLDEST.into() {
        let [major, minor] = OLDEST;
        eprintln!("   no cargo-deny {major}.{minor} or later: known vulnerabilities were not looked up");
        return Ok(());
    }
    let mut deny = tools::cargo();
    deny.args([
        "deny",
        "--locked",
        "check",
        "--disable-fetch",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ]);
    if has_advisories() {
        deny.arg("advisories");
    } else {
        eprintln!("   `cargo deny fetch` gets the database of known vulnerabilities, which were not looked up");
    }
    tools::run(&mut deny)
}

/// Of `cargo-deny 0.16.1`.
fn numbers(version: &str) -> Vec<u32> {
    let last = version.split_whitespace().last().unwrap_or_default();
    last.split('.').map_while(|number| number.parse().ok()).collect()
}

fn has_advisories() -> bool {
    let of_user = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(of_user);
    home.is_some_and(|home| ["advisory-dbs", "advisory-db"].iter().any(|name| home.join(name).is_dir()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_weighed_as_spdx_has_it() {
        let allow: BTreeSet<String> = ["MIT", "Zlib"].map(str::to_owned).into();
        let cases = [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND GPL-3.0", false),
            ("(GPL-3.0 OR MIT) AND Zlib", true),
            ("GPL-3.0 OR MIT AND GPL-2.0", false),
            ("MIT WITH LLVM-exception", false),
            ("", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT Zlib", false),
        ];
        for (text, expected) in cases {
            assert_eq!(Expression::parse(text).is_some_and(|parsed| parsed.is_met(&allow)), expected, "{text}");
        }
    }

    #[test]
    fn versions_are_meant_by_their_first_numbers() {
        let named = |version: Option<&str>| Named { name: "syn".into(), version: version.map(str::to_owned) };
        assert!(named(Some("2")).means("syn", "2.0.119") && named(None).means("syn", "3.0.9"));
        assert!(!named(Some("2")).means("syn", "20.1.0") && !named(Some("2")).means("quote", "2.0.0"));
    }

    #[test]
    fn old_versions_of_cargo_deny_are_not_used() {
        let is_old = |version| numbers(version) < OLDEST.into();
        assert_eq!(
            ["cargo-deny 0.14.2\n", "cargo-deny 0.16.0", "cargo-deny 1.0.0", ""].map(is_old),
            [true, false, false, true]
        );
    }

    fn package(name: &str, version: &str, source: &str) -> Package {
        let json = format!(
            r#"{{"name":"{name}","version":"{version}","license":"MIT","source":"{source}","manifest_path":"/x","dependencies":[]}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn versions_sources_and_stale_rules_are_told() {
        let good = "registry+https://good";
        let packages =
            vec![package("a", "1.0.0", good), package("a", "2.0.0", good), package("b", "1.0.0", "git+https://bad")];
        let metadata = Metadata { packages };
        let named = |name: &str, version: &str| Named { name: name.into(), version: Some(version.into()) };
        let bans = |skip| Bans { deny: vec![named("b", "1")], skip };
        assert_eq!(bans(vec![]).duplicates(&metadata), ["there are 2 versions of `a`"]);
        assert_eq!(bans(vec![named("a", "1")]).duplicates(&metadata), [""; 0]);
        assert_eq!(bans(vec![named("a", "1"), named("b", "1")]).duplicates(&metadata).len(), 1, "b is skipped in vain");
        let sources = Sources { allow_registry: vec!["https://good".into()] };
        let refused: Vec<String> = metadata.others().filter_map(|package| sources.refuses(package)).collect();
        assert_eq!(refused, ["`b` comes from `git+https://bad`, which deny.toml does not allow"]);
        assert_eq!(metadata.others().filter_map(|package| bans(vec![]).refuses(package)).count(), 1);
        let allow = ["MIT", "Zlib"].map(str::to_owned).into();
        assert_eq!(licences(&allow, &metadata), ["deny.toml allows the licence `Zlib`, which nothing has"]);
    }
}
