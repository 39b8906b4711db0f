//! Solvers that misbehave, as scripts in place of the real one, and the real one within its limits: the answer is clear,
//! the limit kept, no process left.

mod common;

use smt::{Answer, Dialect, Limits, Model, Queries, Settings, SolverProgram, Sort, Term, Terms, Value, Why};
use std::time::Duration;

/// A shell script as a solver. Its input is what the tool sends, line by line.
fn script(text: &str) -> SolverProgram {
    let arguments = Some(vec!["-c".to_owned(), text.to_owned()]);
    SolverProgram { arguments, ..SolverProgram::new("/bin/sh", Dialect::Z3) }
}

/// Answers each query with a verdict and each question for values or a core with a text. Echoes are honest.
fn answering(verdict: &str, values: &str) -> SolverProgram {
    script(&format!(
        r#"while read -r line; do case "$line" in
        "(check-sat"*) echo '{verdict}';;
        "(get-value"*|"(get-unsat"*|"(get-info"*) echo '{values}';;
        "(echo"*) line="${{line#*\"}}"; echo "${{line%%\"*}}";;
        esac; done"#
    ))
}

/// With time enough on a busy machine, for solvers that answer.
fn queries(solvers: Vec<SolverProgram>) -> Queries {
    within(Duration::from_secs(20), solvers)
}

fn within(time: Duration, solvers: Vec<SolverProgram>) -> Queries {
    Queries::new(Settings { solvers, limits: Limits { time, ..Limits::default() } })
}

/// Something that only a solver finds: a product.
fn hard(terms: &Terms) -> Vec<Term> {
    let (x, y) = (terms.var("x", Sort::Bv(32)), terms.var("y", Sort::Bv(32)));
    let product = terms.eq(terms.mul(x, y), terms.i32(391));
    vec![
        product,
        terms.slt(terms.i32(1), x),
        terms.slt(x, terms.i32(100)),
        terms.slt(terms.i32(1), y),
        terms.slt(y, terms.i32(100)),
    ]
}

fn why(answer: Answer) -> Why {
    match answer {
        Answer::Unknown(why) => why,
        other => panic!("{other:?}"),
    }
}

/// No child of this process is a shell or `sleep` of ours: the name is in the script's own text.
fn is_running(mark: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(mark))
}

#[test]
fn without_a_solver_the_answer_says_so() {
    let terms = Terms::new();
    let mut queries = queries(vec![]);
    let answer = queries.check(&terms, &hard(&terms));
    assert_eq!(why(answer), Why::NoSolver);
    assert!(Why::NoSolver.to_string().contains("reenact doctor --install"));
    let x = terms.var("x", Sort::Bv(32));
    assert!(queries.check(&terms, &[terms.slt(x, terms.i32(3))]).is_sat(), "what needs none is answered");
}

#[test]
fn a_missing_program_is_named() {
    let terms = Terms::new();
    let mut queries = queries(vec![SolverProgram::new("/nowhere/z3", Dialect::Z3)]);
    let problem = why(queries.check(&terms, &hard(&terms))).to_string();
    assert!(problem.starts_with("cannot start /nowhere/z3: "), "{problem}");
}

#[test]
fn one_that_is_killed_in_a_query_is_started_again() {
    let terms = Terms::new();
    let dying = r#"while read -r line; do case "$line" in "(check-sat"*) kill -9 $$;; esac; done"#;
    let mut queries = queries(vec![script(dying)]);
    for query in 1..=2 {
        assert_eq!(why(queries.check(&terms, &hard(&terms))), Why::Died);
        let statistics = queries.statistics();
        // Once in the incremental process, once alone.
        assert_eq!((statistics.deaths, statistics.starts), (2 * query, 2 * query));
    }
}

#[test]
fn one_that_ignores_its_limit_is_killed() {
    let terms = Terms::new();
    let mark = format!("ignores-{}", std::process::id());
    let hanging = script(&format!("while :; do sleep 0.05; done # {mark}"));
    let mut queries = within(Duration::from_millis(100), vec![hanging]);
    assert_eq!(why(queries.check(&terms, &hard(&terms))), Why::Late);
    assert_eq!(queries.statistics().kills, 2);
    assert!(!is_running(&mark));
}

#[test]
fn one_that_reads_nothing_does_not_block_us() {
    let terms = Terms::new();
    let mark = format!("deaf-{}", std::process::id());
    let deaf = script(&format!("exec 0<&-; while :; do sleep 0.05; done # {mark}"));
    let mut queries = within(Duration::from_millis(100), vec![deaf]);
    // More than a pipe holds.
    let x = terms.var("x", Sort::Bv(32));
    let long = (0..30_000).fold(x, |sum, n| terms.mul(terms.add(sum, terms.i32(n)), x));
    assert_eq!(why(queries.check(&terms, &[terms.eq(long, terms.i32(12345))])), Why::Late);
    assert!(!is_running(&mark));
}

#[test]
fn a_wrong_model_is_a_fault_and_no_answer() {
    let terms = Terms::new();
    let mut queries = queries(vec![answering("sat", "((v0 #x00000002) (v1 #x00000003))")]);
    assert_eq!(why(queries.check(&terms, &hard(&terms))), Why::WrongModel);
    assert_eq!(queries.statistics().faults, 2, "the incremental process, and then one alone");
}

#[test]
fn a_right_model_is_believed_whoever_gives_it() {
    let terms = Terms::new();
    let mut queries = queries(vec![answering("sat", "((v0 #x00000011) (v1 #x00000017))")]);
    assert!(queries.check(&terms, &hard(&terms)).is_sat());
    assert_eq!(queries.statistics().faults, 0);
}

#[test]
fn garbage_is_reported() {
    for (verdict, values) in [
        ("(error \"line 1\")", "()"),
        ("I am a teapot", "()"),
        ("sat", "((v0 #x0000000"),
        ("sat", "((v0 lots) (v1 #x00000017))"),
        ("sat", "()"),
        ("unsat", "(a999999)"),
        ("unsat", "no core"),
    ] {
        let terms = Terms::new();
        let mut queries = queries(vec![answering(verdict, values)]);
        let why = why(queries.check(&terms, &hard(&terms)));
        assert!(matches!(why, Why::Garbled(_)), "{verdict} {values}: {why:?}");
    }
}

#[test]
fn a_solver_that_gives_up_says_why() {
    let terms = Terms::new();
    let mut queries = queries(vec![answering("unknown", "(:reason-unknown \"incomplete quantifiers\")")]);
    let why = why(queries.check(&terms, &hard(&terms)));
    assert_eq!(why, Why::GaveUp("(:reason-unknown \"incomplete quantifiers\")".into()));
}

#[test]
fn on_hard_queries_the_faster_solver_wins_and_the_other_is_ended() {
    let terms = Terms::new();
    let mark = format!("slow-{}", std::process::id());
    let slow = script(&format!("while :; do sleep 0.05; done # {mark}"));
    let quick = answering("sat", "((v0 #x00000011) (v1 #x00000017))");
    let mut queries = within(Duration::from_secs(3), vec![slow, quick]);
    assert!(queries.check(&terms, &hard(&terms)).is_sat());
    assert_eq!(queries.statistics().asked_alone, 1);
    assert!(!is_running(&mark));
}

#[test]
fn with_counted_resources_the_second_solver_is_not_asked() {
    let terms = Terms::new();
    let first = answering("unknown", "(:reason-unknown \"incomplete\")");
    let second = answering("sat", "((v0 #x00000011) (v1 #x00000017))");
    let limits = Limits { resources: Some(1000), ..Limits::default() };
    let mut queries = Queries::new(Settings { solvers: vec![first, second], limits });
    assert!(queries.check(&terms, &hard(&terms)).is_unknown());
}

#[test]
fn z3_answers_with_models_and_cores() {
    let terms = Terms::new();
    let mut queries = queries(vec![common::z3()]);
    let mut query = hard(&terms);
    let Answer::Sat(model) = queries.check(&terms, &query) else { panic!("17 * 23 is 391") };
    let x = model.value_of(&terms, terms.var_named("x").expect("declared")).as_signed();
    assert!(matches!(x, Some(17 | 23)), "{x:?}");
    let odd = terms.var("odd", Sort::Bv(32));
    query.push(terms.eq(terms.mul(odd, odd), terms.i32(2)));
    query.push(terms.slt(terms.i32(0), odd));
    let Answer::Unsat(core) = queries.check(&terms, &query) else { panic!("2 is no square modulo 2^32") };
    assert_eq!(core, vec![query[5]]);
    assert_eq!(queries.statistics().faults, 0);
}

#[test]
fn z3_keeps_a_resource_limit_and_repeats_itself() {
    let run = || {
        let terms = Terms::new();
        let limits = Limits { resources: Some(50_000), ..Limits::default() };
        let mut queries = Queries::new(Settings { solvers: vec![common::z3()], limits });
        let (x, y) = (terms.var("x", Sort::Bv(64)), terms.var("y", Sort::Bv(64)));
        let mut answers = Vec::new();
        for number in [35u64, 391, 4_294_967_291 * 4_294_967_279, 1_000_003 * 999_983] {
            let query = [
                terms.eq(terms.mul(x, y), terms.bits(64, number)),
                terms.ult(terms.bits(64, 1), x),
                terms.ult(x, terms.bits(64, 1 << 32)),
                terms.ult(terms.bits(64, 1), y),
                terms.ult(y, terms.bits(64, 1 << 32)),
            ];
            answers.push(queries.check(&terms, &query));
        }
        answers
    };
    let first = run();
    assert!(first.iter().any(Answer::is_unknown), "the limit is reached: {first:?}");
    assert_eq!(first, run());
}

#[test]
fn z3_out_of_memory_is_no_disaster() {
    let terms = Terms::new();
    let limits = Limits { time: Duration::from_secs(20), memory_mb: 20, resources: None };
    let mut queries = Queries::new(Settings { solvers: vec![common::z3()], limits });
    let (x, y) = (terms.var("long x", Sort::Bv(64)), terms.var("long y", Sort::Bv(64)));
    let product = (0..12).fold(x, |product, n| terms.mul(terms.add(product, terms.bits(64, n)), y));
    let query = [terms.eq(product, terms.bits(64, 0x1234_5678_9abc_def1)), terms.ult(terms.bits(64, 1 << 40), x)];
    assert!(queries.check(&terms, &query).is_unknown());
    assert!(queries.check(&terms, &hard(&terms)).is_sat(), "the next query has a new process");
}

#[test]
fn suggested_models_are_tried_first() {
    let terms = Terms::new();
    let mut queries = queries(vec![]);
    let query = hard(&terms);
    let mut model = Model::new();
    model.set(terms.var_named("x").expect("declared"), Value::i32(17));
    model.set(terms.var_named("y").expect("declared"), Value::i32(23));
    queries.suggest(&model);
    assert!(queries.check(&terms, &query).is_sat());
    assert_eq!(queries.statistics().by_models, 1);
}

/// Answers of cvc5 are read like those of Z3. Not everybody has it: then this says so and compares nothing.
#[test]
fn cvc5_answers_too_where_it_is_there() {
    let Some(cvc5) = smt::solver::find_cvc5() else {
        println!("no cvc5 on the PATH: nothing compared");
        return;
    };
    let terms = Terms::new();
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    let mut queries = Queries::new(Settings { solvers: vec![cvc5], limits });
    let mut query = hard(&terms);
    let heap = terms.var("heap", Sort::array2(smt::Scalar::Ref, smt::Scalar::Bv(32), smt::Scalar::Bv(8)));
    let this = terms.var("this", Sort::Ref);
    let cell = terms.select(heap, (this, terms.var("x", Sort::Bv(32))));
    query.push(terms.eq(terms.mul(cell, cell), terms.bits(8, 49)));
    query.push(terms.class_in(this, &smt::ClassSet::of([smt::ClassId(3)])));
    let sat = queries.check(&terms, &query);
    assert!(sat.is_sat(), "{sat:?}");
    query.push(terms.eq(terms.mul(cell, terms.bits(8, 2)), terms.bits(8, 9)));
    let unsat = queries.check(&terms, &query);
    assert!(matches!(&unsat, Answer::Unsat(core) if core.contains(&query[7])), "{unsat:?}");
    println!("cvc5: 2 compared, {}", queries.statistics());
}

const HANG: &str = "REENACT_SMT_TEST_HANG";

/// Not a test by itself: what the next one starts and kills.
#[test]
fn hangs_in_a_query_if_told_to() {
    let Ok(mark) = std::env::var(HANG) else { return };
    let terms = Terms::new();
    let hanging = script(&format!("while :; do sleep 0.05; done # {mark}"));
    let _ = within(Duration::from_secs(600), vec![hanging]).check(&terms, &hard(&terms));
}

#[test]
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "a process of its own is what must be killed")]
fn a_solver_ends_with_the_tool_however_that_ends() {
    let mark = format!("orphan-{}", std::process::id());
    let mut tool = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "hangs_in_a_query_if_told_to"])
        .env(HANG, &mark)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("this test can be started");
    let patience = || (0..1200).inspect(|_| std::thread::sleep(Duration::from_millis(25)));
    assert!(patience().any(|_| is_running(&format!("# {mark}"))), "the solver was started");
    tool.kill().expect("it still runs");
    tool.wait().expect("it was killed");
    assert!(patience().any(|_| !is_running(&format!("# {mark}"))), "the solver is left behind");
}
