//! (skeleton)

pub mod confirm;
