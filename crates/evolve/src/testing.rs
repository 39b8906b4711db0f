//! What the tests of this crate share.

use objects::Catalogue;
use std::sync::Arc;

/// Of a program that has nothing but the JDK.
pub(crate) fn jdk_only() -> Catalogue {
    let directory = tempfile::tempdir().unwrap();
    let class_path = program::ClassPath::parse([directory.path()]).unwrap();
    let jdk = program::Jdk::find(None).unwrap();
    let (program, _) = program::Program::open(&class_path, jdk, &program::Cache::none()).unwrap();
    Catalogue::new(Arc::new(program), &[])
}
