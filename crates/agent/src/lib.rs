//! How is a program recorded in the field? The shared library `libreenact.so` for `-agentpath`: it splices the application's classes
//! as they are loaded, hands each thread a ring in a mapped file, and keeps a copy of that file when an exception ends a thread.
//!
//! It is a guest in somebody's production. It asks the VM for as little as it can: no exception events, which cost compiled code,
//! but a call in `Thread.dispatchUncaughtException`. What fails switches recording off, and the program goes on. As a Rust library it
//! has what the command line needs to know: [`Settings`] and [`hard`].

mod arm;
mod constants;
mod crash;
mod file;
pub mod hard;
mod hooks;
mod recorder;
mod settings;
mod watch;

pub use settings::{Settings, SettingsError, size};

/// What the shared library is called.
pub const LIBRARY: &str = "libreenact.so";
