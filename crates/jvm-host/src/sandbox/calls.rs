//! Seccomp: system calls that neither candidates nor the JVM need, and that the other layers do not stop. They fail
//! with "operation not permitted", which Java turns into an ordinary exception.

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
}

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

pub(super) fn restrict(filter: Filter) -> Result<(), SandboxError> {
    let mut rules = never();
    rules.extend(sockets(filter)?);
    rules.extend(signals()?);
    rules.extend(processes(filter)?);
    if !filter.read_only_mounts {
        rules.extend(METADATA.iter().map(|call| (*call, Vec::new())));
    }
    // Its flags are in memory, out of a filter's reach; libraries then fall back to `clone`.
    let unknown_clone = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    install(unknown_clone, libc::ENOSYS)?;
    install(rules, libc::EPERM)
}

fn install(rules: Rules, error: libc::c_int) -> Result<(), SandboxError> {
    let arch = std::env::consts::ARCH.try_into().map_err(refused)?;
    let action = SeccompAction::Errno(error.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch).map_err(refused)?;
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
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
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
    let typing = |request: u64| rule(vec![condition(1, SeccompCmpOp::Eq, request)?]);
    rules.insert(libc::SYS_ioctl, vec![typing(libc::TIOCSTI)?, typing(libc::TIOCLINUX)?]);
    // To outlive the tool.
    rules.insert(libc::SYS_prctl, vec![rule(vec![condition(0, SeccompCmpOp::Eq, libc::PR_SET_PDEATHSIG as u64)?])?]);
    Ok(rules)
}

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
