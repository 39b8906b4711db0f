//! What tests of this crate share.

use program::{Cache, ClassPath, Jdk, Program};

/// A program without classes of its own.
pub(crate) fn jdk_only() -> Program {
    let directory = tempfile::tempdir().unwrap();
    let class_path = ClassPath::parse([directory.path()]).unwrap();
    Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap().0
}
