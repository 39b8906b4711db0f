//! Snapshots, ordered outcomes and receivers, against what the program is known to do.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use condition::Expr;
use program::{Cache, ClassName, ClassPath, CodePoint, FieldRef, InstrId, JavaString, MethodRef, Program, Symbol};
use recipe::ShownValue::{Cut, Double, Int, Long, Null, Object};
use recipe::{
    PlaceToShow, ProbePlan, Recipe, Runner, Show, ShowLimits, Shown, ShownContent, ShownValue, Snapshot, VarId, Went,
    parse,
};
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

fn recipes(texts: &[&str]) -> Vec<Recipe> {
    texts.iter().map(|text| parse(text).unwrap()).collect()
}

fn shown(host: &mut Host, text: &str, show: Show) -> Shown {
    let classes = vec![ClassName::internal("Shown")];
    let plan = ProbePlan { classes, show, ..ProbePlan::default() };
    host.run(&recipes(&[text]), &plan).unwrap().remove(0).shown
}

/// The value of a field of an object of a snapshot.
fn field(of: &Snapshot, object: ShownValue, name: &str) -> ShownValue {
    let Object(number) = object else { panic!("{object:?} is no object") };
    let ShownContent::Fields(fields) = &of.objects[number as usize].content else { panic!("no fields") };
    let is_it = |(field, _): &&(FieldRef, ShownValue)| field.name == Symbol::new(name);
    fields.iter().find(is_it).unwrap_or_else(|| panic!("no {name} in {fields:?}")).1
}

fn class(of: &Snapshot, object: ShownValue) -> &str {
    let Object(number) = object else { panic!("{object:?} is no object") };
    &of.objects[number as usize].class
}

fn content(of: &Snapshot, object: ShownValue) -> &ShownContent {
    let Object(number) = object else { panic!("{object:?} is no object") };
    &of.objects[number as usize].content
}

const RING: &str = "v3: Shown = call Shown.ring(int 5): Shown\nv4: int = 9\n\
                    call v3->Shown.here(int 2, java.lang.String \"given\", int[] null(int[]))";

#[test]
fn variables_are_shown_when_the_recipe_has_ended() {
    for jdk in jdks() {
        let show = Show { variables: true, ..Show::default() };
        let (variables, snapshot) = shown(&mut host(&jdk), RING, show).variables.unwrap();
        assert_eq!(variables, [VarId(3), VarId(4)]);
        let of = |object, name: &str| field(&snapshot, object, name);
        let one = snapshot.roots[0];
        // The last statement has added two.
        assert_eq!(of(one, "number"), Int(7));
        assert_eq!([of(one, "wide"), of(one, "real"), of(one, "flag")], [Long(1 << 40), Double(-0.5), Int(1)]);
        assert_eq!(*content(&snapshot, of(one, "name")), ShownContent::Text(JavaString::new("one")));
        let two = of(one, "next");
        assert_eq!([class(&snapshot, one), class(&snapshot, two)], ["Shown", "Shown$Special"]);
        assert_eq!([of(two, "next"), of(two, "extra"), of(two, "name")], [one, Int(7), Null], "the same object again");
        let things = ShownContent::Array { length: 4, elements: vec![two, Null, of(one, "name"), one] };
        assert_eq!(*content(&snapshot, of(one, "things")), things);
        let numbers = ShownContent::Array { length: 2, elements: vec![Int(3), Int(-4)] };
        assert_eq!(*content(&snapshot, of(one, "numbers")), numbers);
        assert!(snapshot.objects.iter().all(|object| !object.is_cut));
    }
}

#[test]
fn values_are_shown_as_they_are_at_a_place() {
    let method = MethodRef::new("Shown", "here", "(ILjava/lang/String;[I)V");
    let next =
        FieldRef { class: ClassName::internal("Shown"), name: Symbol::new("next"), descriptor: Symbol::new("LShown;") };
    let second = Expr::Field(Box::new(Expr::This), next);
    let values = vec![Expr::Param(1), second, Expr::This, Expr::Param(0), Expr::Param(2)];
    let at = |bci| CodePoint { method, at: InstrId::at(bci) };
    for jdk in jdks() {
        let places = vec![
            PlaceToShow { at: at(1000), values: values.clone() },
            PlaceToShow { at: at(0), values: values.clone() },
        ];
        let show = Show { places, ..Show::default() };
        let shown = shown(&mut host(&jdk), RING, show);
        assert!(shown.variables.is_none() && shown.outcomes.is_empty() && shown.receivers.is_empty());
        let [(1, snapshot)] = shown.places.as_slice() else { panic!("{:?}", shown.places) };
        let [text, second, this, number, array] = snapshot.roots[..] else { panic!("{:?}", snapshot.roots) };
        assert_eq!(*content(snapshot, text), ShownContent::Text(JavaString::new("given")));
        assert_eq!(field(snapshot, this, "next"), second);
        assert_eq!([field(snapshot, this, "number"), number, array], [Int(5), Int(2), Null]);
    }
}

#[test]
fn limits_cut_and_say_so() {
    let text = "v0: Shown = call Shown.chain(int 100): Shown";
    let snapshot = |host: &mut Host, limits| {
        shown(host, text, Show { variables: true, limits, ..Show::default() }).variables.unwrap().1
    };
    let length = |snapshot: &Snapshot| {
        let mut at = snapshot.roots[0];
        let mut length = 0;
        while let Object(_) = at {
            (at, length) = (field(snapshot, at, "next"), length + 1);
        }
        assert_eq!(at, Cut);
        length
    };
    for jdk in jdks() {
        let mut host = host(&jdk);
        let usual = ShowLimits { depth: 1000, objects: 1000, bytes: 1 << 16 };
        assert_eq!(length(&snapshot(&mut host, ShowLimits { depth: 3, ..usual })), 4);
        assert_eq!(length(&snapshot(&mut host, ShowLimits { objects: 10, ..usual })), 10);
        let short = snapshot(&mut host, ShowLimits { bytes: 500, ..usual });
        assert!(short.objects.len() < 20 && short.objects.iter().any(|object| object.is_cut), "{short:?}");
        assert_eq!(host.statistics().started, 1);
    }
}

#[test]
fn outcomes_come_in_order() {
    use Went::{Case, Default, NotTaken, Taken};
    for jdk in jdks() {
        let mut host = host(&jdk);
        let all = |host: &mut Host, most| {
            let show = Show { outcomes: most, ..Show::default() };
            let outcomes = shown(host, "v0: int = call Shown.ways(int 4): int", show).outcomes;
            outcomes.into_iter().map(|outcome| outcome.went).collect::<Vec<_>>()
        };
        // Of each turn: whether the loop ends, whether the number is odd, the case; at last the loop and the comparison.
        let expected = [
            [NotTaken, NotTaken, Default],
            [NotTaken, Taken, Case(1)],
            [NotTaken, NotTaken, Case(2)],
            [NotTaken, Taken, Case(2)],
        ];
        let mut expected = expected.concat();
        // 2 + 30 + 10 + 20 + 20
        expected.extend([Taken, NotTaken]);
        assert_eq!(all(&mut host, 100), expected, "JDK {}", jdk.major);
        assert_eq!(all(&mut host, 5), expected[..5]);
        assert_eq!(all(&mut host, 0), []);
        assert_eq!(host.statistics().started, 1);
    }
}

#[test]
fn receivers_are_shown_by_their_classes() {
    let method = MethodRef::new("Shown", "calls", "(I)I");
    for jdk in jdks() {
        let show = Show { receivers: vec![method], ..Show::default() };
        let receivers = shown(&mut host(&jdk), "v0: int = call Shown.calls(int 4): int", show).receivers;
        assert!(receivers.iter().all(|receiver| receiver.at.method == method));
        let mut classes: Vec<&str> = receivers.iter().map(|receiver| receiver.class.as_internal()).collect();
        classes.sort_unstable();
        let list = "java/util/ArrayList";
        // Twice `add`, `iterator`; `hasNext` and `next`; `value`.
        let expected =
            ["Shown", "Shown$Special", list, list, list, "java/util/ArrayList$Itr", "java/util/ArrayList$Itr"];
        assert_eq!(classes, expected, "JDK {}", jdk.major);
    }
}
