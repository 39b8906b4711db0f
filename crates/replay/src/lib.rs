//! The replay engine (BugRedux): forward symbolic execution along an ordered list of goals, after Jin and Orso, "BugRedux: Reproducing
//! Field Failures for In-House Debugging" (ICSE 2012).
//!
//! [`goals`] says which places a run has to come through, and in which order: those that were recorded, else the calls of the stack
//! trace, and at last the failure itself. [`search`] keeps states of partial runs and takes the one further that has the fewest statements
//! to its next goal ([`distance`]), until one is at the last; what was recorded of results counts as it goes ([`recorded`]). What it assumed of receiver, parameters and statics is a condition at
//! the entry of the method that it began in, of which `backward` makes calls. Nothing is drawn at random.

mod distance;
mod goals;
mod recorded;
mod run;
mod search;

pub use goals::Kind;
pub use run::REGISTRATION;
