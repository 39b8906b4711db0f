//! The guided genetic algorithm of the EvoCrash paper (sections 3.1 to 3.4, Algorithms 1 to 4), and what goes beyond it.
//!
//! The engine proposes recipes and learns from observations; it runs nothing itself. One [`Search`] is driven in rounds:
//! [`Search::propose`], whoever holds a runner runs them, [`Search::learn`]. Given the same seed and the same observations
//! it proposes the same recipes.
//!
//! Deviations from the paper, each a switch of [`Extras`]: see there.

mod capture;
mod comparands;
mod config;
mod fitness;
mod goal;
mod growth;
mod island;
mod log_lines;
mod naturalness;
mod needs;
mod operators;
mod rarities;
mod reflected;
mod search;
mod seeds;
#[cfg(test)]
mod testing;
mod thrown;

pub use config::{Config, Extras};
pub use fitness::Fitness;
pub use goal::{Goal, GoalFrame};
pub use operators::is_race;
pub use search::{Find, Round, Search};
pub use seeds::seeds;
pub use thrown::{as_throwable, compare_with_goal};
