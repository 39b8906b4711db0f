//! Do the pages of the documentation point at things that exist? Links to files and headings, and paths of the repository in code spans.

use crate::tools;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What pages name that is not there.
pub(crate) fn broken() -> Result<Vec<String>> {
    let root = tools::root();
    let mut wrong = Vec::new();
    for page in pages(&root)? {
        let text = read(&page)?;
        let shown = page.strip_prefix(&root).unwrap_or(&page).display();
        let missing = targets(&text).into_iter().filter(|target| !leads_somewhere(&page, target));
        wrong.extend(missing.map(|target| format!("{shown} links to `{target}`, which is not there")));
        let missing = paths(&text).into_iter().filter(|path| !root.join(path).exists());
        wrong.extend(missing.map(|path| format!("{shown} names `{path}`, which is not there")));
    }
    Ok(wrong)
}

/// Of the root and of `docs`.
fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for directory in [root.to_path_buf(), root.join("docs")] {
        for entry in std::fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))? {
            found
                .extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|extension| extension == "md")));
        }
    }
    found.sort();
    Ok(found)
}

fn read(page: &Path) -> Result<String> {
    std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))
}

/// Of links within the repository.
fn targets(text: &str) -> Vec<String> {
    let prose = outside_blocks(text).flat_map(|line| line.split('`').step_by(2).chain(["\n"])).collect::<String>();
    let all = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    all.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

/// Lines that are not in blocks of code.
fn outside_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut is_block = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_block ^= is_fence;
        !is_block && !is_fence
    })
}

/// Code spans that are paths, without places to be filled in.
fn paths(text: &str) -> Vec<&str> {
    const PARTS: [&str; 4] = ["crates/", "docs/", "packs/", "xtask/"];
    let spans = outside_blocks(text).flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_path = |span: &&str| PARTS.iter().any(|part| span.starts_with(part));
    spans.filter(|span| is_path(span) && !span.contains([' ', '*', '<']) && !span.contains("NAME")).collect()
}

fn leads_somewhere(page: &Path, target: &str) -> bool {
    let (file, heading) = target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
    let file = if file.is_empty() { page.to_path_buf() } else { page.with_file_name(file) };
    let has = |heading: &str| read(&file).is_ok_and(|text| headings(&text).any(|known| known == heading));
    file.exists() && heading.is_none_or(has)
}

/// As links name them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    titles.map(|title| {
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pages_name() {
        let text = "see [`one`](a.md#b), `f[2](T)`, [two](https://x.y/z) and `crates/no-such`,\n`crates/NAME`, `docs/*`, `reenact docs/x`\n```\n`crates/x y`";
        assert_eq!(targets(text), ["a.md#b"]);
        assert_eq!(paths(text), ["crates/no-such"]);
    }

    #[test]
    fn links_lead_to_files_and_headings() {
        let directory = tempfile::tempdir().unwrap();
        let page = directory.path().join("page.md");
        std::fs::write(&page, "# A page\n\n## What is `this`, then?\n").unwrap();
        let leads = |target| leads_somewhere(&page, target);
        assert!(leads("page.md") && leads("#a-page") && leads("page.md#what-is-this-then"));
        assert!(!leads("other.md") && !leads("#another"));
    }
}
