//! (skeleton)

pub mod wire;
