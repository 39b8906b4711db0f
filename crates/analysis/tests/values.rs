//! Trees of values against runs: wherever a tree is said to hold, evaluating it gives what the operand is.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../ir/tests/interpreter/mod.rs"]
mod interpreter;

use analysis::{Cfg, DefUse, Value as Tree, Values};
use interpreter::inputs::{Input, Random};
use interpreter::{Machine, Seen, Value, numbers};
use ir::{Body, Const, Operand, Operation, Var};
use program::{Cache, ClassName, ClassPath, InstrId, Jdk, MethodRef, Program, Subtype};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

/// For each operand of each operation of a method: its tree, if it holds there and is more than the operand itself.
type Trees = BTreeMap<InstrId, Vec<(Operand, Tree)>>;

#[derive(Default)]
struct Count {
    trees: usize,
    compared: usize,
    refused: usize,
}

#[test]
fn trees_that_hold_are_equal_to_the_operand() {
    for (directory, classes) in [
        ("debug", &["Arithmetic", "Arrays", "Control", "Exceptions", "Objects"][..]),
        ("lines", &["Arrays", "Control", "Exceptions", "Objects", "Odd"][..]),
    ] {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/tests/cases").join(directory);
        let class_path = ClassPath::parse([&cases]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        let count = run(&program, classes);
        println!("{directory}: {} trees hold, {} do not, {} comparisons", count.trees, count.refused, count.compared);
        assert!(count.trees > 300 && count.compared > 50_000 && count.refused > 20);
    }
}

fn run(program: &Program, classes: &[&str]) -> Count {
    let count = RefCell::new(Count::default());
    let known: RefCell<BTreeMap<MethodRef, Trees>> = RefCell::default();
    let mut machine = Machine::new(program);
    machine.observer = Some(Box::new(|seen: &Seen<'_>| {
        let mut known = known.borrow_mut();
        let mut count = count.borrow_mut();
        let trees = known.entry(seen.body.method).or_insert_with(|| trees_of(seen.body, &mut count));
        for (operand, tree) in trees.get(&seen.at).into_iter().flatten() {
            compare(program, seen, operand, tree);
            count.compared += 1;
        }
    }));
    let mut random = Random(0x5EED);
    for class in classes {
        let class = program.class(ClassName::internal(class)).unwrap();
        for method in class.methods.iter().filter(|method| method.access.is_static()) {
            for _ in 0..30 {
                let params = method.reference().signature().params;
                let inputs: Vec<Input> = params.iter().map(|ty| random.input(*ty)).collect();
                machine.fuel = 20_000;
                // How it ends does not matter here.
                _ = machine.call(method.reference(), inputs.iter().map(Input::value).collect());
            }
        }
    }
    drop(machine);
    count.into_inner()
}

fn trees_of(body: &Body, count: &mut Count) -> Trees {
    let def_use = DefUse::of(body, &Cfg::of(body));
    let values = Values::new(body, &def_use);
    let mut trees = Trees::new();
    let ids = body.blocks.iter().flat_map(|block| block.instrs.iter().map(|instr| instr.id).chain([block.end_id]));
    for at in ids {
        let operands = match body.operation_at(at).unwrap() {
            Operation::Instr(op) => op.operands(),
            Operation::End(end) => end.operands(),
        };
        for operand in operands.into_iter().filter(|operand| operand.as_var().is_some()) {
            let tree = values.of(operand, at);
            if tree == (Tree::Var { var: operand.as_var().unwrap(), at }) {
                continue;
            }
            if values.holds_at(&tree, at) {
                count.trees += 1;
                trees.entry(at).or_default().push((operand.clone(), tree));
            } else {
                count.refused += 1;
            }
        }
    }
    trees
}

fn compare(program: &Program, seen: &Seen<'_>, operand: &Operand, tree: &Tree) {
    let actual = &seen.vars[&operand.as_var().unwrap()];
    let evaluated = evaluate(program, seen, tree);
    assert!(same(&evaluated, actual), "{} {}: {operand} is {actual:?}, {tree:?}", seen.body.method, seen.at);
}

fn same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Float(one), Value::Float(two)) => one.to_bits() == two.to_bits() || one.is_nan() && two.is_nan(),
        (Value::Double(one), Value::Double(two)) => one.to_bits() == two.to_bits() || one.is_nan() && two.is_nan(),
        _ => one == two,
    }
}

/// The tree's value in the current state.
fn evaluate(program: &Program, seen: &Seen<'_>, tree: &Tree) -> Value {
    let eval = |tree: &Tree| evaluate(program, seen, tree);
    match tree {
        Tree::Const(value) => constant(value),
        Tree::This => seen.parameters[&Var::Local(0)].clone(),
        Tree::Param(index) => {
            let is_it = |parameter: &ir::Parameter| matches!(parameter, ir::Parameter::Declared(i, _) if i == index);
            let slot = seen.body.parameters().into_iter().find(|(_, parameter)| is_it(parameter)).unwrap().0;
            seen.parameters[&Var::Local(slot)].clone()
        }
        Tree::Var { var, .. } => seen.vars[var].clone(),
        Tree::Field { object, field, .. } => eval(object).reference().unwrap().field(*field),
        Tree::Static { field, .. } => {
            seen.statics.get(field).cloned().unwrap_or_else(|| Value::default_of(field.field_type()))
        }
        Tree::Element { array, index, .. } => eval(array).reference().unwrap().element(eval(index).int()),
        Tree::Length(array) => Value::Int(eval(array).reference().unwrap().length()),
        Tree::Binary(op, left, right) => numbers::binary(*op, &eval(left), &eval(right)),
        Tree::ThreeWay(op, left, right) => numbers::three_way(*op, &eval(left), &eval(right)),
        Tree::Negate(operand) => numbers::negate(&eval(operand)),
        Tree::Convert(operand, ty) => numbers::convert(&eval(operand), *ty),
        Tree::Cast(operand, _) => eval(operand),
        Tree::InstanceOf(operand, ty) => {
            let object = eval(operand).reference();
            Value::Int(object.is_some_and(|object| program.is_subtype_of(object.ty(), *ty) == Subtype::Yes).into())
        }
        Tree::Call { .. } | Tree::New { .. } | Tree::NewArray { .. } | Tree::Caught { .. } => {
            panic!("{tree:?} never holds")
        }
    }
}

fn constant(value: &Const) -> Value {
    match value {
        Const::Null => Value::Reference(None),
        Const::Int(value) => Value::Int(*value),
        Const::Long(value) => Value::Long(*value),
        Const::Float(value) => Value::Float(*value),
        Const::Double(value) => Value::Double(*value),
        Const::ReturnAddress(bci) => Value::Address(*bci),
        other => panic!("no case has the constant {other}"),
    }
}
