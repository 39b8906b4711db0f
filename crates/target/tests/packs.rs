//! The crashes of the packs: the target is the exception that the pack names, every application frame binds, the line of frame 1 can throw, and the whole target reads as the
//! snapshot says.

#[path = "support/jars.rs"]
mod jars;
#[path = "support/packs.rs"]
mod packs;
mod support;

use packs::{Crash, crashes, jdk};
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
        let target = crash.derive(&jdk);
        failures.extend(misbound(&crash, &target));
        if jdk.feature == SNAPSHOT_JDK {
            insta::assert_snapshot!(crash.id.as_str(), target.to_string());
        }
    }
    assert_eq!(failures, [""; 0]);
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
