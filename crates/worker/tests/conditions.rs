//! What probes read, against the JVM: methods throw where a condition holds, and the distance must be 0 exactly there.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use condition::{Anchored, BinaryOp, CompareOp, Condition, Const, Expr, NumberKind, Predicate};
use program::{
    Cache, ClassName, ClassPath, CodePoint, FieldRef, InstrId, JavaString, MethodRef, Program, Symbol, Type,
};
use recipe::{End, Observation, ProbePlan, Recipe, Runner, parse};
use std::sync::Arc;
use testing::{Jdk, fixtures, jdks};
use worker::{Host, HostConfig};

fn host(jdk: &Jdk) -> Host {
    let class_path = vec![fixtures().to_path_buf()];
    let config = HostConfig {
        command: vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()],
        class_path: class_path.clone(),
        link: Vec::new(),
        allow_read: Vec::new(),
        vm_args: Vec::new(),
        sandboxed: testing::can_lock_up(),
        jobs: 1,
        repeatable: false,
    };
    let jdk = program::Jdk::at(&jdk.home).unwrap();
    let (program, _) = Program::open(&ClassPath::parse(&class_path).unwrap(), jdk, &Cache::none()).unwrap();
    Host::new(config, Arc::new(program))
}

fn at(name: &str, descriptor: &str, bci: u16, when: Condition) -> Anchored {
    let method = MethodRef::new("Probed", name, descriptor);
    Anchored { at: CodePoint { method, at: InstrId::at(bci) }, when }
}

fn field_ref(name: &str, descriptor: &str) -> FieldRef {
    FieldRef { class: ClassName::internal("Probed"), name: Symbol::new(name), descriptor: Symbol::new(descriptor) }
}

fn field(of: Expr, name: &str, descriptor: &str) -> Expr {
    Expr::Field(Box::new(of), field_ref(name, descriptor))
}

fn own(name: &str, descriptor: &str) -> Expr {
    field(Expr::This, name, descriptor)
}

fn statics(name: &str, descriptor: &str) -> Expr {
    Expr::Static(field_ref(name, descriptor))
}

fn element(array: Expr, index: Expr) -> Expr {
    Expr::Element(Box::new(array), Box::new(index))
}

fn text(text: &str) -> Expr {
    Expr::Const(Const::String(JavaString::new(text)))
}

fn ints(left: Expr, op: CompareOp, right: Expr) -> Condition {
    Condition::compare_ints(left, op, right)
}

fn not_null(value: Expr) -> Condition {
    Condition::is_null(value).negated()
}

const STRING: &str = "Ljava/lang/String;";
const PROBED: &str = "LProbed;";
const OBJECT: &str = "Ljava/lang/Object;";

/// Arguments, descriptor and what holds at the entry exactly if the method throws.
fn entries() -> Vec<(&'static str, &'static str, &'static str, Condition)> {
    use CompareOp::{Eq, Ge, Gt, Le, Lt};
    let next = || own("next", PROBED);
    let second = || field(next(), "next", PROBED);
    let (numbers, name) = (|| own("numbers", "[I"), || own("name", STRING));
    let objects = || own("objects", "[Ljava/lang/Object;");
    let other = || own("other", OBJECT);
    let with_name = |predicate, argument| Condition::Predicate(predicate, vec![name(), text(argument)]);
    let number = |kind, left, op, right| Condition::compare(kind, left, op, right);
    let size = |of| Expr::CallResult {
        at: CodePoint { method: MethodRef::new("Probed", "size", "()V"), at: InstrId::at(4) },
        callee: MethodRef::new("java/util/List", "size", "()I"),
        args: vec![of],
    };
    let root = || statics("root", PROBED);
    vec![
        ("field", "()V", "", ints(own("number", "I"), Eq, Expr::int(3))),
        (
            "path",
            "()V",
            "",
            Condition::All(vec![
                not_null(next()),
                not_null(second()),
                ints(field(second(), "number", "I"), Lt, Expr::int(2)),
            ]),
        ),
        (
            "wideField",
            "()V",
            "",
            number(NumberKind::Long, own("wide", "J"), Gt, Expr::Const(Const::Long((1 << 40) + 1))),
        ),
        ("realField", "()V", "", number(NumberKind::Double, own("real", "D"), Lt, Expr::Const(Const::Double(0.75)))),
        ("flagField", "()V", "", ints(own("flag", "Z"), CompareOp::Ne, Expr::int(0))),
        ("letterField", "()V", "", ints(own("letter", "C"), Ge, Expr::int('b' as i32))),
        (
            "length",
            "()V",
            "",
            Condition::All(vec![
                not_null(numbers()),
                ints(
                    Expr::binary(BinaryOp::Add, Expr::Length(Box::new(numbers())), own("number", "I")),
                    Eq,
                    Expr::int(5),
                ),
            ]),
        ),
        (
            "element",
            "(I)V",
            "int 1",
            Condition::All(vec![
                not_null(numbers()),
                ints(Expr::Param(0), Ge, Expr::int(0)),
                ints(Expr::Param(0), Lt, Expr::Length(Box::new(numbers()))),
                ints(element(numbers(), Expr::Param(0)), Eq, Expr::int(2)),
            ]),
        ),
        (
            "computedElement",
            "(I)V",
            "int 2",
            number(
                NumberKind::Long,
                element(own("longs", "[J"), Expr::binary(BinaryOp::Sub, Expr::Param(0), Expr::int(1))),
                Lt,
                Expr::Const(Const::Long(-3)),
            ),
        ),
        ("objectElement", "()V", "", Condition::is_null(element(objects(), Expr::int(1)))),
        ("same", "()V", "", Condition::Same(other(), Expr::This)),
        ("sameElement", "()V", "", Condition::Same(element(objects(), Expr::int(0)), Expr::This)),
        (
            "sameNull",
            "(Ljava/lang/Object;)V",
            "java.lang.Object null(java.lang.Object)",
            Condition::Same(Expr::Param(0), next()),
        ),
        (
            "storable",
            "(Ljava/lang/Object;)V",
            "java.lang.Object v0",
            Condition::Storable { array: objects(), value: Expr::Param(0) },
        ),
        ("instance", "()V", "", Condition::InstanceOf(other(), Type::class("java/lang/String"))),
        (
            "equalText",
            "(Ljava/lang/String;)V",
            "java.lang.String \"name2\"",
            Condition::Predicate(Predicate::StringEquals, vec![Expr::Param(0), name()]),
        ),
        (
            "ignoringCase",
            "(Ljava/lang/String;)V",
            "java.lang.String \"NAME3\"",
            Condition::Predicate(Predicate::StringEqualsIgnoreCase, vec![Expr::Param(0), name()]),
        ),
        ("prefix", "()V", "", with_name(Predicate::StringStartsWith, "name1")),
        ("suffix", "()V", "", with_name(Predicate::StringEndsWith, "2")),
        ("part", "()V", "", with_name(Predicate::StringContains, "e3")),
        (
            "element",
            "()V",
            "",
            Condition::Predicate(Predicate::ContainsElement, vec![own("list", "Ljava/util/List;"), text("e1")]),
        ),
        (
            "key",
            "()V",
            "",
            Condition::Predicate(Predicate::ContainsKey, vec![own("map", "Ljava/util/Map;"), text("k2")]),
        ),
        ("size", "()V", "", ints(size(own("list", "Ljava/util/List;")), Gt, Expr::int(2))),
        ("counted", "()V", "", ints(statics("counter", "I"), Eq, Expr::int(2))),
        (
            "rooted",
            "()V",
            "",
            Condition::All(vec![not_null(root()), ints(field(root(), "number", "I"), Gt, Expr::int(1))]),
        ),
        (
            "titled",
            "()V",
            "",
            Condition::Predicate(Predicate::StringStartsWith, vec![statics("title", STRING), text("the")]),
        ),
        (
            "given",
            "(IJFDLjava/lang/String;)V",
            "int 0, long 3L, float 3.5f, double 4.0d, java.lang.String null(java.lang.String)",
            Condition::All(vec![
                ints(Expr::Param(0), Lt, Expr::int(1)),
                number(NumberKind::Long, Expr::Param(1), Gt, Expr::Const(Const::Long(2))),
                number(NumberKind::Float, Expr::Param(2), Ge, Expr::Const(Const::Float(3.0))),
                number(NumberKind::Double, Expr::Param(3), Le, Expr::Const(Const::Double(4.0))),
                Condition::is_null(Expr::Param(4)),
            ]),
        ),
    ]
}

const STATIC: [&str; 4] = ["counted", "rooted", "titled", "given"];

fn call(seed: i32, name: &str, descriptor: &str, args: &str) -> Recipe {
    let returns = if descriptor.ends_with('I') { ": int" } else { "" };
    let receiver = if STATIC.contains(&name) { "" } else { "v0->" };
    parse(&format!("v0: Probed = call Probed.make(int {seed}): Probed\ncall {receiver}Probed.{name}({args}){returns}"))
        .unwrap()
}

fn threw(observation: &Observation) -> bool {
    matches!(&observation.end, End::Threw { thrown, .. } if thrown.class.as_internal() == "java/lang/IllegalStateException")
}

const SEEDS: i32 = 40;

#[test]
fn conditions_at_entries_hold_where_java_says_so() {
    let cases = entries();
    let conditions = cases.iter().map(|(name, descriptor, _, when)| at(name, descriptor, 0, when.clone()));
    let plan = ProbePlan { conditions: conditions.collect(), ..ProbePlan::default() };
    for jdk in jdks() {
        let mut host = host(&jdk);
        for (number, (name, descriptor, args, when)) in cases.iter().enumerate() {
            let recipes: Vec<Recipe> = (0..SEEDS).map(|seed| call(seed, name, descriptor, args)).collect();
            let seen = host.run(&recipes, &plan).unwrap();
            let mut held = 0;
            for (seed, seen) in seen.iter().enumerate() {
                let distance = seen.conditions[number];
                assert!(matches!(seen.end, End::Completed) || threw(seen), "{name}, seed {seed}: {:?}", seen.end);
                assert_eq!(distance == Some(0.0), threw(seen), "{name}, seed {seed}: {distance:?} {when:?}");
                assert!(distance.is_some_and(|distance| distance.is_finite()), "{name}, seed {seed}: {distance:?}");
                held += usize::from(threw(seen));
            }
            assert!(held > 0 && (held < seen.len() || *name == "given"), "{name} held {held} times, JDK {}", jdk.major);
        }
        assert_eq!(host.statistics().started, 1, "{:?}", host.statistics());
    }
}

/// Numbers are measured, not only decided: each step nearer is a smaller distance.
#[test]
fn distances_are_those_of_the_values() {
    let conditions = vec![
        at("field", "()V", 0, ints(own("number", "I"), CompareOp::Eq, Expr::int(10))),
        at("field", "()V", 0, ints(own("number", "I"), CompareOp::Gt, Expr::int(2))),
        at("path", "()V", 0, ints(own("number", "I"), CompareOp::Eq, Expr::int(10))),
    ];
    let plan = ProbePlan { conditions, ..ProbePlan::default() };
    for jdk in jdks() {
        let recipes: Vec<Recipe> = (0..5).map(|seed| call(seed, "field", "()V", "")).collect();
        let seen = host(&jdk).run(&recipes, &plan).unwrap();
        for (number, seen) in seen.iter().enumerate() {
            let number = number as f64;
            let expected = [Some(10.0 - number), Some(if number > 2.0 { 0.0 } else { 3.0 - number }), None];
            assert_eq!(seen.conditions, expected, "JDK {}", jdk.major);
        }
    }
}

/// Two branches of one method, each with its own values: `k` is another number by the second.
#[test]
fn each_branch_is_measured_with_the_values_that_it_sees() {
    use CompareOp::{Gt, Lt};
    // `iload_1 ifge`, then `iinc`, `aload_0 getfield next ifnonnull`.
    let conditions = vec![
        at("guarded", "(I)I", 1, ints(Expr::Operand(0), Lt, Expr::int(0))),
        at("guarded", "(I)I", 19, Condition::is_null(Expr::Operand(0))),
        at("guarded", "(I)I", 19, ints(Expr::Local(1), Gt, own("number", "I"))),
    ];
    let plan = ProbePlan { conditions, ..ProbePlan::default() };
    for jdk in jdks() {
        let recipes: Vec<Recipe> =
            [3, 12, -4].iter().map(|k| call(3, "guarded", "(I)I", &format!("int {k}"))).collect();
        let seen: Vec<_> = host(&jdk).run(&recipes, &plan).unwrap().into_iter().map(|one| one.conditions).collect();
        assert_eq!(seen[0], [Some(4.0), Some(0.0), Some(11.0)], "JDK {}", jdk.major);
        assert_eq!(seen[1], [Some(13.0), Some(0.0), Some(2.0)]);
        assert_eq!(seen[2], [Some(0.0), None, None]);
    }
}

/// A variable of another kind than the one asked for, or one that is not there yet, leaves the class as good as it was.
#[test]
fn what_the_verifier_does_not_allow_is_not_read() {
    let made = MethodRef::new("Probed$Made", "<init>", "(I)V");
    let size = FieldRef { class: made.class, name: Symbol::new("size"), descriptor: Symbol::new("I") };
    let anchor = |bci| {
        let when = ints(Expr::Field(Box::new(Expr::This), size), CompareOp::Eq, Expr::int(-2));
        Anchored { at: CodePoint { method: made, at: InstrId::at(bci) }, when }
    };
    let locals = |name: &str, slot, bci| at("locals", name, bci, Condition::is_null(Expr::Local(slot)));
    // `aload_0 invokespecial`, then the fields, and the call of `when`, whose operands are `this.size == -2`.
    let conditions = vec![anchor(0), anchor(1), anchor(4), locals("(I)V", 2, 0), locals("(I)V", 5, 7)];
    let plan = ProbePlan { conditions, ..ProbePlan::default() };
    for jdk in jdks() {
        let make = parse("v0: Probed$Made = new Probed$Made(int 2)").unwrap();
        let seen = host(&jdk).run(&[make, call(3, "locals", "(I)V", "int 1")], &plan).unwrap();
        assert!(threw(&seen[0]) && seen[1].end == End::Completed, "JDK {}: {:?}", jdk.major, seen);
        // What `this` is before the other constructor has returned cannot be told; then its size is 0.
        assert_eq!(seen[0].conditions[..3], [Some(1.0), Some(1.0), Some(2.0)]);
        assert_eq!(seen[1].conditions[3..], [Some(1.0), Some(1.0)]);
    }
}

/// Objects with hostile methods are looked at without being asked.
#[test]
fn nothing_of_the_program_runs() {
    let list = || own("list", "Ljava/util/List;");
    let other = || own("other", OBJECT);
    let conditions = vec![
        at("unaware", "()V", 0, Condition::Predicate(Predicate::ContainsElement, vec![list(), text("a")])),
        at("unaware", "()V", 0, Condition::Predicate(Predicate::ContainsElement, vec![list(), other()])),
        at("unaware", "()V", 0, Condition::Predicate(Predicate::StringEquals, vec![other(), text("a")])),
        at("unaware", "()V", 0, Condition::Same(other(), Expr::This)),
        at("unaware", "()V", 0, Condition::InstanceOf(other(), Type::class("Probed$Hostile"))),
    ];
    let plan = ProbePlan { conditions, ..ProbePlan::default() };
    for jdk in jdks() {
        let recipe = parse("v0: Probed = call Probed.hostile(): Probed\ncall v0->Probed.unaware()").unwrap();
        let seen = host(&jdk).run(&[recipe], &plan).unwrap();
        assert_eq!(seen[0].end, End::Completed, "JDK {}", jdk.major);
        assert_eq!(seen[0].conditions, [1.0, 1.0, 1.0, 1.0, 0.0].map(Some));
    }
}

/// What is seen by one plan is the same in a VM that has had others before, and no VM is started for it.
#[test]
fn a_new_plan_does_not_cost_a_vm() {
    let class = |name| ClassName::internal(name);
    let small = recipe::Limits { steps: 20, ..recipe::Limits::default() };
    let plans = [
        ProbePlan { classes: vec![class("Probed")], ..ProbePlan::default() },
        ProbePlan { conditions: vec![at("field", "()V", 0, entries()[0].3.clone())], ..ProbePlan::default() },
        ProbePlan {
            classes: vec![class("Targets"), class("java/util/BitSet")],
            conditions: vec![
                at("field", "()V", 0, Condition::is_null(own("next", PROBED))),
                at("field", "()V", 0, entries()[0].3.clone()),
            ],
            ..ProbePlan::default()
        },
        ProbePlan { classes: vec![class("Probed")], last_statement_only: true, ..ProbePlan::default() },
        ProbePlan { limits: small, ..ProbePlan::default() },
        ProbePlan::default(),
    ];
    let mut recipes: Vec<Recipe> = (0..8).map(|seed| call(seed, "field", "()V", "")).collect();
    recipes.push(parse("v0: java.util.BitSet = new java.util.BitSet(int 9)").unwrap());
    let seen = |host: &mut Host, plan: &ProbePlan| {
        let strip = |seen: Observation| (seen.end, seen.lines, seen.branches, seen.conditions);
        host.run(&recipes, plan).unwrap().into_iter().map(strip).collect::<Vec<_>>()
    };
    for jdk in jdks() {
        let mut changing = host(&jdk);
        // There and back again.
        for plan in plans.iter().chain(plans.iter().rev()) {
            // Twice, because the JDK's own initialisers run in the first candidate that needs them.
            let mut fresh = host(&jdk);
            let [_, afresh] = [seen(&mut fresh, plan), seen(&mut fresh, plan)];
            assert_eq!(seen(&mut changing, plan), afresh, "JDK {}, {plan:?}", jdk.major);
            assert_eq!(afresh[8].1.is_empty(), !plan.classes.contains(&class("java/util/BitSet")));
        }
        assert_eq!(changing.statistics().started, 1, "{:?}", changing.statistics());
        // What takes a VM of another kind gets one.
        let overflow = ProbePlan { aim: recipe::Aim::StackOverflow, ..ProbePlan::default() };
        assert_eq!(seen(&mut changing, &overflow), seen(&mut host(&jdk), &overflow));
        assert_eq!(changing.statistics().started, 2, "{:?}", changing.statistics());
    }
}
