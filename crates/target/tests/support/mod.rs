//! Crash packs and JDKs for tests.

use program::{Cache, ClassPath, Jdk, Program};
use std::path::{Path, PathBuf};

pub(crate) struct Crash {
    pub(crate) id: String,
    pub(crate) exception: String,
    pub(crate) trace: Vec<u8>,
    pub(crate) block: usize,
    pub(crate) application: regex::Regex,
    pub(crate) jars: Vec<PathBuf>,
}

/// All crashes of a pack of the project.
pub(crate) fn crashes(pack: &str) -> Vec<Crash> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs").join(pack);
    let manifest = std::fs::read_to_string(directory.join("manifest.json")).expect("the pack has a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("the manifest is JSON");
    let crashes = manifest["crashes"].as_array().expect("the manifest lists crashes");
    crashes.iter().map(|crash| read(&directory, crash)).collect()
}

fn read(directory: &Path, crash: &serde_json::Value) -> Crash {
    let text = |key: &str| crash[key].as_str().unwrap_or_else(|| panic!("{key} of {crash}")).to_owned();
    let jars = crash["jars"].as_array().expect("a crash has jars").iter();
    Crash {
        id: text("id"),
        exception: text("exception"),
        trace: std::fs::read(directory.join(text("trace"))).expect("the trace is there"),
        block: crash["block"].as_u64().unwrap_or(0) as usize,
        application: regex::Regex::new(&format!("^(?:{})$", text("target_frames"))).expect("a regular expression"),
        jars: jars.map(|jar| jar_path(jar["maven"].as_str().expect("coordinates"))).collect(),
    }
}

fn jar_path(coordinates: &str) -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS")
        .expect("REENACT_JARS names the directory with the crash jars; `cargo xtask test` fetches them and sets it");
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, artifact, version] = parts[..] else { panic!("{coordinates}") };
    Path::new(&directory).join(group).join(artifact).join(version).join(format!("{artifact}-{version}.jar"))
}

pub(crate) fn open(jars: &[PathBuf], jdk: Jdk) -> Program {
    let class_path = ClassPath::parse(jars).expect("the jars are there");
    Program::open(&class_path, jdk, &Cache::none()).expect("the class path can be opened").0
}

/// The JDK with this feature version, or any other.
pub(crate) fn jdk(feature: u16) -> Jdk {
    let installed = Jdk::list().into_iter().find(|jdk| jdk.feature == feature);
    installed.or_else(|| Jdk::find(None).ok()).expect("a JDK is installed")
}
