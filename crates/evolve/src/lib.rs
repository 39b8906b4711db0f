//! The guided genetic algorithm of the EvoCrash paper (sections 3.1 to 3.4, Algorithms 1 to 4), and what goes beyond it.
//!
//! [`Evolve`] proposes recipes and learns from observations; it runs nothing itself. Given the same seed and the same observations
//! it proposes the same recipes.
//!
//! Deviations from the paper, each a switch of [`Extras`]: see there.

mod capture;
mod comparands;
mod config;
mod derived;
mod fitness;
mod growth;
mod island;
mod limits_tuner;
mod log_calls;
mod log_lines;
mod making;
mod novelty;
mod operators;
mod reflected;
mod rehearsal;
mod search;
mod seeds;
#[cfg(test)]
mod testing;

pub use config::{Config, Extras};
pub use search::{Evolve, REGISTRATION};
