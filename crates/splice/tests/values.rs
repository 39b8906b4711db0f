//! Value probes: what they record, and that they can be put before every instruction of a program without changing it.

#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::Symbol;
use splice::readings::{Readings, Value};
use splice::{ProbeIds, ProbeKind, SplicePlan, ValueKind, ValueProbe, ValueSource, splice};
use std::collections::BTreeMap;
use testing::{class_path, fixtures, host_classes, jdks, run};

fn probe(name: &str, descriptor: &str, bci: u16, reads: &[ValueSource]) -> ValueProbe {
    ValueProbe { name: Symbol::new(name), descriptor: Symbol::new(descriptor), bci, reads: reads.to_vec() }
}

#[test]
fn operands_and_locals_are_recorded() {
    use ValueSource::{Local, Operand};
    let values = vec![
        probe("divide", "(II)I", 2, &[Operand(1), Operand(0)]),
        probe("load", "([Ljava/lang/Object;I)Ljava/lang/Object;", 2, &[Operand(0), Operand(1)]),
        probe("store", "([DID)V", 3, &[Operand(2), Operand(1), Operand(0)]),
        probe(
            "wide",
            "(JDLjava/lang/String;F)J",
            0,
            &[
                Local { slot: 0, kind: ValueKind::Reference },
                Local { slot: 1, kind: ValueKind::Long },
                Local { slot: 3, kind: ValueKind::Double },
                Local { slot: 5, kind: ValueKind::Reference },
                Local { slot: 6, kind: ValueKind::Float },
            ],
        ),
        probe("length", "(Ljava/lang/String;)I", 1, &[Operand(0)]),
        // `iload_2 iload_0 if_icmpge`, after `iconst_0 istore_1 iconst_0 istore_2`
        probe("visits", "(I)I", 6, &[Operand(1)]),
        probe("divide", "(II)I", 2, &[Operand(2)]),
        probe("divide", "(II)I", 0, &[Local { slot: 2, kind: ValueKind::Int }]),
    ];
    let plan = SplicePlan { values, ..SplicePlan::default() };
    let mut ids = ProbeIds::default();
    let spliced = splice(&std::fs::read(fixtures().join("Recorded.class")).unwrap(), &plan, &mut ids).unwrap();
    assert_eq!(spliced.report.unreadable, [7, 6], "an operand and a local variable too many");
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("Recorded.class"), spliced.bytes).unwrap();
    let object = |class: &str, length, first| Value::Object { class: class.into(), length, first };
    for jdk in jdks() {
        let mut java = jdk.java();
        java.arg(format!("-Xbootclasspath/a:{}", host_classes().display()));
        java.arg("-cp").arg(class_path(&[dir.path(), fixtures()]));
        run(java.arg("Recorded").arg(dir.path().join("out")));
        let bytes = std::fs::read(dir.path().join("out")).unwrap();
        let (readings, used) = Readings::decode(&bytes).unwrap();
        assert_eq!(used, bytes.len());
        let by_probe: BTreeMap<u16, _> = readings
            .values
            .iter()
            .map(|reading| match ids.site(reading.id).unwrap().kind {
                ProbeKind::Values { index } => (index, reading),
                ref other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(by_probe[&0].kept, [[Value::Int(7), Value::Int(-2)]]);
        let array = |class: &str, length, first| Value::Array { class: class.into(), length, first };
        assert_eq!(by_probe[&1].kept, [[Value::Int(2), array("[Ljava.lang.Object;", 3, 1)]]);
        assert_eq!(by_probe[&2].kept, [[array("[D", 4, 0), Value::Int(1), Value::Double(2.5)]]);
        assert_eq!(
            by_probe[&3].kept,
            [[
                object("Recorded", None, 0),
                Value::Long(1 << 40),
                Value::Double(-0.5),
                object("java.lang.String", Some(4), 3),
                Value::Float(1.5)
            ]]
        );
        assert_eq!(by_probe[&4].kept, [[object("java.lang.String", Some(5), 0)], [Value::Null]]);
        // The first and the last sixteen of a hundred and one.
        let expected: Vec<_> = (0..16).chain(85..101).map(|i| vec![Value::Int(i)]).collect();
        assert_eq!((by_probe[&5].visits, &by_probe[&5].kept), (101, &expected));
    }
}

#[test]
fn probes_at_every_instruction_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut ids = ProbeIds::default();
    let mut placed = 0;
    for entry in std::fs::read_dir(fixtures()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("Workout") {
            continue;
        }
        let class = std::fs::read(&path).unwrap();
        // Every method by its line probes; then every index of it, whether an instruction starts there or not.
        let mut methods = ProbeIds::default();
        splice(&class, &SplicePlan::full(), &mut methods).unwrap();
        let mut plan = SplicePlan::full();
        for site in methods.sites() {
            for bci in site.bci..site.bci + 40 {
                for depth in 0..3 {
                    let reads = vec![ValueSource::Operand(depth), ValueSource::Operand(0)];
                    let probe = ValueProbe { name: site.method.name, descriptor: site.method.descriptor, bci, reads };
                    if !plan.values.contains(&probe) {
                        plan.values.push(probe);
                    }
                }
            }
        }
        let spliced = splice(&class, &plan, &mut ids).unwrap();
        std::fs::write(dir.path().join(name), spliced.bytes).unwrap();
        placed += ids.sites().iter().filter(|site| matches!(site.kind, ProbeKind::Values { .. })).count();
    }
    assert!(placed > 1000, "only {placed} value probes");
    for jdk in jdks() {
        let run = |class_path: &std::ffi::OsStr| {
            let mut java = jdk.java();
            java.arg(format!("-Xbootclasspath/a:{}", host_classes().display()));
            run(java.args(["-Xverify:all", "-cp"]).arg(class_path).arg("Workout"))
        };
        let (expected, spliced) = (run(fixtures().as_os_str()), run(&class_path(&[dir.path(), fixtures()])));
        assert_eq!(spliced, expected, "on {}", jdk.major);
    }
}
