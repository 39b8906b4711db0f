//! Laws of terms: simplification, substitution, export and parts keep what terms mean.

mod common;

use common::{ALL, Generator};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use smt::{ArraySort, ClassId, Evaluation, Node, Scalar, Sort, Term, Terms, Value};

const SORTS: [Sort; 9] = [
    Sort::Bool,
    Sort::Bool,
    Sort::Bv(8),
    Sort::Bv(32),
    Sort::Bv(64),
    Sort::F32,
    Sort::F64,
    Sort::Str,
    Sort::Array(common::ELEMENTS),
];

/// `PROPTEST_CASES` says how many are wanted.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(4000);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn evaluate(terms: &Terms, model: &smt::Model, term: Term) -> Value {
    Evaluation::new(model.clone()).value(terms, term)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn simplifying_keeps_the_value(seed: u64, sort in 0..SORTS.len(), depth in 1usize..5) {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, ALL);
        let term = generator.term(SORTS[sort], depth);
        let simple = terms.simplify(term);
        prop_assert_eq!(terms.sort(simple), terms.sort(term));
        for _ in 0..8 {
            let model = generator.model(&[term]);
            let (before, after) = (evaluate(&terms, &model, term), evaluate(&terms, &model, simple));
            prop_assert!(before.is_same(&after), "{}\n{}\n{} {}\n{}", terms.show(term), terms.show(simple), before, after, model.to_text(&terms));
        }
    }

    #[test]
    fn simplifying_again_changes_nothing_that_matters(seed: u64, depth in 1usize..5) {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, ALL);
        let term = generator.term(Sort::Bool, depth);
        let simple = terms.simplify(term);
        prop_assert_eq!(terms.simplify(simple), simple);
        prop_assert!(terms.subterms(&[simple]).len() <= 4 * terms.subterms(&[term]).len() + 4);
    }

    #[test]
    fn substituting_is_evaluating_with_another_value(seed: u64, depth in 1usize..5) {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, ALL);
        let term = generator.term(Sort::Bool, depth);
        let mut put = FxHashMap::default();
        for var in terms.free_vars(&[term]).into_iter().take(2) {
            let new = generator.term(terms.var_sort(var), 2);
            put.insert(terms.raw(Node::Var(var)), new);
        }
        let replaced = terms.substitute(term, &put);
        let all: Vec<Term> = put.values().copied().chain([term, replaced]).collect();
        let model = generator.model(&all);
        let mut changed = model.clone();
        for (var, new) in &put {
            let Node::Var(var) = terms.node(*var) else { unreachable!() };
            changed.set(var, evaluate(&terms, &model, *new));
        }
        prop_assert_eq!(evaluate(&terms, &model, replaced), evaluate(&terms, &changed, term));
    }

    #[test]
    fn substituting_nothing_changes_nothing(seed: u64, depth in 1usize..5) {
        let terms = Terms::new();
        let term = Generator::new(&terms, seed, ALL).term(Sort::Bool, depth);
        prop_assert_eq!(terms.substitute(term, &FxHashMap::default()), term);
    }

    #[test]
    fn another_store_gives_the_same_values(seed: u64, depth in 1usize..5) {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, ALL);
        let term = generator.term(Sort::Bool, depth);
        let model = generator.model(&[term]);
        let other = Terms::new();
        let copy = other.import(&terms.export(&[term]))[0];
        let mut moved = smt::Model::new();
        for var in other.free_vars(&[copy]) {
            let old = terms.var_named(&other.var_name(var)).unwrap();
            moved.set(var, model.value_of(&terms, old));
        }
        model.classes().for_each(|(object, class)| moved.set_class(object, class));
        prop_assert_eq!(evaluate(&other, &moved, copy), evaluate(&terms, &model, term));
    }

    #[test]
    fn parts_share_no_variable_and_lose_nothing(seed: u64, n in 1usize..12) {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, ALL);
        let conjuncts: Vec<Term> = (0..n).map(|_| generator.term(Sort::Bool, 2)).collect();
        let parts = terms.independent_parts(&conjuncts);
        let mut all: Vec<usize> = parts.iter().flatten().copied().collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..n).collect::<Vec<_>>());
        let vars = |part: &Vec<usize>| terms.free_vars(&part.iter().map(|at| conjuncts[*at]).collect::<Vec<_>>());
        for (at, part) in parts.iter().enumerate() {
            for other in &parts[at + 1..] {
                prop_assert!(vars(part).is_disjoint(&vars(other)));
            }
        }
    }
}

#[test]
fn equal_terms_have_one_handle() {
    let terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::Bv(32)), terms.var("y", Sort::Bv(32)));
    assert_eq!(terms.add(x, y), terms.add(y, x));
    assert_eq!(terms.add(terms.add(x, terms.i32(3)), terms.i32(4)), terms.add(x, terms.i32(7)));
    assert_ne!(terms.fresh("x", Sort::Bool), terms.fresh("x", Sort::Bool));
}

#[test]
fn allocated_objects_are_unlike_all_others() {
    let terms = Terms::new();
    let (a, b) = (terms.allocate(ClassId(7)), terms.allocate(ClassId(7)));
    assert_eq!(terms.eq(a, b), terms.falsity());
    assert_eq!(terms.is_null(a), terms.falsity());
    assert_eq!(terms.class_in(a, &smt::ClassSet::of([ClassId(7)])), terms.truth());
    assert_eq!(terms.class_in(terms.null(), &smt::ClassSet::all()), terms.falsity());
}

#[test]
fn what_came_in_is_no_new_object() {
    let terms = Terms::new();
    let object = terms.allocate(smt::ClassId(1));
    let region_sort = smt::Sort::array(smt::Scalar::Ref, smt::Scalar::Ref);
    let (old, region) = (terms.input("old", smt::Sort::Ref), terms.input("next", region_sort));
    assert_eq!(terms.eq(old, object), terms.falsity());
    assert_eq!(terms.eq(terms.select(region, old), object), terms.falsity());
    assert_eq!(terms.select(terms.store(region, object, old), old), terms.select(region, old));
    assert_eq!(terms.select(region, object), terms.null(), "its memory is zero");
    // Nor by a detour that no constructor sees.
    let other = terms.input("other", smt::Sort::Ref);
    let read = terms.select(terms.store(region, old, object), other);
    let mut queries = smt::Queries::new(smt::Settings::default());
    let third = terms.input("third", smt::Sort::Ref);
    let answer = queries.check(&terms, &[terms.eq(read, third), terms.eq(other, old)]);
    assert!(!answer.is_sat(), "{answer:?}");
}

#[test]
fn reads_see_through_writes_to_other_places() {
    let terms = Terms::new();
    let sort = ArraySort { first: Scalar::Ref, second: Some(Scalar::Bv(32)), element: Scalar::Bv(8) };
    let heap = terms.var("heap", Sort::Array(sort));
    let (a, b, i) = (terms.allocate(ClassId(0)), terms.allocate(ClassId(0)), terms.var("i", Sort::Bv(32)));
    let written = terms.store(terms.store(heap, (a, i), terms.bits(8, 1)), (b, i), terms.bits(8, 2));
    assert_eq!(terms.select(written, (a, i)), terms.bits(8, 1));
    assert_eq!(terms.select(written, (b, i)), terms.bits(8, 2));
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let terms = Terms::new();
    let x = terms.var("x", Sort::Bv(32));
    let deep = (0..200_000).fold(x, |deep, n| terms.raw(Node::BitBinary(smt::BitBinary::Xor, deep, terms.i32(n))));
    let condition = terms.raw(Node::Eq(deep, x));
    let simple = terms.simplify(condition);
    let model = smt::Model::new();
    assert_eq!(evaluate(&terms, &model, condition), evaluate(&terms, &model, simple));
}

#[test]
fn a_store_can_move_to_another_thread() {
    let terms = Terms::new();
    let x = terms.var("x", Sort::Bool);
    let exported = std::sync::Arc::new(terms.export(&[x]));
    let threads = (0..2).map(|_| {
        let exported = exported.clone();
        std::thread::spawn(move || {
            let mine = Terms::new();
            mine.show(mine.import(&exported)[0])
        })
    });
    let threads: Vec<_> = threads.collect();
    assert!(threads.into_iter().all(|thread| thread.join().unwrap() == "x"));
    std::thread::spawn(move || terms.len()).join().unwrap();
}
