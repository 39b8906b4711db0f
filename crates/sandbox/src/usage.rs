//! How much processor time and memory this process and its ended children have used, as the kernel counts it.
//!
//! A child counts from the moment it has been waited for, with all that it had waited for itself; one that still runs does
//! not count yet.
#![expect(unsafe_code, reason = "the standard library does not ask the kernel for it")]

use std::time::Duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// User and system time.
    pub cpu: Duration,
    /// The most memory that was resident at a time, in bytes; for children that of the largest. A child's count starts with
    /// that of the process it was forked from, so for small children this is an upper bound.
    pub peak_memory: u64,
}

impl Usage {
    pub fn of_this_process() -> Usage {
        usage(libc::RUSAGE_SELF)
    }

    pub fn of_ended_children() -> Usage {
        usage(libc::RUSAGE_CHILDREN)
    }
}

/// The memory that another process has now, in bytes; `None` if the system does not tell.
pub fn memory_of(process: u32) -> Option<u64> {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    // SAFETY: takes a number and gives one.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages.split(' ').nth(1)?.parse::<u64>().ok()? * u64::try_from(page).ok()?)
}

/// Threads that another process has now.
pub fn threads_of(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program comes second, in brackets, and may have anything in it; the threads are the 18th behind it.
    text.rsplit_once(')')?.1.split_ascii_whitespace().nth(17)?.parse().ok()
}

/// What a process may take at most, as its parent sees it. The kernel's own limits count neither memory that is shared nor the
/// threads of an administrator.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub memory: u64,
    pub threads: u64,
}

impl Bounds {
    pub fn are_broken_by(self, process: u32) -> bool {
        memory_of(process).is_some_and(|memory| memory > self.memory)
            || threads_of(process).is_some_and(|threads| threads > self.threads)
    }
}

fn usage(who: libc::c_int) -> Usage {
    // SAFETY: all-zero bytes are a valid `rusage`, which is made of numbers.
    let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `raw` is a valid place to write to; on failure it stays zero.
    unsafe { libc::getrusage(who, &mut raw) };
    Usage { cpu: duration(raw.ru_utime) + duration(raw.ru_stime), peak_memory: raw.ru_maxrss.unsigned_abs() << 10 }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec.unsigned_abs(), (time.tv_usec * 1000) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_and_only_goes_up() {
        let before = Usage::of_this_process();
        let mut sum = 0u64;
        while Usage::of_this_process().cpu < before.cpu + Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        let after = Usage::of_this_process();
        assert!(after.cpu > before.cpu && after.peak_memory >= before.peak_memory && after.peak_memory > 1 << 20);
    }

    #[test]
    fn threads_of_a_process_are_counted_and_bound() {
        let own = std::process::id();
        let before = threads_of(own).expect("it is told");
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let waiting = std::thread::spawn(move || stopped.recv());
        assert!(before >= 1 && threads_of(own).is_some_and(|now| now >= 2));
        assert!(Bounds { memory: u64::MAX, threads: 1 }.are_broken_by(own));
        assert!(Bounds { memory: 1 << 10, threads: u64::MAX }.are_broken_by(own));
        assert!(!Bounds { memory: u64::MAX, threads: u64::MAX }.are_broken_by(own));
        drop(stop);
        let _ = waiting.join();
    }

    #[test]
    fn the_memory_of_a_process_is_known() {
        let memory = memory_of(std::process::id()).expect("it runs");
        assert!(memory > 1 << 20 && memory <= Usage::of_this_process().peak_memory + (64 << 20), "{memory}");
        assert_eq!(memory_of(u32::MAX), None);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a child to be counted")]
    fn a_child_counts_once_it_was_waited_for() {
        let before = Usage::of_ended_children().cpu;
        let work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let status = std::process::Command::new("sh").args(["-c", work]).status().expect("there is a shell");
        assert!(status.success());
        assert!(Usage::of_ended_children().cpu > before);
    }
}
