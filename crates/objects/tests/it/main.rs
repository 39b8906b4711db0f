//! Tests of this crate on the jars of the crash packs. They need REENACT_JARS; `cargo xtask test` sets it.

#![expect(clippy::unwrap_used, reason = "a test that cannot open its jars had better stop there")]

mod common;
mod real_jars;
mod snapshots;
