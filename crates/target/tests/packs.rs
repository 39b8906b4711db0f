//! The crashes of the packs: every application frame binds, the line of frame 1 can throw, and the whole target reads as the
//! snapshot says.

mod support;

use program::Jdk;
use std::path::{Path, PathBuf};
use support::{crash_jar, open};
use target::{Binding, CrashTarget, FrameRole};

/// Snapshots show conditions derived from the bytecode of this JDK; with another only the frames are checked.
const SNAPSHOT_JDK: u16 = 17;

#[test]
fn seeds() {
    check_pack("seeds");
}

#[test]
fn modern() {
    check_pack("modern");
}

fn check_pack(pack: &str) {
    let jdk = jdk(SNAPSHOT_JDK);
    let mut failures = Vec::new();
    for crash in crashes(pack) {
        let target = derive(&crash, &jdk);
        failures.extend(misbound(&crash, &target));
        if jdk.feature == SNAPSHOT_JDK {
            insta::assert_snapshot!(crash.id.as_str(), target.to_string());
        }
    }
    assert_eq!(failures, [""; 0]);
}

fn derive(crash: &Crash, jdk: &Jdk) -> CrashTarget {
    let program = open(&crash.jars, jdk.clone());
    let report = crash_report::parse(&crash.trace);
    let throwable = report.traces[0].blocks()[crash.block];
    assert_eq!(throwable.class, crash.exception, "{}", crash.id);
    CrashTarget::derive(throwable, &program, &|class| crash.application.is_match(class))
}

/// What should have been found and was not.
fn misbound(crash: &Crash, target: &CrashTarget) -> Vec<String> {
    let mut failures = Vec::new();
    for frame in target.frames.iter().chain(target.causes.iter().flat_map(|cause| &cause.frames)) {
        if matches!(frame.role, FrameRole::Application(_)) && !matches!(frame.binding, Binding::Bound { .. }) {
            failures.push(format!("{}: {:?} is not bound", crash.id, frame.frame));
        }
    }
    if target.throw_sites.is_empty() {
        failures.push(format!("{}: no throw site", crash.id));
    }
    failures
        .extend(target.misfits.iter().filter(|misfit| misfit.is_contradiction()).map(|m| format!("{}: {m}", crash.id)));
    failures
}

struct Crash {
    id: String,
    exception: String,
    trace: Vec<u8>,
    block: usize,
    application: regex::Regex,
    jars: Vec<PathBuf>,
}

/// All crashes of a pack of the project.
fn crashes(pack: &str) -> Vec<Crash> {
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
fn jdk(feature: u16) -> Jdk {
    let installed = Jdk::list().into_iter().find(|jdk| jdk.feature == feature);
    installed.or_else(|| Jdk::find(None).ok()).expect("a JDK is installed")
}
