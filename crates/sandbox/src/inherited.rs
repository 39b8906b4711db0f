//! The descriptors that a process is born with beyond the three standard ones. They are its caller's affair: a log file of a
//! build server, the socket of a service. Nothing that runs foreign code may have them.
#![expect(unsafe_code, reason = "file descriptors")]

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

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

/// Where standard output leads once it was taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    Nowhere,
    /// To where errors are printed.
    ToErrors,
}

/// Takes what is behind standard input and output away from them: nothing that foreign code reads or prints gets into our
/// conversation. Standard input then leads nowhere.
pub fn take_over(output: Leads) -> io::Result<(OwnedFd, OwnedFd)> {
    let (input, told) = (io::stdin().as_fd().try_clone_to_owned()?, io::stdout().as_fd().try_clone_to_owned()?);
    let nowhere = File::options().read(true).write(true).open("/dev/null")?;
    let printed = if output == Leads::ToErrors { libc::STDERR_FILENO } else { nowhere.as_raw_fd() };
    for (from, standard) in [(nowhere.as_raw_fd(), libc::STDIN_FILENO), (printed, libc::STDOUT_FILENO)] {
        // SAFETY: both descriptors are open; nobody uses the standard ones yet.
        if unsafe { libc::dup2(from, standard) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok((input, told))
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
