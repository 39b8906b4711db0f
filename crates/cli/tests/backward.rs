//! The backward engine by itself: crashes that need reasoning about values and states, of a small library whose traces come from a
//! program that is not on the class path. The seed must not matter, and few recipes are run.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::{Path, PathBuf};
use support::{Ended, end, lock_up, reenact};

struct Scene {
    directory: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        let directory = tempfile::tempdir().unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/puzzles");
        let (library, field) = (directory.path().join("library"), directory.path().join("field"));
        let of_library = java_files(&sources.join("library/puzzles"));
        testing::compile(&of_library, &library, &["-g"]);
        // The program is compiled with the library, so that it need not be told where that is.
        let all: Vec<PathBuf> = of_library.into_iter().chain(java_files(&sources.join("field/puzzles"))).collect();
        testing::compile(&all, &field, &["-g"]);
        Scene { directory }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The log of the crash with this name.
    fn log(&self, name: &str) -> PathBuf {
        let jdk = &testing::jdks()[0];
        let class_path = testing::class_path(&[&self.at("library"), &self.at("field")]);
        let ran = jdk.java().arg("-cp").arg(class_path).args(["puzzles.Field", name]).output().unwrap();
        let log = self.at(&format!("{name}.log"));
        std::fs::write(&log, ran.stderr).unwrap();
        log
    }

    fn reproduce(&self, name: &str, seed: &str) -> Ended {
        let mut tool = reenact();
        tool.arg(self.log(name))
            .arg("-c")
            .arg(self.at("library"))
            .arg("-o")
            .arg(self.at(&format!("out-{name}-{seed}")));
        tool.args(["--engine", "backward", "--candidates", "200", "--seed", seed, "--json"]).args(lock_up());
        end(&mut tool)
    }
}

fn java_files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn what_needs_a_relation_is_derived() {
    missed_none(&["line", "bits", "header", "state", "empty", "agree", "element", "static", "text", "cast"]);
}

/// All of these crashes are reproduced as a whole with few recipes.
fn missed_none(names: &[&str]) {
    let scene = Scene::new();
    let mut missed = Vec::new();
    for name in names {
        let ended = scene.reproduce(name, "1");
        let result = ended.result();
        let candidates = result["candidates"].as_u64().unwrap();
        println!("{name}: {} with {candidates} recipes", result["grade"]);
        if ended.code() != Some(0) || candidates > 60 {
            missed.push((name, result["grade"].clone(), candidates));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn what_is_inside_of_what_comes_in_is_derived() {
    missed_none(&["magic", "quoted", "lookup", "walk", "any", "task"]);
}

#[test]
fn the_seed_changes_nothing() {
    let scene = Scene::new();
    let sources: Vec<_> = ["1", "2"].map(|seed| scene.reproduce("state", seed).result()["source"].clone()).into();
    assert_eq!(sources[0], sources[1]);
}

#[test]
fn check_explains_each_frame_without_running_anything() {
    let scene = Scene::new();
    let mut tool = reenact();
    tool.arg("check").arg(scene.log("agree")).arg("-c").arg(scene.at("library")).arg("--explain");
    let text = end(&mut tool).stdout;
    assert!(text.contains("this.customer.address.country == null"), "{text}");
    assert!(text.contains("this.customer.level > 3") || text.contains("this.customer.level >= 4"), "{text}");
}
