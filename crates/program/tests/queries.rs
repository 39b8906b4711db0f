//! The indexes against plain search: subtypes, overriders, callers and lambdas of real jars, compared with what reading every class of
//! the class path gives.

mod common;

use common::{crash_jar, draw, open};
use program::classfile::{Constant, HandleMember, InvokeOp};
use program::{CallKind, CallSite, Class, ClassName, Instruction, MethodRef, MethodType, Program, Subtype, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Old code and new: abstract class libraries, and one with lambdas throughout.
fn programs() -> Vec<Program> {
    let class_paths = [
        vec![crash_jar("commons-collections-3.1"), crash_jar("log4j-1.2.15")],
        vec![crash_jar("commons-lang3-3.1")],
        vec![crash_jar("javaparser-core")],
    ];
    class_paths.into_iter().map(|jars| open(&jars).0).collect()
}

fn all_classes(program: &Program) -> Vec<Arc<Class>> {
    program.classes().into_iter().map(|name| program.class(name).expect("a listed class is there")).collect()
}

#[test]
fn subtypes_are_those_of_plain_search() {
    for program in programs() {
        let classes = all_classes(&program);
        let mut below: BTreeMap<ClassName, BTreeSet<ClassName>> = BTreeMap::new();
        for class in &classes {
            let (supertypes, missing) = program.supertypes(class.name);
            for parent in supertypes.into_iter().chain(missing) {
                below.entry(parent).or_default().insert(class.name);
            }
        }
        for (parent, expected) in &below {
            let found = program.subtypes(*parent);
            let found: BTreeSet<ClassName> =
                found.into_iter().filter(|name| program.is_application_default(*name)).collect();
            assert_eq!(&found, expected, "subtypes of {parent}");
            let direct = program.direct_subtypes(*parent);
            let is_direct =
                |class: &Arc<Class>| class.super_class == Some(*parent) || class.interfaces.contains(parent);
            let expected: BTreeSet<ClassName> =
                classes.iter().filter(|class| is_direct(class)).map(|class| class.name).collect();
            let direct: BTreeSet<ClassName> =
                direct.into_iter().filter(|name| program.is_application_default(*name)).collect();
            assert_eq!(direct, expected, "direct subtypes of {parent}");
        }
    }
}

#[test]
fn subtypes_of_the_jdk_are_found() {
    let (program, _) = open(&[crash_jar("commons-collections-3.1")]);
    let lists = program.subtypes(ClassName::internal("java/util/List"));
    for name in
        ["java/util/ArrayList", "org/apache/commons/collections/list/TreeList", "java/util/AbstractSequentialList"]
    {
        assert!(lists.contains(&ClassName::internal(name)), "{name}");
    }
    assert!(lists.is_sorted() && !lists.contains(&ClassName::internal("java/util/List")));
}

#[test]
fn overriders_are_those_of_plain_search() {
    for program in programs() {
        let classes = all_classes(&program);
        let methods: Vec<MethodRef> =
            classes.iter().flat_map(|class| class.methods.iter().map(|method| method.reference())).collect();
        for method in draw(&methods, 300) {
            let Some(resolved) = program.resolve_method(method).found() else { panic!("{method} does not resolve") };
            if resolved.access.is_private() || resolved.access.is_static() || resolved.is_constructor() {
                assert!(program.overriders(method).is_empty(), "{method}");
                continue;
            }
            let found: Vec<ClassName> = program.overriders(method).iter().map(|found| found.class.name).collect();
            let overrides = |class: &&Arc<Class>| {
                class.name != method.class
                    && class.method(method.name, method.descriptor).is_some()
                    && program.is_subtype(class.name, method.class) == Subtype::Yes
                    && program
                        .select_virtual(class.name, method)
                        .found()
                        .is_some_and(|selected| selected.class.name == class.name)
            };
            let expected: Vec<ClassName> = classes.iter().filter(overrides).map(|class| class.name).collect();
            assert_eq!(found, expected, "overriders of {method}");
        }
    }
}

/// Every instruction of the class path that names a method.
fn all_sites(program: &Program) -> Vec<(MethodRef, u16, MethodRef, CallKind)> {
    let mut sites = Vec::new();
    for class in all_classes(program) {
        for method in &class.methods {
            let instructions = method.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
            for (bci, instruction) in instructions {
                let mut add = |named, kind| sites.push((method.reference(), bci, named, kind));
                match instruction {
                    Instruction::Invoke { op, callee } => add(callee.method, CallKind::Invoke(op)),
                    Instruction::InvokeDynamic { bootstrap, .. } => {
                        for argument in &class.bootstrap_methods[usize::from(bootstrap)].arguments {
                            if let Constant::MethodHandle(handle) = argument
                                && let HandleMember::Method(callee) = handle.member
                            {
                                add(callee.method, CallKind::Handle);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    sites
}

/// Whether an instruction that names `named` can run `target`: it is what the name stands for, or what some receiver selects.
fn can_run(program: &Program, named: MethodRef, kind: CallKind, target: MethodRef) -> bool {
    let Some(resolved) = program.resolve_method(named).found() else { return false };
    if resolved.reference() == target {
        return true;
    }
    let is_virtual = !matches!(kind, CallKind::Invoke(InvokeOp::Special | InvokeOp::Static));
    let mut receivers = program.subtypes(target.class);
    receivers.push(target.class);
    is_virtual
        && receivers.into_iter().any(|receiver| {
            program.is_subtype(receiver, named.class) == Subtype::Yes
                && program
                    .select_virtual(receiver, named)
                    .found()
                    .is_some_and(|selected| selected.reference() == target)
        })
}

#[test]
fn callers_are_those_of_plain_search() {
    for program in programs() {
        let sites = all_sites(&program);
        let methods: Vec<MethodRef> = all_classes(&program)
            .iter()
            .flat_map(|class| class.methods.iter().map(|method| method.reference()))
            .collect();
        for target in draw(&methods, 150) {
            let same = sites
                .iter()
                .filter(|(_, _, named, _)| named.name == target.name && named.descriptor == target.descriptor);
            let expected: BTreeSet<(MethodRef, u16)> = same
                .filter(|(_, _, named, kind)| can_run(&program, *named, *kind, target))
                .map(|site| (site.0, site.1))
                .collect();
            let found: Vec<CallSite> = program.callers(target);
            assert!(found.is_sorted());
            let found: BTreeSet<(MethodRef, u16)> = found.iter().map(|site| (site.caller, site.bci)).collect();
            assert_eq!(found, expected, "callers of {target}");
        }
    }
}

#[test]
fn lambdas_are_those_of_plain_search() {
    let (program, _) = open(&[crash_jar("javaparser-core")]);
    let mut expected: BTreeMap<ClassName, usize> = BTreeMap::new();
    for class in all_classes(&program) {
        for method in &class.methods {
            for step in method.readable_code().into_iter().flat_map(|code| code.instructions()).flatten() {
                let (_, Instruction::InvokeDynamic { descriptor, .. }) = step else { continue };
                if let Some(Type::Class(made)) =
                    MethodType::parse(descriptor.as_str()).and_then(|signature| signature.ret)
                {
                    *expected.entry(made).or_default() += 1;
                }
            }
        }
    }
    assert!(expected.len() > 10, "the jar has lambdas of {} interfaces", expected.len());
    for (interface, count) in expected {
        let sites = program.lambda_sites(interface);
        assert_eq!(sites.len(), count, "lambdas of {interface}");
        assert!(
            sites.iter().all(|site| site.implementation.is_some() || interface == ClassName::string()),
            "{sites:?}"
        );
    }
    let implementors = program.implementors(ClassName::internal("java/util/function/Function"));
    assert!(!implementors.lambdas.is_empty());
    assert!(
        program
            .implementors(ClassName::internal("java/util/List"))
            .classes
            .contains(&ClassName::internal("java/util/ArrayList"))
    );
}
