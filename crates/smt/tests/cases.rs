//! Cases in files: a query, its answer, its core, and who must be able to give it. The query is printed for people and for
//! solvers into a snapshot.

mod common;

use common::reader;
use smt::{Answer, Limits, Queries, Settings, Terms};

/// Steps of the solver per question: counted, so that a busy machine changes nothing.
const RESOURCES: u64 = 20_000_000;

#[test]
fn every_case_is_answered_as_it_says() {
    insta::glob!("cases/*.txt", |path| {
        let text = std::fs::read_to_string(path).expect("a case");
        let terms = Terms::new();
        let case = reader::read(&terms, &text);
        let solvers = if case.by == "solver" || case.by.is_empty() { vec![common::z3()] } else { vec![] };
        let mut queries =
            Queries::new(Settings { solvers, limits: Limits { resources: Some(RESOURCES), ..Limits::default() } });
        let answer = queries.check(&terms, &case.conjuncts);
        let shown = match &answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(core) => {
                let expected: Vec<_> = case.core.iter().map(|number| case.conjuncts[number - 1]).collect();
                assert_eq!(*core, expected, "{}: the core", path.display());
                "unsat"
            }
            Answer::Unknown(_) => "unknown",
        };
        assert_eq!(shown, case.answer, "{}: {answer:?}", path.display());
        let statistics = queries.statistics();
        let by = [("constant", statistics.constant), ("inner", statistics.by_inner), ("solver", statistics.by_solver)];
        let by = by.iter().find(|(_, count)| *count > 0).map_or("", |(by, _)| by);
        assert!(case.by.is_empty() || case.by == by, "{}: answered by {by}", path.display());
        let lines = case.conjuncts.iter().map(|conjunct| terms.show(*conjunct));
        let shown = lines.collect::<Vec<_>>().join("\n") + "\n\n" + &terms.to_smtlib(&case.conjuncts);
        insta::assert_snapshot!(shown);
    });
}
