//! The grades of success, printable and readable back: `none`, `crash-line`, `frames 3/6`, `full-stack`,
//! `full-stack+message`.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::str::FromStr;

/// How much of a crash happened again. Ordered: more is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grade {
    /// Nothing thrown at the crash line.
    None,
    /// The same exception type from the same line of the same method.
    CrashLine,
    /// In addition the first `matched` of the `of` application frames match in order.
    Frames { matched: usize, of: usize },
    /// All application frames match, and the causes. `message`: and the message is the same or of the same template.
    FullStack { message: bool },
}

/// A text that is no grade.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a grade; one of none, crash-line, frames K/N, full-stack, full-stack+message is expected")]
pub struct NotAGrade {
    pub text: String,
}

impl Grade {
    /// The grade for so many matching frames, all causes being the same where all frames match.
    pub(crate) fn of(matched: usize, of: usize, message: bool) -> Grade {
        match matched {
            0 => Grade::None,
            _ if matched == of => Grade::FullStack { message },
            1 => Grade::CrashLine,
            _ => Grade::Frames { matched, of },
        }
    }

    pub fn is_full_stack(&self) -> bool {
        matches!(self, Grade::FullStack { .. })
    }

    fn rank(&self) -> (u8, usize, Reverse<usize>, bool) {
        match *self {
            Grade::None => (0, 0, Reverse(0), false),
            Grade::CrashLine => (1, 0, Reverse(0), false),
            Grade::Frames { matched, of } => (2, matched, Reverse(of), false),
            Grade::FullStack { message } => (3, 0, Reverse(0), message),
        }
    }
}

impl Ord for Grade {
    fn cmp(&self, other: &Grade) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Grade {
    fn partial_cmp(&self, other: &Grade) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grade::None => f.pad("none"),
            Grade::CrashLine => f.pad("crash-line"),
            Grade::Frames { matched, of } => f.pad(&format!("frames {matched}/{of}")),
            Grade::FullStack { message: false } => f.pad("full-stack"),
            Grade::FullStack { message: true } => f.pad("full-stack+message"),
        }
    }
}

impl FromStr for Grade {
    type Err = NotAGrade;

    fn from_str(text: &str) -> Result<Grade, NotAGrade> {
        let wrong = || NotAGrade { text: text.to_owned() };
        match text {
            "none" => Ok(Grade::None),
            "crash-line" => Ok(Grade::CrashLine),
            "full-stack" => Ok(Grade::FullStack { message: false }),
            "full-stack+message" => Ok(Grade::FullStack { message: true }),
            _ => {
                let (matched, of) = text.strip_prefix("frames ").and_then(|t| t.split_once('/')).ok_or_else(wrong)?;
                let matched = matched.parse().map_err(|_| wrong())?;
                let of = of.parse().map_err(|_| wrong())?;
                if matched < of { Ok(Grade::Frames { matched, of }) } else { Err(wrong()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_ordered_and_read_back() {
        let grades = [
            Grade::None,
            Grade::CrashLine,
            Grade::Frames { matched: 2, of: 6 },
            Grade::Frames { matched: 3, of: 6 },
            Grade::FullStack { message: false },
            Grade::FullStack { message: true },
        ];
        assert!(grades.is_sorted_by(|a, b| a < b));
        for grade in grades {
            assert_eq!(grade.to_string().parse(), Ok(grade));
        }
        for text in ["", "full", "frames", "frames 6/3", "frames a/b", "full-stack+fixed"] {
            assert!(text.parse::<Grade>().is_err(), "{text}");
        }
    }
}
