//! A log of 200 MB is read within 50 MB of memory, also if it is full of traces that all differ.
//!
//! Measured by the kernel, so this is a test of its own: other tests in the process would count too.
#![cfg(target_os = "linux")]

use std::io::{self, Read};

use crash_report::{CrashReport, ProblemKind, parse_reader};

const MB: usize = 1 << 20;

#[test]
fn memory_stays_bounded() {
    let ordinary = read(200 * MB, 2000);
    assert!(ordinary.traces.len() > 100, "{} traces", ordinary.traces.len());

    let failing = read(20 * MB, 2);
    let left_out = failing.problems.iter().find_map(|p| match p.kind {
        ProblemKind::TooManyTraces { left_out } => Some(left_out),
        _ => None,
    });
    assert!(left_out.is_some_and(|n| n > 1000), "{left_out:?} of {}", failing.traces.len());

    let peak = peak_memory();
    assert!(peak < 50 * MB, "{} MB at the peak", peak / MB);
}

/// Reads a log of this size with a trace, each with a message of its own, every so many lines.
fn read(size: usize, every: u64) -> CrashReport {
    let log = Log { left: size, every, line: 0, pending: Vec::new() };
    parse_reader(log).expect("the log can be read")
}

/// A log that is made while it is read.
struct Log {
    left: usize,
    every: u64,
    line: u64,
    pending: Vec<u8>,
}

impl Read for Log {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.pending.len() < out.len() && self.left > 0 {
            self.line += 1;
            let n = self.line;
            let mut text =
                format!("2024-11-05 09:31:22.417 INFO [http-{}] org.shop.Api - GET /orders/{n} (200) ok\n", n % 8);
            if n.is_multiple_of(self.every) {
                text.push_str(&format!("org.shop.OrderException: order {n} failed\n"));
                for i in 0..20 {
                    text.push_str(&format!("\tat org.shop.layer{i}.Service.call(Service.java:{})\n", 100 + i));
                }
            }
            self.pending.extend_from_slice(text.as_bytes());
            self.left = self.left.saturating_sub(text.len());
        }
        let n = self.pending.len().min(out.len());
        out[..n].copy_from_slice(&self.pending[..n]);
        self.pending.drain(..n);
        Ok(n)
    }
}

/// The most memory that the process has had.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel says it");
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes << 10
}
