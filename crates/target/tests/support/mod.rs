//! What the test programs share.

use program::{Cache, ClassPath, Jdk, Program};
use std::path::PathBuf;

pub(crate) fn open(jars: &[PathBuf], jdk: Jdk) -> Program {
    let class_path = ClassPath::parse(jars).expect("the jars are there");
    Program::open(&class_path, jdk, &Cache::none()).expect("the class path can be opened").0
}
