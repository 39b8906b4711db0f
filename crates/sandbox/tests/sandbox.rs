//! The sandbox round a whole JVM: damage is denied and leaves no trace, ordinary programs run.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use sandbox::{self, Readable, SandboxPolicy};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use testing::{Jdk, fixtures, jdks, run};

#[expect(clippy::disallowed_methods, reason = "the tests re-execute the host")]
fn host() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sandbox"))
}

/// A command that runs this JDK's `java` in the sandbox.
fn java(jdk: &Jdk, policy: &SandboxPolicy) -> Command {
    let mut command = host();
    command.arg("sandboxed-exec").args(policy.to_args()).arg(jdk.home.join("bin/java"));
    command.args(["-XX:-UsePerfData", "-Xmx256m", "-XX:+UseSerialGC"]);
    command.arg(format!("-Djava.io.tmpdir={}", policy.scratch.display()));
    command
}

/// The fixtures on this JDK.
fn policy(jdk: &Jdk, scratch: &Path) -> SandboxPolicy {
    let class_path = [fixtures().to_path_buf()];
    let readable = Readable { java_home: Some(&jdk.home), class_path: &class_path, ..Readable::default() };
    SandboxPolicy::for_jdk(scratch, &readable)
}

/// For programs below this directory.
fn policy_of(scratch: &Path, programs: &str) -> SandboxPolicy {
    SandboxPolicy::for_jdk(scratch, &Readable { java_home: Some(programs.as_ref()), ..Readable::default() })
}

/// Everything that can be seen of a tree from outside.
fn listing(root: &Path) -> BTreeMap<std::path::PathBuf, (u32, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(path) = open.pop() {
        let metadata = path.symlink_metadata().unwrap();
        let content = if metadata.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
        if metadata.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        found.insert(path, (metadata.mode(), metadata.mtime(), content));
    }
    found
}

fn check_damage(jdk: &Jdk, policy: impl Fn(&Path) -> SandboxPolicy) {
    let (user, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(user.path().join("precious"), "precious").unwrap();
    std::fs::create_dir(user.path().join("empty")).unwrap();
    let before = listing(user.path());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut victim = victim();
    let policy = policy(scratch.path());
    let mut java = java(jdk, &policy);
    java.arg("-cp").arg(fixtures()).arg("Damage").arg(user.path()).arg(scratch.path());
    java.arg(listener.local_addr().unwrap().port().to_string()).arg(victim.id().to_string());
    java.current_dir(scratch.path());
    if policy.namespaces && sandbox::probe().mount_namespace {
        java.arg("attributes");
    }
    let output = run(&mut java);
    assert!(victim.try_wait().unwrap().is_none(), "the process outside still lives");
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert_eq!(listing(user.path()), before, "{output}");
    let has_network = policy.namespaces && sandbox::probe().network_namespace;
    let results: Vec<(&str, &str)> = output.lines().filter_map(|line| line.split_once('\t')).collect();
    for (attempt, result) in &results {
        let expected = attempt.starts_with("ok: ") || *attempt == "net: loopback" && has_network;
        assert_eq!(*result == "done", expected, "{attempt}: {result}");
    }
    assert_eq!(results.len(), 39, "{output}");
}

#[expect(clippy::disallowed_methods, reason = "a process to be attacked")]
fn victim() -> std::process::Child {
    // With streams of its own: should the test fail before it is ended, nobody waits for the end of its output.
    let null = std::process::Stdio::null;
    Command::new("sleep").arg("600").stdin(null()).stdout(null()).stderr(null()).spawn().unwrap()
}

/// Where too little is there to lock a program up, it is not run at all, and the way out is named.
fn refuses() {
    let scratch = tempfile::tempdir().unwrap();
    let mut command = host();
    command.arg("sandboxed-exec").args(policy_of(scratch.path(), "/bin").to_args()).arg("/bin/true");
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("--no-sandbox"), "{errors}");
}

#[test]
fn damage_is_denied_and_leaves_no_trace() {
    if !testing::can_lock_up() {
        return refuses();
    }
    for jdk in jdks() {
        check_damage(&jdk, |scratch| policy(&jdk, scratch));
        check_damage(&jdk, |scratch| SandboxPolicy { scratch_in_memory: Some(100 << 20), ..policy(&jdk, scratch) });
        check_damage(&jdk, |scratch| SandboxPolicy { namespaces: false, ..policy(&jdk, scratch) });
    }
}

#[test]
fn a_thread_bomb_ends_with_its_process() {
    if !testing::can_lock_up() {
        return refuses();
    }
    let jdk = &jdks()[0];
    let scratch = tempfile::tempdir().unwrap();
    let mut policy = policy(jdk, scratch.path());
    policy.limits.memory = Some(1 << 30);
    let mut java = java(jdk, &policy);
    java.arg("-XX:ErrorFile=/dev/null").arg("-cp").arg(fixtures()).arg("Damage").arg("/").arg(scratch.path());
    let output = java.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("unable to create native thread") || text.contains("insufficient memory"), "{text}");
}

#[test]
fn programs_that_are_not_allowed_do_not_run() {
    if !testing::can_lock_up() {
        return refuses();
    }
    let scratch = tempfile::tempdir().unwrap();
    for policy in [SandboxPolicy::for_worker(scratch.path(), &Readable::default()), policy_of(scratch.path(), "/proc")]
    {
        let output = host().arg("sandboxed-exec").args(policy.to_args()).arg("/bin/true").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot run `/bin/true`"));
    }
}

#[test]
fn a_missing_scratch_directory_is_named() {
    let policy = SandboxPolicy::for_worker("/no/such", &Readable::default());
    let output = host().arg("sandboxed-exec").args(policy.to_args()).arg("/bin/true").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: cannot use `/no/such` in the sandbox\n");
}
