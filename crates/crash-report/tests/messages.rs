//! Messages compared: pairs by hand, and what real JVMs of several versions say of the same faults, each with each.

use crash_report::compare::{Comparing, MessageMatch, Messages, compare};
use crash_report::{Frame, Throwable};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages")
}

fn thrown(class: &str, message: Option<&str>, place: &str) -> Throwable {
    let frame = Frame { class: place.to_owned(), method: "m".to_owned(), ..Frame::default() };
    let message = message.map(str::to_owned);
    Throwable { class: class.to_owned(), message, frames: vec![frame], ..Throwable::default() }
}

fn compared(expected: &Throwable, actual: &Throwable) -> Messages {
    let how = Comparing {
        is_application: &|_| true,
        is_test: &|_| false,
        lines: true,
        reachable: None,
        same_statement: None,
        same_template: None,
    };
    compare(expected, actual, &how).messages
}

#[test]
fn pairs_by_hand() {
    let text = fs::read_to_string(directory().join("pairs.txt")).expect("the table is there");
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [class, log, test, verdict, ignored] = cells[..] else { panic!("five cells: {line}") };
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let of = |text: &str| thrown(class, some(text).as_deref(), "a.B");
        let found = compared(&of(log), &of(test));
        let said: Vec<String> = found.ignored.iter().map(ToString::to_string).collect();
        if (found.verdict.to_string().as_str(), said.join(", ").as_str()) != (verdict, ignored) {
            wrong.push(format!("{line}\n    is {} | {}", found.verdict, said.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What a JVM says of each fault.
fn faults(text: &str) -> Vec<(String, Throwable)> {
    let fault = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, place, class, message] = cells[..] else { panic!("four cells: {line}") };
        let message = message.strip_prefix('=').map(|text| text.replace("\\n", "\n").replace("\\\\", "\\"));
        (name.to_owned(), thrown(class, message.as_deref(), place))
    };
    text.lines().map(fault).collect()
}

fn recorded() -> Vec<(String, Vec<(String, Throwable)>)> {
    let files = fs::read_dir(directory()).expect("the directory is there").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "tsv")).collect();
    files.sort();
    let read = |path: &PathBuf| faults(&fs::read_to_string(path).expect("it can be read"));
    files.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

fn check_same(one: &[(String, Throwable)], other: &[(String, Throwable)], versions: &str) {
    assert!(one.len() > 100 && one.len() == other.len(), "{versions}: {} and {} faults", one.len(), other.len());
    let mut wrong = Vec::new();
    for ((name, expected), (_, actual)) in one.iter().zip(other) {
        let found = compared(expected, actual);
        if found.verdict != MessageMatch::Exact {
            wrong.push(format!("{name}: {} for {:?} and {:?}", found.verdict, expected.message, actual.message));
        }
    }
    assert!(wrong.is_empty(), "{versions}\n{}", wrong.join("\n"));
}

#[test]
fn versions_say_the_same_of_the_same_fault() {
    let all = recorded();
    assert!(all.len() >= 3);
    for (name, one) in &all {
        for (other_name, other) in &all {
            check_same(one, other, &format!("{name} and {other_name}"));
        }
    }
}

/// The other way round: two faults that are not the same are not taken for it, whatever the version.
#[test]
fn other_faults_are_not_exactly_the_same() {
    let all = recorded();
    let (_, first) = &all[0];
    for (version, faults) in all.iter().skip(1).step_by(2).chain(all.last()) {
        for (name, expected) in first {
            for (other, actual) in faults.iter().filter(|(other, _)| other != name) {
                let is_silent = expected.message.is_none() && actual.message.is_none();
                if expected.class != actual.class || expected.message == actual.message || is_silent {
                    continue;
                }
                let may_be_same = share_a_number(expected, actual);
                let found = compared(expected, actual).verdict;
                assert!(
                    found != MessageMatch::Exact || may_be_same,
                    "{version}: {name} and {other}: {expected:?} {actual:?}"
                );
            }
        }
    }
}

/// Whether two messages have a number in common, or none at all: an old wording may name only one of several, or, as that of
/// `substring`, the difference between two of them.
fn share_a_number(one: &Throwable, other: &Throwable) -> bool {
    let numbers = |thrown: &Throwable| {
        let message = thrown.message.clone().unwrap_or_default();
        let parts = message.split(|c: char| !(c.is_ascii_digit() || c == '-')).filter(|part| !part.is_empty());
        let numbers: Vec<i64> = parts.filter_map(|part| part.parse().ok()).collect();
        let differences = numbers.iter().flat_map(|one| numbers.iter().map(move |other| one.saturating_sub(*other)));
        numbers.iter().copied().chain(differences.filter(|difference| *difference != 0)).collect::<Vec<i64>>()
    };
    let (one, other) = (numbers(one), numbers(other));
    (one.is_empty() && other.is_empty()) || one.iter().any(|number| other.contains(number))
}

#[test]
fn the_jvm_at_hand_says_what_others_say() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Messages.java");
    #[expect(clippy::disallowed_methods, reason = "the test compares with what a real JVM says")]
    let output = Command::new(java()).arg(program).output().expect("the JDK can be started");
    let text = String::from_utf8(output.stdout).expect("the program prints UTF-8");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    for (version, recorded) in recorded() {
        check_same(&recorded, &faults(&text), &version);
    }
}

/// From the same line of the JDK, or from another method of it, another text is another fault.
#[test]
fn null_pointers_of_the_jdk_with_another_action_are_the_same_in_other_versions_only() {
    let thrown = |action: &str, method: &str, line| {
        let frame = Frame { class: "java.util.B".into(), method: method.into(), line, ..Frame::default() };
        let message = Some(format!("Cannot invoke \"{action}\" because \"in\" is null"));
        let class = "java.lang.NullPointerException".into();
        Throwable { class, message, frames: vec![frame], ..Throwable::default() }
    };
    let log = thrown("String.trim()", "m", Some(7));
    let cases = [
        (thrown("String.trim()", "m", Some(7)), MessageMatch::Exact),
        (thrown("String.length()", "m", Some(9)), MessageMatch::Exact),
        (thrown("String.length()", "m", None), MessageMatch::Exact),
        (thrown("String.length()", "m", Some(7)), MessageMatch::Other),
        (thrown("String.length()", "n", Some(9)), MessageMatch::Other),
    ];
    for (test, expected) in cases {
        assert_eq!(compared(&log, &test).verdict, expected, "{test:?}");
    }
}

/// The `java` of `JAVA_HOME`, or of a JDK in the usual directories.
fn java() -> PathBuf {
    let homes = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter();
    let usual = ["/usr/lib/jvm", "/usr/java", "/opt/java", "/Library/Java/JavaVirtualMachines"].iter();
    let found = usual.flat_map(|dir| fs::read_dir(dir).into_iter().flatten()).flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = found.flat_map(|home| [home.join("Contents/Home"), home]).collect();
    found.sort();
    let candidates = homes.chain(found).map(|home| home.join("bin/java"));
    candidates
        .into_iter()
        .find(|java| java.is_file() && java.with_file_name("javac").is_file())
        .expect("no JDK found: set JAVA_HOME, or run `cargo xtask test`, which says how to install one")
}
