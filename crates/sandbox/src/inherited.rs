//! The descriptors that a process is born with beyond the three standard ones. They are its caller's affair: a log file of a
//! build server, the socket of a service. Nothing that runs foreign code may have them.
#![expect(unsafe_code, reason = "file descriptors")]

const FIRST: libc::c_uint = libc::STDERR_FILENO as libc::c_uint + 1;

/// They stay open here, so that `/dev/fd/N` can be read, and are closed in every program that this process starts.
pub fn keep_from_children() {
    if !close_range(libc::CLOSE_RANGE_CLOEXEC) {
        for_each(|descriptor| {
            // SAFETY: passes numbers only. Descriptors that are not open are not changed.
            unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
        });
    }
}

/// Closes them. To be called before anything is opened, by a process that was started for foreign code: whoever started it may
/// have kept nothing from it.
pub fn close() {
    if !close_range(0) {
        for_each(|descriptor| {
            // SAFETY: nothing has been opened by this process, so that nobody owns it.
            unsafe { libc::close(descriptor) };
        });
    }
}

/// Whether the kernel has such a call, and allows it.
fn close_range(flags: libc::c_uint) -> bool {
    // SAFETY: passes numbers only; what is closed is nobody's, see above.
    unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, flags) == 0 }
}

fn for_each(body: impl Fn(libc::c_int)) {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers: Vec<libc::c_int> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|number| *number >= 3).collect();
    numbers.into_iter().for_each(body);
}
