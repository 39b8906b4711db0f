//! `reenact confirm` on hand-written tests: the grade, the exit status, what people and scripts read.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The tests of the confirmation itself have the program, its crash and the hand-written tests.
fn data(below: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../confirm/tests/confirm").join(below).display().to_string()
}

fn case(name: &str) -> String {
    data(&format!("cases/{name}.java"))
}

#[expect(clippy::disallowed_methods, reason = "the tests start the tool itself and javac")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

fn reenact(args: &[&str]) -> Output {
    let mut reenact = command(Path::new(env!("CARGO_BIN_EXE_reenact")));
    // The stubs of the test frameworks, whatever this machine's Maven repository has.
    reenact.arg("confirm").args(args).env("HOME", "/nonexistent").env("REENACT_CACHE", "/nonexistent");
    reenact.stdin(Stdio::null()).output().unwrap()
}

fn home() -> PathBuf {
    program::Jdk::find(None).expect("the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`").home
}

/// The program or its fixed version, compiled.
fn compiled(version: &str) -> tempfile::TempDir {
    let classes = tempfile::tempdir().unwrap();
    let mut javac = command(&home().join("bin/javac"));
    javac.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(classes.path());
    for name in ["Ledger", "Office", "ReportFailed"] {
        javac.arg(data(&format!("{version}/org/acme/{name}.java")));
    }
    assert!(javac.status().unwrap().success());
    classes
}

fn result(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_str(last).unwrap()
}

/// A file that the sandbox kept away is named, with the way to it.
#[test]
fn a_file_that_could_not_be_read_is_named() {
    if !sandbox::probe().promises().iter().any(|promise| promise.name == "reading" && promise.kept) {
        return;
    }
    let program = compiled("program");
    let directory = tempfile::tempdir().unwrap();
    let (test, file) = (directory.path().join("ReadingTest.java"), directory.path().join("settings"));
    std::fs::write(&file, "text").unwrap();
    let read = format!("java.nio.file.Files.readAllBytes(java.nio.file.Paths.get({:?}))", file.display().to_string());
    let method = format!("@org.junit.Test public void reads() throws Exception {{ {read}; }}");
    std::fs::write(&test, format!("public class ReadingTest {{ {method} }}")).unwrap();
    let (test, file, class_path) = (test.to_str().unwrap(), file.to_str().unwrap(), program.path().to_str().unwrap());
    let reason = |more: &[&str]| {
        let crash = data("crash.txt");
        let json = result(&reenact(&[&[test, &crash, "-c", class_path, "--json"], more].concat()));
        json["reason"].as_str().unwrap().to_owned()
    };
    let without = reason(&[]);
    assert!(
        without.contains(&format!("the program was not allowed to read `{file}`; `--allow-read {file}` permits it")),
        "{without}"
    );
    let with = reason(&["--allow-read", file]);
    assert!(with.contains("the test passes"), "{with}");
}

#[test]
fn the_exit_status_says_whether_the_full_stack_was_confirmed() {
    let program = compiled("program");
    let class_path = program.path().to_str().unwrap();
    for (name, crash, status, grade, reason) in [
        ("FullTest", "crash.txt", 0, "full-stack~message", None),
        ("JupiterTest", "crash.txt", 0, "full-stack~message", None),
        ("MainTest", "crash.txt", 0, "full-stack~message", None),
        ("RecursiveTest", "overflow.txt", 0, "full-stack+message", None),
        ("PartialTest", "crash.txt", 1, "frames 2/3~message", Some("frame 3 is")),
        ("WrongCauseTest", "crash.txt", 1, "frames 2/3", Some("cause 1")),
        ("OtherExceptionTest", "crash.txt", 1, "none", Some("was thrown instead of")),
        ("OtherPlaceTest", "crash.txt", 1, "none", Some("frame 1 is")),
        ("EmptyTest", "crash.txt", 1, "none", Some("the test passes")),
        ("NoTest", "crash.txt", 1, "none", Some("there is no test")),
        ("IgnoredTest", "crash.txt", 1, "none", Some("`crash(IgnoredTest)` is not run: it is ignored")),
        ("TakingTest", "crash.txt", 1, "none", Some("is not run: it takes parameters; put JUnit 5")),
        ("NestedTest", "crash.txt", 1, "none", Some("`mvn dependency:get '-Dartifact=org.junit.platform:")),
        ("NotCompilingTest", "crash.txt", 1, "none", Some("does not compile: NotCompilingTest.java:7:")),
        ("FlakyTest", "crash.txt", 1, "none", Some("the test passes")),
        ("ThrowingTest", "crash.txt", 1, "none", Some("throws the exception itself")),
        ("StackMakingTest", "crash.txt", 1, "none", Some("makes a stack trace itself")),
        ("ReplacingTest", "crash.txt", 1, "none", Some("brings classes that the program has")),
        ("ExitingTest", "crash.txt", 1, "none", Some("the JVM ended inside the test, with status 3")),
    ] {
        let output = reenact(&[&case(name), &data(crash), "-c", class_path, "--json"]);
        let json = result(&output);
        assert_eq!(output.status.code(), Some(status), "{name}: {json}");
        assert_eq!((json["schema"].as_u64(), json["event"].as_str()), (Some(2), Some("result")));
        assert_eq!(json["grade"], grade, "{name}: {json}");
        assert_eq!(json["flaky"], name == "FlakyTest", "{name}: {json}");
        assert_eq!(
            json["runs"].as_array().unwrap().len(),
            if name == "NotCompilingTest" || name == "ReplacingTest" { 0 } else { 3 }
        );
        match reason {
            Some(reason) => assert!(json["reason"].as_str().unwrap().contains(reason), "{name}: {json}"),
            None => assert_eq!(json["reason"], Value::Null, "{name}"),
        }
    }
}

#[test]
fn the_fixed_build_shows_whether_the_test_shows_the_bug() {
    let (program, fixed) = (compiled("program"), compiled("fixed"));
    let (program, fixed) = (program.path().to_str().unwrap(), fixed.path().to_str().unwrap());
    for (name, on_fixed) in [("FullTest", "passes"), ("WrongCauseTest", "same-crash")] {
        let args = [&case(name), &data("crash.txt"), "-c", program, "--fixed", fixed, "--runs", "1", "--json"];
        let json = result(&reenact(&args));
        assert_eq!(json["fixed"], on_fixed, "{name}: {json}");
    }
}

#[test]
fn people_read_the_verdict_first_and_then_the_runs() {
    let program = compiled("program");
    let args = [&case("PartialTest"), &data("crash.txt"), "-c", program.path().to_str().unwrap(), "--runs", "2"];
    let text = String::from_utf8(reenact(&args).stdout).unwrap();
    let untimed: Vec<String> = text
        .lines()
        .map(|line| line.split("  ").filter(|part| !part.trim_end().ends_with(" s")).collect::<Vec<_>>().join("  "))
        .collect();
    let expected = "\
frames 2/3~message, 2 of 3 application frames
frame 3 is `PartialTest.crash(PartialTest.java:10)` instead of `org.acme.Office.close(Office.java:15)`
the message of cause 1, java.lang.IllegalStateException, is `negative amount -5` instead of `negative amount -7`

as it is here                    frames 2/3~message  org.acme.ReportFailed from crash(PartialTest)
Chatham Islands, German, 384 MB  frames 2/3~message  org.acme.ReportFailed from crash(PartialTest)";
    assert_eq!(untimed.join("\n"), expected, "{text}");
}

#[test]
fn a_test_of_several_files_in_directories_is_compiled_together() {
    let program = compiled("program");
    let tests = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(tests.path().join("org/acme/helping")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(tests.path().join(name), text).unwrap();
    let full = std::fs::read_to_string(case("FullTest")).unwrap();
    write("org/acme/FullTest.java", &format!("package org.acme;\n{full}"));
    write("org/acme/helping/Helper.java", "package org.acme.helping;\npublic class Helper {}\n");
    write("notes.txt", "not Java");
    let class_path = program.path().to_str().unwrap();
    let output = reenact(&[tests.path().to_str().unwrap(), &data("crash.txt"), "-c", class_path, "--json"]);
    let json = result(&output);
    assert_eq!(json["grade"], "full-stack~message", "{json}");
    assert_eq!(json["method"], "crash(org.acme.FullTest)");
}

/// It could not run: status 2, nothing on standard output, one message that names the thing, and a hint.
fn refuses(args: &[&str], names: &str) {
    let output = reenact(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(errors.starts_with("error: ") && errors.contains(names), "{args:?}: {errors}");
    assert!(errors.contains("\nhint: "), "{args:?}: {errors}");
}

#[test]
fn bad_input_gets_one_clear_message() {
    let program = compiled("program");
    let class_path = program.path().to_str().unwrap();
    let (full, crash) = (case("FullTest"), data("crash.txt"));
    let empty = tempfile::tempdir().unwrap();
    refuses(&["NoSuchTest.java", &crash, "-c", class_path], "NoSuchTest.java");
    refuses(&[empty.path().to_str().unwrap(), &crash, "-c", class_path], "there is no Java file");
    refuses(&[&full, "no-such.log", "-c", class_path], "no-such.log");
    refuses(&[&full, &crash, "-c", "no-such.jar"], "no-such.jar");
    refuses(&[&full, &crash], "class path is empty");
    refuses(&[&full, &crash, "-c", class_path, "--fixed", "no-such.jar"], "no-such.jar");
    refuses(&[&full, &crash, "-c", class_path, "--jdk", "/no/such/jdk"], "/no/such/jdk");
}

#[test]
fn a_runtime_without_compiler_borrows_one() {
    let program = compiled("program");
    let (full, crash) = (case("FullTest"), data("crash.txt"));
    let jre = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(jre.path().join("bin")).unwrap();
    for part in ["bin/java", "lib", "release"] {
        std::os::unix::fs::symlink(home().join(part), jre.path().join(part)).unwrap();
    }
    let jre = jre.path().to_str().unwrap();
    let ended = reenact(&[&full, &crash, "-c", program.path().to_str().unwrap(), "--jdk", jre]);
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{errors}");
    assert!(errors.contains(&format!("note: `{jre}` has no compiler")), "{errors}");
}

#[test]
fn classes_that_are_too_new_for_the_jdk_are_named() {
    let program = compiled("program");
    let office = program.path().join("org/acme/Office.class");
    let mut class = std::fs::read(&office).unwrap();
    // The major version: of the Java after the newest that the reader knows, or of a later one.
    class[7] = 70;
    std::fs::write(&office, class).unwrap();
    let args = [&case("FullTest"), &data("crash.txt"), "-c", program.path().to_str().unwrap()];
    refuses(&args, "class `org.acme.Office` is compiled for Java 26");
    let older = compiled("program");
    let (older, newer) = (older.path().to_str().unwrap(), program.path().to_str().unwrap());
    let args = [&case("FullTest"), &data("crash.txt"), "-c", older, "--fixed", newer];
    refuses(&args, "class `org.acme.Office` is compiled for Java 26");
}

#[test]
fn no_room_for_temporary_files_is_said() {
    let program = compiled("program");
    let mut reenact = command(Path::new(env!("CARGO_BIN_EXE_reenact")));
    reenact.args(["confirm", &case("FullTest"), &data("crash.txt"), "-c", program.path().to_str().unwrap()]);
    let output = reenact.env("TMPDIR", "/proc").stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("cannot make a temporary directory") && errors.contains("TMPDIR"), "{errors}");
}

#[test]
fn running_without_sandbox_is_said_loudly() {
    let program = compiled("program");
    let class_path = program.path().to_str().unwrap();
    let args = [&case("FullTest"), &data("crash.txt"), "-c", class_path, "--runs", "1", "--no-sandbox"];
    let output = reenact(&args);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("warning: without a sandbox"));
}
