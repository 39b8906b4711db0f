//! How fast terms are made and simplified, and how many queries of a path are answered

use divan::{Bencher, counter::ItemsCount};
use smt::{ClassId, ClassSet, Queries, Scalar, Settings, Sort, Term, Terms};

fn main() {
    divan::main();
}

/// Conditions of a loop over an array of an input object, as a symbolic engine makes them.
fn path(terms: &Terms, length: u64) -> Vec<Term> {
    let this = terms.var("this", Sort::Ref);
    let data = terms.select(terms.var("data", Sort::array(Scalar::Ref, Scalar::Ref)), this);
    let size = terms.select(terms.var("length", Sort::array(Scalar::Ref, Scalar::Bv(32))), data);
    let elements = terms.var("elements", Sort::array2(Scalar::Ref, Scalar::Bv(32), Scalar::Bv(8)));
    let mut conjuncts = vec![
        terms.not(terms.is_null(this)),
        terms.class_in(this, &ClassSet::of((3..9).map(ClassId))),
        terms.not(terms.is_null(data)),
        terms.sle(terms.i32(0), size),
    ];
    for at in 0..length {
        let index = terms.bits(32, at);
        conjuncts.push(terms.slt(index, size));
        let element = terms.extend(true, 32, terms.select(elements, (data, index)));
        conjuncts.push(terms.not(terms.eq(element, terms.i32(0))));
    }
    conjuncts
}

/// The same path, one query per fork: the branch that is taken, and the one that is not.
fn walk(terms: &Terms, queries: &mut Queries, length: u64) -> usize {
    let all = path(terms, length);
    let mut answered = 0;
    for end in 1..=all.len() {
        let mut other = all[..end].to_vec();
        if let Some(last) = other.last_mut() {
            *last = terms.not(*last);
        }
        answered += usize::from(!queries.check(terms, &all[..end]).is_unknown());
        answered += usize::from(!queries.check(terms, &other).is_unknown());
    }
    answered
}

#[divan::bench(args = [10, 100])]
fn intern(bencher: Bencher<'_, '_>, length: u64) {
    let made = {
        let terms = Terms::new();
        path(&terms, length);
        terms.len()
    };
    bencher.counter(ItemsCount::new(made)).bench_local(|| {
        let terms = Terms::new();
        path(&terms, length)
    });
}

#[divan::bench(args = [10, 100])]
fn substitute(bencher: Bencher<'_, '_>, length: u64) {
    let terms = Terms::new();
    let all = path(&terms, length);
    let put = [(terms.var("this", Sort::Ref), terms.allocate(ClassId(4)))].into_iter().collect();
    bencher.counter(ItemsCount::new(terms.subterms(&all).len())).bench_local(|| terms.substitute_all(&all, &put));
}

#[divan::bench(args = [10, 50])]
fn path_without_a_process(bencher: Bencher<'_, '_>, length: u64) {
    bencher.counter(ItemsCount::new(8 + 4 * length)).bench_local(|| {
        let terms = Terms::new();
        let mut queries = Queries::new(Settings::default());
        walk(&terms, &mut queries, length)
    });
}

/// Products, which only the solver knows, with a prefix that all queries share.
#[divan::bench(sample_count = 10, args = [20])]
fn queries_by_the_solver(bencher: Bencher<'_, '_>, count: u64) {
    let cache = smt::solver::cache_directory().expect("a cache directory");
    let program = smt::solver::find_z3(&cache).expect("`cargo xtask solver` installs Z3").program;
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let terms = Terms::new();
        let mut queries = Queries::new(Settings { solvers: vec![program.clone()], ..Settings::default() });
        let prefix = path(&terms, 10);
        let x = terms.var("x", Sort::Bv(16));
        for number in 0..count {
            let square = terms.eq(terms.mul(x, terms.add(x, terms.bits(16, 3))), terms.bits(16, 1000 + 2 * number));
            let query: Vec<Term> = prefix.iter().copied().chain([square]).collect();
            let _ = divan::black_box(queries.check(&terms, &query));
        }
        queries.statistics()
    });
}
