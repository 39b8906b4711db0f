//! Reads cases: declarations, conditions and what is expected of them, as text.
