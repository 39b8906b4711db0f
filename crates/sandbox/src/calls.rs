//! Seccomp: which system calls there are. Calls that candidates or the JVM may make are [`known_calls`]; all others are answered as
//! if the kernel did not have them. Of the known ones, those that neither needs and that the other layers do not stop fail with
//! "operation not permitted", which Java turns into an ordinary exception.

use super::known_calls::known_calls;
use super::{SandboxError, sys};
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;

/// What the filter depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) may_exec: bool,
    pub(super) own_network: bool,
    pub(super) read_only_mounts: bool,
    /// Memory files may be made. Some garbage collectors keep the heap in one.
    pub(super) memory_files: bool,
}

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

pub(super) fn restrict(filter: Filter) -> Result<(), SandboxError> {
    let denied = denied(filter)?;
    // What is denied below is known: who asks for it shall learn that it is not permitted.
    let known = known_calls().chain(denied.keys().copied()).map(|call| (call, Vec::new())).collect();
    install(known, SeccompAction::Allow, answer(libc::ENOSYS))?;
    install(denied, answer(libc::EPERM), SeccompAction::Allow)
}

fn denied(filter: Filter) -> Result<Rules, SandboxError> {
    let mut rules = never();
    rules.extend(sockets(filter)?);
    rules.extend(signals()?);
    rules.extend(other_processes()?);
    rules.extend(processes(filter)?);
    rules.extend(shared_memory(filter)?);
    if !filter.read_only_mounts {
        rules.extend(METADATA.iter().map(|call| (*call, Vec::new())));
    }
    Ok(rules)
}

fn answer(error: libc::c_int) -> SeccompAction {
    SeccompAction::Errno(error.cast_unsigned())
}

fn install(rules: Rules, matched: SeccompAction, otherwise: SeccompAction) -> Result<(), SandboxError> {
    let arch = std::env::consts::ARCH.try_into().map_err(refused)?;
    let filter = SeccompFilter::new(rules, otherwise, matched, arch).map_err(refused)?;
    let program: BpfProgram = filter.try_into().map_err(refused)?;
    seccompiler::apply_filter(&program).map_err(refused)
}

/// Administration, other processes' memory, kernel interfaces with a history of holes, objects that outlive the
/// process.
const NEVER: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_fanotify_init,
    libc::SYS_open_by_handle_at,
    // Also those of others, where there is no namespace for them.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Its own place: who leaves its group or session is no longer ended with it.
    libc::SYS_setpgid,
    libc::SYS_setsid,
    // Other processes, by other names.
    libc::SYS_pidfd_open,
    libc::SYS_process_mrelease,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// Changes to a file's owner, mode, times and attributes, which landlock does not cover.
const METADATA: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    sys::FCHMODAT2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    libc::SYS_fchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

fn never() -> Rules {
    NEVER.iter().map(|call| (*call, Vec::new())).collect()
}

/// Sockets of the internet families in a network of one's own; otherwise none. Never those of the local system: behind
/// them are services that act for their callers, whatever the callers themselves may do.
fn sockets(filter: Filter) -> Result<Rules, SandboxError> {
    let families = [libc::AF_INET, libc::AF_INET6];
    let other_family = families.map(|family| condition(0, SeccompCmpOp::Ne, family as u64));
    let rule =
        if filter.own_network { vec![rule(other_family.into_iter().collect::<Result<_, _>>()?)?] } else { Vec::new() };
    Ok(Rules::from([(libc::SYS_socket, rule)]))
}

/// Only to the process itself.
fn signals() -> Result<Rules, SandboxError> {
    let own = u64::from(std::process::id());
    let to_others = |call| Ok((call, vec![rule(vec![condition(0, SeccompCmpOp::Ne, own)?])?]));
    let mut rules: Rules = [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
        .into_iter()
        .map(to_others)
        .collect::<Result<_, SandboxError>>()?;
    rules.insert(libc::SYS_tkill, Vec::new());
    rules.insert(libc::SYS_pidfd_send_signal, Vec::new());
    // Limits of other processes; 0 is the caller.
    let not_self = vec![condition(0, SeccompCmpOp::Ne, 0)?, condition(0, SeccompCmpOp::Ne, own)?];
    rules.insert(libc::SYS_prlimit64, vec![rule(not_self)?]);
    Ok(rules)
}

/// How fast and where others run, and who gets what signal when a descriptor is ready: only for the caller, which is 0. The other
/// threads of the process have numbers like any process, so that they cannot be told apart.
fn other_processes() -> Result<Rules, SandboxError> {
    const OF_PROCESS: u64 = 1;
    let not_self = |argument| rule(vec![condition(argument, SeccompCmpOp::Ne, 0)?]);
    let mut rules = Rules::new();
    for call in
        [libc::SYS_sched_setscheduler, libc::SYS_sched_setparam, libc::SYS_sched_setattr, libc::SYS_sched_setaffinity]
    {
        rules.insert(call, vec![not_self(0)?]);
    }
    let of_process = u64::from(libc::PRIO_PROCESS);
    let not_of_process = |kind| rule(vec![condition(0, SeccompCmpOp::Ne, kind)?]);
    rules.insert(libc::SYS_setpriority, vec![not_of_process(of_process)?, not_self(1)?]);
    rules.insert(libc::SYS_ioprio_set, vec![not_of_process(OF_PROCESS)?, not_self(1)?]);
    let requests = [libc::F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY];
    let orders = requests.map(|request| rule(vec![condition(1, SeccompCmpOp::Eq, request as u64)?]));
    rules.insert(libc::SYS_fcntl, orders.into_iter().collect::<Result<_, _>>()?);
    // It stays bound to the life of whoever has started it.
    let option = condition(0, SeccompCmpOp::Eq, libc::PR_SET_PDEATHSIG as u64)?;
    let other_signal = condition(1, SeccompCmpOp::Ne, libc::SIGKILL as u64)?;
    rules.insert(libc::SYS_prctl, vec![rule(vec![option, other_signal])?]);
    Ok(rules)
}

// Not in the libc crate's table for every target.
const F_SETSIG: libc::c_int = 10;
/// A lease on a file that may be read makes others wait who write to it.
const F_SETLEASE: libc::c_int = 1024;
const F_NOTIFY: libc::c_int = 1026;
const F_SETOWN_EX: libc::c_int = 15;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;

/// Memory that is shared with nobody but counts as shared passes the limit on memory.
fn shared_memory(filter: Filter) -> Result<Rules, SandboxError> {
    let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
    let is_shared = condition(3, SeccompCmpOp::MaskedEq(shared), shared)?;
    let mut rules = Rules::from([(libc::SYS_mmap, vec![rule(vec![is_shared])?])]);
    if !filter.memory_files {
        rules.insert(libc::SYS_memfd_create, Vec::new());
    }
    Ok(rules)
}

/// Threads may be started, processes may not; a terminal may not be typed into.
fn processes(filter: Filter) -> Result<Rules, SandboxError> {
    let thread = libc::CLONE_THREAD as u64;
    let not_a_thread = condition(0, SeccompCmpOp::MaskedEq(thread), 0)?;
    let mut rules = Rules::from([(libc::SYS_clone, vec![rule(vec![not_a_thread])?])]);
    #[cfg(target_arch = "x86_64")]
    rules.extend([(libc::SYS_fork, Vec::new()), (libc::SYS_vfork, Vec::new())]);
    if !filter.may_exec {
        rules.extend([(libc::SYS_execve, Vec::new()), (libc::SYS_execveat, Vec::new())]);
    }
    rules.insert(libc::SYS_ioctl, device_requests(filter)?);
    Ok(rules)
}

/// Requests that reach a terminal or other processes. Some change files through descriptors that were opened for reading, which
/// landlock does not see: without read-only mounts only those pass that the JDK makes.
fn device_requests(filter: Filter) -> Result<Vec<SeccompRule>, SandboxError> {
    if filter.read_only_mounts {
        let requests = [libc::TIOCSTI, libc::TIOCLINUX, FIOSETOWN, SIOCSPGRP];
        return requests.iter().map(|request| rule(vec![condition(1, SeccompCmpOp::Eq, *request)?])).collect();
    }
    let others = NEEDED_REQUESTS.iter().map(|request| condition(1, SeccompCmpOp::Ne, *request));
    Ok(vec![rule(others.collect::<Result<_, _>>()?)?])
}

/// What streams, consoles and network interfaces are asked.
const NEEDED_REQUESTS: [u64; 17] = [
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOCLEX,
    libc::FIONCLEX,
    libc::TCGETS,
    libc::TIOCGWINSZ,
    libc::TIOCGPGRP,
    libc::SIOCGIFCONF,
    libc::SIOCGIFFLAGS,
    libc::SIOCGIFADDR,
    libc::SIOCGIFBRDADDR,
    libc::SIOCGIFNETMASK,
    libc::SIOCGIFMTU,
    libc::SIOCGIFHWADDR,
    libc::SIOCGIFINDEX,
    libc::SIOCGIFNAME,
    libc::SIOCGIFDSTADDR,
];

fn condition(argument: u8, op: SeccompCmpOp, value: u64) -> Result<SeccompCondition, SandboxError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value).map_err(refused)
}

/// All conditions must hold.
fn rule(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, SandboxError> {
    SeccompRule::new(conditions).map_err(refused)
}

fn refused(error: impl std::error::Error + Send + Sync + 'static) -> SandboxError {
    SandboxError::Seccomp(Box::new(error))
}
