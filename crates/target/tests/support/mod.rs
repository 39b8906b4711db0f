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
