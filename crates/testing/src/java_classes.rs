//! Java classes that are committed as class files are what their sources compile to.

use crate::{compile, jdks};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files(below: &Path, extension: &str) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.insert(path);
        }
    }
    found
}

/// Names of everything that a class file mentions: what changes with the source, whatever the compiler.
fn strings(class: &[u8]) -> BTreeSet<Vec<u8>> {
    let words = class.split(|byte| !byte.is_ascii_graphic());
    words.filter(|word| word.len() > 5).map(<[u8]>::to_vec).collect()
}

/// Panics unless the class files in `java/classes` of a crate are those of the sources in `java/reenact`.
pub fn assert_current(crate_directory: &Path) {
    let (sources, committed) = (crate_directory.join("java/reenact"), crate_directory.join("java/classes"));
    let compiled = tempfile::tempdir().unwrap();
    let sources: Vec<PathBuf> = files(&sources, "java").into_iter().collect();
    // As `cargo xtask java` does.
    let options = ["--release", "8", "-g:source,lines", "-nowarn", "-Xlint:-options"];
    compile(&sources, compiled.path(), &options);
    let relative = |root: &Path| -> BTreeSet<PathBuf> {
        files(root, "class").iter().map(|path| path.strip_prefix(root).unwrap().to_path_buf()).collect()
    };
    let hint = "run `cargo xtask java --bless`";
    assert_eq!(relative(compiled.path()), relative(&committed), "{hint}");
    // The class files are made with javac 17; another compiler may write the same code differently.
    let is_pinned = jdks()[0].major == 17;
    for class in relative(compiled.path()) {
        let new = std::fs::read(compiled.path().join(&class)).unwrap();
        let committed = std::fs::read(committed.join(&class)).unwrap();
        if is_pinned {
            assert!(new == committed, "{} has changed; {hint}", class.display());
        } else {
            assert_eq!(strings(&new), strings(&committed), "{} has changed; {hint}", class.display());
        }
    }
}
