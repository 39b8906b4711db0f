//! The Java classes that run inside workers, confirming JVMs and recorded programs are committed as class files, so that building needs no JDK; this keeps
//! them and their sources together.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Crates with sources below `java` and class files below `java/classes`.
const CRATES: [&str; 3] = ["crates/worker", "crates/confirm", "crates/agent"];

pub(crate) fn classes(bless: bool) -> Result<()> {
    tools::require_jdk()?;
    CRATES.iter().try_for_each(|name| of_crate(&tools::root().join(name).join("java"), bless))
}

fn of_crate(sources: &Path, bless: bool) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    compile(sources, scratch.path())?;
    let committed = sources.join("classes");
    if bless {
        std::fs::remove_dir_all(&committed).ok();
        copy_tree(scratch.path(), &committed)?;
        return Ok(());
    }
    for class in files(scratch.path(), "class")? {
        let relative = class.strip_prefix(scratch.path())?;
        if std::fs::read(committed.join(relative)).ok() != Some(std::fs::read(&class)?) {
            bail!("{} is not what its source compiles to; run `cargo xtask java --bless`", relative.display());
        }
    }
    Ok(())
}

fn compile(sources: &Path, to: &Path) -> Result<()> {
    let sources = files(sources, "java")?;
    let mut javac = tools::command("javac");
    javac
        .args(["--release", "8", "-g:source,lines", "-nowarn", "-Xlint:-options", "-encoding", "UTF-8", "-d"])
        .arg(to)
        .args(sources);
    tools::run(&mut javac)
}

fn files(below: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![below.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for file in files(from, "class")? {
        let target = to.join(file.strip_prefix(from)?);
        std::fs::create_dir_all(target.parent().unwrap_or(to))?;
        std::fs::copy(&file, &target)?;
    }
    Ok(())
}
