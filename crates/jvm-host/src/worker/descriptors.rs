//! The file descriptors a worker is born with.
#![expect(unsafe_code, reason = "file descriptors")]

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;

/// Takes the socket and the shared memory away from standard input and output, which then lead nowhere: nothing that
/// the program reads or prints gets into our conversation.
pub(super) fn take_over() -> io::Result<(UnixStream, File)> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let memory = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let nowhere = File::options().read(true).write(true).open("/dev/null")?;
    for standard in [libc::STDIN_FILENO, libc::STDOUT_FILENO] {
        // SAFETY: both descriptors are open; nobody uses the standard ones yet.
        if unsafe { libc::dup2(nowhere.as_raw_fd(), standard) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok((socket, memory))
}

/// Whether so many descriptors are open that candidates may run out of them: the kernel hands out the lowest that is
/// free. A program has a few dozen jars open, and the sandbox allows for four times as many as this.
pub(super) fn are_many_open() -> bool {
    const MANY: libc::c_int = 1024;
    // SAFETY: returns a new descriptor or -1, also where standard error has been closed.
    let free = unsafe { libc::fcntl(libc::STDERR_FILENO, libc::F_DUPFD_CLOEXEC, 0) };
    if free == -1 {
        return io::Error::last_os_error().raw_os_error() == Some(libc::EMFILE);
    }
    // SAFETY: the descriptor is new and nobody else's.
    unsafe { libc::close(free) };
    free > MANY
}

/// Ends the process at once, without waiting for the VM or anything it wants to run at its end.
pub(super) fn leave(status: i32) -> ! {
    // SAFETY: never returns and touches no memory.
    unsafe { libc::_exit(status) }
}
