//! Lists the committed class files of `java/classes`, so that the library can carry all of them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("java/classes");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root).expect("it was found there").with_extension("");
        println!("cargo::rerun-if-changed={}", file.display());
        writeln!(list, "    ({:?}, include_bytes!({:?})),", name.to_string_lossy(), file.to_string_lossy())
            .expect("writing to a string");
    }
    list.push_str("]\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("classes.rs");
    std::fs::write(out, list).expect("the output directory is writable");
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("java/classes is part of the crate") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "class") {
            files.push(path);
        }
    }
}
