//! The crashes of the packs: every application frame binds, the line of frame 1 can throw, and the whole target reads as the
//! snapshot says.

mod support;

use support::{Crash, crashes, jdk, open};
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

fn derive(crash: &Crash, jdk: &program::Jdk) -> CrashTarget {
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
