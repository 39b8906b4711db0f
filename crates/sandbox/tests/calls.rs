//! System calls of locked-up code, made natively: what Java alone cannot ask for, the native code in a jar can.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]
#![expect(unsafe_code, reason = "system calls")]

use libc::{ENOSYS, EPERM, c_long};
use sandbox::{ExecPolicy, Readable, SandboxPolicy};
use std::process::{Command, Stdio};

/// The process that is attacked is named in this variable: this executable then runs as the locked-up program.
const VICTIM: &str = "REENACT_TEST_VICTIM";

/// Name, arguments, and the error that is expected; 0 for none.
type Attempt = (&'static str, c_long, [c_long; 6], i32);

fn attempts(victim: c_long) -> Vec<Attempt> {
    let none = [0; 6];
    let of = |first: &[c_long]| {
        let mut args = none;
        args[..first.len()].copy_from_slice(first);
        args
    };
    let shared = c_long::from(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    let private = c_long::from(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    let mut attempts = vec![
        ("setpriority", libc::SYS_setpriority, of(&[0, victim, 19]), EPERM),
        ("setpriority of users", libc::SYS_setpriority, of(&[2, 0, 19]), EPERM),
        ("ioprio_set", libc::SYS_ioprio_set, of(&[1, victim, 3 << 13]), EPERM),
        ("fcntl F_SETOWN", libc::SYS_fcntl, of(&[0, 8, victim]), EPERM),
        ("fcntl F_SETLEASE", libc::SYS_fcntl, of(&[0, 1024, 0]), EPERM),
        ("fcntl F_NOTIFY", libc::SYS_fcntl, of(&[0, 1026, 0]), EPERM),
        ("fcntl F_GETFD", libc::SYS_fcntl, of(&[0, 1]), 0),
        ("fcntl F_SETSIG", libc::SYS_fcntl, of(&[0, 10, 9]), EPERM),
        ("ioctl FIOSETOWN", libc::SYS_ioctl, of(&[0, 0x8901, 0]), EPERM),
        ("setpgid", libc::SYS_setpgid, none, EPERM),
        ("setsid", libc::SYS_setsid, none, EPERM),
        ("prctl PR_SET_PDEATHSIG", libc::SYS_prctl, of(&[1, 0]), EPERM),
        ("mmap shared", libc::SYS_mmap, of(&[0, 4096, 3, shared, -1, 0]), EPERM),
        ("mmap private", libc::SYS_mmap, of(&[0, 4096, 3, private, -1, 0]), 0),
        ("memfd_create", libc::SYS_memfd_create, of(&[c"x".as_ptr() as c_long]), EPERM),
        ("pidfd_open", libc::SYS_pidfd_open, of(&[victim]), EPERM),
        ("kill", libc::SYS_kill, of(&[victim, 0]), EPERM),
        ("kill self", libc::SYS_kill, of(&[c_long::from(std::process::id()), 0]), 0),
        ("ptrace", libc::SYS_ptrace, of(&[16, victim]), EPERM),
        ("unshare", libc::SYS_unshare, of(&[libc::CLONE_NEWUSER.into()]), EPERM),
        ("bpf", libc::SYS_bpf, none, EPERM),
        ("fork", libc::SYS_clone, of(&[libc::SIGCHLD.into()]), EPERM),
        ("clone3", libc::SYS_clone3, none, ENOSYS),
        ("memfd_secret", 447, none, ENOSYS),
        ("listmount", 458, none, ENOSYS),
        ("of the future", 2000, none, ENOSYS),
        ("sched_yield", libc::SYS_sched_yield, none, 0),
    ];
    for (name, call) in [
        ("sched_setscheduler", libc::SYS_sched_setscheduler),
        ("sched_setparam", libc::SYS_sched_setparam),
        ("sched_setattr", libc::SYS_sched_setattr),
        ("sched_setaffinity", libc::SYS_sched_setaffinity),
    ] {
        attempts.push((name, call, of(&[victim]), EPERM));
        // Its own is not refused, but for the missing arguments.
        attempts.push((name, call, of(&[0, 0, 0]), libc::EINVAL));
    }
    for call in [libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_semctl, libc::SYS_msgctl, libc::SYS_mq_unlink] {
        attempts.push(("objects of the system", call, of(&[-1]), EPERM));
    }
    attempts
}

/// Does nothing unless it is the locked-up program.
#[test]
fn inside() {
    let Some(victim) = std::env::var(VICTIM).ok().and_then(|id| id.parse().ok()) else { return };
    for (name, call, [a, b, c, d, e, f], expected) in attempts(victim) {
        // SAFETY: no call that succeeds is given memory; addresses are zero, or of a string that outlives the call.
        let answer = unsafe { libc::syscall(call, a, b, c, d, e, f) };
        let error = if answer == -1 { std::io::Error::last_os_error().raw_os_error().unwrap() } else { 0 };
        assert_eq!(error, expected, "{name} {call}");
    }
    println!("all as expected");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a victim, and this program again, locked up")]
fn calls_beyond_the_list_are_refused() {
    if !testing::can_lock_up() {
        return;
    }
    let own = std::env::current_exe().unwrap();
    let mut victim = Command::new("sleep").arg("600").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    for namespaces in [true, false] {
        let scratch = tempfile::tempdir().unwrap();
        let policy = SandboxPolicy {
            exec: ExecPolicy::Only(vec![own.clone()]),
            namespaces,
            ..SandboxPolicy::for_jdk(scratch.path(), &Readable::default())
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox"));
        command.arg("sandboxed-exec").args(policy.to_args()).arg(&own).args(["--exact", "inside", "--nocapture"]);
        let output = testing::run(command.env(VICTIM, victim.id().to_string()));
        assert!(output.contains("all as expected"), "{output}");
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
}
