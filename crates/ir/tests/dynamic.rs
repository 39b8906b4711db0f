//! What `invokedynamic` means in code that compilers for Java 8, 11, 17, 21 and 25 made; and, for the oldest, what each operation
//! throws, where that goes, and which classes are initialised.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use ir::{Body, Callee, ConcatPiece, Const, Dynamic, Lambda, Op, Operand, Rvalue, SwitchLabel, Thrown};
use program::classfile::{Constant, HandleMember};
use program::{Cache, Class, ClassPath, Jdk, Program};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dynamic/classes")
}

fn open() -> Program {
    let jdk = Jdk::find(None).unwrap();
    Program::open(&ClassPath::parse([cases()]).unwrap(), jdk, &Cache::none()).unwrap().0
}

/// Every site and every dynamic constant of the classes whose names begin like this.
fn sites(program: &Program, prefix: &str) -> String {
    let mut text = String::new();
    for class in program.classes().into_iter().filter(|class| class.as_internal().starts_with(prefix)) {
        let class = program.class(class).unwrap();
        for method in class.methods.iter().filter(|method| method.code().is_some()) {
            let body = ir::lower(method).unwrap();
            for (_, instr) in body.instrs() {
                let Some(meaning) = meaning(&class, &instr.op) else { continue };
                let place = format!("{}.{}{} @{}", class.name, method.name, method.descriptor, instr.id.bci);
                writeln!(text, "{place}: {}", shown(&meaning)).unwrap();
            }
        }
    }
    text
}

fn meaning(class: &Class, op: &Op) -> Option<Dynamic> {
    let (bootstrap, name, descriptor) = match op {
        Op::Assign(_, Rvalue::Use(Operand::Const(Const::Dynamic { bootstrap, name, descriptor }))) => {
            (bootstrap, name, descriptor)
        }
        _ => match op.call()? {
            (Callee::Dynamic { bootstrap, name, descriptor }, _) => (bootstrap, name, descriptor),
            _ => return None,
        },
    };
    Some(Dynamic::resolve(class, *bootstrap, *name, *descriptor))
}

fn shown(meaning: &Dynamic) -> String {
    match meaning {
        Dynamic::Lambda(lambda) => shown_lambda(lambda),
        Dynamic::Concat(pieces) => {
            let piece = |piece: &ConcatPiece| match piece {
                ConcatPiece::Text(text) => format!("{:?}", text.text()),
                ConcatPiece::Argument(index) => format!("#{index}"),
                ConcatPiece::Constant(constant) => format!("constant {}", shown_constant(constant)),
            };
            format!("concat {}", pieces.iter().map(piece).collect::<Vec<_>>().join(" + "))
        }
        Dynamic::Record { record, method, components } => {
            let components: Vec<String> = components.iter().map(|(name, field)| format!("{name} = {field}")).collect();
            format!("record {record} {method:?} [{}]", components.join(", "))
        }
        Dynamic::TypeSwitch(labels) => format!("type switch [{}]", shown_labels(labels)),
        Dynamic::EnumSwitch { class, labels } => format!("enum switch {class} [{}]", shown_labels(labels)),
        Dynamic::Constant(constant) => format!("constant {}", shown_constant(constant)),
        Dynamic::StaticField(field) => format!("static {field}"),
        Dynamic::Opaque(bootstrap) => {
            let HandleMember::Method(factory) = bootstrap.handle.member else { return "opaque field".into() };
            format!("opaque {} with {} arguments", factory.method, bootstrap.arguments.len())
        }
        Dynamic::Missing => "missing".into(),
    }
}

fn shown_lambda(lambda: &Lambda) -> String {
    let (kind, target) = lambda.target().unwrap();
    let captured: Vec<String> = lambda.captured.iter().map(ToString::to_string).collect();
    let mut text = format!(
        "{}.{}{} as {} -> {kind:?} {target} captures [{}]",
        lambda.interface,
        lambda.method,
        lambda.descriptor,
        lambda.instantiated,
        captured.join(", ")
    );
    if lambda.is_serializable {
        text += " serializable";
    }
    lambda.markers.iter().for_each(|marker| text += &format!(" also {marker}"));
    lambda.bridges.iter().for_each(|bridge| text += &format!(" bridge {bridge}"));
    text
}

fn shown_labels(labels: &[SwitchLabel]) -> String {
    let shown = |label: &SwitchLabel| match label {
        SwitchLabel::Instance(ty) => format!("is {ty}"),
        SwitchLabel::Int(value) => value.to_string(),
        SwitchLabel::String(text) => format!("{:?}", text.text()),
        SwitchLabel::Enum(class, name) => format!("{class}.{name}"),
        SwitchLabel::Constant(constant) => shown_constant(constant),
    };
    labels.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn shown_constant(constant: &Constant) -> String {
    match constant {
        Constant::String(text) => format!("{:?}", text.text()),
        other => format!("{other:?}"),
    }
}

#[test]
fn dynamic_call_sites() {
    let program = open();
    for version in ["8", "11", "17", "21", "25"] {
        let name = format!("since-{version}");
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, sites(&program, &format!("Since{version}")));
        });
    }
}

#[test]
fn exceptions_of_operations() {
    let program = open();
    let class = program.class(program::ClassName::internal("Since8")).unwrap();
    let mut text = String::new();
    for name in ["caught", "rethrown"] {
        let method = class.methods.iter().find(|method| method.name.as_str() == name).unwrap();
        text += &edges(&ir::lower(method).unwrap(), &program);
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("exceptions-of-operations", text);
    });
}

fn edges(body: &Body, program: &Program) -> String {
    let mut text = format!("{}\n", body.method);
    let edges = body.exception_edges(&|sub, sup| program.is_subtype(sub, sup));
    for (block, number) in body.blocks.iter().zip(0..) {
        let ops = block.instrs.iter().map(|instr| (instr.id, instr.op.to_string(), instr.op.initialises()));
        for (at, op, initialises) in ops.chain([(block.end_id, block.end.to_string(), None)]) {
            writeln!(text, "  block{number} {at} {op}").unwrap();
            initialises.into_iter().for_each(|class| writeln!(text, "    may initialise {class}").unwrap());
            for edge in edges.iter().filter(|edge| edge.at == at) {
                let mut ways: Vec<String> = block.targets_of(edge).iter().map(ToString::to_string).collect();
                ways.extend(edge.escapes.then(|| "out".into()));
                let thrown = match edge.thrown {
                    Thrown::Exactly(class) => class.to_string(),
                    Thrown::Below(class) => format!("{class} or below"),
                };
                writeln!(text, "    {thrown} -> {}", ways.join(", ")).unwrap();
            }
        }
    }
    text
}

/// What is said of single operations agrees with what blocks have always said.
#[test]
fn edges_agree_with_the_handlers_of_blocks() {
    let program = open();
    let mut compared = 0;
    let classes = program.jdk_classes().into_iter().filter(|name| name.package() == "java/util").take(150);
    for class in classes.chain(program.classes()) {
        for method in program.class(class).unwrap().methods.iter().filter(|method| method.code().is_some()) {
            let body = ir::lower(method).unwrap();
            let edges = body.exception_edges(&|sub, sup| program.is_subtype(sub, sup));
            for block in &body.blocks {
                for instr in &block.instrs {
                    let own = edges.iter().filter(|edge| edge.at == instr.id).count();
                    assert_eq!(own > 0, instr.op.can_throw(), "{} {}", body.method, instr.id);
                    compared += own;
                }
                let is_taken =
                    |position: usize| edges.iter().any(|edge| block.has(edge.at) && edge.handlers.contains(&position));
                // The first handler of all exceptions behind a block that can throw is somebody's.
                let catches_all = |handler: &ir::HandlerEdge| {
                    handler.catch.is_none_or(|class| class.as_internal() == "java/lang/Throwable")
                };
                let first = block.handlers.iter().position(catches_all);
                assert!(first.is_none_or(is_taken), "{}\n{body}", body.method);
            }
        }
    }
    println!("{compared} exception edges compared");
    assert!(compared > 10_000, "{compared}");
}

trait Has {
    fn has(&self, at: program::InstrId) -> bool;
}

impl Has for ir::Block {
    fn has(&self, at: program::InstrId) -> bool {
        self.end_id == at || self.instrs.iter().any(|instr| instr.id == at)
    }
}
