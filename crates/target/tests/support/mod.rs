//! What the test programs share.

use program::{Cache, ClassPath, Jdk, Program};
use std::path::PathBuf;
use std::sync::Arc;
use target::Methods;

pub(crate) fn open(jars: &[PathBuf], jdk: Jdk) -> Methods {
    let class_path = ClassPath::parse(jars).expect("the jars are there");
    let (program, _) = Program::open(&class_path, jdk, &Cache::none()).expect("the class path can be opened");
    Methods::new(Arc::new(program))
}

/// A jar of the crash packs, by its path below the directory that has them all.
pub(crate) fn crash_jar(path: &str) -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS")
        .expect("REENACT_JARS names the directory with the crash jars; `cargo xtask test` fetches them and sets it");
    PathBuf::from(directory).join(path)
}
