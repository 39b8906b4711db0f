//! Doors between a run and the rest of the machine that have stood open: links in the output directory, descriptors of the
//! caller, names of files, what a killed run leaves.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use serde_json::json;
use std::fs::{create_dir, read, read_to_string, write};
use std::os::unix::fs::symlink;
use std::process::Command;
use support::{Program, Running, end};

const CRASH: &str = "if (n > 3) { throw new IllegalStateException(\"too many: \" + n); }";

fn found(program: &Program) -> String {
    let ended = end(program.command().args(["--candidates", "2000"]));
    assert_eq!(ended.code(), Some(0), "{}{}", ended.stdout, ended.stderr);
    let path = ended.result()["test"].as_str().unwrap().to_owned();
    assert!(read_to_string(&path).unwrap().contains("Shop.total("));
    let out = program.path("out").display().to_string();
    path.strip_prefix(&out).unwrap().to_owned()
}

#[test]
fn links_in_the_output_directory_are_not_followed() {
    let program = Program::new("", CRASH);
    create_dir(program.path("out")).unwrap();
    write(program.path("victim"), "precious").unwrap();
    for name in [".reenact-write-test", "ShopCrashTest.java", "ShopCrashTest.java.tmp", "ShopCrashTest.tmp"] {
        symlink(program.path("victim"), program.path("out").join(name)).unwrap();
    }
    assert_eq!(found(&program), "/ShopCrashTest2.java");
    assert_eq!(read(program.path("victim")).unwrap(), b"precious");
}

#[test]
fn the_directory_that_nobody_named_is_no_link() {
    let program = Program::new("", CRASH);
    create_dir(program.path("elsewhere")).unwrap();
    symlink("elsewhere", program.path("reenact-out")).unwrap();
    let mut command = support::reenact();
    command.arg(program.path("crash.log")).arg("-c").arg(program.path("classes")).args(support::lock_up());
    let ended = end(command.current_dir(program.directory.path()));
    assert_eq!(ended.code(), Some(2));
    assert!(
        ended.stderr.contains("`reenact-out` is a symbolic link") && ended.stderr.contains("--out"),
        "{}",
        ended.stderr
    );
    assert_eq!(program.path("elsewhere").read_dir().unwrap().count(), 0);
}

#[test]
fn a_test_replaces_no_other_and_no_edited_one() {
    let program = Program::new("", CRASH);
    assert_eq!(found(&program), "/ShopCrashTest.java");
    // The same again is the same file.
    assert_eq!(found(&program), "/ShopCrashTest.java");
    assert_eq!(program.path("out").read_dir().unwrap().count(), 1);
    write(program.path("out/ShopCrashTest.java"), "// edited\n").unwrap();
    assert_eq!(found(&program), "/ShopCrashTest2.java");
    assert_eq!(read(program.path("out/ShopCrashTest.java")).unwrap(), b"// edited\n");
}

/// The program, wherever it runs, writes to all descriptors that it finds.
const WRITES: &str = "static { try { java.lang.reflect.Field f = Class.forName(\"sun.misc.Unsafe\").getDeclaredField(\"theUnsafe\"); \
    f.setAccessible(true); Object unsafe = f.get(null); \
    for (int fd = 3; fd < 64; fd++) { java.io.FileDescriptor d = new java.io.FileDescriptor(); \
    unsafe.getClass().getMethod(\"putInt\", Object.class, long.class, int.class).invoke(unsafe, d, 12L, fd); \
    try { new java.io.FileOutputStream(d).write(65); } catch (java.io.IOException e) { } } } catch (Throwable t) { } }";

#[test]
#[expect(clippy::disallowed_methods, reason = "a shell that has a file open")]
fn descriptors_of_the_caller_stay_with_it() {
    let program = Program::new(WRITES, CRASH);
    write(program.path("victim"), "").unwrap();
    for more in [&[][..], &["--no-sandbox"]] {
        let mut command = Command::new("sh");
        command.args(["-c", "exec 9>>victim; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_reenact")]);
        program.add_arguments(&mut command);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let ended = end(command.args(["--candidates", "300"]).args(more));
        assert!(ended.result()["candidates"].as_u64().unwrap() > 0, "{}", ended.stderr);
        assert_eq!(read(program.path("victim")).unwrap(), b"", "{more:?}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a shell with process substitution")]
fn a_log_may_come_from_a_command() {
    let program = Program::new("", CRASH);
    let script = "exec \"$@\" <(echo 'seen: 7'; cat crash.log)";
    let mut command = Command::new("bash");
    command
        .args(["-c", script, "bash", env!("CARGO_BIN_EXE_reenact"), "check", "--json", "-c"])
        .arg(program.path("classes"));
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .current_dir(program.directory.path());
    let ended = end(&mut command);
    assert_eq!(ended.code(), Some(0), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn a_killed_run_leaves_no_process_and_the_next_one_sweeps() {
    let program = Program::new("", CRASH.replace("too many", "other").as_str());
    let mut running = Running::start(program.command().args(["--budget", "1h"]));
    running.wait_for("\"event\":\"confirmed\"");
    let children = support::descendants(running.child.id());
    assert!(!children.is_empty());
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    let is_there = |id: &u32| {
        let stat = read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    let is_gone = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        !children.iter().any(is_there)
    });
    assert!(is_gone, "{children:?}");
    let left: Vec<_> = program.path("tmp").read_dir().unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
    // Two minutes later.
    let past = std::time::SystemTime::now() - std::time::Duration::from_secs(120);
    std::fs::File::open(&left[0]).unwrap().set_modified(past).unwrap();
    found(&program);
    program.assert_no_temporary_files();
}

#[test]
fn ids_of_a_pack_are_names() {
    let directory = tempfile::tempdir().unwrap();
    let pack = directory.path().join("pack.json");
    let crash = json!({ "id": "../..", "project": "p", "version": "1", "exception": "E", "trace": "t.log", "target_frames": ".*", "jars": [] });
    write(&pack, json!({ "crashes": [crash] }).to_string()).unwrap();
    let out = directory.path().join("a/b/out");
    let ended =
        end(support::reenact().arg("bench").arg(pack).arg("--jars").arg(directory.path()).arg("--out").arg(&out));
    assert_eq!(ended.code(), Some(2));
    assert!(ended.stderr.contains("`../..` in the pack"), "{}", ended.stderr);
    assert!(!directory.path().join("a").exists());
}
