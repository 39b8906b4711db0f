//! The crashes of the packs.

use crate::jars::crash_jar;
use crate::support::open;
use program::Jdk;
use std::path::{Path, PathBuf};
use target::CrashTarget;

pub(crate) struct Crash {
    pub(crate) id: String,
    exception: String,
    trace: Vec<u8>,
    block: usize,
    pub(crate) application: regex::Regex,
    pub(crate) jars: Vec<PathBuf>,
}

impl Crash {
    pub(crate) fn derive(&self, jdk: &Jdk) -> CrashTarget {
        let methods = open(&self.jars, jdk.clone());
        let report = crash_report::parse(&self.trace);
        let is_application = |class: &str| self.application.is_match(class);
        let chosen = crash_report::choose(&report, &is_application, None, None).expect("a target is chosen");
        let throwable = chosen.throwable(&report).expect("the choice is in the report");
        assert_eq!(throwable, report.traces[0].blocks()[self.block], "{}", self.id);
        assert_eq!(throwable.class, self.exception, "{}", self.id);
        CrashTarget::derive(throwable, &methods, &is_application)
    }
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
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, artifact, version] = parts[..] else { panic!("{coordinates}") };
    crash_jar(&format!("{group}/{artifact}/{version}/{artifact}-{version}.jar"))
}

/// The JDK with this feature version, or any other.
pub(crate) fn jdk(feature: u16) -> Jdk {
    let installed = Jdk::list().into_iter().find(|jdk| jdk.feature == feature);
    installed.or_else(|| Jdk::find(None).ok()).expect("a JDK is installed")
}
