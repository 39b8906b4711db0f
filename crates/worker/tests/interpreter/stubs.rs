//! Stubs for every interface and open class of a library and of the JDK's public packages: all pass the verifier, and can be made.

use super::process::Worker;
use program::{Class, ClassName, MethodRef, Program};
use recipe::{
    Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Def, End, Literal, Recipe, Stmt, VarId, check,
};
use testing::{jar, jdks};

#[test]
fn every_type_that_can_be_extended_has_a_stub() {
    let jars = [jar("commons-collections:commons-collections:3.1")];
    for jdk in jdks() {
        let mut worker = Worker::start(&jdk, &jars);
        let (names, recipes): (Vec<ClassName>, Vec<Recipe>) = candidates(&worker.program).into_iter().unzip();
        for (name, recipe) in names.iter().zip(&recipes) {
            assert_eq!(check(recipe, &worker.program), Ok(()), "{name}");
        }
        let mut made = 0;
        for ((name, recipe), outcome) in names.iter().zip(&recipes).zip(worker.run(&recipes)) {
            match outcome.end {
                End::Completed | End::Threw { .. } => made += 1,
                other => panic!("JDK {}, {name}: {other:?}\n{recipe}", jdk.major),
            }
        }
        assert!(made > 700, "{made}");
    }
}

fn candidates(program: &Program) -> Vec<(ClassName, Recipe)> {
    let platform = program.jdk_classes().into_iter().filter(|name| {
        ["java/lang/", "java/util/", "java/io/", "java/nio/", "java/net/", "java/text/", "java/time/"]
            .iter()
            .any(|package| name.as_internal().starts_with(package))
    });
    let all = program.classes().into_iter().chain(platform);
    all.filter_map(|name| Some((name, callback(program, name)?))).collect()
}

/// A callback of this type with a body for each abstract method, or `None` where Java allows none.
fn callback(program: &Program, name: ClassName) -> Option<Recipe> {
    let class = program.class(name)?;
    let is_open = class.access.is_public() && !class.access.is_final() && class.permitted_subclasses.is_empty();
    if !is_open || is_anonymous(&class) {
        return None;
    }
    let form = if class.access.is_interface() {
        CallbackForm::Interface { interface: name }
    } else {
        let usable = |access: program::classfile::MethodAccess| access.is_public() || access.is_protected();
        let constructor = class.methods.iter().find(|method| method.is_constructor() && usable(method.access))?;
        let args =
            constructor.reference().signature().params.into_iter().map(|ty| Arg::Literal(Literal::default_of(ty)));
        CallbackForm::Subclass { constructor: constructor.reference(), args: args.collect() }
    };
    let (super_class, interfaces) =
        if class.access.is_interface() { (ClassName::object(), vec![name]) } else { (name, vec![]) };
    let methods = worker::emit::Shapes::abstract_methods(program, super_class, &interfaces);
    let mut next = 1;
    let methods = methods
        .into_iter()
        .map(|(method, descriptor)| body(MethodRef { class: name, name: method, descriptor }, &mut next));
    let callback = Callback { form, methods: methods.collect() };
    let def = Def { var: VarId(0), ty: program::Type::Class(name) };
    let stmts = vec![Stmt { def: Some(def), action: Action::Callback(callback) }];
    Some(Recipe { classes: Vec::new(), body: Block { stmts } })
}

fn is_anonymous(class: &Class) -> bool {
    class.name.simple().rsplit('$').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()))
}

fn body(method: MethodRef, next: &mut u32) -> CallbackMethod {
    let mut fresh = || {
        *next += 1;
        VarId(*next)
    };
    let this = fresh();
    let signature = method.signature();
    let params = signature.params.iter().map(|ty| Def { var: fresh(), ty: *ty }).collect();
    let result = signature.ret.map(|ty| Arg::Literal(Literal::default_of(ty)));
    CallbackMethod { method, params, this: Some(this), body: Block::default(), result }
}
