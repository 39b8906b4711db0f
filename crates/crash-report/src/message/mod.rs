//! What messages of exceptions are made of: templates with holes, the messages of the JVM and the JDK read backwards, helpful
//! null-pointer texts, parts that are never the same twice; and whether two messages say the same.
//!
//! Texts only: which bytecode wrote a message is not known here.

pub mod helpful;
pub mod known;
mod same;
mod template;
mod volatile;

pub(crate) use same::chain;
pub use same::{Ignored, MessageMatch, Messages, SameTemplate, explains_nulls, same_pattern};
pub use template::{Filling, Hole, HoleKind, Instance, Part, Template, template_matches};

/// How far two values of the same kind are from each other, from 0 to 1: numbers by their difference, texts by the share that
/// is neither a common beginning nor a common end.
pub fn distance_of_values(expected: &str, actual: &str) -> f64 {
    match (expected.parse::<i64>(), actual.parse::<i64>()) {
        (Ok(expected), Ok(actual)) => {
            let difference = expected.abs_diff(actual) as f64;
            difference / (difference + 1.0)
        }
        _ => distance_of_texts(expected, actual),
    }
}

/// The share of the texts that is neither a common beginning nor a common end.
pub fn distance_of_texts(expected: &str, actual: &str) -> f64 {
    let longest = expected.len().max(actual.len());
    if longest == 0 {
        return 0.0;
    }
    let front = expected.bytes().zip(actual.bytes()).take_while(|(a, b)| a == b).count();
    let rest = expected.len().min(actual.len()) - front;
    let back = expected.bytes().rev().zip(actual.bytes().rev()).take(rest).take_while(|(a, b)| a == b).count();
    1.0 - (front + back) as f64 / longest as f64
}

#[cfg(test)]
mod tests {
    use super::{distance_of_texts, distance_of_values};

    #[test]
    fn texts_that_share_more_are_nearer() {
        assert_eq!(distance_of_texts("Index 5", "Index 5"), 0.0);
        let near = distance_of_texts("Index 5 of 3", "Index 7 of 3");
        assert!(near < distance_of_texts("Index 5 of 3", "no such thing"));
        assert_eq!(distance_of_texts("abc", "xyz"), 1.0);
        assert_eq!(distance_of_texts("", ""), 0.0);
    }

    #[test]
    fn numbers_are_near_if_their_difference_is_small() {
        assert_eq!(distance_of_values("7", "7"), 0.0);
        assert!(distance_of_values("99", "100") < distance_of_values("99", "9"));
        assert!(distance_of_values("-9223372036854775808", "9223372036854775807") <= 1.0);
        assert_eq!(distance_of_values("7", "x"), 1.0);
    }
}
