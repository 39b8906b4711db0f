//! All analyses on the methods of `java.util` and below: what must hold for every body, and how much of it there is.

use analysis::{Approach, Cfg, ControlDependence, DefUse, Dominators, Loops, PostDominators, Value, Values};
use ir::{Body, Op, Operand, Var};
use program::{Cache, ClassPath, Jdk, Program};
use std::path::Path;

#[derive(Debug, Default)]
struct Count {
    methods: usize,
    loops: usize,
    irreducible: usize,
    guards: usize,
    /// Guards whose operand is known down to parameters, fields, calls and constants.
    explained: usize,
}

#[test]
fn every_method_can_be_analysed() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let class_path = ClassPath::parse([here]).unwrap();
    let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
    let mut count = Count::default();
    for name in program.jdk_classes().into_iter().filter(|name| name.package().starts_with("java/util")) {
        let class = program.class(name).unwrap();
        for method in class.methods.iter().filter(|method| method.code().is_some()) {
            check(&ir::lower(method).unwrap(), &mut count);
        }
    }
    println!("{count:?}");
    assert!(count.methods > 10_000 && count.loops > 1000);
    assert!(count.explained > count.guards * 8 / 10, "{count:?}");
}

fn check(body: &Body, count: &mut Count) {
    count.methods += 1;
    let cfg = Cfg::of(body);
    let dominators = Dominators::of(&cfg);
    let dependence = ControlDependence::of(&cfg, &PostDominators::of(&cfg));
    let loops = Loops::of(&cfg, &dominators);
    count.loops += loops.all().len();
    count.irreducible += loops.irreducible().len();
    for block in cfg.blocks() {
        assert!(dominators.dominates(Body::ENTRY, block));
        let approach = Approach::to_block(body, &dominators, &dependence, block);
        // A branch that matters has an outcome that leads there.
        assert!(approach.branches().all(|(_, levels)| levels.iter().any(Option::is_some)));
    }
    let def_use = DefUse::of(body, &cfg);
    let values = Values::new(body, &def_use);
    for (_, instr) in body.instrs() {
        for var in instr.op.operands().into_iter().filter_map(Operand::as_var) {
            let reaching = def_use.reaching(body, var, instr.id);
            let expected = if matches!(var, Var::Temp(_)) { 1..=1 } else { 1..=usize::MAX };
            assert!(expected.contains(&reaching.len()), "{} {}: {var} has {reaching:?}", body.method, instr.id);
            assert!(reaching.iter().all(|definition| def_use.uses(*definition).contains(&instr.id)));
        }
        if let Op::Guard(guard) = &instr.op {
            count.guards += 1;
            let tree = values.of(guard.operands()[0], instr.id);
            count.explained += usize::from(!matches!(tree, Value::Var { .. }));
        }
    }
}
