//! The contract of the command line: exit status, messages with the next step, JSON.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::process::{Command, Stdio};
use support::{end, jar, lock_up, reenact, run, trace};

/// It could not run: status 2, nothing on standard output, one message that names the thing, and a hint.
fn refuses(args: &[&str], names: &str) {
    is_refusal(args, &run(args), names);
}

fn is_refusal(args: &[&str], ended: &support::Ended, names: &str) {
    let errors = &ended.stderr;
    assert_eq!(ended.code(), Some(2), "{args:?}: {errors}");
    assert!(ended.stdout.is_empty(), "{args:?}");
    assert!(errors.starts_with("error: ") && errors.contains(names), "{args:?}: {errors}");
    assert!(errors.contains("\nhint: "), "{args:?}: {errors}");
    assert_eq!(errors.matches("error: ").count(), 1, "{errors}");
}

#[test]
fn bad_input_gets_one_clear_message() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let empty = file("empty.log", b"");
    let binary = file("binary.log", &[0, 159, 146, 150, 255, 254, 1, 2, 3]);
    let prose = file("prose.log", b"It does not work. Please fix it.\n");
    let head = file("head.log", b"at night:\na.BException: it failed\n");
    let dump = file("dump.log", b"\"main\" #1 prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n");
    let cut = file("cut.jar", &std::fs::read(jar()).unwrap()[..3000]);
    let not_a_jar = file("not-a.jar", b"this is not a zip archive");
    let only_jdk =
        file("only-jdk.log", b"java.lang.IllegalStateException: x\n\tat java.util.Optional.get(Optional.java:9)\n");
    let no_jars = directory.path().join("no-jars");
    std::fs::create_dir(&no_jars).unwrap();
    let jars = directory.path().join("jars");
    std::fs::create_dir(&jars).unwrap();
    std::fs::copy(jar(), jars.join("app.jar")).unwrap();
    let jars = jars.display().to_string();
    let crash = trace("ACC-48");
    for command in ["check", "reproduce"] {
        refuses(&[command, &empty, "-c", &jar()], "is empty");
        refuses(&[command, &binary, "-c", &jar()], "no stack trace");
        refuses(&[command, &prose, "-c", &jar()], "no stack trace");
        refuses(&[command, "no-such.log", "-c", &jar()], "no-such.log");
        refuses(&[command, directory.path().to_str().unwrap(), "-c", &jar()], "directory");
        refuses(&[command, &crash, "-c", "no-such.jar"], "no-such.jar");
        refuses(&[command, &crash, "-c", &not_a_jar], "not-a.jar");
        refuses(&[command, &crash], "class path is empty");
        refuses(&[command, &crash, "-c", ""], "class path is empty");
        refuses(&[command, &crash, "-c", &format!("{}/*", no_jars.display())], "no-jars");
        refuses(&[command, &only_jdk, "-c", &jar()], "only-jdk.log");
        refuses(&[command, &crash, "-c", &jar(), "--application", "com\\.acme\\..*"], "ACC-48.log");
        refuses(&[command, &crash, "-c", &jar(), "--application", "com.(acme"], "com.(acme");
        refuses(&[command, &crash, "-c", &jar(), "--jdk", "/no/such/jdk"], "/no/such/jdk");
        refuses(&[command, &crash, "-c", &jar(), "--trace", "7"], "there is no trace 7: the text has 1 trace");
        refuses(&[command, &crash, "-c", &jar(), "--cause", "7"], "there is no exception 7");
        refuses(&[command, &head, "-c", &jar()], "head.log` names `a.BException` in line 2");
        refuses(&[command, &dump, "-c", &jar()], "a thread dump but no exception");
        refuses(&[command, &crash, "-c", &cut], "cut.jar`: its end is missing");
        refuses(&[command, &crash, "-c", &jar(), "--trace", "0"], "count from 1");
        refuses(&[command, &crash, "-c", &jars], &format!("write `{jars}/*`"));
    }
}

/// The fixed build is looked at before the search: a test that was found is not lost for it.
#[test]
fn a_fixed_build_that_cannot_be_read_is_said_before_the_search() {
    let directory = tempfile::tempdir().unwrap();
    let broken = directory.path().join("broken.jar");
    std::fs::write(&broken, b"this is not a zip archive").unwrap();
    refuses(&[&trace("ACC-48"), "-c", &jar(), "--fixed", broken.to_str().unwrap()], "broken.jar");
}

#[test]
fn a_java_home_that_is_none_is_said_and_another_jdk_used() {
    let ended = end(reenact().args(["check", &trace("ACC-48"), "-c", &jar()]).env("JAVA_HOME", "/no/such/jdk"));
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("warning: JAVA_HOME: `/no/such/jdk` is not a JDK"), "{}", ended.stderr);
}

/// What another user has closed is named, be it the log, a jar or a directory with jars.
#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    std::fs::set_permissions(directory.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let closed = |name: &str| directory.path().join(name);
    std::fs::write(closed("closed.log"), "").unwrap();
    std::fs::write(closed("closed.jar"), "").unwrap();
    std::fs::create_dir(closed("closed-directory")).unwrap();
    let paths = ["closed.log", "closed.jar", "closed-directory"].map(closed);
    for path in &paths {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o000)).unwrap();
    }
    // For the superuser everything is open.
    let is_superuser = std::fs::read(&paths[0]).is_ok();
    let crash = closed("crash.log");
    std::fs::copy(trace("ACC-48"), &crash).unwrap();
    let [log, jar, jars] = paths.each_ref().map(|path| path.display().to_string());
    let crash = crash.display().to_string();
    for (args, names) in [
        (["check", &log, "-c", "."], "closed.log"),
        (["check", &crash, "-c", &jar], "closed.jar"),
        (["check", &crash, "-c", &jars], "closed-directory"),
        (["check", &crash, "-c", &format!("{jars}/*")], "closed-directory"),
    ] {
        let ended = if is_superuser { run_as_nobody(&args) } else { run(&args) };
        is_refusal(&args, &ended, names);
    }
    std::fs::set_permissions(&paths[2], PermissionsExt::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the tests start the tool itself")]
fn run_as_nobody(args: &[&str]) -> support::Ended {
    use std::os::unix::process::CommandExt;
    let nobody = 65534;
    // From a copy, since the directories above the original may be closed too.
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("reenact");
    std::fs::copy(env!("CARGO_BIN_EXE_reenact"), &program).unwrap();
    std::fs::set_permissions(directory.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(&program);
    command.args(args).uid(nobody).gid(nobody);
    end(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))
}

#[test]
fn an_output_directory_that_cannot_be_written_is_said_before_the_search() {
    refuses(&[&trace("ACC-48"), "-c", &jar(), "-o", "/proc/nowhere"], "/proc/nowhere");
}

/// A disk that is full, as far as the system lets one be played.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    for args in [&["check", &trace("ACC-48"), "-c", &jar()][..], &["doctor"]] {
        let mut command = reenact();
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = end(command.args(args).stdout(full));
        assert_eq!(ended.code(), Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains("error: cannot write to standard output: No space left"), "{}", ended.stderr);
    }
}

#[test]
fn check_says_that_log_and_jar_fit() {
    let ended = run(&["check", &trace("ACC-48"), "-c", &jar()]);
    let text = &ended.stdout;
    assert_eq!(ended.code(), Some(0), "{text}");
    assert!(text.contains("initialCapacity < 1"), "{text}");
    assert!(text.contains("fits: 6 of 6 application frames bound"), "{text}");
}

#[test]
fn check_says_why_log_and_jar_do_not_fit() {
    let directory = tempfile::tempdir().unwrap();
    let other = directory.path().join("other.log");
    let text = std::fs::read_to_string(trace("ACC-48")).unwrap().replace("java:142)", "java:31999)");
    std::fs::write(&other, text).unwrap();
    let ended = run(&["check", other.to_str().unwrap(), "-c", &jar()]);
    let text = &ended.stdout;
    assert_eq!(ended.code(), Some(1), "{text}");
    assert!(text.contains("does not fit") && text.contains("31999"), "{text}");
}

/// Each cause has its own frames and its own condition.
#[test]
fn check_accounts_for_causes() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("crash.log");
    let text = "java.lang.IllegalStateException: no map
\tat org.apache.commons.collections.map.TransformedMap.transformMap(TransformedMap.java:153)
\tat org.apache.commons.collections.map.TransformedMap.putAll(TransformedMap.java:190)
Caused by: java.lang.IllegalArgumentException: Initial capacity must be greater than 0
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:142)
\tat org.apache.commons.collections.map.AbstractHashedMap.<init>(AbstractHashedMap.java:127)
\t... 2 more
";
    std::fs::write(&log, text).unwrap();
    let text = run(&["check", log.to_str().unwrap(), "-c", &jar()]).stdout;
    let (_, cause) =
        text.split_once("\ncaused by java.lang.IllegalArgumentException: ").unwrap_or_else(|| panic!("{text}"));
    assert!(cause.contains("<init>(int, float) @9..19 by call"), "{text}");
    assert!(cause.contains("... 2 frames as above") && cause.contains("@18    initialCapacity < 1\n"), "{text}");
    let json = run(&["check", log.to_str().unwrap(), "-c", &jar(), "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let site = &json["causes"][0]["throws"][0];
    assert_eq!(site["condition"], "initialCapacity < 1");
    // The constructor call, which the trace names, and the `athrow`.
    assert_eq!((site["made_at"].as_u64(), site["bytecode"].as_u64()), (Some(15), Some(18)));
}

#[test]
fn check_shows_what_repeats_in_a_stack_overflow() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("crash.log");
    let frame = "\tat org.apache.commons.collections.map.TransformedMap.putAll(TransformedMap.java:190)\n";
    std::fs::write(&log, format!("java.lang.StackOverflowError\n{}", frame.repeat(9))).unwrap();
    let text = run(&["check", log.to_str().unwrap(), "-c", &jar()]).stdout;
    let told =
        "thrown when the stack is full; this frame repeats\n     org.apache.commons.collections.map.TransformedMap";
    assert!(text.contains(told), "{text}");
}

#[test]
fn an_obfuscated_log_is_read_with_its_mapping() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let class = "org.apache.commons.collections.map.AbstractHashedMap";
    let log = file("crash.log", &std::fs::read_to_string(trace("ACC-48")).unwrap().replace(class, "a.b"));
    let mapping = file("mapping.txt", &format!("{class} -> a.b:\n    int size -> c\n"));
    let text = run(&["check", &log, "-c", &jar(), "--mapping", &mapping]).stdout;
    assert!(text.contains("fits: 6 of 6 application frames bound"), "{text}");
    refuses(&["check", &log, "-c", &jar(), "--mapping", &log], "crash.log");
}

/// Loggers shorten packages; which class is meant, the program tells.
#[test]
fn shortened_packages_are_completed() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("short.log");
    let text = std::fs::read_to_string(trace("ACC-48")).unwrap();
    let text = text.replace("java.lang.", "j.l.").replace("org.apache.commons.collections.map.", "o.a.c.c.map.");
    std::fs::write(&log, text).unwrap();
    let shown = run(&["check", log.to_str().unwrap(), "-c", &jar()]).stdout;
    assert!(shown.contains("target   java.lang.IllegalArgumentException: Initial capacity"), "{shown}");
    assert!(shown.contains("org.apache.commons.collections.map.LinkedMap.<init>(LinkedMap.java:78)"), "{shown}");
    assert!(shown.contains("fits: 6 of 6"), "{shown}");
}

#[test]
fn json_has_schema_and_event() {
    let json = run(&["check", &trace("ACC-48"), "-c", &jar(), "--json"]).result();
    assert_eq!((json["schema"].as_u64(), json["event"].as_str()), (Some(2), Some("check")));
    assert_eq!(json["verdict"]["fit"], "fits");
    assert_eq!(json["frames"].as_array().unwrap().len(), 6);
}

/// The whole way: from the log to a test that a fresh JVM confirms, and nothing else is left behind.
#[test]
fn a_crash_is_reproduced_and_confirmed() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = reenact();
    command.args([&trace("ACC-48"), "-c", &jar(), "--junit", "4", "--json", "--candidates", "4000"]);
    let ended = end(command.args(lock_up()).args(["-o", "out"]).current_dir(directory.path()));
    let result = ended.result();
    assert_eq!(ended.code(), Some(0), "{}{}", ended.stdout, ended.stderr);
    assert_eq!(result["event"], "result");
    assert!(result["grade"].as_str().unwrap().starts_with("full-stack"), "{result}");
    assert_eq!((result["frames"]["matched"].as_u64(), result["frames"]["of"].as_u64()), (Some(6), Some(6)));
    let test = std::fs::read_to_string(directory.path().join(result["test"].as_str().unwrap())).unwrap();
    assert!(test.contains("@Test"), "{test}");
    let number = |name: &str| result[name].as_f64().unwrap();
    assert!(number("executed") >= number("candidates") && number("candidates") > 0.0, "{result}");
    for part in ["tool_cpu_seconds", "worker_cpu_seconds", "confirm_cpu_seconds", "candidate_cpu_seconds"] {
        assert!(number(part) > 0.0, "{part}: {result}");
    }
    let left: Vec<_> = std::fs::read_dir(directory.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["out"]);
}

/// A test that passes while the bug exists says what the crash is: type, message and frames, as fresh JVMs showed them.
#[test]
fn the_crash_is_asserted() {
    for (framework, how) in [("4", "assertThrows("), ("main", "catch (IllegalArgumentException e)")] {
        let out = tempfile::tempdir().unwrap();
        let mut command = reenact();
        command.args([&trace("ACC-48"), "-c", &jar(), "--junit", framework, "--json", "--candidates", "4000"]);
        command.args(lock_up()).args(["--style", "assert-throws", "-o"]).arg(out.path());
        let ended = end(&mut command);
        let result = ended.result();
        assert_eq!(ended.code(), Some(0), "{}{}", ended.stdout, ended.stderr);
        assert!(result["grade"].as_str().unwrap().starts_with("full-stack"), "{result}");
        let test = std::fs::read_to_string(result["test"].as_str().unwrap()).unwrap();
        let frame = "\"org.apache.commons.collections.map.AbstractHashedMap.<init>:142\"";
        for part in [
            how,
            "IllegalArgumentException crash",
            "\"Initial capacity must be greater than 0\"",
            "getMessage()",
            frame,
        ] {
            assert!(test.contains(part), "{part} in {test}");
        }
    }
}

#[test]
fn engines_that_are_not_there_are_named() {
    for engine in ["explore", "warp"] {
        let ended = run(&[&trace("ACC-48"), "-c", &jar(), "--engine", engine]);
        assert_eq!(ended.code(), Some(2));
        assert!(
            ended.stderr.contains(engine)
                && ended.stderr.contains("there are `backward`, `replay`, `evolve`, and `auto`"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn workers_that_cannot_start_are_explained() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out").display().to_string();
    let crash = trace("ACC-48");
    if lock_up().is_empty() {
        refuses(&[&crash, "-c", &jar(), "-o", &out, "-q", "--jvm-arg", "-XX:+NoSuchOption"], "NoSuchOption");
    } else {
        refuses(&[&crash, "-c", &jar(), "-o", &out, "-q"], "--no-sandbox");
    }
}

#[test]
fn a_temporary_directory_that_cannot_be_used_is_named() {
    let mut command = reenact();
    command.args([&trace("ACC-48"), "-c", &jar()]).env("TMPDIR", "/no/such/directory");
    let ended = end(&mut command);
    assert_eq!(ended.code(), Some(2));
    assert!(ended.stderr.contains("/no/such/directory") && ended.stderr.contains("TMPDIR"), "{}", ended.stderr);
}

#[test]
fn doctor_tells_what_is_here() {
    let ended = run(&["doctor", "--json"]);
    let view = ended.result();
    assert!(!view["jdks"].as_array().unwrap().is_empty());
    let sandboxed = view["sandbox"]["missing"].is_null();
    assert_eq!(ended.code(), Some(if sandboxed { 0 } else { 1 }), "{view}");
    let text = run(&["doctor"]).stdout;
    assert!(text.contains("sandbox  ") && text.contains("JDK      "), "{text}");
    let promises = view["sandbox"]["promises"].as_array().unwrap();
    let names: Vec<&str> = promises.iter().map(|promise| promise["promise"].as_str().unwrap()).collect();
    assert_eq!(names, ["changes", "reading", "network", "processes", "disk"]);
    for promise in promises {
        let not = if promise["kept"] == true { "" } else { "NOT " };
        let line = format!("{not}promised: {}", promise["text"].as_str().unwrap());
        assert!(text.contains(&line), "{line}: {text}");
    }
}

/// Z3 is in neither place that it is looked for.
fn without_solver(args: &[&str]) -> support::Ended {
    let cache = tempfile::tempdir().unwrap();
    end(reenact().args(args).env("REENACT_CACHE", cache.path()).env("PATH", "/no/such/directory"))
}

#[test]
fn a_missing_solver_is_told_and_the_search_goes_on_without() {
    let doctor = without_solver(&["doctor", "--json"]);
    assert!(doctor.result()["solver"].is_null(), "{}", doctor.stdout);
    let text = without_solver(&["doctor"]).stdout;
    assert!(text.contains("\nsolver   none") && text.contains("`--install`"), "{text}");

    let (crash, out) = (trace("ACC-48"), tempfile::tempdir().unwrap());
    let jdk = program::Jdk::find(None).expect("the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`");
    let (home, out) = (jdk.home.to_str().unwrap(), out.path().to_str().unwrap());
    let ended =
        without_solver(&[&crash, "-c", &jar(), "--junit", "4", "--candidates", "4000", "-o", out, "--jdk", home]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert_eq!(ended.stderr.matches("`reenact doctor --install`").count(), 1, "{}", ended.stderr);
    let evolve_only =
        ["--engine", "evolve", &crash, "-c", &jar(), "--junit", "4", "--candidates", "4000", "-o", out, "--jdk", home];
    let ended = without_solver(&evolve_only);
    assert!(!ended.stderr.contains("doctor --install"), "{}", ended.stderr);
}

#[test]
fn a_path_to_read_must_be_there() {
    let ended = run(&[&trace("ACC-48"), "-c", &jar(), "--allow-read", "/no/such"]);
    assert_eq!(ended.code(), Some(2));
    assert!(ended.stderr.contains("`--allow-read /no/such`"), "{}", ended.stderr);
}

#[test]
fn every_command_has_help() {
    for args in
        [&["--help"][..], &["reproduce", "--help"], &["check", "--help"], &["bench", "--help"], &["doctor", "-h"]]
    {
        let ended = run(args);
        assert_eq!(ended.code(), Some(0), "{args:?}");
        assert!(ended.stdout.contains("Usage:") && ended.stderr.is_empty(), "{args:?}");
    }
}

/// The search needs no compiler: the test is written, and it is said that nobody has confirmed it.
#[test]
fn a_runtime_without_compiler_borrows_one() {
    let jdk = program::Jdk::find(None).expect("the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`");
    let jre = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(jre.path().join("bin")).unwrap();
    for part in ["bin/java", "lib"] {
        std::os::unix::fs::symlink(jdk.home.join(part), jre.path().join(part)).unwrap();
    }
    // An older one than the JDK whose compiler it gets, which then has to compile for it.
    std::fs::write(jre.path().join("release"), format!("JAVA_VERSION=\"{}\"\n", jdk.feature - 1)).unwrap();
    let out = tempfile::tempdir().unwrap();
    let (crash, jdk, out) = (trace("ACC-48"), jre.path().to_str().unwrap(), out.path().to_str().unwrap());
    let ended = run(&[&crash, "-c", &jar(), "--junit", "4", "--candidates", "4000", "-o", out, "--jdk", jdk]);
    let errors = &ended.stderr;
    assert_eq!(ended.code(), Some(0), "{errors}");
    assert!(
        errors.contains(&format!("note: `{jdk}` has no compiler: tests are compiled by that of Java ")),
        "{errors}"
    );
    let test = std::fs::read_to_string(std::path::Path::new(out).join("AbstractHashedMapCrashTest.java")).unwrap();
    assert!(test.contains("@Test"), "{test}");
}

/// With a number of candidates instead of a time, nothing is left to chance.
#[test]
fn the_same_seed_gives_the_same_test() {
    let once = || {
        let out = tempfile::tempdir().unwrap();
        let directory = out.path().to_str().unwrap();
        let (crash, jar) = (trace("ACC-77"), jar());
        let ended = run(&[&crash, "-c", &jar, "--junit", "4", "--candidates", "6000", "--json", "-o", directory]);
        let result = ended.result();
        let test = result["test"].as_str().map(|path| std::fs::read_to_string(path).unwrap());
        (result["grade"].clone(), result["candidates"].clone(), test)
    };
    let (first, second) = (once(), once());
    assert!(first.2.is_some(), "{first:?}");
    assert_eq!(first, second);
}
