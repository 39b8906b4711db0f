//! Budgets of time: a run ends soon after, whatever the program, the JDK or the input does, and with what there is: a confirmed
//! test, a test that is said to be unconfirmed, or the reason why there is none.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Ended, Program, end};

/// Budgets in seconds: the first that lets a busy machine find the crash will do.
const BUDGETS: [u32; 4] = [4, 8, 16, 40];

/// Runs until there is a test that could not be confirmed.
fn unconfirmed(program: &Program, more: &[&str]) -> Ended {
    for budget in BUDGETS {
        let mut command = program.command();
        let ended = end(command.args(more).args(["--budget", &format!("{budget}s")]));
        let result = ended.result();
        assert_eq!(ended.code(), Some(1), "{}{}", ended.stdout, ended.stderr);
        assert_eq!(
            (&result["grade"], &result["test"], result["reason"].is_null()),
            (&"none".into(), &serde_json::Value::Null, false)
        );
        program.assert_no_temporary_files();
        if !result["unconfirmed"].is_null() {
            return ended;
        }
    }
    panic!("nothing was found to be confirmed");
}

fn assert_is_unconfirmed(ended: &Ended) {
    let result = ended.result();
    let test = std::fs::read_to_string(result["unconfirmed"].as_str().unwrap()).unwrap();
    assert!(test.contains("Shop.total("), "{test}");
    assert_eq!(result["reason"]["code"], "budget");
    assert!(result["reason"]["text"].as_str().unwrap().contains("no time left to confirm"), "{result}");
}

/// Where no worker is, the test does not end.
const ONLY_IN_WORKERS: &str = "static void hang() { try { Class.forName(\"reenact.host.Worker\", false, null); } \
     catch (ClassNotFoundException e) { while (true) { try { Thread.sleep(1000); } catch (Throwable t) { } } } }";

#[test]
fn a_test_that_does_not_end_in_a_fresh_jvm_is_unconfirmed() {
    let program =
        Program::new(ONLY_IN_WORKERS, "if (n > 3) { hang(); throw new IllegalStateException(\"too many: \" + n); }");
    assert_is_unconfirmed(&unconfirmed(&program, &[]));
}

/// A JDK whose `java` does nothing for ever: no compiler, no runs.
fn hanging_jdk(place: &Path) -> PathBuf {
    let (real, home) = (support::jdks().remove(0), place.join("jdk"));
    std::fs::create_dir_all(home.join("bin")).unwrap();
    for entry in
        std::fs::read_dir(&real).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.file_name() != "bin")
    {
        symlink(entry.path(), home.join(entry.file_name())).unwrap();
    }
    symlink(real.join("bin/javac"), home.join("bin/javac")).unwrap();
    let source = place.join("java.c");
    std::fs::write(&source, "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n").unwrap();
    #[expect(clippy::disallowed_methods, reason = "the compiler that links the tests themselves")]
    let compiled = Command::new("cc").arg("-o").arg(home.join("bin/java")).arg(source).status();
    assert!(compiled.unwrap().success());
    home
}

#[test]
fn what_a_compiler_does_not_answer_about_is_unconfirmed() {
    let program = Program::new("", "if (n > 3) { throw new IllegalStateException(\"too many: \" + n); }");
    let home = hanging_jdk(program.directory.path());
    assert_is_unconfirmed(&unconfirmed(&program, &["--jdk", &home.display().to_string()]));
}

#[test]
fn programs_that_take_their_time_do_not_get_more() {
    let bombs = [
        ("static { try { Thread.sleep(1000000); } catch (InterruptedException e) { } }", ""),
        ("static boolean on = true; static { while (on) { try { Thread.sleep(1000); } catch (Throwable e) { } } }", ""),
        ("static void spin() { while (true) { try { while (true) { } } catch (Throwable e) { } } }", "spin();"),
        (
            "",
            "for (int k = 0; k < 20; k++) { new Thread(() -> { while (true) { try { Thread.sleep(9); } catch (Throwable e) { } } }).start(); }",
        ),
    ];
    for (members, body) in bombs {
        let program =
            Program::new(members, &format!("{body} if (n > 3 && n < 3) {{ throw new IllegalStateException(); }}"));
        let ended = end(program.command().args(["--budget", "2s"]));
        assert_eq!((ended.code(), ended.result()["grade"].as_str()), (Some(1), Some("none")), "{}", ended.stderr);
        program.assert_no_temporary_files();
    }
}

/// The thread that does the work waits for a pipe that nobody writes to.
#[test]
#[expect(clippy::disallowed_methods, reason = "the standard library makes no named pipes")]
fn a_run_that_is_stuck_is_ended() {
    let program = Program::new("", "if (n > 3) { throw new IllegalStateException(\"too many: \" + n); }");
    assert!(Command::new("mkfifo").arg(program.path("mapping")).status().unwrap().success());
    for json in [true, false] {
        let mut command = support::reenact();
        command.arg(program.path("crash.log")).arg("-c").arg(program.path("classes")).args(["--budget", "500ms"]);
        command.arg("--mapping").arg(program.path("mapping")).env("TMPDIR", program.path("tmp"));
        let ended = end(if json { command.arg("--json") } else { &mut command });
        assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
        let said = if json { ended.result()["reason"]["text"].as_str().unwrap().to_owned() } else { ended.stdout };
        assert!(said.contains("the budget ran out: log and class path were still being read"), "{said}");
        program.assert_no_temporary_files();
    }
}
