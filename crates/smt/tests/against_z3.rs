//! Small random formulas, answered by the whole chain and by its parts without a process, against Z3 on the plain script.
//!
//! `REENACT_SMT_FORMULAS` multiplies their number.

mod common;

use common::{Generator, Kinds};
use smt::{Answer, Limits, Queries, Settings, Sort, Term, Terms};
use std::io::Write;
use std::process::Stdio;

/// Steps of the solver per question, on both sides: counted, so that a busy machine changes nothing.
const RESOURCES: u64 = 3_000_000;

/// What Z3 says of the formula as it is printed, nothing else of ours in between.
#[expect(clippy::disallowed_methods, reason = "the solver is what the test compares with")]
fn plain_z3(scripts: &[String]) -> Vec<String> {
    let mut child = std::process::Command::new(common::z3().path)
        .args(["-in", "-smt2", &format!("rlimit={RESOURCES}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Z3 starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let text: String = scripts.iter().map(|script| format!("(reset)\n{script}")).collect();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("Z3 ends");
    writer.join().expect("the writer ends").expect("Z3 reads");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

struct Compared {
    same: usize,
    unknown: usize,
}

/// Answers of a new [`Queries`] for each formula against those of Z3.
fn compare(seeds: std::ops::Range<u64>, kinds: Kinds, with_solver: bool) -> Compared {
    let times = std::env::var("REENACT_SMT_FORMULAS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let seeds = seeds.start * times..seeds.end * times;
    let formulas: Vec<(Terms, Vec<Term>)> = seeds.map(|seed| formula(seed, kinds)).collect();
    let scripts: Vec<String> = formulas.iter().map(|(terms, conjuncts)| terms.to_smtlib(conjuncts)).collect();
    let theirs = plain_z3(&scripts);
    assert_eq!(theirs.len(), formulas.len(), "{:?}", theirs.iter().find(|line| line.contains("error")));
    let mut compared = Compared { same: 0, unknown: 0 };
    let mut cores = Vec::new();
    for (((terms, conjuncts), theirs), script) in formulas.iter().zip(&theirs).zip(&scripts) {
        let solvers = if with_solver { vec![common::z3()] } else { vec![] };
        let limits = Limits { resources: Some(RESOURCES), ..Limits::default() };
        let mut queries = Queries::new(Settings { solvers, limits });
        let shown = || conjuncts.iter().map(|conjunct| terms.show(*conjunct)).collect::<Vec<_>>().join("\n");
        match (queries.check(terms, conjuncts), theirs.as_str()) {
            (Answer::Sat(_), "sat") => compared.same += 1,
            (Answer::Unsat(core), "unsat") => {
                compared.same += 1;
                assert!(core.iter().all(|term| conjuncts.contains(term)));
                cores.push(terms.to_smtlib(&core));
            }
            (Answer::Unknown(_), _) | (_, "unknown" | "timeout") => compared.unknown += 1,
            // The model was evaluated: Z3 is wrong, or our printing.
            (answer, theirs) => panic!("{answer:?} here, {theirs} there\n{}\n{script}", shown()),
        }
        assert_eq!(queries.statistics().faults, 0, "{}\n{script}", shown());
    }
    // Cores must be refuted by Z3 itself.
    for (theirs, core) in plain_z3(&cores).iter().zip(&cores) {
        assert!(matches!(theirs.as_str(), "unsat" | "unknown" | "timeout"), "a core that holds: {theirs}\n{core}");
    }
    compared
}

fn formula(seed: u64, kinds: Kinds) -> (Terms, Vec<Term>) {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, seed, kinds);
    let n = 2 + generator.random.below(6) as usize;
    let depth = 1 + generator.random.below(3) as usize;
    let conjuncts = (0..n).map(|_| generator.term(Sort::Bool, depth)).collect();
    (terms, conjuncts)
}

const PLAIN: Kinds = Kinds { floats: false, strings: false, decimals: false, arrays: false };

fn report(what: &str, compared: &Compared, least: usize) {
    println!("{what}: {} compared, {} unknown on either side", compared.same, compared.unknown);
    assert!(compared.same >= least, "only {} were compared", compared.same);
}

#[test]
fn without_a_process() {
    let with_arrays = Kinds { arrays: true, ..PLAIN };
    report("bits and references", &compare(0..300, PLAIN, false), 150);
    report("with arrays", &compare(1000..1200, with_arrays, false), 80);
}

#[test]
fn the_whole_chain_on_bits_references_and_arrays() {
    report("whole chain", &compare(2000..2150, Kinds { arrays: true, ..PLAIN }, true), 130);
}

#[test]
fn the_whole_chain_on_floats() {
    report("floats", &compare(3000..3080, Kinds { floats: true, ..PLAIN }, true), 40);
}

#[test]
fn the_whole_chain_on_strings() {
    report("strings", &compare(4000..4080, Kinds { strings: true, arrays: true, ..PLAIN }, true), 50);
}
