use super::evaluate::{Object, State, Value, distance, holds};
use super::*;
use proptest::prelude::*;

fn null(slot: u16) -> Condition {
    Condition::IsNull(Expr::Local(slot))
}

#[test]
fn connectives_are_flattened_and_decided() {
    let nested = Condition::all([Condition::True, Condition::all([null(1), null(2)]), null(1)]);
    assert_eq!(nested, Condition::All(vec![null(1), null(2)]));
    assert_eq!(Condition::all([null(1), Condition::False]), Condition::False);
    assert_eq!(Condition::any([Condition::False, null(1)]), null(1));
    assert_eq!(Condition::any([]), Condition::False);
    assert_eq!(Condition::all([]), Condition::True);
}

#[test]
fn what_is_constant_is_computed() {
    for (op, left, right, result) in [
        (BinaryOp::And, 0, -512, 0),
        (BinaryOp::Add, i32::MAX, 1, i32::MIN),
        (BinaryOp::Div, i32::MIN, -1, i32::MIN),
        (BinaryOp::Shl, 1, 33, 2),
        (BinaryOp::Ushr, -1, 28, 15),
    ] {
        assert_eq!(Expr::binary(op, Expr::int(left), Expr::int(right)), Expr::int(result), "{left} {op} {right}");
    }
    assert!(matches!(Expr::binary(BinaryOp::Div, Expr::int(1), Expr::int(0)), Expr::Binary(..)));
    assert!(matches!(Expr::binary(BinaryOp::Add, Expr::Local(1), Expr::int(0)), Expr::Binary(..)));
}

#[test]
fn comparisons_of_the_same_values_are_merged() {
    let compare = |op| Condition::compare_ints(Expr::Local(1), op, Expr::int(0));
    assert_eq!(Condition::all([compare(CompareOp::Le), compare(CompareOp::Ne)]), compare(CompareOp::Lt));
    assert_eq!(Condition::any([compare(CompareOp::Gt), compare(CompareOp::Eq)]), compare(CompareOp::Ge));
    let open = Condition::any([compare(CompareOp::Lt), compare(CompareOp::Gt)]);
    assert_eq!(open, Condition::Any(vec![compare(CompareOp::Lt), compare(CompareOp::Gt)]));
}

#[test]
fn a_choice_with_its_opposite_is_shortened() {
    let (a, b) = (null(1), null(2));
    let nested = Condition::any([a.clone(), Condition::all([a.clone().negated(), b.clone()])]);
    assert_eq!(nested, Condition::Any(vec![a.clone(), b.clone()]));
    let neither = Condition::all([a.clone().negated(), b.clone().negated()]);
    assert_eq!(Condition::any([a.clone(), b, neither]), Condition::True);
    assert_eq!(Condition::all([a.clone(), a.negated()]), Condition::False);
}

#[test]
fn unknown_values_are_told_apart() {
    let compare = |id, op| Condition::compare_ints(Expr::Unknown(UnknownId(id)), op, Expr::int(1));
    let two = Condition::all([compare(0, CompareOp::Lt), compare(1, CompareOp::Ge)]);
    assert!(matches!(&two, Condition::All(parts) if parts.len() == 2), "{two:?}");
    assert_eq!(Condition::all([compare(0, CompareOp::Lt), compare(0, CompareOp::Ge)]), Condition::False);
}

#[test]
fn constant_comparisons_are_decided() {
    let compare = Condition::compare_ints;
    assert_eq!(compare(Expr::int(0), CompareOp::Lt, Expr::int(0)), Condition::False);
    assert_eq!(compare(Expr::int(0), CompareOp::Le, Expr::int(0)), Condition::True);
    assert_eq!(compare(Expr::Local(1), CompareOp::Gt, Expr::Local(1)), Condition::False);
    assert_eq!(compare(Expr::Local(1), CompareOp::Le, Expr::Local(1)), Condition::True);
    let float = Condition::compare(NumberKind::Float, Expr::Local(1), CompareOp::Eq, Expr::Local(1));
    assert!(matches!(float, Condition::Compare { .. }), "a NaN is not equal to itself");
    let count = || Expr::Static(FieldRef::new("a/B", "modCount", "I"));
    assert!(matches!(compare(count(), CompareOp::Ne, count()), Condition::Compare { .. }), "it may have changed");
    let mirrored = compare(Expr::int(3), CompareOp::Gt, Expr::Local(1));
    assert_eq!(mirrored, compare(Expr::Local(1), CompareOp::Lt, Expr::int(3)));
}

/// Values of the first few parameters, of a kind by their number; nothing else is known.
#[derive(Debug, Clone)]
struct Made(Vec<Option<Value>>);

const KINDS: [Option<NumberKind>; 9] = [
    Some(NumberKind::Int),
    Some(NumberKind::Int),
    Some(NumberKind::Long),
    Some(NumberKind::Float),
    Some(NumberKind::Float),
    Some(NumberKind::Double),
    None,
    None,
    None,
];

impl State for Made {
    fn value(&self, of: &Expr) -> Option<Value> {
        match of {
            Expr::Param(index) => self.0[usize::from(*index)].clone(),
            _ => None,
        }
    }

    fn is_subtype(&self, class: Type, of: Type) -> Option<bool> {
        Some(class == of || of == Type::class("java/lang/Object"))
    }
}

fn a_number(kind: NumberKind) -> BoxedStrategy<Number> {
    match kind {
        NumberKind::Int => {
            prop_oneof![Just(0), Just(1), Just(-1), Just(i32::MIN), Just(i32::MAX)].prop_map(Number::Int).boxed()
        }
        NumberKind::Long => {
            prop_oneof![Just(0), Just(1), Just(i64::MIN), Just(i64::MAX)].prop_map(Number::Long).boxed()
        }
        NumberKind::Float => prop_oneof![Just(0.0), Just(-0.0), Just(1.5), Just(f32::NAN), Just(f32::INFINITY)]
            .prop_map(Number::Float)
            .boxed(),
        NumberKind::Double => {
            prop_oneof![Just(0.0), Just(-0.0), Just(f64::NAN), Just(f64::NEG_INFINITY)].prop_map(Number::Double).boxed()
        }
    }
}

fn an_object() -> impl Strategy<Value = Value> {
    let text = prop_oneof![Just("a"), Just("ab"), Just("AB"), Just("")].prop_map(|text| {
        Value::Object(Object {
            identity: Some(text.len() as u64 + 10),
            class: Some(Type::Class(ClassName::string())),
            length: Some(text.len() as u32),
            text: Some(JavaString::new(text)),
        })
    });
    let array = (0u64..2).prop_map(|identity| {
        Value::Object(Object {
            identity: Some(identity),
            class: Some(Type::array_of(Type::Class(ClassName::string()))),
            length: Some(3),
            text: None,
        })
    });
    prop_oneof![Just(Value::Null), text, array]
}

fn a_state() -> impl Strategy<Value = Made> {
    let value = |kind: Option<NumberKind>| match kind {
        Some(kind) => a_number(kind).prop_map(Value::Number).boxed(),
        None => an_object().boxed(),
    };
    KINDS.map(value).to_vec().prop_map(|values| Made(values.into_iter().map(Some).collect()))
}

fn a_comparison() -> impl Strategy<Value = Condition> {
    let ops = [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];
    (0..6usize, prop::sample::select(ops.to_vec())).prop_flat_map(|(index, op)| {
        let kind = KINDS[index].expect("the first ones are numbers");
        let alike: Vec<u16> = (0..6u16).filter(|other| KINDS[usize::from(*other)] == Some(kind)).collect();
        let other =
            prop_oneof![prop::sample::select(alike).prop_map(Expr::Param), a_number(kind).prop_map(Expr::number)];
        (other, any::<bool>()).prop_map(move |(other, swapped)| {
            let own = Expr::Param(index as u16);
            let (left, right) = if swapped { (other, own) } else { (own, other) };
            Condition::compare(kind, left, op, right)
        })
    })
}

fn a_leaf() -> impl Strategy<Value = Condition> {
    let object = || (6..9u16).prop_map(Expr::Param);
    let predicates = [
        Predicate::StringEquals,
        Predicate::StringEqualsIgnoreCase,
        Predicate::StringStartsWith,
        Predicate::StringEndsWith,
        Predicate::StringContains,
    ];
    prop_oneof![
        4 => a_comparison(),
        1 => object().prop_map(Condition::IsNull),
        1 => (object(), object()).prop_map(|(left, right)| Condition::Same(left, right)),
        1 => object().prop_map(|value| Condition::InstanceOf(value, Type::Class(ClassName::string()))),
        1 => (object(), object()).prop_map(|(array, value)| Condition::Storable { array, value }),
        1 => (prop::sample::select(predicates.to_vec()), object(), object())
            .prop_map(|(predicate, left, right)| Condition::Predicate(predicate, vec![left, right])),
    ]
}

/// As it is said, not simplified.
fn a_condition() -> impl Strategy<Value = Condition> {
    a_leaf().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Condition::Not(Box::new(inner))),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Condition::All),
            prop::collection::vec(inner, 0..4).prop_map(Condition::Any),
        ]
    })
}

fn simplified(condition: &Condition) -> Condition {
    match condition {
        Condition::Not(inner) => simplified(inner).negated(),
        Condition::All(parts) => Condition::all(parts.iter().map(simplified)),
        Condition::Any(parts) => Condition::any(parts.iter().map(simplified)),
        leaf => leaf.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// Under any assignment, a NaN included; what is said of a state that knows little stays true of one that knows more.
    #[test]
    fn simplification_keeps_the_value(condition in a_condition(), state in a_state(), forgotten in 0..512u16) {
        let simple = simplified(&condition);
        if let Some(value) = holds(&condition, &state) {
            prop_assert_eq!(holds(&simple, &state), Some(value), "{:?}", simple);
        }
        let partial = state.0.iter().enumerate().map(|(at, value)| value.clone().filter(|_| forgotten & (1 << at) == 0));
        let partial = Made(partial.collect());
        if let (Some(guess), Some(value)) = (holds(&simple, &partial), holds(&condition, &state)) {
            prop_assert_eq!(guess, value);
        }
    }

    #[test]
    fn the_distance_is_zero_exactly_where_it_is_known_to_hold(condition in a_condition(), state in a_state()) {
        let away = distance(&condition, &state);
        prop_assert!(away >= 0.0);
        prop_assert_eq!(away == 0.0, holds(&condition, &state) == Some(true), "{}", away);
    }

    #[test]
    fn a_negation_holds_where_the_condition_does_not(condition in a_condition(), state in a_state()) {
        let negated = simplified(&condition).negated();
        if let Some(value) = holds(&condition, &state) {
            prop_assert_eq!(holds(&negated, &state), Some(!value));
        }
    }
}

#[test]
fn nearer_numbers_and_texts_are_nearer() {
    let state = |value: i32, text: &str| {
        let object = Object { text: Some(JavaString::new(text)), ..Object::default() };
        let mut values = vec![None; KINDS.len()];
        values[0] = Some(Value::Number(Number::Int(value)));
        values[6] = Some(Value::Object(object));
        Made(values)
    };
    let seven = Condition::compare_ints(Expr::Param(0), CompareOp::Eq, Expr::int(7));
    let is = |predicate| {
        Condition::Predicate(predicate, vec![Expr::Param(6), Expr::Const(Const::String(JavaString::new("key")))])
    };
    assert!(distance(&seven, &state(6, "")) < distance(&seven, &state(-900, "")));
    let equals = is(Predicate::StringEquals);
    assert!(distance(&equals, &state(0, "kez")) < distance(&equals, &state(0, "map")));
    assert!(distance(&equals, &state(0, "map")) < distance(&equals, &state(0, "")));
    assert!(
        distance(&is(Predicate::StringContains), &state(0, "a keg"))
            < distance(&is(Predicate::StringContains), &state(0, "a map"))
    );
    assert_eq!(distance(&is(Predicate::StringEndsWith), &state(0, "monkey")), 0.0);
    assert_eq!(distance(&is(Predicate::StringEqualsIgnoreCase), &state(0, "KEY")), 0.0);
}
