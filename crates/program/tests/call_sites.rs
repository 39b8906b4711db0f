//! The index of call sites against its slow definition, reading every class; what it survives; which call sites are the nearest.

mod common;

use common::{crash_jar, crash_jars, draw, jdk, open};
use program::classfile::{BootstrapMethod, Constant, HandleMember, MethodOperand};
use program::{Cache, Problem};
use program::{
    CallKind, CallSite, ClassName, ClassPath, Instruction, LambdaSite, MethodRef, MethodType, Program, Type,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Compilers of twenty years: without and with lambdas, and Kotlin's.
const JARS: [&str; 6] =
    ["commons-collections-3.1", "commons-lang3-3.1", "javaparser-core", "ant-1.8", "guava-33", "jackson-databind"];

type Site = (MethodRef, u16, MethodRef, CallKind);

/// Every instruction of the class path that names a method, and every one that makes a lambda.
fn read_everything(program: &Program) -> (Vec<Site>, Vec<LambdaSite>) {
    let (mut sites, mut lambdas) = (Vec::new(), Vec::new());
    for class in program.classes().into_iter().filter_map(|name| program.class(name)) {
        for method in &class.methods {
            let instructions = method.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
            for (bci, instruction) in instructions {
                let creator = method.reference();
                let mut add = |named, kind| sites.push((creator, bci, named, kind));
                match instruction {
                    Instruction::Invoke { op, callee } => add(callee.method, CallKind::Invoke(op)),
                    Instruction::Const(constant) => {
                        handle(&constant).into_iter().for_each(|callee| add(callee.method, CallKind::Handle));
                    }
                    Instruction::InvokeDynamic { bootstrap, descriptor, .. } => {
                        let bootstrap = &class.bootstrap_methods[usize::from(bootstrap)];
                        let handles = bootstrap.arguments.iter().filter_map(handle);
                        handles.for_each(|callee| add(callee.method, CallKind::Handle));
                        let made = MethodType::parse(descriptor.as_str()).and_then(|signature| signature.ret);
                        if let Some(Type::Class(interface)) = made {
                            let implementation = implementation(bootstrap);
                            lambdas.push(LambdaSite { creator, bci, interface, implementation });
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    (sites, lambdas)
}

fn handle(constant: &Constant) -> Option<MethodOperand> {
    match constant {
        Constant::MethodHandle(handle) => match handle.member {
            HandleMember::Method(operand) => Some(operand),
            HandleMember::Field(_) => None,
        },
        _ => None,
    }
}

fn implementation(bootstrap: &BootstrapMethod) -> Option<MethodOperand> {
    handle(bootstrap.arguments.get(1)?)
}

#[test]
fn every_call_of_the_code_is_found_and_no_other() {
    for jar in JARS {
        let (program, _) = open(&[crash_jar(jar)]);
        let (sites, _) = read_everything(&program);
        let mut expected: BTreeMap<MethodRef, BTreeSet<(MethodRef, u16, MethodRef, CallKind)>> = BTreeMap::new();
        for site in sites {
            if let Some(found) = program.resolve_method(site.2).found() {
                expected.entry(found.reference()).or_default().insert(site);
            }
        }
        let methods: Vec<MethodRef> = expected.keys().copied().collect();
        for method in draw(&methods, 400) {
            let found = program.callers(method).into_iter().filter(|site| !site.by_overriding);
            let found: BTreeSet<Site> = found.map(|site| (site.caller, site.bci, site.named, site.kind)).collect();
            assert_eq!(found, expected[&method], "{jar}: calls of {method}");
        }
    }
}

#[test]
fn every_lambda_of_the_code_is_found_and_no_other() {
    for jar in JARS {
        let (program, _) = open(&[crash_jar(jar)]);
        let mut expected: BTreeMap<ClassName, Vec<LambdaSite>> = BTreeMap::new();
        for site in read_everything(&program).1 {
            expected.entry(site.interface).or_default().push(site);
        }
        for (interface, mut sites) in expected {
            sites.sort_by_key(|site| (site.creator, site.bci));
            assert_eq!(program.lambda_sites(interface), sites, "{jar}: lambdas of {interface}");
        }
    }
}

/// `Comparator.equals` is declared by the interface, and what runs is mostly `Object`'s.
#[test]
fn what_an_interface_declares_again_may_run_the_method_of_object() {
    let (program, _) = open(&[crash_jar("guava-33")]);
    let equals = |class: &str| MethodRef::new(class, "equals", "(Ljava/lang/Object;)Z");
    let sites = program.callers(equals("java/lang/Object"));
    let by_interface: Vec<&CallSite> =
        sites.iter().filter(|site| site.named.class == ClassName::internal("java/util/Comparator")).collect();
    assert!(!by_interface.is_empty() && by_interface.iter().all(|site| site.by_overriding), "{by_interface:?}");
}

fn open_with(jars: &[PathBuf], cache: &Cache) -> Program {
    let class_path = ClassPath::parse(jars).expect("the jars are there");
    Program::open(&class_path, jdk(), cache).expect("the jars can be opened").0
}

fn calls_file(directory: &Path) -> PathBuf {
    let files = std::fs::read_dir(directory).expect("the cache was written").flatten().map(|entry| entry.path());
    let is_calls = |path: &PathBuf| path.extension().is_some_and(|kind| kind.to_string_lossy().starts_with("calls"));
    files.into_iter().find(is_calls).expect("the cache has an index of calls")
}

#[test]
fn a_damaged_index_is_made_again() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let cache = Cache::at(directory.path());
    let jar = [crash_jar("commons-collections-3.1")];
    let method =
        MethodRef::new("org/apache/commons/collections/map/AbstractHashedMap", "hash", "(Ljava/lang/Object;)I");
    let expected = open_with(&jar, &Cache::none()).callers(method);
    assert!(!expected.is_empty());
    open_with(&jar, &cache).load_calls();
    let path = calls_file(directory.path());
    let intact = std::fs::read(&path).expect("the file can be read");
    let mut flipped = intact.clone();
    flipped[intact.len() / 2] ^= 1;
    for damage in [flipped, intact[..intact.len() - 1].to_vec(), Vec::new(), b"rnct".to_vec()] {
        std::fs::write(&path, &damage).expect("the file can be written");
        let program = open_with(&jar, &cache);
        assert_eq!(program.callers(method), expected);
        let is_damage = |problem: &Problem| problem.to_string().contains(&*path.to_string_lossy());
        assert!(program.problems().iter().any(is_damage), "{:?}", program.problems());
        assert_eq!(std::fs::read(&path).expect("the file is there again"), intact);
    }
}

#[test]
fn a_body_that_is_not_what_it_says_gives_no_calls_but_never_panics() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let cache = Cache::at(directory.path());
    let jar = [crash_jar("commons-collections-3.1")];
    open_with(&jar, &cache).load_calls();
    let path = calls_file(directory.path());
    let intact = std::fs::read(&path).expect("the file can be read");
    let method = MethodRef::new("java/util/Map", "get", "(Ljava/lang/Object;)Ljava/lang/Object;");
    // Behind magic, checksum, length, the number of unread classes and the counts: numbers of texts, callers, sites.
    for word in (52..intact.len() - 4).step_by(intact.len() / 200) {
        let mut wrong = intact.clone();
        wrong[word..word + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let checksum = xxhash_rust::xxh3::xxh3_64(&wrong[20..]);
        wrong[4..12].copy_from_slice(&checksum.to_le_bytes());
        std::fs::write(&path, &wrong).expect("the file can be written");
        let program = open_with(&jar, &cache);
        program.callers(method);
        program.lambda_sites(ClassName::internal("java/util/Comparator"));
        program.nearness(&[ClassName::internal("org/apache/commons/collections/MapUtils")]);
    }
}

fn archive_of(program: &Program, class: ClassName) -> String {
    program.origin(class).map_or_else(String::new, |origin| origin.to_string())
}

#[test]
fn on_a_small_class_path_the_nearest_callers_are_all_callers() {
    let (program, _) = open(&[crash_jar("commons-collections-3.1"), crash_jar("log4j-1.2.15")]);
    let near = program.nearness(&[ClassName::internal("org/apache/log4j/Logger")]);
    assert!(near.is_all());
    let (sites, _) = read_everything(&program);
    let methods: Vec<MethodRef> = sites.into_iter().map(|site| site.2).collect();
    for method in draw(&methods, 100) {
        assert_eq!(program.nearest_callers(method, &near, usize::MAX), program.callers(method), "{method}");
    }
}

#[test]
fn on_a_large_class_path_the_nearest_callers_come_first_and_are_capped() {
    let first = crash_jar("commons-collections-3.1");
    let mut jars = crash_jars();
    // Other versions would hide its classes.
    jars.retain(|jar| !jar.to_string_lossy().contains("commons-collections"));
    // In the middle of the class path: the order of that has no say.
    jars.insert(jars.len() / 2, first.clone());
    let cache = tempfile::tempdir().expect("a temporary directory can be made");
    let program = open_with(&jars, &Cache::at(cache.path()));
    let class = ClassName::internal("org/apache/commons/collections/map/LRUMap");
    let near = program.nearness(&[class]);
    assert!(!near.is_all() && program.is_near(class, &near));
    assert!(!program.is_near(ClassName::internal("com/github/javaparser/JavaParser"), &near));

    let popular = MethodRef::new("java/util/ArrayList", "<init>", "()V");
    let all: BTreeSet<CallSite> = program.callers(popular).into_iter().collect();
    let in_first = |site: &CallSite| archive_of(&program, site.caller.class) == first.display().to_string();
    let of_first: Vec<CallSite> = all.iter().filter(|site| in_first(site)).cloned().collect();
    assert!(of_first.len() > 20 && all.len() > 10 * of_first.len(), "{} of {}", of_first.len(), all.len());

    let few = program.nearest_callers(popular, &near, 20);
    assert_eq!(few.len(), 20);
    assert!(few.iter().all(|site| of_first.contains(site)), "{few:?}");
    let more = program.nearest_callers(popular, &near, of_first.len() + 50);
    assert_eq!(more.len(), of_first.len() + 50);
    assert_eq!(more[..of_first.len()], of_first);
    let every = program.nearest_callers(popular, &near, usize::MAX);
    assert_eq!(every.into_iter().collect::<BTreeSet<_>>(), all);
    // What was asked before has no say either.
    let again = open_with(&jars, &Cache::at(cache.path()));
    assert_eq!(again.nearest_callers(popular, &again.nearness(&[class]), 20), few);
}

#[test]
fn callers_in_the_class_and_package_of_the_method_are_the_nearest() {
    let (program, _) = open(&[crash_jar("commons-collections-3.1")]);
    let near = program.nearness(&[]);
    let map = "org/apache/commons/collections/map/AbstractHashedMap";
    let method = MethodRef::new(map, "size", "()I");
    let all = program.callers(method);
    let is_own = |site: &CallSite| site.caller.class == method.class;
    let own = all.iter().filter(|site| is_own(site)).count();
    let package = all.iter().filter(|site| site.caller.class.package() == method.class.package()).count();
    assert!(own > 0 && package > own && all.len() > package, "{own} {package} {}", all.len());
    assert!(program.nearest_callers(method, &near, own).iter().all(is_own));
    let nearest = program.nearest_callers(method, &near, package);
    assert!(nearest.iter().all(|site| site.caller.class.package() == method.class.package()));
}
