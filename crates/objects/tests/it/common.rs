//! Programs made of the crash packs' jars.

use objects::Catalogue;
use program::{Cache, ClassPath, Jdk, Program};
use recipe::Recipe;
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
        let paths: Vec<PathBuf> = self.coordinates.iter().map(|coordinate| jar(coordinate)).collect();
        let class_path = ClassPath::parse(paths).unwrap();
        let (program, problems) =
            Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::at(env!("CARGO_TARGET_TMPDIR"))).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        Arc::new(program)
    }
}

fn jar(coordinate: &str) -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS");
    let directory =
        directory.expect("REENACT_JARS is not set; run the tests with `cargo xtask test`, which fetches the jars");
    let mut parts = coordinate.rsplit('/');
    let (version, artifact) = (parts.next().unwrap(), parts.next().unwrap());
    PathBuf::from(directory).join(coordinate).join(format!("{artifact}-{version}.jar"))
}

/// Panics unless the recipe is well typed.
pub(crate) fn check(catalogue: &Catalogue, recipe: &Recipe) {
    if let Err(errors) = recipe::check(recipe, catalogue) {
        panic!("{errors:?} in\n{recipe}");
    }
}
