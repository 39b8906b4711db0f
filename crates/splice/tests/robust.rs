//! Whatever bytes the splicer gets, it answers; it never panics.

#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::Symbol;
use proptest::prelude::*;
use splice::{ProbeIds, RecorderPlan, SplicePlan, ValueProbe, ValueSource, splice};
use std::sync::OnceLock;

/// The host's own classes, which are always there, under a name that may be spliced.
fn classes() -> &'static [Vec<u8>] {
    static CLASSES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let dir = testing::host_classes().join("reenact/host");
        let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| renamed(std::fs::read(path).unwrap())).collect()
    })
}

fn renamed(mut class: Vec<u8>) -> Vec<u8> {
    let package = b"reenact/host/";
    while let Some(at) = class.windows(package.len()).position(|window| window == package) {
        class[at] = b'R';
    }
    class
}

fn plan() -> SplicePlan {
    let value = |name: &str, descriptor: &str, bci| ValueProbe {
        name: Symbol::new(name),
        descriptor: Symbol::new(descriptor),
        bci,
        reads: vec![ValueSource::Operand(0), ValueSource::Operand(1)],
    };
    let values = (0..60).map(|bci| value("branch", "(III)V", bci)).chain([value("step", "()V", 5)]).collect();
    let results = [("java/lang/String", "length"), ("java/lang/Math", "abs"), ("java/lang/Object", "getClass")];
    let results = results.iter().map(|(class, name)| ((*class).to_owned(), (*name).to_owned(), String::new()));
    let recorder = RecorderPlan { calls: true, results: results.collect(), ..RecorderPlan::default() };
    SplicePlan { values, recorder: Some(std::sync::Arc::new(recorder)), ..SplicePlan::full() }
}

#[test]
fn the_classes_themselves_are_spliced() {
    for class in classes() {
        let mut ids = ProbeIds::default();
        splice(class, &plan(), &mut ids).unwrap();
    }
}

proptest! {
    #[test]
    fn truncated_classes(index in any::<prop::sample::Index>(), len in any::<prop::sample::Index>()) {
        let class = index.get(classes());
        let mut ids = ProbeIds::default();
        let result = splice(&class[..len.index(class.len())], &plan(), &mut ids);
        prop_assert!(result.is_err() && ids.sites().is_empty() && ids.recorded().is_empty());
    }

    #[test]
    fn scribbled_classes(
        index in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut class = index.get(classes()).clone();
        for (at, byte) in changes {
            let at = at.index(class.len());
            class[at] = byte;
        }
        let mut ids = ProbeIds::default();
        if splice(&class, &plan(), &mut ids).is_err() {
            prop_assert!(ids.sites().is_empty());
        }
    }
}
