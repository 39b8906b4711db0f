//! How fast a log is scanned, beside plain reading of the same bytes from the same file.
//!
//! Three logs of 100 MB: an ordinary one, with a trace every 2000 lines; the same as JSON lines; and one of a failing
//! server, where every tenth line begins a trace. The last lines give the figures as ratios.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use divan::counter::BytesCount;
use divan::{Bencher, black_box};

const SIZE: usize = 100 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Log {
    Ordinary,
    JsonLines,
    Failing,
}

const LOGS: [Log; 3] = [Log::Ordinary, Log::JsonLines, Log::Failing];

fn main() {
    divan::main();
    if std::env::args().any(|arg| arg == "--test" || arg == "--list") {
        return;
    }
    for log in LOGS {
        let path = file(log);
        let (read, scan) = (best(|| read_bytes(&path)), best(|| scan_file(&path)));
        let speed = SIZE as f64 / 1e6 / scan.as_secs_f64();
        let ratio = scan.as_secs_f64() / read.as_secs_f64();
        println!("{log:?}: {speed:.0} MB/s per core, {ratio:.1} times as long as reading the bytes");
    }
    for log in LOGS {
        let _ = fs::remove_file(path(log));
    }
}

#[divan::bench(args = LOGS, sample_count = 5, sample_size = 1)]
fn read(bencher: Bencher<'_, '_>, log: Log) {
    let path = file(log);
    bencher.counter(BytesCount::new(SIZE)).bench(|| read_bytes(&path));
}

#[divan::bench(args = LOGS, sample_count = 5, sample_size = 1)]
fn scan(bencher: Bencher<'_, '_>, log: Log) {
    let path = file(log);
    bencher.counter(BytesCount::new(SIZE)).bench(|| scan_file(&path));
}

fn scan_file(path: &PathBuf) -> usize {
    let report = crash_report::parse_reader(File::open(path).expect("the log was made")).expect("a readable log");
    report.traces.len()
}

/// What `parse_reader` cannot do without: every byte comes into memory.
fn read_bytes(path: &PathBuf) -> u64 {
    let mut file = File::open(path).expect("the log was made");
    let mut buffer = vec![0; 256 << 10];
    let mut total = 0;
    loop {
        match file.read(&mut buffer).expect("a readable log") {
            0 => return total,
            n => total += black_box(&buffer[..n]).len() as u64,
        }
    }
}

/// The least processor time of five runs: what one core can do, also on a busy machine.
fn best<T>(run: impl Fn() -> T) -> Duration {
    let start = Instant::now();
    let time = || {
        let before = spent(start);
        black_box(run());
        spent(start) - before
    };
    (0..5).map(|_| time()).min().expect("five runs")
}

/// What this thread has spent on a processor; where the kernel does not tell, the time since `start`.
fn spent(start: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn path(log: Log) -> PathBuf {
    std::env::temp_dir().join(format!("crash-report-bench-{log:?}-{}.log", std::process::id()))
}

fn file(log: Log) -> PathBuf {
    let path = path(log);
    if !path.exists() {
        fs::write(&path, make(log)).expect("the log can be written");
    }
    path
}

fn make(log: Log) -> String {
    let every = if log == Log::Failing { 10 } else { 2000 };
    let mut text = String::with_capacity(SIZE + 4096);
    let mut i = 0u64;
    while text.len() < SIZE {
        i += 1;
        let n = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let line = match n % 4 {
            0 => format!("GET /api/v2/orders/{n}?page={} (200) in {} ms", n % 7, n % 900),
            1 => format!("user {n} added item {} to cart (size {}), total 12.{:02}", n % 1000, n % 9, n % 100),
            2 => format!("cache hit for key orders:{n} at node {} of org.shop.cache.Ring", n % 5),
            _ => format!("connection from 10.0.{}.{} accepted, pool has {} idle", n % 256, i % 256, n % 20),
        };
        let trace = if i.is_multiple_of(every) { trace(n) } else { String::new() };
        let (second, milli) = (i / 1000 % 60, i % 1000);
        let done = if log == Log::JsonLines {
            let trace = trace.replace('\n', "\\n").replace('\t', "\\t");
            let stack = if trace.is_empty() { String::new() } else { format!(",\"stack_trace\":\"{trace}\"") };
            writeln!(
                text,
                "{{\"@timestamp\":\"2024-11-05T09:31:{second:02}.{milli:03}Z\",\"level\":\"INFO\",\"logger_name\":\"org.shop.web.Api\",\"message\":\"{line}\"{stack}}}"
            )
        } else {
            writeln!(
                text,
                "2024-11-05 09:31:{second:02}.{milli:03} INFO [http-{}] org.shop.web.Api - {line}\n{trace}",
                n % 16
            )
        };
        done.expect("strings do not fail");
        if text.ends_with("\n\n") {
            text.pop();
        }
    }
    text
}

fn trace(n: u64) -> String {
    let mut text = format!("org.shop.OrderException: order {} failed\n", n % 3);
    for i in 0..20 {
        writeln!(text, "\tat org.shop.layer{i}.Service.call(Service.java:{})", 100 + i).expect("strings do not fail");
    }
    text.push_str(
        "Caused by: java.sql.SQLException: no connection\n\tat org.shop.db.Pool.take(Pool.java:33)\n\t... 19 more\n",
    );
    text
}
