//! The interpreter in a real JVM: what recipes do there and how it is told.

mod worker;

use program::{ClassName, MethodRef, Type};
use recipe::{Access, Action, Arg, Block, Collection, Def, End, Literal, Recipe, Stmt, VarId};
use worker::{Worker, jar, jdks};

fn commons_collections() -> std::path::PathBuf {
    jar("commons-collections", "commons-collections", "3.1")
}

#[test]
fn an_exception_comes_with_the_stack_of_the_program() {
    let list = VarId(0);
    let buffer = VarId(1);
    let recipe = Recipe {
        classes: Vec::new(),
        body: Block {
            stmts: vec![
                Stmt {
                    def: Some(Def { var: list, ty: Type::class("java/util/ArrayList") }),
                    action: Action::Collection(Collection::ArrayList, vec![Arg::Literal(Literal::string("a"))]),
                },
                Stmt {
                    def: Some(Def { var: buffer, ty: Type::class("org/apache/commons/collections/Buffer") }),
                    action: Action::New {
                        constructor: MethodRef::new(
                            "org/apache/commons/collections/buffer/BoundedFifoBuffer",
                            "<init>",
                            "(I)V",
                        ),
                        args: vec![Arg::Literal(Literal::Int(0))],
                        access: Access::Public,
                    },
                },
            ],
        },
    };
    for jdk in jdks() {
        let ends = Worker::start(jdk, &[commons_collections()]).run(std::slice::from_ref(&recipe));
        let End::Threw { stmt: 1, thrown } = &ends[0] else { panic!("{ends:?}") };
        assert_eq!(thrown.class, ClassName::internal("java/lang/IllegalArgumentException"));
        assert_eq!(thrown.message.as_deref(), Some("The size must be greater than 0"));
        let stack: Vec<String> =
            thrown.stack.iter().map(|f| format!("{}.{}:{}", f.class, f.method, f.line.unwrap())).collect();
        assert_eq!(stack, ["org.apache.commons.collections.buffer.BoundedFifoBuffer.<init>:93"]);
    }
}
