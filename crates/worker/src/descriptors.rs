//! The file descriptors a worker is born with, and those that candidates open.
#![expect(unsafe_code, reason = "file descriptors")]

use sandbox::inherited::{self, Leads};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The socket and the shared memory, taken away from standard input and output.
pub(super) fn take_over() -> io::Result<(UnixStream, File)> {
    let (socket, memory) = inherited::take_over(Leads::Nowhere)?;
    Ok((socket.into(), memory.into()))
}

/// So many descriptors are open, if this one is, that candidates may run out of them: the kernel hands out the lowest
/// that is free. A program has a few dozen jars open, and the sandbox allows for four times as many as this.
const MANY: libc::c_int = 1024;

/// What a candidate left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// So many descriptors are open that another may run out of them.
    pub(super) many: bool,
    /// `events` is not open: who has closed that one, by reflection and numbers, has closed others, such as the VM's own jars.
    pub(super) closed: bool,
    /// `events` has something to read, as it has for all we know if there is none.
    pub(super) touched: bool,
}

/// Asked after each candidate, so in one call of the kernel.
pub(super) fn state(events: Option<&File>) -> State {
    let poll = |fd, events| libc::pollfd { fd, events, revents: 0 };
    let mut asked = [poll(MANY, 0), poll(events.map_or(-1, AsRawFd::as_raw_fd), libc::POLLIN)];
    // SAFETY: as many entries as said; descriptors need not be open, and negative ones are ignored.
    let answered = unsafe { libc::poll(asked.as_mut_ptr(), asked.len() as libc::nfds_t, 0) };
    let [many, events_there] = asked.map(|entry| entry.revents);
    if answered == -1 {
        return State { many: false, closed: false, touched: true };
    }
    State {
        many: many & libc::POLLNVAL == 0,
        closed: events_there & libc::POLLNVAL != 0,
        touched: events.is_none() || events_there != 0,
    }
}

/// Closes files that candidates have left open and nobody can reach any more, where so many are open that it matters.
#[derive(Debug, Default)]
pub(super) struct Closer {
    /// Candidates in a row after which it had to be done.
    in_a_row: AtomicU32,
}

impl Closer {
    /// Whether too many are open all the same. What the last candidate has in static fields is out of reach once the next one
    /// has run, so that it takes more than one collection; who has to collect after every candidate is slow.
    pub(super) fn are_too_many_open(&self, many: bool, collect_garbage: &dyn Fn()) -> bool {
        const ROW: u32 = 4;
        if !many {
            self.in_a_row.store(0, Ordering::Relaxed);
            return false;
        }
        self.in_a_row.fetch_add(1, Ordering::Relaxed) >= ROW || !are_closed(collect_garbage)
    }
}

/// Whether the VM closes most of the open ones, which it does a little after their garbage is collected. What an object with a
/// finaliser holds is garbage only after that has run.
fn are_closed(collect_garbage: &dyn Fn()) -> bool {
    const COLLECTIONS: u32 = 3;
    const LOOKS: u32 = 40;
    const PAUSE: Duration = Duration::from_millis(2);
    (0..COLLECTIONS).any(|_| {
        collect_garbage();
        (0..LOOKS).any(|_| {
            std::thread::sleep(PAUSE);
            open_of_the_first(MANY) < MANY as usize / 2
        })
    })
}

fn open_of_the_first(count: libc::c_int) -> usize {
    let mut asked: Vec<libc::pollfd> = (0..count).map(|fd| libc::pollfd { fd, events: 0, revents: 0 }).collect();
    // SAFETY: as many entries as said; descriptors need not be open.
    unsafe { libc::poll(asked.as_mut_ptr(), asked.len() as libc::nfds_t, 0) };
    asked.iter().filter(|entry| entry.revents & libc::POLLNVAL == 0).count()
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
