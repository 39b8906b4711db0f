//! What a query is answered.

use crate::model::Model;
use crate::node::Term;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// All conjuncts hold in this model: they were evaluated.
    Sat(Model),
    /// These conjuncts cannot hold together. A part of the query, in its order, as small as the one who answered could
    /// make it; [`Queries::minimal_core`](crate::Queries::minimal_core) makes it minimal.
    Unsat(Vec<Term>),
    Unknown(Why),
}

/// Why nobody knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// There is none, and the query needs one.
    NoSolver,
    CannotStart(String),
    /// The solver hit its limit of time or resources and said so.
    Limit,
    /// The solver ignored its limit and was killed.
    Late,
    /// The solver ended in the middle of the query: memory, a signal, a fault of its own.
    Died,
    /// What the solver printed makes no sense.
    Garbled(String),
    /// The solver gave a model in which a conjunct is false.
    WrongModel,
    /// There is no model of a query that leaves something out of this one.
    Approximate,
    /// The solver's own words.
    GaveUp(String),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NoSolver => f.write_str("no solver is installed; `reenact doctor --install` gets one"),
            Why::CannotStart(problem) => f.write_str(problem),
            Why::Limit => f.write_str("the solver's limit was reached"),
            Why::Late => f.write_str("the solver ignored its limit and was ended"),
            Why::Died => f.write_str("the solver ended in the middle of the query"),
            Why::Garbled(answer) => write!(f, "the solver's answer makes no sense: {answer}"),
            Why::WrongModel => f.write_str("the solver's model does not satisfy the query"),
            Why::Approximate => f.write_str("only an approximation of the query was refuted"),
            Why::GaveUp(reason) => write!(f, "the solver gave up: {reason}"),
        }
    }
}
