//! How much processor time a thread has had.
#![expect(unsafe_code, reason = "thread clocks")]

use std::time::Duration;

/// The processor clock of one thread, readable from others. Stands still once the thread has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadClock(libc::clockid_t);

impl ThreadClock {
    pub(super) fn of_this_thread() -> Option<Self> {
        let mut clock = 0;
        // SAFETY: the current thread exists, and `clock` is a valid place to write to.
        let code = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        (code == 0).then_some(ThreadClock(clock))
    }

    pub(super) fn read(self) -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid place to write to; an invalid clock leaves it at zero.
        unsafe { libc::clock_gettime(self.0, &mut time) };
        Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_and_waiting_is_not() {
        let clock = ThreadClock::of_this_thread().expect("a clock");
        let before = clock.read();
        std::thread::sleep(Duration::from_millis(20));
        let idle = clock.read() - before;
        let mut sum = 0u64;
        while clock.read() - before < Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(idle < Duration::from_millis(20) && sum > 0);
    }
}
