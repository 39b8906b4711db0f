//! Methods over bytes and booleans, run once with variables: every input, on the JVM, must fall into exactly one of the ways that were found,
//! with that way's result.

use crate::{is_same, run_jvm, tests};
use analysis::Methods;
use ir::{Kind, Var};
use program::{Cache, ClassName, ClassPath, Jdk, Method, Program, Type};
use smt::{ArrayValue, Evaluation, Key, Model, Node, Reference, Sort, Term, Value};
use std::path::Path;
use std::sync::Arc;
use symbolic::{Bounds, End, Paths, State, Summary, World};

/// Loops of the cases go round less often: ways that are left out are for no input.
const BOUNDS: Bounds = Bounds { visits: 6, depth: 60, steps: 400_000, paths: 5000, failures: true, targets: 4 };

/// The line for the driver, and the arguments.
type Input = (String, Vec<i64>);

/// Compares all methods of the class; how many inputs.
pub(crate) fn check(jdk: Jdk, cases: &Path, class: &str) -> usize {
    let (program, _) = Program::open(&ClassPath::parse([cases]).unwrap(), jdk, &Cache::none()).unwrap();
    let program = Arc::new(program);
    let methods = Arc::new(Methods::new(program.clone()));
    let class = program.class(ClassName::internal(class)).unwrap();
    let is_case = |method: &&Method| {
        method.access.is_static() && !method.is_static_initialiser() && !method.access.is_synthetic()
    };
    let cases_of = |method: &Method| {
        let all = every_input(&method.reference().signature().params);
        let line = |values: &Vec<i64>| {
            let words: Vec<String> = values.iter().map(i64::to_string).collect();
            format!("{} {} {}", method.class, method.name, words.join(" "))
        };
        all.into_iter().map(|values| (line(&values), values)).collect::<Vec<_>>()
    };
    let explored: Vec<(Explored, Vec<Input>)> = class
        .methods
        .iter()
        .filter(is_case)
        .map(|method| (Explored::new(&methods, method), cases_of(method)))
        .collect();
    let calls: Vec<String> =
        explored.iter().flat_map(|(_, inputs)| inputs.iter().map(|(line, _)| line.clone())).collect();
    let mut theirs = run_jvm(&program.jdk().home, &[tests().join("driver"), cases.to_owned()], &calls).into_iter();
    let ways: usize = explored.iter().map(|(explored, _)| explored.paths.ways.len()).sum();
    let mut wrong = Vec::new();
    for (explored, inputs) in &explored {
        for (call, values) in inputs {
            let theirs = theirs.next().unwrap();
            wrong.extend(explored.differs(values, &theirs).map(|why| format!("{call}: {why}, theirs {theirs}")));
        }
    }
    println!("JDK {}: {} inputs in {ways} ways", program.jdk().feature, calls.len());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
    calls.len()
}

/// All values of bytes and booleans.
fn every_input(params: &[Type]) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for ty in params {
        let values: Vec<i64> = if *ty == Type::Boolean { vec![0, 1] } else { (-128..128).collect() };
        all = all
            .iter()
            .flat_map(|front| values.iter().map(|value| [&front[..], &[*value]].concat()).collect::<Vec<_>>())
            .collect();
    }
    all
}

struct Explored {
    world: World,
    methods: Arc<Methods>,
    paths: Paths,
    params: Vec<Term>,
    /// What constants of the program are.
    constants: Model,
}

impl Explored {
    fn new(methods: &Arc<Methods>, method: &Method) -> Explored {
        let world = World::new(methods.clone());
        let lowered = methods.get(method.reference()).unwrap();
        let state = State::identity(0);
        let slots = lowered.body.parameters().into_iter();
        let params = slots.map(|(slot, _)| state.var(&world, &lowered.body, Var::Local(slot), Kind::Int)).collect();
        let paths = Paths::of(&world, &lowered, state, BOUNDS);
        let constants = constants(&world, &paths);
        Explored { world, methods: methods.clone(), paths, params, constants }
    }

    /// Why what was explored is not what happened.
    #[expect(clippy::cast_possible_truncation, reason = "bytes")]
    fn differs(&self, values: &[i64], theirs: &str) -> Option<String> {
        let terms = &self.world.terms;
        let mut model = self.constants.clone();
        for (param, value) in self.params.iter().zip(values) {
            let Node::Var(var) = terms.node(*param) else { panic!("parameters are variables") };
            model.set(var, Value::i32(*value as i32));
        }
        let mut evaluation = Evaluation::new(model);
        let taken: Vec<&Summary> =
            self.paths.ways.iter().filter(|way| evaluation.holds(terms, &way.state.path)).collect();
        let [way] = &taken[..] else { return Some(format!("{} of {} ways", taken.len(), self.paths.ways.len())) };
        if way.state.marks.loose {
            return Some("loose".into());
        }
        let ours = match &way.end {
            End::Return(Some(value)) => {
                format!("int {}", evaluation.value(terms, *value).as_signed().unwrap())
            }
            End::Throw { object, .. } => crate::thrown(&self.methods, &self.world, *object).unwrap_or_else(|why| why),
            other => format!("{other:?}"),
        };
        (!is_same(&ours, theirs)).then(|| format!("ours {ours}"))
    }
}

/// A model of the axioms: each object that is known has a reference of its own, and cells are what axioms say.
fn constants(world: &World, paths: &Paths) -> Model {
    let terms = &world.terms;
    let mut roots: Vec<Term> = paths.ways.iter().flat_map(|way| way.state.path.clone()).collect();
    roots.extend(paths.ways.iter().filter_map(|way| if let End::Return(value) = way.end { value } else { None }));
    let axioms = world.axioms(&roots);
    let var = |term: Term| if let Node::Var(var) = terms.node(term) { Some(var) } else { None };
    let mut model = Model::new();
    let all = terms.subterms(&[&roots[..], &axioms[..]].concat());
    for (object, number) in all.iter().filter(|term| terms.sort(**term) == Sort::Ref && var(**term).is_some()).zip(1..)
    {
        let Some(ty) = world.known_type(*object) else { continue };
        model.set(var(*object).unwrap(), Value::Ref(Reference::input(number)));
        model.set_class(Reference::input(number), world.classes.id(ty));
    }
    for axiom in &axioms {
        let Node::Eq(cell, value) = terms.node(*axiom) else { continue };
        let Node::Select(region, index) = terms.node(cell) else { continue };
        let mut evaluation = Evaluation::new(model.clone());
        let first = evaluation.value(terms, index.0);
        let key = Key(first, index.1.map(|second| evaluation.value(terms, second)));
        let value = evaluation.value(terms, value);
        let Value::Array(array) = evaluation.value(terms, region) else { panic!("a region") };
        let mut array = ArrayValue::clone(&array);
        array.set(key, value);
        model.set(var(region).unwrap(), Value::Array(Arc::new(array)));
    }
    let mut evaluation = Evaluation::new(model.clone());
    assert!(evaluation.holds(terms, &axioms), "axioms contradict each other");
    model
}
