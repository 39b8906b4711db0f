//! What the tests of this crate share: class files and archives made on the spot, the crash jars, the JDK's own tools.
#![allow(dead_code, reason = "every test uses another part of it")]

pub(crate) mod class_builder;

use program::{Cache, ClassPath, Jdk, Problem, Program};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

/// All jars below the directory that REENACT_JARS names, sorted.
pub(crate) fn crash_jars() -> Vec<PathBuf> {
    let directory = std::env::var_os("REENACT_JARS")
        .expect("REENACT_JARS is not set: run `cargo xtask test`, which fetches the crash jars and sets it");
    let mut jars = Vec::new();
    collect_jars(Path::new(&directory), &mut jars);
    jars.sort();
    assert!(!jars.is_empty(), "there are no jars below {}: run `cargo xtask test`", Path::new(&directory).display());
    jars
}

/// The crash jar whose file name starts with `name`, such as `commons-collections-3.1`.
pub(crate) fn crash_jar(name: &str) -> PathBuf {
    let found = crash_jars().into_iter().find(|jar| file_name(jar).starts_with(name));
    found.unwrap_or_else(|| panic!("there is no jar {name} below REENACT_JARS: run `cargo xtask test`"))
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn collect_jars(directory: &Path, jars: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the directory of crash jars can be read");
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect_jars(&path, jars);
        } else if path.extension().is_some_and(|extension| extension == "jar") {
            jars.push(path);
        }
    }
}

pub(crate) fn jdk() -> Jdk {
    Jdk::find(None).expect("the tests need a JDK: install one or set JAVA_HOME")
}

/// Opens a class path without a cache.
pub(crate) fn open<P: AsRef<Path>>(paths: &[P]) -> (Program, Vec<Problem>) {
    open_for(paths, jdk())
}

pub(crate) fn open_for<P: AsRef<Path>>(paths: &[P], jdk: Jdk) -> (Program, Vec<Problem>) {
    let class_path = ClassPath::parse(paths.iter().map(|path| path.as_ref())).expect("the class path exists");
    Program::open(&class_path, jdk, &Cache::none()).expect("the class path can be opened")
}

/// An archive in memory.
#[derive(Default)]
pub(crate) struct JarBuilder {
    entries: Vec<(String, Vec<u8>, CompressionMethod)>,
}

impl JarBuilder {
    pub(crate) fn new() -> JarBuilder {
        JarBuilder::default()
    }

    pub(crate) fn deflated(mut self, name: &str, content: impl Into<Vec<u8>>) -> JarBuilder {
        self.entries.push((name.to_owned(), content.into(), CompressionMethod::Deflated));
        self
    }

    pub(crate) fn stored(mut self, name: &str, content: impl Into<Vec<u8>>) -> JarBuilder {
        self.entries.push((name.to_owned(), content.into(), CompressionMethod::Stored));
        self
    }

    /// A minimal class at its usual place.
    pub(crate) fn class(self, name: &str) -> JarBuilder {
        let content = class_builder::ClassBuilder::new(name).build();
        self.deflated(&format!("{name}.class"), content)
    }

    pub(crate) fn manifest(self, attributes: &str) -> JarBuilder {
        self.deflated("META-INF/MANIFEST.MF", format!("Manifest-Version: 1.0\r\n{attributes}\r\n\r\n"))
    }

    pub(crate) fn build(self) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content, method) in self.entries {
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(name, options).expect("an entry can be started in memory");
            writer.write_all(&content).expect("an entry can be written in memory");
        }
        writer.finish().expect("an archive can be finished in memory").into_inner()
    }

    pub(crate) fn write(self, path: &Path) -> PathBuf {
        write_file(path, &self.build())
    }
}

/// Writes a file and the directories it is in.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> PathBuf {
    let parent = path.parent().expect("a file is in a directory");
    std::fs::create_dir_all(parent).expect("a temporary directory can be written");
    std::fs::write(path, content).expect("a temporary directory can be written");
    path.to_owned()
}

/// Runs one of the JDK's tools and returns what it prints.
#[expect(clippy::disallowed_methods, reason = "tests compare us with the JDK's own tools")]
pub(crate) fn run_tool(jdk: &Jdk, tool: &str, arguments: &[String]) -> String {
    let output = Command::new(jdk.home.join("bin").join(tool)).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("`{tool}` of {} cannot be run: {error}", jdk.home.display()));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the tool prints UTF-8")
}

/// A sample of `count` items, the same in every run.
pub(crate) fn draw<T: Copy>(items: &[T], count: usize) -> Vec<T> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    (0..count.min(items.len())).map(|_| items[next() % items.len()]).collect()
}
