//! The system calls of the sandbox that no crate wraps, each behind a safe function.
#![expect(unsafe_code, reason = "system calls")]

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Newer than the libc crate's table on some targets.
pub(super) const FCHMODAT2: libc::c_long = 452;

/// The version of the kernel's landlock interface.
pub(super) fn landlock_version() -> Option<u32> {
    const CREATE_RULESET_VERSION: libc::c_ulong = 1;
    // SAFETY: with this flag the call takes no memory from us; it only returns a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, CREATE_RULESET_VERSION)
    };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

pub(super) fn has_seccomp() -> bool {
    // SAFETY: asks a question; no memory is passed.
    unsafe { libc::prctl(libc::PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 }
}

/// The directory of this process among all processes, as a descriptor that stays open, also in the program that it becomes: the
/// kernel makes such directories up as they are asked for, and forgets what was said about one that nobody holds.
pub(super) fn own_process() -> Option<std::os::fd::BorrowedFd<'static>> {
    // SAFETY: the path is a string that ends in zero.
    let fd = unsafe { libc::open(c"/proc/self".as_ptr(), libc::O_PATH | libc::O_DIRECTORY) };
    // SAFETY: it is open, and nobody of us closes it.
    (fd != -1).then(|| unsafe { std::os::fd::BorrowedFd::borrow_raw(fd) })
}

/// Where memory runs out, a locked-up process is ended before any other.
pub(super) fn go_first_without_memory() {
    // Fails where there is no `/proc`; then the kernel chooses by size.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
}

/// Makes the process leader of a session without a terminal. A leader already has none of ours to lose.
pub(super) fn leave_session() {
    // SAFETY: no memory is passed; failing means there is nothing to do.
    unsafe { libc::setsid() };
}

/// A file that reaches the size limit is then a failed write, not the end of the process; this outlives `exec`.
pub(super) fn ignore_file_size_signal() {
    // SAFETY: ignoring a signal installs no handler of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    CoreSize,
    FileSize,
    Memory,
    OpenFiles,
    Threads,
}

/// Lowers a limit, for good; a limit that is lower already stays.
pub(super) fn set_limit(limit: Limit, value: u64) -> io::Result<()> {
    let resource = match limit {
        Limit::CoreSize => libc::RLIMIT_CORE,
        Limit::FileSize => libc::RLIMIT_FSIZE,
        Limit::Memory => libc::RLIMIT_DATA,
        Limit::OpenFiles => libc::RLIMIT_NOFILE,
        Limit::Threads => libc::RLIMIT_NPROC,
    };
    let mut current = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `current` is a valid rlimit to write to.
    check(unsafe { libc::getrlimit(resource, &mut current) })?;
    let value = value.min(current.rlim_max);
    let lowered = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: `lowered` is a valid rlimit to read from.
    check(unsafe { libc::setrlimit(resource, &lowered) })
}

/// Sets of namespaces to enter together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spaces(libc::c_int);

impl Spaces {
    pub(super) fn without_user() -> Self {
        Spaces(libc::CLONE_NEWNET | libc::CLONE_NEWNS | libc::CLONE_NEWIPC)
    }

    pub(super) fn with_user() -> Self {
        Spaces(Self::without_user().0 | libc::CLONE_NEWUSER)
    }
}

pub(super) fn unshare(spaces: Spaces) -> io::Result<()> {
    // SAFETY: no memory is passed; the flags unshare neither file descriptors nor memory.
    check(unsafe { libc::unshare(spaces.0) })
}

/// Effective user and group.
pub(super) fn ids() -> (u32, u32) {
    // SAFETY: these calls cannot fail and take nothing.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

pub(super) fn bring_up_loopback() -> io::Result<()> {
    // SAFETY: creates a descriptor or returns -1.
    let socket = unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) };
    check(socket)?;
    // SAFETY: the descriptor was just created and is owned by nobody else.
    let socket = unsafe { OwnedFd::from_raw_fd(socket) };
    // SAFETY: all-zero is a valid ifreq.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = from.cast_signed() as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: SIOCSIFFLAGS reads the name and the flags of a valid ifreq.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &request) })
}

/// Mounts made from now on are not seen outside.
pub(super) fn make_mounts_private() -> io::Result<()> {
    mount(None, Path::new("/"), None, libc::MS_REC | libc::MS_PRIVATE, None)
}

/// Makes a directory a mount, so that it can have flags of its own. With what is mounted below it: in a user namespace
/// the kernel does not let a part of a tree be shown without the rest.
pub(super) fn bind_to_itself(path: &Path) -> io::Result<()> {
    mount(Some(path), path, None, libc::MS_BIND | libc::MS_REC, None)
}

pub(super) fn mount_memory(at: &Path, bytes: u64) -> io::Result<()> {
    let options = format!("size={bytes},nr_inodes=65536,mode=700");
    mount(Some(Path::new("scratch")), at, Some("tmpfs"), libc::MS_NOSUID | libc::MS_NODEV, Some(&options))
}

fn mount(
    source: Option<&Path>,
    target: &Path,
    kind: Option<&str>,
    flags: libc::c_ulong,
    options: Option<&str>,
) -> io::Result<()> {
    let source = source.map(c_path).transpose()?;
    let target = c_path(target)?;
    let (kind, options) = (kind.map(CString::new).transpose()?, options.map(CString::new).transpose()?);
    let pointer = |text: &Option<CString>| text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
    // SAFETY: all pointers are null or to strings that live until the call returns.
    check(unsafe { libc::mount(pointer(&source), target.as_ptr(), pointer(&kind), flags, pointer(&options).cast()) })
}

/// Of everything mounted below `path` when making it read-only, of this one mount when making it writable.
pub(super) fn set_read_only(path: &Path, read_only: bool) -> io::Result<()> {
    #[repr(C)]
    struct MountAttributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    const RDONLY: u64 = 1;
    let (set, clear) = if read_only { (RDONLY, 0) } else { (0, RDONLY) };
    let attributes = MountAttributes { set, clear, propagation: 0, user_namespace: 0 };
    let flags = if read_only { libc::AT_RECURSIVE } else { 0 };
    let path = c_path(path)?;
    // SAFETY: the path is a string and the attributes are a struct mount_attr of the size passed; both outlive the
    // call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<MountAttributes>(),
        )
    };
    check(result as libc::c_int)
}

/// Gives up every right of the administrator but that of reading and entering files and directories.
pub(super) fn drop_capabilities() -> io::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Data {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    const VERSION_3: u32 = 0x2008_0522;
    // CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    const KEPT: u32 = 1 << 1 | 1 << 2;
    let header = Header { version: VERSION_3, pid: 0 };
    let mut data = [Data { effective: 0, permitted: 0, inheritable: 0 }; 2];
    // SAFETY: version 3 writes two Data.
    let result = unsafe { libc::syscall(libc::SYS_capget, &raw const header, data.as_mut_ptr()) };
    check(result as libc::c_int)?;
    let kept = data[0].permitted & KEPT;
    data = [
        Data { effective: kept, permitted: kept, inheritable: 0 },
        Data { effective: 0, permitted: 0, inheritable: 0 },
    ];
    // SAFETY: version 3 reads two Data.
    let result = unsafe { libc::syscall(libc::SYS_capset, &raw const header, data.as_ptr()) };
    check(result as libc::c_int)
}

/// How the file system of a path is mounted.
pub(super) fn mount_flags(path: &Path) -> io::Result<libc::c_ulong> {
    let path = c_path(path)?;
    // SAFETY: all-zero is a valid `statvfs`, which is made of numbers.
    let mut found: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the path is a string and `found` a valid place to write to.
    check(unsafe { libc::statvfs(path.as_ptr(), &mut found) })?;
    Ok(found.f_flag)
}

/// Runs `body` in a child process and returns the number it comes to; `None` if that fails.
pub(super) fn in_child(body: impl FnOnce() -> u8) -> Option<u8> {
    // SAFETY: the child runs `body` on the forking thread only and leaves by `_exit`. `body` is ours
    // (namespaces::probe): it makes system calls and small allocations. With other threads around, a lock of the
    // allocator could be held by one of them; glibc's allocator keeps its locks usable across a fork.
    match unsafe { libc::fork() } {
        -1 => None,
        0 => {
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_or(0);
            // SAFETY: ends the child without running anything that belongs to the parent.
            unsafe { libc::_exit(outcome.into()) }
        }
        child => {
            let mut status = 0;
            // SAFETY: `status` is a valid place to write to, and the child is ours to wait for.
            let waited = unsafe { libc::waitpid(child, &mut status, 0) };
            (waited == child && libc::WIFEXITED(status)).then(|| libc::WEXITSTATUS(status) as u8)
        }
    }
}

fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
