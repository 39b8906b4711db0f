//! With what, and where, a run was done: build, JDK, machine.

use crate::failure::Failure;
use program::Jdk;
use std::path::PathBuf;

#[derive(Debug)]
pub(super) struct Place {
    /// This program's own file.
    pub(super) program: PathBuf,
    pub(super) version: String,
    /// Hash of that file.
    pub(super) executable: String,
    pub(super) jdk: String,
    pub(super) machine: String,
}

impl Place {
    pub(super) fn here(jdk: &Jdk) -> Result<Place, Failure> {
        let own = |error| Failure::new(format!("cannot read this program's own file: {error}"));
        let program = std::env::current_exe().map_err(own)?;
        let bytes = std::fs::read(&program).map_err(own)?;
        Ok(Place {
            executable: format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes)),
            version: crate::VERSION.to_owned(),
            jdk: format!("{} in {}", jdk.version, jdk.home.display()),
            machine: machine(),
            program,
        })
    }
}

/// Processors, memory and kernel, as far as they can be known.
fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = value(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = value(&read("/proc/meminfo"), "MemTotal").unwrap_or_else(|| "unknown memory".to_owned());
    let kernel = read("/proc/sys/kernel/osrelease");
    format!("{cores} x {model}, {memory}, {} {}", std::env::consts::OS, kernel.trim())
}
