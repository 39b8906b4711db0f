//! Whatever the recipe, the printed test compiles.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use junit::{ClassFacts, Framework, Nesting, PrintOptions, ProgramFacts, Release, Style, TestSource};
use program::ClassName;
use std::collections::BTreeSet;
use support::random::{Maker, in_packages};

const JDK_PACKAGES: [&str; 14] = [
    "java/io",
    "java/lang",
    "java/lang/reflect",
    "java/math",
    "java/net",
    "java/nio",
    "java/nio/charset",
    "java/nio/file",
    "java/text",
    "java/time",
    "java/util",
    "java/util/concurrent",
    "java/util/function",
    "java/util/stream",
];

fn options(index: usize) -> PrintOptions {
    PrintOptions {
        framework: Framework::Main,
        style: Style::Red,
        release: Release(if index.is_multiple_of(2) { 8 } else { 17 }),
        package: String::new(),
        class_name: format!("Random{index}"),
        method_name: "crash".into(),
        header: Vec::new(),
        refused: BTreeSet::new(),
    }
}

fn count() -> usize {
    std::env::var("REENACT_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(200)
}

/// Prints random recipes over these classes and compiles them all; what the compiler says if it refuses.
fn compile(
    coordinates: &[&str],
    feature: u16,
    choose: impl Fn(Vec<ClassName>, Vec<ClassName>) -> Vec<ClassName>,
) -> Result<(), String> {
    let jdk = support::jdk(feature);
    let (program, class_path) = support::program_of(coordinates, jdk.clone());
    let classes = choose(program.classes(), program.jdk_classes());
    let facts = ProgramFacts::new(&program);
    let mut sources: Vec<TestSource> = Vec::new();
    for index in 0..count() {
        let recipe = Maker::new(&program, &facts, classes.clone(), index as u64 + 1).recipe();
        sources.extend(junit::print(&recipe, &facts, &options(index)));
    }
    let compiled = support::try_compile(&sources, class_path.entries(), &jdk, &[]);
    if let (Err(_), Some(directory)) = (&compiled, std::env::var_os("REENACT_KEEP")) {
        for source in &sources {
            std::fs::write(std::path::Path::new(&directory).join(&source.path), &source.text).expect("can be written");
        }
    }
    compiled.map(|_| ())
}

fn check(coordinates: &[&str], feature: u16, choose: impl Fn(Vec<ClassName>, Vec<ClassName>) -> Vec<ClassName>) {
    compile(coordinates, feature, choose).unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn over_the_jdk() {
    check(&[], 17, |_, jdk| in_packages(jdk, &JDK_PACKAGES));
}

#[test]
fn over_guava() {
    check(&["com.google.guava:guava:33.4.8-jre", "com.google.guava:failureaccess:1.0.3"], 25, |app, _| app);
}

#[test]
fn over_commons() {
    let jars = [
        "commons-collections:commons-collections:3.1",
        "org.apache.commons:commons-collections4:4.1",
        "org.jsoup:jsoup:1.15.3",
        "com.github.javaparser:javaparser-core:3.25.3",
    ];
    check(&jars, 17, |app, _| app);
}

/// Its optional libraries are missing.
#[test]
fn over_compress() {
    check(&["org.apache.commons:commons-compress:1.22"], 25, |app, _| app);
}

#[test]
fn over_kotlin() {
    check(&["org.jetbrains.kotlin:kotlin-stdlib:1.9.10"], 17, |app, _| app);
}

/// Scala's traits inherit in ways that Java's compiler refuses: such are implemented by proxies and called by reflection.
#[test]
fn over_scala() {
    check(&["org.scala-lang:scala-library:2.13.9"], 17, |app, _| app);
}

/// Scala calls them `Ordering$Double$IeeeOrdering$`; a Java compiler would look for `Ordering$Double$$IeeeOrdering$`.
#[test]
fn objects_inside_of_scala_objects_cannot_be_named() {
    let (program, _) = support::program_of(&["org.scala-lang:scala-library:2.13.9"], support::jdk(17));
    let facts = ProgramFacts::new(&program);
    let nesting = |class: &str| facts.class(ClassName::internal(class)).unwrap().nesting;
    assert_eq!(nesting("scala/math/Ordering$Double$IeeeOrdering$"), Nesting::Unnamed);
    assert!(matches!(nesting("scala/math/Ordering$Double$"), Nesting::Member { .. }));
}
