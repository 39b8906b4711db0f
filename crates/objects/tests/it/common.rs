//! Programs made of the crash packs' jars.

use program::{Cache, ClassPath, Jdk, Program};
use std::path::PathBuf;
use std::sync::Arc;

/// A class path of the packs.
pub(crate) struct Jars {
    pub(crate) name: &'static str,
    coordinates: &'static [&'static str],
    /// Percentage of concrete public types to which a way must exist.
    pub(crate) least_share: f64,
}

impl Jars {
    pub(crate) const ALL: &[Jars] = &[
        Jars {
            name: "commons-collections 3.1",
            coordinates: &["commons-collections/commons-collections/3.1"],
            least_share: 92.0,
        },
        Jars { name: "log4j 1.2.15", coordinates: &["log4j/log4j/1.2.15"], least_share: 92.0 },
        Jars { name: "ant 1.8.1", coordinates: &["org.apache.ant/ant/1.8.1"], least_share: 92.0 },
        Jars { name: "picocli 4.7.0", coordinates: &["info.picocli/picocli/4.7.0"], least_share: 92.0 },
        Jars { name: "jsoup 1.15.3", coordinates: &["org.jsoup/jsoup/1.15.3"], least_share: 92.0 },
        Jars {
            name: "guava 33.1.0",
            coordinates: &["com.google.guava/guava/33.1.0-jre", "com.google.guava/failureaccess/1.0.2"],
            least_share: 92.0,
        },
        Jars {
            name: "okio 3.5.0",
            coordinates: &["com.squareup.okio/okio-jvm/3.5.0", "org.jetbrains.kotlin/kotlin-stdlib/1.9.0"],
            least_share: 92.0,
        },
        Jars { name: "h2 2.1.214", coordinates: &["com.h2database/h2/2.1.214"], least_share: 92.0 },
        Jars { name: "scala-library 2.13.8", coordinates: &["org.scala-lang/scala-library/2.13.8"], least_share: 92.0 },
    ];

    pub(crate) fn open(&self) -> Arc<Program> {
        open(self.coordinates.iter().map(|coordinate| jar(coordinate)).collect())
    }
}

pub(crate) fn open(jars: Vec<PathBuf>) -> Arc<Program> {
    let class_path = ClassPath::parse(jars).unwrap();
    let cache = Cache::at(env!("CARGO_TARGET_TMPDIR"));
    let (program, problems) = Program::open(&class_path, Jdk::find(None).unwrap(), &cache).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    Arc::new(program)
}

pub(crate) fn jar(coordinate: &str) -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS");
    let directory =
        directory.expect("REENACT_JARS is not set; run the tests with `cargo xtask test`, which fetches the jars");
    let mut parts = coordinate.rsplit('/');
    let (version, artifact) = (parts.next().unwrap(), parts.next().unwrap());
    PathBuf::from(directory).join(coordinate).join(format!("{artifact}-{version}.jar"))
}
