//! How long does `reenact check` take on one small jar, warm, beside starting a process that does nothing?
//!
//! Whole processes, as a person starts them. `REENACT_JARS` must be set, as by `cargo xtask bench`.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 31;

fn main() {
    let jars = std::env::var_os("REENACT_JARS").expect("REENACT_JARS is not set; run `cargo xtask bench`");
    let jar = PathBuf::from(jars).join("commons-collections/commons-collections/3.1/commons-collections-3.1.jar");
    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/seeds/traces/ACC-48.log");
    let (check, jar, trace) = (["check", "-c"], jar.display().to_string(), trace.display().to_string());
    let check = [check[0], &trace, check[1], &jar];
    // The first one fills the cache.
    time(&check);
    let (mut checks, mut nothing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        checks.push(time(&check));
        nothing.push(time(&["--version"]));
    }
    for (name, times) in [("reenact check, warm", &mut checks), ("reenact --version", &mut nothing)] {
        times.sort();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("{name:<20} median {:.1} ms, best {:.1} ms", ms(times[ROUNDS / 2]), ms(times[0]));
    }
}

#[expect(clippy::disallowed_methods, reason = "the benchmark starts the tool itself")]
fn time(args: &[&str]) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reenact"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
    let started = Instant::now();
    assert!(command.status().unwrap().success(), "{args:?}");
    started.elapsed()
}
