//! Calls that are not looked into: whatever the JVM does must be among what is thought possible. Each result is asked for together with
//! the conditions of the ways; some way must not refuse it.

use crate::{run_jvm, tests, thrown};
use analysis::Methods;
use ir::{Kind, Var};
use program::{Cache, ClassName, ClassPath, Jdk, Method, Program, Type};
use smt::{Answer, Limits, Queries, Settings, Term};
use std::path::Path;
use std::sync::Arc;
use symbolic::{Bounds, End, Paths, State, World, entry_facts};

/// Nothing that is called is followed.
const BOUNDS: Bounds = Bounds { visits: 6, depth: 0, steps: 50_000, paths: 200, failures: true, targets: 4 };

const VALUES: [i32; 9] = [-128, -7, -1, 0, 1, 2, 3, 4, 127];

/// How many results were possible, and how many of those for certain.
pub(crate) fn check(jdk: Jdk, cases: &Path) -> (usize, usize) {
    let (program, _) = Program::open(&ClassPath::parse([cases]).unwrap(), jdk, &Cache::none()).unwrap();
    let methods = Arc::new(Methods::new(Arc::new(program)));
    let class = methods.program().class(ClassName::internal("Hidden")).unwrap();
    let is_case =
        |method: &&Method| method.reference().signature().params == [Type::Byte] && !method.access.is_synthetic();
    let all: Vec<&Method> = class.methods.iter().filter(is_case).collect();
    let line = |method: &&Method, value: i32| format!("{} {} {value}", method.class, method.name);
    let calls: Vec<String> = all.iter().flat_map(|method| VALUES.map(|value| line(method, value))).collect();
    let class_path = [tests().join("driver"), cases.to_owned()];
    let mut theirs = run_jvm(&methods.program().jdk().home, &class_path, &calls).into_iter();
    let solver =
        smt::solver::find_z3(&smt::solver::cache_directory().unwrap()).expect("`cargo xtask solver` installs it");
    let limits = Limits { resources: Some(20_000_000), ..Limits::default() };
    let mut queries = Queries::new(Settings { solvers: vec![solver.program], limits });
    let world = World::new(methods.clone());
    let (mut possible, mut certain) = (0, 0);
    for method in all {
        let lowered = methods.get(method.reference()).unwrap();
        let state = State::identity(0);
        let param = state.var(&world, &lowered.body, Var::Local(0), Kind::Int);
        let facts = entry_facts(&world, &lowered.body, &state);
        let paths = Paths::of(&world, &lowered, state, BOUNDS);
        for value in VALUES {
            let theirs = theirs.next().unwrap();
            let given = world.terms.eq(param, world.terms.i32(value));
            let mut answers = paths.ways.iter().filter_map(|way| {
                let ends = ends_so(&methods, &world, &way.end, &theirs)?;
                let mut all: Vec<Term> = way.state.path.iter().chain(&facts).copied().chain([given, ends]).collect();
                all.extend(world.axioms(&all));
                Some(queries.check(&world.terms, &all))
            });
            let answer = answers.find(|answer| !matches!(answer, Answer::Unsat(_)));
            let answer = answer.unwrap_or_else(|| panic!("{} {value}: {theirs} was thought impossible", method.name));
            possible += 1;
            certain += usize::from(matches!(answer, Answer::Sat(_)));
        }
    }
    (possible, certain)
}

/// The condition under which a way ends as the driver says.
fn ends_so(methods: &Methods, world: &World, end: &End, theirs: &str) -> Option<Term> {
    match (end, theirs.strip_prefix("int ")) {
        (End::Return(Some(value)), Some(number)) => {
            Some(world.terms.eq(*value, world.terms.i32(number.parse().unwrap())))
        }
        (End::Throw { object, .. }, None) => match thrown(methods, world, *object) {
            Ok(ours) => (ours == theirs).then(|| world.terms.truth()),
            Err(_) => Some(world.terms.truth()),
        },
        _ => None,
    }
}
