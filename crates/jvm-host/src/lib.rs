//! (skeleton)

pub mod confirm;
pub mod wire;
