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

/// Ends the process at once, without waiting for the VM or anything it wants to run at its end.
pub(super) fn leave(status: i32) -> ! {
    // SAFETY: never returns and touches no memory.
    unsafe { libc::_exit(status) }
}
