//! The environment of workers, confirming JVMs and the compiler: nothing of the user's, who keeps passwords in theirs, and
//! nothing by which a shell would change every JVM.

use std::path::Path;
use std::process::Command;

/// What is taken over: where shared libraries are, without which some JDKs do not start, and the time zone, without which
/// programs would see another than their user.
const KEPT: [&str; 2] = ["LD_LIBRARY_PATH", "TZ"];

/// Clears the environment but for what every program may expect. `home` is where it may write.
pub fn set_environment(command: &mut Command, home: &Path) {
    command.env_clear();
    for name in KEPT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("LC_ALL", "C.UTF-8").env("HOME", home);
}
