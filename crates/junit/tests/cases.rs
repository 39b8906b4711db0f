//! One recipe per feature of the printer: what is printed (snapshots), that it compiles for old and new releases on old and
//! new compilers, and that it does what the recipe says.
//!
//! A case is a recipe with options in comments at its top: `# release: 8`, `# framework: 4`,
//! `# style: assert-throws CLASS MESSAGE FRAME..`. The program that the cases use is in `fixture`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use junit::{Expected, ExpectedFrame, Framework, PrintOptions, ProgramFacts, Release, Style, TestSource};
use program::{Cache, ClassName, ClassPath, Jdk, Program, Subtype};
use recipe::Recipe;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use support::{classes_of, compile, jdk};

struct Case {
    name: String,
    recipe: Recipe,
    options: PrintOptions,
}

fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| case(path)).collect()
}

fn case(path: &Path) -> Case {
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let text = fs::read_to_string(path).unwrap();
    let recipe = recipe::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let option = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "));
        line.map(str::to_owned)
    };
    let framework = match option("framework").as_deref() {
        Some("4") => Framework::JUnit4,
        Some("testng") => Framework::TestNg,
        Some("main") => Framework::Main,
        _ => Framework::JUnit5,
    };
    let class_name = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>() + "Test";
    let options = PrintOptions {
        framework,
        style: option("style").map_or(Style::Red, |style| expected(&style)),
        release: Release(option("release").map_or(17, |release| release.parse().unwrap())),
        package: "cases".into(),
        class_name,
        method_name: "crash".into(),
        header: vec![format!("Case {name}: ends */ with \\u0041.")],
        refused: BTreeSet::new(),
    };
    Case { name, recipe, options }
}

/// `assert-throws java.lang.IllegalStateException "message" shop.Shop.price:* repeating`; an exception that is wrapped stands
/// behind what it is wrapped in: `java.lang.RuntimeException/java.io.IOException`.
fn expected(style: &str) -> Style {
    let rest = style.strip_prefix("assert-throws ").unwrap();
    let (exceptions, rest) = rest.split_once(' ').unwrap();
    let mut wrappers: Vec<ClassName> = exceptions.split('/').map(ClassName::from_dotted).collect();
    let exception = wrappers.pop().unwrap();
    let (message, rest) = match rest.strip_prefix('"') {
        Some(quoted) => {
            let (message, rest) = quoted.split_once("\" ").unwrap();
            (Some(Some(message.to_owned())), rest)
        }
        None => (None, rest.strip_prefix("- ").unwrap()),
    };
    let frames = rest.split(' ').filter(|word| word.contains(':')).map(|frame| {
        let (place, line) = frame.split_once(':').unwrap();
        let (class, method) = place.rsplit_once('.').unwrap();
        ExpectedFrame { class: ClassName::from_dotted(class), method: method.into(), line: line.parse().ok() }
    });
    Style::AssertThrows(Expected {
        exception,
        wrappers,
        message,
        frames: frames.collect(),
        repeating: rest.ends_with(" repeating"),
    })
}

/// The fixture without a library that it can do without, as programs are often used.
fn fixture() -> (Program, ClassPath, tempfile::TempDir) {
    let directory = whole_fixture();
    remove_optional(&directory);
    let (program, class_path) = open(&directory);
    (program, class_path, directory)
}

/// The fixture, compiled for Java 8 by the oldest compiler that the tests use.
fn whole_fixture() -> tempfile::TempDir {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    let mut files = Vec::new();
    java_files(&sources, &mut files);
    classes_of(&files, &jdk(17), &["--release", "8", "-parameters"])
}

fn remove_optional(directory: &tempfile::TempDir) {
    fs::remove_dir_all(directory.path().join("optional")).unwrap();
}

fn open(directory: &tempfile::TempDir) -> (Program, ClassPath) {
    let class_path = ClassPath::parse([directory.path()]).unwrap();
    let (program, problems) = Program::open(&class_path, jdk(17), &Cache::none()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    (program, class_path)
}

fn java_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { java_files(&path, files) } else { files.push(path) }
    }
}

struct Types<'a>(&'a Program);

impl recipe::Subtyping for Types<'_> {
    fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
        self.0.is_subtype(sub, sup) == Subtype::Yes
    }
}

fn print_all(program: &Program, release: Option<Release>) -> Vec<(Case, TestSource)> {
    let facts = ProgramFacts::new(program);
    let print = |case: Case| {
        if let Err(errors) = recipe::check(&case.recipe, &Types(program)) {
            panic!("{}: {errors:?}", case.name);
        }
        let options = PrintOptions { release: release.unwrap_or(case.options.release), ..case.options.clone() };
        let source = junit::print(&case.recipe, &facts, &options).unwrap_or_else(|why| panic!("{}: {why}", case.name));
        (case, source)
    };
    cases().into_iter().map(print).collect()
}

#[test]
fn printed_as_people_would_write_it() {
    let (program, _, _directory) = fixture();
    for (case, source) in print_all(&program, None) {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("{}", case.name), source.text);
        });
    }
}

/// A `return` behind a `throw` would be refused, and so would checked exceptions that nobody declares.
#[test]
fn bodies_that_throw_give_nothing() {
    let (program, class_path, _directory) = fixture();
    let facts = ProgramFacts::new(&program);
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/throwing");
    let sources = ["lambda_that_throws.recipe", "callbacks_that_throw_checked.recipe"].map(|name| {
        let case = case(&directory.join(name));
        assert_eq!(recipe::check(&case.recipe, &Types(&program)), Ok(()), "{name}");
        junit::print(&case.recipe, &facts, &case.options).unwrap_or_else(|why| panic!("{name}: {why}"))
    });
    let [unchecked, checked] = &sources;
    assert!(unchecked.text.contains("throw ") && !unchecked.text.contains("return"), "{}", unchecked.text);
    assert!(checked.text.contains("throw unchecked(e)") && !checked.text.contains("return"), "{}", checked.text);
    compile(&sources, class_path.entries(), &jdk(17), &[]);
}

fn compiles(jdk: &Jdk, release: u16, options: &[&str]) {
    let (program, class_path, _directory) = fixture();
    let sources: Vec<TestSource> =
        print_all(&program, Some(Release(release))).into_iter().map(|(_, source)| source).collect();
    compile(&sources, class_path.entries(), jdk, options);
}

/// Compilers have nothing to say about the tests, but that a recipe, which is typed by erasure, may cast what they know, and
/// that a release is old.
const NO_WARNINGS: [&str; 2] = ["-Xlint:all,-cast,-options", "-Werror"];

fn compiles_for(release: u16, jdk: &Jdk) {
    let release_option = release.to_string();
    compiles(jdk, release, &[&["--release", release_option.as_str()][..], &NO_WARNINGS].concat());
}

#[test]
fn compiles_for_java_8() {
    compiles_for(8, &jdk(17));
    compiles_for(8, &jdk(25));
}

#[test]
fn compiles_for_java_11() {
    compiles_for(11, &jdk(17));
}

#[test]
fn compiles_for_java_17() {
    compiles_for(17, &jdk(17));
}

#[test]
fn compiles_on_java_25() {
    compiles(&jdk(25), 25, &NO_WARNINGS);
}

/// What escapes from the tests, against one list for all JDKs.
fn run_on(jdk: &Jdk) {
    let (program, class_path, _directory) = fixture();
    let sources: Vec<TestSource> =
        print_all(&program, Some(Release(17))).into_iter().map(|(_, source)| source).collect();
    let directory = compile(&sources, class_path.entries(), jdk, &[]);
    let classes = sources.iter().map(|source| format!("{}.{}", source.package, source.class_name));
    let mut full_path = class_path.entries().to_vec();
    full_path.push(directory.path().join("classes"));
    let output = support::java(jdk, &full_path, "run.Run", classes);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("_outcomes", output);
    });
}

#[test]
fn does_what_the_recipe_says_on_java_17() {
    run_on(&jdk(17));
}

#[test]
fn does_what_the_recipe_says_on_java_25() {
    run_on(&jdk(25));
}

/// The last line of defence, which needs a printer that knows less than the compiler: it sees a library that is gone when its
/// tests are compiled.
#[test]
fn what_a_compiler_refuses_is_reached_otherwise() {
    let directory = whole_fixture();
    let (program, class_path) = open(&directory);
    let facts = ProgramFacts::new(&program);
    let mut case = case(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/missing_in_members.recipe"));
    let print = |case: &Case| junit::print(&case.recipe, &facts, &case.options).unwrap();
    let mut tests = vec![print(&case)];
    remove_optional(&directory);
    while let Err(said) = support::try_compile(&tests[tests.len() - 1..], class_path.entries(), &jdk(17), &[]) {
        let known = &case.options.refused;
        let new = junit::refused_uses(&case.recipe, &tests[tests.len() - 1], &said, known);
        assert!(!new.is_empty(), "{said}");
        case.options.refused.extend(new);
        tests.push(print(&case));
    }
    // Compilers name one at a time.
    assert!((2..8).contains(&tests.len()), "{}", tests.len());
    let last = &tests[tests.len() - 1].text;
    assert!(last.contains("take() is refused by the compiler") && last.contains("patchy.plain("), "{last}");
}

/// Neither a class of the test nor a proxy can have a method that names a class which is missing.
#[test]
fn what_source_has_no_words_for_is_said() {
    let (program, _, _directory) = fixture();
    let recipe = recipe::parse("v0: shop.Patchy$Strict = implement shop.Patchy$Strict {\n}\n").unwrap();
    let case = case(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/plain.recipe"));
    let error = junit::print(&recipe, &ProgramFacts::new(&program), &case.options).unwrap_err();
    insta::assert_snapshot!(
        error,
        @"shop.Patchy$Strict cannot be implemented in Java source: it has a method that names optional.Library, which is missing"
    );
}
