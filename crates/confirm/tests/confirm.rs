//! Hand-written tests through `confirm`: what the JVM tells about each, graded as the caller will grade it. The grades of
//! the JUnit 4 tests are those that an independent judge of crash packs gives the same files.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use confirm::source::look_at;
use confirm::{
    Conditions, ConfirmError, ConfirmOptions, Confirmation, Confirmer, Launch, Run, RunEnd, Setting, TestFile,
};
use crash_report::{Comparing, Throwable, compare_chain};
use program::{Cache, ClassPath, Jdk, Program};
use std::path::{Path, PathBuf};
use std::time::Duration;

const CRASH: &str = include_str!("confirm/crash.txt");
const OVERFLOW: &str = include_str!("confirm/overflow.txt");

/// The tests' own program, compiled, on one JDK.
struct Fixture {
    classes: tempfile::TempDir,
    program: Program,
    confirmer: Confirmer,
}

impl Fixture {
    fn new(version: &str, home: &Path) -> Fixture {
        let classes = tempfile::tempdir().unwrap();
        let sources = directory().join(version).join("org/acme");
        let files: Vec<PathBuf> = std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path()).collect();
        testing::compile(&files, classes.path(), &["--release", "8", "-Xlint:-options", "-g"]);
        let class_path = ClassPath::parse([classes.path()]).unwrap();
        let jdk = Jdk::at(home).unwrap();
        let confirmer = Confirmer::start(&jdk, launch(true), class_path.entries()).unwrap();
        let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
        Fixture { classes, program, confirmer }
    }

    fn confirm(&self, test: &TestFile, options: &ConfirmOptions) -> Confirmation {
        let class_path = self.program.runtime_class_path().unwrap();
        let setting = Setting { class_path: &class_path, program: &self.program };
        self.confirmer.confirm(std::slice::from_ref(test), &setting, options).unwrap()
    }
}

fn launch(sandboxed: bool) -> Launch {
    Launch { program: vec![env!("CARGO_BIN_EXE_confirm").into()], sandboxed }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/confirm")
}

fn test_file(name: &str) -> TestFile {
    TestFile::read(&directory().join("cases").join(format!("{name}.java"))).unwrap()
}

/// With the framework's stubs: nothing from the machine but the JDK.
fn options() -> ConfirmOptions {
    ConfirmOptions { maven_repository: None, time_limit: Duration::from_secs(60), ..ConfirmOptions::default() }
}

/// The grade in one line, as the caller forms it.
fn verdict(test: &TestFile, confirmation: &Confirmation, crash: &str) -> String {
    let report = crash_report::parse(crash.as_bytes());
    let expected = &report.traces[0].throwable;
    if let Some(cheat) = look_at([test.text.as_str()], expected.name()).cheats.first() {
        return format!("none: {}", cheat.describe());
    }
    let Confirmation::Ran { classes, replaced, runs } = confirmation else { return "none: not compiled".into() };
    if let Some(class) = replaced.first() {
        return format!("none: replaces {class}");
    }
    let grades: Vec<String> = runs.iter().map(|run| grade(expected, run, classes)).collect();
    if grades.windows(2).all(|pair| pair[0] == pair[1]) {
        grades[0].clone()
    } else {
        format!("flaky: {}", grades.join(", "))
    }
}

fn grade(expected: &Throwable, run: &Run, classes: &[String]) -> String {
    if run.end != RunEnd::Completed {
        return format!("none: {:?}", run.end);
    }
    let how = Comparing {
        is_application: &|class| class.starts_with("org.acme."),
        is_test: &|class| classes.iter().any(|own| own == class),
        lines: true,
        reachable: None,
        same_statement: None,
        same_template: None,
    };
    let escaped = run.tests.iter().filter_map(|test| test.escaped.as_ref());
    let best = escaped.map(|thrown| compare_chain(expected, thrown, &how).1.graded()).max();
    best.map_or_else(|| format!("none: {} passed", run.tests.len()), |graded| graded.to_string())
}

#[test]
fn hand_written_tests_get_their_grade() {
    let cases = [
        ("FullTest", CRASH, "full-stack~message"),
        ("SetUpTest", CRASH, "full-stack~message"),
        ("WrappedTest", CRASH, "full-stack~message"),
        ("NoisyTest", CRASH, "full-stack~message"),
        ("JupiterTest", CRASH, "full-stack~message"),
        ("TestNgTest", CRASH, "full-stack~message"),
        ("TestNgClassTest", CRASH, "full-stack~message"),
        ("MainTest", CRASH, "full-stack~message"),
        ("PartialTest", CRASH, "frames 2/3~message"),
        ("WrongCauseTest", CRASH, "frames 2/3"),
        ("CrashLineTest", CRASH, "crash-line~message"),
        ("CallbackTest", CRASH, "crash-line~message"),
        ("OtherExceptionTest", CRASH, "none"),
        ("OtherPlaceTest", CRASH, "none"),
        ("EmptyTest", CRASH, "none: 1 passed"),
        ("ExpectingTest", CRASH, "none: 1 passed"),
        ("ForgingTest", CRASH, "none: 1 passed"),
        ("SearchingTest", CRASH, "none: 1 passed"),
        ("NoTest", CRASH, "none: 0 passed"),
        ("IgnoredTest", CRASH, "none: 0 passed"),
        ("TakingTest", CRASH, "none: 0 passed"),
        ("NestedTest", CRASH, "none: 0 passed"),
        ("NotCompilingTest", CRASH, "none: not compiled"),
        ("FlakyTest", CRASH, "flaky: full-stack~message, none: 1 passed, full-stack~message"),
        ("RecursiveTest", OVERFLOW, "full-stack+message"),
        ("ThrowingTest", CRASH, "none: throws the exception itself"),
        ("StackMakingTest", CRASH, "none: makes a stack trace itself"),
        ("ReplacingTest", CRASH, "none: replaces org.acme.ReportFailed"),
        ("ExitingTest", CRASH, "none: Exited { status: 3 }"),
    ];
    let mut wrong = Vec::new();
    for jdk in testing::jdks() {
        let fixture = Fixture::new("program", &jdk.home);
        for (name, crash, expected) in cases {
            let test = test_file(name);
            let confirmation = fixture.confirm(&test, &options());
            let found = verdict(&test, &confirmation, crash);
            if found != expected {
                wrong.push(format!("{name} on {}: {found} instead of {expected}\n{confirmation:#?}", jdk.major));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program may do that for good reasons, so it is told, and no more.
#[test]
fn a_replaced_stack_is_told() {
    for jdk in testing::jdks() {
        let fixture = Fixture::new("program", &jdk.home);
        for (name, expected) in
            [("FullTest", false), ("RecursiveTest", false), ("HiddenStackTest", true), ("ToldStackTest", true)]
        {
            let confirmation = fixture.confirm(&test_file(name), &options());
            let Confirmation::Ran { runs, .. } = &confirmation else { panic!("{confirmation:?}") };
            let told = runs.iter().all(|run| run.tests.len() == 1 && run.tests[0].has_replaced_stack == expected);
            assert!(told, "{name} on {}: {confirmation:#?}", jdk.major);
        }
    }
}

#[test]
fn what_was_told_before_the_end_of_the_vm_is_not_lost() {
    for jdk in testing::jdks() {
        let fixture = Fixture::new("program", &jdk.home);
        let once = ConfirmOptions { runs: 1, ..options() };
        let Confirmation::Ran { runs, .. } = fixture.confirm(&test_file("ExitingLaterTest"), &once) else { panic!() };
        assert_eq!(runs[0].end, RunEnd::Exited { status: 4 });
        let tests: Vec<_> = runs[0].tests.iter().map(|test| (test.name.as_str(), test.escaped.is_some())).collect();
        assert_eq!(tests, [("aCrash(ExitingLaterTest)", true), ("exit(ExitingLaterTest)", false)], "{}", jdk.major);
    }
}

/// The kernel takes no argument of more than 128 KiB.
#[test]
fn a_class_path_may_be_long() {
    let jdk = &testing::jdks()[0];
    let many = tempfile::tempdir().unwrap();
    let mut class_path: Vec<PathBuf> = (0..800).map(|n| many.path().join(format!("{n:0200}"))).collect();
    class_path.iter().for_each(|entry| std::fs::create_dir(entry).unwrap());
    let mut fixture = Fixture::new("program", &jdk.home);
    class_path.push(fixture.classes.path().to_path_buf());
    let class_path = ClassPath::parse(&class_path).unwrap();
    fixture.program = Program::open(&class_path, Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap().0;
    let test = test_file("FullTest");
    let confirmation = fixture.confirm(&test, &ConfirmOptions { runs: 1, ..options() });
    assert_eq!(verdict(&test, &confirmation, CRASH), "full-stack~message", "{confirmation:#?}");
}

/// Rules, runners and `TestCase` are JUnit's own business: it runs such tests itself.
#[test]
fn junit_runs_what_needs_it() {
    let jars = ["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"];
    let cases = [
        ("FullTest", "full-stack~message"),
        ("RuleTest", "full-stack~message"),
        ("ParameterizedTest", "full-stack~message"),
        ("OldTest", "full-stack~message"),
        ("EnclosedTest", "full-stack~message"),
        ("IgnoredTest", "none: 0 passed"),
        ("ExpectingTest", "none: 1 passed"),
    ];
    check_with(&jars, &cases);
}

/// Where the class path has none, also for tests that name only what is older than its annotations.
#[test]
fn junit_is_found_in_a_maven_repository() {
    let repository = repository(&[("junit:junit:4.13.2", &[]), ("org.hamcrest:hamcrest-core:1.3", &[])]);
    let jdk = testing::jdks().pop().unwrap();
    let fixture = Fixture::new("program", &jdk.home);
    for name in ["OldTest", "RuleTest"] {
        let test = test_file(name);
        let with = ConfirmOptions { runs: 1, maven_repository: Some(repository.path().into()), ..options() };
        assert_eq!(verdict(&test, &fixture.confirm(&test, &with), CRASH), "full-stack~message", "{name}");
    }
    // No stub stands for a class that runs tests.
    let old = test_file("OldTest");
    assert_eq!(verdict(&old, &fixture.confirm(&old, &options()), CRASH), "none: not compiled");
}

const JUPITER_API: [&str; 5] = [
    "org.junit.jupiter:junit-jupiter-api:5.10.2",
    "org.junit.jupiter:junit-jupiter-params:5.10.2",
    "org.junit.platform:junit-platform-commons:1.10.2",
    "org.opentest4j:opentest4j:1.3.0",
    "org.apiguardian:apiguardian-api:1.1.2",
];
const JUPITER_ENGINE: [&str; 3] = [
    "org.junit.jupiter:junit-jupiter-engine:5.10.2",
    "org.junit.platform:junit-platform-engine:1.10.2",
    "org.junit.platform:junit-platform-launcher:1.10.2",
];
const TESTNG: [&str; 2] = ["org.testng:testng:7.5.1", "com.beust:jcommander:1.78"];

/// What the POMs say: coordinates, and those that they need.
const JUPITER_POMS: [(&str, &[&str]); 8] = [
    (JUPITER_API[0], &[JUPITER_API[2], JUPITER_API[3], JUPITER_API[4]]),
    (JUPITER_API[1], &[JUPITER_API[0], JUPITER_API[4]]),
    (JUPITER_API[2], &[JUPITER_API[4]]),
    (JUPITER_API[3], &[]),
    (JUPITER_API[4], &[]),
    (JUPITER_ENGINE[0], &[JUPITER_ENGINE[1], JUPITER_API[0], JUPITER_API[4]]),
    (JUPITER_ENGINE[1], &[JUPITER_API[2], JUPITER_API[3], JUPITER_API[4]]),
    (JUPITER_ENGINE[2], &[JUPITER_ENGINE[1], JUPITER_API[4]]),
];
const TESTNG_POMS: [(&str, &[&str]); 2] = [(TESTNG[0], &[TESTNG[1]]), (TESTNG[1], &[])];

/// Tests that JUnit 5 runs itself: with parameters, nested, repeated, made, extended.
const JUPITER_CASES: [(&str, &str); 8] = [
    ("ValuesTest", "full-stack~message"),
    ("MethodSourceTest", "full-stack~message"),
    ("NestedTest", "full-stack~message"),
    ("RepeatedCaseTest", "full-stack~message"),
    ("FactoryTest", "full-stack~message"),
    ("ExtensionTest", "full-stack~message"),
    ("ComposedTest", "full-stack~message"),
    ("JupiterTest", "full-stack~message"),
];
const TESTNG_CASES: [(&str, &str); 3] = [
    ("ProvidedTest", "full-stack~message"),
    ("InstancesTest", "full-stack~message"),
    ("ForerunnerTest", "full-stack~message"),
];

#[test]
fn jupiter_runs_what_needs_it() {
    check_with(&[&JUPITER_API[..], &JUPITER_ENGINE[..]].concat(), &JUPITER_CASES);
}

#[test]
fn testng_runs_what_needs_it() {
    check_with(&TESTNG, &TESTNG_CASES);
}

/// A Maven repository with these artifacts and their POMs.
fn repository(artifacts: &[(&str, &[&str])]) -> tempfile::TempDir {
    let repository = tempfile::tempdir().unwrap();
    for (coordinates, needed) in artifacts {
        let needed: Vec<String> = needed.iter().map(|needed| dependency(needed)).collect();
        put(repository.path(), coordinates, &testing::jar(coordinates), &needed.concat());
    }
    repository
}

fn dependency(coordinates: &str) -> String {
    let parts: Vec<&str> = coordinates.split(':').collect();
    format!(
        "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>",
        parts[0], parts[1], parts[2]
    )
}

fn put(repository: &Path, coordinates: &str, jar: &Path, needed: &str) {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let directory = repository.join(parts[0].replace('.', "/")).join(parts[1]).join(parts[2]);
    let file = |extension| directory.join(format!("{}-{}.{extension}", parts[1], parts[2]));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::copy(jar, file("jar")).unwrap();
    std::fs::write(file("pom"), format!("<project><dependencies>{needed}</dependencies></project>")).unwrap();
}

/// Tests and jars on the class path, with this repository.
fn check_found(repository: &Path, class_path: &[&str], cases: &[(&str, &str)]) {
    let jdk = testing::jdks().pop().unwrap();
    let fixture = fixture_with(class_path, &jdk.home);
    for (name, expected) in cases {
        let test = test_file(name);
        let with = ConfirmOptions { runs: 1, maven_repository: Some(repository.into()), ..options() };
        let confirmation = fixture.confirm(&test, &with);
        assert_eq!(verdict(&test, &confirmation, CRASH), *expected, "{name}: {confirmation:#?}");
    }
}

/// Of the versions there the newest whose parts are all there; with the class path's own part, the same version.
#[test]
fn frameworks_are_found_in_a_maven_repository() {
    let repository = repository(&[&JUPITER_POMS[..], &TESTNG_POMS[..]].concat());
    put(repository.path(), "org.junit.jupiter:junit-jupiter-api:5.99.0", &testing::jar(JUPITER_API[0]), "");
    put(repository.path(), "org.testng:testng:7.99.0", &testing::jar(TESTNG[0]), &dependency("not:there:1"));
    check_found(repository.path(), &[], &[&JUPITER_CASES[..], &TESTNG_CASES[..]].concat());
    check_found(repository.path(), &[JUPITER_API[0], JUPITER_API[2]], &JUPITER_CASES[..2]);
    check_found(repository.path(), &[TESTNG[0]], &TESTNG_CASES[..1]);
}

/// Against the annotations and assertions of TestNG itself, instead of our stubs of them.
#[test]
fn tests_of_testng_run_with_its_jar() {
    let jars = ["org.testng:testng:7.5.1"];
    check_with(&jars, &[("TestNgTest", "full-stack~message")]);
    let test = test_file("TestNgWholeTest");
    for jdk in testing::jdks() {
        let confirmation = fixture_with(&jars, &jdk.home).confirm(&test, &ConfirmOptions { runs: 1, ..options() });
        let Confirmation::Ran { runs, .. } = &confirmation else { panic!("{confirmation:?}") };
        let failed = runs[0].tests.iter().filter(|test| test.escaped.is_some()).map(|test| test.name.as_str());
        assert_eq!(failed.collect::<Vec<_>>(), ["f(TestNgWholeTest)"], "{confirmation:#?}");
    }
}

fn fixture_with(jars: &[&str], home: &Path) -> Fixture {
    let mut fixture = Fixture::new("program", home);
    let mut class_path = vec![fixture.classes.path().to_owned()];
    class_path.extend(jars.iter().map(|coordinates| testing::jar(coordinates)));
    let jdk = fixture.program.jdk().clone();
    fixture.program = Program::open(&ClassPath::parse(&class_path).unwrap(), jdk, &Cache::none()).unwrap().0;
    fixture
}

/// Confirms tests with these jars on the class path.
fn check_with(jars: &[&str], cases: &[(&str, &str)]) {
    for jdk in testing::jdks() {
        let fixture = fixture_with(jars, &jdk.home);
        for (name, expected) in cases {
            let test = test_file(name);
            let confirmation = fixture.confirm(&test, &ConfirmOptions { runs: 1, ..options() });
            assert_eq!(verdict(&test, &confirmation, CRASH), *expected, "{name} on {}: {confirmation:#?}", jdk.major);
        }
    }
}

const GET_JUNIT: &str = "put JUnit 5 (`org.junit.platform:junit-platform-console-standalone`) on the class path, or into the \
                         local Maven repository: \
                         `mvn dependency:get '-Dartifact=org.junit.platform:junit-platform-console-standalone:";

/// Nobody is to believe that such a test passes, or is not there.
#[test]
fn tests_that_are_not_run_are_told() {
    let home = &testing::jdks()[0].home;
    let junit = ["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"];
    let (stubs, real) = (Fixture::new("program", home), fixture_with(&junit, home));
    let (jupiter, testng) = (fixture_with(&JUPITER_API, home), fixture_with(&TESTNG[..1], home));
    let whole = fixture_with(&[&JUPITER_API[..], &JUPITER_ENGINE[..]].concat(), home);
    let (any, same) = (format!("; {GET_JUNIT}[1,2)'`"), format!("; {GET_JUNIT}1.10.2'`"));
    let only = "only its framework can run it";
    let get_testng = "; put TestNG with what it needs (`org.testng:testng`) on the class path, or into the local Maven \
                      repository: `mvn dependency:get '-Dartifact=org.testng:testng:7.5.1'`";
    for (fixture, name, expected) in [
        (&stubs, "IgnoredTest", vec![("crash(IgnoredTest)", "it is ignored".into())]),
        (&real, "IgnoredTest", vec![("crash(IgnoredTest)", "it is ignored".into())]),
        (&stubs, "TakingTest", vec![("crash(TakingTest)", format!("it takes parameters{any}"))]),
        (&stubs, "NestedTest", vec![("NestedTest$Inner", format!("{only}{any}"))]),
        (&jupiter, "ValuesTest", vec![("crash(ValuesTest)", format!("{only}{same}"))]),
        (&jupiter, "RepeatedCaseTest", vec![("crash(RepeatedCaseTest)", format!("{only}{same}"))]),
        (&jupiter, "FactoryTest", vec![("crashes(FactoryTest)", format!("{only}{same}"))]),
        (
            &jupiter,
            "ExtensionTest",
            vec![("@ExtendWith(ExtensionTest)", format!("only its framework knows what that means{same}"))],
        ),
        (
            &whole,
            "GivingUpTest",
            vec![
                ("assuming[1](GivingUpTest)", "it assumes what does not hold here".into()),
                ("disabled(GivingUpTest)", "it is ignored".into()),
            ],
        ),
        (
            &testng,
            "ProvidedTest",
            vec![
                ("crash(ProvidedTest)", format!("it takes parameters{get_testng}")),
                ("off(ProvidedTest)", "it is ignored".into()),
            ],
        ),
    ] {
        let once = ConfirmOptions { runs: 1, ..options() };
        let Confirmation::Ran { runs, .. } = fixture.confirm(&test_file(name), &once) else { panic!("{name}") };
        let told: Vec<_> = runs[0].not_run.iter().map(|(test, reason)| (test.as_str(), reason.clone())).collect();
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn the_fixed_program_passes() {
    let jdk = &testing::jdks()[0];
    let fixture = Fixture::new("fixed", &jdk.home);
    for (name, expected) in [("FullTest", "none: 1 passed"), ("WrongCauseTest", "frames 2/3")] {
        let test = test_file(name);
        let once = ConfirmOptions { runs: 1, ..options() };
        // Lines moved: only whether something escapes is compared.
        let confirmation = fixture.confirm(&test, &once);
        let Confirmation::Ran { runs, .. } = &confirmation else { panic!("{confirmation:?}") };
        let escaped = runs[0].tests.iter().any(|test| test.escaped.is_some());
        assert_eq!(escaped, expected != "none: 1 passed", "{name}");
    }
}

#[test]
fn a_hanging_test_is_stopped() {
    let fixture = Fixture::new("program", &testing::jdks()[0].home);
    let run = |seconds| {
        let options = ConfirmOptions { runs: 1, time_limit: Duration::from_secs(seconds), ..options() };
        let Confirmation::Ran { runs, .. } = fixture.confirm(&test_file("HangingTest"), &options) else { panic!() };
        assert_eq!(runs[0].end, RunEnd::TimedOut);
        runs[0].tests.len()
    };
    // On a busy machine the time may be up before the test has begun.
    let named = [3, 15, 60].into_iter().map(run).find(|named| *named > 0);
    assert_eq!(named, Some(1), "the test that was running is named");
}

#[test]
fn harm_is_contained() {
    for jdk in testing::jdks() {
        let fixture = Fixture::new("program", &jdk.home);
        let canary = tempfile::tempdir().unwrap();
        std::fs::write(canary.path().join("precious"), "precious").unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let jvm_args = vec![
            format!("-Dcanary={}", canary.path().display()),
            format!("-Dport={}", listener.local_addr().unwrap().port()),
        ];
        let options = ConfirmOptions { runs: 1, jvm_args, ..options() };
        let Confirmation::Ran { runs, .. } = fixture.confirm(&test_file("DamagingTest"), &options) else { panic!() };
        let escaped = runs[0].tests[0].escaped.as_ref().unwrap();
        assert_eq!(escaped.message.as_deref(), Some("harm: []"), "{:#?}", runs[0]);
        let left: Vec<_> = std::fs::read_dir(canary.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["precious"]);
    }
}

#[test]
fn the_second_of_three_runs_is_under_other_conditions() {
    let fixture = Fixture::new("program", &testing::jdks()[0].home);
    let Confirmation::Ran { runs, .. } = fixture.confirm(&test_file("EmptyTest"), &options()) else { panic!() };
    let conditions: Vec<Conditions> = runs.iter().map(|run| run.conditions).collect();
    assert_eq!(conditions, [Conditions::Usual, Conditions::Other, Conditions::Usual]);
}

#[test]
fn compiler_errors_name_the_file_and_nothing_else() {
    let fixture = Fixture::new("program", &testing::jdks()[0].home);
    let Confirmation::NotCompiled { errors } = fixture.confirm(&test_file("NotCompilingTest"), &options()) else {
        panic!()
    };
    assert!(errors.starts_with("NotCompilingTest.java:7: error: cannot find symbol"), "{errors}");
    assert!(!errors.contains("/tmp"), "{errors}");
    assert!(errors.contains("\nnote: the class path has no jar of this test framework"), "{errors}");
    assert!(errors.ends_with("`mvn dependency:get '-Dartifact=junit:junit:RELEASE'`"), "{errors}");
    let junit = fixture_with(&["junit:junit:4.13.2"], &testing::jdks()[0].home);
    let Confirmation::NotCompiled { errors } = junit.confirm(&test_file("NotCompilingTest"), &options()) else {
        panic!()
    };
    assert!(!errors.contains("note:"), "{errors}");
}

/// Parameters are a jar of their own, which is not missed before the compiler does.
#[test]
fn parameters_that_are_missing_are_named() {
    let jupiter = fixture_with(&[JUPITER_API[0], JUPITER_API[2]], &testing::jdks()[0].home);
    let Confirmation::NotCompiled { errors } = jupiter.confirm(&test_file("ValuesTest"), &options()) else { panic!() };
    assert!(errors.ends_with(&format!("\nnote: {GET_JUNIT}1.10.2'`")), "{errors}");
}

#[test]
fn a_runtime_without_compiler_is_told() {
    let home = &testing::jdks()[0].home;
    let jre = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(jre.path().join("bin")).unwrap();
    // JDK 8 has a whole runtime inside.
    let parts = ["bin/java", "lib", "release", "jre"];
    for part in parts.into_iter().filter(|part| home.join(part).exists()) {
        std::os::unix::fs::symlink(home.join(part), jre.path().join(part)).unwrap();
    }
    let error = Confirmer::start(&Jdk::at(jre.path()).unwrap(), launch(false), &[]).unwrap_err();
    assert!(matches!(&error, ConfirmError::NoCompiler { .. }), "{error}");
}

#[test]
fn nothing_is_left_behind() {
    let fixture = Fixture::new("program", &testing::jdks()[0].home);
    let leftovers = || {
        let names = std::fs::read_dir(std::env::temp_dir()).unwrap().map(|entry| entry.unwrap().file_name());
        names
            .filter(|name| name.to_string_lossy().contains(&format!("reenact-confirm-{}-", std::process::id())))
            .count()
    };
    fixture.confirm(&test_file("FullTest"), &ConfirmOptions { runs: 1, ..options() });
    drop(fixture);
    // Other tests of this process may be at work; their directories go, too.
    let deadline = std::time::Instant::now() + Duration::from_secs(120);
    while leftovers() > 0 {
        assert!(std::time::Instant::now() < deadline, "temporary directories stay");
        std::thread::sleep(Duration::from_millis(50));
    }
}
