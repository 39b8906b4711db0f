//! The file descriptors a worker is born with, and those that candidates open.
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

/// So many descriptors are open, if this one is, that candidates may run out of them: the kernel hands out the lowest
/// that is free. A program has a few dozen jars open, and the sandbox allows for four times as many as this.
const MANY: libc::c_int = 1024;

/// Whether no further candidate should run here, because so many descriptors are open that it may run out of them, or because
/// `events` is not: who has closed that one, by reflection and numbers, has closed others, such as the VM's own jars. And
/// whether `events` has something to read (as it has for all we know if it is `None`). Asked after each candidate, so in one
/// call of the kernel.
pub(super) fn state(events: Option<&File>) -> (bool, bool) {
    let poll = |fd, events| libc::pollfd { fd, events, revents: 0 };
    let mut asked = [poll(MANY, 0), poll(events.map_or(-1, AsRawFd::as_raw_fd), libc::POLLIN)];
    // SAFETY: as many entries as said; descriptors need not be open, and negative ones are ignored.
    let answered = unsafe { libc::poll(asked.as_mut_ptr(), asked.len() as libc::nfds_t, 0) };
    let [many, events_there] = asked.map(|entry| entry.revents);
    if answered == -1 {
        return (false, true);
    }
    let is_closed = events_there & libc::POLLNVAL != 0;
    (many & libc::POLLNVAL == 0 || is_closed, events.is_none() || events_there != 0)
}

/// Shuts all connections over the network, and the waiting for some: whoever waits in the kernel for one of them goes on, with
/// an error. Ours is none of the network's.
pub(super) fn hang_up() {
    (0..MANY).filter(|&descriptor| is_of_network(descriptor)).for_each(|descriptor| {
        // SAFETY: no memory is passed. It may be closed by now, or not be connected: there is nothing to end then.
        unsafe { libc::shutdown(descriptor, libc::SHUT_RDWR) };
    });
}

fn is_of_network(descriptor: libc::c_int) -> bool {
    let mut domain: libc::c_int = 0;
    let mut size = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: a place for the answer and its size; the descriptor need not be open, nor a socket's.
    let answered = unsafe {
        libc::getsockopt(descriptor, libc::SOL_SOCKET, libc::SO_DOMAIN, (&raw mut domain).cast(), &raw mut size)
    };
    answered == 0 && (domain == libc::AF_INET || domain == libc::AF_INET6)
}

/// Ends the process at once, without waiting for the VM or anything it wants to run at its end.
pub(super) fn leave(status: i32) -> ! {
    // SAFETY: never returns and touches no memory.
    unsafe { libc::_exit(status) }
}
