//! What the tests of this crate share: programs made of the crash packs' jars.

use program::{Cache, ClassPath, Jdk, Program};
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) fn jars() -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS");
    PathBuf::from(
        directory.expect("REENACT_JARS is not set; run the tests with `cargo xtask test`, which fetches the jars"),
    )
}

/// The program of some jars, given as `group/artifact/version`.
pub(crate) fn program_of(coordinates: &[&str]) -> Arc<Program> {
    let paths = coordinates.iter().map(|coordinate| {
        let mut parts = coordinate.rsplit('/');
        let (version, artifact) = (parts.next().unwrap(), parts.next().unwrap());
        jars().join(coordinate).join(format!("{artifact}-{version}.jar"))
    });
    let class_path = ClassPath::parse(paths.collect::<Vec<_>>()).unwrap();
    let (program, problems) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    Arc::new(program)
}

/// A program with a small jar, of which the JDK is what matters.
pub(crate) fn jdk_only() -> Arc<Program> {
    program_of(&["junit/junit/4.13.2"])
}
