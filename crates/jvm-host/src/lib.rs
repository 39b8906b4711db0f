//! Runs recipes on the user's own JVM: class instrumentation, the sandbox, the embedded VM and the worker processes.

pub mod child;
mod conditions;
pub mod confirm;
pub mod emit;
mod host;
pub mod inherited;
pub mod jvm;
pub mod readings;
pub mod sandbox;
pub mod splice;
pub mod usage;
pub mod wire;
pub mod worker;

pub use host::{Host, HostConfig};
