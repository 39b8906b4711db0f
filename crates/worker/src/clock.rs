//! How much processor time a thread or a process has had.
#![expect(unsafe_code, reason = "the standard library has no such clocks")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A processor clock, readable from other threads and processes. Stands still, or shows zero, once what it counts has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessorClock(libc::clockid_t);

impl ProcessorClock {
    pub(super) fn of_this_thread() -> Option<Self> {
        let mut clock = 0;
        // SAFETY: the current thread exists, and `clock` is a valid place to write to.
        let code = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        (code == 0).then_some(ProcessorClock(clock))
    }

    /// Of all threads of a process.
    pub(super) fn of_process(id: u32) -> Option<Self> {
        let mut clock = 0;
        // SAFETY: `clock` is a valid place to write to; no process is touched, and one that is gone gives an error.
        let code = unsafe { libc::clock_getcpuclockid(libc::pid_t::try_from(id).ok()?, &mut clock) };
        (code == 0).then_some(ProcessorClock(clock))
    }

    pub(super) fn read(self) -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid place to write to; an invalid clock leaves it at zero.
        unsafe { libc::clock_gettime(self.0, &mut time) };
        Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
    }
}

/// Processor time that several threads add to.
#[derive(Debug)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) const fn new() -> Self {
        Counter(AtomicU64::new(0))
    }

    pub(super) fn add(&self, time: Duration) {
        self.0.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_and_waiting_is_not() {
        let clock = ProcessorClock::of_this_thread().expect("a clock");
        let before = clock.read();
        std::thread::sleep(Duration::from_millis(20));
        let idle = clock.read() - before;
        let mut sum = 0u64;
        while clock.read() - before < Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(idle < Duration::from_millis(20) && sum > 0);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a process to be counted")]
    fn another_process_is_counted() {
        let mut busy = std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell");
        let clock = ProcessorClock::of_process(busy.id()).expect("a clock");
        while clock.read() < Duration::from_millis(5) {
            std::thread::yield_now();
        }
        busy.kill().and_then(|()| busy.wait()).expect("it can be ended");
        assert!(ProcessorClock::of_process(busy.id()).is_none());
    }
}
