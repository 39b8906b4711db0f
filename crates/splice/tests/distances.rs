//! Branch distances against a slow reference, on the real VM: 0 exactly for the way the branch goes.

#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use splice::{ProbeIds, ProbeKind, SplicePlan, splice};
use testing::{class_path, fixtures, host_classes, jdks, run};

#[test]
fn distances_agree_with_the_reference() {
    let class = std::fs::read(fixtures().join("Branchy.class")).unwrap();
    let mut ids = ProbeIds::default();
    let plan = SplicePlan { branches: true, ..SplicePlan::default() };
    let spliced = splice(&class, &plan, &mut ids).unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("Branchy.class"), &spliced.bytes).unwrap();
    let methods: std::collections::BTreeSet<&str> = ids.sites().iter().map(|site| site.method.name.as_str()).collect();
    for jdk in jdks() {
        let mut java = jdk.java();
        java.arg(format!("-Xbootclasspath/a:{}", host_classes().display()));
        java.arg("-cp").arg(class_path(&[dir.path(), fixtures()])).arg("Distances");
        let checked = run(&mut java);
        assert_eq!(checked.lines().count(), methods.len(), "every method with a probe is checked:\n{checked}");
    }
}

#[test]
fn sites_name_their_instructions() {
    let class = std::fs::read(fixtures().join("Branchy.class")).unwrap();
    let mut ids = ProbeIds::default();
    splice(&class, &SplicePlan::full(), &mut ids).unwrap();
    let branches = |name: &str| {
        let of_method = ids.sites().iter().filter(|site| site.method.name.as_str() == name);
        of_method.filter(|site| !matches!(site.kind, ProbeKind::Line(_))).cloned().collect::<Vec<_>>()
    };
    // `iload_0 iload_1 if_icmpne`, and the `ifeq` behind `aload_0 aload_1 invokevirtual`.
    assert_eq!(branches("intEq")[0].bci, 2);
    assert_eq!(branches("equal")[0].bci, 5);
    // `lload_0 lload_2 lcmp ifne`
    assert_eq!(branches("longEq")[0].bci, 3);
    let outcomes: Vec<_> = branches("table").into_iter().map(|site| site.kind).collect();
    let [ProbeKind::Outcome(default), .., ProbeKind::Outcome(last)] = &outcomes[..] else { panic!("{outcomes:?}") };
    assert_eq!(outcomes.len(), 5);
    assert!(default.is_default);
    // The table has an entry for the hole at 6, which leads to the default.
    assert_eq!(default.keys, [6]);
    assert_eq!(last.keys, [7]);
}
